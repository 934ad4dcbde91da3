"""The JSON report and its published schema."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from jsonschema import Draft202012Validator

from engine_protocol.errors import InputError
from reports.json_report import SCHEMA_FILE, report_schema, write_json
from tests.reports.samples import report


def test_published_schema_is_current() -> None:
    """The published file is what the structs say today."""
    assert json.loads(SCHEMA_FILE.read_text("utf-8")) == json.loads(json.dumps(report_schema()))


@pytest.mark.parametrize("changes", [{}, {"footer": None}, {"rulings": (), "engine_failures": ()}])
def test_report_keeps_to_the_schema(tmp_path: Path, changes: dict[str, object]) -> None:
    """A written report, whole or without a footer, is valid by the published schema."""
    write_json(report(**changes), tmp_path / "out.json")
    Draft202012Validator(json.loads(SCHEMA_FILE.read_text("utf-8"))).validate(
        json.loads((tmp_path / "out.json").read_text("utf-8"))
    )


def test_schema_refuses_other_verdicts() -> None:
    """The schema knows the five verdicts and no other."""
    written = json.loads(_encoded())
    written["rules"][0]["verdict"] = "passed"
    assert not Draft202012Validator(report_schema()).is_valid(written)


def test_rules_are_listed_with_their_counts() -> None:
    """Readers find id, verdict, at_stake and violations of each rule, and id and verdict of each ruling."""
    written = json.loads(_encoded())
    assert [(rule["id"], rule["verdict"], rule["at_stake"], len(rule["violations"])) for rule in written["rules"]] == [
        ("BP-2", "conforms", 1234, 0),
        ("DS-3", "violated", 61, 1),
        ("DC-4", "not-observed", 0, 0),
        ("AT-4", "unsupported", 0, 0),
        ("IV-4", "violated", 9, 1),
    ]
    assert [(ruling["id"], ruling["verdict"]) for ruling in written["rulings"]] == [("M-043", "conforms"), ("M-045", "violated")]


def test_unwritable_file_is_said(tmp_path: Path) -> None:
    """A report that cannot be written names the file."""
    with pytest.raises(InputError, match="no-such-folder"):
        write_json(report(), tmp_path / "no-such-folder" / "out.json")


def _encoded() -> bytes:
    return msgspec.json.encode(report())
