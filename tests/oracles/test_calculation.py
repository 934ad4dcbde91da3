"""DC: damage calculations that keep the rules, and ones that break one of them."""

from __future__ import annotations

import pytest

from engine_protocol.events import (
    BattlePhaseEnded,
    DamageCalculated,
    DestructionReplaced,
    DeterminedDestroyed,
    DuelEnded,
    Event,
    LpChanged,
    StatusChanged,
)
from tests.oracles.battles import Battle

CONFORMS = (set[str](), True)


def broken(rule: str) -> tuple[set[str], bool]:
    """The verdict when exactly this rule is violated, and was at stake."""
    return {rule}, True


@pytest.mark.parametrize(
    "atks, damage, destroyed",
    [
        ((2000, 1500), (0, 500), "target"),
        ((1500, 2000), (500, 0), "attacker"),
        ((1500, 1500), (0, 0), "both"),
        ((0, 0), (0, 0), "none"),
    ],
)
def test_attack_against_attack(atks: tuple[int, int], damage: tuple[int, int], destroyed: str) -> None:
    """DC-1: lower ATK loses the difference and the monster; equal ATK both monsters, unless it is 0."""
    duel = Battle()
    attacker, target = duel.real(0, atk=atks[0]), duel.real(1, atk=atks[1])
    lost = {"target": (target,), "attacker": (attacker,), "both": (attacker, target), "none": ()}[destroyed]
    duel.fight(attacker, target, atks, damage, lost)
    assert duel.verdict("DC-1") == CONFORMS


@pytest.mark.parametrize(
    "atks, damage, destroyed",
    [
        ((2000, 1500), (0, 2000), (2,)),
        ((2000, 1500), (500, 0), (2,)),
        ((2000, 1500), (0, 500), ()),
        ((2000, 1500), (0, 500), (1, 2)),
        ((1500, 1500), (0, 0), (2,)),
        ((0, 0), (0, 0), (1, 2)),
    ],
)
def test_attack_against_attack_gone_wrong(atks: tuple[int, int], damage: tuple[int, int], destroyed: tuple[int, ...]) -> None:
    """DC-1: other damage, another player, or other monsters than the ATK decide."""
    duel = Battle()
    duel.fight(duel.real(0, atk=atks[0]), duel.real(1, atk=atks[1]), atks, damage, destroyed)
    assert duel.verdict("DC-1") == broken("DC-1")


def test_current_values_are_compared() -> None:
    """DC-1: what is compared is the ATK that the trace has told last, not the original one."""
    duel = Battle()
    attacker, target = duel.real(0, atk=2000), duel.real(1, atk=1500)
    duel.add(duel.stat(attacker, 1000, 1000))
    duel.fight(attacker, target, (2000, 1500), (0, 500), (target,))
    assert duel.verdict("DC-1") == broken("DC-1")


def test_an_attack_position_monster_does_not_use_its_defense() -> None:
    """DC-1: a target in Attack Position battles with its ATK."""
    duel = Battle()
    attacker, target = duel.real(0, atk=2000), duel.real(1, atk=1500, def_=1500)
    duel.fight(attacker, target, (2000, 1500), (0, 500), (target,), target_uses_def=True)
    assert duel.verdict("DC-1") == broken("DC-1")


def test_a_wrong_duel_is_told_where_and_how() -> None:
    """The violation stands at the damage calculation and names both monsters."""
    duel = Battle()
    attacker, target = duel.real(0, atk=2000), duel.real(1, atk=1500)
    duel.fight(attacker, target, (2000, 1500), (0, 700), (target,))
    (violation,) = duel.judge("DC-1").violations
    assert isinstance(duel.events[violation.at], DamageCalculated)
    assert violation.cards == (attacker, target)
    assert (violation.expected, violation.happened) == ("2000 against 1500: Player B takes 500", "Player B takes 700")


@pytest.mark.parametrize(
    "values, damage, destroyed",
    [((2000, 1500), (0, 0), (2,)), ((1500, 2000), (500, 0), ()), ((1500, 1500), (0, 0), ())],
)
def test_attack_against_defense(values: tuple[int, int], damage: tuple[int, int], destroyed: tuple[int, ...]) -> None:
    """DC-2: a higher ATK destroys without damage, a higher DEF costs the attacking player the difference, equal ones nothing."""
    duel = Battle()
    attacker, target = duel.real(0, atk=values[0]), duel.real(1, def_=values[1], position="face-up-defense")
    duel.fight(attacker, target, values, damage, destroyed, target_uses_def=True)
    assert duel.verdict("DC-2") == CONFORMS


@pytest.mark.parametrize(
    "values, damage, destroyed",
    [
        ((2000, 1500), (0, 500), (2,)),
        ((2000, 1500), (0, 0), ()),
        ((1500, 2000), (500, 0), (1,)),
        ((1500, 2000), (0, 0), ()),
        ((1500, 1500), (0, 0), (2,)),
    ],
)
def test_attack_against_defense_gone_wrong(values: tuple[int, int], damage: tuple[int, int], destroyed: tuple[int, ...]) -> None:
    """DC-2: damage without piercing, a wall that destroys, a wall that costs nothing, equal values that destroy."""
    duel = Battle()
    attacker, target = duel.real(0, atk=values[0]), duel.real(1, def_=values[1], position="face-up-defense")
    duel.fight(attacker, target, values, damage, destroyed, target_uses_def=True)
    assert duel.verdict("DC-2") == broken("DC-2")


@pytest.mark.parametrize("damage, verdict", [((0, 600), CONFORMS), ((0, 0), broken("DC-2"))])
def test_piercing(damage: tuple[int, int], verdict: tuple[set[str], bool]) -> None:
    """DC-2: an attacker with piercing damage inflicts the difference."""
    duel = Battle()
    attacker, target = duel.real(0, "Evil HERO Malicious Edge"), duel.real(1, def_=2000, position="face-up-defense")
    duel.fight(attacker, target, (2600, 2000), damage, (target,), target_uses_def=True)
    assert duel.verdict("DC-2") == verdict


@pytest.mark.parametrize("damage", [(0, 600), (0, 0)])
def test_negated_piercing_is_left_open(damage: tuple[int, int]) -> None:
    """DC-2: with its effects negated, nothing says whether the attacker pierces: neither answer is called wrong."""
    duel = Battle()
    attacker, target = duel.real(0, "Evil HERO Malicious Edge"), duel.real(1, def_=2000, position="face-up-defense")
    duel.add(StatusChanged("effects-negated", True, card=attacker))
    duel.fight(attacker, target, (2600, 2000), damage, (target,), target_uses_def=True)
    assert duel.verdict("DC-2") == CONFORMS


@pytest.mark.parametrize(
    "value, damage, verdict",
    [(2000, 2000, CONFORMS), (2000, 1000, broken("DC-3")), (1000, 1000, broken("DC-3"))],
)
def test_direct_attack(value: int, damage: int, verdict: tuple[set[str], bool]) -> None:
    """DC-3: a direct attack inflicts the attacker's ATK."""
    duel = Battle()
    attacker = duel.real(0, atk=2000)
    duel.fight(attacker, None, (value, None), (0, damage))
    assert duel.verdict("DC-3") == verdict


def test_unknown_effects_silence_the_comparison() -> None:
    """DC-1: with a face-up card whose continuous effect the facts do not explain, no outcome is called wrong."""
    duel = Battle()
    attacker, target = duel.real(0, atk=2000), duel.real(1, "Mataza the Zapper")
    duel.fight(attacker, target, (2000, 1300), (0, 0))
    assert duel.verdict("DC-1") == (set(), False)


def benkei(attacker_value: int, *, uses_def: bool) -> Battle:
    """Big Benkei (3500 DEF) attacks a monster with 3500 ATK from Defense Position."""
    duel = Battle()
    attacker = duel.real(0, "Superheavy Samurai Big Benkei", position="face-up-defense")
    target = duel.real(1, atk=3500)
    duel.up_to_calculation(attacker, target)
    damage, destroyed = ((0, 0), (attacker, target)) if uses_def else ((2500, 0), (attacker,))
    duel.add(DamageCalculated(attacker, target, attacker_value, 3500, damage, attacker_uses_def=uses_def))
    if damage[0]:
        duel.lose(0, damage[0], "battle-damage")
    duel.add(*(DeterminedDestroyed(card) for card in destroyed))
    duel.begin("after-calculation")
    return duel


def test_attack_from_defense() -> None:
    """DC-4: Big Benkei with 3500 DEF and a monster with 3500 ATK destroy each other."""
    assert benkei(3500, uses_def=True).verdict("DC-4") == CONFORMS


def test_attack_from_defense_with_atk() -> None:
    """DC-4: Big Benkei in Defense Position does not battle with its ATK."""
    assert benkei(1000, uses_def=False).verdict("DC-4") == broken("DC-4")


def test_shogun_attacks_from_defense_with_its_atk() -> None:
    """DC-4: Total Defense Shogun applies its ATK."""
    duel = Battle()
    attacker, target = duel.real(0, "Total Defense Shogun", position="face-up-defense"), duel.real(1, atk=1000)
    duel.up_to_calculation(attacker, target)
    duel.add(DamageCalculated(attacker, target, 2500, 1000, (0, 1500), attacker_uses_def=True))
    duel.lose(1, 1500, "battle-damage")
    duel.add(DeterminedDestroyed(target))
    assert duel.verdict("DC-4") == broken("DC-4")


@pytest.mark.parametrize(
    "protected, damage, verdict",
    [
        (False, (500, 0), CONFORMS),
        (False, (0, 500), broken("DC-5")),
        (True, (0, 0), CONFORMS),
        (True, (500, 0), broken("DC-5")),
    ],
)
def test_damage_is_passed_on_before_it_becomes_0(
    protected: bool, damage: tuple[int, int], verdict: tuple[set[str], bool]
) -> None:
    """DC-5: Amazoness Swords Woman's controller passes the damage on (step 3); the other player then takes none (step 6)."""
    duel = Battle()
    attacker, target = duel.real(0, atk=2000), duel.real(1, "Amazoness Swords Woman")
    if protected:
        duel.add(StatusChanged("no-battle-damage", True, player=0))
    duel.fight(attacker, target, (2000, 1500), damage, (target,))
    assert duel.verdict("DC-5") == verdict


def test_a_monster_that_is_attacked_spares_its_player() -> None:
    """DC-5: Amazoness Fighter's controller takes no damage from a battle that it loses."""
    duel = Battle()
    attacker, target = duel.real(0, atk=2000), duel.real(1, "Amazoness Fighter")
    duel.fight(attacker, target, (2000, 1500), (0, 500), (target,))
    assert duel.verdict("DC-5") == broken("DC-5")


@pytest.mark.parametrize("damage", [(0, 0), (0, 500), (0, 1000)])
def test_altered_damage_is_left_open(damage: tuple[int, int]) -> None:
    """DC-5: what Canyon makes of the damage hangs on the target, so no damage is called wrong."""
    duel = Battle()
    attacker, target = duel.real(0, atk=2000), duel.real(1, atk=1500)
    duel.place_card(1, "Canyon", "field-zone")
    duel.fight(attacker, target, (2000, 1500), damage, (target,))
    assert duel.verdict("DC-1") == CONFORMS


def destroyed_in_order(*, damage_first: bool) -> Battle:
    """An attack whose damage and destruction come in this order."""
    duel = Battle()
    attacker, target = duel.real(0, atk=2000), duel.real(1, atk=1500)
    duel.up_to_calculation(attacker, target)
    events: list[Event] = [LpChanged(1, -500, 7500, "battle-damage"), DeterminedDestroyed(target)]
    duel.add(DamageCalculated(attacker, target, 2000, 1500, (0, 500)), *(events if damage_first else events[::-1]))
    duel.begin("after-calculation")
    return duel


def test_damage_before_destruction() -> None:
    """DC-7: the damage is dealt, then destruction is determined."""
    assert destroyed_in_order(damage_first=True).verdict("DC-7") == CONFORMS


def test_destruction_before_damage() -> None:
    """DC-7: a monster may not be determined destroyed before the damage is dealt."""
    assert destroyed_in_order(damage_first=False).verdict("DC-7") == broken("DC-7")


def test_destruction_before_calculation() -> None:
    """DC-7: nor before the damage is even calculated."""
    duel = Battle()
    attacker, target = duel.real(0, atk=2000), duel.real(1, atk=1500)
    duel.up_to_calculation(attacker, target)
    duel.add(DeterminedDestroyed(target))
    duel.calculate(target, (2000, 1500), (0, 500))
    duel.begin("after-calculation")
    assert duel.verdict("DC-7") == broken("DC-7")


@pytest.mark.parametrize("loss", [0, 400])
def test_the_damage_calculated_is_dealt(loss: int) -> None:
    """DC-7: the player loses what was calculated, no other amount."""
    duel = Battle()
    attacker = duel.real(0, atk=2000)
    duel.up_to_calculation(attacker, None)
    duel.add(DamageCalculated(attacker, None, 2000, None, (0, 2000)))
    if loss:
        duel.lose(1, loss, "battle-damage")
    duel.begin("after-calculation")
    assert duel.verdict("DC-7") == broken("DC-7")


@pytest.mark.parametrize("amount", [-2000, -500])
def test_the_last_life_points(amount: int) -> None:
    """DC-7: whether the last loss is told as the damage or as all there was, it is right."""
    duel = Battle(lp=(8000, 500))
    attacker = duel.real(0, atk=2000)
    duel.up_to_calculation(attacker, None)
    duel.add(DamageCalculated(attacker, None, 2000, None, (0, 2000)), LpChanged(1, amount, 0, "battle-damage"))
    duel.add(DuelEnded(0, "life-points"))
    assert duel.verdict("DC-7") == CONFORMS


@pytest.mark.parametrize("destroyed, verdict", [(False, CONFORMS), (True, broken("DC-8"))])
def test_indestructible(destroyed: bool, verdict: tuple[set[str], bool]) -> None:
    """DC-8: Marshmallon is never destroyed by battle; its controller still takes the damage."""
    duel = Battle()
    attacker, target = duel.real(0, atk=2000), duel.real(1, "Marshmallon")
    duel.fight(attacker, target, (2000, 300), (0, 1700), (target,) if destroyed else ())
    assert duel.verdict("DC-8") == verdict


@pytest.mark.parametrize("destroyed, verdict", [(False, CONFORMS), (True, broken("DC-8"))])
def test_protected_player(destroyed: bool, verdict: tuple[set[str], bool]) -> None:
    """DC-8: a condition of the player protects all their monsters."""
    duel = Battle()
    attacker, target = duel.real(0, atk=2000), duel.real(1, atk=1500)
    duel.add(StatusChanged("indestructible-by-battle", True, player=1))
    duel.fight(attacker, target, (2000, 1500), (0, 500), (target,) if destroyed else ())
    assert duel.verdict("DC-8") == verdict


@pytest.mark.parametrize("atk, destroyed", [(1900, False), (1800, True)])
def test_celtic_guard(atk: int, destroyed: bool) -> None:
    """DC-8: Obnoxious Celtic Guard is not destroyed by 1900 or more ATK, and destroyed by less."""
    duel = Battle()
    attacker, target = duel.real(0, atk=atk), duel.real(1, "Obnoxious Celtic Guard")
    duel.fight(attacker, target, (atk, 1400), (0, atk - 1400), (target,) if destroyed else ())
    assert duel.judge().violations == ()


def test_weak_monsters_destroy_celtic_guard() -> None:
    """DC-1: its protection does not reach a battle with less than 1900 ATK."""
    duel = Battle()
    attacker, target = duel.real(0, atk=1800), duel.real(1, "Obnoxious Celtic Guard")
    duel.fight(attacker, target, (1800, 1400), (0, 400))
    assert duel.verdict("DC-1") == broken("DC-1")


def test_a_replaced_destruction_is_none() -> None:
    """DC-1: a monster in whose place something went does not have to be destroyed."""
    duel = Battle()
    attacker, target = duel.real(0, atk=2000), duel.real(1, atk=1500)
    duel.up_to_calculation(attacker, target)
    duel.calculate(target, (2000, 1500), (0, 500))
    duel.begin("after-calculation")
    duel.add(DestructionReplaced(target, target))
    duel.both_pass()
    duel.begin("damage-end")
    assert duel.judge().violations == ()


def test_stats_stop_at_0() -> None:
    """DC-9: 500 ATK less 800 are 0, not -300."""
    duel = Battle()
    monster = duel.real(0, atk=500)
    duel.to_battle_step()
    duel.add(duel.stat(monster, 0, 1000))
    assert duel.verdict("DC-9") == CONFORMS
    duel.add(duel.stat(monster, -300, 1000))
    assert duel.verdict("DC-9") == broken("DC-9")


def direct_hit(lp: int, change: LpChanged, *after: BattlePhaseEnded | DuelEnded) -> Battle:
    """A direct attack with 2000 ATK on a player with these Life Points."""
    duel = Battle(lp=(8000, lp))
    attacker = duel.real(0, atk=2000)
    duel.up_to_calculation(attacker, None)
    duel.add(DamageCalculated(attacker, None, 2000, None, (0, 2000)), change, *after)
    return duel


def test_life_points_stop_at_0() -> None:
    """DC-9: Life Points stop at 0, and the duel ends."""
    duel = direct_hit(1500, LpChanged(1, -2000, 0, "battle-damage"), DuelEnded(0, "life-points"))
    assert duel.verdict("DC-9") == CONFORMS


def test_life_points_below_0() -> None:
    """DC-9: they do not fall below 0."""
    duel = direct_hit(1500, LpChanged(1, -2000, -500, "battle-damage"), DuelEnded(0, "life-points"))
    assert duel.verdict("DC-9") == broken("DC-9")


def test_life_points_add_up() -> None:
    """DC-9: 8000 less 2000 are 6000."""
    assert direct_hit(8000, LpChanged(1, -2000, 5000, "battle-damage")).broken_rules() == {"DC-9"}


def test_no_play_at_0() -> None:
    """DC-9: at 0 Life Points the duel does not go on."""
    duel = direct_hit(2000, LpChanged(1, -2000, 0, "battle-damage"))
    duel.begin("after-calculation")
    assert duel.verdict("DC-9") == broken("DC-9")


@pytest.mark.parametrize("spared, verdict", [(False, set()), (True, {"DC-11"})])
def test_damage_of_0_is_none(spared: bool, verdict: set[str]) -> None:
    """DC-11: Airknight Parshath draws for battle damage, not for damage that became 0."""
    duel = Battle()
    attacker = duel.real(0, "Airknight Parshath")
    if spared:
        duel.add(StatusChanged("no-battle-damage", True, player=1))
    duel.fight(attacker, None, (1900, None), (0, 0) if spared else (0, 1900), upto="after-calculation")
    duel.activate(0, attacker, 2, trigger=True)
    assert duel.verdict("DC-11") == (verdict, spared)


def test_no_effect_for_damage_of_0() -> None:
    """DC-11: at stake, and kept, where a monster that waits for damage inflicts none."""
    duel = Battle()
    attacker, target = duel.real(0, "Airknight Parshath"), duel.real(1, def_=1900, position="face-up-defense")
    duel.fight(attacker, target, (1900, 1900), target_uses_def=True)
    assert duel.verdict("DC-11") == CONFORMS
