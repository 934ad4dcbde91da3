"""CH-12, CH-13: what an activation needs, and who is asked first."""

from __future__ import annotations

import pytest

from engine_protocol.cards import card_pool
from engine_protocol.decisions import Option
from tests.oracles.traces import BOOK_OF_MOON, KURIBOH, MAGIC_CYLINDER, PASS, RUSH, SEVEN_TOOLS, Duel

POOL = card_pool()


def offered(duel: Duel, card: int, player: int = 0) -> list[str]:
    """The rules of this module that are broken when the card's first effect is offered in the Start Step."""
    duel.begin("start-step")
    duel.decide(player, "priority", (PASS, Option("activate", card, 1)))  # type: ignore[arg-type]
    return [violation.rule for violation in duel.judge("CH-12").violations]


def test_without_a_target() -> None:
    """CH-12: Book of Moon targets a face-up monster; a face-down one is none."""
    for position, broken in (("face-up-attack", []), ("face-down-defense", ["CH-12"])):
        duel = Duel()
        duel.monster(1, 1500, position=position)  # type: ignore[arg-type]
        assert offered(duel, duel.set_card(0, BOOK_OF_MOON)) == broken


def test_without_its_event() -> None:
    """CH-12: Seven Tools of the Bandit answers a Trap, and there is no chain; Kuriboh waits for a battle."""
    duel = Duel()
    assert offered(duel, duel.set_card(0, SEVEN_TOOLS)) == ["CH-12"]
    duel = Duel()
    assert offered(duel, duel.card(0, KURIBOH, "hand")) == ["CH-12"]


def test_from_the_wrong_place() -> None:
    """CH-12: nothing of Rush Recklessly is activated from the Graveyard, nor by the player who does not control it."""
    for zone, player, broken in (("hand", 0, []), ("graveyard", 0, ["CH-12"]), ("hand", 1, ["CH-12"])):
        duel = Duel()
        duel.monster(0, 1500)
        assert offered(duel, duel.card(0, RUSH, zone), player) == broken  # type: ignore[arg-type]


def test_with_spell_speed_1() -> None:
    """CH-12: an Equip Spell is activated in a Main Phase only."""
    duel = Duel(pool=POOL)
    duel.monster(0, passcode=POOL.named("Celtic Guardian").passcode)
    assert offered(duel, duel.card(0, POOL.named("Fairy Meteor Crush").passcode, "hand")) == ["CH-12"]


def test_without_its_cost() -> None:
    """CH-12: Seven Tools of the Bandit costs 1000 Life Points, which a player with 500 cannot pay."""
    for life, broken in ((8000, []), (500, ["CH-12"])):
        duel = Duel(lp=(life, 8000))
        duel.monster(0, 1500)
        tools, cylinder = duel.set_card(0, SEVEN_TOOLS), duel.set_card(1, MAGIC_CYLINDER)
        duel.to_battle_step()
        duel.attack(1)
        duel.passes(0)
        duel.activate(1, cylinder, targets=(1,))
        duel.decide(0, "response", (PASS, Option("activate", tools, 1)))
        assert [violation.rule for violation in duel.judge("CH-12").violations] == broken


JURAGEDO = POOL.named("Juragedo").passcode


@pytest.mark.parametrize("offered_too", [True, False])
def test_a_quick_effect_must_be_offered(offered_too: bool) -> None:
    """CH-12: in the Battle Step before a declaration the turn player may Special Summon Juragedo from the hand."""
    duel = Duel(pool=POOL)
    card = duel.card(0, JURAGEDO, "hand")
    duel.to_battle_step()
    duel.decide(0, "action", (PASS, Option("activate", card, 1)) if offered_too else (PASS,))
    judgement = duel.judge("CH-12")
    assert judgement.at_stake["CH-12"] == 1 + offered_too
    assert bool(judgement.violations) != offered_too


def test_the_turn_player_is_asked_first() -> None:
    """CH-13: after a chain, too, the turn player may act before the other player."""
    for first in (0, 1):
        duel = Duel()
        target = duel.monster(1, 1500)
        own, theirs = duel.set_card(0, BOOK_OF_MOON), duel.set_card(1, RUSH)
        duel.begin("start-step")
        duel.passes(0, offered=[Option("activate", own, 1)])
        duel.activate(1, theirs, targets=(target,))
        duel.resolve([duel.stat(target, 2200, 100)])
        duel.passes(first, 1 - first)  # type: ignore[arg-type]
        judgement = duel.judge("CH-13")
        assert judgement.at_stake["CH-13"] == 2
        assert len(judgement.violations) == first


def test_a_turn_player_without_anything_need_not_be_asked() -> None:
    """CH-13: nothing is lost where the turn player has nothing to activate."""
    duel = Duel()
    duel.monster(1, 1500)
    duel.set_card(1, RUSH)
    duel.begin("start-step")
    duel.passes(1)
    assert duel.judge("CH-13").violations == ()
