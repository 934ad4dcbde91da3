"""The Damage Step: its five timings, in the order of the document battle-phase-flow.

Where the documents differ, a parameter of the ruleset is asked; the sub-timings named beside it (1-1 to 6) are those of the
document expert-2007.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_engine.battling import close_calculation, damage_occurrences, enter_damage_step, flip_target
from reference_engine.calculation import calculate, calculation_changes
from reference_engine.chain import one_chain, trigger_chain, until_both_pass
from reference_engine.destruction import put_in_place, substitute_for
from reference_engine.occurrences import note_timing_triggers
from reference_engine.stages import chains_of_the_stages

if TYPE_CHECKING:
    from reference_engine.attack import Attack
    from reference_engine.behaviour import Flow
    from reference_engine.card import Card
    from reference_engine.duel import Duel


def damage_step(duel: Duel, battle: Attack) -> Flow:
    """The five timings occur in order, each exactly once (DS-1); then the attack is over. In some rulesets a battle that cannot
    go on before damage calculation ends the Damage Step as soon as the chains of its timing are over (DS-6; expert-2007, on
    Divine Wrath).
    """
    for timing in (start_of_damage_step, before_damage_calculation, during_damage_calculation):
        yield from timing(duel, battle)
        if not (duel.ruleset.timings_pass_without_calculation or battle.calculated or battle.goes_on(duel)):
            yield from break_off(duel, battle)
            return
    yield from after_damage_calculation(duel, battle)
    yield from end_of_damage_step(duel, battle)
    duel.end_attack("battled" if battle.calculated else "no-battle")


def break_off(duel: Duel, battle: Attack) -> Flow:
    """The Damage Step ends before damage calculation: what it has still triggered is activated, and play is back in the Battle
    Step.
    """
    battle.settled = True
    duel.end_calculation()
    while (yield from trigger_chain(duel)):
        pass
    duel.end_damage_step()
    duel.end_attack("no-battle")


def start_of_damage_step(duel: Duel, battle: Attack) -> Flow:
    """A face-down target is still face-down (DS-2)."""
    enter_damage_step(duel, battle)
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
    close_calculation(duel, battle)
    if battle.calculated:
        damage_occurrences(duel, battle)
    yield from chains_of_the_timing(duel, triggers=battle.calculated)


def end_of_damage_step(duel: Duel, battle: Attack) -> Flow:
    """Monsters destroyed by battle leave the field, both at once (DS-10); then what that triggers."""
    duel.enter("damage-end")
    if duel.ruleset.substitutes_at == "damage-end":  # 4.C
        yield from spare_replaced(duel, battle)
    send_destroyed(duel, battle)
    duel.turn_to_defense("turns-to-defense-after-battle")
    yield from chains_of_the_timing(duel)
    duel.end_damage_step()


def after_inner_battle(duel: Duel, battle: Attack) -> Flow:
    """A battle inside an effect, once the whole chain has resolved: what it and the chain triggered makes one chain (EC-2); then
    the end of the Damage Step, when the destroyed are sent (EC-4).
    """
    duel.attack = battle
    duel.chain_was_made = False
    yield from chains_of_the_timing(duel, triggers=battle.calculated)
    yield from end_of_damage_step(duel, battle)
    duel.attack = None


def chains_of_the_timing(duel: Duel, *, triggers: bool = True) -> Flow:
    """Triggers in the first chain only, or in the first of each stage; then any number of chains, or one, as the ruleset has it
    (DS-5). What a chain triggers makes the next one in any case (CH-6).
    """
    if duel.timing in duel.ruleset.trigger_stages:
        triggered = yield from chains_of_the_stages(duel, triggers=triggers)
    else:
        if triggers:
            note_timing_triggers(duel)
        triggered = bool(duel.pending) and (yield from trigger_chain(duel))
    if duel.timing in duel.ruleset.many_chains_at:
        yield from until_both_pass(duel)
    elif triggered or (yield from one_chain(duel)):
        while duel.pending and (yield from trigger_chain(duel)):
            pass


def spare_replaced(duel: Duel, battle: Attack) -> Flow:
    """When the destroyed would be sent, something may go instead (BD-9); what is spared was not destroyed by battle. A monster
    may use such an effect of its own though it is determined destroyed, but not one that its destroyer negates (3.B).
    """
    doomed = [card for card in battle.destroyed if card.determined and card.is_monster_on_field]
    substitutes: list[tuple[Card, Card]] = []
    for card in doomed:
        substitute = yield from substitute_for(duel, card, (*doomed, *(taken for _, taken in substitutes)))
        if substitute is not None:
            substitutes.append((card, substitute))
    for card, _ in substitutes:
        card.determined = False
        battle.destroyed = [other for other in battle.destroyed if other is not card]
    for card, substitute in substitutes:
        put_in_place(duel, card, substitute)
    if substitutes:
        duel.refresh()


def send_destroyed(duel: Duel, battle: Attack) -> None:
    """Those still there are sent now and count as destroyed by battle; those that an effect removed before do not (BD-8)."""
    destroyed = [card for card in battle.destroyed if card.determined and card.is_monster_on_field]
    if not destroyed:
        return
    destroyers = [battle.other(card) for card in destroyed]
    negated = [card for card in destroyed if card.negated_by_battle]
    duel.send(destroyed, "destroyed-by-battle")
    battle.sent = destroyed
    duel.negated_in_graveyard |= {(card.id, card.incarnation) for card in negated if card.zone == "graveyard"}
    for card, destroyer in zip(destroyed, destroyers, strict=True):
        sent = card.zone == "graveyard" and not card.facts.token
        duel.occur("destroyed-by-battle", card, destroyer)
        if sent:
            duel.occur("destroyed-by-battle-and-sent", card, destroyer)
            duel.occur("destroyed", card, destroyer, by_battle=True)
        if destroyer is not None and hears_of_it(duel, battle, destroyer):
            duel.occur("destroys-by-battle", destroyer, card)
            if sent:
                destroyer.victims.append((card, card.incarnation))
                duel.occur("destroys-by-battle-and-sends", destroyer, card)


def hears_of_it(duel: Duel, battle: Attack, destroyer: Card) -> bool:
    """Whether the monster that destroyed another by battle may have triggered by that: it is still there (BD-10), or the ruleset
    names it among those that need not be (4.C of expert-2007).
    """
    if destroyer.facts.name in duel.ruleset.destroyers_trigger_when_destroyed:
        return True
    return destroyer not in battle.sent and battle.involves(destroyer) and destroyer.is_monster_on_field
