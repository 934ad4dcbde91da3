"""Engine specs: how the engine under test is named on the command line, and how it is reached.

``reference``               the embedded reference engine
``python:module:attribute`` a class, a function that makes an engine, or an engine, importable from the current folder
``cmd:COMMAND LINE``        a program that speaks the line protocol on stdio
``ocgcore:LIBRARY?scripts=FOLDER&cards=FILE``  the core of EDOPro and YGOPro, with the user's scripts and card database
"""

from __future__ import annotations

import importlib
import os
import sys
from typing import Any

from conformance.foreign import call_foreign
from conformance.ocgcore.process import open_process
from conformance.python_engine import DEFAULT_TIMEOUT, PythonEngine
from engine_protocol.client import StdioEngine
from engine_protocol.engine import PROTOCOL_VERSION, Engine, EngineInfo
from engine_protocol.errors import EngineError, EngineUnavailable, InputError
from reference_engine import ReferenceEngine

KNOWN = "'reference', 'python:MODULE:ATTRIBUTE', 'cmd:COMMAND LINE' or 'ocgcore:LIBRARY?scripts=FOLDER&cards=FILE'"

IMPORT_TIMEOUT = 60.0
"""Seconds that importing an engine's module may take."""


START_PATIENCE = 4
"""The first answer, which includes starting the program, may take so many times as long as the others."""


def open_engine(spec: str, timeout: float = DEFAULT_TIMEOUT, *, patience: float | None = None, validate: bool = False) -> Engine:
    """Make the engine that a spec names; nothing has been asked of it yet.

    Args:
        spec: see the module.
        timeout: seconds the engine has for one answer.
        patience: seconds a process has for its first answer.
        validate: hold every message of a process against its schema.

    Raises:
        InputError: the spec is none.
        EngineUnavailable: there is no such module, attribute or command, or making the engine failed.
    """
    kind, _, rest = spec.partition(":")
    if spec == "reference":
        return PythonEngine(ReferenceEngine(), timeout, validate=validate)
    if kind == "python" and rest:
        return PythonEngine(_python_engine(rest, timeout), timeout)
    if kind == "cmd" and rest.strip():
        return StdioEngine(rest, timeout, patience=patience or timeout * START_PATIENCE, validate=validate)
    if kind == "ocgcore" and rest:
        return open_process(spec, timeout, patience=patience or timeout * START_PATIENCE, validate=validate)
    raise InputError(f"there is no engine {spec!r}; an engine is {KNOWN}")


def identify(engine: Engine, spec: str, ruleset: str) -> EngineInfo:
    """Ask the engine who it is, and make sure that it can be checked.

    Raises:
        EngineUnavailable: it does not answer as it must, speaks another protocol version, or does not claim the ruleset.
    """
    info = introduction(engine, spec)
    if ruleset not in info.rulesets:
        claimed = ", ".join(info.rulesets) or "none"
        raise EngineUnavailable(f"the engine {info.name!r} does not claim the ruleset {ruleset!r}; it claims: {claimed}")
    return info


def introduction(engine: Engine, spec: str) -> EngineInfo:
    """Ask the engine who it is.

    Raises:
        EngineUnavailable: it does not answer as it must, or speaks another protocol version.
    """
    try:
        info = engine.initialize()
    except EngineUnavailable:
        raise
    except EngineError as error:
        raise EngineUnavailable(f"the engine {spec!r} cannot be used: {error}") from None
    if info.protocol != PROTOCOL_VERSION:
        raise EngineUnavailable(
            f"the engine {spec!r} speaks protocol version {info.protocol}; this duelproof speaks {PROTOCOL_VERSION}"
        )
    return info


def _python_engine(path: str, timeout: float) -> Engine:
    """The engine at ``module:attribute``."""
    module_name, _, attribute = path.partition(":")
    if not module_name or not attribute:
        raise InputError(f"'python:{path}' lacks the attribute; write python:MODULE:ATTRIBUTE, such as python:mine:Engine")
    found = _attribute(_module(module_name), module_name, attribute)
    if isinstance(found, Engine) and not isinstance(found, type):
        return found
    if not callable(found):
        raise EngineUnavailable(f"'python:{path}' is no engine: {_lacks(found)}")
    made = call_foreign(f"making the engine 'python:{path}'", found, timeout, EngineUnavailable)
    if not isinstance(made, Engine):
        raise EngineUnavailable(f"'python:{path}' makes no engine: {_lacks(made)}")
    return made


def _module(name: str) -> Any:
    here = os.getcwd()
    if here not in sys.path:
        sys.path.append(here)
    missing: list[str] = []

    def load() -> Any:
        try:
            return importlib.import_module(name)
        except ModuleNotFoundError as error:
            missing.append(error.name or name)

    module = call_foreign(f"importing {name!r}", load, IMPORT_TIMEOUT, EngineUnavailable)
    if not missing:
        return module
    if name == missing[0] or name.startswith(f"{missing[0]}."):
        raise EngineUnavailable(f"there is no module {missing[0]!r} (looked in {here} and the installed packages)")
    raise EngineUnavailable(f"the module {name!r} needs {missing[0]!r}, which is not installed")


def _attribute(module: Any, module_name: str, attribute: str) -> Any:
    found = module
    for part in attribute.split("."):
        if not hasattr(found, part):
            raise EngineUnavailable(f"the module {module_name!r} has no {attribute!r}")
        found = getattr(found, part)
    return found


def _lacks(thing: object) -> str:
    missing = [name for name in ("initialize", "start", "choose", "observe", "close") if not callable(getattr(thing, name, None))]
    return f"{type(thing).__name__} has no {', '.join(f'{name}()' for name in missing)}"
