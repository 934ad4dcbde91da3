"""Seeded faults of damage calculation (DC)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine_protocol.events import LpChanged
from engine_protocol.vocabulary import Player, opponent
from reference_engine import calculation
from reference_engine.attack import Attack
from reference_engine.battle_damage import BattleDamage
from reference_engine.card import Card
from reference_engine.duel import Duel, DuelOver
from tests.faults.fault import Fault
from tests.faults.helpers import DUEL

_determine = calculation.determine
_original_losers = calculation.losers
_raw_damage = calculation.raw_damage
_deal = calculation.deal


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
        self.over = True
        raise DuelOver
    self.lp = [max(points, 0) for points in self.lp]


def _no_damage_counts(duel: Duel, battle: Attack) -> None:
    for player in (duel.turn_player, opponent(duel.turn_player)):
        dealer = battle.attacker if player != duel.turn_player else battle.target
        if dealer is not None:
            duel.occur("inflicted-battle-damage", dealer, player=player)


FAULTS: tuple[Fault, ...] = (
    Fault("tie-destroys-one", "DC-1", "With equal ATK only the target is destroyed", _losers(_only_the_target_of_a_tie)),
    Fault("zero-tie-destroys", "DC-1", "Two monsters with 0 ATK destroy one another", _losers(_zero_ties_destroy)),
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
    ),
    Fault("atk-below-zero", "DC-9", "ATK falls below 0", {"reference_engine.duel:current_values": _below_zero}),
    Fault("lp-below-zero", "DC-9", "Life Points fall below 0", {f"{DUEL}damage": _overkill}),
    Fault("play-on-at-zero", "DC-9", "The duel goes on at 0 Life Points", {f"{DUEL}end_duel": _play_on_at_zero}),
    Fault(
        "zero-damage-counts",
        "DC-11",
        "Battle damage of 0 triggers effects",
        {"reference_engine.damage_step:damage_occurrences": _no_damage_counts},
    ),
)
