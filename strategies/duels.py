"""Random duels as a Hypothesis strategy: one cheap draw, read as a board and a script."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from hashlib import shake_128
from typing import Final

from hypothesis.strategies import SearchStrategy, binary
from msgspec import Struct

from engine_protocol.board import Board
from engine_protocol.cards import CardPool
from engine_protocol.errors import InputError
from engine_protocol.rulesets import Ruleset
from strategies.boards import BoardDecoder
from strategies.focus import STAYING, Focus
from strategies.recipes import OPEN
from strategies.ruleset_focuses import FOCUSED, focuses_of

SCRIPT_SIZE: Final = 48
"""Numbers in a script: more than all but the longest Battle Phases ask for."""

_SEED_SIZE: Final = 13
"""Bytes of a seed. An integer would not do: Hypothesis prefers those that stand in the modules which happen to be loaded."""

_VOICE_BYTE: Final = 5
_OPENING_BYTE: Final = 6
_UNSURE: Final = ("---", "--", "---", "---", "-", "---")


class Duel(Struct, frozen=True):
    """A board and the script that drives an engine on it (:meth:`engine_protocol.engine.PlayingEngine.play`).

    ``drawn``  the bytes that mean this duel (:class:`DuelDecoder`)
    """

    board: Board
    script: bytes
    drawn: bytes = b""


class DuelDecoder:
    """Bytes into duels: first the board's bytes, then the script's. Missing bytes are zeros: the smallest board, quiet play."""

    def __init__(self, ruleset: Ruleset, cards: CardPool, focus: str | None, *, custom_stats: bool = False) -> None:
        focuses = (OPEN, *focuses_of(ruleset).values()) if focus is None else (focus_named(focus, ruleset),)
        self._boards = BoardDecoder(ruleset, cards, focuses, custom_stats=custom_stats)
        self._may_leave = ruleset.start_step_can_be_last
        self.size = self._boards.size + SCRIPT_SIZE

    def duel(self, data: bytes) -> Duel:
        """The duel that these bytes mean. Any bytes mean one: nothing is ever discarded."""
        data = data.ljust(self.size, b"\0")
        focus = self._boards.focus(data)
        voice = focus.voices[data[_VOICE_BYTE] % len(focus.voices)]
        opening = focus.openings[data[_OPENING_BYTE] % len(focus.openings)]
        numbers = data[self._boards.size :].translate(voice.numbers())
        if self._may_leave:
            opening = _staying(opening, data[_OPENING_BYTE] // len(focus.openings))
        script = _opened(opening, numbers)
        return Duel(self._boards.board(data[: self._boards.size]), script.rstrip(b"\0"), data)


def _opened(opening: str, numbers: bytes) -> bytes:
    """The numbers with the passes of the opening among them."""
    if not opening:
        return numbers
    drawn = iter(numbers)
    return bytes([_number(sign, drawn) for sign in opening]) + bytes(drawn)


def _number(sign: str, drawn: Iterator[int]) -> int:
    match sign:
        case "0":
            return 0
        case "-":
            return STAYING[next(drawn, 0)]
        case _:
            return next(drawn, 0)


@cache
def _staying(opening: str, choice: int) -> str:
    """The opening with more numbers behind the passes in the Start Step: where the ruleset lets the turn player go straight to
    the End Step, engines may ask for that there. Without such passes it is open when they do.
    """
    passes = len(opening) - len(opening.lstrip("0"))
    more = "-" if passes else _UNSURE[choice % len(_UNSURE)]
    return f"{opening[:passes]}{more}{opening[passes:]}"


def duels(ruleset: Ruleset, cards: CardPool, focus: str | None = None, custom_stats: bool = False) -> SearchStrategy[Duel]:
    """Random duels at the start of a Battle Phase.

    ``focus`` is the id of a rule that is to be at stake (one of :data:`FOCUSED`); None mixes all focuses and boards without
    one. ``custom_stats`` also gives monsters ATK and DEF that no card has. Each example is a single draw and none is discarded.

    Raises:
        InputError: no focus has that id.
    """
    decoder = DuelDecoder(ruleset, cards, focus, custom_stats=custom_stats)
    return binary(min_size=decoder.size, max_size=decoder.size).map(decoder.duel)


def batches(
    ruleset: Ruleset, cards: CardPool, focus: str | None = None, *, size: int, custom_stats: bool = False
) -> SearchStrategy[tuple[Duel, ...]]:
    """So many random duels in one draw, otherwise as :func:`duels`: what a draw costs is then shared among them.

    Hypothesis draws bytes one by one, which takes as long as a third of a duel's play; so it draws a seed here, and the bytes of
    the duels follow from that. A batch cannot be made small: draw the bytes of one of its duels as a single one of :func:`duels`
    for that.

    Raises:
        InputError: no focus has that id.
    """
    decoder = DuelDecoder(ruleset, cards, focus, custom_stats=custom_stats)
    each = decoder.size

    def decoded(drawn: bytes) -> tuple[Duel, ...]:
        data = _bytes_of(drawn, size * each)
        return tuple(decoder.duel(data[start : start + each]) for start in range(0, len(data), each))

    return binary(min_size=_SEED_SIZE, max_size=_SEED_SIZE).map(decoded)


def _bytes_of(drawn: bytes, size: int) -> bytes:
    """So many bytes that follow from a seed; the simplest seed means the simplest bytes."""
    return shake_128(drawn).digest(size) if any(drawn) else bytes(size)


def focus_named(rule: str, ruleset: Ruleset) -> Focus:
    """The focus of a rule in this ruleset; any board where only other rulesets have the rule.

    Raises:
        InputError: there is none.
    """
    if rule not in FOCUSED:
        raise InputError(f"there is no focus for {rule!r}; known: {', '.join(sorted(FOCUSED))}")
    return focuses_of(ruleset).get(rule, OPEN)
