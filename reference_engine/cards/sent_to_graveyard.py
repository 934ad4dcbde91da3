"""Monsters whose Triggers ask why they were sent to the Graveyard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine_protocol.cards import Filter
from engine_protocol.decisions import Option
from reference_engine.behaviour import CardBehaviour, Effect
from reference_engine.cards.pieces import card, opponent_of, targets
from reference_engine.destruction import destroy
from reference_engine.filters import select, summonable

if TYPE_CHECKING:
    from engine_protocol.vocabulary import Player
    from reference_engine.behaviour import Flow
    from reference_engine.card import Card
    from reference_engine.chain import Link
    from reference_engine.duel import Duel
    from reference_engine.occurrences import Occurrence

_ARCHFIENDS = Filter(side="you", zones=("deck",), name="Archfiend")
_EFFECTS = frozenset({"destroyed-by-effect", "sent-by-effect"})


def archfiends(duel: Duel, source: Card, player: Player) -> list[Card]:
    """The Archfiend cards in the player's Deck, but for those of the same name."""
    return [found for found in select(duel, _ARCHFIENDS, player, source) if found.facts.name != source.facts.name]


def lost_and_has_archfiends(duel: Duel, source: Card, player: Player, occurrence: Occurrence | None) -> bool:
    """Archfiend Heiress: sent by an effect, or destroyed by battle, and not as a cost; and there is a card to add."""
    if occurrence is None or not archfiends(duel, source, player):
        return False
    discarded = occurrence.reason == "discarded" and occurrence.effect_of is not None
    return occurrence.by_battle or discarded or occurrence.reason in _EFFECTS


def add_archfiend(duel: Duel, link: Link) -> Flow:
    """Archfiend Heiress: add one to the hand."""
    found = archfiends(duel, link.card, link.player)
    if found:
        option = yield from duel.ask(link.player, "choice", tuple(duel.card_option(other) for other in found), link.card.id)
        duel.begin_moment()
        duel.move(duel.card_of(option), link.player, "hand", "added-by-effect")


def discarded_by_effect(duel: Duel, source: Card, _: Player, occurrence: Occurrence | None) -> bool:
    """Grapha: not as a cost."""
    return occurrence is not None and occurrence.reason == "discarded" and occurrence.effect_of is not None


def destroy_and_take(duel: Duel, link: Link) -> Flow:
    """Grapha: destroy the target; then, if the opponent's effect discarded it, a random card of their hand is looked at (the
    board's seed decides which), and if that is a monster, it may be Special Summoned.
    """
    destroyed = yield from destroy(duel, targets(duel, link), link.card)
    opponents = link.occurrence is not None and link.occurrence.effect_of == opponent_of(link)
    hand = duel.rows[opponent_of(link)]["hand"]
    if not (destroyed and opponents and hand):
        return
    seen = hand[duel.board.seed % len(hand)]
    if seen.facts.type == "monster" and summonable([seen]) and duel.free_places(link.player, "monster-zone"):
        takes = yield from duel.ask(link.player, "choice", (Option("no"), Option("yes")), link.card.id)
        if takes.kind == "yes":
            duel.special_summon(seen, link.player, "face-up-attack")


BEHAVIOURS = {
    "Archfiend Heiress": card(e1=Effect(add_archfiend, lost_and_has_archfiends)),
    "Grapha, Dragon Lord of Dark World": CardBehaviour({2: Effect(destroy_and_take, discarded_by_effect)}),
}
