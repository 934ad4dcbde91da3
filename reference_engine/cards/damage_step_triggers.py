"""Monsters whose Triggers tell the timings of the Damage Step apart, and one of the attack declaration."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine_protocol.cards import Filter
from engine_protocol.decisions import Option
from reference_engine.behaviour import CardBehaviour, Effect
from reference_engine.cards.monsters import attacked_face_down
from reference_engine.cards.pieces import (
    card,
    condition,
    damage_opponent,
    destroy_opposing,
    discard_at_random,
    does,
    opponent_of,
    opposing_monster,
    this_if_there,
)
from reference_engine.filters import attributes_of, select

if TYPE_CHECKING:
    from engine_protocol.vocabulary import Player
    from reference_engine.behaviour import Flow
    from reference_engine.card import Card
    from reference_engine.chain import Link
    from reference_engine.destruction import Destroying
    from reference_engine.duel import Duel

_DARK_IN_DECK = Filter(side="you", zones=("deck",), type="monster", attributes=("DARK",))


def turn_to_defense(duel: Duel, link: Link) -> None:
    """Black Stego."""
    for monster in this_if_there(link):
        if monster.in_attack_position:
            duel.change_position(monster, "face-up-defense", "effect")


def toss_and_destroy_opposing(duel: Duel, link: Link) -> Flow:
    """Sasuke Samurai #4: call a coin, which falls as the board's seed says; if it was called right, destroy the other monster."""
    heads = yield from duel.ask(link.player, "choice", (Option("no"), Option("yes")), link.card.id)
    if (heads.kind == "yes") == (duel.board.seed % 2 == 0):
        yield from destroy_opposing(duel, link)


def destroy_opposing_in_defense(duel: Duel, link: Link) -> Destroying:
    """Ninja Grandmaster Sasuke."""
    if all(monster.in_attack_position for monster in opposing_monster(duel, link)):
        return []
    return (yield from destroy_opposing(duel, link))


def battled_a_monster(duel: Duel, source: Card, _: Player) -> bool:
    """Whether this card battled a monster, which may be gone by now."""
    return duel.attack is not None and duel.attack.other(source) is not None


def damage_and_gain(duel: Duel, link: Link) -> None:
    """Neos Wiseman: the opponent takes the ATK of the monster it battled, its player gains that monster's DEF; both as they were
    on the field.
    """
    other = None if duel.attack is None else duel.attack.other(link.card)
    if other is not None:
        atk, def_ = (other.atk, other.def_) if other.is_monster_on_field else other.left_with
        duel.damage(opponent_of(link), atk, "effect-damage")
        duel.gain(link.player, def_)


def draw_and_put_back(duel: Duel, link: Link) -> Flow:
    """Helping Robo for Combat: draw a card, then a card of the hand goes to the bottom of the Deck."""
    duel.draw(link.player, 1)
    options = tuple(duel.card_option(held) for held in duel.rows[link.player]["hand"])
    option = yield from duel.ask(link.player, "choice", options, link.card.id)
    duel.begin_moment()
    duel.put_on_deck(duel.card_of(option), top=False)


def send_dark_monster(duel: Duel, link: Link) -> Flow:
    """Armageddon Knight: a DARK monster of the Deck goes to the Graveyard."""
    found = select(duel, _DARK_IN_DECK, link.player, link.card)
    if found:
        option = yield from duel.ask(link.player, "choice", tuple(duel.card_option(dark) for dark in found), link.card.id)
        duel.send([duel.card_of(option)], "sent-by-effect")


def not_alone_in_light(duel: Duel, source: Card) -> bool:
    """Thunder Nyan Nyan: it destroys itself while its controller has a face-up monster that is not LIGHT."""
    return any(monster.face_up and "LIGHT" not in attributes_of(monster) for monster in duel.monsters(source.controller))


BEHAVIOURS = {
    # when it becomes the target
    "Black Stego": card(e1=does(turn_to_defense)),
    # start of the Damage Step
    "Sasuke Samurai": card(e1=Effect(does(destroy_opposing), condition(attacked_face_down))),
    "Sasuke Samurai #4": card(e1=toss_and_destroy_opposing),
    "Ninja Grandmaster Sasuke": card(e1=does(destroy_opposing_in_defense)),
    # after damage calculation
    "White Magical Hat": card(e1=does(discard_at_random)),
    # end of the Damage Step
    "Neos Wiseman": CardBehaviour(
        {2: Effect(does(damage_and_gain), condition(battled_a_monster))}, marks=frozenset({"withstands-effects"})
    ),
    "Helping Robo for Combat": card(e1=draw_and_put_back),
    "Masked Chopper": card(e1=does(damage_opponent(2000))),
    "Armageddon Knight": card(e1=send_dark_monster),
    # continuous
    "Thunder Nyan Nyan": CardBehaviour(perishes=not_alone_in_light),
}
