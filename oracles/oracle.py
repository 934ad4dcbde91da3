"""What an oracle is: one monitor for one rule of the catalogue.

An oracle names the events it wants by its methods. ``on_moved(event, view)`` is called after the view has taken a ``moved``
event in, ``before_moved(event, view)`` while the view still is as it was; likewise for every event, by its name with underscores.
``on_priority``, ``on_action``, ``on_response`` … get the ``decided`` events of that decision kind only (folding them changes
nothing but the record of passes), ``on_offer`` those that offer at least one activation, while the view still is as it was when
the player was asked. ``on_end(view)`` is called once after
the last event, unless the trace is broken. An oracle that has not subscribed to an event costs nothing when it happens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar, Final, Literal, get_args

from msgspec import Struct

from engine_protocol.decisions import DecisionKind
from engine_protocol.events import Decided
from oracles.view import EVENT_TYPES, View

Severity = Literal["must", "should"]
"""``must``: the ruleset's own document says it; ``should``: it is inherited, or only implied."""

MUST: Final[dict[str, Severity]] = {"ocg-2023": "must"}
SHOULD: Final[dict[str, Severity]] = {"ocg-2023": "should"}

Citation = tuple[str, str]
"""A document's key (:mod:`engine_protocol.documents`) and the section in it."""

DECISION_KINDS: tuple[DecisionKind, ...] = get_args(DecisionKind)


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
    ``needs``      abilities and card categories without which it can never be at stake
    ``by_trace``   a single trace shows it; otherwise it takes the live engine or several runs
    """

    id: str
    title: str
    statement: str
    citations: tuple[Citation, ...]
    severity: dict[str, Severity]
    needs: tuple[str, ...] = ()
    by_trace: bool = True


class Oracle:
    """Base of all oracles. A fresh one watches each trace."""

    id: ClassVar[str]
    title: ClassVar[str]
    statement: ClassVar[str]
    citations: ClassVar[tuple[Citation, ...]]
    severity: ClassVar[dict[str, Severity]] = MUST
    needs: ClassVar[tuple[str, ...]] = ()

    def __init__(self, view: View) -> None:
        self.view = view
        self.stakes = 0
        self.violation: Violation | None = None
        self.prepare()

    def prepare(self) -> None:
        """For oracles with a memory of their own: set it up here."""

    def stake(self) -> None:
        """The rule is at stake: a wrong engine could have broken it here."""
        self.stakes += 1

    def fail(self, *, expected: str, happened: str, cards: tuple[int, ...] = (), at: int | None = None) -> None:
        """Report a breach at the current event, or at an earlier one. Only the first of a trace is kept."""
        if self.violation is None:
            self.violation = Violation(self.id, self.view.at if at is None else at, expected, happened, cards)

    @classmethod
    def rule(cls) -> Rule:
        """What it checks, as data."""
        return Rule(
            id=cls.id,
            title=cls.title,
            statement=cls.statement,
            citations=cls.citations,
            severity=cls.severity,
            needs=cls.needs,
        )


Subscription = tuple[str, Literal["before", "on", "decision", "offer", "end"], Any]
"""A method's name, when it is called, and for what: an event class or a decision kind."""

Handler = Callable[[Any, View], None]


_subscriptions: dict[type[Oracle], tuple[Subscription, ...]] = {}


def subscriptions(oracle: type[Oracle]) -> tuple[Subscription, ...]:
    """What an oracle listens to, read off its methods.

    Raises:
        TypeError: a method is named like a subscription, but there is no such event or decision.
    """
    known = _subscriptions.get(oracle)
    if known is None:
        known = _subscriptions[oracle] = tuple(_listens_to(oracle))
    return known


def _listens_to(oracle: type[Oracle]) -> Iterator[Subscription]:
    events = {_snake(event.__name__): event for event in EVENT_TYPES}
    decisions = {kind.replace("-", "_"): kind for kind in DECISION_KINDS}
    for name in dir(oracle):
        when, _, what = name.partition("_")
        if when == "before" and what in events:
            yield (name, "before", events[what])
        elif when == "on" and what in events:
            yield (name, "on", events[what])
        elif when == "on" and what in decisions:
            yield (name, "decision", decisions[what])
        elif name == "on_offer":
            yield (name, "offer", None)
        elif name == "on_end":
            yield (name, "end", None)
        elif when in {"before", "on"}:
            raise TypeError(f"{oracle.__name__}.{name}: there is no such event or decision")


def _snake(name: str) -> str:
    return "".join("_" + char.lower() if char.isupper() else char for char in name).lstrip("_")


class Dispatch:
    """Who hears of what, for the oracles of one trace."""

    __slots__ = ("before", "decisions", "ends", "offers", "on")

    def __init__(self, oracles: list[Oracle]) -> None:
        self.before: dict[type, list[Handler]] = {}
        self.on: dict[type, list[Handler]] = {}
        self.decisions: dict[str, list[Handler]] = {}
        self.offers: list[Handler] = []
        self.ends: list[Callable[[View], None]] = []
        for oracle in oracles:
            for name, when, what in subscriptions(type(oracle)):
                method = getattr(oracle, name)
                if when == "on":
                    self.on.setdefault(what, []).append(method)
                elif when == "before":
                    self.before.setdefault(what, []).append(method)
                elif when == "decision":
                    self.decisions.setdefault(what, []).append(method)
                elif when == "offer":
                    self.offers.append(method)
                else:
                    self.ends.append(method)

    def feed(self, view: View) -> None:
        """Fold the whole trace, calling everybody. Raises what :meth:`View.check` raises."""
        before, on, decisions, offers, none = self.before, self.on, self.decisions, self.offers, ()
        for at, event in enumerate(view.events):
            view.at = at
            kind = type(event)
            view.check(event)
            for method in before.get(kind, none):
                method(event, view)
            if isinstance(event, Decided):
                decision = event.decision
                if offers and any(option.kind == "activate" for option in decision.options):
                    for method in offers:
                        method(event, view)
                view.fold(event)
                for method in decisions.get(decision.kind, none):
                    method(event, view)
            else:
                view.fold(event)
            for method in on.get(kind, none):
                method(event, view)
        for end in self.ends:
            end(view)
