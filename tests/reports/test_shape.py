"""The shape of a violation."""

from __future__ import annotations

import pytest

from engine_protocol.duel_file import DuelFile
from reports.model import Finding, RulingResult
from reports.shape import shape_of, shape_of_ruling
from tests.reports.samples import ambush_board


def finding(happened: str, *cards: str) -> Finding:
    """A finding of a duel between Blue-Eyes White Dragon and Giant Rat, with Mirror Force set."""
    return Finding(rule="AT-2", expected="x", happened=happened, cards=cards, duel=DuelFile(title="", board=ambush_board()))


@pytest.mark.parametrize(
    "happened, shape",
    [
        ("Giant Rat (card 2) was offered", "a card was offered"),
        ("Giant Rat #2 was offered to Player B", "a card was offered to a player"),
        ("Giant Rat, Mirror Force (card 3) and Blue-Eyes White Dragon were offered", "a card were offered"),
        ("card #9 had 1500 ATK", "a card had N ATK"),
        ("AT-12 says 12", "AT-12 says N"),
        ("play() did not return within 2.5 s", "a call did not return within N s"),
        ("the engine did not answer 'choose' within 10 s", "the engine did not answer a call within N s"),
        ("KeyError at 0x7f00ab", "KeyError at N"),
        (
            'event 3 was {"kind":"x","at":{"a":1}} the first time and {"kind":"y","cut… the second',
            "event N was an event the first time and an event the second",
        ),
    ],
)
def test_what_belongs_to_one_duel_is_left_out(happened: str, shape: str) -> None:
    """Cards, players, amounts, addresses, calls and raw events go; the sentence and the numbers of rules stay."""
    assert shape_of(finding(happened)) == f"expected: x; happened: {shape}"


def test_cards_by_their_name_in_the_finding() -> None:
    """A card of no known board is masked where the finding names it, the longer name before one that it contains."""
    told = Finding(rule="AT-2", expected="x", happened="Rat King was offered", cards=("Rat", "Rat King #4"))
    assert shape_of(told) == "expected: x; happened: a card was offered"


def test_ruling() -> None:
    """Of a ruling, everything that differs."""
    ruling = RulingResult(id="M-1", title="", verdict="violated", problems=("LP are 500", "card #3 stays"))
    assert shape_of_ruling(ruling) == "LP are N; a card stays"
