"""The table of the seeded faults tells what came of them."""

from __future__ import annotations

from pathlib import Path

import msgspec

from conformance.budget import DEFAULT_EXAMPLES
from oracles import RULES
from tests.faults.catalogue import FAULTS
from tests.faults.table import Row, Table, as_json, as_markdown

KEPT = Path(__file__).parents[2] / "docs" / "faults.json"

ROWS = (
    Row(
        name="one",
        title="First mistake",
        rule="DS-2",
        kind="flips",
        caught_by=("DS-2", "DS-3"),
        examples=2,
        seconds=0.5,
        cards=2,
        choices=1,
    ),
    Row(name="two", title="Second mistake", rule="DS-3", caught_by=("DS-3",), examples=10, seconds=1.5, cards=4, choices=2),
    Row(name="three", title="Third mistake", rule="BD-1", ruleset="duel-arena", parameter="replay_causes"),
)


def test_figures_are_of_the_faults_that_were_caught() -> None:
    """Two of three: the medians of 2 and 10 duels, of 0.5 and 1.5 seconds, of 2 and 4 cards are 6, 1 and 3."""
    summary = msgspec.json.decode(as_json(ROWS), type=Table).summary
    assert (summary.faults, summary.caught, summary.kinds_of_simulators, summary.parameters_with_a_fault) == (3, 2, 1, 1)
    assert (summary.median_examples, summary.median_seconds, summary.median_cards) == (6, 1.0, 3)
    assert (summary.most_examples, summary.most_seconds, summary.most_cards) == (10, 1.5, 4)


def test_the_page_says_what_was_missed() -> None:
    """A fault that its rule did not notice stands out; the rule that is named is not repeated among those that noticed too."""
    page = as_markdown(ROWS)
    assert "| First mistake<br>*Kind: flips* | ocg-2023 | DS-2 | DS-3 | 2 | 0.50 | 2 | 1 |" in page
    assert "| Third mistake | duel-arena | BD-1 |  | **not caught** | | | |" in page
    assert "2 of 3 (66.7%)" in page


def test_the_table_that_is_kept_is_of_these_faults_and_rules() -> None:
    """Who adds a fault or a rule runs `make faults` again; what the page says of how many there are then is true."""
    kept = msgspec.json.decode(KEPT.read_bytes(), type=Table)
    assert [(row.name, row.rule) for row in kept.faults] == [(fault.name, fault.rule) for fault in FAULTS]
    assert (kept.summary.rules, kept.examples) == (len(RULES), DEFAULT_EXAMPLES)
