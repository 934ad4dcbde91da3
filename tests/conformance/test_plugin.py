"""The suite as pytest items."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PROGRAM = (sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--pyargs", "conformance", "-v")


def pytest_run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The suite, started in a folder that knows nothing of this project."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    variables["PYTHONPATH"] = str(ROOT)
    return subprocess.run(
        [*PROGRAM, *arguments], cwd=folder, env=variables, capture_output=True, text=True, check=False, timeout=120
    )


def test_one_item_for_each_rule_and_ruling(tmp_path: Path) -> None:
    """Chosen rules and rulings are items that pass on the reference engine; there are no others, and no findings."""
    run = pytest_run(tmp_path, "--duel-rules", "DC-1,IV-2,M-043*", "--duel-examples", "30")
    assert run.returncode == 0, run.stdout
    for item in ("test_rule[DC-1] PASSED", "test_rule[IV-2] PASSED", "test_ruling[M-043"):
        assert item in run.stdout
    assert "3 passed" in run.stdout
    assert not (tmp_path / "duelproof-findings").exists()


def test_violated_rule_fails_with_its_story(tmp_path: Path) -> None:
    """The message is the story, with no line of duelproof's own code; the other rule passes; under xdist as well."""
    engine = ("--duel-engine", "python:tests.conformance.miniatures:DealsTooMuch")
    run = pytest_run(tmp_path, *engine, "--duel-rules", "DC-3,AT-1", "--duel-examples", "40", "-n", "2")
    assert run.returncode == 1, run.stdout
    assert "1 failed, 1 passed" in run.stdout
    assert "Expected: a direct attack with" in run.stdout
    assert "Player A attacks with" in run.stdout
    assert "conformance/suite.py" not in run.stdout
    assert (tmp_path / "duelproof-findings" / "DC-3.duel.json").is_file()


@pytest.mark.parametrize("strict, status, outcome", [((), 0, "1 skipped"), (("--duel-strict",), 1, "1 failed")])
def test_rule_that_was_never_at_stake(tmp_path: Path, strict: tuple[str, ...], status: int, outcome: str) -> None:
    """It is skipped with the reason, and fails under --duel-strict."""
    engine = ("--duel-engine", "python:tests.conformance.miniatures:KnowsNothing")
    run = pytest_run(tmp_path, *engine, "--duel-rules", "DC-1", "--duel-examples", "5", "-rs", *strict)
    assert run.returncode == status, run.stdout
    assert outcome in run.stdout
    assert "at stake" in run.stdout


def test_another_ruleset(tmp_path: Path) -> None:
    """Only Duel Arena counts activations in a Damage Step: there DA-10 is an item, and elsewhere no rule at all."""
    run = pytest_run(tmp_path, "--duel-ruleset", "duel-arena", "--duel-rules", "DA-10", "--duel-examples", "60")
    assert run.returncode == 0, run.stdout
    assert "1 passed" in run.stdout
    assert "no rule or ruling fits 'DA-10'" in pytest_run(tmp_path, "--duel-rules", "DA-10").stderr


@pytest.mark.parametrize(
    "arguments, status, said",
    [
        (("--duel-rules", "XX-*"), 4, "no rule or ruling fits 'XX-*'"),
        (("--duel-ruleset", "chess"), 4, "there is no ruleset 'chess'"),
        (("--duel-rules", "DC-1", "--duel-engine", "cmd:no-such-command"), 1, "there is no command 'no-such-command'"),
    ],
)
def test_wrong_options(tmp_path: Path, arguments: tuple[str, ...], status: int, said: str) -> None:
    """A wrong option or an unusable engine is one sentence, without a traceback."""
    run = pytest_run(tmp_path, *arguments)
    assert run.returncode == status, run.stdout + run.stderr
    assert said in run.stdout + run.stderr
    assert "Traceback" not in run.stdout + run.stderr
