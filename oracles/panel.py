"""A panel: oracles that watch traces together, each hearing only of what it has asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, Literal, get_args

from engine_protocol.decisions import Decision, DecisionKind
from engine_protocol.events import Decided, TimingBegan
from engine_protocol.vocabulary import TIMINGS, Timing
from oracles.oracle import Oracle, Watcher
from oracles.view import View

Handler = Callable[[Any, View], None]
Handlers = tuple[Handler, ...]

Subscription = tuple[str, Literal["before", "on", "decision", "offer"], Any]
"""A method's name, when it is called, and for what: an event class or a decision kind."""

DECISION_KINDS: Final[tuple[DecisionKind, ...]] = get_args(DecisionKind)
_EVERY_TIMING: Final[frozenset[Timing]] = frozenset(TIMINGS)


def subscriptions(oracle: type[Oracle | Watcher]) -> Iterator[Subscription]:
    """What an oracle or a watcher listens to, read off its methods.

    Raises:
        TypeError: a method is named like a subscription, but there is no such event or decision.
    """
    events = {_snake(event.__name__): event for event in View.FOLDS}
    decisions = {kind.replace("-", "_"): kind for kind in DECISION_KINDS}
    for name in dir(oracle):
        when, _, what = name.partition("_")
        if name == "on_end":
            continue
        if when == "before" and what in events:
            yield (name, "before", events[what])
        elif when == "on" and what in events:
            yield (name, "on", events[what])
        elif when == "on" and what in decisions:
            yield (name, "decision", decisions[what])
        elif name == "on_offer":
            yield (name, "offer", None)
        elif when in {"before", "on"}:
            raise TypeError(f"{oracle.__name__}.{name}: there is no such event or decision")


def _snake(name: str) -> str:
    return "".join("_" + char.lower() if char.isupper() else char for char in name).lstrip("_")


def offers_activation(decision: Decision) -> bool:
    """Whether some option of the decision is an activation."""
    for option in decision.options:  # noqa: SIM110 -- asked at every decision, and a loop is twice as fast
        if option.kind == "activate":
            return True
    return False


def _watchers_of(oracles: tuple[Oracle, ...]) -> tuple[Watcher, ...]:
    """One watcher of each class that an oracle names, knowing the oracles that name it."""
    classes = dict.fromkeys(watcher for oracle in oracles for watcher in oracle.watchers)
    watchers = []
    for cls in classes:
        watcher = cls()
        watcher.listeners = tuple(oracle for oracle in oracles if cls in oracle.watchers)
        watchers.append(watcher)
    return tuple(watchers)


class Panel:
    """Oracles and who of them hears of what. Made once for a choice of rules, used for one trace at a time."""

    __slots__ = ("_deciding", "_ends", "_events", "_timings", "_watchers", "oracles")

    def __init__(self, oracles: tuple[Oracle, ...]) -> None:
        self.oracles = oracles
        self._watchers = _watchers_of(oracles)
        listeners: tuple[Oracle | Watcher, ...] = (*self._watchers, *oracles)
        heard = [
            (when, what, getattr(listener, name)) for listener in listeners for name, when, what in subscriptions(type(listener))
        ]

        def handlers(when: str, what: object = None, timing: Timing | None = None) -> Handlers:
            return tuple(
                method
                for asked, of, method in heard
                if asked == when and of == what and (timing is None or timing in getattr(method, "timings", _EVERY_TIMING))
            )

        # Half of all events are decisions and every tenth is a timing: these two are told apart by timing, too.
        self._events = {
            event: (View.CHECKS.get(event), handlers("before", event), View.FOLDS[event], handlers("on", event))
            for event in View.FOLDS
        }
        self._timings = {
            timing: (handlers("before", TimingBegan, timing), handlers("on", TimingBegan, timing)) for timing in TIMINGS
        }
        self._deciding = {
            timing: (
                handlers("before", Decided, timing),
                handlers("offer", None, timing),
                {kind: handlers("decision", kind, timing) + handlers("on", Decided, timing) for kind in DECISION_KINDS},
            )
            for timing in TIMINGS
        }
        self._ends = tuple(oracle for oracle in oracles if type(oracle).on_end is not Oracle.on_end)

    def watch(self, view: View) -> None:
        """Fold the whole trace, telling everybody.

        Raises:
            BrokenTrace: an event speaks of something that does not exist; what came before it has been judged.
        """
        for watcher in self._watchers:
            watcher.begin(view)
        for oracle in self.oracles:
            oracle.begin(view)
        events, timings, deciding = self._events, self._timings, self._deciding
        check_decided, fold_decided = View.CHECKS[Decided], View.FOLDS[Decided]
        for at, event in enumerate(view.events):
            view.at = at
            if isinstance(event, Decided):
                decision = event.decision
                check_decided(view, event)
                before, offers, decisions = deciding[decision.timing]
                for method in before:
                    method(event, view)
                if offers and offers_activation(decision):
                    for method in offers:
                        method(event, view)
                fold_decided(view, event)
                for method in decisions[decision.kind]:
                    method(event, view)
                continue
            check, before, fold, on = events[type(event)]
            if isinstance(event, TimingBegan):
                before, on = timings[event.timing]
            elif check is not None:
                check(view, event)
            for method in before:
                method(event, view)
            fold(view, event)
            for method in on:
                method(event, view)
        for oracle in self._ends:
            oracle.on_end(view)
