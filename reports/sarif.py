"""The report as SARIF 2.1.0, the format in which code scanning takes results.

Each violation is a result with the duel file as its location and its shape as fingerprint, so that alerts survive from run to
run. What the baseline tolerates is suppressed, not left out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path, PurePath
from typing import Any
from urllib.parse import quote

from reports.model import Citation, Finding, Report, RuleResult, RulingResult, Standing
from reports.shape import shape_of, shape_of_ruling
from reports.text import one_line, printable
from reports.writing import write_text

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

NO_FILE = "duelproof-findings"
"""Where a violation is said to be that has no duel file: code scanning refuses results without a place."""

_BASELINE_STATES = {"new": "new", "known": "unchanged", "drift": "updated", "expired": "unchanged"}


def write_sarif(report: Report, path: Path) -> None:
    """Write the report as SARIF.

    Raises:
        InputError: the file cannot be written.
    """
    write_text(json.dumps(sarif(report), indent=2, ensure_ascii=False) + "\n", path, "the SARIF report")


def sarif(report: Report) -> dict[str, Any]:
    """The report as a SARIF log with one run."""
    header = report.header
    rules = [_descriptor(rule) for rule in report.rules]
    known = {rule["id"] for rule in rules}
    for finding in report.all_findings:
        if finding.rule not in known:
            known.add(finding.rule)
            rules.append({"id": finding.rule})
    rules += [_ruling_descriptor(ruling) for ruling in report.violated_rulings]
    run: dict[str, Any] = {
        "tool": {
            "driver": {
                "name": "duelproof",
                "version": one_line(header.suite_version),
                "rules": rules,
            }
        },
        "automationDetails": {"id": f"duelproof/{quote(header.ruleset, safe='')}/"},
        "invocations": [_invocation(report)],
        "results": list(_results(report, [rule["id"] for rule in rules])),
        "properties": {
            "engine": one_line(header.engine.name),
            "engineVersion": one_line(header.engine.version),
            "ruleset": one_line(header.ruleset),
            "seed": header.seed,
            "undecided": [printable(point.meaning) for point in report.undecided],
        },
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _descriptor(rule: RuleResult) -> dict[str, Any]:
    descriptor: dict[str, Any] = {
        "id": rule.id,
        "shortDescription": {"text": _text(rule.title)},
        "defaultConfiguration": {"level": _level(rule.severity)},
        "properties": {
            "verdict": rule.verdict,
            "severity": rule.severity,
            "atStake": rule.at_stake,
            "documents": [_citation(citation) for citation in rule.documents],
        },
    }
    if rule.statement:
        descriptor["fullDescription"] = {"text": _text(rule.statement)}
    if rule.documents:
        descriptor["help"] = {"text": _text("Documents: " + "; ".join(map(_citation, rule.documents)))}
    return descriptor


def _ruling_descriptor(ruling: RulingResult) -> dict[str, Any]:
    return {"id": ruling.id, "shortDescription": {"text": _text(ruling.title)}, "defaultConfiguration": {"level": "error"}}


def _invocation(report: Report) -> dict[str, Any]:
    """Whether the run came to its end: a truncated one must not look like one that found nothing."""
    if report.is_complete:
        return {"executionSuccessful": True}
    reason = (report.footer.reason if report.footer is not None else None) or "the run did not reach its end"
    notification = {"level": "error", "message": {"text": _text(f"Incomplete: {reason}.")}}
    return {"executionSuccessful": False, "toolExecutionNotifications": [notification]}


def _results(report: Report, ids: list[str]) -> Iterator[dict[str, Any]]:
    severity = {rule.id: rule.severity for rule in report.rules}
    for finding in report.all_findings:
        yield _result(
            finding.rule,
            ids,
            level=_level(severity.get(finding.rule, "must")),
            message=_told(finding),
            shape=shape_of(finding),
            file=finding.file,
            standing=finding.standing,
        )
    for ruling in report.violated_rulings:
        yield _result(
            ruling.id,
            ids,
            level="error",
            message="\n".join(part for part in (*ruling.problems, ruling.story, _replay(ruling.replay)) if part),
            shape=shape_of_ruling(ruling),
            file=ruling.file,
            standing=ruling.standing,
        )


def _result(
    rule: str, ids: list[str], *, level: str, message: str, shape: str, file: str | None, standing: Standing | None
) -> dict[str, Any]:
    fingerprint = sha256(f"{rule}\n{shape}".encode()).hexdigest()
    location = {"artifactLocation": {"uri": _uri(file or NO_FILE)}, "region": {"startLine": 1}}
    result: dict[str, Any] = {
        "ruleId": rule,
        "ruleIndex": ids.index(rule),
        "kind": "fail",
        "level": level,
        "message": {"text": _text(message)},
        "locations": [{"physicalLocation": location}],
        # The first name is the one that GitHub goes by.
        "partialFingerprints": {"primaryLocationLineHash": f"{fingerprint}:1", "duelproofShape/v1": fingerprint},
        "properties": {"shape": shape},
    }
    if standing is not None:
        result["baselineState"] = _BASELINE_STATES[standing.state]
        result["suppressions"] = []
        if standing.is_known:
            result["suppressions"].append({"kind": "external", "justification": printable(standing.reason)})
    return result


def _told(finding: Finding) -> str:
    parts = (f"Expected: {finding.expected}", f"Happened: {finding.happened}", finding.story, _replay(finding.replay))
    return "\n".join(part for part in parts if part)


def _replay(command: str | None) -> str:
    return f"Replay: {command}" if command else ""


def _citation(citation: Citation) -> str:
    where = f", {citation.where}" if citation.where else ""
    return printable(f"{citation.document} ({citation.title}){where}")


def _level(severity: str) -> str:
    return "error" if severity == "must" else "warning"


def _text(text: str) -> str:
    """A plain text message: braces stand for arguments unless doubled, and brackets before a parenthesis for links."""
    return printable(text, 20_000).replace("{", "{{").replace("}", "}}").replace("](", "] (")


def _uri(file: str) -> str:
    path = PurePath(file)
    return path.as_uri() if path.is_absolute() else quote(path.as_posix())
