"""IV: invariants of an engine under any ruleset. They take the live engine or several runs; the runner checks them."""

from __future__ import annotations

from typing import Final

from oracles.oracle import Citation, Rule

_CONTRACT: Final[tuple[Citation, ...]] = ()


def _live(rule: str, title: str, statement: str) -> Rule:
    return Rule(id=rule, title=title, statement=statement, citations=_CONTRACT, severity={"ocg-2023": "must"}, by_trace=False)


LIVE_RULES: Final[tuple[Rule, ...]] = (
    _live("IV-1", "Determinism", "The same board, seed and choices give the same trace."),
    _live("IV-2", "Refusal", "A choice that is not offered is refused with an error and changes nothing."),
    _live("IV-3", "Termination", "Passing whenever passing is offered ends the Battle Phase in a bounded number of decisions."),
    _live("IV-4", "Robustness", "The engine neither crashes, hangs nor breaks the message schema."),
)
