"""Lines through pipes, by both ways of waiting."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from time import monotonic
from typing import BinaryIO, NamedTuple

import pytest

from engine_protocol.messages import LINE_LIMIT
from engine_protocol.pipes import LineTooLongError, Pipes, PolledPipes, ThreadedPipes


class Conversation(NamedTuple):
    """The pipes under test, and the other side's ends: where it hears what they send, and says what they receive."""

    pipes: Pipes
    hear: BinaryIO
    say: BinaryIO


@pytest.fixture(params=[PolledPipes, ThreadedPipes])
def conversation(request: pytest.FixtureRequest) -> Iterator[Conversation]:
    """Both kinds of pipes, connected to the test."""
    hear, stdin = _pipe()
    stdout, say = _pipe()
    pipes = request.param(stdin, stdout)
    with hear, say:
        yield Conversation(pipes, hear, say)
    pipes.close()


def _pipe() -> tuple[BinaryIO, BinaryIO]:
    reading, writing = os.pipe()
    return open(reading, "rb", buffering=0), open(writing, "wb", buffering=0)


def soon() -> float:
    """A deadline that is not reached."""
    return monotonic() + 60


def test_lines_come_one_by_one(conversation: Conversation) -> None:
    """Two lines in one piece are two lines, and a line in two pieces is one."""
    conversation.say.write(b"one\ntwo\nthr")
    assert conversation.pipes.receive(soon()) == b"one"
    assert conversation.pipes.receive(soon()) == b"two"
    threading.Timer(0.05, conversation.say.write, [b"ee\n"]).start()
    assert conversation.pipes.receive(soon()) == b"three"


def test_what_is_sent_arrives(conversation: Conversation) -> None:
    """A line goes out at once, with its end."""
    conversation.pipes.send(b"hello\n", soon())
    assert conversation.hear.read(6) == b"hello\n"


def test_a_long_line(conversation: Conversation) -> None:
    """A line longer than any pipe's buffer arrives whole."""
    line = b"x" * 1_000_000
    writer = threading.Thread(target=conversation.say.write, args=[line + b"\n"])
    writer.start()
    assert conversation.pipes.receive(soon()) == line
    writer.join()


def test_no_line_in_time(conversation: Conversation) -> None:
    """When time is up, what came of the line is kept to be shown."""
    conversation.say.write(b"almost")
    with pytest.raises(TimeoutError):
        conversation.pipes.receive(monotonic() + 0.1)
    assert conversation.pipes.unfinished == b"almost"


def test_the_end(conversation: Conversation) -> None:
    """A closed pipe is the end, every time one looks."""
    conversation.say.close()
    for _ in range(2):
        with pytest.raises(EOFError):
            conversation.pipes.receive(soon())


def test_a_line_without_end(conversation: Conversation) -> None:
    """Reading stops when a line goes beyond the limit."""

    def flood() -> None:
        for _ in range(LINE_LIMIT // 4_096 + 1):
            conversation.say.write(b"x" * 4_096)

    writer = threading.Thread(target=flood)
    writer.start()
    with pytest.raises(LineTooLongError):
        conversation.pipes.receive(soon())
    writer.join()


def test_nobody_reads(conversation: Conversation) -> None:
    """Sending to somebody who has gone is no error by itself: the lack of an answer is."""
    conversation.hear.close()
    conversation.say.close()
    conversation.pipes.send(b"hello\n", soon())
    with pytest.raises(EOFError):
        conversation.pipes.receive(soon())
