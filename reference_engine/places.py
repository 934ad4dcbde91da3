"""Where the cards of a duel are."""

from __future__ import annotations

from engine_protocol.board import ZONE_COUNT
from engine_protocol.vocabulary import FIELD, Player, Zone, opponent
from reference_engine.card import Card

_ZONES: tuple[Zone, ...] = (
    "monster-zone",
    "extra-monster-zone",
    "spell-trap-zone",
    "field-zone",
    "hand",
    "deck",
    "extra-deck",
    "graveyard",
    "banished",
)


class Places:
    """The cards of a duel and the zones they are in.

    ``players`` the turn player and the other: what both do of their own accord, they do in this order
    ``cards``   all of them by instance id
    ``rows``    per player and zone the cards in it: field zones by place, the Deck from the top
    """

    def __init__(self, turn_player: Player) -> None:
        self.turn_player: Player = turn_player
        self.players: tuple[Player, Player] = (turn_player, opponent(turn_player))
        self.cards: dict[int, Card] = {}
        self.rows: tuple[dict[Zone, list[Card]], dict[Zone, list[Card]]] = (
            {zone: [] for zone in _ZONES},
            {zone: [] for zone in _ZONES},
        )

    def monsters(self, player: Player) -> list[Card]:
        """The monsters a player controls, by place."""
        rows = self.rows[player]
        extra = rows["extra-monster-zone"]
        return rows["monster-zone"] + extra if extra else rows["monster-zone"]

    def field_monsters(self) -> list[Card]:
        """All monsters on the field, the turn player's first."""
        first, second = self.players
        return self.monsters(first) + self.monsters(second)

    def free_places(self, player: Player, zone: Zone) -> list[int]:
        """Which of a player's equal zones are empty."""
        taken = {card.index for card in self.rows[player][zone]}
        return [index for index in range(ZONE_COUNT[zone]) if index not in taken]

    def active_sources(self, category: str) -> list[Card]:
        """Face-up cards on the field whose continuous effect of this category applies."""
        return [
            card
            for rows in self.rows
            for zone in ("monster-zone", "extra-monster-zone", "spell-trap-zone", "field-zone")
            for card in rows[zone]
            if card.has(category)
        ]

    def leave_row(self, card: Card) -> None:
        """Take a card out of the row of its zone."""
        row = self.rows[card.controller][card.zone]
        if card in row:
            row.remove(card)

    def join_row(self, card: Card) -> None:
        """Put a card into the row of its zone."""
        row = self.rows[card.controller][card.zone]
        row.append(card)
        if card.zone in FIELD:
            row.sort(key=lambda other: other.index)
