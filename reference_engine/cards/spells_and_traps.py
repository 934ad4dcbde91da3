"""Quick-Play Spells, Traps, and the Equip and Field Spells that lie face-up in a Battle Phase."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine_protocol.cards import Filter
from engine_protocol.decisions import Option
from engine_protocol.vocabulary import opponent
from reference_engine.behaviour import CardBehaviour, Effect
from reference_engine.cards.pieces import (
    banish_targets,
    card,
    change_targets,
    condition,
    destroy_all,
    destroy_negated,
    destroy_targets,
    does,
    face_up_targets,
    grant_targets,
    negate_activation,
    negate_attack_and_end,
    opponent_of,
    return_targets,
    stay,
    targets,
    turn_targets_face_down,
)
from reference_engine.destruction import destroy
from reference_engine.filters import select
from reference_engine.stats import Modifier

if TYPE_CHECKING:
    from engine_protocol.vocabulary import Player
    from reference_engine.attack import Attack
    from reference_engine.behaviour import Flow
    from reference_engine.card import Card
    from reference_engine.chain import Link
    from reference_engine.duel import Duel

SHEEP_TOKEN = 73915052
_YOUR_MACHINES = Filter(side="you", face="up", races=("Machine",))


def double_your_machines(duel: Duel, link: Link) -> None:
    """Limiter Removal."""
    for monster in select(duel, _YOUR_MACHINES, link.player, link.card):
        duel.modify(monster, Modifier("double", link.card))


def attacker_damage(duel: Duel, link: Link) -> None:
    """Magic Cylinder: negate the attack, and if that worked, damage equal to the attacker's ATK."""
    for target in targets(duel, link):
        attack = duel.attack
        if attack is not None and attack.attacker is target:
            duel.end_attack("negated")
            duel.damage(opponent_of(link), target.atk, "effect-damage")


def ring_of_destruction(duel: Duel, link: Link) -> Flow:
    """Destroy the target; then both take its original ATK, the player first."""
    for target in face_up_targets(duel, link):
        amount = target.base_atk
        before = duel.lp[link.player]
        if target in (yield from destroy(duel, [target], link.card)):
            duel.damage(link.player, amount, "effect-damage")
            duel.damage(opponent_of(link), before - duel.lp[link.player], "effect-damage")


def has_ring_target(duel: Duel, player: Player) -> bool:
    """Whether the opponent has a face-up monster whose ATK is no more than their Life Points."""
    other = opponent(player)
    return any(monster.face_up and monster.atk <= duel.lp[other] for monster in duel.monsters(other))


def call_back(duel: Duel, link: Link) -> None:
    """Call of the Haunted."""
    for target in link.standing_targets():
        if target.zone == "graveyard" and duel.special_summon(target, link.player, "face-up-attack"):
            duel.equip(link.card, target)


def has_free_monster_zone(duel: Duel, _: Card, player: Player) -> bool:
    """Whether the player could Special Summon."""
    return bool(duel.free_places(player, "monster-zone"))


def four_sheep(duel: Duel, link: Link) -> None:
    """Scapegoat: four tokens or none."""
    if len(duel.free_places(link.player, "monster-zone")) >= 4:
        for _ in range(4):
            duel.create_token(SHEEP_TOKEN, link.player, "face-up-defense")


def has_four_zones(duel: Duel, _: Card, player: Player) -> bool:
    """Whether the player has room for four tokens."""
    return len(duel.free_places(player, "monster-zone")) >= 4


def no_battle_damage_and_no_destruction(duel: Duel, link: Link) -> None:
    """Waboku."""
    duel.protect_player(link.player, "no-battle-damage")
    duel.protect_player(link.player, "indestructible-by-battle")


def chain_down(duel: Duel, link: Link) -> None:
    """Fiendish Chain: the target's effects are negated and it cannot attack, while both stay."""
    for target in face_up_targets(duel, link):
        duel.equip(link.card, target)
        duel.grant(target, "effects-negated", link.card, bound=True)
        duel.grant(target, "cannot-attack", link.card, bound=True)


def wrap_in_fog(duel: Duel, link: Link) -> None:
    """Phantom Knights' Fog Blade: besides what Fiendish Chain does, the target cannot be selected as the target of an attack."""
    chain_down(duel, link)
    for target in face_up_targets(duel, link):
        duel.grant(target, "cannot-be-attacked", link.card, bound=True)


def opponents_cannot_declare(duel: Duel, link: Link) -> None:
    """Threatening Roar: the opponent declares no further attacks this turn; one already declared goes on (AT-8)."""
    if link.player != duel.turn_player:
        duel.no_more_declarations = True


def halve_attacker(duel: Duel, wall: Card, attacker: Card) -> None:
    """Mirror Wall: an opponent's monster that attacks while it is face-up has its ATK halved while the wall stays."""
    if attacker.controller != wall.controller:
        duel.modify(attacker, Modifier("halve", wall, bound=True))


def halve_open_attacker(duel: Duel, link: Link) -> None:
    """Mirror Wall, activated during the attack."""
    if duel.attack is not None and duel.attack.involves(duel.attack.attacker):
        halve_attacker(duel, link.card, duel.attack.attacker)


def gravekeepers_gain(duel: Duel, source: Card, monster: Card) -> tuple[int, int] | None:
    """Necrovalley."""
    return (500, 500) if "Gravekeeper's" in monster.facts.name else None


def hero_gains(duel: Duel, battle: Attack) -> int:
    """Skyscraper: an Elemental HERO that attacks a monster with higher ATK."""
    attacker, target = battle.attacker, battle.target
    if target is None or "Elemental HERO" not in attacker.facts.name or target.atk <= attacker.atk:
        return 0
    return 1000


def mirror_shield(duel: Duel, link: Link) -> None:
    """Moon Mirror Shield: ATK and DEF become the higher of the opposing monster's two, and 100 more."""
    attack, monster = duel.attack, link.card.equipped_to
    if attack is None or monster is None or not attack.involves(monster):
        return
    other = attack.other(monster)
    if other is not None and attack.involves(other):
        value = max(other.atk, other.def_) + 100
        duel.modify(monster, Modifier("set", link.card, value, value, until="calculation"))


def pay_and_put_back(duel: Duel, link: Link) -> Flow:
    """Moon Mirror Shield, sent from the field: pay 500 Life Points; it goes to the top or the bottom of the Deck."""
    shield = link.card
    if duel.lp[link.player] < 500 or shield.zone != "graveyard":
        return
    option = yield from duel.ask(link.player, "choice", (Option("yes"), Option("no")), shield.id)
    duel.pay_lp(link.player, 500)
    duel.put_on_deck(shield, "returned-by-effect", top=option.kind == "yes")


BEHAVIOURS = {
    # ATK/DEF changers
    "Shrink": card(e1=does(change_targets("halve-original"))),
    "Rush Recklessly": card(e1=does(change_targets("add", 700))),
    "Forbidden Lance": card(e1=does(change_targets("add", -800), grant_targets("unaffected-by-spells-traps"))),
    "Forbidden Chalice": card(e1=does(change_targets("add", 400), grant_targets("effects-negated"))),
    "Limiter Removal": card(e1=does(double_your_machines)),
    "Reinforcements": card(e1=does(change_targets("add", 500))),
    # attack declaration
    "Mirror Force": card(e1=does(destroy_all(Filter(side="opponent", position="attack")))),
    "Sakuretsu Armor": card(e1=does(destroy_targets)),
    "Negate Attack": card(e1=does(negate_attack_and_end)),
    "Magic Cylinder": card(e1=does(attacker_damage)),
    "Dimensional Prison": card(e1=does(banish_targets)),
    # at any time outside the Damage Step
    "Book of Moon": card(e1=does(turn_targets_face_down)),
    "Compulsory Evacuation Device": card(e1=does(return_targets)),
    "Ring of Destruction": card(
        e1=Effect(does(ring_of_destruction), condition(lambda duel, _, player: has_ring_target(duel, player)))
    ),
    "Scapegoat": card(e1=Effect(does(four_sheep), condition(has_four_zones))),
    "Waboku": card(e1=does(no_battle_damage_and_no_destruction)),
    "Mystical Space Typhoon": card(e1=does(destroy_targets)),
    "Dust Tornado": card(e1=does(destroy_targets)),
    "Threatening Roar": card(e1=does(opponents_cannot_declare)),
    "Call of the Haunted": CardBehaviour(
        {1: Effect(does(call_back), condition(has_free_monster_zone))},
        marks=frozenset({"follows-its-monster", "takes-its-monster-along"}),
    ),
    "Fiendish Chain": CardBehaviour(
        {1: Effect(does(chain_down))}, binds=("effects-negated", "cannot-attack"), marks=frozenset({"follows-its-monster"})
    ),
    "Phantom Knights' Fog Blade": CardBehaviour(
        {1: Effect(does(wrap_in_fog)), 4: Effect(does())}, marks=frozenset({"follows-its-monster"})
    ),
    "Macro Cosmos": card(e1=does(stay)),
    # Counter Traps
    "Seven Tools of the Bandit": card(e1=does(negate_activation, destroy_negated)),
    "Solemn Judgment": card(e1=does(negate_activation, destroy_negated)),
    "Divine Wrath": card(e1=does(negate_activation, destroy_negated)),
    "Magic Jammer": card(e1=does(negate_activation, destroy_negated)),
    "Trap Jammer": card(e1=does(negate_activation, destroy_negated)),
    "Solemn Strike": card(e1=does(negate_activation, destroy_negated)),
    # face-up on the field
    "Mirror Wall": CardBehaviour({1: Effect(does(halve_open_attacker))}, on_attack=halve_attacker),
    "Moon Mirror Shield": card(e2=does(mirror_shield), e3=pay_and_put_back),
    "Necrovalley": CardBehaviour(stats=gravekeepers_gain),
    "Skyscraper": CardBehaviour(in_calculation=hero_gains),
}
