"""Two reports of one engine, an old and a new one: what became worse, what better, and what is known only now or no longer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Literal

from msgspec import Struct

from engine_protocol.errors import InputError
from reports.model import Finding, Report, RuleResult, RulingResult
from reports.shape import shape_of, shape_of_ruling
from reports.text import counted

Kind = Literal["worse", "lost", "gained", "better", "otherwise"]
"""``worse``: violated now; ``lost``: nothing is known any more, or little; ``gained``: at stake for the first time; ``better``:
violated no more; ``otherwise``: violated as before, in another way."""

BAD: frozenset[Kind] = frozenset({"worse", "lost"})

KNOWING = frozenset({"conforms", "violated"})
"""Verdicts that come from having seen the rule at stake."""


class Change(Struct, frozen=True, kw_only=True):
    """What became of one rule, ruling or failure of the engine. ``before`` and ``after`` in words."""

    kind: Kind
    id: str
    title: str
    before: str
    after: str


class Comparison(Struct, frozen=True, kw_only=True):
    """All changes, the bad ones first. ``remarks``: why differences may come from how the two runs were made."""

    changes: tuple[Change, ...]
    remarks: tuple[str, ...]

    @property
    def is_worse(self) -> bool:
        """Whether anything is worse or lost."""
        return any(change.kind in BAD for change in self.changes)


def compare(old: Report, new: Report) -> Comparison:
    """What changed from one report to the other.

    Raises:
        InputError: they are about two rulesets, so that the same rule may say two things.
    """
    if old.header.ruleset != new.header.ruleset:
        raise InputError(
            f"the reports are about two rulesets, {old.header.ruleset} and {new.header.ruleset}; "
            "`duelproof report` shows such reports side by side"
        )
    order: tuple[Kind, ...] = ("worse", "lost", "otherwise", "gained", "better")
    changes = [*_rules(old, new), *_failures(old, new), *_rulings(old, new)]
    return Comparison(
        changes=tuple(sorted(changes, key=lambda change: order.index(change.kind))), remarks=tuple(_remarks(old, new))
    )


def _rules(old: Report, new: Report) -> Iterator[Change]:
    before, after = {rule.id: rule for rule in old.rules}, {rule.id: rule for rule in new.rules}
    floor = old.header.settings.floor
    for name, latest in {**before, **after}.items():
        one, other = before.get(name), after.get(name)
        kind = _kind(one, other)
        if kind is None and one is not None and other is not None:
            if one.verdict == "violated" == other.verdict and _shapes(one.violations) != _shapes(other.violations):
                kind = "otherwise"
            elif one.at_stake >= floor > other.at_stake and other.verdict == "conforms":
                kind = "lost"
        if kind is not None:
            yield Change(kind=kind, id=name, title=latest.title, before=_rule_told(one), after=_rule_told(other))


def _rulings(old: Report, new: Report) -> Iterator[Change]:
    before, after = {ruling.id: ruling for ruling in old.rulings}, {ruling.id: ruling for ruling in new.rulings}
    for name, latest in {**before, **after}.items():
        one, other = before.get(name), after.get(name)
        kind = _kind(one, other)
        if kind is None and one is not None and other is not None and one.verdict == "violated" == other.verdict:
            kind = "otherwise" if shape_of_ruling(one) != shape_of_ruling(other) else None
        if kind is not None:
            yield Change(kind=kind, id=name, title=latest.title, before=_ruling_told(one), after=_ruling_told(other))


def _failures(old: Report, new: Report) -> Iterator[Change]:
    """Failures of the engine whose rule one of the runs did not ask for; the others are told with their rule."""
    asked = {rule.id for rule in (*old.rules, *new.rules)}
    before, after = _failed(old, asked), _failed(new, asked)
    for key in {**before, **after}:
        if (key in before) != (key in after):
            kind: Kind = "worse" if key in after else "better"
            told = ("-", "in a duel") if key in after else ("in a duel", "-")
            yield Change(kind=kind, id=key[0], title=key[1], before=told[0], after=told[1])


def _failed(report: Report, asked: set[str]) -> Mapping[tuple[str, str], Finding]:
    findings = (failure.finding for failure in report.engine_failures)
    return {(finding.rule, shape_of(finding)): finding for finding in findings if finding.rule not in asked}


def _kind(before: RuleResult | RulingResult | None, after: RuleResult | RulingResult | None) -> Kind | None:
    """What the verdicts say. Somebody who was not asked is as good as not observed."""
    old = "not-observed" if before is None else before.verdict
    new = "not-observed" if after is None else after.verdict
    if new == "violated" != old:
        return "worse"
    if old in KNOWING and new not in KNOWING:
        return "lost"
    if old == "violated" != new:
        return "better"
    return "gained" if new in KNOWING and old not in KNOWING else None


def _shapes(findings: tuple[Finding, ...]) -> set[str]:
    return {shape_of(finding) for finding in findings}


def _rule_told(rule: RuleResult | None) -> str:
    if rule is None:
        return "not asked for"
    stake = f", {rule.at_stake:,} times at stake" if rule.at_stake else ""
    return rule.verdict.replace("-", " ") + stake


def _ruling_told(ruling: RulingResult | None) -> str:
    return "not asked for" if ruling is None else ruling.verdict.replace("-", " ")


def _remarks(old: Report, new: Report) -> Iterator[str]:
    one, other = old.header, new.header
    if one.engine.name != other.engine.name:
        yield f"The engines are not the same: {one.engine.name} and {other.engine.name}."
    if one.suite_version != other.suite_version:
        yield f"duelproof was {one.suite_version} and is {other.suite_version}: rules may be new or say more."
    if one.seed != other.seed:
        yield f"The seeds differ, {one.seed} and {other.seed}: other duels were drawn."
    if (one.settings.examples, one.settings.seconds) != (other.settings.examples, other.settings.seconds):
        yield f"The runs were not of the same length: {_length(old)} and {_length(new)}."
    for what, report in (("old", old), ("new", new)):
        if not report.is_complete:
            yield f"The {what} report is incomplete."


def _length(report: Report) -> str:
    settings = report.header.settings
    if settings.examples is not None:
        return f"{counted(settings.examples, 'duel')} for each rule"
    return f"{settings.seconds:g} s" if settings.seconds is not None else "unknown"
