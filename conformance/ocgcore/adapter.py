"""ocgcore as a :class:`~engine_protocol.engine.PlayingEngine`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from conformance.ocgcore.board_setup import set_this_turn, set_up, set_up_again
from conformance.ocgcore.constants import TYPE_NORMAL
from conformance.ocgcore.core import Core
from conformance.ocgcore.course import Ask
from conformance.ocgcore.effects import EffectNumbers
from conformance.ocgcore.faults import CoreFault
from conformance.ocgcore.library import CoreDuel
from conformance.ocgcore.messages import Hint, Message, decode
from conformance.ocgcore.questions import Questioner
from conformance.ocgcore.rulesets import FLAGS
from conformance.ocgcore.telling import Teller
from engine_protocol.board import Board, BoardCard, Observation
from engine_protocol.cards import CardFacts, card_pool
from engine_protocol.engine import EngineInfo, Progress
from engine_protocol.errors import EngineProtocolError, OptionNotOffered
from engine_protocol.events import Event
from engine_protocol.rulesets import RULESETS

MOST_STEPS = 100_000
"""More steps of the core than this without a decision, and it runs in circles."""


class OcgcoreEngine:
    """The core, the user's scripts and the user's card database.

    Args:
        opener: loads the core; it may say that the core cannot be used (:class:`~engine_protocol.errors.EngineUnavailable`).
    """

    def __init__(self, opener: Callable[[], Core]) -> None:
        self._opener = opener
        self._core: Core | None = None
        self._pool = card_pool()
        self._numbers = EffectNumbers()
        self._known: tuple[int, ...] = ()
        self._duel: CoreDuel | None = None
        self._teller: Teller | None = None
        self._questioner: Questioner | None = None
        self._open: Ask | None = None
        self._board: Board | None = None
        self._given: list[bytes] = []
        self._first_script: bytes | None = None
        self._reported = 0

    def initialize(self) -> EngineInfo:
        """Load everything, and find out which cards of the pool the database and the scripts know.

        Raises:
            EngineUnavailable: the library, the scripts or the database cannot be used.
        """
        core = self._core = self._opener()
        self._known = self._learn(core)
        return EngineInfo(
            name="ocgcore",
            version=core.version,
            rulesets=tuple(name for name in FLAGS if name in RULESETS),
            cards=self._known,
            abilities=("custom-stats", "play"),
            homepage="https://github.com/edo9300/ygopro-core",
        )

    def start(self, board: Board) -> Progress:
        """Set the board up and run to the first decision.

        Raises:
            BoardNotSupported: the board cannot be set up.
        """
        self._begin(board)
        self._run()
        return self._progress()

    def choose(self, option: int) -> Progress:
        """Take an option of the open decision.

        Raises:
            OptionNotOffered: there is no such option; nothing has changed.
        """
        ask = self._open
        if ask is None:
            raise OptionNotOffered("no decision is open")
        if not 0 <= option < len(ask.decision.options):
            raise OptionNotOffered(f"option {option} is not offered: there are {len(ask.decision.options)}")
        self._take(ask, option, tell=False)
        self._run()
        return self._progress()

    def play(self, board: Board, script: Sequence[int]) -> tuple[Event, ...]:
        """A whole duel by a script of numbers."""
        teller = self._begin(board)
        numbers = iter(script)
        self._run()
        while self._open is not None:
            self._take(self._open, next(numbers, 0) % len(self._open.decision.options), tell=True)
            self._run()
        return tuple(teller.course.events)

    def observe(self) -> Observation:
        """The state now."""
        teller = self._teller
        if teller is None:
            raise EngineProtocolError("no duel has been started")
        cards = []
        for _, card in sorted(teller.table.cards.items()):
            place = card.place
            if place is None:
                continue
            atk, def_ = teller.states.values(card) or (None, None)
            cards.append(
                BoardCard(
                    id=card.id,
                    passcode=card.passcode,
                    owner=card.owner,
                    controller=place.player,
                    zone=place.zone,
                    index=place.index,
                    position=place.position,
                    atk=atk,
                    def_=def_,
                )
            )
        decision = None if self._open is None else self._open.decision
        return Observation(lp=(teller.lp[0], teller.lp[1]), cards=tuple(cards), decision=decision)

    def close(self) -> None:
        """Let the core go."""
        if self._core is not None:
            self._core.close()
        self._core = self._teller = self._questioner = self._open = self._duel = None

    def _learn(self, core: Core) -> tuple[int, ...]:
        """Cards of the pool that the database has, and whose script, where one is needed, is there and runs."""
        candidates = [card for card in self._pool.values() if self._has(core, card)]
        registered = core.registered(tuple(card.passcode for card in candidates))
        known = [card for card in candidates if card.passcode in registered]
        for card in known:
            self._numbers.learn(card, registered[card.passcode])
        return tuple(card.passcode for card in known)

    @staticmethod
    def _has(core: Core, card: CardFacts) -> bool:
        code = card.passcode
        data = core.cards.get(code)
        if data is None or ("creates-tokens" in card.categories and code + 1 not in core.cards):
            # A token is numbered after the card that creates it.
            return False
        return bool(data.type & TYPE_NORMAL) or f"c{code}.lua" in core.scripts

    def _begin(self, board: Board) -> Teller:
        core = self._core
        if core is None:
            raise EngineProtocolError("initialize() comes first")
        self._open = None
        self._reported = 0
        self._duel, table = set_up(core, board, self._pool)
        self._given = []
        self._board = board
        self._first_script = set_this_turn(board, table)
        self._teller = Teller(core, board, table, self._pool, self._numbers)
        self._questioner = Questioner(self._teller, self._look_ahead)
        return self._teller

    def _answer(self, answer: bytes) -> None:
        """Answer the core, and keep the answer: the core has no way back, so looking ahead means playing again."""
        assert self._duel is not None
        self._given.append(answer)
        self._duel.answer(answer)

    def _look_ahead(self, answer: bytes) -> tuple[Message, ...]:
        """What the core would say to this answer, up to its next question."""
        core = self._core
        assert core is not None
        assert self._board is not None
        scripts = (self._first_script, *([None] * len(self._given)))
        answers = list(zip(scripts, (*self._given, answer), strict=True))
        return tuple(decode(core.look_ahead(set_up_again(core, self._board), answers)))

    def _progress(self) -> Progress:
        assert self._teller is not None
        events = self._teller.course.events
        new = tuple(events[self._reported :])
        self._reported = len(events)
        return Progress(new, None if self._open is None else self._open.decision)

    def _take(self, ask: Ask, option: int, *, tell: bool, forced: bool = False) -> None:
        """Take an option; the core has its answer then, or the next question is open."""
        assert self._teller is not None
        self._teller.course.decided(ask.decision, option, forced=forced, tell=tell)
        answer = ask.take(option)
        if isinstance(answer, bytes):
            self._open = None
            self._answer(answer)
        else:
            self._open = answer

    def _run(self) -> None:
        """Go on until somebody has a real choice, or the Battle Phase is over."""
        teller, core = self._teller, self._core
        assert teller is not None
        assert core is not None
        for _ in range(MOST_STEPS):
            ask = self._open
            if ask is not None:
                if len(ask.decision.options) > 1:
                    return
                self._take(ask, 0, tell=True, forced=True)
            elif teller.course.over:
                core.end()
                self._duel = None
                return
            else:
                self._step(teller)
        raise CoreFault(f"the core took {MOST_STEPS:,} steps without a decision")

    def _step(self, teller: Teller) -> None:
        duel, questioner, core = self._duel, self._questioner, self._core
        assert duel is not None
        assert questioner is not None
        assert core is not None
        goes_on, batch = duel.process()
        if teller.course.timing is None:
            core.forgive_stand_ins()
        core.check()
        answered = False
        for message in decode(batch):
            if isinstance(message, Hint):
                questioner.hint(message)
            teller.tell(message)
            if teller.course.over:
                return
            asked = questioner.ask(message)
            if isinstance(asked, bytes):
                self._answer(asked)
                answered = True
            elif asked is not None:
                self._open = asked
                answered = True
        if not goes_on and not answered:
            raise CoreFault("the core stopped in the middle of the Battle Phase")
