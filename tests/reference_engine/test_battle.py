"""Battles between monsters, by the document battle-phase-flow: who takes what, who goes, and in which order."""

from __future__ import annotations

import pytest

from engine_protocol.events import DeterminedDestroyed, LpChanged, Moved
from tests.reference_engine.table import Table

BLUE_EYES = "Blue-Eyes White Dragon"  # 3000/2500
RAT = "Giant Rat"  # 1400/1450
LADY = "D.D. Warrior Lady"  # 1500/1600
SWORDS_WOMAN = "Amazoness Swords Woman"  # 1500/1600
EDGE = "Evil HERO Malicious Edge"  # 2600/1800, piercing


def fought(mine: str, theirs: str, position: str = "attack") -> Table:
    """The battle of two monsters, played to the end of the Battle Phase."""
    return Table({"attack": [mine]}, {position: [theirs]}).attack(mine, theirs).finish()


def test_the_lower_atk_loses_and_its_player_takes_the_difference() -> None:
    """N-003: 3000 against 1400 is 1600 damage and the Rat goes."""
    table = fought(BLUE_EYES, RAT)
    assert table.lp == (8000, 6400)
    assert table.place(RAT) == "graveyard"
    assert table.place(BLUE_EYES) == "monster-zone"


def test_an_attacker_with_the_lower_atk_goes_itself() -> None:
    """N-003, the other way round."""
    table = fought(RAT, BLUE_EYES)
    assert table.lp == (6400, 8000)
    assert table.place(RAT) == "graveyard"


def test_equal_atk_destroys_both_without_damage() -> None:
    """N-004."""
    table = Table({"attack": [RAT]}, {"attack": [RAT]}).attack(RAT, f"{RAT}#2").finish()
    assert table.lp == (8000, 8000)
    assert table.place(RAT) == table.place(f"{RAT}#2") == "graveyard"


def test_a_higher_atk_destroys_a_defender_without_damage() -> None:
    """N-005."""
    table = fought(BLUE_EYES, RAT, "defense")
    assert table.lp == (8000, 8000)
    assert table.place(RAT) == "graveyard"


def test_a_higher_def_hurts_the_attacking_player_only() -> None:
    """N-006: 1400 against 1600."""
    table = fought(RAT, LADY, "defense")
    assert table.lp == (7800, 8000)
    assert table.place(RAT) == table.place(LADY) == "monster-zone"


def test_piercing_inflicts_the_difference() -> None:
    """2600 against 1450."""
    assert fought(EDGE, RAT, "defense").lp == (8000, 6850)


def test_a_direct_attack_inflicts_the_atk() -> None:
    """N-013."""
    assert Table({"attack": [RAT]}, {}).attack(RAT).finish().lp == (8000, 6600)


def test_two_monsters_with_0_atk_leave_one_another_alone() -> None:
    """N-015."""
    table = Table({"attack": ["Sheep Token"]}, {"attack": ["Sheep Token"]})
    table.attack("Sheep Token", "Sheep Token#2").finish()
    assert table.lp == (8000, 8000)
    assert table.kinds(DeterminedDestroyed) == []


def test_damage_comes_before_destruction_is_determined_and_both_before_the_grave() -> None:
    """N-035, N-155."""
    table = fought(BLUE_EYES, RAT)
    order = [type(event) for event in table.events if isinstance(event, (LpChanged, DeterminedDestroyed, Moved))]
    assert order == [LpChanged, DeterminedDestroyed, Moved]


def test_the_opponent_takes_the_damage_of_the_swords_woman() -> None:
    """Step 3 of the battle damage order (N-021): she loses to 3000 and the attacker's player takes 1500."""
    assert fought(BLUE_EYES, SWORDS_WOMAN).lp == (6500, 8000)


def test_a_monster_that_attacks_in_defense_position_uses_its_def() -> None:
    """N-008: Big Benkei (DEF 3500) against 3000."""
    benkei = "Superheavy Samurai Big Benkei"
    table = Table({"defense": [benkei]}, {"attack": [BLUE_EYES]}).attack(benkei, BLUE_EYES).finish()
    assert table.lp == (8000, 7500)
    assert table.calculations[0].attacker_uses_def


@pytest.mark.parametrize("lp", [1600, 1000])
def test_the_duel_ends_at_0_life_points_and_they_do_not_fall_below(lp: int) -> None:
    """DC-9; the loser is not destroyed any more, for the duel is over."""
    table = Table({"attack": [BLUE_EYES]}, {"attack": [RAT]}, lp=(8000, lp)).attack(BLUE_EYES, RAT).finish()
    assert table.lp == (8000, 0)
    assert table.place(RAT) == "monster-zone"
