"""Says whether the conformance suite notices that the reference engine here has been mutated: ``python -m tests.mutation.judge``.

The last line that is printed says what came of it. Without such a line the judge itself has failed, which kills nothing.
"""

from __future__ import annotations

import sys
from importlib import import_module

import click

from conformance.foreign import call_foreign
from engine_protocol.errors import EngineError, EngineUnavailable

KILLED, SURVIVED = "killed by", "survived"

LOADING = 20.0
"""Seconds the engine has for being imported."""


def first_violation() -> str | None:
    """The first thing that the suite has to say against the engine; None if it conforms."""
    try:
        call_foreign("importing the engine", lambda: import_module("reference_engine"), LOADING, EngineUnavailable)
        # The suite itself imports the engine that it embeds: only now is it known that this can be done.
        violations = import_module("tests.mutation.violations").violations()
        return next(violations, None)
    except EngineError as error:
        return f"IV-4: {error}"


def main() -> int:
    """The exit status is 1 if something was noticed."""
    violation = first_violation()
    click.echo(SURVIVED if violation is None else f"{KILLED} {violation}")
    return violation is not None


if __name__ == "__main__":
    sys.exit(main())
