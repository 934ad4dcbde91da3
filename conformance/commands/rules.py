"""``duelproof rules``."""

from __future__ import annotations

import click
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from conformance.examiner import Examiner
from conformance.findings import citations_of
from conformance.options import ruleset_option
from conformance.points import (
    Stand,
    differences,
    rule_differences,
    stand_of,
    standing_words,
    undecided_parameters,
    undecided_rules,
)
from conformance.replaying import replay
from conformance.rulings import ruling, rulings_for
from conformance.setup import Setup
from conformance.statements import print_statements
from engine_protocol.duel_file import loud
from engine_protocol.errors import InputError
from engine_protocol.rulesets import PARAMETERS, Ruleset, ruleset_named
from oracles import RULES, Rule, rules_of
from oracles.unseen import UNSEEN
from reports.terminal import make_console, print_rule_list
from reports.text import counted


@click.command()
@click.argument("rule_id", required=False, metavar="[ID]")
@click.option("--statements", is_flag=True, help="List the documents' statements, and the rules that check each.")
@click.option("--document", metavar="KEY", help="With --statements: only those of this document.")
@click.option("--compare", "compared", nargs=2, metavar="R1 R2", help="Say on what two rulesets differ, by which documents.")
@ruleset_option
def command(rule_id: str | None, statements: bool, document: str | None, compared: tuple[str, str] | None, ruleset: str) -> None:
    """List a ruleset's rules and what it leaves undecided, or explain one: what it says, what it rests on, a duel about it."""
    known = ruleset_named(ruleset)
    console = make_console()
    if compared is not None:
        if rule_id is not None or statements or document is not None:
            raise InputError("--compare compares two rulesets as a whole; leave the rest out")
        _compare(ruleset_named(compared[0]), ruleset_named(compared[1]), console)
        return
    if statements:
        if rule_id is not None:
            raise InputError("--statements lists statements, not a rule; leave the id out")
        print_statements(document, console)
        return
    if document is not None:
        raise InputError("--document goes with --statements")
    if rule_id is None:
        rules = rules_of(known.name)
        print_rule_list([(rule.id, rule.title, rule.severity[known.name]) for rule in rules], console)
        _print_undecided(known, console)
        return
    rule = RULES.get(rule_id.upper())
    unseen = UNSEEN.get(rule_id.upper())
    if unseen is not None:
        console.print(Text(f"{unseen.id}  {unseen.title}", style="bold"))
        console.print(Text(f"Not checked ({unseen.reason}): {unseen.why}"))
        return
    if rule is None:
        raise InputError(f"there is no rule {rule_id!r}; `duelproof rules` lists them")
    _explain(rule, known, console)


def _print_undecided(ruleset: Ruleset, console: Console) -> None:
    """What the ruleset's documents leave open."""
    told = [(rule.id, f"{rule.title}: {why}") for rule, why in undecided_rules(ruleset)]
    told += [(", ".join(point.rules), f"{point.meaning} ({point.id})") for point in undecided_parameters(ruleset)]
    if told:
        table = Table(box=SIMPLE_HEAD, pad_edge=False)
        table.add_column("Rule", no_wrap=True)
        table.add_column(f"What the documents of {ruleset.name} leave undecided, so that any answer is right")
        for rules, what in told:
            table.add_row(rules, Text(what))
        console.print(table)


def _compare(one: Ruleset, other: Ruleset, console: Console) -> None:
    """Two tables: the parameters that differ, and the rules."""
    names = one.name, other.name
    points, rules = list(differences(one, other)), list(rule_differences(one, other))
    if points:
        table = _table("What differs", *names)
        for point in points:
            parameter = PARAMETERS[point.parameter]
            concerned = ", ".join((*parameter.rules, *parameter.points))
            what = Text.assemble(parameter.meaning, (f"\n{point.parameter} ({concerned})", "dim"))
            table.add_row(what, *map(_stand, point.stands))
        console.print(table)
    if rules:
        table = _table("Rules", *names)
        for differing in rules:
            table.add_row(Text(f"{differing.rule.id}  {differing.rule.title}"), *map(Text, differing.standings))
        console.print(table)
    if points or rules:
        parameters = counted(len(points), "parameter") + (" differs" if len(points) == 1 else " differ")
        console.print(f"{names[0]} and {names[1]}: {parameters}, and {counted(len(rules), 'rule')}.")
    else:
        console.print(f"{names[0]} and {names[1]}: there is no difference.")


def _table(what: str, one: str, other: str) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_lines=True)
    table.add_column(what, ratio=2)
    table.add_column(one, ratio=1)
    table.add_column(other, ratio=1)
    return table


def _stand(stand: Stand) -> Text:
    if stand.origin == "undecided":
        return Text("undecided", style="dim")
    return Text.assemble(stand.value, (f"\n{_source(stand)}", "dim"))


def _source(stand: Stand) -> str:
    documents = ", ".join(stand.documents)
    return documents if stand.origin == "stated" else f"inherited from {documents}"


def _explain(rule: Rule, ruleset: Ruleset, console: Console) -> None:
    console.print(Text(f"{rule.id}  {rule.title}", style="bold"))
    console.print(Text(rule.statement))
    console.print()
    severities = ", ".join(f"{name}: {severity}" for name, severity in rule.severity.items())
    console.print(Text(f"Severity: {severities}"))
    for citation in citations_of(rule.id):
        where = f", {citation.where}" if citation.where else ""
        console.print(Text(f"Document: {citation.document} ({citation.title}){where}"))
    if rule.needs:
        console.print(Text(f"Needs:    {', '.join(rule.needs)}"))
    if not rule.by_trace:
        console.print(Text("Seen by:  playing duels more than once, or the engine's answers themselves"))
    _place(rule, ruleset, console)
    if rule in rules_of(ruleset.name):
        _witness(rule, ruleset.name, console)


def _place(rule: Rule, ruleset: Ruleset, console: Console) -> None:
    """How one ruleset has the rule, and what it has for the parameters that the rule hangs on."""
    standing = standing_words(rule, ruleset)
    why = f": {rule.undecided[ruleset.name]}" if ruleset.name in rule.undecided else ""
    here = f"{ruleset.name} does not have this rule" if standing == "-" else f"{ruleset.name}: {standing}{why}"
    console.print(Text(f"Here:     {here}"))
    for name, parameter in PARAMETERS.items():
        if rule.id in parameter.rules:
            stand = stand_of(name, ruleset)
            told = "undecided" if stand.origin == "undecided" else f"{stand.value} ({_source(stand)})"
            console.print(Text(f"          {parameter.meaning} {told}"))


def _witness(rule: Rule, ruleset: str, console: Console) -> None:
    """The shortest example of the documents in which the rule is at stake on the reference engine."""
    shortest = None
    with Examiner(Setup(engine="reference", ruleset=ruleset, rules=frozenset({rule.id}))) as examiner:
        for name in rulings_for(ruleset):
            duel = ruling(name)
            examination = examiner.choices(duel.board, duel.choices)
            if examination.trace is not None and examination.at_stake.get(rule.id):
                length = (len(duel.board.cards), len(loud(examination.trace)), name)
                shortest = min(length, shortest or length)
        if shortest is None:
            return
        duel = ruling(shortest[2])
        console.print()
        console.print(Text(f"A duel that puts it at stake ({shortest[2]}: {duel.title})", style="bold"))
        console.print(Text(replay(duel, examiner).story()))
