"""Which version of duelproof this is."""

from __future__ import annotations

from functools import cache
from importlib.metadata import PackageNotFoundError, version


@cache
def suite_version() -> str:
    """The version of the installed distribution; ``unknown`` where the packages are only on the path."""
    try:
        return version("duelproof")
    except PackageNotFoundError:
        return "unknown"
