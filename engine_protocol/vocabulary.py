"""The words that every other room speaks: players, zones, positions, timings, reasons.

All of them are plain strings on the wire, closed by ``Literal`` types, so that a schema can say exactly which words exist and
comparing them costs nothing. The names are the game's standard English terms.
"""

from __future__ import annotations

from typing import Final, Literal, get_args

Player = Literal[0, 1]
"""A seat. Shown to people as Player A (0) and Player B (1)."""

Zone = Literal[
    "monster-zone",
    "extra-monster-zone",
    "spell-trap-zone",
    "field-zone",
    "hand",
    "deck",
    "extra-deck",
    "graveyard",
    "banished",
]

Position = Literal["face-up-attack", "face-up-defense", "face-down-defense", "face-up", "face-down"]
"""A monster's battle position and face, or, for every other card, just its face."""

Step = Literal["start", "battle", "damage", "end"]

Timing = Literal[
    "start-step",
    "battle-step",
    "declaration",
    "after-declaration",
    "damage-start",
    "before-calculation",
    "during-calculation",
    "after-calculation",
    "damage-end",
    "end-step",
]
"""A stretch in which players hold priority. ``battle-step`` is the Battle Step while no attack is open."""

AttackEnd = Literal["negated", "stopped", "given-up", "battled", "no-battle"]
"""Why an attack is over: its negation; the attacker left or can no longer attack; a replay was declined; damage calculation was
performed; or the Damage Step passed without one."""

MoveReason = Literal[
    "destroyed-by-battle",
    "destroyed-by-effect",
    "destroyed-by-rule",
    "sent-by-effect",
    "banished-by-effect",
    "returned-by-effect",
    "special-summoned",
    "drawn",
    "added-by-effect",
    "equipped-by-effect",
    "discarded",
    "tributed",
    "cost",
    "activated",
    "used",
    "negated",
]
"""Why a card moved. ``added-by-effect``: to the hand, without being drawn; ``equipped-by-effect``: a monster that becomes an
Equip Card; ``activated``: from the hand to the field to be activated; ``used``: a Normal Spell/Trap or Quick-Play Spell after its
chain; ``negated``: a card whose activation was negated and that no effect destroyed."""

LpReason = Literal["battle-damage", "effect-damage", "cost", "gained"]

FlipReason = Literal["battle", "effect", "rule"]

Outcome = Literal["resolved", "activation-negated", "effect-negated", "no-effect"]
"""What became of a Chain Link: applied; its activation negated; its effect negated; or nothing left to apply to."""

Status = Literal[
    "cannot-attack",
    "cannot-be-attacked",
    "can-attack-directly",
    "effects-negated",
    "unaffected-by-spells-traps",
    "indestructible-by-battle",
    "no-battle-damage",
]
"""Lasting conditions of a monster (or of a player) that no other event shows."""

EndReason = Literal["life-points", "deck-out"]

PLAYERS: Final[tuple[Player, Player]] = (0, 1)
TIMINGS: Final[tuple[Timing, ...]] = get_args(Timing)
MONSTER_ZONES: Final[frozenset[str]] = frozenset({"monster-zone", "extra-monster-zone"})
SPELL_TRAP_ZONES: Final[frozenset[str]] = frozenset({"spell-trap-zone", "field-zone"})
FIELD: Final[frozenset[str]] = MONSTER_ZONES | SPELL_TRAP_ZONES

STEP_OF: Final[dict[Timing, Step]] = {
    "start-step": "start",
    "battle-step": "battle",
    "declaration": "battle",
    "after-declaration": "battle",
    "damage-start": "damage",
    "before-calculation": "damage",
    "during-calculation": "damage",
    "after-calculation": "damage",
    "damage-end": "damage",
    "end-step": "end",
}

DAMAGE_STEP_TIMINGS: Final[tuple[Timing, ...]] = TIMINGS[4:9]
"""The five timings of the Damage Step, in order."""

TIMING_NAMES: Final[dict[Timing, str]] = {
    "start-step": "Start Step",
    "battle-step": "Battle Step, before an attack declaration",
    "declaration": "attack declaration",
    "after-declaration": "Battle Step, after the declaration",
    "damage-start": "start of the Damage Step",
    "before-calculation": "before damage calculation",
    "during-calculation": "during damage calculation",
    "after-calculation": "after damage calculation",
    "damage-end": "end of the Damage Step",
    "end-step": "End Step",
}

PLAYER_NAMES: Final[tuple[str, str]] = ("Player A", "Player B")


def opponent(player: Player) -> Player:
    """The other seat."""
    return 1 if player == 0 else 0


def is_monster_position(position: Position) -> bool:
    """Whether the position is one a monster has on the field (the others only tell a card's face)."""
    return position in {"face-up-attack", "face-up-defense", "face-down-defense"}
