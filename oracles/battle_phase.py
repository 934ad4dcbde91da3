"""BP: the structure of the Battle Phase."""

from __future__ import annotations

from typing import Final

from oracles.oracle import Oracle

ORACLES: Final[tuple[type[Oracle], ...]] = ()
