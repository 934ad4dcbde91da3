"""What no single trace shows: determinism and refusal."""

from __future__ import annotations

import pytest

from conformance.probing import Probe, probe
from engine_protocol.board import Board, BoardCard
from engine_protocol.cards import card_pool
from engine_protocol.driver import play, scripted
from engine_protocol.engine import Engine
from tests.conformance import miniatures

SCRIPT = (1,) * 10


def board() -> Board:
    """A monster that can attack directly."""
    dragon = card_pool().named("Blue-Eyes White Dragon").passcode
    return Board(
        ruleset="ocg-2023",
        cards=(BoardCard(id=1, passcode=dragon, owner=0, zone="monster-zone", position="face-up-attack"),),
    )


def probed(engine: Engine) -> Probe:
    """The probe of a short duel."""
    trace = play(engine, board(), SCRIPT)
    return probe(engine, trace, lambda: scripted(SCRIPT), whole=True)


def test_sound_engine_passes() -> None:
    """The reference engine repeats its duels and refuses what it did not offer."""
    found = probed(miniatures.Whole())
    assert found.problem is None
    assert (found.repeated, found.refused >= 2, found.broken) == (1, True, False)


@pytest.mark.parametrize(
    "engine, rule, said",
    [
        (miniatures.PlaysByChance, "IV-1", "the first time"),
        (miniatures.PlaysDifferently, "IV-1", "one by one"),
        (miniatures.TakesAnything, "IV-2", "option 2 was taken"),
        (miniatures.Forgets, "IV-2", "another state"),
        (miniatures.TellsAnotherState, "GN-2", "8001 Life Points"),
    ],
)
def test_unsound_engine_is_noticed(engine: type[Engine], rule: str, said: str) -> None:
    """Each way to be unsound is put down to the right rule, in words that say what happened."""
    problem = probed(engine()).problem
    assert problem is not None
    assert problem.rule == rule
    assert said in problem.happened
