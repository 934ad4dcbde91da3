"""One rule under several rulesets: what its oracle says of a trace in each."""

from __future__ import annotations

from typing import Literal

from tests.oracles.chained import Chained
from tests.oracles.traces import Duel

Word = Literal["broken", "kept", "silent"]
"""``kept``: the rule was at stake and no violation was seen; ``silent``: it was not at stake, or the ruleset does not have it."""


def chained(ruleset: str) -> Chained:
    """A duel with real cards under that ruleset."""
    duel = Chained()
    duel.ruleset = ruleset
    return duel


def word(duel: Duel, rule: str) -> Word:
    """What the oracle of that rule says."""
    judgement = duel.judge(rule)
    if judgement.violations:
        return "broken"
    return "kept" if judgement.at_stake.get(rule) else "silent"
