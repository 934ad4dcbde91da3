"""Tiny wrong engines, each named for what it does: ``python:tests.conformance.miniatures:NAME``."""

# ruff: noqa: ARG002, D102 - the methods are those of an engine; the class says what is wrong with them

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from itertools import count
from typing import Any

from msgspec.structs import replace

from engine_protocol.board import Board, Observation
from engine_protocol.decisions import Decision, Option
from engine_protocol.engine import EngineInfo, Progress
from engine_protocol.errors import OptionNotOffered
from engine_protocol.events import DamageCalculated, Decided, Event, LpChanged, StatChanged
from reference_engine import ReferenceEngine

PLAIN = ("custom-stats",)


class Whole(ReferenceEngine):
    """Right in everything."""


class Stepwise(ReferenceEngine):
    """Right in everything, but it cannot play a whole duel at once."""

    def initialize(self) -> EngineInfo:
        return replace(super().initialize(), abilities=("custom-stats",))


class _Lying(Stepwise):
    """Reports other events than those that happened."""

    def start(self, board: Board) -> Progress:
        return self._lie(super().start(board))

    def choose(self, option: int) -> Progress:
        return self._lie(super().choose(option))

    def _lie(self, progress: Progress) -> Progress:
        return replace(progress, events=tuple(self.told(progress.events)))

    def told(self, events: Iterable[Event]) -> Iterable[Event]:
        raise NotImplementedError


class DealsTooMuch(_Lying):
    """Deals 100 battle damage too much in a direct attack (against DC-3)."""

    def told(self, events: Iterable[Event]) -> Iterable[Event]:
        for event in events:
            if isinstance(event, DamageCalculated) and event.target is None:
                yield replace(event, damage=tuple(points + 100 if points else 0 for points in event.damage))
            else:
                yield event


class GoesBelowZero(_Lying):
    """Counts Life Points on below 0 (against DC-9)."""

    def told(self, events: Iterable[Event]) -> Iterable[Event]:
        for event in events:
            yield replace(event, total=-50) if isinstance(event, LpChanged) and event.total == 0 else event


class BreaksTwoRules(DealsTooMuch):
    """Deals too much, and counts on below 0."""

    def told(self, events: Iterable[Event]) -> Iterable[Event]:
        return GoesBelowZero.told(self, super().told(events))  # type: ignore[arg-type]


class Crashes(Stepwise):
    """Cannot count to three: crashes at boards with three cards or more."""

    def start(self, board: Board) -> Progress:
        if len(board.cards) > 2:
            raise KeyError("third card")
        return super().start(board)


class CrashesLate(Stepwise):
    """Crashes when a monster attacks."""

    def choose(self, option: int) -> Progress:
        progress = super().choose(option)
        if any(event for event in progress.events if type(event).__name__ == "AttackDeclared"):
            raise ZeroDivisionError
        return progress


class Hangs(Stepwise):
    """Thinks forever about any board with a card in a hand, and lets nobody interrupt it."""

    def start(self, board: Board) -> Progress:
        while any(card.zone == "hand" for card in board.cards):
            with suppress(Exception):
                time.sleep(0.01)
        return super().start(board)


class Dies(Stepwise):
    """Takes its process down at any board with a card in a hand."""

    def start(self, board: Board) -> Progress:
        if any(card.zone == "hand" for card in board.cards):
            os._exit(7)
        return super().start(board)


class TakesAnything(Stepwise):
    """Takes option 0 for options that are not there (against IV-2)."""

    def choose(self, option: int) -> Progress:
        try:
            return super().choose(option)
        except OptionNotOffered:
            return super().choose(0)


class Forgets(Stepwise):
    """Refuses what is not there, but loses a Life Point over it (against IV-2)."""

    lost = 0

    def start(self, board: Board) -> Progress:
        self.lost = 0
        return super().start(board)

    def choose(self, option: int) -> Progress:
        try:
            return super().choose(option)
        except OptionNotOffered:
            self.lost += 1
            raise

    def observe(self) -> Observation:
        seen = super().observe()
        return replace(seen, lp=(seen.lp[0] - self.lost, seen.lp[1]))


class TellsAnotherState(Stepwise):
    """Has other Life Points than its events have led to."""

    def observe(self) -> Observation:
        true = super().observe()
        return replace(true, lp=(true.lp[0] + 1, true.lp[1]))


class PlaysByChance(Stepwise):
    """Reports another ATK each time (against IV-1)."""

    chance = count(1000)

    def choose(self, option: int) -> Progress:
        progress = super().choose(option)
        cards = [card.id for card in self.observe().cards if card.zone == "monster-zone" and card.position == "face-up-attack"]
        changed = tuple(StatChanged(card, next(self.chance), 0) for card in cards[:1])
        return replace(progress, events=(*progress.events, *changed))


class NeverEnds(Stepwise):
    """Asks the same question again and again (against IV-3)."""

    def choose(self, option: int) -> Progress:
        return Progress((), Decision(0, "priority", "end-step", (Option("pass"), Option("yes"))))


class WrongTypes(Stepwise):
    """Answers with an event whose card is no number."""

    def start(self, board: Board) -> Progress:
        return replace(super().start(board), events=(StatChanged("Blue-Eyes", 1, 2),))  # type: ignore[arg-type]


class ReportsAskedDecisions(Stepwise):
    """Repeats asked decisions among the events."""

    def choose(self, option: int) -> Progress:
        progress = super().choose(option)
        return replace(progress, events=(Decided(Decision(0, "action", "battle-step", (Option("pass"), Option("yes")))),))


class OtherProtocol(Stepwise):
    """Speaks a protocol of the future."""

    def initialize(self) -> EngineInfo:
        return replace(super().initialize(), protocol=99)


class OtherRuleset(Stepwise):
    """Plays another game."""

    def initialize(self) -> EngineInfo:
        return replace(super().initialize(), rulesets=("rush-duel",))


class KnowsNothing(Stepwise):
    """Knows no card."""

    def initialize(self) -> EngineInfo:
        return replace(super().initialize(), cards=())


class PlaysDifferently(ReferenceEngine):
    """`play` leads to other duels than the same choices one by one."""

    def play(self, board: Board, script: Sequence[int]) -> tuple[Event, ...]:
        return super().play(board, ())


class CrashesInPlay(ReferenceEngine):
    """Crashes in the fifth duel that it plays, and is of no use afterwards."""

    def __init__(self) -> None:
        super().__init__()
        self._duels = 0

    def play(self, board: Board, script: Sequence[int]) -> tuple[Event, ...]:
        self._duels += 1
        if self._duels == 5:
            raise ArithmeticError("five")
        if self._duels > 5:
            raise RuntimeError("nobody started me again")
        return super().play(board, script)


class NoEngine:
    """Has none of the methods."""


class RaisesWhenMade:
    """Cannot be made."""

    def __init__(self) -> None:
        raise RuntimeError("no licence")


def make() -> Whole:
    """A factory."""
    return Whole()


instance: Any = Stepwise()
"""An engine that is there already."""
