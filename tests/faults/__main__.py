"""`make faults`: hunts every seeded fault with all rules judged, and writes docs/faults.md and docs/faults.json."""

from __future__ import annotations

import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import click
from msgspec import structs

from tests.faults.catalogue import FAULTS
from tests.faults.hunt import Catch, Hunt
from tests.faults.table import Row, as_json, as_markdown

WORKERS = 2
DOCS = Path(__file__).parents[2] / "docs"


def row_of(index: int) -> Row:
    """Hunt the fault with this index. A worker finds it by that: patches do not travel between processes."""
    fault = FAULTS[index]
    caught: Catch | None = Hunt(fault).catch_with_all_rules()
    row = Row(
        name=fault.name,
        title=fault.title,
        rule=fault.rule,
        ruleset=fault.ruleset,
        parameter=fault.parameter,
        kind=fault.real,
    )
    if caught is None:
        return row
    return structs.replace(
        row,
        caught_by=caught.rules,
        examples=caught.examples,
        seconds=round(caught.seconds, 3),
        cards=caught.cards,
        choices=caught.choices,
        happened=caught.happened,
    )


def main() -> int:
    """All of them; the exit status is 1 if a named rule has missed its fault."""
    rows = []
    with ProcessPoolExecutor(WORKERS) as workers:
        for row in workers.map(row_of, range(len(FAULTS))):
            rows.append(row)
            outcome = "NOT CAUGHT" if row.examples is None else f"{row.examples:3} examples, {row.cards} cards"
            click.echo(f"{len(rows):3}/{len(FAULTS)}  {row.rule:5}  {row.name:45} {outcome}")
    DOCS.joinpath("faults.json").write_text(as_json(rows), encoding="utf-8")
    DOCS.joinpath("faults.md").write_text(as_markdown(rows), encoding="utf-8")
    click.echo(f"written: {DOCS / 'faults.md'} and faults.json")
    return any(row.examples is None for row in rows)


if __name__ == "__main__":
    sys.exit(main())
