"""Where in a JSON text something stands."""

from __future__ import annotations

import pytest

from conformance.json_lines import line_of

TEXT = """{
  "title": "x: [1, {",
  "board": {"ruleset": "ocg-2023",
    "cards": [
      {"id": 1, "zone": "hand"},
      {"id": 2,
       "passcode": 7}
    ]},
  "empty": [],
  "last": null
}"""


@pytest.mark.parametrize(
    "path, line",
    [
        ("", 1),
        ("title", 2),
        ("board", 3),
        ("board.ruleset", 3),
        ("board.cards", 4),
        ("board.cards[0].zone", 5),
        ("board.cards[1]", 6),
        ("board.cards[1].passcode", 7),
        ("empty", 9),
        ("last", 10),
        ("board.cards[1].owner", 6),
        ("board.cards[9].id", 4),
        ("title.inside[3]", 2),
        ("last[0]", 10),
        ("board[0]", 3),
    ],
)
def test_line(path: str, line: int) -> None:
    """The line of a value, or of the closest part of its path that is there."""
    assert line_of(TEXT, path) == line
