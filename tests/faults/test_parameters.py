"""Every parameter of the rulesets is shown able to be wrong: by a seeded fault, or by an example of the documents."""

from __future__ import annotations

import pytest

from conformance.rulings import ruling
from engine_protocol.driver import drive
from engine_protocol.duel_file import ChoiceFollower
from engine_protocol.rulesets import PARAMETERS, ruleset_named
from reference_engine import ReferenceEngine
from tests.faults.catalogue import FAULTS
from tests.faults.fault import Fault, engine_with
from tests.faults.parameters import NOT_SHOWN, RULED

OF_PARAMETERS = tuple(fault for fault in FAULTS if fault.parameter)


def test_every_parameter_has_a_fault_or_a_reason() -> None:
    """None is left out, and none has a reason to be left out although it has a fault."""
    shown = {fault.parameter for fault in OF_PARAMETERS} | RULED.keys()
    assert shown | NOT_SHOWN.keys() == PARAMETERS.keys()
    assert not shown & NOT_SHOWN.keys()


@pytest.mark.parametrize("fault", OF_PARAMETERS, ids=lambda fault: fault.name)
def test_the_documents_settle_what_the_fault_gets_wrong(fault: Fault) -> None:
    """Where they leave a point open any answer is right; and the rule that is to notice is one that hangs on the parameter."""
    assert ruleset_named(fault.ruleset).settles(fault.parameter)
    assert fault.rule in PARAMETERS[fault.parameter].rules


@pytest.mark.parametrize("parameter", RULED)
def test_an_example_of_the_documents_shows_it(parameter: str) -> None:
    """The engine that has the parameter wrong plays the example otherwise."""
    name, patches = RULED[parameter]
    duel = ruling(name)
    assert ruleset_named(duel.board.ruleset).settles(parameter)
    wrong = engine_with(Fault(name, "", "", patches))()
    told = [drive(engine, duel.board, ChoiceFollower(duel.choices)).events for engine in (ReferenceEngine(), wrong)]
    assert told[0] != told[1]
