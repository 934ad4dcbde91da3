"""What a run keeps, whoever is faster."""

from __future__ import annotations

import pytest

from conformance.budget import Budget, Clock
from conformance.findings import citations_of
from conformance.jobs import Counted, Found, Search
from conformance.ledger import DISTINCT_FAILURES, Ledger
from conformance.problems import Problem
from conformance.selection import Selection, select
from engine_protocol.board import Board
from engine_protocol.errors import InputError
from oracles import RULES
from reports.model import EngineIdentity, FailureCode, Finding, Header, Settings
from strategies import FOCUSES, Duel

RULES_CHECKED = ("DC-1", "DC-3", "IV-4")
EMPTY = Duel(Board(ruleset="ocg-2023", cards=()), b"")


def ledger(unsupported: dict[str, str] | None = None, floor: int = 1) -> Ledger:
    """An empty ledger."""
    header = Header(
        suite_version="1",
        engine=EngineIdentity(name="it", version="1"),
        ruleset="ocg-2023",
        seed=0,
        settings=Settings(rules=RULES_CHECKED, floor=floor),
        started="",
    )
    return Ledger(header, Selection(rules=RULES_CHECKED, rulings=()), unsupported or {})


def search(number: int, focus: str | None) -> Search:
    """A search with this number."""
    return Search(number=number, focus=focus, seed=0, examples=1)


def found(rule: str, happened: str, code: FailureCode | None = None) -> Found:
    """A finding."""
    problem = Problem(rule=rule, expected="", happened=happened, code=code)
    return Found(problem=problem, duel=EMPTY, finding=Finding(rule=rule, expected="", happened=happened))


def counted(examples: int, draws: int, **at_stake: int) -> Counted:
    """A message about progress; ``DC_1`` stands for DC-1."""
    stakes = {rule.replace("_", "-"): count for rule, count in at_stake.items()}
    return Counted(examples=examples, draws=draws, at_stake=stakes, failures={}, unsupported=0)


def test_verdicts() -> None:
    """At stake and clean conforms; never at stake is not observed, or unsupported where that is why; found is violated."""
    book = ledger({"DC-3": "no such cards", "DC-1": "not asked"})
    book.count(counted(9, 10, DC_1=7))
    book.find(found("IV-4", "it crashed", "crash"), search(0, None))
    assert [(rule.id, rule.verdict, rule.at_stake) for rule in book.report().rules] == [
        ("DC-1", "conforms", 7),
        ("DC-3", "unsupported", 0),
        ("IV-4", "violated", 0),
    ]
    assert ledger().report().rules[1].verdict == "not-observed"
    assert book.footer(1.0, None).discarded == pytest.approx(0.1)


@pytest.mark.parametrize("at_stake, verdict", [(0, "not-observed"), (49, "not-observed"), (50, "conforms")])
def test_floor(at_stake: int, verdict: str) -> None:
    """A rule below the floor of its run was not observed, and the report says how often it was at stake."""
    book = ledger(floor=50)
    book.count(counted(90, 90, DC_1=at_stake))
    rule = book.report().rules[0]
    assert (rule.verdict, rule.at_stake) == (verdict, at_stake)
    assert (rule.reason is not None) == (at_stake == 49)


@pytest.mark.parametrize("examples, floor", [(1, 1), (20, 5), (200, 50), (5000, 50), (None, 50)])
def test_floor_of_a_budget(examples: int | None, floor: int) -> None:
    """Every rule is at stake 50 times with the default of 200 duels, so a run of fewer is asked for less."""
    assert Budget(examples=examples, seconds=None if examples else 9.0).floor == floor


@pytest.mark.parametrize("refused, verdict", [(3, "not-observed"), (90, "unsupported")])
def test_refused_boards(refused: int, verdict: str) -> None:
    """An engine that refuses most boards does not support what was not at stake; one that refuses a few was not seen doing it."""
    book = ledger()
    book.count(Counted(examples=100, draws=100, at_stake={"DC-1": 7}, failures={}, unsupported=refused))
    assert [rule.verdict for rule in book.report().rules[:2]] == ["conforms", verdict]


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 2, 0)])
def test_precedence_does_not_depend_on_speed(order: tuple[int, ...]) -> None:
    """The duel of the rule's own focus goes first, then that of the earliest search, in whichever order they come in."""
    candidates = [
        (found("DC-1", "late"), search(5, "AT-1")),
        (found("DC-1", "own"), search(9, "DC-1")),
        (found("DC-1", "other"), search(1, "DC-3")),
    ]
    book = ledger()
    for number in order:
        book.find(*candidates[number])
    assert [finding.happened for finding in book.report().findings] == ["own"]


def test_shrunk_duels_are_not_given_up() -> None:
    """Once a duel is small, another of the same rule is no news."""
    book = ledger()
    book.find(found("DC-1", "first"), search(5, None))
    book.improve("DC-1", Finding(rule="DC-1", expected="", happened="small"))
    assert book.find(found("DC-1", "again"), search(0, "DC-1")) is None
    assert [finding.happened for finding in book.report().findings] == ["small"]


def test_failures_are_told_apart_but_not_without_end() -> None:
    """Numbers and addresses do not make another failure; so many different ones are kept."""
    book = ledger()
    for number in range(50):
        book.find(found("IV-4", f"KeyError: {number} at 0x7f{number}", "crash"), search(number, None))
    assert len(book.report().engine_failures) == 1
    for letter in "abcdefghijk":
        book.find(found("IV-4", f"error {letter}", "crash"), search(0, None))
    assert len(book.report().engine_failures) == DISTINCT_FAILURES


def test_selection_by_pattern() -> None:
    """Wildcards, commas, rulings and small letters; the order is the catalogue's."""
    chosen = select("ocg-2023", "dc-3,DC-1, m-043*")
    assert chosen.rules == ("DC-1", "DC-3")
    assert [name[:5] for name in chosen.rulings] == ["M-043"]
    decided = {rule.id for rule in RULES.values() if "ocg-2023" in rule.severity and "ocg-2023" not in rule.undecided}
    assert set(select("ocg-2023").rules) == decided
    with pytest.raises(InputError, match="no rule or ruling fits 'DC-1X'"):
        select("ocg-2023", "DC-1,DC-1X")


def test_searches_by_examples_and_by_time() -> None:
    """By examples each focus has its turn once; by time they go round with new seeds. Other rules change no seed."""
    selection = Selection(rules=("DC-1", "DC-3", "XX-1"), rulings=())
    once = list(Budget(examples=7, seed=4).searches(selection))
    assert [(job.focus, job.examples) for job in once] == [("DC-1", 7), ("DC-3", 7), (None, 7)]
    alone = next(Budget(examples=7, seed=4).searches(Selection(rules=("DC-3",), rulings=())))
    assert alone.seed == once[1].seed
    endless = Budget(examples=None, seconds=60.0).searches(selection)
    rounds = [next(endless) for _ in range(6)]
    assert [job.focus for job in rounds] == ["DC-1", "DC-3", None] * 2
    assert len({job.seed for job in rounds}) == 6
    assert {"DC-1", "DC-3"} <= set(FOCUSES)


def test_clock() -> None:
    """A clock without limit never runs out; one without time has."""
    assert (Clock(None).left, Clock(None).is_over) == (None, False)
    assert Clock(0.0).is_over


@pytest.mark.parametrize(
    "rule, ruleset, documents",
    [
        ("DS-5", "expert-2007", ["expert-2007"]),
        ("DS-5", "master-rule-2", ["damage-step-wiki-before", "expert-2007"]),
        ("DC-9", "ocg-2023", ["duel-arena-wiki"]),
    ],
)
def test_documents_of_the_ruleset(rule: str, ruleset: str, documents: list[str]) -> None:
    """A finding cites what speaks for its ruleset, its own documents first, not those of another that say otherwise; of a rule
    of the game at any time whoever has it.
    """
    assert [citation.document for citation in citations_of(rule, ruleset)] == documents
