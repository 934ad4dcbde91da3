"""A badge: the small JSON file that badge services such as shields.io make a picture from ("endpoint badge")."""

from __future__ import annotations

import json
from pathlib import Path

from reports.model import Report
from reports.text import counted, one_line
from reports.writing import write_text


def write_badge(report: Report, path: Path) -> None:
    """Write the badge's endpoint file.

    Raises:
        InputError: the file cannot be written.
    """
    write_text(json.dumps(badge(report), indent=2, ensure_ascii=False) + "\n", path, "the badge")


def badge(report: Report) -> dict[str, str | int | bool]:
    """``ocg-2023``: ``83/87 rules``. Only rules that were seen to be kept count; a baseline changes nothing about that.

    Rules that the ruleset leaves undecided are none that could be kept.
    """
    rules = [rule for rule in report.rules if rule.verdict != "undecided"]
    conforming = sum(rule.verdict == "conforms" for rule in rules)
    message, colour = f"{conforming}/{counted(len(rules), 'rule')}", "yellow"
    if report.is_violated:
        colour = "red"
    elif not report.is_complete:
        message, colour = "incomplete", "lightgrey"
    elif conforming == len(rules):
        colour = "brightgreen"
    return {
        "schemaVersion": 1,
        "label": one_line(report.header.ruleset, 40),
        "message": message,
        "color": colour,
        "isError": not report.is_complete,
    }
