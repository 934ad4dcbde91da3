"""Seeded faults of battles inside an effect (EC)."""

from __future__ import annotations

from typing import Any

from engine_protocol.events import AttackTargetChosen
from engine_protocol.vocabulary import opponent
from reference_engine import chain, damage_step, inner_battle
from reference_engine.attack import Attack
from reference_engine.battling import close_calculation, damage_occurrences, enter_damage_step, flip_target
from reference_engine.behaviour import Flow
from reference_engine.calculation import calculate, calculation_changes
from reference_engine.card import Card
from reference_engine.duel import Duel
from tests.faults.fault import Fault

_fight = inner_battle.fight
_leave = inner_battle.link_of_inner_battle_resolved


def _aimed_only(duel: Duel, target: Card, *, protected: bool = False) -> Flow:
    battle = duel.attack
    if battle is not None:
        battle.aim(target, duel.defender_changes)
        duel.emit(AttackTargetChosen(battle.attacker.id, target.id))
    yield from ()


def _asks_on_the_way(duel: Duel, target: Card, *, protected: bool = False) -> Flow:
    battle = duel.attack
    if battle is None or battle.in_damage_step:
        return
    battle.aim(target, duel.defender_changes)
    duel.emit(AttackTargetChosen(battle.attacker.id, target.id))
    battle.inside, duel.inside = True, battle
    enter_damage_step(duel, battle)
    for timing in ("before-calculation", "during-calculation"):
        duel.enter(timing)
        flip_target(duel, battle)
        yield from duel.ask(opponent(duel.turn_player), "priority", (chain.PASS,))
    calculation_changes(duel, battle)
    yield from calculate(duel, battle)


def _straight_to_calculation(duel: Duel, target: Card, *, protected: bool = False) -> Flow:
    battle = duel.attack
    if battle is None or battle.in_damage_step:
        return
    battle.aim(target, duel.defender_changes)
    duel.emit(AttackTargetChosen(battle.attacker.id, target.id))
    battle.inside, duel.inside = True, battle
    battle.in_damage_step = True
    duel.enter("during-calculation")
    flip_target(duel, battle)
    yield from calculate(duel, battle)


def _attack_goes_on(duel: Duel, battle: Attack) -> None:
    _leave(duel, battle)
    battle.over = battle.inside = battle.in_damage_step = False
    duel.attack = battle


def _still_attacking(duel: Duel, battle: Attack) -> None:
    duel.inside = None
    duel.enter("after-calculation")
    close_calculation(duel, battle)
    if battle.calculated:
        damage_occurrences(duel, battle)
    battle.over = True


def _over_at_the_close(duel: Duel, battle: Attack) -> Flow:
    if duel.attack is None:
        duel.attack = battle
    yield from damage_step.chains_of_the_timing(duel, triggers=battle.calculated)
    yield from damage_step.end_of_damage_step(duel, battle)
    duel.end_attack("battled")


def _sent_when_the_effect_is_done(duel: Duel, battle: Attack) -> None:
    _leave(duel, battle)
    damage_step.send_destroyed(duel, battle)


def _never_sent(duel: Duel, battle: Attack) -> Flow:
    duel.attack = battle
    yield from damage_step.chains_of_the_timing(duel, triggers=battle.calculated)
    duel.enter("damage-end")
    duel.attack = None


def _fights(replacement: Any) -> dict[str, Any]:
    return {"reference_engine.cards.inner_battles:fight": replacement}


FAULTS = (
    Fault(
        "inner-battle-left-out",
        "EC-1",
        "An effect that performs damage calculation only changes the target",
        _fights(_aimed_only),
    ),
    Fault("activations-in-an-inner-battle", "EC-1", "Players may act in a battle inside an effect", _fights(_asks_on_the_way)),
    Fault(
        "inner-battle-without-timings",
        "EC-1",
        "A battle inside an effect begins with damage calculation",
        _fights(_straight_to_calculation),
    ),
    Fault(
        "attack-goes-on-after-an-inner-battle",
        "EC-3",
        "The attack goes on after a battle inside an effect",
        {"reference_engine.chain:link_of_inner_battle_resolved": _attack_goes_on},
    ),
    Fault(
        "still-attacking-after-an-inner-battle",
        "EC-3",
        "Effects on the attacking monster still find it after a battle inside an effect",
        {
            "reference_engine.chain:link_of_inner_battle_resolved": _still_attacking,
            "reference_engine.flow:after_inner_battle": _over_at_the_close,
        },
    ),
    Fault(
        "destroyed-sent-during-the-chain",
        "EC-4",
        "What a battle inside an effect destroys leaves when that effect has resolved",
        {"reference_engine.chain:link_of_inner_battle_resolved": _sent_when_the_effect_is_done},
    ),
    Fault(
        "destroyed-in-an-inner-battle-stays",
        "EC-4",
        "There is no end of the Damage Step after a battle inside an effect",
        {"reference_engine.flow:after_inner_battle": _never_sent},
    ),
)
