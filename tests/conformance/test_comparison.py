"""`duelproof compare`: what changed between two reports."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from msgspec.structs import replace

from conformance.cli import CONFORMS, INCOMPLETE, INPUT_ERROR, VIOLATIONS, cli
from conformance.comparison import compare
from reports.json_report import write_json
from reports.model import EngineFailure, Report, RuleResult, RulingResult
from tests.conformance.test_baseline import finding, report, rule, ruling

UNSEEN = rule(at_stake=0, verdict="not-observed")
UNSUPPORTED = rule(at_stake=0, verdict="unsupported")


def kinds(old: Report, new: Report) -> list[str]:
    """What changed, in the order in which it is told."""
    return [change.kind for change in compare(old, new).changes]


@pytest.mark.parametrize(
    "before, after, changes",
    [
        (rule(), rule(), []),
        (rule(at_stake=50), rule(at_stake=30), []),
        (rule(), rule("AT-2", "a"), ["worse"]),
        (UNSEEN, rule("AT-2", "a"), ["worse"]),
        (rule(), UNSEEN, ["lost"]),
        (rule(), UNSUPPORTED, ["lost"]),
        (rule("AT-2", "a"), UNSUPPORTED, ["lost"]),
        (rule(at_stake=50), rule(at_stake=3), ["lost"]),
        (UNSEEN, rule(), ["gained"]),
        (UNSUPPORTED, UNSEEN, []),
        (rule("AT-2", "a"), rule(), ["better"]),
        (rule("AT-2", "a"), rule("AT-2", "b"), ["otherwise"]),
        (rule("AT-2", "cost 5"), rule("AT-2", "cost 6"), []),
        (ruling(), ruling("a"), ["worse"]),
        (ruling("a"), ruling(), ["better"]),
        (ruling("a"), ruling("b"), ["otherwise"]),
        (ruling(verdict="undecided"), ruling(), ["gained"]),
        (ruling(), ruling(verdict="unsupported"), ["lost"]),
    ],
)
def test_change(before: RuleResult | RulingResult, after: RuleResult | RulingResult, changes: list[str]) -> None:
    """Worse is what is violated now or known no longer; amounts alone are no change."""
    comparison = compare(report(before), report(after))
    assert [change.kind for change in comparison.changes] == changes
    assert comparison.is_worse == bool({"worse", "lost"} & set(changes))


def test_what_was_not_asked_for() -> None:
    """A rule that is asked for no longer is lost coverage; one that is asked for now is a gain."""
    assert kinds(report(rule(), rule("AT-1")), report(rule())) == ["lost"]
    assert kinds(report(rule()), report(rule(), rule("AT-1"))) == ["gained"]


def test_engine_failure_without_its_rule() -> None:
    """A crash counts even if its rule was not asked for; the same crash in both is no change."""
    crash = EngineFailure(code="crash", times=1, finding=finding("start() raised KeyError 12", "IV-4"))
    other = EngineFailure(code="crash", times=9, finding=finding("play() raised KeyError 7", "IV-4"))
    clean, broken = report(rule()), report(rule(), failures=(crash,))
    assert kinds(clean, broken) == ["worse"]
    assert kinds(broken, clean) == ["better"]
    assert kinds(broken, report(rule(), failures=(other,))) == []


def test_worst_first() -> None:
    """What somebody must look at stands on top."""
    old = report(rule("AT-1"), rule("AT-2", "a"), UNSUPPORTED, rule("DC-1"))
    new = report(rule("AT-1", "a"), rule("AT-2"), rule("DC-1", at_stake=0, verdict="not-observed"))
    assert kinds(old, new)[:2] == ["worse", "lost"]


def run(folder: Path, old: Report, new: Report) -> Result:
    """The command on two reports."""
    write_json(old, folder / "old.json")
    write_json(new, folder / "new.json")
    return CliRunner().invoke(
        cli, ["compare", str(folder / "old.json"), str(folder / "new.json"), "--markdown", str(folder / "c.md")]
    )


@pytest.mark.parametrize(
    "old, new, status, said",
    [
        (report(rule()), report(rule()), CONFORMS, "Nothing changed."),
        (report(rule("AT-2", "a")), report(rule()), CONFORMS, "Not worse than before."),
        (report(rule()), report(rule("AT-2", "a")), VIOLATIONS, "Worse than before."),
        (report(rule()), report(UNSEEN), VIOLATIONS, "Worse than before."),
        (report(rule()), report(rule(), complete=False), INCOMPLETE, "the new report is incomplete"),
    ],
)
def test_command(tmp_path: Path, old: Report, new: Report, status: int, said: str) -> None:
    """Status and result, on the terminal and in Markdown."""
    result = run(tmp_path, old, new)
    assert (result.exit_code, said in result.stdout) == (status, True)
    assert f"**{result.stdout.splitlines()[-1].strip()}**" in (tmp_path / "c.md").read_text("utf-8")


def test_command_tells_the_change(tmp_path: Path) -> None:
    """Rule, kind, before and after; and what else was not the same."""
    old, new = report(rule()), report(rule("AT-2", "a"))
    result = run(tmp_path, old, replace(new, header=replace(new.header, seed=1)))
    assert "now violated" in result.stdout
    assert "The seeds differ, 0 and 1" in result.stdout
    text = (tmp_path / "c.md").read_text("utf-8")
    assert "| now violated | AT-2 |  | conforms, 50 times at stake | violated, 50 times at stake |" in text


def test_other_ruleset_is_refused(tmp_path: Path) -> None:
    """The same rule may say another thing there."""
    old = report(rule())
    result = run(tmp_path, old, replace(old, header=replace(old.header, ruleset="ocg-2003")))
    assert (result.exit_code, "two rulesets, ocg-2023 and ocg-2003" in result.stderr) == (INPUT_ERROR, True)
