"""The user's script folder: finds scripts by name and keeps what was read."""

from __future__ import annotations

import os
from pathlib import Path

from engine_protocol.errors import EngineUnavailable

_SKIPPED = frozenset({".git", "rush", "skill", "unofficial", "goat", "pre-errata"})
"""Folders of scripts for other games and eras; a script found elsewhere comes first."""


class Scripts:
    """Scripts by name, from one or more folders and the folders in them; the folder itself before those in it.

    Args:
        folders: such as ``script`` of an EDOPro installation.

    Raises:
        EngineUnavailable: there is no such folder, or constant.lua and utility.lua are not in it.
    """

    def __init__(self, folders: tuple[str, ...]) -> None:
        self._paths: dict[str, Path] = {}
        self._read: dict[str, bytes] = {}
        last: list[tuple[str, Path]] = []
        for folder in folders:
            if not os.path.isdir(folder):
                raise EngineUnavailable(f"there is no script folder {folder!r}")
            for place, inner, names in os.walk(folder):
                inner.sort()
                outer = Path(place).name in _SKIPPED
                found = [(name, Path(place, name)) for name in names if name.endswith(".lua")]
                if outer:
                    last.extend(found)
                for name, path in found if not outer else ():
                    self._paths.setdefault(name, path)
                if ".git" in inner:
                    inner.remove(".git")
        for name, path in last:
            self._paths.setdefault(name, path)
        for name in ("constant.lua", "utility.lua"):
            if name not in self._paths:
                raise EngineUnavailable(f"the script folder {' and '.join(map(repr, folders))} has no {name}")

    def __contains__(self, name: str) -> bool:
        return name in self._paths

    def text(self, name: str) -> bytes | None:
        """The script as it stands in its file, None if there is none."""
        text = self._read.get(name)
        if text is None:
            path = self._paths.get(name)
            if path is None:
                return None
            text = self._read[name] = path.read_bytes()
        return text
