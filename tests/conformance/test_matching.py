"""``duelproof check --ruleset auto``: which ruleset an engine conforms to best, and on which points it differs from each."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner, Result

from conformance.cli import cli
from conformance.matching import match_of
from engine_protocol.rulesets import RULESETS
from oracles import RULES
from reports.match import Match, match_schema, verdict
from reports.model import EngineIdentity, Finding, Footer, Header, Report, RuleResult, RulingResult, Settings, Verdict

CLAIMS = "python:tests.conformance.claims"
TELLING = "AT-14,RP-5,DS-5,DS-6,DA-3,DA-4,DA-10,CH-5"


def check(*arguments: str | Path) -> Result:
    """The command line in this process."""
    return CliRunner().invoke(cli, ["check", "--ruleset", "auto", *map(str, arguments)])


def report(
    ruleset: str, broken: Sequence[str], kept: Sequence[str] = (), rulings: Sequence[str] = (), *, cut: bool = False
) -> Report:
    """A report about one ruleset, in which these rules are broken and kept, and these rulings played otherwise."""

    def rule(name: str, verdict: Verdict) -> RuleResult:
        found = (Finding(rule=name, expected="this", happened="that"),) if verdict == "violated" else ()
        severity = RULES[name].severity.get(ruleset, "should")
        return RuleResult(id=name, title=name, verdict=verdict, at_stake=5, violations=found, severity=severity)

    return Report(
        header=Header(
            suite_version="1",
            engine=EngineIdentity(name="engine", version="1"),
            ruleset=ruleset,
            seed=0,
            settings=Settings(rules=(*broken, *kept)),
            started="2026-01-01",
        ),
        rules=(*(rule(name, "violated") for name in broken), *(rule(name, "conforms") for name in kept)),
        rulings=tuple(RulingResult(id=name, title=name, verdict="violated") for name in rulings),
        footer=Footer(complete=not cut, examples=1, seconds=1.0, reason="the time was over" if cut else None),
    )


def matched(*reports: Report) -> Match:
    """The match of an engine that was asked for the current rules."""
    return match_of("ocg-2023", reports)


def test_the_one_without_violations_is_best() -> None:
    """Broken under one ruleset and kept under the other: the other it is."""
    match = matched(report("master-rule-3", (), ("DS-6",)), report("ocg-2023", ("DS-6",)))
    assert match.best == ("master-rule-3",)
    assert verdict(match) == "Asked for ocg-2023, the engine conforms best to master-rule-3: no violations."


def test_a_mistake_under_any_ruleset_says_nothing() -> None:
    """DC-2 is broken wherever it is a rule, and no point on which rulesets differ is about it: it does not count against the
    ruleset that has more rules, while DS-6, which is kept elsewhere, does.
    """
    today = report("ocg-2023", ("DC-2", "DC-3"), ("DS-6",))
    match = matched(report("master-rule-3", ("DS-6", "DC-2")), today)
    assert match.best == ("ocg-2023",)
    assert [score.telling for score in match.scores] == [1, 0]
    assert "it breaks 2 rules and 0 rulings of it" in verdict(match)


def test_a_rule_that_only_one_ruleset_has_counts_where_they_differ() -> None:
    """No other ruleset orders the Triggers of the steps (BP-6), so an engine that does not either speaks against that one."""
    match = matched(report("master-rule-3", (), ("DS-2",)), report("ocg-2023", ("BP-6",), ("DS-2",)))
    assert match.best == ("master-rule-3",)


def test_rulings_decide_where_rules_do_not() -> None:
    """Both without a broken rule; an example of one is played otherwise."""
    match = matched(report("duel-arena", (), ("DS-2",)), report("ocg-2023", (), ("DS-2",), ("M-050",)))
    assert match.best == ("duel-arena",)


def test_what_cannot_be_told_apart_is_said_to_be() -> None:
    """Two without violations: both are named."""
    match = matched(report("duel-arena", (), ("DS-2",)), report("ocg-2023", (), ("DS-2",)), report("expert-2007", ("DS-2",)))
    assert match.best == ("duel-arena", "ocg-2023")
    assert "duel-arena and ocg-2023, which what was observed cannot tell apart: no violations." in verdict(match)


def test_what_was_not_seen_is_not_best() -> None:
    """A run that was cut short, or in which nothing was at stake, found nothing; that is no reason to prefer it."""
    match = matched(
        report("expert-2007", ()), report("duel-arena", (), ("DS-2",), cut=True), report("ocg-2023", ("AT-2",), ("DS-2",))
    )
    assert match.best == ("ocg-2023",)
    assert "nothing was observed" in verdict(matched(report("expert-2007", ()), report("ocg-2023", ())))


def test_points_name_what_differs_from_the_best() -> None:
    """The broken rule of the other ruleset comes with the parameter that it hangs on, and what both rulesets have for it."""
    match = matched(report("master-rule-3", (), ("DS-6",)), report("ocg-2023", ("DS-6",)))
    (point,) = match.scores[1].points
    assert point.severity == "must"
    (parameter,) = point.parameters
    assert parameter.startswith("The remaining timings still come when no damage calculation can be performed")
    assert parameter.endswith("ocg-2023: yes; master-rule-3: no")


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_reference_engine_is_known_by_what_it_plays(ruleset: str, tmp_path: Path) -> None:
    """Set to each of the five, it conforms to that one and to no other."""
    result = check(
        *("--engine", f"{CLAIMS}:{ruleset.replace('-', '_')}", "--rules", TELLING, "--examples", "24"),
        *("--workers", "1", "--findings", tmp_path),
    )
    assert result.exit_code == 0, result.output
    assert f"Asked for {ruleset}, the engine conforms best to {ruleset}: no violations." in result.stdout


def test_a_wrong_claim_is_seen_through(tmp_path: Path) -> None:
    """The engine claims the current rules and plays Master Rule 3; the points on which it differs from its claim are told, with a
    duel for each that shows it again.
    """
    answer = tmp_path / "answer.json"
    result = check(
        *("--engine", f"{CLAIMS}:Stubborn", "--rules", "RP-5,CH-5,DS-5,DS-6", "--examples", "48", "--workers", "1"),
        *("--findings", tmp_path, "--json", answer),
    )
    assert result.exit_code == 0, result.output
    assert "Asked for ocg-2023, the engine conforms best to master-rule-3" in result.stdout
    found = json.loads(answer.read_text())
    jsonschema.validate(found, match_schema())
    scores = {score["ruleset"]: score for score in found["matches"][0]["scores"]}
    assert "DS-6" in {point["rule"] for point in scores["ocg-2023"]["points"]}
    (point,) = (point for point in scores["duel-arena"]["points"] if point["rule"] == "RP-5")
    again = CliRunner().invoke(cli, ["replay", point["file"], "--engine", f"{CLAIMS}:Stubborn", "--asked-for", "ocg-2023"])
    assert again.exit_code == 1, again.output
    assert "RP-5" in again.stdout
    unasked = CliRunner().invoke(cli, ["replay", point["file"], "--engine", f"{CLAIMS}:Stubborn"])
    assert unasked.exit_code == 3
    assert "does not claim the ruleset 'duel-arena'" in unasked.stderr


def test_asked_for_one_and_judged_by_another(tmp_path: Path) -> None:
    """The engine that claims the current rules keeps DS-6 as Master Rule 3 has it; the report says what it was asked for."""
    result = CliRunner().invoke(
        cli,
        [
            *("check", "--engine", f"{CLAIMS}:Stubborn", "--ruleset", "master-rule-3", "--asked-for", "ocg-2023"),
            *("--rules", "DS-6", "--examples", "40", "--workers", "1", "--findings", str(tmp_path)),
        ],
    )
    assert result.exit_code == 0, result.output
    assert "ruleset master-rule-3 (asked for ocg-2023)" in result.stdout


def test_the_engine_of_the_issue() -> None:
    """As a program of its own on stdio."""
    engine = f"cmd:{sys.executable} -m conformance serve --ruleset master-rule-3"
    result = check("--engine", engine, "--rules", "RP-5,CH-5,DS-5,DS-6", "--examples", "48", "--workers", "1")
    assert result.exit_code == 0, result.output
    assert "conforms best to master-rule-3: no violations." in result.stdout


def test_an_engine_of_several_rulesets_is_asked_for_each(tmp_path: Path) -> None:
    """It plays what it is asked for, so there is an answer for each, and each time it is another. By how a replay is chosen alone
    the rulesets before Duel Arena cannot be told apart.
    """
    result = check("--engine", f"{CLAIMS}:two", "--rules", "RP-5", "--workers", "1", "--findings", tmp_path)
    assert result.exit_code == 0, result.output
    assert "Asked for duel-arena, the engine conforms best to duel-arena: no violations." in result.stdout
    (other,) = (line for line in result.stdout.splitlines() if line.startswith("Asked for expert-2007, the engine"))
    assert "cannot tell apart" in other
    assert "duel-arena" not in other


def test_an_engine_of_no_known_ruleset() -> None:
    """There is nothing it could be asked for: status 3, and what it claims is said."""
    result = check("--engine", f"{CLAIMS}:foreign")
    assert result.exit_code == 3
    assert "claims no known ruleset: goat-format" in result.stderr


def test_only_some_options_go_with_it(tmp_path: Path) -> None:
    """A baseline is of one ruleset, and a time budget could not be shared out evenly: both are refused, not ignored."""
    for option in (("--baseline", tmp_path / "b.json"), ("--time", "9s"), ("--junit", tmp_path / "j.xml"), ("--strict",)):
        result = check(*option)
        assert result.exit_code == 2
        assert f"{option[0]} does not go with --ruleset auto" in result.stderr
