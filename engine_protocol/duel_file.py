"""Duel files: one duel as a ``.duel.json`` file, readable, editable, replayable on any engine.

Choices are written by what they do, not by index, and only those that are not the quietest option. During a replay the next
choice is taken at the first decision that its ``at`` fits and that offers what it does; at every other decision option 0 is
taken. Where a choice is meant for a later of several fitting decisions, the writer puts an explicit ``pass`` before it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from msgspec import Struct, field

from engine_protocol.board import Board
from engine_protocol.decisions import Decision, DecisionKind, Option
from engine_protocol.events import Decided
from engine_protocol.trace import Trace
from engine_protocol.vocabulary import Player, Timing

FORMAT = 1


class Window(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, kw_only=True):
    """Which decisions are meant; a field left out fits anything. ``chain`` counts the links that exist."""

    player: Player | None = None
    kind: DecisionKind | None = None
    timing: Timing | None = None
    chain: int | None = None
    source: int | None = None

    def fits(self, decision: Decision) -> bool:
        """Whether the decision is one of those meant."""
        return (
            (self.player is None or self.player == decision.player)
            and (self.kind is None or self.kind == decision.kind)
            and (self.timing is None or self.timing == decision.timing)
            and (self.chain is None or self.chain == decision.chain)
            and (self.source is None or self.source == decision.source)
        )


class Choice(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, kw_only=True):
    """One choice: where, and what it does."""

    at: Window
    do: Option


class Expectation(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, kw_only=True):
    """One fact that must hold of the trace; ``says`` tells it in words.

    ``kind``   ``offered``/``not-offered``: at some/no decision that ``at`` fits there is an option that ``option`` fits;
               ``event``/``no-event``: some/no event has all the fields of ``event``; ``events``: the partial events of
               ``events`` happen in this order (others may stand between); ``lp``: the Life Points at the end
    """

    says: str
    kind: Literal["offered", "not-offered", "event", "no-event", "events", "lp"]
    at: Window | None = None
    option: dict[str, Any] = field(default_factory=dict)
    event: dict[str, Any] = field(default_factory=dict)
    events: tuple[dict[str, Any], ...] = ()
    lp: tuple[int, int] | None = None


class Source(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, kw_only=True):
    """Where a duel comes from: a document and the ids of its statements, or a rule that a counterexample breaks."""

    document: str | None = None
    ruling: str | None = None
    rule: str | None = None
    note: str | None = None


class DuelFile(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, kw_only=True):
    """A duel: board, choices, what is expected, and its source. ``undecided``: the documents do not settle it."""

    format: int = FORMAT
    title: str
    source: Source = field(default_factory=Source)
    board: Board
    choices: tuple[Choice, ...] = ()
    expect: tuple[Expectation, ...] = ()
    undecided: bool = False


class ChoiceFollower:
    """A chooser that follows the choices of a duel file. ``pending`` are those not yet taken."""

    def __init__(self, choices: tuple[Choice, ...]) -> None:
        self.pending = list(choices)

    def __call__(self, decision: Decision) -> int:
        """The option that the next choice takes here, else the quietest."""
        if self.pending and self.pending[0].at.fits(decision) and self.pending[0].do in decision.options:
            return decision.options.index(self.pending.pop(0).do)
        return 0


def choices_of(trace: Trace) -> tuple[Choice, ...]:
    """The choices that make a replay take the same course.

    They are all that are not the quietest option, and the explicit quiet ones without which a later choice would be taken too
    early.
    """
    return tuple(reversed(tuple(_choices_from_the_end(trace))))


def _choices_from_the_end(trace: Trace) -> Iterator[Choice]:
    later: Choice | None = None
    for decided in reversed(trace.decisions()):
        decision, option = decided.decision, decided.decision.options[decided.chosen]
        too_early = later is not None and later.at.fits(decision) and later.do in decision.options
        if decided.chosen or too_early:
            later = Choice(at=window_of(decision), do=option)
            yield later


def window_of(decision: Decision) -> Window:
    """The window that fits this decision and others like it."""
    return Window(
        player=decision.player, kind=decision.kind, timing=decision.timing, chain=decision.chain, source=decision.source
    )


def loud(trace: Trace) -> tuple[Decided, ...]:
    """The decisions in which something other than the quietest option was taken: what a person would tell."""
    return tuple(decided for decided in trace.decisions() if decided.chosen)
