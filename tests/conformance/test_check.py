"""`duelproof check` from end to end, as a user runs it."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest
from jsonschema import Draft202012Validator
from junitparser import JUnitXml

from reports.json_report import report_schema

ROOT = Path(__file__).parents[2]
FAKE = ROOT / "tests" / "engine_protocol" / "fake_engine.py"
MINIATURES = "python:tests.conformance.miniatures"
PROGRAM = (sys.executable, "-m", "conformance")
VARIABLES = {**os.environ, "PYTHONPATH": str(ROOT), "COLUMNS": "100"}


def duelproof(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The command, run in a folder."""
    return subprocess.run(
        [*PROGRAM, *arguments], cwd=folder, env=VARIABLES, capture_output=True, text=True, check=False, timeout=120
    )


def report_of(folder: Path) -> dict[str, Any]:
    """The JSON report, which keeps to its schema."""
    report: dict[str, Any] = json.loads((folder / "out.json").read_text("utf-8"))
    Draft202012Validator(report_schema()).validate(report)
    return report


def processes_that_name(marker: Path) -> list[str]:
    """Command lines that are still running."""
    running = (" ".join(process.info["cmdline"] or ()) for process in psutil.process_iter(["cmdline"]))
    return [line for line in running if str(marker) in line]


def test_conforming_engine(tmp_path: Path) -> None:
    """Status 0, a table, both reports, and nothing else written."""
    run = duelproof(tmp_path, "check", "--rules", "DC-1,DC-3", "--examples", "40", "--json", "out.json", "--junit", "junit.xml")
    assert run.returncode == 0, run.stdout + run.stderr
    assert "No violations found." in run.stdout
    assert "\x1b" not in run.stdout
    assert sorted(path.name for path in tmp_path.iterdir()) == ["junit.xml", "out.json"]
    report = report_of(tmp_path)
    assert [rule["verdict"] for rule in report["rules"]] == ["conforms", "conforms"]
    assert all(rule["at_stake"] >= 20 for rule in report["rules"])
    assert report["header"]["engine"]["name"] == "duelproof reference engine"
    assert (report["header"]["seed"], report["footer"]["complete"], report["footer"]["examples"]) == (0, True, 80)
    assert JUnitXml.fromfile(str(tmp_path / "junit.xml")).tests == 3


def test_workers_and_time_change_no_count(tmp_path: Path) -> None:
    """The same seed gives the same counts with one worker and with two, in process and across a process boundary."""
    counts = []
    served = f"cmd:{sys.executable} -m conformance serve"
    for workers, engine in (("1", "reference"), ("2", "reference"), ("2", served)):
        arguments = ("--rules", "DC-1,DC-2,AT-1", "--examples", "20", "--workers", workers, "--engine", engine)
        assert duelproof(tmp_path, "check", *arguments, "--json", "out.json").returncode == 0
        report = report_of(tmp_path)
        assert report["header"]["engine"] == {
            "name": "duelproof reference engine",
            "version": report["header"]["engine"]["version"],
        }
        counts.append([rule["at_stake"] for rule in report["rules"]])
    assert counts[0] == counts[1] == counts[2]


def test_two_broken_rules_are_two_counterexamples(tmp_path: Path) -> None:
    """Each has its story, its file, and a command that shows it again on this engine and not on the reference."""
    arguments = ("--rules", "DC-3,DC-9", "--examples", "60", "--engine", f"{MINIATURES}:BreaksTwoRules")
    run = duelproof(tmp_path, "check", *arguments, "--json", "out.json")
    assert run.returncode == 1, run.stdout + run.stderr
    findings = [finding for rule in report_of(tmp_path)["rules"] for finding in rule["violations"]]
    assert [(finding["rule"], finding["minimal"]) for finding in findings] == [("DC-3", True), ("DC-9", True)]
    for finding in findings:
        assert len(finding["duel"]["board"]["cards"]) <= 2
        assert json.loads((tmp_path / finding["file"]).read_text("utf-8")) == finding["duel"]
        assert finding["story"].splitlines()[1] in run.stdout
        assert f"Replay:   {finding['replay']}\n" in run.stdout
        command = shlex.split(finding["replay"])
        assert command[0] == "duelproof"
        again = duelproof(tmp_path, *command[1:])
        assert again.returncode == 1
        assert finding["happened"] in again.stdout
        assert duelproof(tmp_path, "replay", finding["file"]).returncode == 0


@pytest.mark.parametrize(
    "fault, code, said",
    [
        ("die@start", "crash", "exit status 3"),
        ("killed@start", "crash", "SIGKILL"),
        ("hang@start", "hang", "did not answer 'start' within 0.3 s"),
        ("spawn@start", "hang", "did not answer 'start' within 0.3 s"),
        ("garbage@start", "protocol", "no JSON"),
        ("oversized@start", "protocol", "a line of more than 16777216 bytes"),
        ("bad-timing@start", "protocol", "timing"),
        ("fail@start", "crash", "internal-error"),
    ],
)
def test_engine_process_that_fails_in_duels(tmp_path: Path, fault: str, code: str, said: str) -> None:
    """The failure is a finding with a duel file, the rulings are still judged, and no process is left behind."""
    engine = tmp_path / "fake_engine.py"
    shutil.copy(FAKE, engine)
    run = duelproof(
        tmp_path,
        "check",
        *("--rules", "IV-4,M-043*", "--examples", "4", "--timeout", "0.3" if code == "hang" else "9", "--json", "out.json"),
        *("--engine", f"cmd:{sys.executable} {engine} {fault}"),
    )
    assert run.returncode == 1, run.stdout + run.stderr
    assert "Traceback" not in run.stdout + run.stderr
    report = report_of(tmp_path)
    failure = report["engine_failures"][0]
    assert failure["code"] == code
    assert said in failure["finding"]["happened"]
    assert (tmp_path / failure["finding"]["file"]).is_file()
    assert [ruling["verdict"] for ruling in report["rulings"]] == ["violated"]
    assert processes_that_name(engine) == []


def test_python_engine_that_takes_its_process_down(tmp_path: Path) -> None:
    """A worker that dies is replaced; the duel it died of is told, and other rules are still checked."""
    arguments = ("--rules", "IV-4,DC-3", "--examples", "40", "--engine", f"{MINIATURES}:Dies", "--json", "out.json")
    run = duelproof(tmp_path, "check", *arguments)
    assert run.returncode == 1, run.stdout + run.stderr
    report = report_of(tmp_path)
    assert "exit code 7" in report["engine_failures"][0]["finding"]["happened"]
    assert (tmp_path / "duelproof-findings" / "IV-4-crash.duel.json").is_file()
    assert report["footer"]["complete"] is False


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_run_keeps_what_it_has(tmp_path: Path, number: signal.Signals) -> None:
    """^C, and the SIGTERM of a CI server, give a partial report that says so, status 4, and no process left."""
    engine = tmp_path / "served_engine.py"
    engine.write_text("from conformance.cli import cli\ncli(['serve'])\n")
    program = [*PROGRAM, "check", "--engine", f"cmd:{sys.executable} {engine}", "--time", "10m", "--json", "out.json"]
    with subprocess.Popen(program, cwd=tmp_path, env=VARIABLES, stdout=subprocess.PIPE, text=True) as running:
        until = time.monotonic() + 60
        while not (tmp_path / "out.json").exists() and time.monotonic() < until:
            time.sleep(0.1)
        assert report_of(tmp_path)["footer"] is None
        running.send_signal(number)
        shown, _ = running.communicate(timeout=60)
    assert running.returncode == 4
    footer = report_of(tmp_path)["footer"]
    assert (footer["complete"], footer["reason"]) == (False, "it was interrupted")
    assert "Incomplete: it was interrupted." in shown
    assert processes_that_name(engine) == []


def test_time_budget_is_kept(tmp_path: Path) -> None:
    """A run by time is complete when its time is over, and says how long it was."""
    run = duelproof(tmp_path, "check", "--rules", "DC-*", "--time", "4s", "--json", "out.json")
    assert run.returncode == 0, run.stdout + run.stderr
    report = report_of(tmp_path)
    assert (report["footer"]["complete"], report["header"]["settings"]["seconds"]) == (True, 4.0)
    assert report["footer"]["seconds"] >= 4.0


def test_strict_refuses_thin_runs(tmp_path: Path) -> None:
    """With --strict a run in which a rule was hardly at stake is status 4; without, 0."""
    thin = ("check", "--rules", "DS-12", "--examples", "16")
    assert duelproof(tmp_path, *thin).returncode == 0
    run = duelproof(tmp_path, *thin, "--strict")
    assert run.returncode == 4
    assert "At stake less than 4 times, so little is known: DS-12" in run.stdout
