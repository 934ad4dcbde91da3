"""What an engine promises about decisions beyond what types can say.

A decision with one option is never asked but taken and reported as forced, the chosen option is one of those offered, and an
asked decision is not repeated among the events that follow it.
"""

from __future__ import annotations

from engine_protocol.engine import Progress
from engine_protocol.events import Decided, Event


def broken_in_progress(progress: Progress) -> str | None:
    """The first promise that an answer to ``start`` or ``choose`` breaks, as a clause, or None."""
    for number, event in enumerate(progress.events):
        if type(event) is Decided:
            if not event.forced:
                return f"events[{number}] repeats a decision that was asked; only forced ones are reported here"
            if (broken := _broken_by(event)) is not None:
                return f"events[{number}] {broken}"
    if progress.decision is not None and len(progress.decision.options) < 2:
        return "the open decision has a single option; take it, and report it as a forced 'decided' event"
    return None


def broken_in_duel(events: tuple[Event, ...]) -> str | None:
    """The first promise that an answer to ``play`` breaks, as a clause, or None."""
    for number, event in enumerate(events):
        if type(event) is Decided and (broken := _broken_by(event)) is not None:
            return f"events[{number}] {broken}"
    return None


def _broken_by(event: Decided) -> str | None:
    options = len(event.decision.options)
    if not 0 <= event.chosen < options:
        return f"says that option {event.chosen} was chosen of {options} (they count from 0)"
    if event.forced != (options == 1):
        return f"is {'' if event.forced else 'not '}marked as forced with {options} option{'s' if options > 1 else ''}"
    return None
