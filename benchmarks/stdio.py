"""Decisions a second across a process boundary: step by step, and a whole duel in one exchange."""

from __future__ import annotations

from statistics import median

from benchmarks.battle_phase import measured_duel
from benchmarks.measure import Measurement, Slice, interleaved, median_ratio
from engine_protocol.driver import play
from engine_protocol.engine import Engine

PLAYS = 20
"""Battle Phases of one slice."""


def measure(remote: Engine, rounds: int) -> list[Measurement]:
    """What the ability ``play`` saves on an engine that has it, reached over stdio."""
    duel = measured_duel(remote)

    def by(whole: bool) -> Slice:
        def work() -> int:
            for _ in range(PLAYS):
                play(remote, duel.board, duel.script, whole=whole)
            return PLAYS * len(duel.script)

        return work

    rates = interleaved({"whole": by(whole=True), "steps": by(whole=False)}, rounds)
    return [
        Measurement(name="over stdio, step by step", unit="decisions/s", rate=median(rates["steps"])),
        Measurement(
            name="over stdio, a duel in one exchange",
            unit="decisions/s",
            rate=median(rates["whole"]),
            against="step by step",
            ratio=median_ratio(rates["whole"], rates["steps"]),
        ),
    ]
