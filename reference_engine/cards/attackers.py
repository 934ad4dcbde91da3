"""Monsters that attack in a way of their own, and cards that meet them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_engine.behaviour import CardBehaviour, Effect
from reference_engine.cards.pieces import card, condition, destroy_targets, does, opposing_monster, stay

if TYPE_CHECKING:
    from engine_protocol.vocabulary import Player
    from reference_engine.card import Card
    from reference_engine.chain import Link
    from reference_engine.duel import Duel


def target_survived(duel: Duel, source: Card, _: Player) -> bool:
    """Blue-Eyes Twin Burst Dragon: whether the monster that it attacked is still there."""
    attack = duel.attack
    return attack is not None and attack.attacker is source and attack.target is not None and attack.involves(attack.target)


def banish_survivor(duel: Duel, link: Link) -> None:
    """Banish it."""
    duel.banish(opposing_monster(duel, link))


BEHAVIOURS = {
    "Blue-Eyes Twin Burst Dragon": CardBehaviour(
        {3: Effect(does(banish_survivor), condition(target_survived))}, attacks_on_monsters=2
    ),
    "Tyrant Burst Dragon": CardBehaviour(attacks_each=True),
    "Spear Dragon": CardBehaviour(marks=frozenset({"turns-to-defense-after-battle"})),
    "Goblin Attack Force": CardBehaviour(marks=frozenset({"turns-to-defense-in-the-end"})),
    "Michizure": card(e1=does(destroy_targets)),
    "Skill Drain": CardBehaviour({1: Effect(does(stay))}, marks=frozenset({"negates-the-field"})),
}
