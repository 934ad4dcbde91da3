"""The Battle Phase that is measured: two attacks and a chain in each, about 45 decisions."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from engine_protocol.board import Board, BoardCard
from engine_protocol.cards import card_pool
from engine_protocol.decisions import Decision
from engine_protocol.driver import drive
from engine_protocol.engine import Engine
from engine_protocol.events import AttackDeclared, Decided
from engine_protocol.rulesets import DEFAULT_RULESET
from engine_protocol.vocabulary import PLAYERS, Player

MONSTERS: tuple[tuple[str, ...], tuple[str, ...]] = (
    ("Dark Magician", "La Jinn the Mystical Genie of the Lamp"),
    ("Gemini Elf", "Curse of Dragon"),
)
BACKROW = ("Shrink", "Rush Recklessly")


class MeasuredDuel(Struct, frozen=True):
    """A duel with its script, and how many decisions it has, forced ones included."""

    board: Board
    script: Sequence[int]
    decisions: int


def _cards(player: Player) -> list[BoardCard]:
    named = card_pool().named
    base = 10 * player
    monsters = [
        BoardCard(
            id=base + index,
            passcode=named(name).passcode,
            owner=player,
            zone="monster-zone",
            index=index,
            position="face-up-attack",
        )
        for index, name in enumerate(MONSTERS[player])
    ]
    backrow = [
        BoardCard(
            id=base + 5 + index,
            passcode=named(name).passcode,
            owner=player,
            zone="spell-trap-zone",
            index=index,
            position="face-down",
        )
        for index, name in enumerate(BACKROW)
    ]
    return monsters + backrow


def board() -> Board:
    """Two monsters and two set Quick-Play Spells on each side, set in an earlier turn."""
    return Board(ruleset=DEFAULT_RULESET, cards=tuple(card for player in PLAYERS for card in _cards(player)))


def attacking(decision: Decision) -> int:
    """Attack whenever possible; start a chain before damage calculation; otherwise pass."""
    for index, option in enumerate(decision.options):
        starts_chain = option.kind == "activate" and decision.timing == "before-calculation" and not decision.chain
        if option.kind == "attack" or (starts_chain and decision.player):
            return index
    return 0


def measured_duel(engine: Engine) -> MeasuredDuel:
    """The duel as this engine offers it, with the script that repeats it."""
    trace = drive(engine, board(), attacking)
    decisions = [event for event in trace.events if isinstance(event, Decided)]
    attacks = sum(isinstance(event, AttackDeclared) for event in trace.events)
    if attacks != 2:
        raise ValueError(f"the measured Battle Phase should have 2 attacks, not {attacks}")
    return MeasuredDuel(trace.board, [decided.chosen for decided in decisions if not decided.forced], len(decisions))
