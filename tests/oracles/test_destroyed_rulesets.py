"""DC, BD and EC where the rulesets differ: a trace that is right in one is wrong in another, or left open where documents are."""

from __future__ import annotations

import pytest

from engine_protocol.decisions import Option
from engine_protocol.events import (
    AttackEnded,
    AttackTargetChosen,
    ChainEnded,
    DamageCalculated,
    DestructionReplaced,
    DeterminedDestroyed,
    LinkResolved,
    LinkResolving,
    LpChanged,
    Moved,
    Place,
    TimingBegan,
)
from tests.oracles.chained import Chained
from tests.oracles.rulesets import Word, chained, word
from tests.oracles.traces import PASS


def fought(ruleset: str, attacker: str, target: str, values: tuple[int, int]) -> tuple[Chained, int, int]:
    """A battle in Attack Position, told up to damage calculation, with these ATK."""
    duel = chained(ruleset)
    mine, theirs = duel.real(0, attacker, atk=values[0]), duel.real(1, target, atk=values[1])
    duel.up_to_calculation(mine, theirs)
    return duel, mine, theirs


# DC


@pytest.mark.parametrize(
    "ruleset, both, neither",
    [
        ("ocg-2023", "broken", "kept"),
        ("duel-arena", "kept", "broken"),
        ("master-rule-3", "kept", "kept"),
        ("expert-2007", "kept", "kept"),
    ],
)
def test_two_monsters_with_0_atk(ruleset: str, both: Word, neither: Word) -> None:
    """DC-1: by battle-phase-flow they destroy nothing, by duel-arena-wiki both go, and no other document has it."""
    for destroyed, expected in ((True, both), (False, neither)):
        duel, mine, theirs = fought(ruleset, "Celtic Guardian", "Celtic Guardian", (0, 0))
        duel.calculate(theirs, (0, 0), (0, 0), (mine, theirs) if destroyed else ())
        duel.through("after-calculation")
        duel.begin("damage-end")
        assert word(duel, "DC-1") == expected


@pytest.mark.parametrize(
    "ruleset, expected",
    [("ocg-2023", "broken"), ("master-rule-2", "broken"), ("master-rule-3", "broken"), ("expert-2007", "silent")],
)
def test_damage_before_destruction(ruleset: str, expected: Word) -> None:
    """DC-7: battle-phase-flow and damage-step-wiki-before give the order, expert-2007 does not."""
    duel, mine, theirs = fought(ruleset, "Celtic Guardian", "Celtic Guardian", (2000, 1400))
    duel.add(DamageCalculated(mine, theirs, 2000, 1400, (0, 600)), DeterminedDestroyed(theirs))
    duel.add(LpChanged(1, -600, 7400, "battle-damage"))
    assert word(duel, "DC-7") == expected


@pytest.mark.parametrize("ruleset, expected", [("ocg-2023", "broken"), ("master-rule-2", "kept"), ("expert-2007", "kept")])
def test_a_monster_spared_with_its_player(ruleset: str, expected: Word) -> None:
    """DC-1: formerly a monster that took no battle damage was not destroyed, so Spell Striker's effect may protect it."""
    duel, _, theirs = fought(ruleset, "Celtic Guardian", "Spell Striker", (2000, 600))
    duel.calculate(theirs, (2000, 600), (0, 0))
    duel.through("after-calculation")
    duel.begin("damage-end")
    assert word(duel, "DC-1") == expected


# BD-1


@pytest.mark.parametrize("ruleset, offered", [("ocg-2023", "silent"), ("expert-2007", "broken"), ("master-rule-2", "kept")])
def test_what_a_negating_destroyer_leaves(ruleset: str, offered: Word) -> None:
    """BD-1: by expert-2007 Yomi Ship, destroyed by a Fiend beside Dark Ruler Ha Des, activates nothing at all."""
    duel = chained(ruleset)
    mine, theirs = duel.real(0, "Archfiend Soldier"), duel.real(1, "Yomi Ship")
    duel.real(0, "Dark Ruler Ha Des")
    duel.up_to_calculation(mine, theirs)
    duel.calculate(theirs, (1900, 800), (0, 1100), (theirs,))
    duel.through("after-calculation")
    duel.begin("damage-end")
    duel.send_destroyed((theirs,))
    duel.decide(1, "trigger", [Option("activate", theirs, 1)])
    assert word(duel, "BD-1") == offered


# BD-3


@pytest.mark.parametrize("ruleset, offered", [("ocg-2023", "broken"), ("expert-2007", "silent"), ("master-rule-3", "silent")])
def test_quick_effects_of_the_destroyed(ruleset: str, offered: Word) -> None:
    """BD-3: battle-phase-flow forbids them, expert-2007 allows them, the others do not say."""
    duel = chained(ruleset)
    mine, theirs = duel.real(0, "D.D. Warrior", atk=4000), duel.real(1, "Blue-Eyes Shining Dragon")
    duel.up_to_calculation(mine, theirs)
    duel.calculate(theirs, (4000, 3000), (0, 1000), (theirs,))
    duel.begin("after-calculation")
    duel.trigger(0, mine)
    duel.decide(1, "response", [PASS, Option("activate", theirs, 2)])
    assert word(duel, "BD-3") == offered


# BD-5


@pytest.mark.parametrize(
    "ruleset, expected",
    [("ocg-2023", "broken"), ("master-rule-3", "broken"), ("master-rule-2", "silent"), ("expert-2007", "silent")],
)
def test_targeting_the_destroyed(ruleset: str, expected: Word) -> None:
    """BD-5: the two later documents forbid it, the others do not speak of it."""
    duel = chained(ruleset)
    mine, bug = duel.real(0, "Gemini Elf"), duel.real(1, "Man-Eater Bug", position="face-down-defense")
    duel.to_damage_step(mine, bug)
    duel.through("damage-start")
    duel.begin("before-calculation")
    duel.add(duel.turn(bug, "face-up-defense", "battle"))
    duel.both_pass()
    duel.through("during-calculation")
    duel.calculate(bug, (1900, 600), (0, 0), (bug,), target_uses_def=True)
    duel.begin("after-calculation")
    duel.trigger(1, bug, targets=(bug,))
    assert word(duel, "BD-5") == expected


# BD-8


@pytest.mark.parametrize(
    "ruleset, expected",
    [("ocg-2023", "silent"), ("duel-arena", "broken"), ("master-rule-2", "silent"), ("master-rule-3", "silent")],
)
def test_destroying_what_the_battle_destroyed(ruleset: str, expected: Word) -> None:
    """BD-8: duel-arena-wiki has effects leave it alone, battle-phase-flow lets them destroy it."""
    duel = chained(ruleset)
    dragon, target = duel.real(0, "Red Dragon Archfiend"), duel.real(1, "Gemini Elf", position="face-up-defense")
    duel.up_to_calculation(dragon, target)
    duel.calculate(target, (3000, 900), (0, 0), (target,), target_uses_def=True)
    duel.begin("after-calculation")
    duel.trigger(0, dragon)
    duel.resolve([duel.move(target, "graveyard", "destroyed-by-effect")])
    assert word(duel, "BD-8") == expected


# BD-9


def substituted(ruleset: str, *, at_the_end: bool) -> Chained:
    """Yaichi loses its battle and Kamon goes instead, when the ruleset of today has it or when those destroyed would be sent."""
    duel = chained(ruleset)
    mine, yaichi = duel.real(0, atk=2000), duel.real(1, "The Six Samurai - Yaichi", atk=1300)
    kamon = duel.real(1, "The Six Samurai - Kamon")
    duel.up_to_calculation(mine, yaichi)
    duel.calculate(yaichi, (2000, 1300), (0, 700), (yaichi,) if at_the_end else ())
    duel.begin("after-calculation")
    if at_the_end:
        duel.both_pass()
        duel.begin("damage-end")
    gone = Moved(kamon, duel.place(kamon), Place(1, "graveyard"), "destroyed-by-effect")
    duel.add(DestructionReplaced(yaichi, kamon), gone)
    duel.both_pass()
    return duel


@pytest.mark.parametrize(
    "ruleset, at_once, at_the_end",
    [
        ("ocg-2023", "kept", "broken"),
        ("master-rule-3", "broken", "kept"),
        ("master-rule-2", "broken", "kept"),
        ("expert-2007", "broken", "kept"),
        ("duel-arena", "broken", "kept"),
    ],
)
def test_when_a_substitute_goes(ruleset: str, at_once: Word, at_the_end: Word) -> None:
    """BD-9: by expert-2007 and damage-step-wiki-before at the end of the Damage Step, by battle-phase-flow long before."""
    assert word(substituted(ruleset, at_the_end=False), "BD-9") == at_once
    assert word(substituted(ruleset, at_the_end=True), "BD-9") == at_the_end


@pytest.mark.parametrize("ruleset, expected", [("ocg-2023", "silent"), ("expert-2007", "broken"), ("master-rule-2", "broken")])
def test_when_a_substitute_is_asked_for(ruleset: str, expected: Word) -> None:
    """BD-9: older documents do not even ask during damage calculation."""
    duel = chained(ruleset)
    mine, yaichi = duel.real(0, atk=2000), duel.real(1, "The Six Samurai - Yaichi", atk=1300)
    kamon = duel.real(1, "The Six Samurai - Kamon")
    duel.up_to_calculation(mine, yaichi)
    duel.add(DamageCalculated(mine, yaichi, 2000, 1300, (0, 700)))
    duel.decide(1, "substitute", [Option("no"), Option("card", kamon)], source=yaichi)
    assert word(duel, "BD-9") == expected


@pytest.mark.parametrize("ruleset", ["expert-2007", "master-rule-2"])
def test_who_was_replaced_at_the_end_stays(ruleset: str) -> None:
    """DS-10, BD-9 and DC-1: Yaichi, determined destroyed and then replaced, is neither sent nor missing among the destroyed."""
    duel = substituted(ruleset, at_the_end=True)
    duel.end_attack("battled")
    assert [word(duel, rule) for rule in ("DS-10", "BD-9", "DC-1")] == ["kept", "kept", "kept"]


# BD-10


def both_destroyed(ruleset: str, name: str) -> tuple[Chained, int, int]:
    """The monster and its target destroyed each other; the end of the Damage Step has begun and they are sent."""
    duel, mine, theirs = fought(ruleset, name, "Celtic Guardian", (1500, 1500))
    duel.calculate(theirs, (1500, 1500), (0, 0), (mine, theirs))
    duel.through("after-calculation")
    duel.begin("damage-end")
    duel.send_destroyed((mine, theirs))
    return duel, mine, theirs


@pytest.mark.parametrize(
    "ruleset, name, used, unused",
    [
        ("ocg-2023", "Masked Chopper", "silent", "silent"),
        ("expert-2007", "Masked Chopper", "kept", "broken"),
        ("master-rule-2", "Helping Robo for Combat", "kept", "broken"),
        ("expert-2007", "Elemental HERO Nova Master", "silent", "silent"),
        ("ocg-2023", "Elemental HERO Nova Master", "broken", "kept"),
        ("expert-2007", "Blackwing - Shura the Blue Flame", "broken", "kept"),
    ],
)
def test_destroying_and_destroyed(ruleset: str, name: str, used: Word, unused: Word) -> None:
    """BD-10: expert-2007 names cards that activate all the same; of those that must also send the other it says they do not.

    What battle-phase-flow says of all such effects leaves open whether these cards have become ordinary ones.
    """
    duel, mine, _ = both_destroyed(ruleset, name)
    duel.trigger(0, mine)
    duel.resolve([])
    duel.both_pass()
    duel.end_attack("battled")
    assert word(duel, "BD-10") == used
    duel, _, _ = both_destroyed(ruleset, name)
    duel.both_pass()
    duel.end_attack("battled")
    assert word(duel, "BD-10") == unused


# EC-2

ATTACKER, TARGET, ARMOR, TRAIN = 1, 2, 3, 4


def inner_battle(ruleset: str, *, at_once: bool) -> Chained:
    """Construction Train Signal Red battles inside its effect, chained to Sakuretsu Armor; then damage calculation is over either
    before Sakuretsu Armor resolves or when its chain has ended.
    """
    duel = chained(ruleset)
    duel.real(0, atk=2000)
    duel.real(1, atk=500)
    duel.place_card(1, "Sakuretsu Armor", position="face-down")
    duel.place_card(1, "Construction Train Signal Red", "hand", "face-down")
    duel.declare(ATTACKER, TARGET)
    duel.passes(0)
    duel.activate(1, ARMOR, targets=(ATTACKER,))
    duel.passes(0)
    duel.activate(1, TRAIN)
    duel.passes(0, 1)
    duel.add(LinkResolving(2), duel.summon(TRAIN, "hand", 1), AttackTargetChosen(ATTACKER, TRAIN))
    duel.add(TimingBegan("damage-start"), TimingBegan("before-calculation"), TimingBegan("during-calculation"))
    duel.add(DamageCalculated(ATTACKER, TRAIN, 2000, 1000, (0, 1000)), LpChanged(1, -1000, 7000, "battle-damage"))
    duel.add(LinkResolved(2))
    if at_once:
        duel.add(TimingBegan("after-calculation"))
    duel.add(AttackEnded(ATTACKER, "battled"), LinkResolving(1), LinkResolved(1, "no-effect"), ChainEnded())
    if not at_once:
        duel.add(TimingBegan("after-calculation"))
    return duel


@pytest.mark.parametrize(
    "ruleset, at_once, after_the_chain",
    [("ocg-2023", "kept", "broken"), ("expert-2007", "broken", "kept"), ("master-rule-3", "broken", "kept")],
)
def test_when_an_inner_battle_closes(ruleset: str, at_once: Word, after_the_chain: Word) -> None:
    """EC-2: battle-phase-flow goes on at once, expert-2007 after the whole chain."""
    assert word(inner_battle(ruleset, at_once=True), "EC-2") == at_once
    assert word(inner_battle(ruleset, at_once=False), "EC-2") == after_the_chain
