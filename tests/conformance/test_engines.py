"""Engine specs, and what is said when one does not work."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.engines import identify, open_engine
from engine_protocol.errors import EngineUnavailable, InputError

MINIATURES = "python:tests.conformance.miniatures"


@pytest.mark.parametrize("attribute", ["Whole", "make", "instance"])
def test_class_factory_and_instance_are_engines(attribute: str) -> None:
    """An attribute may be a class, a function that makes an engine, or an engine."""
    engine = open_engine(f"{MINIATURES}:{attribute}")
    assert identify(engine, "it", "ocg-2023").name == "duelproof reference engine"


@pytest.mark.parametrize("spec", ["", "referense", "python:", "cmd:", "cmd:  ", "exe:/bin/true", "python:mine"])
def test_unknown_spec_says_what_there_is(spec: str) -> None:
    """A spec that is none names those there are."""
    with pytest.raises(InputError, match="python:MODULE:ATTRIBUTE"):
        open_engine(spec)


@pytest.mark.parametrize(
    "spec, said",
    [
        ("python:no_such_module:Engine", "there is no module 'no_such_module'"),
        (f"{MINIATURES}:Missing", "has no 'Missing'"),
        (f"{MINIATURES}:NoEngine", r"NoEngine has no initialize\(\), start\(\), choose\(\), observe\(\), close\(\)"),
        (f"{MINIATURES}:PLAIN", r"tuple has no initialize\(\)"),
        (f"{MINIATURES}:RaisesWhenMade", r"raised RuntimeError: no licence \(miniatures.py, line \d+\)"),
    ],
)
def test_unusable_engine_is_explained(spec: str, said: str) -> None:
    """What is missing or was raised is said, with its place."""
    with pytest.raises(EngineUnavailable, match=said):
        open_engine(spec)


def test_broken_module_is_explained(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A module of the current folder is found, and an error while importing it is told."""
    (tmp_path / "broken_mini.py").write_text("import a_library_nobody_has\n")
    (tmp_path / "raising_mini.py").write_text("x = 1\nraise ValueError('not today')\n")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(EngineUnavailable, match="needs 'a_library_nobody_has'"):
        open_engine("python:broken_mini:Engine")
    with pytest.raises(EngineUnavailable, match=r"raised ValueError: not today \(raising_mini.py, line 2\)"):
        open_engine("python:raising_mini:Engine")


@pytest.mark.parametrize(
    "attribute, said",
    [
        ("OtherProtocol", "speaks protocol version 99; this duelproof speaks 1"),
        ("OtherRuleset", "does not claim the ruleset 'ocg-2023'; it claims: rush-duel"),
    ],
)
def test_engine_of_another_world_is_refused(attribute: str, said: str) -> None:
    """Another protocol version or ruleset is found out before any duel."""
    spec = f"{MINIATURES}:{attribute}"
    with pytest.raises(EngineUnavailable, match=said):
        identify(open_engine(spec), spec, "ocg-2023")
