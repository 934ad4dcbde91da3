"""Seeded faults of original values, of what lasts until the end of the Damage Step, and of how far negation on the field reaches
(DC-10, DS-11, BD-14).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from reference_engine.chain import effect_is_negated, resolve_link
from reference_engine.damage_step import after_damage_calculation
from reference_engine.duel import Duel
from tests.faults.fault import Fault

if TYPE_CHECKING:
    from reference_engine.attack import Attack
    from reference_engine.behaviour import Flow
    from reference_engine.card import Card
    from reference_engine.chain import Link

_after_damage_calculation = after_damage_calculation
_effect_is_negated = effect_is_negated
_resolve_link = resolve_link
_end_calculation = Duel.end_calculation


def _current_values(battle: Attack, monster: Card, *, uses_def: bool) -> int:
    return monster.def_ if uses_def else monster.atk


def _over_after_calculation(duel: Duel, battle: Attack) -> Flow:
    yield from _after_damage_calculation(duel, battle)
    duel.end_damage_step()


def _over_with_the_calculation(duel: Duel) -> None:
    _end_calculation(duel)
    duel.end_damage_step()


def _drained_in_the_graveyard(duel: Duel, link: Link) -> Flow:
    drained = any(card.facts.name == "Skill Drain" and card.active for card in duel.cards.values())
    if drained and link.card.zone == "graveyard" and link.card.facts.type == "monster":
        link.outcome = "effect-negated"
        return
    yield from _resolve_link(duel, link)


def _not_negated_when_determined(link: Link) -> bool:
    return not link.card.determined and _effect_is_negated(link)


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
    Fault(
        "drained-in-the-graveyard",
        "BD-14",
        "Skill Drain negates what monsters activate in the Graveyard",
        {"reference_engine.chain:resolve_link": _drained_in_the_graveyard},
    ),
    Fault(
        "determined-escape-negation",
        "BD-14",
        "Skill Drain does not negate a monster that is determined destroyed",
        {"reference_engine.chain:effect_is_negated": _not_negated_when_determined},
    ),
)
