"""``duelproof smoke``."""

from __future__ import annotations

import click
from rich.text import Text

from conformance.cli import CONFORMS, VIOLATIONS
from conformance.options import engine_option, ruleset_option, timeout_option
from conformance.smoke import Smoke, Step
from engine_protocol.rulesets import ruleset_named
from reports.terminal import make_console
from reports.text import counted, printable


@click.command()
@engine_option
@ruleset_option
@timeout_option
@click.pass_context
def command(ctx: click.Context, engine: str, ruleset: str, timeout: float) -> None:
    """Play a handful of duels with every message held to the letter, and say message by message what is wrong."""
    console = make_console()
    failed = 0
    for step in Smoke(engine, ruleset_named(ruleset).name, timeout).steps():
        failed += step.problem is not None
        console.print(_line(step))
    if failed:
        console.print(f"{counted(failed, 'step')} went wrong.", style="bold red")
    else:
        console.print("All is well; `duelproof check` is next.", style="bold green")
    ctx.exit(VIOLATIONS if failed else CONFORMS)


def _line(step: Step) -> Text:
    if step.problem is None:
        return Text.assemble(("ok   ", "green"), step.name, (f"  ({printable(step.detail)})" if step.detail else "", "dim"))
    hint = "" if step.hint is None else f"\n     To do: {step.hint}"
    return Text.assemble(("FAIL ", "bold red"), step.name, f"\n     {printable(step.problem)}", hint)
