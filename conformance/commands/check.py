"""``duelproof check``."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import click

from conformance.budget import DEFAULT_EXAMPLES, Budget
from conformance.cli import CONFORMS, INCOMPLETE, VIOLATIONS
from conformance.folder import FindingsFolder
from conformance.ledger import Ledger
from conformance.options import (
    Seconds,
    default_workers,
    engine_option,
    file_to_write,
    folder_to_write,
    ruleset_option,
    timeout_option,
)
from conformance.runner import Run, Watcher
from conformance.selection import select
from conformance.setup import Setup
from engine_protocol.errors import InputError
from engine_protocol.rulesets import ruleset_named
from reports.html import write_html
from reports.json_report import write_json
from reports.junit import write_junit
from reports.model import Report
from reports.terminal import ProgressLine, make_console, print_report

WRITE_EVERY = 2.0
"""Seconds between two versions of the JSON report while the run goes on; those have no footer."""


@click.command()
@engine_option
@ruleset_option
@click.option("--rules", metavar="PATTERN", help="Only these rules and rulings: ids with wildcards, such as DS-*,DC-1.")
@click.option(
    "--examples", type=click.IntRange(min=1), metavar="N", help=f"Random duels for each rule.  [default: {DEFAULT_EXAMPLES}]"
)
@click.option("--time", "seconds", type=Seconds(), metavar="T", help="Go on for so long instead: 90s, 3m, 1h30m.")
@click.option("--workers", type=click.IntRange(min=1), metavar="N", help="Processes.  [default: the number of cores]")
@click.option("--seed", default=0, show_default=True, metavar="S", help="Decides which duels are drawn.")
@timeout_option
@click.option(
    "--findings",
    default="duelproof-findings",
    show_default=True,
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where counterexamples are written, if there are any.",
)
@click.option("--json", "json_file", type=file_to_write, metavar="F", help="Write the report as JSON.")
@click.option("--junit", "junit_file", type=file_to_write, metavar="F", help="Write the report as JUnit XML.")
@click.option("--html", "html_folder", type=folder_to_write, metavar="DIR", help="Write the report as a page with pictures.")
@click.option("--strict", is_flag=True, help="Also fail (status 4) if a rule was hardly at stake.")
@click.pass_context
def command(
    ctx: click.Context,
    engine: str,
    ruleset: str,
    rules: str | None,
    examples: int | None,
    seconds: float | None,
    workers: int | None,
    seed: int,
    timeout: float,
    findings: Path,
    json_file: Path | None,
    junit_file: Path | None,
    html_folder: Path | None,
    strict: bool,
) -> None:
    """Play random duels on an engine, judge them by the rules, and show the shortest duel for each rule that is broken."""
    if examples is not None and seconds is not None:
        raise InputError("--examples and --time are two ways to say how long; give one of them")
    selection = select(ruleset_named(ruleset).name, rules)
    setup = Setup(engine=engine, ruleset=ruleset, rules=frozenset(selection.rules), timeout=timeout)
    budget = Budget(examples=examples or DEFAULT_EXAMPLES, seconds=seconds, seed=seed)
    console = make_console()
    with _terminated_like_interrupted(), ProgressLine(console, engine) as line:
        watcher = _Watcher(line, json_file)
        folder = FindingsFolder(findings, setup)
        report = Run(setup, selection, budget, workers or default_workers(), folder, watcher).execute()
    if json_file is not None:
        write_json(report, json_file)
    if junit_file is not None:
        write_junit(report, junit_file)
    if html_folder is not None:
        write_html((report,), html_folder)
    print_report(report, console)
    ctx.exit(exit_status(report, strict=strict))


def exit_status(report: Report, *, strict: bool) -> int:
    """What the command says to the shell. A run that was cut short never counts as conforming."""
    if report.is_violated:
        return VIOLATIONS
    if not report.is_complete or (strict and report.thin):
        return INCOMPLETE
    return CONFORMS


class _Watcher(Watcher):
    """Shows progress, and keeps the JSON report up to date so that nothing is lost whatever happens."""

    def __init__(self, line: ProgressLine, json_file: Path | None) -> None:
        self._line = line
        self._json_file = json_file
        self._written = monotonic()

    def progress(self, done: float, total: float, note: str) -> None:
        self._line.update(done, total, note)

    def changed(self, ledger: Ledger) -> None:
        if self._json_file is not None and monotonic() - self._written >= WRITE_EVERY:
            write_json(ledger.report(), self._json_file)
            self._written = monotonic()

    def broken(self, traceback: str) -> None:
        click.echo(f"This is a fault of duelproof; please report it.\n{traceback}", err=True)


@contextmanager
def _terminated_like_interrupted() -> Iterator[None]:
    """CI ends jobs that take too long with SIGTERM; what was found by then is reported as after ^C."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
