"""From the duel that was found to the smallest that shows the same problem.

First Hypothesis shrinks what it drew, then the reducer makes the duel file 1-minimal. What is the same problem: the same rule, or
the same failure of the engine.
"""

from __future__ import annotations

from contextlib import suppress
from time import monotonic

from hypothesis import Phase, given, seed
from hypothesis.database import InMemoryExampleDatabase
from hypothesis.errors import Flaky
from msgspec import structs

from conformance.engines import START_PATIENCE
from conformance.examiner import PROBED, Examination, Examiner
from conformance.findings import finding_of
from conformance.jobs import Shrink
from conformance.problems import Problem
from conformance.relating import RELATED
from conformance.search import TimeOver, quiet
from engine_protocol.board import Board
from engine_protocol.duel_file import Choice, choices_of
from engine_protocol.rulesets import ruleset_named
from reports.model import Finding
from strategies import Duel, duels
from strategies.reducer import reduce

Choices = tuple[Choice, ...]

SECONDS = 20.0
"""How long one finding may be shrunk."""

FAILURE_SECONDS = 10.0
"""The same for failures of the engine, which are slow to repeat."""

_SHORTEST_TIMEOUT = 0.3
"""Seconds an engine has at least while a hang is made small; a tenth of what it has otherwise."""


class Shows(Exception):
    """The duel shows the problem: what Hypothesis takes for a failing example."""


def shrink(job: Shrink, examiner: Examiner) -> Finding | None:
    """The finding with the smallest duel that could be reached; None if the problem does not show again choice by choice.

    Raises:
        EngineUnavailable: the engine failed and could not be started again.
    """
    if not hangs(job.key):
        return _Shrinking(job, examiner).run()
    timeout = max(_SHORTEST_TIMEOUT, examiner.setup.timeout / 10)
    patience = examiner.setup.patience or examiner.setup.timeout * START_PATIENCE
    with Examiner(structs.replace(examiner.setup, timeout=timeout, patience=patience)) as impatient:
        finding = _Shrinking(job, impatient).run()
    if finding is None or finding.duel is None:
        return finding
    # What took too long for the short patience may be just slow: only the real one counts.
    patient = _Shrinking(job, examiner)
    shown = patient.shown(examiner.choices(finding.duel.board, finding.duel.choices))
    return finding if shown is not None else None


def reduce_duel(board: Board, choices: Choices, key: str, examiner: Examiner, seconds: float) -> Finding | None:
    """Make a duel file 1-minimal: the finding that is left, None if the duel does not show the problem."""
    return _Reducing(key, examiner, monotonic() + seconds).run(board, choices)


def hangs(key: str) -> bool:
    """Whether this is the key of a hang."""
    return " hang " in key


class _Reducing:
    """One reduction of a duel file."""

    def __init__(self, key: str, examiner: Examiner, end: float) -> None:
        self.key = key
        self.examiner = examiner
        self.end = end
        rule = key.split(" ", maxsplit=1)[0]
        self.rules = frozenset({rule})
        self.probing = rule in PROBED or rule in RELATED

    @property
    def late(self) -> bool:
        """Whether the time is over."""
        return monotonic() >= self.end

    def shown(self, examination: Examination) -> Problem | None:
        """The problem, if the duel shows it."""
        return examination.problem(self.key)

    def run(self, board: Board, choices: Choices) -> Finding | None:
        """Reduce, and tell what is left."""
        reduced = reduce(board, choices, self.taken, self.examiner.pool)
        minimal = reduced.minimal and not self.late
        examination = self.play(reduced.board, reduced.choices)
        problem = self.shown(examination)
        if problem is None:
            return None
        return structs.replace(finding_of(problem, examination.trace, reduced.choices), minimal=minimal)

    def taken(self, board: Board, choices: Choices) -> Choices | None:
        """What the reducer asks: the choices that were taken, if the problem still shows."""
        if self.late:
            return None
        examination = self.play(board, choices)
        if self.shown(examination) is None or examination.trace is None:
            return None
        return choices_of(examination.trace)

    def play(self, board: Board, choices: Choices) -> Examination:
        """Play a duel file and judge what matters."""
        return self.examiner.choices(board, choices, probing=self.probing, rules=self.rules)


class _Shrinking:
    """One shrink job."""

    def __init__(self, job: Shrink, examiner: Examiner) -> None:
        self._job = job
        self._examiner = examiner
        now = monotonic()
        self._half = now + job.seconds / 2
        self._reducing = _Reducing(job.key, examiner, now + job.seconds)
        self._best = job.duel
        self._hangs = hangs(job.key)

    def run(self) -> Finding | None:
        """Hypothesis, then the reducer; of hangs only the reducer, which needs fewer of them."""
        if not self._hangs:
            self._shrink_drawn()
        examination = self._play(self._best, stepwise=True)
        if self.shown(examination) is None or examination.trace is None:
            return None
        return self._reducing.run(examination.trace.board, choices_of(examination.trace))

    def shown(self, examination: Examination) -> Problem | None:
        """The problem, if the duel shows it."""
        return self._reducing.shown(examination)

    def _shrink_drawn(self) -> None:
        """Let Hypothesis shrink the bytes of the duel that was found: they are handed in as a fuzzer would, which puts them into
        the database if the duel shows the problem, and from there they are reused.
        """
        custom_stats = "custom-stats" in self._examiner.info.abilities
        strategy = duels(
            ruleset_named(self._examiner.setup.ruleset), self._examiner.pool, self._job.search.focus, custom_stats=custom_stats
        )

        def test(duel: Duel) -> None:
            self._example(duel)

        shrinking = quiet(database=InMemoryExampleDatabase(), phases=(Phase.reuse, Phase.shrink))
        drawn = shrinking(seed(self._job.search.seed)(given(strategy)(test)))
        try:
            drawn.hypothesis.fuzz_one_input(self._job.duel.drawn)  # type: ignore[attr-defined]
        except TimeOver:
            return
        except Shows:
            with suppress(Shows, Flaky, TimeOver):
                drawn()

    def _example(self, duel: Duel) -> None:
        if monotonic() >= self._half:
            raise TimeOver
        if self.shown(self._play(duel)) is not None:
            if _size(duel) <= _size(self._best):
                self._best = duel
            raise Shows

    def _play(self, duel: Duel, *, stepwise: bool = False) -> Examination:
        reducing = self._reducing
        return self._examiner.script(duel.board, duel.script, probing=reducing.probing, rules=reducing.rules, stepwise=stepwise)


def _size(duel: Duel) -> tuple[int, int, int]:
    return len(duel.board.cards), len(duel.script), sum(duel.script)
