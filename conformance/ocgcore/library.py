"""The core's shared library through its C API (ocgapi), versions 9 to 11.

Before version 11 structs are handed over by value, and version 9 has a 32-bit seed and 32-bit races; nothing else of what is used
here differs.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from typing import Any, Final

from conformance.ocgcore.faults import CoreFault
from engine_protocol.errors import EngineUnavailable

OLDEST: Final = 9
NEWEST: Final = 11
"""Major versions of the API that are known."""

_STATUS = {
    1: "there was nowhere to put it",
    2: "there was no memory for it",
    3: "the card reader is missing",
    4: "the script reader is missing",
    5: "its Lua was not compiled as C++ (incompatible Lua API)",
    6: "the seed is missing",
}


class CardData(ctypes.Structure):
    """What the core asks of a card."""

    _fields_ = (
        ("code", ctypes.c_uint32),
        ("alias", ctypes.c_uint32),
        ("setcodes", ctypes.POINTER(ctypes.c_uint16)),
        ("type", ctypes.c_uint32),
        ("level", ctypes.c_uint32),
        ("attribute", ctypes.c_uint32),
        ("race", ctypes.c_uint64),
        ("attack", ctypes.c_int32),
        ("defense", ctypes.c_int32),
        ("left_scale", ctypes.c_uint32),
        ("right_scale", ctypes.c_uint32),
        ("link_marker", ctypes.c_uint32),
    )


class CardDataOf9(ctypes.Structure):
    """The same in version 9."""

    _fields_ = tuple((name, ctypes.c_uint32 if name == "race" else kind) for name, kind in CardData._fields_)


class _Player(ctypes.Structure):
    _fields_ = (("lp", ctypes.c_uint32), ("starting_draws", ctypes.c_uint32), ("draws_per_turn", ctypes.c_uint32))


_CARD_READER = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_uint32, ctypes.c_void_p)
_CARD_READER_DONE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
_SCRIPT_READER = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)
_LOG_HANDLER = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int)

_OPTIONS = (
    ("flags", ctypes.c_uint64),
    ("team_1", _Player),
    ("team_2", _Player),
    ("card_reader", _CARD_READER),
    ("card_reader_payload", ctypes.c_void_p),
    ("script_reader", _SCRIPT_READER),
    ("script_reader_payload", ctypes.c_void_p),
    ("log_handler", _LOG_HANDLER),
    ("log_handler_payload", ctypes.c_void_p),
    ("card_reader_done", _CARD_READER_DONE),
    ("card_reader_done_payload", ctypes.c_void_p),
)


class _Options(ctypes.Structure):
    _fields_ = (("seed", ctypes.c_uint64 * 4), *_OPTIONS, ("unsafe_libraries", ctypes.c_uint8))


class _OptionsOf9(ctypes.Structure):
    _fields_ = (("seed", ctypes.c_uint32), *_OPTIONS)


class _NewCard(ctypes.Structure):
    _fields_ = (
        ("team", ctypes.c_uint8),
        ("duelist", ctypes.c_uint8),
        ("code", ctypes.c_uint32),
        ("controller", ctypes.c_uint8),
        ("location", ctypes.c_uint32),
        ("sequence", ctypes.c_uint32),
        ("position", ctypes.c_uint32),
    )


CardReader = Callable[[int], CardData | None]
ScriptReader = Callable[[str], bytes | None]
LogReader = Callable[[int, str], None]

LOG_ERROR: Final = 0
LOG_FROM_SCRIPT: Final = 1
"""Kinds of log lines."""


class Library:
    """A loaded core.

    Args:
        path: of the shared library.
        read_card: facts of a card by its code, None for a card nobody knows.
        read_script: the text or bytecode of a script by its name, None if there is none.
        log: is told each line the core or a script logs, with its kind.

    Raises:
        EngineUnavailable: the file cannot be loaded, is no core, or is of an unknown version.
    """

    def __init__(self, path: str, read_card: CardReader, read_script: ScriptReader, log: LogReader) -> None:
        try:
            self._c: Any = ctypes.CDLL(os.path.abspath(path))
        except OSError as error:
            raise EngineUnavailable(f"the library {path!r} cannot be loaded: {error}") from None
        self.version = self._version(path)
        self._by_value = self.version < (11, 0)
        self._is_9 = self.version < (10, 0)
        self._declare()
        self._read_card, self._read_script, self._log = read_card, read_script, log
        # ctypes keeps no reference to callbacks that C holds.
        self._card_reader = _CARD_READER(self._on_card)
        self._script_reader = _SCRIPT_READER(self._on_script)
        self._log_handler = _LOG_HANDLER(self._on_log)
        self._no_reader_done = _CARD_READER_DONE()

    def _version(self, path: str) -> tuple[int, int]:
        if not hasattr(self._c, "OCG_GetVersion"):
            raise EngineUnavailable(f"the library {path!r} is no ocgcore: it has no OCG_GetVersion")
        major, minor = ctypes.c_int(), ctypes.c_int()
        self._c.OCG_GetVersion(ctypes.byref(major), ctypes.byref(minor))
        if not OLDEST <= major.value <= NEWEST:
            raise EngineUnavailable(
                f"the library {path!r} has version {major.value}.{minor.value} of the API; known are {OLDEST} to {NEWEST}"
            )
        return major.value, minor.value

    def _declare(self) -> None:
        pointer, number = ctypes.c_void_p, ctypes.c_uint32
        options = _OptionsOf9 if self._is_9 else _Options
        signatures: dict[str, tuple[Any, tuple[Any, ...]]] = {
            "OCG_CreateDuel": (
                ctypes.c_int,
                (ctypes.POINTER(pointer), options if self._by_value else ctypes.POINTER(options)),
            ),
            "OCG_DestroyDuel": (None, (pointer,)),
            "OCG_DuelNewCard": (None, (pointer, _NewCard if self._by_value else ctypes.POINTER(_NewCard))),
            "OCG_StartDuel": (None, (pointer,)),
            "OCG_DuelProcess": (ctypes.c_int, (pointer,)),
            "OCG_DuelGetMessage": (pointer, (pointer, ctypes.POINTER(number))),
            "OCG_DuelSetResponse": (None, (pointer, ctypes.c_char_p, number)),
            "OCG_LoadScript": (ctypes.c_int, (pointer, ctypes.c_char_p, number, ctypes.c_char_p)),
        }
        for name, (result, arguments) in signatures.items():
            function = getattr(self._c, name)
            function.restype, function.argtypes = result, arguments

    def create(self, flags: int, lp: tuple[int, int], seed: int) -> CoreDuel:
        """Make a duel in which nobody draws.

        Raises:
            EngineUnavailable: the core refuses.
        """
        teams = (_Player(lp[0], 0, 0), _Player(lp[1], 0, 0))
        readers = (self._card_reader, None, self._script_reader, None, self._log_handler, None, self._no_reader_done, None)
        options: Any
        if self._is_9:
            options = _OptionsOf9(seed & 0xFFFFFFFF, flags, *teams, *readers)
        else:
            # All zeros is no seed.
            options = _Options((ctypes.c_uint64 * 4)(seed, 1, 2, 3), flags, *teams, *readers, 0)
        handle = ctypes.c_void_p()
        status = self._c.OCG_CreateDuel(ctypes.byref(handle), options if self._by_value else ctypes.byref(options))
        if status:
            raise EngineUnavailable(f"the core makes no duel: {_STATUS.get(status, f'status {status}')}")
        return CoreDuel(self._c, handle, by_value=self._by_value)

    def _on_card(self, _payload: object, code: int, place: int) -> None:
        data = self._read_card(code)
        if data is None:
            return
        given: ctypes.Structure = data
        if self._is_9:
            given = CardDataOf9(*(getattr(data, field[0]) for field in CardData._fields_))
        ctypes.memmove(place, ctypes.byref(given), ctypes.sizeof(given))

    def _on_script(self, _payload: object, duel: int, name: bytes) -> int:
        script = self._read_script(name.decode())
        if script is None:
            return 0
        return int(self._c.OCG_LoadScript(duel, script, len(script), name))

    def _on_log(self, _payload: object, text: bytes, kind: int) -> None:
        self._log(kind, text.decode("utf-8", "replace"))


class CoreDuel:
    """One duel in the core. It must be destroyed."""

    __slots__ = ("_by_value", "_c", "_handle", "_length")

    def __init__(self, c: Any, handle: ctypes.c_void_p, *, by_value: bool) -> None:
        self._c = c
        self._handle = handle
        self._by_value = by_value
        self._length = ctypes.c_uint32()

    def destroy(self) -> None:
        """Let it go."""
        if self._handle.value:
            self._c.OCG_DestroyDuel(self._handle)
            self._handle = ctypes.c_void_p()

    def add(self, code: int, owner: int, controller: int, location: int, sequence: int, position: int) -> None:
        """Put a card somewhere, before the duel starts."""
        card = _NewCard(owner, 0, code, controller, location, sequence, position)
        self._c.OCG_DuelNewCard(self._handle, card if self._by_value else ctypes.byref(card))

    def start(self) -> None:
        """Start the duel."""
        self._c.OCG_StartDuel(self._handle)

    def process(self) -> tuple[bool, bytes]:
        """Go on: whether the core goes on by itself (not if it waits for an answer, or is at its end), and its messages."""
        status = self._c.OCG_DuelProcess(self._handle)
        place = self._c.OCG_DuelGetMessage(self._handle, ctypes.byref(self._length))
        return status == 2, ctypes.string_at(place, self._length.value)

    def answer(self, answer: bytes) -> None:
        """Answer the question that is open."""
        self._c.OCG_DuelSetResponse(self._handle, answer, len(answer))

    def run(self, script: bytes, name: str) -> None:
        """Run a script.

        Raises:
            CoreFault: it failed; the core has logged why.
        """
        if not self._c.OCG_LoadScript(self._handle, script, len(script), name.encode()):
            raise CoreFault(f"the script {name} cannot be run")
