"""``duelproof report``."""

from __future__ import annotations

from pathlib import Path

import click

from conformance.options import file_to_read, folder_to_write
from reports.html import write_html
from reports.json_report import read_json
from reports.text import counted


@click.command()
@click.argument("files", nargs=-1, required=True, type=file_to_read, metavar="FILE...")
@click.option("--html", "folder", type=folder_to_write, required=True, metavar="DIR", help="Where the page is written.")
def command(files: tuple[Path, ...], folder: Path) -> None:
    """Show JSON reports of earlier runs side by side: engines, versions or rulesets across, rules down."""
    page = write_html([read_json(file) for file in files], folder)
    click.echo(f"{page}: {counted(len(files), 'report')}")
