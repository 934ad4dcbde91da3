"""A worker: a process of its own that holds one engine and does one job after the other."""

from __future__ import annotations

import signal
import sys
import traceback
from multiprocessing.connection import Connection

from hypothesis.configuration import set_hypothesis_home_dir
from msgspec import Struct

from conformance.examiner import Examiner
from conformance.jobs import Broken, Done, EngineLost, Job, Judged, Message, Search, Shrink, Shrunk
from conformance.rulings import judge_ruling
from conformance.search import Tell, search
from conformance.setup import Setup
from conformance.shrinking import shrink
from engine_protocol.errors import EngineError


class Leaving(BaseException):
    """The worker was told to end. No ``Exception`` and no ``SystemExit``, which could pass for the engine's."""


class Order(Struct, frozen=True, kw_only=True):
    """A job, and whether each duel is to be announced before it is played."""

    job: Job
    announce: bool = False


def work(connection: Connection[Message, Order | None], setup: Setup, scratch: str) -> None:
    """What a worker process runs: orders come in, messages go out, None ends it.

    ``scratch`` is a folder for what Hypothesis wants to keep between runs; nothing is written where the user is.
    """
    # ^C reaches every process of the terminal; the parent decides what becomes of it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    set_hypothesis_home_dir(scratch)
    try:
        _work(connection, setup)
    except (EOFError, BrokenPipeError, Leaving):
        # Told to leave, or the parent is gone, and with it everybody who would want to know more.
        sys.exit(1)


def _work(connection: Connection[Message, Order | None], setup: Setup) -> None:
    try:
        with Examiner(setup) as examiner:
            while (order := connection.recv()) is not None:
                connection.send(do(order.job, examiner, connection.send, announce=order.announce))
    except EngineError as error:
        connection.send(EngineLost(reason=str(error)))
    except (EOFError, BrokenPipeError):
        raise
    except Exception:  # noqa: BLE001 - the parent is told, and says so
        connection.send(Broken(traceback=traceback.format_exc()))
        raise SystemExit(1) from None


def do(job: Job, examiner: Examiner, tell: Tell, *, announce: bool = False) -> Done:
    """Do one job; what it brings is told.

    Raises:
        EngineUnavailable: the engine failed and could not be started again.
    """
    match job:
        case Search():
            return search(job, examiner, tell, announce=announce)
        case Shrink():
            finding = shrink(job, examiner)
            if finding is not None:
                tell(Shrunk(key=job.key, finding=finding))
        case _:
            for name in job.names:
                tell(Judged(result=judge_ruling(name, examiner)))
    return Done()


def _leave(*_: object) -> None:
    raise Leaving
