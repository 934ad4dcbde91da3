"""The report on a terminal and in a pipe."""

from __future__ import annotations

from io import StringIO

import pytest
from rich.console import Console

from reports.model import Footer, Report
from reports.terminal import ProgressLine, make_console, print_report
from tests.reports.samples import report


def shown(result: Report) -> str:
    """What a pipe gets."""
    pipe = StringIO()
    print_report(result, make_console(pipe))
    return pipe.getvalue()


def test_table_says_verdict_and_stakes() -> None:
    """Each rule has a line with its verdict and how often it was at stake; 'not observed' is not 'conforms'."""
    lines = [line.split() for line in shown(report()).splitlines()]
    assert ["BP-2", "The", "order", "of", "the", "steps", "conforms", "1,234"] in lines
    assert ["DC-4", "Attacking", "in", "Defense", "Position", "not", "observed", "-"] in lines
    assert "5 rules: 1 conform, 2 violated, 1 not observed, 1 unsupported" in shown(report())


def test_foreign_text_is_never_markup() -> None:
    """What an engine says is shown to the letter: no colours by brackets, no escape sequences."""
    text = shown(report())
    assert "[bold]nothing[/bold] is activated" in text
    assert "[red]mine\\x07" in text
    assert "\\x1b[31mtoo soon\\x00" in text
    assert "\x1b" not in text


def test_finding_ends_with_its_replay() -> None:
    """A finding shows story, expectation, document and the command on one line."""
    text = shown(report())
    assert "Player A: 8000 LP" in text
    assert "Document: battle-phase-flow (Battle Phase flow)" in text
    assert "Replay:   duelproof replay f/DS-3.duel.json --engine reference\n" in text


@pytest.mark.parametrize(
    "footer", [None, Footer(complete=False, examples=1, seconds=1.0, reason="it was interrupted")], ids=["without", "cut short"]
)
def test_incomplete_is_never_conforming(footer: Footer | None) -> None:
    """A run without violations that did not reach its end says so instead of a good result."""
    text = shown(report(rules=report().rules[:1], rulings=(), engine_failures=(), footer=footer))
    assert "Incomplete" in text
    assert "No violations found" not in text


def test_pipe_sees_no_progress() -> None:
    """The progress line is for people who watch."""
    pipe = StringIO()
    with ProgressLine(make_console(pipe), "reference") as line:
        line.update(1, 2, "one duel")
    assert pipe.getvalue() == ""


def test_terminal_sees_progress() -> None:
    """On a terminal the line says how far the run is."""
    screen = StringIO()
    with ProgressLine(Console(file=screen, force_terminal=True, width=100), "[reference]") as line:
        line.update(1, 2, "one duel")
    assert "Checking [reference]" in screen.getvalue()
