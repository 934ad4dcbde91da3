"""The seeded faults, section by section of the catalogue of rules."""

from __future__ import annotations

from typing import Final

from tests.faults import (
    activation,
    attack,
    calculation,
    chains,
    damage_step,
    destroyed,
    durations,
    general,
    inner_battle,
    invariants,
    parameters,
    replay,
    steps,
    upkeep,
)
from tests.faults.fault import Fault

FAULTS: Final[tuple[Fault, ...]] = (
    *steps.FAULTS,
    *attack.FAULTS,
    *replay.FAULTS,
    *damage_step.FAULTS,
    *upkeep.FAULTS,
    *activation.FAULTS,
    *chains.FAULTS,
    *calculation.FAULTS,
    *destroyed.FAULTS,
    *durations.FAULTS,
    *inner_battle.FAULTS,
    *general.FAULTS,
    *invariants.FAULTS,
    *parameters.FAULTS,
)
"""All of them."""
