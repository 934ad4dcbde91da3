"""What becomes of each statement of the documents: the rules that check it, or why no rule does.

The statements stand in ``statements.json`` beside this module, by the ids under which they were gathered: ``M`` and ``N`` are of
battle-phase-flow, ``D`` of damage-step-wiki and its last section, ``B`` of battle-step-wiki, ``E`` of expert-2007, ``A`` of
duel-arena-wiki; ``X`` are the points on which the documents differ.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Final, Literal

import msgspec
from msgspec import Struct

from engine_protocol.documents import DOCUMENTS

Reason = Literal[
    "not-visible",
    "no-cards",
    "undecided",
    "other-phase",
    "deck-and-match",
    "definition",
    "cross-reference",
    "superseded",
    "advice",
    "not-a-rule",
]

REASONS: Final[dict[Reason, str]] = {
    "not-visible": "A trace cannot show it; the note, or the rule it is about, says what an engine would have to report.",
    "no-cards": "The pool has no card yet with which it matters.",
    "undecided": "The document leaves it open, or the documents differ and none is the ruleset's own: any answer is accepted.",
    "other-phase": "It is about a phase of the turn, or a Summon, that these engines do not play.",
    "deck-and-match": "It is about Decks, Matches, or what comes before the first turn.",
    "definition": "It names or explains something; no engine can break it by itself.",
    "cross-reference": "It says nothing of its own: a heading, or a pointer to other statements that are listed themselves.",
    "superseded": "The same document replaces it by another statement.",
    "advice": "It tells players how to go about something.",
    "not-a-rule": "History, trivia, or a remark of the author's.",
}
"""Why no rule checks a statement."""

SEVERAL: Final = "several"
"""Stands for the document of a point on which the documents differ."""

SOURCES: Final[dict[str, str]] = {**DOCUMENTS, SEVERAL: "Points on which the documents differ"}
"""Every document that a statement can be of, by its key."""


class Statement(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, kw_only=True):
    """One statement of a document.

    ``document``  a key of :data:`SOURCES`
    ``gist``      what it is about, in our own words
    ``rules``     ids of the rules that check it; empty if none does
    ``reason``    why none does, otherwise None
    ``about``     with a reason: the rules of the catalogue it belongs to, those of :data:`oracles.unseen.UNSEEN` among them
    ``note``      with a reason: what an engine would have to report

    Of a point on which the documents differ, one of these says how the rulesets have it:

    ``parameters`` names in :data:`engine_protocol.rulesets.PARAMETERS`
    ``cards``      names of the cards whose facts carry it
    ``neither``    why it takes neither
    """

    id: str
    document: str
    gist: str
    rules: tuple[str, ...] = ()
    reason: Reason | None = None
    about: tuple[str, ...] = ()
    note: str | None = None
    parameters: tuple[str, ...] = ()
    cards: tuple[str, ...] = ()
    neither: str | None = None


@cache
def statements() -> tuple[Statement, ...]:
    """All statements, document by document."""
    data = files("oracles").joinpath("statements.json").read_bytes()
    return msgspec.json.decode(data, type=tuple[Statement, ...])
