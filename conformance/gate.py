"""What `duelproof check` does with a baseline, from the file to the report that is held against it."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from conformance.baseline import Baseline, held_against, read_baseline, updated, write_baseline
from engine_protocol.errors import InputError
from reports.model import Report
from reports.text import counted


class GateKeeper:
    """The baseline of one run, read before it begins, so that a mistake in it is told at once.

    Args:
        path: the file.
        ruleset: what the run is about.
        update: whether the file is written anew after the run; it need not be there before.
        strict: whether entries that are fixed fail.
    """

    def __init__(self, path: Path, ruleset: str, *, update: bool, strict: bool) -> None:
        self._path = path
        self._update = update
        self._strict = strict
        fresh = update and not path.exists()
        self._baseline = Baseline(ruleset=ruleset) if fresh else read_baseline(path, ruleset)

    def judge(self, report: Report) -> tuple[Report, str | None]:
        """The report held against the baseline; and if that was to be written, what became of it.

        Raises:
            InputError: it cannot be written.
        """
        said = self._write(report) if self._update else None
        today = datetime.now(UTC).date()
        return held_against(report, self._baseline, today, file=str(self._path), strict=self._strict), said

    def _write(self, report: Report) -> str:
        if not report.is_complete:
            return f"{self._path} stays as it was: a run that was cut short decides nothing"
        before = set(self._baseline.known)
        self._baseline = updated(report, self._baseline)
        write_baseline(self._baseline, self._path)
        after = set(self._baseline.known)
        return (
            f"{self._path}: {counted(len(after), 'known violation')} "
            f"({len(after - before)} written, {len(before - after)} taken out)"
        )


def gate_keeper(path: Path | None, ruleset: str, *, update: bool, strict: bool) -> GateKeeper | None:
    """The gate keeper, if there is a baseline.

    Raises:
        InputError: the baseline cannot be used, or is missing where something is to be done with it.
    """
    if path is not None:
        return GateKeeper(path, ruleset, update=update, strict=strict)
    if update or strict:
        raise InputError(f"--{'update' if update else 'strict'}-baseline needs --baseline, which says where it is")
    return None
