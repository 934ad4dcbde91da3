"""Battle Phases a second of an engine in process, on one core."""

from __future__ import annotations

from statistics import median

from benchmarks.battle_phase import measured_duel
from benchmarks.measure import Measurement, interleaved
from engine_protocol.engine import PlayingEngine

PLAYS = 100
"""Battle Phases of one slice."""


def measure(engine: PlayingEngine, rounds: int) -> Measurement:
    """How often a second the engine sets the board up and plays the Battle Phase to its end."""
    duel = measured_duel(engine)

    def work() -> int:
        for _ in range(PLAYS):
            engine.play(duel.board, duel.script)
        return PLAYS

    rates = interleaved({"play": work}, rounds)
    return Measurement(
        name=f"reference engine: 2 attacks, {duel.decisions} decisions, with set-up",
        unit="Battle Phases/s",
        rate=median(rates["play"]),
        wanted=1_000,
    )
