"""Subterror monsters, which are turned face-down also in the Damage Step (DS-7)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine_protocol.cards import Filter
from reference_engine.behaviour import Effect
from reference_engine.cards.pieces import (
    card,
    condition,
    does,
    face_up_targets,
    negate_activation,
    this_if_there,
    turn_targets_face_down,
)
from reference_engine.filters import select

if TYPE_CHECKING:
    from engine_protocol.vocabulary import Player
    from reference_engine.behaviour import Flow
    from reference_engine.card import Card
    from reference_engine.chain import Link
    from reference_engine.duel import Duel

_IN_DECK = Filter(side="you", zones=("deck",), name="Subterror")


def others_in_deck(duel: Duel, source: Card, player: Player) -> list[Card]:
    """The Subterror cards in the player's Deck, but for those of the same name."""
    return [found for found in select(duel, _IN_DECK, player, source) if found.facts.name != source.facts.name]


def has_other_in_deck(duel: Duel, source: Card, player: Player) -> bool:
    """Whether there is one."""
    return bool(others_in_deck(duel, source, player))


def add_other(duel: Duel, link: Link) -> Flow:
    """Subterror Guru: add one to the hand."""
    found = others_in_deck(duel, link.card, link.player)
    if found:
        option = yield from duel.ask(link.player, "choice", tuple(duel.card_option(other) for other in found), link.card.id)
        duel.begin_moment()
        duel.move(duel.card_of(option), link.player, "hand", "added-by-effect")


def turn_both_face_down(duel: Duel, link: Link) -> None:
    """Subterror Guru: the target, and Guru itself."""
    turned = face_up_targets(duel, link)
    turn_targets_face_down(duel, link)
    for guru in this_if_there(link):
        if turned and guru.face_up:
            duel.change_position(guru, "face-down-defense", "effect")


BEHAVIOURS = {
    "Subterror Fiendess": card(e1=does(negate_activation, turn_targets_face_down), e2=does()),
    "Subterror Guru": card(e1=Effect(add_other, condition(has_other_in_deck)), e2=does(turn_both_face_down)),
}
