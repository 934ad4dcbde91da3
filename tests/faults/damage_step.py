"""Seeded faults of the order of the Damage Step (DS)."""

from __future__ import annotations

from typing import Any

from engine_protocol.vocabulary import DAMAGE_STEP_TIMINGS
from reference_engine import attack, battling, calculation, chain, damage_step
from reference_engine.attack import Attack
from reference_engine.behaviour import Flow
from reference_engine.card import Card
from reference_engine.duel import Duel
from reference_engine.occurrences import note_timing_triggers
from tests.faults.fault import Fault
from tests.faults.helpers import in_every_window, ruleset_changed

_after_damage_calculation = damage_step.after_damage_calculation
_determine = calculation.determine
_during_damage_calculation = damage_step.during_damage_calculation
_end_of_damage_step = damage_step.end_of_damage_step
_chains_of_the_timing = damage_step.chains_of_the_timing
_goes_on = Attack.goes_on
_trigger_chain = chain.trigger_chain
_flip_target = battling.flip_target


def _without_after_calculation(duel: Duel, battle: Attack) -> Flow:
    if battle.calculated and not any(battle.damage) and battle.flipped is None:
        duel.end_calculation()
        return
    yield from _after_damage_calculation(duel, battle)


def _flipped_at_the_start(duel: Duel, battle: Attack) -> Flow:
    duel.enter("damage-start")
    battle.face_down = battle.target is not None and not battle.target.face_up
    battling.flip_target(duel, battle)
    yield from damage_step.chains_of_the_timing(duel)


def _flipped_after_the_chains(duel: Duel, battle: Attack) -> Flow:
    duel.enter("before-calculation")
    yield from damage_step.chains_of_the_timing(duel)
    battling.flip_target(duel, battle)


def _flipped_to_attack_position(duel: Duel, battle: Attack) -> None:
    target = battle.target
    if target is not None and not target.face_up and battle.goes_on(duel):
        duel.change_position(target, "face-up-attack", "battle")
        battle.flipped = target


def _flip_effects_at_the_flip(duel: Duel, battle: Attack) -> None:
    target = battle.target
    if target is not None and not target.face_up and battle.goes_on(duel):
        duel.change_position(target, "face-up-defense", "battle")
        duel.occur("flipped", target)


def _no_flip_effects(duel: Duel, battle: Attack) -> Flow:
    battle.flipped = None
    yield from _after_damage_calculation(duel, battle)


def _second_chain_in_calculation() -> dict[str, Any]:
    return ruleset_changed(many_chains_at=frozenset(DAMAGE_STEP_TIMINGS[:3])) | {
        "reference_engine.legality:_FIRST_CHAIN_ONLY": frozenset()
    }


def _one_chain_at_the_start() -> dict[str, Any]:
    return ruleset_changed(many_chains_at=frozenset())


def _cut_short_when_a_monster_leaves(duel: Duel, battle: Attack) -> Flow:
    battle.in_damage_step = True
    for part in (
        damage_step.start_of_damage_step,
        damage_step.before_damage_calculation,
        damage_step.during_damage_calculation,
        damage_step.after_damage_calculation,
        damage_step.end_of_damage_step,
    ):
        if not battle.calculated and not battle.goes_on(duel):
            break
        yield from part(duel, battle)
    duel.end_attack("battled" if battle.calculated else "no-battle")


def _battle_against_nothing(self: Attack, duel: Duel) -> bool:
    return self.attacker_stands(duel)


def _sent_at_once(duel: Duel, battle: Attack, destroyed: list[Card]) -> None:
    _determine(duel, battle, destroyed)
    damage_step.send_destroyed(duel, battle)


def _sent_after_the_end_triggers(duel: Duel, battle: Attack) -> Flow:
    duel.enter("damage-end")
    yield from damage_step.chains_of_the_timing(duel)
    damage_step.send_destroyed(duel, battle)
    yield from chain.trigger_chain(duel)


def _no_own_timing_before_calculation(duel: Duel, battle: Attack) -> Flow:
    battling.flip_target(duel, battle)
    yield from damage_step.chains_of_the_timing(duel)


def _no_end_without_destruction(duel: Duel, battle: Attack) -> Flow:
    if battle.destroyed:
        yield from _end_of_damage_step(duel, battle)


def _never_flipped(duel: Duel, battle: Attack) -> None:
    """It is battled as it lies."""


def _flip_effects_at_the_end(duel: Duel, battle: Attack) -> Flow:
    flipped, battle.flipped = battle.flipped, None
    yield from _after_damage_calculation(duel, battle)
    if flipped is not None and flipped.is_monster_on_field:
        duel.occur("flipped", flipped)


def _quick_effects_first(duel: Duel, *, triggers: bool = True) -> Flow:
    if duel.timing in ("damage-start", "before-calculation"):
        yield from chain.until_both_pass(duel)
    yield from _chains_of_the_timing(duel, triggers=triggers)


def _no_second_chain(duel: Duel, *, triggers: bool = True) -> Flow:
    if triggers:
        note_timing_triggers(duel)
    if not (yield from chain.trigger_chain(duel)):
        yield from chain.one_chain(duel)
    while (yield from chain.trigger_chain(duel)):
        pass


def _battle_without_the_attacker(self: Attack, duel: Duel) -> bool:
    return self.target_stands(duel)


def _battled_all_the_same(duel: Duel, battle: Attack) -> Flow:
    yield from _during_damage_calculation(duel, battle)
    battle.calculated = True


def _straight_to_the_end(duel: Duel, battle: Attack) -> Flow:
    early = (damage_step.start_of_damage_step, damage_step.before_damage_calculation, damage_step.during_damage_calculation)
    for timing in early:
        yield from timing(duel, battle)
        if not battle.calculated and not battle.goes_on(duel):
            break
    else:
        yield from damage_step.after_damage_calculation(duel, battle)
    yield from damage_step.end_of_damage_step(duel, battle)
    duel.end_attack("battled" if battle.calculated else "no-battle")


def _no_battle_by_effects(self: Attack, duel: Duel) -> bool:
    return _goes_on(self, duel) and not (duel.timing in DAMAGE_STEP_TIMINGS and duel.chain_was_made)


def _direct_attacks_need_their_permission(self: Attack, duel: Duel) -> bool:
    return _goes_on(self, duel) and (self.target is not None or attack.may_attack_directly(duel, self.attacker))


def _once_allowed_always_allowed(monster: Card) -> bool:
    return not monster.behaviour.categories.isdisjoint({"attacks-in-defense", "attacks-in-defense-with-atk"})


def _sent_after_calculation(duel: Duel, battle: Attack) -> Flow:
    duel.enter("after-calculation")
    damage_step.send_destroyed(duel, battle)
    yield from _after_damage_calculation(duel, battle)


def _sent_after_the_damage_step(duel: Duel, battle: Attack) -> Flow:
    duel.enter("damage-end")
    yield from damage_step.chains_of_the_timing(duel)
    duel.end_damage_step()
    duel.enter("battle-step")
    damage_step.send_destroyed(duel, battle)


def _no_summon_triggers_at_the_end(duel: Duel) -> chain.Asking:
    if duel.timing == "damage-end":
        duel.pending = [trigger for trigger in duel.pending if trigger.effect.condition != "special-summoned"]
    return (yield from _trigger_chain(duel))


def _flipped_once(duel: Duel, battle: Attack) -> None:
    if duel.timing == "before-calculation" and not duel.chain_was_made:
        _flip_target(duel, battle)


FAULTS: tuple[Fault, ...] = (
    Fault(
        "no-after-calculation",
        "DS-1",
        "Without damage the timing after damage calculation is left out",
        {"reference_engine.damage_step:after_damage_calculation": _without_after_calculation},
    ),
    Fault(
        "flipped-at-the-start",
        "DS-2",
        "A face-down target is flipped at the start of the Damage Step",
        {"reference_engine.damage_step:start_of_damage_step": _flipped_at_the_start},
        real="flip effects at the flip",
    ),
    Fault(
        "flipped-late",
        "DS-2",
        "A face-down target is flipped after the chains before damage calculation",
        {"reference_engine.damage_step:before_damage_calculation": _flipped_after_the_chains},
    ),
    Fault(
        "flipped-to-attack",
        "DS-2",
        "A flipped target stands in Attack Position",
        {"reference_engine.damage_step:flip_target": _flipped_to_attack_position},
    ),
    Fault(
        "flip-effects-at-once",
        "DS-3",
        "Flip Effects activate at the flip, before damage calculation",
        {"reference_engine.damage_step:flip_target": _flip_effects_at_the_flip},
        real="flip effects at the flip",
    ),
    Fault(
        "no-flip-effects",
        "DS-3",
        "A monster flipped by battle does not activate its Flip Effect",
        {"reference_engine.damage_step:after_damage_calculation": _no_flip_effects},
    ),
    Fault(
        "second-chain-in-calculation",
        "DS-5",
        "A second chain may be started during damage calculation",
        _second_chain_in_calculation(),
        real="a second chain during damage calculation",
    ),
    Fault(
        "one-chain-at-the-start",
        "DS-5",
        "Only one chain may be made at the start of the Damage Step and before damage calculation",
        _one_chain_at_the_start(),
    ),
    Fault(
        "damage-step-cut-short",
        "DS-6",
        "When a battling monster leaves, the end of the Damage Step is left out",
        {"reference_engine.flow:damage_step": _cut_short_when_a_monster_leaves},
    ),
    Fault(
        "straight-to-the-end",
        "DS-13",
        "When a battling monster leaves, the Damage Step goes straight to its end",
        {"reference_engine.flow:damage_step": _straight_to_the_end},
    ),
    Fault(
        "battle-against-nothing",
        "DS-6",
        "Damage is calculated although the target has left",
        {"reference_engine.attack:Attack.goes_on": _battle_against_nothing},
        real="damage calculated with a monster that is not there any more",
    ),
    Fault(
        "sent-at-once",
        "DS-10",
        "Monsters destroyed by battle are sent at damage calculation",
        {"reference_engine.calculation:determine": _sent_at_once},
        real="battle-destroyed monsters sent at once",
    ),
    Fault(
        "sent-late",
        "DS-10",
        "Monsters destroyed by battle are sent after the chain at the end",
        {"reference_engine.damage_step:end_of_damage_step": _sent_after_the_end_triggers},
    ),
    Fault(
        "no-timing-before-calculation",
        "DS-1",
        "The start of the Damage Step and the time before damage calculation are one timing",
        {"reference_engine.damage_step:before_damage_calculation": _no_own_timing_before_calculation},
    ),
    Fault(
        "no-end-without-destruction",
        "DS-1",
        "When nothing was destroyed the end of the Damage Step is left out",
        {"reference_engine.damage_step:end_of_damage_step": _no_end_without_destruction},
    ),
    Fault(
        "never-flipped",
        "DS-2",
        "A face-down target is battled face-down",
        {"reference_engine.damage_step:flip_target": _never_flipped},
    ),
    Fault(
        "flip-effects-at-the-end",
        "DS-3",
        "Flip Effects activate at the end of the Damage Step",
        {"reference_engine.damage_step:after_damage_calculation": _flip_effects_at_the_end},
    ),
    Fault(
        "no-second-chain-at-the-start",
        "DS-5",
        "After a chain at the start of the Damage Step nobody can start another",
        {"reference_engine.damage_step:chains_of_the_timing": _no_second_chain},
    ),
    Fault(
        "battle-without-the-attacker",
        "DS-6",
        "Damage is calculated although the attacker has left",
        {"reference_engine.attack:Attack.goes_on": _battle_without_the_attacker},
        real="damage calculated with a monster that is not there any more",
    ),
    Fault(
        "battled-all-the-same",
        "DS-6",
        "A monster whose battle came to no damage calculation counts as having battled",
        {"reference_engine.damage_step:during_damage_calculation": _battled_all_the_same},
    ),
    Fault(
        "chains-end-the-battle",
        "DS-6",
        "A chain during damage calculation takes its place",
        {"reference_engine.attack:Attack.goes_on": _no_battle_by_effects},
    ),
    Fault(
        "direct-attack-cut-off",
        "DS-9",
        "A direct attack ends in the Damage Step when the attacker loses what allowed it",
        {"reference_engine.attack:Attack.goes_on": _direct_attacks_need_their_permission},
    ),
    Fault(
        "defense-attack-goes-on",
        "DS-9",
        "A Defense Position attack goes on although the attacker has lost what allowed it",
        {"reference_engine.attack:attacks_in_defense": _once_allowed_always_allowed},
    ),
    Fault(
        "sent-after-calculation",
        "DS-10",
        "Monsters destroyed by battle are sent when the timing after damage calculation begins",
        {"reference_engine.damage_step:after_damage_calculation": _sent_after_calculation},
        real="battle-destroyed monsters sent at once",
    ),
    Fault(
        "sent-after-the-damage-step",
        "DS-10",
        "Monsters destroyed by battle are sent when the Damage Step is over",
        {"reference_engine.damage_step:end_of_damage_step": _sent_after_the_damage_step},
    ),
    Fault(
        "no-summon-triggers-at-the-end",
        "DS-12",
        "A monster Special Summoned at the end of the Damage Step triggers nothing there",
        in_every_window("trigger_chain", _no_summon_triggers_at_the_end),
    ),
    Fault(
        "quick-effects-before-triggers",
        "DS-5",
        "Before damage calculation Quick Effects come before Triggers",
        {"reference_engine.damage_step:chains_of_the_timing": _quick_effects_first},
    ),
    Fault(
        "flipped-once",
        "DS-7",
        "A target that an effect turns face-down before damage calculation is battled face-down",
        {"reference_engine.damage_step:flip_target": _flipped_once},
        real="a monster turned face-down in the Damage Step",
    ),
)
