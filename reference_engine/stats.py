"""ATK and DEF: what changes them, and in which order.

A monster's current values are its original ones, with every applied change in the order it was applied, then what continuous
effects on the field add. They never fall below 0 (DC-9).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from engine_protocol.vocabulary import Status

if TYPE_CHECKING:
    from reference_engine.card import Card

ModifierKind = Literal["halve-original", "set-original", "add", "set", "set-atk", "halve", "double", "double-def"]
Duration = Literal["turn", "calculation", "damage-step"]
"""Until the end of the turn (which lies beyond the Battle Phase), during this damage calculation only, or until the end of this
Damage Step.
"""


class Modifier(Struct, frozen=True, gc=False):
    """One change of ATK/DEF that was applied to a monster.

    ``kind``   ``halve-original``, ``set-original``: the original ATK is halved, or becomes another; ``add``; ``set`` both, or
               ``set-atk``; ``halve``/``double`` the current ATK;
               ``double-def`` the current DEF
    ``source`` the card that applied it
    ``bound``  it ends when the source is no longer face-up on the field
    """

    kind: ModifierKind
    source: Card
    atk: int = 0
    def_: int = 0
    until: Duration = "turn"
    bound: bool = False


class Grant(Struct, frozen=True, gc=False):
    """A lasting condition that was applied to a card; ``bound`` as for :class:`Modifier`."""

    status: Status
    source: Card
    bound: bool = False
    until: Literal["turn", "damage-step"] = "turn"


def halved(value: int) -> int:
    """Half of it; a fraction is rounded up."""
    return (value + 1) // 2


def reaches(source: Card, card: Card) -> bool:
    """Whether what this source applied counts for the monster now: not if the monster is unaffected by other Spells/Traps."""
    return card.shield is None or card.shield is source or source.facts.type == "monster"


def current_values(card: Card, continuous: Iterable[tuple[int, int]]) -> tuple[int, int]:
    """ATK and DEF of a face-up monster, from its originals, its modifiers and what continuous effects add."""
    atk, def_ = card.base_atk, card.base_def
    applied = [m for m in card.modifiers if reaches(m.source, card)]
    for modifier in applied:
        if modifier.kind == "halve-original":
            atk = halved(atk)
        elif modifier.kind == "set-original":
            atk = modifier.atk
    for modifier in applied:
        match modifier.kind:
            case "add":
                atk, def_ = max(0, atk + modifier.atk), max(0, def_ + modifier.def_)
            case "set":
                atk, def_ = modifier.atk, modifier.def_
            case "set-atk":
                atk = modifier.atk
            case "halve":
                atk = halved(atk)
            case "double":
                atk *= 2
            case "double-def":
                def_ *= 2
            case "halve-original" | "set-original":
                pass
    for more_atk, more_def in continuous:
        atk += more_atk
        def_ += more_def
    return max(0, atk), max(0, def_)
