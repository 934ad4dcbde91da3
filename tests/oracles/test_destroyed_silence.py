"""BD: what the oracles of monsters determined destroyed leave open, and what they have nothing to say about."""

from __future__ import annotations

import pytest

from engine_protocol.cards import CardFacts, CardPool, EffectFacts, Filter, card_pool
from engine_protocol.decisions import Option
from engine_protocol.events import (
    AttackEnded,
    DestructionReplaced,
    DeterminedDestroyed,
    Moved,
    Place,
    PositionChanged,
    StatusChanged,
)
from engine_protocol.rulesets import DEFAULT_RULESET
from engine_protocol.vocabulary import Outcome
from tests.oracles.battles import Battle, Setting, activated, face_up, nothing, off_the_field, set_
from tests.oracles.traces import PASS

BACK = Place(0, "monster-zone", 0, "face-up-attack")
FRONT = Place(1, "monster-zone", 0, "face-up-attack")
GRAVE = Place(1, "graveyard")

KEEPER = CardFacts(
    passcode=1,
    name="A Keeper",
    type="monster",
    frame=("effect",),
    atk=0,
    def_=0,
    effects=(EffectFacts(number=1, kind="continuous", categories=frozenset({"redirects"})),),
)
NARROW_GATE = CardFacts(
    passcode=2,
    name="A Narrow Gate",
    type="trap",
    property="continuous",
    effects=(
        EffectFacts(number=1, kind="activation", speed=2, zones=("spell-trap-zone",)),
        EffectFacts(number=2, kind="continuous", subject=Filter(races=("Fiend",)), categories=frozenset({"redirects"})),
    ),
)
POOL = CardPool([*card_pool().values(), KEEPER, NARROW_GATE])


def battle() -> Battle:
    """A duel with the cards above, too."""
    duel = Battle()
    duel.pool = POOL
    return duel


# BD-1


def negation(
    setting: Setting,
    outcome: Outcome,
    *,
    mutual: bool = False,
    fiend: str = "Archfiend Soldier",
    ruleset: str = DEFAULT_RULESET,
) -> set[str]:
    """Whether BD-1 is violated when the effect of a Yomi Ship that a Fiend destroyed has this outcome."""
    duel = battle()
    duel.ruleset = ruleset
    attacker = duel.real(0, fiend, atk=1900)
    target = duel.real(1, "Yomi Ship", atk=1900 if mutual else 800)
    setting(duel, attacker, target)
    destroyed = (attacker, target) if mutual else (target,)
    values = (1900, 1900 if mutual else 800)
    duel.fight(attacker, target, values, (0, values[0] - values[1]), destroyed, upto="after-calculation")
    duel.both_pass()
    duel.begin("damage-end")
    duel.send_destroyed(destroyed)
    duel.activate(1, target, trigger=True, place=GRAVE)
    duel.resolve(outcome=outcome)
    return {violation.rule for violation in duel.judge("BD-1").violations}


def ha_des(*, owner: int = 0, negated: bool = False) -> Setting:
    """Dark Ruler Ha Des beside the attacker, or on the other side."""

    def setting(duel: Battle, _attacker: int, _target: int) -> None:
        card = duel.real(1 if owner else 0, "Dark Ruler Ha Des")
        if negated:
            duel.add(StatusChanged("effects-negated", True, card=card))

    return setting


def both(first: Setting, second: Setting) -> Setting:
    """Two settings."""

    def setting(duel: Battle, attacker: int, target: int) -> None:
        first(duel, attacker, target)
        second(duel, attacker, target)

    return setting


@pytest.mark.parametrize(
    "setting",
    [
        nothing,
        ha_des(owner=1),
        ha_des(negated=True),
        both(ha_des(), face_up("Skill Drain")),
        both(ha_des(), face_up("Light and Darkness Dragon")),
        both(ha_des(), activated("Forbidden Scripture")),
        off_the_field("Dark Ruler Ha Des"),
    ],
)
def test_no_certain_negation(setting: Setting) -> None:
    """BD-1: without a Dark Ruler Ha Des that certainly negates, the effect may be applied."""
    assert negation(setting, "resolved") == set()


def test_negation_is_certain() -> None:
    """BD-1: with one, it may not."""
    assert negation(ha_des(), "resolved") == {"BD-1"}


@pytest.mark.parametrize("outcome", ["resolved", "effect-negated"])
def test_other_mutual_destructions(outcome: Outcome) -> None:
    """BD-1: a Fiend that is destroyed too, with Dark Ruler Ha Des standing beside, is left open."""
    assert negation(ha_des(), outcome, mutual=True) == set()


@pytest.mark.parametrize(
    "setting, verdict",
    [
        (nothing, {"BD-1"}),
        (activated("Divine Wrath"), set()),
        (activated("Forbidden Scripture"), set()),
        (face_up("Skill Drain"), set()),
        (ha_des(), set()),
        (ha_des(owner=1), {"BD-1"}),
    ],
)
def test_negated_otherwise(setting: Setting, verdict: set[str]) -> None:
    """BD-1: destroyed with Dark Ruler Ha Des itself, the effect is not negated, unless something else may have done it; what
    ocg-2023 has there is open.
    """
    assert negation(setting, "effect-negated", mutual=True, fiend="Dark Ruler Ha Des", ruleset="expert-2007") == verdict
    assert negation(setting, "effect-negated", mutual=True, fiend="Dark Ruler Ha Des") == set()


def test_banished_monsters_have_their_effects_again() -> None:
    """BD-1: a monster that did not go to the Graveyard is not negated any more."""
    duel = battle()
    attacker, target = duel.real(0, "Archfiend Soldier"), duel.real(1, "Hyper Hammerhead")
    duel.real(0, "Dark Ruler Ha Des")
    duel.fight(attacker, target, (1900, 1500), (0, 400), (target,), upto="after-calculation")
    duel.both_pass()
    duel.begin("damage-end")
    duel.add(Moved(target, FRONT, Place(1, "banished"), "destroyed-by-battle"))
    duel.activate(1, target, trigger=True, place=GRAVE)
    duel.resolve()
    assert duel.judge("BD-1").violations == ()


# BD-2


def stats(*, doomed: bool, resolving: bool, source: bool) -> set[str]:
    """ATK/DEF change of Jurrac Ptera, or of the monster beside it, while its effect resolves or after that."""
    duel = battle()
    attacker, target = duel.real(0, atk=2000), duel.real(1, "Jurrac Ptera")
    other = duel.real(1, atk=100)
    if source:
        duel.place_card(0, "Necrovalley", "field-zone")
    duel.fight(attacker, target, (2000, 800), (0, 1200), (target,), upto="after-calculation")
    duel.activate(1, target, trigger=True)
    change = duel.stat(target if doomed else other, 0, 1900)
    duel.resolve([change] if resolving else [])
    if not resolving:
        duel.add(change)
    return {violation.rule for violation in duel.judge("BD-2").violations}


def test_changes_that_are_no_effects_doing() -> None:
    """BD-2: only a change by a resolving effect is wrong, and only where no continuous effect could be the reason."""
    assert stats(doomed=True, resolving=True, source=False) == {"BD-2"}
    assert stats(doomed=False, resolving=True, source=False) == set()
    assert stats(doomed=True, resolving=False, source=False) == set()
    assert stats(doomed=True, resolving=True, source=True) == set()


def test_other_monsters_may_turn() -> None:
    """BD-2: a monster that survives its battle may be turned."""
    duel = battle()
    attacker, target = duel.real(0, atk=2000), duel.real(1, atk=1500)
    duel.fight(attacker, target, (2000, 1500), (0, 500), (target,), upto="after-calculation")
    duel.add(PositionChanged(attacker, "face-up-attack", "face-up-defense", "effect"))
    judgement = duel.judge("BD-2")
    assert (judgement.violations, judgement.at_stake) == ((), {"BD-2": 0})


# BD-3


def test_triggers_and_other_monsters_are_offered() -> None:
    """BD-3: its Triggers may be activated, and the Quick Effects of monsters that are not determined destroyed."""
    duel = battle()
    attacker, target = duel.real(0, "D.D. Warrior", atk=4000), duel.real(1, "D.D. Warrior Lady")
    dragon = duel.real(1, "Crystal Wing Synchro Dragon")
    duel.fight(attacker, target, (4000, 1500), (0, 2500), (target,), upto="after-calculation")
    duel.decide(1, "trigger", (PASS, Option("activate", target, 1)))
    duel.activate(0, attacker, trigger=True)
    duel.decide(1, "response", (PASS, Option("activate", dragon, 1)))
    judgement = duel.judge("BD-3")
    assert (judgement.violations, judgement.at_stake) == ((), {"BD-3": 0})


# BD-4, BD-5, BD-6


def test_a_monster_goes_instead_of_itself() -> None:
    """BD-4: what belongs to the monster itself may go, which is told as the monster itself."""
    duel = battle()
    attacker, target = duel.real(0, atk=2000), duel.real(1, atk=1500)
    duel.fight(attacker, target, (2000, 1500), (0, 500), (target,), upto="after-calculation")
    duel.add(DestructionReplaced(target, target))
    assert duel.judge("BD-4").violations == ()


def test_targets_before_the_battle() -> None:
    """BD-5: without a monster determined destroyed nothing is at stake."""
    duel = battle()
    target = duel.real(0)
    book = duel.set_card(1, duel.pool_named("Book of Moon"))
    duel.to_battle_step()
    duel.passes(0)
    duel.decide(1, "target", [Option("card", target)], 0, book)
    duel.activate(1, book, targets=(target,))
    judgement = duel.judge("BD-5")
    assert (judgement.violations, judgement.at_stake) == ((), {"BD-5": 0})


def test_targets_that_do_not_fit() -> None:
    """BD-5: not at stake when the effect could not have targeted the monster anyway."""
    duel = battle()
    attacker, target = duel.real(0, atk=2000), duel.real(1, atk=1500)
    trap = duel.set_card(0, duel.pool_named("Dust Tornado"))
    other = duel.set_card(1, duel.pool_named("Book of Moon"))
    duel.fight(attacker, target, (2000, 1500), (0, 500), (target,), upto="after-calculation")
    duel.activate(0, trap, targets=(other,))
    assert duel.judge("BD-5").at_stake == {"BD-5": 0}


def test_survivors_return() -> None:
    """BD-6: a monster that was not destroyed may return; the rule is at stake where another one was."""
    duel = battle()
    attacker, target = duel.real(0, atk=2000), duel.real(1, "Wall of Illusion")
    duel.fight(attacker, target, (2000, 1000), (0, 1000), (target,), upto="after-calculation")
    duel.activate(1, target, trigger=True)
    duel.resolve([Moved(attacker, BACK, Place(0, "hand"), "returned-by-effect")])
    assert duel.verdict("BD-6") == (set(), True)


def test_redirected_to_the_deck() -> None:
    """BD-6: a monster destroyed by battle that goes to the Deck instead of the Graveyard does not return by an effect."""
    duel = battle()
    attacker, target = duel.real(0, atk=2000), duel.real(1, atk=1500)
    duel.fight(attacker, target, (2000, 1500), (0, 500), (target,), upto="after-calculation")
    duel.both_pass()
    duel.begin("damage-end")
    duel.add(Moved(target, FRONT, Place(1, "deck"), "destroyed-by-battle"))
    assert duel.judge("BD-6").violations == ()


# BD-8, BD-9, BD-10


def ending(name: str, target_name: str, *, mutual: bool = False, macro: bool = False) -> tuple[Battle, int, int]:
    """A monster with 2000 ATK destroys another; what is destroyed has left the field."""
    duel = battle()
    attacker, target = duel.real(0, name, atk=2000), duel.real(1, target_name, atk=2000 if mutual else 1000)
    if macro:
        duel.place_card(0, "Macro Cosmos")
    destroyed = (attacker, target) if mutual else (target,)
    values = (2000, 2000 if mutual else 1000)
    duel.fight(attacker, target, values, (0, values[0] - values[1]), destroyed, upto="after-calculation")
    duel.both_pass()
    duel.begin("damage-end")
    token = POOL.named(target_name).token
    if mutual:
        duel.send_destroyed((attacker,))
    duel.add(Moved(target, FRONT, None if token else Place(1, "banished" if macro else "graveyard"), "destroyed-by-battle"))
    return duel, attacker, target


@pytest.mark.parametrize(
    "name, target_name, macro, by_target",
    [
        ("Celtic Guardian", "Mystic Tomato", False, True),
        ("Blackwing - Shura the Blue Flame", "Celtic Guardian", False, False),
        ("Elemental HERO Nova Master", "Celtic Guardian", True, False),
        ("Elemental HERO Nova Master", "Sheep Token", False, False),
    ],
)
def test_what_destruction_by_battle_triggers(name: str, target_name: str, macro: bool, by_target: bool) -> None:
    """BD-8, BD-10: what was destroyed by battle, or destroyed a monster, activates."""
    duel, attacker, target = ending(name, target_name, macro=macro)
    duel.activate(1 if by_target else 0, target if by_target else attacker, trigger=True, place=GRAVE if by_target else None)
    assert duel.judge("BD-8", "BD-10").violations == ()


@pytest.mark.parametrize("target_name, macro", [("Celtic Guardian", True), ("Sheep Token", False)])
def test_not_sent_to_the_graveyard(target_name: str, macro: bool) -> None:
    """BD-10: Shura needs a monster that was sent to the Graveyard: not one that was banished, and no Token."""
    duel, attacker, _ = ending("Blackwing - Shura the Blue Flame", target_name, macro=macro)
    assert duel.judge("BD-10").at_stake == {"BD-10": 1}
    duel.activate(0, attacker, trigger=True)
    assert [violation.rule for violation in duel.judge("BD-10").violations] == ["BD-10"]


def test_sent_in_mutual_destruction() -> None:
    """BD-10: in mutual destruction a Mystic Tomato that was sent activates all the same."""
    duel, _, target = ending("Celtic Guardian", "Mystic Tomato", mutual=True)
    duel.activate(1, target, trigger=True, place=GRAVE)
    assert duel.judge("BD-8", "BD-10").violations == ()


def test_removed_but_not_determined() -> None:
    """BD-8: says nothing of a monster that was never determined destroyed."""
    duel = battle()
    attacker, target = duel.real(0, atk=2000), duel.real(1, "Newdoria")
    duel.fight(attacker, target, (2000, 1200), (0, 800), (), upto="after-calculation")
    duel.add(Moved(target, FRONT, GRAVE, "destroyed-by-effect"))
    duel.activate(1, target, trigger=True, place=GRAVE)
    judgement = duel.judge("BD-8")
    assert (judgement.violations, judgement.at_stake) == ((), {"BD-8": 0})


def test_the_next_attack_may_destroy() -> None:
    """BD-9: what was saved once may be destroyed by the next attack, and nothing is saved by a link outside the battle."""
    duel = battle()
    attackers, target = [duel.real(0, atk=2000) for _ in range(2)], duel.real(1, atk=1500)
    duel.up_to_calculation(attackers[0], target)
    duel.calculate(target, (2000, 1500), (0, 500))
    duel.begin("after-calculation")
    duel.add(DestructionReplaced(target, target))
    duel.both_pass()
    duel.begin("damage-end")
    duel.both_pass()
    duel.add(AttackEnded(attackers[0], "battled"))
    duel.attacker = -1
    duel.begin("battle-step")
    duel.attack(attackers[1], target)
    duel.to_after_declaration()
    duel.damage_step(target, (2000, 1500), (0, 500), (target,))
    assert duel.judge("BD-9").violations == ()


def test_saved_monsters_do_not_leave_by_battle() -> None:
    """BD-9: with a substitute the monster does not leave the field as destroyed by battle."""
    duel = battle()
    attacker, target = duel.real(0, atk=2000), duel.real(1, atk=1500)
    duel.up_to_calculation(attacker, target)
    duel.calculate(target, (2000, 1500), (0, 500))
    duel.begin("after-calculation")
    duel.add(DestructionReplaced(target, target))
    duel.both_pass()
    duel.begin("damage-end")
    duel.send_destroyed((target,))
    assert [violation.rule for violation in duel.judge("BD-9").violations] == ["BD-9"]


# BD-11


@pytest.mark.parametrize(
    "name, setting, due",
    [
        ("D.D. Crazy Beast", nothing, True),
        ("D.D. Assailant", nothing, True),
        ("D.D. Warrior", nothing, True),
        ("D.D. Warrior Lady", nothing, False),
        ("Reflect Bounder", nothing, False),
        ("Newdoria", nothing, False),
        ("D.D. Crazy Beast", face_up("Skill Drain"), False),
        ("D.D. Crazy Beast", set_("Skill Drain"), True),
        ("D.D. Crazy Beast", face_up("Dark Ruler Ha Des"), False),
        ("D.D. Crazy Beast", face_up("Light and Darkness Dragon"), False),
        ("D.D. Crazy Beast", activated("Forbidden Scripture"), False),
    ],
)
def test_what_must_banish(name: str, setting: Setting, due: bool) -> None:
    """BD-11: demands the mandatory effects that banish, with complete facts, where nothing may negate them."""
    duel = battle()
    attacker, target = duel.real(0, name, atk=1000), duel.real(1, atk=1000)
    setting(duel, attacker, target)
    duel.fight(attacker, target, (1000, 1000), (0, 0), (attacker, target))
    judgement = duel.judge("BD-11")
    assert ([violation.rule for violation in judgement.violations], judgement.at_stake) == (
        ["BD-11"] if due else [],
        {"BD-11": int(due)},
    )


def test_no_mutual_destruction() -> None:
    """BD-11: where only one monster was destroyed, the rule is not at stake, even if it was told twice."""
    duel = battle()
    attacker, target = duel.real(0, atk=2000), duel.real(1, "D.D. Assailant")
    duel.up_to_calculation(attacker, target)
    duel.calculate(target, (2000, 1700), (0, 300), (target,))
    duel.add(DeterminedDestroyed(target))
    duel.begin("after-calculation")
    duel.both_pass()
    duel.begin("damage-end")
    assert duel.judge("BD-11", "BD-10").at_stake == {"BD-10": 0, "BD-11": 0}


# BD-12, BD-13


@pytest.mark.parametrize(
    "setting, verdict",
    [
        (face_up("Macro Cosmos"), ["BD-12"]),
        (set_("Macro Cosmos"), []),
        (off_the_field("Macro Cosmos"), []),
        (face_up("A Keeper"), []),
        (face_up("A Narrow Gate"), []),
        (both(face_up("Macro Cosmos"), face_up("Skill Drain")), []),
        (both(face_up("Macro Cosmos"), activated("Forbidden Scripture")), []),
        (both(face_up("Macro Cosmos"), face_up("Light and Darkness Dragon")), []),
    ],
)
def test_who_redirects(setting: Setting, verdict: list[str]) -> None:
    """BD-12: only a face-up Spell or Trap that redirects every card certainly redirects this one."""
    duel = battle()
    attacker, target = duel.real(0, atk=2000), duel.real(1, atk=1500)
    setting(duel, attacker, target)
    duel.fight(attacker, target, (2000, 1500), (0, 500), (target,))
    assert [violation.rule for violation in duel.judge("BD-12").violations] == verdict


def test_negated_macro_cosmos() -> None:
    """BD-12: with its effects negated Macro Cosmos redirects nothing."""
    duel = battle()
    attacker, target = duel.real(0, atk=2000), duel.real(1, atk=1500)
    macro = duel.place_card(1, "Macro Cosmos")
    duel.add(StatusChanged("effects-negated", True, card=macro))
    duel.fight(attacker, target, (2000, 1500), (0, 500), (target,))
    judgement = duel.judge("BD-12")
    assert (judgement.violations, judgement.at_stake) == ((), {"BD-12": 0})


def test_effects_on_the_field_at_the_end() -> None:
    """BD-13: a monster that is still there uses its effect of the end of the Damage Step, and nothing is at stake."""
    duel = battle()
    attacker, target = duel.real(0, "Hyper Hammerhead", atk=2000), duel.real(1, "Marshmallon")
    duel.fight(attacker, target, (2000, 300), (0, 1700), (), upto="after-calculation")
    duel.both_pass()
    duel.begin("damage-end")
    duel.activate(0, attacker, trigger=True)
    judgement = duel.judge("BD-13")
    assert (judgement.violations, judgement.at_stake) == ((), {"BD-13": 0})


def test_other_monsters_leave() -> None:
    """BD-13: that some other monster, or one without such an effect, leaves puts nothing at stake."""
    duel = battle()
    attacker, target = duel.real(0, atk=2000), duel.real(1, atk=1500)
    other = duel.real(1, "Hyper Hammerhead")
    duel.fight(attacker, target, (2000, 1500), (0, 500), (target,), upto="after-calculation")
    duel.add(Moved(other, Place(1, "monster-zone", 1, "face-up-attack"), GRAVE, "destroyed-by-effect"))
    duel.add(Moved(target, FRONT, GRAVE, "destroyed-by-effect"))
    assert duel.judge("BD-13").at_stake == {"BD-13": 0}
