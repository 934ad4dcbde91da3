"""Options that several commands share, and what they accept."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import click

from conformance.engines import KNOWN
from conformance.python_engine import DEFAULT_TIMEOUT
from engine_protocol.rulesets import DEFAULT_RULESET

engine_option = click.option(
    "--engine", default="reference", show_default=True, metavar="E", help=f"The engine: {KNOWN.replace(chr(39), '')}."
)
ruleset_option = click.option("--ruleset", default=DEFAULT_RULESET, show_default=True, metavar="R", help="The ruleset.")
asked_option = click.option(
    "--asked-for", "asked", metavar="R", help="The ruleset that the engine is told, if it is judged by another."
)
timeout_option = click.option(
    "--timeout",
    default=DEFAULT_TIMEOUT,
    show_default=True,
    metavar="S",
    type=click.FloatRange(min=0, min_open=True),
    help="Seconds the engine has for one answer.",
)

_TIME = re.compile(r"(?:(\d+)h)?(?:(\d+)m)?(?:(\d+(?:\.\d+)?)s?)?")

MOST_WORKERS = 32


class Seconds(click.ParamType[float]):
    """A stretch of time: ``90``, ``90s``, ``3m``, ``1h30m``."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Seconds."""
        if isinstance(value, float):
            return value
        match = _TIME.fullmatch(str(value).strip())
        seconds = 0.0
        if match is not None:
            hours, minutes, rest = match.groups()
            seconds = int(hours or 0) * 3600 + int(minutes or 0) * 60 + float(rest or 0)
        if seconds <= 0:
            self.fail(f"{value!r} is no time; write 90s, 3m or 1h30m", param, ctx)
        return seconds


def default_workers() -> int:
    """As many as this process may use cores, within reason."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(cores, MOST_WORKERS)


file_to_write = click.Path(dir_okay=False, path_type=Path)
folder_to_write = click.Path(file_okay=False, path_type=Path)
file_to_read = click.Path(path_type=Path)
