"""The JUnit report."""

from __future__ import annotations

from pathlib import Path

import pytest
from junitparser import JUnitXml

from engine_protocol.errors import InputError
from reports.junit import write_junit
from tests.reports.samples import report


def parsed(tmp_path: Path, **changes: object) -> JUnitXml:
    """The report written, and read again as a CI server would."""
    write_junit(report(**changes), tmp_path / "junit.xml")
    return JUnitXml.fromfile(str(tmp_path / "junit.xml"))


def test_one_case_for_each_rule_and_ruling(tmp_path: Path) -> None:
    """Five rules, two rulings, and the end of the run."""
    xml = parsed(tmp_path)
    assert (xml.tests, xml.failures, xml.skipped, xml.errors) == (8, 3, 2, 0)
    assert [case.name.split()[0] for suite in xml for case in suite][:6] == ["BP-2", "DS-3", "DC-4", "AT-4", "IV-4", "M-043"]


def test_failure_tells_the_story(tmp_path: Path) -> None:
    """A violated rule fails with its story and replay; characters that XML cannot hold do not get in."""
    case = next(case for suite in parsed(tmp_path) for case in suite if case.name.startswith("DS-3"))
    text = case.result[0].text
    assert "Player A: 8000 LP" in text
    assert "duelproof replay f/DS-3.duel.json --engine reference" in text
    assert "too soon" in text
    assert "\x1b" not in text


def test_truncated_run_is_an_error(tmp_path: Path) -> None:
    """A report without footer does not look like one that passed."""
    assert parsed(tmp_path, footer=None).errors == 1


def test_unwritable_file_is_said(tmp_path: Path) -> None:
    """A report that cannot be written names the file."""
    with pytest.raises(InputError, match="no-such-folder"):
        write_junit(report(), tmp_path / "no-such-folder" / "junit.xml")
