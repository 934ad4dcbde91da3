"""The smaller commands: replay, shrink, rules, schema, smoke."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from conformance.cli import cli
from conformance.rulings import ruling_names
from engine_protocol.schemas import load
from oracles import RULES

FAKE = Path(__file__).parents[1] / "engine_protocol" / "fake_engine.py"
HELLO = Path(__file__).parents[2] / "examples" / "hello_engine.py"
CORPUS = Path(__file__).parents[2] / "conformance" / "rulings"
MINIATURES = "python:tests.conformance.miniatures"

DIRECT: dict[str, Any] = {
    "title": "Two monsters, one direct attack",
    "board": {
        "ruleset": "ocg-2023",
        "cards": [
            {"id": 1, "passcode": 89631139, "owner": 0, "zone": "monster-zone", "position": "face-up-attack"},
            {"id": 2, "passcode": 46986414, "owner": 0, "zone": "monster-zone", "index": 1, "position": "face-up-attack"},
        ],
        "lp": [8000, 7000],
    },
    "choices": [{"at": {"player": 0, "kind": "action"}, "do": {"kind": "attack", "card": 1}}],
}


def run(*arguments: str | Path) -> Result:
    """The command line in this process."""
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


def duel_file(folder: Path, name: str = "direct", **changes: Any) -> Path:
    """A duel file with a direct attack by Blue-Eyes White Dragon."""
    path = folder / f"{name}.duel.json"
    path.write_text(json.dumps(DIRECT | changes))
    return path


def expecting(lp: list[int]) -> list[dict[str, Any]]:
    """An expectation of Life Points."""
    return [{"says": "3000 battle damage", "kind": "lp", "lp": lp}]


def test_replay_tells_the_duel(tmp_path: Path) -> None:
    """One file: the story, and that it went as expected."""
    result = run("replay", duel_file(tmp_path, expect=expecting([8000, 4000])))
    assert result.exit_code == 0, result.output
    assert "1. Player A attacks with Blue-Eyes White Dragon" in result.stdout
    assert "Player B takes 3000 battle damage, 4000 LP left" in result.stdout
    assert "1 duel: 1 conform" in result.stdout


def test_replay_says_what_differs(tmp_path: Path) -> None:
    """An expectation that fails is told in its words, and is status 1."""
    result = run("replay", duel_file(tmp_path, expect=expecting([8000, 1])))
    assert result.exit_code == 1
    assert "3000 battle damage: the Life Points were 8000 and 4000" in result.stdout


def test_replay_judges_by_the_rules(tmp_path: Path) -> None:
    """A file without expectations is still held against the rules."""
    result = run("replay", duel_file(tmp_path), "--engine", f"{MINIATURES}:DealsTooMuch")
    assert result.exit_code == 1
    assert "Expected: a direct attack with 3000: Player B takes 3000" in result.stdout


def test_replay_says_which_choice_was_never_offered(tmp_path: Path) -> None:
    """A ruling whose choices cannot be made does not pass silently."""
    choices = [{"at": {"player": 1, "timing": "end-step"}, "do": {"kind": "attack", "card": 2}}]
    result = run("replay", duel_file(tmp_path, choices=choices, expect=expecting([8000, 7000])))
    assert result.exit_code == 1
    assert "the choice 'attack Dark Magician' of Player B (End Step) was never offered" in result.stdout


def test_replay_of_several_files_is_a_table(tmp_path: Path) -> None:
    """Several files: a table with a line each, and the sum; one that differs decides the status."""
    files = [
        duel_file(tmp_path, "right", expect=expecting([8000, 4000])),
        duel_file(tmp_path, "wrong", expect=expecting([1, 1])),
        duel_file(tmp_path, "open", expect=expecting([1, 1]), undecided=True),
    ]
    result = run("replay", *files)
    assert result.exit_code == 1
    lines = [line.split() for line in result.stdout.splitlines()]
    for name, verdict in [("right", "conforms"), ("wrong", "VIOLATED"), ("open", "undecided")]:
        assert [name, "Two", "monsters,", "one", "direct", "attack", verdict] in lines
    assert "3 duels: 1 conform, 1 violated, 1 undecided" in result.stdout


def test_replay_prints_json(tmp_path: Path) -> None:
    """With --json the output is one JSON value."""
    result = run("replay", duel_file(tmp_path), "--json")
    assert [ruling["verdict"] for ruling in json.loads(result.stdout)["rulings"]] == ["conforms"]


def test_replay_needs_what_the_duel_needs(tmp_path: Path) -> None:
    """An engine that does not know the cards is not asked, and breaks nothing."""
    result = run("replay", duel_file(tmp_path), "--engine", f"{MINIATURES}:KnowsNothing")
    assert result.exit_code == 0
    assert "unsupported; the engine does not know Blue-Eyes White Dragon, Dark Magician" in result.stdout


def test_shrink_makes_it_smaller(tmp_path: Path) -> None:
    """What the fault does not need goes; the file is written where asked, the old one stays."""
    path, output = duel_file(tmp_path), tmp_path / "small.duel.json"
    before = path.read_text()
    result = run("shrink", path, "--engine", f"{MINIATURES}:DealsTooMuch", "--output", output)
    assert result.exit_code == 1, result.output
    assert path.read_text() == before
    smaller = json.loads(output.read_text())
    assert (len(smaller["board"]["cards"]), len(smaller["choices"])) == (1, 1)
    assert "2 cards and 1 choice became 1 card and 1 choice" in result.stdout


def test_shrink_has_nothing_to_do(tmp_path: Path) -> None:
    """A duel in which nothing is wrong is left alone."""
    path = duel_file(tmp_path)
    result = run("shrink", path)
    assert result.exit_code == 0
    assert "nothing to shrink" in result.stdout
    assert json.loads(path.read_text()) == DIRECT


def test_rules_are_listed() -> None:
    """Every rule of the ruleset has a line."""
    listed = {line.split()[0] for line in run("rules").stdout.splitlines() if line.strip()}
    assert {rule.id for rule in RULES.values() if "ocg-2023" in rule.severity} <= listed


def test_rule_is_explained_with_a_witness() -> None:
    """Statement, severity, document, and a duel of the corpus that puts it at stake."""
    result = run("rules", "at-7")
    assert result.exit_code == 0, result.output
    assert RULES["AT-7"].statement.split()[0] in result.stdout
    assert "ocg-2023: must" in result.stdout
    assert "Document: battle-phase-flow" in result.stdout
    assert "A duel that puts it at stake" in result.stdout
    assert "Player A attacks with" in result.stdout


@pytest.mark.parametrize("name", ["board", "duel", "messages"])
def test_schema_is_printed(name: str) -> None:
    """A schema comes out as JSON, ready to be redirected into a file."""
    assert json.loads(run("schema", name).stdout) == load(name)


def test_schemas_are_named() -> None:
    """Without a name, the names there are; the report's is among them."""
    assert {"board", "messages", "report"} <= set(run("schema").stdout.split())
    assert json.loads(run("schema", "report").stdout)["title"] == "duelproof report"


@pytest.mark.parametrize("engine", ["reference", f"{MINIATURES}:Stepwise", f"cmd:{sys.executable} {HELLO}"])
def test_smoke_of_sound_engines(engine: str) -> None:
    """Sound engines, the smallest one included, pass every step."""
    result = run("smoke", "--engine", engine)
    assert result.exit_code == 0, result.output
    assert "All is well" in result.stdout


@pytest.mark.parametrize(
    "engine, said",
    [
        (f"{MINIATURES}:WrongTypes", "Expected `int`, got `str`"),
        (f"{MINIATURES}:TakesAnything", "option 2 was taken although there are 2"),
        (f"{MINIATURES}:Forgets", "a refusal changes nothing"),
        (f"{MINIATURES}:PlaysDifferently", "play() and the same choices one by one lead to different duels"),
        (f"{MINIATURES}:CrashesLate", "choose() raised ZeroDivisionError"),
        (f"cmd:{sys.executable} {FAKE} bad-timing@start", "timing"),
        (f"cmd:{sys.executable} {FAKE} extra@start", "did you mean 'decision'"),
        (f"cmd:{sys.executable} {FAKE} garbage@observe", "no JSON"),
        (f"cmd:{sys.executable} {FAKE} die@observe", "exit status 3"),
    ],
)
def test_smoke_says_what_is_wrong(engine: str, said: str) -> None:
    """Each message that is wrong is named, with what to do, and the other steps are still tried."""
    result = run("smoke", "--engine", engine)
    assert result.exit_code == 1, result.output
    assert said in " ".join(result.stdout.split())
    assert "To do: " in result.stdout
    assert "ok   initialize" in result.stdout
    assert "went wrong." in result.stdout


def test_corpus_replays_on_the_reference_engine() -> None:
    """The whole corpus in one command, on the reference engine."""
    result = run("replay", *sorted(CORPUS.glob("*.duel.json")))
    assert result.exit_code == 0, result.output
    assert f"{len(ruling_names())} duels: " in result.stdout
