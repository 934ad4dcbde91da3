"""How a report stands against a baseline, in words."""

from __future__ import annotations

from collections import Counter

from reports.model import Report, Standing, StandingState

STANDING_NAMES: dict[StandingState, str] = {
    "new": "new",
    "drift": "failing otherwise than known",
    "expired": "tolerated no longer",
    "known": "known",
}


def standing_told(standing: Standing) -> str:
    """``known until 2027-01-01: bug 7``."""
    until = f" until {standing.expires}" if standing.expires else ""
    reason = f": {standing.reason}" if standing.reason else ""
    return f"{STANDING_NAMES[standing.state]}{until}{reason}"


def gate_tally(report: Report) -> str:
    """``1 new, 3 known; 2 listed ones are fixed``."""
    counts = Counter(standing.state for standing in report.standings)
    found = ", ".join(f"{counts[state]} {name}" for state, name in STANDING_NAMES.items() if counts[state])
    stale = len(report.gate.stale) if report.gate is not None else 0
    fixed = f"; {stale} listed {'one is' if stale == 1 else 'ones are'} fixed" if stale else ""
    return (found or "no violations") + fixed
