"""The shape of a violation: what stays the same when the same mistake shows itself in another duel.

It is what was expected and what happened, with everything left out that belongs to the one duel: names and numbers of cards,
which player, amounts, the raw events that two runs disagree about. Baselines and code scanning know violations again by it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from engine_protocol.board import Board
from engine_protocol.cards import card_pool
from engine_protocol.events import TokenCreated
from reports.model import Finding, RulingResult
from reports.text import one_line

_CARD = "a card"
_RAW = re.compile(r"\{.*?(?:…|\}(?=$|[\s,;)]))")
"""An event as the engine told it, perhaps cut off."""

_COPY = r"(?: \(card \d+\)| #\d+)?"
_UNNAMED = re.compile(r"\bcard #\d+|\bthe card with passcode \d+")
_SEVERAL = re.compile(rf"{_CARD}(?:(?:,| and|, and) {_CARD})+")
_PLAYER = re.compile(r"\bPlayer [AB]\b")
_CALL = re.compile(r"\b(?:play|start|choose|observe)\(\)|'(?:play|start|choose|observe)'")
_NUMBER = re.compile(r"0x[0-9a-fA-F]+|(?<![A-Z]-)(?<!\d)\d+(?:\.\d+)?")
"""The number of a rule (``AT-2``) stays."""


def shape_of(finding: Finding) -> str:
    """The shape of a finding."""
    names = set(finding.cards)
    if finding.duel is not None:
        names.update(_names_on(finding.duel.board))
    if finding.course is not None:
        names.update(_names_on(finding.course.board))
        names.update(_names(event.passcode for event in finding.course.events if isinstance(event, TokenCreated)))
    return _shape(f"expected: {finding.expected}; happened: {finding.happened}", names)


def shape_of_ruling(ruling: RulingResult) -> str:
    """The shape of how a ruling is played otherwise."""
    return _shape("; ".join(ruling.problems), () if ruling.course is None else _names_on(ruling.course.board))


def _names_on(board: Board) -> Iterator[str]:
    return _names(card.passcode for card in board.cards)


def _names(passcodes: Iterable[int]) -> Iterator[str]:
    pool = card_pool()
    return (pool[passcode].name for passcode in passcodes if passcode in pool)


def _shape(text: str, names: Iterable[str]) -> str:
    text = _RAW.sub("an event", " ".join(text.split()))
    bare = {re.sub(r" #\d+$", "", name) for name in names if name}
    if bare:
        longest_first = sorted(bare, key=len, reverse=True)
        text = re.sub(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest_first))}){_COPY}(?!\w)", _CARD, text)
    text = _SEVERAL.sub(_CARD, _UNNAMED.sub(_CARD, text))
    text = _CALL.sub("a call", _PLAYER.sub("a player", text))
    return one_line(_NUMBER.sub("N", text), 400)
