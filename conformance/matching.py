"""Which ruleset an engine conforms to best: it is asked for a ruleset that it claims, and judged by each of them in turn."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from textwrap import shorten

from msgspec import structs

from conformance.budget import Budget, Clock
from conformance.engines import introduction, open_engine
from conformance.folder import FindingsFolder
from conformance.points import Stand, differences
from conformance.runner import Run, Watcher
from conformance.selection import Selection, select_from_all
from conformance.setup import Setup
from conformance.version import suite_version
from engine_protocol.engine import EngineInfo
from engine_protocol.errors import EngineError, EngineUnavailable
from engine_protocol.rulesets import PARAMETERS, RULESETS, ruleset_named
from reports.match import Match, MatchReport, Point, Score
from reports.model import EngineIdentity, Report, RuleResult

AUTO = "auto"
"""What stands for a ruleset on the command line."""

EXAMPLES = 24
"""Duels for each rule, enough to tell the rulesets apart; how well an engine conforms is for a run with the one found."""

FEWEST = 8
"""An engine that claims several rulesets is asked for each in turn, with fewer duels, but no fewer than this."""


class Matching:
    """The search for an engine's ruleset.

    Args:
        setup: the engine; rules and ruleset do not matter.
        pattern: only these rules and rulings; all where left out.
        examples: duels for each rule; None: as many as it takes.
        seed: decides which duels are drawn.
        workers: how many processes.
        folder: where counterexamples are written, in a folder for each ruleset.
        watcher: who is told about progress.
    """

    def __init__(
        self, setup: Setup, pattern: str | None, examples: int | None, seed: int, workers: int, folder: Path, watcher: Watcher
    ) -> None:
        self._setup = setup
        self._selections = select_from_all(RULESETS, pattern)
        self._examples = examples
        self._seed = seed
        self._workers = workers
        self._folder = folder
        self._watcher = watcher

    def execute(self) -> MatchReport:
        """Ask for every ruleset that the engine claims.

        Raises:
            EngineUnavailable: the engine cannot be used, or claims no ruleset that there is.
            InputError: a counterexample cannot be written.
        """
        clock = Clock(None)
        info = self._introduction()
        claimed = [name for name in RULESETS if name in info.rulesets]
        if not claimed:
            raise EngineUnavailable(
                f"the engine {info.name!r} claims no known ruleset: {', '.join(info.rulesets) or 'none'}; "
                f"known: {', '.join(RULESETS)}"
            )
        examples = self._examples or max(FEWEST, EXAMPLES // len(claimed))
        budget = Budget(examples=examples, seed=self._seed, shrinking=False)
        matches = tuple(match_of(asked, self._reports(asked, budget)) for asked in claimed)
        return MatchReport(
            suite_version=suite_version(),
            engine=EngineIdentity(name=info.name, version=info.version, homepage=info.homepage),
            seed=self._seed,
            examples=examples,
            matches=matches,
            seconds=round(clock.elapsed, 3),
        )

    def _introduction(self) -> EngineInfo:
        engine = open_engine(self._setup.engine, self._setup.timeout)
        try:
            return introduction(engine, self._setup.engine)
        finally:
            with suppress(EngineError):
                engine.close()

    def _reports(self, asked: str, budget: Budget) -> Iterator[Report]:
        for ruleset, selection in self._selections.items():
            yield self._run(asked, ruleset, selection, budget)

    def _run(self, asked: str, ruleset: str, selection: Selection, budget: Budget) -> Report:
        setup = structs.replace(
            self._setup,
            ruleset=ruleset,
            asked=None if asked == ruleset else asked,
            rules=frozenset(selection.rules),
        )
        folder = FindingsFolder(self._folder / f"{asked}-as-{ruleset}", setup)
        return Run(setup, selection, budget, self._workers, folder, self._watcher).execute()


def match_of(asked: str, reports: Iterator[Report] | Sequence[Report]) -> Match:
    """What the reports of an engine that was asked for one ruleset say, one report for each ruleset."""
    told = list(reports)
    scores = [_score(report, told) for report in told]
    least = min(score.rank for score in scores)
    best = tuple(score.ruleset for score in scores if score.rank == least)
    return Match(asked=asked, best=best, scores=tuple(_with_parameters(score, best) for score in scores))


def _score(report: Report, reports: Sequence[Report]) -> Score:
    broken = [rule for rule in report.rules if rule.verdict == "violated"]
    played = [ruling for ruling in report.rulings if ruling.verdict in ("conforms", "violated")]
    footer = report.footer
    cut = None if report.is_complete else (footer.reason if footer is not None else None) or "the run did not reach its end"
    return Score(
        ruleset=report.header.ruleset,
        points=tuple(map(_point, broken)),
        telling=sum(_is_telling(rule.id, report.header.ruleset, reports) for rule in broken),
        observed=sum(rule.at_stake > 0 for rule in report.rules),
        rules=sum(rule.verdict != "undecided" for rule in report.rules),
        violated_rulings=tuple(ruling.id for ruling in played if ruling.verdict == "violated"),
        rulings=len(played),
        cut=cut,
    )


def _is_telling(rule: str, ruleset: str, reports: Sequence[Report]) -> bool:
    """Whether a broken rule says something about the ruleset: it is kept as another ruleset has it, or the rulesets differ there.

    A rule that is broken wherever it exists is a fault of the engine whatever it plays, and rulesets with more rules must not
    look worse for it.
    """
    kept = any(result.id == rule and result.verdict == "conforms" for report in reports for result in report.rules)
    return kept or any(
        rule in PARAMETERS[point.parameter].rules
        for other in RULESETS
        for point in differences(ruleset_named(ruleset), ruleset_named(other))
    )


def _point(rule: RuleResult) -> Point:
    finding = rule.violations[0]
    return Point(
        rule=rule.id,
        title=rule.title,
        severity=rule.severity,
        expected=finding.expected,
        happened=finding.happened,
        file=finding.file,
        replay=finding.replay,
    )


def _with_parameters(score: Score, best: Collection[str]) -> Score:
    """The score in which every point names what the ruleset has otherwise than the best."""
    return structs.replace(
        score,
        points=tuple(
            structs.replace(point, parameters=tuple(dict.fromkeys(_parameters(point.rule, score.ruleset, best))))
            for point in score.points
        ),
    )


def _parameters(rule: str, ruleset: str, best: Collection[str]) -> Iterator[str]:
    for other in best:
        for point in differences(ruleset_named(ruleset), ruleset_named(other)):
            if rule in PARAMETERS[point.parameter].rules:
                here, there = point.stands
                yield (f"{PARAMETERS[point.parameter].meaning} {ruleset}: {_short(here)}; {other}: {_short(there)}")


def _short(stand: Stand) -> str:
    """What stands side by side with another on a line."""
    return shorten(stand.words, 100, placeholder=" …")
