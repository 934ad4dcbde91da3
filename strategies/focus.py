"""What a focus is: the spots of a board where certain cards are likely, and how loud the play is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import cycle, islice
from typing import Final, Literal

from engine_protocol.vocabulary import Position
from strategies.menus import Menu

Seat = Literal["turn", "other"]
"""The turn player, or the non-turn player."""

Place = Literal["monster", "set", "face-up", "hand", "graveyard", "deck"]
"""Where a spot is; ``set`` and ``face-up`` are for Spells and Traps."""

Likeness = Literal["equal", "weaker", "stronger"]
"""How a monster's battle value (ATK, or DEF in Defense Position) compares with the ATK of the turn player's first monster."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A spot of the board.

    ``chance``     of 16 boards, how many have a card here; with 16 the smallest board has one too
    ``positions``  of a monster, each as likely as the others; the first is the simplest
    ``fresh``      of 16 set cards, how many were set this turn
    ``like``       keeps to those cards of the menu that compare so, if there are any
    ``swarmed``    only cards of the families that the swarm mask puts in play, and monsters without effects
    """

    seat: Seat
    place: Place
    menu: Menu
    chance: int = 16
    positions: tuple[Position, ...] = ("face-up-attack",)
    fresh: int = 0
    like: Likeness | None = None
    swarmed: bool = False


@dataclass(frozen=True, slots=True)
class Voice:
    """How the bytes of a script are turned into choices: of 16 numbers, how many pass, and how many are even.

    An even number passes where there is only one thing to do and acts where there are two, as with two monsters that can attack;
    an odd one acts in both cases. So even numbers attack more than they respond.
    """

    passes: int
    evens: int

    @cache  # noqa: B019 - a handful of voices, made once
    def numbers(self) -> bytes:
        """What each byte of a script becomes: the lowest ones 0, the next even numbers, the others odd ones.

        Multiples of six are left out: they would pass where two things can be done.
        """
        passes, evens = 16 * self.passes, 16 * self.evens
        even = cycle(number for number in range(2, 64, 2) if number % 3)
        odd = cycle(range(1, 64, 2))
        return bytes(passes) + bytes(islice(even, evens)) + bytes(islice(odd, 256 - passes - evens))


@dataclass(frozen=True, slots=True)
class Focus:
    """Makes a rule likely to be at stake. ``voices``, each as likely as the others, begin with the quietest."""

    spots: tuple[Spot, ...]
    voices: tuple[Voice, ...]
    low_lp: bool = False


CALM: Final = Voice(passes=7, evens=4)
EVEN: Final = Voice(passes=3, evens=8)
LIVELY: Final = Voice(passes=2, evens=4)
LOUD: Final = Voice(passes=1, evens=2)
