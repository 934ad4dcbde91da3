"""The report as JUnit XML: one test case for each rule, each ruling, and the end of the run.

Violations that a baseline tolerates are skipped tests, so that whoever reads the file agrees with the gate.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from junitparser import Error, Failure, JUnitXml, Properties, Property, Skipped, TestCase, TestSuite

from engine_protocol.errors import InputError
from reports.model import Finding, Report, RuleResult, RulingResult

_NOT_XML = re.compile("[^\\t\\n\\r\\u0020-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")
"""Characters that XML 1.0 cannot hold."""


def write_junit(report: Report, path: Path) -> None:
    """Write the report as JUnit XML.

    Raises:
        InputError: the file cannot be written.
    """
    try:
        junit(report).write(str(path), pretty=True)
    except OSError as error:
        raise InputError(f"the JUnit report cannot be written to {path}: {error.strerror or error}") from None


def junit(report: Report) -> JUnitXml:
    """The report as a JUnit document."""
    name = _xml(f"{report.header.engine.name} {report.header.engine.version}")
    xml = JUnitXml(name=f"duelproof {report.header.ruleset}")
    xml.add_testsuite(_suite(f"rules: {name}", (_rule_case(rule, report) for rule in report.rules)))
    if report.rulings:
        xml.add_testsuite(_suite(f"rulings: {name}", (_ruling_case(ruling, report) for ruling in report.rulings)))
    if report.undecided:
        xml.add_testsuite(_suite(f"undecided: {name}", _undecided_cases(report)))
    xml.add_testsuite(_suite(f"run: {name}", [_run_case(report), *_baseline_cases(report)]))
    return xml


def _undecided_cases(report: Report) -> Iterable[TestCase]:
    """Points that the ruleset's documents leave open: nothing is tested there."""
    for point in report.undecided:
        case = TestCase(_xml(point.meaning), classname="duelproof.undecided")
        case.result = [Skipped(_xml(f"undecided by the documents of {report.header.ruleset}"))]
        yield case


def _suite(name: str, cases: Iterable[TestCase]) -> TestSuite:
    suite = TestSuite(name)
    for case in cases:
        suite.add_testcase(case)
    return suite


def _with_properties(case: TestCase, properties: Mapping[str, str]) -> TestCase:
    element = Properties()  # type: ignore[no-untyped-call]
    for name, value in properties.items():
        element.add_property(Property(name, _xml(value)))
    case.append(element)  # type: ignore[no-untyped-call]
    return case


def _rule_case(rule: RuleResult, report: Report) -> TestCase:
    case = TestCase(_xml(f"{rule.id} {rule.title}"), classname=f"duelproof.rules.{rule.id.split('-')[0]}")
    documents = ", ".join(dict.fromkeys(citation.document for citation in rule.documents))
    known = {"rule": rule.id, "ruleset": report.header.ruleset, "severity": rule.severity, "at-stake": str(rule.at_stake)}
    _with_properties(case, known | ({"document": documents} if documents else {}))
    case.system_out = f"at stake {rule.at_stake} times; severity {rule.severity}"
    if rule.verdict == "violated":
        case.result = [_violation(finding) for finding in _worst(rule.violations)]
    elif rule.verdict != "conforms":
        case.result = [Skipped(_xml(f"{rule.verdict}: {rule.reason}" if rule.reason else rule.verdict))]
    return case


def _worst(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    """Those that fail, if there are any: a test cannot both fail and be skipped."""
    return tuple(finding for finding in findings if not _is_known(finding)) or findings[:1]


def _is_known(finding: Finding) -> bool:
    return finding.standing is not None and finding.standing.is_known


def _violation(finding: Finding) -> Failure | Skipped:
    if finding.standing is not None and finding.standing.is_known:
        return Skipped(_xml(f"known violation: {finding.standing.reason}"))
    failure = Failure(_xml(f"expected: {finding.expected}; happened: {finding.happened}"), "violated")
    parts = (finding.story, f"Expected: {finding.expected}", f"Happened: {finding.happened}", finding.replay or "")
    failure.text = _xml("\n".join(part for part in parts if part))
    return failure


def _ruling_case(ruling: RulingResult, report: Report) -> TestCase:
    case = TestCase(_xml(f"{ruling.id} {ruling.title}"), classname="duelproof.rulings")
    known = {"ruling": ruling.id, "ruleset": report.header.ruleset}
    _with_properties(case, known | ({"file": ruling.file} if ruling.file else {}))
    if ruling.standing is not None and ruling.standing.is_known:
        case.result = [Skipped(_xml(f"known violation: {ruling.standing.reason}"))]
    elif ruling.verdict == "violated":
        failure = Failure(_xml("; ".join(ruling.problems)), "violated")
        failure.text = _xml("\n".join((ruling.story, *ruling.problems)))
        case.result = [failure]
    elif ruling.verdict != "conforms":
        case.result = [Skipped(_xml("; ".join((ruling.verdict, *ruling.problems))))]
    return case


def _run_case(report: Report) -> TestCase:
    """Whether the run reached its end: a truncated report must not look like a passed one."""
    case = TestCase("the run is complete", classname="duelproof.run")
    if not report.is_complete:
        reason = report.footer.reason if report.footer is not None else None
        case.result = [Error(_xml(reason or "the run did not reach its end"), "incomplete")]
    return case


def _baseline_cases(report: Report) -> Iterable[TestCase]:
    """Whether the baseline lists what is fixed."""
    if report.gate is None:
        return
    case = TestCase("the baseline lists nothing that is fixed", classname="duelproof.run")
    stale = _xml("; ".join(f"{stale.id}: {stale.shape}" for stale in report.gate.stale))
    if stale:
        case.result = [Failure(stale, "stale") if report.gate.strict else Skipped(stale)]
    yield case


def _xml(text: str) -> str:
    return _NOT_XML.sub("�", text)
