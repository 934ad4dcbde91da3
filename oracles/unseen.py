"""Rules of the catalogue that no oracle judges in the rulesets that are checked, and what it would take."""

from __future__ import annotations

from typing import Final

from msgspec import Struct

from oracles.statements import Reason


class Unseen(Struct, frozen=True):
    """A rule that is not judged.

    ``reason``  a key of :data:`oracles.statements.REASONS`
    ``why``     what is missing, in a sentence
    """

    id: str
    title: str
    reason: Reason
    why: str


_ALL: Final = (
    Unseen(
        "BP-1",
        "No Battle Phase in the first turn",
        "not-visible",
        "A duel here begins inside a Battle Phase. An engine would have to report the decision at the end of Main Phase 1.",
    ),
    Unseen(
        "BP-9",
        "Effects until the end of the Battle Phase",
        "not-visible",
        "Neither the facts of cards nor the events tell how long an effect lasts; an engine would have to report when one ends.",
    ),
    Unseen(
        "AT-12",
        "What counts as having attacked",
        "not-visible",
        "Only effects of Main Phase 2 and of other turns ask for it; an engine would have to report who has attacked, and how.",
    ),
    Unseen(
        "DS-8",
        "Straight to the End Phase",
        "no-cards",
        "No card of the pool turns to the End Phase; an engine would have to report that the Battle Phase was left.",
    ),
    Unseen(
        "DA-8",
        "No Summons but Special ones in the Damage Step",
        "no-cards",
        "No effect of the pool Normal, Ritual, Fusion, Synchro, Xyz or Link Summons.",
    ),
    Unseen(
        "DC-6",
        "The order of ATK changes during damage calculation",
        "not-visible",
        "The facts do not tell by how much a continuous effect changes ATK and DEF; an engine would have to report its cause.",
    ),
    Unseen(
        "BD-7",
        "No new materials and counters",
        "no-cards",
        "No card of the pool attaches materials or places counters; an engine would have to report both as events.",
    ),
    Unseen(
        "GN-4",
        "What a turn remembers of a monster",
        "definition",
        "It tells what a board has to hold; other rules ask for it.",
    ),
)

UNSEEN: Final[dict[str, Unseen]] = {rule.id: rule for rule in _ALL}
"""The rules that are not judged, by id."""
