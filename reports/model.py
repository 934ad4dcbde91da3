"""The report of a run as data. Every form it is shown in (terminal, JSON, JUnit) is made from these structs.

A report without a footer, or with one that says it is not complete, never counts as conforming.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

from engine_protocol.board import Board
from engine_protocol.duel_file import DuelFile
from engine_protocol.events import Event
from engine_protocol.trace import Trace

FORMAT = 1

LONGEST_COURSE = 500
"""Events of a course that goes on after its problem; an endless duel would fill any report."""

Verdict = Literal["conforms", "violated", "not-observed", "unsupported", "undecided"]
"""``not-observed``: the rule was at stake less often than the floor, or never, so nothing is known; ``unsupported``: the engine
lacks a card or an ability that the rule needs; ``undecided``: the documents of the ruleset do not settle it."""

FailureCode = Literal["crash", "hang", "protocol", "endless", "non-deterministic"]
"""What an engine can do wrong in a duel beyond any rule of the game."""


class EngineIdentity(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Who was checked, in the engine's own words. How it was reached (in process, over stdio) is no part of it."""

    name: str
    version: str
    homepage: str | None = None


class Settings(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What was asked for.

    ``rules``     ids of the rules that were checked
    ``examples``  duels for each rule's focus; None with a time budget
    ``seconds``   the time budget; None without
    ``workers``   processes
    ``floor``     a rule at stake less often than this was not observed (``--strict`` refuses such a run)
    """

    rules: tuple[str, ...]
    examples: int | None = None
    seconds: float | None = None
    workers: int = 1
    floor: int = 1


class Header(Struct, frozen=True, kw_only=True):
    """What makes a report reproducible.

    ``started``  a UTC time in ISO 8601
    ``asked``    the ruleset that the engine was told, where it is not the one it was judged by
    """

    suite_version: str
    engine: EngineIdentity
    ruleset: str
    seed: int
    settings: Settings
    started: str
    format: int = FORMAT
    asked: str | None = None

    @property
    def told_ruleset(self) -> str:
        """The ruleset in words, with the one that the engine was told, if that is another."""
        return self.ruleset if self.asked is None else f"{self.ruleset} (asked for {self.asked})"


class Citation(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A document a rule rests on, and where in it. ``title`` tells the document in words."""

    document: str
    title: str
    where: str | None = None


class Course(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What happened in a duel, for pictures of it.

    ``at``        index of the event at which something is wrong; None: nothing is, or it shows only at the end
    ``left_out``  how many events follow that are not told
    """

    board: Board
    events: tuple[Event, ...]
    at: int | None = None
    left_out: int = 0


def course_of(trace: Trace, at: int | None = None) -> Course:
    """The course of a duel, with every event up to the one at which something is wrong, and the first of any length besides."""
    told = trace.events[: max(LONGEST_COURSE, (at or 0) + 1)]
    return Course(board=trace.board, events=told, at=at, left_out=len(trace.events) - len(told))


StandingState = Literal["new", "known", "drift", "expired"]
"""``new``: the baseline knows nothing of it; ``known``: it is listed, and just this way; ``drift``: the rule or ruling is listed
as failing in another way; ``expired``: it is listed, and the day until which it was tolerated is past."""


class Standing(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """How a violation stands against the baseline of a project.

    ``reason``   why it is tolerated, as the baseline says; of drift, what is listed instead
    ``expires``  the last day, in ISO 8601, on which it is
    """

    state: StandingState
    reason: str = ""
    expires: str | None = None

    @property
    def is_known(self) -> bool:
        """Whether it is tolerated."""
        return self.state == "known"


class Stale(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A violation that the baseline lists and that is there no more. ``id`` names a rule or ruling."""

    id: str
    shape: str
    reason: str = ""


class Gate(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What a report was held against.

    ``baseline``  the file
    ``stale``     what is listed there though it is fixed
    ``strict``    whether that fails, too
    """

    baseline: str
    stale: tuple[Stale, ...] = ()
    strict: bool = False


class Finding(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One way in which the engine broke one rule.

    ``expected``, ``happened``  in words
    ``cards``    names of the cards concerned
    ``documents`` what the rule rests on
    ``duel``     the smallest duel that shows it; None where the engine took the worker down before telling
    ``minimal``  no card of it can go and no choice be quieter; False where the run ended before that was certain
    ``story``    the duel as a person would tell it
    ``course``   what happened in it; None where nothing is known
    ``file``     where the duel was written, ``replay`` the command that reruns it
    ``standing`` how it stands against the baseline; None where there is none
    """

    rule: str
    expected: str
    happened: str
    cards: tuple[str, ...] = ()
    documents: tuple[Citation, ...] = ()
    duel: DuelFile | None = None
    minimal: bool = False
    story: str = ""
    course: Course | None = None
    file: str | None = None
    replay: str | None = None
    standing: Standing | None = None


class RuleResult(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What is known of one rule.

    ``at_stake``  in how many situations the rule was really tested, over all generated duels
    ``severity``  ``must``: the ruleset's own document says it; ``should``: inherited or only implied
    ``reason``    why a rule is unsupported or undecided
    ``statement`` what the rule says, in our own words; ``documents`` what it rests on
    """

    id: str
    title: str
    verdict: Verdict
    at_stake: int
    violations: tuple[Finding, ...]
    severity: Literal["must", "should"] = "must"
    reason: str | None = None
    statement: str = ""
    documents: tuple[Citation, ...] = ()


class RulingResult(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What one concrete example of the documents says of the engine.

    ``problems``  what differs, one sentence each
    ``course``    what happened, where something differs
    ``replay``    the command that plays it again, where something differs
    ``standing``  how that stands against the baseline; None where there is none
    """

    id: str
    title: str
    verdict: Verdict
    problems: tuple[str, ...] = ()
    story: str = ""
    course: Course | None = None
    file: str | None = None
    replay: str | None = None
    standing: Standing | None = None


class Undecided(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A point that the documents of the ruleset leave open, so that any answer of an engine is right.

    ``id``       the parameter of the ruleset
    ``meaning``  what it says, in a sentence
    ``rules``    ids of the rules that hang on it
    """

    id: str
    meaning: str
    rules: tuple[str, ...] = ()


class EngineFailure(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A duel in which the engine failed as a program. ``times``: how many duels ended like this."""

    code: FailureCode
    times: int
    finding: Finding


class Footer(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The last thing of a run.

    ``complete``   False when the run was cut short; ``reason`` says by what
    ``examples``   generated duels that were played; ``discarded`` the share, 0 to 1, of draws thrown away besides
    ``seconds``    wall-clock time
    """

    complete: bool
    examples: int
    seconds: float
    discarded: float = 0.0
    reason: str | None = None


class Report(Struct, frozen=True, kw_only=True):
    """A whole run.

    ``undecided``  what the ruleset's documents leave open of the points that the run was about; rules that they leave open as a
                   whole stand among ``rules``
    ``gate``       is there if it was held against a baseline
    """

    header: Header
    rules: tuple[RuleResult, ...] = ()
    rulings: tuple[RulingResult, ...] = ()
    engine_failures: tuple[EngineFailure, ...] = field(default_factory=tuple)
    footer: Footer | None = None
    gate: Gate | None = None
    undecided: tuple[Undecided, ...] = ()

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Every finding, rule by rule."""
        return tuple(finding for rule in self.rules for finding in rule.violations)

    @property
    def all_findings(self) -> tuple[Finding, ...]:
        """Every finding, rule by rule, and then the engine failures whose rule was not asked for."""
        findings = self.findings
        return findings + tuple(failure.finding for failure in self.engine_failures if failure.finding not in findings)

    @property
    def violated_rulings(self) -> tuple[RulingResult, ...]:
        """The examples of the documents that the engine plays otherwise."""
        return tuple(ruling for ruling in self.rulings if ruling.verdict == "violated")

    @property
    def standings(self) -> tuple[Standing, ...]:
        """How every violation stands against the baseline; empty where there is none."""
        violations: tuple[Finding | RulingResult, ...] = (*self.all_findings, *self.violated_rulings)
        return tuple(violation.standing for violation in violations if violation.standing is not None)

    @property
    def is_refused(self) -> bool:
        """Whether the violations let a gate shut: any of them; with a baseline those that it does not tolerate."""
        if self.gate is None:
            return self.is_violated
        stale = bool(self.gate.stale) and self.gate.strict
        return stale or not all(standing.is_known for standing in self.standings)

    @property
    def is_complete(self) -> bool:
        """Whether the run got to its end."""
        return self.footer is not None and self.footer.complete

    @property
    def is_violated(self) -> bool:
        """Whether a rule or a ruling is violated, or the engine failed."""
        verdicts = [rule.verdict for rule in self.rules] + [ruling.verdict for ruling in self.rulings]
        return "violated" in verdicts or bool(self.engine_failures)

    @property
    def thin(self) -> tuple[RuleResult, ...]:
        """The rules that were at stake less often than the floor, violated ones aside."""
        floor = self.header.settings.floor
        return tuple(rule for rule in self.rules if rule.verdict in ("conforms", "not-observed") and rule.at_stake < floor)
