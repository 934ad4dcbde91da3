"""The report on a terminal: progress while it runs, findings as stories, and the table of rules at the end.

Nothing that came from an engine is ever read as markup. Piped, the same text comes without colour and without progress.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import IO

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.rule import Rule as Line
from rich.table import Table
from rich.text import Text

from reports.model import EngineFailure, Finding, Report, RuleResult, RulingResult, Standing, Verdict
from reports.standings import gate_tally, standing_told
from reports.text import counted, one_line, printable

VERDICT_NAMES: dict[Verdict, str] = {
    "conforms": "conforms",
    "violated": "VIOLATED",
    "not-observed": "not observed",
    "unsupported": "unsupported",
    "undecided": "undecided",
}

_STYLES: dict[Verdict, str] = {
    "conforms": "green",
    "violated": "bold red",
    "not-observed": "yellow",
    "unsupported": "dim",
    "undecided": "dim",
}

_PIPE_WIDTH = 120


def make_console(file: IO[str] | None = None) -> Console:
    """A console for reports; into a pipe it is wide enough for the table."""
    console = Console(file=file, highlight=False, markup=False, emoji=False, soft_wrap=False)
    if not console.is_terminal:
        console.width = _PIPE_WIDTH
    return console


class ProgressLine:
    """One line that says how far a run is; nothing at all when nobody watches."""

    def __init__(self, console: Console, unit: str) -> None:
        self._progress = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(),
            TextColumn("{task.fields[note]}", markup=False),
            TimeElapsedColumn(),
            console=console,
            transient=True,
            disable=not console.is_terminal,
        )
        self._task = self._progress.add_task(f"Checking {one_line(unit, 50)}", total=None, note="")

    def __enter__(self) -> ProgressLine:
        self._progress.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None) -> None:
        self._progress.stop()

    def update(self, done: float, total: float, note: str) -> None:
        """Show ``done`` of ``total`` (any unit) and a few words."""
        self._progress.update(self._task, completed=done, total=total, note=note)


def print_report(report: Report, console: Console) -> None:
    """Findings, rulings that differ, the table of rules, and the result."""
    header = report.header
    console.print(
        f"duelproof {header.suite_version}: {one_line(header.engine.name, 80)} {one_line(header.engine.version, 40)}, "
        f"ruleset {header.told_ruleset}, seed {header.seed}"
    )
    titles = {rule.id: rule.title for rule in report.rules}
    for finding in report.findings:
        if not _is_known(finding.standing):
            print_finding(finding, titles.get(finding.rule, ""), console)
    for ruling in report.violated_rulings:
        if not _is_known(ruling.standing):
            print_ruling(ruling, console)
    console.print(_rule_table(report.rules))
    if report.undecided:
        console.print(_undecided_table(report))
    console.print(_summary(report), style=None)


def print_finding(finding: Finding, title: str, console: Console) -> None:
    """One counterexample: the story, what was expected and happened, and how to see it again."""
    console.print()
    console.print(Line(Text(f"{finding.rule}  {title}", style="bold red"), align="left", style="red"))
    if finding.story:
        console.print(Text(printable(finding.story, 20_000)))
        console.print()
    console.print(_labelled("Expected", finding.expected))
    console.print(_labelled("Happened", finding.happened))
    _print_standing(finding.standing, console)
    for citation in finding.documents:
        where = f", {citation.where}" if citation.where else ""
        console.print(_labelled("Document", f"{citation.document} ({citation.title}){where}"))
    if not finding.minimal and finding.duel is not None:
        console.print("This duel may not be the smallest; `duelproof shrink` tries to make it smaller.", style="dim")
    if finding.replay:
        console.print(Text(f"Replay:   {finding.replay}"), soft_wrap=True)


def print_ruling(ruling: RulingResult, console: Console) -> None:
    """One example of the documents that the engine plays otherwise."""
    console.print()
    console.print(Line(Text(f"Ruling {ruling.id}  {ruling.title}", style="bold red"), align="left", style="red"))
    if ruling.story:
        console.print(Text(printable(ruling.story, 20_000)))
        console.print()
    for problem in ruling.problems:
        console.print(_labelled("Differs", problem))
    _print_standing(ruling.standing, console)


def _is_known(standing: Standing | None) -> bool:
    return standing is not None and standing.is_known


def _print_standing(standing: Standing | None, console: Console) -> None:
    if standing is not None:
        console.print(_labelled("Baseline", standing_told(standing)))


def _labelled(label: str, text: str) -> Text:
    return Text.assemble((f"{label}:".ljust(10), "bold"), printable(text))


def _rule_table(rules: tuple[RuleResult, ...]) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("Rule", no_wrap=True)
    table.add_column("What it says", overflow="ellipsis", no_wrap=True)
    table.add_column("Verdict", no_wrap=True)
    table.add_column("At stake", justify="right", no_wrap=True)
    for before, rule in zip((None, *rules), rules, strict=False):
        if before is not None and _section(before) != _section(rule):
            table.add_section()
        verdict = VERDICT_NAMES[rule.verdict] + (" (should)" if rule.severity == "should" else "")
        at_stake = f"{rule.at_stake:,}" if rule.at_stake else "-"
        table.add_row(rule.id, Text(rule.title), Text(verdict, style=_STYLES[rule.verdict]), at_stake)
    return table


def _undecided_table(report: Report) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("Rule", no_wrap=True)
    table.add_column(f"What the documents of {one_line(report.header.ruleset, 40)} leave undecided, so that any answer is right")
    for point in report.undecided:
        table.add_row(Text(one_line(", ".join(point.rules))), Text(one_line(point.meaning)))
    return table


def _section(rule: RuleResult) -> str:
    return rule.id.split("-")[0]


def _summary(report: Report) -> Text:
    lines = [_tally("rule", [rule.verdict for rule in report.rules])]
    if report.rulings:
        lines.append(_tally("ruling", [ruling.verdict for ruling in report.rulings]))
    lines.extend(_failure_line(failure) for failure in report.engine_failures)
    thin = [rule for rule in report.thin if rule.at_stake]
    if thin:
        ids = ", ".join(rule.id for rule in thin)
        lines.append(f"At stake less than {report.header.settings.floor} times, so little is known: {ids}")
    reasons = {rule: rule.reason for rule in report.rules if rule.reason and rule not in thin}
    lines.extend(f"{rule.id} is {VERDICT_NAMES[rule.verdict]}: {one_line(reason)}" for rule, reason in reasons.items())
    lines.extend(_gate_lines(report))
    footer = report.footer
    if footer is not None:
        lines.append(
            f"{counted(footer.examples, 'duel')} in {footer.seconds:.1f} s ({footer.discarded:.1%} of draws discarded), "
            f"seed {report.header.seed}"
        )
    text = Text("\n".join(lines) + "\n")
    return text.append_text(_result(report))


def _gate_lines(report: Report) -> Iterator[str]:
    """What is known and what is fixed, a line each, and the sum."""
    if report.gate is None:
        return
    for finding in report.all_findings:
        if _is_known(finding.standing):
            yield _known_line(finding.rule, finding.standing)
    for ruling in report.violated_rulings:
        if _is_known(ruling.standing):
            yield _known_line(ruling.id, ruling.standing)
    for stale in report.gate.stale:
        yield f"Fixed:    {one_line(stale.id)}, listed as {one_line(stale.shape, 400)}"
    yield f"Baseline {one_line(report.gate.baseline)}: {gate_tally(report)}"


def _known_line(name: str, standing: Standing | None) -> str:
    assert standing is not None
    until = f" (until {standing.expires})" if standing.expires else ""
    return f"Known:    {one_line(name)}{until}: {one_line(standing.reason)}"


def _result(report: Report) -> Text:
    if report.is_refused:
        if report.gate is not None and all(standing.is_known for standing in report.standings):
            return Text("The baseline lists what is fixed; --update-baseline takes it out.", style="bold red")
        return Text("Violations found." if report.gate is None else "New violations found.", style="bold red")
    if not report.is_complete:
        reason = report.footer.reason if report.footer is not None else None
        return Text(f"Incomplete: {reason or 'the run did not reach its end'}.", style="bold yellow")
    none = "No new violations" if report.is_violated else "No violations"
    if any(rule.verdict == "not-observed" for rule in report.rules):
        return Text(f"{none} found, but some rules were hardly at stake, or never.", style="bold yellow")
    return Text(f"{none} found.", style="bold green")


def _tally(what: str, verdicts: list[Verdict]) -> str:
    counts = Counter(verdicts)
    names = {**VERDICT_NAMES, "conforms": "conform", "violated": "violated"}
    parts = [f"{counts[verdict]} {names[verdict]}" for verdict in VERDICT_NAMES if counts[verdict]]
    return f"{counted(len(verdicts), what)}: {', '.join(parts) or 'none'}"


def _failure_line(failure: EngineFailure) -> str:
    return f"Engine failure, {failure.code}, in {counted(failure.times, 'duel')}: {one_line(failure.finding.happened)}"


def print_rulings(rulings: Sequence[RulingResult], console: Console) -> None:
    """A table of duel files and how they went, and the sum."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("Duel", no_wrap=True)
    table.add_column("What it is about", overflow="ellipsis", no_wrap=True)
    table.add_column("Verdict", no_wrap=True)
    for ruling in rulings:
        verdict = Text(VERDICT_NAMES[ruling.verdict], style=_STYLES[ruling.verdict])
        table.add_row(Text(one_line(ruling.id)), Text(one_line(ruling.title)), verdict)
    console.print(table)
    for ruling in rulings:
        if ruling.verdict in ("unsupported", "undecided"):
            console.print(Text("; ".join((f"{ruling.id} is {VERDICT_NAMES[ruling.verdict]}", *ruling.problems))))
    if len(rulings) == 1:
        for problem in rulings[0].problems:
            console.print(_labelled("Differs", problem))
    console.print(Text(_tally("duel", [ruling.verdict for ruling in rulings])))


def print_rule_list(rules: Sequence[tuple[str, str, str]], console: Console) -> None:
    """Rules by id, title and severity."""
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("Rule", no_wrap=True)
    table.add_column("What it says")
    table.add_column("Severity", no_wrap=True)
    for rule, title, severity in rules:
        table.add_row(rule, Text(title), severity)
    console.print(table)
