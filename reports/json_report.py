"""The report as JSON, and the schema it keeps to.

``python -m reports.json_report`` writes the published schema anew after a change of the structs.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import msgspec

from engine_protocol.errors import InputError
from reports.model import FORMAT, Report

SCHEMA_ID = "report"
SCHEMA_FILE = Path(__file__).with_name("schemas") / "report.schema.json"


def write_json(report: Report, path: Path) -> None:
    """Write the report; a reader never sees half a file.

    Raises:
        InputError: the file cannot be written.
    """
    half = path.with_name(path.name + ".part")
    try:
        half.write_bytes(msgspec.json.format(msgspec.json.encode(report)) + b"\n")
        os.replace(half, path)
    except OSError as error:
        raise InputError(f"the JSON report cannot be written to {path}: {error.strerror or error}") from None


def read_json(path: Path) -> Report:
    """The report in a file.

    Raises:
        InputError: it cannot be read or is no report of this format.
    """
    try:
        report = msgspec.json.decode(path.read_bytes(), type=Report)
    except OSError as error:
        raise InputError(f"{path}: {error.strerror or error}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InputError(f"{path} is no report of `duelproof check --json`: {error}") from None
    if report.header.format != FORMAT:
        raise InputError(f"{path} has the report format {report.header.format}; this duelproof reads format {FORMAT}")
    return report


def report_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of a report. The published file, :data:`SCHEMA_FILE`, is this."""
    schema = msgspec.json.schema(Report)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "duelproof report", **schema}


if __name__ == "__main__":
    SCHEMA_FILE.write_text(json.dumps(report_schema(), indent=2, ensure_ascii=False) + "\n", encoding="utf-8", newline="\n")
