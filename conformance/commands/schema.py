"""``duelproof schema``."""

from __future__ import annotations

import json

import click

from conformance.baseline import baseline_schema
from engine_protocol.errors import InputError
from engine_protocol.schemas import SUBJECTS, load
from reports.json_report import SCHEMA_ID, report_schema
from reports.match import match_schema

BASELINE = "baseline"
MATCH = "match"
NAMES = (*SUBJECTS, SCHEMA_ID, MATCH, BASELINE)


@click.command()
@click.argument("name", required=False)
def command(name: str | None) -> None:
    """Print the published JSON Schema with this name; without a name, the names there are."""
    if name is None:
        click.echo("\n".join(NAMES))
        return
    if name not in NAMES:
        raise InputError(f"there is no schema {name!r}; known: {', '.join(NAMES)}")
    made = {SCHEMA_ID: report_schema, MATCH: match_schema, BASELINE: baseline_schema}
    schema = made[name]() if name in made else load(name)
    click.echo(json.dumps(schema, indent=2, ensure_ascii=False))
