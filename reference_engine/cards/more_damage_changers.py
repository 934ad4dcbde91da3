"""Further cards that modify battle damage (DC-5), so that each of its steps has two."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine_protocol.cards import Filter
from engine_protocol.vocabulary import FIELD, opponent
from reference_engine.battle_damage import doubled
from reference_engine.behaviour import CardBehaviour, Effect
from reference_engine.cards.pieces import destroy_targets, does, searcher, summon_from_deck
from reference_engine.stats import halved

if TYPE_CHECKING:
    from engine_protocol.vocabulary import Player
    from reference_engine.attack import Attack
    from reference_engine.battle_damage import BattleDamage, DamageChange
    from reference_engine.card import Card
    from reference_engine.chain import Link
    from reference_engine.duel import Duel
    from reference_engine.occurrences import Occurrence

_MINDS_EYE = 1000
_PERFORMAGE = Filter(side="you", zones=("deck",), name="Performage")


def double_piercing(duel: Duel, source: Card, battle: Attack, damage: BattleDamage) -> None:
    """Metalfoes Orichalc, Blue-Eyes Chaos MAX Dragon: double, when it attacks a Defense Position monster."""
    target = battle.target
    if source is battle.attacker and target is not None and not target.in_attack_position:
        damage.battle[opponent(source.controller)] *= 2


def opponent_takes_half(duel: Duel, source: Card, battle: Attack, damage: BattleDamage) -> None:
    """Susa Soldier: the battle damage that it inflicts on the opponent is halved."""
    other = opponent(source.controller)
    damage.battle[other] = halved(damage.battle[other])


def half_for_that_monster(duel: Duel, link: Link) -> None:
    """Half Unbreak: the target is not destroyed by battle this turn, and its battles cost the player half the damage."""
    for target in link.standing_targets():
        duel.grant(target, "indestructible-by-battle", link.card)
        duel.damage_changes.append(("halved", halved_while_battling(duel, target, link.player)))


def halved_while_battling(duel: Duel, monster: Card, player: Player) -> DamageChange:
    """What the player takes from battles of this monster, as long as it stays, is halved."""
    incarnation = monster.incarnation

    def change(damage: BattleDamage) -> None:
        battle = duel.attack
        if battle is not None and battle.involves(monster) and monster.incarnation == incarnation:
            damage.battle[player] = halved(damage.battle[player])

    return change


def double_for_the_attacker(duel: Duel, source: Card, battle: Attack, damage: BattleDamage) -> None:
    """Stone Statue of the Aztecs: what the opponent takes when they attack it is doubled."""
    if source is battle.target:
        damage.battle[opponent(source.controller)] *= 2


def double_when_direct(duel: Duel, source: Card, battle: Attack, damage: BattleDamage) -> None:
    """Piranha Army."""
    if source is battle.attacker and battle.target is None:
        doubled(damage)


def double_against_rocks(duel: Duel, source: Card, battle: Attack, damage: BattleDamage) -> None:
    """Canyon: what the attacking monster's controller takes from attacking a Rock in Defense Position is doubled."""
    target = battle.target
    if target is not None and target.facts.race == "Rock" and not target.in_attack_position:
        damage.battle[battle.attacker.controller] *= 2


def equipped_inflicts_1000(duel: Duel, source: Card, battle: Attack, damage: BattleDamage) -> None:
    """Rod of the Mind's Eye: the battle damage that the equipped monster inflicts on the opponent."""
    monster = source.equipped_to
    if monster is not None:
        other = opponent(source.controller)
        if monster.controller == source.controller:
            damage.battle[other] = min(damage.battle[other], 1) * _MINDS_EYE


def none_up_to_its_atk(duel: Duel, source: Card, battle: Attack, damage: BattleDamage) -> None:
    """Performage Trapeze Magician: its controller takes no damage that is not more than its ATK."""
    if damage.battle[source.controller] <= source.atk:
        damage.battle[source.controller] = 0


def no_more_than_its_atk(duel: Duel, source: Card, player: Player, amount: int) -> bool:
    """The same for effect damage."""
    return player == source.controller and amount <= source.atk


def was_on_the_field(duel: Duel, source: Card, player: Player, occurrence: Occurrence | None) -> bool:
    """Whether the card came from the field."""
    return occurrence is not None and occurrence.origin is not None and occurrence.origin.zone in FIELD


def by_the_opponent(duel: Duel, source: Card, player: Player, occurrence: Occurrence | None) -> bool:
    """Performage Trapeze Magician: whether an effect of the opponent destroyed it, and there is a zone for what follows."""
    by = None if occurrence is None else occurrence.by
    return by is not None and by.controller != player and bool(duel.free_places(player, "monster-zone"))


BEHAVIOURS = {
    "Metalfoes Orichalc": CardBehaviour(
        {2: Effect(does(destroy_targets), was_on_the_field)}, damage=double_piercing, damage_step="inflicts-double"
    ),
    "Blue-Eyes Chaos MAX Dragon": CardBehaviour(
        damage=double_piercing,
        damage_step="inflicts-double",
        marks=frozenset({"withstands-opponent-effects", "not-targeted-by-opponent"}),
    ),
    "Susa Soldier": CardBehaviour({1: Effect(does())}, damage=opponent_takes_half, damage_step="halved"),
    "Half Unbreak": CardBehaviour({1: Effect(does(half_for_that_monster))}),
    "Stone Statue of the Aztecs": CardBehaviour(damage=double_for_the_attacker, damage_step="doubled"),
    "Piranha Army": CardBehaviour(damage=double_when_direct, damage_step="doubled"),
    "Canyon": CardBehaviour(damage=double_against_rocks, damage_step="doubled"),
    "Rod of the Mind's Eye": CardBehaviour(damage=equipped_inflicts_1000, damage_step="fixed"),
    "Performage Trapeze Magician": CardBehaviour(
        {3: searcher(_PERFORMAGE), 4: Effect(summon_from_deck(_PERFORMAGE), by_the_opponent)},
        damage=none_up_to_its_atk,
        damage_step="limited",
        spares=no_more_than_its_atk,
        marks=frozenset({"modifies-all-damage"}),
    ),
}
