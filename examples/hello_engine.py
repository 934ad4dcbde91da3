"""The smallest honest engine: it knows no card, so in its Battle Phase there is nothing to do but pass.

Try it: ``duelproof smoke --engine 'cmd:python examples/hello_engine.py'``
"""

import json
import sys

INFO = {"name": "hello", "version": "1.0", "protocol": 1, "rulesets": ["ocg-2023"], "cards": []}
FLOW = [("start-step", "priority"), ("battle-step", "action"), ("end-step", "priority")]


def battle_phase(turn_player):
    """The three steps. Every decision has one option, so nobody is asked: it is taken, and reported as forced."""
    for step, kind in FLOW:
        yield {"event": "timing-began", "timing": step}
        for player, what in [(turn_player, kind), (1 - turn_player, "priority")]:
            decision = {"player": player, "kind": what, "timing": step, "options": [{"kind": "pass"}]}
            yield {"event": "decided", "decision": decision, "chosen": 0, "forced": True}
    yield {"event": "battle-phase-ended"}


board = {}
for line in sys.stdin:
    request = json.loads(line)
    answer = {"error": {"code": -32601, "message": f"no method {request['method']}"}}
    if request["method"] == "initialize":
        answer = {"result": INFO}
    elif request["method"] == "start" and request["params"]["board"]["cards"]:
        answer = {"error": {"code": 2, "message": "this engine knows no card"}}
    elif request["method"] == "start":
        board = request["params"]["board"]
        answer = {"result": {"events": list(battle_phase(board.get("turn_player", 0))), "decision": None}}
    elif request["method"] == "observe":
        answer = {"result": {"lp": board.get("lp", [8000, 8000]), "cards": [], "decision": None}}
    elif request["method"] == "choose":
        answer = {"error": {"code": 1, "message": "no decision is open"}}
    elif request["method"] == "close":
        answer = {"result": None}
    print(json.dumps({"jsonrpc": "2.0", "id": request["id"], **answer}), flush=True)  # noqa: T201
