"""A time limit for engine code that runs in this very process.

Python cannot be interrupted from outside, but the main thread of a process can be by a signal, where the platform has alarms.
Elsewhere there is no limit: an engine that may hang is then better reached as a process (``cmd:``).
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class TimeIsUp(BaseException):
    """Raised inside the engine's code. No ``Exception``, so that the engine's own handlers let it pass."""


@contextmanager
def alarm(seconds: float) -> Iterator[None]:
    """Raise :class:`TimeIsUp` in the block once it has taken that long."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, _ring)
    # It rings again and again: code that swallows everything is interrupted a second time.
    signal.setitimer(signal.ITIMER_REAL, seconds, 0.1)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _ring(_signal: int, frame: FrameType | None) -> None:
    # What is raised while Hypothesis notes the time of a garbage collection is lost, and warned of: it rings again soon.
    if frame is None or frame.f_code.co_name != "gc_callback":
        raise TimeIsUp
