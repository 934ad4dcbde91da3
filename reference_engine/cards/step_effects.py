"""Cards of the Start Step and the End Step, and what they need."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine_protocol.cards import Filter
from reference_engine.battle_damage import none_for
from reference_engine.behaviour import CardBehaviour, Effect
from reference_engine.cards.damage_changers import both_take_it
from reference_engine.cards.pieces import card, condition, destroy_negated, does, negate_activation, opponent_of, this_if_there
from reference_engine.filters import select

if TYPE_CHECKING:
    from engine_protocol.vocabulary import Player
    from reference_engine.attack import Attack
    from reference_engine.battle_damage import BattleDamage
    from reference_engine.behaviour import Flow
    from reference_engine.card import Card
    from reference_engine.chain import Link
    from reference_engine.duel import Duel

_AESIR = Filter(face="up", name="Aesir")


def no_aesir(duel: Duel, source: Card) -> bool:
    """Fenrir the Nordic Wolf: it destroys itself while no "Aesir" monster is on the field."""
    return not select(duel, _AESIR, source.controller, source)


def turn_all_to_attack(duel: Duel, link: Link) -> None:
    """Fenrir the Nordic Wolf: the player's Defense Position monsters are changed to face-up Attack Position."""
    for monster in select(duel, Filter(side="you", position="defense"), link.player, link.card):
        duel.change_position(monster, "face-up-attack", "effect")


def is_own_turn(duel: Duel, _: Card, player: Player) -> bool:
    """Whether it is the player's Battle Phase."""
    return player == duel.turn_player


def none_in_attack_position(duel: Duel, source: Card, battle: Attack, damage: BattleDamage) -> None:
    """Metaion: its controller takes no battle damage from its attacks, or attacks on it, while it is in Attack Position."""
    if source.in_attack_position:
        none_for(source.controller)(damage)


def has_battled(duel: Duel, source: Card, _: Player) -> bool:
    """Whether this card has battled in this Battle Phase."""
    return source.battled


def return_all_others(duel: Duel, link: Link) -> None:
    """Metaion: all other monsters return to the hand, and the opponent takes 300 damage for each."""
    others = [monster for monster in duel.field_monsters() if monster is not link.card]
    duel.return_to_hand(others)
    returned = sum(monster.zone == "hand" for monster in others)
    duel.damage(opponent_of(link), 300 * returned, "effect-damage")


def turn_to_defense(duel: Duel, link: Link) -> None:
    """Frightfur Kraken."""
    for monster in this_if_there(link):
        duel.change_position(monster, "face-up-defense", "effect")


def can_turn_to_defense(duel: Duel, source: Card, _: Player) -> bool:
    """Whether it battled and is in Attack Position."""
    return source.battled and source.in_attack_position


def victims(source: Card) -> list[Card]:
    """The monsters that this card destroyed by battle and that are still in the Graveyard."""
    return [victim for victim, incarnation in source.victims if victim.zone == "graveyard" and victim.incarnation == incarnation]


def has_victim(duel: Duel, source: Card, player: Player) -> bool:
    """Whether there is one to Special Summon, and a zone for it."""
    return bool(victims(source)) and bool(duel.free_places(player, "monster-zone"))


def take_a_victim(duel: Duel, link: Link) -> Flow:
    """Vampire Baby: Special Summon a monster that it destroyed by battle."""
    found = victims(link.card)
    if found and this_if_there(link):
        option = yield from duel.ask(link.player, "choice", tuple(duel.card_option(victim) for victim in found), link.card.id)
        duel.special_summon(duel.card_of(option), link.player, "face-up-attack")


BEHAVIOURS = {
    "Fenrir the Nordic Wolf": CardBehaviour(
        {2: Effect(does(turn_all_to_attack))}, perishes=no_aesir, damage=both_take_it, damage_step="both-take-it"
    ),
    "Loki, Lord of the Aesir": card(e1=Effect(does(negate_activation, destroy_negated), condition(is_own_turn)), e2=does()),
    "Metaion, the Timelord": CardBehaviour(
        {3: Effect(does(return_all_others), condition(has_battled)), 4: Effect(does())},
        damage=none_in_attack_position,
        marks=frozenset({"withstands-effects"}),
    ),
    "Frightfur Kraken": CardBehaviour({3: Effect(does(turn_to_defense), condition(can_turn_to_defense))}, attacks=2),
    "Vampire Baby": card(e1=Effect(take_a_victim, condition(has_victim))),
}
