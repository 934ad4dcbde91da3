"""The table of the seeded faults tells what came of them."""

from __future__ import annotations

import msgspec

from tests.faults.table import Row, Table, as_json, as_markdown

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
