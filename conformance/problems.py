"""A problem: one way in which one duel shows that the engine breaks a rule, or fails as a program."""

from __future__ import annotations

import re

from msgspec import Struct

from engine_protocol.errors import DuelEndless, EngineCrash, EngineError, EngineHang
from oracles import Violation
from reports.model import FailureCode
from reports.text import one_line

_VARIES = re.compile(r"0x[0-9a-fA-F]+|\d+(?:\.\d+)?|\b(?:play|start|choose|observe)\b")
"""Numbers, addresses and the call in an engine's last words differ from duel to duel; the failure is the same."""

_EXPECTED: dict[FailureCode, str] = {
    "crash": "the engine plays the duel to its end",
    "hang": "the engine answers in time",
    "endless": "the Battle Phase ends when both players pass",
    "protocol": "the engine answers with messages of the protocol, and takes what it offers",
}


class Problem(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What is wrong.

    ``at``    index into the trace's events at which it shows; None: at the end of what was played
    ``cards`` instance ids of the cards concerned
    ``code``  for failures of the engine as a program
    """

    rule: str
    expected: str
    happened: str
    at: int | None = None
    cards: tuple[int, ...] = ()
    code: FailureCode | None = None

    @property
    def key(self) -> str:
        """What is the same for all duels that show the same problem: the rule, and where the engine failed what it said."""
        if self.code is None or self.code == "non-deterministic":
            return self.rule
        return f"{self.rule} {self.code} {_VARIES.sub('#', one_line(self.happened))}"


def problem_of_violation(violation: Violation) -> Problem:
    """What an oracle found. A trace that cannot be read is the engine's failure."""
    return Problem(
        rule=violation.rule,
        expected=violation.expected,
        happened=violation.happened,
        at=violation.at,
        cards=violation.cards,
        code="protocol" if violation.rule == "IV-4" else None,
    )


def problem_of_error(error: EngineError) -> Problem:
    """What an engine did wrong as a program."""
    code: FailureCode = "protocol"
    if isinstance(error, DuelEndless):
        code = "endless"
    elif isinstance(error, EngineHang):
        code = "hang"
    elif isinstance(error, EngineCrash):
        code = "crash"
    rule = "IV-3" if code == "endless" else "IV-4"
    return Problem(rule=rule, expected=_EXPECTED[code], happened=str(error), code=code)
