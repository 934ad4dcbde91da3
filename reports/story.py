"""A duel told so that a duelist can follow it: the board, each choice in its window, what came of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine_protocol.cards import CardFacts
from engine_protocol.events import Activated, ChainEnded, Decided, Event, TimingBegan
from engine_protocol.trace import Trace
from engine_protocol.vocabulary import PLAYER_NAMES, TIMING_NAMES, Timing
from reports.board_text import board_lines
from reports.cast import Cast, joined
from reports.words import event_words, option_words


def tell(trace: Trace, pool: Mapping[int, CardFacts], until: int | None = None) -> str:
    """The duel in plain text, several lines.

    ``until`` is the index of the event at which something went wrong: the story stops there, and if it is a decision, says what
    was on offer.
    """
    cast = Cast(trace, pool)
    board, events = "\n".join(board_lines(trace.board, cast)), "\n".join(_Teller(trace, cast).lines(until))
    return f"{board}\n\n{events}" if events else board


class _Teller:
    """Goes through a trace once. A window is named when the first thing worth telling happens in it."""

    def __init__(self, trace: Trace, cast: Cast) -> None:
        self._trace = trace
        self._cast = cast
        self._timing: Timing = "start-step"
        self._named: Timing | None = None
        self._links: dict[int, int] = {}
        self._chosen: int | None = None
        self._choices = 0

    def lines(self, until: int | None) -> Iterator[str]:
        last = len(self._trace.events) - 1 if until is None else min(until, len(self._trace.events) - 1)
        for at, event in enumerate(self._trace.events[: last + 1]):
            words = self._words(event)
            if words is not None:
                yield from self._window()
                yield words
            if until is not None and at == until:
                yield from self._window()
                yield from self._offer(event)
                yield "  ^ here"

    def _window(self) -> Iterator[str]:
        if self._named != self._timing:
            self._named = self._timing
            yield f"[{TIMING_NAMES[self._timing]}]"

    def _words(self, event: Event) -> str | None:
        match event:
            case TimingBegan():
                self._timing, self._named = event.timing, None
                return None
            case Decided():
                return self._choice(event)
            case Activated():
                self._links[event.link] = event.card
                if event.card == self._chosen and not event.targets:
                    return None
            case ChainEnded():
                self._links.clear()
        words = event_words(event, self._cast, self._links)
        return None if words is None else f"     {words}"

    def _choice(self, event: Decided) -> str | None:
        option = event.decision.options[event.chosen] if event.chosen < len(event.decision.options) else None
        self._chosen = None
        if option is None or event.forced or not event.chosen:
            return None
        self._chosen = option.card if option.kind == "activate" else None
        self._choices += 1
        return f"  {self._choices}. {PLAYER_NAMES[event.decision.player]} {option_words(event.decision, option, self._cast)}"

    def _offer(self, event: Event) -> Iterator[str]:
        if isinstance(event, Decided):
            decision = event.decision
            options = tuple(option_words(decision, option, self._cast) for option in decision.options)
            chain = f" in answer to Chain Link {decision.chain}" if decision.chain else ""
            yield f"     On offer{chain}: {PLAYER_NAMES[decision.player]} {joined(options, 'or')}"
