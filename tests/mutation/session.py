"""A session of cosmic-ray: made in a copy of the packages, gone on with where it was left, and read when it is done."""

from __future__ import annotations

import filecmp
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from cosmic_ray.tools.filters.operators_filter import OperatorsFilter
from cosmic_ray.work_db import WorkDB, use_db
from cosmic_ray.work_item import MutationSpec, WorkerOutcome, WorkResult

from tests.mutation.judge import KILLED
from tests.mutation.spans import Position, idle_spans
from tests.mutation.table import Mutant

ROOT = Path(__file__).parents[2]
PACKAGES = ("conformance", "engine_protocol", "oracles", "reference_engine", "reports", "strategies")
CONFIG = "tests/mutation/cosmic-ray.toml"
FILES = (
    CONFIG,
    "tests/mutation/__init__.py",
    "tests/mutation/judge.py",
    "tests/mutation/operators.py",
    "tests/mutation/violations.py",
)

_ENTRY_POINT = "[cosmic_ray.operator_providers]\nduelproof = tests.mutation.operators:Provider\n"
_METADATA = "Metadata-Version: 2.1\nName: duelproof-mutation\nVersion: 0\n"


class Session:
    """Mutants of the engine as it is now.

    Args:
        folder: where the copy and what came of each mutant are kept; a session there is gone on with unless something it depends
            on has changed since.
    """

    def __init__(self, folder: Path) -> None:
        self._tree = folder / "tree"
        self._pristine = folder / "pristine"
        self._database = folder / "session.sqlite"

    def run(self) -> None:
        """Judge every mutant that is not judged yet, one after the other."""
        if not self._database.exists() or not self._is_current():
            self._begin()
        # A run that was stopped in the middle of a mutant has left it there.
        shutil.copytree(self._pristine, self._tree, dirs_exist_ok=True)
        self._cosmic_ray("exec")

    def mutants(self) -> Iterator[Mutant]:
        """Every mutant that was judged."""
        with use_db(self._database, WorkDB.Mode.open) as database:
            for item, result in database.completed_work_items:
                if result.worker_outcome == WorkerOutcome.NORMAL:
                    yield _mutant(item.mutations[0], result)
                elif result.worker_outcome != WorkerOutcome.SKIPPED:
                    raise RuntimeError(f"cosmic-ray failed on {item.mutations[0]}: {result.output}")

    def _is_current(self) -> bool:
        return all(_same(ROOT / package, self._pristine / package) for package in PACKAGES) and all(
            filecmp.cmp(ROOT / file, self._pristine / file, shallow=False) for file in FILES
        )

    def _begin(self) -> None:
        self._database.unlink(missing_ok=True)
        shutil.rmtree(self._tree, ignore_errors=True)
        shutil.rmtree(self._pristine, ignore_errors=True)
        for package in PACKAGES:
            shutil.copytree(ROOT / package, self._pristine / package, ignore=shutil.ignore_patterns("__pycache__"))
        for file in FILES:
            (self._pristine / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / file, self._pristine / file)
        shutil.copytree(self._pristine, self._tree)
        plugin = self._tree / "duelproof_mutation-0.dist-info"
        plugin.mkdir()
        plugin.joinpath("entry_points.txt").write_text(_ENTRY_POINT, encoding="utf-8")
        plugin.joinpath("METADATA").write_text(_METADATA, encoding="utf-8")
        self._in_tree("-m", "compileall", "-q", ".")
        self._in_tree("-m", "tests.mutation.judge")  # whatever is said against the engine as it is, no mutant is to blame for
        self._cosmic_ray("init")
        with use_db(self._database, WorkDB.Mode.open) as database:
            OperatorsFilter().filter(database, _Config(str(self._tree / CONFIG)))
            _skip_idle(database, self._tree)

    def _cosmic_ray(self, command: str) -> None:
        self._in_tree("-m", "cosmic_ray.cli", command, CONFIG, str(self._database.resolve()))

    def _in_tree(self, *arguments: str) -> None:
        path = os.pathsep.join((str(Path(sys.executable).parent), os.environ.get("PATH", "")))
        environment = {**os.environ, "PYTHONPATH": str(self._tree.resolve()), "PATH": path}
        subprocess.run([sys.executable, *arguments], cwd=self._tree, env=environment, check=True)


class _Config:
    """The arguments of a filter of cosmic-ray's own."""

    def __init__(self, config: str) -> None:
        self.config = config


def _same(one: Path, other: Path) -> bool:
    names = {path.relative_to(one) for path in one.rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    others = {path.relative_to(other) for path in other.rglob("*") if path.is_file()}
    return names == others and all(filecmp.cmp(one / name, other / name, shallow=False) for name in names)


def _skip_idle(database: WorkDB, tree: Path) -> None:
    spans: dict[Path, tuple[tuple[Position, Position], ...]] = {}
    skipped = WorkResult(output="never run", worker_outcome=WorkerOutcome.SKIPPED)
    for item in database.pending_work_items:
        mutation = item.mutations[0]
        if mutation.module_path not in spans:
            spans[mutation.module_path] = idle_spans((tree / mutation.module_path).read_text(encoding="utf-8"))
        if any(begin <= tuple(mutation.start_pos) < end for begin, end in spans[mutation.module_path]):
            database.set_result(item.job_id, skipped)


def _mutant(mutation: MutationSpec, result: WorkResult) -> Mutant:
    said = (result.output or "").strip().splitlines()
    lines = (result.diff or "").splitlines()[3:]
    first = next((at for at, line in enumerate(lines) if line.startswith("-")), 0)
    return Mutant(
        module=mutation.module_path.stem,
        function=mutation.definition_name or "",
        line=mutation.start_pos[0],
        under=lines[first - 1][1:].strip() if first else "",
        before=" ".join(line[1:].strip() for line in lines if line.startswith("-")),
        after=" ".join(line[1:].strip() for line in lines if line.startswith("+")),
        outcome=_outcome(said[-1] if said else ""),
    )


def _outcome(said: str) -> str:
    return f"{KILLED} IV-3: the run did not end" if said == "timeout" else said
