"""An engine that is asked for one ruleset and judged by another: how `--ruleset auto` finds out what it really plays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import cast

from msgspec import structs

from engine_protocol.board import Board, Observation
from engine_protocol.engine import Engine, EngineInfo, PlayingEngine, Progress
from engine_protocol.events import Event


class AskedFor:
    """Hands everything on; boards of any ruleset reach the engine as boards of the ruleset that it is asked for.

    Args:
        engine: the engine under test, which claims that ruleset.
        ruleset: the ruleset that it is told.
    """

    def __init__(self, engine: Engine, ruleset: str) -> None:
        self._engine = engine
        self._ruleset = ruleset

    def initialize(self) -> EngineInfo:
        """Handed on."""
        return self._engine.initialize()

    def start(self, board: Board) -> Progress:
        """Handed on, with the other ruleset."""
        return self._engine.start(self._told(board))

    def choose(self, option: int) -> Progress:
        """Handed on."""
        return self._engine.choose(option)

    def observe(self) -> Observation:
        """Handed on."""
        return self._engine.observe()

    def close(self) -> None:
        """Handed on."""
        self._engine.close()

    def play(self, board: Board, script: Sequence[int]) -> tuple[Event, ...]:
        """Handed on, with the other ruleset; asked only of engines that can."""
        return cast("PlayingEngine", self._engine).play(self._told(board), script)

    def _told(self, board: Board) -> Board:
        return structs.replace(board, ruleset=self._ruleset)
