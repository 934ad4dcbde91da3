"""The rooms of duelproof have everyday names; another package of the same name must not get in between."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from engine_protocol.errors import InputError

ROOMS = ("engine_protocol", "oracles", "reference_engine", "reports", "strategies")


def check_house() -> None:
    """Make sure that every room is found beside this package, not somewhere else.

    Raises:
        InputError: another package shadows a room; the message says where it lies.
    """
    home = Path(__file__).resolve().parents[1]
    for room in ROOMS:
        spec = find_spec(room)
        found = Path(spec.origin).resolve() if spec is not None and spec.origin is not None else None
        if found is None or found.parent.parent != home:
            raise InputError(
                f"the package {room!r} of duelproof is shadowed by {found or 'a folder without __init__.py'}: "
                "run duelproof in an environment of its own (pipx), or from another folder"
            )
