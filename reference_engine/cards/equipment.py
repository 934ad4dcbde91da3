"""Equip Spells that lie face-up in a Battle Phase. What they grant beyond ATK stands in their facts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_engine.behaviour import CardBehaviour

if TYPE_CHECKING:
    from reference_engine.card import Card
    from reference_engine.duel import Duel


def lose_1000(duel: Duel, source: Card, monster: Card) -> tuple[int, int] | None:
    """Shooting Star Bow - Ceal."""
    return (-1000, 0) if source.equipped_to is monster else None


def lose_500(duel: Duel, source: Card, monster: Card) -> tuple[int, int] | None:
    """Twin Swords of Flashing Light - Tryce."""
    return (-500, 0) if source.equipped_to is monster else None


def lose_500_each(duel: Duel, source: Card, monster: Card) -> tuple[int, int] | None:
    """Ring of Magnetism."""
    return (-500, -500) if source.equipped_to is monster else None


BEHAVIOURS = {
    "Fairy Meteor Crush": CardBehaviour(),
    "Ring of Magnetism": CardBehaviour(stats=lose_500_each, marks=frozenset({"draws-attacks"})),
    "Shooting Star Bow - Ceal": CardBehaviour(stats=lose_1000),
    "Twin Swords of Flashing Light - Tryce": CardBehaviour(stats=lose_500, attacks=2),
}
