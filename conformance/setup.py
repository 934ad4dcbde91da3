"""What is checked, and how the engine is reached: everything a worker needs to begin."""

from __future__ import annotations

from msgspec import Struct

from conformance.python_engine import DEFAULT_TIMEOUT
from engine_protocol.rulesets import DEFAULT_RULESET


class Setup(Struct, frozen=True, kw_only=True):
    """One engine, one ruleset, the rules to be judged (ids), and the seconds an answer, and the first answer, may take.

    ``asked``  the ruleset that the engine is told, where it is not the one it is judged by
    """

    engine: str
    rules: frozenset[str]
    ruleset: str = DEFAULT_RULESET
    asked: str | None = None
    timeout: float = DEFAULT_TIMEOUT
    patience: float | None = None
