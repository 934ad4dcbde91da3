"""The reducer at its real work: random duels played by the reference engine."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from engine_protocol.board import Board
from engine_protocol.cards import CardPool, card_pool
from engine_protocol.driver import drive, play
from engine_protocol.duel_file import ChoiceFollower, choices_of
from engine_protocol.events import Activated, DeterminedDestroyed, LpChanged, ReplayBegan
from engine_protocol.rulesets import OCG_2023
from engine_protocol.trace import Trace
from reference_engine import ReferenceEngine
from strategies import reduce
from strategies.duels import DuelDecoder
from strategies.steps import PAIRS, SINGLES, Choices, Told, size

ENGINE = ReferenceEngine()
POOL = CardPool(facts for code, facts in card_pool().items() if code in (ENGINE.initialize().cards or ()))


def flip_in_a_lost_battle(trace: Trace) -> bool:
    """A Flip Effect is activated after its monster was determined destroyed."""
    passcodes = {card.id: card.passcode for card in trace.board.cards}
    destroyed: set[int] = set()
    for event in trace.events:
        if isinstance(event, DeterminedDestroyed):
            destroyed.add(event.card)
        elif isinstance(event, Activated) and event.card in destroyed and event.card in passcodes:
            effect = POOL[passcodes[event.card]].effect(event.effect)
            if effect is not None and "flip" in effect.categories:
                return True
    return False


def replay(trace: Trace) -> bool:
    """An attack is rewound."""
    return any(isinstance(event, ReplayBegan) for event in trace.events)


def chain_of_three(trace: Trace) -> bool:
    """A chain has a third link."""
    return any(isinstance(event, Activated) and event.link == 3 for event in trace.events)


def equal_loss(trace: Trace) -> bool:
    """The other player takes exactly 200 battle damage."""
    return any(
        isinstance(event, LpChanged) and event.amount == -200 and event.reason == "battle-damage" for event in trace.events
    )


@pytest.mark.parametrize(
    "shows, focus, cards, loud",
    [(flip_in_a_lost_battle, "DS-3", 2, 2), (replay, "RP-1", 4, 3), (chain_of_three, "CH-2", 6, 4), (equal_loss, "DC-1", 2, 1)],
)
def test_random_duels_become_minimal_ones(shows: Callable[[Trace], bool], focus: str, cards: int, loud: int) -> None:
    """A dozen cards become the few that a person would set up to show the same, in all but the oddest duel of five, and no single
    step leads further.
    """

    def fails(board: Board, choices: Choices) -> Choices | None:
        trace = drive(ENGINE, board, ChoiceFollower(choices))
        return choices_of(trace) if shows(trace) else None

    decoder = DuelDecoder(OCG_2023, POOL, focus)
    few = 0
    for seed in range(1, 6):
        rng = random.Random(seed)
        found = next(
            trace
            for duel in (decoder.duel(rng.randbytes(decoder.size)) for _ in range(2_000))
            if shows(trace := play(ENGINE, duel.board, duel.script))
        )

        left = reduce(found.board, choices_of(found), fails, POOL)

        end = Told(left.board, left.choices)
        assert left.minimal
        assert fails(*end) == left.choices
        few += len(left.board.cards) <= cards and sum(choice.do.kind != "pass" for choice in left.choices) <= loud
        for kind in (*SINGLES, *PAIRS):
            for step in kind(end, POOL):
                if not any(step.board.problems(POOL)) and (taken := fails(*step)) is not None:
                    assert size(Told(step.board, taken), POOL) >= size(end, POOL)
    assert few >= 4
