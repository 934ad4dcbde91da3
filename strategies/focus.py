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
    """How the bytes of a script are turned into choices: of 16 numbers, how many are of each kind; the rest stay as they are.

    ``passes``  0: pass
    ``bold``    pass where there is only one other thing to do, act where there are more: with two monsters that can attack, an
                attack happens, while a single trap in hand stays where it is
    ``acts``    act wherever anything can be done
    """

    passes: int
    bold: int
    acts: int

    @cache  # noqa: B019 - a handful of voices, made once
    def numbers(self) -> bytes:
        """What each byte of a script becomes; the lowest ones pass."""
        passes, bold, acts = 16 * self.passes, 16 * self.bold, 16 * self.acts
        numbers = bytes(passes) + bytes(islice(cycle(_BOLD), bold)) + bytes(islice(cycle(_ACTS), acts))
        return numbers + bytes(range(len(numbers), 256))


# Without a divisor from 2 to 10, so that none of so many options is a pass; and twice such a number.
_ACTS: Final = tuple(number for number in range(1, 256) if all(number % divisor for divisor in (2, 3, 5, 7)))
_BOLD: Final = tuple(2 * number for number in _ACTS if number < 128)

STAYING: Final = bytes(1) + bytes(15 * [1]) + bytes(islice(cycle(_BOLD), 240))
"""What each byte of a script becomes where the engine may ask whether to go straight to the End Step: seldom a yes; and where it
does not ask, no pass of a player with several monsters to attack with.
"""

CALM: Final = Voice(passes=4, bold=7, acts=3)
EVEN: Final = Voice(passes=1, bold=7, acts=6)
LIVELY: Final = Voice(passes=1, bold=3, acts=10)
LOUD: Final = Voice(passes=1, bold=0, acts=14)
TORN: Final = Voice(passes=6, bold=0, acts=9)
"""As ready to give up as to go on, however many the options."""
HUSHED: Final = Voice(passes=0, bold=13, acts=2)
"""Attacks, but keeps its cards for later windows."""


@dataclass(frozen=True, slots=True)
class Focus:
    """Makes a rule likely to be at stake.

    ``voices``    each as likely as the others, the quietest first
    ``openings``  how scripts begin, each as likely as the others: ``0`` is a pass, ``.`` a number like all that follow. They
                  bring the players to the window that the rule is about with cards unused: ``0..00`` passes in the Start Step,
                  chooses an attack and its target, and passes twice after the declaration
    ``low_lp``    most Life Points are low
    """

    spots: tuple[Spot, ...]
    voices: tuple[Voice, ...]
    openings: tuple[str, ...] = ("",)
    low_lp: bool = False
