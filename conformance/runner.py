"""A run: searches over all rules in worker processes, the shrinking of what they find, the rulings, and one report."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from datetime import UTC, datetime

from msgspec import structs

from conformance.budget import Budget, Clock
from conformance.examiner import Examiner
from conformance.findings import finding_of
from conformance.folder import FindingsFolder
from conformance.jobs import Broken, Counted, Done, EngineLost, Found, Job, Judged, JudgeRulings, Message, Search, Shrink, Shrunk
from conformance.ledger import Ledger
from conformance.pool import Died, Pool, Worker, job_of
from conformance.problems import problem_of_error
from conformance.rulings import ruling
from conformance.selection import Selection, unsupported
from conformance.setup import Setup
from conformance.shrinking import FAILURE_SECONDS, SECONDS
from conformance.version import suite_version
from conformance.worker import Order
from engine_protocol.errors import EngineCrash
from engine_protocol.trace import Trace
from oracles import RULES
from reports.model import EngineIdentity, Header, Report, RulingResult, Settings

HANGS = 12
"""A run in which the engine has hung so often ends: nothing is learnt by waiting."""

_TICK = 0.1
_GRACE = 0.3
"""Seconds after the time is over in which workers may still tell what they have."""

_RULINGS_A_JOB = 10


class Watcher:
    """What somebody who watches a run is told. Does nothing by itself."""

    def progress(self, done: float, total: float, note: str) -> None:
        """How far the run is, in any unit, and a few words."""

    def changed(self, ledger: Ledger) -> None:
        """A job has come to its end."""

    def broken(self, traceback: str) -> None:
        """A worker failed through a fault of duelproof; the run ends, and what it has brought is reported."""


class Run:
    """One run on one engine.

    Args:
        setup: the engine and the rules; the rules are those of the selection.
        selection: which rules and rulings.
        budget: how long.
        workers: how many processes.
        folder: where counterexamples are written.
        watcher: who is told about progress.
    """

    def __init__(
        self, setup: Setup, selection: Selection, budget: Budget, workers: int, folder: FindingsFolder, watcher: Watcher
    ) -> None:
        self._setup = setup
        self._selection = selection
        self._budget = budget
        self._workers = workers
        self._folder = folder
        self._watcher = watcher
        self._clock = Clock(budget.seconds)
        self._retries: deque[Order] = deque()
        self._searches = budget.searches(selection)
        self._next: Search | None = None
        self._shrinking: set[str] = set()
        self._cut: str | None = None
        self._stopped = False
        names = selection.rulings
        self._rulings: deque[Job] = deque(
            JudgeRulings(names=names[at : at + _RULINGS_A_JOB]) for at in range(0, len(names), _RULINGS_A_JOB)
        )

    def execute(self) -> Report:
        """Run to the end, or until ^C, and report.

        Raises:
            EngineUnavailable: the engine cannot be used at all.
            InputError: a counterexample cannot be written.
        """
        ledger = self._begin()
        try:
            with Pool(self._setup, self._workers) as pool:
                self._loop(pool, ledger)
        except KeyboardInterrupt:
            self._cut = "it was interrupted"
        return ledger.report(ledger.footer(self._clock.elapsed, self._cut))

    def _begin(self) -> Ledger:
        """Ask the engine who it is, and open the ledger."""
        with Examiner(self._setup) as examiner:
            info = examiner.info
            reasons = {rule: unsupported(RULES[rule], examiner) for rule in self._selection.rules}
        header = Header(
            suite_version=suite_version(),
            engine=EngineIdentity(name=info.name, version=info.version, homepage=info.homepage),
            ruleset=self._setup.ruleset,
            asked=self._setup.asked,
            seed=self._budget.seed,
            settings=Settings(
                rules=self._selection.rules,
                examples=None if self._budget.seconds is not None else self._budget.examples,
                seconds=self._budget.seconds,
                workers=self._workers,
                floor=self._budget.floor,
            ),
            started=datetime.now(UTC).isoformat(timespec="seconds"),
        )
        return Ledger(header, self._selection, {rule: reason for rule, reason in reasons.items() if reason is not None})

    def _loop(self, pool: Pool, ledger: Ledger) -> None:
        while not self._stopped:
            for worker in pool.idle:
                order = self._order(pool, ledger)
                if order is None:
                    break
                worker.give(order)
            if not pool.jobs:
                break
            for worker, message in pool.messages(_TICK):
                self._take(worker, message, ledger)
            self._show(ledger)
            if self._clock.is_over and not self._ends_soon(pool):
                break
        if self._rulings and self._cut is None:
            self._cut = "the time was over before every ruling was played"

    def _ends_soon(self, pool: Pool) -> bool:
        """Once the time is over: whether workers may still be waited for."""
        seconds = self._budget.seconds
        return bool(pool.jobs) and seconds is not None and self._clock.elapsed < seconds + _GRACE

    def _order(self, pool: Pool, ledger: Ledger) -> Order | None:
        """What an idle worker does next; None if there is nothing to do at the moment."""
        if self._retries:
            return self._retries.popleft()
        if self._clock.is_over:
            return None
        if self._rulings:
            return Order(job=self._rulings.popleft())
        shrink = next(self._shrinks(pool, ledger), None)
        if shrink is not None:
            self._shrinking.add(shrink.key)
            return Order(job=shrink)
        search = self._upcoming()
        if search is None:
            return None
        self._next = None
        return Order(job=structs.replace(search, seconds=self._clock.left))

    def _upcoming(self) -> Search | None:
        """The next search, which stays the next until it is given out."""
        if self._next is None:
            self._next = next(self._searches, None)
        return self._next

    def _shrinks(self, pool: Pool, ledger: Ledger) -> Iterator[Shrink]:
        """What waits to be shrunk.

        A run by examples first ends all searches, so that which duel is shrunk does not depend on which worker was faster. A run
        by time does it at once, lest the time be over.
        """
        if not self._budget.shrinking:
            return
        if self._budget.seconds is None and (self._upcoming() is not None or any(isinstance(job, Search) for job in pool.jobs)):
            return
        for key, candidate in list(ledger.candidates.items()):
            if key in self._shrinking or candidate.finding.duel is None:
                continue
            most = SECONDS if candidate.found.problem.code is None else FAILURE_SECONDS
            left = self._clock.left
            seconds = most if left is None else min(most, left)
            yield Shrink(key=key, search=candidate.search, duel=candidate.found.duel, seconds=seconds)

    def _take(self, worker: Worker, message: Message | Died, ledger: Ledger) -> None:
        match message:
            case Counted():
                # What a search tells again after a worker has died was counted before.
                if worker.order is not None and not worker.order.announce:
                    ledger.count(message)
                if ledger.hangs >= HANGS:
                    self._stop(f"the engine hung in {ledger.hangs} duels")
            case Found():
                self._found(message, job_of(worker), ledger)
            case Shrunk():
                candidate = ledger.improve(message.key, message.finding)
                candidate.finding = self._folder.save(candidate.found.problem, message.finding)
            case Judged():
                ledger.judge(message.result)
            case Done():
                self._cut = self._cut or message.cut
                worker.order = None
                self._watcher.changed(ledger)
            case EngineLost():
                self._stop(message.reason)
            case Broken():
                self._watcher.broken(message.traceback)
                self._stop(f"duelproof itself failed: {message.traceback.splitlines()[-1]}")
            case Died():
                self._died(worker, message, ledger)

    def _found(self, found: Found, job: Job, ledger: Ledger) -> None:
        assert isinstance(job, Search)
        candidate = ledger.find(found, job)
        if candidate is not None:
            candidate.finding = self._folder.save(found.problem, candidate.finding)

    def _died(self, worker: Worker, died: Died, ledger: Ledger) -> None:
        """A worker's process ended: the engine took it down. The job is done again to learn in which duel, and how it goes on."""
        if worker.order is None:
            self._stop(f"a worker could not be kept alive (exit code {died.exit_code})")
            return
        happened = f"the engine took the process down it ran in (exit code {died.exit_code})"
        match worker.order.job:
            case Search() as search:
                if not died.announcing:
                    self._retries.append(Order(job=search, announce=True))
                elif died.duel is not None:
                    problem = problem_of_error(EngineCrash(happened))
                    # Trying this duel again would only end more workers.
                    self._shrinking.add(problem.key)
                    finding = finding_of(problem, Trace(died.duel.board, ()))
                    self._found(Found(problem=problem, duel=died.duel, finding=finding), search, ledger)
                    self._cut = self._cut or happened
            case JudgeRulings(names=(name,)):
                ledger.judge(RulingResult(id=name, title=ruling(name).title, verdict="violated", problems=(happened,)))
            case JudgeRulings(names=names):
                self._rulings.extend(JudgeRulings(names=(name,)) for name in names)

    def _stop(self, reason: str) -> None:
        self._cut = self._cut or reason
        self._stopped = True

    def _show(self, ledger: Ledger) -> None:
        found = len(ledger.candidates)
        note = f"{ledger.examples:,} duels" + (f", {found} found" if found else "")
        if self._budget.seconds is not None:
            self._watcher.progress(min(self._clock.elapsed, self._budget.seconds), self._budget.seconds, note)
        else:
            total = len(self._selection.focuses) * (self._budget.examples or 0)
            self._watcher.progress(ledger.examples, total, note)
