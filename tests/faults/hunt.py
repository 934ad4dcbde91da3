"""Looks for a seeded fault as `duelproof check` would: random duels of one rule's focus, then the smallest duel that shows it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

from conformance.budget import DEFAULT_EXAMPLES, PROBE_EVERY, seed_of
from conformance.examiner import Examiner
from conformance.jobs import Found, Message, Playing, Search, Shrink
from conformance.relating import RELATED
from conformance.search import TimeOver, search
from conformance.setup import Setup
from conformance.shrinking import SECONDS, reduce_duel, shrink
from engine_protocol.duel_file import DuelFile
from oracles import RULES
from reports.model import Finding
from strategies import FOCUSED
from tests.faults.fault import Fault

TIMEOUT = 2.0
"""Seconds a faulty engine has for one answer."""

STUCK_AT = 5
"""A duel that has more cards than this can very likely be made smaller from elsewhere."""


@dataclass(frozen=True, slots=True)
class Catch:
    """How the rule that a fault names has caught it.

    ``examples``  random duels until then, that one included
    ``seconds``   the same in time
    ``rules``     the rules among those judged that noticed the fault, in the order in which they did
    ``duel``      the smallest duel that shows it
    ``happened``  what the rule says of it
    ``shrinking`` seconds that it took to make the duel small
    """

    examples: int
    seconds: float
    rules: tuple[str, ...]
    duel: DuelFile
    happened: str
    shrinking: float

    @property
    def cards(self) -> int:
        """Cards on its board."""
        return len(self.duel.board.cards)

    @property
    def choices(self) -> int:
        """Its choices other than passing."""
        return sum(choice.do.kind not in ("pass", "no") for choice in self.duel.choices)


class Hunt:
    """The search for one fault, in the focus of the rule that it names."""

    def __init__(self, fault: Fault) -> None:
        self._fault = fault
        self._job = Search(
            number=0,
            focus=fault.rule if fault.rule in FOCUSED else None,
            seed=seed_of(0, 0, fault.rule),
            examples=DEFAULT_EXAMPLES,
            probe_every=PROBE_EVERY if RULES[fault.rule].by_trace else 1,
        )
        self._until: str | None = None
        self._found: Found | None = None
        self._noticed: list[str] = []
        self._played = self._examples = 0
        self._began = self._seconds = 0.0

    def catch(self) -> Catch | None:
        """Search until the named rule, the only one judged, has noticed; then the reducer alone makes the duel small.
        Where that gets stuck, Hypothesis shrinks first, as in a run of the suite.
        """
        self._until = self._fault.rule
        return self._run(frozenset({self._fault.rule}), self._quickly)

    def catch_with_all_rules(self) -> Catch | None:
        """Play all of the default budget with every rule judged; then make the duel small as a run of the suite does.

        Of the rules that play a duel again on another board, only the named one is: they share what a run plays, in all focuses.
        """
        rules = {rule for rule in RULES if rule not in RELATED or rule == self._fault.rule}
        return self._run(frozenset(rules), self._shrunk)

    def _run(self, rules: frozenset[str], smallest: Callable[[Found, Examiner], Finding | None]) -> Catch | None:
        engine = f"python:tests.faults.engines:{self._fault.name}"
        setup = Setup(engine=engine, rules=rules, ruleset=self._fault.ruleset, timeout=TIMEOUT)
        with Examiner(setup) as examiner:
            self._began = perf_counter()
            search(self._job, examiner, self._told, announce=True)
            if self._found is None:
                return None
            began = perf_counter()
            finding = smallest(self._found, examiner)
            assert finding is not None, "the duel that was found does not show the fault again"
            assert finding.duel is not None
            return Catch(
                examples=self._examples,
                seconds=self._seconds,
                rules=tuple(self._noticed),
                duel=finding.duel,
                happened=finding.happened,
                shrinking=perf_counter() - began,
            )

    def _quickly(self, found: Found, examiner: Examiner) -> Finding | None:
        duel = found.finding.duel
        assert duel is not None
        finding = reduce_duel(duel.board, duel.choices, found.problem.key, examiner, SECONDS)
        if finding is None or finding.duel is None or len(finding.duel.board.cards) > STUCK_AT:
            return self._shrunk(found, examiner)
        return finding

    def _shrunk(self, found: Found, examiner: Examiner) -> Finding | None:
        return shrink(Shrink(key=found.problem.key, search=self._job, duel=found.duel, seconds=SECONDS), examiner)

    def _told(self, message: Message) -> None:
        if isinstance(message, Playing):
            self._played += 1
        elif isinstance(message, Found):
            self._finds(message)

    def _finds(self, found: Found) -> None:
        rule = found.problem.rule
        if rule not in self._noticed:
            self._noticed.append(rule)
        if rule == self._fault.rule and self._found is None:
            self._found = found
            self._examples = self._played
            self._seconds = perf_counter() - self._began
        if rule == self._until:
            raise TimeOver
