"""What the conformance suite has to say against the reference engine, in the order in which a mutant is noticed soonest: first
the rulings of all rulesets, then a few duels for each rule in each of them, then more in the default ruleset: in all a third of
what `duelproof check` plays there.
"""

from __future__ import annotations

from collections.abc import Iterator

from conformance.budget import DEFAULT_EXAMPLES, Budget
from conformance.examiner import Examiner
from conformance.jobs import Found, Message
from conformance.rulings import judge_ruling
from conformance.search import TimeOver, search
from conformance.selection import Selection, select
from conformance.setup import Setup
from engine_protocol.rulesets import DEFAULT_RULESET, RULESETS

ENGINE = "python:reference_engine:ReferenceEngine"
"""Named like an engine of somebody else, so that what it returns is checked: a mutant cannot be trusted."""

TIMEOUT = 2.0
"""Seconds the engine has for one answer."""

FEW, SOME, MORE = Budget(examples=6), Budget(examples=12), Budget(examples=DEFAULT_EXAMPLES // 4, seed=1)


def violations() -> Iterator[str]:
    """Each as ``rule or ruling: what happened``, until the suite has come to its end.

    Raises:
        EngineError: the engine cannot be used at all.
    """
    earlier = [name for name in RULESETS if name != DEFAULT_RULESET]
    for ruleset in (DEFAULT_RULESET, *earlier):
        yield from _violated_rulings(ruleset)
    yield from _broken_rules(DEFAULT_RULESET, SOME)
    for ruleset in earlier:
        yield from _broken_rules(ruleset, FEW)
    yield from _broken_rules(DEFAULT_RULESET, MORE)


def _examiner(ruleset: str, selection: Selection) -> Examiner:
    return Examiner(Setup(engine=ENGINE, ruleset=ruleset, rules=frozenset(selection.rules), timeout=TIMEOUT))


def _violated_rulings(ruleset: str) -> Iterator[str]:
    selection = select(ruleset)
    with _examiner(ruleset, selection) as examiner:
        for name in selection.rulings:
            result = judge_ruling(name, examiner)
            if result.verdict == "violated":
                yield f"{name}: {' '.join(result.problems)}"


def _broken_rules(ruleset: str, budget: Budget) -> Iterator[str]:
    selection = select(ruleset)
    with _examiner(ruleset, selection) as examiner:
        for job in budget.searches(selection):
            found: list[Found] = []

            def tell(message: Message, found: list[Found] = found) -> None:
                if isinstance(message, Found):
                    found.append(message)
                    raise TimeOver

            search(job, examiner, tell)
            yield from (f"{message.problem.rule}: {message.problem.happened}" for message in found)
