"""The JSON Schemas (draft 2020-12) of everything that travels: generated from the structs, published as files.

The published files in ``engine_protocol/schemas`` are for engine authors in any language and for
:mod:`engine_protocol.validation`; ``python -m engine_protocol.schemas`` writes them anew after a change of the structs. They are
strict: a field that the protocol does not know is an error, because a misspelt optional field would otherwise be lost without a
word.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final

import msgspec

from engine_protocol.board import Board, Observation
from engine_protocol.cards import CardFacts
from engine_protocol.duel_file import DuelFile
from engine_protocol.engine import PROTOCOL_VERSION, EngineInfo, Progress
from engine_protocol.errors import InputError
from engine_protocol.messages import REPLIES, REQUESTS, ErrorReply
from engine_protocol.trace import Trace

Schema = dict[str, Any]

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"

_MESSAGES: Final = (*REQUESTS.values(), *dict.fromkeys(REPLIES.values()), ErrorReply)

SUBJECTS: Final[dict[str, tuple[str, tuple[Any, ...]]]] = {
    "board": ("The board an engine is asked to set up", (Board,)),
    "cards": ("Card facts", (tuple[CardFacts, ...],)),
    "duel": ("A duel file (.duel.json)", (DuelFile,)),
    "engine-info": ("Who an engine is and what it can do", (EngineInfo,)),
    "messages": ("Every message of the line protocol; the definitions tell them apart", _MESSAGES),
    "observation": ("The state of a duel, as the engine sees it", (Observation,)),
    "progress": ("What happened since the last choice, and the open decision", (Progress,)),
    "trace": ("A board and everything that happened on it", (Trace,)),
}
"""For each schema, by name: its title and the types it describes."""


def generate(name: str) -> Schema:
    """The schema with this name, from the structs as they are now. ``name`` is a key of :data:`SUBJECTS`."""
    title, types = SUBJECTS[name]
    alternatives, definitions = msgspec.json.schema_components(types, ref_template="#/$defs/{name}")
    body = alternatives[0] if len(alternatives) == 1 else {"anyOf": list(alternatives)}
    schema = {"$schema": DIALECT, "$id": f"urn:duelproof:protocol:{PROTOCOL_VERSION}:{name}", "title": title, **body}
    schema["$defs"] = dict(sorted(definitions.items()))
    for part in _parts(schema):
        if "properties" in part:
            part["additionalProperties"] = False
    return schema


def _parts(schema: object) -> Iterator[Schema]:
    """Every object inside a schema, itself included."""
    if isinstance(schema, dict):
        yield schema
        for value in schema.values():
            yield from _parts(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from _parts(value)


def text(schema: Schema) -> str:
    """A schema as it stands in its file."""
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


@cache
def load(name: str) -> Schema:
    """The published schema with this name. It is shared: do not change it.

    Raises:
        InputError: there is none; the message lists those there are.
    """
    if name not in SUBJECTS:
        raise InputError(f"there is no schema {name!r}; known: {', '.join(SUBJECTS)}")
    published: Schema = json.loads(files("engine_protocol").joinpath("schemas", file_name(name)).read_bytes())
    return published


def file_name(name: str) -> str:
    """The file in which the schema with this name is published."""
    return f"{name}.schema.json"


def write_all(directory: Path) -> None:
    """Generate every schema into this directory, which is made if it does not exist."""
    directory.mkdir(parents=True, exist_ok=True)
    for name in SUBJECTS:
        (directory / file_name(name)).write_text(text(generate(name)), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    write_all(Path(__file__).with_name("schemas"))
