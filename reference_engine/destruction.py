"""Destruction by an effect, where something else may go instead."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import TYPE_CHECKING

from engine_protocol.decisions import Decision, Option
from engine_protocol.events import DestructionReplaced
from reference_engine.filters import select

if TYPE_CHECKING:
    from engine_protocol.cards import Filter
    from reference_engine.behaviour import Replacement
    from reference_engine.card import Card
    from reference_engine.duel import Duel

NO = Option("no")
YES = Option("yes")

Destroying = Generator[Decision, int, "list[Card]"]
"""A stretch that may ask decisions and answers which cards were destroyed."""


def destroy(duel: Duel, cards: Iterable[Card], source: Card) -> Destroying:
    """Destroy cards by an effect, all at once, but for those that something else goes for."""
    doomed = duel.destructible(cards, source)
    substitutes: list[tuple[Card, Card]] = []
    for card in list(doomed):
        substitute = yield from substitute_for(duel, card, (*doomed, *(taken for _, taken in substitutes)))
        if substitute is not None:
            doomed.remove(card)
            substitutes.append((card, substitute))
    destroyed = duel.destroy(doomed, source)
    for card, substitute in substitutes:
        put_in_place(duel, card, substitute)
    return destroyed


def put_in_place(duel: Duel, card: Card, substitute: Card) -> None:
    """Something goes instead of the card: another one, or where it is the card itself one of its Xyz Materials."""
    duel.emit(DestructionReplaced(card.id, substitute.id))
    if substitute is card:
        card.materials = card.materials[1:]
    else:
        duel.destroy([substitute])


def substitute_for(duel: Duel, card: Card, doomed: tuple[Card, ...]) -> Generator[Decision, int, Card | None]:
    """What goes instead of the card, if its controller wants anything to; nothing that is doomed itself (BD-4). Where it is asked
    for a monster determined destroyed, its effect applies unless it is negated.
    """
    replacement = card.behaviour.replacement
    if replacement is None or not (card.active or (card.determined and not card.effects_are_negated)):
        return None
    return (yield from replacement(duel, card, doomed))


def material(duel: Duel, card: Card, _: tuple[Card, ...]) -> Generator[Decision, int, Card | None]:
    """One of the card's Xyz Materials may be detached instead."""
    if not card.materials:
        return None
    option = yield from duel.ask(card.controller, "substitute", (NO, YES), card.id)
    return card if option is YES else None


def another(filter_: Filter) -> Replacement:
    """A card of the same player, another than the one that would be destroyed, may be destroyed instead."""

    def replacement(duel: Duel, card: Card, doomed: tuple[Card, ...]) -> Generator[Decision, int, Card | None]:
        found = [
            other
            for other in select(duel, filter_, card.controller, card)
            if other is not card and other not in doomed and not other.determined
        ]
        if not found:
            return None
        options = (NO, *(duel.card_option(other) for other in found))
        option = yield from duel.ask(card.controller, "substitute", options, card.id)
        return None if option.card is None else duel.cards[option.card]

    return replacement
