"""Searching for duels that break rules: random duels by Hypothesis, played and judged one after the other.

Nothing is raised for a duel that breaks a rule: it is told and the search goes on, so that one broken rule never hides another,
and so that the counts of what was at stake come from random duels only, not from shrinking.
"""

from __future__ import annotations

import gc
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import ceil
from time import monotonic
from typing import Any

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings
from hypothesis.strategies import DrawFn, SearchStrategy, composite

from conformance.alarm import attended
from conformance.examiner import Examination, Examiner, Played
from conformance.findings import finding_of
from conformance.jobs import Counted, Done, Found, Message, Playing, Search
from conformance.problems import Problem
from engine_protocol.errors import EngineError
from engine_protocol.rulesets import ruleset_named
from strategies import Duel, batches

Tell = Callable[[Message], None]
Batch = tuple[Duel, ...]

TELL_EVERY = 0.2
"""Seconds between two messages about progress."""

BATCH = 20
"""Duels in one draw. Hypothesis needs as long for a draw as an engine for a duel, whatever the draw holds."""

FAILURES = 12
"""A search in which the engine has failed so often ends: it will not say anything new. A hang, being slow, weighs several."""

HANG_WEIGHT = 4


class TimeOver(BaseException):
    """Leaves a Hypothesis run at once. No ``Exception``, which Hypothesis would take for a failing example."""


def search(job: Search, examiner: Examiner, tell: Tell, *, announce: bool = False) -> Done:
    """Play the job's duels; findings and counts are told as they come.

    Args:
        job: what to do.
        examiner: the engine under test.
        tell: where findings and counts go.
        announce: say before each duel that it is played next.

    Raises:
        EngineUnavailable: the engine failed and could not be started again.
    """
    running = _Search(job, examiner, tell, announce=announce)
    try:
        with rare_collections(), attended():
            run_examples(job, running.strategy, running.batch)
    except TimeOver:
        pass
    finally:
        running.report()
    return Done(cut=running.cut)


@contextmanager
def rare_collections() -> Iterator[None]:
    """Let the garbage collector look seldom, and not at what was there before: duels leave few cycles behind, and looking through
    the whole suite between any two of them takes a tenth of the time.
    """
    before = gc.get_threshold()
    gc.freeze()
    gc.set_threshold(50_000, 20, 50)
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()


def run_examples(job: Search, strategy: SearchStrategy[Batch], play: Callable[[Batch], None]) -> None:
    """Run a test function on the job's random duels, batch by batch; its exceptions come through."""

    def test(batch: Batch) -> None:
        play(batch)

    # In the first batch that Hypothesis draws all duels are the smallest.
    generating = quiet(max_examples=1 + ceil((job.examples - 1) / BATCH), phases=(Phase.generate,))
    seed(job.seed)(generating(given(strategy)(test)))()


def quiet(**options: Any) -> settings:
    """Settings of Hypothesis for a run that nobody watches and that leaves nothing behind.

    Args:
        options: more of them, as for :class:`hypothesis.settings`.
    """
    unattended: dict[str, Any] = {
        "deadline": None,
        "database": None,
        "derandomize": False,
        "print_blob": False,
        "report_multiple_bugs": False,
        "verbosity": Verbosity.quiet,
        "suppress_health_check": list(HealthCheck),
    }
    return settings(**unattended | options)


class _Search:
    """A search while it runs: what was found and counted since it was last told."""

    def __init__(self, job: Search, examiner: Examiner, tell: Tell, *, announce: bool) -> None:
        self._job = job
        self._examiner = examiner
        self._tell = tell
        self._announce = announce
        self._ahead = "play" in examiner.info.abilities and not announce
        self._end = None if job.seconds is None else monotonic() + job.seconds
        self._known: set[str] = set()
        self._played = 0
        self._failed = 0
        self.cut: str | None = None
        custom_stats = "custom-stats" in examiner.info.abilities
        self.strategy = self._counted(
            batches(ruleset_named(examiner.setup.ruleset), examiner.pool, job.focus, size=BATCH, custom_stats=custom_stats)
        )
        self._forget()

    def batch(self, batch: Batch) -> None:
        """Play these duels, each once, up to the number that was asked for; the others count neither as drawn nor as played.

        First they are played, then they are judged: a processor does more of one kind of work at a time faster. What fails is
        judged at once.
        """
        self._draws -= len(batch)
        distinct = list({duel.drawn: duel for duel in batch}.values())
        waiting: list[tuple[Duel, Played]] = []
        for duel in distinct[: self._job.examples - self._played]:
            if self._end is not None and monotonic() >= self._end:
                self._judge(waiting)
                raise TimeOver
            if not self._ahead:
                self._example(duel)
                continue
            played = self._examiner.play(duel.board, duel.script)
            waiting.append((duel, played))
            if isinstance(played, EngineError):
                self._judge(waiting)
                waiting.clear()
        self._judge(waiting)

    def _judge(self, waiting: list[tuple[Duel, Played]]) -> None:
        for duel, played in waiting:
            self._example(duel, played)

    def _example(self, duel: Duel, played: Played | None = None) -> None:
        if self._announce:
            self._tell(Playing(duel=duel))
        every = self._job.probe_every
        probing = bool(every) and self._played % every == 1 % every  # not the first duel, which is the smallest in any search
        self._draws += 1
        self._played += 1
        self._examples += 1
        examination = self._examiner.script(duel.board, duel.script, played=played, probing=probing, about=self._job.focus)
        for rule, times in examination.at_stake.items():
            if times:
                self._at_stake[rule] += times
        self._unsupported += examination.unsupported is not None
        for problem in examination.problems:
            self._take(problem, duel, examination)
        if self._failed >= FAILURES:
            self.cut = "the engine failed in too many duels"
            raise TimeOver
        if monotonic() - self._told >= TELL_EVERY:
            self.report()

    def report(self) -> None:
        """Tell the counts since the last time."""
        if self._draws:
            self._tell(
                Counted(
                    examples=self._examples,
                    draws=self._draws,
                    at_stake=dict(self._at_stake),
                    failures=dict(self._failures),
                    unsupported=self._unsupported,
                )
            )
        self._forget()

    def _take(self, problem: Problem, duel: Duel, examination: Examination) -> None:
        if problem.code is not None:
            self._failures[problem.key] += 1
            self._failed += HANG_WEIGHT if problem.code == "hang" else 1
        if problem.key not in self._known:
            self._known.add(problem.key)
            trace = examination.trace
            if trace is None:
                # The engine failed inside `play`, which tells nothing of how far it came.
                trace = self._examiner.script(duel.board, duel.script, stepwise=True).trace
            self._tell(Found(problem=problem, duel=duel, finding=finding_of(problem, trace)))

    def _forget(self) -> None:
        self._told = monotonic()
        self._examples = self._draws = self._unsupported = 0
        self._at_stake: Counter[str] = Counter()
        self._failures: Counter[str] = Counter()

    def _counted(self, strategy: SearchStrategy[Batch]) -> SearchStrategy[Batch]:
        """The same duels; the draws are counted, those that are discarded among them."""

        @composite
        def counted(draw: DrawFn) -> Any:
            self._draws += BATCH
            return draw(strategy)

        return counted()
