"""docs/mutation.md and docs/mutation.json: the score, the figures of each module, and every survivor with its verdict."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from oracles import RULES
from tests.mutation.judge import KILLED, SURVIVED

VERDICTS = Path(__file__).with_name("verdicts.toml")

Key = tuple[str, str, str, str, str]
"""Module, function, the line above, and the change: what names a mutant when lines move."""

JUDGE_FAILED = "the judge failed"
FAILURE_RULES = ("IV-3", "IV-4")
"""What the engine breaks that does not come to an end, or fails as a program."""


class Mutant(Struct, frozen=True, kw_only=True):
    """The reference engine with one small change.

    ``line``     where it is now; ``under`` (the line above), ``before`` and ``after`` tell the change itself and stay when
                 lines move
    ``outcome``  what the judge said of it: see :mod:`tests.mutation.judge`
    """

    module: str
    function: str
    line: int
    under: str
    before: str
    after: str
    outcome: str

    @property
    def key(self) -> Key:
        """Its name."""
        return self.module, self.function, self.under, self.before, self.after

    @property
    def killer(self) -> str | None:
        """The rule or ruling that it broke; None if none was broken."""
        head, _, _ = self.outcome.partition(":")
        return head.removeprefix(KILLED).strip() if head.startswith(KILLED) else None


class Verdict(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Why the suite does not notice a mutant."""

    module: str
    function: str
    under: str
    before: str
    after: str
    why: str

    @property
    def key(self) -> Key:
        """The name of the mutant."""
        return self.module, self.function, self.under, self.before, self.after


class Verdicts(Struct, frozen=True, forbid_unknown_fields=True):
    """What tests/mutation/verdicts.toml holds.

    ``equivalent``  mutants that play every duel as the engine itself does
    ``unnoticed``   those that do not, and of which the suite cannot, or does not, say anything
    """

    equivalent: tuple[Verdict, ...] = ()
    unnoticed: tuple[Verdict, ...] = ()

    def on(self, mutant: Mutant) -> tuple[bool, str | None]:
        """Whether the mutant is equivalent, and why it is not noticed; None if nobody has said so yet."""
        for verdict in self.equivalent:
            if verdict.key == mutant.key:
                return True, verdict.why
        return False, next((verdict.why for verdict in self.unnoticed if verdict.key == mutant.key), None)


class Figures(Struct, frozen=True, kw_only=True):
    """How many mutants there are of a module, or of all; the score is of those that are not equivalent."""

    mutants: int
    killed: int
    equivalent: int
    survived: int
    score: float


class Survivor(Struct, frozen=True, kw_only=True):
    """A mutant that was not noticed, and ``why``; None if nobody has looked at it yet."""

    module: str
    function: str
    line: int
    under: str
    before: str
    after: str
    equivalent: bool
    why: str | None


class Report(Struct, frozen=True, kw_only=True):
    """What docs/mutation.json holds. ``killed_by``: how often a ruling, a rule, or a failure as a program was noticed first."""

    total: Figures
    modules: dict[str, Figures]
    killed_by: dict[str, int]
    survivors: tuple[Survivor, ...]


def known_verdicts(path: Path = VERDICTS) -> Verdicts:
    """The verdicts that were given so far.

    Raises:
        ValueError: a mutant is named twice.
    """
    verdicts = msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), Verdicts)
    times = Counter(verdict.key for verdict in (*verdicts.equivalent, *verdicts.unnoticed))
    twice = [key for key, count in times.items() if count > 1]
    if twice:
        raise ValueError(f"named twice in {path.name}: {twice}")
    return verdicts


def report_on(mutants: Sequence[Mutant], verdicts: Verdicts) -> Report:
    """The report.

    Raises:
        ValueError: the judge failed on a mutant, or noticed one that was taken for equivalent.
    """
    for mutant in mutants:
        if mutant.killer is None and mutant.outcome != SURVIVED:
            raise ValueError(f"{JUDGE_FAILED} on {mutant}")
        if mutant.killer is not None and verdicts.on(mutant)[0]:
            raise ValueError(f"not equivalent: {mutant}")
    ordered = sorted(mutants, key=lambda mutant: (mutant.module, mutant.line, mutant.after))
    modules = tuple(dict.fromkeys(mutant.module for mutant in ordered))
    return Report(
        total=_figures(mutants, verdicts),
        modules={module: _figures([mutant for mutant in mutants if mutant.module == module], verdicts) for module in modules},
        killed_by=_killed_by(mutants),
        survivors=tuple(_survivor(mutant, verdicts) for mutant in ordered if mutant.killer is None),
    )


def _survivor(mutant: Mutant, verdicts: Verdicts) -> Survivor:
    equivalent, why = verdicts.on(mutant)
    return Survivor(
        module=mutant.module,
        function=mutant.function,
        line=mutant.line,
        under=mutant.under,
        before=mutant.before,
        after=mutant.after,
        equivalent=equivalent,
        why=why,
    )


def _figures(mutants: Sequence[Mutant], verdicts: Verdicts) -> Figures:
    killed = sum(mutant.killer is not None for mutant in mutants)
    equivalent = sum(verdicts.on(mutant)[0] for mutant in mutants)
    different = len(mutants) - equivalent
    return Figures(
        mutants=len(mutants),
        killed=killed,
        equivalent=equivalent,
        survived=different - killed,
        score=round(killed / different, 4) if different else 1.0,
    )


def _killed_by(mutants: Iterable[Mutant]) -> dict[str, int]:
    killers = Counter(_kind(mutant.killer) for mutant in mutants if mutant.killer is not None)
    return {kind: killers[kind] for kind in ("a ruling", "a rule", "a failure as a program")}


def _kind(killer: str) -> str:
    if killer in FAILURE_RULES:
        return "a failure as a program"
    return "a rule" if killer in RULES else "a ruling"


def as_json(report: Report) -> str:
    """The report as a JSON document."""
    return msgspec.json.format(msgspec.json.encode(report), indent=2).decode() + "\n"


def as_markdown(report: Report) -> str:
    """The report as a page to read."""
    total = report.total
    lines = [
        "# Line-level mutation",
        "",
        (
            "Does the suite notice a small mistake anywhere in the reference engine? [cosmic-ray](https://cosmic-ray.readthedocs.io)"
            " changes the modules of the battle flow, chains, the Damage Step, damage calculation and legality in one place at a"
            " time: a comparison, a connective, a number, a loop, or a whole statement. The judge is the conformance suite alone,"
            " without a single unit test: the rulings of all rulesets, a few random duels for each rule in each of them, and a"
            " third of those that `duelproof check` plays by default. `make mutation` writes this page."
        ),
        "",
        f"**{total.score:.1%}** of the mutants that are not equivalent are noticed.",
        "",
        "| module | mutants | noticed | equivalent | not noticed | score |",
        "|---|--:|--:|--:|--:|--:|",
        *(_figures_line(f"`{module}.py`", figures) for module, figures in report.modules.items()),
        _figures_line("all", total),
        "",
        "First noticed by " + ", ".join(f"{kind}: {times}" for kind, times in report.killed_by.items()) + ".",
        "",
        (
            "Each operator has one replacement that could go unnoticed, not a dozen of which most are errors of type. Type"
            " annotations and what only the type checker reads are left out."
        ),
    ]
    lines += _section("Not noticed", [survivor for survivor in report.survivors if not survivor.equivalent])
    lines += _section("Equivalent", [survivor for survivor in report.survivors if survivor.equivalent])
    return "\n".join(lines) + "\n"


def _figures_line(name: str, figures: Figures) -> str:
    counts = (figures.mutants, figures.killed, figures.equivalent, figures.survived)
    return f"| {name} | " + " | ".join(map(str, counts)) + f" | {figures.score:.1%} |"


def _section(title: str, survivors: Sequence[Survivor]) -> list[str]:
    if not survivors:
        return []
    lines = ["", f"## {title}", "", "| where | change | why |", "|---|---|---|"]
    for survivor in survivors:
        change = f"{_code(survivor.before)}<br>{_code(survivor.after) if survivor.after else '*missing*'}"
        lines.append(f"| `{survivor.module}.{survivor.function}` | {change} | {survivor.why or ''} |")
    return lines


def _code(text: str) -> str:
    return "`" + text.replace("|", "\\|") + "`"
