"""What the benchmarks measure, without measuring it: no test depends on time."""

from __future__ import annotations

import pytest

from benchmarks.battle_phase import measured_duel
from benchmarks.measure import Measurement, interleaved, median_ratio
from reference_engine import ReferenceEngine


def test_measured_battle_phase() -> None:
    """The Battle Phase that is measured has the two attacks and the about 45 decisions that the promise of speed speaks of."""
    assert 40 <= measured_duel(ReferenceEngine()).decisions <= 50


def test_script_repeats_the_measured_battle_phase() -> None:
    """Played by its script, the measured duel has both attacks again, so no round measures an idle Battle Phase."""
    engine = ReferenceEngine()
    duel = measured_duel(engine)
    events = [type(event).__name__ for event in engine.play(duel.board, duel.script)]
    assert (events.count("AttackDeclared"), events.count("DamageCalculated")) == (2, 2)


def test_kinds_of_work_take_turns() -> None:
    """Every round runs each kind of work once, after one round that is not measured."""
    order: list[str] = []

    def work(name: str) -> int:
        order.append(name)
        return 1

    rates = interleaved({"a": lambda: work("a"), "b": lambda: work("b")}, rounds=2)
    assert order == ["a", "b"] * 3
    assert {name: len(measured) for name, measured in rates.items()} == {"a": 2, "b": 2}


def test_ratio_is_taken_round_by_round() -> None:
    """A slow round slows both sides and leaves the ratio alone, and a hiccup of one side in one round does too."""
    assert median_ratio([20.0, 2.0, 30.0], [10.0, 1.0, 1.0]) == 2.0


@pytest.mark.parametrize(
    "rate, ratio, wanted, kept",
    [(5.0, None, None, True), (5.0, None, 6.0, False), (5.0, 2.5, 2.0, True), (5.0, 1.5, 2.0, False)],
)
def test_promise(rate: float, ratio: float | None, wanted: float | None, kept: bool) -> None:
    """A promise is about the ratio where there is one, otherwise about the rate."""
    assert Measurement(name="x", unit="y/s", rate=rate, ratio=ratio, wanted=wanted).kept is kept
