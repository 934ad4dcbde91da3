"""Effect monsters that single rulings turn on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine_protocol.cards import Filter
from reference_engine.behaviour import CardBehaviour, Effect
from reference_engine.cards.pieces import (
    card,
    change_targets,
    condition,
    destroy_opposing,
    does,
    has_free_zone,
    negate_activation,
    negate_attack,
    negate_attack_and_end,
    opponent_of,
    opposing_monster,
    searcher,
    summon_from_deck,
    this_if_there,
)
from reference_engine.filters import select
from reference_engine.stats import Modifier

if TYPE_CHECKING:
    from engine_protocol.vocabulary import Player
    from reference_engine.behaviour import Flow
    from reference_engine.card import Card
    from reference_engine.chain import Link
    from reference_engine.duel import Duel

FLUFF_TOKEN = 15341822
_SMALL_BLACKWING = Filter(side="you", zones=("deck",), type="monster", name="Blackwing", max_atk=1500)


# --- at the end of the Damage Step ----------------------------------------------------------------------------------------


def opponent_draws(duel: Duel, link: Link) -> None:
    """Chainsaw Insect."""
    duel.draw(opponent_of(link), 1)


def return_opposing(duel: Duel, link: Link) -> None:
    """Return the monster this card battled."""
    duel.return_to_hand(opposing_monster(duel, link))


def summon_without_effects(duel: Duel, link: Link) -> Flow:
    """Blackwing - Shura the Blue Flame: the effects of what it Special Summons are negated."""
    before = set(duel.monsters(link.player))
    yield from summon_from_deck(_SMALL_BLACKWING)(duel, link)
    for monster in duel.monsters(link.player):
        if monster not in before:
            duel.grant(monster, "effects-negated", link.card)


# --- during and after damage calculation ----------------------------------------------------------------------------------


def gain_2000_for_this_calculation(duel: Duel, link: Link) -> None:
    """Cipher Soldier."""
    for monster in this_if_there(link):
        duel.modify(monster, Modifier("add", monster, 2000, 2000, until="calculation"))


def spend(duel: Duel, link: Link) -> None:
    """The effect can be used once while the card is face-up on the field."""
    link.card.used.add("spent")


def is_unspent(duel: Duel, source: Card, _: Player) -> bool:
    """Whether an effect that can be used once was not used yet."""
    return "spent" not in source.used


def attacker_loses_all_atk(duel: Duel, link: Link) -> None:
    """Sanga of the Thunder: during this damage calculation only."""
    for target in link.standing_targets():
        duel.modify(target, Modifier("set-atk", link.card, until="calculation"))


def return_attacker_and_gain_def(duel: Duel, link: Link) -> None:
    """Jurrac Ptera: its DEF rises by 100 for each Level of the monster it returned."""
    for attacker in opposing_monster(duel, link):
        level = attacker.facts.level or 0
        duel.return_to_hand([attacker])
        if not attacker.is_monster_on_field:
            for monster in this_if_there(link):
                duel.modify(monster, Modifier("add", monster, def_=100 * level))


# --- from the hand and the Graveyard --------------------------------------------------------------------------------------


def summon_itself_and_gain(duel: Duel, link: Link) -> None:
    """Juragedo: Special Summon it from the hand; if that worked, gain 1000 Life Points."""
    if link.card.zone == "hand" and duel.special_summon(link.card, link.player, "face-up-attack"):
        duel.gain(link.player, 1000)


def negate_next_attack(duel: Duel, link: Link) -> None:
    """Necro Gardna: the attack that is open, or else the next one of the opponent's."""
    if duel.attack is not None:
        negate_attack(duel, link)
    else:
        duel.attacks_to_negate += 1


def summon_insect(duel: Duel, link: Link) -> Flow:
    """Pinch Hopper: Special Summon an Insect from the hand."""
    insects = select(duel, Filter(side="you", zones=("hand",), type="monster", races=("Insect",)), link.player, link.card)
    if insects and duel.free_places(link.player, "monster-zone"):
        option = yield from duel.ask(link.player, "choice", tuple(duel.card_option(insect) for insect in insects), link.card.id)
        duel.special_summon(duel.card_of(option), link.player, "face-up-attack")


def two_fluff(duel: Duel, link: Link) -> None:
    """Dandylion: two tokens or none."""
    if len(duel.free_places(link.player, "monster-zone")) >= 2:
        for _ in range(2):
            duel.create_token(FLUFF_TOKEN, link.player, "face-up-defense")


def takes_from_graveyard(duel: Duel, source: Card, _: Player) -> bool:
    """Whether the last link would take cards out of a Graveyard."""
    if not duel.chain:
        return False
    link = duel.chain[-1]
    effect = link.effect
    if link.card.behaviour.effects[effect.number].takes_from_graveyard:
        return True
    wanted = [*effect.requires, *([effect.target.filter] if effect.target is not None else [])]
    return not effect.categories.isdisjoint({"special-summons", "banishes", "returns"}) and any(
        "graveyard" in filter_.zones for filter_ in wanted
    )


BEHAVIOURS = {
    "Chainsaw Insect": card(e1=does(opponent_draws)),
    "Hyper Hammerhead": card(e1=does(return_opposing)),
    "Ryu Kokki": card(e1=does(destroy_opposing)),
    "Blackwing - Shura the Blue Flame": card(e1=Effect(summon_without_effects, has_free_zone)),
    "Cipher Soldier": card(e1=does(gain_2000_for_this_calculation)),
    "Sanga of the Thunder": card(e1=Effect(does(attacker_loses_all_atk), condition(is_unspent), spend)),
    "Jurrac Ptera": card(e1=does(return_attacker_and_gain_def)),
    "Gravekeeper's Spy": card(
        e1=searcher(Filter(side="you", zones=("deck",), type="monster", name="Gravekeeper's", max_atk=1500))
    ),
    "Juragedo": card(e1=Effect(does(summon_itself_and_gain), has_free_zone), e2=does(change_targets("add", 1000))),
    "Swift Scarecrow": card(e1=does(negate_attack_and_end)),
    "Necro Gardna": card(e1=does(negate_next_attack)),
    "Blackwing - Damascus the Polar Night": card(e1=does(change_targets("add", 500))),
    "Pinch Hopper": card(e1=Effect(summon_insect, has_free_zone)),
    "Dandylion": card(e1=does(two_fluff)),
    "Ghost Belle & Haunted Mansion": card(e1=Effect(does(negate_activation), condition(takes_from_graveyard))),
    "Obnoxious Celtic Guard": CardBehaviour(withstands_from=1900),
    "Total Defense Shogun": card(e1=does()),
}
