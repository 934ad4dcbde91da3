"""The sample report held against a baseline, for the tests of this room."""

from __future__ import annotations

from msgspec.structs import replace

from reports.model import Gate, Report, Stale, Standing
from tests.reports.samples import report

STALE = Stale(id="BP-2", shape="expected: the Battle Step; happened: the End Step", reason="bug 4")


def gated(
    finding: Standing, failure: Standing, ruling: Standing, *, stale: tuple[Stale, ...] = (), strict: bool = False
) -> Report:
    """The sample with the standing of its finding (DS-3), its crash (IV-4) and its ruling that differs (M-045)."""
    plain = report()
    standings = {"DS-3": finding, "IV-4": failure}
    return replace(
        plain,
        rules=tuple(
            replace(rule, violations=tuple(replace(one, standing=standings[one.rule]) for one in rule.violations))
            for rule in plain.rules
        ),
        rulings=tuple(replace(one, standing=ruling) if one.verdict == "violated" else one for one in plain.rulings),
        engine_failures=tuple(replace(one, finding=replace(one.finding, standing=failure)) for one in plain.engine_failures),
        gate=Gate(baseline="known.json", stale=stale, strict=strict),
    )
