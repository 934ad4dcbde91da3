"""Examples a second: the whole suite against Hypothesis doing nothing but draw."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count, cycle, islice
from statistics import harmonic_mean

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.strategies import DataObject, data, integers

from benchmarks.measure import Measurement, Slice, interleaved
from conformance.budget import DEFAULT_EXAMPLES, Budget
from conformance.examiner import Examiner
from conformance.jobs import Counted, Message, Search
from conformance.search import search
from conformance.selection import select
from conformance.setup import Setup
from engine_protocol.rulesets import DEFAULT_RULESET

DRAWS = 30


def whole_suite(examiner: Examiner, searches: Iterable[Search]) -> Slice:
    """What a worker of `duelproof check` does, search by search: duels drawn, played and judged, some of them probed."""
    jobs = iter(searches)

    def work() -> int:
        played = 0

        def tell(message: Message) -> None:
            nonlocal played
            if isinstance(message, Counted):
                played += message.examples

        search(next(jobs), examiner, tell)
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
            max_examples=DEFAULT_EXAMPLES,
            phases=[Phase.generate],
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
        )
        seed(next(seeds))(generating(given(data())(draw)))()
        return played

    return work


def measure() -> Measurement:
    """All searches of `duelproof check` on the reference engine, each followed by as many bare examples, in one process.

    Searches differ in what they cost, so the rates are those of the whole: the harmonic means of the rounds.
    """
    selection = select(DEFAULT_RULESET, None)
    searches = list(Budget().searches(selection))
    with Examiner(Setup(engine="reference", rules=frozenset(selection.rules))) as examiner:
        rates = interleaved({"suite": whole_suite(examiner, cycle(searches)), "bare": bare_draws()}, len(searches))
    suite, bare = harmonic_mean(rates["suite"]), harmonic_mean(rates["bare"])
    return Measurement(
        name="whole suite: draw, play, judge",
        unit="examples/s",
        rate=suite,
        against=f"bare Hypothesis, {DRAWS} data() draws",
        ratio=suite / bare,
        wanted=2.0,
    )
