"""The messages of the line protocol: JSON-RPC 2.0 on stdio, one message a line, in UTF-8.

duelproof sends requests, the engine answers each with one reply; there are no notifications and no batches. Every request has an
id, and the reply repeats it. ``docs/protocol.md`` explains the messages to an engine author, ``engine_protocol/schemas`` holds
their JSON Schemas.
"""

from __future__ import annotations

from typing import Any, Final, Literal, NamedTuple

from msgspec import Struct

from engine_protocol.board import Board, Observation
from engine_protocol.engine import EngineInfo, Progress
from engine_protocol.errors import (
    BoardNotSupported,
    EngineCrash,
    EngineError,
    EngineProtocolError,
    EngineUnavailable,
    OptionNotOffered,
)
from engine_protocol.events import Event

JsonRpc = Literal["2.0"]
JSONRPC: Final[JsonRpc] = "2.0"

LINE_LIMIT: Final = 16 * 1024 * 1024
"""The longest line that is read, in bytes; an engine that sends a longer one is stopped."""


class ClientInfo(Struct, frozen=True):
    """The program that drives the engine."""

    name: str
    version: str


class InitializeParams(Struct, frozen=True):
    """The protocol version that the client speaks, and who it is."""

    protocol: int
    client: ClientInfo


class StartParams(Struct, frozen=True):
    """The board to set up."""

    board: Board


class ChooseParams(Struct, frozen=True):
    """The index of an option of the open decision, from 0."""

    option: int


class PlayParams(Struct, frozen=True):
    """A board, and the numbers that decide: each modulo the options at hand, 0 when they have run out."""

    board: Board
    script: tuple[int, ...]


class _Request(Struct, frozen=True, kw_only=True, tag_field="method"):
    jsonrpc: JsonRpc
    id: int | str


class InitializeRequest(_Request, frozen=True, kw_only=True, tag="initialize"):
    """Who are you? The first request. Answered by an :class:`InitializeReply`."""

    params: InitializeParams


class StartRequest(_Request, frozen=True, kw_only=True, tag="start"):
    """Set a board up and run to the first decision. Answered by a :class:`ProgressReply`."""

    params: StartParams


class ChooseRequest(_Request, frozen=True, kw_only=True, tag="choose"):
    """Take an option of the open decision and run to the next. Answered by a :class:`ProgressReply`."""

    params: ChooseParams


class ObserveRequest(_Request, frozen=True, kw_only=True, tag="observe"):
    """What is the state now? Answered by an :class:`ObservationReply`."""


class PlayRequest(_Request, frozen=True, kw_only=True, tag="play"):
    """A whole duel at once, for engines with the ability ``play``. Answered by a :class:`PlayReply`."""

    params: PlayParams


class CloseRequest(_Request, frozen=True, kw_only=True, tag="close"):
    """The last request. Answered by a :class:`CloseReply`; then the engine ends."""


Request = InitializeRequest | StartRequest | ChooseRequest | ObserveRequest | PlayRequest | CloseRequest

REQUESTS: Final[dict[str, type[Request]]] = {
    "initialize": InitializeRequest,
    "start": StartRequest,
    "choose": ChooseRequest,
    "observe": ObserveRequest,
    "play": PlayRequest,
    "close": CloseRequest,
}
"""The requests by method."""


class Reply(Struct, frozen=True, kw_only=True):
    """Base of all replies. ``id`` repeats the request's."""

    jsonrpc: JsonRpc
    id: int | str


class InitializeReply(Reply, frozen=True, kw_only=True):
    """Who the engine is and what it can do."""

    result: EngineInfo


class ProgressReply(Reply, frozen=True, kw_only=True):
    """What happened, and the decision that is open now."""

    result: Progress


class ObservationReply(Reply, frozen=True, kw_only=True):
    """The state."""

    result: Observation


class Played(Struct, frozen=True):
    """Everything that happened in a whole duel, asked and forced decisions included."""

    events: tuple[Event, ...]


class PlayReply(Reply, frozen=True, kw_only=True):
    """A whole duel."""

    result: Played


class CloseReply(Reply, frozen=True, kw_only=True):
    """Goodbye."""

    result: None


class RpcError(Struct, frozen=True, omit_defaults=True):
    """Why a request was not served. ``code`` is one of :data:`ERROR_CODES`; ``data`` is free."""

    code: int
    message: str
    data: Any = None


class ErrorReply(Struct, frozen=True, kw_only=True):
    """The answer to a request that was not served. ``id`` is null where the request's could not be read."""

    jsonrpc: JsonRpc
    id: int | str | None
    error: RpcError


REPLIES: Final[dict[str, type[Reply]]] = {
    "initialize": InitializeReply,
    "start": ProgressReply,
    "choose": ProgressReply,
    "observe": ObservationReply,
    "play": PlayReply,
    "close": CloseReply,
}
"""The replies by the method they answer."""


class ErrorCode(NamedTuple):
    """One code that an :class:`RpcError` may carry, and the exception it becomes on the client's side."""

    code: int
    name: str
    meaning: str
    exception: type[EngineError]


OPTION_NOT_OFFERED: Final = ErrorCode(
    1, "option-not-offered", "the open decision has no such option, or none is open; nothing changed", OptionNotOffered
)
BOARD_NOT_SUPPORTED: Final = ErrorCode(
    2, "board-not-supported", "the board needs a card, a ruleset or an ability that the engine lacks", BoardNotSupported
)
PROTOCOL_NOT_SUPPORTED: Final = ErrorCode(
    3, "protocol-not-supported", "the engine does not speak the client's version of the protocol", EngineUnavailable
)
PARSE_ERROR: Final = ErrorCode(-32700, "parse-error", "the line is no JSON in UTF-8", EngineProtocolError)
INVALID_REQUEST: Final = ErrorCode(
    -32600, "invalid-request", "no JSON-RPC 2.0 request, or none that makes sense before a duel was started", EngineProtocolError
)
METHOD_NOT_FOUND: Final = ErrorCode(-32601, "method-not-found", "the engine has no such method", EngineProtocolError)
INVALID_PARAMS: Final = ErrorCode(-32602, "invalid-params", "the params break the schema", EngineProtocolError)
INTERNAL_ERROR: Final = ErrorCode(-32603, "internal-error", "the engine failed while serving the request", EngineCrash)

ERROR_CODES: Final[dict[int, ErrorCode]] = {
    error.code: error
    for error in (
        OPTION_NOT_OFFERED,
        BOARD_NOT_SUPPORTED,
        PROTOCOL_NOT_SUPPORTED,
        PARSE_ERROR,
        INVALID_REQUEST,
        METHOD_NOT_FOUND,
        INVALID_PARAMS,
        INTERNAL_ERROR,
    )
}
"""The error codes: those of JSON-RPC 2.0, and positive ones for the refusals that are part of a duel."""
