"""DS and DA where the rulesets differ: a trace that is right in one is wrong in another, or left open where documents are."""

from __future__ import annotations

import pytest

from engine_protocol.decisions import Option
from engine_protocol.events import AttackDeclared, AttackerChosen, DamageCalculated, LpChanged, StatusChanged
from engine_protocol.vocabulary import DAMAGE_STEP_TIMINGS, Timing
from tests.oracles.chained import Chained
from tests.oracles.rulesets import Word, chained, word
from tests.oracles.traces import PASS

AFTER_CATASTOR: tuple[Timing, ...] = ("before-calculation", "during-calculation", "after-calculation", "damage-end")


# DS-6 and DS-13: a battle that breaks off


def broken_off(ruleset: str, *timings: Timing) -> Chained:
    """Ally of Justice Catastor destroys its target at the start of the Damage Step; then these timings, and the attack ends."""
    duel = chained(ruleset)
    attacker, target = duel.real(0, "Ally of Justice Catastor"), duel.real(1)
    duel.to_damage_step(attacker, target)
    duel.begin("damage-start")
    duel.trigger(0, attacker)
    duel.resolve([duel.move(target, "graveyard", "destroyed-by-effect")])
    duel.both_pass()
    duel.through(*timings)
    duel.end_attack("no-battle")
    return duel


@pytest.mark.parametrize(
    "ruleset, all_pass, none_passes",
    [
        ("ocg-2023", "kept", "broken"),
        ("master-rule-3", "broken", "kept"),
        ("master-rule-2", "broken", "kept"),
        ("expert-2007", "broken", "kept"),
        ("duel-arena", "broken", "kept"),
    ],
)
def test_what_remains_of_the_damage_step(ruleset: str, all_pass: Word, none_passes: Word) -> None:
    """DS-6: battle-phase-flow goes on to the end; by expert-2007 and damage-step-wiki the Damage Step ends there."""
    assert word(broken_off(ruleset, *AFTER_CATASTOR), "DS-6") == all_pass
    assert word(broken_off(ruleset), "DS-6") == none_passes


@pytest.mark.parametrize("ruleset, expected", [("ocg-2023", "broken"), ("master-rule-3", "silent")])
def test_timings_left_out_on_the_way_to_the_end(ruleset: str, expected: Word) -> None:
    """DS-13: only battle-phase-flow implies that each of them passes."""
    assert word(broken_off(ruleset, "damage-end"), "DS-13") == expected
    assert word(broken_off("ocg-2023", *AFTER_CATASTOR), "DS-13") == "kept"


@pytest.mark.parametrize(
    "ruleset, expected",
    [("ocg-2023", "broken"), ("master-rule-3", "silent"), ("master-rule-2", "silent"), ("expert-2007", "silent")],
)
def test_an_attacker_turned_to_defense(ruleset: str, expected: Word) -> None:
    """DS-6: of an attacker turned to Defense Position in the Damage Step only battle-phase-flow speaks."""
    duel = chained(ruleset)
    attacker, target = duel.real(0, "Gemini Elf"), duel.real(1)
    duel.to_damage_step(attacker, target)
    duel.begin("damage-start")
    duel.add(duel.turn(attacker, "face-up-defense"))
    duel.both_pass()
    duel.through("before-calculation", "during-calculation")
    duel.add(DamageCalculated(attacker, target, 1900, 1400, (0, 500)))
    assert word(duel, "DS-6") == expected


# DS-3


@pytest.mark.parametrize(
    "ruleset, expected", [("ocg-2023", "broken"), ("master-rule-3", "kept"), ("master-rule-2", "kept"), ("expert-2007", "kept")]
)
def test_flip_effects_of_the_gone(ruleset: str, expected: Word) -> None:
    """DS-3: that a flipped monster which has left activates nothing is of battle-phase-flow; that it waits is of all."""
    duel = chained(ruleset)
    attacker, bug = duel.real(0, "Gemini Elf"), duel.real(1, "Man-Eater Bug", position="face-down-defense")
    duel.to_damage_step(attacker, bug)
    duel.through("damage-start")
    duel.begin("before-calculation")
    duel.add(duel.turn(bug, "face-up-defense", "battle"))
    flipped = len(duel.events)
    duel.decide(1, "trigger", [Option("activate", bug, 1)])
    assert word(duel, "DS-3") == "broken"
    del duel.events[flipped:]
    duel.move(bug, "graveyard", "destroyed-by-effect")
    duel.begin("after-calculation")
    duel.decide(1, "trigger", [Option("activate", bug, 1)])
    assert word(duel, "DS-3") == expected


# DS-4


def thunder(ruleset: str, when: Timing, *, calculated: bool = True) -> Chained:
    """Thunder Nyan Nyan is flipped beside a DARK monster of its player and destroys itself at this timing."""
    duel = chained(ruleset)
    attacker, cat = duel.real(0), duel.real(1, "Thunder Nyan Nyan", def_=1400, position="face-down-defense")
    duel.to_damage_step(attacker, cat)
    for timing in DAMAGE_STEP_TIMINGS:
        duel.begin(timing)
        if timing == "before-calculation":
            duel.add(duel.turn(cat, "face-up-defense", "battle"))
        if timing == when and not (calculated and timing == "during-calculation"):
            break
        duel.both_pass()
        if timing == "during-calculation":
            duel.calculate(cat, (1400, 1400), target_uses_def=True)
            if timing == when:
                break
    duel.move(cat, "graveyard", "destroyed-by-effect")
    return duel


@pytest.mark.parametrize(
    "ruleset, before, within, after",
    [
        ("ocg-2023", "broken", "broken", "kept"),
        ("master-rule-2", "broken", "kept", "broken"),
        ("master-rule-3", "broken", "kept", "broken"),
        ("expert-2007", "silent", "silent", "silent"),
    ],
)
def test_when_a_flipped_monster_destroys_itself(ruleset: str, before: Word, within: Word, after: Word) -> None:
    """DS-4: damage-step-wiki-before has it as destruction is determined, battle-phase-flow later; expert-2007 marks it."""
    assert word(thunder(ruleset, "before-calculation"), "DS-4") == before
    assert word(thunder(ruleset, "during-calculation", calculated=False), "DS-4") == before
    assert word(thunder(ruleset, "during-calculation"), "DS-4") == within
    assert word(thunder(ruleset, "after-calculation"), "DS-4") == after


def test_self_destruction_when_the_battle_is_off() -> None:
    """DS-4: without its attacker there is no calculation to wait for; what then becomes of the monster no older document says."""
    duel = thunder("master-rule-3", "before-calculation")
    del duel.events[-1]
    duel.move(1, "graveyard", "destroyed-by-effect")
    duel.move(2, "graveyard", "destroyed-by-effect")
    assert word(duel, "DS-4") == "kept"


# DS-5


def airknight_and_penguin(ruleset: str) -> tuple[Chained, int, int]:
    """Airknight Parshath pierces Penguin Soldier: a Trigger of battle damage and one of the flip, after damage calculation."""
    duel = chained(ruleset)
    airknight, penguin = duel.real(0, "Airknight Parshath"), duel.real(1, "Penguin Soldier", position="face-down-defense")
    duel.place_card(0, "Celtic Guardian", "deck", "face-down")
    duel.to_damage_step(airknight, penguin)
    duel.through("damage-start")
    duel.begin("before-calculation")
    duel.add(duel.turn(penguin, "face-up-defense", "battle"))
    duel.both_pass()
    duel.through("during-calculation")
    duel.calculate(penguin, (1900, 500), (0, 1400), (penguin,), target_uses_def=True)
    duel.begin("after-calculation")
    return duel, airknight, penguin


@pytest.mark.parametrize(
    "ruleset, together, one_by_one, reversed_",
    [
        ("ocg-2023", "silent", "broken", "broken"),
        ("master-rule-3", "silent", "broken", "broken"),
        ("master-rule-2", "broken", "kept", "broken"),
        ("expert-2007", "broken", "kept", "broken"),
        ("duel-arena", "broken", "kept", "broken"),
    ],
)
def test_stages_of_a_timing(ruleset: str, together: Word, one_by_one: Word, reversed_: Word) -> None:
    """DS-5: older documents let battle damage trigger in one chain and the flip in the next, later ones have one chain."""
    duel, airknight, penguin = airknight_and_penguin(ruleset)
    duel.trigger(0, airknight, 2)
    duel.trigger(1, penguin, targets=(airknight,), optional=True)
    assert word(duel, "DS-5") == together

    duel, airknight, penguin = airknight_and_penguin(ruleset)
    duel.trigger(0, airknight, 2)
    duel.resolve([])
    duel.trigger(1, penguin, targets=(airknight,), optional=True)
    assert word(duel, "DS-5") == one_by_one

    duel, airknight, penguin = airknight_and_penguin(ruleset)
    duel.trigger(1, penguin, targets=(airknight,), optional=True)
    duel.resolve([])
    duel.trigger(0, airknight, 2)
    assert word(duel, "DS-5") == reversed_


def rush_at_the_start(ruleset: str) -> tuple[Chained, int]:
    """Player A's Rush Recklessly has resolved at the start of the Damage Step; Player B has another one set."""
    duel = chained(ruleset)
    attacker, target = duel.real(0), duel.real(1)
    mine = duel.place_card(0, "Rush Recklessly", position="face-down")
    theirs = duel.place_card(1, "Rush Recklessly", position="face-down")
    duel.to_damage_step(attacker, target)
    duel.begin("damage-start")
    duel.activate(0, mine, targets=(attacker,))
    duel.resolve([duel.stat(attacker, 2100, 1200)])
    return duel, theirs


@pytest.mark.parametrize(
    "ruleset, another, none",
    [
        ("ocg-2023", "kept", "broken"),
        ("master-rule-3", "broken", "kept"),
        ("master-rule-2", "kept", "broken"),
        ("expert-2007", "kept", "broken"),
    ],
)
def test_chains_at_the_start(ruleset: str, another: Word, none: Word) -> None:
    """DS-5: at the start of the Damage Step damage-step-wiki has one chain, the other documents have many."""
    duel, theirs = rush_at_the_start(ruleset)
    duel.passes(0)
    duel.decide(1, "priority", [PASS, Option("activate", theirs, 1)])
    assert word(duel, "DS-5") == another
    duel, _ = rush_at_the_start(ruleset)
    duel.begin("before-calculation")
    assert word(duel, "DS-5") == none


@pytest.mark.parametrize("ruleset, demanded", [("ocg-2023", True), ("master-rule-3", False), ("expert-2007", True)])
def test_what_must_be_offered_after_a_chain_at_the_start(ruleset: str, demanded: bool) -> None:
    """DA-1: where there may be another chain, Player B's Rush Recklessly must be offered; where not, nothing demands it."""
    duel, _ = rush_at_the_start(ruleset)
    duel.passes(0)
    duel.decide(1, "priority", [PASS])
    assert (word(duel, "DA-1") == "broken") is demanded


@pytest.mark.parametrize(
    "ruleset, expected",
    [("ocg-2023", "broken"), ("master-rule-3", "broken"), ("master-rule-2", "broken"), ("expert-2007", "silent")],
)
def test_chains_during_calculation(ruleset: str, expected: Word) -> None:
    """DS-5: a second chain during damage calculation is against all documents but expert-2007, which gives no number."""
    duel = chained(ruleset)
    lily, target = duel.real(0, "Injection Fairy Lily"), duel.real(1)
    kuriboh = duel.place_card(1, "Kuriboh", "hand")
    duel.to_damage_step(lily, target)
    duel.through("damage-start", "before-calculation")
    duel.begin("during-calculation")
    duel.paid(0, lily, LpChanged(0, -2000, 6000, "cost"))
    duel.resolve([duel.stat(lily, 3400, 1500)])
    duel.decide(1, "priority", [PASS, Option("activate", kuriboh, 1)])
    assert word(duel, "DS-5") == expected


# DS-9


@pytest.mark.parametrize("ruleset, expected", [("ocg-2023", "broken"), ("master-rule-3", "silent")])
def test_an_attack_in_defense_without_its_permission(ruleset: str, expected: Word) -> None:
    """DS-9: that Big Benkei, negated in the Damage Step, comes to no calculation is of battle-phase-flow alone."""
    duel = chained(ruleset)
    benkei, target = duel.real(0, "Superheavy Samurai Big Benkei", position="face-up-defense"), duel.real(1)
    duel.to_damage_step(benkei, target)
    duel.begin("damage-start")
    duel.add(StatusChanged("effects-negated", True, benkei))
    duel.through("before-calculation", "during-calculation")
    duel.add(DamageCalculated(benkei, target, 3500, 1400, (0, 2100), attacker_uses_def=True))
    assert word(duel, "DS-9") == expected


@pytest.mark.parametrize("ruleset, expected", [("ocg-2023", "broken"), ("master-rule-3", "broken"), ("master-rule-2", "silent")])
def test_a_direct_attack_without_its_permission(ruleset: str, expected: Word) -> None:
    """DS-9: that a direct attack goes on both later documents have."""
    duel = chained(ruleset)
    striker, _ = duel.real(0, "Spell Striker"), duel.real(1)
    duel.to_battle_step()
    duel.decide(0, "action", [PASS, Option("attack", striker)], 1)
    duel.add(AttackerChosen(striker))
    duel.attacker = striker
    duel.decide(0, "attack-target", [Option("card", 2), Option("direct")], 1, striker)
    duel.add(AttackDeclared(striker, None))
    duel.begin("declaration")
    duel.to_after_declaration()
    duel.both_pass()
    duel.begin("damage-start")
    duel.add(StatusChanged("effects-negated", True, striker))
    duel.end_attack("no-battle")
    assert word(duel, "DS-9") == expected


# DA


def battle_with(ruleset: str, *held: str) -> tuple[Chained, int, int, list[int]]:
    """An even battle against a Defense Position monster; Player B has these cards set."""
    duel = chained(ruleset)
    attacker, target = duel.real(0), duel.real(1, def_=1400, position="face-up-defense")
    cards = [duel.place_card(1, name, position="face-down") for name in held]
    duel.to_damage_step(attacker, target)
    duel.begin("damage-start")
    return duel, attacker, target, cards


@pytest.mark.parametrize(
    "ruleset, offered",
    [("expert-2007", "broken"), ("master-rule-2", "broken"), ("master-rule-3", "silent"), ("duel-arena", "silent")],
)
def test_a_card_that_a_document_keeps_out(ruleset: str, offered: Word) -> None:
    """DA-12: expert-2007 keeps Shadow Spell out of the Damage Step; damage-step-wiki lists it, duel-arena-wiki leaves it open."""
    duel, _, _, (shadow,) = battle_with(ruleset, "Shadow Spell")
    duel.passes(0)
    duel.decide(1, "priority", [PASS, Option("activate", shadow, 1)])
    assert word(duel, "DA-12") == offered


@pytest.mark.parametrize("ruleset, expected", [("duel-arena", "broken"), ("master-rule-2", "silent"), ("ocg-2023", "silent")])
def test_one_activation_per_damage_step(ruleset: str, expected: Word) -> None:
    """DA-10: in duel-arena a player who has activated Rush Recklessly can activate nothing of the kind any more."""
    duel, attacker, _, (first, second) = battle_with(ruleset, "Rush Recklessly", "Rush Recklessly")
    duel.passes(0)
    duel.activate(1, first, targets=(attacker,))
    duel.resolve([duel.stat(attacker, 2100, 1200)])
    duel.passes(0)
    decided = len(duel.events)
    duel.decide(1, "priority", [PASS, Option("activate", second, 1)])
    assert word(duel, "DA-10") == expected
    del duel.events[decided:]
    duel.decide(1, "priority", [PASS])
    assert word(duel, "DA-10") == ("kept" if expected == "broken" else "silent")
    assert word(duel, "DA-1") == ("kept" if expected == "broken" else "broken")


def test_the_other_player_has_one_too() -> None:
    """DA-10: each player has one; the other's is not used up."""
    duel, theirs = rush_at_the_start("duel-arena")
    duel.passes(0)
    duel.decide(1, "priority", [PASS, Option("activate", theirs, 1)])
    assert word(duel, "DA-10") == "silent"
    duel, _ = rush_at_the_start("duel-arena")
    duel.passes(0)
    duel.decide(1, "priority", [PASS])
    assert word(duel, "DA-1") == "broken"


@pytest.mark.parametrize(
    "ruleset, name, expected",
    [
        ("expert-2007", "Maryokutai", "broken"),
        ("master-rule-2", "Maryokutai", "broken"),
        ("master-rule-3", "Maryokutai", "broken"),
        ("master-rule-3", "Stardust Dragon", "silent"),
        ("ocg-2023", "Maryokutai", "silent"),
    ],
)
def test_tributing_oneself_while_battling(ruleset: str, name: str, expected: Word) -> None:
    """DA-11: the older documents forbid it to monsters by name; damage-step-wiki lists Stardust Dragon without that."""
    duel = chained(ruleset)
    attacker, target = duel.real(0), duel.real(1, name, def_=1400, position="face-up-defense")
    rush = duel.place_card(0, "Rush Recklessly", position="face-down")
    duel.to_damage_step(attacker, target)
    duel.begin("damage-start")
    duel.activate(0, rush, targets=(attacker,))
    duel.decide(1, "response", [PASS, Option("activate", target, 1)])
    assert word(duel, "DA-11") == expected


@pytest.mark.parametrize(
    "ruleset, expected",
    [("ocg-2023", "broken"), ("master-rule-3", "broken"), ("expert-2007", "silent"), ("master-rule-2", "silent")],
)
def test_negating_just_an_effect(ruleset: str, expected: Word) -> None:
    """DA-3: the later documents keep Ash Blossom & Joyous Spring out of the Damage Step."""
    duel = chained(ruleset)
    attacker, target = duel.real(0), duel.real(1)
    ash = duel.place_card(1, "Ash Blossom & Joyous Spring", "hand")
    rush = duel.place_card(0, "Rush Recklessly", position="face-down")
    duel.to_damage_step(attacker, target)
    duel.begin("damage-start")
    duel.activate(0, rush, targets=(attacker,))
    duel.decide(1, "response", [PASS, Option("activate", ash, 1)])
    assert word(duel, "DA-3") == expected


@pytest.mark.parametrize("ruleset, expected", [("master-rule-3", "broken"), ("master-rule-2", "broken"), ("ocg-2023", "silent")])
def test_michizure_after_destruction_by_an_effect(ruleset: str, expected: Word) -> None:
    """DA-6: by damage-step-wiki Michizure waits for a battle; by battle-phase-flow an effect's destruction will do."""
    duel = chained(ruleset)
    attacker, target = duel.real(0, "Ally of Justice Catastor"), duel.real(1)
    michizure = duel.place_card(1, "Michizure", position="face-down")
    duel.to_damage_step(attacker, target)
    duel.begin("damage-start")
    duel.trigger(0, attacker)
    duel.resolve([duel.move(target, "graveyard", "destroyed-by-effect")])
    duel.passes(0)
    duel.decide(1, "priority", [PASS, Option("activate", michizure, 1)])
    assert word(duel, "DA-6") == expected


@pytest.mark.parametrize(
    "ruleset, expected",
    [("master-rule-2", "kept"), ("ocg-2023", "broken"), ("master-rule-3", "broken"), ("expert-2007", "broken")],
)
def test_effects_for_the_damage_step_during_calculation(ruleset: str, expected: Word) -> None:
    """DA-4: what says no more than "during the Damage Step" was good until damage calculation under Master Rule 2."""
    duel = chained(ruleset)
    attacker, target = duel.real(0), duel.real(1, "Blackwing - Shura the Blue Flame", def_=1400, position="face-up-defense")
    kalut = duel.place_card(1, "Blackwing - Kalut the Moon Shadow", "hand")
    duel.to_damage_step(attacker, target)
    duel.through("damage-start", "before-calculation")
    duel.begin("during-calculation")
    duel.passes(0)
    duel.decide(1, "priority", [PASS, Option("activate", kalut, 1)])
    assert word(duel, "DA-4") == expected


@pytest.mark.parametrize("timing, expected", [("after-calculation", "kept"), ("damage-end", "broken")])
@pytest.mark.parametrize("ruleset", ["expert-2007", "master-rule-3"])
def test_when_one_more_attack_is_granted(ruleset: str, timing: Timing, expected: Word) -> None:
    """DA-12: Black Luster Soldier - Envoy of the Beginning has its further attack from the timing after damage calculation."""
    duel = chained(ruleset)
    soldier, target = duel.real(0, "Black Luster Soldier - Envoy of the Beginning"), duel.real(1)
    duel.up_to_calculation(soldier, target)
    duel.calculate(target, (3000, 1400), (0, 1600), (target,))
    duel.begin("after-calculation")
    if timing == "damage-end":
        duel.both_pass()
        duel.begin("damage-end")
        duel.send_destroyed((target,))
    duel.decide(0, "trigger", [PASS, Option("activate", soldier, 2)])
    assert word(duel, "DA-12") == expected


@pytest.mark.parametrize("ruleset, expected", [("ocg-2023", "broken"), ("master-rule-3", "silent"), ("expert-2007", "silent")])
def test_what_only_the_last_document_forbids(ruleset: str, expected: Word) -> None:
    """DA-7 and DA-9 are of battle-phase-flow alone: Macro Cosmos, which changes no ATK, stays out of the Damage Step there."""
    duel, _, _, (cosmos,) = battle_with(ruleset, "Macro Cosmos")
    duel.passes(0)
    duel.decide(1, "priority", [PASS, Option("activate", cosmos, 1)])
    assert word(duel, "DA-7") == expected
