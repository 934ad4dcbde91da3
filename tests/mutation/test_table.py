"""The report on the mutants tells what came of them."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from tests.mutation.table import Mutant, Report, Verdicts, as_json, as_markdown, known_verdicts, report_on

VERDICTS = """
[[equivalent]]
module = "chain"
function = "offer"
under = "if c:"
before = "return x | y"
after = "return y | x"
why = "A union is the same in either order."
"""


def mutant(outcome: str, *, module: str = "chain", under: str = "if c:", before: str = "if a:", line: int = 7) -> Mutant:
    """A mutant of which the judge said this."""
    after = "return y | x" if before == "return x | y" else "if not a:"
    return Mutant(module=module, function="offer", line=line, under=under, before=before, after=after, outcome=outcome)


MUTANTS = (
    mutant("killed by DS-3: it happened"),
    mutant("killed by M-045-no-answer: it happened", line=8),
    mutant("killed by IV-4: it crashed", module="flow"),
    mutant("survived", before="if b:", line=9),
    mutant("survived", before="return x | y", line=4),
)


@pytest.fixture
def verdicts(tmp_path: Path) -> Path:
    """A file with one verdict."""
    path = tmp_path / "verdicts.toml"
    path.write_text(VERDICTS, encoding="utf-8")
    return path


def test_the_score_leaves_equivalent_mutants_out(verdicts: Path) -> None:
    """Of five mutants one is equivalent; three of the other four were noticed: 75 %, in the module on chains two of three."""
    report = report_on(MUTANTS, known_verdicts(verdicts))
    assert (report.total.mutants, report.total.killed, report.total.equivalent, report.total.survived) == (5, 3, 1, 1)
    assert report.total.score == 0.75
    assert report.modules["chain"].score == 0.6667
    assert report.killed_by == {"a ruling": 1, "a rule": 1, "a failure as a program": 1}


def test_a_verdict_outlives_the_line_it_was_given_on(verdicts: Path) -> None:
    """The verdict was given without a line; the survivor at line 4 has it, the one at line 9 has none."""
    report = msgspec.json.decode(as_json(report_on(MUTANTS, known_verdicts(verdicts))), type=Report)
    assert [(survivor.line, survivor.why) for survivor in report.survivors] == [
        (4, "A union is the same in either order."),
        (9, None),
    ]


def test_a_mutant_that_is_only_explained_counts_as_not_noticed(verdicts: Path) -> None:
    """It is not equivalent: the score is that without the verdict, three of five."""
    verdicts.write_text(VERDICTS.replace("equivalent", "unnoticed"), encoding="utf-8")
    report = report_on(MUTANTS, known_verdicts(verdicts))
    assert (report.total.equivalent, report.total.score) == (0, 0.6)
    assert report.survivors[0].why == "A union is the same in either order."


def test_the_page_shows_survivors_with_their_verdicts(verdicts: Path) -> None:
    """A stroke in the code would end the cell of the table, so it is written otherwise."""
    page = as_markdown(report_on(MUTANTS, known_verdicts(verdicts)))
    assert "**75.0%**" in page
    assert r"| `chain.offer` | `return x \| y`<br>`return y \| x` | A union is the same in either order. |" in page
    assert page.index("## Not noticed") < page.index("`if b:`") < page.index("## Equivalent")


def test_a_judge_that_fails_kills_nothing() -> None:
    """Neither the one nor the other was said: the run is worth nothing."""
    with pytest.raises(ValueError, match="the judge failed"):
        report_on((mutant("Traceback (most recent call last):"),), Verdicts())


def test_a_mutant_that_was_noticed_is_not_equivalent(verdicts: Path) -> None:
    """The verdict says that no duel can tell, and a duel has told."""
    with pytest.raises(ValueError, match="not equivalent"):
        report_on((mutant("killed by DS-3: it happened", before="return x | y"),), known_verdicts(verdicts))


def test_the_same_line_elsewhere_in_a_function_is_another_mutant(verdicts: Path) -> None:
    """Guards all end alike: what stands above tells them apart."""
    elsewhere = mutant("killed by DS-3: it happened", under="if d:", before="return x | y")
    assert report_on((elsewhere,), known_verdicts(verdicts)).total.killed == 1


def test_two_verdicts_on_one_mutant_are_refused(verdicts: Path) -> None:
    """They could differ."""
    verdicts.write_text(VERDICTS * 2, encoding="utf-8")
    with pytest.raises(ValueError, match="named twice"):
        known_verdicts(verdicts)


def test_the_verdicts_of_this_repository_can_be_read() -> None:
    """Each of them gives a reason in a sentence."""
    known = known_verdicts()
    assert all(verdict.why.endswith(".") for verdict in (*known.equivalent, *known.unnoticed))
