"""Writing a report in one of its forms to a file."""

from __future__ import annotations

from pathlib import Path

from engine_protocol.errors import InputError


def write_text(text: str, path: Path, what: str) -> None:
    """Write text as UTF-8; ``what`` says in errors what it is: ``the SARIF report``.

    The file is written in place, not replaced: it may be a pipe, or one that a CI server has made and watches.

    Raises:
        InputError: the file cannot be written.
    """
    try:
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise InputError(f"{what} cannot be written to {path}: {error.strerror or error}") from None
