"""The corpus: concrete examples of the documents as duel files, each played and held against what the document says.

An example plays in the ruleset of the time its document speaks of. Where the same duel holds in another ruleset, a second file
plays it there; its name ends in that ruleset's.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path

import msgspec

from conformance.duel_files import SUFFIX
from conformance.examiner import Examiner
from conformance.folder import replay_command
from conformance.replaying import replay
from engine_protocol.duel_file import DuelFile
from reports.model import RulingResult, course_of


def ruling_names() -> tuple[str, ...]:
    """The ids of all examples, in order."""
    folder = files("conformance").joinpath("rulings")
    if not folder.is_dir():
        return ()
    return tuple(sorted(path.name.removesuffix(SUFFIX) for path in folder.iterdir() if path.name.endswith(SUFFIX)))


@cache
def ruling(name: str) -> DuelFile:
    """The example with this id. Files of the corpus are known to be sound, so they are read the fast way."""
    path = files("conformance").joinpath("rulings", f"{name}{SUFFIX}")
    return msgspec.json.decode(path.read_bytes(), type=DuelFile)


def rulings_for(ruleset: str) -> Iterator[str]:
    """The ids of the examples of one ruleset."""
    return (name for name in ruling_names() if ruling(name).board.ruleset == ruleset)


def judge_ruling(name: str, examiner: Examiner) -> RulingResult:
    """Play an example and say whether the engine agrees with the document."""
    duel = ruling(name)
    played = replay(duel, examiner)
    violated = played.verdict == "violated"
    return RulingResult(
        id=name,
        title=duel.title,
        verdict=played.verdict,
        problems=played.sentences if violated or played.verdict == "unsupported" else (),
        story=played.story() if violated else "",
        course=course_of(played.trace, played.until) if violated and played.trace is not None else None,
        file=f"conformance/rulings/{name}{SUFFIX}",
        replay=replay_command(_nearest(name), examiner.setup) if violated else None,
    )


def _nearest(name: str) -> Path:
    """Where the example's file lies, as seen from here if it is below."""
    path = Path(str(files("conformance").joinpath("rulings", f"{name}{SUFFIX}")))
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
