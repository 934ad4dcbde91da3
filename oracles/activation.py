"""DA: what may be activated in the Damage Step.

The rules are two-sided. At each chance of a player to start or join a chain, every Quick Effect, Spell and Trap of that player is
held against the rules of its kind (:mod:`oracles.damage_step_kinds`): where it is not allowed it must not be offered, where it is
allowed it must be offered if the facts settle that nothing else stands in its way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Final, NamedTuple

from engine_protocol.cards import EffectFacts
from engine_protocol.events import DamageCalculated, Decided, Event, Moved, TimingBegan, TokenCreated
from engine_protocol.vocabulary import DAMAGE_STEP_TIMINGS, MONSTER_ZONES, PLAYER_NAMES, PLAYERS, TIMING_NAMES
from oracles.battles import battle_goes_on
from oracles.damage_step_kinds import OTHERS_CHANGES, DamageStepKind
from oracles.legality import (
    Answer,
    activatable,
    face_allows,
    names_timing,
    quick_candidates,
    still_free,
    timing_allows,
    usable,
)
from oracles.options import activations_on_offer, may_pass
from oracles.oracle import Oracle, Watcher, at, if_armed, leaving
from oracles.permissions import ends_battle_phase
from oracles.triggering import MustTrigger, TriggerWatch
from oracles.view import Card, View


class Row(NamedTuple):
    """One effect at a player's chance to act in the Damage Step.

    ``allowed``  whether its kind is allowed at this timing
    ``usable``   whether nothing but the timing could keep it from being activated
    ``demanded`` allowed and usable, the facts say all there is to say, and no mandatory effect comes first
    """

    card: Card
    effect: EffectFacts
    allowed: Answer
    usable: Answer
    demanded: bool
    offered: bool


class Menu(Watcher):
    """What a player has and is offered at each chance to act in the Damage Step, told to the oracles of each kind of effect."""

    def __init__(self) -> None:
        self._judges: dict[DamageStepKind, list[KindOfEffect]] | None = None

    @if_armed
    @at(*DAMAGE_STEP_TIMINGS)
    def on_priority(self, event: Decided, view: View) -> None:
        self._asked(event, view)

    @if_armed
    @at(*DAMAGE_STEP_TIMINGS)
    def on_response(self, event: Decided, view: View) -> None:
        self._asked(event, view)

    def _asked(self, event: Decided, view: View) -> None:
        player = event.decision.player
        candidates = quick_candidates(view, player)
        if not view.in_damage_step:
            return
        offered = [(option.card, option.effect) for option in event.decision.options if option.kind == "activate"]
        judges = self._by_kind()
        exceptions = view.allowances.exceptions
        for card, effect in candidates:
            hearers = judges.get("exception" if card.facts.name in exceptions else card.known.kinds[effect.number])
            if hearers is None:
                continue
            can = usable(view, player, card, effect)
            is_offered = (card.id, effect.number) in offered
            if not (can or is_offered or hearers[0].hears_all):
                continue
            allowed = timing_allows(view, card, effect)
            demanded = bool(allowed and can and effect.complete and (is_offered or may_pass(event)))
            row = Row(card, effect, allowed, can, demanded, is_offered)
            for oracle in hearers:
                oracle.judge(row, view)

    def _by_kind(self) -> dict[DamageStepKind, list[KindOfEffect]]:
        if self._judges is None:
            self._judges = {}
            for oracle in self.listeners:
                for kind in oracle.kinds:
                    self._judges.setdefault(kind, []).append(oracle)
        return self._judges


class KindOfEffect(Oracle):
    """Base of the two-sided rules: judges the effects of its kinds. At stake for each effect that nothing but the timing keeps
    from being activated, and for each that must be offered.

    ``kinds``   the kinds of effects that are judged
    ``battles`` demands an effect only while the battle goes on
    ``hears_all`` is also told of effects that are not on offer and that something else keeps from being activated
    """

    watchers: ClassVar[tuple[type[Watcher], ...]] = (Menu,)
    kinds: ClassVar[frozenset[DamageStepKind]]
    battles: ClassVar[bool] = False
    hears_all: ClassVar[bool] = False

    def judge(self, row: Row, view: View) -> None:
        """Judge one effect of these kinds at a player's chance to act."""
        if row.allowed is False:
            if row.offered or row.usable:
                self.stake()
            if row.offered:
                self.fail(
                    expected=f"{row.card!r} cannot be activated {_where(view)}",
                    happened="it was offered",
                    cards=(row.card.id,),
                )
        elif row.demanded and (not self.battles or battle_goes_on(view)):
            self.stake()
            if not row.offered:
                self.fail(
                    expected=f"{row.card!r} may be activated {_where(view)}",
                    happened="it was not offered",
                    cards=(row.card.id,),
                )

    def unasked(self, view: View) -> None:
        """The window closes: a player who could have started its first chain must have been asked."""
        window = view.window
        if window is None or window.chains or len(set(window.passes)) == len(PLAYERS) or view.chain_resolving:
            return
        if ends_battle_phase(view) or not battle_goes_on(view):
            return
        for player in PLAYERS:
            if player in window.passes:
                continue
            for card, effect in quick_candidates(view, player):
                if card.known.kinds[effect.number] in self.kinds and activatable(view, player, card, effect):
                    self.stake()
                    self.fail(
                        expected=f"{PLAYER_NAMES[player]} may activate {card!r} {_where(view)}",
                        happened="that player was not asked",
                        cards=(card.id,),
                    )


def _where(view: View) -> str:
    return "here" if view.timing is None else f"at this timing: {TIMING_NAMES[view.timing]}"


class ChangesOfAtkDef(KindOfEffect):
    """Two-sided, as all rules of this module; also, nobody may be left unasked who has such an effect at its timings."""

    id = "DA-1"
    title = "When ATK and DEF may be changed"
    statement = (
        "Quick Effects, Quick-Play Spells and Traps that change ATK or DEF may be activated at the start of the Damage Step and"
        " before damage calculation, also in a chain to another effect, and not later in the Damage Step."
    )
    citations = (
        ("battle-phase-flow", "伤害步骤内，只能发动以下效果"),
        ("damage-step-wiki", "カード発動制限; ダメージステップで発動できるカード"),
        ("damage-step-wiki-before", "1; 2"),
        ("expert-2007", "ダメージステップ"),
        ("duel-arena-wiki", "ダメージステップ"),
    )
    needs = ("changes-atk-def",)
    kinds = frozenset({"changes-atk-def"})
    battles = True

    def judge(self, row: Row, view: View) -> None:
        if row.allowed is False and view.timing in view.ruleset.changes_atk_def_at:
            return  # that there is no other chain is DS-5, that no activation is left DA-10
        super().judge(row, view)

    @leaving(*DAMAGE_STEP_TIMINGS)
    def before_timing_began(self, event: TimingBegan, view: View) -> None:
        if view.timing in view.ruleset.changes_atk_def_at:
            self.unasked(view)


class CounterTraps(KindOfEffect):
    """One-sided: a Counter Trap that can answer the last Chain Link must be offered."""

    id = "DA-2"
    title = "Counter Traps in the whole Damage Step"
    statement = "Counter Traps may be activated at all five timings of the Damage Step."
    citations = (
        ("damage-step-wiki", "ダメージステップで発動できるカード"),
        ("battle-phase-flow", "伤害步骤简表"),
        ("expert-2007", "カウンター罠; 4.A; 4.C"),
    )
    needs = ("negates-activation",)
    kinds = frozenset({"counter-trap"})

    def judge(self, row: Row, view: View) -> None:
        if row.allowed:  # where it is not, no activation is left: DA-10
            super().judge(row, view)


class Negations(KindOfEffect):
    """Two-sided. Mandatory Quick Effects belong here too: they are activated at any timing."""

    id = "DA-3"
    title = "Negations in the Damage Step"
    statement = (
        "Quick Effects that negate an activation, and mandatory ones, may be activated at all five timings; those that negate"
        " only an effect may not be activated in the Damage Step."
    )
    citations = (
        ("battle-phase-flow", "伤害步骤内，只能发动以下效果"),
        ("damage-step-wiki", "FAQ 14/03/26"),
    )
    needs = ("negates-activation", "negates-effect")
    kinds = frozenset({"negates-activation", "negates-effect", "mandatory"})


class NamedTimings(KindOfEffect, MustTrigger):
    """Quick Effects and Triggers that name timings. A Quick Effect must not be offered at another timing, nor in a later chain of
    the late timings (who may start one is DS-5); both must be offered in the first chain of theirs.
    """

    id = "DA-4"
    title = "Effects that name a timing"
    statement = (
        "An effect that names a timing of the Damage Step is activated at that timing only; those of the timings during and after"
        " damage calculation and of the end in its first chain only."
    )
    citations = (
        ("battle-phase-flow", "伤害步骤"),
        ("damage-step-wiki", "ダメージステップ内の５つのタイミング"),
        ("damage-step-wiki-before", "1 to 6"),
        ("expert-2007", "1-1 to 6"),
    )
    watchers = (Menu, TriggerWatch)
    kinds = frozenset({"named"})
    battles = True

    @at(*DAMAGE_STEP_TIMINGS)
    def on_trigger(self, event: Decided, view: View) -> None:
        if view.timing is None:
            return
        for card, effect in activations_on_offer(event, view):
            if effect.kind == "trigger" and effect.timings and not names_timing(view, effect, view.timing):
                self.stake()
                self.fail(
                    expected=f"the effect of {card!r} is activated at the timing that it names",
                    happened=f"it was offered {_where(view)}",
                    cards=(card.id,),
                )

    def before_damage_calculated(self, event: DamageCalculated, view: View) -> None:
        if view.timing == "during-calculation":
            self.unasked(view)

    def judge(self, row: Row, view: View) -> None:
        timing, window = view.timing, view.window
        starts_later_chain = window is not None and window.chains > 0 and not view.chain
        if starts_later_chain and timing is not None and names_timing(view, row.effect, timing):
            return
        super().judge(row, view)


class OtherQuickEffects(KindOfEffect):
    """One-sided: they must not be offered. At stake whenever a player has one that could be activated outside the Damage Step."""

    id = "DA-5"
    title = "What cannot be activated in the Damage Step"
    statement = (
        "Quick Effects, Quick-Play Spells and Traps that do anything else, such as destroying, banishing, returning cards or"
        " changing positions, cannot be activated in the Damage Step."
    )
    citations = (
        ("battle-phase-flow", "伤害步骤内，只能发动以下效果"),
        ("damage-step-wiki", "カード発動制限"),
        ("expert-2007", "ダメージステップ"),
        ("duel-arena-wiki", "ダメージステップ"),
    )
    kinds = frozenset({"other"})


class TriggersInTheDamageStep(KindOfEffect, MustTrigger):
    """Two-sided. What the battle triggers must be activated, or offered, at the first chance; optional effects, and Spells and
    Traps, that wait for another card's Special Summon or change of position must not be offered, which only battle-phase-flow
    says. Where the ruleset wants it destroyed by battle, Spells and Traps that wait for the end of another card must not be
    offered while none has left the field that way.
    """

    id = "DA-6"
    title = "Triggers in the Damage Step"
    statement = (
        "In the Damage Step mandatory Triggers are activated, and optional ones of what happened to the card itself, of battle"
        " damage and of destruction by battle. Optional ones of other changes of another card are not; in older rulesets nor are"
        " Spells and Traps that answer the end of another card, unless a battle destroyed it."
    )
    citations = (
        ("battle-phase-flow", "伤害步骤内，只能发动以下效果"),
        ("damage-step-wiki", "ダメージステップで発動できるカード; ダメージステップ中にも発動可能なカード"),
        ("damage-step-wiki-before", "4 to 6"),
        ("expert-2007", "4.A; 4.C"),
    )
    watchers = (Menu, TriggerWatch)
    kinds = frozenset({"others-change", "others-destruction"})
    hears_all = True

    @at(*DAMAGE_STEP_TIMINGS)
    def on_trigger(self, event: Decided, view: View) -> None:
        if "battle-phase-flow" not in view.documents:
            return
        for card, effect in activations_on_offer(event, view):
            if _waits_for_others(effect):
                self.stake()
                self.fail(
                    expected=f"the optional effect of {card!r} waits for a change of another card",
                    happened="it was offered in the Damage Step",
                    cards=(card.id,),
                )

    def judge(self, row: Row, view: View) -> None:
        if row.card.known.kinds[row.effect.number] == "others-destruction":
            if not view.ruleset.destruction_by_effect_counts and not _destroyed_by_battle(view):
                row = row._replace(allowed=False)
                if row.offered or (face_allows(view, row.card, row.effect) and _just(view, _left_the_field)):
                    super().judge(row._replace(usable=True), view)
        elif row.offered or (face_allows(view, row.card, row.effect) and _just(view, _summons)):
            super().judge(row._replace(usable=True), view)


def _waits_for_others(effect: EffectFacts) -> bool:
    others = effect.kind == "trigger" and effect.subject is not None and effect.subject.this is False
    return others and not effect.mandatory and not effect.timings and effect.condition in OTHERS_CHANGES


def _just(view: View, happened: Callable[[Event], bool]) -> bool:
    """Whether something of the kind was done by the last chain of this window."""
    if view.chain or view.window is None:
        return False
    began = view.last_chain[0].at if view.last_chain else view.at
    events = view.events[max(began, view.window.began_at) : view.at]
    return any(map(happened, events))


def _summons(event: Event) -> bool:
    return isinstance(event, TokenCreated) or (isinstance(event, Moved) and event.reason == "special-summoned")


def _left_the_field(event: Event) -> bool:
    return isinstance(event, Moved) and event.reason == "destroyed-by-effect" and event.origin.zone in MONSTER_ZONES


def _destroyed_by_battle(view: View) -> bool:
    """Whether a monster has left the field as destroyed by battle at this timing."""
    window = view.window
    return window is not None and any(
        isinstance(event, Moved) and event.reason == "destroyed-by-battle" for event in view.events[window.began_at : view.at]
    )


class ContinuousTraps(KindOfEffect):
    """Two-sided for those that change ATK/DEF. Those with an effect that could be activated together with the card are left
    alone.
    """

    id = "DA-7"
    title = "Continuous Traps in the Damage Step"
    statement = (
        "A Continuous Trap that changes ATK or DEF may be activated at the start of the Damage Step and before damage"
        " calculation; any other one only together with an effect that may be activated then."
    )
    citations = (("battle-phase-flow", "伤害步骤内，只能发动以下效果"),)
    kinds = frozenset({"changing-continuous-trap", "continuous-trap"})
    battles = True


class ChangingResponses(KindOfEffect):
    """One-sided: they must not be offered."""

    id = "DA-9"
    title = "Responses that change ATK and DEF"
    statement = (
        "An effect that answers an activation and does not negate it cannot be activated in the Damage Step, even if it changes"
        " ATK or DEF."
    )
    citations = (("battle-phase-flow", "伤害步骤内，只能发动以下效果"),)
    needs = ("changes-atk-def",)
    kinds = frozenset({"changing-response"})


class ActivationsLeft(Oracle):
    """At stake when a player who has no activation left has a card of these kinds that could be activated otherwise."""

    id = "DA-10"
    title = "One activation per player and Damage Step"
    statement = (
        "In one Damage Step each player may activate once only: a Spell or Trap of Spell Speed 2 that changes ATK or DEF, or a"
        " card of Spell Speed 3."
    )
    citations = (("duel-arena-wiki", "ダメージステップ"),)
    needs = ("changes-atk-def",)

    @if_armed
    @at(*DAMAGE_STEP_TIMINGS)
    def on_priority(self, event: Decided, view: View) -> None:
        self._asked(event, view)

    @if_armed
    @at(*DAMAGE_STEP_TIMINGS)
    def on_response(self, event: Decided, view: View) -> None:
        self._asked(event, view)

    def _asked(self, event: Decided, view: View) -> None:
        player = event.decision.player
        for card, effect in quick_candidates(view, player):
            if still_free(view, card, effect) is False and usable(view, player, card, effect):
                self.stake()
                return

    @at(*DAMAGE_STEP_TIMINGS)
    def on_offer(self, event: Decided, view: View) -> None:
        for card, effect in activations_on_offer(event, view):
            if still_free(view, card, effect) is False:
                self.stake()
                self.fail(
                    expected=f"{PLAYER_NAMES[card.controller]} has no activation left in this Damage Step",
                    happened=f"{card!r} was offered",
                    cards=(card.id,),
                )


class TributesItself(KindOfEffect):
    """One-sided: they must not be offered."""

    id = "DA-11"
    title = "Tributing oneself to negate while battling"
    statement = (
        "Certain monsters that Tribute themselves to negate an activation cannot do so in the Damage Step of a battle that they"
        " are in."
    )
    citations = (("expert-2007", "ダメージステップの範囲"), ("damage-step-wiki", "ダメージステップ中にも発動可能なカード"))
    undecided: ClassVar[dict[str, str]] = {
        "ocg-2023": "Its document has nothing on this before damage calculation, and none of the old lists of cards."
    }
    needs = ("negates-activation",)
    kinds = frozenset({"tributes-itself"})


class NamedCards(KindOfEffect):
    """Two-sided; Triggers are just not to be offered at other timings of the Damage Step."""

    id = "DA-12"
    title = "Exceptions named card by card"
    statement = (
        "A card of which the documents say by name when it may be activated in the Damage Step is activated there at those"
        " timings only, whatever its kind; some are not at all."
    )
    citations = (("expert-2007", "ダメージステップの範囲; 4.A; 4.B"), ("damage-step-wiki", "補足"))
    until = frozenset({"battle-phase-flow"})
    undecided: ClassVar[dict[str, str]] = {"duel-arena": "What its document says of kinds of cards covers the exceptions too."}
    kinds = frozenset({"exception"})

    @at(*DAMAGE_STEP_TIMINGS)
    def on_trigger(self, event: Decided, view: View) -> None:
        exceptions = view.allowances.exceptions
        for card, effect in activations_on_offer(event, view):
            if effect.kind != "trigger" or card.facts.name not in exceptions:
                continue
            self.stake()
            timings = exceptions[card.facts.name]
            if timings is not None and view.timing not in timings:
                self.fail(
                    expected=f"the effect of {card!r} is activated at the timing that the documents name",
                    happened=f"it was offered {_where(view)}",
                    cards=(card.id,),
                )


ORACLES: Final[tuple[type[Oracle], ...]] = (
    ChangesOfAtkDef,
    CounterTraps,
    Negations,
    NamedTimings,
    OtherQuickEffects,
    TriggersInTheDamageStep,
    ContinuousTraps,
    ChangingResponses,
    ActivationsLeft,
    TributesItself,
    NamedCards,
)
