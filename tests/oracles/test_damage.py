"""What may modify the damage of a battle, or protect its monsters: when an answer is demanded, and when it is left open."""

from __future__ import annotations

import pytest

from engine_protocol.board import BoardCard
from engine_protocol.cards import CardFacts, CardPool, EffectFacts, Filter, card_pool
from engine_protocol.events import ControlChanged, DamageCalculated, DeterminedDestroyed, Place, StatusChanged
from tests.oracles.battles import Battle, Setting, activated, face_up, nothing, off_the_field, set_

SQUIRE = CardFacts(
    passcode=1,
    name="A Squire",
    type="monster",
    frame=("effect",),
    atk=0,
    def_=0,
    effects=(EffectFacts(number=1, kind="unclassified", categories=frozenset({"substitute"})),),
)
ARMOR = CardFacts(
    passcode=2,
    name="An Armor",
    type="spell",
    property="equip",
    effects=(
        EffectFacts(number=1, kind="activation", speed=1, zones=("hand",)),
        EffectFacts(number=2, kind="continuous", categories=frozenset({"indestructible-by-battle"})),
    ),
)
BANNER = CardFacts(
    passcode=3,
    name="A Banner",
    type="spell",
    property="continuous",
    effects=(
        EffectFacts(number=1, kind="activation", speed=1, zones=("hand",)),
        EffectFacts(number=2, kind="continuous", categories=frozenset({"indestructible-by-battle"})),
    ),
)
CAPTAIN = CardFacts(
    passcode=5,
    name="A Captain",
    type="monster",
    frame=("effect",),
    atk=0,
    def_=0,
    effects=(
        EffectFacts(
            number=1,
            kind="continuous",
            subject=Filter(side="you"),
            categories=frozenset({"indestructible-by-battle", "prevents-battle-damage"}),
        ),
    ),
)
NOVICE = CardFacts(
    passcode=6,
    name="A Novice",
    type="monster",
    frame=("effect",),
    atk=0,
    def_=0,
    effects=(
        EffectFacts(
            number=1,
            kind="continuous",
            requires=(Filter(side="opponent", role="battling", position="defense"),),
            categories=frozenset({"indestructible-by-battle", "prevents-battle-damage"}),
        ),
    ),
)
RIDDLE = CardFacts(passcode=4, name="A Riddle", type="monster", frame=("effect",), def_=0)
POOL = CardPool([*card_pool().values(), SQUIRE, ARMOR, BANNER, CAPTAIN, NOVICE, RIDDLE])


def equipped(name: str, to: str) -> Setting:
    """An Equip Spell on the attacker, the target, or another monster."""

    def setting(duel: Battle, attacker: int, target: int) -> None:
        monster = {"attacker": attacker, "target": target}.get(to) or duel.real(0)
        card = BoardCard(
            id=len(duel.cards) + 1,
            passcode=POOL.named(name).passcode,
            owner=0,
            zone="spell-trap-zone",
            position="face-up",
            equipped_to=monster,
        )
        duel.cards.append(card)

    return setting


def negated(duel: Battle, attacker: int, target: int) -> None:
    """The effects of both monsters are negated."""
    for card in (attacker, target):
        duel.add(StatusChanged("effects-negated", True, card=card))


def marked(duel: Battle, attacker: int, _target: int) -> None:
    """Some condition of the attacker keeps a player from battle damage; whose, nobody knows."""
    duel.add(StatusChanged("no-battle-damage", True, card=attacker))


def judged(
    setting: Setting,
    damage: tuple[int, int],
    *,
    destroyed: bool = True,
    attacker_name: str = "Celtic Guardian",
    target_name: str = "Celtic Guardian",
    defense: bool = False,
) -> set[str]:
    """What of DC is violated when 2000 battle 1500 in this setting, with this damage."""
    duel = Battle()
    duel.pool = POOL
    attacker = duel.real(0, attacker_name, 2000, 0)
    target = duel.real(1, target_name, 1500, 1500, "face-up-defense" if defense else "face-up-attack")
    setting(duel, attacker, target)
    duel.fight(attacker, target, (2000, 1500), damage, (target,) if destroyed else (), target_uses_def=defense)
    return {violation.rule for violation in duel.judge().violations if violation.rule.startswith("DC")}


@pytest.mark.parametrize(
    "setting, right, wrong",
    [
        (nothing, [(0, 500)], {"DC-1": [(0, 0), (500, 0)]}),
        (face_up("The Sanctuary in the Sky"), [(0, 500), (0, 0)], {"DC-5": [(0, 250), (500, 0)]}),
        (face_up("Spirit Barrier"), [(0, 500), (0, 0)], {"DC-5": [(0, 250)]}),
        (set_("Spirit Barrier"), [(0, 500)], {"DC-1": [(0, 0)]}),
        (off_the_field("Spirit Barrier"), [(0, 500)], {"DC-1": [(0, 0)]}),
        (face_up("Amazoness Fighter"), [(0, 500)], {"DC-1": [(0, 0)]}),
        (face_up("Amazoness Swords Woman"), [(0, 500)], {"DC-1": [(500, 0)]}),
        (face_up("Temple of the Mind's Eye"), [(0, 1000)], {"DC-5": [(0, 500), (0, 0)]}),
        (face_up("Muscle Medic"), [(0, 500)], {"DC-1": [(0, 0)]}),
        (face_up("A Captain"), [(0, 500), (0, 0)], {"DC-5": [(500, 0)]}),
        (equipped("Double-Edged Sword", "other"), [(0, 500), (500, 500)], {}),
        (activated("Waboku"), [(0, 500), (0, 0)], {"DC-5": [(500, 0)]}),
        (activated("Waboku", "activation-negated"), [(0, 500)], {"DC-1": [(0, 0)]}),
        (activated("Dimension Wall"), [(0, 500), (500, 0)], {"DC-5": [(0, 0)]}),
        (activated("Rainbow Life"), [(0, 500), (0, 0)], {}),
        (activated("Forbidden Scripture"), [(0, 500), (0, 0), (700, 0)], {}),
        (activated("Macro Cosmos"), [(0, 500)], {"DC-1": [(0, 0)]}),
        (activated("Threatening Roar"), [(0, 500)], {"DC-1": [(0, 0)]}),
        (marked, [(0, 500), (0, 0)], {"DC-5": [(500, 0)]}),
        (face_up("Light and Darkness Dragon"), [(0, 500), (0, 0)], {}),
    ],
)
def test_damage(setting: Setting, right: list[tuple[int, int]], wrong: dict[str, list[tuple[int, int]]]) -> None:
    """2000 ATK against 1500 ATK: what the damage can be, and what it cannot be, with something else on the board."""
    assert [judged(setting, damage) for damage in right] == [set()] * len(right)
    for rule, damages in wrong.items():
        assert [judged(setting, damage) for damage in damages] == [{rule}] * len(damages)


@pytest.mark.parametrize(
    "setting, attacker_name, right, wrong",
    [
        (nothing, "Celtic Guardian", [0], [500]),
        (nothing, "Spear Dragon", [500], [0]),
        (negated, "Spear Dragon", [0, 500], [250]),
        (face_up("Skill Drain"), "Spear Dragon", [0, 500], [250]),
        (face_up("Spear Dragon"), "Celtic Guardian", [0], [500]),
        (equipped("Fairy Meteor Crush", "attacker"), "Celtic Guardian", [500], [0]),
        (equipped("Fairy Meteor Crush", "attacker"), "Spear Dragon", [500], [0]),
        (equipped("Fairy Meteor Crush", "target"), "Celtic Guardian", [0], [500]),
        (equipped("Fairy Meteor Crush", "other"), "Celtic Guardian", [0], [500]),
    ],
)
def test_piercing(setting: Setting, attacker_name: str, right: list[int], wrong: list[int]) -> None:
    """2000 ATK against 1500 DEF: whether the attacker inflicts piercing damage."""
    verdicts = [judged(setting, (0, damage), attacker_name=attacker_name, defense=True) for damage in (*right, *wrong)]
    assert verdicts == [set()] * len(right) + [{"DC-2"}] * len(wrong)


def test_the_target_does_not_pierce() -> None:
    """A Spear Dragon that is attacked in Defense Position makes nobody pierce it."""
    assert judged(nothing, (0, 500), target_name="Spear Dragon", defense=True) == {"DC-2"}


@pytest.mark.parametrize("damage", [(0, 500), (500, 0), (0, 0)])
def test_damage_passed_on_from_both_sides_is_left_open(damage: tuple[int, int]) -> None:
    """Two Amazoness Swords Women: no document says who takes the damage in the end."""
    name = "Amazoness Swords Woman"
    assert judged(nothing, damage, attacker_name=name, target_name=name) == set()


@pytest.mark.parametrize("name, damage", [("Amazoness Fighter", (0, 0)), ("Amazoness Swords Woman", (500, 0))])
def test_negated_effects_are_left_open(name: str, damage: tuple[int, int]) -> None:
    """With its effects negated the target's controller may take the damage or not, but nothing else can happen."""
    assert judged(negated, (0, 500), target_name=name) == set()
    assert judged(negated, damage, target_name=name) == set()
    assert judged(negated, (0, 250), target_name=name) == {"DC-5"}


def test_conditions_that_do_not_hold() -> None:
    """An effect that needs a Defense Position opponent does nothing in this battle."""
    assert judged(nothing, (0, 0), target_name="A Novice") == {"DC-1"}
    assert judged(nothing, (0, 500), target_name="A Novice", destroyed=True) == set()
    assert judged(nothing, (0, 500), target_name="A Novice", destroyed=False) == {"DC-1"}


def also(*settings: Setting) -> Setting:
    """Several settings at once."""

    def setting(duel: Battle, attacker: int, target: int) -> None:
        for one in settings:
            one(duel, attacker, target)

    return setting


TEMPLE = face_up("Temple of the Mind's Eye")


def unaffected(duel: Battle, attacker: int, _target: int) -> None:
    """Forbidden Lance has kept the attacker from the effects of other Spells and Traps."""
    duel.add(StatusChanged("unaffected-by-spells-traps", True, card=attacker))


@pytest.mark.parametrize(
    "setting, attacker_name, target_name, right, wrong",
    [
        (nothing, "Celtic Guardian", "Muscle Medic", [(0, 0)], [(0, 500), (500, 0)]),
        (nothing, "Gravekeeper's Vassal", "Celtic Guardian", [(0, 0)], [(0, 500)]),
        (nothing, "Celtic Guardian", "Gravekeeper's Vassal", [(0, 500)], [(0, 0)]),
        (nothing, "Susa Soldier", "Celtic Guardian", [(0, 250)], [(0, 500)]),
        (nothing, "Celtic Guardian", "Stone Statue of the Aztecs", [(0, 500)], [(0, 1000)]),
        (equipped("Rod of the Mind's Eye", "attacker"), "Celtic Guardian", "Celtic Guardian", [(0, 1000)], [(0, 500)]),
        (equipped("Rod of the Mind's Eye", "target"), "Celtic Guardian", "Celtic Guardian", [(0, 500), (0, 1000)], []),
        (nothing, "Fenrir the Nordic Wolf", "Celtic Guardian", [(500, 500)], [(0, 500)]),
        (also(unaffected, equipped("Rod of the Mind's Eye", "attacker")), "Celtic Guardian", "Celtic Guardian", [(0, 500)], []),
        (also(unaffected, TEMPLE), "Celtic Guardian", "Celtic Guardian", [(0, 500), (0, 1000)], []),
        (negated, "Susa Soldier", "Celtic Guardian", [(0, 250), (0, 500)], []),
    ],
)
def test_what_one_effect_makes_of_damage(
    setting: Setting, attacker_name: str, target_name: str, right: list[tuple[int, int]], wrong: list[tuple[int, int]]
) -> None:
    """DC-5: each change of the damage by itself, where the facts settle that it applies, and whom it concerns."""
    for damage in right:
        assert judged(setting, damage, attacker_name=attacker_name, target_name=target_name) == set()
    for damage in wrong:
        assert judged(setting, damage, attacker_name=attacker_name, target_name=target_name)


@pytest.mark.parametrize(
    "setting, attacker_name, target_name, right, wrong",
    [
        (TEMPLE, "Susa Soldier", "Celtic Guardian", (0, 1000), (0, 500)),
        (TEMPLE, "Celtic Guardian", "Amazoness Fighter", (0, 0), (0, 1000)),
        (TEMPLE, "Gravekeeper's Vassal", "Celtic Guardian", (0, 0), (0, 1000)),
        (TEMPLE, "Celtic Guardian", "Muscle Medic", (0, 0), (0, 1000)),
        (nothing, "Fenrir the Nordic Wolf", "Amazoness Fighter", (500, 0), (0, 0)),
        (TEMPLE, "Fenrir the Nordic Wolf", "Celtic Guardian", (1000, 1000), (0, 1000)),
        (nothing, "Susa Soldier", "Fenrir the Nordic Wolf", (500, 250), (250, 250)),
        (nothing, "Gravekeeper's Vassal", "Fenrir the Nordic Wolf", (500, 0), (0, 0)),
    ],
)
def test_the_order_of_changes(
    setting: Setting, attacker_name: str, target_name: str, right: tuple[int, int], wrong: tuple[int, int]
) -> None:
    """DC-5: two changes in the order of the document, and not the other way round."""
    assert judged(setting, right, attacker_name=attacker_name, target_name=target_name) == set()
    assert judged(setting, wrong, attacker_name=attacker_name, target_name=target_name) == {"DC-5"}


@pytest.mark.parametrize("damage, broken", [((3400, 0), set()), ((1700, 0), {"DC-5"})])
def test_doubled_for_who_attacks(damage: tuple[int, int], broken: set[str]) -> None:
    """DC-5: Stone Statue of the Aztecs doubles what its opponent takes by attacking it: 2000 less 300 becomes twice as much."""
    duel = Battle()
    duel.pool = POOL
    attacker, target = duel.real(0, atk=300), duel.real(1, "Stone Statue of the Aztecs", def_=2000, position="face-up-defense")
    duel.fight(attacker, target, (300, 2000), damage, target_uses_def=True)
    assert {violation.rule for violation in duel.judge("DC-5").violations} == broken


def test_two_changes_of_a_kind_are_left_open() -> None:
    """DC-5: what two effects that both fix the damage come to the document does not say."""
    setting = also(TEMPLE, equipped("Rod of the Mind's Eye", "attacker"))
    assert [judged(setting, damage) for damage in ((0, 1000), (0, 500))] == [set(), set()]


@pytest.mark.parametrize(
    "setting, target_name, survives, dies",
    [
        (nothing, "Celtic Guardian", {"DC-1"}, set()),
        (nothing, "Marshmallon", set(), {"DC-8"}),
        (negated, "Marshmallon", set(), set()),
        (face_up("Skill Drain"), "Marshmallon", set(), set()),
        (set_("Skill Drain"), "Marshmallon", set(), {"DC-8"}),
        (off_the_field("Skill Drain"), "Marshmallon", set(), {"DC-8"}),
        (activated("Forbidden Scripture"), "Marshmallon", set(), set()),
        (face_up("Light and Darkness Dragon"), "Celtic Guardian", set(), set()),
        (face_up("Marshmallon"), "Celtic Guardian", {"DC-1"}, set()),
        (face_up("A Banner"), "Celtic Guardian", set(), set()),
        (face_up("A Captain"), "Celtic Guardian", set(), set()),
        (nothing, "A Captain", set(), set()),
        (equipped("An Armor", "target"), "Celtic Guardian", set(), set()),
        (equipped("An Armor", "attacker"), "Celtic Guardian", {"DC-1"}, set()),
        (equipped("An Armor", "other"), "Celtic Guardian", {"DC-1"}, set()),
        (off_the_field("A Squire"), "Celtic Guardian", set(), set()),
        (activated("Waboku"), "Celtic Guardian", set(), set()),
        (activated("Waboku", "effect-negated"), "Celtic Guardian", {"DC-1"}, set()),
        (activated("Threatening Roar"), "Celtic Guardian", {"DC-1"}, set()),
    ],
)
def test_destruction(setting: Setting, target_name: str, survives: set[str], dies: set[str]) -> None:
    """2000 ATK against 1500 ATK: whether the target may survive, and whether it may be destroyed."""
    assert judged(setting, (0, 500), target_name=target_name, destroyed=False) == survives
    assert judged(setting, (0, 500), target_name=target_name, destroyed=True) == dies


def test_defense_that_is_used_as_attack() -> None:
    """Obnoxious Celtic Guard is not destroyed by Big Benkei, whose 3500 DEF count as ATK; so it is left open here."""
    duel = Battle()
    attacker = duel.real(0, "Superheavy Samurai Big Benkei", position="face-up-defense")
    target = duel.real(1, "Obnoxious Celtic Guard")
    duel.up_to_calculation(attacker, target)
    duel.add(DamageCalculated(attacker, target, 3500, 1400, (0, 2100), attacker_uses_def=True))
    duel.lose(1, 2100, "battle-damage")
    duel.begin("after-calculation")
    duel.both_pass()
    duel.begin("damage-end")
    assert duel.verdict("DC-1") == (set(), True)


def test_a_condition_of_the_monster() -> None:
    """A monster that is said to be indestructible must not be destroyed."""
    duel = Battle()
    attacker, target = duel.real(0, atk=2000), duel.real(1, atk=1500)
    duel.add(StatusChanged("indestructible-by-battle", True, card=target))
    duel.fight(attacker, target, (2000, 1500), (0, 500), (target,))
    assert duel.verdict("DC-8") == ({"DC-8"}, True)


def test_each_battle_is_judged_by_itself() -> None:
    """The second of two attacks is wrong."""
    duel = Battle()
    attackers, targets = [duel.real(0, atk=2000) for _ in range(2)], [duel.real(1, atk=1500) for _ in range(2)]
    duel.fight(attackers[0], targets[0], (2000, 1500), (0, 500), (targets[0],))
    duel.attack(attackers[1], targets[1])
    duel.to_after_declaration()
    duel.damage_step(targets[1], (2000, 1500), (0, 600), (targets[1],))
    (violation,) = duel.judge("DC-1").violations
    assert violation.cards == (attackers[1], targets[1])


def other_target(duel: Battle, attacker: int, target: int) -> None:
    """Damage is calculated with a monster that was not attacked."""
    other = duel.real(1, atk=100)
    duel.up_to_calculation(attacker, target)
    duel.calculate(other, (2000, 100), (0, 0))


def own_target(duel: Battle, attacker: int, target: int) -> None:
    """The target has changed sides."""
    duel.up_to_calculation(attacker, target)
    duel.add(ControlChanged(target, duel.place(target), Place(0, "monster-zone", 3, "face-up-attack")))
    duel.calculate(target, (2000, 1500), (0, 0))


def without_attack(duel: Battle, attacker: int, target: int) -> None:
    """An effect performs damage calculation where there is no attack."""
    duel.to_battle_step()
    duel.attacker = attacker
    duel.calculate(target, (2000, 1500), (0, 0))


@pytest.mark.parametrize("tell", [other_target, own_target, without_attack])
def test_strange_battles_are_not_judged(tell: Setting) -> None:
    """A damage calculation that is not that of the open attack between two players is for other rules."""
    duel = Battle()
    tell(duel, duel.real(0, atk=2000), duel.real(1, atk=1500))
    duel.begin("end-step")
    assert duel.judge("DC-1", "DC-2", "DC-3", "DC-5").violations == ()
    assert duel.judge("DC-1").at_stake == {"DC-1": 0}


def test_unknown_values_are_not_compared() -> None:
    """A monster with a printed "?" has no ATK that could be wrong, but the difference can."""
    duel = Battle()
    duel.pool = POOL
    attacker, target = duel.real(0, atk=2000), duel.monster(1, passcode=RIDDLE.passcode)
    duel.fight(attacker, target, (2000, 1500), (0, 500), (target,))
    assert duel.verdict("DC-1") == (set(), True)


def test_current_defense_is_compared() -> None:
    """The DEF that the trace has told last is what counts, and the damage follows from what was compared."""
    duel = Battle()
    attacker, target = duel.real(0, atk=2000), duel.real(1, atk=1000, def_=1500, position="face-up-defense")
    duel.add(duel.stat(target, 1000, 2500))
    duel.fight(attacker, target, (2000, 1500), (0, 0), (target,), target_uses_def=True)
    assert duel.verdict("DC-2") == ({"DC-2"}, True)


@pytest.mark.parametrize("lie", ["negated", "unable"])
def test_attackers_in_defense_position_without_leave(lie: str) -> None:
    """DC-4 has nothing to say of a monster that may not attack there, or whose effect is negated."""
    duel = Battle()
    name = "Superheavy Samurai Big Benkei" if lie == "negated" else "Celtic Guardian"
    attacker, target = duel.real(0, name, 1000, 3500, "face-up-defense"), duel.real(1, atk=500)
    if lie == "negated":
        duel.add(StatusChanged("effects-negated", True, card=attacker))
    duel.up_to_calculation(attacker, target)
    duel.add(DamageCalculated(attacker, target, 1000, 500, (0, 500)), DeterminedDestroyed(target))
    judgement = duel.judge("DC-4")
    assert (judgement.violations, judgement.at_stake) == ((), {"DC-4": 0})


def test_benkei_in_attack_position() -> None:
    """In Attack Position the same monster battles with its ATK."""
    duel = Battle()
    attacker, target = duel.real(0, "Superheavy Samurai Big Benkei"), duel.real(1, atk=3500)
    duel.fight(attacker, target, (1000, 3500), (2500, 0), (attacker,))
    judgement = duel.judge("DC-4", "DC-1")
    assert (judgement.violations, judgement.at_stake) == ((), {"DC-1": 1, "DC-4": 0})
