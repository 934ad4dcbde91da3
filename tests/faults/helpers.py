"""What several seeded faults need: rulebooks that are wrong in one way."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, Final

from msgspec.structs import replace

from engine_protocol.cards import EffectFacts, card_pool
from engine_protocol.rulesets import ruleset_named
from engine_protocol.vocabulary import DAMAGE_STEP_TIMINGS, Timing
from reference_engine import chain, damage_step, flow, stages, step_triggers
from reference_engine.legality import Rulebook

ENGINE: Final = "reference_engine.engine:"
DUEL: Final = "reference_engine.duel:Duel."

DAMAGE_STEP: Final[frozenset[Timing]] = frozenset(DAMAGE_STEP_TIMINGS)
LATE: Final[frozenset[Timing]] = frozenset(DAMAGE_STEP_TIMINGS[2:])
"""The timings from damage calculation on."""

_RULEBOOKS: dict[tuple[str, object], Rulebook] = {}

Which = Callable[[EffectFacts], bool]
"""Which effects a fault is about."""


def also_at(which: Which, timings: Iterable[Timing], of_property: str | None = None) -> dict[str, Any]:
    """The patch by which effects may be activated at further timings, of Spells and Traps only those of this property."""
    return _timings_changed(which, lambda before: before | frozenset(timings), of_property)


def not_at(which: Which, timings: Iterable[Timing], of_property: str | None = None) -> dict[str, Any]:
    """The patch by which effects may not be activated at these timings."""
    return _timings_changed(which, lambda before: before - frozenset(timings), of_property)


def _timings_changed(
    which: Which, change: Callable[[frozenset[Timing]], frozenset[Timing]], of_property: str | None
) -> dict[str, Any]:
    def rulebook(ruleset: str) -> Rulebook:
        key = (ruleset, change)
        if key not in _RULEBOOKS:
            book = _RULEBOOKS[key] = Rulebook(ruleset_named(ruleset), tuple(card_pool().values()))
            for facts in card_pool().values():
                for effect in facts.effects:
                    timings = book.timings.get((facts.passcode, effect.number))
                    if timings is not None and which(effect) and of_property in (None, facts.property):
                        book.timings[facts.passcode, effect.number] = change(timings)
                book.activating[facts.passcode] = tuple(e for e in facts.effects if book.timings.get((facts.passcode, e.number)))
        return _RULEBOOKS[key]

    return {f"{ENGINE}_rulebook": rulebook}


def in_every_window(name: str, replacement: Any) -> dict[str, Any]:
    """The patch of a function of the module on chains, wherever it is used to go through a window."""
    modules = (chain, damage_step, flow, stages, step_triggers)
    return {f"{module.__name__}:{name}": replacement for module in modules if hasattr(module, name)}


def ruleset_changed(**changes: Any) -> dict[str, Any]:
    """The patch for a ruleset with other parameters."""

    @cache
    def rulebook(name: str) -> Rulebook:
        return Rulebook(replace(ruleset_named(name), **changes), tuple(card_pool().values()))

    return {f"{ENGINE}_rulebook": rulebook}


def changes_stats(effect: EffectFacts) -> bool:
    """Whether it is a Quick Effect, Quick-Play Spell or Trap that changes ATK or DEF and names no timing."""
    return "changes-atk-def" in effect.categories and effect.kind in ("activation", "quick") and not effect.timings
