"""Spells and Traps that single rulings turn on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine_protocol.cards import Filter
from engine_protocol.vocabulary import SPELL_TRAP_ZONES
from reference_engine.behaviour import CardBehaviour, Effect
from reference_engine.cards.pieces import (
    card,
    change_targets,
    condition,
    destroy_all,
    destroy_negated,
    discard_at_random,
    does,
    draws,
    face_up_targets,
    negate_activation,
    stay,
)
from reference_engine.destruction import destroy
from reference_engine.filters import select
from reference_engine.stats import Modifier

if TYPE_CHECKING:
    from engine_protocol.vocabulary import Player
    from reference_engine.behaviour import Flow
    from reference_engine.card import Card
    from reference_engine.chain import Link
    from reference_engine.duel import Duel

_IN_ATTACK = Filter(side="opponent", position="attack")


def would_destroy_a_monster(duel: Duel, source: Card, _: Player) -> bool:
    """Whether the last link is one that would destroy monsters on the field."""
    if not duel.chain or "destroys" not in duel.chain[-1].effect.categories:
        return False
    target = duel.chain[-1].effect.target
    return target is None or not target.filter.zones or not SPELL_TRAP_ZONES.issuperset(target.filter.zones)


def only_this_one_may_be_attacked(duel: Duel, link: Link) -> None:
    """Rise to Full Height, in the Graveyard: the opponent's monsters may attack only the target for the rest of the turn."""
    for target in link.standing_targets():
        duel.restrict_attacks(target, link.card)


def use_originals_and_negate(duel: Duel, link: Link) -> None:
    """Forbidden Scripture: original ATK and DEF for this damage calculation; other cards' effects are negated."""
    if duel.attack is not None:
        duel.attack.original_values = True
    others = [other for other in duel.cards.values() if other.on_field and other.face_up and other is not link.card]
    duel.grant_to_all(others, "effects-negated", link.card, until="damage-step")


def destroy_the_strongest(duel: Duel, link: Link) -> Flow:
    """Widespread Ruin: the opponent's Attack Position monster with the highest ATK; the player chooses among equals."""
    found = select(duel, _IN_ATTACK, link.player, link.card)
    if found:
        highest = max(monster.atk for monster in found)
        options = tuple(duel.card_option(monster) for monster in found if monster.atk == highest)
        option = yield from duel.ask(link.player, "choice", options, link.card.id)
        yield from destroy(duel, [duel.card_of(option)], link.card)


def gain_its_atk(duel: Duel, link: Link) -> None:
    """Enchanted Javelin."""
    for target in link.standing_targets():
        if target.face_up:
            duel.gain(link.player, target.atk)


def weaken_and_hold(duel: Duel, link: Link) -> None:
    """Shadow Spell: the target loses 700 ATK and cannot attack, while both stay."""
    for target in face_up_targets(duel, link):
        duel.equip(link.card, target)
        duel.modify(target, Modifier("add", link.card, -700, bound=True))
        duel.grant(target, "cannot-attack", link.card, bound=True)


BEHAVIOURS = {
    "My Body as a Shield": card(e1=Effect(does(negate_activation, destroy_negated), condition(would_destroy_a_monster))),
    "Torrential Tribute": card(e1=does(destroy_all(Filter()))),
    "Rise to Full Height": card(e1=does(change_targets("double-def")), e2=does(only_this_one_may_be_attacked)),
    "Forbidden Scripture": card(e1=does(use_originals_and_negate)),
    "Supply Squad": card(e2=does(draws(1))),
    "Widespread Ruin": card(e1=destroy_the_strongest),
    "Enchanted Javelin": card(e1=does(gain_its_atk)),
    "Shadow Spell": CardBehaviour({1: Effect(does(weaken_and_hold))}, marks=frozenset({"follows-its-monster"})),
    "Robbin' Goblin": card(e1=does(stay), e2=does(discard_at_random)),
}
