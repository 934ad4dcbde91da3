"""Duel files: written, read, and refused with file, line and field."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from conformance.duel_files import parse_duel_file, read_duel_file, write_duel_file
from conformance.rulings import ruling, ruling_names
from engine_protocol.errors import InputError

SOUND: dict[str, Any] = {
    "title": "A direct attack",
    "board": {
        "ruleset": "ocg-2023",
        "cards": [{"id": 1, "passcode": 89631139, "owner": 0, "zone": "monster-zone", "position": "face-up-attack"}],
    },
    "choices": [{"at": {"player": 0, "kind": "action"}, "do": {"kind": "attack", "card": 1}}],
    "expect": [{"says": "damage", "kind": "event", "event": {"event": "damage-calculated", "attacker": 1}}],
}


def broken(path: str, value: Any) -> str:
    """The sound file with one value changed (None: taken away), one field a line."""
    duel = json.loads(json.dumps(SOUND))
    *parents, last = [int(step) if step.isdigit() else step for step in path.split("/")]
    inner: Any = duel
    for step in parents:
        inner = inner[step]
    if value is None:
        del inner[last]
    else:
        inner[last] = value
    return json.dumps(duel, indent=1)


def test_written_file_is_read_again(tmp_path: Path) -> None:
    """Reading gives back what was written, and the folder is made."""
    duel = parse_duel_file(json.dumps(SOUND), "it")
    write_duel_file(duel, tmp_path / "deep" / "it.duel.json")
    assert read_duel_file(tmp_path / "deep" / "it.duel.json") == duel


@pytest.mark.parametrize(
    "path, value, said",
    [
        ("title", None, "f.duel.json, line 1: the message lacks the field 'title'"),
        ("board/cards/0/passcode", 7, r"line 8: board.cards\[0\].passcode: no card has the passcode 7"),
        ("board/cards/0/passcode", "Blue-Eyes", r"line 8: board.cards\[0\].passcode: expected integer, got 'Blue-Eyes'"),
        ("board/cards/0/zone", "monster-zones", r"line 10: board.cards\[0\].zone: .*did you mean 'monster-zone'"),
        (
            "board/ruleset",
            "chess",
            "line 4: board.ruleset: there is no ruleset 'chess'; known: expert-2007, master-rule-2, master-rule-3, ",
        ),
        ("board/cards/0/index", 5, r"line 12: board.cards\[0\].index: monster-zone has no place 5"),
        ("board/cards/0/attack", 5, r"line 6: board.cards\[0\] has an unknown field 'attack'"),
        ("format", 2, "line 37: format: this duelproof reads duel files of format 1, not 2"),
        ("expect/0/event/event", "damage", r"line \d+: expect\[0\].event: there is no event 'damage'"),
        ("expect/0/event/atacker", 1, r"expect\[0\].event: the event damage-calculated has no field 'atacker'"),
        ("expect/0/kind", "lp", r"expect\[0\].lp: it says how many Life Points are meant, and is missing"),
    ],
)
def test_malformed_file_is_located(path: str, value: Any, said: str) -> None:
    """The sentence names file, line and field."""
    with pytest.raises(InputError, match=said):
        parse_duel_file(broken(path, value), "f.duel.json")


@pytest.mark.parametrize(
    "text, said",
    [
        ("{\n\n", "f, line 3: it is no JSON"),
        ("[1]", "f, line 1:"),
        ("[" * 100_000, "f: it is nested too deeply"),
        ("7", "f, line 1:"),
    ],
)
def test_other_texts_are_refused(text: str, said: str) -> None:
    """What is no duel at all is said to be none."""
    with pytest.raises(InputError, match=said):
        parse_duel_file(text, "f")


def test_unreadable_files_are_named(tmp_path: Path) -> None:
    """A file that is not there, a folder, and bytes that are no text."""
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    for name, said in [("missing", "No such file"), (".", "directory"), ("bytes", "no text in UTF-8")]:
        with pytest.raises(InputError, match=said):
            read_duel_file(tmp_path / name)


@pytest.mark.parametrize("name", ruling_names())
def test_corpus_is_sound(name: str) -> None:
    """Each file of the corpus passes the strict reading that a user's file gets."""
    path = Path(__file__).parents[2] / "conformance" / "rulings" / f"{name}.duel.json"
    assert read_duel_file(path) == ruling(name)
