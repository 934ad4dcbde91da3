"""What a second worker brings to `duelproof check`, start-up included."""

from __future__ import annotations

import subprocess
import sys
from statistics import median

from benchmarks.measure import Measurement, Slice, interleaved, median_ratio

EXAMPLES = 100
"""Examples a rule in one run."""


def checks(workers: int) -> Slice:
    """Whole runs of the command with this many workers."""
    command = [
        sys.executable,
        "-m",
        "conformance",
        "check",
        "--workers",
        str(workers),
        "--examples",
        str(EXAMPLES),
        "--seed",
        "1",
    ]

    def work() -> int:
        finished = subprocess.run(command, capture_output=True, text=True, check=False)
        if finished.returncode:
            sys.exit(
                f"not measured, since `duelproof {' '.join(command[3:])}` does not conform:\n{finished.stdout}{finished.stderr}"
            )
        return 1

    return work


def measure(rounds: int) -> Measurement:
    """Two workers against one, in turn."""
    rates = interleaved({"two": checks(2), "one": checks(1)}, rounds)
    return Measurement(
        name=f"duelproof check, {EXAMPLES} examples a rule, two workers",
        unit="runs/s",
        rate=median(rates["two"]),
        against="one worker",
        ratio=median_ratio(rates["two"], rates["one"]),
    )
