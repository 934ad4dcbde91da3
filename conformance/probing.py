"""What no single trace shows: the same choices lead to the same duel (IV-1), what is not offered is refused (IV-2), and the state
that an engine tells is the one that its events have led to (GN-2).
"""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from conformance.problems import Problem, problem_of_violation
from engine_protocol.board import Board, Observation
from engine_protocol.decisions import Decision
from engine_protocol.driver import Chooser, drive
from engine_protocol.engine import Engine, EngineInfo, Progress
from engine_protocol.errors import EngineError, OptionNotOffered
from engine_protocol.trace import Trace
from oracles.invariants import changes, disagreement, first_difference

ATTEMPTS = 4
"""In so many decisions of a duel, at most, something is chosen that was not offered."""

REPETITIONS = 5
"""So often a duel is repeated before a difference is put down to a refusal."""


class Probe(Struct, frozen=True):
    """What probing brought. ``broken``: the engine failed and must be started anew."""

    repeated: int
    refused: int
    problem: Problem | None = None
    broken: bool = False


def probe(engine: Engine, trace: Trace, choosers: Callable[[], Chooser], *, whole: bool = False) -> Probe:
    """Play the duel of a trace again, twice: as it was, and with choices in between that were not offered.

    Args:
        engine: the engine that made the trace.
        trace: the duel as it went.
        choosers: makes a chooser that takes the choices of that duel.
        whole: the trace was made by ``play``.
    """
    intruder = Intruder(engine, every=max(1, len(trace.decisions()) // ATTEMPTS))
    try:
        problem = _repeat(engine, trace, choosers, whole=whole) or _disturb(intruder, engine, trace, choosers)
    except Intrusion as intrusion:
        return Probe(1, intruder.attempts, intrusion.problem, broken=True)
    except EngineError as error:
        problem = _refusal(f"afterwards the engine failed: {error}") if intruder.attempts else _differs(None, _failed(error))
        return Probe(1, intruder.attempts, problem, broken=True)
    return Probe(1, intruder.attempts, problem)


def _repeat(engine: Engine, trace: Trace, choosers: Callable[[], Chooser], *, whole: bool) -> Problem | None:
    """Play it again, choice by choice, and ask for the state it ends in."""
    again = drive(engine, trace.board, choosers())
    violation = disagreement(again, engine.observe())
    difference = _difference(trace, again)
    if difference is None and violation is not None:
        return problem_of_violation(violation)
    if difference is not None and whole and drive(engine, trace.board, choosers()).events == again.events:
        return _differs(difference.at, "play() and the same choices one by one lead to different duels")
    return difference


def _disturb(intruder: Intruder, engine: Engine, trace: Trace, choosers: Callable[[], Chooser]) -> Problem | None:
    """Play it again with choices in between that were not offered."""
    if drive(intruder, trace.board, choosers()).events == trace.events:
        return None
    # An engine that plays by chance must not be blamed for how it refuses.
    for _ in range(REPETITIONS):
        difference = _difference(trace, drive(engine, trace.board, choosers()))
        if difference is not None:
            return difference
    return _refusal("it was refused, but the rest of the duel went differently")


class Intrusion(Exception):
    """A choice that was not offered was not properly refused."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.happened)
        self.problem = problem


class Intruder:
    """An engine that hands everything on, and at every so-manieth decision tries options that are not there."""

    def __init__(self, engine: Engine, every: int) -> None:
        self._engine = engine
        self._every = every
        self._asked = 0
        self._open: Decision | None = None
        self.attempts = 0

    def initialize(self) -> EngineInfo:
        """Handed on."""
        return self._engine.initialize()

    def start(self, board: Board) -> Progress:
        """Handed on."""
        progress = self._engine.start(board)
        self._open = progress.decision
        return progress

    def choose(self, option: int) -> Progress:
        """Handed on, after the attempts.

        Raises:
            Intrusion: an attempt was not refused as it must be.
        """
        if self._asked % self._every == 0 and self._open is not None:
            self._intrude(len(self._open.options))
        self._asked += 1
        progress = self._engine.choose(option)
        self._open = progress.decision
        return progress

    def observe(self) -> Observation:
        """Handed on."""
        return self._engine.observe()

    def close(self) -> None:
        """Handed on."""
        self._engine.close()

    def _intrude(self, options: int) -> None:
        before = self._engine.observe()
        for wrong in (options, -1):
            self.attempts += 1
            try:
                self._engine.choose(wrong)
            except OptionNotOffered:
                continue
            except EngineError as error:
                raise Intrusion(_refusal(f"option {wrong} of {options} was answered otherwise: {error}")) from None
            raise Intrusion(_refusal(f"option {wrong} was taken, although there were {options} (they count from 0)"))
        for change in changes(before, self._engine.observe()):
            raise Intrusion(_refusal(f"it was refused, but observe() tells another state afterwards: {change}"))


def _difference(first: Trace, second: Trace) -> Problem | None:
    difference = first_difference(first, second)
    return None if difference is None else _differs(difference.at, str(difference))


def _differs(at: int | None, happened: str) -> Problem:
    expected = "the same board and choices lead to the same events"
    return Problem(rule="IV-1", expected=expected, happened=happened, at=at, code="non-deterministic")


def _refusal(happened: str) -> Problem:
    return Problem(rule="IV-2", expected="a choice that is not offered is refused and changes nothing", happened=happened)


def _failed(error: EngineError) -> str:
    return f"the second time the engine failed: {error}"
