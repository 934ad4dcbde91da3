"""How long a run goes on: so many duels for each rule, or so much time."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from itertools import count
from time import monotonic

from msgspec import Struct

from conformance.jobs import Search
from conformance.selection import LIVE, Selection

DEFAULT_EXAMPLES = 200
"""Duels for each rule's focus: the embedded engine is done in well under a minute, and every rule is at stake 50 times."""

FLOOR = 50
"""A rule at stake less often than this in a run of the default budget has not really been observed."""

ROUND = 60
"""Duels of one search when time is the limit: a round over all rules soon comes to its end."""

PROBE_EVERY = 48
"""So many duels for each that is also checked for what no single trace shows."""

OWN_PROBE_EVERY = 2
"""The same in the searches of the rules that are about that."""


class Budget(Struct, frozen=True, kw_only=True):
    """``examples`` for each focus, or ``seconds`` in all; ``seed`` decides what is drawn. ``shrinking``: what is found is also
    made small.
    """

    examples: int | None = DEFAULT_EXAMPLES
    seconds: float | None = None
    seed: int = 0
    shrinking: bool = True

    @property
    def floor(self) -> int:
        """How often a rule must be at stake for its verdict to say something."""
        return FLOOR if self.seconds is not None or self.examples is None else floor_of(self.examples)

    def searches(self, selection: Selection) -> Iterator[Search]:
        """The searches in their order; without end where time is the limit."""
        if not selection.rules:
            return
        numbers = count()
        for round_number in count():
            for focus in selection.focuses:
                yield Search(
                    number=next(numbers),
                    focus=focus,
                    seed=seed_of(self.seed, round_number, focus),
                    examples=self.examples or ROUND,
                    probe_every=1 if selection.only_live else OWN_PROBE_EVERY if focus in LIVE else PROBE_EVERY,
                )
            if self.seconds is None:
                return


def floor_of(examples: int) -> int:
    """The floor of a run of so many duels for each focus: in proportion, where there are fewer than by default."""
    return max(1, min(FLOOR, FLOOR * examples // DEFAULT_EXAMPLES))


class Clock:
    """Time since a run began, and what is left of it."""

    def __init__(self, seconds: float | None) -> None:
        self._began = monotonic()
        self._seconds = seconds

    @property
    def elapsed(self) -> float:
        """Seconds since the beginning."""
        return monotonic() - self._began

    @property
    def left(self) -> float | None:
        """Seconds until the end; None: there is none."""
        return None if self._seconds is None else max(0.0, self._seconds - self.elapsed)

    @property
    def is_over(self) -> bool:
        """Whether the time has run out."""
        return self.left == 0.0


def seed_of(seed: int, round_number: int, focus: str | None) -> int:
    """A seed for one search: other rules in the same run, or more workers, change nothing about its duels."""
    text = f"{seed} {round_number} {focus or '*'}"
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest())
