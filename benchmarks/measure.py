"""Measuring rates side by side, so that a noisy machine slows both."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from statistics import median
from time import perf_counter

from msgspec import Struct

Slice = Callable[[], int]
"""Does a stretch of work, a tenth of a second or more, and says how many units it was."""


class Measurement(Struct, frozen=True, kw_only=True):
    """A rate, and how it compares.

    ``rate``    units a second, the median of the rounds
    ``against`` what it is compared with, and ``ratio`` how many times faster it is (median of the rounds); None: nothing
    ``wanted``  the least ``ratio``, or the least ``rate`` where nothing is compared, that the project promises; None: no promise
    """

    name: str
    unit: str
    rate: float
    against: str | None = None
    ratio: float | None = None
    wanted: float | None = None

    @property
    def kept(self) -> bool:
        """Whether the promise, if there is one, is kept."""
        return self.wanted is None or (self.rate if self.ratio is None else self.ratio) >= self.wanted


def interleaved(slices: Mapping[str, Slice], rounds: int) -> dict[str, list[float]]:
    """The rates (units a second) of each kind of work, round by round; the first, unmeasured round warms everything up."""
    rates: dict[str, list[float]] = {name: [] for name in slices}
    for number in range(rounds + 1):
        for name, work in slices.items():
            start = perf_counter()
            units = work()
            if number:
                rates[name].append(units / (perf_counter() - start))
    return rates


def median_ratio(rates: list[float], others: list[float]) -> float:
    """The median of the ratios of two kinds of work, round by round."""
    return median(rate / other for rate, other in zip(rates, others, strict=True))
