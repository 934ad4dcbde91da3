"""Cards of the attack declaration and of the Battle Step after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine_protocol.cards import Filter
from engine_protocol.vocabulary import opponent
from reference_engine.behaviour import CardBehaviour, Effect
from reference_engine.cards.pieces import calls_it_right, card, condition, does, negate_attack, stay, this_if_there
from reference_engine.destruction import Destroying, destroy
from reference_engine.filters import select, summonable
from reference_engine.stats import Modifier

if TYPE_CHECKING:
    from engine_protocol.vocabulary import Player
    from reference_engine.behaviour import Flow
    from reference_engine.card import Card
    from reference_engine.chain import Link
    from reference_engine.duel import Duel

_SMALL_SPELLCASTER = Filter(side="you", zones=("deck",), type="monster", races=("Spellcaster",), max_atk=2000)
_MAGICIANS = frozenset({"Dark Magician", "Magician of Black Chaos"})


def turn_to_defense(duel: Duel, link: Link) -> None:
    """Black Stego."""
    for monster in this_if_there(link):
        if monster.in_attack_position:
            duel.change_position(monster, "face-up-defense", "effect")


def attacker_may_lose_its_atk(duel: Duel, link: Link) -> Flow:
    """Fairy Box: toss a coin and call it; called right, the attacking monster has 0 ATK until the end of the Battle Phase."""
    right = yield from calls_it_right(duel, link)
    attack = duel.attack
    if right and attack is not None and attack.involves(attack.attacker):
        duel.modify(attack.attacker, Modifier("set-atk", link.card))


def lose_400_and_pierce(duel: Duel, link: Link) -> None:
    """Exarion Universe: exactly 400 ATK for piercing battle damage."""
    for monster in this_if_there(link):
        if monster.atk >= 400:
            duel.modify(monster, Modifier("add", monster, -400))
            monster.gained |= {"piercing"}


def gain_1000(duel: Duel, link: Link) -> None:
    """Spirit Ryu."""
    for monster in this_if_there(link):
        duel.modify(monster, Modifier("add", monster, 1000, 1000))


def has_no_materials(duel: Duel, source: Card, _: Player) -> bool:
    """Whether it has no Xyz Materials."""
    return not source.materials


def destroy_itself(duel: Duel, link: Link) -> Destroying:
    """Number 39: Utopia."""
    return destroy(duel, this_if_there(link), link.card)


def both_summon_spellcasters(duel: Duel, link: Link) -> Flow:
    """Magician's Circle: each player, the one who activated it first, Special Summons a small Spellcaster from the Deck."""
    for player in (link.player, opponent(link.player)):
        found = summonable(select(duel, _SMALL_SPELLCASTER, player, link.card))
        if found and duel.free_places(player, "monster-zone"):
            options = tuple(duel.card_option(spellcaster) for spellcaster in found)
            option = yield from duel.ask(player, "choice", options, link.card.id)
            duel.special_summon(duel.card_of(option), player, "face-up-attack")


def both_have_room(duel: Duel, source: Card, player: Player) -> bool:
    """Whether each player has a free Monster Zone."""
    return all(duel.free_places(who, "monster-zone") for who in (player, opponent(player)))


def gain_for_magicians(duel: Duel, source: Card, monster: Card) -> tuple[int, int] | None:
    """Dark Magician Girl: 300 ATK for each Dark Magician and Magician of Black Chaos in the Graveyards."""
    if monster is not source:
        return None
    magicians = [card for player in (0, 1) for card in duel.rows[player]["graveyard"] if card.facts.name in _MAGICIANS]
    return 300 * len(magicians), 0


BEHAVIOURS = {
    "Black Stego": card(e1=does(turn_to_defense)),
    "Fairy Box": card(e1=does(stay), e2=attacker_may_lose_its_atk),
    "Exarion Universe": card(e1=does(lose_400_and_pierce)),
    "Spirit Ryu": card(e1=does(gain_1000)),
    "Number 39: Utopia": card(e1=does(negate_attack), e2=Effect(does(destroy_itself), condition(has_no_materials))),
    "Magician's Circle": card(e1=Effect(both_summon_spellcasters, condition(both_have_room))),
    "Dark Magician Girl": CardBehaviour(stats=gain_for_magicians),
    "Time Wizard": card(e1=does()),
}
