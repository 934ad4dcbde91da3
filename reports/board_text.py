"""A board in words: who has what where."""

from __future__ import annotations

from collections.abc import Iterator

from engine_protocol.board import Board, BoardCard
from engine_protocol.vocabulary import FIELD, MONSTER_ZONES, PLAYER_NAMES, PLAYERS, Player, Position, Zone
from reports.cast import Cast

POSITION_NAMES: dict[Position, str] = {
    "face-up-attack": "Attack Position",
    "face-up-defense": "Defense Position",
    "face-down-defense": "face-down Defense Position",
    "face-up": "face-up",
    "face-down": "face-down",
}

_PLACES: tuple[tuple[str, frozenset[str]], ...] = (
    ("Monsters", MONSTER_ZONES),
    ("Spells & Traps", frozenset({"spell-trap-zone"})),
    ("Field Zone", frozenset({"field-zone"})),
    ("Hand", frozenset({"hand"})),
    ("Graveyard", frozenset({"graveyard"})),
    ("Banished", frozenset({"banished"})),
    ("Deck", frozenset({"deck"})),
    ("Extra Deck", frozenset({"extra-deck"})),
)

ZONE_NAMES: dict[Zone, str] = {
    "monster-zone": "Monster Zone",
    "extra-monster-zone": "Extra Monster Zone",
    "spell-trap-zone": "Spell & Trap Zone",
    "field-zone": "Field Zone",
    "hand": "hand",
    "deck": "Deck",
    "extra-deck": "Extra Deck",
    "graveyard": "Graveyard",
    "banished": "banished cards",
}


def board_lines(board: Board, cast: Cast) -> Iterator[str]:
    """The board, a line for each place that holds something."""
    yield f"Turn {board.turn}, Battle Phase of {PLAYER_NAMES[board.turn_player]}, ruleset {board.ruleset}"
    for player in PLAYERS:
        yield f"{PLAYER_NAMES[player]}: {board.lp[player]} LP"
        for place, zones in _PLACES:
            cards = _cards(board, player, zones)
            if cards:
                yield f"  {place}: " + "; ".join(_card(board, card, cast) for card in cards)


def _cards(board: Board, player: Player, zones: frozenset[str]) -> list[BoardCard]:
    cards = [card for card in board.cards if card.zone in zones and card.side == player]
    return sorted(cards, key=lambda card: (card.zone, card.index))


def _card(board: Board, card: BoardCard, cast: Cast) -> str:
    notes = list(_notes(board, card, cast))
    return f"{cast.name(card.id)} ({', '.join(notes)})" if notes else cast.name(card.id)


def _notes(board: Board, card: BoardCard, cast: Cast) -> Iterator[str]:
    facts = cast.facts(card.id)
    if facts is not None and facts.type == "monster":
        yield f"ATK {_stat(card.atk, facts.atk)} / DEF {_stat(card.def_, facts.def_)}"
    if card.zone in FIELD and card.position != "face-up":
        yield "set" if card.position == "face-down" else POSITION_NAMES[card.position]
    elif card.zone == "banished" and card.position == "face-down":
        yield "face-down"
    if card.side != card.owner:
        yield f"owned by {PLAYER_NAMES[card.owner]}"
    if card.turn_set == board.turn:
        yield "set this turn"
    if card.turn_summoned == board.turn:
        yield "summoned this turn"
    if card.equipped_to is not None:
        yield f"equipped to {cast.name(card.equipped_to)}"
    if card.materials:
        yield f"{len(card.materials)} Xyz Material"
    for counter, count in card.counters.items():
        yield f"{count} {counter}"


def _stat(custom: int | None, printed: int | None) -> str:
    value = printed if custom is None else custom
    return "?" if value is None else str(value)
