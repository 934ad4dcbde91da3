"""Seeded faults of the order of the Damage Step (DS)."""

from __future__ import annotations

from typing import Any

from engine_protocol.vocabulary import DAMAGE_STEP_TIMINGS
from reference_engine import calculation, chain, damage_step
from reference_engine.attack import Attack
from reference_engine.behaviour import Flow
from reference_engine.card import Card
from reference_engine.duel import Duel
from tests.faults.fault import Fault
from tests.faults.helpers import ruleset_changed

_after_damage_calculation = damage_step.after_damage_calculation
_determine = calculation.determine


def _without_after_calculation(duel: Duel, battle: Attack) -> Flow:
    if battle.calculated and not any(battle.damage) and battle.flipped is None:
        duel.end_calculation()
        return
    yield from _after_damage_calculation(duel, battle)


def _flipped_at_the_start(duel: Duel, battle: Attack) -> Flow:
    duel.enter("damage-start")
    battle.face_down = battle.target is not None and not battle.target.face_up
    damage_step.flip_target(duel, battle)
    yield from damage_step.chains_of_the_timing(duel)


def _flipped_after_the_chains(duel: Duel, battle: Attack) -> Flow:
    duel.enter("before-calculation")
    yield from damage_step.chains_of_the_timing(duel)
    damage_step.flip_target(duel, battle)


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
        "battle-against-nothing",
        "DS-6",
        "Damage is calculated although the target has left",
        {"reference_engine.attack:Attack.goes_on": _battle_against_nothing},
    ),
    Fault(
        "sent-at-once",
        "DS-10",
        "Monsters destroyed by battle are sent at damage calculation",
        {"reference_engine.calculation:determine": _sent_at_once},
    ),
    Fault(
        "sent-late",
        "DS-10",
        "Monsters destroyed by battle are sent after the chain at the end",
        {"reference_engine.damage_step:end_of_damage_step": _sent_after_the_end_triggers},
    ),
)
