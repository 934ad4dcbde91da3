"""IV: invariants of an engine under any ruleset.

They take the live engine or several runs, so the runner drives the engine; what is right about what it brings back is said here.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import zip_longest
from typing import Final

import msgspec
from msgspec import Struct

from engine_protocol.board import BoardCard, Observation
from engine_protocol.cards import CardPool
from engine_protocol.events import Event, Place
from engine_protocol.rulesets import RULESETS
from engine_protocol.trace import Trace
from engine_protocol.vocabulary import FIELD, PLAYER_NAMES, PLAYERS
from oracles.oracle import Rule, Violation
from oracles.panel import Panel
from oracles.view import BrokenTrace, Card, CardIndex, View, shipped_index

_SHOWN: Final = 200
"""So many characters of an event are shown."""


def live_rule(rule: str, title: str, statement: str) -> Rule:
    """A rule that takes the live engine, or several runs."""
    return Rule(id=rule, title=title, statement=statement, citations=(), severity=dict.fromkeys(RULESETS, "must"), by_trace=False)


LIVE_RULES: Final[tuple[Rule, ...]] = (
    live_rule("IV-1", "Determinism", "The same board, seed and choices give the same trace."),
    live_rule("IV-2", "Refusal", "A choice that is not offered is refused with an error and changes nothing."),
    live_rule(
        "IV-3", "Termination", "Passing whenever passing is offered ends the Battle Phase in a bounded number of decisions."
    ),
    live_rule("IV-4", "Robustness", "The engine neither crashes, hangs nor breaks the message schema."),
)


class Difference(Struct, frozen=True):
    """Where two runs part. ``at`` is the index of the event; None stands for an event that is missing."""

    at: int
    first: Event | None
    second: Event | None

    def __str__(self) -> str:
        return f"event {self.at} was {_told(self.first)} the first time and {_told(self.second)} the second"


def first_difference(first: Trace, second: Trace) -> Difference | None:
    """The first event in which two runs of the same choices differ (IV-1); None: they are the same."""
    for at, (one, other) in enumerate(zip_longest(first.events, second.events)):
        if one != other:
            return Difference(at, one, other)
    return None


def _told(event: Event | None) -> str:
    if event is None:
        return "missing"
    text = msgspec.json.encode(event).decode()
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def changes(before: Observation, after: Observation) -> Iterator[str]:
    """What is different after a choice that was refused (IV-2), one clause each; nothing may be."""
    if before.lp != after.lp:
        yield f"the Life Points were {before.lp} and are {after.lp}"
    if before.decision != after.decision:
        yield "another decision is open"
    was = {card.id: card for card in before.cards}
    now = {card.id: card for card in after.cards}
    for card in sorted(was.keys() | now.keys()):
        if was.get(card) != now.get(card):
            yield f"card {card} is not what it was"


def disagreements(trace: Trace, observation: Observation, pool: CardPool | None = None) -> Iterator[str]:
    """Where what the engine says its state is differs from what its events have told (GN-2), one clause each.

    Compared are the Life Points, which cards there are, whose and where they are, and on the field their place, position and
    current ATK and DEF. Hidden cards off the field have no order and no face here.

    Args:
        trace: everything up to the moment of the observation.
        observation: what ``observe()`` answered.
        pool: the facts of the cards; the pool that duelproof ships where left out.

    Raises:
        BrokenTrace: the trace cannot be folded.
    """
    view = View(trace, shipped_index() if pool is None else CardIndex(pool))
    _nobody().watch(view)
    for player in PLAYERS:
        if observation.lp[player] != view.lp[player]:
            yield f"{PLAYER_NAMES[player]} has {observation.lp[player]} Life Points, but the events leave {view.lp[player]}"
    observed = {card.id: card for card in observation.cards}
    for card in view.cards.values():
        seen = observed.pop(card.id, None)
        if seen is None:
            if card.zone is not None:
                yield f"{card!r} is missing"
        elif card.zone is None:
            yield f"{card!r} is gone, but still listed"
        else:
            yield from _differences(card, seen)
    for left in observed:
        yield f"card {left} has come from nowhere"


@cache
def _nobody() -> Panel:
    """A panel without oracles: it only folds."""
    return Panel(())


def _differences(card: Card, seen: BoardCard) -> Iterator[str]:
    if (seen.passcode, seen.owner) != (card.facts.passcode, card.owner):
        yield f"{card!r} is another card now, or somebody else's"
    there, told = Place(seen.side, seen.zone, seen.index, seen.position), card.place
    if told is None:
        return
    if told.zone not in FIELD:
        there, told = Place(there.player, there.zone), Place(told.player, told.zone)
    if there != told:
        yield f"{card!r} is at {_where(there)}, but the events leave it at {_where(told)}"
    elif card.is_monster_on_field and card.face_up:
        for name, value, expected in (("ATK", seen.atk, card.atk), ("DEF", seen.def_, card.def_)):
            if value is not None and expected is not None and value != expected:
                yield f"{card!r} has {value} {name}, but the events leave {expected}"


def _where(place: Place) -> str:
    where = f"{PLAYER_NAMES[place.player]}'s {place.zone}"
    return f"{where} {place.index} ({place.position})" if place.zone in FIELD else where


def disagreement(trace: Trace, observation: Observation, pool: CardPool | None = None) -> Violation | None:
    """The first of the :func:`disagreements` as a breach of GN-2 after the last event; None if there is none, and of a trace that
    cannot be folded, which is a breach of IV-4.
    """
    try:
        told = next(disagreements(trace, observation, pool), None)
    except BrokenTrace:
        return None
    if told is None:
        return None
    return Violation("GN-2", max(0, len(trace.events) - 1), "observe() tells the state that the events have led to", told)
