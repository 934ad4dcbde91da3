"""The table of the seeded faults: what each came to, and the figures of all of them."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

import msgspec
from msgspec import Struct

from conformance.budget import DEFAULT_EXAMPLES
from engine_protocol.rulesets import DEFAULT_RULESET, PARAMETERS
from oracles import RULES


class Row(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What came of one fault.

    ``rule``      the rule that must catch it
    ``ruleset``   the ruleset that the engine is asked for and judged by
    ``parameter`` the parameter of the ruleset that it has wrong; empty: it is another mistake
    ``kind``      the kind of mistake that simulators have made, of which it is one; empty: none is known
    ``caught_by`` every rule that noticed it in the same duels
    ``examples``, ``seconds`` until the named rule did; None: it did not
    ``cards``, ``choices``    size of the smallest duel: cards on the board, choices other than passing
    ``happened``  what the rule said of that duel
    """

    name: str
    title: str
    rule: str
    ruleset: str = DEFAULT_RULESET
    parameter: str = ""
    kind: str = ""
    caught_by: tuple[str, ...] = ()
    examples: int | None = None
    seconds: float | None = None
    cards: int | None = None
    choices: int | None = None
    happened: str = ""


class Summary(Struct, frozen=True, kw_only=True):
    """The figures of all faults together; medians and maxima are of those that were caught."""

    faults: int
    kinds_of_simulators: int
    parameters_with_a_fault: int
    rules_with_a_fault: int
    rules: int
    caught: int
    median_examples: float
    most_examples: int
    median_seconds: float
    most_seconds: float
    median_cards: float
    most_cards: int
    median_choices: float
    most_choices: int


class Table(Struct, frozen=True, kw_only=True):
    """What docs/faults.json holds."""

    examples: int
    summary: Summary
    faults: tuple[Row, ...]


def summary_of(rows: Sequence[Row]) -> Summary:
    """The figures of these rows, at least one of which was caught."""
    examples = [row.examples for row in rows if row.examples is not None]
    seconds = [row.seconds for row in rows if row.seconds is not None]
    cards = [row.cards for row in rows if row.cards is not None]
    choices = [row.choices for row in rows if row.choices is not None]
    return Summary(
        faults=len(rows),
        kinds_of_simulators=sum(bool(row.kind) for row in rows),
        parameters_with_a_fault=len({row.parameter for row in rows if row.parameter}),
        rules_with_a_fault=len({row.rule for row in rows}),
        rules=len(RULES),
        caught=len(examples),
        median_examples=median(examples),
        most_examples=max(examples),
        median_seconds=median(seconds),
        most_seconds=max(seconds),
        median_cards=median(cards),
        most_cards=max(cards),
        median_choices=median(choices),
        most_choices=max(choices),
    )


def as_json(rows: Sequence[Row]) -> str:
    """The table as a JSON document."""
    table = Table(examples=DEFAULT_EXAMPLES, summary=summary_of(rows), faults=tuple(rows))
    return msgspec.json.format(msgspec.json.encode(table), indent=2).decode() + "\n"


def as_markdown(rows: Sequence[Row]) -> str:
    """The table as a page to read: the figures, then a table for each section of the catalogue."""
    lines = [*_head(summary_of(rows))]
    for section in dict.fromkeys(row.rule[:2] for row in rows):
        lines += ["", f"## {section}", "", _HEADING, _RULER]
        lines += [_line(row) for row in rows if row.rule.startswith(section)]
    return "\n".join(lines) + "\n"


_HEADING = "| fault | ruleset | rule | also noticed by | examples | seconds | cards | choices |"
_RULER = "|---|---|---|---|--:|--:|--:|--:|"


def _head(figures: Summary) -> list[str]:
    return [
        "# Seeded faults",
        "",
        (
            "Can the suite fail? The reference engine is made wrong in one way at a time, and each time the rule that the mistake"
            f" breaks has to notice: within the default budget, {DEFAULT_EXAMPLES} random duels of its focus, with a duel that"
            " is small once it is shrunk. `make faults` writes this page; the times are those of the machine it last ran on."
        ),
        "",
        "| | |",
        "|---|--:|",
        f"| seeded faults | {figures.faults} |",
        f"| … of a kind that simulators have really made | {figures.kinds_of_simulators} |",
        f"| parameters of the rulesets with a fault | {figures.parameters_with_a_fault} of {len(PARAMETERS)} |",
        f"| rules with a fault | {figures.rules_with_a_fault} of {figures.rules} |",
        f"| caught by the named rule | {figures.caught} of {figures.faults} ({figures.caught / figures.faults:.1%}) |",
        f"| random duels until caught | median {figures.median_examples:g}, most {figures.most_examples} |",
        f"| seconds until caught | median {figures.median_seconds:.2f}, most {figures.most_seconds:.2f} |",
        f"| cards in the shrunk duel | median {figures.median_cards:g}, most {figures.most_cards} |",
        f"| choices in it, passes aside | median {figures.median_choices:g}, most {figures.most_choices} |",
        "",
        (
            "*Kind* tells of which mistake of real simulators a fault is one. *Ruleset*: the one that the engine is asked for and"
            " judged by; where the fault names a point on which rulesets differ, the engine has it as another ruleset does. *Also"
            " noticed by*: the other rules that noticed the fault in the same duels."
        ),
    ]


def _line(row: Row) -> str:
    title = f"{row.title}<br>*Kind: {row.kind}*" if row.kind else row.title
    others = ", ".join(rule for rule in row.caught_by if rule != row.rule)
    if row.examples is None:
        return f"| {title} | {row.ruleset} | {row.rule} | {others} | **not caught** | | | |"
    return (
        f"| {title} | {row.ruleset} | {row.rule} | {others} | {row.examples} | {row.seconds:.2f} | {row.cards} | {row.choices} |"
    )
