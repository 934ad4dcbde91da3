"""Which effect of a card's facts an effect of its script is.

A script registers effects in an order of its own, one text in several pieces or several texts in one. They are matched by kind
and by where they are activated from; where that leaves a doubt, the number is 0, and no oracle that needs the effect speaks.
"""

from __future__ import annotations

from conformance.ocgcore.constants import (
    BANISHED,
    DECK,
    EFFECT_ACTIVATE,
    EFFECT_FLIP,
    EFFECT_IGNITION,
    EFFECT_QUICK_MANDATORY,
    EFFECT_QUICK_OPTIONAL,
    EFFECT_TRIGGER_MANDATORY,
    EFFECT_TRIGGER_OPTIONAL,
    EVENTS_OF_A_SUMMON,
    EXTRA,
    GRAVEYARD,
    HAND,
    MONSTERS,
    SPELLS,
)
from conformance.ocgcore.core import Registered
from conformance.ocgcore.lua import COUNT_BITS, MARK, MARK_BITS
from engine_protocol.cards import CardFacts, Condition, EffectFacts, EffectKind

UNKNOWN = 0
"""The number of an effect that could not be matched."""

_KINDS: tuple[tuple[int, EffectKind], ...] = (
    (EFFECT_ACTIVATE, "activation"),
    (EFFECT_FLIP | EFFECT_TRIGGER_OPTIONAL | EFFECT_TRIGGER_MANDATORY, "trigger"),
    (EFFECT_QUICK_OPTIONAL | EFFECT_QUICK_MANDATORY, "quick"),
    (EFFECT_IGNITION, "ignition"),
)
_RANGES = {
    "monster-zone": MONSTERS,
    "extra-monster-zone": MONSTERS,
    "spell-trap-zone": SPELLS,
    "field-zone": SPELLS | 0x100,
    "hand": HAND,
    "deck": DECK,
    "extra-deck": EXTRA,
    "graveyard": GRAVEYARD,
    "banished": BANISHED,
}
_ON_A_SUMMON: frozenset[Condition] = frozenset({"special-summoned", "other-phase"})


def kind_of(registered: Registered) -> EffectKind | None:
    """What kind of effect it is; None for one that does not activate."""
    return next((kind for bits, kind in _KINDS if registered.kind & bits), None)


class EffectNumbers:
    """The numbers of effects by their marks, and what kind each is."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, int], int] = {}
        self._kinds: dict[tuple[int, int], EffectKind | None] = {}
        self.doubtful: set[int] = set()

    def learn(self, card: CardFacts, registered: list[Registered]) -> None:
        """Match the effects of a card."""
        for effect in registered:
            self._kinds[card.passcode, effect.mark] = kind_of(effect)
        active = [effect for effect in card.effects if effect.speed]
        own = [effect for effect in registered if kind_of(effect) is not None]
        for effect in own:
            number = _number(effect, own, active)
            self._numbers[card.passcode, effect.mark] = number
            if number == UNKNOWN:
                self.doubtful.add(card.passcode)

    def number(self, passcode: int, description: int) -> int:
        """The number of the effect with this description, or :data:`UNKNOWN`."""
        return self._numbers.get((passcode, _mark(description)), UNKNOWN)

    def kind(self, passcode: int, description: int) -> EffectKind | None:
        """What kind of effect has this description; None: not known."""
        return self._kinds.get((passcode, _mark(description)))


def _mark(description: int) -> int:
    return description & COUNT_BITS if description & MARK_BITS == MARK else 0


def _number(effect: Registered, own: list[Registered], active: list[EffectFacts]) -> int:
    kind = kind_of(effect)
    facts = [one for one in active if one.kind == kind]
    if not facts:
        facts = [one for one in active if all(kind_of(other) != one.kind for other in own)]
    if len(facts) > 1 and kind == "trigger":
        facts = [one for one in facts if (one.condition in _ON_A_SUMMON) == (effect.event in EVENTS_OF_A_SUMMON)] or facts
    if len(facts) > 1:
        here = [one for one in facts if any(_RANGES[zone] & effect.range for zone in one.zones)]
        facts = here or facts
    if len(facts) == 1:
        return facts[0].number
    alike = [other for other in own if kind_of(other) == kind]
    same = [one for one in active if one.kind == kind]
    if len(alike) == len(same):
        return same[alike.index(effect)].number
    return UNKNOWN
