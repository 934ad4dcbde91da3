"""The baseline: violations a project knows of and tolerates for now, so that only new ones stop a change.

An entry is a rule or ruling, the shape of the violation (see :mod:`reports.shape`), a reason, and perhaps a last day. A listed
rule that fails in another shape is not excused: the excuse was for something else.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, structs

from conformance.rulings import ruling_names
from engine_protocol.errors import InputError
from oracles import RULES
from reports.model import EngineFailure, Finding, Gate, Report, RuleResult, RulingResult, Stale, Standing, StandingState
from reports.shape import shape_of, shape_of_ruling
from reports.writing import write_text

FORMAT = 1

NO_REASON = "not explained yet"
"""What ``--update-baseline`` writes as the reason of a new entry; people replace it."""


class Known(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, kw_only=True):
    """A violation that is tolerated.

    ``id``             a rule or ruling
    ``shape``          how it fails
    ``reason``         why it is tolerated
    ``expires``        the last day on which it is
    ``nondeterminate`` it comes and goes with the seed or by chance: not to be taken for fixed when it is not seen
    """

    id: str
    shape: str
    reason: str
    expires: date | None = None
    nondeterminate: bool = False


class Baseline(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The content of a baseline file."""

    format: int = FORMAT
    ruleset: str
    known: tuple[Known, ...] = ()

    def of(self, name: str) -> dict[str, Known]:
        """The entries of a rule or ruling, by shape."""
        return {known.shape: known for known in self.known if known.id == name}


def read_baseline(path: Path, ruleset: str) -> Baseline:
    """The baseline in a file.

    Raises:
        InputError: it cannot be read, is no baseline, or is one of another ruleset.
    """
    try:
        baseline = msgspec.json.decode(path.read_bytes(), type=Baseline)
    except FileNotFoundError:
        raise InputError(f"there is no baseline {path}; --update-baseline makes one") from None
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"{path} is no baseline: {error}") from None
    if baseline.format != FORMAT:
        raise InputError(f"{path} has the baseline format {baseline.format}; this duelproof reads format {FORMAT}")
    if baseline.ruleset != ruleset:
        raise InputError(f"{path} is the baseline of the ruleset {baseline.ruleset}, and the run is about {ruleset}")
    for (name, shape), times in Counter((known.id, known.shape) for known in baseline.known).items():
        if times > 1:
            raise InputError(f"{path} lists {name} {times} times with the shape {shape!r}")
    return baseline


def write_baseline(baseline: Baseline, path: Path) -> None:
    """Write a baseline, sorted, one field a line, so that changes can be read.

    Raises:
        InputError: the file cannot be written.
    """
    content = msgspec.to_builtins(structs.replace(baseline, known=tuple(_sorted(baseline.known))))
    write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", path, "the baseline")


def baseline_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of a baseline file."""
    schema = msgspec.json.schema(Baseline)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "duelproof baseline", **schema}


def held_against(report: Report, baseline: Baseline, today: date, *, file: str, strict: bool = False) -> Report:
    """The report in which every violation says how it stands against the baseline.

    Args:
        report: of a run with the baseline's ruleset.
        baseline: what is tolerated.
        today: the day that decides what has expired.
        file: the baseline's name in reports.
        strict: whether entries that are fixed fail, too.
    """
    seen = _seen(report)

    def standing(name: str, shape: str) -> Standing:
        listed = baseline.of(name)
        known = listed.get(shape)
        if known is not None:
            if known.expires is None:
                return Standing(state="known", reason=known.reason)
            state: StandingState = "known" if today <= known.expires else "expired"
            return Standing(state=state, reason=known.reason, expires=known.expires.isoformat())
        if listed and listed.keys().isdisjoint(seen[name]):
            return Standing(state="drift", reason=f"listed as {' | '.join(sorted(listed))}")
        return Standing(state="new")

    def judged(finding: Finding) -> Finding:
        return structs.replace(finding, standing=standing(finding.rule, shape_of(finding)))

    def rule(result: RuleResult) -> RuleResult:
        return structs.replace(result, violations=tuple(map(judged, result.violations)))

    def ruling(result: RulingResult) -> RulingResult:
        if result.verdict != "violated":
            return result
        return structs.replace(result, standing=standing(result.id, shape_of_ruling(result)))

    def failure(result: EngineFailure) -> EngineFailure:
        return structs.replace(result, finding=judged(result.finding))

    stale = tuple(Stale(id=known.id, shape=known.shape, reason=known.reason) for known in _stale(report, baseline))
    return structs.replace(
        report,
        rules=tuple(map(rule, report.rules)),
        rulings=tuple(map(ruling, report.rulings)),
        engine_failures=tuple(map(failure, report.engine_failures)),
        gate=Gate(baseline=file, stale=stale, strict=strict),
    )


def updated(report: Report, baseline: Baseline) -> Baseline:
    """The baseline as the report has it.

    Entries that still fail, were not asked for or could not be decided stay as they are. Fixed ones go. Where a rule fails in
    another shape than it was listed with, that one takes the old one's place, reason and last day.
    """
    seen = _seen(report)
    stale = set(_stale(report, baseline))
    known: list[Known] = []
    for name in sorted({*seen, *(known.id for known in baseline.known)}):
        listed = {shape: entry for shape, entry in baseline.of(name).items() if entry not in stale}
        drifted = bool(seen[name]) and listed.keys().isdisjoint(seen[name])
        replaced = [entry for entry in listed.values() if drifted and not entry.nondeterminate]
        known += [entry for entry in listed.values() if entry not in replaced]
        heritage = replaced[0] if replaced else Known(id=name, shape="", reason=NO_REASON)
        known += [structs.replace(heritage, shape=shape) for shape in sorted(seen[name] - listed.keys())]
    return structs.replace(baseline, known=tuple(known))


def _seen(report: Report) -> defaultdict[str, set[str]]:
    """The shapes of all violations, by rule or ruling."""
    seen: defaultdict[str, set[str]] = defaultdict(set)
    for finding in report.all_findings:
        seen[finding.rule].add(shape_of(finding))
    for ruling in report.violated_rulings:
        seen[ruling.id].add(shape_of_ruling(ruling))
    return seen


def _stale(report: Report, baseline: Baseline) -> Iterator[Known]:
    """Entries of rules and rulings that conform, and of those that there are no more. Little evidence decides nothing."""
    if not report.is_complete:
        return
    fixed = {rule.id for rule in report.rules if rule.verdict == "conforms" and rule.at_stake >= report.header.settings.floor}
    fixed.update(ruling.id for ruling in report.rulings if ruling.verdict == "conforms")
    for known in _sorted(baseline.known):
        exists = known.id in RULES or known.id in ruling_names()
        if not exists or (known.id in fixed and not known.nondeterminate):
            yield known


def _sorted(known: Iterable[Known]) -> list[Known]:
    return sorted(known, key=lambda known: (known.id, known.shape))
