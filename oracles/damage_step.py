"""DS: the structure of the Damage Step."""

from __future__ import annotations

from typing import ClassVar, Final

from engine_protocol.cards import Condition, EffectFacts
from engine_protocol.events import (
    Activated,
    AttackEnded,
    ChainEnded,
    DamageCalculated,
    Decided,
    Moved,
    PositionChanged,
    StatusChanged,
    TimingBegan,
)
from engine_protocol.rulesets import Ruleset
from engine_protocol.vocabulary import DAMAGE_STEP_TIMINGS, PLAYERS, TIMING_NAMES, Timing
from oracles.battles import battle_goes_on, what_ended_the_battle
from oracles.damage_step_kinds import CHANGES
from oracles.legality import names_timing, quick_candidates, usable
from oracles.options import activations_on_offer
from oracles.oracle import Oracle, at, between, leaving
from oracles.permissions import ATTACKS_IN_DEFENSE, attacks_in_defense_by_another, ends_battle_phase
from oracles.triggering import MustTrigger, flipped_by_battle
from oracles.view import Card, DamageStep, Key, View, Window

_BEFORE_CALCULATION: Final = frozenset(DAMAGE_STEP_TIMINGS[:3])


def _timing_name(view: View) -> str:
    return "before any step" if view.timing is None else TIMING_NAMES[view.timing]


def _in_disorder(before: Timing | None, after: Timing) -> bool:
    """Whether the Damage Step is entered, or goes on or is left otherwise than from one of its timings to the next."""
    if before not in DAMAGE_STEP_TIMINGS:
        return after in DAMAGE_STEP_TIMINGS
    return _place(after) - _place(before) != 1


def _place(timing: Timing) -> int:
    """Where it comes in the Damage Step, from 0; what is not of the Damage Step comes after it."""
    return DAMAGE_STEP_TIMINGS.index(timing) if timing in DAMAGE_STEP_TIMINGS else len(DAMAGE_STEP_TIMINGS)


class FiveTimings(Oracle):
    """Every timing must be the next one, and the Damage Step is left from its last. What may be left out when no damage
    calculation can be performed is DS-6.
    """

    id = "DS-1"
    title = "The five timings of the Damage Step"
    statement = (
        "The Damage Step goes through its five timings in order, each exactly once: start, before, during and after damage"
        " calculation, end."
    )
    citations = (
        ("battle-phase-flow", "伤害步骤"),
        ("damage-step-wiki", "ダメージステップ内の５つのタイミング"),
        ("damage-step-wiki-before", "参考：マスタールール２以前のダメージステップ"),
        ("expert-2007", "ダメージステップ"),
    )

    @between(_in_disorder)
    def before_timing_began(self, event: TimingBegan, view: View) -> None:
        timing = event.timing
        before = view.timing
        if view.chain_resolving:
            return
        if before is None or before not in DAMAGE_STEP_TIMINGS:
            self.stake()
            if timing != "damage-start":
                self._wrong(f"it began with the timing: {TIMING_NAMES[timing]}")
            return
        if _place(timing) > _place(before) and self._may_leave_out(view):
            return
        self._wrong(f"after the timing: {TIMING_NAMES[before]}, came: {TIMING_NAMES[timing]}")

    def _may_leave_out(self, view: View) -> bool:
        step = view.damage_step
        fought = step is not None and step.calculation is not None
        return ends_battle_phase(view) or not (fought or battle_goes_on(view))

    def _wrong(self, happened: str) -> None:
        self.fail(expected="the five timings of the Damage Step follow one another, each once", happened=happened)


class FlipBeforeCalculation(Oracle):
    """A face-down target is watched until it is turned face-up: not at the start, but before anybody is asked anything before
    damage calculation, and to Defense Position.
    """

    id = "DS-2"
    title = "When a face-down target is flipped"
    statement = (
        "A face-down target stays face-down at the start of the Damage Step. It is turned face-up, in Defense Position, when the"
        " timing before damage calculation begins, ahead of whatever is activated there."
    )
    citations = (
        ("battle-phase-flow", "伤害步骤开始时; 伤害计算前"),
        ("damage-step-wiki", "ダメージステップ内の５つのタイミング"),
        ("damage-step-wiki-before", "2"),
        ("expert-2007", "1-2"),
        ("duel-arena-wiki", "表示形式"),
    )
    implied_by = frozenset({"duel-arena-wiki"})

    def prepare(self) -> None:
        self.waiting: Card | None = None

    @at("before-calculation", "during-calculation", "battle-step")
    def on_timing_began(self, event: TimingBegan, view: View) -> None:
        if event.timing != "before-calculation":
            self._late(view, f"it was still face-down at the timing: {TIMING_NAMES[event.timing]}")
            return
        self.waiting = None
        step = view.damage_step
        if step is None or step.target_key is None or not view.present(step.target_key):
            return
        target = view.cards[step.target_key[0]]
        if not target.face_up and battle_goes_on(view):
            self.stake()
            self.waiting = target

    def on_position_changed(self, event: PositionChanged, view: View) -> None:
        if event.before != "face-down-defense" or event.reason != "battle":
            return
        card = view.cards[event.card]
        if view.timing not in {"before-calculation", "during-calculation"}:
            self.stake()
            self.fail(
                expected=f"the battle flips {card!r} when the timing before damage calculation begins",
                happened=f"it was flipped at another time: {_timing_name(view)}",
                cards=(event.card,),
            )
        elif event.after != "face-up-defense":
            self.stake()
            self.fail(
                expected=f"{card!r} is flipped to face-up Defense Position",
                happened=f"it was turned to {event.after}",
                cards=(event.card,),
            )
        if self.waiting is card:
            self.waiting = None

    def on_moved(self, event: Moved, view: View) -> None:
        if self.waiting is not None and event.card == self.waiting.id:
            self.waiting = None

    @at("before-calculation")
    def on_priority(self, event: Decided, view: View) -> None:
        self._late(view, "a player was asked for an activation before it was flipped")

    @at("before-calculation")
    def on_trigger(self, event: Decided, view: View) -> None:
        self._late(view, "a Trigger was asked for before it was flipped")

    def _late(self, view: View, happened: str) -> None:
        waiting, self.waiting = self.waiting, None
        if waiting is not None and not waiting.face_up:
            self.fail(
                expected=f"{waiting!r} is flipped ahead of what is activated before damage calculation",
                happened=happened,
                cards=(waiting.id,),
            )


class FlipEffectsWait(MustTrigger):
    """Two-sided. What triggers on the flip of this battle must not be offered before the timing after damage calculation, nor, by
    battle-phase-flow, for a monster that is gone by then; and it must be activated there if the facts settle that it can be. At
    stake at each flip of a monster with such an effect, and once more where it must be activated.
    """

    id = "DS-3"
    title = "Flip Effects wait until after damage calculation"
    statement = (
        "Effects that activate because the battle flipped a monster are activated after damage calculation, and not at all if"
        " the monster is no longer on the field then."
    )
    citations = (
        ("battle-phase-flow", "伤害计算前; 伤害计算后"),
        ("damage-step-wiki", "リバースした場合に発動するモンスターの効果"),
        ("damage-step-wiki-before", "5"),
        ("expert-2007", "4.B"),
        ("duel-arena-wiki", "破壊する"),
    )
    needs = ("flip",)

    def prepare(self) -> None:
        self.flipped: Key | None = None

    def on_position_changed(self, event: PositionChanged, view: View) -> None:
        if event.reason == "battle" and event.before == "face-down-defense":
            card = view.cards[event.card]
            if any(_waits_for_flip(effect) for effect in card.known.triggers):
                self.stake()
                self.flipped = card.key

    def on_attack_ended(self, event: AttackEnded, view: View) -> None:
        self.flipped = None

    @at(*DAMAGE_STEP_TIMINGS)
    def on_trigger(self, event: Decided, view: View) -> None:
        if self.flipped is None:
            return
        for card, effect in activations_on_offer(event, view):
            if card.id == self.flipped[0] and _waits_for_flip(effect):
                self._offered(card, self.flipped, view)

    def _offered(self, card: Card, flipped: Key, view: View) -> None:
        if view.timing in _BEFORE_CALCULATION:
            happened = f"it was offered at the timing: {_timing_name(view)}"
        elif not view.present(flipped) and "battle-phase-flow" in view.documents:
            happened = "it was offered although the monster has left the field"
        else:
            return
        self.fail(
            expected=f"what the flip of {card!r} triggers waits until after damage calculation, and for a monster still there",
            happened=happened,
            cards=(card.id,),
        )


def _waits_for_flip(effect: EffectFacts) -> bool:
    return effect.condition == "flipped" and effect.subject is None


class SelfDestructionWaits(Oracle):
    """At stake when the battle flips a monster with a continuous effect by which it may destroy itself. It must not leave by that
    before the timing of the ruleset, that is while nothing resolves. Where that is after damage calculation, it must not at all
    if the battle has destroyed it; where it is in damage calculation, it must not still do so later, unless a chain may have been
    the reason, and what becomes of it without a calculation is open.
    """

    id = "DS-4"
    title = "Self-destruction waits for damage calculation"
    statement = (
        "A monster that the battle flips, and that a continuous effect then destroys, is not destroyed before damage calculation,"
        " but right after it; not if the reason is gone by then, or if it is determined destroyed by battle. By older documents"
        " it is destroyed as destruction by battle is determined."
    )
    citations = (
        ("battle-phase-flow", "伤害计算前; 伤害计算后"),
        ("damage-step-wiki-before", "3-4"),
        ("expert-2007", "1-2"),
    )
    undecided: ClassVar[dict[str, str]] = {"expert-2007": "Its 1-2 marks when that happens as under adjustment."}
    needs = ("self-destructs",)

    def prepare(self) -> None:
        self.flipped: Key | None = None

    def on_position_changed(self, event: PositionChanged, view: View) -> None:
        card = view.cards[event.card]
        if event.reason == "battle" and "self-destructs" in card.known.passive_categories:
            self.stake()
            self.flipped = card.key

    def on_attack_ended(self, event: AttackEnded, view: View) -> None:
        self.flipped = None

    def before_moved(self, event: Moved, view: View) -> None:
        card = view.cards[event.card]
        if card.key != self.flipped or view.chain or event.reason not in {"destroyed-by-effect", "destroyed-by-rule"}:
            return
        step = view.damage_step
        calculated = step is not None and step.calculation is not None
        if view.ruleset.self_destruction_at == "during-calculation":
            if not calculated and battle_goes_on(view):
                self._fail(card, f"it destroyed itself at the timing: {_timing_name(view)}", "as damage is calculated")
            elif view.timing == "after-calculation" and view.window is not None and not view.window.chains:
                self._fail(card, "it destroyed itself only after damage calculation", "as damage is calculated")
        elif view.timing in _BEFORE_CALCULATION:
            self._fail(card, f"it destroyed itself at the timing: {_timing_name(view)}", "after damage calculation")
        elif card.determined:
            self._fail(card, "it destroyed itself though it was determined destroyed by battle", "unless the battle does")

    def _fail(self, card: Card, happened: str, when: str) -> None:
        self.fail(expected=f"a continuous effect destroys {card!r} {when}", happened=happened, cards=(card.id,))


_BY_THE_BATTLE: Final[frozenset[Condition | None]] = frozenset(
    (
        *("inflicted-battle-damage", "took-battle-damage", "destroyed-by-battle", "destroyed-by-battle-and-sent"),
        *("destroys-by-battle", "destroys-by-battle-and-sends"),
    )
)
"""What a Trigger at the timing after damage calculation, or at the end, has been waiting for since before the first chain."""


class ChainsPerTiming(Oracle):
    """Four sides. Where there is one chain, nobody may be offered another with an effect of that timing; where Quick Effects may
    start many, both players must pass after each chain; a Trigger whose condition was met by the timing or the battle may not
    start a later chain; and where a timing has stages, each has a chain of its own for such Triggers, one after the other. At
    stake after a chain where there may be many, and where there may not, if a player has an effect that could start another.
    """

    id = "DS-5"
    title = "How many chains a timing has"
    statement = (
        "At some timings of the Damage Step Quick Effects may start any number of chains, at the others there is one chain."
        " Triggers belong to the first, or to the chain of their stage where older documents divide a timing; but what a chain"
        " triggers makes another."
    )
    citations = (
        ("battle-phase-flow", "伤害步骤; 伤害步骤简表"),
        ("damage-step-wiki", "ダメージステップ内の５つのタイミング; 補足"),
        ("damage-step-wiki-before", "参考：マスタールール２以前のダメージステップ"),
        ("expert-2007", "ダメージステップの範囲; 1-2 to 6"),
    )

    def prepare(self) -> None:
        self.staged_in = -1
        self.stages: dict[int, int] = {}

    def on_chain_ended(self, event: ChainEnded, view: View) -> None:
        timing = view.timing
        if timing is None or not view.in_damage_step:
            return
        later = view.allowances.later_chains[timing]
        if later:
            if battle_goes_on(view) and not ends_battle_phase(view):
                self.stake()
            return
        if later is None:
            return
        for player in PLAYERS:
            for card, effect in quick_candidates(view, player):
                if _is_of_timing(view, card, effect, timing) and usable(view, player, card, effect):
                    self.stake()
                    return

    @at(*DAMAGE_STEP_TIMINGS)
    def on_offer(self, event: Decided, view: View) -> None:
        timing, window = view.timing, view.window
        if (
            event.decision.kind != "priority"
            or timing is None
            or window is None
            or not window.chains
            or not view.in_damage_step
            or view.chain
        ):
            return
        if view.allowances.later_chains[timing] is not False:
            return
        for card, effect in activations_on_offer(event, view):
            if effect.kind != "trigger" and _is_of_timing(view, card, effect, timing):
                self.stake()
                self.fail(
                    expected=f"there is one chain at the timing: {TIMING_NAMES[timing]}",
                    happened=f"a player could start another one with {card!r}",
                    cards=(card.id,),
                )

    def on_activated(self, event: Activated, view: View) -> None:
        if event.link == 1 and view.in_damage_step:
            self.at_next_timing(self._timing_follows)
        window, step = view.window, view.damage_step
        if not event.trigger or step is None or window is None:
            return
        if window.timing in view.ruleset.trigger_stages:
            self._staged(event, window, step, view)
            return
        if event.link != 1 or window.chains < 2:
            return
        if view.allowances.later_chains[window.timing] is not False and "battle-phase-flow" not in view.documents:
            return
        effect = view.chain[0].facts
        if effect is not None and self._had_its_chance(effect, event, step, view):
            self.stake()
            self.fail(
                expected="Triggers of this timing are activated in its first chain",
                happened=f"the effect of {view.name(event.card)} started a later one",
                cards=(event.card,),
            )

    def _staged(self, event: Activated, window: Window, step: DamageStep, view: View) -> None:
        if self.staged_in != window.number:
            self.staged_in = window.number
            self.stages.clear()
        link = view.chain[-1]
        if link.facts is None or not self._had_its_chance(link.facts, event, step, view):
            return
        stage = _certain_stage(view.ruleset, window.timing, link.card, link.facts)
        if stage is None:
            return
        chain = self.stages.setdefault(stage, link.chain)
        others = {other: number for other, number in self.stages.items() if other != stage}
        if others:
            self.stake()
        if chain != link.chain:
            happened = "it was activated in a second one"
        elif link.chain in others.values():
            happened = "it was activated together with those of another stage"
        elif any(other > stage for other in others):
            happened = "it was activated after those of a later stage"
        else:
            return
        name = view.ruleset.trigger_stages[window.timing][stage].name
        self.fail(
            expected=f"what triggers in stage {name} makes one chain, after those of earlier stages: {link.card!r}",
            happened=happened,
            cards=(event.card,),
        )

    def _had_its_chance(self, effect: EffectFacts, event: Activated, step: DamageStep, view: View) -> bool:
        timing = view.timing
        assert timing is not None
        if effect.timings:
            return names_timing(view, effect, timing)
        if timing == "after-calculation" and effect.condition == "flipped":
            return any(key[0] == event.card for key in flipped_by_battle(view, step))
        return timing in {"after-calculation", "damage-end"} and effect.subject is None and effect.condition in _BY_THE_BATTLE

    def _timing_follows(self, event: TimingBegan, view: View) -> None:
        timing, window = view.timing, view.window
        if window is None or timing is None or not window.chains or view.chain_resolving:
            return
        if timing not in view.ruleset.many_chains_at or view.ruleset.activations_per_damage_step is not None:
            return
        if window.both_passed or ends_battle_phase(view) or not battle_goes_on(view):
            return
        self.fail(
            expected=f"after a chain at this timing: {TIMING_NAMES[timing]}, both players may start another, or pass",
            happened=f"play went on to: {TIMING_NAMES[event.timing]}",
        )


def _is_of_timing(view: View, card: Card, effect: EffectFacts, timing: Timing) -> bool:
    """Whether it is a Quick Effect of this timing: it names it, or changes ATK/DEF where that is allowed."""
    if effect.timings:
        return names_timing(view, effect, timing)
    return card.known.kinds[effect.number] in CHANGES and timing in view.ruleset.changes_atk_def_at


def _certain_stage(ruleset: Ruleset, timing: Timing, card: Card, effect: EffectFacts) -> int | None:
    """To which stage a Trigger belongs; None where neither its name nor what it waits for tells."""
    stages = ruleset.trigger_stages[timing]
    told = any(card.facts.name in stage.cards or effect.condition in stage.conditions for stage in stages)
    told = told or effect.condition in _BY_THE_BATTLE or effect.condition == "flipped" or "changes-atk-def" in effect.categories
    told = told or (timing == "after-calculation" and effect.condition == "battles")
    return ruleset.stage_of(timing, card.facts.name, effect) if told else None


class BattleBrokenOff(Oracle):
    """Two-sided. When a battling monster is gone, damage must not be calculated, and the Damage Step must still come to its end
    timing where the ruleset has it so, and to no other timing where it does not; while both are there, damage calculation must
    not be left out. At stake when a battle was broken off.
    """

    id = "DS-6"
    title = "No battle without both monsters"
    statement = (
        "If a battling monster leaves, or the attacker can no longer battle, before damage calculation, there is none: no battle"
        " damage, nothing destroyed by battle, and neither has battled. The Damage Step still comes to its end; in older rulesets"
        " it is over as soon as what triggered is resolved."
    )
    citations = (
        ("battle-phase-flow", "伤害步骤; 伤害计算时"),
        ("damage-step-wiki", "補足"),
        ("expert-2007", "ダメージステップ"),
    )

    def before_damage_calculated(self, event: DamageCalculated, view: View) -> None:
        step, attack = view.damage_step, view.attack
        if step is None or attack is None or view.chain_resolving:
            return
        why = what_ended_the_battle(view, step, attack.player)
        if why:
            self.stake()
            self.fail(
                expected="without both monsters there is no damage calculation",
                happened=f"damage was calculated though {why}",
                cards=(event.attacker,),
            )

    @at("before-calculation", "during-calculation", "after-calculation", "damage-end")
    def before_timing_began(self, event: TimingBegan, view: View) -> None:
        step = view.damage_step
        if step is None or step.calculation is not None or view.chain_resolving or ends_battle_phase(view):
            return
        if event.timing == "after-calculation" and battle_goes_on(view):
            self._left_out(view)
        elif step.attack is not None and not view.ruleset.timings_pass_without_calculation:
            why = what_ended_the_battle(view, step, step.attack.player)
            if why:
                self.stake()
                self.fail(
                    expected="the Damage Step ends as soon as the battle cannot be fought, and play is back in the Battle Step",
                    happened=f"it went on to: {TIMING_NAMES[event.timing]} ({why})",
                    cards=(step.attack.attacker,),
                )

    def before_attack_ended(self, event: AttackEnded, view: View) -> None:
        step, attack = view.damage_step, view.attack
        if step is None or attack is None or view.chain_resolving:
            return
        if (event.reason == "battled") != (step.calculation is not None) and event.reason in {"battled", "no-battle"}:
            self.stake()
            self.fail(
                expected="a monster has battled if damage calculation was performed, and only then",
                happened=f"the attack ended as {event.reason}",
                cards=(event.attacker,),
            )
        if step.calculation is not None:
            return
        why = what_ended_the_battle(view, step, attack.player)
        if not why:
            if battle_goes_on(view) and not ends_battle_phase(view):
                self._left_out(view)
            return
        self.stake()
        if view.ruleset.timings_pass_without_calculation and "damage-end" not in step.timings and not ends_battle_phase(view):
            self.fail(
                expected="the Damage Step still comes to its end",
                happened=f"it was left as soon as the battle could not be fought ({why})",
                cards=(event.attacker,),
            )

    def _left_out(self, view: View) -> None:
        attack = view.attack
        if attack is None or view.opaque_card() is not None or _lost_its_permission(view, attack.attacker):
            return
        self.stake()
        self.fail(
            expected="both monsters are there, so damage is calculated",
            happened="damage calculation was left out",
            cards=(attack.attacker,),
        )


def _lost_its_permission(view: View, attacker: int) -> bool:
    """Whether the attacker's effects are negated, so that whether its attack goes on is for DS-9."""
    return "effects-negated" in view.cards[attacker].statuses


class EveryTimingPasses(Oracle):
    """At stake at each timing after the battle was broken off. That the end timing comes at all is DS-6."""

    id = "DS-13"
    title = "Every timing passes without a battle"
    statement = (
        "When no damage calculation can be performed, the Damage Step goes through its remaining timings in order, none left out,"
        " on its way to its end."
    )
    citations = (("battle-phase-flow", "伤害步骤; 伤害计算时"),)
    implied_by = frozenset({"battle-phase-flow"})

    @at("during-calculation", "after-calculation", "damage-end")
    @leaving(*DAMAGE_STEP_TIMINGS)
    def before_timing_began(self, event: TimingBegan, view: View) -> None:
        step, before = view.damage_step, view.timing
        if step is None or before is None or step.calculation is not None or view.chain_resolving or battle_goes_on(view):
            return
        if step.attack is None or not what_ended_the_battle(view, step, step.attack.player) or ends_battle_phase(view):
            return
        self.stake()
        if _place(event.timing) - _place(before) > 1:
            self.fail(
                expected=f"after the timing: {TIMING_NAMES[before]}, comes the next, though the battle cannot be fought",
                happened=f"it was: {TIMING_NAMES[event.timing]}",
                cards=(step.attack.attacker,),
            )


class FlippedAgain(Oracle):
    """A target turned face-down in the Damage Step must be face-up again when damage is calculated, in Defense Position."""

    id = "DS-7"
    title = "Turned face-down before damage calculation"
    statement = (
        "A battling monster that is turned face-down before damage calculation is flipped again, and its flip effect still"
        " activates after damage calculation."
    )
    citations = (("battle-phase-flow", "伤害计算时"),)
    needs = ("changes-position",)

    def prepare(self) -> None:
        self.down: Key | None = None

    def on_position_changed(self, event: PositionChanged, view: View) -> None:
        step = view.damage_step
        if step is None or step.calculation is not None or view.timing not in {"before-calculation", "during-calculation"}:
            return
        key = view.cards[event.card].key
        if key != step.target_key:
            return
        if event.after == "face-down-defense":
            self.stake()
            self.down = key
        elif key == self.down:
            self.down = None

    def before_damage_calculated(self, event: DamageCalculated, view: View) -> None:
        down, self.down = self.down, None
        if down is not None and view.present(down) and event.target == down[0]:
            self.fail(
                expected=f"{view.name(down[0])} is flipped again before damage is calculated",
                happened="damage was calculated with it face-down",
                cards=(down[0],),
            )

    def on_attack_ended(self, event: AttackEnded, view: View) -> None:
        self.down = None


class PermissionLost(Oracle):
    """An attacker whose effects are negated in the Damage Step: a direct attack must still come to damage calculation, an attack
    in Defense Position, of which only battle-phase-flow speaks, must not.
    """

    id = "DS-9"
    title = "A permission lost in the Damage Step"
    statement = (
        "In the Damage Step a direct attack goes on though the attacker loses what let it attack directly; an attack in Defense"
        " Position ends without damage calculation if the attacker loses what let it attack there."
    )
    citations = (("battle-phase-flow", "战斗步骤的卷回; 战斗伤害计算"), ("damage-step-wiki", "補足"))
    needs = ("direct-attack", *sorted(ATTACKS_IN_DEFENSE))

    def prepare(self) -> None:
        self.lost: Key | None = None

    def on_status_changed(self, event: StatusChanged, view: View) -> None:
        step, attack = view.damage_step, view.attack
        if event.status != "effects-negated" or event.card is None or step is None or attack is None:
            return
        attacker = view.cards[event.card]
        if step.calculation is not None or attacker.key != attack.attacker_key:
            return
        if not event.active:
            self.lost = None
        elif (attack.direct and "direct-attack" in attacker.known.categories and view.monsters[1 - attack.player]) or (
            attacker.position == "face-up-defense"
            and attacker.known.categories & ATTACKS_IN_DEFENSE
            and "battle-phase-flow" in view.documents
            and not attacks_in_defense_by_another(view, attacker)
        ):
            self.stake()
            self.lost = attacker.key

    def before_damage_calculated(self, event: DamageCalculated, view: View) -> None:
        lost, self.lost = self.lost, None
        attacker = view.cards[event.attacker]
        if attacker.key == lost and attacker.position == "face-up-defense":
            self.fail(
                expected=f"{attacker!r} lost what let it attack in Defense Position, so there is no damage calculation",
                happened="damage was calculated",
                cards=(attacker.id,),
            )

    def before_attack_ended(self, event: AttackEnded, view: View) -> None:
        lost, self.lost = self.lost, None
        attack = view.attack
        if attack is None or lost is None or not attack.direct or not view.present(lost) or ends_battle_phase(view):
            return
        attacker = view.cards[lost[0]]
        if attacker.position == "face-up-attack" and attacker.controller == attack.player and view.opaque_card() is None:
            self.fail(
                expected=f"the direct attack of {attacker!r} goes on in the Damage Step",
                happened=f"it ended as {event.reason}, without damage calculation",
                cards=(attacker.id,),
            )


class SentAtTheEnd(Oracle):
    """Monsters determined destroyed are watched: they must not be sent before the end timing, and must be gone there before
    anybody is asked anything.
    """

    id = "DS-10"
    title = "Destroyed monsters leave at the end of the Damage Step"
    statement = (
        "Monsters destroyed by battle leave the field when the end of the Damage Step begins, both at once and ahead of what is"
        " activated there."
    )
    citations = (
        ("battle-phase-flow", "伤害步骤结束时"),
        ("damage-step-wiki", "ダメージステップ内の５つのタイミング"),
        ("damage-step-wiki-before", "6"),
        ("expert-2007", "4.C"),
        ("duel-arena-wiki", "カードの処理"),
    )
    implied_by = frozenset({"duel-arena-wiki"})

    def prepare(self) -> None:
        self.asked = True

    @at("damage-end")
    def on_timing_began(self, event: TimingBegan, view: View) -> None:
        step = view.damage_step
        if step is not None:
            self.asked = False
            if self._still_there(view, step):
                self.stake()

    @leaving("damage-end")
    def before_timing_began(self, event: TimingBegan, view: View) -> None:
        if not self.asked:
            self._ask(view, f"play went on to: {TIMING_NAMES[event.timing]}")

    def before_moved(self, event: Moved, view: View) -> None:
        if event.reason != "destroyed-by-battle" or view.timing == "damage-end" or view.chain_resolving:
            return
        self.stake()
        self.fail(
            expected="what was destroyed by battle leaves the field when the end of the Damage Step begins",
            happened=f"{view.name(event.card)} left it at: {_timing_name(view)}",
            cards=(event.card,),
        )

    @at("damage-end")
    def on_priority(self, event: Decided, view: View) -> None:
        if not self.asked:
            self._ask(view, "a player was asked for an activation while it was still there")

    @at("damage-end")
    def on_trigger(self, event: Decided, view: View) -> None:
        if not self.asked:
            self._ask(view, "a Trigger was asked for while it was still there")

    def _ask(self, view: View, happened: str) -> None:
        self.asked = True
        step = view.damage_step
        there = [] if step is None else self._still_there(view, step)
        if there:
            self.fail(
                expected=f"{there[0]!r} leaves the field before anything is activated at the end of the Damage Step",
                happened=happened,
                cards=tuple([card.id for card in there]),
            )

    def _still_there(self, view: View, step: DamageStep) -> list[Card]:
        return [view.cards[key[0]] for key in step.determined if view.present(key) and view.cards[key[0]].determined]


class SummonedAtTheEnd(MustTrigger):
    """What triggers on a Special Summon made at the end timing must be offered before the Damage Step is left."""

    id = "DS-12"
    title = "Summoned at the end of the Damage Step"
    statement = (
        "A monster that is Special Summoned at the end of the Damage Step activates what triggers on its Summon still in the"
        " Damage Step."
    )
    citations = (
        ("damage-step-wiki", "FAQ 12/08/01"),
        ("damage-step-wiki-before", "ダメージステップ終了時 12/05/31"),
        ("battle-phase-flow", "伤害步骤"),
    )
    needs = ("special-summons",)


ORACLES: Final[tuple[type[Oracle], ...]] = (
    FiveTimings,
    FlipBeforeCalculation,
    FlipEffectsWait,
    SelfDestructionWaits,
    ChainsPerTiming,
    BattleBrokenOff,
    EveryTimingPasses,
    FlippedAgain,
    PermissionLost,
    SentAtTheEnd,
    SummonedAtTheEnd,
)
