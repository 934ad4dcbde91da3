"""Seeded faults of the rules that every board keeps (GN)."""

from __future__ import annotations

from typing import Any

from engine_protocol.board import ZONE_COUNT
from engine_protocol.cards import CardFacts
from engine_protocol.events import Moved, Place
from engine_protocol.vocabulary import FIELD, EndReason, Player, opponent
from reference_engine.card import Card
from reference_engine.duel import Duel
from tests.faults.fault import Fault
from tests.faults.helpers import DUEL

_let_go = Duel._let_go
_end_duel = Duel.end_duel


def _six_zones(self: Duel, player: Player, zone: Any) -> list[int]:
    taken = {card.index for card in self.rows[player][zone]}
    return [index for index in range(8) if index not in taken]


def _to_the_controllers_hand(self: Duel, cards: Any) -> None:
    """The card stands in the hand and still on the field."""
    for card in list(cards):
        if not card.determined:
            self.emit(Moved(card.id, card.place, Place(card.owner, "hand"), "returned-by-effect"))


def _used_cards_vanish(self: Duel, card: Card, reason: Any) -> None:
    self.leave_row(card)
    self.emit(Moved(card.id, card.place, None, reason))
    card.put(card.owner, "graveyard", 0, "face-up")
    card.incarnation += 1


def _on_top_of_one_another(self: Duel, player: Player, zone: Any) -> list[int]:
    return list(range(ZONE_COUNT[zone]))


def _always_to_the_hand(facts: CardFacts) -> bool:
    return False


def _to_the_other_hand(self: Duel, cards: Any) -> None:
    for card in [card for card in cards if not card.determined]:
        self.move(card, opponent(card.owner), "hand", "returned-by-effect")
    self.refresh()


def _equip_cards_stay(self: Duel, card: Card, bound: Card | None) -> None:
    """Nothing that was bound to the card follows it."""


def _they_hang_on_to_face_down_monsters(self: Duel, card: Card, bound: Card | None) -> None:
    if card.zone not in FIELD:
        _let_go(self, card, bound)


def _the_wrong_winner(self: Duel, winner: Player | None, reason: EndReason) -> None:
    _end_duel(self, None if winner is None else opponent(winner), reason)


def _never_a_winner(self: Duel, winner: Player | None, reason: EndReason) -> None:
    _end_duel(self, None, reason)


_FREE_PLACES = "reference_engine.places:Places.free_places"

FAULTS: tuple[Fault, ...] = (
    Fault("six-monster-zones", "GN-1", "A sixth monster finds a zone", {_FREE_PLACES: _six_zones}),
    Fault("used-cards-vanish", "GN-2", "Used Spells and Traps vanish", {f"{DUEL}put_away": _used_cards_vanish}),
    Fault(
        "card-in-two-places",
        "GN-2",
        "A returned monster stays on the field",
        {f"{DUEL}return_to_hand": _to_the_controllers_hand},
    ),
    Fault(
        "two-cards-in-one-zone",
        "GN-1",
        "Whatever comes to the field goes to the first zone",
        {_FREE_PLACES: _on_top_of_one_another},
    ),
    Fault(
        "synchro-monsters-in-the-hand",
        "GN-2",
        "A Synchro Monster returns to the hand",
        {"reference_engine.duel:is_extra_deck_card": _always_to_the_hand},
    ),
    Fault(
        "returned-to-the-other-hand",
        "GN-2",
        "A returned monster goes to the other player's hand",
        {f"{DUEL}return_to_hand": _to_the_other_hand},
    ),
    Fault(
        "equip-spells-stay",
        "GN-3",
        "Equip Spells stay when their monster is gone",
        {f"{DUEL}_let_go": _equip_cards_stay},
    ),
    Fault(
        "equip-spells-stay-on-face-down-monsters",
        "GN-3",
        "Equip Spells stay on a monster that is turned face-down",
        {f"{DUEL}_let_go": _they_hang_on_to_face_down_monsters},
    ),
    Fault("wrong-winner", "GN-5", "The player at 0 Life Points wins", {f"{DUEL}end_duel": _the_wrong_winner}),
    Fault("never-a-winner", "GN-5", "Every duel that ends is a draw", {f"{DUEL}end_duel": _never_a_winner}),
)
