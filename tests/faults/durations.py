"""Seeded faults of original values and of what lasts until the end of the Damage Step (DC-10, DS-11)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reference_engine.damage_step import after_damage_calculation
from reference_engine.duel import Duel
from tests.faults.fault import Fault

if TYPE_CHECKING:
    from reference_engine.attack import Attack
    from reference_engine.behaviour import Flow
    from reference_engine.card import Card

_after_damage_calculation = after_damage_calculation
_end_calculation = Duel.end_calculation


def _current_values(battle: Attack, monster: Card, *, uses_def: bool) -> int:
    return monster.def_ if uses_def else monster.atk


def _over_after_calculation(duel: Duel, battle: Attack) -> Flow:
    yield from _after_damage_calculation(duel, battle)
    duel.end_damage_step()


def _over_with_the_calculation(duel: Duel) -> None:
    _end_calculation(duel)
    duel.end_damage_step()


FAULTS: Final[tuple[Fault, ...]] = (
    Fault(
        "scripture-forgotten",
        "DC-10",
        "Forbidden Scripture does not have original values compared",
        {"reference_engine.calculation:battle_value": _current_values},
    ),
    Fault(
        "over-before-the-end",
        "DS-11",
        "What lasts until the end of the Damage Step is over when that end begins",
        {"reference_engine.damage_step:after_damage_calculation": _over_after_calculation},
    ),
    Fault(
        "over-with-the-calculation",
        "DS-11",
        "What lasts until the end of the Damage Step is over with damage calculation",
        {"reference_engine.duel:Duel.end_calculation": _over_with_the_calculation},
    ),
)
