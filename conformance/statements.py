"""The table of the documents' statements, as people read it."""

from __future__ import annotations

from collections import Counter

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from engine_protocol.errors import InputError
from oracles.statements import REASONS, SOURCES, Statement, statements
from oracles.unseen import UNSEEN


def print_statements(document: str | None, console: Console) -> None:
    """Print every statement with the rules that check it, or why none does, and how many there are of each.

    Args:
        document: only the statements of this one, a key of :data:`oracles.statements.SOURCES`; None: of all.
        console: where to.

    Raises:
        InputError: there is no such document; the message lists those there are.
    """
    if document is not None and document not in SOURCES:
        raise InputError(f"there is no document {document!r}; known: {', '.join(SOURCES)}")
    told = [statement for statement in statements() if document in (None, statement.document)]
    for key in [key for key in SOURCES if any(statement.document == key for statement in told)]:
        console.print(Text(f"{key}: {SOURCES[key]}", style="bold"))
        console.print(_table([statement for statement in told if statement.document == key]))
    _print_counts(told, console)


def _table(told: list[Statement]) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("Statement", no_wrap=True)
    table.add_column("Checked by, or why not")
    table.add_column("What it is about")
    for statement in told:
        table.add_row(statement.id, Text(_answer(statement)), _gist(statement))
    return table


def _answer(statement: Statement) -> str:
    if statement.reason is None:
        return " ".join(statement.rules)
    about = f" ({' '.join(statement.about)})" if statement.about else ""
    return f"{statement.reason}{about}"


def _gist(statement: Statement) -> Text:
    return Text.assemble(statement.gist, (_had_by_the_rulesets(statement), "dim"))


def _had_by_the_rulesets(statement: Statement) -> str:
    """How the rulesets have a point on which the documents differ."""
    if statement.parameters:
        return f"\nparameter: {', '.join(statement.parameters)}"
    if statement.cards:
        return f"\nfacts of the cards: {', '.join(statement.cards)}"
    return "" if statement.neither is None else f"\n{statement.neither}"


def _print_counts(told: list[Statement], console: Console) -> None:
    checked = sum(statement.reason is None for statement in told)
    rules = {rule for statement in told for rule in statement.rules}
    console.print(Text(f"{len(told)} statements: {checked} checked by {len(rules)} rules, {len(told) - checked} not checked"))
    counts = Counter(statement.reason for statement in told if statement.reason is not None)
    for reason, meaning in REASONS.items():
        if counts[reason]:
            console.print(Text(f"{counts[reason]:5}  {reason}: {meaning}"))
    _print_missing(told, console)


def _print_missing(told: list[Statement], console: Console) -> None:
    """What the statements wait for: notes, and the rules that no oracle judges."""
    about = {rule for statement in told for rule in statement.about}
    unseen = [UNSEEN[rule] for rule in UNSEEN if rule in about]
    notes = dict.fromkeys(statement.note for statement in told if statement.note is not None)
    if unseen or notes:
        console.print()
        console.print(Text("What is missing", style="bold"))
    for rule in unseen:
        console.print(Text(f"{rule.id}  {rule.title} ({rule.reason}): {rule.why}"))
    for note in notes:
        ids = " ".join(statement.id for statement in told if statement.note == note)
        console.print(Text(f"{ids}: {note}"))
