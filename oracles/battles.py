"""Whether the battle of a Damage Step can still be fought, as far as the facts say."""

from __future__ import annotations

from engine_protocol.vocabulary import Player
from oracles.legality import Answer
from oracles.permissions import attacks_in_defense_by_another, in_attacking_position
from oracles.view import DamageStep, View


def battle_goes_on(view: View) -> Answer:
    """Whether damage calculation can be performed (DS-6): both monsters are there, on their sides, and the attacker lies as an
    attacker must. None where nobody knows what lets a Defense Position monster attack, or what follows from it, and outside a
    Damage Step.
    """
    step, attack = view.damage_step, view.attack
    if step is None or attack is None:
        return None
    why = what_ended_the_battle(view, step, attack.player)
    if why:
        return False
    attacker = view.cards[attack.attacker]
    return True if in_attacking_position(attacker) else None


def what_ended_the_battle(view: View, step: DamageStep, player: Player) -> str:
    """Why damage calculation surely cannot be performed; empty if it may be. ``player`` is the attacking one. What becomes of an
    attacker that is turned to Defense Position in the Damage Step only battle-phase-flow says.
    """
    if step.attacker_key is not None:
        attacker = view.cards[step.attacker_key[0]]
        if not view.present(step.attacker_key):
            return f"{attacker!r} has left the field"
        if attacker.controller != player:
            return f"{attacker!r} has changed sides"
        turned = in_attacking_position(attacker) is False and "battle-phase-flow" in view.documents
        if turned and not attacks_in_defense_by_another(view, attacker):
            return f"{attacker!r} lies in {attacker.position}"
    if step.target_key is not None:
        target = view.cards[step.target_key[0]]
        if not view.present(step.target_key):
            return f"{target!r} has left the field"
        if target.controller == player:
            return f"{target!r} has changed sides"
    return ""
