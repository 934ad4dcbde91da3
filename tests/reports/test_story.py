"""A duel is told so that a duelist can follow it."""

from __future__ import annotations

from msgspec.structs import replace

from engine_protocol.cards import card_pool
from engine_protocol.decisions import Decision, Option
from engine_protocol.events import Decided, TimingBegan
from engine_protocol.trace import Trace
from reports.story import tell
from tests.reports.samples import ambush, ambush_board


def lines_of(story: str) -> list[str]:
    """The lines without their indentation."""
    return [line.strip() for line in story.splitlines()]


def test_board_says_who_has_what() -> None:
    """Each player's cards stand with place, position, ATK/DEF (custom ones too) and what was set this turn."""
    assert lines_of(tell(Trace(ambush_board(), ()), card_pool())) == [
        "Turn 3, Battle Phase of Player A, ruleset ocg-2023",
        "Player A: 8000 LP",
        "Monsters: Blue-Eyes White Dragon (ATK 3000 / DEF 2500, Attack Position)",
        "Player B: 4000 LP",
        "Monsters: Giant Rat (ATK 1400 / DEF 1500, face-down Defense Position)",
        "Spells & Traps: Mirror Force (set, set this turn)",
    ]


def test_choices_are_told_in_their_windows() -> None:
    """Every choice is numbered and stands under the window in which it was made, what came of it below."""
    story = lines_of(tell(ambush(), card_pool()))
    assert story[7:] == [
        "[Battle Step, before an attack declaration]",
        "1. Player A attacks with Blue-Eyes White Dragon",
        "Blue-Eyes White Dragon declares an attack on Giant Rat",
        "[attack declaration]",
        "2. Player B activates Mirror Force",
        "Mirror Force resolves",
        "Blue-Eyes White Dragon is destroyed by an effect (to the Graveyard of Player A)",
        "the attack of Blue-Eyes White Dragon stops",
    ]


def test_story_stops_where_it_went_wrong() -> None:
    """With the place of a violation, nothing after it is told, and of a decision what was on offer."""
    story = lines_of(tell(ambush(), card_pool(), until=6))
    assert story[-3:] == [
        "2. Player B activates Mirror Force",
        "On offer: Player B passes or activates Mirror Force",
        "^ here",
    ]


def test_two_copies_are_told_apart() -> None:
    """Two cards of one name are followed by their instance ids."""
    board = ambush_board()
    dragon = board.cards[0]
    twins = Trace(replace(board, cards=(dragon, replace(dragon, id=9, index=1))), ())
    assert "Blue-Eyes White Dragon #1" in tell(twins, card_pool())
    assert "Blue-Eyes White Dragon #9" in tell(twins, card_pool())


def test_made_up_cards_do_not_stop_the_story() -> None:
    """An engine that speaks of cards and options that are not there is still told."""
    decision = Decision(1, "priority", "battle-step", (Option("pass"), Option("activate", 77, 3)))
    trace = Trace(ambush_board(), (TimingBegan("battle-step"), Decided(decision, 1), Decided(decision, 5)))
    assert "Player B activates card #77" in tell(trace, card_pool())
