"""What modifies battle damage, in the order of the document battle-phase-flow, section on the order of such effects."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal, get_args

from engine_protocol.vocabulary import PLAYERS

if TYPE_CHECKING:
    from engine_protocol.vocabulary import Player
    from reference_engine.attack import Attack
    from reference_engine.card import Card
    from reference_engine.duel import Duel

DamageStep = Literal[
    "inflicts-double",
    "both-take-it",
    "passed-on",
    "as-effect-damage",
    "recovered",
    "becomes-0",
    "halved",
    "doubled",
    "fixed",
    "limited",
]
"""The ten steps, in their order (DC-5). What became effect damage or was recovered is not touched by the steps after that."""

ORDER: Final[tuple[DamageStep, ...]] = get_args(DamageStep)


@dataclass(slots=True)
class BattleDamage:
    """What a battle does to the players' Life Points, per player: battle damage, and what was made of it instead."""

    battle: list[int]
    effect: list[int] = field(default_factory=lambda: [0, 0])
    gained: list[int] = field(default_factory=lambda: [0, 0])


DamageChange = Callable[[BattleDamage], None]
"""One modification, with its card and its players already known."""


def modified_damage(duel: Duel, battle: Attack, raw: list[int]) -> BattleDamage:
    """Apply what modifies battle damage, step by step."""
    damage = BattleDamage(raw)
    if any(raw):
        changes = sorted(changes_of(duel, battle), key=lambda change: ORDER.index(change[0]))
        for _, change in changes:
            change(damage)
    return damage


def changes_of(duel: Duel, battle: Attack) -> Iterator[tuple[DamageStep, DamageChange]]:
    """Everything that modifies the damage of this battle: effects applied to it or to a player, its monsters, their Equip Cards,
    and other cards on the field.
    """
    yield from duel.damage_changes
    yield from battle.damage_changes
    for player in PLAYERS:
        if player in battle.no_damage or takes_no_battle_damage(duel, player):
            yield "becomes-0", none_for(player)
    for card in sources_of(duel, battle):
        behaviour = card.behaviour
        if behaviour.damage is not None and card.active:
            yield behaviour.damage_step, _bound(duel, card, battle)


def sources_of(duel: Duel, battle: Attack) -> Iterator[Card]:
    """The cards whose continuous effects may modify the damage of this battle."""
    for monster in (battle.attacker, battle.target):
        if monster is not None:
            yield monster
            yield from monster.lenders
    yield from duel.damage_sources


def _bound(duel: Duel, card: Card, battle: Attack) -> DamageChange:
    apply = card.behaviour.damage
    assert apply is not None
    return lambda damage: apply(duel, card, battle, damage)


def takes_no_battle_damage(duel: Duel, player: Player) -> bool:
    """Whether an effect that lasts for the turn keeps the player from battle damage."""
    return "no-battle-damage" in duel.protected_players[player]


def none_for(player: Player) -> DamageChange:
    """The player takes no battle damage."""

    def change(damage: BattleDamage) -> None:
        damage.battle[player] = 0

    return change


def passed_on_by(player: Player) -> DamageChange:
    """The other player takes the battle damage that this player would take."""

    def change(damage: BattleDamage) -> None:
        damage.battle[1 - player] += damage.battle[player]
        damage.battle[player] = 0

    return change


def recovered_by(*players: Player) -> DamageChange:
    """These players gain the battle damage they would take."""

    def change(damage: BattleDamage) -> None:
        for player in players:
            damage.gained[player] += damage.battle[player]
            damage.battle[player] = 0

    return change


def doubled(damage: BattleDamage) -> None:
    """All battle damage is doubled."""
    damage.battle[:] = [2 * amount for amount in damage.battle]
