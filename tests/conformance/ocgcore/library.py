"""Where the core for the end-to-end tests is: three variables, or the tests are skipped."""

from __future__ import annotations

import os

import pytest

VARIABLES = ("DUELPROOF_OCGCORE", "DUELPROOF_OCGCORE_SCRIPTS", "DUELPROOF_OCGCORE_CARDS")
_VALUES = tuple(os.environ.get(variable, "") for variable in VARIABLES)

LIBRARY: tuple[str, tuple[str, ...], tuple[str, ...]] | None = (
    (_VALUES[0], tuple(_VALUES[1].split(os.pathsep)), tuple(_VALUES[2].split(os.pathsep))) if all(_VALUES) else None
)
"""Shared library, script folders, card databases; None if they are not named."""

SPEC = f"ocgcore:{_VALUES[0]}?scripts={_VALUES[1]}&cards={_VALUES[2]}"

needs_core = pytest.mark.skipif(LIBRARY is None, reason=f"needs a core: set {', '.join(VARIABLES)}")
