"""What exactly is wrong in a message or file: the path, what is expected there, and what stands there.

Decoding with msgspec is the fast way and happens first; this is for the moment after it has failed, and for those who want every
message checked to the letter (``duelproof smoke``).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator, ValidationError
from jsonschema.validators import extend

from engine_protocol.schemas import Schema, load

_SHOWN = 60
"""So many characters of a bad value are shown."""


def problems(value: object, name: str, definition: str | None = None) -> Iterator[str]:
    """Everything that is wrong in a decoded JSON value, one clause each, in the order of the schema.

    ``name`` is the schema's; ``definition`` picks one of its definitions, as for the several ``messages``.
    """
    for error in _validator(name, definition).iter_errors(value):
        yield from _told(error)


def first_problem(value: object, name: str, definition: str | None = None) -> str | None:
    """The first of the :func:`problems`, None if there are none."""
    return next(problems(value, name, definition), None)


@cache
def _validator(name: str, definition: str | None) -> Any:
    schema = load(name)
    if definition is not None:
        schema = {"$schema": schema["$schema"], "$ref": f"#/$defs/{definition}", "$defs": schema["$defs"]}
    return _Validator(schema)


def _any_of(validator: Any, alternatives: list[Schema], instance: object, schema: Schema) -> Iterator[ValidationError]:
    """``anyOf`` that knows which alternative is meant, where it can be known, and complains about that one alone."""
    discriminator = schema.get("discriminator")
    if discriminator is not None and isinstance(instance, dict):
        tag, mapping = discriminator["propertyName"], discriminator["mapping"]
        if tag not in instance:
            yield ValidationError("", validator="required", validator_value=[tag], instance=instance)
        elif not isinstance(instance[tag], str) or instance[tag] not in mapping:
            yield ValidationError("", validator="enum", validator_value=list(mapping), instance=instance[tag], path=[tag])
        else:
            yield from validator.descend(instance, {"$ref": mapping[instance[tag]]})
        return
    others = [alternative for alternative in alternatives if alternative != {"type": "null"}]
    if len(others) == 1 and instance is not None:
        yield from validator.descend(instance, others[0])
        return
    if not any(validator.evolve(schema=alternative).is_valid(instance) for alternative in alternatives):
        kinds = [
            "object" if discriminator else alternative.get("type") or _definition(alternative) for alternative in alternatives
        ]
        yield ValidationError("", validator="type", validator_value=list(dict.fromkeys(kinds)), instance=instance)


def _definition(alternative: Schema) -> str:
    """The name of the definition that an alternative refers to."""
    name: str = alternative["$ref"].rpartition("/")[2]
    return name


_Validator = extend(Draft202012Validator, {"anyOf": _any_of})


def _told(error: ValidationError) -> Iterator[str]:
    """A validation error in our words; one that names several fields gives several clauses."""
    where, expected, found = _path(error.absolute_path), error.validator_value, error.instance
    match error.validator:
        case "required":
            # The library reports each missing field by itself, naming it only in its message.
            missing = [field for field in expected if field not in found and (not error.message or repr(field) in error.message)]
            yield from (f"{where} lacks the field {field!r}" for field in missing)
        case "additionalProperties":
            known = error.schema["properties"]
            yield from (f"{where} has an unknown field {field!r}{_hint(field, known)}" for field in found if field not in known)
        case "type":
            kinds = expected if isinstance(expected, list) else [expected]
            yield f"{where}: expected {_listed(kinds)}, got {_shown(found)}"
        case "enum":
            near = _hint(found, expected) if isinstance(found, str) else ""
            wanted = "a word of the protocol" if near else _listed([repr(word) for word in expected])
            yield f"{where}: expected {wanted}, got {_shown(found)}{near}"
        case "minItems":
            yield f"{where}: expected at least {_counted(expected)}, got {len(found)}"
        case "maxItems":
            yield f"{where}: expected at most {_counted(expected)}, got {len(found)}"
        case "items":
            return  # The items beyond a tuple's end; ``maxItems`` has said so.
        case _:
            yield f"{where}: {error.message}"


def _path(steps: Iterable[str | int]) -> str:
    """``result.events[3].card``; the message itself has no path."""
    path = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps)
    return path.removeprefix(".") or "the message"


def _listed(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _shown(value: object) -> str:
    match value:
        case dict():
            return "an object"
        case list():
            return "an array"
        case None | bool():
            return {None: "null", True: "true", False: "false"}[value]
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _hint(word: str, known: Iterable[str]) -> str:
    near = get_close_matches(word, known, n=1)
    return f" (did you mean {near[0]!r}?)" if near else ""


def _counted(number: int) -> str:
    return f"{number} item{'' if number == 1 else 's'}"
