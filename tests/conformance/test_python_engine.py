"""Python engines are held to the contract as strictly as processes."""

from __future__ import annotations

import signal
import sys
from time import sleep

import pytest

from conformance.alarm import TimeIsUp, _ring, alarm, attended
from conformance.python_engine import PythonEngine
from engine_protocol.board import Board, BoardCard
from engine_protocol.cards import card_pool
from engine_protocol.engine import Engine
from engine_protocol.errors import BoardNotSupported, EngineCrash, EngineError, EngineHang, EngineProtocolError, OptionNotOffered
from tests.conformance import miniatures


def board(*zones: str) -> Board:
    """The same monster in each of these zones."""
    passcode = card_pool().named("Blue-Eyes White Dragon").passcode
    cards = tuple(
        BoardCard(
            id=number,
            passcode=passcode,
            owner=0,
            zone=zone,  # type: ignore[arg-type]
            index=number,
            position="face-up-attack" if zone == "monster-zone" else "face-down",
        )
        for number, zone in enumerate(zones)
    )
    return Board(ruleset="ocg-2023", cards=cards)


@pytest.mark.parametrize(
    "engine, zones, error, said",
    [
        (
            miniatures.Crashes,
            ("monster-zone",) * 3,
            EngineCrash,
            r"start\(\) raised KeyError: 'third card' \(miniatures.py, line",
        ),
        (miniatures.Hangs, ("hand",), EngineHang, r"start\(\) did not return within 0.2 s"),
        (miniatures.WrongTypes, (), EngineProtocolError, r"start\(\) returned something that is no Progress: Expected `int`"),
    ],
)
def test_failures_at_the_start(engine: type[Engine], zones: tuple[str, ...], error: type[EngineError], said: str) -> None:
    """A crash, an endless loop that swallows exceptions, and a wrong type each become their error."""
    with pytest.raises(error, match=said):
        PythonEngine(engine(), timeout=0.2).start(board(*zones))


def test_repeated_decision_breaks_the_contract() -> None:
    """What types cannot say is checked too."""
    engine = PythonEngine(miniatures.ReportsAskedDecisions())
    engine.start(board("monster-zone"))
    with pytest.raises(EngineProtocolError, match=r"choose\(\) breaks the contract"):
        engine.choose(1)


def test_declared_ability_must_be_there() -> None:
    """`play` is only asked of engines that declare it; one that lacks it is told so."""

    class Boasts:
        """Declares what it lacks."""

        initialize = start = choose = observe = close = lambda *_: None

    with pytest.raises(EngineProtocolError, match="has no method play"):
        PythonEngine(Boasts()).play(board(), ())  # type: ignore[arg-type]


def test_refusals_come_through() -> None:
    """The errors that the contract asks for are no crashes."""
    engine = PythonEngine(miniatures.Stepwise())
    engine.start(board("monster-zone"))
    with pytest.raises(OptionNotOffered):
        engine.choose(9)
    with pytest.raises(BoardNotSupported):
        engine.start(Board(ruleset="chess", cards=()))


def test_time_is_not_up_while_a_garbage_collection_is_noted() -> None:
    """What is raised there would be lost, with a warning; anywhere else the alarm rings."""

    def gc_callback() -> None:
        _ring(0, sys._getframe())

    gc_callback()
    with pytest.raises(TimeIsUp):
        _ring(0, sys._getframe())


def test_alarms_that_are_attended_together() -> None:
    """Each rings by itself when its time is up; afterwards none is left, and whoever listened before listens again."""
    before = signal.signal(signal.SIGALRM, signal.SIG_IGN)
    try:
        with attended():
            for _ in range(2):
                with pytest.raises(TimeIsUp), alarm(0.01):
                    sleep(5)
            with alarm(5):
                pass
        assert signal.getitimer(signal.ITIMER_REAL)[0] == 0
        assert signal.getsignal(signal.SIGALRM) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGALRM, before)
