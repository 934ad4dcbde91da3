"""``duelproof compare``."""

from __future__ import annotations

from pathlib import Path

import click
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from conformance.cli import CONFORMS, INCOMPLETE, VIOLATIONS
from conformance.comparison import BAD, Change, Comparison, Kind, compare
from conformance.options import file_to_read, file_to_write
from reports.json_report import read_json
from reports.markdown import escaped, table
from reports.model import Report
from reports.terminal import make_console
from reports.text import one_line
from reports.writing import write_text

KIND_NAMES: dict[Kind, str] = {
    "worse": "now violated",
    "lost": "coverage lost",
    "otherwise": "violated in another way",
    "gained": "newly at stake",
    "better": "no longer violated",
}


@click.command()
@click.argument("old", type=file_to_read)
@click.argument("new", type=file_to_read)
@click.option("--markdown", "markdown_file", type=file_to_write, metavar="F", help="Also write the comparison as Markdown.")
@click.pass_context
def command(ctx: click.Context, old: Path, new: Path, markdown_file: Path | None) -> None:
    """Say what changed between two JSON reports: rules that changed state, are newly at stake, or lost coverage.

    Status 1 if a rule or ruling is violated that was not, or is not known to be kept any more; 4 if the new report is incomplete.
    """
    before, after = read_json(old), read_json(new)
    comparison = compare(before, after)
    result = _result(comparison, after)
    _print(comparison, result, make_console())
    if markdown_file is not None:
        write_text(_markdown(comparison, result), markdown_file, "the comparison")
    if comparison.is_worse:
        ctx.exit(VIOLATIONS)
    ctx.exit(CONFORMS if after.is_complete else INCOMPLETE)


def _result(comparison: Comparison, new: Report) -> str:
    if comparison.is_worse:
        return "Worse than before."
    if not new.is_complete:
        return "Not known to be as good as before: the new report is incomplete."
    return "Not worse than before." if comparison.changes else "Nothing changed."


def _print(comparison: Comparison, result: str, console: Console) -> None:
    if comparison.changes:
        grid = Table(box=SIMPLE_HEAD, pad_edge=False)
        grid.add_column("Change", no_wrap=True)
        grid.add_column("Rule", no_wrap=True)
        grid.add_column("What it says", overflow="ellipsis", no_wrap=True)
        grid.add_column("Before")
        grid.add_column("After")
        for change in comparison.changes:
            told = (one_line(change.id), one_line(change.title), one_line(change.before), one_line(change.after))
            grid.add_row(Text(KIND_NAMES[change.kind], style=_style(change)), *map(Text, told))
        console.print(grid)
    for remark in comparison.remarks:
        console.print(Text(one_line(remark)))
    console.print(Text(result, style="bold red" if comparison.is_worse else "bold"))


def _style(change: Change) -> str:
    return "bold red" if change.kind in BAD else "green" if change.kind in ("gained", "better") else "yellow"


def _markdown(comparison: Comparison, result: str) -> str:
    parts = ["## duelproof: compared with before", f"**{result}**"]
    if comparison.changes:
        rows = [
            (KIND_NAMES[change.kind], *map(escaped, (change.id, change.title, change.before, change.after)))
            for change in comparison.changes
        ]
        parts.append(table(("Change", "Rule", "What it says", "Before", "After"), rows))
    if comparison.remarks:
        parts.append("\n".join(f"- {escaped(remark)}" for remark in comparison.remarks))
    return "\n\n".join(parts) + "\n"
