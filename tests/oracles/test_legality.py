"""What may be activated as far as the facts say: yes, no, or not settled."""

from __future__ import annotations

import pytest

from engine_protocol.cards import CardFacts, CardPool, EffectFacts, Filter
from engine_protocol.events import StatusChanged
from engine_protocol.vocabulary import Player
from oracles.legality import Answer, activatable, fits, once_allows
from oracles.panel import Panel
from oracles.view import CardIndex, View
from tests.oracles.traces import BOOK_OF_MOON, KURIBOH, MIRROR_FORCE, POOL, RUSH, SEVEN_TOOLS, TOMATO, Duel


def at_the_end(duel: Duel) -> View:
    """The view after the last event."""
    view = View(duel.trace(), CardIndex(POOL))
    Panel(()).watch(view)
    return view


def answer(duel: Duel, card: int, player: Player = 1) -> Answer:
    """Whether the player could activate the card's first effect after the last event."""
    view = at_the_end(duel)
    entry = view.cards[card]
    return activatable(view, player, entry, entry.facts.effects[0])


def declared(*traps: int, **kwargs: int) -> tuple[Duel, list[int]]:
    """An attack has just been declared on a player with these cards set."""
    duel = Duel()
    attacker, target = duel.monster(0, 2000), duel.monster(1, 1500)
    cards = [duel.set_card(1, passcode, **kwargs) for passcode in traps]
    duel.to_battle_step()
    duel.attack(attacker, target)
    return duel, cards


def test_declaration_traps() -> None:
    """Mirror Force can be activated at the declaration, and not after it."""
    duel, (force,) = declared(MIRROR_FORCE)
    assert answer(duel, force) is True
    duel.to_after_declaration()
    assert answer(duel, force) is False


def test_cards_set_this_turn() -> None:
    """A Trap set this turn cannot be activated (CH-8)."""
    duel, (force,) = declared(MIRROR_FORCE, turn_set=3)
    assert answer(duel, force) is False


def test_responses_need_a_link_and_speed() -> None:
    """Seven Tools answers a Trap; Book of Moon cannot answer Seven Tools (CH-1); with too few Life Points it is unpayable."""
    duel, (force, tools, book) = declared(MIRROR_FORCE, SEVEN_TOOLS, BOOK_OF_MOON)
    assert answer(duel, tools) is False
    duel.activate(1, force)
    assert answer(duel, tools) is True
    duel.activate(1, tools)
    assert answer(duel, book) is False
    poor, (force, tools) = declared(MIRROR_FORCE, SEVEN_TOOLS)
    poor.lp_at_start = (8000, 999)
    poor.activate(1, force)
    assert answer(poor, tools) is False


@pytest.mark.parametrize(
    "passcode, timing, expected",
    [
        (BOOK_OF_MOON, "damage-start", False),
        (RUSH, "damage-start", True),
        (RUSH, "before-calculation", True),
        (RUSH, "during-calculation", False),
        (SEVEN_TOOLS, "damage-end", False),
    ],
)
def test_the_damage_step_limits_what_is_activated(passcode: int, timing: str, expected: bool) -> None:
    """ATK changers at the first two timings, Counter Traps only with a link to answer, nothing else (DA-1, DA-2, DA-5)."""
    duel, (card,) = declared(passcode)
    duel.to_after_declaration()
    duel.both_pass()
    for step in ("damage-start", "before-calculation", "during-calculation", "after-calculation", "damage-end"):
        duel.begin(step)
        if step == timing:
            break
    assert answer(duel, card) is expected


def test_incomplete_facts_settle_nothing_but_a_no() -> None:
    """Kuriboh's facts are not complete: at its timing the answer is open, at another it is no."""
    duel = Duel()
    attacker, kuriboh = duel.monster(0, 2000), duel.card(1, KURIBOH, "hand")
    duel.to_battle_step()
    duel.attack(attacker)
    assert answer(duel, kuriboh) is False
    duel.to_after_declaration()
    duel.both_pass()
    for timing in ("damage-start", "before-calculation", "during-calculation"):
        duel.begin(timing)
    assert answer(duel, kuriboh) is None


def test_face_down_cards_hide_what_they_are() -> None:
    """Whether a filter on an attribute fits a face-down monster is open; one on its lie is not."""
    duel = Duel()
    hidden = duel.monster(1, passcode=TOMATO, position="face-down-defense")
    view = at_the_end(duel)
    card = view.cards[hidden]
    assert fits(Filter(attributes=("DARK",)), card, view, 0) is None
    assert fits(Filter(face="down"), card, view, 0) is True
    assert fits(Filter(face="up", attributes=("DARK",)), card, view, 0) is False
    assert fits(Filter(side="you"), card, view, 0) is False


def test_negated_effects_settle_nothing() -> None:
    """For a monster whose effects are negated the facts do not say whether it may activate them."""
    duel, (force,) = declared(MIRROR_FORCE)
    duel.add(StatusChanged("effects-negated", True, force))
    assert answer(duel, force) is None


def test_a_use_of_the_other_player_settles_nothing() -> None:
    """A card that has changed sides: whether its limited effect can be used anew is not said; the same player has used it up."""
    limited = EffectFacts(number=1, kind="quick", speed=2, zones=("monster-zone",), once="turn-by-name")
    monster = CardFacts(passcode=1, name="Limited", type="monster", frame=("effect",), atk=0, def_=0, effects=(limited,))
    pool = CardPool([*POOL.values(), monster])
    duel = Duel(pool=pool)
    card = duel.card(0, 1, "monster-zone", position="face-up-attack")
    duel.begin("start-step")
    duel.activate(0, card)
    duel.resolve()
    view = View(duel.trace(), CardIndex(pool))
    Panel(()).watch(view)
    entry = view.cards[card]
    assert once_allows(view, 0, entry, limited) is False
    assert once_allows(view, 1, entry, limited) is None
