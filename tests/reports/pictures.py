"""Reports with pictures that the tests of the page share: friendly ones and hostile ones."""

from __future__ import annotations

from msgspec.structs import replace

from engine_protocol.duel_file import DuelFile
from reports.model import Citation, EngineIdentity, Finding, Report, RuleResult, RulingResult, course_of
from tests.reports.samples import ambush, ambush_board, report

MOMENT = 6
"""The event of the ambush, Mirror Force being activated, in which these reports see something wrong."""

HOSTILE = (
    "<img src=x onerror=window.hurt=1>",
    "</script><script>window.hurt=1</script>",
    "<!--<script>",
    '"><svg onload=window.hurt=1>',
    "' onfocus=window.hurt=1 autofocus '",
    "javascript:window.hurt=1",
    "{{ 7 * 6 }}{% raw %}${window.hurt=1}",
    "\u2028\u202e\x00\x1b[31m]]>",
)
ALL_HOSTILE = " ".join(HOSTILE)


def pictured(**changes: object) -> Report:
    """The sample report, with the ambush as the course of its violation and of its ruling."""
    plain = report()
    course = course_of(ambush(), MOMENT)
    finding = replace(plain.findings[0], course=course)
    statement = "Effects of a monster flipped by battle wait until after damage calculation."
    rules = tuple(
        replace(rule, violations=(finding,), statement=statement) if rule.id == "DS-3" else rule for rule in plain.rules
    )
    rulings = tuple(
        replace(ruling, course=course_of(ambush())) if ruling.verdict == "violated" else ruling for ruling in plain.rulings
    )
    fields: dict[str, object] = {"rules": rules, "rulings": rulings}
    return replace(plain, **(fields | changes))


def named(name: str, version: str, shown: Report) -> Report:
    """The same report of another engine."""
    return replace(shown, header=replace(shown.header, engine=EngineIdentity(name=name, version=version)))


def hostile() -> Report:
    """A report in which every text that can come from elsewhere tries to be markup or script."""
    board = ambush_board()
    cards = (replace(board.cards[0], counters={ALL_HOSTILE[:40]: 2, HOSTILE[1]: 1}), *board.cards[1:])
    trace = replace(ambush(), board=replace(board, cards=cards))
    finding = Finding(
        rule=ALL_HOSTILE,
        expected=ALL_HOSTILE,
        happened=ALL_HOSTILE,
        cards=HOSTILE,
        documents=(Citation(document=ALL_HOSTILE, title=ALL_HOSTILE, where=ALL_HOSTILE),),
        duel=DuelFile(title=ALL_HOSTILE, board=board),
        story=ALL_HOSTILE,
        course=course_of(trace, MOMENT),
        file=ALL_HOSTILE,
        replay=ALL_HOSTILE,
    )
    rule = RuleResult(
        id=ALL_HOSTILE,
        title=ALL_HOSTILE,
        verdict="violated",
        at_stake=3,
        violations=(finding,),
        reason=ALL_HOSTILE,
        statement=ALL_HOSTILE,
        documents=finding.documents,
    )
    ruling = RulingResult(
        id=ALL_HOSTILE, title=ALL_HOSTILE, verdict="violated", problems=HOSTILE, story=ALL_HOSTILE, course=course_of(trace)
    )
    plain = report()
    failure = replace(plain.engine_failures[0], finding=replace(finding, happened=HOSTILE[0]))
    assert plain.footer is not None
    return replace(
        plain,
        header=replace(
            plain.header,
            engine=EngineIdentity(name=ALL_HOSTILE, version=ALL_HOSTILE, homepage=HOSTILE[5]),
            suite_version=ALL_HOSTILE,
            ruleset=ALL_HOSTILE,
            started=ALL_HOSTILE,
        ),
        rules=(rule,),
        rulings=(ruling,),
        engine_failures=(failure,),
        footer=replace(plain.footer, complete=False, reason=ALL_HOSTILE),
    )
