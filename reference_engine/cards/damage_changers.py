"""Cards that modify battle damage (DC-5)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine_protocol.vocabulary import PLAYERS, opponent
from reference_engine.battle_damage import doubled, none_for, passed_on_by, recovered_by
from reference_engine.behaviour import CardBehaviour, Effect
from reference_engine.cards.pieces import does, stay

if TYPE_CHECKING:
    from reference_engine.attack import Attack
    from reference_engine.battle_damage import BattleDamage
    from reference_engine.card import Card
    from reference_engine.chain import Link
    from reference_engine.duel import Duel

_MINDS_EYE = 1000


def both_take_it(duel: Duel, source: Card, battle: Attack, damage: BattleDamage) -> None:
    """Double-Edged Sword: what one player takes, the other takes too."""
    damage.battle[:] = [sum(damage.battle)] * 2


def gain_2000(duel: Duel, source: Card, monster: Card) -> tuple[int, int] | None:
    """Double-Edged Sword."""
    return (2000, 0) if source.equipped_to is monster else None


def is_effect_damage(duel: Duel, source: Card, battle: Attack, damage: BattleDamage) -> None:
    """Gravekeeper's Vassal: the battle damage it inflicts on the opponent is effect damage."""
    other = opponent(source.controller)
    damage.effect[other] += damage.battle[other]
    damage.battle[other] = 0


def is_gained(duel: Duel, source: Card, battle: Attack, damage: BattleDamage) -> None:
    """Muscle Medic: whoever would take damage from its battle gains it."""
    recovered_by(*PLAYERS)(damage)


def controller_takes_none(duel: Duel, source: Card, battle: Attack, damage: BattleDamage) -> None:
    """Amazoness Fighter."""
    none_for(source.controller)(damage)


def none_while_a_monster_is_there(duel: Duel, source: Card, battle: Attack, damage: BattleDamage) -> None:
    """Spirit Barrier."""
    if duel.monsters(source.controller):
        none_for(source.controller)(damage)


def none_for_fairies(duel: Duel, source: Card, battle: Attack, damage: BattleDamage) -> None:
    """The Sanctuary in the Sky: for the controller of a Fairy in the battle."""
    for monster in (battle.attacker, battle.target):
        if monster is not None and monster.facts.race == "Fairy":
            none_for(monster.controller)(damage)


def becomes_1000(duel: Duel, source: Card, battle: Attack, damage: BattleDamage) -> None:
    """Temple of the Mind's Eye: battle damage that there is; damage of 0 is none (DC-11)."""
    damage.battle[:] = [min(amount, 1) * _MINDS_EYE for amount in damage.battle]


def double_between_monsters(duel: Duel, link: Link) -> None:
    """Action Magic - Full Turn: in battles of two monsters, for the rest of the turn."""

    def change(damage: BattleDamage) -> None:
        if duel.attack is not None and duel.attack.target is not None:
            doubled(damage)

    duel.damage_changes.append(("doubled", change))


def gain_instead(duel: Duel, link: Link) -> None:
    """Rainbow Life: for the rest of the turn the player gains what they would take."""
    duel.recovering.add(link.player)
    duel.damage_changes.append(("recovered", recovered_by(link.player)))


def pass_on_this_battle(duel: Duel, link: Link) -> None:
    """Dimension Wall: the opponent takes what the player would take from this battle."""
    if duel.attack is not None:
        duel.attack.damage_changes.append(("passed-on", passed_on_by(link.player)))


BEHAVIOURS = {
    "Double-Edged Sword": CardBehaviour(stats=gain_2000, damage=both_take_it, damage_step="both-take-it"),
    "Gravekeeper's Vassal": CardBehaviour(damage=is_effect_damage, damage_step="as-effect-damage"),
    "Muscle Medic": CardBehaviour(damage=is_gained, damage_step="recovered"),
    "Amazoness Fighter": CardBehaviour(damage=controller_takes_none),
    "Spirit Barrier": CardBehaviour({1: Effect(does(stay))}, damage=none_while_a_monster_is_there),
    "The Sanctuary in the Sky": CardBehaviour(damage=none_for_fairies),
    "Temple of the Mind's Eye": CardBehaviour(damage=becomes_1000, damage_step="fixed"),
    "Action Magic - Full Turn": CardBehaviour({1: Effect(does(double_between_monsters))}),
    "Rainbow Life": CardBehaviour({1: Effect(does(gain_instead))}),
    "Dimension Wall": CardBehaviour({1: Effect(does(pass_on_this_battle))}),
}
