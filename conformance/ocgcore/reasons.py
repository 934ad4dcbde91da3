"""Why a card moved, from the core's reason bits."""

from __future__ import annotations

from conformance.ocgcore.constants import (
    BANISHED,
    GRAVEYARD,
    HAND,
    MONSTERS,
    ON_FIELD,
    REASON_BATTLE,
    REASON_COST,
    REASON_DESTROY,
    REASON_DISCARD,
    REASON_EFFECT,
    REASON_RELEASE,
    REASON_RULE,
    REASON_SPECIAL_SUMMON,
    SPELLS,
)
from conformance.ocgcore.messages import Move
from engine_protocol.vocabulary import MoveReason


def reason_of(move: Move) -> MoveReason:
    """The reason of a move, as the protocol names it. A used card and one whose activation was negated look the same here."""
    bits, to = move.reason, move.to.location
    if bits & REASON_DESTROY:
        if bits & REASON_BATTLE:
            return "destroyed-by-battle"
        return "destroyed-by-effect" if bits & REASON_EFFECT else "destroyed-by-rule"
    if bits & REASON_RELEASE:
        return "tributed"
    if bits & REASON_COST:
        return "discarded" if bits & REASON_DISCARD else "cost"
    if bits & REASON_DISCARD:
        return "discarded"
    if to == MONSTERS or bits & REASON_SPECIAL_SUMMON:
        return "special-summoned"
    if to == SPELLS:
        return "activated"
    if to == BANISHED:
        return "banished-by-effect"
    if to == GRAVEYARD:
        if not bits & REASON_RULE:
            return "sent-by-effect"
        # A monster that comes back to a player whose zones are full is sent by the rules too.
        return "used" if move.origin.location == SPELLS else "destroyed-by-rule"
    if to == HAND and not move.origin.location & ON_FIELD:
        return "added-by-effect"
    return "returned-by-effect"
