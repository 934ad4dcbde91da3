"""DS: Damage Steps that keep their structure, and ones that break one rule of it."""

from __future__ import annotations

import pytest

from engine_protocol.decisions import Option
from engine_protocol.events import (
    AttackDeclared,
    AttackerChosen,
    DamageCalculated,
    LpChanged,
    Moved,
    PositionChanged,
    StatusChanged,
)
from engine_protocol.vocabulary import DAMAGE_STEP_TIMINGS, Position, Timing
from tests.oracles.chained import Chained
from tests.oracles.traces import PASS

CONFORMS: tuple[set[str], bool] = (set(), True)


def broken(rule: str) -> tuple[set[str], bool]:
    """Exactly this rule is broken."""
    return {rule}, True


def battle(
    attacker: str = "Celtic Guardian", target: str = "Celtic Guardian", position: Position = "face-up-attack"
) -> tuple[Chained, int, int]:
    """A duel with Player A's monster and the one it is going to attack."""
    duel = Chained()
    return duel, duel.real(0, attacker), duel.real(1, target, position=position)


# DS-1


def test_a_whole_damage_step() -> None:
    """DS-1 and DS-10: five timings, and the loser leaves at the last one."""
    duel, attacker, target = battle("Gemini Elf")
    duel.fight(attacker, target, (1900, 1400), (0, 500), (target,))
    duel.end_phase()
    assert duel.verdict("DS-1") == CONFORMS
    assert duel.verdict("DS-10") == CONFORMS


@pytest.mark.parametrize(
    "timings",
    [
        ("damage-start", "before-calculation", "during-calculation", "damage-end"),
        ("damage-start", "before-calculation", "before-calculation", "during-calculation", "after-calculation", "damage-end"),
        ("before-calculation", "during-calculation", "after-calculation", "damage-end"),
        ("damage-start", "before-calculation", "during-calculation", "after-calculation"),
    ],
    ids=["left out", "repeated", "no start", "no end"],
)
def test_timings_out_of_order(timings: tuple[str, ...]) -> None:
    """DS-1: no timing is left out, repeated, or comes at the wrong place."""
    duel = Chained()
    attacker, target = duel.real(0, "Gemini Elf"), duel.real(1, def_=1900, position="face-up-defense")
    duel.to_damage_step(attacker, target)
    for timing in DAMAGE_STEP_TIMINGS:
        for _ in range(timings.count(timing)):
            duel.begin(timing)
            duel.both_pass()
        if timing == "during-calculation":
            duel.calculate(target, (1900, 1900), target_uses_def=True)
    duel.end_attack("battled")
    assert duel.verdict("DS-1") == broken("DS-1")


# DS-2


def set_monster(name: str = "Celtic Guardian", attacker: str = "Gemini Elf") -> tuple[Chained, int, int]:
    """An attack on a face-down monster, at the door of the Damage Step."""
    duel, fighter, target = battle(attacker, name, "face-down-defense")
    duel.to_damage_step(fighter, target)
    return duel, fighter, target


def flip(duel: Chained, target: int, after: Position = "face-up-defense") -> None:
    """The battle turns the target face-up."""
    duel.add(duel.turn(target, after, "battle"))


def test_flipped_before_anything_is_activated() -> None:
    """DS-2: the target is flipped when the timing before damage calculation begins."""
    duel, _, target = set_monster()
    duel.through("damage-start")
    duel.begin("before-calculation")
    flip(duel, target)
    duel.both_pass()
    assert duel.verdict("DS-2") == CONFORMS


def test_flipped_at_the_start() -> None:
    """DS-2: at the start of the Damage Step the target is still face-down."""
    duel, _, target = set_monster()
    duel.begin("damage-start")
    flip(duel, target)
    duel.both_pass()
    assert duel.verdict("DS-2") == broken("DS-2")


def test_flipped_after_the_activations() -> None:
    """DS-2: nobody is asked before the target is flipped."""
    duel, _, target = set_monster()
    duel.through("damage-start", "before-calculation")
    flip(duel, target)
    assert duel.verdict("DS-2") == broken("DS-2")


def test_flipped_to_attack_position() -> None:
    """DS-2: a flipped target keeps its Defense Position."""
    duel, _, target = set_monster()
    duel.through("damage-start")
    duel.begin("before-calculation")
    flip(duel, target, "face-up-attack")
    assert duel.verdict("DS-2") == broken("DS-2")


# DS-3


def flipped_bug(name: str = "Man-Eater Bug", attacker: str = "Gemini Elf") -> tuple[Chained, int, int]:
    """A flip monster has been flipped by an attack, before damage calculation."""
    duel, fighter, target = set_monster(name, attacker)
    duel.through("damage-start")
    duel.begin("before-calculation")
    flip(duel, target)
    return duel, fighter, target


def test_flip_effect_after_calculation() -> None:
    """DS-3: Man-Eater Bug's effect is activated after damage calculation, though it is determined destroyed."""
    duel, attacker, bug = flipped_bug()
    duel.both_pass()
    duel.through("during-calculation")
    duel.calculate(bug, (1900, 600), (0, 0), (bug,), target_uses_def=True)
    duel.begin("after-calculation")
    duel.trigger(1, bug, targets=(attacker,))
    duel.resolve([duel.move(attacker, "graveyard", "destroyed-by-effect")])
    duel.begin("damage-end")
    duel.send_destroyed((bug,))
    duel.both_pass()
    duel.end_attack("battled")
    assert duel.verdict("DS-3") == CONFORMS


def test_flip_effect_at_the_flip() -> None:
    """DS-3: the flip effect is not activated before damage calculation."""
    duel, attacker, bug = flipped_bug()
    duel.trigger(1, bug, targets=(attacker,))
    assert duel.verdict("DS-3") == broken("DS-3")


def test_flip_effect_forgotten() -> None:
    """DS-3: after damage calculation nobody has priority before the flip effect is activated."""
    duel, _, bug = flipped_bug()
    duel.both_pass()
    duel.through("during-calculation")
    duel.calculate(bug, (1900, 600), (0, 0), (bug,), target_uses_def=True)
    duel.through("after-calculation")
    assert duel.verdict("DS-3") == broken("DS-3")


def test_flip_effect_of_a_monster_that_is_gone() -> None:
    """DS-3: a flipped monster that Drillroid destroyed does not activate its effect."""
    duel, _, bug = flipped_bug(attacker="Drillroid")
    duel.trigger(0, 1)
    duel.resolve([duel.move(bug, "graveyard", "destroyed-by-effect")])
    duel.both_pass()
    duel.through("during-calculation")
    duel.begin("after-calculation")
    assert duel.verdict("DS-3") == CONFORMS
    duel.decide(1, "trigger", [Option("activate", bug, 1)])
    assert duel.verdict("DS-3") == broken("DS-3")


# DS-5


def lily_and_kuriboh() -> tuple[Chained, int]:
    """Injection Fairy Lily has used her effect during damage calculation; Player B holds Kuriboh."""
    duel, lily, target = battle("Injection Fairy Lily")
    kuriboh = duel.place_card(1, "Kuriboh", "hand")
    duel.to_damage_step(lily, target)
    duel.through("damage-start", "before-calculation")
    duel.begin("during-calculation")
    duel.paid(0, lily, LpChanged(0, -2000, 6000, "cost"))
    duel.resolve([duel.stat(lily, 3400, 1500)])
    return duel, kuriboh


def test_one_chain_during_calculation() -> None:
    """DS-5: after Lily's chain damage is calculated, and Kuriboh comes too late."""
    duel, kuriboh = lily_and_kuriboh()
    assert duel.verdict("DS-5") == CONFORMS
    duel.decide(1, "priority", [PASS, Option("activate", kuriboh, 1)])
    assert duel.verdict("DS-5") == broken("DS-5")


def test_many_chains_at_the_start() -> None:
    """DS-5: after Player A's Rush Recklessly resolved, Player B may start another chain with theirs."""
    duel, attacker, target = battle()
    mine, _ = (
        duel.place_card(0, "Rush Recklessly", position="face-down"),
        duel.place_card(1, "Rush Recklessly", position="face-down"),
    )
    duel.to_damage_step(attacker, target)
    duel.begin("damage-start")
    duel.activate(0, mine, targets=(attacker,))
    duel.resolve([duel.stat(attacker, 2100, 1200)])
    passed_over = len(duel.events)
    duel.both_pass()
    duel.begin("before-calculation")
    assert duel.verdict("DS-5") == CONFORMS
    del duel.events[passed_over:]
    duel.begin("before-calculation")
    assert duel.verdict("DS-5") == broken("DS-5")


def test_triggers_of_the_timing_share_its_first_chain() -> None:
    """DS-5: Penguin Soldier's flip effect, passed on in the first chain, makes no later one."""
    duel, airknight, penguin = flipped_bug("Penguin Soldier", "Airknight Parshath")
    duel.place_card(0, "Celtic Guardian", "deck", "face-down")
    duel.both_pass()
    duel.through("during-calculation")
    duel.calculate(penguin, (1900, 500), (0, 1400), (penguin,), target_uses_def=True)
    duel.begin("after-calculation")
    duel.trigger(0, airknight, 2)
    duel.decide(1, "trigger", [PASS, Option("activate", penguin, 1)])
    duel.resolve([])
    assert duel.broken_rules() == set()
    duel.trigger(1, penguin, targets=(airknight,), optional=True)
    assert duel.verdict("DS-5") == broken("DS-5")


# DS-6


def catastor() -> tuple[Chained, int, int]:
    """Ally of Justice Catastor has destroyed the monster that it attacked, at the start of the Damage Step."""
    duel, catastor, target = battle("Ally of Justice Catastor")
    duel.to_damage_step(catastor, target)
    duel.begin("damage-start")
    duel.trigger(0, catastor)
    duel.resolve([duel.move(target, "graveyard", "destroyed-by-effect")])
    duel.both_pass()
    return duel, catastor, target


def test_the_damage_step_goes_on_without_a_battle() -> None:
    """DS-6: the other timings still take place, with no damage calculation."""
    duel, *_ = catastor()
    duel.through("before-calculation", "during-calculation", "after-calculation", "damage-end")
    duel.end_attack("no-battle")
    assert duel.verdict("DS-6") == CONFORMS


def test_no_calculation_without_the_target() -> None:
    """DS-6: damage is not calculated against a monster that has left."""
    duel, attacker, target = catastor()
    duel.through("before-calculation", "during-calculation")
    duel.add(DamageCalculated(attacker, target, 2200, 1400, (0, 0)))
    assert "DS-6" in duel.broken_rules()


def test_the_damage_step_is_not_cut_short() -> None:
    """DS-6: it does not end as soon as the monster is gone."""
    duel, *_ = catastor()
    duel.end_attack("no-battle")
    assert duel.verdict("DS-6") == broken("DS-6")


def test_calculation_is_not_left_out() -> None:
    """DS-6: with both monsters there, damage is calculated."""
    duel, attacker, target = battle("Gemini Elf")
    duel.to_damage_step(attacker, target)
    duel.through(*DAMAGE_STEP_TIMINGS)
    duel.end_attack("no-battle")
    assert duel.verdict("DS-6") == broken("DS-6")


# DS-7


def test_turned_face_down_and_flipped_again() -> None:
    """DS-7: a target turned face-down before damage calculation is face-up again when damage is calculated."""
    duel, attacker, target = battle("Gemini Elf", position="face-up-defense")
    duel.to_damage_step(attacker, target)
    duel.through("damage-start")
    duel.begin("before-calculation")
    duel.add(duel.turn(target, "face-down-defense"))
    before_the_flip = len(duel.events)
    duel.add(PositionChanged(target, "face-down-defense", "face-up-defense", "battle"))
    duel.both_pass()
    duel.through("during-calculation")
    duel.calculate(target, (1900, 1200), (0, 0), (target,), target_uses_def=True)
    assert duel.verdict("DS-7") == CONFORMS
    del duel.events[before_the_flip]
    assert duel.verdict("DS-7") == broken("DS-7")


# DS-9


def negated_direct_attacker() -> tuple[Chained, int]:
    """Spell Striker attacks directly past a monster, and Forbidden Chalice negates it at the start of the Damage Step."""
    duel, striker, _ = battle("Spell Striker")
    chalice = duel.place_card(1, "Forbidden Chalice", position="face-down")
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
    duel.passes(0)
    duel.activate(1, chalice, targets=(striker,))
    duel.resolve([duel.stat(striker, 1000, 200), StatusChanged("effects-negated", True, striker)])
    duel.both_pass()
    duel.through("before-calculation", "during-calculation")
    return duel, striker


def test_a_direct_attack_goes_on() -> None:
    """DS-9: in the Damage Step losing the permission to attack directly changes nothing."""
    duel, striker = negated_direct_attacker()
    duel.calculate(None, (1000, None), (0, 1000))
    duel.through("after-calculation", "damage-end")
    duel.end_attack("battled")
    assert duel.verdict("DS-9") == CONFORMS
    assert duel.place(striker).zone == "monster-zone"


def test_a_direct_attack_is_not_broken_off() -> None:
    """DS-9: a direct attack does not end for the lost permission."""
    duel, _ = negated_direct_attacker()
    duel.through("after-calculation", "damage-end")
    duel.end_attack("no-battle")
    assert duel.verdict("DS-9") == broken("DS-9")


# DS-10


def test_sent_at_calculation() -> None:
    """DS-10: a monster destroyed by battle stays on the field until the end of the Damage Step."""
    duel, attacker, target = battle("Gemini Elf")
    duel.up_to_calculation(attacker, target)
    duel.calculate(target, (1900, 1400), (0, 500), (target,))
    duel.send_destroyed((target,))
    assert duel.verdict("DS-10") == broken("DS-10")


def test_sent_after_the_activations() -> None:
    """DS-10: nobody is asked at the end of the Damage Step before the destroyed monster has left."""
    duel, attacker, target = battle("Gemini Elf")
    duel.up_to_calculation(attacker, target)
    duel.calculate(target, (1900, 1400), (0, 500), (target,))
    duel.through("after-calculation", "damage-end")
    duel.send_destroyed((target,))
    duel.end_attack("battled")
    assert duel.verdict("DS-10") == broken("DS-10")


# DS-12


def test_summoned_at_the_end() -> None:
    """DS-12: Big Benkei, summoned by Giant Rat at the end of the Damage Step, may use its effect there."""
    duel, attacker, rat = battle("Gemini Elf", "Giant Rat")
    benkei = duel.place_card(1, "Superheavy Samurai Big Benkei", "deck", "face-down")
    duel.up_to_calculation(attacker, rat)
    duel.calculate(rat, (1900, 1400), (0, 500), (rat,))
    duel.through("after-calculation")
    duel.begin("damage-end")
    duel.send_destroyed((rat,))
    duel.trigger(1, rat, optional=True)
    duel.resolve([Moved(benkei, duel.place(benkei), duel.summon(benkei, "deck").to, "special-summoned")])
    summoned = len(duel.events)
    duel.decide(1, "trigger", [PASS, Option("activate", benkei, 1)])
    duel.end_attack("battled")
    assert duel.verdict("DS-12") == CONFORMS
    del duel.events[summoned:]
    duel.attacker = attacker
    duel.end_attack("battled")
    assert duel.verdict("DS-12") == broken("DS-12")


# DS-4


def flipped_wolf(timing: Timing, *, determined: bool = False) -> Chained:
    """Fenrir the Nordic Wolf is flipped by the attack on it, and destroys itself at this timing."""
    duel = Chained()
    attacker, wolf = duel.real(0, atk=2000), duel.real(1, "Fenrir the Nordic Wolf", position="face-down-defense")
    duel.declare(attacker, wolf)
    duel.to_after_declaration()
    duel.both_pass()
    for name in DAMAGE_STEP_TIMINGS[: DAMAGE_STEP_TIMINGS.index(timing) + 1]:
        duel.begin(name)
        if name == "before-calculation":
            duel.add(duel.turn(wolf, "face-up-defense", "battle"))
        if name == timing:
            break
        duel.both_pass()
        if name == "during-calculation":
            duel.calculate(wolf, (2000, 4000), (2000, 2000), (wolf,) if determined else (), target_uses_def=True)
    duel.move(wolf, "graveyard", "destroyed-by-effect")
    return duel


@pytest.mark.parametrize("timing", ["before-calculation", "during-calculation"])
def test_no_self_destruction_before_the_calculation(timing: Timing) -> None:
    """DS-4: what the flip sets off waits."""
    assert flipped_wolf(timing).verdict("DS-4") == broken("DS-4")


def test_self_destruction_after_the_calculation() -> None:
    """DS-4: then it destroys itself, unless the battle has destroyed it."""
    assert flipped_wolf("after-calculation").verdict("DS-4") == CONFORMS
    assert "DS-4" in flipped_wolf("after-calculation", determined=True).verdict("DS-4")[0]
