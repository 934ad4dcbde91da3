"""Boards that differ in what cannot matter lead to the same duel (IV-5 to IV-8): the engine plays both, the oracles compare."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from msgspec import Struct

from conformance.problems import Problem
from engine_protocol.cards import CardPool
from engine_protocol.driver import drive
from engine_protocol.engine import Engine
from engine_protocol.errors import BoardNotSupported, EngineError
from engine_protocol.trace import Trace
from oracles.metamorphic import RULES, Parting, relations

RELATED = frozenset(rule.id for rule in RULES)
"""The rules that are checked here."""


def one_of(trace: Trace, rules: Collection[str] | None, about: str | None = None) -> frozenset[str]:
    """One of these rules, or of all four: in a search each duel need not be played on every board. It is the one that the search
    is about, or else the duel decides.
    """
    if about in RELATED and (rules is None or about in rules):
        return frozenset({about})
    wanted = sorted(RELATED if rules is None else RELATED.intersection(rules))
    return frozenset(wanted[len(trace.events) % len(wanted)] for _ in wanted[:1])


class Related(Struct, frozen=True):
    """What the other boards brought. ``broken``: the engine failed on one of them and must be started anew."""

    at_stake: dict[str, int]
    problems: tuple[Problem, ...] = ()
    broken: bool = False


def relate(engine: Engine, trace: Trace, pool: CardPool, rules: Collection[str] | None = None) -> Related:
    """Play the duel of a trace again on every board that must lead to the same duel.

    A board on which the engine fails says nothing here: random duels find that failure by themselves.

    Args:
        engine: the engine that made the trace.
        trace: the duel as it went.
        pool: the cards that the engine knows.
        rules: check only these; all where left out.
    """
    at_stake: Counter[str] = Counter(dict.fromkeys(RELATED if rules is None else RELATED.intersection(rules), 0))
    problems: dict[str, Problem] = {}
    for relation in relations(trace, pool, rules):
        try:
            other = drive(engine, relation.board, relation.chooser())
        except BoardNotSupported:
            continue
        except EngineError:
            return Related(dict(at_stake), tuple(problems.values()), broken=True)
        if relation.holds(other):
            at_stake[relation.rule] += 1
            parting = relation.parting(other)
            if parting is not None:
                problems.setdefault(relation.rule, _problem(relation.rule, parting))
    return Related(dict(at_stake), tuple(problems.values()))


def _problem(rule: str, parting: Parting) -> Problem:
    return Problem(rule=rule, expected=parting.expected, happened=parting.happened, at=parting.at)
