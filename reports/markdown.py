"""The report as Markdown, for the summary of a CI job or a comment on a pull request.

Texts of engines are escaped: they make no markup, no links, and call nobody by ``@name``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from reports.model import Finding, Report, RulingResult, Standing, Verdict
from reports.standings import STANDING_NAMES, gate_tally
from reports.terminal import VERDICT_NAMES
from reports.text import counted, one_line, printable
from reports.writing import write_text

LONGEST = 60_000
"""Characters in all; GitHub takes 65,536 in a comment."""

LONGEST_STORY = 6_000

_MARKUP = re.compile(r"([\\`*_\[\]|~<>&#$])")
_CALLING = re.compile(r"(?<=[@#])(?=\w)|(?<=:)(?=//)|(?<=www)(?=\.)", re.IGNORECASE)
"""Where a mention, a reference to an issue or an address would begin."""

_NOTHING = "\u200b"
"""A space of no width, which keeps them apart."""


def write_markdown(report: Report, path: Path) -> None:
    """Write the report as Markdown.

    Raises:
        InputError: the file cannot be written.
    """
    write_text(markdown(report), path, "the Markdown report")


def markdown(report: Report) -> str:
    """The report as Markdown: the result, what fails, what is tolerated or fixed, and every rule in a folded table."""
    head = [*_head(report), *_gate(report), *_rulings(report)]
    tail = [*_rules(report), *_undecided(report)]
    told, left = _within(LONGEST - len("\n\n".join([*head, *tail])) - 200, list(_findings(report)))
    if left:
        told.append(
            f"{counted(left, 'further violation')} would not fit in here; the other forms of the report have all of them."
        )
    return "\n\n".join([*head, *told, *tail]) + "\n"


def escaped(text: str, longest: int = 300) -> str:
    """Foreign text on one line that Markdown shows as it is."""
    return _MARKUP.sub(r"\\\1", _CALLING.sub(_NOTHING, one_line(text, longest))).replace("\\<", "&lt;").replace("\\&", "&amp;")


def code(text: str) -> str:
    """Foreign text as a code span."""
    line = one_line(text, 500)
    fence = "`" * (_longest_run(line) + 1)
    pad = " " if "`" in line else ""
    return f"{fence}{pad}{line}{pad}{fence}"


def block(text: str) -> str:
    """Foreign text as a code block that nothing in it can close."""
    shown = printable(text, LONGEST_STORY)
    fence = "`" * max(3, _longest_run(shown) + 1)
    return f"{fence}text\n{shown}\n{fence}"


def table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; the cells are Markdown already."""
    lines = [titles, ["---"] * len(titles), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def folded(summary: str, body: Sequence[str]) -> list[str]:
    """Parts behind a line that unfolds them; ``summary`` is plain text of our own."""
    return [f"<details><summary>{summary}</summary>", *body, "</details>"]


def _longest_run(text: str) -> int:
    return max((len(run) for run in re.findall("`+", text)), default=0)


def _head(report: Report) -> Iterator[str]:
    header = report.header
    yield f"## {_symbol(report)} duelproof: {escaped(header.engine.name, 80)} {escaped(header.engine.version, 40)}"
    yield f"**{_result(report)}**"
    lines = [f"Rules: {_tally([rule.verdict for rule in report.rules])}"]
    if report.rulings:
        lines.append(f"Rulings: {_tally([ruling.verdict for ruling in report.rulings])}")
    footer = report.footer
    played = "" if footer is None else f", {counted(footer.examples, 'duel')} in {footer.seconds:.1f} s"
    lines.append(f"Ruleset {escaped(header.told_ruleset, 100)}, seed {header.seed}{played}")
    yield "\n".join(f"- {line}" for line in lines)


def _symbol(report: Report) -> str:
    if report.is_refused:
        return "❌"
    return "✅" if report.is_complete else "⚠️"


def _result(report: Report) -> str:
    if report.is_refused:
        return "Violations found." if report.gate is None else "Not as the baseline has it."
    if not report.is_complete:
        reason = report.footer.reason if report.footer is not None else None
        return f"Incomplete: {escaped(reason or 'the run did not reach its end')}."
    return "No new violations." if report.is_violated else "No violations found."


def _tally(verdicts: Sequence[Verdict]) -> str:
    counts = Counter(verdicts)
    names = {**VERDICT_NAMES, "conforms": "conform", "violated": "violated"}
    parts = [f"{counts[verdict]} {names[verdict]}" for verdict in VERDICT_NAMES if counts[verdict]]
    return ", ".join(parts) or "none"


def _gate(report: Report) -> Iterator[str]:
    gate = report.gate
    if gate is None:
        return
    yield f"Baseline {code(gate.baseline)}: {gate_tally(report)}."
    if gate.stale:
        rows = [(escaped(stale.id), escaped(stale.shape, 400), escaped(stale.reason)) for stale in gate.stale]
        yield "Fixed, to be taken out of the baseline:"
        yield table(("Rule", "What it was", "Reason"), rows)
    known = [row for row in _known(report) if row is not None]
    if known:
        yield from folded(counted(len(known), "known violation"), [table(("Rule", "What it is", "Reason"), known)])


def _known(report: Report) -> Iterator[tuple[str, str, str] | None]:
    for finding in report.all_findings:
        yield _known_row(finding.rule, finding.happened, finding.standing)
    for ruling in report.violated_rulings:
        yield _known_row(ruling.id, "; ".join(ruling.problems), ruling.standing)


def _known_row(name: str, told: str, standing: Standing | None) -> tuple[str, str, str] | None:
    if not _is_known(standing):
        return None
    assert standing is not None
    until = f" (until {escaped(standing.expires)})" if standing.expires else ""
    return escaped(name), escaped(told), escaped(standing.reason) + until


def _is_known(standing: Standing | None) -> bool:
    return standing is not None and standing.is_known


def _rulings(report: Report) -> Iterator[str]:
    """Rulings that differ are one line each; the corpus says the rest."""
    failing = [ruling for ruling in report.violated_rulings if not _is_known(ruling.standing)]
    if failing:
        yield "### Rulings that are played otherwise"
        yield table(("Ruling", "What it says", "What differs"), map(_ruling_row, failing[:50]))
        if len(failing) > 50:
            yield f"… and {len(failing) - 50} more."


def _ruling_row(ruling: RulingResult) -> tuple[str, str, str]:
    return escaped(ruling.id) + _in_brackets(ruling.standing), escaped(ruling.title), escaped("; ".join(ruling.problems), 400)


def _findings(report: Report) -> Iterator[str]:
    titles = {rule.id: rule.title for rule in report.rules}
    for finding in report.all_findings:
        if not _is_known(finding.standing):
            yield "\n\n".join(_finding(finding, titles.get(finding.rule, "")))


def _finding(finding: Finding, title: str) -> Iterator[str]:
    yield f"### {escaped(finding.rule)} {escaped(title)}{_in_brackets(finding.standing)}"
    lines = [f"**Expected:** {escaped(finding.expected)}", f"**Happened:** {escaped(finding.happened)}"]
    if finding.standing is not None and finding.standing.reason:
        lines.append(f"**Baseline:** {escaped(finding.standing.reason, 500)}")
    for citation in finding.documents:
        where = f", {citation.where}" if citation.where else ""
        lines.append(f"**Document:** {escaped(f'{citation.document} ({citation.title}){where}')}")
    if finding.replay:
        lines.append(f"**Replay:** {code(finding.replay)}")
    yield "\n".join(f"- {line}" for line in lines)
    if finding.story:
        yield from folded("The duel", [block(finding.story)])


def _in_brackets(standing: Standing | None) -> str:
    return "" if standing is None else f" ({STANDING_NAMES[standing.state]})"


def _rules(report: Report) -> list[str]:
    rows = [
        (escaped(rule.id), escaped(rule.title), VERDICT_NAMES[rule.verdict], f"{rule.at_stake:,}" if rule.at_stake else "-")
        for rule in report.rules
    ]
    return folded(counted(len(rows), "rule"), [table(("Rule", "What it says", "Verdict", "At stake"), rows)]) if rows else []


def _undecided(report: Report) -> list[str]:
    """What the documents leave open."""
    rows = [(escaped(", ".join(point.rules)), escaped(point.meaning)) for point in report.undecided]
    summary = f"{counted(len(rows), 'point')} left undecided by the documents"
    return folded(summary, [table(("Rules", "Any answer is right"), rows)]) if rows else []


def _within(room: int, parts: list[str]) -> tuple[list[str], int]:
    """As many parts as have room, and how many have not."""
    told: list[str] = []
    for part in parts:
        room -= len(part) + 2
        if room < 0:
            break
        told.append(part)
    return told, len(parts) - len(told)
