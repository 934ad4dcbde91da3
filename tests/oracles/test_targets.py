"""CH-4 and CH-9: what a player may choose as a target, and that an activated card is put on the field."""

from __future__ import annotations

import pytest

from engine_protocol.decisions import Option
from engine_protocol.events import Activated, ChainEnded, LinkResolved, LinkResolving, LpChanged, Moved, Place
from tests.oracles.battles import Battle
from tests.oracles.traces import BOOK_OF_MOON, PASS, Duel


def chooses(duel: Duel, card: int, *targets: int, chosen_before: int | None = None) -> set[str]:
    """What CH-4 has to say when the card's player activates it and may choose one of these targets, the first of them."""
    duel.begin("start-step")
    duel.decide(0, "priority", (PASS, Option("activate", card, 1)), 1)
    if chosen_before is not None:
        duel.decide(0, "target", [Option("card", target) for target in (chosen_before, *targets)], 0, card)
    duel.decide(0, "target", [Option("card", target) for target in targets], 0, card)
    return {violation.rule for violation in duel.judge("CH-4").violations}


@pytest.mark.parametrize("offered, broken", [((1, 2), set()), ((1,), {"CH-4"}), ((2,), {"CH-4"})])
def test_every_monster_that_fits_can_be_chosen(offered: tuple[int, ...], broken: set[str]) -> None:
    """CH-4: Book of Moon targets any face-up monster, one's own or the other player's; the face-down one is none."""
    duel = Duel()
    duel.monster(0, 1500)
    duel.monster(1, 1500)
    duel.monster(1, 1500, position="face-down-defense")
    assert chooses(duel, duel.set_card(0, BOOK_OF_MOON), *offered) == broken


@pytest.mark.parametrize("itself, broken", [(False, set()), (True, {"CH-4"})])
def test_a_spell_does_not_target_itself(itself: bool, broken: set[str]) -> None:
    """CH-4: Mystical Space Typhoon targets a Spell or Trap, but not the very card that is being activated."""
    duel = Battle()
    other = duel.place_card(1, "Mirror Force", position="face-down")
    typhoon = duel.place_card(0, "Mystical Space Typhoon", position="face-down")
    assert chooses(duel, typhoon, other, *((typhoon,) if itself else ())) == broken


def test_what_was_chosen_already_need_not_be_offered_again() -> None:
    """CH-4: the same activation has chosen the other monster before."""
    duel = Duel()
    duel.monster(0, 1500)
    duel.monster(1, 1500)
    assert chooses(duel, duel.set_card(0, BOOK_OF_MOON), 1, chosen_before=2) == set()


def test_a_card_that_left_is_not_sent_again() -> None:
    """CH-9: Book of Moon was destroyed in the same chain, so it is in the Graveyard already."""
    for left, broken in ((False, set()), (True, {"CH-9"})):
        duel = Duel()
        target = duel.monster(1, 1500)
        book = duel.set_card(0, BOOK_OF_MOON)
        duel.begin("start-step")
        duel.activate(0, book, targets=(target,))
        graveyard = Place(0, "graveyard")
        gone = [Moved(book, duel.place(book), graveyard, "destroyed-by-effect")] if left else []
        duel.add(LinkResolving(1), *gone, LinkResolved(1, "resolved"))
        duel.add(Moved(book, graveyard if left else duel.place(book), graveyard, "used"), ChainEnded())
        assert {violation.rule for violation in duel.judge("CH-9").violations} == broken


@pytest.mark.parametrize("put, broken", [(True, set()), (False, {"CH-9"})])
def test_an_activated_card_is_put_on_the_field(put: bool, broken: set[str]) -> None:
    """CH-9: it stays on the field until the chain has resolved, so it must have come there from the hand."""
    duel = Duel()
    target = duel.monster(1, 1500)
    book = duel.card(0, BOOK_OF_MOON, "hand")
    duel.begin("start-step")
    on_field = Place(0, "spell-trap-zone", 0, "face-up")
    if put:
        duel.add(Moved(book, duel.place(book), on_field, "activated"))
    duel.activate(0, book, targets=(target,), place=on_field)
    assert {violation.rule for violation in duel.judge("CH-9").violations} == broken


def test_the_same_card_is_not_offered_twice() -> None:
    """CH-4: what Penguin Soldier targets already is no further target."""
    for further, broken in (((3,), set()), ((2, 3), {"CH-4"})):
        duel = Battle()
        duel.real(0, "Penguin Soldier", position="face-up-defense")
        duel.real(1)
        duel.real(1)
        duel.begin("start-step")
        duel.decide(0, "trigger", (PASS, Option("activate", 1, 1)), 1)
        duel.decide(0, "target", [Option("card", card) for card in (2, 3, 1)], 0, 1)
        duel.decide(0, "target", [Option("done"), *(Option("card", card) for card in (*further, 1))], 0, 1)
        assert {violation.rule for violation in duel.judge("CH-4").violations} == broken


def test_the_same_card_is_not_targeted_twice() -> None:
    """CH-4: Penguin Soldier returns up to two monsters, not one of them twice."""
    for targets, broken in (((2, 3), set()), ((2, 2), {"CH-4"})):
        duel = Battle()
        duel.real(0, "Penguin Soldier", position="face-up-defense")
        duel.real(1)
        duel.real(1)
        duel.begin("start-step")
        duel.activate(0, 1, targets=targets, trigger=True)
        assert {violation.rule for violation in duel.judge("CH-4").violations} == broken


@pytest.mark.parametrize("paid, broken", [(4000, set()), (8000, {"CH-4"}), (1000, {"CH-4"})])
def test_half_of_the_life_points_is_paid(paid: int, broken: set[str]) -> None:
    """CH-4: Solemn Judgment costs half of 8000 Life Points."""
    duel = Battle()
    target = duel.place_card(1, "Waboku", position="face-down")
    judgment = duel.place_card(0, "Solemn Judgment", position="face-down")
    duel.begin("start-step")
    duel.passes(0)
    duel.activate(1, target)
    duel.decide(0, "response", (PASS, Option("activate", judgment, 1)), 1)
    duel.add(LpChanged(0, -paid, 8000 - paid, "cost"))
    duel.add(Activated(2, 0, judgment, 1, Place(0, "spell-trap-zone", 0, "face-up"), (), True, False))
    assert {violation.rule for violation in duel.judge("CH-4").violations} == broken
