"""Searching: what is found and counted."""

from __future__ import annotations

import re
from collections import Counter

from conformance.examiner import Examiner
from conformance.jobs import Counted, Done, Found, Message, Playing, Search
from conformance.search import FAILURES, search
from conformance.setup import Setup
from oracles import RULES


class Told:
    """What a search told."""

    def __init__(self, engine: str, focus: str | None, examples: int = 40, *, announce: bool = False, **job: float) -> None:
        setup = Setup(engine=f"python:tests.conformance.miniatures:{engine}", rules=frozenset(RULES), timeout=0.2)
        self.messages: list[Message] = []
        with Examiner(setup) as examiner:
            asked = Search(number=0, focus=focus, seed=3, examples=examples, **job)  # type: ignore[arg-type]
            self.done: Done = search(asked, examiner, self.messages.append, announce=announce)

    @property
    def found(self) -> list[str]:
        """The rules found broken, in the order of the messages."""
        return [message.problem.rule for message in self.messages if isinstance(message, Found)]

    @property
    def counts(self) -> list[Counted]:
        """The messages that count."""
        return [message for message in self.messages if isinstance(message, Counted)]

    @property
    def at_stake(self) -> Counter[str]:
        """How often each rule was at stake in all."""
        total: Counter[str] = Counter()
        for counted in self.counts:
            total.update(counted.at_stake)
        return total


def test_counts_add_up() -> None:
    """As many duels are counted as were asked for, none discarded, and each ended."""
    told = Told("Whole", "DC-1")
    assert sum(counted.examples for counted in told.counts) == sum(counted.draws for counted in told.counts) == 40
    assert told.at_stake["IV-3"] == told.at_stake["IV-4"] == 40
    assert told.at_stake["IV-1"] == 3, "the first, seventeenth and thirty-third duel are probed"
    assert told.at_stake["DC-1"] > 20
    assert told.done.cut is None


def test_same_seed_same_duels() -> None:
    """A search is repeatable: the same counts, whatever the engine's way to play."""
    assert Told("Whole", "DC-3").at_stake == Told("Whole", "DC-3").at_stake == Told("Stepwise", "DC-3").at_stake


def test_each_broken_rule_is_found_once() -> None:
    """One broken rule does not hide another, and the search goes on after both."""
    told = Told("BreaksTwoRules", "DC-9", examples=120)
    assert told.found.count("DC-3") == told.found.count("DC-9") == 1
    assert sum(counted.examples for counted in told.counts) == 120


def test_findings_carry_a_duel() -> None:
    """A finding knows board, choices and story, also when the engine fails within `play`."""
    crash = next(message for message in Told("CrashesLate", "DC-3").messages if isinstance(message, Found))
    assert crash.finding.duel is not None
    assert crash.finding.duel.choices[-1].do.kind == "attack"
    assert re.search("Player [AB] attacks with", crash.finding.story)


def test_hopeless_engine_is_left_alone() -> None:
    """After so many failures nothing new is learnt; the end is said to be early."""
    told = Told("WrongTypes", None)
    assert told.found == ["IV-4"]
    assert sum(counted.examples for counted in told.counts) == FAILURES
    assert told.done.cut == "the engine failed in too many duels"


def test_an_engine_that_failed_plays_no_further_duel() -> None:
    """Duels are played before they are judged, but after a failure the engine is started anew first: every fifth duel fails."""
    told = Told("CrashesInPlay", "DC-1", examples=30)
    [(failure, times)] = sum((Counter(counted.failures) for counted in told.counts), Counter[str]()).items()
    assert "ArithmeticError: five" in failure
    assert times == 6
    assert sum(counted.examples for counted in told.counts) == 30


def test_time_ends_a_search() -> None:
    """With no time left no duel is played, and none counts as discarded."""
    told = Told("Whole", None, seconds=0.0)
    assert told.counts == []


def test_announcing_names_each_duel_first() -> None:
    """A parent that must know what a worker dies of is told before each duel."""
    told = Told("Whole", "DC-1", examples=5, announce=True)
    assert sum(isinstance(message, Playing) for message in told.messages) == 5
    assert isinstance(told.messages[0], Playing)
