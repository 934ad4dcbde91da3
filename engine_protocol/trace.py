"""Traces: a board and everything that happened on it."""

from __future__ import annotations

from msgspec import Struct

from engine_protocol.board import Board
from engine_protocol.events import Decided, Event


class Trace(Struct, frozen=True):
    """What oracles judge. ``events`` hold every decision, asked or forced, as ``decided``."""

    board: Board
    events: tuple[Event, ...]

    def decisions(self) -> tuple[Decided, ...]:
        """The decisions somebody was really asked."""
        return tuple(event for event in self.events if isinstance(event, Decided) and not event.forced)
