"""Which card lies where: the instance ids of the board, carried along with the core's moves.

The core names cards by where they are. Piles are lists in the core's order; the Deck is drawn from its end.
"""

from __future__ import annotations

from conformance.ocgcore.constants import (
    ATTACK_UP,
    BANISHED,
    DECK,
    DEFENSE_UP,
    EXTRA,
    FACE_UP,
    FIELD_SPELL_SEQUENCE,
    FIRST_EXTRA_ZONE,
    GRAVEYARD,
    HAND,
    MONSTERS,
    ON_FIELD,
    OVERLAY,
    SPELLS,
)
from conformance.ocgcore.faults import CoreFault
from conformance.ocgcore.messages import Location
from engine_protocol.events import Place
from engine_protocol.vocabulary import Player, Position, Zone

_PILES: dict[int, Zone] = {
    DECK: "deck",
    HAND: "hand",
    GRAVEYARD: "graveyard",
    BANISHED: "banished",
    EXTRA: "extra-deck",
}
_LOCATIONS: dict[Zone, int] = {zone: location for location, zone in _PILES.items()}


def seat(player: int) -> Player:
    """The core's player as a seat; they are the same."""
    return 1 if player else 0


def core_place(zone: Zone, player: Player, index: int) -> tuple[int, int]:
    """Location and sequence of a zone. The two Extra Monster Zones are shared: each player counts them from their left."""
    if zone == "monster-zone":
        return MONSTERS, index
    if zone == "extra-monster-zone":
        return MONSTERS, FIRST_EXTRA_ZONE + (index if player == 0 else 1 - index)
    if zone == "spell-trap-zone":
        return SPELLS, index
    if zone == "field-zone":
        return SPELLS, FIELD_SPELL_SEQUENCE
    return _LOCATIONS[zone], 0


def place_of(at: Location, owner: Player) -> Place:
    """The place of a location, as the protocol tells it."""
    player = seat(at.player)
    sequence = at.sequence
    if at.location == MONSTERS:
        position: Position = (
            "face-up-attack"
            if at.position & ATTACK_UP
            else "face-up-defense"
            if at.position & DEFENSE_UP
            else "face-down-defense"
        )
        if sequence < FIRST_EXTRA_ZONE:
            return Place(player, "monster-zone", sequence, position)
        shared = sequence - FIRST_EXTRA_ZONE
        return Place(player, "extra-monster-zone", shared if player == 0 else 1 - shared, position)
    face: Position = "face-up" if at.position & FACE_UP else "face-down"
    if at.location == SPELLS:
        if sequence == FIELD_SPELL_SEQUENCE:
            return Place(player, "field-zone", 0, face)
        return Place(player, "spell-trap-zone", sequence, face)
    zone = _PILES.get(at.location)
    if zone is None:
        raise CoreFault(f"a card went to location {at.location:#x}, which duelproof does not know")
    return Place(owner, zone, 0, face if zone == "banished" else "face-up")


class TableCard:
    """A card and where it is. ``at`` None: a token that is gone. ``stay`` counts its stays; all over the field it is one."""

    __slots__ = ("at", "id", "owner", "passcode", "stay", "token")

    def __init__(self, card_id: int, passcode: int, owner: Player, *, token: bool = False) -> None:
        self.id = card_id
        self.passcode = passcode
        self.owner = owner
        self.token = token
        self.at: Location | None = None
        self.stay = 0

    @property
    def place(self) -> Place | None:
        """Where it is, as the protocol tells it."""
        return None if self.at is None else place_of(self.at, self.owner)


class Table:
    """All cards of a duel by where they are."""

    def __init__(self) -> None:
        self.cards: dict[int, TableCard] = {}
        self._nameless = 0
        self._field: dict[tuple[int, int, int], TableCard] = {}
        self._piles: dict[tuple[int, int], list[TableCard]] = {}

    def add(self, card: TableCard, at: Location) -> None:
        """A card of the board, or a token. On a pile it is the last."""
        self.cards[card.id] = card
        self._put(card, at)

    def card(self, at: Location) -> TableCard:
        """The card at a location.

        Raises:
            CoreFault: the core speaks of a place where no card is.
        """
        found = self.find(at)
        if found is None:
            raise CoreFault(f"the core speaks of a card of player {at.player} at {at.location:#x}[{at.sequence}], where none is")
        return found

    def find(self, at: Location) -> TableCard | None:
        """The card at a location, if there is one."""
        if at.location & ON_FIELD:
            return self._field.get((at.player, at.location, at.sequence))
        pile = self._piles.get((at.player, at.location), ())
        return pile[at.sequence] if at.sequence < len(pile) else None

    def top(self, player: int) -> TableCard:
        """The card of the Deck that is drawn next."""
        pile = self._piles.get((player, DECK))
        if not pile:
            raise CoreFault(f"player {player} drew from an empty Deck")
        return pile[-1]

    def move(self, origin: Location, to: Location) -> TableCard:
        """A card goes from one location to another; location 0: it is gone."""
        card = self.card(origin)
        self._take(card)
        if not (origin.location & ON_FIELD and to.location & ON_FIELD):
            card.stay += 1
        if to.location:
            self._put(card, to)
        else:
            card.at = None
        return card

    def swap(self, first: Location, second: Location) -> tuple[TableCard, TableCard]:
        """Two cards on the field change places and keep their positions."""
        one, other = self.card(first), self.card(second)
        self._take(one)
        self._take(other)
        self._put(one, Location(second.player, second.location, second.sequence, first.position))
        self._put(other, Location(first.player, first.location, first.sequence, second.position))
        return one, other

    def turn(self, card: TableCard, position: int) -> None:
        """A card on the field lies in another position now."""
        at = card.at
        if at is not None:
            card.at = Location(at.player, at.location, at.sequence, position)

    def shuffle(self, player: int, location: int, codes: tuple[int, ...], code_of: dict[int, int]) -> None:
        """A pile is in this order now. Equal cards cannot be told apart and keep the order they had."""
        pile = self._piles.get((player, location), [])
        waiting = list(pile)
        ordered = []
        for code in codes:
            card = next((card for card in waiting if card.passcode == code_of.get(code, code)), None)
            if card is not None:
                waiting.remove(card)
                ordered.append(card)
        if not waiting:
            pile[:] = ordered
            self._number(pile)

    def detach(self, holder: Location, to: Location, code: int) -> TableCard | None:
        """A material of the card at ``holder`` goes somewhere else. It has no instance id, but takes its place in the pile.

        Answers the card that held it, None if that is gone.
        """
        self._nameless -= 1
        self._put(TableCard(self._nameless, code, 1 if to.player else 0), to)
        return self.find(Location(holder.player, holder.location & ~OVERLAY, holder.sequence))

    def monsters_of(self, player: Player) -> frozenset[int]:
        """The instance ids of a player's monsters on the field."""
        return frozenset(
            card.id for (controller, location, _), card in self._field.items() if (controller, location) == (player, MONSTERS)
        )

    def _take(self, card: TableCard) -> None:
        at = card.at
        if at is None:
            return
        if at.location & ON_FIELD:
            del self._field[at.player, at.location, at.sequence]
        else:
            pile = self._piles[at.player, at.location]
            pile.remove(card)
            self._number(pile)

    def _put(self, card: TableCard, at: Location) -> None:
        if at.location & ON_FIELD:
            self._field[at.player, at.location, at.sequence] = card
            card.at = at
            return
        pile = self._piles.setdefault((at.player, at.location), [])
        card.at = at
        pile.insert(min(at.sequence, len(pile)), card)
        self._number(pile)

    @staticmethod
    def _number(pile: list[TableCard]) -> None:
        for sequence, card in enumerate(pile):
            at = card.at
            if at is not None and at.sequence != sequence:
                card.at = Location(at.player, at.location, sequence, at.position)
