"""What a duel file expects, held against a trace."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.facts import EVENT_FIELDS, OPTION_FIELDS, as_facts, fits
from engine_protocol.duel_file import Expectation, Window
from engine_protocol.events import Decided, LpChanged
from engine_protocol.trace import Trace


def problems_of(expectation: Expectation) -> Iterator[str]:
    """What makes an expectation meaningless (a misspelt event would make ``no-event`` hold always), each with its field."""
    match expectation.kind:
        case "offered" | "not-offered":
            if not expectation.option:
                yield ".option: it says which option is meant, and is missing"
            yield from (f".option: an option has no field {key!r}" for key in expectation.option if key not in OPTION_FIELDS)
        case "event" | "no-event":
            yield from (f".event{problem}" for problem in _event_problems(expectation.event))
        case "events":
            if not expectation.events:
                yield ".events: it says which events are meant, and is missing"
            for number, event in enumerate(expectation.events):
                yield from (f".events[{number}]{problem}" for problem in _event_problems(event))
        case "lp":
            if expectation.lp is None:
                yield ".lp: it says how many Life Points are meant, and is missing"


def difference(expectation: Expectation, trace: Trace) -> str | None:
    """How the trace differs from the expectation, in a sentence; None where it holds."""
    match expectation.kind:
        case "offered":
            if _offers(expectation, trace):
                return None
            windows = sum(1 for _ in _windows(trace, expectation.at))
            return f"{expectation.says}: it was not offered" + ("" if windows else " (there was no such decision)")
        case "not-offered":
            return f"{expectation.says}: it was offered" if _offers(expectation, trace) else None
        case "event":
            return None if _happened((expectation.event,), trace) == 1 else f"{expectation.says}: it did not happen"
        case "no-event":
            return f"{expectation.says}: it happened" if _happened((expectation.event,), trace) else None
        case "events":
            reached = _happened(expectation.events, trace)
            if reached == len(expectation.events):
                return None
            return f"{expectation.says}: number {reached + 1} of the {len(expectation.events)} events did not happen in its order"
        case "lp":
            points = life_points(trace)
            return None if points == expectation.lp else f"{expectation.says}: the Life Points were {points[0]} and {points[1]}"


def life_points(trace: Trace) -> tuple[int, int]:
    """The Life Points of both players at the end of a trace."""
    points = list(trace.board.lp)
    for event in trace.events:
        if isinstance(event, LpChanged):
            points[event.player] = event.total
    return points[0], points[1]


def _event_problems(event: dict[str, Any]) -> Iterator[str]:
    name = event.get("event")
    if name not in EVENT_FIELDS:
        yield f": {'it lacks the field event' if name is None else f'there is no event {name!r}'}"
        return
    yield from (f": the event {name} has no field {key!r}" for key in event if key != "event" and key not in EVENT_FIELDS[name])


def _windows(trace: Trace, at: Window | None) -> Iterator[Decided]:
    return (event for event in trace.events if isinstance(event, Decided) and (at is None or at.fits(event.decision)))


def _offers(expectation: Expectation, trace: Trace) -> bool:
    return any(
        fits(expectation.option, as_facts(option))
        for decided in _windows(trace, expectation.at)
        for option in decided.decision.options
    )


def _happened(wanted: tuple[dict[str, Any], ...], trace: Trace) -> int:
    """How many of the partial events happen, in their order."""
    reached = 0
    for event in trace.events:
        if reached == len(wanted):
            break
        if fits(wanted[reached], as_facts(event)):
            reached += 1
    return reached
