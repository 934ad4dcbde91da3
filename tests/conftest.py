"""Settings that hold for every test of the project."""

from __future__ import annotations

from hypothesis import settings

# A slow machine fails no test, and every run says the same; it is `duelproof check` that looks for new duels.
settings.register_profile("duelproof", deadline=None, derandomize=True, database=None)
settings.load_profile("duelproof")
