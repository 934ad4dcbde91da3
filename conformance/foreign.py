"""The one place where an engine author's Python code is called, and whatever it raises is told in a sentence."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from conformance.alarm import TimeIsUp, alarm
from engine_protocol.errors import DuelproofError, EngineError, EngineHang

T = TypeVar("T")


def call_foreign(what: str, call: Callable[[], T], timeout: float, failing: type[EngineError]) -> T:
    """Call it, and return what it returns. ``what`` names the call in sentences: ``choose()``.

    Raises:
        EngineHang: it took longer than ``timeout`` seconds.
        EngineError: it raised; the error is of the class ``failing`` and says what was raised and where. Errors of the protocol
            that the code raises on purpose come through as they are.
    """
    try:
        with alarm(timeout):
            return call()
    except DuelproofError:
        raise
    except TimeIsUp:
        raise EngineHang(f"{what} did not return within {timeout:g} s") from None
    except (Exception, SystemExit) as error:  # noqa: BLE001 - it is somebody else's code, and what it raises is the finding
        raise failing(f"{what} raised {_told(error)}") from None


def _told(error: BaseException) -> str:
    """The exception on one line, with the place where it was raised."""
    said = " ".join(str(error).split())
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {said}{place}" if said else f"{type(error).__name__}{place}"
