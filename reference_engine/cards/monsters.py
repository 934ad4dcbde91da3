"""Effect monsters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from engine_protocol.cards import Filter
from engine_protocol.decisions import Option
from engine_protocol.vocabulary import FIELD, PLAYERS, Zone, opponent
from reference_engine.battle_damage import none_for, passed_on_by
from reference_engine.behaviour import CardBehaviour, Effect
from reference_engine.cards.pieces import (
    banish_both,
    banish_targets,
    card,
    change_battling,
    condition,
    destroy_negated,
    destroy_opposing,
    destroy_targets,
    discard_at_random,
    does,
    draws,
    negate_activation,
    negate_effect,
    no_battle_damage_this_battle,
    opponent_of,
    opposing_monster,
    return_targets,
    searcher,
    switch_targets,
    this_if_there,
)
from reference_engine.destruction import Destroying, destroy
from reference_engine.filters import attributes_of, select
from reference_engine.stats import Modifier

if TYPE_CHECKING:
    from engine_protocol.vocabulary import Player
    from reference_engine.attack import Attack
    from reference_engine.battle_damage import BattleDamage
    from reference_engine.behaviour import Flow
    from reference_engine.card import Card
    from reference_engine.chain import Link
    from reference_engine.duel import Duel
    from reference_engine.occurrences import Occurrence

_DECK: Final[tuple[Zone, ...]] = ("deck",)


# --- damage calculation ---------------------------------------------------------------------------------------------------


def atk_of_opposing(duel: Duel, monster: Card) -> int:
    """The ATK of the monster that this one battles."""
    attack = duel.attack
    other = attack.other(monster) if attack is not None else None
    return other.atk if other is not None else 0


def gain_for_this_calculation(amount: int) -> Effect:
    """This card gains ATK during this damage calculation only."""

    def gain(duel: Duel, link: Link) -> None:
        for monster in this_if_there(link):
            duel.modify(monster, Modifier("add", link.card, amount, until="calculation"))

    return Effect(does(gain))


def opponent_takes_it(duel: Duel, source: Card, battle: Attack, damage: BattleDamage) -> None:
    """The opponent takes the battle damage that this card's controller would have taken."""
    passed_on_by(source.controller)(damage)


def controller_takes_none(duel: Duel, source: Card, battle: Attack, damage: BattleDamage) -> None:
    """This card's controller takes no battle damage from attacks that involve this card."""
    none_for(source.controller)(damage)


# --- triggers of the battle -----------------------------------------------------------------------------------------------


def return_both(duel: Duel, link: Link) -> None:
    """Return the monster this card battles, and this card."""
    duel.return_to_hand(opposing_monster(duel, link) + this_if_there(link))


def attacked_face_down(duel: Duel, source: Card, _: Player) -> bool:
    """Whether this card attacks a monster that was face-down when the Damage Step began."""
    attack = duel.attack
    return attack is not None and attack.attacker is source and attack.face_down


def was_attacked_face_down(duel: Duel, source: Card, _: Player) -> bool:
    """Whether this card was attacked, and was face-down when the Damage Step began."""
    attack = duel.attack
    return attack is not None and attack.target is source and attack.face_down


def was_face_up_in_attack_position(duel: Duel, source: Card, _: Player) -> bool:
    """Whether this card was in Attack Position when the Damage Step began."""
    attack = duel.attack
    return attack is not None and attack.target is source and attack.target_was_attack_position


def damage_attacking_player(amount: int) -> Effect:
    """The attacking player takes damage."""
    return Effect(
        does(lambda duel, link: duel.damage(duel.turn_player, amount, "effect-damage")), condition(was_attacked_face_down)
    )


def reflect(duel: Duel, link: Link) -> None:
    """Reflect Bounder: damage equal to the attacker's ATK; then it is destroyed after damage calculation."""
    for attacker in opposing_monster(duel, link):
        duel.damage(opponent_of(link), attacker.atk, "effect-damage")
        link.card.used.add("reflected")


def has_reflected(duel: Duel, source: Card, _: Player) -> bool:
    """Whether its damage effect was applied in this battle."""
    return "reflected" in source.used


def destroy_itself(duel: Duel, link: Link) -> Destroying:
    """Destroy this card."""
    return destroy(duel, this_if_there(link), link.card)


def destroy_destroyer(duel: Duel, link: Link) -> Destroying:
    """Destroy the monster that destroyed this card."""
    destroyer = link.occurrence.by if link.occurrence is not None else None
    return destroy(duel, [] if destroyer is None else [destroyer], link.card)


def attack_again(duel: Duel, link: Link) -> None:
    """This card may attack once more in a row."""
    for monster in this_if_there(link):
        monster.granted = 1


def attacked_in_this_battle(duel: Duel, source: Card, _: Player) -> bool:
    """Whether this card is the attacker."""
    return duel.attack is not None and duel.attack.attacker is source


def dealt_direct_damage(duel: Duel, source: Card, _: Player, __: Occurrence | None) -> bool:
    """Whether the damage came from a direct attack of this card."""
    attack = duel.attack
    return attack is not None and attack.attacker is source and attack.target is None


def destroys_defenders(duel: Duel, link: Link) -> Destroying:
    """Red Dragon Archfiend: destroy all Defense Position monsters the opponent controls."""
    return destroy(duel, select(duel, Filter(side="opponent", position="defense"), link.player, link.card), link.card)


# --- flips ----------------------------------------------------------------------------------------------------------------


def discard_hands_and_draw_five(duel: Duel, link: Link) -> None:
    """Morphing Jar."""
    duel.send([c for player in PLAYERS for c in duel.rows[player]["hand"]], "discarded")
    for player in (duel.turn_player, opponent(duel.turn_player)):
        duel.draw(player, 5)


def destroy_one_and_mill(duel: Duel, link: Link) -> Flow:
    """Ryko: the player may destroy a card; three cards of the Deck go to the Graveyard."""
    options = (Option("no"), *(duel.card_option(c) for c in duel.destructible(duel.cards.values(), link.card)))
    option = yield from duel.ask(link.player, "choice", options, link.card.id)
    if option.card is not None:
        yield from destroy(duel, [duel.cards[option.card]], link.card)
    duel.send(duel.rows[link.player]["deck"][:3], "sent-by-effect")


# --- responses ------------------------------------------------------------------------------------------------------------


def tribute_and_negate() -> Effect:
    """Negate the activation and destroy that card; the cost stands in the facts."""
    return Effect(does(negate_activation, destroy_negated))


def lose_500_and_negate(duel: Duel, link: Link) -> None:
    """Light and Darkness Dragon: it loses exactly 500 ATK and DEF, and if it can, the activation is negated."""
    for dragon in this_if_there(link):
        if not dragon.determined and dragon.face_up and dragon.atk >= 500 and dragon.def_ >= 500:
            duel.modify(dragon, Modifier("add", dragon, -500, -500))
            negate_activation(duel, link)


def destroy_own_cards_and_revive(duel: Duel, link: Link) -> Flow:
    """Light and Darkness Dragon, destroyed: its player's cards are destroyed and a monster of their Graveyard returns."""
    player = link.player
    candidates = [c for c in duel.rows[player]["graveyard"] if c.facts.type == "monster" and c is not link.card]
    chosen = None
    if candidates:
        option = yield from duel.ask(player, "choice", tuple(duel.card_option(c) for c in candidates), link.card.id)
        chosen = duel.card_of(option)
    yield from destroy(duel, [c for c in duel.cards.values() if c.zone in FIELD and c.controller == player], link.card)
    if chosen is not None:
        duel.special_summon(chosen, player, "face-up-attack")


def would_destroy_on_field(duel: Duel, source: Card, _: Player) -> bool:
    """Whether the last link is one that would destroy cards on the field."""
    return bool(duel.chain) and "destroys" in duel.chain[-1].effect.categories


def adds_from_deck(duel: Duel, source: Card, _: Player) -> bool:
    """Whether the last link draws, or takes cards from the Deck to the hand, the field or the Graveyard."""
    if not duel.chain:
        return False
    effect = duel.chain[-1].effect
    from_deck = any("deck" in needed.zones for needed in effect.requires)
    return "draws" in effect.categories or ("special-summons" in effect.categories and from_deck)


def negate_and_gain(duel: Duel, link: Link) -> Flow:
    """Crystal Wing: negate, destroy, and gain the destroyed monster's original ATK."""
    negate_activation(duel, link)
    answered = link.answers
    if answered is None or answered.card.zone not in FIELD or answered.card.incarnation != answered.incarnation:
        return
    amount = answered.card.base_atk
    if answered.card in (yield from destroy(duel, [answered.card], link.card)):
        for monster in this_if_there(link):
            duel.modify(monster, Modifier("add", monster, amount))


def gain_opposing_atk(duel: Duel, link: Link) -> None:
    """Crystal Wing: gain the ATK of the monster it battles, during this damage calculation only."""
    for other in opposing_monster(duel, link):
        for monster in this_if_there(link):
            duel.modify(monster, Modifier("add", monster, other.atk, until="calculation"))


def switch_this(duel: Duel, link: Link) -> None:
    """Change this card's battle position."""
    for monster in this_if_there(link):
        duel.change_position(monster, "face-up-defense" if monster.in_attack_position else "face-up-attack", "effect")


BEHAVIOURS = {
    # hand effects and Quick Effects of the Damage Step
    "Honest": card(e1=does(), e2=does(change_battling(atk_of_opposing, lambda m: "LIGHT" in attributes_of(m)))),
    "Blackwing - Kalut the Moon Shadow": card(e1=does(change_battling(lambda *_: 1400, lambda m: "Blackwing" in m.facts.name))),
    "Injection Fairy Lily": card(e1=gain_for_this_calculation(3000)),
    "Kuriboh": card(e1=does(no_battle_damage_this_battle)),
    # start of the Damage Step and before damage calculation
    "Neo-Spacian Grand Mole": card(e1=does(return_both)),
    "Ally of Justice Catastor": card(e1=does(destroy_opposing)),
    "Mystic Swordsman LV2": card(e1=Effect(does(destroy_opposing), condition(attacked_face_down)), e2=does()),
    "Drillroid": card(e1=does(destroy_opposing)),
    "Heroic Challenger - Night Watchman": card(e1=does(destroy_opposing)),
    "Reflect Bounder": card(
        e1=Effect(does(reflect), condition(was_face_up_in_attack_position)),
        e2=Effect(does(destroy_itself), condition(has_reflected)),
    ),
    # after damage calculation
    "D.D. Warrior Lady": card(e1=does(banish_both)),
    "D.D. Warrior": card(e1=does(banish_both)),
    "D.D. Assailant": card(e1=does(banish_both)),
    "D.D. Crazy Beast": card(e1=does(lambda duel, link: duel.banish(opposing_monster(duel, link)))),
    "Divine Knight Ishzark": card(e1=does(lambda duel, link: duel.banish(opposing_monster(duel, link)))),
    "Airknight Parshath": card(e2=does(draws(1))),
    "Marshmallon": card(e2=damage_attacking_player(1000)),
    "Spirit Reaper": CardBehaviour(
        {3: Effect(does(discard_at_random), dealt_direct_damage)}, marks=frozenset({"dies-when-targeted"})
    ),
    "Wall of Illusion": card(e1=does(lambda duel, link: duel.return_to_hand(opposing_monster(duel, link)))),
    "Red Dragon Archfiend": card(e1=does(destroys_defenders), e2=does()),
    # flips
    "Man-Eater Bug": card(e1=does(destroy_targets)),
    "Hane-Hane": card(e1=does(return_targets)),
    "Penguin Soldier": card(e1=does(return_targets)),
    "Morphing Jar": card(e1=does(discard_hands_and_draw_five)),
    "Ryko, Lightsworn Hunter": card(e1=destroy_one_and_mill),
    # end of the Damage Step
    "Mystic Tomato": card(e1=searcher(Filter(side="you", zones=_DECK, type="monster", attributes=("DARK",), max_atk=1500))),
    "Giant Rat": card(e1=searcher(Filter(side="you", zones=_DECK, type="monster", attributes=("EARTH",), max_atk=1500))),
    "Shining Angel": card(e1=searcher(Filter(side="you", zones=_DECK, type="monster", attributes=("LIGHT",), max_atk=1500))),
    "UFO Turtle": card(e1=searcher(Filter(side="you", zones=_DECK, type="monster", attributes=("FIRE",), max_atk=1500))),
    "Mother Grizzly": card(e1=searcher(Filter(side="you", zones=_DECK, type="monster", attributes=("WATER",), max_atk=1500))),
    "Flying Kamakiri #1": card(e1=searcher(Filter(side="you", zones=_DECK, type="monster", attributes=("WIND",), max_atk=1500))),
    "Pyramid Turtle": card(e1=searcher(Filter(side="you", zones=_DECK, type="monster", races=("Zombie",), max_def=2000))),
    "Flamvell Firedog": card(e1=searcher(Filter(side="you", zones=_DECK, type="monster", attributes=("FIRE",), max_def=200))),
    "Newdoria": card(e1=does(destroy_targets)),
    "Mathematician": card(e1=does(), e2=does(draws(1))),
    "Elemental HERO Nova Master": card(e1=does(draws(1))),
    "Yomi Ship": card(e1=does(destroy_destroyer)),
    "Black Luster Soldier - Envoy of the Beginning": card(
        e1=does(banish_targets), e2=Effect(does(attack_again), condition(attacked_in_this_battle))
    ),
    # declaration
    "Gravekeeper's Assailant": card(e1=does(switch_targets)),
    "Vengeful Shinobi": card(e1=does(draws(1))),
    # responses
    "Doomcaliber Knight": card(e1=tribute_and_negate()),
    "Stardust Dragon": card(e1=Effect(does(negate_activation, destroy_negated), condition(would_destroy_on_field)), e2=does()),
    "Light and Darkness Dragon": CardBehaviour(
        {2: Effect(does(lose_500_and_negate)), 3: Effect(destroy_own_cards_and_revive, takes_from_graveyard=True)},
        also_attribute="DARK",
    ),
    "Ash Blossom & Joyous Spring": card(e1=Effect(does(negate_effect), condition(adds_from_deck))),
    "Crystal Wing Synchro Dragon": card(e1=does(negate_and_gain), e2=does(gain_opposing_atk)),
    # continuous
    "Evil HERO Malicious Edge": CardBehaviour(),
    "Elemental HERO Bladedge": CardBehaviour(),
    "Gravekeeper's Spear Soldier": CardBehaviour(),
    "Mataza the Zapper": CardBehaviour(attacks=2),
    "Asura Priest": CardBehaviour({1: Effect(does())}, attacks_each=True),
    "Amazoness Swords Woman": CardBehaviour(damage=opponent_takes_it, damage_step="passed-on"),
    "Dark Ruler Ha Des": CardBehaviour(negates_destroyed_of=("Fiend",)),
    "Superheavy Samurai Big Benkei": card(e1=does(switch_this)),
    "Spell Striker": CardBehaviour(damage=controller_takes_none),
    "Panther Warrior": CardBehaviour(),
    "Dark Elf": CardBehaviour(),
    "Patrician of Darkness": CardBehaviour(),
}
