"""Reading and writing duel files; a malformed one is refused with file, line and field."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from conformance.expectations import problems_of
from conformance.json_lines import line_of
from engine_protocol import validation
from engine_protocol.cards import CardPool, card_pool
from engine_protocol.duel_file import FORMAT, DuelFile
from engine_protocol.errors import InputError
from engine_protocol.rulesets import ruleset_named

SUFFIX = ".duel.json"

_LEADING_PATH = re.compile(r"[\w\[\].]+")


def read_duel_file(path: Path, pool: CardPool | None = None) -> DuelFile:
    """The duel in a file.

    Raises:
        InputError: it cannot be read, is no JSON, breaks the schema, or its board is impossible.
    """
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: it is no text in UTF-8") from None
    return parse_duel_file(text, str(path), pool)


def parse_duel_file(text: str, name: str, pool: CardPool | None = None) -> DuelFile:
    """The duel in a text; ``name`` says in messages where it comes from. Raises what :func:`read_duel_file` raises."""
    try:
        value = json.loads(text)
    except json.JSONDecodeError as error:
        raise InputError(f"{name}, line {error.lineno}: it is no JSON: {error.msg}") from None
    except RecursionError:
        raise InputError(f"{name}: it is nested too deeply") from None
    problem = next(_problems(value, pool or card_pool()), None)
    if problem is not None:
        where = _LEADING_PATH.match(problem)
        raise InputError(f"{name}, line {line_of(text, where[0] if where else '')}: {problem}")
    return msgspec.convert(value, DuelFile)


def write_duel_file(duel: DuelFile, path: Path) -> None:
    """Write a duel file; its folder is made if need be.

    Raises:
        InputError: that cannot be done.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(msgspec.json.format(msgspec.json.encode(duel)) + b"\n")
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error.strerror or error}") from None


def _problems(value: Any, pool: CardPool) -> Iterator[str]:
    """Everything wrong with a duel file, each beginning with the path of its field."""
    version = value.get("format", FORMAT) if isinstance(value, dict) else FORMAT
    if version != FORMAT:
        yield f"format: this duelproof reads duel files of format {FORMAT}, not {version!r}"
    yield from validation.problems(value, "duel")
    try:
        duel = msgspec.convert(value, DuelFile)
    except msgspec.ValidationError as error:
        yield str(error)
        return
    try:
        ruleset_named(duel.board.ruleset)
    except InputError as error:
        yield f"board.ruleset: {error}"
    yield from (f"board.{problem}" for problem in duel.board.problems(pool))
    for number, expectation in enumerate(duel.expect):
        yield from (f"expect[{number}]{problem}" for problem in problems_of(expectation))
