"""Putting an engine written in Python on stdio, so that it can be driven as a process: ``serve(MyEngine())``."""

from __future__ import annotations

import sys
import traceback
from contextlib import redirect_stdout, suppress
from typing import BinaryIO, Final

import msgspec

from engine_protocol.engine import PROTOCOL_VERSION, Engine, PlayingEngine
from engine_protocol.errors import EngineCrash, EngineError
from engine_protocol.messages import (
    BOARD_NOT_SUPPORTED,
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    JSONRPC,
    METHOD_NOT_FOUND,
    OPTION_NOT_OFFERED,
    PARSE_ERROR,
    PROTOCOL_NOT_SUPPORTED,
    REQUESTS,
    ChooseRequest,
    CloseReply,
    CloseRequest,
    ErrorCode,
    ErrorReply,
    InitializeReply,
    InitializeRequest,
    ObservationReply,
    ObserveRequest,
    Played,
    PlayReply,
    PlayRequest,
    ProgressReply,
    Reply,
    Request,
    RpcError,
    StartRequest,
)

_DECODE: Final = msgspec.json.Decoder(Request).decode
_ENCODE: Final = msgspec.json.Encoder().encode
_REFUSALS: Final = {error.exception: error for error in (OPTION_NOT_OFFERED, BOARD_NOT_SUPPORTED)}


def serve(engine: Engine, stdin: BinaryIO | None = None, stdout: BinaryIO | None = None) -> None:
    """Answer requests until ``close`` or the end of the input; by default on the standard input and output.

    Nothing but replies reaches the standard output: what the engine prints goes to stderr. A line that is no request, a refused
    choice or board, and an exception of the engine (its traceback on stderr) are answered with an error, and serving goes on.
    """
    lines, replies = stdin or sys.stdin.buffer, stdout or sys.stdout.buffer
    server = _Server(engine)
    with redirect_stdout(sys.stderr), suppress(BrokenPipeError):  # A client that has gone needs no answer.
        for line in lines:
            reply = server.answer(line)
            replies.write(_ENCODE(reply) + b"\n")
            replies.flush()
            if isinstance(reply, CloseReply):
                return


class _Server:
    """Turns lines into replies."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._started = False

    def answer(self, line: bytes) -> Reply | ErrorReply:
        try:
            request = _DECODE(line)
        except msgspec.DecodeError:
            return _unreadable(line)
        try:
            return self._asked(request)
        except EngineError as error:
            if error.__cause__ is not None:
                traceback.print_exception(error.__cause__)
            return _error(request.id, _REFUSALS.get(type(error), INTERNAL_ERROR), str(error))

    def _asked(self, request: Request) -> Reply | ErrorReply:
        """Serve the request; whatever else the engine raises is its crash."""
        try:
            return self._served(request)
        except EngineError:
            raise
        except Exception as error:
            raise EngineCrash(f"{type(error).__name__}: {error}") from error

    def _served(self, request: Request) -> Reply | ErrorReply:
        engine = self._engine
        match request:
            case ChooseRequest(id=number, params=choice) if self._started:
                return ProgressReply(jsonrpc=JSONRPC, id=number, result=engine.choose(choice.option))
            case StartRequest(id=number, params=start):
                progress = engine.start(start.board)
                self._started = True
                return ProgressReply(jsonrpc=JSONRPC, id=number, result=progress)
            case PlayRequest(id=number, params=play) if isinstance(engine, PlayingEngine):
                return PlayReply(jsonrpc=JSONRPC, id=number, result=Played(engine.play(play.board, play.script)))
            case PlayRequest(id=number):
                return _error(number, METHOD_NOT_FOUND, "this engine lacks the ability 'play'")
            case ObserveRequest(id=number) if self._started:
                return ObservationReply(jsonrpc=JSONRPC, id=number, result=engine.observe())
            case InitializeRequest(id=number, params=client) if client.protocol == PROTOCOL_VERSION:
                return InitializeReply(jsonrpc=JSONRPC, id=number, result=engine.initialize())
            case InitializeRequest(id=number, params=client):
                return _error(
                    number, PROTOCOL_NOT_SUPPORTED, f"this engine speaks version {PROTOCOL_VERSION}, not {client.protocol}"
                )
            case CloseRequest(id=number):
                engine.close()
                return CloseReply(jsonrpc=JSONRPC, id=number, result=None)
            case _:
                return _error(request.id, INVALID_REQUEST, "no duel has been started")


def _error(number: int | str | None, kind: ErrorCode, message: str) -> ErrorReply:
    return ErrorReply(jsonrpc=JSONRPC, id=number, error=RpcError(kind.code, message))


def _unreadable(line: bytes) -> ErrorReply:
    """The answer to a line that is no request of the protocol, as exact as JSON-RPC's codes allow."""
    try:
        message = msgspec.json.decode(line)
    except msgspec.DecodeError as error:
        return _error(None, PARSE_ERROR, f"the line is no JSON: {error}")
    if not isinstance(message, dict):
        return _error(None, INVALID_REQUEST, "a request is an object; batches are not part of this protocol")
    number = message.get("id")
    if not isinstance(number, int | str) or isinstance(number, bool):
        return _error(None, INVALID_REQUEST, "a request needs an 'id', an integer or a string")
    if message.get("jsonrpc") != JSONRPC:
        return _error(number, INVALID_REQUEST, f"a request needs 'jsonrpc': '{JSONRPC}'")
    method = message.get("method")
    if not isinstance(method, str) or method not in REQUESTS:
        return _error(number, METHOD_NOT_FOUND, f"there is no method {method!r}; known: {', '.join(REQUESTS)}")
    # Imported here because it takes longer than all the rest, and a sound client never needs it.
    from engine_protocol.validation import first_problem  # noqa: PLC0415

    problem = first_problem(message, "messages", REQUESTS[method].__name__)
    return _error(number, INVALID_PARAMS, problem or "the params do not fit the schema")
