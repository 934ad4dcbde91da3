"""BD: monsters determined destroyed in traces that keep the rules, and in ones that break one of them."""

from __future__ import annotations

import pytest

from engine_protocol.cards import CardFacts, CardPool, Cost, EffectFacts, Filter, card_pool
from engine_protocol.decisions import Option
from engine_protocol.events import (
    ControlChanged,
    DestructionReplaced,
    DeterminedDestroyed,
    Event,
    Moved,
    Place,
    PositionChanged,
)
from engine_protocol.vocabulary import MoveReason, Outcome, Player, Zone
from tests.oracles.battles import Battle
from tests.oracles.traces import PASS

CONFORMS = (set[str](), True)
FRONT = Place(1, "monster-zone", 0, "face-up-attack")
BACK = Place(0, "monster-zone", 0, "face-up-attack")
DEFENSE = Place(1, "monster-zone", 0, "face-up-defense")


def broken(rule: str) -> tuple[set[str], bool]:
    """The verdict when exactly this rule is violated, and was at stake."""
    return {rule}, True


def gone(card: int, origin: Place, zone: Zone, reason: MoveReason) -> Moved:
    """The event of a card that goes to its owner's zone."""
    return Moved(card, origin, Place(origin.player, zone), reason)


# BD-1


def killed_by_a_fiend(duel: Battle, outcome: Outcome) -> Battle:
    """Archfiend Soldier, beside Dark Ruler Ha Des, destroys Yomi Ship by battle, whose effect activates in the GY."""
    attacker = duel.real(0, "Archfiend Soldier")
    duel.real(0, "Dark Ruler Ha Des")
    target = duel.real(1, "Yomi Ship")
    duel.fight(attacker, target, (1900, 800), (0, 1100), (target,), upto="after-calculation")
    duel.both_pass()
    duel.begin("damage-end")
    duel.send_destroyed((target,))
    duel.activate(1, target, trigger=True, place=Place(1, "graveyard"))
    destroyed = [gone(attacker, BACK, "graveyard", "destroyed-by-effect")] if outcome == "resolved" else []
    duel.resolve(destroyed, outcome=outcome)
    return duel


@pytest.mark.parametrize("outcome, verdict", [("effect-negated", CONFORMS), ("resolved", broken("BD-1"))])
def test_what_is_destroyed_is_negated(outcome: Outcome, verdict: tuple[set[str], bool]) -> None:
    """BD-1: Dark Ruler Ha Des negates the effects of what its controller's Fiends destroy by battle, also in the GY."""
    assert killed_by_a_fiend(Battle(), outcome).verdict("BD-1") == verdict


@pytest.mark.parametrize("outcome, verdict", [("resolved", CONFORMS), ("effect-negated", broken("BD-1"))])
def test_no_negation_by_what_is_destroyed_too(outcome: Outcome, verdict: tuple[set[str], bool]) -> None:
    """BD-1: determined destroyed itself, Dark Ruler Ha Des negates nothing, where a document says so."""
    duel = Battle()
    duel.ruleset = "expert-2007"
    attacker, target = duel.real(0, "Dark Ruler Ha Des", atk=800), duel.real(1, "Yomi Ship")
    duel.fight(attacker, target, (800, 800), (0, 0), (attacker, target), upto="after-calculation")
    duel.both_pass()
    duel.begin("damage-end")
    duel.send_destroyed((attacker, target))
    duel.activate(1, target, trigger=True, place=Place(1, "graveyard"))
    duel.resolve(outcome=outcome)
    assert duel.verdict("BD-1") == verdict


@pytest.mark.parametrize("owner", [0, 1])
@pytest.mark.parametrize("outcome, broken", [("resolved", set()), ("effect-negated", {"BD-1"})])
def test_other_monsters_are_not_negated(owner: Player, outcome: Outcome, broken: set[str]) -> None:
    """BD-1: what a monster of another Type, or of the other side, destroys is not negated."""
    duel = Battle()
    attacker, target = duel.real(0, "Gemini Elf"), duel.real(1, "Yomi Ship")
    duel.real(owner, "Dark Ruler Ha Des")
    duel.fight(attacker, target, (1900, 800), (0, 1100), (target,), upto="after-calculation")
    duel.both_pass()
    duel.begin("damage-end")
    duel.send_destroyed((target,))
    duel.activate(1, target, trigger=True, place=Place(1, "graveyard"))
    duel.resolve(outcome=outcome)
    assert duel.verdict("BD-1") == (broken, True)


# BD-2


def ptera(*doings: Event) -> Battle:
    """A monster with 2000 ATK destroys Jurrac Ptera (1500 DEF), whose effect resolves after damage calculation."""
    duel = Battle()
    attacker, target = duel.real(0, atk=2000), duel.real(1, "Jurrac Ptera", position="face-up-defense")
    duel.fight(attacker, target, (2000, 1500), (0, 0), (target,), upto="after-calculation", target_uses_def=True)
    duel.activate(1, target, trigger=True)
    duel.resolve([gone(attacker, BACK, "hand", "returned-by-effect"), *doings])
    return duel


def test_no_change_of_def() -> None:
    """BD-2: Jurrac Ptera, determined destroyed, returns the attacker but gains no DEF."""
    assert ptera().verdict("BD-2") == CONFORMS
    duel = Battle()
    assert ptera(duel.stat(2, 800, 1900)).verdict("BD-2") == broken("BD-2")


def test_no_change_of_position() -> None:
    """BD-2: nor is it turned face-down."""
    turned = PositionChanged(2, "face-up-defense", "face-down-defense", "effect")
    assert ptera(turned).verdict("BD-2") == broken("BD-2")


# BD-3


def answered(name: str, *, offered: bool) -> Battle:
    """D.D. Warrior destroys the monster and its effect is activated after damage calculation; may that monster respond?"""
    duel = Battle()
    attacker, target = duel.real(0, "D.D. Warrior", atk=4000), duel.real(1, name)
    atk = duel.pool[duel.pool_named(name)].atk
    assert atk is not None
    duel.fight(attacker, target, (4000, atk), (0, 4000 - atk), (target,), upto="after-calculation")
    duel.activate(0, attacker, trigger=True)
    duel.decide(1, "response", (PASS, Option("activate", target, 1)) if offered else (PASS,))
    return duel


@pytest.mark.parametrize("offered, verdict", [(False, CONFORMS), (True, broken("BD-3"))])
def test_no_optional_quick_effects(offered: bool, verdict: tuple[set[str], bool]) -> None:
    """BD-3: Crystal Wing Synchro Dragon, determined destroyed, cannot negate."""
    assert answered("Crystal Wing Synchro Dragon", offered=offered).verdict("BD-3") == verdict


def test_mandatory_quick_effects() -> None:
    """BD-3: Doomcaliber Knight's mandatory effect is activated all the same."""
    duel = answered("Doomcaliber Knight", offered=True)
    assert duel.broken_rules() == set()


# BD-4

TRIBUTER = CardFacts(
    passcode=1,
    name="A Trap that Tributes",
    type="trap",
    property="counter",
    effects=(
        EffectFacts(
            number=1,
            kind="activation",
            speed=3,
            zones=("spell-trap-zone",),
            condition="activation",
            cost=(Cost("tribute", filter=Filter(side="you")),),
            categories=frozenset({"negates-activation"}),
        ),
    ),
)


def paying(*, offers_doomed: bool) -> tuple[Battle, int, int]:
    """Player B, with one monster determined destroyed and another one, is asked for a Tribute."""
    duel = Battle()
    duel.pool = CardPool([*card_pool().values(), TRIBUTER])
    attacker, target, other = duel.real(0, "Airknight Parshath"), duel.real(1, atk=1500), duel.real(1, atk=1000)
    trap = duel.set_card(1, TRIBUTER.passcode)
    duel.fight(attacker, target, (1900, 1500), (0, 400), (target,), upto="after-calculation")
    duel.activate(0, attacker, 2, trigger=True)
    duel.decide(1, "response", (PASS, Option("activate", trap, 1)), 1)
    options = [Option("card", card) for card in ((target, other) if offers_doomed else (other,))]
    duel.decide(1, "cost", options, len(options) - 1, trap)
    return duel, trap, target


@pytest.mark.parametrize("offers_doomed, verdict", [(False, CONFORMS), (True, broken("BD-4"))])
def test_no_cost(offers_doomed: bool, verdict: tuple[set[str], bool]) -> None:
    """BD-4: a monster determined destroyed is not offered as a Tribute."""
    duel, *_ = paying(offers_doomed=offers_doomed)
    assert duel.verdict("BD-4") == verdict


def test_no_payment() -> None:
    """BD-4: nor is it Tributed."""
    duel, trap, target = paying(offers_doomed=False)
    duel.add(gone(target, FRONT, "graveyard", "tributed"))
    duel.link(1, trap)
    assert duel.broken_rules() == {"BD-4"}


def test_mandatory_effects_may_tribute_it() -> None:
    """BD-4: Doomcaliber Knight, determined destroyed, still Tributes itself for its mandatory effect."""
    duel = answered("Doomcaliber Knight", offered=True)
    duel.events.pop()
    duel.decide(1, "response", (Option("activate", 2, 1),))
    duel.add(gone(2, FRONT, "graveyard", "tributed"))
    duel.link(1, 2)
    assert duel.verdict("BD-4")[1]
    assert duel.broken_rules() == set()


def test_no_substitute() -> None:
    """BD-4: it does not go in place of another card."""
    duel = Battle()
    attacker, target, other = duel.real(0, atk=2000), duel.real(1, atk=1500), duel.real(1, atk=1000)
    duel.fight(attacker, target, (2000, 1500), (0, 500), (target,), upto="after-calculation")
    duel.add(DestructionReplaced(other, target))
    assert duel.verdict("BD-4") == broken("BD-4")


# BD-5


def bug(*targets: int, chosen: int) -> Battle:
    """A monster with 2000 ATK destroys Man-Eater Bug, which then targets."""
    duel = Battle()
    attacker, target = duel.real(0, atk=2000), duel.real(1, "Man-Eater Bug", position="face-down-defense")
    duel.declare(attacker, target)
    duel.to_after_declaration()
    duel.both_pass()
    duel.begin("damage-start")
    duel.both_pass()
    duel.begin("before-calculation")
    duel.add(PositionChanged(target, "face-down-defense", "face-up-defense", "battle"))
    duel.both_pass()
    duel.begin("during-calculation")
    duel.both_pass()
    duel.calculate(target, (2000, 600), (0, 0), (target,), True)
    duel.begin("after-calculation")
    duel.decide(1, "trigger", (Option("activate", target, 1),))
    duel.decide(1, "target", [Option("card", card) for card in targets], 0, target)
    duel.activate(1, target, targets=(chosen,), trigger=True, place=DEFENSE)
    return duel


def test_no_target() -> None:
    """BD-5: Man-Eater Bug, determined destroyed, can target the attacker but not itself."""
    assert bug(1, chosen=1).verdict("BD-5") == CONFORMS
    assert bug(1, 2, chosen=1).verdict("BD-5") == broken("BD-5")
    assert bug(1, chosen=2).verdict("BD-5") == broken("BD-5")


# BD-6


def wall(*doings: Event) -> Battle:
    """Wall of Illusion and its attacker, both with 1000 ATK, destroy each other; then the Wall's effect resolves."""
    duel = Battle()
    attacker, target = duel.real(0, atk=1000), duel.real(1, "Wall of Illusion")
    duel.fight(attacker, target, (1000, 1000), (0, 0), (attacker, target), upto="after-calculation")
    duel.activate(1, target, trigger=True)
    duel.resolve(doings)
    return duel


def test_no_return() -> None:
    """BD-6: Wall of Illusion does not return a monster that is determined destroyed."""
    assert wall().verdict("BD-6") == CONFORMS
    assert wall(gone(1, BACK, "hand", "returned-by-effect")).verdict("BD-6") == broken("BD-6")


def test_no_change_of_control() -> None:
    """BD-6: nor does such a monster change sides."""
    duel = wall(ControlChanged(1, BACK, Place(1, "monster-zone", 1, "face-up-attack")))
    assert duel.verdict("BD-6") == broken("BD-6")


# BD-8


def removed(victim: str, destroyer: str, value: int, reason: MoveReason) -> Battle:
    """The destroyer (2600 ATK) battles the victim; an effect that battle damage triggers removes the victim after that."""
    duel = Battle()
    attacker, target = duel.real(0, destroyer, atk=2600), duel.real(1, victim)
    remover = duel.real(0, "Airknight Parshath")
    duel.fight(attacker, target, (2600, value), (0, 2600 - value), (target,), upto="after-calculation")
    duel.activate(0, remover, 2, trigger=True)
    duel.resolve([gone(target, FRONT, "graveyard", reason)])
    duel.begin("damage-end")
    return duel


def test_removed_before_the_end() -> None:
    """BD-8: a Newdoria that an effect destroyed after damage calculation was not destroyed by battle."""
    duel = removed("Newdoria", "Celtic Guardian", 1200, "destroyed-by-effect")
    duel.both_pass()
    assert duel.judge("BD-8").at_stake == {"BD-8": 1}
    assert duel.judge("BD-8").violations == ()


def test_removed_but_used() -> None:
    """BD-8: so it does not activate."""
    duel = removed("Newdoria", "Celtic Guardian", 1200, "destroyed-by-effect")
    duel.activate(1, 2, trigger=True, targets=(1,), place=Place(1, "graveyard"))
    assert duel.broken_rules() == {"BD-8"}


def test_removed_but_counted() -> None:
    """BD-8: nor does what destroyed it count as having destroyed a monster by battle."""
    duel = removed("Celtic Guardian", "Elemental HERO Nova Master", 1400, "destroyed-by-effect")
    duel.activate(0, 1, trigger=True)
    assert duel.broken_rules() == {"BD-8"}


def test_an_effect_does_not_destroy_by_battle() -> None:
    """BD-8: a monster that a link removes is not said to be destroyed by battle."""
    duel = removed("Celtic Guardian", "Celtic Guardian", 1400, "destroyed-by-battle")
    assert duel.broken_rules() == {"BD-8"}


# BD-9


def replaced(*, destroyed: bool) -> Battle:
    """Something goes instead of the target; ``destroyed``: the target goes as well."""
    duel = Battle()
    attacker, target, other = duel.real(0, atk=2000), duel.real(1, atk=1500), duel.real(1, atk=1000)
    duel.up_to_calculation(attacker, target)
    duel.calculate(target, (2000, 1500), (0, 500))
    duel.begin("after-calculation")
    duel.add(DestructionReplaced(target, other))
    duel.add(Moved(other, Place(1, "monster-zone", 1, "face-up-attack"), Place(1, "graveyard"), "destroyed-by-effect"))
    if destroyed:
        duel.add(DeterminedDestroyed(target))
    duel.both_pass()
    return duel


@pytest.mark.parametrize("destroyed, verdict", [(False, CONFORMS), (True, broken("BD-9"))])
def test_substitute(destroyed: bool, verdict: tuple[set[str], bool]) -> None:
    """BD-9: with a substitute the monster is not destroyed by battle."""
    assert replaced(destroyed=destroyed).verdict("BD-9") == verdict


def test_substitute_at_the_end() -> None:
    """BD-9: what goes instead is decided during damage calculation, not when those destroyed leave."""
    duel = Battle()
    attacker, target, other = duel.real(0, atk=2000), duel.real(1, atk=1500), duel.real(1, atk=1000)
    duel.fight(attacker, target, (2000, 1500), (0, 500), (target,), upto="after-calculation")
    duel.both_pass()
    duel.begin("damage-end")
    duel.add(DestructionReplaced(target, other))
    duel.add(Moved(other, Place(1, "monster-zone", 1, "face-up-attack"), Place(1, "graveyard"), "destroyed-by-effect"))
    assert duel.verdict("BD-9") == broken("BD-9")


# BD-10


def mutual(name: str) -> Battle:
    """The monster and its target, with equal ATK, destroy each other and are in the GY."""
    duel = Battle()
    attacker, target = duel.real(0, name, atk=1500), duel.real(1, atk=1500)
    duel.fight(attacker, target, (1500, 1500), (0, 0), (attacker, target), upto="after-calculation")
    duel.both_pass()
    duel.begin("damage-end")
    duel.send_destroyed((attacker, target))
    return duel


def test_mutual_destruction() -> None:
    """BD-10: Elemental HERO Nova Master, destroyed too, does not draw."""
    duel = mutual("Elemental HERO Nova Master")
    duel.both_pass()
    assert duel.verdict("BD-10") == CONFORMS


def test_mutual_destruction_counted() -> None:
    """BD-10: its effect must not activate."""
    duel = mutual("Elemental HERO Nova Master")
    duel.activate(0, 1, trigger=True, place=Place(0, "graveyard"))
    assert duel.broken_rules() == {"BD-10"}


def banished_by_macro(zone: Zone) -> Battle:
    """Mystic Tomato is destroyed by battle while Macro Cosmos is face-up, and goes to this zone."""
    duel = Battle()
    attacker, target = duel.real(0, atk=2000), duel.real(1, "Mystic Tomato")
    duel.place_card(0, "Macro Cosmos")
    duel.fight(attacker, target, (2000, 1400), (0, 600), (target,), upto="after-calculation")
    duel.both_pass()
    duel.begin("damage-end")
    duel.add(gone(target, FRONT, zone, "destroyed-by-battle"))
    return duel


def test_not_sent_to_the_graveyard() -> None:
    """BD-10: Mystic Tomato, banished instead, does not activate."""
    duel = banished_by_macro("banished")
    assert duel.verdict("BD-10") == CONFORMS
    duel.activate(1, 2, kind="trigger", trigger=True, offered=[PASS], place=Place(1, "graveyard"))
    assert duel.broken_rules() == {"BD-10"}


# BD-11


def test_banishing_in_mutual_destruction() -> None:
    """BD-11: D.D. Crazy Beast banishes the monster after damage calculation though it is determined destroyed itself."""
    duel = Battle()
    attacker, target = duel.real(0, "D.D. Crazy Beast"), duel.real(1, atk=1400)
    duel.fight(attacker, target, (1400, 1400), (0, 0), (attacker, target), upto="after-calculation")
    duel.activate(0, attacker, trigger=True)
    duel.resolve([gone(target, FRONT, "banished", "banished-by-effect")])
    duel.begin("damage-end")
    duel.send_destroyed((attacker,))
    assert duel.verdict("BD-11") == CONFORMS


def test_no_banishing_in_mutual_destruction() -> None:
    """BD-11: the effect is mandatory, so the window must not close without it (DA-4 says so of all that name a timing)."""
    duel = Battle()
    attacker, target = duel.real(0, "D.D. Crazy Beast"), duel.real(1, atk=1400)
    duel.fight(attacker, target, (1400, 1400), (0, 0), (attacker, target))
    assert duel.broken_rules() >= {"BD-11"}


# BD-12


@pytest.mark.parametrize("zone, verdict", [("banished", CONFORMS), ("graveyard", broken("BD-12"))])
def test_redirected(zone: Zone, verdict: tuple[set[str], bool]) -> None:
    """BD-12: under Macro Cosmos a monster destroyed by battle is banished."""
    assert banished_by_macro(zone).verdict("BD-12") == verdict


# BD-13


def hammerhead(*, removed_before: bool) -> Battle:
    """Hyper Hammerhead loses its battle and activates at the end of the Damage Step."""
    duel = Battle()
    attacker, target = duel.real(0, atk=2000), duel.real(1, "Hyper Hammerhead")
    remover = duel.real(0, "Airknight Parshath")
    duel.fight(attacker, target, (2000, 1500), (0, 500), (target,), upto="after-calculation")
    if removed_before:
        duel.activate(0, remover, 2, trigger=True)
        duel.resolve([gone(target, FRONT, "graveyard", "destroyed-by-effect")])
    else:
        duel.both_pass()
    duel.begin("damage-end")
    if not removed_before:
        duel.send_destroyed((target,))
    duel.activate(1, target, trigger=True, place=Place(1, "graveyard"))
    return duel


def test_effects_of_the_end_of_the_damage_step() -> None:
    """BD-13: destroyed by battle, it activates from the GY; gone before, it does not."""
    assert hammerhead(removed_before=False).broken_rules() == set()
    assert hammerhead(removed_before=True).broken_rules() == {"BD-13"}
    assert hammerhead(removed_before=True).judge("BD-13").at_stake == {"BD-13": 1}
