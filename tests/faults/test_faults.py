"""Proof that the suite can fail: each seeded fault is caught by the rule it names, and its duel is small."""

from __future__ import annotations

import pytest

from oracles import RULES
from tests.faults.catalogue import FAULTS
from tests.faults.fault import Fault
from tests.faults.hunt import Hunt

MOST_CARDS = 6
MOST_CHOICES = 8


def test_names_are_unique_and_rules_exist() -> None:
    """A fault names rules of the catalogue."""
    assert len({fault.name for fault in FAULTS}) == len(FAULTS)
    assert {rule for fault in FAULTS for rule in (fault.rule, *fault.also)} <= set(RULES)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_the_named_rule_catches_it_in_a_small_duel(fault: Fault) -> None:
    """Within the default budget of that rule, and with a handful of cards and choices, so that a person can follow."""
    caught = Hunt(fault).catch()
    assert caught is not None, f"{fault.rule} did not notice: {fault.title}"
    assert caught.cards <= MOST_CARDS
    assert caught.choices <= MOST_CHOICES
