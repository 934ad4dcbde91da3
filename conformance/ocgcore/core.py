"""The core with everything a duel needs: library, card database, scripts, marked effects."""

from __future__ import annotations

import hashlib
from typing import Final

from msgspec import Struct

from conformance.ocgcore import lua
from conformance.ocgcore.cards_db import CardDatabase
from conformance.ocgcore.faults import CoreFault
from conformance.ocgcore.library import LOG_ERROR, LOG_FROM_SCRIPT, CardData, CoreDuel, Library
from conformance.ocgcore.scripts import Scripts
from engine_protocol.errors import EngineUnavailable

_PRELUDE: Final = ("constant.lua", "utility.lua")
"""What the core expects its caller to load, in this order."""


class Registered(Struct, frozen=True, gc=False):
    """An effect that a card registers: its mark, its type bits, where it works, the code of the event that it waits for."""

    mark: int
    kind: int
    range: int
    event: int = 0


class Core:
    """The core of one process. One duel at a time.

    Args:
        library: path of the shared library.
        scripts: script folders.
        cards: card databases.

    Raises:
        EngineUnavailable: one of the three cannot be used.
    """

    def __init__(self, library: str, scripts: tuple[str, ...], cards: tuple[str, ...]) -> None:
        self.cards = CardDatabase(cards)
        self.scripts = Scripts(scripts)
        self._path = library
        self._bytecode: dict[str, bytes | None] = {}
        self._answers: list[str] = []
        self._errors: list[str] = []
        self._missing: list[int] = []
        self._duel: CoreDuel | None = None
        self._library = Library(library, self._card, self._script, self._log)
        self._compiler = self._library.create(0, (8000, 8000), 1)
        self._additions = self._compile("\n".join((lua.MARKING, lua.SCANNING)).encode(), "duelproof.lua")

    @property
    def version(self) -> str:
        """The version of the API, and the library by the start of its digest: releases differ more often than the API does."""
        with open(self._path, "rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        major, minor = self._library.version
        return f"{major}.{minor} ({digest[:8]})"

    def begin(self, flags: int, lp: tuple[int, int], seed: int) -> CoreDuel:
        """A new duel with the utility scripts loaded; the one before is thrown away.

        Raises:
            CoreFault: a utility script fails.
        """
        self.end()
        self._answers.clear()
        self._errors.clear()
        self._duel = self.another(flags, lp, seed)
        self.check()
        return self._duel

    def another(self, flags: int, lp: tuple[int, int], seed: int) -> CoreDuel:
        """A new duel with the utility scripts loaded, beside the one that is running. It must be destroyed."""
        self._missing.clear()
        duel = self._library.create(flags, lp, seed)
        for name in _PRELUDE:
            duel.run(self._script(name) or b"", name)
        duel.run(self._additions, "duelproof.lua")
        # Older cores have asked for a card of their own that no database has.
        self._missing.clear()
        return duel

    def look_ahead(self, duel: CoreDuel, answers: list[tuple[bytes | None, bytes]]) -> bytes:
        """Give a duel all these answers: the messages up to its next question. The duel is destroyed.

        Args:
            duel: one that has just been started.
            answers: with the script that is run before an answer is given, if there is one.
        """
        try:
            waiting = iter(answers)
            while True:
                goes_on, batch = duel.process()
                while goes_on:
                    goes_on, batch = duel.process()
                script, answer = next(waiting, (None, None))
                if answer is None:
                    return batch
                if script is not None:
                    duel.run(script, "duelproof")
                duel.answer(answer)
        finally:
            duel.destroy()
            self.forgive_stand_ins()

    def end(self) -> None:
        """Throw the running duel away."""
        if self._duel is not None:
            self._duel.destroy()
            self._duel = None

    def close(self) -> None:
        """Throw everything away."""
        self.end()
        self._compiler.destroy()

    def ask(self, script: bytes) -> str | None:
        """Run a question in the running duel: its answer, None if it gave none."""
        duel = self._duel
        if duel is None:
            raise CoreFault("no duel is running")
        self._answers.clear()
        duel.run(script, "duelproof")
        return self._answers[-1] if self._answers else None

    def forgive_stand_ins(self) -> None:
        """Let it be that a card was missing until now. What scripts create as a duel starts, no database needs to have."""
        self._missing.clear()

    def check(self) -> None:
        """Make sure that nothing has gone wrong in Lua.

        Raises:
            CoreFault: an error was logged, or the core asked for a card that the database lacks.
        """
        if self._missing:
            raise CoreFault(f"the card database has no card {self._missing[0]}")
        if self._errors:
            first = self._errors[0]
            self._errors.clear()
            raise CoreFault(f"a script failed: {' '.join(first.split())[:300]}")

    def registered(self, codes: tuple[int, ...]) -> dict[int, list[Registered]]:
        """The effects that each of these cards registers, in order. Cards whose script is missing or fails are left out."""
        found: dict[int, list[Registered]] = {}
        duel = self.begin(0, (8000, 8000), 1)
        duel.run(lua.PROBING.encode(), "duelproof")
        for code in codes:
            self._answers.clear()
            duel.add(code, 0, 0, 1, 0, 8)
            if self._errors or self._missing:
                self._errors.clear()
                self._missing.clear()
                continue
            lines = (tuple(map(int, line.split())) for line in self._answers)
            found[code] = [Registered(*effect) for card, *effect in lines if card == code]
        self.end()
        return found

    def _card(self, code: int) -> CardData | None:
        card = self.cards.get(code)
        if card is None:
            self._missing.append(code)
        return card

    def _script(self, name: str) -> bytes | None:
        """A script as bytecode, which each duel loads several times as fast as its text."""
        if name not in self._bytecode:
            self._bytecode[name] = self._find(name)
        return self._bytecode[name]

    def _find(self, name: str) -> bytes | None:
        text = self.scripts.text(name)
        if text is None and name.startswith("c"):
            code = self.cards.original.get(int(name[1:-4]) if name[1:-4].isdecimal() else 0)
            return None if code is None else self._script(f"c{code}.lua")
        return None if text is None else self._compile(text, name)

    def _compile(self, text: bytes, name: str) -> bytes:
        kept = list(self._answers)
        self._answers.clear()
        self._compiler.run(lua.compiler_of(text, name), name)
        answer = self._answers[-1] if self._answers else "!"
        self._answers[:] = kept
        # A script with an error goes to the core as it is, which then says what is wrong with it.
        return text if answer.startswith("!") else bytes.fromhex(answer)

    def _log(self, kind: int, text: str) -> None:
        if kind == LOG_FROM_SCRIPT and text.startswith(lua.ANSWER):
            self._answers.append(text[len(lua.ANSWER) :])
        elif kind == LOG_ERROR:
            self._errors.append(text)


def open_core(library: str, scripts: tuple[str, ...], cards: tuple[str, ...]) -> Core:
    """The core, once it has shown that it can begin a duel.

    Raises:
        EngineUnavailable: it cannot.
    """
    core = Core(library, scripts, cards)
    try:
        core.begin(0, (8000, 8000), 1)
        core.end()
    except CoreFault as fault:
        raise EngineUnavailable(f"the core cannot begin a duel: {fault}") from None
    return core
