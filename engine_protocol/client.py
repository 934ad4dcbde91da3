"""An engine in another process, driven by the line protocol."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from time import monotonic
from typing import Final, TypeVar

import msgspec

from engine_protocol.board import Board, Observation
from engine_protocol.driver import drive, scripted
from engine_protocol.engine import PROTOCOL_VERSION, EngineInfo, Progress
from engine_protocol.errors import EngineCrash, EngineError, EngineHang, EngineProtocolError, EngineUnavailable, InputError
from engine_protocol.events import Event
from engine_protocol.messages import (
    ERROR_CODES,
    JSONRPC,
    LINE_LIMIT,
    REPLIES,
    ChooseParams,
    ChooseRequest,
    ClientInfo,
    CloseReply,
    CloseRequest,
    ErrorReply,
    InitializeParams,
    InitializeReply,
    InitializeRequest,
    ObservationReply,
    ObserveRequest,
    PlayParams,
    PlayReply,
    PlayRequest,
    ProgressReply,
    Reply,
    Request,
    StartParams,
    StartRequest,
)
from engine_protocol.pipes import LineTooLongError
from engine_protocol.process import EngineProcess
from engine_protocol.promises import broken_in_duel, broken_in_progress

_Reply = TypeVar("_Reply", bound=Reply)

_SHOWN = 80
"""So many characters of a bad line are shown."""

_STDERR_SHOWN = 3
"""So many of the last lines on stderr are shown in a sentence; :attr:`StdioEngine.stderr` has more."""

_ENCODE: Final = msgspec.json.Encoder().encode
_INITIALIZED: Final = msgspec.json.Decoder(InitializeReply)
_PROGRESS: Final = msgspec.json.Decoder(ProgressReply)
_OBSERVATION: Final = msgspec.json.Decoder(ObservationReply)
_PLAYED: Final = msgspec.json.Decoder(PlayReply)
_CLOSED: Final = msgspec.json.Decoder(CloseReply)
_ERROR: Final = msgspec.json.Decoder(ErrorReply)


class StdioEngine:
    """An engine behind a command line, speaking JSON-RPC 2.0 over its standard input and output.

    ``command``   a command line as one would type it, or its parts
    ``timeout``   seconds an answer may take
    ``patience``  seconds the first answer may take, which includes starting the program; ``timeout`` where left out
    ``validate``  check every answer against the published JSON Schema too, which finds misspelt optional fields; slow

    The process is started by :meth:`initialize`, and anew when that is called again, which is how one goes on after a failure:
    a crash, a hang or a line that is no message ends the process; an answer that merely breaks the schema, or an error reply,
    leaves it running. Every failure is an :class:`~engine_protocol.errors.EngineError` whose sentence names the engine and the
    message. An engine without the ability ``play`` is driven choice by choice by :meth:`play`.
    """

    def __init__(
        self, command: str | Sequence[str], timeout: float = 10.0, *, patience: float | None = None, validate: bool = False
    ) -> None:
        """Does not start the engine yet.

        Raises:
            InputError: the command line is empty or has a quotation mark without its partner.
        """
        self.command = command if isinstance(command, str) else shlex.join(command)
        self._arguments = _split(command)
        self._timeout = timeout
        self._patience = timeout if patience is None else patience
        self._validate = validate
        self._process: EngineProcess | None = None
        self._stderr: tuple[str, ...] = ()
        self._can_play = False
        self._last_id = 0

    def __enter__(self) -> StdioEngine:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def pid(self) -> int | None:
        """The process id, None while no process runs."""
        return None if self._process is None else self._process.pid

    @property
    def stderr(self) -> tuple[str, ...]:
        """The last lines the engine wrote to stderr, oldest first, also after it has ended."""
        return self._stderr if self._process is None else self._process.stderr

    def initialize(self) -> EngineInfo:
        """Start the engine (a running one is stopped) and ask who it is.

        Raises:
            EngineUnavailable: it cannot be started, ends at once, or speaks another version of the protocol.
        """
        self._stop()
        try:
            self._process = EngineProcess(self._arguments)
        except OSError as error:
            raise EngineUnavailable(f"engine {self.command!r} could not be started: {_reason(error)}") from None
        params = InitializeParams(PROTOCOL_VERSION, ClientInfo("duelproof", _own_version()))
        try:
            info = self._ask(InitializeRequest(jsonrpc=JSONRPC, id=self._next_id(), params=params), _INITIALIZED).result
        except EngineCrash as error:
            self._stop()
            raise EngineUnavailable(str(error)) from None
        except EngineError:
            self._stop()
            raise
        if info.protocol != PROTOCOL_VERSION:
            self._stop()
            raise EngineUnavailable(
                f"engine {self.command!r} speaks protocol version {info.protocol} where duelproof speaks {PROTOCOL_VERSION}"
            )
        self._can_play = "play" in info.abilities
        return info

    def start(self, board: Board) -> Progress:
        """See :meth:`engine_protocol.engine.Engine.start`."""
        return self._progress(StartRequest(jsonrpc=JSONRPC, id=self._next_id(), params=StartParams(board)))

    def choose(self, option: int) -> Progress:
        """See :meth:`engine_protocol.engine.Engine.choose`."""
        return self._progress(ChooseRequest(jsonrpc=JSONRPC, id=self._next_id(), params=ChooseParams(option)))

    def observe(self) -> Observation:
        """See :meth:`engine_protocol.engine.Engine.observe`."""
        return self._ask(ObserveRequest(jsonrpc=JSONRPC, id=self._next_id()), _OBSERVATION).result

    def play(self, board: Board, script: Sequence[int]) -> tuple[Event, ...]:
        """See :meth:`engine_protocol.engine.PlayingEngine.play`; choice by choice if the engine lacks the ability."""
        if not self._can_play:
            return drive(self, board, scripted(script)).events
        params = PlayParams(board, tuple(script))
        events = self._ask(PlayRequest(jsonrpc=JSONRPC, id=self._next_id(), params=params), _PLAYED).result.events
        self._hold_to("play", broken_in_duel(events))
        return events

    def close(self) -> None:
        """Say goodbye and stop the process. Never fails, except that a validating client insists on a proper answer."""
        if self._process is None:
            return
        try:
            self._ask(CloseRequest(jsonrpc=JSONRPC, id=self._next_id()), _CLOSED)
        except EngineError:
            if self._validate:
                raise
        finally:
            self._stop(gently=True)

    def _progress(self, request: StartRequest | ChooseRequest) -> Progress:
        progress = self._ask(request, _PROGRESS).result
        self._hold_to(_method(request), broken_in_progress(progress))
        return progress

    def _hold_to(self, method: str, broken: str | None) -> None:
        if broken is not None:
            raise EngineProtocolError(f"engine {self.command!r} broke the contract in its answer to {method!r}: {broken}")

    def _next_id(self) -> int:
        self._last_id += 1
        return self._last_id

    def _ask(self, request: Request, decoder: msgspec.json.Decoder[_Reply]) -> _Reply:
        """Send a request and return its reply, or raise what the reply, or its lack, means."""
        process = self._process
        if process is None:
            raise EngineUnavailable(f"engine {self.command!r} is not running")
        deadline = monotonic() + self._seconds_for(request)
        try:
            process.pipes.send(_ENCODE(request) + b"\n", deadline)
            line = process.pipes.receive(deadline)
        except TimeoutError:
            raise self._hung(process, request) from None
        except EOFError:
            raise self._ended(process, request) from None
        except LineTooLongError:
            self._stop()
            raise EngineProtocolError(
                f"engine {self.command!r} answered {_method(request)!r} with a line of more than {LINE_LIMIT} bytes"
            ) from None
        try:
            reply = decoder.decode(line)
        except msgspec.DecodeError as error:
            raise self._failed(line, request, str(error)) from None
        if reply.id != request.id:
            raise self._wrong_id(reply.id, request)
        if self._validate:
            self._check(line, request)
        return reply

    def _seconds_for(self, request: Request) -> float:
        return self._patience if isinstance(request, InitializeRequest) else self._timeout

    def _hung(self, process: EngineProcess, request: Request) -> EngineHang:
        unfinished = process.pipes.unfinished
        self._stop()
        hint = f"; it sent {_quoted(unfinished)} without the line end that closes a message" if unfinished else ""
        return EngineHang(
            f"engine {self.command!r} did not answer {_method(request)!r} within {self._seconds_for(request):g} s"
            f"{hint}{self._last_words()}"
        )

    def _ended(self, process: EngineProcess, request: Request) -> EngineCrash:
        fate = process.fate()
        self._stop()
        return EngineCrash(f"engine {self.command!r} {fate} instead of answering {_method(request)!r}{self._last_words()}")

    def _wrong_id(self, found: object, request: Request) -> EngineProtocolError:
        self._stop()
        return EngineProtocolError(
            f"engine {self.command!r} answered {_method(request)!r} with the id {found!r} where {request.id!r} was asked"
        )

    def _failed(self, line: bytes, request: Request, complaint: str) -> EngineError:
        """The exception for a line that is not the reply expected: an error reply, or no message at all."""
        try:
            reply = _ERROR.decode(line)
        except msgspec.DecodeError:
            return self._malformed(line, request, complaint)
        if reply.id not in (request.id, None):
            return self._wrong_id(reply.id, request)
        error = reply.error
        known = ERROR_CODES.get(error.code)
        name, exception = ("unknown code", EngineProtocolError) if known is None else (known.name, known.exception)
        return exception(
            f"engine {self.command!r} answered {_method(request)!r} with error {error.code} ({name}): {_shortened(error.message)}"
        )

    def _malformed(self, line: bytes, request: Request, complaint: str) -> EngineProtocolError:
        method = _method(request)
        try:
            message = msgspec.json.decode(line)
        except msgspec.DecodeError as error:
            self._stop()
            return EngineProtocolError(
                f"engine {self.command!r} answered {method!r} with a line that is no JSON ({error}): {_quoted(line)}; "
                f"was it meant for stderr?"
            )
        if not isinstance(message, dict) or "jsonrpc" not in message:
            self._stop()
            return EngineProtocolError(
                f"engine {self.command!r} answered {method!r} with a line that is no JSON-RPC 2.0 message: {_quoted(line)}; "
                f"was it meant for stderr?"
            )
        problem = _schema_problem(message, method) or complaint
        return EngineProtocolError(f"engine {self.command!r} broke the schema in its answer to {method!r}: {problem}")

    def _check(self, line: bytes, request: Request) -> None:
        """Hold an answer that could be decoded to the letter of the published schema."""
        method = _method(request)
        problem = _schema_problem(msgspec.json.decode(line), method)
        if problem is not None:
            raise EngineProtocolError(f"engine {self.command!r} broke the schema in its answer to {method!r}: {problem}")

    def _last_words(self) -> str:
        words = [line for line in self._stderr if line][-_STDERR_SHOWN:]
        return f"; its last words on stderr: {_shortened(' | '.join(words), 300)}" if words else ""

    def _stop(self, *, gently: bool = False) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.stop(gently=gently)
            self._stderr = process.stderr


def _split(command: str | Sequence[str]) -> str | list[str]:
    """The command as the platform wants it; Windows splits command lines by itself."""
    if not isinstance(command, str):
        arguments: str | list[str] = list(command)
    elif sys.platform == "win32":
        arguments = command.strip()
    else:
        try:
            arguments = shlex.split(command)
        except ValueError as error:
            raise InputError(f"the engine command {command!r} cannot be read: {error}") from None
    if not arguments:
        raise InputError("the engine command is empty")
    return arguments


def _reason(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return f"there is no command {error.filename!r}" if error.filename else "there is no such command"
    return error.strerror or str(error)


def _own_version() -> str:
    try:
        return version("duelproof")
    except PackageNotFoundError:
        return "unknown"  # run from a checkout that was not installed


def _method(request: Request) -> str:
    method = type(request).__struct_config__.tag
    assert isinstance(method, str)
    return method


def _schema_problem(message: object, method: str) -> str | None:
    # Imported here because it takes longer than starting an engine, and a sound engine never needs it.
    from engine_protocol.validation import first_problem  # noqa: PLC0415

    definition = ErrorReply if isinstance(message, dict) and "error" in message else REPLIES[method]
    return first_problem(message, "messages", definition.__name__)


def _quoted(line: bytes) -> str:
    """The start of a line, on one line and harmless in a terminal."""
    start = ascii(line[:_SHOWN].decode("utf-8", "replace"))
    return start if len(line) <= _SHOWN else f"{start}…"


def _shortened(text: str, length: int = 200) -> str:
    """What an engine says, on one line, without control characters, not longer than this."""
    clean = "".join(char if char.isprintable() else " " for char in text)
    return clean if len(clean) <= length else f"{clean[:length]}…"
