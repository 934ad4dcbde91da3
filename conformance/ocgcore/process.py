"""The core in a process of its own (``__main__``), so that a crash of the core is a finding and not the end of the run."""

from __future__ import annotations

import os
import sys
from typing import Final
from urllib.parse import parse_qs, unquote

from engine_protocol.client import StdioEngine
from engine_protocol.errors import EngineUnavailable, InputError

FORM: Final = "ocgcore:LIBRARY?scripts=FOLDER&cards=FILE"
"""How the core is named on the command line. Several folders or files are separated as in the search path of the system."""


def open_process(spec: str, timeout: float, *, patience: float, validate: bool) -> StdioEngine:
    """The core behind a spec, in a process that has not been started yet.

    Raises:
        InputError: the spec is none.
        EngineUnavailable: a file or folder that it names does not exist.
    """
    library, scripts, cards = parse(spec)
    for path in (library, *scripts, *cards):
        if not os.path.exists(path):
            raise EngineUnavailable(f"the engine {spec!r} cannot be used: there is no {path!r}")
    # Nothing in the folder where the user is may stand in for duelproof's own packages (-P).
    command = [sys.executable, "-P", "-m", "conformance.ocgcore", library, os.pathsep.join(scripts), os.pathsep.join(cards)]
    engine = StdioEngine(command, timeout, patience=patience, validate=validate)
    engine.command = spec
    return engine


def parse(spec: str) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """Library, script folders and card databases of a spec.

    Raises:
        InputError: one of them is missing, or there is something else in it.
    """
    library, _, query = spec.removeprefix("ocgcore:").partition("?")
    given = parse_qs(query, keep_blank_values=True)
    if not library or given.keys() != {"scripts", "cards"} or any(len(values) != 1 for values in given.values()):
        raise InputError(f"{spec!r} does not name the library, the script folder and the card database; write {FORM}")
    scripts, cards = (tuple(filter(None, given[name][0].split(os.pathsep))) for name in ("scripts", "cards"))
    if not scripts or not cards:
        raise InputError(f"{spec!r} names no script folder or no card database; write {FORM}")
    return unquote(library), scripts, cards
