"""Which ruleset an engine conforms to best, as data and on a terminal: what ``duelproof check --ruleset auto`` says.

An engine that claims several rulesets plays as it is asked, so there is an answer for each ruleset that it claims.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct
from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table
from rich.text import Text

from reports.cast import joined
from reports.model import EngineIdentity
from reports.text import counted, one_line
from reports.writing import write_text

MATCH_FORMAT = 1

_RULINGS_TOLD = 8


class Point(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A rule of a ruleset that the engine breaks.

    ``parameters``  what the ruleset has otherwise than the best one and what hangs on this rule, a sentence each
    ``file``        where the duel that shows it was written, ``replay`` the command that reruns it
    """

    rule: str
    title: str
    severity: Literal["must", "should"]
    expected: str
    happened: str
    parameters: tuple[str, ...] = ()
    file: str | None = None
    replay: str | None = None


class Score(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """How an engine stands against one ruleset.

    ``points``     the rules that it breaks
    ``telling``    how many of them tell rulesets apart; the others are broken whatever the ruleset
    ``observed``   how many of the ruleset's ``rules`` were at stake
    ``violated_rulings``  ids of the examples that it plays otherwise, of ``rulings`` that it could play
    ``cut``        why the run ended before its time, if it did
    """

    ruleset: str
    points: tuple[Point, ...]
    telling: int
    observed: int
    rules: int
    violated_rulings: tuple[str, ...] = ()
    rulings: int = 0
    cut: str | None = None

    @property
    def conforms(self) -> bool:
        """Nothing of the ruleset was seen to be broken, and something of it was seen at all."""
        return self.cut is None and self.observed > 0 and not self.points and not self.violated_rulings

    @property
    def rank(self) -> tuple[bool, int, float, int]:
        """What decides which ruleset fits best; less is better. Where nothing was seen, or not all, nothing is known."""
        unknown = not self.observed or self.cut is not None
        return unknown, self.telling, len(self.violated_rulings) / max(1, self.rulings), len(self.points)


class Match(Struct, frozen=True, kw_only=True):
    """How an engine that was asked for one ruleset stands against all of them.

    ``best``  those that it conforms to best, alike as far as was seen
    """

    asked: str
    best: tuple[str, ...]
    scores: tuple[Score, ...]


class MatchReport(Struct, frozen=True, kw_only=True):
    """A whole answer. ``examples``: random duels for each rule of each ruleset."""

    suite_version: str
    engine: EngineIdentity
    seed: int
    examples: int
    matches: tuple[Match, ...]
    seconds: float
    format: int = MATCH_FORMAT

    @property
    def is_complete(self) -> bool:
        """Whether no run was cut short."""
        return all(score.cut is None for match in self.matches for score in match.scores)

    @property
    def conforms(self) -> bool:
        """Whether the engine conforms to the best ruleset, or one of those, each time."""
        return all(any(score.conforms for score in match.scores if score.ruleset in match.best) for match in self.matches)


def write_match(report: MatchReport, path: Path) -> None:
    """Write the answer as JSON.

    Raises:
        InputError: the file cannot be written.
    """
    write_text(msgspec.json.format(msgspec.json.encode(report)).decode() + "\n", path, "the JSON report")


def match_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of the answer."""
    schema = msgspec.json.schema(MatchReport)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "duelproof ruleset match", **schema}


def print_match(report: MatchReport, console: Console) -> None:
    """For each ruleset that was asked for: a table, the best, and on which points the engine differs from each."""
    engine = f"{one_line(report.engine.name, 80)} {one_line(report.engine.version, 40)}"
    console.print(f"duelproof {report.suite_version}: {engine}, which ruleset it plays, seed {report.seed}")
    for match in report.matches:
        console.print()
        if len(report.matches) > 1:
            console.print(Text(f"Asked for {match.asked}", style="bold"))
        console.print(_table(match))
        for score in match.scores:
            _print_points(score, match, console)
        console.print(Text(verdict(match), style="bold green" if _fits(match) else "bold red"), soft_wrap=True)
    console.print(f"{counted(report.examples, 'duel')} for each rule of each ruleset, {report.seconds:.1f} s")


def verdict(match: Match) -> str:
    """The answer in a sentence or two."""
    best = [score for score in match.scores if score.ruleset in match.best]
    names = joined(match.best)
    if not any(score.observed for score in match.scores):
        return f"Asked for {match.asked}, nothing was observed that a ruleset says anything about."
    told = f"Asked for {match.asked}, the engine conforms best to {names}"
    if len(best) > 1:
        told += ", which what was observed cannot tell apart"
    points, rulings = len(best[0].points), len(best[0].violated_rulings)
    if points or rulings:
        return f"{told}; it breaks {counted(points, 'rule')} and {counted(rulings, 'ruling')} of it."
    return f"{told}: no violations."


def _fits(match: Match) -> bool:
    return any(score.conforms for score in match.scores if score.ruleset in match.best)


def _table(match: Match) -> Table:
    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    table.add_column("Ruleset", no_wrap=True)
    table.add_column("Violated (must)")
    table.add_column("Violated (should)")
    table.add_column("At stake", justify="right", no_wrap=True)
    table.add_column("Rulings violated", justify="right", no_wrap=True)
    for score in match.scores:
        by_severity = (
            ", ".join(point.rule for point in score.points if point.severity == severity) or "-"
            for severity in ("must", "should")
        )
        table.add_row(
            Text(f"{score.ruleset} *" if score.ruleset in match.best else score.ruleset),
            *map(Text, by_severity),
            f"{score.observed} of {score.rules}",
            f"{len(score.violated_rulings)} of {score.rulings}" if score.rulings else "-",
            style="bold" if score.ruleset in match.best else None,
        )
    return table


def _print_points(score: Score, match: Match, console: Console) -> None:
    lines = list(_lines(score))
    if lines:
        verb = "Broken rules of" if score.ruleset in match.best else "Differs from"
        console.print(Text(f"{verb} {score.ruleset}", style="bold"))
        for line in lines:
            console.print(Text(line), soft_wrap=True)
        console.print()


def _lines(score: Score) -> Iterator[str]:
    for point in score.points:
        yield f"  {point.rule}  {one_line(point.title)}" + (" (should)" if point.severity == "should" else "")
        yield f"      expected: {one_line(point.expected)}; happened: {one_line(point.happened)}"
        yield from (f"      {parameter}" for parameter in point.parameters)
    told = score.violated_rulings[:_RULINGS_TOLD]
    if told:
        left = len(score.violated_rulings) - len(told)
        yield f"  rulings played otherwise: {', '.join(told)}" + (f" and {left} more" if left else "")
    replays = [point.replay for point in score.points if point.replay is not None]
    if replays:
        yield f"  see one: {one_line(replays[0], 500)}"
    if score.cut is not None:
        yield f"  incomplete: {one_line(score.cut)}"
