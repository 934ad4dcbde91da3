"""A battle inside an effect, in the order of the document battle-phase-flow, section on damage calculation in a resolution.

The Damage Step begins while the effect resolves and goes on to damage calculation without a chance to activate anything (EC-1).
When the effect has resolved, the attack is over (EC-3) and what follows from the calculation without a chain is done; then the
rest of the chain resolves. In some rulesets what follows waits for the end of the chain: expert-2007, on Mirror Gate, goes on
from its 3.B there. What the battle triggers waits for the end of the chain in any case (EC-2): see
:func:`reference_engine.damage_step.after_inner_battle`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine_protocol.events import AttackTargetChosen
from reference_engine.battling import close_calculation, damage_occurrences, enter_damage_step, flip_target
from reference_engine.calculation import calculate, calculation_changes

if TYPE_CHECKING:
    from reference_engine.attack import Attack
    from reference_engine.behaviour import Flow
    from reference_engine.card import Card
    from reference_engine.duel import Duel


def fight(duel: Duel, target: Card, *, protected: bool = False) -> Flow:
    """The open attack is aimed at this monster, and damage calculation performed at once; not if there is no attack any more.

    ``protected``: the battle does not destroy the target.
    """
    battle = duel.attack
    if battle is None or battle.in_damage_step or not battle.attacker_stands(duel):
        return
    battle.aim(target, duel.defender_changes)
    battle.attacker.met.add((target.id, target.incarnation))
    duel.emit(AttackTargetChosen(battle.attacker.id, target.id))
    battle.inside = True
    duel.inside = battle
    if protected:
        battle.protected.append(target)
    enter_damage_step(duel, battle)
    duel.enter("before-calculation")
    flip_target(duel, battle)
    duel.enter("during-calculation")
    flip_target(duel, battle)
    if battle.goes_on(duel):
        calculation_changes(duel, battle)
        yield from calculate(duel, battle)


def link_of_inner_battle_resolved(duel: Duel, battle: Attack) -> None:
    """The effect, or one that resolves after it, has resolved: the attack is over for what resolves next."""
    if duel.ruleset.inner_battle_closes == "at-once":
        close_inner_battle(duel, battle)
    duel.end_attack("battled" if battle.calculated else "no-battle")


def close_inner_battle(duel: Duel, battle: Attack) -> None:
    """The timing after damage calculation is entered, and what follows from the calculation of its own accord is done."""
    duel.inside = None
    duel.enter("after-calculation")
    close_calculation(duel, battle)
    if battle.calculated:
        damage_occurrences(duel, battle)
