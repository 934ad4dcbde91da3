"""The card database: a sqlite file (``.cdb``) with the facts the core asks for."""

from __future__ import annotations

import ctypes
import sqlite3
from pathlib import Path
from typing import Final

from conformance.ocgcore.constants import TYPE_LINK
from conformance.ocgcore.library import CardData
from engine_protocol.errors import EngineUnavailable

_QUERY: Final = "select id, alias, setcode, type, level, attribute, race, atk, def from datas"

_FIRST_CUSTOM: Final = 0x7000_0000
_CUSTOM_STEP: Final = 16
"""Codes from here on stand for monsters with stats no card has; no printed passcode is as high. The codes between two of them are
for their tokens, which are numbered after the card that creates them.
"""


class CardDatabase:
    """All cards of one or more ``.cdb`` files, later files over earlier ones.

    Args:
        paths: the files, or folders of such files.

    Raises:
        EngineUnavailable: a file is missing or is no card database.
    """

    def __init__(self, paths: tuple[str, ...]) -> None:
        self._data: dict[int, CardData] = {}
        self._keep: list[object] = []
        self._custom: dict[tuple[int, int, int], int] = {}
        self.original: dict[int, int] = {}
        for path in paths:
            for file in _files(path):
                self._read(file)

    def __contains__(self, code: int) -> bool:
        return code in self._data

    def get(self, code: int) -> CardData | None:
        """The facts of a card."""
        return self._data.get(code)

    def with_stats(self, code: int, atk: int, def_: int) -> int:
        """A code that stands for this monster with other original ATK and DEF; its script is that of the card."""
        card = self._data[code]
        if (card.attack, card.defense) == (atk, def_):
            return code
        key = (code, atk, def_)
        made = self._custom.get(key)
        if made is None:
            made = self._custom[key] = _FIRST_CUSTOM + len(self._custom) * _CUSTOM_STEP
            for offset in range(_CUSTOM_STEP):
                if code + offset in self._data:
                    self._copy(code + offset, made + offset)
            self._data[made].attack, self._data[made].defense = atk, def_
        return made

    def _copy(self, code: int, made: int) -> None:
        card = self._data[code]
        data = CardData.from_buffer_copy(card)
        data.code, data.alias = made, card.alias or code
        self._data[made] = data
        self.original[made] = code

    def _read(self, file: Path) -> None:
        try:
            with sqlite3.connect(f"{file.absolute().as_uri()}?mode=ro", uri=True) as connection:
                rows = connection.execute(_QUERY).fetchall()
            connection.close()
        except sqlite3.Error as error:
            raise EngineUnavailable(f"{str(file)!r} is no card database: {error}") from None
        for code, alias, setcode, kind, level, attribute, race, atk, def_ in rows:
            sets = [part for shift in range(0, 64, 16) if (part := (setcode >> shift) & 0xFFFF)]
            setcodes = (ctypes.c_uint16 * (len(sets) + 1))(*sets, 0)
            self._keep.append(setcodes)
            link = bool(kind & TYPE_LINK)
            self._data[code] = CardData(
                code=code,
                alias=alias,
                setcodes=ctypes.cast(setcodes, ctypes.POINTER(ctypes.c_uint16)),
                type=kind,
                level=level & 0xFF,
                attribute=attribute,
                race=race & 0xFFFF_FFFF_FFFF_FFFF,
                attack=atk,
                defense=0 if link else def_,
                left_scale=(level >> 24) & 0xFF,
                right_scale=(level >> 16) & 0xFF,
                link_marker=def_ if link else 0,
            )


def _files(path: str) -> list[Path]:
    place = Path(path)
    if place.is_dir():
        files = sorted(place.glob("*.cdb"))
        if not files:
            raise EngineUnavailable(f"the folder {path!r} holds no card database (*.cdb)")
        return files
    if not place.is_file():
        raise EngineUnavailable(f"there is no card database {path!r}")
    return [place]
