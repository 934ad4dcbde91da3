"""Replaying duel files: what each expects, and what the rules say of it, held against the engine."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from conformance.examiner import Examination, Examiner
from conformance.expectations import difference
from conformance.problems import Problem
from engine_protocol.cards import card_pool
from engine_protocol.duel_file import Choice, DuelFile
from engine_protocol.trace import Trace
from engine_protocol.vocabulary import PLAYER_NAMES, TIMING_NAMES
from reports.cast import Cast
from reports.model import Verdict
from reports.story import tell


class Replay(Struct, frozen=True, kw_only=True):
    """How a duel file went.

    ``differences``  what was not as the file expects, one sentence each
    ``problems``     the rules that the duel shows to be broken
    ``untaken``      how many of the file's choices were never possible
    """

    verdict: Verdict
    differences: tuple[str, ...] = ()
    problems: tuple[Problem, ...] = ()
    trace: Trace | None = None
    untaken: int = 0

    @property
    def sentences(self) -> tuple[str, ...]:
        """Everything that is wrong, one sentence each."""
        told = (f"{problem.rule}: expected {problem.expected}; happened: {problem.happened}" for problem in self.problems)
        return (*self.differences, *told)

    @property
    def until(self) -> int | None:
        """Index of the event at which a rule was broken, if that is all that is wrong."""
        return self.problems[0].at if self.problems and not self.differences else None

    def story(self) -> str:
        """The duel as it went, up to the first problem if only a rule was broken."""
        return "" if self.trace is None else tell(self.trace, card_pool(), self.until)


def replay(duel: DuelFile, examiner: Examiner) -> Replay:
    """Play a duel file on the engine and judge it.

    Raises:
        EngineUnavailable: the engine failed and could not be started again.
    """
    reason = lacks(duel, examiner)
    if reason is not None:
        return Replay(verdict="unsupported", differences=(reason,))
    examination = examiner.choices(duel.board, duel.choices, probing=True)
    if examination.unsupported is not None:
        return Replay(verdict="unsupported", differences=(examination.unsupported,))
    failed = any(problem.code is not None for problem in examination.problems)
    differences = () if failed else tuple(_differences(duel, examination))
    verdict: Verdict = "conforms"
    if failed:
        verdict = "violated"
    elif duel.undecided:
        verdict = "undecided"
    elif differences or examination.problems:
        verdict = "violated"
    return Replay(
        verdict=verdict,
        differences=differences,
        problems=examination.problems,
        trace=examination.trace,
        untaken=len(examination.untaken),
    )


def lacks(duel: DuelFile, examiner: Examiner) -> str | None:
    """What the engine, by its own words, lacks for a duel; None if nothing."""
    info, pool = examiner.info, card_pool()
    if duel.board.ruleset not in info.rulesets:
        return f"the engine does not claim the ruleset {duel.board.ruleset}"
    if info.cards is not None:
        unknown = sorted({pool[card.passcode].name for card in duel.board.cards if card.passcode not in info.cards})
        if unknown:
            return f"the engine does not know {', '.join(unknown)}"
    custom = any(card.atk is not None or card.def_ is not None for card in duel.board.cards)
    if custom and "custom-stats" not in info.abilities:
        return "the engine cannot set up monsters with stats that no card has"
    return None


def _differences(duel: DuelFile, examination: Examination) -> Iterator[str]:
    trace = examination.trace
    assert trace is not None
    if examination.untaken and duel.expect:
        yield _never_possible(examination.untaken[0], trace)
    for expectation in duel.expect:
        said = difference(expectation, trace)
        if said is not None:
            yield said


def _never_possible(choice: Choice, trace: Trace) -> str:
    """The first choice that the engine never offered; those after it were not reached."""
    cast = Cast(trace, card_pool())
    who = "" if choice.at.player is None else f" of {PLAYER_NAMES[choice.at.player]}"
    when = "" if choice.at.timing is None else f" ({TIMING_NAMES[choice.at.timing]})"
    what = choice.do.kind if choice.do.card is None else f"{choice.do.kind} {cast.name(choice.do.card)}"
    return f"the choice {what!r}{who}{when} was never offered"
