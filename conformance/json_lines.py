"""On which line of a JSON text something stands, so that a message about a file can say it."""

from __future__ import annotations

import re
from json import JSONDecoder

_TOKEN = re.compile(r"\[(\d+)\]|([^.\[\]]+)")
_SPACE = re.compile(r"[ \t\n\r]*")
_DECODER = JSONDecoder()


def line_of(text: str, path: str) -> int:
    """The line, from 1, of the value at ``path`` (``board.cards[3].passcode``), or of its closest parent that is there.

    ``text`` is valid JSON.
    """
    at = _skip(text, 0)
    for index, key in _TOKEN.findall(path):
        inside = _entry(text, at, int(index) if index else key)
        if inside is None:
            break
        at = inside
    return text.count("\n", 0, at) + 1


def _entry(text: str, at: int, wanted: int | str) -> int | None:
    """Where the value of a key or index begins, inside the object or array that begins at ``at``."""
    opening = text[at]
    if opening not in "{[" or (opening == "{") != isinstance(wanted, str):
        return None
    at, count = _skip(text, at + 1), 0
    while text[at] not in "}]":
        name: int | str = count
        if opening == "{":
            name, at = _DECODER.raw_decode(text, at)
            at = _skip(text, _skip(text, at) + 1)
        if name == wanted:
            return at
        at = _skip(text, _DECODER.raw_decode(text, at)[1])
        if text[at] == ",":
            at = _skip(text, at + 1)
        count += 1
    return None


def _skip(text: str, at: int) -> int:
    match = _SPACE.match(text, at)
    return match.end() if match is not None else at
