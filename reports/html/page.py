"""What stands on the page: runs across, rules and rulings down, and a dossier for each of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import quote

from reports.html.captions import capitalised
from reports.model import Citation, Course, Finding, Report, RuleResult, RulingResult, Standing, Verdict
from reports.standings import standing_told
from reports.text import counted, one_line

Kind = Literal["rule", "ruling", "failure"]

SYMBOLS: dict[Verdict, str] = {
    "violated": "✗",
    "conforms": "✓",
    "not-observed": "○",
    "unsupported": "–",
    "undecided": "?",
}
"""Verdicts in the order of their urgency, told apart without colour."""

VERDICT_WORDS: dict[Verdict, str] = {
    "violated": "violated",
    "conforms": "conforms",
    "not-observed": "not observed",
    "unsupported": "unsupported",
    "undecided": "undecided",
}

SECTIONS: dict[str, str] = {
    "BP": "The Battle Phase and its steps",
    "AT": "Attack declaration",
    "RP": "Replay",
    "DS": "The Damage Step and its timings",
    "DA": "What may be activated in the Damage Step",
    "CH": "Chains and priority",
    "DC": "Damage calculation",
    "BD": "Monsters determined to be destroyed",
    "EC": "Damage calculation by an effect",
    "GN": "What any board must respect",
    "IV": "The engine as a program",
}
"""By the first part of a rule's id."""


@dataclass(frozen=True, slots=True)
class Run:
    """A column: one report. ``number`` counts from 1."""

    number: int
    report: Report

    @property
    def name(self) -> str:
        """The engine's name for itself."""
        return one_line(self.report.header.engine.name, 80)

    @property
    def version(self) -> str:
        """The engine's version in its own words."""
        return one_line(self.report.header.engine.version, 40)

    @property
    def label(self) -> str:
        """Name and version."""
        return f"{self.name} {self.version}"

    @property
    def tally(self) -> list[tuple[Verdict, int]]:
        """How many rules have each verdict, the urgent ones first."""
        counts = Counter(rule.verdict for rule in self.report.rules)
        return [(verdict, counts[verdict]) for verdict in SYMBOLS if counts[verdict]]

    @property
    def rulings_tally(self) -> list[tuple[Verdict, int]]:
        """The same of rulings."""
        counts = Counter(ruling.verdict for ruling in self.report.rulings)
        return [(verdict, counts[verdict]) for verdict in SYMBOLS if counts[verdict]]

    @property
    def result(self) -> tuple[Verdict, str]:
        """The run in a sentence, and the verdict whose colour it has. A run that was cut short never counts as conforming."""
        report = self.report
        cut = ""
        if not report.is_complete:
            reason = report.footer.reason if report.footer is not None else None
            cut = f"Incomplete: {one_line(reason or 'the run did not reach its end')}."
        if report.is_refused:
            found = "Violations found." if report.gate is None else "Not as the baseline has it."
            return "violated", f"{found} {cut}".strip()
        if cut:
            return "not-observed", cut
        if report.is_violated:
            return "not-observed", "No new violations."
        if any(rule.verdict == "not-observed" for rule in report.rules):
            return "not-observed", "No violations found, but some rules were hardly at stake, or never."
        return "conforms", "No violations found."

    @property
    def facts(self) -> tuple[str, ...]:
        """How much was played, when and how."""
        header, footer = self.report.header, self.report.footer
        played = [] if footer is None else [f"{counted(footer.examples, 'duel')} in {footer.seconds:.1f} s"]
        started = header.started[:16].replace("T", " ")
        ruleset = f"Ruleset {one_line(header.told_ruleset, 100)}"
        return (ruleset, *played, f"seed {header.seed}", f"{started} UTC", f"duelproof {one_line(header.suite_version, 40)}")


@dataclass(frozen=True, slots=True)
class Case:
    """One duel in which something is wrong. ``number`` counts the cases of its dossier from 1; ``film`` is its element's id."""

    number: int
    run: Run
    heading: str
    expected: str | None
    happened: tuple[str, ...]
    story: str
    course: Course | None
    film: str
    minimal: bool = True
    file: str | None = None
    replay: str | None = None
    standing: str | None = None


@dataclass(frozen=True, slots=True)
class Cell:
    """One verdict of the matrix. ``count``: how often a rule was at stake; None for rulings."""

    run: Run
    verdict: Verdict
    count: int | None = None
    reason: str | None = None
    severity: str = "must"
    case: int | None = None

    @property
    def symbol(self) -> str:
        """The verdict as one character."""
        return SYMBOLS[self.verdict]

    @property
    def words(self) -> str:
        """The verdict in words."""
        return VERDICT_WORDS[self.verdict]


@dataclass(slots=True)
class Dossier:
    """A row of the matrix and everything behind it. ``cells`` has one per run, None where the run did not ask."""

    kind: Kind
    id: str
    title: str
    statement: str = ""
    documents: tuple[Citation, ...] = ()
    cells: list[Cell | None] = field(default_factory=list)
    cases: list[Case] = field(default_factory=list)

    @property
    def anchor(self) -> str:
        """Its element's id."""
        return f"{self.kind}={self.id}"

    @property
    def link(self) -> str:
        """The fragment that leads to it."""
        return f"#{self.kind}={quote(self.id, safe='')}"

    @property
    def section(self) -> str:
        """What rules it belongs with."""
        prefix = self.id.split("-")[0]
        return SECTIONS.get(prefix, prefix)

    @property
    def is_should(self) -> bool:
        """Whether any ruleset only recommends it."""
        return any(cell is not None and cell.severity == "should" for cell in self.cells)

    @property
    def differs(self) -> bool:
        """Whether the runs disagree."""
        return len({None if cell is None else cell.verdict for cell in self.cells}) > 1

    @property
    def tags(self) -> str:
        """What filters ask for, separated by spaces."""
        tags = {cell.verdict for cell in self.cells if cell is not None}
        extra = [name for name, holds in (("should", self.is_should), ("differs", self.differs)) if holds]
        return " ".join((*sorted(tags), *extra))

    @property
    def haystack(self) -> str:
        """What the search box looks through."""
        cases = (" ".join((case.expected or "", *case.happened)) for case in self.cases)
        documents = (f"{citation.document} {citation.title}" for citation in self.documents)
        return " ".join((self.id, self.title, self.statement, *documents, *cases)).lower()


@dataclass(slots=True)
class Page:
    """The whole page."""

    runs: list[Run]
    rules: list[Dossier]
    rulings: list[Dossier]
    failures: list[Dossier]

    @property
    def dossiers(self) -> list[Dossier]:
        """Everything one can look up, in the order of the page."""
        return [*self.rules, *self.rulings, *self.failures]

    @property
    def sections(self) -> list[tuple[str, list[Dossier]]]:
        """Rules that belong together."""
        sections: dict[str, list[Dossier]] = {}
        for rule in self.rules:
            sections.setdefault(rule.section, []).append(rule)
        return list(sections.items())

    @property
    def filters(self) -> list[tuple[str, str, int]]:
        """The filters that would leave something, with how many rules and rulings each leaves."""
        tags = Counter(tag for dossier in (*self.rules, *self.rulings) for tag in dossier.tags.split())
        words = [*VERDICT_WORDS.items(), ("should", "should"), ("differs", "runs differ")]
        return [(tag, name, tags[tag]) for tag, name in words if tags[tag]]

    @property
    def cases(self) -> Iterator[Case]:
        """All cases."""
        return (case for dossier in self.dossiers for case in dossier.cases)


def page_of(reports: Sequence[Report]) -> Page:
    """The page for these reports, a column each. Rules stand in the order in which the reports name them."""
    runs = [Run(number, report) for number, report in enumerate(reports, start=1)]
    builder = _Builder(runs)
    for run in runs:
        builder.add(run)
    return Page(runs, list(builder.rules.values()), list(builder.rulings.values()), list(builder.failures()))


class _Builder:
    def __init__(self, runs: list[Run]) -> None:
        self._runs = runs
        self.rules: dict[str, Dossier] = {}
        self.rulings: dict[str, Dossier] = {}
        self._films = 0

    def add(self, run: Run) -> None:
        for rule in run.report.rules:
            self._add_rule(run, rule)
        for ruling in run.report.rulings:
            self._add_ruling(run, ruling)

    def failures(self) -> Iterator[Dossier]:
        """Failures of engines that no rule tells of, because it was not asked for."""
        for run in self._runs:
            told = set(map(id, run.report.findings))
            for number, failure in enumerate(run.report.engine_failures, start=1):
                if id(failure.finding) in told or any(failure.finding == finding for finding in run.report.findings):
                    continue
                dossier = Dossier("failure", f"{run.number}.{number}", f"Engine failure: {failure.code}")
                dossier.statement = f"{run.label} failed as a program in {counted(failure.times, 'duel')}."
                dossier.documents = failure.finding.documents
                dossier.cases.append(self._case(dossier, run, failure.finding))
                yield dossier

    def _add_rule(self, run: Run, rule: RuleResult) -> None:
        dossier = self._dossier(self.rules, "rule", rule)
        dossier.statement = dossier.statement or rule.statement
        dossier.documents = dossier.documents or rule.documents
        first = len(dossier.cases) + 1 if rule.violations else None
        dossier.cells[run.number - 1] = Cell(run, rule.verdict, rule.at_stake, rule.reason, rule.severity, first)
        for finding in rule.violations:
            dossier.cases.append(self._case(dossier, run, finding))

    def _add_ruling(self, run: Run, ruling: RulingResult) -> None:
        dossier = self._dossier(self.rulings, "ruling", ruling)
        is_case = ruling.verdict == "violated"
        reason = None if is_case else "; ".join(ruling.problems) or None
        first = len(dossier.cases) + 1 if is_case else None
        dossier.cells[run.number - 1] = Cell(run, ruling.verdict, reason=reason, case=first)
        if is_case:
            dossier.cases.append(
                Case(
                    number=len(dossier.cases) + 1,
                    run=run,
                    heading=run.label,
                    expected=None,
                    happened=tuple(map(capitalised, ruling.problems)),
                    story=ruling.story,
                    course=ruling.course,
                    film=self._film(),
                    file=ruling.file,
                    replay=ruling.replay,
                    standing=_standing(ruling.standing),
                )
            )

    def _dossier(self, known: dict[str, Dossier], kind: Kind, of: RuleResult | RulingResult) -> Dossier:
        name = one_line(of.id)
        if name not in known:
            known[name] = Dossier(kind, name, of.title, cells=[None] * len(self._runs))
        return known[name]

    def _case(self, dossier: Dossier, run: Run, finding: Finding) -> Case:
        return Case(
            number=len(dossier.cases) + 1,
            run=run,
            heading=run.label,
            expected=capitalised(finding.expected),
            happened=(capitalised(finding.happened),),
            story=finding.story,
            course=finding.course,
            film=self._film(),
            minimal=finding.minimal or finding.duel is None,
            file=finding.file,
            replay=finding.replay,
            standing=_standing(finding.standing),
        )

    def _film(self) -> str:
        self._films += 1
        return f"film-{self._films}"


def _standing(standing: Standing | None) -> str | None:
    return None if standing is None else capitalised(standing_told(standing))
