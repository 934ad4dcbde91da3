"""The worker processes of a run. A worker that dies takes nothing with it but the duel it was playing."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from tempfile import TemporaryDirectory
from types import TracebackType
from typing import Any

from msgspec import Struct

from conformance.jobs import Job, Message, Playing
from conformance.setup import Setup
from conformance.worker import Order, work
from strategies import Duel

_SPAWN = multiprocessing.get_context("spawn")

_SECONDS_TO_LEAVE = 5.0
"""How long workers may take to end their engines before they are killed."""


class Died(Struct, frozen=True, kw_only=True):
    """A worker's process ended in the middle of a job. ``duel``: the last it announced, if it was to announce them."""

    exit_code: int | None
    duel: Duel | None
    announcing: bool


class Worker:
    """One worker process, seen from the parent."""

    def __init__(self, setup: Setup, scratch: str) -> None:
        here, there = _SPAWN.Pipe()
        self.connection: Connection[Order | None, Message] = here
        self.process: BaseProcess = _SPAWN.Process(target=work, args=(there, setup, scratch), name="duelproof worker")
        self.process.start()
        there.close()
        self.order: Order | None = None
        self.playing: Duel | None = None

    def give(self, order: Order) -> None:
        """Give it a job. A worker that has just died is noticed when it is waited for."""
        self.order = order
        with suppress(OSError):
            self.connection.send(order)

    def receive(self) -> Message | Died:
        """The next message, or that there will be none."""
        try:
            message = self.connection.recv()
        except (EOFError, OSError):
            self.process.join(_SECONDS_TO_LEAVE)
            announcing = self.order is not None and self.order.announce
            return Died(exit_code=self.process.exitcode, duel=self.playing, announcing=announcing)
        if isinstance(message, Playing):
            self.playing = message.duel
        return message


class Pool:
    """So many workers. Use as a context manager: at its end no worker, and no engine of a worker, is left."""

    def __init__(self, setup: Setup, workers: int) -> None:
        self._setup = setup
        self._count = workers
        self._workers: list[Worker] = []
        self._scratch: TemporaryDirectory[str] = TemporaryDirectory(prefix="duelproof-", ignore_cleanup_errors=True)

    def __enter__(self) -> Pool:
        self._workers = [Worker(self._setup, self._scratch.name) for _ in range(self._count)]
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None) -> None:
        for worker in self._workers:
            self._dismiss(worker, gently=kind is None)
        for worker in self._workers:
            worker.process.join(_SECONDS_TO_LEAVE)
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()
            worker.connection.close()
        self._scratch.cleanup()

    @property
    def idle(self) -> list[Worker]:
        """The workers that have no job."""
        return [worker for worker in self._workers if worker.order is None]

    @property
    def jobs(self) -> list[Job]:
        """What is being done at the moment."""
        return [worker.order.job for worker in self._workers if worker.order is not None]

    def messages(self, seconds: float) -> Iterator[tuple[Worker, Message | Died]]:
        """What workers say within that time. A dead worker is replaced; its job is the caller's to give again."""
        by_connection: dict[Any, Worker] = {worker.connection: worker for worker in self._workers}
        for connection in wait(list(by_connection), seconds):
            worker = by_connection[connection]
            message = worker.receive()
            if isinstance(message, Died):
                worker.connection.close()
                self._workers[self._workers.index(worker)] = Worker(self._setup, self._scratch.name)
            yield worker, message

    def _dismiss(self, worker: Worker, *, gently: bool) -> None:
        if gently and worker.order is None:
            with suppress(OSError):
                worker.connection.send(None)
        else:
            worker.process.terminate()


def job_of(worker: Worker) -> Job:
    """The job that a worker has, or had when it died."""
    assert worker.order is not None
    return worker.order.job
