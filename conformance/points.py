"""The points on which rulesets differ, in words: what each has, what it leaves undecided, and how two of them differ."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from typing import Any, Final, Literal

from msgspec import Struct

from engine_protocol.rulesets import PARAMETERS, Ruleset, Stage, lineage
from engine_protocol.vocabulary import TIMING_NAMES, TIMINGS
from oracles import RULES, Rule
from reports.model import Undecided

Origin = Literal["stated", "inherited", "undecided"]
"""``stated``: by the ruleset's own documents; ``inherited``: by those of one that it is built on; ``undecided``: by none."""

_WORDS: Final[dict[str, str]] = {
    "monsters-changed": "a monster entered or left the opponent's side",
    "one-for-another": "as many left as entered",
    "target-lost": "the target left",
    "monster-summoned": "a monster was Special Summoned to the opponent's side",
    "permission-lost": "what allowed this attack ended",
    "restriction-changed": "an effect that limits the targets began or ended",
    "next-chain": "it goes on the next chain",
    "next-stage": "it waits for the next stage",
    "at-once": "as soon as that effect has resolved",
    "after-the-chain": "after the whole chain",
    **dict(TIMING_NAMES.items()),
}

_ORDER: Final[dict[str, int]] = {timing: number for number, timing in enumerate(TIMINGS)}


class Stand(Struct, frozen=True, kw_only=True):
    """What a ruleset has for a parameter.

    ``value``      in words; what the reference engine plays where it is undecided
    ``documents``  keys of the documents that settle it; empty where none does
    """

    value: str
    origin: Origin
    documents: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """The value, or that it is undecided."""
        return "undecided" if self.origin == "undecided" else self.value


class Difference(Struct, frozen=True, kw_only=True):
    """A parameter on which two rulesets differ: its name, and what each of them has."""

    parameter: str
    stands: tuple[Stand, Stand]


class RuleDifference(Struct, frozen=True, kw_only=True):
    """A rule that two rulesets have otherwise, and how each has it, in words."""

    rule: Rule
    standings: tuple[str, str]


def stand_of(parameter: str, ruleset: Ruleset) -> Stand:
    """What the ruleset has for a parameter, and who says so."""
    value = value_words(getattr(ruleset, parameter))
    if not ruleset.settles(parameter):
        return Stand(value=value, origin="undecided")
    # The first of all rulesets has nothing that it could inherit.
    source = next(one for one in lineage(ruleset) if parameter in one.stated or one.base is None)
    return Stand(value=value, origin="stated" if source is ruleset else "inherited", documents=source.documents)


def differences(one: Ruleset, other: Ruleset) -> Iterator[Difference]:
    """The parameters on which two rulesets differ; what both leave undecided is no difference."""
    for parameter in PARAMETERS:
        decided = one.settles(parameter), other.settles(parameter)
        same = getattr(one, parameter) == getattr(other, parameter)
        if decided[0] != decided[1] or (all(decided) and not same):
            yield Difference(parameter=parameter, stands=(stand_of(parameter, one), stand_of(parameter, other)))


def rule_differences(one: Ruleset, other: Ruleset) -> Iterator[RuleDifference]:
    """The rules that only one of two rulesets has, that bind in one more than in the other, or that one leaves undecided."""
    for rule in RULES.values():
        if _standing(rule, one) != _standing(rule, other):
            yield RuleDifference(rule=rule, standings=(standing_words(rule, one), standing_words(rule, other)))


def standing_words(rule: Rule, ruleset: Ruleset) -> str:
    """How a ruleset has a rule: ``must (expert-2007)``, ``should (damage-step-wiki)``, ``undecided``, ``-``."""
    standing = _standing(rule, ruleset)
    if standing not in ("must", "should"):
        return standing
    ancestors = (ruleset,) if standing == "must" else lineage(ruleset)
    known = {document for ancestor in ancestors for document in ancestor.documents}
    cited = dict.fromkeys(document for document, _ in rule.citations if document in known)
    return f"{standing} ({', '.join(cited) or 'of the game at any time'})"


def _standing(rule: Rule, ruleset: Ruleset) -> str:
    return "undecided" if ruleset.name in rule.undecided else rule.severity.get(ruleset.name, "-")


def undecided_parameters(ruleset: Ruleset) -> Iterator[Undecided]:
    """The parameters that the documents of a ruleset do not settle, and the cards whose timing they leave open."""
    for name, parameter in PARAMETERS.items():
        if not ruleset.settles(name):
            yield Undecided(id=name, meaning=parameter.meaning, rules=parameter.rules)
    if ruleset.cards_under_adjustment:
        name = "cards_under_adjustment"
        meaning = f"{PARAMETERS[name].meaning.rstrip('.')}: {value_words(ruleset.cards_under_adjustment)}."
        yield Undecided(id=name, meaning=meaning)


def undecided_rules(ruleset: Ruleset) -> Iterator[tuple[Rule, str]]:
    """The rules that the documents of a ruleset leave open, and why."""
    return ((rule, rule.undecided[ruleset.name]) for rule in RULES.values() if ruleset.name in rule.undecided)


def value_words(value: Any) -> str:
    """The value of a parameter in words."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is None:
        return "any number"
    if isinstance(value, Mapping):
        return "; ".join(f"{value_words(key)}: {value_words(value[key])}" for key in _ordered(value)) or "none"
    if isinstance(value, Set):
        return ", ".join(value_words(one) for one in _ordered(value)) or "none"
    if isinstance(value, tuple):
        return ", then ".join(_stage_words(stage) for stage in value)
    return _WORDS.get(value, str(value))


def _stage_words(stage: Stage) -> str:
    conditions = (condition.replace("-", " ") for condition in sorted(stage.conditions))
    what = ", ".join((*conditions, *sorted(stage.cards)))
    return f"{stage.name} ({what})" if what else f"{stage.name} (all others)"


def _ordered(values: Iterable[str]) -> list[str]:
    """Timings as they come, anything else by name."""
    return sorted(values, key=lambda value: (_ORDER.get(value, len(_ORDER)), value))
