"""The Six Samurai: each may let another one be destroyed instead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine_protocol.cards import Filter
from reference_engine.behaviour import CardBehaviour, Effect
from reference_engine.cards.pieces import condition, destroy_opposing, does
from reference_engine.destruction import another
from reference_engine.filters import select

if TYPE_CHECKING:
    from engine_protocol.vocabulary import Player
    from reference_engine.behaviour import Flow
    from reference_engine.card import Card
    from reference_engine.chain import Link
    from reference_engine.duel import Duel

_SAMURAI = Filter(side="you", face="up", name="Six Samurai")


def has_comrade(duel: Duel, source: Card, player: Player) -> bool:
    """Whether the player controls a face-up Six Samurai with another name."""
    return any(other.facts.name != source.facts.name for other in select(duel, _SAMURAI, player, source))


def attacks_with_comrade(duel: Duel, source: Card, player: Player) -> bool:
    """Whether this card attacked a monster that is still there, and has a comrade."""
    attack = duel.attack
    if attack is None or attack.attacker is not source or attack.target is None:
        return False
    return attack.involves(attack.target) and has_comrade(duel, source, player)


def attacks_face_down_with_comrade(duel: Duel, source: Card, player: Player) -> bool:
    """Whether this card attacks a face-down monster, and has a comrade."""
    return attacks_with_comrade(duel, source, player) and duel.attack is not None and duel.attack.face_down


def destroy_with_comrade(duel: Duel, link: Link) -> Flow:
    """Destroy the attacked monster, if the comrade is still there."""
    if has_comrade(duel, link.card, link.player):
        yield from destroy_opposing(duel, link)


def samurai(effects: dict[int, Effect] | None = None) -> CardBehaviour:
    """One of the Six Samurai."""
    return CardBehaviour(effects or {}, replacement=another(_SAMURAI))


BEHAVIOURS = {
    "The Six Samurai - Zanji": samurai({1: Effect(does(destroy_with_comrade), condition(attacks_with_comrade))}),
    "The Six Samurai - Irou": samurai({1: Effect(does(destroy_with_comrade), condition(attacks_face_down_with_comrade))}),
    "The Six Samurai - Yaichi": samurai(),
    "The Six Samurai - Kamon": samurai(),
}
