"""DC: damage calculation."""

from __future__ import annotations

from typing import Final

from oracles.oracle import Oracle

ORACLES: Final[tuple[type[Oracle], ...]] = ()
