"""Duels recorded from a core, and a core that plays a recording back.

A recording holds the bytes of the core's messages and the answers it was given, so that everything above the shared library can
be tested without one. ``python -m tests.conformance.ocgcore.recorded`` makes them anew, with the three variables of
:mod:`tests.conformance.ocgcore.library` set.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import msgspec
from msgspec import Struct
from msgspec.structs import astuple

from conformance.ocgcore.adapter import OcgcoreEngine
from conformance.ocgcore.core import Core, Registered
from conformance.ocgcore.faults import CoreFault
from conformance.ocgcore.library import CardData, CoreDuel
from engine_protocol.board import Board
from engine_protocol.events import Event

STREAMS = Path(__file__).parent / "streams"


class Recording(Struct, frozen=True, kw_only=True):
    """One duel.

    ``registered``  the effects that the cards of the board register: mark, type, range, event
    ``cards``       type, ATK and DEF by code
    ``exchange``    what was asked of the core and what it said, in order: ``process`` with whether it goes on and its messages,
                    ``answer`` with what it was told, ``ask`` with what a question in Lua brought, ``look`` with what it would say
                    to an answer; bytes as hexadecimal digits
    """

    board: Board
    script: tuple[int, ...]
    registered: dict[int, list[tuple[int, ...]]]
    cards: dict[int, tuple[int, int, int]]
    exchange: list[tuple[str, bool, str | None]]


def recording(name: str) -> Recording:
    """The recording with this name."""
    return msgspec.json.decode((STREAMS / f"{name}.json").read_bytes(), type=Recording)


def batches(name: str) -> list[bytes]:
    """The batches of messages of a recording."""
    return [bytes.fromhex(data or "") for kind, _, data in recording(name).exchange if kind == "process"]


class Unfaithful(AssertionError):
    """The playback was not asked what the core had been asked."""


class _Cards:
    """The card database of a recording."""

    def __init__(self, cards: dict[int, tuple[int, int, int]]) -> None:
        self._data = {code: CardData(code=code, type=kind, attack=atk, defense=def_) for code, (kind, atk, def_) in cards.items()}
        self.original: dict[int, int] = {}

    def __contains__(self, code: int) -> bool:
        return code in self._data

    def get(self, code: int) -> CardData | None:
        return self._data.get(code)

    def with_stats(self, code: int, _atk: int, _def: int) -> int:
        return code


class _Everything:
    def __contains__(self, _: str) -> bool:
        return True


class _Playback:
    """A core and its duel in one, which say what was recorded."""

    version = "recorded"

    def __init__(self, recorded: Recording) -> None:
        self.cards = _Cards(recorded.cards)
        self.scripts = _Everything()
        self._recorded = recorded
        self._exchange: Iterator[tuple[str, bool, str | None]] = iter(())

    def registered(self, codes: tuple[int, ...]) -> dict[int, list[Registered]]:
        known = self._recorded.registered
        return {code: [Registered(*effect) for effect in known.get(code, [])] for code in codes}

    def begin(self, _flags: int, _lp: tuple[int, int], _seed: int) -> _Playback:
        self._exchange = iter(self._recorded.exchange)
        return self

    def another(self, _flags: int, _lp: tuple[int, int], _seed: int) -> _Playback:
        return self

    def look_ahead(self, _duel: _Playback, _answers: object) -> bytes:
        return bytes.fromhex(self._next("look")[1] or "")

    def add(self, *_: int) -> None:
        """Nothing of the set-up comes back from the core."""

    def run(self, _script: bytes, _name: str) -> None:
        """Likewise."""

    def start(self) -> None:
        """Likewise."""

    def forgive_stand_ins(self) -> None:
        """A recording asks for no card."""

    def check(self) -> None:
        """A recording holds no failed scripts."""

    def end(self) -> None:
        """Nothing to let go."""

    def close(self) -> None:
        """Likewise."""

    def process(self) -> tuple[bool, bytes]:
        goes_on, data = self._next("process")
        return goes_on, bytes.fromhex(data or "")

    def answer(self, answer: bytes) -> None:
        expected = self._next("answer")[1]
        if answer.hex() != expected:
            raise Unfaithful(f"the core was answered {answer.hex()}, recorded was {expected}")

    def ask(self, _script: bytes) -> str | None:
        return self._next("ask")[1]

    def _next(self, kind: str) -> tuple[bool, str | None]:
        recorded, goes_on, data = next(self._exchange, ("end", False, None))
        if recorded != kind:
            raise Unfaithful(f"the core was asked to {kind}, recorded was {recorded}")
        return goes_on, data


def played_back(name: str) -> tuple[Event, ...]:
    """The events of a recorded duel, as the adapter tells them."""
    recorded = recording(name)
    return engine_of(recorded).play(recorded.board, recorded.script)


def engine_of(recorded: Recording) -> OcgcoreEngine:
    """An engine whose core plays a recording back."""
    engine = OcgcoreEngine(lambda: cast(Core, _Playback(recorded)))
    engine.initialize()
    return engine


class _Asking(_Playback):
    """A core that asks for a card that no database has, at one of its steps."""

    def __init__(self, recorded: Recording, step: int) -> None:
        super().__init__(recorded)
        self._step = step
        self._missing = False

    def process(self) -> tuple[bool, bytes]:
        self._step -= 1
        self._missing |= not self._step
        return super().process()

    def forgive_stand_ins(self) -> None:
        self._missing = False

    def check(self) -> None:
        if self._missing:
            raise CoreFault("there is no such card")


def engine_that_misses_a_card(recorded: Recording, step: int) -> OcgcoreEngine:
    """An engine whose core plays a recording back, and asks at that step of it for a card that no database has."""
    engine = OcgcoreEngine(lambda: cast(Core, _Asking(recorded, step)))
    engine.initialize()
    return engine


class _RecordingDuel:
    """A duel in the core whose exchange is kept."""

    def __init__(self, duel: CoreDuel, exchange: list[tuple[str, bool, str | None]]) -> None:
        self._duel = duel
        self._exchange = exchange

    def __getattr__(self, name: str) -> Any:
        return getattr(self._duel, name)

    def process(self) -> tuple[bool, bytes]:
        goes_on, data = self._duel.process()
        self._exchange.append(("process", goes_on, data.hex()))
        return goes_on, data

    def answer(self, answer: bytes) -> None:
        self._exchange.append(("answer", False, answer.hex()))
        self._duel.answer(answer)


class RecordingCore(Core):
    """A core whose exchange is kept."""

    def __init__(self, library: str, scripts: tuple[str, ...], cards: tuple[str, ...]) -> None:
        super().__init__(library, scripts, cards)
        self.exchange: list[tuple[str, bool, str | None]] = []

    def begin(self, flags: int, lp: tuple[int, int], seed: int) -> CoreDuel:
        """Its exchange begins anew."""
        self.exchange.clear()
        return cast(CoreDuel, _RecordingDuel(super().begin(flags, lp, seed), self.exchange))

    def look_ahead(self, duel: CoreDuel, answers: list[tuple[bytes | None, bytes]]) -> bytes:
        """Kept as well."""
        batch = super().look_ahead(duel, answers)
        self.exchange.append(("look", False, batch.hex()))
        return batch

    def ask(self, script: bytes) -> str | None:
        """Kept as well."""
        answer = super().ask(script)
        self.exchange.append(("ask", False, answer))
        return answer


def record(core: RecordingCore, name: str, board: Board, script: tuple[int, ...]) -> tuple[Event, ...]:
    """Play a duel in the core and keep it."""
    engine = OcgcoreEngine(lambda: core)
    engine.initialize()
    events = engine.play(board, script)
    exchange = list(core.exchange)
    codes = tuple({card.passcode for card in board.cards} | {code for card in board.cards for code in card.materials})
    kept = Recording(
        board=board,
        script=script,
        registered={code: [astuple(one) for one in effects] for code, effects in core.registered(codes).items()},
        cards={code: (data.type, data.attack, data.defense) for code in codes if (data := core.cards.get(code)) is not None},
        exchange=exchange,
    )
    STREAMS.mkdir(exist_ok=True)
    (STREAMS / f"{name}.json").write_bytes(msgspec.json.format(msgspec.json.encode(kept), indent=1) + b"\n")
    return events


if __name__ == "__main__":
    from tests.conformance.ocgcore.duels import DUELS
    from tests.conformance.ocgcore.library import LIBRARY

    assert LIBRARY is not None
    for duel_name, (duel_board, duel_script) in DUELS.items():
        record(RecordingCore(*LIBRARY), duel_name, duel_board, duel_script)
