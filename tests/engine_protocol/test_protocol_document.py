"""The protocol's document for engine authors says what the code says."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from engine_protocol.board import Board, BoardCard
from engine_protocol.decisions import DecisionKind, OptionKind
from engine_protocol.engine import Ability, EngineInfo
from engine_protocol.events import Event
from engine_protocol.messages import ERROR_CODES, REPLIES, REQUESTS
from engine_protocol.validation import problems
from engine_protocol.vocabulary import (
    AttackEnd,
    EndReason,
    FlipReason,
    LpReason,
    MoveReason,
    Outcome,
    Position,
    Status,
    Timing,
    Zone,
)

DOCUMENT = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text("utf-8")
EXCHANGES = re.findall(r"^→ (\{.*\})\n← (\{.*\})$", DOCUMENT, re.MULTILINE)
ROWS = [[cell.strip() for cell in line.strip("|").split("|")] for line in DOCUMENT.splitlines() if line.startswith("| ")]
WORDS = {word for row in ROWS for cell in row for word in re.findall(r"`([\w-]+)`", cell)}


def fields_of(struct: type[msgspec.Struct]) -> set[str]:
    """The names of a struct's fields on the wire."""
    return {field.encode_name for field in msgspec.structs.fields(struct)}


@pytest.mark.parametrize("asked, answered", EXCHANGES)
def test_examples_fit_the_schema(asked: str, answered: str) -> None:
    """Every example is a real request with a real reply to it."""
    request: dict[str, Any] = json.loads(asked)
    reply: dict[str, Any] = json.loads(answered)
    definition = "ErrorReply" if "error" in reply else REPLIES[request["method"]].__name__
    assert list(problems(request, "messages", REQUESTS[request["method"]].__name__)) == []
    assert list(problems(reply, "messages", definition)) == []
    assert request["id"] == reply["id"]


def test_every_message_has_an_example() -> None:
    """Each method is shown."""
    assert {json.loads(asked)["method"] for asked, _ in EXCHANGES} == set(REQUESTS)


@pytest.mark.parametrize("event", get_args(Event))
def test_every_event_is_explained(event: type[msgspec.Struct]) -> None:
    """Each event has a row that names all its fields, and no other."""
    (row,) = [row for row in ROWS if row[0] == f"`{event.__struct_config__.tag}`" and len(row) == 3]
    named = set(re.findall(r"`([\w]+)`", re.sub(r": `.*?(?=, `\w+_|$)|\(.*?\)", "", row[1])))
    assert named == fields_of(event)


@pytest.mark.parametrize(
    "words",
    [
        DecisionKind,
        OptionKind,
        Timing,
        Zone,
        Position,
        Status,
        Outcome,
        MoveReason,
        AttackEnd,
        EndReason,
        FlipReason,
        LpReason,
        Ability,
    ],
)
def test_every_word_is_explained(words: object) -> None:
    """Each word of the vocabulary stands in one of the tables."""
    assert set(get_args(words)) - WORDS == set()


@pytest.mark.parametrize("struct", [Board, BoardCard, EngineInfo])
def test_every_field_is_explained(struct: type[msgspec.Struct]) -> None:
    """Each field of the board, its cards and the engine's own description stands in one of the tables."""
    assert fields_of(struct) - WORDS == set()


def test_error_codes() -> None:
    """The table of errors is the registry."""
    told = [tuple(row[:2]) for row in ROWS if re.fullmatch(r"-?\d+", row[0]) and re.fullmatch(r"[a-z]+(-[a-z]+)+", row[1])]
    assert told == [(str(error.code), error.name) for error in ERROR_CODES.values()]
