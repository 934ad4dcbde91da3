"""A time limit for engine code that runs in this very process.

Python cannot be interrupted from outside, but the main thread of a process can be by a signal, where the platform has alarms.
Elsewhere there is no limit: an engine that may hang is then better reached as a process (``cmd:``).
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from types import FrameType, TracebackType
from typing import Final

_HAS_ALARMS: Final = hasattr(signal, "setitimer")
_AGAIN: Final = 0.1
"""Seconds until it rings again: code that swallows everything is interrupted a second time."""


class TimeIsUp(BaseException):
    """Raised inside the engine's code. No ``Exception``, so that the engine's own handlers let it pass."""


class _Bell:
    """Whether somebody listens for alarms."""

    attended = False


@contextmanager
def attended() -> Iterator[None]:
    """Listen for alarms once for all of the block, not anew for each of them: that takes longer than many an engine's answer."""
    if _Bell.attended or not _can_ring():
        yield
        return
    before = signal.signal(signal.SIGALRM, _ring)
    _Bell.attended = True
    try:
        yield
    finally:
        _Bell.attended = False
        signal.signal(signal.SIGALRM, before)


def alarm(seconds: float) -> AbstractContextManager[None]:
    """Raise :class:`TimeIsUp` in the block once it has taken that long."""
    if not _can_ring():
        return nullcontext()
    return _Timer(seconds) if _Bell.attended else _attended_timer(seconds)


@contextmanager
def _attended_timer(seconds: float) -> Iterator[None]:
    with attended(), _Timer(seconds):
        yield


class _Timer:
    """Rings when its time is up."""

    __slots__ = ("_seconds",)

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def __enter__(self) -> None:
        signal.setitimer(signal.ITIMER_REAL, self._seconds, _AGAIN)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None) -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)


def _can_ring() -> bool:
    return _HAS_ALARMS and threading.current_thread() is threading.main_thread()


def _ring(_signal: int, frame: FrameType | None) -> None:
    # What is raised while Hypothesis notes the time of a garbage collection is lost, and warned of: it rings again soon.
    if frame is None or frame.f_code.co_name != "gc_callback":
        raise TimeIsUp
