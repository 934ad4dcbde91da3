"""What the conformance suite has to say against the reference engine, in the order in which a mutant is noticed soonest: first
the rulings, then a few duels for each rule, then more of them, in all half of what `duelproof check` plays by default.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.budget import DEFAULT_EXAMPLES, Budget
from conformance.examiner import Examiner
from conformance.jobs import Found, Message
from conformance.rulings import judge_ruling
from conformance.search import TimeOver, search
from conformance.selection import select
from conformance.setup import Setup
from engine_protocol.rulesets import DEFAULT_RULESET

ENGINE = "python:reference_engine:ReferenceEngine"
"""Named like an engine of somebody else, so that what it returns is checked: a mutant cannot be trusted."""

TIMEOUT = 2.0
"""Seconds the engine has for one answer."""

BUDGETS = (Budget(examples=12, seed=1), Budget(examples=DEFAULT_EXAMPLES // 2 - 12))


def violations() -> Iterator[str]:
    """Each as ``rule or ruling: what happened``, until the suite has come to its end.

    Raises:
        EngineError: the engine cannot be used at all.
    """
    selection = select(DEFAULT_RULESET)
    with Examiner(Setup(engine=ENGINE, rules=frozenset(selection.rules), timeout=TIMEOUT)) as examiner:
        yield from _violated_rulings(selection.rulings, examiner)
        for budget in BUDGETS:
            for job in budget.searches(selection):
                found: list[Found] = []

                def tell(message: Message, found: list[Found] = found) -> None:
                    if isinstance(message, Found):
                        found.append(message)
                        raise TimeOver

                search(job, examiner, tell)
                yield from (f"{message.problem.rule}: {message.problem.happened}" for message in found)


def _violated_rulings(names: tuple[str, ...], examiner: Examiner) -> Iterator[str]:
    for name in names:
        result = judge_ruling(name, examiner)
        if result.verdict == "violated":
            yield f"{name}: {' '.join(result.problems)}"
