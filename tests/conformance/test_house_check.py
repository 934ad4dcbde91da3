"""Another package with the name of a room is noticed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_shadowed_room_is_named(tmp_path: Path) -> None:
    """A folder of the user's own that is called `oracles` is said to be in the way, with what to do."""
    (tmp_path / "oracles").mkdir()
    (tmp_path / "oracles" / "__init__.py").write_text("RULES = {}\n")
    variables = {**os.environ, "PYTHONPATH": str(ROOT)}
    run = subprocess.run(
        [sys.executable, "-m", "conformance", "rules"], cwd=tmp_path, env=variables, capture_output=True, text=True, check=False
    )
    assert run.returncode == 2
    assert f"the package 'oracles' of duelproof is shadowed by {tmp_path / 'oracles' / '__init__.py'}" in run.stderr
    assert "Traceback" not in run.stderr
