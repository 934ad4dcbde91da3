"""Cards that answer an activation with a negation (DA-3, DA-11)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine_protocol.cards import Filter
from reference_engine.behaviour import CardBehaviour, Effect
from reference_engine.cards.pieces import (
    card,
    condition,
    damage_opponent,
    destroy_negated,
    does,
    negate_activation,
    negate_effect,
    this_if_there,
)
from reference_engine.filters import select

if TYPE_CHECKING:
    from engine_protocol.vocabulary import Player
    from reference_engine.card import Card
    from reference_engine.chain import Link
    from reference_engine.duel import Duel

_DRAGONS_IN_GRAVEYARD = Filter(side="you", zones=("graveyard",), type="monster", races=("Dragon",))


def is_opponents_turn(duel: Duel, _: Card, player: Player) -> bool:
    """Whether it is the other player's Battle Phase."""
    return player != duel.turn_player


def is_targeted(duel: Duel, source: Card, _: Player) -> bool:
    """Whether the last link targets this card."""
    return bool(duel.chain) and source in duel.chain[-1].standing_targets()


def gain_for_dragons(duel: Duel, source: Card, monster: Card) -> tuple[int, int] | None:
    """Blue-Eyes Shining Dragon: 300 ATK for each Dragon in its player's Graveyard."""
    if monster is not source:
        return None
    return 300 * len(select(duel, _DRAGONS_IN_GRAVEYARD, source.controller, source)), 0


def negate_and_damage(duel: Duel, link: Link) -> None:
    """Photon Strike Bounzer: if the effect was negated, the opponent takes 1000 damage."""
    negate_effect(duel, link)
    damage_opponent(1000)(duel, link)


def negate_if_there(duel: Duel, link: Link) -> None:
    """Ryu Senshi: it has to be face-up still when this resolves."""
    if any(senshi.face_up for senshi in this_if_there(link)):
        negate_effect(duel, link)


def answers_a_normal_card(duel: Duel, source: Card, _: Player) -> bool:
    """Whether the last link is the activation of a Normal Spell or Trap; which of them, the facts say."""
    return bool(duel.chain) and duel.chain[-1].card.facts.property == "normal"


def would_special_summon(duel: Duel, source: Card, _: Player) -> bool:
    """Whether the last link is one that would Special Summon."""
    return bool(duel.chain) and "special-summons" in duel.chain[-1].effect.categories


BEHAVIOURS = {
    "Ryu Senshi": CardBehaviour(
        {1: Effect(does(negate_if_there), condition(answers_a_normal_card))}, marks=frozenset({"negates-spells-on-it"})
    ),
    "Dark Balter the Terrible": CardBehaviour(
        {1: Effect(does(negate_effect), condition(answers_a_normal_card))}, marks=frozenset({"negates-its-victims"})
    ),
    "Photon Strike Bounzer": card(e1=does(negate_and_damage)),
    "Solemn Warning": card(e1=Effect(does(negate_activation, destroy_negated), condition(would_special_summon))),
    "A-Team: Trap Disposal Unit": card(e1=does(negate_activation, destroy_negated)),
    "Maryokutai": card(e1=Effect(does(negate_activation, destroy_negated), condition(is_opponents_turn))),
    "Blue-Eyes Shining Dragon": CardBehaviour({2: Effect(does(negate_effect), condition(is_targeted))}, stats=gain_for_dragons),
}
