"""The judge of the mutants notices what the suite notices, and says what it was."""

from __future__ import annotations

import pytest

from reference_engine import flow
from tests.faults.catalogue import FAULTS
from tests.mutation import judge


def test_a_violated_ruling_or_rule_is_noticed() -> None:
    """With flip effects that trigger at the flip, an example of the documents in which one does goes wrong, and breaks DS-3."""
    fault = next(fault for fault in FAULTS if fault.name == "flip-effects-at-once")
    with fault.applied():
        said = judge.first_violation()
    assert said is not None
    assert "DS-3: expected" in said


def test_an_engine_that_crashes_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """An exception in the engine is a finding, not a failure of the judge."""
    monkeypatch.setattr(flow, "start_step", lambda _duel: 1 // 0)
    said = judge.first_violation()
    assert said is not None
    assert "ZeroDivisionError" in said


def test_an_engine_that_cannot_be_imported_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """So is one whose modules do not even load."""
    monkeypatch.setattr(judge, "import_module", lambda _name: 1 // 0)
    said = judge.first_violation()
    assert said is not None
    assert said.startswith("IV-4: importing the engine raised ZeroDivisionError")
