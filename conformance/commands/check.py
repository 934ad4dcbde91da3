"""``duelproof check``."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

import click
from click.core import ParameterSource

from conformance.budget import DEFAULT_EXAMPLES, Budget
from conformance.cli import CONFORMS, INCOMPLETE, VIOLATIONS
from conformance.folder import FindingsFolder
from conformance.gate import gate_keeper
from conformance.ledger import Ledger
from conformance.matching import AUTO, Matching
from conformance.options import (
    Seconds,
    asked_option,
    default_workers,
    engine_option,
    file_to_write,
    folder_to_write,
    timeout_option,
)
from conformance.runner import Run, Watcher
from conformance.selection import select
from conformance.setup import Setup
from engine_protocol.errors import InputError
from engine_protocol.rulesets import DEFAULT_RULESET, ruleset_named
from reports.badge import write_badge
from reports.github import Muted, annotation_lines
from reports.html import write_html
from reports.json_report import write_json
from reports.junit import write_junit
from reports.markdown import write_markdown
from reports.match import print_match, write_match
from reports.model import Report
from reports.sarif import write_sarif
from reports.terminal import ProgressLine, make_console, print_report

WRITE_EVERY = 2.0
"""Seconds between two versions of the JSON report while the run goes on; those have no footer."""


@click.command()
@engine_option
@click.option(
    "--ruleset",
    default=DEFAULT_RULESET,
    show_default=True,
    metavar="R",
    help=f"The ruleset; {AUTO}: find the one that the engine conforms to best.",
)
@asked_option
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
@click.option("--sarif", "sarif_file", type=file_to_write, metavar="F", help="Write the report as SARIF, for code scanning.")
@click.option("--markdown", "markdown_file", type=file_to_write, metavar="F", help="Write the report as Markdown.")
@click.option("--badge", "badge_file", type=file_to_write, metavar="F", help="Write the JSON of an endpoint badge.")
@click.option("--html", "html_folder", type=folder_to_write, metavar="DIR", help="Write the report as a page with pictures.")
@click.option(
    "--github/--no-github",
    default=None,
    envvar="GITHUB_ACTIONS",
    help="Print annotations for GitHub Actions.  [default: only there]",
)
@click.option("--baseline", type=click.Path(path_type=Path), metavar="F", help="Tolerate the violations listed in this file.")
@click.option("--update-baseline", is_flag=True, help="Write what this run finds to the baseline; reasons stay.")
@click.option("--strict-baseline", is_flag=True, help="Also fail if the baseline lists what is fixed.")
@click.option("--strict", is_flag=True, help="Also fail (status 4) if a rule was hardly at stake.")
@click.pass_context
def command(
    ctx: click.Context,
    engine: str,
    ruleset: str,
    asked: str | None,
    rules: str | None,
    examples: int | None,
    seconds: float | None,
    workers: int | None,
    seed: int,
    timeout: float,
    findings: Path,
    json_file: Path | None,
    junit_file: Path | None,
    sarif_file: Path | None,
    markdown_file: Path | None,
    badge_file: Path | None,
    html_folder: Path | None,
    github: bool | None,
    baseline: Path | None,
    update_baseline: bool,
    strict_baseline: bool,
    strict: bool,
) -> None:
    """Play random duels on an engine, judge them by the rules, and show the shortest duel for each rule that is broken."""
    if examples is not None and seconds is not None:
        raise InputError("--examples and --time are two ways to say how long; give one of them")
    if ruleset == AUTO:
        _refuse_what_takes_one_ruleset(ctx)
        line = ProgressLine(make_console(), engine)
        setup = Setup(engine=engine, rules=frozenset(), timeout=timeout)
        watcher = _Watcher(line, None)
        matching = Matching(setup, rules, examples, seed, workers or default_workers(), findings, watcher)
        ctx.exit(_match(matching, line, json_file))
    selection = select(ruleset_named(ruleset).name, rules)
    setup = Setup(engine=engine, ruleset=ruleset, rules=frozenset(selection.rules), asked=asked, timeout=timeout)
    keeper = gate_keeper(baseline, setup.ruleset, update=update_baseline, strict=strict_baseline)
    budget = Budget(examples=examples or DEFAULT_EXAMPLES, seconds=seconds, seed=seed)
    console = make_console()
    with _terminated_like_interrupted(), ProgressLine(console, engine) as line:
        watcher = _Watcher(line, json_file)
        folder = FindingsFolder(findings, setup)
        report = Run(setup, selection, budget, workers or default_workers(), folder, watcher).execute()
    report, said = (report, None) if keeper is None else keeper.judge(report)
    _write(report, json_file, write_json)
    _write(report, junit_file, write_junit)
    _write(report, sarif_file, write_sarif)
    _write(report, markdown_file, write_markdown)
    _write(report, badge_file, write_badge)
    if html_folder is not None:
        write_html((report,), html_folder)
    with _annotated(report, github=bool(github)):
        print_report(report, console)
    if said is not None:
        click.echo(said)
    ctx.exit(exit_status(report, strict=strict))


def _refuse_what_takes_one_ruleset(ctx: click.Context) -> None:
    """Only some options go with `--ruleset auto`."""
    known = {"engine", "ruleset", "rules", "examples", "workers", "seed", "timeout", "findings", "json_file", "github"}
    for param in ctx.command.params:
        name = param.name or ""
        if name not in known and ctx.get_parameter_source(name) is not ParameterSource.DEFAULT:
            raise InputError(
                f"{param.opts[0]} does not go with --ruleset {AUTO}; find the ruleset first, and check with that one"
            )


def _match(matching: Matching, line: ProgressLine, json_file: Path | None) -> int:
    """Find the ruleset that the engine conforms to best; what the command says to the shell."""
    with _terminated_like_interrupted(), line:
        report = matching.execute()
    if json_file is not None:
        write_match(report, json_file)
    print_match(report, make_console())
    if not report.is_complete:
        return INCOMPLETE
    return CONFORMS if report.conforms else VIOLATIONS


def exit_status(report: Report, *, strict: bool) -> int:
    """What the command says to the shell. A run that was cut short never counts as conforming."""
    if report.is_refused:
        return VIOLATIONS
    if not report.is_complete or (strict and report.thin):
        return INCOMPLETE
    return CONFORMS


def _write(report: Report, path: Path | None, write: Callable[[Report, Path], None]) -> None:
    if path is not None:
        write(report, path)


@contextmanager
def _annotated(report: Report, *, github: bool) -> Iterator[None]:
    """In GitHub Actions what is printed meanwhile is no command, whatever an engine says, and annotations follow."""
    if not github:
        yield
        return
    muted = Muted()
    click.echo(muted.begin)
    yield
    click.echo("\n".join([muted.end, *annotation_lines(report)]))


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
