"""A first look at an engine: a handful of fixed duels in which every message is held to the letter.

Each step says what was asked and, if the answer is wrong, what is wrong with it and what to do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress

from msgspec import Struct

from conformance.engines import identify, open_engine
from engine_protocol.board import Board, BoardCard, Observation
from engine_protocol.cards import CardFacts, CardPool, card_pool
from engine_protocol.driver import drive, play, scripted
from engine_protocol.engine import Engine, EngineInfo, Progress
from engine_protocol.errors import (
    BoardNotSupported,
    EngineCrash,
    EngineError,
    EngineHang,
    EngineProtocolError,
    EngineUnavailable,
    OptionNotOffered,
)
from engine_protocol.events import BattlePhaseEnded, Decided, DuelEnded, Event, TimingBegan
from engine_protocol.trace import Trace
from engine_protocol.vocabulary import Player, Position, Zone
from reports.text import counted

UNKNOWN_PASSCODE = 1
"""No card has it."""

LOUD = (1,) * 24
"""A script that takes the second option wherever there is one."""

_HINTS: tuple[tuple[type[EngineError], str], ...] = (
    (EngineProtocolError, "`duelproof schema messages` prints what is expected; docs/protocol.md explains each message"),
    (EngineHang, "answer every request with one line, end it with a line feed, and flush the standard output"),
    (EngineCrash, "a request that cannot be served is answered with an error, and the engine goes on"),
    (OptionNotOffered, "take every option of the open decision, counted from 0"),
    (BoardNotSupported, "declare in `initialize` which cards, rulesets and abilities there are"),
)


class Step(Struct, frozen=True, kw_only=True):
    """One thing that was tried. ``problem`` is None if all was well; ``hint`` says what to do about it."""

    name: str
    detail: str = ""
    problem: str | None = None
    hint: str | None = None


class Smoke:
    """The steps, one after the other; the engine is started anew after each that it fails.

    Args:
        spec: the engine.
        ruleset: of the boards.
        timeout: seconds for one answer.
    """

    def __init__(self, spec: str, ruleset: str, timeout: float) -> None:
        self._spec = spec
        self._ruleset = ruleset
        self._timeout = timeout
        self._engine: Engine = open_engine(spec, timeout, validate=True)
        self._info: EngineInfo

    def steps(self) -> Iterator[Step]:
        """Try everything.

        Raises:
            EngineUnavailable: the engine cannot be used at all.
        """
        try:
            self._info = self._identified()
            yield self._introduced()
            for name, board, script in boards(self._ruleset, _known(self._info)):
                yield from self._duel(name, board, script)
            yield self._refuses_board()
        finally:
            with suppress(EngineError):
                self._engine.close()

    def _identified(self) -> EngineInfo:
        return identify(self._engine, self._spec, self._ruleset)

    def _introduced(self) -> Step:
        info, pool = self._info, card_pool()
        detail = (
            f"{info.name} {info.version}; rulesets {', '.join(info.rulesets)}; abilities {', '.join(info.abilities) or 'none'}"
        )
        if info.cards is None:
            return Step(name="initialize", detail=f"{detail}; every card")
        strangers = [str(passcode) for passcode in info.cards if passcode not in pool]
        known = len(info.cards) - len(strangers)
        detail += f"; {known} of {len(pool)} cards" + (f"; duelproof does not know {', '.join(strangers)}" if strangers else "")
        return Step(name="initialize", detail=detail)

    def _duel(self, name: str, board: Board, script: Sequence[int]) -> Iterator[Step]:
        """One duel, step by step, with a wrong choice at its first decision; and as a whole, if the engine can."""
        traces: list[Trace] = []

        def stepwise() -> str:
            traces.append(self._stepwise(board, script))
            return _told(traces[0])

        yield self._try(f"{name}: start, choose, observe", stepwise)
        if "play" in self._info.abilities and traces:
            yield self._try(f"{name}: play", lambda: self._whole(board, script, traces[0]))

    def _stepwise(self, board: Board, script: Sequence[int]) -> Trace:
        progress = self._engine.start(board)
        _begins(progress.events)
        if progress.decision is not None:
            before = self._engine.observe()
            _describes(before, board, progress)
            self._refuses_option(len(progress.decision.options))
            if self._engine.observe() != before:
                raise EngineProtocolError("after a refused choice observe() tells another state; a refusal changes nothing")
        # Starting again throws the duel away that was begun above.
        trace = drive(self._engine, board, scripted(script))
        _ends(trace.events)
        return trace

    def _refuses_option(self, options: int) -> None:
        try:
            self._engine.choose(options)
        except OptionNotOffered:
            return
        raise EngineProtocolError(
            f"option {options} was taken although there are {options}, counted from 0; the answer is the error option-not-offered"
        )

    def _whole(self, board: Board, script: Sequence[int], trace: Trace) -> str:
        whole = play(self._engine, board, script)
        if whole.events != trace.events:
            at = next((at for at, pair in enumerate(zip(whole.events, trace.events, strict=False)) if pair[0] != pair[1]), None)
            where = "one is longer" if at is None else f"event {at} differs"
            raise EngineProtocolError(f"play() and the same choices one by one lead to different duels: {where}")
        return _told(whole)

    def _refuses_board(self) -> Step:
        card = BoardCard(id=1, passcode=UNKNOWN_PASSCODE, owner=0, zone="hand", position="face-down")
        board = Board(ruleset=self._ruleset, cards=(card,))

        def refuse() -> str:
            try:
                self._engine.start(board)
            except BoardNotSupported as error:
                return str(error)
            raise EngineProtocolError(
                f"a board with the unknown card {UNKNOWN_PASSCODE} was set up; answer it with the error board-not-supported"
            )

        return self._try("a board with an unknown card: start", refuse)

    def _try(self, name: str, attempt: Callable[[], str]) -> Step:
        try:
            return Step(name=name, detail=attempt())
        except EngineUnavailable:
            raise
        except EngineError as error:
            with suppress(EngineError):
                self._engine.close()
            self._engine = open_engine(self._spec, self._timeout, validate=True)
            self._identified()
            hint = next((hint for kind, hint in _HINTS if isinstance(error, kind)), None)
            return Step(name=name, problem=str(error), hint=hint)


def boards(ruleset: str, pool: CardPool) -> Iterator[tuple[str, Board, Sequence[int]]]:
    """The fixed duels, as far as the engine knows cards for them: a name, a board, and a script."""
    plain = sorted(
        (card for card in pool.values() if card.type == "monster" and not card.effects and not card.token and card.atk),
        key=lambda card: (card.atk or 0, card.passcode),
    )
    trap = next((card for card in pool.values() if card.type == "trap" and _answers_attack(card)), None)
    yield "no cards", Board(ruleset=ruleset, cards=()), ()
    if not plain:
        return
    weak, strong = plain[0].passcode, plain[-1].passcode
    attacker = _card(1, strong, 0, "monster-zone", "face-up-attack")
    weaker = _card(2, weak, 1, "monster-zone", "face-up-attack")
    hidden = _card(2, weak, 1, "monster-zone", "face-down-defense")
    yield "a monster that stays quiet", Board(ruleset=ruleset, cards=(attacker,)), ()
    yield "a direct attack", Board(ruleset=ruleset, cards=(attacker,)), LOUD
    yield "an attack on a weaker monster", Board(ruleset=ruleset, cards=(attacker, weaker)), LOUD
    yield "an attack on a face-down monster", Board(ruleset=ruleset, cards=(attacker, hidden)), LOUD
    if trap is not None:
        cards = (attacker, weaker, _card(3, trap.passcode, 1, "spell-trap-zone", "face-down"))
        yield f"an attack into {trap.name}", Board(ruleset=ruleset, cards=cards), LOUD


def _answers_attack(card: CardFacts) -> bool:
    return any(effect.condition == "attack-declared" and not effect.cost for effect in card.effects)


def _card(number: int, passcode: int, owner: Player, zone: Zone, position: Position) -> BoardCard:
    return BoardCard(id=number, passcode=passcode, owner=owner, zone=zone, position=position)


def _known(info: EngineInfo) -> CardPool:
    pool = card_pool()
    return pool if info.cards is None else CardPool(pool[passcode] for passcode in info.cards if passcode in pool)


def _begins(events: tuple[Event, ...]) -> None:
    if not events or events[0] != TimingBegan("start-step"):
        raise EngineProtocolError("start() does not begin with the event timing-began of the timing start-step")


def _ends(events: tuple[Event, ...]) -> None:
    if not events or not isinstance(events[-1], (BattlePhaseEnded, DuelEnded)):
        raise EngineProtocolError(
            "the duel is over (no decision is open), but its last event is not battle-phase-ended or duel-ended"
        )


def _describes(observation: Observation, board: Board, progress: Progress) -> None:
    if observation.decision != progress.decision:
        raise EngineProtocolError("observe() tells another open decision than start() did")
    if observation.lp != board.lp:
        raise EngineProtocolError(f"observe() tells the Life Points {observation.lp}, the board says {board.lp}")
    missing = {card.id for card in board.cards} - {card.id for card in observation.cards}
    if missing:
        raise EngineProtocolError(f"observe() tells nothing of the card with the instance id {min(missing)}")


def _told(trace: Trace) -> str:
    asked = sum(isinstance(event, Decided) and not event.forced for event in trace.events)
    return f"{counted(asked, 'decision')}, {counted(len(trace.events), 'event')}"
