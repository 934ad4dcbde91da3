"""Boards that must lead to the same duel, played by engines that care about what does not matter."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from conformance.examiner import Examiner
from conformance.relating import RELATED, one_of, relate
from conformance.setup import Setup
from engine_protocol.board import Board, BoardCard
from engine_protocol.cards import card_pool
from engine_protocol.driver import play
from engine_protocol.engine import Engine, Progress
from engine_protocol.errors import EngineCrash
from engine_protocol.events import LpChanged
from engine_protocol.trace import Trace
from oracles import RULES
from reference_engine import ReferenceEngine

SCRIPT = (1,) * 10


def board() -> Board:
    """Two monsters of Player A against one of Player B, who holds a card."""
    dragon, elf = card_pool().named("Blue-Eyes White Dragon").passcode, card_pool().named("Celtic Guardian").passcode
    return Board(
        ruleset="ocg-2023",
        cards=(
            BoardCard(id=1, passcode=dragon, owner=0, zone="monster-zone", position="face-up-attack"),
            BoardCard(id=2, passcode=elf, owner=1, zone="monster-zone", position="face-up-attack"),
            BoardCard(id=3, passcode=elf, owner=1, zone="hand", position="face-down"),
        ),
    )


class Stepwise(ReferenceEngine):
    """Remembers its board."""

    board: Board

    def start(self, board: Board) -> Progress:
        """Handed on, and the board kept."""
        self.board = board
        return super().start(board)


class Changing(Stepwise):
    """Reports another loss of Life Points on some boards."""

    def choose(self, option: int) -> Progress:
        """As the reference engine, wrongly on some boards."""
        progress = super().choose(option)
        if not self.changes():
            return progress
        events = tuple(replace(e, amount=e.amount - 1) if isinstance(e, LpChanged) else e for e in progress.events)
        return replace(progress, events=events)

    def changes(self) -> bool:
        """Whether it does."""
        raise NotImplementedError


class KnowsSeats(Changing):
    """Lies when Player B is the turn player (against IV-5)."""

    def changes(self) -> bool:
        """Turn player B."""
        return self.board.turn_player == 1


class KnowsZones(Changing):
    """Lies about a monster in the last zone (against IV-6)."""

    def changes(self) -> bool:
        """A monster in the last zone."""
        return any(card.zone == "monster-zone" and card.index == 4 for card in self.board.cards)


class KnowsLifePoints(Changing):
    """Lies about more than 8000 Life Points (against IV-7)."""

    def changes(self) -> bool:
        """Many Life Points."""
        return max(self.board.lp) > 8000


class KnowsHands(Stepwise):
    """Offers nothing while Player B holds anything else than a Celtic Guardian (against IV-8)."""

    def start(self, board: Board) -> Progress:
        """As the reference engine, or without any attack."""
        progress = super().start(board)
        elf = card_pool().named("Celtic Guardian").passcode
        known = all(card.passcode == elf for card in board.cards if card.zone == "hand")
        while not known and progress.decision is not None and progress.decision.kind != "action":
            progress = super().choose(0)
        decision = progress.decision
        if known or decision is None:
            return progress
        return replace(progress, decision=replace(decision, options=(decision.options[0], decision.options[0])))


class Fails(Stepwise):
    """Crashes on the mirrored board."""

    def start(self, board: Board) -> Progress:
        """As the reference engine, or not at all."""
        if board.turn_player == 1:
            raise EngineCrash("it fell over")
        return super().start(board)


def test_a_sound_engine_plays_the_same_duel() -> None:
    """The reference engine plays the same on all four boards, and each was compared."""
    engine = ReferenceEngine()
    engine.initialize()
    related = relate(engine, play(engine, board(), SCRIPT), card_pool())
    assert (related.problems, related.broken) == ((), False)
    assert related.at_stake.keys() == RELATED
    assert all(related.at_stake.values())


@pytest.mark.parametrize(
    "engine, rule", [(KnowsSeats, "IV-5"), (KnowsZones, "IV-6"), (KnowsLifePoints, "IV-7"), (KnowsHands, "IV-8")]
)
def test_what_must_not_matter(engine: type[Engine], rule: str) -> None:
    """Each of these engines breaks the one rule."""
    suspect = engine()
    suspect.initialize()
    trace = play(ReferenceEngine(), board(), SCRIPT)
    assert [problem.rule for problem in relate(suspect, trace, card_pool()).problems] == [rule]


def test_only_what_was_asked_for() -> None:
    """A choice of rules limits what is played."""
    engine = KnowsSeats()
    engine.initialize()
    trace = play(ReferenceEngine(), board(), SCRIPT)
    related = relate(engine, trace, card_pool(), {"IV-6", "DC-1"})
    assert (related.problems, related.at_stake) == ((), {"IV-6": 1})


def test_an_engine_that_fails_on_another_board() -> None:
    """What it is blamed for is found by random duels; here it only has to be started anew."""
    engine = Fails()
    engine.initialize()
    related = relate(engine, play(engine, board(), SCRIPT), card_pool())
    assert (related.problems, related.broken) == ((), True)


def test_in_a_search_one_board_is_enough() -> None:
    """Each duel chooses one of the rules, and all of them come up; none where none is wanted."""
    trace = play(ReferenceEngine(), board(), SCRIPT)
    chosen = [one_of(Trace(trace.board, trace.events[:length]), None) for length in range(len(RELATED))]
    assert sorted(rule for rules in chosen for rule in rules) == sorted(RELATED)
    assert one_of(trace, {"IV-7", "DC-1"}) == {"IV-7"}
    assert one_of(trace, {"DC-1"}) == frozenset()


def test_the_examiner_plays_one_board_in_a_search_and_all_for_one_rule() -> None:
    """What a probed duel puts at stake: one of the four without a choice of rules, the rule that was chosen with one."""
    with Examiner(Setup(engine="reference", rules=frozenset(RULES))) as examiner:
        searched = examiner.script(board(), SCRIPT, probing=True).at_stake
        chosen = examiner.script(board(), SCRIPT, probing=True, rules=frozenset({"IV-8"})).at_stake
    assert len(RELATED & set(searched)) == 1
    assert RELATED & set(chosen) == {"IV-8"}
