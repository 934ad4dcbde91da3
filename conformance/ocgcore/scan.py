"""What the core's monsters are like now, and what of that has changed."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from conformance.ocgcore import lua
from conformance.ocgcore.constants import MONSTERS
from conformance.ocgcore.lua import STATUSES
from conformance.ocgcore.messages import Location
from conformance.ocgcore.table import Table, TableCard
from engine_protocol.board import Board
from engine_protocol.cards import CardPool
from engine_protocol.events import StatChanged, StatusChanged
from engine_protocol.vocabulary import PLAYERS, Status


class Seen(Struct, frozen=True, gc=False):
    """A monster's conditions (bits of :data:`conformance.ocgcore.lua.SCAN`) and current values, None while face-down."""

    bits: int
    atk: int | None
    def_: int | None


class States:
    """Current values and conditions of the monsters, as far as they have been told.

    A condition that a monster's own continuous effect gives it is known from the card and is not told. ``ends_phase``: an effect
    has ended the turn player's Battle Phase.
    """

    def __init__(self, board: Board, table: Table, pool: CardPool) -> None:
        self._table = table
        self._pool = pool
        self._custom = {card.id: (card.atk, card.def_) for card in board.cards if card.atk is not None or card.def_ is not None}
        self._values: dict[int, tuple[int, int]] = {}
        self._statuses: dict[int, frozenset[Status]] = {}
        self._players: frozenset[int] | None = None
        self.seen: dict[int, Seen] = {}
        self.ends_phase = False

    def forget(self, card: TableCard) -> None:
        """A card that left or reached the field, or was turned face-down, keeps nothing of what it was."""
        self._values.pop(card.id, None)
        self._statuses.pop(card.id, None)
        self.seen.pop(card.id, None)

    def values(self, card: TableCard) -> tuple[int, int] | None:
        """Current ATK and DEF of a face-up monster."""
        seen = self.seen.get(card.id)
        return None if seen is None or seen.atk is None or seen.def_ is None else (seen.atk, seen.def_)

    def take(self, answer: str) -> Iterator[StatChanged | StatusChanged]:
        """A scan's answer: what has changed since the last."""
        *monsters, players = answer.split(";")
        self.seen.clear()
        for monster in monsters:
            player, sequence, bits, atk, def_ = monster.split(",")
            card = self._table.find(Location(int(player), MONSTERS, int(sequence)))
            if card is None:
                continue
            if atk == "-":
                self.seen[card.id] = Seen(int(bits), None, None)
                continue
            self.seen[card.id] = Seen(int(bits), int(atk), int(def_))
            yield from self._values_of(card, int(atk), int(def_))
            yield from self._statuses_of(card, int(bits))
        self.ends_phase = bool(int(players) & lua.PHASE_ENDS)
        yield from self._protected(int(players))

    def _values_of(self, card: TableCard, atk: int, def_: int) -> Iterator[StatChanged]:
        if self._values.get(card.id, self._printed(card)) != (atk, def_):
            self._values[card.id] = (atk, def_)
            yield StatChanged(card.id, atk, def_)

    def _printed(self, card: TableCard) -> tuple[int | None, int | None]:
        facts = self._pool[card.passcode]
        atk, def_ = self._custom.get(card.id, (None, None))
        return facts.atk if atk is None else atk, facts.def_ if def_ is None else def_

    def _statuses_of(self, card: TableCard, bits: int) -> Iterator[StatusChanged]:
        own = self._pool[card.passcode].categories
        now = frozenset(status for bit, status in STATUSES if bits & bit and _OWN.get(status) not in own)
        before = self._statuses.get(card.id, frozenset())
        if now != before:
            self._statuses[card.id] = now
            yield from (StatusChanged(status, False, card=card.id) for _, status in STATUSES if status in before - now)
            yield from (StatusChanged(status, True, card=card.id) for _, status in STATUSES if status in now - before)

    def _protected(self, bits: int) -> Iterator[StatusChanged]:
        now = frozenset(player for player in PLAYERS if bits >> player & 1)
        before, self._players = self._players, now
        if before is None or now == before:
            # What protects a player from the beginning lies face-up on the board.
            return
        for player in PLAYERS:
            if (player in now) != (player in before):
                yield StatusChanged("no-battle-damage", player in now, player=player)


_OWN: dict[Status, str] = {
    "can-attack-directly": "direct-attack",
    "indestructible-by-battle": "indestructible-by-battle",
    "no-battle-damage": "prevents-battle-damage",
}
"""By which category of a card's own effects a condition is known from the card."""
