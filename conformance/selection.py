"""Which rules and rulings a run is about."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from fnmatch import fnmatchcase

from msgspec import Struct

from conformance.examiner import Examiner
from conformance.points import undecided_parameters, undecided_rules
from conformance.rulings import rulings_for
from engine_protocol.errors import InputError
from engine_protocol.rulesets import ruleset_named
from oracles import RULES, Rule, rules_of
from reports.model import Undecided
from strategies import FOCUSED

LIVE = frozenset(rule.id for rule in RULES.values() if not rule.by_trace)
"""The rules that no single trace shows."""


class Selection(Struct, frozen=True, kw_only=True):
    """Ids of rules, in the order of the catalogue, and of rulings.

    ``undecided``  ids of rules that are not judged, since the ruleset's documents leave them open
    ``points``     what else they leave open of the chosen rules
    """

    rules: tuple[str, ...]
    rulings: tuple[str, ...]
    undecided: tuple[str, ...] = ()
    points: tuple[Undecided, ...] = ()

    @property
    def focuses(self) -> tuple[str | None, ...]:
        """What random duels are to be about; None: anything, for rules that have no focus."""
        focuses: list[str | None] = [rule for rule in self.rules if rule in FOCUSED]
        return tuple(focuses) if len(focuses) == len(self.rules) else (*focuses, None)

    @property
    def only_live(self) -> bool:
        """Whether every rule needs a duel to be played more than once."""
        return bool(self.rules) and LIVE.issuperset(self.rules)


def select(ruleset: str, pattern: str | None = None) -> Selection:
    """The rules and rulings of a ruleset that fit the pattern: ids with wildcards, separated by commas (``DS-*,DC-1,M-0*``).

    Raises:
        InputError: a part of the pattern fits none.
    """
    return select_from_all((ruleset,), pattern)[ruleset]


def select_from_all(rulesets: Iterable[str], pattern: str | None = None) -> dict[str, Selection]:
    """The same of several rulesets, by their names; a part of the pattern may fit only in some of them.

    Raises:
        InputError: a part of the pattern fits none in any of them.
    """
    everything = {ruleset: _everything(ruleset) for ruleset in rulesets}
    if pattern is None:
        return everything
    parts = [part.strip().upper() for part in pattern.split(",") if part.strip()]
    ids = [name for whole in everything.values() for name in (*whole.rules, *whole.rulings, *whole.undecided)]
    for part in parts or [pattern]:
        if not _fitting(ids, (part,)):
            raise InputError(f"no rule or ruling fits {part!r}; `duelproof rules` lists the rules, such as {', '.join(ids[:3])}")
    return {ruleset: _narrowed(whole, parts) for ruleset, whole in everything.items()}


def _everything(ruleset: str) -> Selection:
    known = ruleset_named(ruleset)
    return Selection(
        rules=tuple(rule.id for rule in rules_of(ruleset)),
        rulings=tuple(rulings_for(ruleset)),
        undecided=tuple(rule.id for rule, _ in undecided_rules(known)),
        points=tuple(undecided_parameters(known)),
    )


def _narrowed(whole: Selection, parts: Collection[str]) -> Selection:
    rules = _fitting(whole.rules, parts)
    return Selection(
        rules=rules,
        rulings=_fitting(whole.rulings, parts),
        undecided=_fitting(whole.undecided, parts),
        points=tuple(point for point in whole.points if not set(point.rules).isdisjoint(rules)),
    )


def unsupported(rule: Rule, examiner: Examiner) -> str | None:
    """Why the engine cannot be checked for a rule; None if it can.

    What a rule needs are abilities of the engine, or categories and conditions of card effects; any one of them will do.
    """
    effects = [effect for card in examiner.pool.values() for effect in card.effects]
    has: set[str] = {*examiner.info.abilities, *(category for effect in effects for category in effect.categories)}
    has.update(effect.condition for effect in effects if effect.condition is not None)
    if not rule.needs or not has.isdisjoint(rule.needs):
        return None
    return f"the engine has nothing that is or does: {', '.join(rule.needs)}"


def _fitting(ids: Iterable[str], parts: Collection[str]) -> tuple[str, ...]:
    return tuple(name for name in ids if any(fnmatchcase(name.upper(), part) for part in parts))
