"""The contract with an engine, in process. Across processes the same five messages travel as JSON lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol, runtime_checkable

from msgspec import Struct

from engine_protocol.board import Board, Observation
from engine_protocol.decisions import Decision
from engine_protocol.events import Event

PROTOCOL_VERSION = 1

Ability = Literal["custom-stats", "play"]
"""What an engine may do beyond the minimum: set up monsters with stats no card has; play a whole duel in one exchange."""


class EngineInfo(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """Who an engine is and what it can do.

    ``rulesets``  names of the rulesets it claims
    ``cards``     passcodes it knows; None: every card of the pool
    ``abilities`` optional abilities
    """

    name: str
    version: str
    rulesets: tuple[str, ...]
    protocol: int = PROTOCOL_VERSION
    cards: tuple[int, ...] | None = None
    abilities: tuple[Ability, ...] = ()
    homepage: str | None = None


class Progress(Struct, frozen=True, omit_defaults=True):
    """What happened since the last choice, and the decision that is open now (None: the Battle Phase or the duel is over).

    The events begin after the choice itself (the caller knows what it chose) and include a ``decided`` event for each decision
    that had a single option.
    """

    events: tuple[Event, ...]
    decision: Decision | None = None


@runtime_checkable
class Engine(Protocol):
    """An engine under test. One duel at a time; ``start`` throws the running one away."""

    def initialize(self) -> EngineInfo:
        """Who you are. Called once, first."""

    def start(self, board: Board) -> Progress:
        """Set the board up, enter the Start Step, and run to the first decision.

        Raises:
            BoardNotSupported: the board needs cards, a ruleset or an ability the engine lacks.
        """

    def choose(self, option: int) -> Progress:
        """Take that option of the open decision and run to the next.

        Raises:
            OptionNotOffered: there is no such option; nothing may have changed.
        """

    def observe(self) -> Observation:
        """The state now. Changes nothing."""

    def close(self) -> None:
        """The last call."""


@runtime_checkable
class PlayingEngine(Engine, Protocol):
    """An engine with the ability ``play``."""

    def play(self, board: Board, script: Sequence[int]) -> tuple[Event, ...]:
        """A whole duel at once.

        At every decision the next number of the script, modulo the number of options, is chosen; 0 when the script has run out.
        Every decision, asked or forced, is among the events as ``decided``.
        """
