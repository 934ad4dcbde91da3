"""`make mutation`: judges every mutant of the reference engine, and writes docs/mutation.md and docs/mutation.json."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from tests.mutation.session import ROOT, Session
from tests.mutation.table import as_json, as_markdown, known_verdicts, report_on

FOLDER = ROOT / "build" / "mutation"
DOCS = ROOT / "docs"
GOAL = 0.9


@click.command(help=__doc__)
@click.option("--folder", type=click.Path(path_type=Path), default=FOLDER, help="Where the session is kept.")
@click.option("--docs", type=click.Path(path_type=Path), default=DOCS, help="Where the report is written.")
def main(folder: Path, docs: Path) -> None:
    """The exit status is 1 if too few were noticed."""
    folder.mkdir(parents=True, exist_ok=True)
    session = Session(folder)
    session.run()
    report = report_on(tuple(session.mutants()), known_verdicts())
    docs.joinpath("mutation.json").write_text(as_json(report), encoding="utf-8")
    docs.joinpath("mutation.md").write_text(as_markdown(report), encoding="utf-8")
    for survivor in report.survivors:
        if survivor.why is None:  # what somebody has looked at already needs no second look
            where = f"{survivor.module}:{survivor.line} ({survivor.function})"
            click.echo(f"{where}\n  - {survivor.before}\n  + {survivor.after}")
    click.echo(f"{report.total.score:.1%} of {report.total.mutants - report.total.equivalent} mutants were noticed")
    sys.exit(report.total.score < GOAL)


if __name__ == "__main__":
    main()
