"""The registry of all oracles, and the judge."""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import Final

from msgspec import Struct

from engine_protocol.cards import CardPool
from engine_protocol.trace import Trace
from oracles import (
    activation,
    attack,
    attack_stops,
    battle_phase,
    calculation,
    chains,
    chances,
    chosen_target,
    damage_step,
    declaration_triggers,
    destroyed,
    durations,
    further_attacks,
    general,
    inner_battle,
    invariants,
    metamorphic,
    negation_on_the_field,
    original_values,
    replay,
)
from oracles.oracle import Oracle, Rule, Violation
from oracles.panel import Panel
from oracles.view import BrokenTrace, CardIndex, View, shipped_index

ORACLES: Final[tuple[type[Oracle], ...]] = (
    *battle_phase.ORACLES,
    *attack.ORACLES,
    *attack_stops.ORACLES,
    *chosen_target.ORACLES,
    *declaration_triggers.ORACLES,
    *replay.ORACLES,
    *further_attacks.ORACLES,
    *damage_step.ORACLES,
    *durations.ORACLES,
    *activation.ORACLES,
    *chains.ORACLES,
    *chances.ORACLES,
    *calculation.ORACLES,
    *original_values.ORACLES,
    *destroyed.ORACLES,
    *negation_on_the_field.ORACLES,
    *inner_battle.ORACLES,
    *general.ORACLES,
)
"""Every oracle that judges a single trace."""

LIVE_RULES: Final[tuple[Rule, ...]] = (*invariants.LIVE_RULES, *metamorphic.RULES)
"""The rules that no single trace shows."""

_SECTIONS: Final = ("BP", "AT", "RP", "DS", "DA", "CH", "DC", "BD", "EC", "GN", "IV")


def _in_catalogue(rule: Rule) -> tuple[int, int]:
    """Where a rule stands in the catalogue: by section, then by number."""
    section, number = rule.id.split("-")
    return _SECTIONS.index(section), int(number)


RULES: Final[dict[str, Rule]] = {
    rule.id: rule for rule in sorted((*(oracle.rule() for oracle in ORACLES), *LIVE_RULES), key=_in_catalogue)
}
"""All rules by id, in the order of the catalogue; also those that take the live engine."""


def rules_of(ruleset: str) -> tuple[Rule, ...]:
    """The rules that hold in a ruleset and that its documents settle, in the order of the catalogue."""
    return tuple(rule for rule in RULES.values() if ruleset in rule.severity and ruleset not in rule.undecided)


class Judgement(Struct, frozen=True):
    """What one trace says about the rules.

    ``at_stake``    how often each judged rule was really at stake, by rule id; 0: not observed
    ``violations``  at most one per rule, in the order in which they show
    ``broken``      why the trace could not be read to its end (then the rest is not judged, and IV-4 is violated)
    """

    at_stake: dict[str, int]
    violations: tuple[Violation, ...]
    broken: str | None = None


def judge(trace: Trace, pool: CardPool | None = None, rules: Collection[str] | None = None) -> Judgement:
    """Hold a trace against the rules.

    Args:
        trace: a board and everything that happened on it.
        pool: the facts of its cards; the pool that duelproof ships where left out.
        rules: ids of the rules to judge; all where left out. Rules that take the live engine are passed over.

    Raises:
        InputError: the board's ruleset is unknown.
    """
    index = shipped_index() if pool is None else _index_of(pool)
    try:
        view = View(trace, index)
    except BrokenTrace as error:
        return Judgement({}, (_unreadable(0, error),), str(error))
    panel = _panel(trace.board.ruleset, None if rules is None else frozenset(rules))
    violations: list[Violation] = []
    broken = None
    try:
        panel.watch(view)
    except BrokenTrace as error:
        broken = str(error)
        violations.append(_unreadable(view.at, error))
    at_stake = panel.nothing_at_stake.copy()
    for oracle in panel.docket.marked:
        at_stake[oracle.id] = oracle.stakes
        if oracle.violation is not None:
            violations.append(oracle.violation)
    if len(violations) > 1:
        places = list(at_stake)
        violations.sort(key=lambda violation: (violation.at, places.index(violation.rule) if violation.rule in at_stake else -1))
    return Judgement(at_stake, tuple(violations), broken)


@cache
def _panel(ruleset: str, rules: frozenset[str] | None) -> Panel:
    judged = {rule.id for rule in rules_of(ruleset)} if rules is None else rules & {rule.id for rule in rules_of(ruleset)}
    return Panel(tuple(oracle for oracle in ORACLES if oracle.id in judged))


_last_index: list[CardIndex] = []


def _index_of(pool: CardPool) -> CardIndex:
    """The index of a caller's own pool; the last one is kept, for many traces are judged by one pool."""
    if not _last_index or _last_index[0].pool is not pool:
        _last_index[:] = [CardIndex(pool)]
    return _last_index[0]


def _unreadable(at: int, error: BrokenTrace) -> Violation:
    return Violation("IV-4", at, "every event speaks of cards, links and options that exist", str(error))
