"""``duelproof replay``."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec
from msgspec import Struct

from conformance.cli import CONFORMS, VIOLATIONS
from conformance.duel_files import SUFFIX, read_duel_file
from conformance.examiner import Examiner
from conformance.findings import citations_of, title_of
from conformance.options import asked_option, engine_option, file_to_read, timeout_option
from conformance.replaying import Replay, replay
from conformance.setup import Setup
from engine_protocol.duel_file import DuelFile
from oracles import RULES
from reports.model import EngineIdentity, Finding, RulingResult
from reports.terminal import make_console, print_finding, print_ruling, print_rulings


class ReplayReport(Struct, frozen=True):
    """What ``--json`` prints."""

    engine: EngineIdentity
    rulings: tuple[RulingResult, ...]


@click.command()
@click.argument("files", nargs=-1, required=True, type=file_to_read, metavar="FILE...")
@engine_option
@asked_option
@timeout_option
@click.option("--json", "as_json", is_flag=True, help="Print the results as JSON.")
@click.pass_context
def command(ctx: click.Context, files: tuple[Path, ...], engine: str, asked: str | None, timeout: float, as_json: bool) -> None:
    """Play duel files on an engine: tell each as a story, and hold it against what it expects and against the rules."""
    duels = [(path, read_duel_file(path)) for path in files]
    ruleset = duels[0][1].board.ruleset
    setup = Setup(engine=engine, ruleset=ruleset, rules=frozenset(RULES), asked=asked, timeout=timeout)
    console = make_console()
    with Examiner(setup) as examiner:
        identity = EngineIdentity(name=examiner.info.name, version=examiner.info.version, homepage=examiner.info.homepage)
        played = [(path, duel, replay(duel, examiner)) for path, duel in duels]
    results = tuple(_result(path, duel, outcome) for path, duel, outcome in played)
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(ReplayReport(identity, results))).decode())
    elif len(played) == 1:
        _tell(*played[0][1:], results[0])
    else:
        for result in results:
            if result.verdict == "violated":
                print_ruling(result, console)
        print_rulings(results, console)
    ctx.exit(VIOLATIONS if any(result.verdict == "violated" for result in results) else CONFORMS)


def _tell(duel: DuelFile, outcome: Replay, result: RulingResult) -> None:
    """One duel at length."""
    console = make_console()
    console.print(duel.title, style="bold")
    for problem in outcome.problems:
        finding = Finding(
            rule=problem.rule,
            expected=problem.expected,
            happened=problem.happened,
            documents=citations_of(problem.rule, duel.board.ruleset),
            minimal=True,
            story=outcome.story() if problem is outcome.problems[0] else "",
        )
        print_finding(finding, title_of(problem.rule), console)
    if not outcome.problems:
        console.print()
        console.print(outcome.story())
    console.print()
    print_rulings((result,), console)


def _result(path: Path, duel: DuelFile, outcome: Replay) -> RulingResult:
    return RulingResult(
        id=path.name.removesuffix(SUFFIX),
        title=duel.title,
        verdict=outcome.verdict,
        problems=outcome.sentences,
        story=outcome.story(),
        file=str(path),
    )
