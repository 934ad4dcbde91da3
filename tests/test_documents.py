"""What the documents tell people to type exists."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from conformance.cli import cli

ROOT = Path(__file__).parents[1]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")), *sorted((ROOT / "examples").rglob("*.md"))]
TARGETS = set(re.findall(r"^([a-z][a-z-]*):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
CODE = re.compile(r"^(?: {4}|\$ )?((?:duelproof|make) .*)$|`((?:duelproof|make) [^`]+)`", re.MULTILINE)


def commands(text: str) -> Iterator[str]:
    """Every command line of a Markdown text: in code spans, and on lines of their own in code blocks."""
    blocks = text.split("```")
    for number, part in enumerate(blocks):
        for line, span in CODE.findall(part):
            if span or number % 2:
                yield (span or line).strip()


def unknown_words(command: str) -> list[str]:
    """The target, command or options of a command line that do not exist."""
    program, *words = shlex.split(command, comments=True)
    if program == "make":
        return [word for word in words if "=" not in word and word not in TARGETS]
    context = click.Context(cli)
    known = cli.get_command(context, words[0]) if not words[0].startswith("-") else cli
    if known is None:
        return words[:1]
    parameters = known.get_params(click.Context(known))
    options = {option for parameter in parameters for option in (*parameter.opts, *parameter.secondary_opts)} | {"--help", "-h"}
    return [word for word in words if word.startswith("-") and word.partition("=")[0] not in options]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_commands_of_documents_exist(document: Path) -> None:
    """Targets, commands and options that a document shows are there."""
    wrong = {command: unknown for command in commands(document.read_text("utf-8")) if (unknown := unknown_words(command))}
    assert wrong == {}


def test_readme_names_the_two_commands() -> None:
    """The README leads to the two commands that do everything."""
    assert {"make check", "make test"} <= {
        command.partition("#")[0].strip() for command in commands((ROOT / "README.md").read_text("utf-8"))
    }


def test_every_example_is_listed() -> None:
    """The list of examples names every file beside it."""
    listed = (ROOT / "examples" / "README.md").read_text("utf-8")
    files = {path.name for path in (ROOT / "examples").iterdir() if path.suffix in {".py", ".json"}}
    assert files
    assert {name for name in files if name not in listed} == set()


@pytest.mark.parametrize(
    "command, unknown",
    [
        ("make check", []),
        ("make check ARGS='--rules DS-*'", []),
        ("make chekc", ["chekc"]),
        ("duelproof rules DS-3", []),
        ("duelproof check --engine E --examples 200  # a comment", []),
        ("duelproof chekc", ["chekc"]),
        ("duelproof check --exmaples 200", ["--exmaples"]),
    ],
)
def test_unknown_word_is_noticed(command: str, unknown: list[str]) -> None:
    """The check tells what exists from what does not."""
    assert unknown_words(command) == unknown


def test_commands_are_found() -> None:
    """Commands are found in blocks and in code spans, and prose is left alone."""
    text = "To make sure, run `make test`.\n\nduelproof checks engines.\n\n```\n$ duelproof rules  # all\nother line\n```\n"
    assert list(commands(text)) == ["make test", "duelproof rules  # all"]
