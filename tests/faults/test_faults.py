"""Proof that the suite can fail: each seeded fault is caught by the rule it names, and its duel is small."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from conformance.examiner import Examiner
from conformance.jobs import Found, Message, Search, Shrink
from conformance.search import search
from conformance.setup import Setup
from conformance.shrinking import shrink
from engine_protocol.duel_file import DuelFile
from oracles import RULES
from tests.faults.catalogue import FAULTS
from tests.faults.fault import Fault

EXAMPLES = 400
MOST_CARDS = 6
MOST_CHOICES = 8


@dataclass(frozen=True, slots=True)
class Catch:
    """The smallest duel in which a rule caught a fault."""

    duel: DuelFile
    happened: str

    @property
    def choices(self) -> int:
        """Choices other than passing."""
        return sum(choice.do.kind not in ("pass", "no") for choice in self.duel.choices)


def catch(fault: Fault, rule: str) -> Catch | None:
    """Search for the fault with one rule's focus, all rules judging nothing but that one."""
    spec = f"python:tests.faults.engines:{fault.name}"
    with Examiner(Setup(engine=spec, rules=frozenset({rule}), timeout=2.0)) as examiner:
        job = Search(number=0, focus=rule, seed=0, examples=EXAMPLES, probe_every=8 if RULES[rule].by_trace else 1)
        told: list[Message] = []
        search(job, examiner, told.append)
        for message in told:
            if isinstance(message, Found) and message.problem.rule == rule:
                finding = shrink(Shrink(key=message.problem.key, search=job, duel=message.duel, seconds=20.0), examiner)
                assert finding is not None, "the duel that was found does not show the fault again"
                assert finding.duel is not None
                return Catch(finding.duel, finding.happened)
    return None


def test_names_are_unique_and_rules_exist() -> None:
    """A fault names a rule of the catalogue."""
    assert len({fault.name for fault in FAULTS}) == len(FAULTS) >= 25
    assert {fault.rule for fault in FAULTS} <= set(RULES)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_the_named_rule_catches_it_in_a_small_duel(fault: Fault) -> None:
    """A handful of cards and choices, so that a person can follow."""
    caught = catch(fault, fault.rule)
    assert caught is not None, f"{fault.rule} did not notice: {fault.title}"
    assert len(caught.duel.board.cards) <= MOST_CARDS
    assert caught.choices <= MOST_CHOICES
