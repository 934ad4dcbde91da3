"""From the duel that was found to the smallest."""

from __future__ import annotations

import pytest

from conformance.examiner import Examiner
from conformance.jobs import Found, Message, Search, Shrink
from conformance.search import search
from conformance.setup import Setup
from conformance.shrinking import reduce_duel, shrink
from reports.model import Finding


def smallest(engine: str, focus: str, rule: str, seconds: float = 20.0) -> Finding | None:
    """The shrunk finding for a rule that the engine breaks."""
    spec = f"python:tests.conformance.miniatures:{engine}"
    with Examiner(Setup(engine=spec, rules=frozenset({rule}), timeout=0.3)) as examiner:
        job = Search(number=0, focus=focus, seed=1, examples=60, probe_every=1)
        told: list[Message] = []
        search(job, examiner, told.append)
        found = next(message for message in told if isinstance(message, Found) and message.problem.rule == rule)
        return shrink(Shrink(key=found.problem.key, search=job, duel=found.duel, seconds=seconds), examiner)


@pytest.mark.parametrize(
    "engine, focus, rule, cards, choices",
    [
        ("DealsTooMuch", "DC-3", "DC-3", 1, 1),
        ("Crashes", "DC-1", "IV-4", 3, 0),
        ("CrashesLate", "DC-3", "IV-4", 1, 1),
        ("NeverEnds", "DC-3", "IV-3", 1, 0),
        ("TakesAnything", "DC-3", "IV-2", 1, 0),
        ("Hangs", "DA-1", "IV-4", 1, 0),
    ],
)
def test_smallest_duel(engine: str, focus: str, rule: str, cards: int, choices: int) -> None:
    """Exactly the cards and choices that the fault needs are left, and it is known that none can go."""
    finding = smallest(engine, focus, rule)
    assert finding is not None
    assert finding.duel is not None
    assert (len(finding.duel.board.cards), len(finding.duel.choices)) == (cards, choices)
    assert finding.minimal


def test_time_that_is_over_is_said() -> None:
    """Without time the duel stays as it was found, and does not claim to be minimal."""
    finding = smallest("Crashes", "DC-1", "IV-4", seconds=0.0)
    assert finding is not None
    assert finding.duel is not None
    assert len(finding.duel.board.cards) > 3
    assert not finding.minimal


def test_what_does_not_show_is_not_reduced() -> None:
    """A duel without the problem gives no finding."""
    finding = smallest("DealsTooMuch", "DC-3", "DC-3")
    assert finding is not None
    assert finding.duel is not None
    with Examiner(Setup(engine="reference", rules=frozenset({"DC-3"}))) as examiner:
        assert reduce_duel(finding.duel.board, finding.duel.choices, "DC-3", examiner, 5.0) is None
