"""Seeded faults of damage calculation (DC)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine_protocol.events import LpChanged
from engine_protocol.vocabulary import Player, opponent
from reference_engine import battle_damage, calculation, damage_step
from reference_engine.attack import Attack
from reference_engine.battle_damage import BattleDamage, DamageChange
from reference_engine.behaviour import Flow
from reference_engine.card import Card
from reference_engine.duel import Duel, DuelOver
from tests.faults.fault import Fault
from tests.faults.helpers import DUEL

_determine = calculation.determine
_original_losers = calculation.losers
_raw_damage = calculation.raw_damage
_deal = calculation.deal
_is_indestructible = calculation.is_indestructible
_after_damage_calculation = damage_step.after_damage_calculation
_battle_value = calculation.battle_value


def _losers(change: Callable[[Attack, int, int | None, list[Card]], list[Card]]) -> dict[str, Any]:
    def losers(duel: Duel, battle: Attack, attacker_value: int, target_value: int | None) -> list[Card]:
        return change(battle, attacker_value, target_value, _original_losers(duel, battle, attacker_value, target_value))

    return {"reference_engine.calculation:losers": losers}


def _raw(change: Callable[[Duel, Attack, list[int], int, int | None], list[int]]) -> dict[str, Any]:
    def raw_damage(duel: Duel, battle: Attack, attacker_value: int, target_value: int | None) -> list[int]:
        return change(duel, battle, _raw_damage(duel, battle, attacker_value, target_value), attacker_value, target_value)

    return {"reference_engine.calculation:raw_damage": raw_damage}


def _only_the_target_of_a_tie(battle: Attack, mine: int, theirs: int | None, lost: list[Card]) -> list[Card]:
    return lost[1:] if len(lost) == 2 else lost


def _zero_ties_destroy(battle: Attack, mine: int, theirs: int | None, lost: list[Card]) -> list[Card]:
    target = battle.target
    if target is not None and target.in_attack_position and mine == theirs == 0:
        return [battle.attacker, target]
    return lost


def _walls_kill(battle: Attack, mine: int, theirs: int | None, lost: list[Card]) -> list[Card]:
    target = battle.target
    if target is not None and theirs is not None and not target.in_attack_position and mine < theirs:
        return [battle.attacker]
    return lost


def _defense_ties_destroy(battle: Attack, mine: int, theirs: int | None, lost: list[Card]) -> list[Card]:
    target = battle.target
    if target is not None and not target.in_attack_position and mine == theirs:
        return [target]
    return lost


def _everything_pierces(duel: Duel, battle: Attack, damage: list[int], mine: int, theirs: int | None) -> list[int]:
    if theirs is not None and mine > theirs:
        damage[opponent(duel.turn_player)] = mine - theirs
    return damage


def _nothing_pierces(duel: Duel, battle: Attack, damage: list[int], mine: int, theirs: int | None) -> list[int]:
    if battle.target is not None and not battle.target.in_attack_position:
        damage[opponent(duel.turn_player)] = 0
    return damage


def _no_damage_from_walls(duel: Duel, battle: Attack, damage: list[int], mine: int, theirs: int | None) -> list[int]:
    if battle.target is not None and not battle.target.in_attack_position:
        damage[duel.turn_player] = 0
    return damage


def _half_of_a_direct_attack(duel: Duel, battle: Attack, damage: list[int], mine: int, theirs: int | None) -> list[int]:
    if theirs is None:
        damage[opponent(duel.turn_player)] = mine // 2
    return damage


def _whole_atk_instead_of_the_difference(
    duel: Duel, battle: Attack, damage: list[int], mine: int, theirs: int | None
) -> list[int]:
    if theirs is not None and damage[opponent(duel.turn_player)]:
        damage[opponent(duel.turn_player)] = mine
    return damage


def _deal_later(duel: Duel, damage: BattleDamage) -> None:
    duel.dealt_later = damage  # type: ignore[attr-defined]


def _determine_then_deal(duel: Duel, battle: Attack, destroyed: list[Card]) -> None:
    _determine(duel, battle, destroyed)
    _deal(duel, duel.dealt_later)  # type: ignore[attr-defined]


def _below_zero(card: Card, continuous: Any) -> tuple[int, int]:
    atk, def_ = card.base_atk, card.base_def
    for modifier in card.modifiers:
        match modifier.kind:
            case "add":
                atk, def_ = atk + modifier.atk, def_ + modifier.def_
            case "halve-original" | "halve":
                atk //= 2
            case "double":
                atk *= 2
            case "set":
                atk, def_ = modifier.atk, modifier.def_
    return atk, def_


def _overkill(self: Duel, player: Player, amount: int, reason: Any) -> None:
    if amount <= 0:
        return
    self.begin_moment()
    self.lp[player] -= amount
    self.emit(LpChanged(player, -amount, self.lp[player], reason))
    if self.lp[player] <= 0:
        self.end_duel(opponent(player), "life-points")


def _play_on_at_zero(self: Duel, winner: Any, reason: Any) -> None:
    if reason != "life-points":
        raise DuelOver
    self.lp = [max(points, 0) for points in self.lp]


def _no_damage_counts(duel: Duel, battle: Attack) -> None:
    for player in (duel.turn_player, opponent(duel.turn_player)):
        dealer = battle.attacker if player != duel.turn_player else battle.target
        if dealer is not None:
            duel.occur("inflicted-battle-damage", dealer, player=player)


def _weaker_attackers_survive(battle: Attack, mine: int, theirs: int | None, lost: list[Card]) -> list[Card]:
    return [card for card in lost if card is not battle.attacker]


def _everything_is_destroyed_by_piercing(battle: Attack, mine: int, theirs: int | None, lost: list[Card]) -> list[Card]:
    target = battle.target
    return [] if target is not None and not target.in_attack_position else lost


def _attacking_player_is_safe(duel: Duel, battle: Attack, damage: list[int], mine: int, theirs: int | None) -> list[int]:
    if battle.target is not None and battle.target.in_attack_position:
        damage[duel.turn_player] = 0
    return damage


def _damage_to_the_winner(duel: Duel, battle: Attack, damage: list[int], mine: int, theirs: int | None) -> list[int]:
    return damage[::-1] if theirs is None else damage


def _printed_values(battle: Attack, monster: Card, *, uses_def: bool) -> int:
    return monster.base_def if uses_def else monster.base_atk


def _always_atk(battle: Attack, monster: Card, *, uses_def: bool) -> int:
    return monster.atk if monster is battle.attacker else _battle_value(battle, monster, uses_def=uses_def)


def _always_by_position(battle: Attack, monster: Card, *, uses_def: bool) -> int:
    return monster.atk if monster.in_attack_position else monster.def_


def _taken_by_both(player: Player) -> DamageChange:
    def change(damage: BattleDamage) -> None:
        damage.battle[1 - player] += damage.battle[player]

    return change


def _half_for(player: Player) -> DamageChange:
    def change(damage: BattleDamage) -> None:
        damage.battle[player] //= 2

    return change


def _not_modified(duel: Duel, battle: Attack, raw: list[int]) -> BattleDamage:
    return BattleDamage(raw)


def _deal_half(duel: Duel, damage: BattleDamage) -> None:
    _deal(duel, BattleDamage([amount // 2 for amount in damage.battle], damage.effect, damage.gained))


def _dealt_after_calculation(duel: Duel, battle: Attack) -> Flow:
    if battle.calculated:
        duel.enter("after-calculation")
        _deal(duel, duel.dealt_later)  # type: ignore[attr-defined]
    yield from _after_damage_calculation(duel, battle)


def _nothing_is_indestructible(duel: Duel, card: Card, opposing_value: int) -> bool:
    return False


def _attackers_are_not_spared(duel: Duel, card: Card, opposing_value: int) -> bool:
    return card.controller != duel.turn_player and _is_indestructible(duel, card, opposing_value)


def _waboku_spares_no_monster(duel: Duel, card: Card, opposing_value: int) -> bool:
    spared, duel.protected_players = duel.protected_players, {0: set(), 1: set()}
    try:
        return _is_indestructible(duel, card, opposing_value)
    finally:
        duel.protected_players = spared


FAULTS: tuple[Fault, ...] = (
    Fault("tie-destroys-one", "DC-1", "With equal ATK only the target is destroyed", _losers(_only_the_target_of_a_tie)),
    Fault(
        "zero-tie-destroys",
        "DC-1",
        "Two monsters with 0 ATK destroy one another",
        _losers(_zero_ties_destroy),
        real="two monsters with 0 ATK that destroy each other",
    ),
    Fault("whole-atk", "DC-1", "The loser takes the whole ATK, not the difference", _raw(_whole_atk_instead_of_the_difference)),
    Fault("walls-kill", "DC-2", "An attacker is destroyed by a higher DEF", _losers(_walls_kill)),
    Fault(
        "defense-tie-destroys", "DC-2", "A Defense Position monster is destroyed by an equal ATK", _losers(_defense_ties_destroy)
    ),
    Fault("everything-pierces", "DC-2", "Every attack inflicts piercing damage", _raw(_everything_pierces)),
    Fault("nothing-pierces", "DC-2", "Piercing inflicts no damage", _raw(_nothing_pierces)),
    Fault("no-damage-from-walls", "DC-2", "Attacking a higher DEF costs nothing", _raw(_no_damage_from_walls)),
    Fault("half-direct", "DC-3", "A direct attack inflicts half the ATK", _raw(_half_of_a_direct_attack)),
    Fault(
        "destroyed-before-damage",
        "DC-7",
        "Destruction is determined before the damage is dealt",
        {"reference_engine.calculation:deal": _deal_later, "reference_engine.calculation:determine": _determine_then_deal},
        real="damage dealt after destruction",
    ),
    Fault("atk-below-zero", "DC-9", "ATK falls below 0", {"reference_engine.continuous:current_values": _below_zero}),
    Fault("lp-below-zero", "DC-9", "Life Points fall below 0", {f"{DUEL}damage": _overkill}),
    Fault(
        "play-on-at-zero",
        "DC-9",
        "The duel goes on at 0 Life Points",
        {f"{DUEL}end_duel": _play_on_at_zero},
        real="a duel that goes on at 0 Life Points",
    ),
    Fault(
        "zero-damage-counts",
        "DC-11",
        "Battle damage of 0 triggers effects",
        {"reference_engine.damage_step:damage_occurrences": _no_damage_counts},
    ),
    Fault(
        "weaker-attackers-survive",
        "DC-1",
        "An attacker with the lower ATK is not destroyed",
        _losers(_weaker_attackers_survive),
    ),
    Fault(
        "attacking-player-is-safe",
        "DC-1",
        "The attacking player takes no damage from a stronger monster",
        _raw(_attacking_player_is_safe),
    ),
    Fault(
        "printed-values",
        "DC-1",
        "Monsters battle with their printed ATK and DEF",
        {"reference_engine.calculation:battle_value": _printed_values},
    ),
    Fault(
        "defense-position-withstands",
        "DC-2",
        "Defense Position monsters are never destroyed by battle",
        _losers(_everything_is_destroyed_by_piercing),
    ),
    Fault(
        "direct-attack-backfires",
        "DC-3",
        "A direct attack damages the attacking player",
        _raw(_damage_to_the_winner),
    ),
    Fault(
        "attackers-use-atk",
        "DC-4",
        "Superheavy Samurai Big Benkei attacks in Defense Position with its ATK",
        {"reference_engine.calculation:battle_value": _always_atk},
    ),
    Fault(
        "defense-position-uses-def",
        "DC-4",
        "Total Defense Shogun attacks in Defense Position with its DEF",
        {"reference_engine.calculation:battle_value": _always_by_position},
    ),
    Fault(
        "zero-comes-first",
        "DC-5",
        "Battle damage becomes 0 before it is passed on to the other player",
        {"reference_engine.battle_damage:ORDER": ("becomes-0", *(s for s in battle_damage.ORDER if s != "becomes-0"))},
        real="what modifies battle damage in the wrong order: halving before zeroing",
    ),
    Fault(
        "fixed-comes-early",
        "DC-5",
        "Battle damage becomes a certain amount before it is halved or doubled",
        {"reference_engine.battle_damage:ORDER": ("fixed", *(s for s in battle_damage.ORDER if s != "fixed"))},
        real="what modifies battle damage in the wrong order: halving before zeroing",
    ),
    Fault(
        "passed-on-to-both",
        "DC-5",
        "Amazoness Swords Woman passes damage on, and her controller takes it too",
        {"reference_engine.cards.monsters:passed_on_by": _taken_by_both},
        real="what modifies battle damage in the wrong order, or twice",
    ),
    Fault(
        "spared-by-half",
        "DC-5",
        "A player who takes no battle damage takes half",
        {"reference_engine.battle_damage:none_for": _half_for, "reference_engine.cards.monsters:none_for": _half_for},
    ),
    Fault(
        "unmodified",
        "DC-5",
        "Nothing modifies battle damage",
        {"reference_engine.calculation:modified_damage": _not_modified},
    ),
    Fault(
        "half-is-dealt",
        "DC-7",
        "Less battle damage is dealt than was calculated",
        {"reference_engine.calculation:deal": _deal_half},
    ),
    Fault(
        "damage-after-calculation",
        "DC-7",
        "Battle damage is dealt after the timing of damage calculation",
        {
            "reference_engine.calculation:deal": _deal_later,
            "reference_engine.damage_step:after_damage_calculation": _dealt_after_calculation,
        },
        real="damage dealt after destruction",
    ),
    Fault(
        "nothing-is-indestructible",
        "DC-8",
        "Monsters that cannot be destroyed by battle are destroyed",
        {"reference_engine.calculation:is_indestructible": _nothing_is_indestructible},
    ),
    Fault(
        "attackers-are-destructible",
        "DC-8",
        "Monsters that cannot be destroyed by battle are so only when they are attacked",
        {"reference_engine.calculation:is_indestructible": _attackers_are_not_spared},
    ),
    Fault(
        "waboku-spares-no-monster",
        "DC-8",
        "Waboku keeps the player from damage, but not the monsters from destruction",
        {"reference_engine.calculation:is_indestructible": _waboku_spares_no_monster},
    ),
)
