"""GN: traces that keep the general rules, and ones that break one of them."""

from __future__ import annotations

import pytest

from engine_protocol.board import BoardCard
from engine_protocol.events import (
    ControlChanged,
    DuelEnded,
    LinkResolved,
    LinkResolving,
    LpChanged,
    Moved,
    Place,
    PositionChanged,
    TokenCreated,
)
from engine_protocol.vocabulary import EndReason, Player, Zone
from tests.oracles.battles import Battle

CONFORMS = (set[str](), True)


def broken(rule: str) -> tuple[set[str], bool]:
    """The verdict when exactly this rule is violated, and was at stake."""
    return {rule}, True


@pytest.mark.parametrize("index, verdict", [(1, CONFORMS), (0, broken("GN-1")), (5, broken("GN-1"))])
def test_zones(index: int, verdict: tuple[set[str], bool]) -> None:
    """GN-1: a summoned monster needs a zone that exists and is empty."""
    duel = Battle()
    duel.real(0)
    monster = duel.place_card(0, "Giant Rat", "graveyard")
    duel.to_battle_step()
    duel.add(duel.summon(monster, index=index))
    assert duel.verdict("GN-1") == verdict


@pytest.mark.parametrize(
    "ruleset, zone, verdict",
    [
        ("ocg-2023", "extra-monster-zone", CONFORMS),
        ("master-rule-3", "extra-monster-zone", CONFORMS),
        ("duel-arena", "extra-monster-zone", broken("GN-1")),
        ("duel-arena", "monster-zone", CONFORMS),
    ],
)
def test_zones_that_a_ruleset_has(ruleset: str, zone: Zone, verdict: tuple[set[str], bool]) -> None:
    """GN-1: A-053 lists five Monster Zones and no others."""
    duel = Battle()
    duel.ruleset = ruleset
    monster = duel.place_card(0, "Stardust Dragon", "extra-deck", "face-down")
    duel.to_battle_step()
    duel.add(Moved(monster, duel.place(monster), Place(0, zone, 1, "face-up-attack"), "special-summoned"))
    assert duel.verdict("GN-1") == verdict


@pytest.mark.parametrize(
    "ruleset, verdict", [("ocg-2023", CONFORMS), ("master-rule-2", CONFORMS), ("duel-arena", broken("GN-1"))]
)
def test_field_spells(ruleset: str, verdict: tuple[set[str], bool]) -> None:
    """GN-1: A-120 has one face-up Field Spell on both sides together; other documents do not say."""
    duel = Battle()
    duel.ruleset = ruleset
    duel.place_card(1, "Skyscraper", "field-zone")
    second = duel.place_card(0, "Necrovalley", "hand")
    duel.begin("start-step")
    duel.add(Moved(second, duel.place(second), Place(0, "field-zone", 0, "face-up"), "activated"))
    assert duel.verdict("GN-1") == verdict


def test_tokens_need_zones() -> None:
    """GN-1: and so does a Token, when the chain that made it is over."""
    duel = Battle()
    goat = duel.set_card(1, duel.pool_named("Scapegoat"))
    duel.to_battle_step()
    duel.passes(0)
    duel.activate(1, goat)
    sheep = duel.pool_named("Sheep Token")
    places = [Place(1, "monster-zone", index, "face-up-defense") for index in (0, 1, 2, 2)]
    duel.resolve([TokenCreated(10 + n, sheep, 1, place, 0, 0) for n, place in enumerate(places)])
    assert duel.verdict("GN-1") == broken("GN-1")


def test_extra_monster_zones_are_shared() -> None:
    """GN-1: the two players' monsters cannot both be in one of the Extra Monster Zones."""
    duel = Battle()
    for owner in (0, 1):
        duel.cards.append(
            BoardCard(
                id=owner + 1,
                passcode=duel.pool_named("Stardust Dragon"),
                owner=1 if owner else 0,
                zone="extra-monster-zone",
                index=owner,
                position="face-up-attack",
            )
        )
    duel.to_battle_step()
    moved = Place(1, "extra-monster-zone", 0, "face-up-attack")
    duel.add(Moved(2, Place(1, "extra-monster-zone", 1, "face-up-attack"), moved, "special-summoned"))
    assert duel.verdict("GN-1") == broken("GN-1")


@pytest.mark.parametrize(
    "to, verdict",
    [
        (Place(0, "graveyard"), CONFORMS),
        (Place(1, "graveyard"), broken("GN-2")),
        (Place(0, "extra-deck"), broken("GN-2")),
        (None, broken("GN-2")),
    ],
)
def test_places(to: Place | None, verdict: tuple[set[str], bool]) -> None:
    """GN-2: a card goes to its owner's Graveyard, not to the other player's, nor to the Extra Deck, and does not vanish."""
    duel = Battle()
    monster = duel.real(0)
    duel.to_battle_step()
    duel.add(Moved(monster, duel.place(monster), to, "sent-by-effect"))
    assert duel.verdict("GN-2") == verdict


def test_a_card_is_not_sent_where_it_lies() -> None:
    """GN-2: a card in the Graveyard is sent there no second time."""
    duel = Battle()
    monster = duel.real(0)
    duel.to_battle_step()
    for _ in range(2):
        duel.move(monster, "graveyard", "destroyed-by-effect")
    assert duel.verdict("GN-2") == broken("GN-2")


@pytest.mark.parametrize("zone, verdict", [("extra-deck", CONFORMS), ("hand", broken("GN-2")), ("deck", broken("GN-2"))])
def test_extra_deck_monsters(zone: Zone, verdict: tuple[set[str], bool]) -> None:
    """GN-2: a Synchro Monster returns to the Extra Deck."""
    duel = Battle()
    monster = duel.real(0, "Stardust Dragon")
    duel.to_battle_step()
    duel.move(monster, zone, "returned-by-effect")
    assert duel.verdict("GN-2") == verdict


def test_a_card_moves_from_where_it_is() -> None:
    """GN-2: a card that was returned to the hand cannot be destroyed on the field after that."""
    duel = Battle()
    monster = duel.real(0)
    duel.to_battle_step()
    here = duel.place(monster)
    duel.add(Moved(monster, here, Place(0, "hand"), "returned-by-effect"))
    duel.add(Moved(monster, here, Place(0, "graveyard"), "destroyed-by-effect"))
    assert duel.verdict("GN-2") == broken("GN-2")


def test_control_changes_from_where_it_is() -> None:
    """GN-2: nor can the other player take control of it there."""
    duel = Battle()
    monster = duel.real(0)
    duel.to_battle_step()
    there = Place(0, "monster-zone", 3, "face-up-attack")
    duel.add(ControlChanged(monster, there, Place(1, "monster-zone", 0, "face-up-attack")))
    assert duel.verdict("GN-2") == broken("GN-2")


def test_tokens_vanish() -> None:
    """GN-2: a Token that leaves the field is gone, and goes to no Graveyard."""
    duel = Battle()
    token = duel.real(1, "Sheep Token", position="face-up-defense")
    duel.to_battle_step()
    duel.add(Moved(token, duel.place(token), None, "destroyed-by-effect"))
    assert duel.verdict("GN-2") == CONFORMS
    other = Battle()
    token = other.real(1, "Sheep Token", position="face-up-defense")
    other.to_battle_step()
    other.move(token, "graveyard", "destroyed-by-effect")
    assert other.verdict("GN-2") == broken("GN-2")


def test_a_token_that_is_gone_does_not_move() -> None:
    """GN-2: nor does it come back."""
    duel = Battle()
    token = duel.real(1, "Sheep Token", position="face-up-defense")
    duel.to_battle_step()
    here = duel.place(token)
    duel.add(Moved(token, here, None, "destroyed-by-effect"), Moved(token, here, None, "destroyed-by-effect"))
    assert duel.verdict("GN-2") == broken("GN-2")


def test_places_in_the_hand_do_not_matter() -> None:
    """GN-2: off the field a card may be told to lie anywhere in the pile."""
    duel = Battle()
    card = duel.place_card(0, "Celtic Guardian", "hand", "face-down")
    duel.to_battle_step()
    duel.add(Moved(card, Place(0, "hand", 7, "face-down"), Place(0, "graveyard"), "discarded"))
    assert duel.verdict("GN-2") == CONFORMS


def test_a_taken_monster_returns_to_its_owner() -> None:
    """GN-2: under the other player's control, it still goes to its owner's Graveyard."""
    duel = Battle()
    monster = duel.real(0)
    duel.to_battle_step()
    there = Place(1, "monster-zone", 0, "face-up-attack")
    duel.add(ControlChanged(monster, duel.place(monster), there))
    duel.add(Moved(monster, there, Place(0, "graveyard"), "destroyed-by-effect"))
    assert duel.verdict("GN-2") == CONFORMS


def test_zones_of_taken_monsters() -> None:
    """GN-1: a monster that changes sides needs a zone there."""
    duel = Battle()
    monster, _ = duel.real(0), duel.real(1)
    duel.to_battle_step()
    duel.add(ControlChanged(monster, duel.place(monster), Place(1, "monster-zone", 0, "face-up-attack")))
    assert duel.verdict("GN-1") == broken("GN-1")


def test_a_zone_that_is_left_at_once() -> None:
    """GN-1: zones are looked at when things have settled: two monsters may change places."""
    duel = Battle()
    first, second = duel.real(0), duel.real(0)
    duel.to_battle_step()
    places = [Place(0, "monster-zone", index, "face-up-attack") for index in (0, 1)]
    duel.add(Moved(first, places[0], places[1], "special-summoned"), Moved(second, places[1], places[0], "special-summoned"))
    assert duel.verdict("GN-1") == CONFORMS


def test_an_end_without_a_loser() -> None:
    """GN-5: with Life Points on both sides nobody has lost them."""
    duel = Battle()
    duel.to_battle_step()
    duel.add(DuelEnded(0, "life-points"))
    assert duel.verdict("GN-5") == broken("GN-5")


def test_equips_of_other_monsters_stay() -> None:
    """GN-3: an Equip Spell stays while its own monster is there, and a Trap bound to a monster is no Equip Spell."""
    duel = Battle()
    monster, other = duel.real(0), duel.real(0)
    for name, to in (("Fairy Meteor Crush", other), ("Fiendish Chain", monster)):
        card = duel.place_card(0, name)
        passcode, index = duel.cards[-1].passcode, duel.cards[-1].index
        duel.cards[-1] = BoardCard(
            id=card, passcode=passcode, owner=0, zone="spell-trap-zone", index=index, position="face-up", equipped_to=to
        )
    duel.to_battle_step()
    duel.move(monster, "graveyard", "destroyed-by-effect")
    duel.begin("end-step")
    judgement = duel.judge("GN-3")
    assert (judgement.violations, judgement.at_stake) == ((), {"GN-3": 0})


def equipped(*, by: str, sent: bool) -> Battle:
    """Book of Moon or Compulsory Evacuation Device on a monster with Fairy Meteor Crush."""
    duel = Battle()
    monster = duel.real(0)
    equip = duel.place_card(0, "Fairy Meteor Crush")
    duel.cards[-1] = BoardCard(
        id=equip, passcode=duel.cards[-1].passcode, owner=0, zone="spell-trap-zone", position="face-up", equipped_to=monster
    )
    trap = duel.set_card(1, duel.pool_named(by))
    duel.to_battle_step()
    duel.passes(0)
    duel.activate(1, trap, targets=(monster,))
    here = duel.place(monster)
    turned = PositionChanged(monster, "face-up-attack", "face-down-defense", "effect")
    returned = Moved(monster, here, Place(0, "hand"), "returned-by-effect")
    gone = Moved(equip, duel.place(equip), Place(0, "graveyard"), "destroyed-by-rule")
    duel.passes(0, 1)
    duel.add(LinkResolving(1), turned if by == "Book of Moon" else returned, *((gone,) if sent else ()), LinkResolved(1))
    duel.links = []
    duel.begin("end-step")
    return duel


@pytest.mark.parametrize("by", ["Book of Moon", "Compulsory Evacuation Device"])
def test_equip_spells(by: str) -> None:
    """GN-3: an Equip Spell goes when its monster leaves or is turned face-down."""
    kept, broke = equipped(by=by, sent=True).judge("GN-3"), equipped(by=by, sent=False).judge("GN-3")
    assert (kept.violations, kept.at_stake) == ((), {"GN-3": 1})
    assert [violation.rule for violation in broke.violations] == ["GN-3"]


@pytest.mark.parametrize(
    "winner, reason, wrong",
    [
        (0, "life-points", False),
        (1, "life-points", True),
        (None, "life-points", True),
        (0, "deck-out", True),
        (1, "deck-out", False),
        (None, "deck-out", True),
    ],
)
def test_end_of_the_duel(winner: Player | None, reason: EndReason, wrong: bool) -> None:
    """GN-5: Player B has lost the last Life Points, or Player A must draw from an empty Deck."""
    duel = Battle()
    duel.place_card(1, "Celtic Guardian", "deck", "face-down")
    duel.to_battle_step()
    if reason == "life-points":
        duel.add(LpChanged(1, -8000, 0, "effect-damage"))
    duel.add(DuelEnded(winner, reason))
    assert duel.verdict("GN-5") == ({"GN-5"} if wrong else set(), True)


def test_draw() -> None:
    """GN-5: with both at 0 Life Points nobody wins."""
    duel = Battle()
    duel.to_battle_step()
    duel.add(LpChanged(1, -8000, 0, "effect-damage"), LpChanged(0, -8000, 0, "effect-damage"), DuelEnded(0, "life-points"))
    assert duel.verdict("GN-5") == broken("GN-5")
    duel.events[-1] = DuelEnded(None, "life-points")
    assert duel.verdict("GN-5") == CONFORMS
