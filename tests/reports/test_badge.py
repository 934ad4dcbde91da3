"""The endpoint file of a badge."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from msgspec import structs

from reports.badge import write_badge
from reports.model import Report, Standing
from tests.reports.gated import gated
from tests.reports.samples import report

ENDPOINT = {
    "type": "object",
    "additionalProperties": False,
    "required": ["schemaVersion", "label", "message"],
    "properties": {
        "schemaVersion": {"const": 1},
        "label": {"type": "string"},
        "message": {"type": "string", "minLength": 1},
        "color": {"enum": ["brightgreen", "yellow", "red", "lightgrey"]},
        "isError": {"type": "boolean"},
    },
}
"""What badge services read, of the fields that are written."""

KNOWN = Standing(state="known", reason="bug 7")
OPEN = structs.replace(report().rules[0], id="XX-1", verdict="undecided", at_stake=0)
"""A rule that the ruleset's documents leave open: no engine can keep it."""


@pytest.mark.parametrize(
    "told, message, colour",
    [
        (report(), "1/5 rules", "red"),
        (gated(KNOWN, KNOWN, KNOWN), "1/5 rules", "red"),
        (report(rules=report().rules[2:3], rulings=(), engine_failures=()), "0/1 rule", "yellow"),
        (report(rules=report().rules[:1], rulings=(), engine_failures=()), "1/1 rule", "brightgreen"),
        (report(rules=(*report().rules[:1], OPEN), rulings=(), engine_failures=()), "1/1 rule", "brightgreen"),
        (report(rules=report().rules[:1], rulings=(), engine_failures=(), footer=None), "incomplete", "lightgrey"),
    ],
)
def test_badge(tmp_path: Path, told: Report, message: str, colour: str) -> None:
    """Only rules that were seen to be kept count, tolerated or not, and only a complete run."""
    write_badge(told, tmp_path / "badge.json")
    badge = json.loads((tmp_path / "badge.json").read_text("utf-8"))
    Draft202012Validator(ENDPOINT).validate(badge)
    assert (badge["label"], badge["message"], badge["color"]) == ("ocg-2023", message, colour)
