"""The wheel works where the checkout is not."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).parents[2]
Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from this checkout with the locked backend."""
    folder = tmp_path_factory.mktemp("wheel")
    _pip("wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", folder, ROOT)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def run(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Runs a program of a fresh environment that holds the wheel, from an empty folder.

    The dependencies are those of the running environment, so that the test needs no network; what it has of duelproof itself
    comes after the wheel on the path.
    """
    home = tmp_path_factory.mktemp("elsewhere")
    environment, empty = home / "env", home / "empty"
    empty.mkdir()
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(environment)], check=True)
    python = environment / "bin" / "python"
    _pip("--python", python, "install", "--no-deps", wheel)
    purelib = Path(sysconfig.get_path("purelib", "venv", {"base": str(environment), "platbase": str(environment)}))
    (purelib / "dependencies.pth").write_text(sysconfig.get_path("purelib"))
    variables = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYTEST", "VIRTUAL_ENV"))}

    def run(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [str(environment / "bin" / program), *arguments]
        return subprocess.run(command, cwd=empty, env=variables, capture_output=True, text=True, check=False)

    return run


def _pip(*arguments: str | Path) -> None:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet", *arguments]
    subprocess.run(command, check=True)


def test_wheel_holds_data(wheel: Path) -> None:
    """Cards, schemas, rulings and the markers for type checkers travel with the code; tests and tools do not."""
    names = ZipFile(wheel).namelist()
    rooms = {"conformance", "engine_protocol", "oracles", "reference_engine", "reports", "strategies"}
    assert {name.partition("/")[0] for name in names} - rooms == {"duelproof-0.1.0.dist-info"}
    assert {f"{room}/py.typed" for room in rooms} <= set(names)
    checkout = {str(path.relative_to(ROOT)) for room in rooms for path in (ROOT / room).rglob("*.json")}
    assert checkout
    assert checkout <= set(names)


def test_wheel_is_what_runs(run: Run) -> None:
    """The fresh environment imports the wheel, not the checkout."""
    finished = run("python", "-c", "import conformance, engine_protocol; print(conformance.__file__, engine_protocol.__file__)")
    assert str(ROOT) not in finished.stdout
    assert finished.stdout.count("site-packages") == 2


def test_rules_are_listed(run: Run) -> None:
    """``duelproof rules`` names the rules of the catalogue."""
    finished = run("duelproof", "rules")
    assert finished.returncode == 0, finished.stderr
    assert {"BP-2", "DS-3", "DC-1", "IV-4"} <= set(re.findall(r"\b[A-Z]{2}-\d+\b", finished.stdout))


def test_check_runs(run: Run) -> None:
    """``duelproof check`` plays duels, replays the rulings and finds the reference engine in order."""
    finished = run("duelproof", "check", "--examples", "5", "--rules", "DC-*", "--workers", "1")
    assert finished.returncode == 0, finished.stdout + finished.stderr
    assert "DC-1" in finished.stdout
