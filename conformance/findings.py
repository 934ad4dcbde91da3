"""From a problem in a duel to a finding in a report."""

from __future__ import annotations

from conformance.problems import Problem
from engine_protocol.cards import card_pool
from engine_protocol.documents import DOCUMENTS
from engine_protocol.duel_file import Choice, DuelFile, Source, choices_of
from engine_protocol.rulesets import lineage, ruleset_named
from engine_protocol.trace import Trace
from oracles import RULES
from reports.cast import Cast
from reports.model import Citation, Finding, course_of
from reports.story import tell
from reports.text import one_line


def finding_of(problem: Problem, trace: Trace | None, choices: tuple[Choice, ...] | None = None) -> Finding:
    """The finding that a duel shows.

    ``choices`` are those of the duel file, where they are known; otherwise they are read off the trace.
    """
    if trace is None:
        return Finding(
            rule=problem.rule,
            expected=problem.expected,
            happened=problem.happened,
            documents=citations_of(problem.rule),
        )
    pool = card_pool()
    cast = Cast(trace, pool)
    return Finding(
        rule=problem.rule,
        expected=problem.expected,
        happened=problem.happened,
        cards=tuple(cast.name(card) for card in problem.cards),
        documents=citations_of(problem.rule, trace.board.ruleset),
        duel=duel_of(problem, trace, choices_of(trace) if choices is None else choices),
        story=tell(trace, pool, problem.at),
        course=course_of(trace, problem.at),
    )


def duel_of(problem: Problem, trace: Trace, choices: tuple[Choice, ...]) -> DuelFile:
    """The duel file of a counterexample."""
    return DuelFile(
        title=f"{problem.rule}: {title_of(problem.rule)}",
        source=Source(rule=problem.rule, note=one_line(f"expected: {problem.expected}; happened: {problem.happened}", 500)),
        board=trace.board,
        choices=choices,
    )


def title_of(rule: str) -> str:
    """The title of a rule; its id where it is unknown (a duel file may name any)."""
    return RULES[rule].title if rule in RULES else rule


def citations_of(rule: str, ruleset: str | None = None) -> tuple[Citation, ...]:
    """What a rule rests on: in a ruleset the documents that speak for it, its own first; those of another may say otherwise. A
    rule of the game at any time, on which they are silent, rests on what others say.
    """
    if rule not in RULES:
        return ()
    cited = RULES[rule].citations
    if ruleset is not None:
        nearest = [document for one in lineage(ruleset_named(ruleset)) for document in one.documents]
        speaking = [citation for citation in cited if citation[0] in nearest]
        cited = tuple(sorted(speaking, key=lambda citation: nearest.index(citation[0]))) or cited
    return tuple(
        Citation(document=document, title=DOCUMENTS.get(document, document), where=where or None) for document, where in cited
    )
