"""An engine on stdio that asks one question, and misbehaves as its argument says: ``fake_engine.py FAULT@METHOD``.

It is an honest engine without an argument: the turn player may pass or activate card 1 in the Start Step, and the Battle Phase
ends after that. The ability ``play`` is declared, and everything else refused, with the argument ``plays``.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

Message = dict[str, Any]

DECISION = {
    "player": 0,
    "kind": "priority",
    "timing": "start-step",
    "options": [{"kind": "pass"}, {"kind": "activate", "card": 1, "effect": 1}],
}
BEGIN = {"event": "timing-began", "timing": "start-step"}
END = {"event": "battle-phase-ended"}
ONE_OPTION = {**DECISION, "options": [{"kind": "pass"}]}
INFO = {"name": "fake", "version": "1", "rulesets": ["ocg-2023"], "protocol": 1}


def honest(request: Message) -> Message:
    """The proper reply."""
    results: dict[str, Any] = {
        "initialize": INFO,
        "start": {"events": [BEGIN], "decision": DECISION},
        "choose": {"events": [END]},
        "observe": {"lp": [8000, 8000], "cards": []},
        "close": None,
    }
    return {"jsonrpc": "2.0", "id": request["id"], "result": results[request["method"]]}


def playing(request: Message) -> Message:
    """The proper reply of an engine that can play a whole duel, and here nothing else."""
    chosen = {"event": "decided", "decision": DECISION, "chosen": 1}
    results: dict[str, Any] = {
        "initialize": {**INFO, "abilities": ["play"]},
        "play": {"events": [BEGIN, chosen, END]},
        "close": None,
    }
    return {"jsonrpc": "2.0", "id": request["id"], "result": results[request["method"]]}


def say(text: str) -> None:
    """Write without adding anything."""
    sys.stdout.write(text)
    sys.stdout.flush()


def with_result(**fields: Any) -> Callable[[Message], None]:
    """A fault that changes fields of the result; None takes one away."""

    def fault(reply: Message) -> None:
        changed = {**reply["result"], **fields}
        reply["result"] = {field: value for field, value in changed.items() if value is not None}
        say(json.dumps(reply) + "\n")

    return fault


def with_error(code: int, **changes: Any) -> Callable[[Message], None]:
    """A fault that answers with an error."""

    def fault(reply: Message) -> None:
        del reply["result"]
        say(json.dumps({**reply, "error": {"code": code, "message": "no, thanks"}, **changes}) + "\n")

    return fault


def hang(reply: Message) -> None:
    """Never answer."""
    del reply
    time.sleep(600)


def half(reply: Message) -> None:
    """Forget the line end."""
    say(json.dumps(reply))
    time.sleep(600)


def die(reply: Message) -> None:
    """End with an exit status, and say why on stderr."""
    del reply
    sys.stderr.write("loading\nout of cards\n")
    sys.exit(3)


def killed(reply: Message) -> None:
    """End by a signal."""
    del reply
    os.kill(os.getpid(), signal.SIGKILL)


def mute(reply: Message) -> None:
    """Close the standard output, but live on."""
    del reply
    os.close(1)
    time.sleep(600)


def deaf(reply: Message) -> None:
    """Answer, and read nothing more."""
    say(json.dumps(reply) + "\n")
    time.sleep(600)


def spawn(reply: Message) -> None:
    """Start a process of its own, name it on stderr, and hang."""
    del reply
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    sys.stderr.write(f"{child.pid}\n")
    sys.stderr.flush()
    time.sleep(600)


def chatter(reply: Message) -> None:
    """Write a megabyte to stderr before the answer."""
    for number in range(10_000):
        sys.stderr.write(f"line {number} {'.' * 100}\n")
    sys.stderr.flush()
    say(json.dumps(reply) + "\n")


def latin_1(reply: Message) -> None:
    """Answer in another encoding."""
    sys.stdout.buffer.write(json.dumps({**reply, "result": "Dämon"}, ensure_ascii=False).encode("latin-1") + b"\n")
    sys.stdout.flush()


def text(content: str) -> Callable[[Message], None]:
    """A fault that writes this instead of the answer."""
    return lambda _: say(content)


FAULTS: dict[str, Callable[[Message], None]] = {
    "hang": hang,
    "half": half,
    "die": die,
    "killed": killed,
    "mute": mute,
    "deaf": deaf,
    "spawn": spawn,
    "chatter": chatter,
    "garbage": text("Welcome to \x1b[31mFake Engine\n"),
    "latin-1": latin_1,
    "number": text("42\n"),
    "batch": text("[]\n"),
    "oversized": lambda _: say("x" * (17 * 1024 * 1024)),
    "wrong-id": lambda reply: say(json.dumps({**reply, "id": 7_000}) + "\n"),
    "no-id": lambda reply: say(json.dumps({name: reply[name] for name in ("jsonrpc", "result")}) + "\n"),
    "twice": lambda reply: say((json.dumps(reply) + "\n") * 2),
    "windows": lambda reply: say(json.dumps(reply) + "\r\n"),
    "version": with_result(protocol=9),
    "plays": with_result(abilities=["play"]),
    "no-rulesets": with_result(rulesets=None),
    "no-events": with_result(events=None),
    "bad-timing": with_result(events=[BEGIN, {"event": "timing-began", "timing": "start"}]),
    "extra": with_result(decision=None, descision=DECISION),
    "no-options": with_result(decision={**DECISION, "options": []}),
    "one-option": with_result(decision=ONE_OPTION),
    "repeats": with_result(events=[{"event": "decided", "decision": DECISION, "chosen": 1}]),
    "chosen": with_result(events=[{"event": "decided", "decision": ONE_OPTION, "chosen": 1, "forced": True}]),
    "unforced": with_result(events=[{"event": "decided", "decision": DECISION, "chosen": 1, "forced": True}]),
    "refuse-option": with_error(1),
    "refuse-board": with_error(2),
    "refuse-protocol": with_error(3),
    "refuse-method": with_error(-32601),
    "fail": with_error(-32603),
    "odd-error": with_error(999),
    "cannot-read": with_error(-32700, id=None),
}


def main(argument: str) -> None:
    """Serve until ``close`` or the end of the input."""
    fault, _, method = argument.partition("@")
    reply_to = playing if fault == "plays" else honest
    for line in sys.stdin:
        request = json.loads(line)
        reply = reply_to(request)
        if request["method"] == method:
            FAULTS[fault](reply)
        else:
            say(json.dumps(reply) + "\n")
        if request["method"] == "close":
            return


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "")
