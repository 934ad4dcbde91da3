"""The command line. Each command has a module of its own, loaded when it is asked for.

Exit status: 0 conforms; 1 violations; 2 usage or input error; 3 the engine cannot be used; 4 incomplete.
"""

from __future__ import annotations

import sys
from importlib import import_module
from io import TextIOWrapper
from typing import Any

import click

from conformance.house import check_house
from conformance.version import suite_version
from engine_protocol.errors import DuelproofError, EngineError

CONFORMS, VIOLATIONS, INPUT_ERROR, ENGINE_UNUSABLE, INCOMPLETE = range(5)

COMMANDS = {
    "check": "Play random duels and say which rules the engine breaks.",
    "smoke": "Hold every message of an engine to the letter, in a few duels.",
    "report": "Show reports of earlier runs side by side on a page.",
    "compare": "Say what changed between two reports.",
    "replay": "Play duel files on an engine and tell how they go.",
    "shrink": "Make the duel of a duel file as small as can be.",
    "rules": "List the rules, or explain one.",
    "schema": "Print a published JSON Schema.",
    "serve": "Put the reference engine on stdio.",
}


class Duelproof(click.Group):
    """The group of commands. Errors meant for people become one sentence and an exit status, here and nowhere else."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """In the order in which one needs them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """The command, from its module."""
        if cmd_name not in COMMANDS:
            return None
        command = import_module(f"conformance.commands.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        """The list in the help, without loading the commands."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            check_house()
            return super().invoke(ctx)
        except DuelproofError as error:
            click.echo(f"duelproof: {error}", err=True)
            ctx.exit(ENGINE_UNUSABLE if isinstance(error, EngineError) else INPUT_ERROR)


@click.group(cls=Duelproof, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(suite_version(), prog_name="duelproof")
def cli() -> None:
    """Which rules of the Battle Phase does an engine break, and what is the shortest duel that shows it?"""


def main() -> None:
    """The console script."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # Names of cards may hold letters that the terminal's encoding lacks.
            stream.reconfigure(errors="replace")
    cli(prog_name="duelproof")
