"""The table of focuses: for each rule, what makes it likely to be at stake.

The rows share a few recipe kinds: a plain battle, a battle that one side wins, windows full of free-chain cards, attacks that get
answered, monsters that come and go, chains. To every focus a few swarmed spots are added, so that a random other card or two
meets the rule.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from engine_protocol.vocabulary import Position
from strategies.focus import CALM, EVEN, HUSHED, LIVELY, LOUD, TORN, Focus, Likeness, Place, Seat, Spot, Voice
from strategies.menus import (
    Menu,
    answers_activation,
    answers_attack,
    anything,
    atk_between,
    both,
    changes_stats,
    continuous_trap,
    counter_trap,
    does,
    effect_monster,
    either,
    field_quick,
    flip,
    free_chain,
    hand_quick,
    mandatory_trigger,
    monster,
    named,
    of_use_in_graveyard,
    plain,
    quick_play,
    speaks_of,
    token,
    waits_for,
)

_Positions = tuple[Position, ...]

ATTACK: Final[_Positions] = ("face-up-attack",)
DEFENSE: Final[_Positions] = ("face-up-defense",)
FACE_DOWN: Final[_Positions] = ("face-down-defense",)
MIXED: Final[_Positions] = ("face-up-attack", "face-up-defense", "face-down-defense", "face-up-attack")
GUARDED: Final[_Positions] = ("face-up-defense", "face-down-defense")


def _attacker(menu: Menu = monster, chance: int = 16, positions: _Positions = ATTACK) -> Spot:
    return Spot("turn", "monster", menu, chance, positions)


def _defender(menu: Menu = monster, chance: int = 16, positions: _Positions = ATTACK, like: Likeness | None = None) -> Spot:
    return Spot("other", "monster", menu, chance, positions, like=like)


def _own(place: Place, menu: Menu, chance: int = 15, fresh: int = 1) -> Spot:
    """A card of the turn player, who may have set it this turn."""
    return Spot("turn", place, menu, chance, fresh=fresh)


def _their(place: Place, menu: Menu, chance: int = 15) -> Spot:
    return Spot("other", place, menu, chance)


def _swarmed(seat: Seat, place: Place, menu: Menu, chance: int, positions: _Positions = ATTACK, fresh: int = 0) -> Spot:
    return Spot(seat, place, menu, chance, positions, fresh, swarmed=True)


# What is of use in a hand during a Battle Phase: something to play, or to pay a cost with.
_HAND: Final = either(hand_quick, quick_play, plain)

EXTRAS: Final[tuple[Spot, ...]] = (
    _swarmed("turn", "monster", monster, 4),
    _swarmed("other", "monster", monster, 4, MIXED),
    _swarmed("turn", "set", anything, 4, fresh=2),
    _swarmed("other", "set", anything, 4),
    _swarmed("turn", "hand", _HAND, 3),
    _swarmed("other", "hand", _HAND, 3),
    _swarmed("turn", "face-up", anything, 2),
    _swarmed("other", "face-up", anything, 2),
    _swarmed("turn", "graveyard", of_use_in_graveyard, 2),
    _swarmed("other", "graveyard", of_use_in_graveyard, 2),
    _swarmed("turn", "deck", monster, 3),
    _swarmed("other", "deck", monster, 3),
)
"""One or two random other cards in most boards, about two and a half on average."""

OPEN: Final = Focus(
    spots=(
        _swarmed("turn", "monster", monster, 16),
        _swarmed("other", "monster", monster, 13, MIXED),
        _swarmed("turn", "monster", monster, 9, MIXED),
        _swarmed("other", "monster", monster, 8, MIXED),
        _swarmed("turn", "monster", monster, 4),
        _swarmed("other", "monster", monster, 4, MIXED),
        _swarmed("turn", "set", anything, 8, fresh=2),
        _swarmed("other", "set", anything, 9),
        _swarmed("turn", "set", anything, 4, fresh=2),
        _swarmed("other", "set", anything, 6),
        _swarmed("turn", "hand", _HAND, 6),
        _swarmed("other", "hand", _HAND, 6),
        _swarmed("turn", "hand", _HAND, 3),
        _swarmed("other", "hand", _HAND, 3),
        _swarmed("turn", "face-up", anything, 3),
        _swarmed("other", "face-up", anything, 3),
        _swarmed("turn", "graveyard", of_use_in_graveyard, 5),
        _swarmed("other", "graveyard", of_use_in_graveyard, 5),
        _swarmed("turn", "deck", monster, 5),
        _swarmed("other", "deck", monster, 5),
        _swarmed("turn", "deck", monster, 3),
        _swarmed("other", "deck", monster, 3),
    ),
    voices=(CALM, EVEN, LIVELY, LOUD),
)
"""No focus: any board."""

_WEAK: Final = atk_between(0, 1500)
_STRONG: Final = atk_between(1600, 4000)
_STOPS_ATTACKS: Final = either(answers_attack, does("prevents-attack"), named("Book of Moon", "Compulsory Evacuation Device"))
_ADDS_MONSTERS: Final = named("Call of the Haunted", "Scapegoat")
_CHANGES_MONSTERS: Final = named("Call of the Haunted", "Compulsory Evacuation Device", "Scapegoat", "Ring of Destruction")
_ENDS_BATTLES: Final = speaks_of("damage-start", "before-calculation")
_SEARCHERS: Final = waits_for("destroyed-by-battle-and-sent", "destroyed-by-battle")
_WINNERS: Final = waits_for("destroys-by-battle", "destroys-by-battle-and-sends", "inflicted-battle-damage")
_AFTER: Final = speaks_of("after-calculation")
_TIMED: Final = speaks_of(
    "damage-start", "before-calculation", "during-calculation", "after-calculation", "damage-end", "damage-step"
)
_QUICK_ANSWERS: Final = both(effect_monster, answers_activation)
_LASTING: Final = either(does("piercing", "indestructible-by-battle", "redirects", "chooses-attack-targets"), continuous_trap)

# Recipe kinds.

_MORE: Final = (_attacker(chance=15), _attacker(chance=8))
"""Further attackers: with several, an attack is what most numbers of a script choose."""

_BATTLE: Final = (_attacker(), _defender(positions=MIXED), *_MORE, _defender(chance=6, positions=MIXED))
"""Something attacks something."""

_DECKS: Final = (_own("deck", _WEAK, 12), _their("deck", _WEAK, 12))


def _won(loser: Menu, winner: Menu = _STRONG) -> tuple[Spot, ...]:
    """The attacker beats what it attacks, in Attack Position."""
    return (_attacker(winner), _defender(loser, like="weaker"), *_MORE)


def _lost(loser: Menu, winner: Menu = monster) -> tuple[Spot, ...]:
    """The attacker is beaten."""
    return (_attacker(loser), _defender(winner, like="stronger"), *_MORE)


def _even(first: Menu = monster, second: Menu = monster) -> tuple[Spot, ...]:
    """Equal ATK on both sides."""
    return (_attacker(first), _defender(second, like="equal"), *_MORE)


def _windows(theirs: Menu = free_chain, ours: Menu = free_chain) -> tuple[Spot, ...]:
    """Both players could always do something."""
    return (_their("set", theirs), _own("set", ours, 12, fresh=0), _their("set", theirs, 6))


def _answered(answers: Menu) -> tuple[Spot, ...]:
    """An attack that the other player can answer."""
    return (_attacker(), _defender(positions=MIXED), *_MORE, _their("set", answers), _their("set", answers, 8))


_REPLAY: Final = (
    _attacker(),
    _defender(positions=MIXED),
    _defender(chance=8, positions=MIXED),
    *_MORE,
    _their("set", _ADDS_MONSTERS),
    _their("set", _CHANGES_MONSTERS, 11),
    _their("set", _CHANGES_MONSTERS, 7),
    _their("graveyard", monster),
)
"""The other player's monsters come and go."""

_CHAIN: Final = (
    _attacker(),
    _defender(positions=MIXED),
    *_MORE,
    _their("set", either(free_chain, answers_attack)),
    _own("set", counter_trap, fresh=0),
    _their("set", counter_trap),
    _own("set", free_chain, 10, fresh=0),
    _own("hand", plain, 10),
    _their("hand", plain, 10),
)
"""Chains of several links."""

_STAT_FIGHT: Final = (
    _attacker(),
    _defender(positions=MIXED),
    *_MORE,
    _own("set", changes_stats, 10, fresh=0),
    _their("set", changes_stats),
    _own("hand", hand_quick, 6),
    _their("hand", hand_quick, 8),
)
"""ATK and DEF change in the Damage Step."""

_ALL_VOICES: Final = (CALM, EVEN, LIVELY, LOUD)
_ATTACKING: Final = (EVEN, LIVELY, LOUD)
_RESPONDING: Final = (LIVELY, LOUD)
_WAITING: Final = (HUSHED, HUSHED, EVEN)


# The passes that bring the players through the Start Step where nobody, one player, or both could do something there.
_ONE: Final = (1, 1, 1, 2)
_BOTH: Final = (2, 2, 2, 1)
_RARELY: Final = (0, 0, 1)


def _focus(*spots: Spot, voices: tuple[Voice, ...] = _ATTACKING, leads: tuple[int, ...] = (0,), low_lp: bool = False) -> Focus:
    return Focus((*spots, *EXTRAS), voices, leads, low_lp)


FOCUSES: Final[Mapping[str, Focus]] = MappingProxyType(
    {
        # Battle Phase structure
        "BP-2": _focus(*_MORE, _defender(chance=8, positions=MIXED), voices=_ALL_VOICES),
        "BP-4": _focus(*_BATTLE, *_windows(), voices=_ALL_VOICES, leads=(0, 1, 2)),
        "BP-7": _focus(*_BATTLE, *_windows(), voices=_ALL_VOICES, leads=(0, 1, 2)),
        # Attack declaration
        "AT-1": _focus(
            _attacker(positions=MIXED),
            _attacker(positions=GUARDED),
            _attacker(either(does("attacks-in-defense"), monster), 8, GUARDED),
            _attacker(chance=8),
            _defender(chance=8),
            _their("set", named("Book of Moon"), 4),
        ),
        "AT-2": _focus(
            _attacker(),
            _defender(positions=MIXED),
            *_MORE,
            _attacker(does("multi-attack"), 8),
            _defender(chance=8, positions=MIXED),
            _their("set", _STOPS_ATTACKS, 8),
        ),
        "AT-3": _focus(
            _attacker(),
            _defender(chance=10, positions=MIXED),
            *_MORE,
            _attacker(does("direct-attack"), 6),
            _defender(chance=5, positions=MIXED),
        ),
        "AT-5": _focus(
            *_answered(answers_attack),
            _attacker(named("Gravekeeper's Assailant"), 6),
            _own("face-up", named("Necrovalley"), 8),
            voices=_ALL_VOICES,
        ),
        "AT-6": _focus(
            *_answered(either(answers_attack, free_chain)), _own("set", free_chain, 10, fresh=0), voices=_ALL_VOICES, leads=_BOTH
        ),
        "AT-7": _focus(*_answered(_STOPS_ATTACKS), voices=_ATTACKING, leads=_RARELY),
        # Replay
        "RP-1": _focus(*_REPLAY, voices=_ATTACKING, leads=_ONE),
        "RP-3": _focus(
            *_lost(_STRONG),
            _defender(_SEARCHERS, 10),
            _their("deck", _WEAK),
            _their("set", _CHANGES_MONSTERS, 6),
            voices=_ATTACKING,
            leads=_ONE,
        ),
        "RP-4": _focus(*_REPLAY, _own("set", free_chain, 5, fresh=0), voices=_ATTACKING, leads=_ONE),
        "RP-5": _focus(*_REPLAY, _their("set", answers_attack, 6), voices=_ATTACKING, leads=_ONE),
        "RP-6": _focus(*_REPLAY, voices=(TORN,), leads=_ONE),
        # Damage Step structure
        "DS-1": _focus(*_BATTLE),
        "DS-2": _focus(_attacker(), _defender(positions=FACE_DOWN), *_MORE),
        "DS-3": _focus(_attacker(), _defender(flip, positions=FACE_DOWN), *_MORE, _defender(chance=5)),
        "DS-5": _focus(*_STAT_FIGHT, _their("set", counter_trap, 6), voices=(HUSHED, EVEN, LIVELY), leads=_BOTH),
        "DS-6": _focus(
            _attacker(_ENDS_BATTLES),
            _defender(positions=MIXED),
            _defender(either(_ENDS_BATTLES, plain), 8, MIXED),
            _attacker(_ENDS_BATTLES, 10),
            *_MORE,
        ),
        "DS-10": _focus(*_won(_SEARCHERS), *_DECKS),
        # What may be activated in the Damage Step
        "DA-1": _focus(*_STAT_FIGHT, voices=_WAITING, leads=_BOTH),
        "DA-2": _focus(
            _attacker(_AFTER),
            _defender(either(_AFTER, flip, _SEARCHERS), positions=MIXED),
            *_MORE,
            _own("set", counter_trap, 10, fresh=0),
            _their("set", counter_trap),
            _own("hand", plain, 10),
            _their("hand", plain, 10),
            *_DECKS,
        ),
        "DA-3": _focus(
            _attacker(either(mandatory_trigger, monster)),
            _defender(either(mandatory_trigger, flip), positions=MIXED),
            *_MORE,
            _defender(_QUICK_ANSWERS, 8),
            _attacker(_QUICK_ANSWERS, 5),
            _their("set", does("negates-activation", "negates-effect")),
            _own("set", either(changes_stats, counter_trap), 8, fresh=0),
            _their("hand", either(plain, _QUICK_ANSWERS), 10),
            voices=(HUSHED, EVEN, LIVELY),
            leads=_RARELY,
        ),
        "DA-4": _focus(
            _attacker(),
            _defender(positions=MIXED),
            _attacker(_TIMED, 8),
            _defender(_TIMED, 8),
            _own("hand", hand_quick, 10),
            _their("hand", hand_quick),
            _own("face-up", named("Moon Mirror Shield", "Skyscraper"), 6),
        ),
        "DA-5": _focus(*_BATTLE, _their("set", free_chain), _own("set", free_chain, 10, fresh=0), voices=_WAITING, leads=_BOTH),
        "DA-6": _focus(*_even(effect_monster, effect_monster), _defender(effect_monster, 8, MIXED), *_DECKS),
        # Chains and priority
        "CH-1": _focus(*_CHAIN, voices=_RESPONDING, leads=_BOTH),
        "CH-2": _focus(*_CHAIN, voices=_RESPONDING, leads=_BOTH),
        "CH-3": _focus(*_CHAIN, voices=_RESPONDING, leads=_BOTH),
        "CH-5": _focus(
            _attacker(either(_AFTER, _SEARCHERS)),
            _defender(either(_AFTER, _SEARCHERS), like="equal"),
            _defender(flip, 8, FACE_DOWN),
            _attacker(either(_AFTER, _WINNERS), 10),
            *_MORE,
            *_DECKS,
        ),
        "CH-8": _focus(
            *_BATTLE,
            _own("set", either(free_chain, changes_stats, counter_trap), fresh=13),
            _own("set", either(free_chain, changes_stats), 8, fresh=13),
            _their("hand", quick_play),
            _own("hand", quick_play, 8),
            voices=_WAITING,
            leads=_RARELY,
        ),
        "CH-10": _focus(*_CHAIN, voices=_RESPONDING, leads=_BOTH),
        # Damage calculation
        "DC-1": _focus(_attacker(), _defender(), _defender(chance=8, like="equal"), *_MORE),
        "DC-2": _focus(
            _attacker(), _defender(positions=GUARDED), _attacker(does("piercing"), 6), _defender(chance=6, positions=GUARDED)
        ),
        "DC-3": _focus(_attacker(), *_MORE, _attacker(does("direct-attack"), 5)),
        "DC-7": _focus(*_won(monster), _defender(effect_monster, 8, MIXED)),
        "DC-9": _focus(*_STAT_FIGHT, _their("set", does("damages"), 5), voices=_WAITING, leads=_BOTH, low_lp=True),
        "DC-11": _focus(
            _attacker(waits_for("inflicted-battle-damage")),
            _defender(like="equal", positions=MIXED),
            _their("set", does("prevents-battle-damage"), 8),
            _their("hand", does("prevents-battle-damage"), 8),
            *_MORE,
            _own("deck", plain),
        ),
        # Determined destroyed
        "BD-1": _focus(*_won(_LASTING), _attacker(_LASTING, 6)),
        "BD-3": _focus(*_won(field_quick), _attacker(mandatory_trigger, 10), _attacker(field_quick, 6)),
        "BD-5": _focus(
            _attacker(_STRONG), _defender(flip, positions=FACE_DOWN), *_MORE, _defender(flip, 10, FACE_DOWN), _defender(chance=8)
        ),
        "BD-8": _focus(
            _attacker(either(_AFTER, _WINNERS)),
            _defender(either(_AFTER, _SEARCHERS), like="weaker"),
            _defender(flip, 8, FACE_DOWN),
            _attacker(_AFTER, 10),
            *_MORE,
            *_DECKS,
        ),
        "BD-10": _focus(
            *_even(_WINNERS),
            _defender(either(token, plain), 6),
            _defender(like="weaker", chance=8),
            _attacker(_WINNERS, 8),
            *_DECKS,
        ),
        # General rules and invariants
        "GN-1": _focus(
            *_BATTLE,
            _defender(chance=12),
            _defender(chance=12),
            _defender(chance=12),
            _their("set", named("Scapegoat", "Call of the Haunted")),
            _their("graveyard", monster),
            voices=_ALL_VOICES,
            leads=_ONE,
        ),
        "GN-2": _focus(*_CHAIN, voices=_ALL_VOICES, leads=_BOTH),
        "IV-1": _focus(*_CHAIN, voices=_ALL_VOICES, leads=_BOTH),
        "IV-2": _focus(*_BATTLE, *_windows(), voices=_ALL_VOICES, leads=_BOTH),
        "IV-3": _focus(*_CHAIN, voices=_ALL_VOICES, leads=_BOTH),
        "IV-4": _focus(
            *_CHAIN, _attacker(effect_monster, 12), _defender(effect_monster, 12, MIXED), voices=_ALL_VOICES, leads=_BOTH
        ),
    }
)
"""The focus of each rule, by its id."""
