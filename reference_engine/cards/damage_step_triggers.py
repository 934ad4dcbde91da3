"""Monsters whose effects tell the timings of the Damage Step apart, and what goes with them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine_protocol.cards import Filter
from engine_protocol.decisions import Option
from reference_engine.battle_damage import none_for
from reference_engine.behaviour import CardBehaviour, Effect
from reference_engine.cards.monsters import attacked_face_down, was_attacked_face_down
from reference_engine.cards.pieces import (
    calls_it_right,
    card,
    condition,
    damage_opponent,
    destroy_opposing,
    discard_at_random,
    does,
    has_free_zone,
    opponent_of,
    opposing_monster,
    summon_from_deck,
    this_if_there,
)
from reference_engine.destruction import destroy
from reference_engine.filters import attributes_of, select
from reference_engine.stats import Modifier

if TYPE_CHECKING:
    from engine_protocol.vocabulary import Player
    from reference_engine.attack import Attack
    from reference_engine.battle_damage import BattleDamage
    from reference_engine.behaviour import Flow
    from reference_engine.card import Card
    from reference_engine.chain import Link
    from reference_engine.destruction import Destroying
    from reference_engine.duel import Duel

_SMALL_JURRAC = Filter(side="you", zones=("deck",), type="monster", name="Jurrac", max_atk=1700)
_DARK_IN_DECK = Filter(side="you", zones=("deck",), type="monster", attributes=("DARK",))


def toss_and_destroy_opposing(duel: Duel, link: Link) -> Flow:
    """Sasuke Samurai #4: toss a coin and call it; if it was called right, destroy the other monster."""
    if (yield from calls_it_right(duel, link)):
        yield from destroy_opposing(duel, link)


def destroy_or_put_on_deck(duel: Duel, link: Link) -> Flow:
    """Mystic Swordsman LV6: the destroyed monster may go to the top of the Deck, unseen, instead of the Graveyard."""
    found = duel.destructible(opposing_monster(duel, link), link.card)
    if found:
        on_deck = yield from duel.ask(link.player, "choice", (Option("no"), Option("yes")), link.card.id)
        if on_deck.kind == "yes":
            duel.begin_moment()
            for monster in found:
                duel.put_on_deck(monster, "destroyed-by-effect", top=True)
            duel.refresh()
        else:
            yield from destroy(duel, found, link.card)


def gain_1000_in_this_step(duel: Duel, link: Link) -> None:
    """Penumbral Soldier Lady."""
    for lady in this_if_there(link):
        duel.modify(lady, Modifier("add", lady, 1000, until="damage-step"))


def attacker_has_200_in_this_step(duel: Duel, link: Link) -> None:
    """Cat's Ear Tribe: the original ATK of the attacker becomes 200 during the Damage Step."""
    for attacker in opposing_monster(duel, link):
        duel.modify(attacker, Modifier("set-original", link.card, 200, until="damage-step"))


def cling_to_attacker(duel: Duel, link: Link) -> Destroying:
    """Blast Sphere, Kiseitai: this card becomes an Equip Card of the attacker; if it cannot, it is destroyed."""
    for sphere in this_if_there(link):
        for attacker in opposing_monster(duel, link):
            if not (attacker.face_up and duel.equip_monster(sphere, attacker)):
                return (yield from destroy(duel, [sphere], sphere))
    return []


def destroy_opposing_in_defense(duel: Duel, link: Link) -> Destroying:
    """Ninja Grandmaster Sasuke."""
    if all(monster.in_attack_position for monster in opposing_monster(duel, link)):
        return []
    return (yield from destroy_opposing(duel, link))


def battled_a_monster(duel: Duel, source: Card, _: Player) -> bool:
    """Whether this card battled a monster, which may be gone by now."""
    return duel.attack is not None and duel.attack.other(source) is not None


def weaken_target(duel: Duel, link: Link) -> None:
    """Rocket Warrior: the monster that it attacked loses 500 ATK."""
    for target in opposing_monster(duel, link):
        duel.modify(target, Modifier("add", link.card, -500))


def none_in_own_turn(duel: Duel, source: Card, battle: Attack, damage: BattleDamage) -> None:
    """Rocket Warrior: its controller takes no battle damage in their own turn."""
    if source.controller == duel.turn_player:
        none_for(source.controller)(damage)


def summon_jurrac(duel: Duel, link: Link) -> Flow:
    """Jurrac Guaiba: what it Special Summons cannot attack this turn."""
    before = set(duel.monsters(link.player))
    yield from summon_from_deck(_SMALL_JURRAC)(duel, link)
    for monster in duel.monsters(link.player):
        if monster not in before:
            duel.grant(monster, "cannot-attack", link.card)


def spend_counter(duel: Duel, link: Link) -> Destroying:
    """B.E.S. Crystal Core: it loses a counter; without any it is destroyed."""
    for core in this_if_there(link):
        name = next(iter(core.counters), None)
        if name is None:
            return (yield from destroy(duel, [core], core))
        core.counters[name] -= 1
        core.counters = {kind: amount for kind, amount in core.counters.items() if amount}
    return []


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
    duel.put_on_deck(duel.card_of(option), "returned-by-effect", top=False)


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
    # start of the Damage Step
    "Sasuke Samurai": card(e1=Effect(does(destroy_opposing), condition(attacked_face_down))),
    "Sasuke Samurai #4": card(e1=toss_and_destroy_opposing),
    "Ninja Grandmaster Sasuke": card(e1=does(destroy_opposing_in_defense)),
    "Mystic Swordsman LV6": card(e1=Effect(destroy_or_put_on_deck, condition(attacked_face_down))),
    # before damage calculation
    "Blast Sphere": card(e1=Effect(does(cling_to_attacker), condition(was_attacked_face_down))),
    "Kiseitai": card(e1=Effect(does(cling_to_attacker), condition(was_attacked_face_down))),
    "Penumbral Soldier Lady": card(e1=does(gain_1000_in_this_step)),
    "Cat's Ear Tribe": card(e1=does(attacker_has_200_in_this_step)),
    # after damage calculation
    "White Magical Hat": card(e1=does(discard_at_random)),
    "Rocket Warrior": CardBehaviour(
        {2: Effect(does(weaken_target))}, damage=none_in_own_turn, marks=frozenset({"indestructible-in-own-turn"})
    ),
    # end of the Damage Step
    "Jurrac Guaiba": card(e1=Effect(summon_jurrac, has_free_zone)),
    "B.E.S. Crystal Core": card(e1=does(), e3=does(spend_counter), e4=does()),
    "Neos Wiseman": CardBehaviour(
        {2: Effect(does(damage_and_gain), condition(battled_a_monster))}, marks=frozenset({"withstands-effects"})
    ),
    "Helping Robo for Combat": card(e1=draw_and_put_back),
    "Masked Chopper": card(e1=does(damage_opponent(2000))),
    "Armageddon Knight": card(e1=send_dark_monster),
    # of other phases
    "Elemental HERO Thunder Giant": card(e1=does()),
    # continuous
    "Thunder Nyan Nyan": CardBehaviour(perishes=not_alone_in_light),
}
