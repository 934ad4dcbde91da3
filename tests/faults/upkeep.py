"""Seeded faults of what happens without a chain (DS-4)."""

from __future__ import annotations

from reference_engine.attack import Attack
from reference_engine.duel import Duel
from tests.faults.fault import Fault


def _known_too_late(duel: Duel, battle: Attack) -> None:
    target = battle.target
    if target is not None and not target.face_up and battle.goes_on(duel):
        duel.change_position(target, "face-up-defense", "battle")
        battle.flipped = target


FAULTS = (
    Fault(
        "self-destruction-at-the-flip",
        "DS-4",
        "A monster that the flip of a battle makes destroy itself does so at once",
        {"reference_engine.damage_step:flip_target": _known_too_late},
    ),
)
