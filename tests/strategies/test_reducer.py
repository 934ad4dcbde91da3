"""The reducer leaves exactly what a failure needs."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from engine_protocol.board import Board, BoardCard
from engine_protocol.cards import card_pool
from engine_protocol.decisions import Option
from engine_protocol.duel_file import Choice, Window
from engine_protocol.rulesets import OCG_2023
from strategies import reduce
from strategies.boards import BoardDecoder
from strategies.focuses import FOCUSES
from strategies.menus import plain
from strategies.recipes import OPEN
from strategies.reducer import Fails
from strategies.steps import PAIRS, SINGLES, Choices, Told, drop_card, size

POOL = card_pool()
BOARDS = BoardDecoder(OCG_2023, POOL, (OPEN, *FOCUSES.values()), custom_stats=True)
BUG = POOL.named("Man-Eater Bug").passcode
SKULL = POOL.named("Summoned Skull").passcode
MIRROR_FORCE = POOL.named("Mirror Force").passcode


def monster(card_id: int, passcode: int = BUG, owner: int = 0, **facts: object) -> BoardCard:
    """A monster in Attack Position unless told otherwise."""
    return replace(
        BoardCard(id=card_id, passcode=passcode, owner=1 if owner else 0, zone="monster-zone", position="face-up-attack"), **facts
    )


def board(*cards: BoardCard, **facts: object) -> Board:
    """A board of these cards."""
    return replace(Board(ruleset="ocg-2023", cards=cards), **facts)


def attack(card: int) -> Choice:
    """The choice to attack with this card."""
    return Choice(at=Window(player=0, kind="action", timing="battle-step", chain=0), do=Option("attack", card))


@st.composite
def told(draw: st.DrawFn) -> Told:
    """A random board, and choices about its cards."""
    made = BOARDS.board(draw(st.binary(min_size=BOARDS.size, max_size=BOARDS.size)))
    ids = [card.id for card in made.cards]
    choices = draw(st.lists(st.sampled_from(ids).map(attack), max_size=12, unique_by=lambda choice: choice.do.card))
    return Told(made, tuple(choices))


def needing(cards: frozenset[int], choices: frozenset[int], made: Board) -> Fails:
    """Fails exactly where these of the board's passcodes are there and these of its cards are chosen, whatever their ids."""
    passcode = {card.id: card.passcode for card in made.cards}
    needed = sorted(passcode[card] for card in cards | choices)
    chosen = sorted(passcode[card] for card in choices)

    def fails(now: Board, taken: Choices) -> Choices | None:
        there = {card.id: card.passcode for card in now.cards}
        left = list(there.values())
        called = [there[c.do.card] for c in taken if c.do.card in there]
        for code in needed:
            if code not in left:
                return None
            left.remove(code)
        for code in chosen:
            if code not in called:
                return None
            called.remove(code)
        return tuple(c for c in taken if c.do.card in there)

    return fails


@settings(max_examples=60)
@given(told(), st.data())
def test_only_what_is_needed_is_left(start: Told, data: st.DataObject) -> None:
    """Whichever cards and choices a failure needs, nothing else is left, and every number is the usual one."""
    cards = data.draw(st.frozensets(st.sampled_from([card.id for card in start.board.cards]), max_size=4))
    made = [choice.do.card for choice in start.choices if choice.do.card is not None]
    choices = data.draw(st.frozensets(st.sampled_from(made), max_size=3)) if made else frozenset()

    left = reduce(*start, needing(cards, choices, start.board), POOL)

    assert left.minimal
    assert len(left.board.cards) == len(cards | choices)
    assert len(left.choices) == len(choices)
    assert left.board.lp == (8000, 8000)
    assert (left.board.turn_player, left.board.turn) == (0, 3)
    assert all(card.atk is None and card.turn_set is None for card in left.board.cards)
    assert [card.id for card in left.board.cards] == list(range(1, len(left.board.cards) + 1))
    assert list(left.board.problems(POOL)) == []


def odd(now: Board, taken: Choices) -> Choices | None:
    """A failure without rhyme or reason, but always the same for the same duel."""
    if not now.cards:
        return None
    key = sum(card.passcode * 7 + card.id for card in now.cards) + 31 * len(taken) + sum(now.lp)
    return taken if random.Random(key).random() < 0.4 else None


@settings(max_examples=60)
@given(told())
def test_no_step_makes_a_minimal_duel_smaller(start: Told) -> None:
    """What is called minimal is 1-minimal: each single step either mends the failure or makes nothing smaller."""
    left = reduce(*start, odd, POOL)
    end = Told(left.board, left.choices)

    for kind in (*SINGLES, *PAIRS):
        for step in kind(end, POOL):
            if odd(*step) is not None and not any(step.board.problems(POOL)):
                assert not left.minimal or size(step, POOL) >= size(end, POOL)


@settings(max_examples=30)
@given(told())
def test_reducing_twice_gives_the_same(start: Told) -> None:
    """The reducer is deterministic, and has nothing to add to its own result."""
    first = reduce(*start, odd, POOL)
    again = reduce(*start, odd, POOL)
    further = reduce(first.board, first.choices, odd, POOL)

    assert first == again
    assert (further.board, further.choices) == (first.board, first.choices)


def test_a_duel_that_does_not_fail_comes_back() -> None:
    """There is nothing to reduce, and nothing is called minimal."""
    start = board(monster(1), monster(2, owner=1))

    left = reduce(start, (attack(1),), lambda *_: None, POOL)

    assert (left.board, left.choices, left.minimal, left.runs) == (start, (attack(1),), False, 1)


@pytest.mark.parametrize("budget", [1, 2, 5])
def test_the_budget_bounds_the_runs(budget: int) -> None:
    """With too small a budget the best so far comes back, and is not called minimal."""
    start = board(*(monster(number, index=number - 1) for number in range(1, 6)), lp=(100, 100))

    left = reduce(start, tuple(attack(number) for number in range(1, 6)), lambda _, taken: taken, POOL, budget)

    assert left.runs <= budget + 1
    assert not left.minimal


def test_a_budget_that_runs_out_leaves_minimality_open() -> None:
    """Where nothing could be made smaller, but not everything was tried, nothing is called minimal."""
    start = board(*(monster(number, index=number - 1) for number in range(1, 6)))

    def fails(now: Board, taken: Choices) -> Choices | None:
        return taken if now == start else None

    assert not reduce(start, (), fails, POOL, budget=3).minimal
    assert reduce(start, (), fails, POOL).minimal


@pytest.mark.parametrize(
    "unusual, usual",
    [
        ({"turn_summoned": 3}, {"turn_summoned": None}),
        ({"position": "face-down-defense"}, {"position": "face-up-attack"}),
        ({"index": 4}, {"index": 0}),
        ({"counters": {"Spell": 2}, "materials": (BUG,)}, {"counters": {}, "materials": ()}),
        ({"zone": "extra-monster-zone"}, {"zone": "monster-zone"}),
        ({"owner": 0, "controller": 0}, {"controller": None}),
        ({"owner": 1, "controller": 0}, {"controller": None}),
    ],
)
def test_a_fact_that_does_not_matter_becomes_the_usual_one(unusual: dict[str, object], usual: dict[str, object]) -> None:
    """A reader looks for a meaning in everything that is not as it always is."""
    left = reduce(board(replace(monster(1, SKULL), **unusual)), (), skull_there, POOL)

    (card,) = left.board.cards
    assert {name: getattr(card, name) for name in usual} == usual


def test_set_cards_were_set_earlier() -> None:
    """The turn in which a card was set goes where it does not matter."""
    trap = BoardCard(id=1, passcode=MIRROR_FORCE, owner=0, zone="spell-trap-zone", position="face-down", turn_set=3)

    left = reduce(board(trap), (), lambda now, taken: taken if now.cards else None, POOL)

    assert left.board.cards[0].turn_set is None


def test_the_turn_becomes_the_usual_one() -> None:
    """Player A's usual turn is the third."""
    left = reduce(board(monster(1, SKULL), turn=7, seed=5), (), skull_there, POOL)

    assert (left.board.turn, left.board.seed) == (3, 0)


def test_choices_that_were_not_taken_drop_out() -> None:
    """The failing play says which choices were really taken; the others were dead."""
    start = board(monster(1), monster(2, index=1))

    left = reduce(start, (attack(1), attack(2)), lambda now, taken: taken[:1] if taken and now.cards else None, POOL)

    assert left.choices in ((attack(1),), (attack(2),))


def test_choices_are_played_again_before_they_are_trusted() -> None:
    """Where the choices said to be taken do not fail when they are replayed, the ones that did are kept."""
    needed = (attack(1), attack(2))

    left = reduce(board(monster(1), monster(2, index=1)), needed, lambda _, taken: taken[:1] if len(taken) == 2 else None, POOL)

    assert len(left.choices) == 2


def test_an_effect_monster_that_does_not_matter_becomes_a_plain_one() -> None:
    """A reader looks for a meaning in every effect on the board."""
    left = reduce(board(monster(1)), (), lambda now, taken: taken if now.cards else None, POOL)

    assert plain(POOL[left.board.cards[0].passcode])


def test_two_cards_that_only_go_together_go() -> None:
    """Neither can be left out alone."""

    def fails(now: Board, taken: Choices) -> Choices | None:
        return taken if len(now.cards) % 2 == 1 else None

    left = reduce(board(*(monster(number, index=number - 1) for number in range(1, 6))), (), fails, POOL)

    assert len(left.board.cards) == 1


def test_an_equip_card_goes_with_its_monster() -> None:
    """An Equip Card without a monster is no board."""
    shield = BoardCard(id=2, passcode=POOL.named("Moon Mirror Shield").passcode, owner=0, zone="spell-trap-zone", equipped_to=1)

    left = reduce(board(monster(1), shield, monster(3, SKULL, index=1)), (), skull_there, POOL)

    assert [card.passcode for card in left.board.cards] == [SKULL]


def test_a_step_that_drops_a_card_leaves_a_board() -> None:
    """Each card goes with the Equip Cards that would be left without a monster."""
    shield = BoardCard(id=2, passcode=POOL.named("Moon Mirror Shield").passcode, owner=0, zone="spell-trap-zone", equipped_to=1)

    steps = list(drop_card(Told(board(monster(1), shield), ()), POOL))

    assert {frozenset(card.id for card in step.board.cards) for step in steps} == {frozenset(), frozenset({1})}


def test_a_choice_goes_without_the_later_ones_about_its_card() -> None:
    """What follows from a choice may be what the failure is about."""
    target = Choice(at=Window(player=0, kind="attack-target", source=1), do=Option("card", 2))

    left = reduce(
        board(monster(1), monster(2, owner=1)), (attack(1), target), lambda _, taken: taken if target in taken else None, POOL
    )

    assert left.choices == (target,)


def skull_there(now: Board, taken: Choices) -> Choices | None:
    """Fails while Summoned Skull is on the board."""
    return taken if any(card.passcode == SKULL for card in now.cards) else None


def test_the_seats_are_swapped_where_it_does_not_matter() -> None:
    """Player A is the turn player of every counterexample that does not turn on the seat; the choices follow."""
    choice = Choice(at=Window(player=1, kind="action"), do=Option("attack", 1))
    start = board(monster(1, SKULL, owner=1), turn_player=1, turn=4, lp=(8000, 100))

    def fails(now: Board, taken: Choices) -> Choices | None:
        ours = [card for card in now.cards if card.owner == now.turn_player]
        return taken if ours and taken and taken[0].at.player == now.turn_player and min(now.lp) == 100 else None

    left = reduce(start, (choice,), fails, POOL)

    assert (left.board.turn_player, left.board.turn, left.board.lp) == (0, 3, (100, 8000))
    assert left.choices[0].at.player == 0


@pytest.mark.parametrize("least, left_over", [(0, None), (1237, 2000), (2001, 3000)])
def test_custom_stats_become_printed_or_round(least: int, left_over: int | None) -> None:
    """A custom ATK goes, or becomes as round as the failure lets it."""

    def fails(now: Board, taken: Choices) -> Choices | None:
        strong = [card for card in now.cards if least == 0 or (card.atk or 0) >= least]
        return taken if strong else None

    left = reduce(board(monster(1, SKULL, atk=2013, def_=700)), (), fails, POOL)

    assert (left.board.cards[0].atk, left.board.cards[0].def_) == (left_over, None)
