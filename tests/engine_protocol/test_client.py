"""An engine in another process: how it is driven, and what is said when it misbehaves."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from engine_protocol.board import Board
from engine_protocol.client import StdioEngine
from engine_protocol.decisions import Decision, Option
from engine_protocol.driver import play
from engine_protocol.engine import EngineInfo, Progress
from engine_protocol.errors import (
    BoardNotSupported,
    EngineCrash,
    EngineError,
    EngineHang,
    EngineProtocolError,
    EngineUnavailable,
    InputError,
    OptionNotOffered,
)
from engine_protocol.events import BattlePhaseEnded, Decided, TimingBegan

FAKE = Path(__file__).with_name("fake_engine.py")
HELLO = Path(__file__).parents[2] / "examples" / "hello_engine.py"
BOARD = Board(ruleset="ocg-2023", cards=())
DECISION = Decision(0, "priority", "start-step", (Option("pass"), Option("activate", 1, 1)))

PATIENT = 60.0
"""A timeout that no sound engine reaches, however slow the machine."""

IMPATIENT = 0.5
"""A timeout for engines that never answer; they answer ``initialize`` within a longer one."""


def fake(fault: str = "", timeout: float = PATIENT, *, validate: bool = False) -> StdioEngine:
    """The fake engine with a fault, not started yet."""
    return StdioEngine([sys.executable, str(FAKE), fault], timeout, validate=validate)


def failure(fault: str, *, validate: bool = False) -> EngineError:
    """What the client raises when the fault shows up; the method after the ``@`` says when."""
    with fake(fault, validate=validate) as engine:
        try:
            engine.initialize()
            engine.start(BOARD)
            engine.choose(1)
        except EngineError as error:
            return error
    pytest.fail("no error")


def sentence(fault: str, *, validate: bool = False) -> str:
    """The sentence of :func:`failure`, from the engine's name on."""
    said = str(failure(fault, validate=validate))
    before, name, after = said.partition(f"{FAKE} {fault}'")
    assert before == f"engine '{sys.executable} "
    assert name
    return after


def impatient(fault: str) -> StdioEngine:
    """The fake engine with a fault, started patiently, and then given little time."""
    engine = fake(fault)
    engine.initialize()
    engine._timeout = IMPATIENT
    return engine


def is_alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and waits to be noticed does not."""
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def is_gone(pid: int) -> bool:
    """Whether a process ends within a while: killing takes effect a moment later."""
    until = time.monotonic() + PATIENT
    while is_alive(pid) and time.monotonic() < until:
        time.sleep(0.01)
    return not is_alive(pid)


def pid_of(engine: StdioEngine) -> int:
    """The id of its running process."""
    pid = engine.pid
    assert pid is not None
    assert is_alive(pid)
    return pid


class TestSoundEngine:
    def test_it_is_asked_and_answers(self) -> None:
        """Each method of the contract becomes a request, and the reply the method's result."""
        with fake(validate=True) as engine:
            assert engine.initialize() == EngineInfo(name="fake", version="1", rulesets=("ocg-2023",))
            assert engine.start(BOARD) == Progress((TimingBegan("start-step"),), DECISION)
            assert engine.choose(1) == Progress((BattlePhaseEnded(),))
            assert engine.observe().lp == (8000, 8000)

    @pytest.mark.parametrize("fault", ["", "plays@initialize"])
    def test_a_whole_duel(self, fault: str) -> None:
        """``play`` gives the same duel in one exchange, if the engine can, and choice by choice."""
        with fake(fault, validate=True) as engine:
            engine.initialize()
            assert engine.play(BOARD, [3]) == (TimingBegan("start-step"), Decided(DECISION, 1), BattlePhaseEnded())

    def test_the_smallest_engine(self) -> None:
        """The example engine passes through the steps in order; both players pass to leave each (BP-2, BP-4)."""
        with StdioEngine([sys.executable, str(HELLO)], PATIENT, validate=True) as engine:
            engine.initialize()
            events = play(engine, Board(ruleset="ocg-2023", cards=(), turn_player=1), ()).events
            with pytest.raises(OptionNotOffered):
                engine.choose(0)
            assert engine.observe().decision is None
        assert [event.timing for event in events if isinstance(event, TimingBegan)] == ["start-step", "battle-step", "end-step"]
        assert [event.decision.player for event in events if isinstance(event, Decided)] == [1, 0, 1, 0, 1, 0]
        assert events[-1] == BattlePhaseEnded()

    def test_a_command_line_is_split_as_a_shell_does(self) -> None:
        """Quoted parts of a command line stay together."""
        with StdioEngine(f"'{sys.executable}' \"{HELLO}\"", PATIENT) as engine:
            assert engine.initialize().name == "hello"

    def test_lines_may_end_as_on_windows(self) -> None:
        """A carriage return before the line end does no harm."""
        with fake("windows@start") as engine:
            engine.initialize()
            assert engine.start(BOARD).decision == DECISION

    def test_it_may_talk_on_stderr(self) -> None:
        """A megabyte on stderr holds nobody up, and the last 32 lines of it are kept."""
        with fake("chatter@start") as engine:
            engine.initialize()
            assert engine.start(BOARD).decision == DECISION
        assert [line.split(" ")[1] for line in engine.stderr] == [str(number) for number in range(10_000 - 32, 10_000)]

    def test_unknown_fields_are_ignored(self) -> None:
        """A newer engine may say more than this version reads."""
        with fake("extra@start") as engine:
            engine.initialize()
            assert engine.start(BOARD) == Progress((TimingBegan("start-step"),))


class TestUnusableEngine:
    def test_no_such_command(self) -> None:
        """A command that does not exist is named."""
        with pytest.raises(EngineUnavailable) as caught:
            StdioEngine("no-such-engine --fast").initialize()
        assert str(caught.value) == "engine 'no-such-engine --fast' could not be started: there is no command 'no-such-engine'"

    def test_not_a_program(self) -> None:
        """A file that cannot be run is no engine."""
        with pytest.raises(EngineUnavailable, match="could not be started: Permission denied"):
            StdioEngine([str(FAKE.parent)]).initialize()

    @pytest.mark.parametrize("command", ["", "   ", ()])
    def test_no_command(self, command: str) -> None:
        """An empty command is the user's mistake."""
        with pytest.raises(InputError, match="the engine command is empty"):
            StdioEngine(command)

    def test_unbalanced_quotes(self) -> None:
        """So is a command line that no shell would take."""
        with pytest.raises(InputError, match="cannot be read: No closing quotation"):
            StdioEngine("engine 'my board")

    def test_ends_at_once(self) -> None:
        """An engine that ends before it says who it is is unavailable, and its last words tell why."""
        error = failure("die@initialize")
        assert type(error) is EngineUnavailable
        assert str(error).endswith(
            " ended with exit status 3 instead of answering 'initialize'; its last words on stderr: loading | out of cards"
        )

    def test_another_version(self) -> None:
        """An engine of another protocol version is not driven."""
        error = failure("version@initialize")
        assert type(error) is EngineUnavailable
        assert str(error).endswith(" speaks protocol version 9 where duelproof speaks 1")

    def test_refuses_our_version(self) -> None:
        """Nor is one that refuses ours."""
        assert type(failure("refuse-protocol@initialize")) is EngineUnavailable

    def test_before_initialize(self) -> None:
        """Nothing can be asked before the engine was started."""
        with pytest.raises(EngineUnavailable, match="is not running"):
            fake().start(BOARD)


class TestCrash:
    def test_dies_midway(self) -> None:
        """An exit in the middle of a duel is a crash, told with exit status and last words."""
        error = failure("die@choose")
        assert type(error) is EngineCrash
        assert str(error).endswith(
            " ended with exit status 3 instead of answering 'choose'; its last words on stderr: loading | out of cards"
        )

    def test_killed(self) -> None:
        """A signal is named."""
        error = failure("killed@choose")
        assert type(error) is EngineCrash
        assert str(error).endswith(" was ended by SIGKILL instead of answering 'choose'")

    def test_closes_its_output(self) -> None:
        """An engine that closes its standard output is done for, and does not live on."""
        with fake("mute@start") as engine:
            engine.initialize()
            pid = pid_of(engine)
            with pytest.raises(EngineCrash, match="closed its standard output but went on running instead of answering 'start'"):
                engine.start(BOARD)
        assert is_gone(pid)

    def test_fails_inside(self) -> None:
        """An internal error is a crash too, of an engine that can go on."""
        with fake("fail@choose") as engine:
            engine.initialize()
            engine.start(BOARD)
            with pytest.raises(EngineCrash, match=r"answered 'choose' with error -32603 \(internal-error\): no, thanks"):
                engine.choose(0)
            assert engine.observe().lp == (8000, 8000)

    def test_starts_anew(self) -> None:
        """After a crash ``initialize`` starts the engine again; until then nothing can be asked."""
        with fake("die@choose") as engine:
            engine.initialize()
            engine.start(BOARD)
            with pytest.raises(EngineCrash):
                engine.choose(0)
            with pytest.raises(EngineUnavailable, match="is not running"):
                engine.start(BOARD)
            engine.initialize()
            assert engine.start(BOARD).decision == DECISION


class TestHang:
    def test_never_answers(self) -> None:
        """No answer in time is a hang, and the engine is stopped."""
        with impatient("hang@start") as engine:
            pid = pid_of(engine)
            with pytest.raises(EngineHang, match=r"fake_engine.py hang@start' did not answer 'start' within 0.5 s$"):
                engine.start(BOARD)
        assert is_gone(pid)

    def test_forgets_the_line_end(self) -> None:
        """An answer without its line end is never complete; the sentence shows what came."""
        with impatient("half@start") as engine, pytest.raises(EngineHang) as caught:
            engine.start(BOARD)
        assert 'it sent \'{"jsonrpc": "2.0", "id": 2,' in str(caught.value)
        assert str(caught.value).endswith("without the line end that closes a message")

    def test_never_reads(self) -> None:
        """A request that fills the pipe of an engine that does not read waits no longer than an answer would."""
        with impatient("deaf@start") as engine:
            engine.start(BOARD)
            engine._can_play = True
            with pytest.raises(EngineHang, match="did not answer 'play'"):
                engine.play(BOARD, range(200_000))


class TestNoMessage:
    def test_garbage(self) -> None:
        """A line that is no JSON is shown, harmless, with a hint where it may belong."""
        said = sentence("garbage@start")
        assert said.startswith(" answered 'start' with a line that is no JSON (")
        assert said.endswith("): 'Welcome to \\x1b[31mFake Engine'; was it meant for stderr?")

    @pytest.mark.parametrize("fault, shown", [("number", "42"), ("batch", "[]")])
    def test_json_but_no_message(self, fault: str, shown: str) -> None:
        """JSON of another shape is no message either."""
        assert sentence(f"{fault}@start") == (
            f" answered 'start' with a line that is no JSON-RPC 2.0 message: '{shown}'; was it meant for stderr?"
        )

    def test_another_encoding(self) -> None:
        """Messages are UTF-8."""
        said = sentence("latin-1@start")
        assert said.startswith(" answered 'start' with a line that is no JSON (Invalid UTF-8")

    def test_oversized_line(self) -> None:
        """A line beyond 16 MiB is not read to its end."""
        assert sentence("oversized@start") == " answered 'start' with a line of more than 16777216 bytes"

    def test_wrong_id(self) -> None:
        """The reply must be to this request."""
        assert sentence("wrong-id@start") == " answered 'start' with the id 7000 where 2 was asked"

    def test_answers_twice(self) -> None:
        """A second answer to the last request is taken for the answer to the next, and noticed."""
        assert sentence("twice@start") == " answered 'choose' with the id 2 where 3 was asked"

    @pytest.mark.parametrize("fault", ["garbage", "number", "latin-1", "oversized", "wrong-id"])
    def test_is_a_protocol_error_that_ends_the_process(self, fault: str) -> None:
        """After a line that is no answer nobody knows what the next one answers."""
        with fake(f"{fault}@start") as engine:
            engine.initialize()
            pid = pid_of(engine)
            with pytest.raises(EngineProtocolError):
                engine.start(BOARD)
            assert engine.pid is None
        assert is_gone(pid)


class TestBrokenSchema:
    @pytest.mark.parametrize(
        "fault, method, problem",
        [
            ("no-id", "start", "the message lacks the field 'id'"),
            ("no-rulesets", "initialize", "result lacks the field 'rulesets'"),
            ("no-events", "start", "result lacks the field 'events'"),
            (
                "bad-timing",
                "choose",
                "result.events[1].timing: expected a word of the protocol, got 'start' (did you mean 'start-step'?)",
            ),
            ("no-options", "start", "result.decision.options: expected at least 1 item, got 0"),
        ],
    )
    def test_says_where(self, fault: str, method: str, problem: str) -> None:
        """The field is named by its path, with what is expected there."""
        error = failure(f"{fault}@{method}")
        assert type(error) is EngineProtocolError
        assert str(error).endswith(f"{fault}@{method}' broke the schema in its answer to '{method}': {problem}")

    def test_leaves_the_engine_running(self) -> None:
        """The answer was an answer, so the next request can be asked."""
        with fake("no-events@start") as engine:
            engine.initialize()
            with pytest.raises(EngineProtocolError):
                engine.start(BOARD)
            assert engine.observe().lp == (8000, 8000)

    def test_unknown_field(self) -> None:
        """A validating client finds the optional field that is misspelt."""
        assert sentence("extra@start", validate=True) == (
            " broke the schema in its answer to 'start': result has an unknown field 'descision' (did you mean 'decision'?)"
        )


class TestBrokenPromise:
    @pytest.mark.parametrize(
        "fault, problem",
        [
            ("one-option", "the open decision has a single option; take it, and report it as a forced 'decided' event"),
            ("repeats", "events[0] repeats a decision that was asked; only forced ones are reported here"),
            ("chosen", "events[0] says that option 1 was chosen of 1 (they count from 0)"),
            ("unforced", "events[0] is marked as forced with 2 options"),
        ],
    )
    def test_is_told(self, fault: str, problem: str) -> None:
        """Decisions are reported as the contract says, or it is told what is not."""
        error = failure(f"{fault}@start")
        assert type(error) is EngineProtocolError
        assert str(error).endswith(f"{fault}@start' broke the contract in its answer to 'start': {problem}")


class TestErrorReply:
    @pytest.mark.parametrize(
        "fault, kind, told",
        [
            ("refuse-option", OptionNotOffered, "1 (option-not-offered)"),
            ("refuse-board", BoardNotSupported, "2 (board-not-supported)"),
            ("refuse-method", EngineProtocolError, "-32601 (method-not-found)"),
            ("odd-error", EngineProtocolError, "999 (unknown code)"),
            ("cannot-read", EngineProtocolError, "-32700 (parse-error)"),
        ],
    )
    def test_becomes_the_right_exception(self, fault: str, kind: type[EngineError], told: str) -> None:
        """Each code is an exception of its own kind, with the engine's message."""
        error = failure(f"{fault}@start")
        assert type(error) is kind
        assert str(error).endswith(f"{fault}@start' answered 'start' with error {told}: no, thanks")


class TestNoOrphans:
    def test_close_ends_the_process(self) -> None:
        """After ``close`` the process is gone, even if it does not end by itself; the end is no error."""
        with fake("hang@close", IMPATIENT * 4) as engine:
            engine.initialize()
            pid = pid_of(engine)
        assert is_gone(pid)

    def test_what_the_engine_started_ends_too(self) -> None:
        """The engine's own children are stopped with it."""
        with impatient("spawn@start") as engine:
            with pytest.raises(EngineHang):
                engine.start(BOARD)
            child = int(engine.stderr[-1])
        assert is_gone(child)

    def test_forgotten_engine(self) -> None:
        """An engine that nobody holds any more is stopped."""
        engine = fake()
        engine.initialize()
        pid = pid_of(engine)
        del engine
        gc.collect()
        assert is_gone(pid)

    def test_end_of_python(self) -> None:
        """An engine that was never closed is stopped when the program ends, also by an exception."""
        program = f"""
            from engine_protocol.client import StdioEngine
            engine = StdioEngine([{sys.executable!r}, {str(FAKE)!r}, "deaf@initialize"])
            engine.initialize()
            print(engine.pid, flush=True)
            raise SystemExit(1)
        """
        done = subprocess.run(
            [sys.executable, "-c", "\n".join(line.strip() for line in program.splitlines())],
            capture_output=True,
            text=True,
            check=False,
            cwd=FAKE.parents[2],
            env={**os.environ, "PYTHONPATH": str(FAKE.parents[2])},
        )
        assert done.stderr == ""
        assert is_gone(int(done.stdout))
