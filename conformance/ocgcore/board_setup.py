"""A board in the core: the first or second turn of a duel in which everything before the Battle Phase is skipped."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from conformance.ocgcore.constants import (
    ATTACK_UP,
    BANISHED,
    DECK,
    DEFENSE_DOWN,
    DEFENSE_UP,
    EXTRA,
    FACE_DOWN,
    FACE_UP,
    GRAVEYARD,
    HAND,
    MONSTERS,
    SPELLS,
    TYPE_EQUIP,
)
from conformance.ocgcore.core import Core
from conformance.ocgcore.library import CoreDuel
from conformance.ocgcore.lua import SKIPPING
from conformance.ocgcore.messages import Location
from conformance.ocgcore.rulesets import ATTACK_ON_FIRST_TURN, FLAGS
from conformance.ocgcore.table import Table, TableCard, core_place
from engine_protocol.board import Board, BoardCard
from engine_protocol.cards import CardPool
from engine_protocol.errors import BoardNotSupported
from engine_protocol.vocabulary import MONSTER_ZONES, opponent

_POSITIONS: Final = {
    "face-up-attack": ATTACK_UP,
    "face-up-defense": DEFENSE_UP,
    "face-down-defense": DEFENSE_DOWN,
    "face-up": FACE_UP,
    "face-down": FACE_DOWN,
}
_ORDER: Final = (MONSTERS, SPELLS, GRAVEYARD, BANISHED, EXTRA, HAND, DECK)
"""Monsters lie before what is equipped to them."""

_SUMMONED: Final = 0x800
_SET: Final = 0x10
"""Status bits: summoned, or set, this turn."""


def set_up(core: Core, board: Board, pool: CardPool) -> tuple[CoreDuel, Table]:
    """Lay the board out and start the duel; nothing has been processed yet.

    Raises:
        BoardNotSupported: the board cannot be laid out.
    """
    for problem in _problems(core, board, pool):
        raise BoardNotSupported(problem)
    duel = core.begin(*_settings(board))
    table = lay_out(core, duel, board)
    core.check()
    return duel, table


def set_up_again(core: Core, board: Board) -> CoreDuel:
    """Start another duel on a board that was set up before, beside the one that is running. It must be destroyed."""
    duel = core.another(*_settings(board))
    lay_out(core, duel, board)
    return duel


def _settings(board: Board) -> tuple[int, tuple[int, int], int]:
    return FLAGS[board.ruleset] | ATTACK_ON_FIRST_TURN, board.lp, board.seed & 0xFFFF_FFFF_FFFF_FFFF


def lay_out(core: Core, duel: CoreDuel, board: Board) -> Table:
    """Put the cards of a board in place, and start the duel."""
    table = Table()
    for card in sorted(board.cards, key=_order):
        _lay(core, duel, table, card)
    duel.run(_preparation(board, table, core).encode(), "duelproof")
    duel.start()
    return table


def set_this_turn(board: Board, table: Table) -> bytes | None:
    """The script that makes cards of the board summoned or set this turn. Runs once the turn has begun, which forgets both."""
    lines = []
    for card in board.cards:
        if board.turn in (card.turn_set, card.turn_summoned) and card.zone in _FIELD:
            status = _SUMMONED if card.zone in MONSTER_ZONES else _SET
            lines.append(f"{_field_card(table.cards[card.id])}:SetStatus({status},true)")
    return "\n".join(lines).encode() if lines else None


_FIELD: Final = MONSTER_ZONES | {"spell-trap-zone", "field-zone"}


def _problems(core: Core, board: Board, pool: CardPool) -> Iterator[str]:
    if board.ruleset not in FLAGS:
        yield f"the core has no flags for the ruleset {board.ruleset}"
    yield from board.problems(pool)
    for card in board.cards:
        if card.passcode not in core.cards:
            yield f"the card database has no card {card.passcode}"
        if card.counters:
            yield f"card {card.id}: counters cannot be set up"
        yield from (f"the card database has no card {code}" for code in card.materials if code not in core.cards)


def _order(card: BoardCard) -> tuple[int, int]:
    location, _ = core_place(card.zone, card.side, card.index)
    # A card is laid on top of the Deck, so the one drawn first comes last.
    return _ORDER.index(location), -card.index if location == DECK else card.index


def _lay(core: Core, duel: CoreDuel, table: Table, card: BoardCard) -> None:
    location, sequence = core_place(card.zone, card.side, card.index)
    position = _POSITIONS[card.position]
    if location in {DECK, HAND, EXTRA}:
        position = DEFENSE_DOWN
    elif location == GRAVEYARD:
        position = ATTACK_UP
    code = card.passcode
    if card.atk is not None or card.def_ is not None:
        printed = core.cards.get(code)
        if printed is not None:
            code = core.cards.with_stats(
                code,
                printed.attack if card.atk is None else card.atk,
                printed.defense if card.def_ is None else card.def_,
            )
    duel.add(code, card.owner, card.side, location, sequence, position)
    on_pile = location not in {MONSTERS, SPELLS}
    table.add(
        TableCard(card.id, card.passcode, card.owner),
        Location(card.side, location, 0xFFFF if on_pile else sequence, position),
    )


def _preparation(board: Board, table: Table, core: Core) -> str:
    lines = [SKIPPING]
    lines += [f"skip({code},{board.turn_player})" for code in ("EFFECT_SKIP_DP", "EFFECT_SKIP_SP", "EFFECT_SKIP_M1")]
    if board.turn_player == 1:
        lines.append(f"skip(EFFECT_SKIP_TURN,{opponent(board.turn_player)})")
    for card in board.cards:
        for code in card.materials:
            at = table.cards[card.id].at
            assert at is not None
            # Where a card stands already, another one becomes its material.
            place = f"{card.owner},{at.player},{at.location},{at.sequence},{ATTACK_UP}"
            lines.append(f"Debug.AddCard({code},{place})")
        if card.equipped_to is None:
            continue
        data = core.cards.get(card.passcode)
        attach = "PreEquip" if data is not None and data.type & TYPE_EQUIP else "PreSetTarget"
        lines.append(f"Debug.{attach}({_field_card(table.cards[card.id])},{_field_card(table.cards[card.equipped_to])})")
    return "\n".join(lines)


def _field_card(card: TableCard) -> str:
    at = card.at
    assert at is not None
    return f"Duel.GetFieldCard({at.player},{at.location},{at.sequence})"
