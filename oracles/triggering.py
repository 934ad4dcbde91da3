"""What triggers, as far as a trace and the facts say: Triggers that met their condition and must be activated, or offered.

Triggers that met their condition together are put on the chain in a run of ``trigger`` decisions, before anybody gets priority.
:class:`TriggerWatch` follows these runs and says which Triggers had to be among them. It knows Triggers that wait for something
to happen to their own card, for a battle, or for a timing of a battle they are in. What it says is certain; it leaves out
whatever the facts do not settle, and "when" Triggers after which anything else happened.

Where a timing has stages, each has a run of its own: what belongs to a later stage than the run may wait for its own, and what a
chain of the timing triggered until the timing ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Final

from engine_protocol.cards import Condition, EffectFacts
from engine_protocol.events import (
    AttackEnded,
    ChainEnded,
    DamageCalculated,
    Decided,
    Equipped,
    LinkResolved,
    Moved,
    PositionChanged,
    StatChanged,
    StatusChanged,
    TimingBegan,
)
from engine_protocol.rulesets import Ruleset
from engine_protocol.vocabulary import DAMAGE_STEP_TIMINGS, FIELD, MONSTER_ZONES, Player, Timing
from oracles.battles import battle_goes_on
from oracles.legality import Answer, fits, names_timing, needs_allow, once_allows
from oracles.options import activations_on_offer
from oracles.oracle import Oracle, Watcher
from oracles.oracle import at as at_timings
from oracles.permissions import ends_battle_phase
from oracles.view import Card, DamageStep, Key, View

_QUIET: Final = (TimingBegan, Decided, LinkResolved, ChainEnded, Equipped, StatChanged, StatusChanged, AttackEnded)
_QUIET_MOVES: Final = frozenset({"destroyed-by-battle", "destroyed-by-rule", "used", "negated"})
_TRIGGERED_BY_CHAINS: Final = frozenset({"CH-6", "DS-12"})
"""By what rules the Triggers must be activated that something did within a timing set off."""


class Due:
    """A Trigger that met its condition.

    ``rule``  the rule by which it must be activated, or offered, at the first chance
    ``at``    index of the event that met the condition
    """

    __slots__ = ("at", "card", "effect", "rule")

    def __init__(self, rule: str, card: Card, effect: EffectFacts, at: int) -> None:
        self.rule = rule
        self.card = card
        self.effect = effect
        self.at = at


class TriggerWatch(Watcher):
    """Follows the runs of ``trigger`` decisions, and tells the oracles that inherit from :class:`MustTrigger`."""

    def begin(self, view: View) -> None:
        self.seen = 0
        self.heard: list[int] = []
        self.running = False
        self.stage = 0
        self.open: list[Due] = []
        self.later: list[Due] = []

    def on_moved(self, event: Moved, view: View) -> None:
        if event.reason == "destroyed-by-battle" or view.cards[event.card].known.triggers:
            self.heard.append(view.at)

    def on_position_changed(self, event: PositionChanged, view: View) -> None:
        if event.before == "face-down-defense" and event.after != event.before and event.reason == "effect":
            self.heard.append(view.at)

    @at_timings(*DAMAGE_STEP_TIMINGS)
    def on_timing_began(self, event: TimingBegan, view: View) -> None:
        if event.timing == "after-calculation" or _named(view, event.timing):
            self.heard.append(view.at)

    def on_trigger(self, event: Decided, view: View) -> None:
        staged = view.timing in view.ruleset.trigger_stages
        if not self.running:
            self.running = True
            self.open = [*(due for due in self.later if _still_due(view, due)), *self._gather(view, view.at)]
            self.later = []
            self.stage = 0
        if staged:
            self.stage = max(self.stage, latest_stage(event, view))
        if self.open:
            offered = {(option.card, option.effect) for option in event.decision.options}
            self.open = [due for due in self.open if (due.card.id, due.effect.number) not in offered]

    def on_priority(self, event: Decided, view: View) -> None:
        """A player may start a chain: what was due had to come before that."""
        if self.running:
            self._close(view)
        elif not self.heard:
            self.seen = view.at
        elif view.timing in view.ruleset.trigger_stages:
            self.later += self._gather(view, view.at)
        else:
            self._missed(self._gather(view, view.at))

    def on_action(self, event: Decided, view: View) -> None:
        """As with priority."""
        self.on_priority(event, view)

    def on_response(self, event: Decided, view: View) -> None:
        if self.running:
            self._close(view)

    @at_timings(*DAMAGE_STEP_TIMINGS, "battle-step", "end-step")
    def before_timing_began(self, event: TimingBegan, view: View) -> None:
        """What a chain triggered in the Damage Step, or the timing itself, is activated before that timing ends."""
        if self.running:
            self._close(view)
        window = view.window
        later, self.later = self.later, []
        if not (self.heard or later) or window is None:
            return
        if not view.in_damage_step or ends_battle_phase(view) or view.chain_resolving:
            return
        if later:
            self._missed([due for due in later if _still_due(view, due)])
            if not self.heard:
                return
        if self.seen <= window.began_at:
            self._missed(self._gather(view, view.at))
            return
        events = view.events
        for at in range(view.at - 1, self.seen - 1, -1):
            if type(events[at]) is ChainEnded:
                self._missed(self._gather(view, at + 1))
                return

    def _close(self, view: View) -> None:
        self.running = False
        missed, self.open = self.open, []
        if missed and view.timing in view.ruleset.trigger_stages:
            self.later = [due for due in missed if _may_wait(view, due, self.stage)]
            missed = [due for due in missed if due not in self.later]
        self._missed(missed)

    def _missed(self, missed: list[Due]) -> None:
        for due in missed:
            for oracle in self.listeners:
                oracle.missed(due)

    def _gather(self, view: View, upto: int) -> list[Due]:
        """What became due since the last chance."""
        self.seen = upto
        events = view.events
        found: list[Due] = []
        for at in self.heard:
            if at >= upto:
                break
            event = events[at]
            if isinstance(event, Moved):
                found += _moved(view, event, at)
            elif isinstance(event, TimingBegan):
                found += _timing_began(view, event, at)
            elif isinstance(event, PositionChanged):
                found += _turned(view, event, at)
        self.heard = [at for at in self.heard if at >= upto]
        if not found:
            return found
        found = [due for due in found if must_activate(view, due, upto)]
        for due in found:
            for oracle in self.listeners:
                oracle.became_due(due)
        return found


def latest_stage(event: Decided, view: View) -> int:
    """The latest of the stages of this timing to which the Triggers on offer belong."""
    timing = event.decision.timing
    stages = [view.ruleset.stage_of(timing, card.facts.name, effect) for card, effect in activations_on_offer(event, view)]
    return max(stages, default=0)


def _may_wait(view: View, due: Due, stage: int) -> bool:
    """Whether the Trigger may come in a later stage of this timing than that one. Where an inner battle is over, what the chain
    around it triggered comes as well, and no document says in which stage.
    """
    timing, step = view.timing, view.damage_step
    if timing is None or step is None or step.inside is not None or due.rule in _TRIGGERED_BY_CHAINS:
        return True
    return view.ruleset.stage_of(timing, due.card.facts.name, due.effect) > stage


def _still_due(view: View, due: Due) -> bool:
    """Whether the Trigger, for which its stage was still to come, must be activated all the same after what the stages before it
    have done.
    """
    step = view.damage_step
    if step is None or step.inside is not None or (step.calculation is None and not battle_goes_on(view)):
        return False
    if due.rule == "DA-4" and not all(key is None or view.present(key) for key in (step.attacker_key, step.target_key)):
        return False  # what is tied to the battle may want both its monsters
    return must_activate(view, due, view.at)


def conditions_met(event: Moved) -> frozenset[Condition]:
    """What a move means to the card itself."""
    to = event.to
    if to is None:
        return frozenset()
    if to.zone in MONSTER_ZONES:
        return frozenset({"special-summoned"}) if event.reason == "special-summoned" else frozenset()
    if to.zone != "graveyard":
        return frozenset()
    if event.origin.zone not in FIELD:
        return frozenset({"sent-to-graveyard"})
    if event.reason == "destroyed-by-battle":
        return frozenset(
            {"sent-to-graveyard", "destroyed", "destroyed-by-battle", "destroyed-by-battle-and-sent"},
        )
    if event.reason == "destroyed-by-effect":
        return frozenset({"sent-to-graveyard", "destroyed", "destroyed-by-effect"})
    return frozenset({"sent-to-graveyard"})


def _moved(view: View, event: Moved, at: int) -> Iterator[Due]:
    card = view.cards[event.card]
    by_battle = event.reason == "destroyed-by-battle"
    if card.known.triggers:
        met = conditions_met(event)
        summoned_late = "special-summoned" in met and view.timing == "damage-end"
        rule = "DA-6" if by_battle else "DS-12" if summoned_late else "CH-6"
        for effect in card.known.triggers:
            if effect.condition in met and not (by_battle and _loser_may_be_negated(view)):
                yield Due(rule, card, effect, at)
    step = view.damage_step
    if by_battle and step is not None:
        yield from _destroyed_by(view, event, step, at)


def _destroyed_by(view: View, event: Moved, step: DamageStep, at: int) -> Iterator[Due]:
    """The winner's Triggers. It must still be there (BD-10), and have been the opponent in this battle."""
    loser = event.card
    for key, other in ((step.attacker_key, step.target_key), (step.target_key, step.attacker_key)):
        if key is None or other is None or other[0] != loser or not view.present(key):
            continue
        winner = view.cards[key[0]]
        sent = event.to is not None and event.to.zone == "graveyard" and not view.cards[loser].token
        for effect in winner.known.triggers:
            met = effect.condition == "destroys-by-battle" or (effect.condition == "destroys-by-battle-and-sends" and sent)
            if met and not winner.determined:
                yield Due("DA-6", winner, effect, at)


def _loser_may_be_negated(view: View) -> bool:
    """Whether the effects of what this battle destroyed may be negated, so that it is not certain that they are activated."""
    if not _activates_when_negated(view.ruleset):
        return any("negates-destroyed" in card.known.passive_categories for card in view.passive_cards)
    step = view.damage_step
    keys = () if step is None else (step.attacker_key, step.target_key)
    return any(key is not None and "negates-destroyed" in view.cards[key[0]].known.categories for key in keys)


def _destroyer_may_negate(view: View, card: Card) -> bool:
    """Whether the card fell in this battle, and what may negate it, also from beside the battle, is in the duel."""
    step = view.damage_step
    fell = step is not None and any(key[0] == card.id for key in step.determined)
    return fell and any("negates-destroyed" in other.known.passive_categories for other in view.passive_cards)


def _activates_when_negated(ruleset: Ruleset) -> bool:
    """Whether what its destroyer negates is certainly activated all the same."""
    return ruleset.negated_by_destroyer_activates and ruleset.settles("negated_by_destroyer_activates")


def _turned(view: View, event: PositionChanged, at: int) -> Iterator[Due]:
    """A monster turned face-up by an effect; the flip of a battle waits (DS-3)."""
    card = view.cards[event.card]
    for effect in card.known.triggers:
        if effect.condition == "flipped":
            yield Due("CH-6", card, effect, at)


def _timing_began(view: View, event: TimingBegan, at: int) -> Iterator[Due]:
    step = view.damage_step
    if step is None or view.timing != event.timing or event.timing not in step.timings:
        return
    if event.timing == "after-calculation" and step.calculation is not None:
        yield from _after_calculation(view, step, step.calculation, at)
    if view.timed_cards:
        yield from _timed(view, step, at)


def _after_calculation(view: View, step: DamageStep, calculation: DamageCalculated, at: int) -> Iterator[Due]:
    """Battle damage, and the flip of the target, trigger now."""
    for key in flipped_by_battle(view, step):
        if view.present(key):
            card = view.cards[key[0]]
            for effect in card.known.triggers:
                if effect.condition == "flipped":
                    yield Due("DS-3", card, effect, at)
    dealer = _dealer(view, calculation)
    if dealer is not None:
        for effect in dealer.known.triggers:
            if effect.condition == "inflicted-battle-damage":
                yield Due("DA-6", dealer, effect, at)


def flipped_by_battle(view: View, step: DamageStep) -> list[Key]:
    """The monsters that this battle turned face-up, as keys."""
    turned = [
        event.card
        for event in view.events[step.began_at : view.at]
        if type(event) is PositionChanged and event.reason == "battle" and event.before == "face-down-defense"
    ]
    return [key for key in (step.attacker_key, step.target_key) if key is not None and key[0] in turned]


def _dealer(view: View, calculation: DamageCalculated) -> Card | None:
    """The monster that inflicted battle damage in the plain way: the winner, to the loser's player."""
    attacker = view.cards[calculation.attacker]
    other = 1 - attacker.controller
    if calculation.target is None or calculation.attacker_value > (calculation.target_value or 0):
        return attacker if calculation.damage[other] > 0 else None
    return view.cards[calculation.target] if calculation.damage[attacker.controller] > 0 else None


def _timed(view: View, step: DamageStep, at: int) -> Iterator[Due]:
    """Triggers that name this timing, of monsters in the battle, or equipped to them."""
    timing = view.timing
    assert timing is not None
    named = _named(view, timing)
    late = timing in {"after-calculation", "damage-end"}
    if not named or (late and step.calculation is None) or (not late and not battle_goes_on(view)):
        return
    for card, effect in named:
        if _takes_part(view, step, card, effect) and not _nothing_to_return(view, step, card, effect):
            yield Due("DA-4", card, effect, at)


def _nothing_to_return(view: View, step: DamageStep, card: Card, effect: EffectFacts) -> bool:
    """Whether the effect returns monsters and one of the battle is determined destroyed, which cannot return (BD-6). Whether such
    an effect is activated all the same no document says.
    """
    if "returns" not in effect.categories:
        return False
    keys = (step.attacker_key, step.target_key)
    return any(key is not None and key[0] != card.id and view.cards[key[0]].determined for key in keys)


def _named(view: View, timing: Timing) -> list[tuple[Card, EffectFacts]]:
    """The Triggers that name this timing."""
    return [(card, effect) for card in view.timed_cards for effect in card.known.timed if names_timing(view, effect, timing)]


def _takes_part(view: View, step: DamageStep, card: Card, effect: EffectFacts) -> Answer:
    """Whether what the effect says of the battle is so: its subject battles, attacks, or is determined destroyed."""
    condition = effect.condition
    battling = [key for key in (step.attacker_key, step.target_key) if view.present(key) and key is not None]
    if condition == "attacks":
        battling = [key for key in battling if key == step.attacker_key]
    elif condition == "destroyed-by-battle":
        battling = [key for key in battling if view.cards[key[0]].determined]
    elif condition == "destroys-by-battle":
        battling = [key for key in battling if _beat_its_opponent(view, step, key)]
    elif condition != "battles":
        return None
    if effect.subject is None:
        return card.key in battling
    return any(fits(effect.subject, view.cards[key[0]], view, card.controller, card) for key in battling)


def _beat_its_opponent(view: View, step: DamageStep, key: Key) -> bool:
    other = step.target_key if key == step.attacker_key else step.attacker_key
    return other is not None and view.present(other) and view.cards[other[0]].determined


def must_activate(view: View, due: Due, upto: int) -> bool:
    """Whether the Trigger surely can be activated at the chance before event ``upto``: nothing that could keep it from that is
    unknown.
    """
    card, effect = due.card, due.effect
    if not effect.complete or card.zone not in effect.zones or "effects-negated" in card.statuses:
        return False
    if card.facts.name in view.ruleset.cards_under_adjustment:
        return False
    if not _activates_when_negated(view.ruleset) and _destroyer_may_negate(view, card):
        return False
    if card.zone in FIELD and not card.face_up:
        return False
    if view.opaque_card() is not None:
        return False
    player: Player = card.controller
    if not once_allows(view, player, card, effect) or not needs_allow(view, player, card, effect):
        return False
    if _moved_again(view, due, upto):
        return False
    return effect.mandatory or effect.clause == "if" or (effect.clause == "when" and _still_the_last(view, due.at, upto))


def _moved_again(view: View, due: Due, upto: int) -> bool:
    events = view.events
    return any(type(event) is Moved and event.card == due.card.id for event in events[due.at + 1 : upto])


def _still_the_last(view: View, at: int, upto: int) -> bool:
    """Whether nothing that could count as something else has happened since (CH-7)."""
    for event in view.events[at + 1 : upto]:
        if isinstance(event, Moved):
            if event.reason not in _QUIET_MOVES:
                return False
        elif not isinstance(event, _QUIET):
            return False
    return True


class MustTrigger(Oracle):
    """Base of the rules by which a Trigger must be activated, or offered, at the first chance after its condition was met. At
    stake once for each such Trigger.
    """

    watchers: ClassVar[tuple[type[Watcher], ...]] = (TriggerWatch,)

    def became_due(self, due: Due) -> None:
        """Its condition was met, and nothing keeps it from being activated."""
        if due.rule == self.id:
            self.stake()

    def missed(self, due: Due) -> None:
        """Its chance is gone, and it was not offered."""
        if due.rule == self.id:
            self.fail(
                expected=f"the effect of {due.card!r} {'is activated' if due.effect.mandatory else 'may be activated'} first",
                happened="it was not offered",
                cards=(due.card.id,),
            )
