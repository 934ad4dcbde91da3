"""What a worker is asked to do, and what it answers. Everything here travels between processes."""

from __future__ import annotations

from msgspec import Struct

from conformance.problems import Problem
from reports.model import Finding, RulingResult
from strategies import Duel


class Search(Struct, frozen=True, kw_only=True):
    """Play ``examples`` random duels.

    ``number``   counts the searches of a run, in the order in which their findings take precedence
    ``focus``    id of the rule that is to be at stake; None: any
    ``seconds``  stop after so long, however many duels that were
    ``probe_every``  so-manieth duels are also checked for what no single trace shows; 0: none
    """

    number: int
    focus: str | None
    seed: int
    examples: int
    seconds: float | None = None
    probe_every: int = 16


class Shrink(Struct, frozen=True, kw_only=True):
    """Make the duel that ``search`` found for the problem with this key as small as can be, within so many seconds."""

    key: str
    search: Search
    duel: Duel
    seconds: float


class JudgeRulings(Struct, frozen=True, kw_only=True):
    """Play these examples of the documents (names of files in the corpus)."""

    names: tuple[str, ...]


Job = Search | Shrink | JudgeRulings


class Playing(Struct, frozen=True, kw_only=True):
    """This duel is played next: told only when a worker has died before, to know what it died of."""

    duel: Duel


class Counted(Struct, frozen=True, kw_only=True):
    """More duels have been played. ``draws`` counts the discarded ones too; ``failures`` by the key of the problem."""

    examples: int
    draws: int
    at_stake: dict[str, int]
    failures: dict[str, int]
    unsupported: int


class Found(Struct, frozen=True, kw_only=True):
    """A duel that shows a problem, for the first time in this search."""

    problem: Problem
    duel: Duel
    finding: Finding


class Shrunk(Struct, frozen=True, kw_only=True):
    """The smallest duel for a problem."""

    key: str
    finding: Finding


class Judged(Struct, frozen=True, kw_only=True):
    """What an example of the documents says."""

    result: RulingResult


class Done(Struct, frozen=True, kw_only=True):
    """The job is finished. ``cut``: why before its time, if so."""

    cut: str | None = None


class EngineLost(Struct, frozen=True, kw_only=True):
    """The engine could not be started again; the worker gives up."""

    reason: str


class Broken(Struct, frozen=True, kw_only=True):
    """The worker itself is broken: a fault of duelproof, with its traceback."""

    traceback: str


Message = Playing | Counted | Found | Shrunk | Judged | Done | EngineLost | Broken
