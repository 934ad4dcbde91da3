"""Cards whose effects perform damage calculation (EC)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from reference_engine.behaviour import Effect
from reference_engine.cards.pieces import card, face_up_targets, has_free_zone, this_if_there
from reference_engine.inner_battle import fight

if TYPE_CHECKING:
    from reference_engine.behaviour import Flow
    from reference_engine.chain import Link
    from reference_engine.duel import Duel


def borrow_a_target(duel: Duel, link: Link) -> Flow:
    """Magical Arm Shield: take control of the target until the end of the Battle Phase; it is attacked instead."""
    for target in face_up_targets(duel, link):
        if duel.borrow(target, link.player):
            yield from fight(duel, target)


def summon_and_fight(duel: Duel, link: Link) -> Flow:
    """Construction Train Signal Red: from the hand, to be attacked instead; this battle does not destroy it."""
    train = link.card
    if train.zone == "hand" and duel.special_summon(train, link.player, "face-up-attack"):
        yield from fight(duel, train, protected=True)


def turn_and_fight(duel: Duel, link: Link) -> Flow:
    """Gagaga Samurai: to face-up Defense Position, to be attacked instead."""
    for samurai in this_if_there(link):
        if samurai.in_attack_position and not samurai.determined:
            duel.change_position(samurai, "face-up-defense", "effect")
            yield from fight(duel, samurai)


def revive_and_fight(duel: Duel, link: Link) -> Flow:
    """Decoy Dragon: a big Dragon returns from the Graveyard to be attacked instead."""
    for dragon in link.standing_targets():
        if dragon.zone == "graveyard" and duel.special_summon(dragon, link.player, "face-up-attack"):
            yield from fight(duel, dragon)


BEHAVIOURS = {
    "Magical Arm Shield": card(e1=Effect(borrow_a_target, has_free_zone)),
    "Construction Train Signal Red": card(e1=Effect(summon_and_fight, has_free_zone)),
    "Gagaga Samurai": card(e2=turn_and_fight),
    "Decoy Dragon": card(e1=Effect(revive_and_fight, has_free_zone)),
}
