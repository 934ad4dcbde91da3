"""What an oracle is: one monitor for one rule of the catalogue.

An oracle names the events it wants by its methods. ``on_moved(event, view)`` is called after the view has taken a ``moved``
event in, ``before_moved(event, view)`` while the view still is as it was; likewise for every event, by its name with underscores.
``on_priority``, ``on_action``, ``on_response`` … get the ``decided`` events of that decision kind only (folding them changes
nothing but the record of passes), ``on_offer`` those that offer at least one activation, while the view still is as it was when
the player was asked. ``on_end(view)`` is called once after the last event, unless the trace is broken. An oracle that has not
subscribed to an event costs nothing when it happens, and :func:`at`, :func:`between`, :func:`while_resolving` and
:func:`if_armed` narrow a subscription.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any, ClassVar, Literal, TypeVar

from msgspec import Struct

from engine_protocol.events import TimingBegan
from engine_protocol.rulesets import RULESETS, lineage
from engine_protocol.vocabulary import Timing
from oracles.view import View

Severity = Literal["must", "should"]
"""``must``: the ruleset's own document says it; ``should``: it is inherited, or only implied."""

Citation = tuple[str, str]
"""A document's key (:mod:`engine_protocol.documents`) and the section in it."""


def severities(
    citations: Iterable[Citation],
    implied_by: Collection[str] = (),
    *,
    everywhere: bool = False,
    until: Collection[str] = (),
) -> dict[str, Severity]:
    """How each ruleset has a rule.

    ``must`` where one of its own documents says it; ``should`` where one only implies it, where a document of a ruleset that it
    inherits from has it, or for a rule of the game at any time. Other rulesets do not have the rule, nor do those with a document
    ``until`` which it held, and their heirs.
    """
    cited = {document for document, _ in citations}
    severity: dict[str, Severity] = {}
    for ruleset in RULESETS.values():
        if any(set(until).intersection(ancestor.documents) for ancestor in lineage(ruleset)):
            continue
        if (cited - set(implied_by)).intersection(ruleset.documents):
            severity[ruleset.name] = "must"
        elif everywhere or any(cited.intersection(ancestor.documents) for ancestor in lineage(ruleset)):
            severity[ruleset.name] = "should"
    return severity


class Violation(Struct, frozen=True):
    """One breach of a rule.

    ``at``     index into ``trace.events`` of the event at which it shows
    ``cards``  instance ids of the cards concerned
    """

    rule: str
    at: int
    expected: str
    happened: str
    cards: tuple[int, ...] = ()


class Rule(Struct, frozen=True, kw_only=True):
    """A rule of the catalogue.

    ``statement``  in our own words
    ``citations``  where the documents say it
    ``severity``   by ruleset; a ruleset that is missing does not have the rule
    ``undecided``  by ruleset, why its documents leave the rule open: neither answer is wrong there
    ``needs``      abilities and card categories without which it can never be at stake
    ``by_trace``   a single trace shows it; otherwise it takes the live engine or several runs
    """

    id: str
    title: str
    statement: str
    citations: tuple[Citation, ...]
    severity: dict[str, Severity]
    undecided: dict[str, str] = {}
    needs: tuple[str, ...] = ()
    by_trace: bool = True


Method = TypeVar("Method", bound=Callable[..., Any])


def at(*timings: Timing) -> Callable[[Method], Method]:
    """Narrow a handler of ``timing-began`` or of decisions to these timings: those that begin, or in which is decided."""

    def narrowed(method: Method) -> Method:
        method.__dict__["timings"] = frozenset(timings)
        return method

    return narrowed


def between(passage: Callable[[Timing | None, Timing], bool]) -> Callable[[Method], Method]:
    """Narrow a handler of ``timing-began`` to some passages: from the timing before (None: there is none) to the one that begins.

    The panel asks once for each pair, so the answer may hang on nothing else.
    """

    def narrowed(method: Method) -> Method:
        method.__dict__["passage"] = passage
        return method

    return narrowed


def leaving(*timings: Timing) -> Callable[[Method], Method]:
    """Narrow a handler of ``timing-began`` to those that follow one of these timings."""
    left = frozenset(timings)
    return between(lambda before, _after: before in left)


def while_resolving(method: Method) -> Method:
    """Narrow a handler ``before_decided`` to what is decided while a chain resolves."""
    method.__dict__["while_resolving"] = True
    return method


def if_armed(method: Method) -> Method:
    """Narrow a handler of a decision kind to players who have a card that could start or join a chain in the Battle Phase
    (:func:`oracles.legality.quick_candidates`).
    """
    method.__dict__["if_armed"] = True
    return method


class Watcher:
    """Follows traces on behalf of several oracles, so that what they all need is worked out once. It listens as an oracle does,
    before they do. The panel makes one of each class that its oracles name and sets ``listeners`` to those oracles.
    """

    listeners: tuple[Any, ...] = ()

    def begin(self, view: View) -> None:
        """Forget everything and follow this trace."""


class Docket:
    """What the oracles of a panel share: the view of the trace at hand, and which of them have had something to say of it.

    ``waiting``  what is to be called once, before the next ``timing-began`` is folded
    """

    __slots__ = ("marked", "view", "waiting")

    view: View

    def __init__(self) -> None:
        self.marked: list[Oracle] = []
        self.waiting: list[Callable[[TimingBegan, View], None]] = []

    def begin(self, view: View) -> None:
        """Forget everything and turn to this trace."""
        self.view = view
        for oracle in self.marked:
            oracle.stakes = 0
            oracle.violation = None
        self.marked.clear()
        self.waiting.clear()


class Oracle:
    """Base of all oracles. One instance watches many traces, one after the other; :class:`Docket` makes it forget the last, and
    :meth:`prepare` what the oracle remembers itself.

    ``implied_by``  cited documents that only imply the rule
    ``everywhere``  it is a rule of the game at any time: rulesets whose documents do not have it should keep it all the same
    ``until``       documents that have something else instead
    ``undecided``   by ruleset, why its documents leave the rule open: it is not judged there
    """

    id: ClassVar[str]
    title: ClassVar[str]
    statement: ClassVar[str]
    citations: ClassVar[tuple[Citation, ...]]
    implied_by: ClassVar[frozenset[str]] = frozenset()
    everywhere: ClassVar[bool] = False
    until: ClassVar[frozenset[str]] = frozenset()
    undecided: ClassVar[dict[str, str]] = {}
    needs: ClassVar[tuple[str, ...]] = ()
    watchers: ClassVar[tuple[type[Watcher], ...]] = ()

    def __init__(self, docket: Docket) -> None:
        self.docket = docket
        self.stakes = 0
        self.violation: Violation | None = None

    def prepare(self) -> None:
        """For oracles with a memory of their own: set it up here. Called at the beginning of each trace."""

    def on_end(self, view: View) -> None:
        """The trace is over, and was not broken."""

    def stake(self) -> None:
        """The rule is at stake: a wrong engine could have broken it here."""
        if not self.stakes and self.violation is None:
            self.docket.marked.append(self)
        self.stakes += 1

    def at_next_timing(self, what: Callable[[TimingBegan, View], None]) -> None:
        """Have this called once, when the next timing begins, with the view as it was before: for what is seldom waited for."""
        self.docket.waiting.append(what)

    def fail(self, *, expected: str, happened: str, cards: tuple[int, ...] = (), at: int | None = None) -> None:
        """Report a breach at the current event, or at an earlier one. Only the first of a trace is kept."""
        if self.violation is None:
            if not self.stakes:
                self.docket.marked.append(self)
            self.violation = Violation(self.id, self.docket.view.at if at is None else at, expected, happened, cards)

    @classmethod
    def rule(cls) -> Rule:
        """What it checks, as data."""
        return Rule(
            id=cls.id,
            title=cls.title,
            statement=cls.statement,
            citations=cls.citations,
            severity=severities(cls.citations, cls.implied_by, everywhere=cls.everywhere, until=cls.until),
            undecided=cls.undecided,
            needs=cls.needs,
        )
