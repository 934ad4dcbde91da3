"""Bad input: one clear sentence on stderr and the exit status of the design, never a traceback."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from conformance.cli import ENGINE_UNUSABLE, INPUT_ERROR, cli

FAKE = Path(__file__).parents[1] / "engine_protocol" / "fake_engine.py"
MINIATURES = "python:tests.conformance.miniatures"


def run(*arguments: str | Path) -> Result:
    """The command line in this process."""
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


def refused(result: Result, status: int, *said: str) -> None:
    """Nothing on stdout, one sentence on stderr that says these things, and the status."""
    assert result.exit_code == status, result.output
    assert result.stdout == ""
    assert "Traceback" not in result.stderr
    for words in said:
        assert words in result.stderr
    assert result.stderr.startswith("duelproof: ")
    assert result.stderr.count("\n") == 1


def fake(fault: str) -> str:
    """The spec of a process that misbehaves."""
    return f"cmd:{sys.executable} {FAKE} {fault}"


@pytest.mark.parametrize("command", ["check", "smoke"])
@pytest.mark.parametrize(
    "engine, said",
    [
        ("cmd:no-such-command-anywhere", "could not be started: there is no command 'no-such-command-anywhere'"),
        (fake("die@initialize"), "exit status 3"),
        (fake("hang@initialize"), "did not answer 'initialize' within 2 s"),
        (fake("garbage@initialize"), "no JSON"),
        (fake("oversized@initialize"), "a line of more than 16777216 bytes"),
        (fake("version@initialize"), "speaks protocol version 9"),
        (fake("no-rulesets@initialize"), "rulesets"),
        (f"{MINIATURES}:OtherRuleset", "does not claim the ruleset 'ocg-2023'"),
        ("python:no_such_module:Engine", "there is no module 'no_such_module'"),
    ],
)
def test_unusable_engine(command: str, engine: str, said: str) -> None:
    """An engine that cannot be used at all is status 3, and named."""
    refused(run(command, "--engine", engine, "--timeout", "0.5"), ENGINE_UNUSABLE, said)


@pytest.mark.parametrize(
    "arguments, said",
    [
        (("check", "--engine", "referense"), "there is no engine 'referense'"),
        (("check", "--engine", "cmd:'unclosed"), "cannot be read"),
        (
            ("check", "--ruleset", "chess"),
            "there is no ruleset 'chess'; known: expert-2007, master-rule-2, master-rule-3, ocg-2023, duel-arena",
        ),
        (("check", "--rules", "XX-*"), "no rule or ruling fits 'XX-*'"),
        (("check", "--examples", "5", "--time", "3s"), "give one of them"),
        (("rules", "XX-1"), "there is no rule 'XX-1'"),
        (("rules", "--ruleset", "chess"), "there is no ruleset"),
        (("schema", "bord"), "there is no schema 'bord'; known: board"),
        (("replay", "no-such-file.duel.json"), "no-such-file.duel.json: No such file"),
        (("shrink", "no-such-file.duel.json"), "no-such-file.duel.json: No such file"),
        (("smoke", "--engine", "reference:"), "there is no engine"),
        (("serve", "--ruleset", "chess"), "there is no ruleset"),
    ],
)
def test_wrong_arguments(arguments: tuple[str, ...], said: str) -> None:
    """What the user got wrong is status 2, with what there is instead."""
    refused(run(*arguments), INPUT_ERROR, said)


@pytest.mark.parametrize(
    "arguments, said",
    [
        (("check", "--time", "soon"), "write 90s, 3m or 1h30m"),
        (("check", "--time", "0s"), "write 90s, 3m or 1h30m"),
        (("check", "--examples", "0"), "--examples"),
        (("check", "--workers", "none"), "--workers"),
        (("chek",), "No such command"),
        (("replay",), "Missing argument"),
    ],
)
def test_usage(arguments: tuple[str, ...], said: str) -> None:
    """Usage errors are status 2 too, with the usage."""
    result = run(*arguments)
    assert result.exit_code == INPUT_ERROR
    assert said in result.stderr


@pytest.mark.parametrize("command", ["replay", "shrink"])
@pytest.mark.parametrize(
    "text, said",
    [
        ("{", "bad.duel.json, line 1: it is no JSON"),
        ('{"title": "x",\n "board": {"ruleset": "ocg-2023",\n  "cards": [{"id": 1}]}}', "bad.duel.json, line 3: board.cards[0]"),
        (
            json.dumps(
                {"title": "x", "board": {"ruleset": "ocg-2023", "cards": [{"id": 1, "passcode": 3, "owner": 0, "zone": "hand"}]}}
            ),
            "bad.duel.json, line 1: board.cards[0].passcode: no card has the passcode 3",
        ),
    ],
)
def test_malformed_duel_file(tmp_path: Path, command: str, text: str, said: str) -> None:
    """File, line and field are named."""
    (tmp_path / "bad.duel.json").write_text(text)
    refused(run(command, tmp_path / "bad.duel.json"), INPUT_ERROR, said)


def test_unwritable_report(tmp_path: Path) -> None:
    """A report that cannot be written is an input error that names the file."""
    result = run("check", "--rules", "DC-3", "--examples", "2", "--workers", "1", "--json", tmp_path / "no" / "out.json")
    assert result.exit_code == INPUT_ERROR
    assert "out.json" in result.stderr
