"""Seeded faults of the rules that every board keeps (GN)."""

from __future__ import annotations

from typing import Any

from engine_protocol.events import Moved, Place
from engine_protocol.vocabulary import Player
from reference_engine.card import Card
from reference_engine.duel import Duel
from tests.faults.fault import Fault
from tests.faults.helpers import DUEL


def _six_zones(self: Duel, player: Player, zone: Any) -> list[int]:
    taken = {card.index for card in self.rows[player][zone]}
    return [index for index in range(8) if index not in taken]


def _to_the_controllers_hand(self: Duel, cards: Any) -> None:
    """The card stands in the hand and still on the field."""
    for card in list(cards):
        if not card.determined:
            self.emit(Moved(card.id, card.place, Place(card.owner, "hand"), "returned-by-effect"))


def _used_cards_vanish(self: Duel, card: Card, reason: Any) -> None:
    self._leave_row(card)
    self.emit(Moved(card.id, card.place, None, reason))
    card.put(card.owner, "graveyard", 0, "face-up")
    card.incarnation += 1


FAULTS: tuple[Fault, ...] = (
    Fault("six-monster-zones", "GN-1", "A sixth monster finds a zone", {f"{DUEL}free_places": _six_zones}),
    Fault("used-cards-vanish", "GN-2", "Used Spells and Traps vanish", {f"{DUEL}put_away": _used_cards_vanish}),
    Fault(
        "card-in-two-places",
        "GN-2",
        "A returned monster stays on the field",
        {f"{DUEL}return_to_hand": _to_the_controllers_hand},
    ),
)
