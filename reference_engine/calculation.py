"""Damage calculation: the values compared, the battle damage and its modifications, and who is determined destroyed.

Reads in the order of the document battle-phase-flow, sections on damage calculation and on destruction by battle.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TYPE_CHECKING

from engine_protocol.decisions import Decision
from engine_protocol.events import DamageCalculated, DeterminedDestroyed
from reference_engine.battle_damage import modified_damage
from reference_engine.destruction import substitute_for
from reference_engine.stats import Modifier

if TYPE_CHECKING:
    from reference_engine.attack import Attack
    from reference_engine.battle_damage import BattleDamage
    from reference_engine.behaviour import Flow
    from reference_engine.card import Card
    from reference_engine.duel import Duel


def calculation_changes(duel: Duel, battle: Attack) -> None:
    """Apply continuous effects that change ATK during damage calculation only, each in principle once (DC-6)."""
    for source in duel.calculation_sources:
        change = source.behaviour.in_calculation
        if change is None or not source.active or source.id in battle.applied:
            continue
        amount = change(duel, battle)
        if amount:
            battle.applied.add(source.id)
            duel.modify(battle.attacker, Modifier("add", source, amount, until="calculation"))


def calculate(duel: Duel, battle: Attack) -> Flow:
    """Compare, deal the battle damage, then determine what is destroyed (DC-7)."""
    attacker, target = battle.attacker, battle.target
    battle.calculated = True
    for monster in (attacker, target):
        if monster is not None:
            monster.battled = True
    uses_def = not attacker.in_attack_position and attacker.has("attacks-in-defense")  # DC-4
    attacker_value = battle_value(battle, attacker, uses_def=uses_def)
    target_value = None if target is None else battle_value(battle, target, uses_def=not target.in_attack_position)
    damage = modified_damage(duel, battle, raw_damage(duel, battle, attacker_value, target_value))
    battle.damage = damage.battle
    destroyed = losers(duel, battle, attacker_value, target_value)
    if duel.ruleset.substitutes_at == "during-calculation":
        destroyed = yield from without_replaced(duel, battle, destroyed)
    duel.emit(
        DamageCalculated(
            attacker.id,
            None if target is None else target.id,
            attacker_value,
            target_value,
            (battle.damage[0], battle.damage[1]),
            uses_def,
            target is not None and not target.in_attack_position,
        )
    )
    deal(duel, damage)
    determine(duel, battle, destroyed)


def battle_value(battle: Attack, monster: Card, *, uses_def: bool) -> int:
    """The number that is compared: the current ATK or DEF, or the original one where an effect says so (DC-10)."""
    if battle.original_values:
        return monster.base_def if uses_def else monster.base_atk
    return monster.def_ if uses_def else monster.atk


def deal(duel: Duel, damage: BattleDamage) -> None:
    """The players take the battle damage, and what became of it instead."""
    for player in duel.players:
        duel.damage(player, damage.battle[player], "battle-damage")
        duel.damage(player, damage.effect[player], "effect-damage")
        duel.gain(player, damage.gained[player])


def raw_damage(duel: Duel, battle: Attack, attacker_value: int, target_value: int | None) -> list[int]:
    """Battle damage before modifications (DC-1 to DC-3), per player."""
    damage = [0, 0]
    attacking, defending = duel.players
    target = battle.target
    if target is None or target_value is None:
        damage[defending] = attacker_value
    elif attacker_value < target_value:
        damage[attacking] = target_value - attacker_value
    elif target.in_attack_position or battle.attacker.has("piercing"):
        damage[defending] = attacker_value - target_value
    return damage


def losers(duel: Duel, battle: Attack, attacker_value: int, target_value: int | None) -> list[Card]:
    """Who is destroyed by battle (DC-1, DC-2, DC-8)."""
    attacker, target = battle.attacker, battle.target
    if target is None or target_value is None:
        return []
    if attacker_value > target_value:
        lost = [target]
    elif not target.in_attack_position:
        lost = []
    elif attacker_value < target_value:
        lost = [attacker]
    elif attacker_value > 0 or duel.ruleset.equal_zero_destroys:
        lost = [attacker, target]
    else:
        lost = []
    values = {attacker: target_value, target: attacker_value}
    return [card for card in lost if card not in battle.protected and not is_indestructible(duel, card, values[card])]


def is_indestructible(duel: Duel, card: Card, opposing_value: int) -> bool:
    """Whether the monster cannot be destroyed by battle, or not by one with that battle value."""
    behaviour = card.behaviour
    applies = duel.turn_player == card.controller or "indestructible-in-own-turn" not in behaviour.marks
    return (
        (applies and card.has("indestructible-by-battle") and opposing_value >= behaviour.withstands_from)
        or "indestructible-by-battle" in card.statuses
        or "indestructible-by-battle" in duel.protected_players[card.controller]
    )


def without_replaced(duel: Duel, battle: Attack, destroyed: list[Card]) -> Generator[Decision, int, list[Card]]:
    """Decide now, before battle damage, whether something goes instead (BD-9)."""
    remaining = []
    for card in destroyed:
        taken = [substitute for _, substitute in battle.substitutes]
        substitute = yield from substitute_for(duel, card, (*destroyed, *taken))
        if substitute is None:
            remaining.append(card)
        else:
            battle.substitutes.append((card, substitute))
    return remaining


def determine(duel: Duel, battle: Attack, destroyed: list[Card]) -> None:
    """From now until the end timing these are determined destroyed: their continuous effects stop, and effects that negate what
    was destroyed by battle start (BD-1), in some rulesets not if the destroyer is destroyed with it (expert-2007, 3.B).
    """
    for card in destroyed:
        card.determined = True
    for card in destroyed:
        duel.emit(DeterminedDestroyed(card.id))
        destroyer = battle.other(card)
        if destroyer is None or (destroyer.determined and not duel.ruleset.destroyed_destroyer_negates):
            continue
        if negates_what_it_destroys(duel, destroyer):
            card.negated_by_battle = True
    battle.destroyed = destroyed
    if duel.ruleset.self_destruction_at == "during-calculation":  # damage-step-wiki, before Master Rule 3: at this very point
        settle(duel, battle)
    duel.refresh()


def settle(duel: Duel, battle: Attack) -> None:
    """A monster that this battle flipped destroys itself if it has to as things are, also one determined destroyed."""
    battle.settled = True
    flipped = battle.flipped
    if flipped is None or not flipped.determined or flipped.effects_are_negated:
        return  # one that is not determined destroyed does so with the next refresh
    perishes = flipped.behaviour.perishes
    if perishes is not None and perishes(duel, flipped):
        duel.destroy([flipped], flipped)


def negates_what_it_destroys(duel: Duel, destroyer: Card) -> bool:
    """Whether it negates what it destroys by battle itself, or a Dark Ruler Ha Des on its side does so for a Fiend."""
    return any(
        source is destroyer
        if "negates-its-victims" in source.behaviour.marks
        else source.controller == destroyer.controller and destroyer.facts.race in source.behaviour.negates_destroyed_of
        for source in duel.active_sources("negates-destroyed")
    )
