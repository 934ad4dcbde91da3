"""A running engine process: started in a group of its own, so that nothing of it is left when it is stopped."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import weakref
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import suppress
from threading import Thread
from typing import IO, Final

from engine_protocol.pipes import BestPipes, Pipes

STDERR_LINES: Final = 32
"""So many of the last lines an engine wrote to stderr are kept."""

_STDERR_LINE_LENGTH = 2_000
_SECONDS_TO_DIE = 1.0
"""How long a process that has closed its output, or was asked to end, may take to end."""


class EngineProcess:
    """A process, its pipes, and the last it said on stderr. Stopped at the latest when Python ends."""

    def __init__(self, arguments: str | Sequence[str], pipes: Callable[[IO[bytes], IO[bytes]], Pipes] = BestPipes) -> None:
        """Start it.

        Raises:
            OSError: it cannot be started.
        """
        popen = subprocess.Popen(
            arguments,
            bufsize=0,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,  # without effect on Windows
        )
        assert popen.stdin is not None
        assert popen.stdout is not None
        assert popen.stderr is not None
        self._popen = popen
        self._stderr: deque[str] = deque(maxlen=STDERR_LINES)
        self._listener = Thread(target=_listen, args=(popen.stderr, self._stderr), daemon=True, name="engine stderr")
        self._listener.start()
        self.pipes = pipes(popen.stdin, popen.stdout)
        self._end = weakref.finalize(self, _end, popen, self.pipes)

    @property
    def pid(self) -> int:
        """The process id."""
        return self._popen.pid

    @property
    def stderr(self) -> tuple[str, ...]:
        """The last lines on stderr, oldest first."""
        return tuple(self._stderr)

    def stop(self, *, gently: bool = False) -> None:
        """End the process and all it started. ``gently``: let it end by itself first, now that nothing more will come."""
        if gently and self._end.alive:
            self.pipes.close_input()
            with suppress(subprocess.TimeoutExpired):
                self._popen.wait(_SECONDS_TO_DIE)
        self._end()
        self._listener.join(_SECONDS_TO_DIE)

    def fate(self) -> str:
        """What became of a process that closed its output: a clause for a sentence. It is stopped then."""
        try:
            status = self._popen.wait(_SECONDS_TO_DIE)
        except subprocess.TimeoutExpired:
            told = "closed its standard output but went on running"
        else:
            told = f"was ended by {_signal_name(-status)}" if status < 0 else f"ended with exit status {status}"
        self.stop()
        return told


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _listen(stderr: IO[bytes], lines: deque[str]) -> None:
    """Keep the last lines; an engine that talks a lot is never held up by a full pipe."""
    with open(stderr.fileno(), "rb", closefd=False) as buffered, stderr:
        while line := buffered.readline(_STDERR_LINE_LENGTH):
            lines.append(line.decode("utf-8", "replace").rstrip())


def _end(popen: subprocess.Popen[bytes], pipes: Pipes) -> None:
    if sys.platform == "win32":
        subprocess.run(["taskkill", "/F", "/T", "/PID", str(popen.pid)], capture_output=True, check=False)  # noqa: S607
        popen.kill()
    else:
        # The group outlives its leader as long as anything the engine started is alive. macOS forbids killing a group of zombies.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(popen.pid, signal.SIGKILL)
    popen.wait()
    pipes.close()
