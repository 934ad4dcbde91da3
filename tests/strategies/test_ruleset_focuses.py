"""Each ruleset gets boards that put at stake what it has otherwise than the rest, and none with cards it leaves open."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_protocol.board import Board, BoardCard
from engine_protocol.cards import EffectFacts, card_pool
from engine_protocol.rulesets import DUEL_ARENA, EXPERT_2007, MASTER_RULE_2, MASTER_RULE_3, OCG_2023, RULESETS, Ruleset
from engine_protocol.vocabulary import Timing
from strategies.boards import BoardDecoder, can_lie
from strategies.duels import DuelDecoder
from strategies.focuses import FOCUSES
from strategies.ruleset_focuses import OWN, focuses_of

POOL = card_pool()
BOARDS = 200

OWN_FOCUSES = [
    pytest.param(ruleset, rule, id=f"{ruleset.name}-{rule}")
    for ruleset in RULESETS.values()
    for rule, make in OWN.items()
    if make(ruleset) is not None
]


@cache
def decoder_of(ruleset_name: str) -> DuelDecoder:
    """The decoder of all focuses of a ruleset."""
    return DuelDecoder(RULESETS[ruleset_name], POOL, None)


def share(ruleset: Ruleset, rule: str, has: Callable[[Board], bool]) -> float:
    """The share of the boards of a focus, of random bytes that are always the same, of which this is true."""
    decoder = BoardDecoder(ruleset, POOL, (focuses_of(ruleset)[rule],))
    rng = random.Random(rule)
    return sum(has(decoder.board(rng.randbytes(decoder.size))) for _ in range(BOARDS)) / BOARDS


def of(board: Board, *, turn_player: bool) -> list[BoardCard]:
    """The cards of one side."""
    return [card for card in board.cards if (card.owner == board.turn_player) == turn_player]


def effects(card: BoardCard) -> tuple[EffectFacts, ...]:
    """What a card does."""
    return POOL[card.passcode].effects


def test_the_default_ruleset_keeps_the_usual_focuses() -> None:
    """It has none of the rules and points that the others have a focus of their own for."""
    assert focuses_of(OCG_2023) == dict(FOCUSES)


@pytest.mark.parametrize("ruleset, rule", OWN_FOCUSES)
def test_every_spot_is_served_by_the_shipped_pool(ruleset: Ruleset, rule: str) -> None:
    """A misspelt name or a category without cards would leave a spot empty for ever; the cards that DA-12 is about by name may be
    monsters only, and its other spots stay empty.
    """
    spots = focuses_of(ruleset)[rule].spots
    by_name = rule == "DA-12"
    assert [s for s in spots if not any((by_name or can_lie(c, s.place)) and s.menu(c) for c in POOL.values())] == []


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=RULESETS)
@given(data=st.data())
def test_any_bytes_are_a_board_without_problems(ruleset: Ruleset, data: st.DataObject) -> None:
    """In every ruleset boards can be, with one Field Spell in all where that is the rule, and no card is under adjustment."""
    decoder = decoder_of(ruleset.name)
    board = decoder.duel(data.draw(st.binary(min_size=decoder.size, max_size=decoder.size))).board

    assert list(board.problems(POOL)) == []
    assert ruleset.cards_under_adjustment.isdisjoint(POOL[card.passcode].name for card in board.cards)


@pytest.mark.parametrize("ruleset, rule", [(EXPERT_2007, "BD-9"), (EXPERT_2007, "BD-11"), (MASTER_RULE_2, "BD-11")])
def test_cards_under_adjustment_are_left_out_of_focuses_that_ask_for_them(ruleset: Ruleset, rule: str) -> None:
    """X-018, X-029, X-061: no duel can say anything of a card whose timing the documents leave open."""
    named = ruleset.cards_under_adjustment
    assert share(ruleset, rule, lambda board: any(POOL[card.passcode].name in named for card in board.cards)) == 0
    assert share(OCG_2023, rule, lambda board: any(POOL[card.passcode].name in named for card in board.cards)) > 0


def test_at_14_has_an_optional_and_a_mandatory_effect_at_the_declaration() -> None:
    """E-021: only together do they show that the mandatory one shuts out the other."""

    def has_both(board: Board) -> bool:
        optional = [e for card in of(board, turn_player=True) for e in effects(card) if e.condition == "attack-declared"]
        mandatory = [e for card in of(board, turn_player=False) for e in effects(card) if e.condition == "attack-targeted"]
        return any(not e.mandatory for e in optional) and any(e.mandatory for e in mandatory)

    assert share(EXPERT_2007, "AT-14", has_both) > 0.6


@pytest.mark.parametrize("turn_player", [True, False])
def test_da_10_has_two_cards_that_change_atk_for_one_player(turn_player: bool) -> None:
    """With a single card nobody comes to the limit of one activation."""

    def has_two(board: Board) -> bool:
        sets = [card for card in of(board, turn_player=turn_player) if card.position == "face-down" and card.turn_set is None]
        return sum(any(e.speed == 2 and "changes-atk-def" in e.categories for e in effects(card)) for card in sets) > 1

    assert share(DUEL_ARENA, "DA-10", has_two) > 0.6


@pytest.mark.parametrize("ruleset", [EXPERT_2007, MASTER_RULE_2, DUEL_ARENA], ids=lambda ruleset: ruleset.name)
def test_ds_5_has_triggers_of_two_stages_of_a_timing(ruleset: Ruleset) -> None:
    """Only then can a chain come in the wrong stage, or two stages share one."""

    def stages(board: Board, timing: Timing) -> set[int]:
        return {
            ruleset.stage_of(timing, POOL[card.passcode].name, effect)
            for card in board.cards
            for effect in effects(card)
            if effect.kind == "trigger" and (timing in effect.timings or effect.condition == "inflicted-battle-damage")
        }

    assert share(ruleset, "DS-5", lambda board: len(stages(board, "after-calculation")) > 1) > 0.5


def test_dc_1_has_two_monsters_without_atk() -> None:
    """A-036: they destroy each other."""

    def has_two(board: Board) -> bool:
        return all(
            any(card.position == "face-up-attack" and POOL[card.passcode].atk == 0 for card in of(board, turn_player=side))
            for side in (True, False)
        )

    assert share(DUEL_ARENA, "DC-1", has_two) > 0.5


@pytest.mark.parametrize("ruleset", [MASTER_RULE_2, MASTER_RULE_3], ids=lambda ruleset: ruleset.name)
def test_scripts_seldom_go_straight_to_the_end_step(ruleset: Ruleset) -> None:
    """Where an engine asks after two passes in the Start Step, the number that it gets says no in most duels; and it chooses one
    of two, three or four attackers where the engine does not ask.
    """
    decoder = DuelDecoder(ruleset, POOL, "DS-1")
    rng = random.Random(1)
    first = [decoder.duel(rng.randbytes(decoder.size)).script[0] for _ in range(BOARDS)]

    assert sum(number % 2 == 0 for number in first) / BOARDS > 0.85
    assert any(number % 2 for number in first)
    for attackers in (2, 3, 4):
        assert all(number % (attackers + 1) for number in first if number % 2 == 0 and number)
