"""The Damage Step: its five timings, in the order of the document battle-phase-flow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine_protocol.vocabulary import opponent
from reference_engine.calculation import calculate, calculation_changes
from reference_engine.chain import one_chain, trigger_chain, until_both_pass
from reference_engine.destruction import put_in_place

if TYPE_CHECKING:
    from reference_engine.attack import Attack
    from reference_engine.behaviour import Flow
    from reference_engine.duel import Duel


def damage_step(duel: Duel, battle: Attack) -> Flow:
    """The five timings occur in order, each exactly once (DS-1); then the attack is over."""
    battle.in_damage_step = True
    duel.used_in_battle = set()
    yield from start_of_damage_step(duel, battle)
    yield from before_damage_calculation(duel, battle)
    yield from during_damage_calculation(duel, battle)
    yield from after_damage_calculation(duel, battle)
    yield from end_of_damage_step(duel, battle)
    duel.end_attack("battled" if battle.calculated else "no-battle")


def start_of_damage_step(duel: Duel, battle: Attack) -> Flow:
    """A face-down target is still face-down (DS-2)."""
    duel.enter("damage-start")
    target = battle.target
    battle.face_down = target is not None and not target.face_up
    battle.target_was_attack_position = target is not None and target.in_attack_position
    yield from chains_of_the_timing(duel)


def before_damage_calculation(duel: Duel, battle: Attack) -> Flow:
    """A face-down target is flipped by the battle, ahead of what is activated here; what that triggers waits (DS-2, DS-3)."""
    duel.enter("before-calculation")
    flip_target(duel, battle)
    yield from chains_of_the_timing(duel)


def during_damage_calculation(duel: Duel, battle: Attack) -> Flow:
    """Continuous changes of this timing, the chain, the changes whose condition is met by now (DC-6); then the calculation, if
    both monsters are still there (DS-6).
    """
    duel.enter("during-calculation")
    flip_target(duel, battle)
    if battle.goes_on(duel):
        calculation_changes(duel, battle)
    yield from chains_of_the_timing(duel)
    flip_target(duel, battle)
    if battle.goes_on(duel):
        calculation_changes(duel, battle)
        yield from calculate(duel, battle)


def after_damage_calculation(duel: Duel, battle: Attack) -> Flow:
    """What was decided to go instead of a monster goes first (BD-9); then flips, battle damage and "battled" trigger (DS-3)."""
    duel.enter("after-calculation")
    duel.end_calculation()
    replace_destructions(duel, battle)
    duel.begin_moment()
    flipped = battle.flipped
    if flipped is not None and flipped.incarnation == battle.target_incarnation and flipped.face_up:
        duel.occur("flipped", flipped)
    if battle.calculated:
        damage_occurrences(duel, battle)
    yield from chains_of_the_timing(duel, triggers=battle.calculated)


def end_of_damage_step(duel: Duel, battle: Attack) -> Flow:
    """Monsters destroyed by battle leave the field, both at once (DS-10); then what that triggers."""
    duel.enter("damage-end")
    send_destroyed(duel, battle)
    yield from chains_of_the_timing(duel)
    duel.end_damage_step()


def chains_of_the_timing(duel: Duel, *, triggers: bool = True) -> Flow:
    """Triggers in the first chain only; then any number of chains, or one, as the ruleset has it (DS-5). What a chain triggers
    makes the next one in any case (CH-6).
    """
    if triggers:
        duel.timing_triggers()
    if (yield from trigger_chain(duel)) and duel.timing not in duel.ruleset.many_chains_at:
        while (yield from trigger_chain(duel)):
            pass
        return
    if duel.timing in duel.ruleset.many_chains_at:
        yield from until_both_pass(duel)
    elif (yield from one_chain(duel)):
        while (yield from trigger_chain(duel)):
            pass


def flip_target(duel: Duel, battle: Attack) -> None:
    """Turn a face-down target face-up, keeping its Defense Position; also one turned face-down again meanwhile (DS-7)."""
    target = battle.target
    if target is not None and not target.face_up and battle.goes_on(duel):
        duel.change_position(target, "face-up-defense", "battle")
        battle.flipped = target


def replace_destructions(duel: Duel, battle: Attack) -> None:
    """Carry out what was decided during damage calculation."""
    for card, substitute in battle.substitutes:
        put_in_place(duel, card, substitute)
    battle.substitutes = []


def damage_occurrences(duel: Duel, battle: Attack) -> None:
    """Battle damage of 0 is none (DC-11)."""
    for player in (duel.turn_player, opponent(duel.turn_player)):
        if battle.damage[player]:
            dealer = battle.attacker if player != duel.turn_player else battle.target
            if dealer is not None:
                duel.occur("inflicted-battle-damage", dealer, player=player)
            victim = battle.target if player != duel.turn_player else battle.attacker
            if victim is not None:
                duel.occur("took-battle-damage", victim, player=player)


def send_destroyed(duel: Duel, battle: Attack) -> None:
    """Those still there are sent now and count as destroyed by battle; those that an effect removed before do not (BD-8)."""
    destroyed = [card for card in battle.destroyed if card.determined and card.is_monster_on_field]
    if not destroyed:
        return
    destroyers = [battle.other(card) for card in destroyed]
    negated = {card.id for card in destroyed if card.negated_by_battle}
    duel.send(destroyed, "destroyed-by-battle")
    battle.sent = destroyed
    duel.negated_in_graveyard |= {card_id for card_id in negated if duel.cards[card_id].zone == "graveyard"}
    for card, destroyer in zip(destroyed, destroyers, strict=True):
        sent = card.zone == "graveyard" and not card.facts.token
        duel.occur("destroyed-by-battle", card, destroyer)
        if sent:
            duel.occur("destroyed-by-battle-and-sent", card, destroyer)
            duel.occur("destroyed", card, destroyer)
        if destroyer is not None and destroyer not in destroyed and battle.involves(destroyer) and destroyer.is_monster_on_field:
            duel.occur("destroys-by-battle", destroyer, card)
            if sent:
                destroyer.victims.append((card, card.incarnation))
                duel.occur("destroys-by-battle-and-sends", destroyer, card)
