"""The report as SARIF."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator, ValidationError
from msgspec.structs import replace

from engine_protocol.errors import InputError
from reports.model import Finding, Report, Standing
from reports.sarif import sarif, write_sarif
from tests.reports.gated import gated
from tests.reports.samples import report

SCHEMA = json.loads(Path(__file__).with_name("sarif.schema.json").read_text("utf-8"))
KNOWN, NEW, DRIFT = Standing(state="known", reason="bug 7"), Standing(state="new"), Standing(state="drift", reason="listed as x")


def logged(told: Report, tmp_path: Path) -> dict[str, Any]:
    """The one run of the log that was written, which keeps to the schema."""
    write_sarif(told, tmp_path / "s.json")
    log: dict[str, Any] = json.loads((tmp_path / "s.json").read_text("utf-8"))
    Draft202012Validator(SCHEMA).validate(log)
    run: dict[str, Any] = log["runs"][0]
    return run


def test_results_are_the_violations(tmp_path: Path) -> None:
    """A result for each finding and each ruling that differs, all of them failures, each pointing at its rule."""
    run = logged(report(), tmp_path)
    assert [(result["ruleId"], result["kind"], result["level"]) for result in run["results"]] == [
        ("DS-3", "fail", "error"),
        ("IV-4", "fail", "error"),
        ("M-045", "fail", "error"),
    ]
    rules = run["tool"]["driver"]["rules"]
    assert [rules[result["ruleIndex"]]["id"] for result in run["results"]] == ["DS-3", "IV-4", "M-045"]
    assert run["invocations"] == [{"executionSuccessful": True}]
    assert run["properties"]["ruleset"] == "ocg-2023"


def test_result_says_where_and_how_to_replay(tmp_path: Path) -> None:
    """The duel file is the location, the message has expectation, story and command; control characters are spelled out."""
    result = logged(report(), tmp_path)["results"][0]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "f/DS-3.duel.json"
    text = result["message"]["text"]
    assert "Expected: [bold]nothing[/bold] is activated" in text
    assert "Player A: 8000 LP" in text
    assert "Replay: duelproof replay f/DS-3.duel.json --engine reference" in text
    assert "\x1b" not in text


def test_texts_are_no_placeholders_or_links(tmp_path: Path) -> None:
    """Braces are doubled, for SARIF reads them as arguments; nothing reads as a link; odd file names are encoded."""
    odd = Finding(rule="DS-3", expected="{0}", happened="[here](http://example.invalid)", file="odd name/ü.duel.json")
    rules = tuple(replace(rule, violations=(odd,)) if rule.id == "DS-3" else rule for rule in report().rules)
    result = logged(report(rules=rules), tmp_path)["results"][0]
    assert "Expected: {{0}}" in result["message"]["text"]
    assert "](" not in result["message"]["text"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "odd%20name/%C3%BC.duel.json"


def test_fingerprints_are_those_of_the_shape(tmp_path: Path) -> None:
    """The same mistake by another card is the same alert; another mistake is another."""

    def fingerprint(happened: str) -> str:
        finding = Finding(rule="DS-3", expected="nothing", happened=happened, cards=("Giant Rat", "Kuriboh"))
        rules = tuple(replace(rule, violations=(finding,)) if rule.id == "DS-3" else rule for rule in report().rules)
        return str(logged(report(rules=rules), tmp_path)["results"][0]["partialFingerprints"]["primaryLocationLineHash"])

    assert fingerprint("Giant Rat (card 1) was offered") == fingerprint("Kuriboh (card 12) was offered")
    assert fingerprint("Giant Rat (card 1) was offered") != fingerprint("Giant Rat (card 1) was activated")


def test_incomplete_run_was_no_success(tmp_path: Path) -> None:
    """A run without footer does not look like one that found little."""
    invocation = logged(report(footer=None), tmp_path)["invocations"][0]
    assert invocation["executionSuccessful"] is False
    assert "Incomplete" in invocation["toolExecutionNotifications"][0]["message"]["text"]


def test_baseline_suppresses_what_is_known(tmp_path: Path) -> None:
    """Known violations are there, suppressed with their reason; new ones and drift are not suppressed."""
    results = logged(gated(KNOWN, NEW, DRIFT), tmp_path)["results"]
    assert [result["baselineState"] for result in results] == ["unchanged", "new", "updated"]
    assert [result["suppressions"] for result in results] == [[{"kind": "external", "justification": "bug 7"}], [], []]


def test_schema_notices_what_sarif_has_not() -> None:
    """The schema of the tests refuses other fields and values."""
    log = sarif(report())
    log["runs"][0]["results"][0]["level"] = "fatal"
    with pytest.raises(ValidationError, match="fatal"):
        Draft202012Validator(SCHEMA).validate(log)
    with pytest.raises(ValidationError, match="extra"):
        Draft202012Validator(SCHEMA).validate(sarif(report()) | {"extra": 1})


def test_unwritable_file_is_said(tmp_path: Path) -> None:
    """A file that cannot be written is named."""
    with pytest.raises(InputError, match=r"the SARIF report cannot be written to .*no-such-folder"):
        write_sarif(report(), tmp_path / "no-such-folder" / "s.json")
