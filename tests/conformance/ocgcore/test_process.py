"""How the core is named and reached, and what is said when that does not work."""

from __future__ import annotations

import ctypes
import ctypes.util
from pathlib import Path
from typing import Any

import pytest

from conformance.engines import open_engine
from conformance.ocgcore.library import Library
from conformance.ocgcore.process import parse
from engine_protocol.client import StdioEngine
from engine_protocol.errors import EngineUnavailable, InputError


def test_spec_names_three_paths() -> None:
    """Several folders or files are separated as in the system's search path; escapes are undone."""
    assert parse("ocgcore:/a/lib%20core.so?scripts=/s:/t&cards=/c.cdb") == ("/a/lib core.so", ("/s", "/t"), ("/c.cdb",))


@pytest.mark.parametrize(
    "spec",
    [
        "ocgcore:/lib.so",
        "ocgcore:?scripts=/s&cards=/c",
        "ocgcore:/lib.so?scripts=/s",
        "ocgcore:/lib.so?scripts=/s&cards=",
        "ocgcore:/lib.so?scripts=/s&cards=/c&flags=1",
    ],
)
def test_incomplete_spec_says_its_form(spec: str) -> None:
    """All three are needed, and nothing else is known."""
    with pytest.raises(InputError, match="ocgcore:LIBRARY"):
        open_engine(spec)


def test_missing_file_is_named(tmp_path: Path) -> None:
    """Before anything is started."""
    with pytest.raises(EngineUnavailable, match=r"there is no '/no/such/lib\.so'"):
        open_engine(f"ocgcore:/no/such/lib.so?scripts={tmp_path}&cards={tmp_path}")


@pytest.fixture
def surroundings(tmp_path: Path) -> str:
    """A script folder and a card database that say nothing."""
    for name in ("constant.lua", "utility.lua"):
        (tmp_path / name).write_text("")
    (tmp_path / "cards.cdb").write_bytes(b"")
    return f"scripts={tmp_path}&cards={tmp_path / 'cards.cdb'}"


def test_failing_core_is_one_line(surroundings: str, tmp_path: Path) -> None:
    """What the process says about a database that is none reaches the user as a sentence, without a traceback."""
    library = tmp_path / "lib.so"
    library.write_bytes(b"no library")
    engine = open_engine(f"ocgcore:{library}?{surroundings}")
    assert isinstance(engine, StdioEngine)
    with pytest.raises(Exception, match="is no card database: no such table: datas") as raised:
        engine.initialize()
    assert "\n" not in str(raised.value)


def _library(path: str) -> Library:
    return Library(path, lambda _: None, lambda _: None, lambda *_: None)


def test_file_that_is_no_library_is_refused(tmp_path: Path) -> None:
    """The system's own complaint is handed on."""
    path = tmp_path / "lib.so"
    path.write_bytes(b"no library")
    with pytest.raises(EngineUnavailable, match="cannot be loaded"):
        _library(str(path))


@pytest.mark.skipif(ctypes.util.find_library("m") is None, reason="needs a shared library to be wrong about")
def test_other_library_is_no_core(monkeypatch: pytest.MonkeyPatch) -> None:
    """A library that loads but has no function of the API."""
    loaded = ctypes.CDLL(ctypes.util.find_library("m"))
    monkeypatch.setattr(ctypes, "CDLL", lambda _: loaded)
    with pytest.raises(EngineUnavailable, match="is no ocgcore: it has no OCG_GetVersion"):
        _library("libm.so")


class _Future:
    """A library of an API to come."""

    def OCG_GetVersion(self, major: Any, minor: Any) -> None:  # noqa: N802 - the name in the API
        major._obj.value, minor._obj.value = 12, 3


def test_unknown_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """Structs may differ, so nothing is tried."""
    monkeypatch.setattr(ctypes, "CDLL", lambda _: _Future())
    with pytest.raises(EngineUnavailable, match=r"has version 12\.3 of the API; known are 9 to 11"):
        _library("lib.so")
