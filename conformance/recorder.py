"""Keeps what an engine reported even when it fails in the middle of a duel."""

from __future__ import annotations

from engine_protocol.board import Board, Observation
from engine_protocol.decisions import Decision
from engine_protocol.engine import Engine, EngineInfo, Progress
from engine_protocol.events import Decided, Event
from engine_protocol.trace import Trace


class Recorder:
    """An engine that hands everything on to another and remembers the running duel, the choice that broke it included."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._events: list[Event] = []
        self._board: Board | None = None
        self._open: Decision | None = None

    @property
    def trace(self) -> Trace | None:
        """The duel so far; None before any was started."""
        return None if self._board is None else Trace(self._board, tuple(self._events))

    def initialize(self) -> EngineInfo:
        """Handed on."""
        return self._engine.initialize()

    def start(self, board: Board) -> Progress:
        """Handed on; a new duel is remembered from here."""
        self._board, self._open = board, None
        self._events.clear()
        return self._remember(self._engine.start(board))

    def choose(self, option: int) -> Progress:
        """Handed on; the choice is remembered first."""
        if self._open is not None:
            self._events.append(Decided(self._open, option))
        return self._remember(self._engine.choose(option))

    def observe(self) -> Observation:
        """Handed on."""
        return self._engine.observe()

    def close(self) -> None:
        """Handed on."""
        self._engine.close()

    def _remember(self, progress: Progress) -> Progress:
        self._events.extend(progress.events)
        self._open = progress.decision
        return progress
