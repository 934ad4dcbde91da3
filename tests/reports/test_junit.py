"""The JUnit report."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest
from junitparser import JUnitXml
from msgspec.structs import replace

from engine_protocol.errors import InputError
from reports.junit import junit, write_junit
from reports.model import Finding, Report, Standing
from tests.reports.gated import STALE, gated
from tests.reports.samples import report

GRAMMAR = {
    "testsuites": ({"name", "tests", "failures", "errors", "skipped", "time"}, {"testsuite"}),
    "testsuite": ({"name", "tests", "failures", "errors", "skipped", "time"}, {"testcase"}),
    "testcase": ({"name", "classname", "time"}, {"properties", "skipped", "error", "failure", "system-out", "system-err"}),
    "properties": (set(), {"property"}),
    "property": ({"name", "value"}, set()),
    "skipped": ({"message"}, set()),
    "failure": ({"message", "type"}, set()),
    "error": ({"message", "type"}, set()),
    "system-out": (set(), set()),
}
"""What CI servers read, by element: attributes and children."""

KNOWN, NEW = Standing(state="known", reason="bug 7"), Standing(state="new")


def strangers(element: ElementTree.Element) -> Iterator[str]:
    """Elements and attributes that the grammar has not, and tests that both fail and are skipped."""
    attributes, children = GRAMMAR.get(element.tag, (set(), set()))
    yield from (f"{element.tag}@{name}" for name in element.attrib if name not in attributes)
    tags = [child.tag for child in element]
    if "skipped" in tags and {"failure", "error"} & set(tags):
        yield "skipped and failed"
    for child in element:
        if child.tag not in children:
            yield f"{element.tag}/{child.tag}"
        yield from strangers(child)


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


@pytest.mark.parametrize("told", [report(), report(footer=None), gated(KNOWN, NEW, KNOWN, stale=(STALE,), strict=True)])
def test_document_keeps_to_the_grammar(told: Report) -> None:
    """Nothing is written that CI servers do not know, and every testsuite counts its cases rightly."""
    root = ElementTree.fromstring(junit(told).tostring())  # type: ignore[no-untyped-call]  # noqa: S314 - our own
    assert list(strangers(root)) == []
    for suite in root:
        cases = suite.findall("testcase")
        assert int(suite.attrib["tests"]) == len(cases)
        assert int(suite.attrib["skipped"]) == sum(case.find("skipped") is not None for case in cases)


def test_grammar_notices_strangers() -> None:
    """The grammar refuses other elements, and a test of two minds."""
    odd = "<testsuites><testsuite><testcase hue='1'><skipped/><failure/><odd/></testcase></testsuite></testsuites>"
    assert list(strangers(ElementTree.fromstring(odd))) == ["testcase@hue", "skipped and failed", "testcase/odd"]  # noqa: S314


def test_cases_say_rule_document_and_ruleset(tmp_path: Path) -> None:
    """Properties, for tools that sort by them."""
    cases = {case.name.split()[0]: case for suite in parsed(tmp_path) for case in suite}
    read = {name: {one.get("name"): one.get("value") for one in cases[name]._elem.iter("property")} for name in ("BP-2", "M-043")}
    assert read["BP-2"] == {"rule": "BP-2", "ruleset": "ocg-2023", "severity": "must", "at-stake": "1234"}
    assert read["M-043"] == {"ruling": "M-043", "ruleset": "ocg-2023"}


def test_known_violations_are_skipped(tmp_path: Path) -> None:
    """What the baseline tolerates does not fail; what it does not know still does, and so does strictly what is fixed."""
    write_junit(gated(KNOWN, NEW, KNOWN, stale=(STALE,), strict=True), tmp_path / "junit.xml")
    xml = JUnitXml.fromfile(str(tmp_path / "junit.xml"))
    results = {
        case.name.split()[0]: [type(one).__name__ for one in case.result] for suite in xml for case in suite if case.result
    }
    assert (results["DS-3"], results["IV-4"], results["M-045"]) == (["Skipped"], ["Failure"], ["Skipped"])
    stale = [case for suite in xml for case in suite if case.name == "the baseline lists nothing that is fixed"]
    assert [one.message for case in stale for one in case.result] == [f"BP-2: {STALE.shape}"]


def test_known_and_new_of_one_rule(tmp_path: Path) -> None:
    """The new one fails the test, whatever is known of the rule besides."""
    both = tuple(Finding(rule="DS-3", expected="a", happened=standing.state, standing=standing) for standing in (KNOWN, NEW))
    rules = tuple(replace(rule, violations=both) for rule in report().rules if rule.id == "DS-3")
    case = next(case for suite in parsed(tmp_path, rules=rules) for case in suite)
    assert [one.message for one in case.result] == ["expected: a; happened: new"]


def test_unwritable_file_is_said(tmp_path: Path) -> None:
    """A report that cannot be written names the file."""
    with pytest.raises(InputError, match="no-such-folder"):
        write_junit(report(), tmp_path / "no-such-folder" / "junit.xml")
