"""CH-5, CH-6, AT-14 and what must be activated: Triggers in rulesets that differ on their chains."""

from __future__ import annotations

import pytest

from engine_protocol.cards import CardFacts, CardPool, EffectFacts
from engine_protocol.decisions import Option
from oracles import RULES
from tests.oracles.chained import Chained
from tests.oracles.traces import PASS, Duel

NONE: set[str] = set()


def damaged_and_flipped(ruleset: str) -> tuple[Chained, int, int]:
    """After damage calculation: Airknight Parshath of Player A has inflicted damage, and flipped Man-Eater Bug of Player B."""
    duel = Chained()
    duel.ruleset = ruleset
    airknight, bug = duel.real(0, "Airknight Parshath"), duel.real(1, "Man-Eater Bug", position="face-down-defense")
    duel.place_card(0, "Celtic Guardian", "deck", "face-down")
    duel.to_damage_step(airknight, bug)
    duel.through("damage-start")
    duel.begin("before-calculation")
    duel.add(duel.turn(bug, "face-up-defense", "battle"))
    duel.both_pass()
    duel.through("during-calculation")
    duel.calculate(bug, (1900, 600), (0, 1300), (bug,), target_uses_def=True)
    duel.begin("after-calculation")
    return duel, airknight, bug


STAGED = ("expert-2007", "master-rule-2", "duel-arena")
TOGETHER = ("master-rule-3", "ocg-2023")


@pytest.mark.parametrize("ruleset, broken", [*((r, NONE) for r in STAGED), *((r, {"DS-3"}) for r in TOGETHER)])
def test_each_stage_has_its_run(ruleset: str, broken: set[str]) -> None:
    """DS-3: by E-131 and E-141, and by D-077 and D-079, the flip effect waits for the damage; by D-013 it does not."""
    duel, airknight, bug = damaged_and_flipped(ruleset)
    duel.trigger(0, airknight, 2)
    duel.resolve()
    duel.trigger(1, bug, targets=(airknight,))
    duel.resolve()
    assert {violation.rule for violation in duel.judge("CH-5", "DA-6", "DS-3").violations} == broken


@pytest.mark.parametrize("ruleset", [*STAGED, *TOGETHER])
def test_no_stage_is_left_out(ruleset: str) -> None:
    """DS-3: a timing may not end before its last stage has come."""
    duel, airknight, _ = damaged_and_flipped(ruleset)
    duel.trigger(0, airknight, 2)
    duel.resolve()
    duel.both_pass()
    duel.begin("damage-end")
    assert {violation.rule for violation in duel.judge("CH-5", "DA-6", "DS-3").violations} == {"DS-3"}


@pytest.mark.parametrize("ruleset", STAGED)
def test_no_stage_is_passed_over(ruleset: str) -> None:
    """DA-6: what belongs to an earlier stage than the one that has come is too late."""
    duel, airknight, bug = damaged_and_flipped(ruleset)
    duel.trigger(1, bug, targets=(airknight,))
    duel.resolve()
    duel.trigger(0, airknight, 2)
    duel.resolve()
    assert {violation.rule for violation in duel.judge("CH-5", "DA-6", "DS-3").violations} == {"DA-6"}


def two_kinds() -> CardPool:
    """A monster with an optional effect of either stage: on inflicting battle damage, and on having battled."""
    effects = [
        EffectFacts(number=1, kind="trigger", clause="if", speed=1, zones=("monster-zone",), condition="inflicted-battle-damage"),
        EffectFacts(
            number=2,
            kind="trigger",
            clause="if",
            speed=1,
            zones=("monster-zone",),
            condition="battles",
            timings=("after-calculation",),
        ),
    ]
    return CardPool([CardFacts(passcode=1, name="Twice Stirred", type="monster", atk=1000, def_=0, effects=tuple(effects))])


@pytest.mark.parametrize("gone", [True, False])
@pytest.mark.parametrize("ruleset", STAGED)
def test_what_an_earlier_stage_took_away(ruleset: str, *, gone: bool) -> None:
    """DS-3: a monster that an effect of 4.A took away has no flip effect in 4.B any more, when others have theirs."""
    pool = two_kinds()
    flip = EffectFacts(
        number=1,
        kind="trigger",
        clause="if",
        mandatory=True,
        speed=1,
        zones=("monster-zone",),
        condition="flipped",
        complete=True,
    )
    pool = CardPool([*pool.values(), CardFacts(passcode=2, name="Flipped", type="monster", atk=0, def_=0, effects=(flip,))])
    duel = Chained()
    duel.pool = pool
    duel.ruleset = ruleset
    monster = duel.monster(0, passcode=1)
    flipped = duel.monster(1, passcode=2, position="face-down-defense")
    duel.to_damage_step(monster, flipped)
    duel.through("damage-start")
    duel.begin("before-calculation")
    duel.add(duel.turn(flipped, "face-up-defense", "battle"))
    duel.both_pass()
    duel.through("during-calculation")
    duel.calculate(flipped, (1000, 500), (0, 500), target_uses_def=True)
    duel.begin("after-calculation")
    duel.trigger(0, monster, 1, optional=True)
    duel.resolve([duel.move(flipped, "banished", "banished-by-effect")] if gone else [])
    duel.trigger(0, monster, 2, optional=True)
    duel.resolve()
    duel.both_pass()
    duel.begin("damage-end")
    assert {violation.rule for violation in duel.judge("DS-3", "DA-4").violations} == (NONE if gone else {"DS-3"})


@pytest.mark.parametrize("ruleset, broken", [*((r, NONE) for r in STAGED), *((r, {"CH-5"}) for r in TOGETHER)])
def test_each_stage_has_its_choice(ruleset: str, broken: set[str]) -> None:
    """CH-5: a player who declines in one stage is asked again in the next; without stages all are asked at once."""
    duel = Duel(pool=two_kinds())
    duel.ruleset = ruleset
    monster = duel.monster(0, passcode=1)
    duel.to_battle_step()
    duel.attack(monster)
    duel.to_after_declaration()
    duel.damage_step(None, (1000, None), (0, 1000), upto="during-calculation")
    duel.begin("after-calculation")
    for effect in (1, 2):
        duel.decide(0, "trigger", [PASS, Option("activate", monster, effect)])
    assert {violation.rule for violation in duel.judge("CH-5").violations} == broken


@pytest.mark.parametrize(
    "ruleset, broken",
    [
        ("expert-2007", NONE),
        ("master-rule-2", {"CH-5"}),
        ("master-rule-3", {"CH-5"}),
        ("ocg-2023", {"CH-5"}),
        ("duel-arena", {"CH-5"}),
    ],
)
def test_the_others_mandatory_trigger_and_the_own_optional_one(ruleset: str, broken: set[str]) -> None:
    """CH-5: by B-043 and D-102 mandatory ones come first, whose ever they are; E-150 only has the turn player's first."""
    duel = Chained()
    duel.ruleset = ruleset
    lady, jar = duel.real(0, "D.D. Warrior Lady"), duel.real(1, "Hane-Hane", position="face-down-defense")
    duel.to_damage_step(lady, jar)
    duel.through("damage-start")
    duel.begin("before-calculation")
    duel.add(duel.turn(jar, "face-up-defense", "battle"))
    duel.both_pass()
    duel.through("during-calculation")
    duel.calculate(jar, (1500, 500), destroyed=(jar,), target_uses_def=True)
    duel.begin("after-calculation")
    duel.trigger(0, lady, optional=True)
    duel.trigger(1, jar, targets=(lady,))
    assert {violation.rule for violation in duel.judge("CH-5").violations} == broken


@pytest.mark.parametrize("ruleset, broken", [*((r, NONE) for r in STAGED), *((r, {"CH-6"}) for r in TOGETHER)])
def test_when_what_a_chain_triggers_comes(ruleset: str, broken: set[str]) -> None:
    """CH-6: D-016 has it on the next chain; where E-139 marks it as under adjustment nothing is demanded."""
    duel = Chained()
    duel.ruleset = ruleset
    newdoria, dandylion, winner = duel.real(1, "Newdoria"), duel.real(0, "Dandylion"), duel.real(0, "Gemini Elf")
    duel.up_to_calculation(winner, newdoria)
    duel.calculate(newdoria, (1900, 1200), (0, 700), (newdoria,))
    duel.through("after-calculation")
    duel.begin("damage-end")
    duel.send_destroyed((newdoria,))
    duel.trigger(1, newdoria, targets=(dandylion,))
    duel.resolve([duel.move(dandylion, "graveyard", "destroyed-by-effect")])
    duel.end_attack("battled")
    assert duel.broken_rules() == broken


@pytest.mark.parametrize("ruleset, broken", [("master-rule-3", NONE), ("ocg-2023", {"CH-6"})])
def test_what_a_chain_triggers_during_calculation(ruleset: str, broken: set[str]) -> None:
    """CH-6: D-016 has it make another chain there, D-052 has not; battle-phase-flow has it."""
    duel = Chained()
    duel.ruleset = ruleset
    soldier, warrior, dandylion = duel.real(0, "Cipher Soldier"), duel.real(1), duel.real(1, "Dandylion")
    duel.to_damage_step(soldier, warrior)
    duel.through("damage-start", "before-calculation")
    duel.begin("during-calculation")
    duel.trigger(0, soldier)
    duel.resolve([duel.move(dandylion, "graveyard", "sent-by-effect")])
    duel.calculate(warrior, (1350, 1400), (50, 0), (soldier,))
    duel.begin("after-calculation")
    assert {violation.rule for violation in duel.judge("CH-6").violations} == broken


@pytest.mark.parametrize(
    "ruleset, broken", [("expert-2007", NONE), ("master-rule-2", NONE), ("master-rule-3", NONE), ("ocg-2023", {"DS-3"})]
)
def test_what_the_destroyer_negates(ruleset: str, broken: set[str]) -> None:
    """DS-3: by battle-phase-flow a flip effect that its destroyer negates is activated; not by E-142; others are silent."""
    duel = Chained()
    duel.ruleset = ruleset
    duel.real(0, "Dark Ruler Ha Des")
    fiend, bug = duel.real(0, "Archfiend Soldier"), duel.real(1, "Man-Eater Bug", position="face-down-defense")
    duel.to_damage_step(fiend, bug)
    duel.through("damage-start")
    duel.begin("before-calculation")
    duel.add(duel.turn(bug, "face-up-defense", "battle"))
    duel.both_pass()
    duel.through("during-calculation")
    duel.calculate(bug, (1900, 600), destroyed=(bug,), target_uses_def=True)
    duel.through("after-calculation")
    duel.begin("damage-end")
    assert {violation.rule for violation in duel.judge("DS-3").violations} == broken


@pytest.mark.parametrize("ruleset, broken", [("expert-2007", NONE), ("master-rule-2", NONE), ("ocg-2023", {"DA-4"})])
def test_a_card_under_adjustment(ruleset: str, broken: set[str]) -> None:
    """DA-4: E-161 and D-048 leave open when D.D. Crazy Beast banishes what it destroyed."""
    duel = Chained()
    duel.ruleset = ruleset
    beast, target = duel.real(0, "D.D. Crazy Beast"), duel.real(1, "Celtic Guardian", 1000)
    duel.up_to_calculation(beast, target)
    duel.calculate(target, (1400, 1000), (0, 400), (target,))
    duel.through("after-calculation")
    duel.begin("damage-end")
    assert {violation.rule for violation in duel.judge("DA-4").violations} == broken


class AtTheDeclaration:
    """Gravekeeper's Assailant attacks Vengeful Shinobi in Necrovalley: an optional effect and a mandatory one."""

    def __init__(self, ruleset: str) -> None:
        self.duel = duel = Chained()
        duel.ruleset = ruleset
        duel.place_card(0, "Necrovalley", "field-zone")
        self.assailant, self.shinobi = duel.real(0, "Gravekeeper's Assailant"), duel.real(1, "Vengeful Shinobi")
        duel.declare(self.assailant, self.shinobi)

    def broken(self) -> set[str]:
        """The rules on the order of Triggers that are broken."""
        return {violation.rule for violation in self.duel.judge("AT-14", "CH-5").violations}


@pytest.mark.parametrize("ruleset, broken", [("expert-2007", {"AT-14"}), ("master-rule-2", NONE), ("ocg-2023", NONE)])
def test_a_mandatory_trigger_shuts_out_the_assailant(ruleset: str, broken: set[str]) -> None:
    """AT-14: E-021; B-022 leaves it open, and later they form one chain."""
    story = AtTheDeclaration(ruleset)
    story.duel.trigger(1, story.shinobi)
    story.duel.trigger(0, story.assailant, targets=(story.shinobi,), optional=True)
    assert story.broken() == broken


@pytest.mark.parametrize("ruleset, broken", [("expert-2007", {"AT-14"}), ("master-rule-2", NONE), ("ocg-2023", NONE)])
def test_the_assailant_does_not_come_before_a_mandatory_trigger(ruleset: str, broken: set[str]) -> None:
    """AT-14: E-015 has a chain block begun by the effect that triggers of itself."""
    story = AtTheDeclaration(ruleset)
    story.duel.trigger(0, story.assailant, targets=(story.shinobi,), optional=True)
    story.duel.trigger(1, story.shinobi)
    assert story.broken() == broken


def test_a_mandatory_trigger_alone_conforms() -> None:
    """AT-14: it was at stake, and kept."""
    story = AtTheDeclaration("expert-2007")
    story.duel.trigger(1, story.shinobi)
    judgement = story.duel.judge("AT-14")
    assert (judgement.at_stake["AT-14"], judgement.violations) == (1, ())


def test_the_assailant_alone_may_be_activated() -> None:
    """AT-14: E-017; without a mandatory Trigger the effect is there."""
    duel = Chained()
    duel.ruleset = "expert-2007"
    duel.place_card(0, "Necrovalley", "field-zone")
    assailant, target = duel.real(0, "Gravekeeper's Assailant"), duel.real(1)
    duel.declare(assailant, target)
    duel.trigger(0, assailant, targets=(target,), optional=True)
    assert duel.broken_rules() == NONE


def test_later_rules_replace_it() -> None:
    """AT-14: battle-phase-flow has one chain for all of them, so its ruleset does not have it; those between leave it open."""
    rule = RULES["AT-14"]
    assert rule.severity["expert-2007"] == "must"
    assert set(rule.severity) - set(rule.undecided) == {"expert-2007"}
