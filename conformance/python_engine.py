"""An engine that is Python code in this process, held to the contract as strictly as one behind a pipe."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import msgspec

from conformance.foreign import call_foreign
from engine_protocol.board import Board, Observation
from engine_protocol.engine import Engine, EngineInfo, Progress
from engine_protocol.errors import EngineCrash, EngineProtocolError
from engine_protocol.events import Event
from engine_protocol.promises import broken_in_duel, broken_in_progress

T = TypeVar("T")

DEFAULT_TIMEOUT = 5.0
"""Seconds an engine has for one answer."""


class PythonEngine:
    """Turns exceptions of the engine's code into crashes, endless loops into hangs, and wrong types into protocol errors.

    Args:
        engine: the engine itself.
        timeout: seconds for one call.
        validate: check what it returns; the embedded engine is trusted instead, for speed.
    """

    def __init__(self, engine: Engine, timeout: float = DEFAULT_TIMEOUT, *, validate: bool = True) -> None:
        self._engine = engine
        self._timeout = timeout
        self._validate = validate

    def initialize(self) -> EngineInfo:
        """Who the engine is."""
        return self._checked("initialize", EngineInfo, self._engine.initialize)

    def start(self, board: Board) -> Progress:
        """Set the board up."""
        return self._progress("start", lambda: self._engine.start(board))

    def choose(self, option: int) -> Progress:
        """Take an option."""
        return self._progress("choose", lambda: self._engine.choose(option))

    def observe(self) -> Observation:
        """The state now."""
        return self._checked("observe", Observation, self._engine.observe)

    def close(self) -> None:
        """The last call."""
        self._call("close", self._engine.close)

    def play(self, board: Board, script: Sequence[int]) -> tuple[Event, ...]:
        """A whole duel at once, for engines with the ability.

        Raises:
            EngineProtocolError: the engine has no such method.
        """
        play: Callable[[Board, Sequence[int]], tuple[Event, ...]] | None = getattr(self._engine, "play", None)
        if play is None:
            raise EngineProtocolError("the engine declares the ability 'play' but has no method play(board, script)")
        events = self._checked("play", tuple[Event, ...], lambda: play(board, script))
        if self._validate:
            _keep_promise("play", broken_in_duel(events))
        return events

    def _progress(self, name: str, call: Callable[[], Progress]) -> Progress:
        progress = self._checked(name, Progress, call)
        if self._validate:
            _keep_promise(name, broken_in_progress(progress))
        return progress

    def _checked(self, name: str, kind: type[T], call: Callable[[], T]) -> T:
        answer = self._call(name, call)
        if not self._validate:
            return answer
        try:
            return msgspec.json.decode(msgspec.json.encode(answer), type=kind)
        except (msgspec.ValidationError, TypeError, ValueError, OverflowError) as error:
            raise EngineProtocolError(f"{name}() returned something that is no {_named(kind)}: {error}") from None

    def _call(self, name: str, call: Callable[[], T]) -> T:
        return call_foreign(f"{name}()", call, self._timeout, EngineCrash)


def _keep_promise(name: str, broken: str | None) -> None:
    if broken is not None:
        raise EngineProtocolError(f"the answer of {name}() breaks the contract: {broken}")


def _named(kind: object) -> str:
    return getattr(kind, "__name__", str(kind)) if not str(kind).startswith("tuple") else "tuple of events"
