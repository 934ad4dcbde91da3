"""Every seeded fault as an engine: ``python:tests.faults.engines:NAME-OF-THE-FAULT``."""

from __future__ import annotations

from typing import Any

from tests.faults.catalogue import FAULTS
from tests.faults.fault import engine_with

_BY_NAME = {fault.name: fault for fault in FAULTS}


def __getattr__(name: str) -> Any:
    try:
        return engine_with(_BY_NAME[name])
    except KeyError:
        raise AttributeError(f"no seeded fault is named {name!r}") from None
