"""``duelproof shrink``."""

from __future__ import annotations

from pathlib import Path

import click
from msgspec import structs

from conformance.cli import CONFORMS, VIOLATIONS
from conformance.duel_files import read_duel_file, write_duel_file
from conformance.examiner import Examiner
from conformance.findings import title_of
from conformance.options import Seconds, asked_option, engine_option, file_to_read, file_to_write, timeout_option
from conformance.setup import Setup
from conformance.shrinking import reduce_duel
from engine_protocol.duel_file import DuelFile
from oracles import RULES
from reports.terminal import make_console, print_finding
from reports.text import counted


@click.command()
@click.argument("file", type=file_to_read)
@engine_option
@asked_option
@timeout_option
@click.option("--time", "seconds", type=Seconds(), default=60.0, metavar="T", help="Stop after so long.  [default: 60s]")
@click.option("--output", type=file_to_write, metavar="F", help="Where to write the smaller duel; FILE itself where left out.")
@click.pass_context
def command(
    ctx: click.Context, file: Path, engine: str, asked: str | None, timeout: float, seconds: float, output: Path | None
) -> None:
    """Make the duel of a duel file 1-minimal: no card can go and no choice be quieter without the problem going too."""
    duel = read_duel_file(file)
    setup = Setup(engine=engine, ruleset=duel.board.ruleset, rules=frozenset(RULES), asked=asked, timeout=timeout)
    console = make_console()
    with Examiner(setup) as examiner:
        problems = examiner.choices(duel.board, duel.choices, probing=True).problems
        wanted = [problem for problem in problems if problem.rule == duel.source.rule] or list(problems)
        finding = reduce_duel(duel.board, duel.choices, wanted[0].key, examiner, seconds) if wanted else None
    if finding is None or finding.duel is None:
        console.print(f"{file}: the engine breaks no rule in this duel, so there is nothing to shrink.")
        ctx.exit(CONFORMS)
    smaller = finding.duel
    path = output or file
    write_duel_file(structs.replace(smaller, source=structs.replace(duel.source, rule=finding.rule)), path)
    print_finding(finding, title_of(finding.rule), console)
    console.print(f"{path}: {_told(duel)} became {_told(smaller)}.", soft_wrap=True)
    ctx.exit(VIOLATIONS)


def _told(duel: DuelFile) -> str:
    return f"{counted(len(duel.board.cards), 'card')} and {counted(len(duel.choices), 'choice')}"
