"""Text that came from somebody else, made fit for a terminal and for XML."""

from __future__ import annotations

LONGEST = 2_000
"""Characters of a foreign text that are shown; an engine may write any amount."""


def printable(text: str, longest: int = LONGEST) -> str:
    """The text with everything a terminal could obey (escape sequences, other control characters) spelled out.

    Line breaks and tabs stay. Text beyond ``longest`` characters is left out and said to be.
    """
    shown = "".join(char if char.isprintable() or char in "\n\t" else _spelled(char) for char in text[:longest])
    return shown if len(text) <= longest else f"{shown} … ({len(text) - longest} more characters)"


def one_line(text: str, longest: int = 300) -> str:
    """The same on one line."""
    return printable(" ".join(text.split()), longest)


def _spelled(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")


def counted(count: int, one: str, many: str | None = None) -> str:
    """``1 rule``, ``2 rules``."""
    return f"{count:,} {one if count == 1 else many or one + 's'}"
