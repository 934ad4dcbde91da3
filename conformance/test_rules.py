"""The suite as pytest items: ``pytest --pyargs conformance --duel-engine E``."""

from __future__ import annotations

import pytest

from conformance.suite import Outcome, Suite


def test_rule(duel_rule: str, duel_suite: Suite) -> None:
    """The engine keeps to the rule in random duels about it."""
    _report(duel_suite.check_rule(duel_rule))


def test_ruling(duel_ruling: str, duel_suite: Suite) -> None:
    """The engine plays the example as the document says."""
    _report(duel_suite.check_ruling(duel_ruling))


def _report(outcome: Outcome) -> None:
    if outcome.failed is not None:
        pytest.fail(outcome.failed, pytrace=False)
    if outcome.skipped is not None:
        pytest.skip(outcome.skipped)
