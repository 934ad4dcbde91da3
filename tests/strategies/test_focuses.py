"""Every rule has a focus, and a focus puts its cards on the board."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

import pytest

from engine_protocol.board import Board, BoardCard
from engine_protocol.cards import card_pool
from engine_protocol.rulesets import OCG_2023
from strategies.boards import BoardDecoder, can_lie
from strategies.focuses import FOCUSES
from strategies.menus import flip
from strategies.recipes import EXTRAS

POOL = card_pool()
BOARDS = 120

# The rules that the first version of the suite must put at stake.
LISTED = tuple(
    f"{area}-{number}"
    for area, numbers in {
        "BP": (2, 4, 7),
        "AT": (1, 2, 3, 5, 6, 7),
        "RP": (1, 3, 4, 5, 6),
        "DS": (1, 2, 3, 5, 6, 10),
        "DA": (1, 2, 3, 5, 6),
        "CH": (1, 2, 3, 5, 8, 10),
        "DC": (1, 2, 3, 7, 9, 11),
        "BD": (1, 3, 5, 8, 10),
        "GN": (1, 2),
        "IV": (1, 2, 3, 4),
    }.items()
    for number in numbers
)


@cache
def boards(rule: str) -> tuple[Board, ...]:
    """Boards of random bytes, always the same ones."""
    decoder = BoardDecoder(OCG_2023, POOL, (FOCUSES[rule],))
    rng = random.Random(rule)
    return tuple(decoder.board(rng.randbytes(decoder.size)) for _ in range(BOARDS))


def share(rule: str, has: Callable[[Board, BoardCard], bool]) -> float:
    """The share of a focus's boards that have such a card."""
    return sum(any(has(board, card) for card in board.cards) for board in boards(rule)) / BOARDS


@pytest.mark.parametrize("rule", LISTED)
def test_every_listed_rule_has_a_focus(rule: str) -> None:
    """A rule without a focus would be observed by luck only."""
    assert rule in FOCUSES


@pytest.mark.parametrize("rule", FOCUSES)
def test_every_spot_is_served_by_the_shipped_pool(rule: str) -> None:
    """A misspelt name or a category without cards would leave a spot empty for ever."""
    unserved = [s for s in FOCUSES[rule].spots if not any(can_lie(card, s.place) and s.menu(card) for card in POOL.values())]

    assert unserved == []


def test_ds_3_has_a_flip_monster_face_down() -> None:
    """Flipping by battle needs a Flip Effect Monster that the turn player can attack."""

    def is_face_down_flip(board: Board, card: BoardCard) -> bool:
        return card.owner != board.turn_player and card.position == "face-down-defense" and flip(POOL[card.passcode])

    assert share("DS-3", is_face_down_flip) == 1


@pytest.mark.parametrize("name", ["Call of the Haunted", "Compulsory Evacuation Device", "Scapegoat", "Ring of Destruction"])
def test_rp_1_has_cards_that_change_the_other_players_monsters(name: str) -> None:
    """Each way of causing a replay is set by the non-turn player in a good part of the boards."""
    passcode = POOL.named(name).passcode

    def is_set(board: Board, card: BoardCard) -> bool:
        return card.owner != board.turn_player and card.passcode == passcode and card.position == "face-down"

    assert share("RP-1", is_set) > 0.2


def test_ch_8_has_cards_set_this_turn() -> None:
    """The rule is about Traps and Quick-Play Spells set this turn."""
    assert share("CH-8", lambda board, card: card.turn_set == board.turn) > 0.8


def test_dc_1_has_equal_atk_on_both_sides() -> None:
    """Equal ATK is what the drawing of random monsters hardly ever gives."""

    def has_pair(board: Board) -> bool:
        atks: tuple[set[int | None], set[int | None]] = (set(), set())
        for card in board.cards:
            if card.position == "face-up-attack":
                atks[card.owner].add(POOL[card.passcode].atk)
        return not atks[0].isdisjoint(atks[1])

    assert sum(map(has_pair, boards("DC-1"))) / BOARDS > 0.4


@pytest.mark.parametrize("rule", FOCUSES)
def test_a_focused_board_is_neither_bare_nor_crowded(rule: str) -> None:
    """One or two random other cards join those of the focus."""
    own = sum(spot.chance / 16 for spot in FOCUSES[rule].spots[: -len(EXTRAS)])
    average = sum(len(board.cards) for board in boards(rule)) / BOARDS

    assert own + 1 < average < own + 3.5
