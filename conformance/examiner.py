"""Plays duels on the engine under test and says what is wrong with them. The engine is started anew after every failure."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from types import TracebackType

from msgspec import Struct, structs

from conformance.asked import AskedFor
from conformance.engines import identify, open_engine
from conformance.probing import probe
from conformance.problems import Problem, problem_of_error, problem_of_violation
from conformance.recorder import Recorder
from conformance.relating import one_of, relate
from conformance.setup import Setup
from engine_protocol.board import Board
from engine_protocol.cards import CardPool, card_pool
from engine_protocol.driver import Chooser, drive, play, scripted
from engine_protocol.duel_file import Choice, ChoiceFollower
from engine_protocol.engine import Engine, EngineInfo
from engine_protocol.errors import BoardNotSupported, EngineError
from engine_protocol.trace import Trace
from oracles import judge

DETERMINISM, REFUSAL, TERMINATION, ROBUSTNESS = "IV-1", "IV-2", "IV-3", "IV-4"
PROBED = frozenset({DETERMINISM, REFUSAL, "GN-2"})
"""Rules that probing checks, GN-2 besides what a trace shows of it."""


class Examination(Struct, frozen=True, kw_only=True):
    """What one duel says of the engine.

    ``trace``        what was played, up to the failure if there was one; None if that is not known
    ``at_stake``     how often each rule was at stake, by id
    ``problems``     at most one for each rule
    ``unsupported``  why the engine cannot set the board up, if it said so
    ``untaken``      choices that were never possible
    """

    trace: Trace | None = None
    at_stake: dict[str, int] = {}
    problems: tuple[Problem, ...] = ()
    unsupported: str | None = None
    untaken: tuple[Choice, ...] = ()

    def problem(self, key: str) -> Problem | None:
        """The problem with this key, if the duel shows it."""
        return next((problem for problem in self.problems if problem.key == key), None)


Played = Trace | EngineError
"""What came of a duel that was played in one go."""


class Examiner:
    """Holds an engine. Use as a context manager, so that no process of an engine stays behind."""

    def __init__(self, setup: Setup) -> None:
        """Opens the engine that the setup names.

        Raises:
            EngineUnavailable: it cannot be used.
        """
        self.setup = setup
        self.engine, self.info = self._opened()
        pool = card_pool()
        known = self.info.cards
        self.pool = pool if known is None else CardPool(pool[code] for code in pool if code in frozenset(known))

    def __enter__(self) -> Examiner:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None) -> None:
        # Whoever is told to leave at once does not wait for a farewell: an engine's process ends with its parent.
        if kind is None or issubclass(kind, Exception):
            self.close()

    def close(self) -> None:
        """End the engine. What it says to that is no finding."""
        _end(self.engine)

    def restart(self) -> None:
        """Start the engine anew.

        Raises:
            EngineUnavailable: that is not possible.
        """
        self.close()
        self.engine, _ = self._opened()

    def play(self, board: Board, script: Sequence[int]) -> Played:
        """Play by a script in one go, for engines with the ability ``play``; what came of it is for :meth:`script` to judge.

        After a failure that must be done before anything else is played: only then is the engine started anew.
        """
        try:
            return play(self.engine, board, script)
        except EngineError as error:
            return error

    def script(
        self,
        board: Board,
        script: Sequence[int],
        *,
        played: Played | None = None,
        probing: bool = False,
        stepwise: bool = False,
        rules: frozenset[str] | None = None,
        about: str | None = None,
    ) -> Examination:
        """Play by a script.

        Args:
            board: where it begins.
            script: see :func:`engine_protocol.driver.scripted`.
            played: what came of it, if it has been played already.
            probing: also check what no single trace shows; without ``rules``, the board is changed in one way only.
            stepwise: choice by choice, so that a failing duel is known up to its failure.
            rules: judge only these; where left out, those of the setup.
            about: the rule that the search is about, if it is about one.
        """
        recorder = Recorder(self.engine)
        whole = "play" in self.info.abilities and not stepwise

        def play_it() -> Trace:
            if not whole:
                return drive(recorder, board, scripted(script))
            outcome = self.play(board, script) if played is None else played
            if isinstance(outcome, EngineError):
                raise outcome
            return outcome

        examination = self._examined(
            play_it,
            recorder,
            lambda: scripted(script),
            probing=probing,
            rules=rules,
            whole=whole,
            thorough=rules is not None,
            about=about,
        )
        if whole and any(problem.code == "hang" for problem in examination.problems):
            # From outside of `play`, a Battle Phase that never ends looks like an engine that does not answer.
            return self.script(board, script, probing=probing, stepwise=True, rules=rules, about=about)
        return examination

    def choices(
        self, board: Board, choices: tuple[Choice, ...], *, probing: bool = False, rules: frozenset[str] | None = None
    ) -> Examination:
        """Play by the choices of a duel file, choice by choice; ``probing`` and ``rules`` as for a script."""
        follower, recorder = ChoiceFollower(choices), Recorder(self.engine)
        examination = self._examined(
            lambda: drive(recorder, board, follower), recorder, lambda: ChoiceFollower(choices), probing=probing, rules=rules
        )
        return structs.replace(examination, untaken=tuple(follower.pending))

    def _opened(self) -> tuple[Engine, EngineInfo]:
        setup = self.setup
        engine = open_engine(setup.engine, setup.timeout, patience=setup.patience)
        try:
            info = identify(engine, setup.engine, setup.asked or setup.ruleset)
        except EngineError:
            _end(engine)
            raise
        if setup.asked is None:
            return engine, info
        return AskedFor(engine, setup.asked), structs.replace(info, rulesets=(setup.ruleset,))

    def _examined(
        self,
        play_it: Callable[[], Trace],
        recorder: Recorder,
        choosers: Callable[[], Chooser],
        *,
        probing: bool,
        rules: frozenset[str] | None,
        whole: bool = False,
        thorough: bool = True,
        about: str | None = None,
    ) -> Examination:
        try:
            trace = play_it()
        except BoardNotSupported as error:
            return Examination(unsupported=str(error))
        except EngineError as error:
            self.restart()
            return Examination(trace=recorder.trace, at_stake={ROBUSTNESS: 1}, problems=(problem_of_error(error),))
        rules = self.setup.rules if rules is None else rules
        judgement = judge(trace, rules=rules)
        at_stake = {**judgement.at_stake, TERMINATION: 1, ROBUSTNESS: 1}
        problems = [problem_of_violation(violation) for violation in judgement.violations]
        if probing:
            probed = probe(self.engine, trace, choosers, whole=whole)
            at_stake |= {DETERMINISM: probed.repeated, REFUSAL: probed.refused}
            if probed.problem is not None:
                problems.append(probed.problem)
            broken = probed.broken
            if probed.problem is None:
                # An engine that plays by chance plays differently on any board.
                wanted = rules if thorough else one_of(trace, rules, about)
                related = relate(self.engine, trace, self.pool, wanted)
                at_stake |= related.at_stake
                problems += related.problems
                broken = related.broken
            if broken:
                self.restart()
        return Examination(trace=trace, at_stake=at_stake, problems=tuple(problems))


def _end(engine: Engine) -> None:
    with suppress(EngineError):
        engine.close()
