"""What a duel file expects, held against a trace."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from conformance.expectations import difference, problems_of
from engine_protocol.duel_file import Expectation
from tests.reports.samples import ambush

TRACE = ambush()


def expecting(kind: str, **fields: Any) -> Expectation:
    """An expectation as it would stand in a file."""
    return msgspec.convert({"says": "it", "kind": kind, **fields}, Expectation)


@pytest.mark.parametrize(
    "expectation",
    [
        expecting("offered", at={"player": 1}, option={"kind": "activate", "card": 3}),
        expecting("not-offered", at={"player": 0}, option={"card": 3}),
        expecting("event", event={"event": "moved", "card": 1, "to": {"zone": "graveyard"}}),
        expecting("event", event={"event": "activated", "targets": [], "trigger": False}),
        expecting("no-event", event={"event": "damage-calculated"}),
        expecting("no-event", event={"event": "moved", "card": 1, "to": {"zone": "hand"}}),
        expecting("events", events=[{"event": "attack-declared"}, {"event": "activated"}, {"event": "attack-ended"}]),
        expecting("lp", lp=[8000, 4000]),
    ],
)
def test_it_holds(expectation: Expectation) -> None:
    """Each kind holds where the trace has it; fields that were left out, and defaults, do not matter."""
    assert difference(expectation, TRACE) is None


@pytest.mark.parametrize(
    "expectation, said",
    [
        (expecting("offered", at={"player": 0}, option={"card": 3}), "it: it was not offered"),
        (expecting("offered", at={"timing": "end-step"}, option={"card": 3}), "there was no such decision"),
        (expecting("not-offered", option={"card": 3}), "it: it was offered"),
        (expecting("event", event={"event": "moved", "card": 2}), "it: it did not happen"),
        (expecting("event", event={"event": "activated", "trigger": True}), "it: it did not happen"),
        (expecting("event", event={"event": "activated", "link": True}), "it: it did not happen"),
        (expecting("no-event", event={"event": "moved"}), "it: it happened"),
        (expecting("events", events=[{"event": "activated"}, {"event": "attack-declared"}]), "number 2 of the 2 events"),
        (expecting("lp", lp=[8000, 1]), "it: the Life Points were 8000 and 4000"),
    ],
)
def test_it_differs(expectation: Expectation, said: str) -> None:
    """Each kind that does not hold says how."""
    told = difference(expectation, TRACE)
    assert told is not None
    assert said in told


@pytest.mark.parametrize(
    "expectation, said",
    [
        (expecting("offered"), ".option: it says which option is meant, and is missing"),
        (expecting("not-offered", option={"cards": 1}), ".option: an option has no field 'cards'"),
        (expecting("no-event", event={"event": "mooved"}), ".event: there is no event 'mooved'"),
        (expecting("event"), ".event: it lacks the field event"),
        (expecting("events", events=[{"event": "moved", "form": 1}]), ".events[0]: the event moved has no field 'form'"),
        (expecting("events"), ".events: it says which events are meant, and is missing"),
        (expecting("lp"), ".lp: it says how many Life Points are meant, and is missing"),
    ],
)
def test_meaningless_expectations_are_noticed(expectation: Expectation, said: str) -> None:
    """A misspelt expectation that would always hold is refused."""
    assert list(problems_of(expectation)) == [said]
