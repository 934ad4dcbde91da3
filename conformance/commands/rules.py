"""``duelproof rules``."""

from __future__ import annotations

import click
from rich.console import Console
from rich.text import Text

from conformance.examiner import Examiner
from conformance.findings import citations_of
from conformance.options import ruleset_option
from conformance.replaying import replay
from conformance.rulings import ruling, rulings_for
from conformance.setup import Setup
from conformance.statements import print_statements
from engine_protocol.duel_file import loud
from engine_protocol.errors import InputError
from engine_protocol.rulesets import ruleset_named
from oracles import RULES, Rule, rules_of
from oracles.unseen import UNSEEN
from reports.terminal import make_console, print_rule_list


@click.command()
@click.argument("rule_id", required=False, metavar="[ID]")
@click.option("--statements", is_flag=True, help="List the documents' statements, and the rules that check each.")
@click.option("--document", metavar="KEY", help="With --statements: only those of this document.")
@ruleset_option
def command(rule_id: str | None, statements: bool, document: str | None, ruleset: str) -> None:
    """List the rules, or explain one: what it says, what it rests on, and a duel that puts it at stake."""
    known = ruleset_named(ruleset).name
    console = make_console()
    if statements:
        if rule_id is not None:
            raise InputError("--statements lists statements, not a rule; leave the id out")
        print_statements(document, console)
        return
    if document is not None:
        raise InputError("--document goes with --statements")
    if rule_id is None:
        rules = rules_of(known)
        print_rule_list([(rule.id, rule.title, rule.severity[known]) for rule in rules], console)
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


def _explain(rule: Rule, ruleset: str, console: Console) -> None:
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
    _witness(rule, ruleset, console)


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
