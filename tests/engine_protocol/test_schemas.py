"""The published JSON Schemas, and what is said of a value that breaks them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from jsonschema import Draft202012Validator

from engine_protocol import schemas
from engine_protocol.board import Board, BoardCard
from engine_protocol.errors import InputError
from engine_protocol.schemas import SUBJECTS, generate, load, text, write_all
from engine_protocol.validation import first_problem, problems

PUBLISHED = Path(schemas.__file__).with_name("schemas")


@pytest.mark.parametrize("name", SUBJECTS)
def test_published_is_generated(name: str) -> None:
    """The published file is what the structs say now (else: ``python -m engine_protocol.schemas``)."""
    assert (PUBLISHED / f"{name}.schema.json").read_text("utf-8") == text(generate(name))


@pytest.mark.parametrize("name", SUBJECTS)
def test_is_a_schema(name: str) -> None:
    """Each is a valid schema of its dialect."""
    Draft202012Validator.check_schema(load(name))
    assert load(name)["$schema"] == "https://json-schema.org/draft/2020-12/schema"


def test_nothing_else_is_published(tmp_path: Path) -> None:
    """The folder holds what is written into it, and no schema of former days."""
    write_all(tmp_path / "new")
    assert sorted(file.name for file in PUBLISHED.iterdir()) == sorted(file.name for file in (tmp_path / "new").iterdir())


def test_unknown_schema() -> None:
    """A name that no schema has is answered with those there are."""
    with pytest.raises(InputError, match="there is no schema 'bord'; known: board, cards, "):
        load("bord")


def test_shipped_cards_fit() -> None:
    """The card facts that are shipped fit their own schema."""
    cards = json.loads(Path(schemas.__file__).with_name("cards.json").read_bytes())
    assert list(problems(cards, "cards")) == []


def board(**changes: Any) -> dict[str, Any]:
    """A small board as it travels, with some fields changed."""
    card = BoardCard(
        id=1, passcode=46986414, owner=0, zone="monster-zone", position="face-up-attack", counters={"Spell": 2}, atk=1
    )
    value: dict[str, Any] = json.loads(msgspec.json.encode(Board(ruleset="ocg-2023", cards=(card,))))
    return {**value, **changes}


def test_what_is_sent_fits() -> None:
    """What the structs encode is what the schema takes, so a sound engine may rely on it."""
    assert list(problems(board(), "board")) == []


@pytest.mark.parametrize(
    "changes, problem",
    [
        ({"turn": True}, "turn: expected integer, got true"),
        ({"lp": None}, "lp: expected array, got null"),
        ({"lp": [8000]}, "lp: expected at least 2 items, got 1"),
        ({"lp": [8000, 8000, 8000]}, "lp: expected at most 2 items, got 3"),
        ({"turn_player": 2}, "turn_player: expected 0 or 1, got 2"),
        ({"sed": 1}, "the message has an unknown field 'sed' (did you mean 'seed'?)"),
        ({"cards": [7]}, "cards[0]: expected object, got 7"),
        ({"cards": [{"id": 1, "passcode": 2, "owner": 0}]}, "cards[0] lacks the field 'zone'"),
        (
            {"cards": [{"id": 1, "passcode": 2, "owner": 0, "zone": "hand", "position": "face-left"}]},
            "cards[0].position: expected a word of the protocol, got 'face-left' (did you mean 'face-up'?)",
        ),
        (
            {"cards": [{"id": 1, "passcode": 2, "owner": 0, "zone": "hand", "atk": []}]},
            "cards[0].atk: expected integer, got an array",
        ),
    ],
)
def test_one_problem(changes: dict[str, Any], problem: str) -> None:
    """A single mistake is told once, with its path and what is expected there."""
    assert list(problems(board(**changes), "board")) == [problem]


def test_every_problem_is_told() -> None:
    """Several mistakes are all told; the first can be had alone."""
    bad = {"cards": [], "turn": "3", "lp": [8000, None]}
    assert list(problems(bad, "board")) == [
        "turn: expected integer, got '3'",
        "lp[1]: expected integer, got null",
        "the message lacks the field 'ruleset'",
    ]
    assert first_problem(bad, "board") == "turn: expected integer, got '3'"


@pytest.mark.parametrize(
    "event, problem",
    [
        ({"event": "moved", "card": 1}, "events[0] lacks the field 'origin'"),
        ({"event": "move"}, "events[0].event: expected a word of the protocol, got 'move' (did you mean 'moved'?)"),
        ({"card": 1}, "events[0] lacks the field 'event'"),
        ("moved", "events[0]: expected object, got 'moved'"),
    ],
)
def test_an_event_is_judged_as_what_it_says_it_is(event: object, problem: str) -> None:
    """A bad event is compared with the event it names, not with all there are."""
    assert first_problem({"events": [event]}, "progress") == problem


def test_long_values_are_cut() -> None:
    """A bad value is shown, but not all of it."""
    problem = first_problem(board(turn="x" * 5_000), "board")
    assert problem == f"turn: expected integer, got '{'x' * 59}…"


def test_no_message_at_all() -> None:
    """A value that is none of the messages is held against their names."""
    problem = first_problem({}, "messages")
    assert problem is not None
    assert problem.startswith("the message: expected InitializeRequest, StartRequest, ")
