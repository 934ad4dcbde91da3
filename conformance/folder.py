"""Where counterexamples go: a folder of duel files, each written as soon as it is found, and again once it is small."""

from __future__ import annotations

import shlex
from pathlib import Path

from msgspec import structs

from conformance.duel_files import SUFFIX, write_duel_file
from conformance.problems import Problem
from conformance.python_engine import DEFAULT_TIMEOUT
from conformance.setup import Setup
from reports.model import Finding


class FindingsFolder:
    """The folder of one run. It is made with the first finding; files of earlier runs are replaced by name."""

    def __init__(self, path: Path, setup: Setup) -> None:
        self._path = path
        self._setup = setup
        self._names: dict[str, str] = {}

    def save(self, problem: Problem, finding: Finding) -> Finding:
        """Write the finding's duel; the answer knows where it is and how to replay it.

        Raises:
            InputError: it cannot be written.
        """
        if finding.duel is None:
            return finding
        path = self._path / f"{self._name(problem)}{SUFFIX}"
        write_duel_file(finding.duel, path)
        return structs.replace(finding, file=str(path), replay=replay_command(path, self._setup))

    def _name(self, problem: Problem) -> str:
        """The rule's id; for failures of the engine also what kind, and a number where there are several."""
        known = self._names.get(problem.key)
        if known is None:
            stem = problem.rule if problem.code is None else f"{problem.rule}-{problem.code}"
            taken = sum(name.partition("_")[0] == stem for name in self._names.values())
            known = self._names[problem.key] = f"{stem}_{taken + 1}" if taken else stem
        return known


def replay_command(path: Path, setup: Setup) -> str:
    """What to type to play a duel file again on the same engine."""
    words = ["duelproof", "replay", str(path), "--engine", setup.engine]
    if setup.asked is not None:
        words += ["--asked-for", setup.asked]
    if setup.timeout != DEFAULT_TIMEOUT:
        words += ["--timeout", f"{setup.timeout:g}"]
    return shlex.join(words)
