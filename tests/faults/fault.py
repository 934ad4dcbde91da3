"""What a seeded fault is, and the engine that has it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from engine_protocol.board import Board
from engine_protocol.engine import EngineInfo, Progress
from engine_protocol.events import Event
from engine_protocol.rulesets import DEFAULT_RULESET
from reference_engine import ReferenceEngine


@dataclass(frozen=True, slots=True)
class Fault:
    """One way to get the Battle Phase wrong.

    ``name``    a slug
    ``rule``    the rule that must catch it
    ``title``   the mistake, as a person would make it
    ``patches`` what stands in place of what: ``module:attribute`` or ``module:Class.attribute`` to its replacement
    ``also``    rules that are expected to notice it too
    ``real``    the kind of mistake that simulators have really made, of which it is one; empty: no such kind is known
    ``ruleset`` the ruleset that the engine is asked for and judged by
    ``parameter`` the one parameter of that ruleset that the engine has wrong; empty: it is another mistake
    """

    name: str
    rule: str
    title: str
    patches: Mapping[str, Any] = field(default_factory=dict)
    also: tuple[str, ...] = ()
    real: str = ""
    ruleset: str = DEFAULT_RULESET
    parameter: str = ""

    @contextmanager
    def applied(self) -> Iterator[None]:
        """Put the replacements in place, and the originals back."""
        undo: list[tuple[Any, str, Any]] = []
        try:
            for target, replacement in self.patches.items():
                module_name, _, path = target.partition(":")
                owner: Any = import_module(module_name)
                *parents, attribute = path.split(".")
                for parent in parents:
                    owner = getattr(owner, parent)
                undo.append((owner, attribute, owner.__dict__[attribute]))
                setattr(owner, attribute, replacement)
            yield
        finally:
            for owner, attribute, original in reversed(undo):
                setattr(owner, attribute, original)


class FaultyEngine(ReferenceEngine):
    """The reference engine with one fault. The fault is in place only while this engine runs."""

    fault: Fault

    def initialize(self) -> EngineInfo:
        """As the reference engine, wrongly."""
        with self.fault.applied():
            return super().initialize()

    def start(self, board: Board) -> Progress:
        """As the reference engine, wrongly."""
        with self.fault.applied():
            return super().start(board)

    def choose(self, option: int) -> Progress:
        """As the reference engine, wrongly."""
        with self.fault.applied():
            return super().choose(option)

    def play(self, board: Board, script: Sequence[int]) -> tuple[Event, ...]:
        """As the reference engine, wrongly."""
        with self.fault.applied():
            return super().play(board, script)


def engine_with(fault: Fault) -> Callable[[], FaultyEngine]:
    """A factory of engines with this fault."""
    return type(f"Engine_{fault.name.replace('-', '_')}", (FaultyEngine,), {"fault": fault})
