"""The reference engine conforms to each of the five rulesets, and reports say what each leaves undecided."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from conformance.cli import cli
from conformance.points import undecided_parameters, undecided_rules
from engine_protocol.rulesets import RULESETS, ruleset_named
from oracles import rules_of
from reports.json_report import read_json


@pytest.mark.parametrize("name", RULESETS)
def test_the_reference_engine_conforms(name: str, tmp_path: Path) -> None:
    """A few duels for every rule of the ruleset: none is violated, and most are at stake in them (the documents' own examples are
    played elsewhere). The report has every point that the ruleset leaves open, in each of its forms.
    """
    arguments = ["check", "--ruleset", name, "--rules", "??-*", "--examples", "6", "--workers", "1"]
    files = {form: tmp_path / form for form in ("json", "junit", "markdown", "sarif", "html")}
    outputs = [part for form, file in files.items() for part in (f"--{form}", str(file))]
    result = CliRunner().invoke(cli, [*arguments, *outputs, "--findings", str(tmp_path / "findings")])
    assert result.exit_code == 0, result.output
    assert f"ruleset {name}, seed 0" in result.stdout
    report = read_json(files["json"])
    judged = [rule for rule in report.rules if rule.verdict != "undecided"]
    assert [rule.id for rule in judged] == [rule.id for rule in rules_of(name)]
    assert sum(rule.verdict == "conforms" for rule in judged) >= 0.8 * len(judged)
    ruleset = ruleset_named(name)
    assert {rule.id for rule in report.rules if rule.verdict == "undecided"} == {rule.id for rule, _ in undecided_rules(ruleset)}
    told = {point.id: point for point in report.undecided}
    expected = {
        point.id for point in undecided_parameters(ruleset) if not set(point.rules).isdisjoint(rule.id for rule in judged)
    }
    assert told.keys() == expected
    suites = {case.get("name") for case in ElementTree.parse(files["junit"]).iter("testcase")}  # noqa: S314 - our own file
    for point in told.values():
        assert point.meaning in suites
        assert point.meaning.split(",")[0][:40] in result.stdout
        assert point.meaning[:40] in files["markdown"].read_text()
        assert point.meaning[:40] in files["sarif"].read_text()
        assert point.meaning[:40] in (files["html"] / "index.html").read_text()
