"""Driving an engine through a duel: by a script of numbers, or by any chooser."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from engine_protocol.board import Board
from engine_protocol.decisions import Decision
from engine_protocol.engine import Engine
from engine_protocol.errors import DuelEndless
from engine_protocol.events import Decided, Event
from engine_protocol.trace import Trace

Chooser = Callable[[Decision], int]
"""Picks the index of an option of a decision."""

DECISION_LIMIT = 2_000
"""More decisions than this in one Battle Phase, and the engine is taken to run in circles (IV-3)."""


def drive(engine: Engine, board: Board, chooser: Chooser) -> Trace:
    """Play one duel, asking the chooser at every decision.

    Raises:
        DuelEndless: the Battle Phase did not end within :data:`DECISION_LIMIT` decisions.
    """
    progress = engine.start(board)
    events: list[Event] = list(progress.events)
    for _ in range(DECISION_LIMIT):
        decision = progress.decision
        if decision is None:
            return Trace(board, tuple(events))
        chosen = chooser(decision)
        progress = engine.choose(chosen)
        events.append(Decided(decision, chosen))
        events.extend(progress.events)
    raise DuelEndless(f"the Battle Phase did not end within {DECISION_LIMIT} decisions")


def scripted(script: Sequence[int]) -> Chooser:
    """A chooser that follows a script: each number modulo the options at hand, 0 when it has run out."""
    numbers = iter(script)
    return lambda decision: next(numbers, 0) % len(decision.options)


def play(engine: Engine, board: Board, script: Sequence[int], *, whole: bool = True) -> Trace:
    """Play one duel by a script, in one exchange where ``whole`` allows it and the engine can."""
    play_whole = getattr(engine, "play", None) if whole else None
    if play_whole is not None:
        return Trace(board, play_whole(board, script))
    return drive(engine, board, scripted(script))
