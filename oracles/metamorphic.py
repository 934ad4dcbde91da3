"""IV-5 to IV-8: what must stay the same when the board changes in a way that cannot matter.

A :class:`Relation` is one such change: it gives the other board, a chooser that makes the same choices there, and says where the
other duel parts from the first. The runner plays; nothing here knows an engine. Only what is certain is claimed: a board to which
a change might matter has no such relation, and the order of things that happen at once is free.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Any, ClassVar, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from engine_protocol.board import ZONE_COUNT, Board, BoardCard
from engine_protocol.cards import CardFacts, CardPool
from engine_protocol.decisions import Decision, Option
from engine_protocol.driver import Chooser
from engine_protocol.events import (
    AttackEnded,
    ControlChanged,
    Decided,
    DestructionReplaced,
    DeterminedDestroyed,
    DuelEnded,
    Equipped,
    Event,
    LpChanged,
    MaterialDetached,
    Moved,
    PositionChanged,
    StatChanged,
    StatusChanged,
    TokenCreated,
)
from engine_protocol.trace import Trace
from engine_protocol.vocabulary import FIELD, PLAYER_NAMES, PLAYERS, Player, opponent
from oracles.invariants import live_rule
from oracles.oracle import Rule

MORE_LIFE: Final = 1000
"""So many Life Points more each player has in the relation of IV-7."""

_EQUAL_ZONES: Final = ("monster-zone", "spell-trap-zone")
_AT_ONCE: Final = (
    *(Moved, TokenCreated, PositionChanged, ControlChanged, Equipped, MaterialDetached, StatChanged, StatusChanged, LpChanged),
    *(AttackEnded, DeterminedDestroyed, DestructionReplaced),
)
"""Events that may happen at once, and then stand in any order."""

_SHOWN: Final = 160

Told = dict[str, Any]
"""An event as plain data."""


class Parting(Struct, frozen=True):
    """Where two duels part that should not. ``at``: index into the events of the first."""

    at: int
    expected: str
    happened: str


class Follower:
    """A chooser that makes the choices of a trace on another board: at each decision that of the next decision of the trace that
    asks the same, and the quietest option where there is none.
    """

    def __init__(self, decided: Iterable[Decided]) -> None:
        self._ahead = list(decided)

    def __call__(self, decision: Decision) -> int:
        """The same choice, if it is there."""
        question = _question(decision)
        for number, before in enumerate(self._ahead):
            if _question(before.decision) == question:
                del self._ahead[: number + 1]
                option = before.decision.options[before.chosen]
                return decision.options.index(option) if option in decision.options else 0
        return 0


def _question(decision: Decision) -> tuple[object, ...]:
    return decision.player, decision.kind, decision.timing, decision.chain, decision.source


class Relation:
    """One change of the board that must change nothing else."""

    rule: ClassVar[str]

    def __init__(self, trace: Trace, board: Board) -> None:
        self.trace = trace
        self.board = board

    def chooser(self) -> Chooser:
        """Makes the choices of the first duel on the other board."""
        return Follower(self.decided())

    def decided(self) -> Iterator[Decided]:
        """The decisions of the first duel, as they are asked on the other board."""
        return iter(self.trace.decisions())

    def holds(self, other: Trace) -> bool:
        """Whether the two duels can be compared at all."""
        return True

    def parting(self, other: Trace) -> Parting | None:
        """Where the other duel parts from the first; None: it does not."""
        raise NotImplementedError


class _Same(Relation):
    """The whole duel must be the same, both told as :meth:`mine` and :meth:`theirs` level them."""

    expected: ClassVar[str]

    def mine(self, told: Told) -> Told:
        """An event of the first duel, as it is compared."""
        return told

    def theirs(self, told: Told) -> Told:
        """An event of the other duel, as it is compared."""
        return told

    def parting(self, other: Trace) -> Parting | None:
        """The first scene that differs."""
        first, second = _scenes(self.trace, self.mine), _scenes(other, self.theirs)
        for (at, one), (_, two) in zip(first, second, strict=False):
            if one != two:
                return Parting(at, self.expected, _difference(one, two))
        if len(first) == len(second):
            return None
        return Parting(first[min(len(first), len(second)) - 1][0], self.expected, "one of the two duels went on")


Scene = tuple[Told, list[str]]
"""An event, and what happens at once after it, sorted."""


def _scenes(trace: Trace, level: Callable[[Told], Told]) -> list[tuple[int, Scene]]:
    """The duel as scenes, each with the index of its first event."""
    scenes: list[tuple[int, Scene]] = []
    opening, lead = 0, Told()
    together: dict[object, str] = {}
    for at, event in enumerate(trace.events):
        told = level(_told(event))
        if isinstance(event, _AT_ONCE):
            # Of several changes of the same values only what they come to counts.
            key = ("values", event.card) if isinstance(event, StatChanged) else at
            together[key] = msgspec.json.encode(told, order="sorted").decode()
        else:
            scenes.append((opening, (lead, sorted(together.values()))))
            opening, lead, together = at, told, {}
    scenes.append((opening, (lead, sorted(together.values()))))
    return scenes


def _told(event: Event) -> Told:
    """An event as plain data; a choice by what it does, among options in no order."""
    told: Told = msgspec.to_builtins(event)
    if isinstance(event, Decided):
        options = told["decision"]["options"]
        told["chosen"] = options[event.chosen]
        told["decision"]["options"] = sorted(options, key=lambda option: sorted(map(str, option.items())))
    return told


def _difference(one: Scene, two: Scene) -> str:
    if one[0] != two[0]:
        return f"{_shown(one[0])} became {_shown(two[0])}"
    gone, come = ([text for text in these if text not in those] for these, those in ((one[1], two[1]), (two[1], one[1])))
    return f"{_cut(', '.join(gone) or 'nothing')} became {_cut(', '.join(come) or 'nothing')}"


def _shown(told: Told) -> str:
    return _cut(msgspec.json.encode(told).decode())


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


class Mirror(_Same):
    """The players exchange their seats."""

    rule = "IV-5"
    expected = "the same duel with the players' seats exchanged"

    def __init__(self, trace: Trace) -> None:
        super().__init__(trace, mirrored(trace.board))

    def decided(self) -> Iterator[Decided]:
        """The same decisions of the other player."""
        for event in super().decided():
            yield replace(event, decision=replace(event.decision, player=opponent(event.decision.player)))

    def mine(self, told: Told) -> Told:
        """Seen from the other side of the table."""
        return {key: _swapped(key, value) for key, value in told.items()}


def mirrored(board: Board) -> Board:
    """The board seen from the other side of the table."""
    cards = tuple(
        replace(card, owner=opponent(card.owner), controller=None if card.controller is None else opponent(card.controller))
        for card in board.cards
    )
    return replace(board, cards=cards, turn_player=opponent(board.turn_player), lp=(board.lp[1], board.lp[0]))


def _swapped(key: str, value: Any) -> Any:
    if key in {"player", "owner", "winner"}:
        return None if value is None else 1 - value
    if key == "damage":
        return value[1], value[0]
    return {inner: _swapped(inner, part) for inner, part in value.items()} if isinstance(value, dict) else value


class Placement(_Same):
    """The cards in the equal zones of the field stand in the opposite order."""

    rule = "IV-6"
    expected = "the same duel, whichever of the equal zones a card stands in"

    def __init__(self, trace: Trace) -> None:
        super().__init__(trace, replace(trace.board, cards=tuple(map(_moved_over, trace.board.cards))))

    def mine(self, told: Told) -> Told:
        """Without the numbers of zones."""
        return _without_index(told)

    def theirs(self, told: Told) -> Told:
        """Without the numbers of zones."""
        return _without_index(told)


def _moved_over(card: BoardCard) -> BoardCard:
    return replace(card, index=ZONE_COUNT[card.zone] - 1 - card.index) if card.zone in _EQUAL_ZONES else card


def _without_index(told: Told) -> Told:
    inner = {key: _without_index(value) if isinstance(value, dict) else value for key, value in told.items()}
    inner.pop("index", None)
    return inner


class LifeShift(_Same):
    """Both players have more Life Points, and nobody is near losing."""

    rule = "IV-7"
    expected = f"the same duel with {MORE_LIFE} Life Points more for each player"

    def __init__(self, trace: Trace) -> None:
        first, second = trace.board.lp
        super().__init__(trace, replace(trace.board, lp=(first + MORE_LIFE, second + MORE_LIFE)))

    def holds(self, other: Trace) -> bool:
        """Not if a player lost in one of the two."""
        return not any(isinstance(event, DuelEnded) for trace in (self.trace, other) for event in trace.events)

    def theirs(self, told: Told) -> Told:
        """With the Life Points of the first duel."""
        return {**told, "total": told["total"] - MORE_LIFE} if "total" in told else told


def reads_life_points(card: CardFacts) -> bool:
    """Whether how many Life Points a player has might matter to one of its effects: a cost, damage that the facts do not tell all
    of, or something they do not explain.
    """
    return any(
        any(cost.kind in {"pay-lp", "pay-half-lp"} for cost in effect.cost)
        or ("damages" in effect.categories and not effect.complete)
        or (not effect.categories and effect.condition != "other-phase" and effect.kind != "activation")
        for effect in card.effects
    )


class HiddenCards(Relation):
    """All hidden cards of one player are others: what the other player is offered must be the same.

    Compared is what the other player is asked, up to the first event about one of the hidden cards, and as long as their owner
    does the same in both duels.
    """

    rule = "IV-8"

    def __init__(self, trace: Trace, board: Board, watcher: Player) -> None:
        super().__init__(trace, board)
        self._watcher = watcher
        self._hidden = frozenset(
            card.id for card, other in zip(trace.board.cards, board.cards, strict=True) if card.passcode != other.passcode
        )

    def parting(self, other: Trace) -> Parting | None:
        """The first time the watcher is offered something else."""
        for (at, one), (_, two) in zip(self._told_of(self.trace), self._told_of(other), strict=False):
            if _question(one.decision) != _question(two.decision):
                return None
            watching = one.decision.player == self._watcher
            if watching and set(one.decision.options) != set(two.decision.options):
                return Parting(
                    at,
                    f"{PLAYER_NAMES[self._watcher]} is offered the same, whatever the other player's hidden cards are",
                    f"{_cut(_options(one.decision, two.decision))} on offer depended on them",
                )
            if one.decision.options[one.chosen] != two.decision.options[two.chosen]:
                return None
        return None

    def _told_of(self, trace: Trace) -> Iterator[tuple[int, Decided]]:
        """What the watcher was asked, and what the other player did, until a hidden card shows."""
        for at, event in enumerate(trace.events):
            if isinstance(event, Decided):
                if event.decision.player == self._watcher or event.decision.options[event.chosen].kind != "pass":
                    yield at, event
            elif not self._hidden.isdisjoint(_cards_of(event)):
                return


def _options(one: Decision, two: Decision) -> str:
    differing = set(one.options) ^ set(two.options)
    return ", ".join(sorted(_option(option) for option in differing))


def _option(option: Option) -> str:
    return option.kind if option.card is None else f"{option.kind} card {option.card}"


def _cards_of(event: Event) -> set[int]:
    """Every card that an event speaks of."""
    told = msgspec.to_builtins(event)
    cards = {told[key] for key in ("card", "attacker", "target", "to", "substitute") if isinstance(told.get(key), int)}
    return cards.union(told.get("targets", ()))


def _other_hidden_cards(board: Board, owner: Player, pool: CardPool) -> Board:
    """The board with other cards in the place of the owner's hidden ones, where the pool has any."""
    dull = sorted(
        (card for card in pool.values() if card.type == "monster" and not card.effects and not card.token), key=_passcode
    )
    quick = sorted((card for card in pool.values() if card.type == "trap" or card.property == "quick-play"), key=_passcode)

    def another(card: BoardCard) -> BoardCard:
        if card.owner != owner or card.side != owner or not _is_hidden(card):
            return card
        choice = [facts.passcode for facts in (quick if card.zone == "spell-trap-zone" else dull)]
        choice = [passcode for passcode in choice if passcode != card.passcode]
        return replace(card, passcode=choice[card.passcode % len(choice)], atk=None, def_=None) if choice else card

    return replace(board, cards=tuple(map(another, board.cards)))


def _is_hidden(card: BoardCard) -> bool:
    return card.zone in {"hand", "deck"} or (
        card.zone in FIELD and card.zone != "field-zone" and card.position.startswith("face-down")
    )


def _passcode(card: CardFacts) -> int:
    return card.passcode


RULES: Final[tuple[Rule, ...]] = (
    live_rule("IV-5", "Mirror", "When the two players exchange their seats, the duel is the same with the players exchanged."),
    live_rule("IV-6", "Placement", "Which of the equal zones a card stands in changes nothing."),
    live_rule(
        "IV-7", "Life shift", "With as many Life Points more for each player, everything happens alike until somebody would lose."
    ),
    live_rule("IV-8", "Hidden cards", "What a player is offered does not depend on the hidden cards of the other player."),
)


def relations(trace: Trace, pool: CardPool, rules: Collection[str] | None = None) -> Iterator[Relation]:
    """The changes of its board that must not matter to a duel.

    Args:
        trace: the duel.
        pool: the cards that the engine knows.
        rules: ids of the rules to check; all four where left out.
    """
    wanted = frozenset(rule.id for rule in RULES if rules is None or rule.id in rules)
    board = trace.board
    if Mirror.rule in wanted:
        yield Mirror(trace)
    if Placement.rule in wanted and any(card.zone in _EQUAL_ZONES for card in board.cards):
        yield Placement(trace)
    if LifeShift.rule in wanted and not any(reads_life_points(pool[card.passcode]) for card in board.cards):
        yield LifeShift(trace)
    if HiddenCards.rule in wanted:
        for watcher in PLAYERS:
            other = _other_hidden_cards(board, opponent(watcher), pool)
            if other != board:
                yield HiddenCards(trace, other, watcher)
