"""The single steps of the reducer: every way in which a duel can become smaller by one thing.

A step need not make sense as a duel: the reducer leaves out impossible boards, and when the duel is played, choices that can no
longer be taken drop out and windows that were left open are filled in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import combinations
from typing import Final, NamedTuple

from msgspec.structs import replace

from engine_protocol.board import Board, BoardCard
from engine_protocol.cards import CardPool
from engine_protocol.duel_file import Choice
from engine_protocol.vocabulary import MONSTER_ZONES, Player, Position, opponent
from strategies.boards import TURN_OF, USUAL_LP
from strategies.menus import plain

Choices = tuple[Choice, ...]


class Told(NamedTuple):
    """A duel as a duel file tells it: a board, and choices by what they do."""

    board: Board
    choices: Choices


Step = Callable[[Told, CardPool], Iterator[Told]]
"""One kind of step: all the ways to take it."""

_POSITIONS: Final[tuple[Position, ...]] = ("face-up-attack", "face-up-defense", "face-down-defense", "face-up", "face-down")
"""The simplest first."""

_UNITS: Final = (1000, 500, 100, 10)
"""Of ATK and DEF, the roundest first."""


def size(told: Told, cards: CardPool) -> tuple[int, ...]:
    """How much there is to tell, most important first: cards, choices, effects, unusual facts, and then how unusual they are."""
    board, choices = told
    return (
        len(board.cards),
        sum(choice.do.kind != "pass" for choice in choices),
        len(choices),
        sum(len(cards[card.passcode].effects) for card in board.cards),
        _unusual(board),
        sum(_roughness(value) for card in board.cards for value in (card.atk, card.def_)),
        sum(_POSITIONS.index(card.position) for card in board.cards),
        sum(card.index for card in board.cards),
        sum(card.id for card in board.cards),
    )


def _unusual(board: Board) -> int:
    """How many facts of the board differ from what they are by default."""
    facts = [board.turn != TURN_OF[board.turn_player], board.turn_player != 0, board.seed != 0]
    facts += [points != USUAL_LP for points in board.lp]
    for card in board.cards:
        facts += [
            card.turn_set is not None,
            card.turn_summoned is not None,
            card.equipped_to is not None,
            bool(card.materials),
            bool(card.counters),
            card.atk is not None,
            card.def_ is not None,
            card.controller is not None,
            card.zone == "extra-monster-zone",
        ]
    return sum(facts)


def _roughness(value: int | None) -> int:
    if value is None:
        return 0
    return next((rank for rank, unit in enumerate(_UNITS, start=1) if value % unit == 0), len(_UNITS) + 1)


def end_sooner(told: Told, cards: CardPool) -> Iterator[Told]:  # noqa: ARG001 - a step
    """Make no choices from some point on, an early one first."""
    for end in range(len(told.choices)):
        yield Told(told.board, told.choices[:end])


def drop_card(told: Told, cards: CardPool) -> Iterator[Told]:  # noqa: ARG001 - a step
    """Leave out a card, and with it every choice that names it and the cards equipped to it."""
    for card in reversed(told.board.cards):
        yield from _strict_and_loose(_without_cards(told, {card.id}))


def drop_choice(told: Told, cards: CardPool) -> Iterator[Told]:  # noqa: ARG001 - a step
    """Leave out a choice; or a choice with the ones that follow from it; or with all later ones about the same card."""
    choices = told.choices
    for at in reversed(range(len(choices))):
        card = choices[at].do.card
        later = range(at + 1, len(choices))
        following = next((number for number in later if choices[number].at.source != card or card is None), len(choices))
        about = {number for number in later if card is not None and card in {choices[number].do.card, choices[number].at.source}}
        for gone in ({at}, {at, *range(at + 1, following)}, {at} | about):
            yield from _strict_and_loose(_without_choices(told, gone))


def drop_two(told: Told, cards: CardPool) -> Iterator[Told]:  # noqa: ARG001 - a step
    """Leave out two cards, two choices, or one of each."""
    ids = [card.id for card in told.board.cards]
    for first, second in combinations(ids, 2):
        yield _without_cards(told, {first, second})
    for pair in combinations(range(len(told.choices)), 2):
        yield _without_choices(told, set(pair))
    for card_id in ids:
        for at in range(len(told.choices)):
            yield _without_cards(_without_choices(told, {at}), {card_id})


def make_plain(told: Told, cards: CardPool) -> Iterator[Told]:
    """Put a monster without effects in the place of one that has some: of the same ATK, of a similar one, or any."""
    plains = sorted((card for card in cards.values() if plain(card)), key=lambda card: card.passcode)
    if not plains:
        return
    for card in told.board.cards:
        facts = cards[card.passcode]
        if facts.type != "monster" or not facts.effects:
            continue
        atk = facts.atk or 0
        near = sorted(plains, key=lambda other: (abs((other.atk or 0) - atk), other.passcode))
        weak = min(plains, key=lambda other: ((other.atk or 0) + (other.def_ or 0), other.passcode))
        strong = max(plains, key=lambda other: (other.atk or 0, -other.passcode))
        for other in (near[0], near[min(1, len(near) - 1)], weak, strong):
            yield _with_card(told, card, replace(card, passcode=other.passcode))


def make_usual(told: Told, cards: CardPool) -> Iterator[Told]:  # noqa: ARG001 - a step
    """Give a fact of the board, or of a card, its usual value."""
    board = told.board
    for player in (0, 1):
        lp = (USUAL_LP, board.lp[1]) if player == 0 else (board.lp[0], USUAL_LP)
        yield Told(replace(board, lp=lp), told.choices)
    yield Told(replace(board, turn=TURN_OF[board.turn_player]), told.choices)
    yield Told(replace(board, seed=0), told.choices)
    if board.turn_player != 0:
        yield _with_seats_swapped(told)
    for card in board.cards:
        for other in _more_usual(card):
            yield _with_card(told, card, other)


def _more_usual(card: BoardCard) -> Iterator[BoardCard]:
    yield replace(card, turn_set=None)
    yield replace(card, turn_summoned=None)
    yield replace(card, equipped_to=None)
    yield replace(card, materials=(), counters={})
    yield replace(card, controller=None)
    yield replace(card, owner=card.side, controller=None)
    if card.zone == "extra-monster-zone":
        for index in range(5):
            yield replace(card, zone="monster-zone", index=index)
    yield replace(card, atk=None, def_=None)
    yield replace(card, atk=None)
    yield replace(card, def_=None)
    for unit in _UNITS:
        for more in (0, unit):
            if card.atk is not None:
                yield replace(card, atk=card.atk // unit * unit + more)
            if card.def_ is not None:
                yield replace(card, def_=card.def_ // unit * unit + more)


def make_simple(told: Told, cards: CardPool) -> Iterator[Told]:  # noqa: ARG001 - a step
    """Put a monster into a simpler position, a card into a lower place of its zone; number the cards from 1."""
    for card in told.board.cards:
        if card.zone in MONSTER_ZONES:
            for position in _POSITIONS[: _POSITIONS.index(card.position)]:
                yield _with_card(told, card, replace(card, position=position))
    for card in told.board.cards:
        for index in range(card.index):
            yield _with_card(told, card, replace(card, index=index))
    yield _renumbered(told)


def _with_card(told: Told, card: BoardCard, other: BoardCard) -> Told:
    cards = tuple(other if each is card else each for each in told.board.cards)
    return Told(replace(told.board, cards=cards), told.choices)


def _strict_and_loose(told: Told) -> Iterator[Told]:
    """The duel as it is; and with choices that may be taken as whichever link of a chain, for a link before may be gone."""
    yield told
    yield Told(told.board, tuple(replace(c, at=replace(c.at, kind=None, chain=None)) for c in told.choices))


def _without_choices(told: Told, gone: Iterable[int]) -> Told:
    left_out = frozenset(gone)
    return Told(told.board, tuple(choice for at, choice in enumerate(told.choices) if at not in left_out))


def _without_cards(told: Told, ids: set[int]) -> Told:
    gone = ids | {card.id for card in told.board.cards if card.equipped_to in ids}
    cards = tuple(card for card in told.board.cards if card.id not in gone)
    choices = tuple(c for c in told.choices if c.do.card not in gone and c.at.source not in gone)
    return Told(replace(told.board, cards=cards), choices)


def _with_seats_swapped(told: Told) -> Told:
    """The same duel seen from the other side of the table: Player A is Player B."""
    board = told.board
    cards = tuple(replace(card, owner=opponent(card.owner), controller=_other(card.controller)) for card in board.cards)
    turn_player = opponent(board.turn_player)
    turn = TURN_OF[turn_player] if board.turn == TURN_OF[board.turn_player] else board.turn
    swapped = replace(board, cards=cards, lp=(board.lp[1], board.lp[0]), turn_player=turn_player, turn=turn)
    choices = tuple(replace(c, at=replace(c.at, player=_other(c.at.player))) for c in told.choices)
    return Told(swapped, choices)


def _other(player: Player | None) -> Player | None:
    return None if player is None else opponent(player)


def _renumbered(told: Told) -> Told:
    """The same duel with the instance ids 1, 2, 3 … in the order of the board. Cards that came into being later keep theirs."""
    ids: dict[int | None, int] = {card.id: number for number, card in enumerate(told.board.cards, start=1)}

    def new(card_id: int | None) -> int | None:
        return ids.get(card_id, card_id)

    cards = tuple(replace(card, id=ids[card.id], equipped_to=new(card.equipped_to)) for card in told.board.cards)
    choices = tuple(
        replace(c, at=replace(c.at, source=new(c.at.source)), do=replace(c.do, card=new(c.do.card))) for c in told.choices
    )
    return Told(replace(told.board, cards=cards), choices)


SINGLES: Final[tuple[Step, ...]] = (end_sooner, drop_card, drop_choice, make_plain, make_usual, make_simple)
"""After these nothing single can go."""

PAIRS: Final[tuple[Step, ...]] = (drop_two,)
