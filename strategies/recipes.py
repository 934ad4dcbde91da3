"""Recipes: the pieces of which the focuses are made.

Spots by whose they are; the recipe kinds that several rules share (a plain battle, a battle that one side wins, windows full of
free-chain cards, attacks that get answered, monsters that come and go, chains); and the swarmed spots that follow in every focus,
so that a random other card or two meets its rule.
"""

from __future__ import annotations

from typing import Final

from engine_protocol.vocabulary import Position
from strategies.focus import CALM, EVEN, HUSHED, LIVELY, LOUD, Focus, Likeness, Place, Seat, Spot, Voice
from strategies.menus import (
    Menu,
    adds_monsters,
    answers_attack,
    anything,
    both,
    changes_monsters,
    changes_stats,
    counter_trap,
    either,
    free_chain,
    hand_quick,
    monster,
    named,
    of_use_in_graveyard,
    of_use_in_hand,
    plain,
    race,
    searched_for,
    strong,
    weak,
)

Positions = tuple[Position, ...]

ATTACK: Final[Positions] = ("face-up-attack",)
DEFENSE: Final[Positions] = ("face-up-defense",)
FACE_DOWN: Final[Positions] = ("face-down-defense",)
MIXED: Final[Positions] = ("face-up-attack", "face-up-defense", "face-down-defense", "face-up-attack")
OPEN_DEFENSE: Final[Positions] = ("face-up-attack", "face-up-defense")
GUARDED: Final[Positions] = ("face-up-defense", "face-down-defense")


def attacker(menu: Menu = monster, chance: int = 16, positions: Positions = ATTACK) -> Spot:
    """A monster of the turn player."""
    return Spot("turn", "monster", menu, chance, positions)


def defender(menu: Menu = monster, chance: int = 16, positions: Positions = ATTACK, like: Likeness | None = None) -> Spot:
    """A monster of the non-turn player."""
    return Spot("other", "monster", menu, chance, positions, like=like)


def own(place: Place, menu: Menu, chance: int = 15, fresh: int = 1) -> Spot:
    """Another card of the turn player, who may have set it this turn."""
    return Spot("turn", place, menu, chance, fresh=fresh)


def their(place: Place, menu: Menu, chance: int = 15) -> Spot:
    """Another card of the non-turn player."""
    return Spot("other", place, menu, chance)


def swarmed(seat: Seat, place: Place, menu: Menu, chance: int, positions: Positions = ATTACK, fresh: int = 0) -> Spot:
    """A card of the families that the swarm mask puts in play."""
    return Spot(seat, place, menu, chance, positions, fresh, swarmed=True)


EXTRAS: Final[tuple[Spot, ...]] = (
    swarmed("turn", "monster", monster, 4),
    swarmed("other", "monster", monster, 4, MIXED),
    swarmed("turn", "set", anything, 4, fresh=2),
    swarmed("other", "set", anything, 4),
    swarmed("turn", "hand", of_use_in_hand, 3),
    swarmed("other", "hand", of_use_in_hand, 3),
    swarmed("turn", "face-up", anything, 2),
    swarmed("other", "face-up", anything, 2),
    swarmed("turn", "graveyard", of_use_in_graveyard, 2),
    swarmed("other", "graveyard", of_use_in_graveyard, 2),
    swarmed("turn", "deck", monster, 3),
    swarmed("other", "deck", monster, 3),
)
"""One or two random other cards in most boards, about two and a half on average."""

OPEN: Final = Focus(
    spots=(
        swarmed("turn", "monster", monster, 16),
        swarmed("other", "monster", monster, 13, MIXED),
        swarmed("turn", "monster", monster, 9, MIXED),
        swarmed("other", "monster", monster, 8, MIXED),
        swarmed("turn", "monster", monster, 4),
        swarmed("other", "monster", monster, 4, MIXED),
        swarmed("turn", "set", anything, 8, fresh=2),
        swarmed("other", "set", anything, 9),
        swarmed("turn", "set", anything, 4, fresh=2),
        swarmed("other", "set", anything, 6),
        swarmed("turn", "hand", of_use_in_hand, 6),
        swarmed("other", "hand", of_use_in_hand, 6),
        swarmed("turn", "hand", of_use_in_hand, 3),
        swarmed("other", "hand", of_use_in_hand, 3),
        swarmed("turn", "face-up", anything, 3),
        swarmed("other", "face-up", anything, 3),
        swarmed("turn", "graveyard", of_use_in_graveyard, 5),
        swarmed("other", "graveyard", of_use_in_graveyard, 5),
        swarmed("turn", "deck", monster, 5),
        swarmed("other", "deck", monster, 5),
        swarmed("turn", "deck", monster, 3),
        swarmed("other", "deck", monster, 3),
    ),
    voices=(CALM, EVEN, LIVELY, LOUD),
)
"""No focus: any board."""

# Recipe kinds.

MORE: Final = (attacker(chance=15), attacker(chance=8))
"""Further attackers: with several, an attack is what most numbers of a script choose."""

BATTLE: Final = (attacker(), defender(positions=MIXED), *MORE, defender(chance=6, positions=MIXED))
"""Something attacks something."""

DECKS: Final = (
    own("deck", searched_for, 12),
    their("deck", searched_for, 13),
    their("deck", searched_for, 6),
    their("deck", weak, 6),
    own("deck", weak, 4),
)


def won(loser: Menu, winner: Menu = strong) -> tuple[Spot, ...]:
    """The attacker beats what it attacks, in Attack Position."""
    return (attacker(winner), defender(loser, like="weaker"), *MORE)


def windows(theirs: Menu = free_chain, ours: Menu = free_chain) -> tuple[Spot, ...]:
    """Both players could always do something."""
    return (their("set", theirs), own("set", ours, 12, fresh=0), their("set", theirs, 6))


def answered(answers: Menu) -> tuple[Spot, ...]:
    """An attack that the other player can answer."""
    return (attacker(), defender(positions=MIXED), *MORE, their("set", answers), their("set", answers, 8))


REPLAY: Final = (
    attacker(),
    defender(positions=MIXED),
    defender(chance=8, positions=MIXED),
    *MORE,
    their("set", adds_monsters),
    their("set", changes_monsters, 11),
    their("set", changes_monsters, 7),
    their("graveyard", monster),
)
"""The other player's monsters come and go."""

INNER_BATTLE: Final = (
    attacker(),
    defender(either(named("Gagaga Samurai", "Decoy Dragon"), monster)),
    attacker(chance=15),
    defender(named("Gagaga Samurai", "Decoy Dragon"), 10),
    their("set", named("Magical Arm Shield")),
    their("hand", named("Construction Train Signal Red"), 12),
    their("graveyard", both(race("Dragon"), strong), 10),
)
"""An attack whose battle an effect of the other player brings about at once."""

CHAIN: Final = (
    attacker(),
    defender(positions=MIXED),
    *MORE,
    their("set", either(free_chain, answers_attack)),
    own("set", counter_trap, fresh=0),
    their("set", counter_trap),
    own("set", free_chain, 10, fresh=0),
    own("hand", plain, 10),
    their("hand", plain, 10),
)
"""Chains of several links."""

STAT_FIGHT: Final = (
    attacker(),
    defender(positions=MIXED),
    *MORE,
    own("set", changes_stats, 10, fresh=0),
    their("set", changes_stats),
    own("hand", hand_quick, 6),
    their("hand", hand_quick, 8),
)
"""ATK and DEF change in the Damage Step."""

ALL_VOICES: Final = (CALM, EVEN, LIVELY, LOUD)
ATTACKING: Final = (EVEN, LIVELY, LOUD)
RESPONDING: Final = (LIVELY, LOUD)
WAITING: Final = (HUSHED, HUSHED, EVEN)


# Openings. The passes in the Start Step where nobody, one player or both could do something there; then also those that keep
# the cards of the non-turn player, or of both players, for the Damage Step.
ONE: Final = ("0", "0", "0", "00")
BOTH: Final = ("00", "00", "00", "0")
RARELY: Final = ("", "", "0")
TO_DAMAGE_STEP: Final = ("00..0000", "0..00", "00..00", "0..00")


def focus(*spots: Spot, voices: tuple[Voice, ...] = ATTACKING, openings: tuple[str, ...] = ("",), low_lp: bool = False) -> Focus:
    """These spots, then the swarmed ones."""
    return Focus((*spots, *EXTRAS), voices, openings, low_lp)
