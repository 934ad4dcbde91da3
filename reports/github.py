"""Annotations for GitHub Actions: workflow commands that the runner reads from a step's output."""

from __future__ import annotations

from collections.abc import Iterator
from secrets import token_hex
from typing import Literal

from reports.model import Finding, Report, RulingResult, Standing
from reports.text import counted, one_line

Level = Literal["error", "warning", "notice"]

MOST = 10
"""GitHub shows so many annotations of one level for a step."""


def annotation_lines(report: Report) -> Iterator[str]:
    """The commands, one a line: errors for what fails, warnings for what should be looked at, notices for what is tolerated."""
    by_level: dict[Level, list[str]] = {"error": [], "warning": [], "notice": []}
    if not report.is_complete:
        reason = report.footer.reason if report.footer is not None else None
        by_level["error"].append(_command("error", "The run is incomplete", reason or "the run did not reach its end", None))
    titles = {rule.id: f"{rule.id} {rule.title}" for rule in report.rules}
    for finding in report.all_findings:
        level = _level(finding.standing)
        title = titles.get(finding.rule, finding.rule)
        by_level[level].append(_command(level, _titled(title, finding.standing), _told(finding), finding.file))
    for ruling in report.violated_rulings:
        level = _level(ruling.standing)
        title = _titled(f"{ruling.id} {ruling.title}", ruling.standing)
        by_level[level].append(_command(level, title, _differs(ruling), ruling.file))
    if report.gate is not None:
        stale_level: Level = "error" if report.gate.strict else "warning"
        for stale in report.gate.stale:
            told = f"{stale.shape}\nIt is fixed: take it out of the baseline (--update-baseline)."
            by_level[stale_level].append(
                _command(stale_level, f"{stale.id} is stale in the baseline", told, report.gate.baseline)
            )
    for level, commands in by_level.items():
        yield from commands if len(commands) <= MOST else commands[: MOST - 1]
        left = len(commands) - MOST + 1
        if left > 1:
            yield _command(level, f"{left} more", f"{counted(left, 'further annotation')} stand in the report", None)


class Muted:
    """Between :attr:`begin` and :attr:`end` the runner takes no line for a command, whatever an engine has it print."""

    def __init__(self) -> None:
        token = token_hex(16)
        self.begin = f"::stop-commands::{token}"
        self.end = f"::{token}::"


def _level(standing: Standing | None) -> Level:
    return "notice" if standing is not None and standing.is_known else "error"


def _titled(title: str, standing: Standing | None) -> str:
    return title if standing is None else f"{title} ({standing.state})"


def _told(finding: Finding) -> str:
    parts = [f"Expected: {one_line(finding.expected)}", f"Happened: {one_line(finding.happened)}"]
    if finding.standing is not None and finding.standing.reason:
        parts.append(f"Baseline: {one_line(finding.standing.reason)}")
    if finding.replay:
        parts.append(f"Replay: {one_line(finding.replay, 500)}")
    return "\n".join(parts)


def _differs(ruling: RulingResult) -> str:
    return "\n".join(one_line(problem) for problem in ruling.problems)


def _command(level: Level, title: str, message: str, file: str | None) -> str:
    properties = {"title": one_line(title, 120)} if file is None else {"file": file, "line": "1", "title": one_line(title, 120)}
    told = ",".join(f"{name}={_property(value)}" for name, value in properties.items())
    return f"::{level} {told}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
