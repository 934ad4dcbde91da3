"""The recipes for CI work: the action's script, and every command of docs/ci.md, as they stand there."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from click.testing import CliRunner

from conformance.baseline import read_baseline
from conformance.cli import cli
from tests.test_documents import unknown_words

ROOT = Path(__file__).parents[1]
ACTION = (ROOT / "action.yml").read_text("utf-8")
RECIPES = (ROOT / "docs" / "ci.md").read_text("utf-8")
INPUTS = dict(re.findall(r'^  ([a-z-]+):\n    description: .*\n    default: "?([^"\n]*)"?$', ACTION, re.MULTILINE))
COMMANDS = re.findall(r"^(?:\$ |    - |exec |\$ git switch \S+ && )(duelproof .*)$", RECIPES, re.MULTILINE)
SHORT = ["--rules", "DC-1", "--examples", "5", "--workers", "1"]


def script(step: str) -> str:
    """The script of a step of the action."""
    found = re.search(rf"- name: {step}\n(?:.*\n)*?      run: \|\n((?:        .*\n)+)", ACTION)
    assert found is not None
    return textwrap.dedent(found[1])


def variables(step: str) -> dict[str, str]:
    """Which input each variable of a step is made of."""
    found = re.search(rf"- name: {step}\n(?:.*\n)*?      env:\n((?:        .*\n)+)", ACTION)
    assert found is not None
    return dict(re.findall(r"(\w+): \$\{\{ inputs\.([a-z-]+) \}\}", found[1]))


def act(folder: Path, **inputs: str) -> tuple[subprocess.CompletedProcess[str], dict[str, str]]:
    """Run the action's check as a runner would; what it did, and its outputs."""
    given = INPUTS | {name.replace("_", "-"): value for name, value in inputs.items()}
    values = {name: given[source] for name, source in variables("Check the engine").items()}
    (folder / "bin").mkdir()
    program = folder / "bin" / "duelproof"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m conformance "$@"\n', "utf-8")
    program.chmod(0o755)
    known = {
        "PATH": f"{program.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "GITHUB_ACTIONS": "true",
        "GITHUB_OUTPUT": str(folder / "output"),
        "GITHUB_STEP_SUMMARY": str(folder / "summary"),
    }
    shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script("Check the engine")]
    done = subprocess.run(shell, cwd=folder, env=os.environ | known | values, capture_output=True, text=True, check=False)
    output = (folder / "output").read_text("utf-8") if (folder / "output").exists() else ""
    return done, dict(line.split("=", 1) for line in output.splitlines())


needs_bash = pytest.mark.skipif(shutil.which("bash") is None or sys.platform == "win32", reason="the action's shell is bash")


@needs_bash
def test_action(tmp_path: Path) -> None:
    """A conforming engine: every report in the folder, the summary on the job's page, annotations, and the status."""
    (tmp_path / "known.json").write_text('{"ruleset": "ocg-2023"}', "utf-8")
    done, outputs = act(tmp_path, rules="DC-1", examples="25", baseline="known.json", strict="true", strict_baseline="true")
    assert (done.returncode, outputs) == (0, {"status": "0"}), done.stdout + done.stderr
    written = {path.name for path in (tmp_path / "duelproof-reports").iterdir()}
    assert written == {"report.json", "junit.xml", "report.sarif", "badge.json", "summary.md", "page"}
    assert (tmp_path / "summary").read_text("utf-8").startswith("## ✅ duelproof")
    assert done.stdout.startswith("::stop-commands::")


@needs_bash
def test_action_passes_the_status_on(tmp_path: Path) -> None:
    """Wrong usage fails the step with the status of the command, without a summary; options are no commands."""
    done, outputs = act(tmp_path, engine="$(touch pwned); `touch pwned`", rules="DC-1", time="2s")
    assert (done.returncode, outputs) == (2, {"status": "2"}), done.stdout + done.stderr
    assert not (tmp_path / "pwned").exists()
    assert not (tmp_path / "summary").exists()


def test_action_puts_no_input_into_scripts() -> None:
    """Inputs reach scripts as variables only, every input reaches one, and every one that is used is declared."""
    assert "${{" not in script("Install duelproof") + script("Check the engine")
    assert set(variables("Check the engine").values()) == INPUTS.keys()
    assert set(re.findall(r"inputs\.([a-z-]+)", ACTION)) == INPUTS.keys()
    assert "pip install" in script("Install duelproof")


def test_recipe_uses_inputs_of_the_action() -> None:
    """What the workflow of the document gives to the action is an input of it."""
    with_action = re.search(r"uses: \./\.duelproof\n +with:\n((?: {10}.*\n)+)", RECIPES)
    assert with_action is not None
    given = set(re.findall(r"^ {10}([a-z-]+):", with_action[1], re.MULTILINE))
    assert given
    assert given <= INPUTS.keys()


def test_baseline_of_the_document_is_one(tmp_path: Path) -> None:
    """The example can be read."""
    (tmp_path / "known.json").write_text(RECIPES.split("```json\n")[1].split("```")[0], "utf-8")
    assert [known.id for known in read_baseline(tmp_path / "known.json", "ocg-2023").known] == ["AT-2"]


def test_commands_of_the_document_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each command, one after the other, in short: an engine of one's own conforms, and its two reports are alike."""
    assert {unknown for command in COMMANDS for unknown in unknown_words(command)} == set()
    (tmp_path / "my_package").mkdir()
    (tmp_path / "my_package" / "my_module.py").write_text("from reference_engine import ReferenceEngine as MyEngine\n", "utf-8")
    (tmp_path / "duelproof-baseline.json").write_text('{"ruleset": "ocg-2023"}', "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), str(ROOT)]))
    for command in COMMANDS:
        words = shlex.split(
            command.replace('"$(date +%Y%m%d)"', "20260101").replace("--time 30m", "").replace("--examples 30", "")
        )
        arguments = words[1:] + (SHORT if words[1] == "check" else [])
        result = CliRunner().invoke(cli, arguments)
        assert result.exit_code == 0, f"{command}\n{result.output}"
    written = {path.name for path in tmp_path.iterdir()}
    assert {"old.json", "new.json", "comparison.md", "junit.xml", "summary.md", "page", "duelproof-baseline.json"} <= written
    assert json.loads((tmp_path / "duelproof-baseline.json").read_text("utf-8"))["known"] == []
    assert len(COMMANDS) >= 8
