"""The reference engine as an :class:`~engine_protocol.engine.PlayingEngine`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib.metadata import PackageNotFoundError, version

from engine_protocol.board import Board, BoardCard, Observation
from engine_protocol.cards import CardPool, card_pool
from engine_protocol.decisions import Decision
from engine_protocol.engine import EngineInfo, Progress
from engine_protocol.errors import BoardNotSupported, EngineProtocolError, OptionNotOffered
from engine_protocol.events import Decided, Event
from engine_protocol.rulesets import RULESETS, ruleset_named
from engine_protocol.vocabulary import FIELD
from reference_engine.behaviour import Flow
from reference_engine.card import Card
from reference_engine.cards import BEHAVIOURS
from reference_engine.duel import Duel, DuelOver
from reference_engine.flow import battle_phase
from reference_engine.legality import Rulebook


@cache
def _rulebook(ruleset: str) -> Rulebook:
    return Rulebook(ruleset_named(ruleset), tuple(card_pool().values()))


class ReferenceEngine:
    """Plays one Battle Phase at a time, by the ruleset of its board.

    Args:
        ruleset: the only ruleset that it claims, and that boards must name; all of them where left out.

    Raises:
        InputError: there is no such ruleset.
    """

    def __init__(self, ruleset: str | None = None) -> None:
        self._rulesets = tuple(RULESETS) if ruleset is None else (ruleset_named(ruleset).name,)
        self._pool: CardPool = card_pool()
        self._duel: Duel | None = None
        self._flow: Flow | None = None
        self._decision: Decision | None = None
        self._reported = 0

    def initialize(self) -> EngineInfo:
        """Who it is: the reference engine, with every card of the pool that has a behaviour."""
        return EngineInfo(
            name="duelproof reference engine",
            version=_version(),
            rulesets=self._rulesets,
            cards=tuple(BEHAVIOURS),
            abilities=("custom-stats", "play"),
        )

    def start(self, board: Board) -> Progress:
        """Set the board up and run to the first decision.

        Raises:
            BoardNotSupported: another ruleset, or a board that cannot be.
        """
        self._begin(board)
        return self._run(None)

    def choose(self, option: int) -> Progress:
        """Take an option of the open decision.

        Raises:
            OptionNotOffered: there is no such option; nothing has changed.
        """
        decision = self._decision
        if decision is None:
            raise OptionNotOffered("no decision is open")
        if not 0 <= option < len(decision.options):
            raise OptionNotOffered(f"option {option} is not offered: there are {len(decision.options)}")
        return self._run(option)

    def play(self, board: Board, script: Sequence[int]) -> tuple[Event, ...]:
        """A whole duel by a script of numbers."""
        duel, flow = self._begin(board)
        events = duel.events
        numbers = iter(script)
        try:
            decision = next(flow)
            while True:
                chosen = next(numbers, 0) % len(decision.options)
                events.append(Decided(decision, chosen))
                decision = flow.send(chosen)
        except (StopIteration, DuelOver):
            self._decision = None
        return tuple(events)

    def observe(self) -> Observation:
        """The state now."""
        duel = self._duel
        if duel is None:
            raise EngineProtocolError("no duel has been started")
        cards = tuple(_seen(card) for card in duel.cards.values() if card.zone in FIELD or not card.facts.token)
        return Observation(lp=(duel.lp[0], duel.lp[1]), cards=cards, decision=self._decision)

    def close(self) -> None:
        """Let the duel go."""
        self._duel = self._flow = self._decision = None

    def _begin(self, board: Board) -> tuple[Duel, Flow]:
        if board.ruleset not in self._rulesets:
            raise BoardNotSupported(f"the rulesets are {', '.join(self._rulesets)}; {board.ruleset} is none of them")
        for problem in board.problems(self._pool):
            raise BoardNotSupported(problem)
        for card in board.cards:
            if card.passcode not in BEHAVIOURS:
                raise BoardNotSupported(f"{self._pool[card.passcode].name} ({card.passcode}) has no behaviour here")
        duel = Duel(board, _rulebook(board.ruleset), self._pool, BEHAVIOURS)
        flow = battle_phase(duel)
        self._duel, self._flow, self._decision, self._reported = duel, flow, None, 0
        return duel, flow

    def _run(self, option: int | None) -> Progress:
        duel, flow = self._duel, self._flow
        if duel is None or flow is None:
            raise OptionNotOffered("no duel has been started")
        try:
            self._decision = next(flow) if option is None else flow.send(option)
        except (StopIteration, DuelOver):
            self._decision = None
        events = tuple(duel.events[self._reported :])
        self._reported = len(duel.events)
        return Progress(events, self._decision)


def _seen(card: Card) -> BoardCard:
    return BoardCard(
        id=card.id,
        passcode=card.facts.passcode,
        owner=card.owner,
        controller=card.controller,
        zone=card.zone,
        index=card.index,
        position=card.position,
        turn_set=card.turn_set,
        turn_summoned=card.turn_summoned,
        equipped_to=None if card.equipped_to is None else card.equipped_to.id,
        materials=card.materials,
        counters=card.counters,
        atk=card.atk if card.is_monster_on_field else None,
        def_=card.def_ if card.is_monster_on_field else None,
    )


@cache
def _version() -> str:
    try:
        return version("duelproof")
    except PackageNotFoundError:
        return "unknown"
