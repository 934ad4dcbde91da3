"""The duels that were recorded: boards and the choices made, as numbers of options."""

from __future__ import annotations

from typing import Any

from engine_protocol.board import Board, BoardCard

MAN_EATER_BUG = 54652250
DARK_MAGICIAN = 46986414
BLUE_EYES = 89631139
KOJIKOCY = 1184620
CELTIC_GUARDIAN = 91152256
SHRINK = 55713623
MIRROR_FORCE = 44095762
SEVEN_TOOLS = 3819470
COMPULSORY_EVACUATION = 94192409
MYSTIC_TOMATO = 83011277
SILENT_HONOR_ARK = 48739166
DIMENSIONAL_PRISON = 70342110
ZANJI = 95519486
KAMON = 90397998
SIGNAL_RED = 34475451


def _card(number: int, passcode: int, owner: int, zone: str, position: str = "face-up", **more: Any) -> BoardCard:
    return BoardCard(id=number, passcode=passcode, owner=owner, zone=zone, position=position, **more)  # type: ignore[arg-type]


def _attacker(number: int, passcode: int, **more: Any) -> BoardCard:
    return _card(number, passcode, 0, "monster-zone", "face-up-attack", **more)


def _defender(number: int, passcode: int, position: str = "face-up-attack", **more: Any) -> BoardCard:
    return _card(number, passcode, 1, "monster-zone", position, **more)


def _set(number: int, passcode: int, owner: int = 1, **more: Any) -> BoardCard:
    return _card(number, passcode, owner, "spell-trap-zone", "face-down", **more)


DUELS: dict[str, tuple[Board, tuple[int, ...]]] = {
    "flip": (
        Board(
            ruleset="ocg-2023",
            cards=(_attacker(1, BLUE_EYES), _attacker(2, KOJIKOCY, index=1), _defender(3, MAN_EATER_BUG, "face-down-defense")),
        ),
        (1, 1),
    ),
    "shrink": (
        Board(ruleset="ocg-2023", cards=(_attacker(1, BLUE_EYES), _defender(2, DARK_MAGICIAN), _set(3, SHRINK))),
        (0, 1, 0, 0, 0, 1, 0),
    ),
    "mirror-force-negated": (
        Board(
            ruleset="ocg-2023",
            cards=(_attacker(1, BLUE_EYES), _set(2, MIRROR_FORCE), _set(3, SEVEN_TOOLS, 0)),
        ),
        (1, 1, 1),
    ),
    "target-gone": (
        Board(
            ruleset="ocg-2023",
            cards=(_attacker(1, BLUE_EYES), _set(2, DIMENSIONAL_PRISON), _set(3, COMPULSORY_EVACUATION, index=1)),
        ),
        (0, 1, 1, 1),
    ),
    "replay": (
        Board(
            ruleset="ocg-2023",
            cards=(
                _attacker(1, BLUE_EYES),
                _defender(2, KOJIKOCY),
                _defender(3, CELTIC_GUARDIAN, index=1),
                _set(4, COMPULSORY_EVACUATION),
            ),
        ),
        (0, 1, 0, 1, 1, 1),
    ),
    "tomato": (
        Board(
            ruleset="ocg-2023",
            turn_player=1,
            turn=4,
            cards=(
                _card(1, BLUE_EYES, 1, "monster-zone", "face-up-attack"),
                _card(2, MYSTIC_TOMATO, 0, "monster-zone", "face-up-attack"),
                _card(3, MYSTIC_TOMATO, 0, "deck"),
                _card(4, KOJIKOCY, 0, "deck", index=1),
            ),
        ),
        (1, 1, 0),
    ),
    "lethal": (
        Board(ruleset="ocg-2023", lp=(8000, 2000), cards=(_attacker(1, BLUE_EYES, atk=2600, def_=0),)),
        (1,),
    ),
    "set-this-turn": (
        Board(ruleset="ocg-2023", cards=(_attacker(1, BLUE_EYES), _set(2, SHRINK, 0, turn_set=3), _set(3, SHRINK, 0, index=1))),
        (),
    ),
    "substitute": (
        Board(
            ruleset="ocg-2023",
            cards=(
                _attacker(1, BLUE_EYES),
                _defender(2, ZANJI),
                _defender(3, KAMON, index=1),
            ),
        ),
        (1, 0, 1),
    ),
    "battle-inside": (
        Board(
            ruleset="ocg-2023",
            cards=(
                _attacker(1, BLUE_EYES),
                _defender(2, KOJIKOCY),
                _card(3, SIGNAL_RED, 1, "hand", "face-down"),
            ),
        ),
        (1, 1),
    ),
    "material": (
        Board(
            ruleset="ocg-2023",
            cards=(_attacker(1, BLUE_EYES), _defender(2, SILENT_HONOR_ARK, materials=(KOJIKOCY, KOJIKOCY))),
        ),
        (1, 1),
    ),
}
