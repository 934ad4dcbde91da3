"""What a battle brings about of its own accord, whether it is fought in a Damage Step or inside an effect."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_engine.destruction import put_in_place

if TYPE_CHECKING:
    from reference_engine.attack import Attack
    from reference_engine.duel import Duel


def enter_damage_step(duel: Duel, battle: Attack) -> None:
    """The Damage Step begins; what the target is like then is remembered (DS-2)."""
    battle.in_damage_step = True
    duel.used_in_battle = set()
    duel.capped_activations = [0, 0]
    duel.enter("damage-start")
    battle.attacker.has_attacked = True
    target = battle.target
    battle.face_down = target is not None and not target.face_up
    battle.target_was_attack_position = target is not None and target.in_attack_position


def flip_target(duel: Duel, battle: Attack) -> None:
    """Turn a face-down target face-up, keeping its Defense Position; also one turned face-down again meanwhile (DS-7)."""
    target = battle.target
    if target is not None and not target.face_up and battle.goes_on(duel):
        battle.flipped = target  # known before anything follows from the flip (DS-4)
        duel.change_position(target, "face-up-defense", "battle")


def close_calculation(duel: Duel, battle: Attack) -> None:
    """What damage calculation leaves to do: changes for it alone end, what was decided to go instead of a monster goes (BD-9),
    and Triggers hear of the flip (DS-3).
    """
    battle.settled = True
    duel.end_calculation()
    replace_destructions(duel, battle)
    duel.begin_moment()
    flipped = battle.flipped
    if flipped is not None and flipped.incarnation == battle.target_incarnation and flipped.face_up:
        duel.occur("flipped", flipped)


def replace_destructions(duel: Duel, battle: Attack) -> None:
    """Carry out what was decided during damage calculation."""
    for card, substitute in battle.substitutes:
        put_in_place(duel, card, substitute)
    battle.substitutes = []


def damage_occurrences(duel: Duel, battle: Attack) -> None:
    """Battle damage of 0 is none (DC-11)."""
    for player in duel.players:
        if battle.damage[player]:
            dealer = battle.attacker if player != duel.turn_player else battle.target
            if dealer is not None:
                duel.occur("inflicted-battle-damage", dealer, player=player)
            victim = battle.target if player != duel.turn_player else battle.attacker
            if victim is not None:
                duel.occur("took-battle-damage", victim, player=player)
