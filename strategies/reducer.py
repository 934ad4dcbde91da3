"""The reducer: makes a duel that shows a failure as small as it can, whatever found it.

It knows boards and choices, not bytes, so it works on any duel file. A *step* makes the duel smaller by one thing: a card goes, a
choice goes, an effect monster becomes a plain one, a number becomes the usual one (:mod:`strategies.steps`). Steps are tried in a
fixed order, over and over, until none of them leaves the failure standing: then the duel is 1-minimal. Every step that is taken
lowers :func:`size`, so it comes to an end.
"""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from msgspec import Struct

from engine_protocol.board import Board
from engine_protocol.cards import CardPool
from strategies.steps import PAIRS, SINGLES, Choices, Step, Told, size

Fails = Callable[[Board, Choices], Choices | None]
"""Plays a duel with the choices of a duel file. Its answer: the choices that were really taken, as
:func:`engine_protocol.duel_file.choices_of` tells them, if the failure still shows; None if it does not."""


class Reduced(Struct, frozen=True):
    """What is left of a duel.

    ``runs``     how often the duel was played
    ``minimal``  no single step makes it smaller; False if the budget ran out before that was sure, or nothing failed at all
    """

    board: Board
    choices: Choices
    runs: int
    minimal: bool


def reduce(board: Board, choices: Choices, fails: Fails, cards: CardPool, budget: int = 2_000) -> Reduced:
    """Make a failing duel 1-minimal.

    ``budget`` bounds how often ``fails`` is asked (one more may be needed at the end). The same arguments give the same result,
    provided that ``fails`` does so too. A duel that does not fail comes back as it is.
    """
    return _Reduction(fails, cards, budget).run(board, choices)


class _Reduction:
    """One reduction: what was tried, and the smallest duel so far."""

    def __init__(self, fails: Fails, cards: CardPool, budget: int) -> None:
        self._fails = fails
        self._cards = cards
        self._budget = budget
        self._runs = 0
        self._tried: set[bytes] = set()

    def run(self, board: Board, choices: Choices) -> Reduced:
        """Singles to a fixed point, then pairs; a pair that can go gives the singles another chance."""
        duel = self._played(Told(board, choices))
        if duel is None:
            return Reduced(board, choices, self._runs, minimal=False)
        minimal = False
        while self._runs < self._budget:
            smaller = self._pass(duel, SINGLES)
            if smaller == duel:
                minimal = self._runs < self._budget
                smaller = self._pass(duel, PAIRS)
                if smaller == duel:
                    break
                minimal = False
            duel = smaller
        return Reduced(duel.board, duel.choices, self._runs, minimal)

    def _pass(self, duel: Told, kinds: tuple[Step, ...]) -> Told:
        """Try every step of these kinds once, going on from each that was taken."""
        for kind in kinds:
            failed = 0
            while (found := self._first(duel, kind, failed)) is not None:
                failed, duel = found
        return duel

    def _first(self, duel: Told, kind: Step, skip: int) -> tuple[int, Told] | None:
        """The first step of this kind that can be taken, leaving out those that could not be before the last one was."""
        for number, step in enumerate(kind(duel, self._cards)):
            if number >= skip and (smaller := self._take(step, duel)) is not None:
                return number, smaller
        return None

    def _take(self, step: Told, duel: Told) -> Told | None:
        """The duel that the step leads to, if it is smaller and still fails."""
        key = msgspec.json.encode(step)
        if self._runs >= self._budget or key in self._tried or any(step.board.problems(self._cards)):
            return None
        self._tried.add(key)
        smaller = self._played(step)
        return smaller if smaller is not None and size(smaller, self._cards) < size(duel, self._cards) else None

    def _played(self, duel: Told) -> Told | None:
        """The duel with the choices that were really taken, if it fails.

        Those choices are played once more before they are trusted: a counterexample that cannot be replayed is worth nothing.
        """
        self._runs += 1
        taken = self._fails(duel.board, duel.choices)
        if taken is None or taken == duel.choices:
            return None if taken is None else duel
        self._runs += 1
        return duel if self._fails(duel.board, taken) is None else Told(duel.board, taken)
