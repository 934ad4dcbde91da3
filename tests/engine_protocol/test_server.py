"""A Python engine on stdio: every line gets the right answer, and nothing ends the server but its client."""

from __future__ import annotations

import json
from collections.abc import Sequence
from io import BytesIO
from typing import Any

import pytest

from engine_protocol.board import Board, Observation
from engine_protocol.decisions import Decision, Option
from engine_protocol.engine import Engine, EngineInfo, Progress
from engine_protocol.errors import BoardNotSupported, EngineHang, OptionNotOffered
from engine_protocol.events import BattlePhaseEnded, Decided, Event, TimingBegan
from engine_protocol.server import serve
from engine_protocol.validation import problems

DECISION = Decision(0, "priority", "start-step", (Option("pass"), Option("activate", 1, 1)))
BOARD = {"ruleset": "ocg-2023", "cards": []}
INITIALIZE = {"protocol": 1, "client": {"name": "test", "version": "1"}}


class OneQuestion:
    """An engine that asks the turn player one question in the Start Step; turn 13 is more than it can bear."""

    def __init__(self) -> None:
        self.open = False
        self.closed = False

    def initialize(self) -> EngineInfo:
        """Say who it is, and a word too many."""
        print("initializing")  # noqa: T201 - as an engine author might
        return EngineInfo(name="one question", version="1", rulesets=("ocg-2023",))

    def start(self, board: Board) -> Progress:
        """Ask the question."""
        if board.ruleset != "ocg-2023":
            raise BoardNotSupported("only ocg-2023")
        if board.turn == 13:
            raise ZeroDivisionError("turn 13")
        if board.turn == 14:
            raise EngineHang("going round in circles")
        self.open = True
        return Progress((TimingBegan("start-step"),), DECISION)

    def choose(self, option: int) -> Progress:
        """Take either option."""
        if not self.open or option not in (0, 1):
            raise OptionNotOffered(f"there is no option {option}")
        self.open = False
        return Progress((BattlePhaseEnded(),))

    def observe(self) -> Observation:
        """Show nothing but the question."""
        return Observation(lp=(8000, 8000), cards=(), decision=DECISION if self.open else None)

    def close(self) -> None:
        """Remember that it was called."""
        self.closed = True


class WholeDuels(OneQuestion):
    """The same engine with the ability ``play``."""

    def play(self, board: Board, script: Sequence[int]) -> tuple[Event, ...]:
        """Answer the question by the script."""
        progress = self.start(board)
        chosen = (script[0] if script else 0) % 2
        return (*progress.events, Decided(DECISION, chosen), *self.choose(chosen).events)


def answers(*lines: bytes, engine: Engine | None = None) -> list[dict[str, Any]]:
    """What the server writes when it is sent these lines."""
    stdout = BytesIO()
    serve(engine or OneQuestion(), BytesIO(b"".join(line + b"\n" for line in lines)), stdout)
    return [json.loads(line) for line in stdout.getvalue().splitlines()]


def request(method: str, params: object = None, number: int | str = 1) -> bytes:
    """A request as a line."""
    message = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
    return json.dumps({key: value for key, value in message.items() if value is not None}).encode()


def error(answer: dict[str, Any]) -> tuple[object, int, str]:
    """Id, code and message of an error reply that fits the schema."""
    assert list(problems(answer, "messages", "ErrorReply")) == []
    return answer["id"], answer["error"]["code"], answer["error"]["message"]


START = request("start", {"board": BOARD})


def test_a_duel() -> None:
    """Each request gets one reply with its id and the method's result, all to the letter of the schema."""
    replies = answers(
        request("initialize", INITIALIZE, 1),
        request("start", {"board": BOARD}, 2),
        request("observe", number="three"),
        request("choose", {"option": 1}, 4),
        request("close", {}, 5),
    )
    kinds = ("InitializeReply", "ProgressReply", "ObservationReply", "ProgressReply", "CloseReply")
    assert [list(problems(reply, "messages", kind)) for reply, kind in zip(replies, kinds, strict=True)] == [[]] * 5
    assert [reply["id"] for reply in replies] == [1, 2, "three", 4, 5]
    assert replies[0]["result"]["name"] == "one question"
    assert replies[1]["result"]["decision"]["options"] == [{"kind": "pass"}, {"kind": "activate", "card": 1, "effect": 1}]
    assert replies[3]["result"]["events"] == [{"event": "battle-phase-ended"}]
    assert replies[4]["result"] is None


def test_a_whole_duel() -> None:
    """An engine with the ability plays a script in one exchange."""
    (reply,) = answers(request("play", {"board": BOARD, "script": [5]}), engine=WholeDuels())
    assert list(problems(reply, "messages", "PlayReply")) == []
    assert [event["event"] for event in reply["result"]["events"]] == ["timing-began", "decided", "battle-phase-ended"]
    assert reply["result"]["events"][1]["chosen"] == 1


def test_close_ends_the_server() -> None:
    """Nothing is read after ``close``."""
    engine = OneQuestion()
    assert len(answers(request("close"), START, engine=engine)) == 1
    assert engine.closed


def test_prints_do_not_reach_the_client(capsys: pytest.CaptureFixture[str]) -> None:
    """What the engine prints goes to stderr, so that it cannot break the protocol."""
    assert len(answers(request("initialize", INITIALIZE))) == 1
    assert capsys.readouterr() == ("", "initializing\n")


class TestRefusals:
    def test_option(self) -> None:
        """A choice that is not offered is error 1, and the decision stays open."""
        refused, accepted = answers(START, request("choose", {"option": 2}), request("choose", {"option": 0}))[1:]
        assert error(refused) == (1, 1, "there is no option 2")
        assert "result" in accepted

    def test_board(self) -> None:
        """A board that the engine cannot set up is error 2."""
        (reply,) = answers(request("start", {"board": {"ruleset": "house-rules", "cards": []}}))
        assert error(reply) == (1, 2, "only ocg-2023")

    def test_version(self) -> None:
        """Another version of the protocol is error 3."""
        (reply,) = answers(request("initialize", {**INITIALIZE, "protocol": 2}))
        assert error(reply) == (1, 3, "this engine speaks version 1, not 2")

    def test_no_duel(self) -> None:
        """Before the first board there is nothing to choose or observe."""
        replies = answers(request("choose", {"option": 0}), request("observe"))
        assert [error(reply) for reply in replies] == [(1, -32600, "no duel has been started")] * 2

    def test_no_such_ability(self) -> None:
        """``play`` is no method of an engine without the ability."""
        (reply,) = answers(request("play", {"board": BOARD, "script": []}))
        assert error(reply) == (1, -32601, "this engine lacks the ability 'play'")


class TestFailures:
    def test_an_exception_of_the_engine(self, capsys: pytest.CaptureFixture[str]) -> None:
        """It becomes an internal error, its traceback goes to stderr, and serving goes on."""
        failed, started = answers(request("start", {"board": {**BOARD, "turn": 13}}), START)
        assert error(failed) == (1, -32603, "ZeroDivisionError: turn 13")
        assert "result" in started
        assert 'raise ZeroDivisionError("turn 13")' in capsys.readouterr().err

    def test_an_error_of_the_contract(self, capsys: pytest.CaptureFixture[str]) -> None:
        """An engine error that is no refusal is an internal error too, but no surprise: no traceback."""
        (failed,) = answers(request("start", {"board": {**BOARD, "turn": 14}}))
        assert error(failed) == (1, -32603, "going round in circles")
        assert capsys.readouterr().err == ""


class TestUnreadable:
    @pytest.mark.parametrize("line", [b"hello", b"", b'{"id": 1', b'{"jsonrpc": "2.0", "id": 1, "method": "\xe4"}'])
    def test_no_json(self, line: bytes) -> None:
        """A line that is no JSON in UTF-8 is a parse error without an id, and serving goes on."""
        failed, started = answers(line, START)
        number, code, message = error(failed)
        assert (number, code) == (None, -32700)
        assert message.startswith("the line is no JSON: ")
        assert "result" in started

    @pytest.mark.parametrize(
        "line, number, message",
        [
            (b"[]", None, "a request is an object; batches are not part of this protocol"),
            (b'{"jsonrpc": "2.0", "method": "observe"}', None, "a request needs an 'id', an integer or a string"),
            (b'{"jsonrpc": "2.0", "id": true, "method": "observe"}', None, "a request needs an 'id', an integer or a string"),
            (b'{"id": 4, "method": "observe"}', 4, "a request needs 'jsonrpc': '2.0'"),
        ],
    )
    def test_no_request(self, line: bytes, number: int | None, message: str) -> None:
        """JSON that is no request is invalid, and answered with its id where it has one."""
        assert error(answers(line)[0]) == (number, -32600, message)

    def test_no_such_method(self) -> None:
        """An unknown method is named, with those there are."""
        assert error(answers(request("undo"))[0]) == (
            1,
            -32601,
            "there is no method 'undo'; known: initialize, start, choose, observe, play, close",
        )

    @pytest.mark.parametrize(
        "method, params, message",
        [
            ("choose", {"option": "0"}, "params.option: expected integer, got '0'"),
            ("choose", None, "the message lacks the field 'params'"),
            ("start", {"board": {"cards": []}}, "params.board lacks the field 'ruleset'"),
        ],
    )
    def test_bad_params(self, method: str, params: object, message: str) -> None:
        """Params that break the schema are told by their path."""
        assert error(answers(request(method, params))[0]) == (1, -32602, message)
