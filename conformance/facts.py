"""Structs as plain facts, with every field, for holding a partial description against them."""

from __future__ import annotations

from functools import cache
from typing import Any, get_args

import msgspec

from engine_protocol.decisions import Option
from engine_protocol.events import Event


def as_facts(value: Any) -> Any:
    """Structs become dictionaries by the names on the wire, defaults included; tuples become lists."""
    if isinstance(value, msgspec.Struct):
        facts = {wire: as_facts(getattr(value, name)) for name, wire in _fields(type(value))}
        config = value.__struct_config__
        if config.tag_field is not None:
            facts[config.tag_field] = config.tag
        return facts
    if isinstance(value, (tuple, list)):
        return [as_facts(item) for item in value]
    return value


def fits(partial: Any, facts: Any) -> bool:
    """Whether everything in ``partial`` holds of the facts; objects inside may be partial too, lists are meant whole."""
    if isinstance(partial, dict):
        return isinstance(facts, dict) and all(key in facts and fits(wanted, facts[key]) for key, wanted in partial.items())
    if isinstance(partial, (list, tuple)):
        return isinstance(facts, list) and len(partial) == len(facts) and all(map(fits, partial, facts))
    # True is no 1 here: JSON tells them apart.
    return type(partial) is type(facts) and bool(partial == facts)


@cache
def _fields(kind: type[msgspec.Struct]) -> tuple[tuple[str, str], ...]:
    return tuple((field.name, field.encode_name) for field in msgspec.structs.fields(kind))


def _tag(kind: type[msgspec.Struct]) -> str:
    return str(kind.__struct_config__.tag)


EVENT_FIELDS = {_tag(kind): frozenset(wire for _, wire in _fields(kind)) for kind in get_args(Event)}
"""For each kind of event, by its name on the wire: the names of its fields."""

OPTION_FIELDS = frozenset(wire for _, wire in _fields(Option))
