"""Reading the options of a decision."""

from __future__ import annotations

from collections.abc import Iterator

from engine_protocol.cards import EffectFacts
from engine_protocol.events import Decided
from oracles.view import Card, View


def activations_on_offer(event: Decided, view: View) -> Iterator[tuple[Card, EffectFacts]]:
    """The activations on offer whose effects are known."""
    for option in event.decision.options:
        if option.kind == "activate" and option.card is not None and option.effect is not None:
            card = view.cards[option.card]
            effect = card.facts.effect(option.effect)
            if effect is not None:
                yield card, effect


def chosen_activation(event: Decided, view: View) -> tuple[Card, EffectFacts] | None:
    """The activation that was chosen, if one was and its effect is known."""
    option = event.decision.options[event.chosen]
    if option.kind != "activate" or option.card is None or option.effect is None:
        return None
    card = view.cards[option.card]
    effect = card.facts.effect(option.effect)
    return None if effect is None else (card, effect)


def may_pass(event: Decided) -> bool:
    """Whether the player may pass."""
    for option in event.decision.options:  # noqa: SIM110 -- asked at most decisions, and a loop is twice as fast
        if option.kind == "pass":
            return True
    return False


def offers(event: Decided, card: Card, effect: EffectFacts) -> bool:
    """Whether this activation is on offer."""
    number = effect.number
    for option in event.decision.options:  # noqa: SIM110 -- a loop is twice as fast
        if option.card == card.id and option.effect == number:
            return True
    return False
