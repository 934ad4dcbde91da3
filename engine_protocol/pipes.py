"""Lines to and from a process, with a deadline for every wait.

Two ways to do the same: :class:`PolledPipes` waits for the file descriptors themselves and is the faster one; Windows cannot do
that with pipes, so there :class:`ThreadedPipes` lets two threads do the waiting. Deadlines are times of :func:`time.monotonic`.
"""

from __future__ import annotations

import os
import select
import sys
from abc import ABC, abstractmethod
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import IO

from engine_protocol.messages import LINE_LIMIT

_CHUNK = 1 << 16


class LineTooLongError(Exception):
    """A line went beyond :data:`~engine_protocol.messages.LINE_LIMIT`."""


class Pipes(ABC):
    """The two ends of a conversation in lines. ``unfinished`` is what came after the last line end."""

    def __init__(self) -> None:
        self.unfinished = b""

    @abstractmethod
    def send(self, line: bytes, deadline: float) -> None:
        """Send a line (its end included). That the other side reads no more is found when its answer is awaited.

        Raises:
            TimeoutError: the other side did not read it in time.
        """

    def receive(self, deadline: float) -> bytes:
        """The next line, without its end.

        Raises:
            TimeoutError: it did not come in time.
            EOFError: the other side has closed its end.
            LineTooLongError: it is too long.
        """
        chunk = self.unfinished or self._read(deadline)
        end = chunk.find(b"\n")
        if end >= 0:
            self.unfinished = chunk[end + 1 :]
            return chunk[:end]
        return self._receive_long(chunk, deadline)

    def _receive_long(self, start: bytes, deadline: float) -> bytes:
        line = bytearray(start)
        try:
            while (end := (chunk := self._read(deadline)).find(b"\n")) < 0:
                line += chunk
                if len(line) > LINE_LIMIT:
                    raise LineTooLongError
        except (TimeoutError, EOFError, LineTooLongError):
            self.unfinished = bytes(line)
            raise
        self.unfinished = chunk[end + 1 :]
        return bytes(line + chunk[:end])

    @abstractmethod
    def _read(self, deadline: float) -> bytes:
        """The next bytes, at least one; raises as :meth:`receive` does."""

    @abstractmethod
    def close_input(self) -> None:
        """Tell the other side that nothing more will come."""

    @abstractmethod
    def close(self) -> None:
        """Give everything back. The process must have ended."""


class PolledPipes(Pipes):
    """Waits with ``poll``; POSIX only."""

    def __init__(self, stdin: IO[bytes], stdout: IO[bytes]) -> None:
        super().__init__()
        self._files = stdin, stdout
        self._stdin, self._stdout = stdin.fileno(), stdout.fileno()
        os.set_blocking(self._stdin, False)
        self._readable = select.poll()
        self._readable.register(self._stdout, select.POLLIN)
        self._writable = select.poll()
        self._writable.register(self._stdin, select.POLLOUT)

    def send(self, line: bytes, deadline: float) -> None:
        """See :meth:`Pipes.send`."""
        rest = memoryview(line)
        with suppress(BrokenPipeError):
            while rest:
                try:
                    rest = rest[os.write(self._stdin, rest) :]
                except BlockingIOError:
                    _wait(self._writable, deadline)

    def _read(self, deadline: float) -> bytes:
        _wait(self._readable, deadline)
        chunk = os.read(self._stdout, _CHUNK)
        if not chunk:
            raise EOFError
        return chunk

    def close_input(self) -> None:
        """See :meth:`Pipes.close_input`."""
        self._files[0].close()

    def close(self) -> None:
        """See :meth:`Pipes.close`."""
        for file in self._files:
            file.close()


def _wait(ready: select.poll, deadline: float) -> None:
    if not ready.poll(max(0.0, deadline - monotonic()) * 1000):
        raise TimeoutError


class ThreadedPipes(Pipes):
    """Waits for two threads that do the reading and the writing; works everywhere.

    The threads close the files they use, since nobody else can while they wait in them.
    """

    def __init__(self, stdin: IO[bytes], stdout: IO[bytes]) -> None:
        super().__init__()
        self._to_send: SimpleQueue[bytes | None] = SimpleQueue()
        self._received: SimpleQueue[bytes] = SimpleQueue()
        Thread(target=_write_all, args=(stdin, self._to_send), daemon=True, name="engine stdin").start()
        Thread(target=_read_all, args=(stdout, self._received), daemon=True, name="engine stdout").start()

    def send(self, line: bytes, deadline: float) -> None:  # noqa: ARG002 – whoever does not read does not answer either
        """See :meth:`Pipes.send`; never waits."""
        self._to_send.put(line)

    def _read(self, deadline: float) -> bytes:
        try:
            chunk = self._received.get(timeout=max(0.0, deadline - monotonic()))
        except Empty:
            raise TimeoutError from None
        if not chunk:
            self._received.put(b"")  # still the end the next time
            raise EOFError
        return chunk

    def close_input(self) -> None:
        """See :meth:`Pipes.close_input`."""
        self._to_send.put(None)

    def close(self) -> None:
        """See :meth:`Pipes.close`."""
        self.close_input()


def _write_all(file: IO[bytes], lines: SimpleQueue[bytes | None]) -> None:
    with suppress(OSError), file:  # The process may read no more.
        while (line := lines.get()) is not None:
            file.write(line)


def _read_all(file: IO[bytes], chunks: SimpleQueue[bytes]) -> None:
    with file:
        while chunk := os.read(file.fileno(), _CHUNK):
            chunks.put(chunk)
    chunks.put(b"")


BestPipes: type[PolledPipes] | type[ThreadedPipes] = ThreadedPipes if sys.platform == "win32" else PolledPipes
"""The faster way on this platform."""
