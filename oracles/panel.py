"""A panel: oracles that watch traces together, each hearing only of what it has asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, Literal, get_args

from engine_protocol.decisions import Decision, DecisionKind
from engine_protocol.events import Decided, TimingBegan
from engine_protocol.vocabulary import TIMINGS, Timing
from oracles.legality import quick_candidates
from oracles.oracle import Docket, Oracle, Watcher
from oracles.view import View

Handler = Callable[[Any, View], None]
Handlers = tuple[Handler, ...]
When = Literal["before", "on", "decision", "offer"]

Subscription = tuple[str, When, Any]
"""A method's name, when it is called, and for what: an event class or a decision kind."""

Heard = dict[tuple[When, Any], list[Handler]]
"""The handlers by when they are called, and for what."""

DECISION_KINDS: Final[tuple[DecisionKind, ...]] = get_args(DecisionKind)
_EVERY_TIMING: Final[frozenset[Timing]] = frozenset(TIMINGS)


def subscriptions(oracle: type[Oracle | Watcher]) -> Iterator[Subscription]:
    """What an oracle or a watcher listens to, read off its methods.

    Raises:
        TypeError: a method is named like a subscription, but there is no such event or decision.
    """
    events, decisions = _EVENTS, _DECISIONS
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


_EVENTS: Final = {_snake(event.__name__): event for event in View.FOLDS}
_DECISIONS: Final = {kind.replace("-", "_"): kind for kind in DECISION_KINDS}


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


class _Chance:
    """Who hears of the decisions of one kind at one timing.

    ``before``    before the decision is folded; ``resolving``: only while a chain resolves
    ``offers``    before it is folded, if it offers an activation
    ``after``     after it is folded; ``armed``: only if the player has something that could start or join a chain
    """

    __slots__ = ("after", "armed", "before", "offers", "resolving")

    def __init__(self, heard: Heard, kind: DecisionKind, timing: Timing) -> None:
        def handlers(when: When, what: Any) -> list[Handler]:
            return [method for method in heard.get((when, what), ()) if timing in getattr(method, "timings", _EVERY_TIMING)]

        self.before, self.resolving = _told_apart(handlers("before", Decided), "while_resolving")
        self.offers = tuple(handlers("offer", None))
        after, self.armed = _told_apart(handlers("decision", kind), "if_armed")
        self.after = after + tuple(handlers("on", Decided))


def _told_apart(methods: list[Handler], mark: str) -> tuple[Handlers, Handlers]:
    """Those that do not bear the mark, and those that do."""
    return (
        tuple(method for method in methods if not hasattr(method, mark)),
        tuple(method for method in methods if hasattr(method, mark)),
    )


class _Passages(dict[tuple[Timing | None, Timing], tuple[Handlers, Handlers]]):
    """Who hears, before and after it is folded, that one timing gives way to another; worked out at the first of its kind."""

    def __init__(self, heard: Heard) -> None:
        super().__init__()
        self._heard = heard

    def __missing__(self, passage: tuple[Timing | None, Timing]) -> tuple[Handlers, Handlers]:
        def hears(method: Handler) -> bool:
            allows = getattr(method, "passage", None)
            return passage[1] in getattr(method, "timings", _EVERY_TIMING) and (allows is None or allows(*passage))

        before, on = (self._heard.get((when, TimingBegan), ()) for when in ("before", "on"))
        found = self[passage] = (tuple(filter(hears, before)), tuple(filter(hears, on)))
        return found


class Panel:
    """Oracles and who of them hears of what. Made once for a choice of rules, used for one trace at a time.

    ``docket``            which oracles have had something to say of the last trace
    ``nothing_at_stake``  0 for the rule of every oracle
    """

    __slots__ = ("_chances", "_ends", "_events", "_passages", "_prepares", "_watchers", "docket", "nothing_at_stake", "oracles")

    def __init__(self, oracles: tuple[type[Oracle], ...]) -> None:
        self.docket = Docket()
        self.oracles = tuple(oracle(self.docket) for oracle in oracles)
        self.nothing_at_stake = {oracle.id: 0 for oracle in self.oracles}
        self._watchers = _watchers_of(self.oracles)
        listeners: tuple[Oracle | Watcher, ...] = (*self._watchers, *self.oracles)
        heard: Heard = {}
        for listener in listeners:
            for name, when, what in subscriptions(type(listener)):
                heard.setdefault((when, what), []).append(getattr(listener, name))
        self._events = {
            event: (View.CHECKS.get(event), tuple(heard.get(("before", event), ())), fold, tuple(heard.get(("on", event), ())))
            for event, fold in View.FOLDS.items()
        }
        # Half of all events are decisions and every tenth is a timing: these two are told apart further.
        self._passages = _Passages(heard)
        self._chances = {timing: {kind: _Chance(heard, kind, timing) for kind in DECISION_KINDS} for timing in TIMINGS}
        self._prepares = tuple(oracle.prepare for oracle in self.oracles if type(oracle).prepare is not Oracle.prepare)
        self._ends = tuple(oracle.on_end for oracle in self.oracles if type(oracle).on_end is not Oracle.on_end)

    def watch(self, view: View) -> None:
        """Fold the whole trace, telling everybody.

        Raises:
            BrokenTrace: an event speaks of something that does not exist; what came before it has been judged.
        """
        docket, events, passages, chances = self.docket, self._events, self._passages, self._chances
        docket.begin(view)
        for watcher in self._watchers:
            watcher.begin(view)
        for prepare in self._prepares:
            prepare()
        check_decided, fold_decided = View.CHECKS[Decided], View.FOLDS[Decided]
        for at, event in enumerate(view.events):
            view.at = at
            if isinstance(event, Decided):
                decision = event.decision
                chance = chances[decision.timing][decision.kind]
                # Most decisions leave nothing but to pass.
                options = decision.options
                forced = len(options) == 1 and options[0].kind == "pass"
                if not forced or event.chosen or options[0].card is not None or decision.source is not None:
                    check_decided(view, event)
                for method in chance.before:
                    method(event, view)
                if view.chain_resolving:
                    for method in chance.resolving:
                        method(event, view)
                if not forced and chance.offers and offers_activation(decision):
                    for method in chance.offers:
                        method(event, view)
                fold_decided(view, event)
                for method in chance.after:
                    method(event, view)
                if chance.armed:
                    arms = view.arms[decision.player]
                    if arms or (arms is None and quick_candidates(view, decision.player)):
                        for method in chance.armed:
                            method(event, view)
                continue
            check, before, fold, on = events[type(event)]
            if isinstance(event, TimingBegan):
                before, on = passages[view.timing, event.timing]
                if docket.waiting:
                    waiting, docket.waiting = docket.waiting, []
                    for method in waiting:
                        method(event, view)
            elif check is not None:
                check(view, event)
            for method in before:
                method(event, view)
            fold(view, event)
            for method in on:
                method(event, view)
        for end in self._ends:
            end(view)
