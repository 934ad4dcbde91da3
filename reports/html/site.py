"""The HTML report: one file that works from disk, loads nothing and runs nothing but its own script.

Everything that reports bring along (names of engines, messages, titles) is somebody else's text: the template escapes it, the
data for the pictures stand in elements that no browser runs, and a Content-Security-Policy allows exactly one style and one
script, by their hashes.
"""

from __future__ import annotations

import os
from base64 import b64encode
from collections.abc import Iterator, Sequence
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from markupsafe import Markup

from engine_protocol.cards import card_pool
from engine_protocol.errors import InputError
from engine_protocol.vocabulary import PLAYER_NAMES, STEP_OF, TIMING_NAMES
from reports.board_text import POSITION_NAMES, ZONE_NAMES
from reports.html.captions import capitalised
from reports.html.frames import film_of
from reports.html.page import SYMBOLS, VERDICT_WORDS, Page, page_of
from reports.model import Report
from reports.text import printable

SCRIPTS = ("elements.js", "theme.js", "finder.js", "board.js", "player.js", "pages.js")
"""In this order they are one script."""

LONGEST_TEXT = 50_000
"""Characters of any one text on the page."""


def write_html(reports: Sequence[Report], folder: Path) -> Path:
    """Write ``index.html`` into the folder, which is made if need be. A column for each report; a reader never sees half a file.

    Raises:
        InputError: the folder or file cannot be written.
    """
    path = folder / "index.html"
    half = path.with_name(path.name + ".part")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        half.write_text(render(reports), encoding="utf-8", newline="\n")
        os.replace(half, path)
    except OSError as error:
        raise InputError(f"the HTML report cannot be written to {path}: {error.strerror or error}") from None
    return path


def render(reports: Sequence[Report]) -> str:
    """The page as text."""
    page = page_of(reports)
    style, script = _asset("sheet.css"), _script()
    return _template().render(
        page=page,
        title=_title(page),
        policy=_policy(style, script),
        style=Markup(style),  # noqa: S704 - our own file
        script=Markup(script),  # noqa: S704 - our own files
        words=embedded(_words()),
        films=list(_films(page)),
        symbols=SYMBOLS,
        verdict_words=VERDICT_WORDS,
    )


def embedded(data: Any) -> Markup:
    """Data as JSON that may stand in a script element: nothing in it can end the element or begin another."""
    text = msgspec.json.encode(data).decode()
    for char in "<>&\u2028\u2029":
        text = text.replace(char, f"\\u{ord(char):04x}")
    return Markup(text)  # noqa: S704 - no markup is left in it


def _films(page: Page) -> Iterator[tuple[str, Markup]]:
    pool = card_pool()
    for case in page.cases:
        if case.course is not None:
            yield case.film, embedded(film_of(case.course, pool, wrong_at_end=case.expected is not None))


def _title(page: Page) -> str:
    names = dict.fromkeys(run.name for run in page.runs)
    return f"Conformance of {', '.join(names)}"


def _words() -> dict[str, Any]:
    """What the script calls things."""
    return {
        "players": PLAYER_NAMES,
        "timings": {timing: capitalised(name) for timing, name in TIMING_NAMES.items()},
        "steps": {timing: f"{step.capitalize()} Step" for timing, step in STEP_OF.items()},
        "zones": {zone: capitalised(name) for zone, name in ZONE_NAMES.items()},
        "positions": POSITION_NAMES,
    }


def _policy(style: str, script: str) -> str:
    return "; ".join(
        (
            "default-src 'none'",
            f"style-src 'sha256-{_hash(style)}'",
            f"script-src 'sha256-{_hash(script)}'",
            "base-uri 'none'",
            "form-action 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'",
        )
    )


def _hash(text: str) -> str:
    return b64encode(sha256(text.encode()).digest()).decode()


def _script() -> str:
    return "(() => {\n'use strict';\n" + "\n".join(_asset(name) for name in SCRIPTS) + "})();\n"


def _asset(name: str) -> str:
    return files("reports.html").joinpath("assets", name).read_text("utf-8")


def _template() -> Template:
    environment = Environment(
        loader=PackageLoader("reports.html", "assets"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_shown,
    )
    return environment.get_template("page.html.j2")


def _shown(value: Any) -> Any:
    """Control characters of foreign texts, also those that turn the direction of writing, are spelled out."""
    if isinstance(value, str) and not isinstance(value, Markup):
        return printable(value, LONGEST_TEXT)
    return value
