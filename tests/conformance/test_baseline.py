"""Baselines: what is tolerated, what is not, and what an update keeps."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from conformance.baseline import NO_REASON, Baseline, Known, baseline_schema, held_against, read_baseline, updated, write_baseline
from engine_protocol.errors import InputError
from reports.model import (
    EngineFailure,
    EngineIdentity,
    Finding,
    Footer,
    Header,
    Report,
    RuleResult,
    RulingResult,
    Settings,
    Verdict,
)

RULESET = "ocg-2023"
TODAY = date(2026, 6, 1)
RULING = "N-013-direct-attack"
TWIN = '{"id": "AT-2", "shape": "a", "reason": "b"}'


def finding(happened: str, rule: str = "AT-2") -> Finding:
    """One way to break a rule."""
    return Finding(rule=rule, expected="x", happened=happened)


def shape(happened: str) -> str:
    """Its shape."""
    return f"expected: x; happened: {happened}"


def rule(name: str = "AT-2", *happened: str, at_stake: int = 50, verdict: Verdict = "conforms") -> RuleResult:
    """What is known of a rule: violated as told, otherwise with this verdict."""
    violations = tuple(finding(one, name) for one in happened)
    return RuleResult(id=name, title="", verdict="violated" if happened else verdict, at_stake=at_stake, violations=violations)


def ruling(*problems: str, verdict: Verdict = "conforms") -> RulingResult:
    """How a ruling was played."""
    return RulingResult(id=RULING, title="", verdict="violated" if problems else verdict, problems=problems)


def report(*results: RuleResult | RulingResult, complete: bool = True, failures: tuple[EngineFailure, ...] = ()) -> Report:
    """A report of rules and rulings."""
    rules = tuple(result for result in results if isinstance(result, RuleResult))
    return Report(
        header=Header(
            suite_version="1",
            engine=EngineIdentity(name="mine", version="1"),
            ruleset=RULESET,
            seed=0,
            settings=Settings(rules=tuple(result.id for result in rules), examples=50, floor=20),
            started="2026-01-01T00:00:00+00:00",
        ),
        rules=rules,
        rulings=tuple(result for result in results if isinstance(result, RulingResult)),
        engine_failures=failures,
        footer=Footer(complete=complete, examples=1, seconds=1.0),
    )


def baseline(*known: Known) -> Baseline:
    """A baseline of the ruleset."""
    return Baseline(ruleset=RULESET, known=known)


def entry(happened: str, name: str = "AT-2", **changes: Any) -> Known:
    """A tolerated violation."""
    return Known(**{"id": name, "shape": shape(happened), "reason": "bug 7", **changes})


def judged(told: Report, *known: Known, strict: bool = False) -> Report:
    """The report held against a baseline."""
    return held_against(told, baseline(*known), TODAY, file="known.json", strict=strict)


def states(told: Report) -> list[str]:
    """How its violations stand."""
    return [standing.state for standing in told.standings]


def stale(told: Report) -> list[str]:
    """What is listed though it is fixed."""
    assert told.gate is not None
    return [one.id for one in told.gate.stale]


@pytest.mark.parametrize(
    "result, known, state, refused",
    [
        (rule("AT-2", "a"), (), "new", True),
        (rule("AT-2", "a"), (entry("a", "AT-1"),), "new", True),
        (rule("AT-2", "a"), (entry("a"),), "known", False),
        (rule("AT-2", "a"), (entry("b"),), "drift", True),
        (rule("AT-2", "a"), (entry("b", nondeterminate=True),), "drift", True),
        (rule("AT-2", "a"), (entry("a"), entry("b")), "known", False),
        (rule("AT-2", "a"), (entry("a", expires=TODAY),), "known", False),
        (rule("AT-2", "a"), (entry("a", expires=date(2026, 5, 31)),), "expired", True),
        (ruling("a"), (), "new", True),
        (ruling("a"), (Known(id=RULING, shape="a", reason="bug 7"),), "known", False),
        (ruling("a"), (Known(id=RULING, shape="b", reason="bug 7"),), "drift", True),
    ],
)
def test_standing(result: RuleResult | RulingResult, known: tuple[Known, ...], state: str, refused: bool) -> None:
    """A violation is tolerated if just this one is listed and its time is not over; the last day still counts."""
    told = judged(report(result), *known)
    assert (states(told), told.is_refused) == ([state], refused)


def test_second_way_to_fail_is_new() -> None:
    """Where a rule fails as listed and in another way besides, the other one is new, not drift."""
    told = judged(report(rule("IV-4", "a", "b")), entry("a", "IV-4"))
    assert states(told) == ["known", "new"]


def test_engine_failure_is_a_violation() -> None:
    """A crash stops a change unless it is listed, whether its rule was asked for or not."""
    crash = EngineFailure(code="crash", times=1, finding=finding("start() raised KeyError 12", "IV-4"))
    told = judged(report(rule(), failures=(crash,)))
    assert (states(told), told.is_refused) == (["new"], True)
    known = entry("a call raised KeyError N", "IV-4")
    assert states(judged(report(rule(), failures=(crash,)), known)) == ["known"]


@pytest.mark.parametrize(
    "told, known, fixed",
    [
        (report(rule()), entry("a"), True),
        (report(ruling()), Known(id=RULING, shape="a", reason=""), True),
        (report(rule()), entry("a", "XX-9"), True),
        (report(rule(), complete=False), entry("a"), False),
        (report(rule(at_stake=3)), entry("a"), False),
        (report(rule(at_stake=0, verdict="not-observed")), entry("a"), False),
        (report(rule(at_stake=0, verdict="unsupported")), entry("a"), False),
        (report(rule("AT-1")), entry("a"), False),
        (report(ruling(verdict="undecided")), Known(id=RULING, shape="a", reason=""), False),
        (report(rule()), entry("a", nondeterminate=True), False),
    ],
)
def test_stale(told: Report, known: Known, fixed: bool) -> None:
    """Fixed is what a complete run saw to be kept often enough, or what exists no more; it fails only strictly."""
    assert (stale(judged(told, known)) == [known.id]) == fixed
    assert not judged(told, known).is_refused
    assert judged(told, known, strict=True).is_refused == fixed


def test_listed_shapes_of_a_violated_rule_are_not_stale() -> None:
    """A run shows one violation of a rule; what else is listed of it may still be there."""
    assert stale(judged(report(rule("AT-2", "a")), entry("a"), entry("b"))) == []


def test_undecided_rulings_never_fail() -> None:
    """What the documents leave open is no violation, listed or not."""
    told = judged(report(ruling(verdict="undecided")))
    assert (states(told), told.is_refused) == ([], False)


def test_update_keeps_reasons() -> None:
    """What still fails, was not asked for or is not decided stays as it is; what is fixed goes; what is new asks for a reason."""
    kept = entry("a", reason="bug 1", expires=TODAY)
    elsewhere = entry("b", "DC-1", reason="bug 2")
    fixed = entry("c", "AT-1")
    after = updated(report(rule("AT-2", "a"), rule("AT-1"), ruling("z")), baseline(kept, elsewhere, fixed))
    assert set(after.known) == {kept, elsewhere, Known(id=RULING, shape="z", reason=NO_REASON)}


def test_update_on_drift() -> None:
    """The new shape takes the old one's place with its reason and last day; one that comes and goes is kept besides."""
    old = entry("a", reason="bug 1", expires=TODAY)
    comes_and_goes = entry("b", reason="bug 2", nondeterminate=True)
    after = updated(report(rule("AT-2", "c")), baseline(old, comes_and_goes))
    assert set(after.known) == {entry("c", reason="bug 1", expires=TODAY), comes_and_goes}


def test_update_settles() -> None:
    """After an update the same report passes, and another update changes nothing."""
    told = report(rule("AT-2", "a"), rule("IV-4", "b", "c"), ruling("z"))
    after = updated(told, baseline(entry("x"), entry("b", "IV-4")))
    assert not judged(told, *after.known, strict=True).is_refused
    assert updated(told, after) == after


def test_file_is_sorted_and_comes_back(tmp_path: Path) -> None:
    """One field a line, in the order of ids and shapes, whatever the order before; the file keeps to its schema."""
    known = (entry("b"), entry("a", expires=TODAY), entry("z", "AT-1", nondeterminate=True))
    write_baseline(baseline(*known), tmp_path / "one.json")
    write_baseline(baseline(*reversed(known)), tmp_path / "two.json")
    text = (tmp_path / "one.json").read_text("utf-8")
    assert text == (tmp_path / "two.json").read_text("utf-8")
    assert [one["id"] + one["shape"][-1] for one in json.loads(text)["known"]] == ["AT-1z", "AT-2a", "AT-2b"]
    assert '\n      "expires": "2026-06-01"\n' in text
    assert set(read_baseline(tmp_path / "one.json", RULESET).known) == set(known)
    Draft202012Validator(baseline_schema()).validate(json.loads(text))


@pytest.mark.parametrize(
    "text, said",
    [
        ("{", "is no baseline"),
        ("\udcff", "is no baseline"),
        ("[" * 100_000, "is no baseline"),
        ('{"ruleset": "ocg-2023", "knwon": []}', "unknown field `knwon`"),
        ('{"ruleset": "ocg-2023", "known": [{"id": "AT-2", "shape": "a"}]}', "missing required field `reason`"),
        (
            '{"ruleset": "ocg-2023", "known": [{"id": "AT-2", "shape": "a", "reason": "", "expires": "soon"}]}',
            r"known\[0\].expires",
        ),
        ('{"ruleset": "ocg-2023", "format": 9}', "baseline format 9"),
        ('{"ruleset": "ocg-2003"}', "baseline of the ruleset ocg-2003"),
        (f'{{"ruleset": "ocg-2023", "known": [{TWIN}, {TWIN}]}}', "lists AT-2 2 times"),
    ],
)
def test_bad_file_is_refused(tmp_path: Path, text: str, said: str) -> None:
    """A sentence says what is wrong with it."""
    (tmp_path / "known.json").write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(InputError, match=said):
        read_baseline(tmp_path / "known.json", RULESET)


def test_missing_file_is_said(tmp_path: Path) -> None:
    """And how to make one."""
    with pytest.raises(InputError, match=r"no baseline .*none\.json; --update-baseline makes one"):
        read_baseline(tmp_path / "none.json", RULESET)
