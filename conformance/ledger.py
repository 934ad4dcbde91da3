"""What a run has brought so far, and the report it makes at any moment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from conformance.findings import citations_of, title_of
from conformance.jobs import Counted, Found, Search
from conformance.selection import Selection
from oracles import RULES
from reports.model import EngineFailure, Finding, Footer, Header, Report, RuleResult, RulingResult, Verdict

DISTINCT_FAILURES = 5
"""So many different failures of the engine are shown; an engine's last words can differ in endless ways."""


class Candidate:
    """The first duel that showed a problem, and the finding as it is now: as found, or already small."""

    def __init__(self, found: Found, search: Search) -> None:
        self.found = found
        self.search = search
        self.finding = found.finding
        self.is_shrunk = False

    @property
    def precedence(self) -> tuple[bool, int]:
        """Lower goes first: duels of the rule's own focus, then those of earlier searches, whoever was faster."""
        return self.search.focus != self.found.problem.rule, self.search.number


class Ledger:
    """Counts and findings of a run.

    Args:
        header: the head of the report.
        selection: what the run is about.
        unsupported: by rule, why it cannot be checked.
    """

    def __init__(self, header: Header, selection: Selection, unsupported: dict[str, str]) -> None:
        self._header = header
        self._selection = selection
        self._unsupported = unsupported
        self._at_stake: Counter[str] = Counter()
        self._failures: Counter[str] = Counter()
        self._rulings: dict[str, RulingResult] = {}
        self.examples = 0
        self._draws = 0
        self._refused = 0
        self.candidates: dict[str, Candidate] = {}

    def count(self, counted: Counted) -> None:
        """More duels were played."""
        self.examples += counted.examples
        self._draws += counted.draws
        self._refused += counted.unsupported
        self._at_stake.update(counted.at_stake)
        self._failures.update(counted.failures)

    def find(self, found: Found, search: Search) -> Candidate | None:
        """A problem was found: its candidate, if that is news."""
        key = found.problem.key
        candidate = Candidate(found, search)
        known = self.candidates.get(key)
        if known is None:
            same_code = sum(found.problem.code == other.found.problem.code for other in self.candidates.values())
            if found.problem.code is not None and same_code >= DISTINCT_FAILURES:
                return None
        elif known.is_shrunk or candidate.precedence >= known.precedence:
            return None
        self.candidates[key] = candidate
        return candidate

    def improve(self, key: str, finding: Finding) -> Candidate:
        """The smallest duel for a problem is known."""
        candidate = self.candidates[key]
        candidate.finding, candidate.is_shrunk = finding, True
        return candidate

    def judge(self, result: RulingResult) -> None:
        """An example of the documents was played."""
        self._rulings[result.id] = result

    @property
    def hangs(self) -> int:
        """In how many duels the engine hung."""
        return sum(self._failures[key] for key, candidate in self.candidates.items() if candidate.found.problem.code == "hang")

    def report(self, footer: Footer | None = None) -> Report:
        """The report as it stands."""
        return Report(
            header=self._header,
            rules=tuple(self._rules()),
            rulings=tuple(self._rulings[name] for name in self._selection.rulings if name in self._rulings),
            engine_failures=tuple(self._engine_failures()),
            footer=footer,
            undecided=self._selection.points,
        )

    def footer(self, seconds: float, cut: str | None) -> Footer:
        """The footer of a run that ends now; ``cut`` says by what it was cut short, if it was."""
        discarded = 1 - self.examples / self._draws if self._draws else 0.0
        return Footer(
            complete=cut is None, examples=self.examples, seconds=round(seconds, 3), discarded=round(discarded, 6), reason=cut
        )

    def _rules(self) -> Iterator[RuleResult]:
        """Rules that were judged and rules that the documents leave open, in the order of the catalogue."""
        judged, open_ones = frozenset(self._selection.rules), frozenset(self._selection.undecided)
        for rule in RULES:
            if rule in judged:
                yield self._rule(rule)
            elif rule in open_ones:
                yield self._result(rule, "undecided", reason=RULES[rule].undecided[self._header.ruleset])

    def _rule(self, rule: str) -> RuleResult:
        violations = tuple(candidate.finding for candidate in self._in_order() if candidate.found.problem.rule == rule)
        at_stake, floor = self._at_stake[rule], self._header.settings.floor
        verdict: Verdict = "conforms" if at_stake >= floor else "not-observed"
        reason = self._why_thin(at_stake, floor) if 0 < at_stake < floor else None
        if violations:
            verdict, reason = "violated", None
        elif rule in self._unsupported and not self._at_stake[rule]:
            verdict, reason = "unsupported", self._unsupported[rule]
        elif self._refused * 2 > self.examples and not self._at_stake[rule]:
            # Refused boards count as played; a few of them do not explain that nothing was at stake.
            verdict, reason = "unsupported", f"the engine refused to set up {self._refused} boards"
        return self._result(rule, verdict, violations, reason)

    def _why_thin(self, at_stake: int, floor: int) -> str:
        refused = f"; the engine refused to set up {self._refused} boards" if self._refused else ""
        return f"it was at stake {at_stake} times, and less than {floor} say little{refused}"

    def _result(self, rule: str, verdict: Verdict, violations: tuple[Finding, ...] = (), reason: str | None = None) -> RuleResult:
        return RuleResult(
            id=rule,
            title=title_of(rule),
            verdict=verdict,
            at_stake=self._at_stake[rule],
            violations=violations,
            severity=RULES[rule].severity.get(self._header.ruleset, "should"),
            reason=reason,
            statement=RULES[rule].statement,
            documents=citations_of(rule, self._header.ruleset),
        )

    def _engine_failures(self) -> Iterator[EngineFailure]:
        for candidate in self._in_order():
            code = candidate.found.problem.code
            if code is not None:
                times = max(1, self._failures[candidate.found.problem.key])
                yield EngineFailure(code=code, times=times, finding=candidate.finding)

    def _in_order(self) -> list[Candidate]:
        """Candidates in the order of the catalogue; several of one rule by their key."""
        order = {rule: number for number, rule in enumerate(RULES)}
        return sorted(
            self.candidates.values(),
            key=lambda candidate: (order.get(candidate.found.problem.rule, len(order)), candidate.found.problem.key),
        )
