"""Examples a second: the whole suite against Hypothesis doing nothing but draw."""

from __future__ import annotations

from itertools import count, cycle, islice
from statistics import median

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.strategies import DataObject, data, integers

from benchmarks.measure import Measurement, Slice, interleaved, median_ratio
from conformance.examiner import Examiner
from conformance.jobs import Counted, Message, Search
from conformance.search import search

DRAWS = 30
EXAMPLES = 200
"""Examples of one slice."""


def whole_suite(examiner: Examiner) -> Slice:
    """What a worker of `duelproof check` does: board and script drawn, duel played, trace judged, some duels probed."""
    seeds = count()

    def work() -> int:
        played = 0

        def tell(message: Message) -> None:
            nonlocal played
            if isinstance(message, Counted):
                played += message.examples

        search(Search(number=0, focus=None, seed=next(seeds), examples=EXAMPLES), examiner, tell)
        return played

    return work


def bare_draws() -> Slice:
    """Hypothesis alone: 30 choices among 2 to 7 options, drawn one by one from strategies built beforehand."""
    options = [integers(0, most) for most in islice(cycle(range(1, 7)), DRAWS)]
    seeds = count()

    def work() -> int:
        played = 0

        def draw(source: DataObject) -> None:
            nonlocal played
            played += 1
            for option in options:
                source.draw(option)

        generating = settings(
            max_examples=EXAMPLES,
            phases=[Phase.generate],
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
        )
        seed(next(seeds))(generating(given(data())(draw)))()
        return played

    return work


def measure(examiner: Examiner, rounds: int) -> Measurement:
    """The suite against bare Hypothesis, in turn, in one process."""
    rates = interleaved({"suite": whole_suite(examiner), "bare": bare_draws()}, rounds)
    return Measurement(
        name="whole suite: draw, play, judge",
        unit="examples/s",
        rate=median(rates["suite"]),
        against=f"bare Hypothesis, {DRAWS} data() draws",
        ratio=median_ratio(rates["suite"], rates["bare"]),
        wanted=2.0,
    )
