"""DA: what may be activated in the Damage Step."""

from __future__ import annotations

from typing import Final

from oracles.oracle import Oracle

ORACLES: Final[tuple[type[Oracle], ...]] = ()
