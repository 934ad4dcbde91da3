"""``duelproof rules --statements``: the table that says what becomes of every statement of the documents."""

from __future__ import annotations

from typing import Any

import pytest
from click.testing import CliRunner, Result

from conformance.cli import cli
from oracles.statements import statements


def run(*arguments: Any) -> Result:
    """The command's answer."""
    return CliRunner().invoke(cli, ["rules", *map(str, arguments)])


def test_every_statement_has_a_row() -> None:
    """Each id stands in the table, and the counts at the end are those of the table."""
    result = run("--statements")
    assert result.exit_code == 0
    rows = {line.split()[0] for line in result.stdout.splitlines() if line.strip()}
    told = statements()
    assert {statement.id for statement in told} <= rows
    checked = sum(statement.reason is None for statement in told)
    assert f"{len(told)} statements: {checked} checked by" in result.stdout
    undecided = sum(statement.reason == "undecided" for statement in told)
    assert f"{undecided:5}  undecided: " in result.stdout


def test_one_document() -> None:
    """With a document only its statements are listed, and what they wait for is said."""
    result = run("--statements", "--document", "battle-step-wiki")
    assert "B-014" in result.stdout
    assert "M-050" not in result.stdout
    assert "33 statements" in result.stdout
    assert "What is missing" in run("--statements", "--document", "expert-2007").stdout


def test_a_rule_that_no_oracle_judges_says_why() -> None:
    """BP-9 cannot be seen from a trace; the command says what an engine would have to report."""
    result = run("bp-9")
    assert result.exit_code == 0
    assert "BP-9" in result.stdout
    assert "Not checked (not-visible)" in result.stdout


@pytest.mark.parametrize(
    "arguments, said",
    [
        (("--statements", "--document", "rulebook"), "known: battle-phase-flow"),
        (("--statements", "BP-1"), "leave the id out"),
        (("--document", "expert-2007"), "goes with --statements"),
    ],
)
def test_what_does_not_go_together(arguments: tuple[str, ...], said: str) -> None:
    """A wrong question is answered in a sentence, not with a traceback."""
    result = run(*arguments)
    assert result.exit_code == 2
    assert said in result.output
