"""Annotations for GitHub Actions."""

from __future__ import annotations

import re

from msgspec.structs import replace

from reports.github import MOST, Muted, annotation_lines
from reports.model import Finding, Standing
from tests.reports.gated import STALE, gated
from tests.reports.samples import report

COMMAND = re.compile(r"::(error|warning|notice) ((?:\w+=[^,:\r\n]*)(?:,\w+=[^,:\r\n]*)*)::([^\r\n]*)")
"""A workflow command as the runner reads it."""

KNOWN, NEW, EXPIRED = (
    Standing(state="known", reason="bug 7"),
    Standing(state="new"),
    Standing(state="expired", expires="2026-01-01"),
)


def read(line: str) -> tuple[str, dict[str, str], str]:
    """Level, properties and message of a command, with the escapes taken back."""
    match = COMMAND.fullmatch(line)
    assert match is not None, line

    def plain(text: str) -> str:
        return text.replace("%0A", "\n").replace("%0D", "\r").replace("%3A", ":").replace("%2C", ",").replace("%25", "%")

    properties = dict(part.split("=", 1) for part in match[2].split(","))
    return match[1], {name: plain(value) for name, value in properties.items()}, plain(match[3])


def test_violations_are_errors() -> None:
    """One error for each finding and ruling, at its duel file, with what was expected and how to replay it."""
    told = [read(line) for line in annotation_lines(report())]
    assert [level for level, _, _ in told] == ["error"] * 3
    _, properties, message = told[0]
    assert properties == {"file": "f/DS-3.duel.json", "line": "1", "title": "DS-3 Flipped by battle"}
    assert message.splitlines()[0] == "Expected: [bold]nothing[/bold] is activated"
    assert message.splitlines()[-1] == "Replay: duelproof replay f/DS-3.duel.json --engine reference"


def test_incomplete_run_is_an_error() -> None:
    """A run that was cut short is told even if it found nothing."""
    lines = list(annotation_lines(report(rules=(), rulings=(), engine_failures=(), footer=None)))
    assert [read(line)[:2] for line in lines] == [("error", {"title": "The run is incomplete"})]


def test_levels_follow_the_baseline() -> None:
    """Known: a notice; new and expired: errors; stale: a warning, and an error where that fails."""
    told = [read(line) for line in annotation_lines(gated(KNOWN, NEW, EXPIRED, stale=(STALE,)))]
    assert {properties["title"].split()[0]: level for level, properties, _ in told} == {
        "IV-4": "error",
        "M-045": "error",
        "BP-2": "warning",
        "DS-3": "notice",
    }
    strict = [read(line) for line in annotation_lines(gated(KNOWN, KNOWN, KNOWN, stale=(STALE,), strict=True))]
    assert ("error", "known.json") in [(level, properties.get("file")) for level, properties, _ in strict]


def test_foreign_text_is_no_command() -> None:
    """Line breaks, commas and colons of others stay inside their annotation."""
    odd = Finding(rule="DS-3", expected="100 %0A a\n::error::b", happened="c\r\n##[error]d", file="a,b:c\n::d.json")
    rules = tuple(replace(rule, violations=(odd,)) for rule in report().rules if rule.id == "DS-3")
    lines = list(annotation_lines(report(rules=rules, rulings=(), engine_failures=())))
    assert len(lines) == 1
    _, properties, message = read(lines[0])
    assert properties["file"] == "a,b:c\n::d.json"
    assert message == "Expected: 100 %0A a ::error::b\nHappened: c ##[error]d"


def test_no_more_than_are_shown() -> None:
    """GitHub drops what is beyond ten of a level, so the tenth counts the rest."""
    finding = Finding(rule="DS-3", expected="a", happened="b")
    rules = tuple(replace(rule, violations=(finding,) * 12) for rule in report().rules if rule.id == "DS-3")
    told = [read(line) for line in annotation_lines(report(rules=rules, rulings=(), engine_failures=()))]
    assert len(told) == MOST
    assert told[-1][1] == {"title": "3 more"}


def test_output_is_muted_by_a_word_nobody_can_guess() -> None:
    """The runner takes no commands until it reads the word again, which is new each time."""
    one, other = Muted(), Muted()
    assert one.begin == f"::stop-commands::{one.end.strip(':')}"
    assert len(one.end) > 20
    assert one.end != other.end
