"""`make bench`: every ratio, in one run, as a table or as JSON."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator
from contextlib import closing

import click
import msgspec
from rich.console import Console
from rich.table import Table

from benchmarks import engine, stdio, suite, workers
from benchmarks.measure import Measurement
from conformance.engines import open_engine
from reference_engine import ReferenceEngine


def measurements(rounds: int) -> Iterator[Measurement]:
    """All of them, the quick ones first."""
    yield engine.measure(ReferenceEngine(), rounds)
    yield suite.measure()
    with closing(open_engine(f"cmd:{shlex.quote(sys.executable)} -m conformance serve")) as remote:
        remote.initialize()
        yield from stdio.measure(remote, rounds)
    yield workers.measure(max(1, rounds // 5))


def table(measured: list[Measurement]) -> Table:
    """The measurements, a row each; what is promised and not kept stands out."""
    shown = Table(title="Speed, measured in one run")
    shown.add_column("what")
    for heading in ("rate", "ratio", "promised"):
        shown.add_column(heading, justify="right")
    for one in measured:
        ratio = "" if one.ratio is None else f"{one.ratio:.1f} x {one.against}"
        promised = "" if one.wanted is None else f"{one.wanted:,g}{' x' if one.ratio else ''}"
        rate = f"{one.rate:,.0f}" if one.rate >= 10 else f"{one.rate:.2f}"
        shown.add_row(one.name, f"{rate} {one.unit}", ratio, promised, style="" if one.kept else "bold red")
    return shown


@click.command()
@click.option("--rounds", default=10, show_default=True, type=click.IntRange(1), help="Measured rounds of each kind of work.")
@click.option("--json", "as_json", is_flag=True, help="Print the measurements as JSON.")
def main(rounds: int, as_json: bool) -> None:
    """Measure. Exit status 1 if a promise is not kept."""
    measured = list(measurements(rounds))
    if as_json:
        click.echo(msgspec.json.format(msgspec.json.encode(measured)))
    else:
        Console().print(table(measured))
    sys.exit(not all(one.kept for one in measured))


if __name__ == "__main__":
    main()
