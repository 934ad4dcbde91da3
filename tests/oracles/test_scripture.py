"""DC-10, DS-11: original values, and what lasts until the end of the Damage Step."""

from __future__ import annotations

import pytest

from engine_protocol.events import LinkResolved, StatusChanged
from tests.oracles.chained import Chained


def scripture(*before: str) -> tuple[Chained, int, int]:
    """Player A's Gemini Elf (1900 ATK), changed by these cards after the declaration, battles Celtic Guardian (1400), and
    Forbidden Scripture negates the effects of all others during damage calculation.
    """
    duel = Chained()
    elf, guardian = duel.real(0, "Gemini Elf"), duel.real(1, "Celtic Guardian")
    cards = [duel.place_card(0, name, position="face-down") for name in before]
    book = duel.place_card(0, "Forbidden Scripture", position="face-down")
    duel.declare(elf, guardian)
    duel.to_after_declaration()
    for card in cards:
        duel.activate(0, card, targets=(elf,))
        duel.resolve([duel.stat(elf, 2600, 900)])
    duel.both_pass()
    duel.through("damage-start", "before-calculation")
    duel.begin("during-calculation")
    duel.activate(0, book)
    duel.resolve([StatusChanged("effects-negated", True, guardian)])
    return duel, elf, guardian


@pytest.mark.parametrize("compared, broken", [(1900, []), (2600, ["DC-10"])])
def test_original_values_are_compared(compared: int, broken: list[str]) -> None:
    """DC-10: Rush Recklessly has raised Gemini Elf's ATK, and Forbidden Scripture has 1900 compared (N-016)."""
    duel, _, guardian = scripture("Rush Recklessly")
    duel.calculate(guardian, (compared, 1400), (0, compared - 1400), (guardian,))
    judgement = duel.judge("DC-10")
    assert judgement.at_stake["DC-10"] == 1
    assert [violation.rule for violation in judgement.violations] == broken


def test_nothing_is_at_stake_where_the_values_are_original() -> None:
    """DC-10: what is compared would be the same without the effect."""
    duel, _, guardian = scripture()
    duel.calculate(guardian, (1900, 1400), (0, 500), (guardian,))
    assert duel.judge("DC-10").at_stake["DC-10"] == 0


def test_changed_original_values_are_not_known() -> None:
    """DC-10: Shrink has halved the original ATK, and the trace does not tell to what."""
    duel, _, guardian = scripture("Shrink")
    duel.calculate(guardian, (950, 1400), (450, 0))
    judgement = duel.judge("DC-10")
    assert (judgement.at_stake["DC-10"], judgement.violations) == (0, ())


def test_a_negated_effect_changes_nothing() -> None:
    """DC-10: the effect of Forbidden Scripture was negated, so the current values are compared."""
    duel, _, guardian = scripture("Rush Recklessly")
    last = max(at for at, event in enumerate(duel.events) if isinstance(event, LinkResolved))
    duel.events[last] = LinkResolved(1, "effect-negated")
    duel.calculate(guardian, (2600, 1400), (0, 1200), (guardian,))
    judgement = duel.judge("DC-10")
    assert (judgement.at_stake["DC-10"], judgement.violations) == (0, ())


def up_to_the_end() -> tuple[Chained, StatusChanged]:
    """The battle, up to the beginning of the end of the Damage Step, and the event by which the negation ends."""
    duel, _, guardian = scripture()
    duel.calculate(guardian, (1900, 1400), (0, 500))
    duel.through("after-calculation")
    duel.begin("damage-end")
    return duel, StatusChanged("effects-negated", False, guardian)


def test_it_lasts_until_the_end_of_the_damage_step() -> None:
    """DS-11: the negation is over when nobody acts in the Damage Step any more (N-179)."""
    duel, ends = up_to_the_end()
    duel.both_pass()
    duel.add(ends)
    duel.end_attack("battled")
    judgement = duel.judge("DS-11")
    assert (judgement.at_stake["DS-11"], judgement.violations) == (1, ())


def test_it_does_not_end_while_the_players_can_act() -> None:
    """DS-11: nor when the end of the Damage Step begins."""
    duel, ends = up_to_the_end()
    duel.add(ends)
    duel.both_pass()
    assert [violation.rule for violation in duel.judge("DS-11").violations] == ["DS-11"]


def test_it_does_not_end_with_the_calculation() -> None:
    """DS-11: nor between two timings."""
    duel, _, guardian = scripture()
    duel.calculate(guardian, (1900, 1400), (0, 500))
    duel.add(StatusChanged("effects-negated", False, guardian))
    duel.through("after-calculation")
    assert [violation.rule for violation in duel.judge("DS-11").violations] == ["DS-11"]


@pytest.mark.parametrize("early, broken", [(False, []), (True, ["DS-11"])])
def test_a_change_of_atk_lasts_as_long(early: bool, broken: list[str]) -> None:
    """DS-11: Penumbral Soldier Lady has her 1000 ATK during the Damage Step."""
    duel = Chained()
    lady, guardian = duel.real(0, "Penumbral Soldier Lady"), duel.real(1, "Shining Angel")
    duel.to_damage_step(lady, guardian)
    duel.through("damage-start")
    duel.begin("before-calculation")
    duel.trigger(0, lady)
    duel.resolve([duel.stat(lady, 3100, 1400)])
    if early:
        duel.add(duel.stat(lady, 2100, 1400))
    duel.both_pass()
    duel.through("during-calculation")
    duel.calculate(guardian, (3100, 1400), (0, 1700), (guardian,))
    judgement = duel.judge("DS-11")
    assert judgement.at_stake["DS-11"] == 1
    assert [violation.rule for violation in judgement.violations] == broken
