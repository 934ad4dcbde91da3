"""Seeded faults of attacks: who may attack whom, what that costs, what stops an attack (AT)."""

from __future__ import annotations

from typing import Any

from engine_protocol.cards import EffectFacts
from engine_protocol.decisions import Option
from engine_protocol.vocabulary import FlipReason, Position, Timing, opponent
from reference_engine import attack, chain, flow
from reference_engine.attack import Attack
from reference_engine.behaviour import Flow
from reference_engine.card import Card
from reference_engine.chain import Link
from reference_engine.duel import Duel
from reference_engine.stats import Modifier
from tests.faults.fault import Fault
from tests.faults.helpers import DUEL, also_at

_may_attack = attack.may_attack
_end_attack = Duel.end_attack
_change_position = Duel.change_position
_legal_targets = attack.legal_targets
_declare = attack.declare
_enter = Duel.enter
_after_declaration = flow.after_declaration
_stops = attack.stops
_replay_is_due = attack.replay_is_due
_has_attack_left = attack.has_attack_left
_modify = Duel.modify
_attack_count = attack.attack_count
_pay_attack_cost = attack._pay_attack_cost


def _any_face_up_position(monster: Card) -> bool:
    return monster.face_up


def _only_first_attacker(duel: Duel, monster: Card) -> bool:
    return _may_attack(duel, monster) and monster is next(m for m in duel.monsters(duel.turn_player) if _may_attack(duel, m))


def _no_used_attacks(duel: Duel, monster: Card) -> bool:
    return len(monster.attacked) < 2


def _negated_attack_is_given_back(self: Duel, reason: Any) -> None:
    battle = self.attack
    _end_attack(self, reason)
    if battle is not None and reason == "negated":
        battle.attacker.attacked.clear()
        battle.attacker.met.clear()


def _always_directly(duel: Duel, monster: Card) -> bool:
    return True


def _no_direct_attacks(duel: Duel, monster: Card) -> bool:
    return not duel.monsters(opponent(monster.controller))


def _only_attack_position_targets(duel: Duel, monster: Card, current: Attack | None = None) -> tuple[Option, ...]:
    options = _legal_targets(duel, monster, current)
    return tuple(o for o in options if o.card is None or duel.cards[o.card].face_up) or options


def _cost_after_the_target(duel: Duel, attacker: Card) -> Flow:
    costs = attacker.behaviour.attack_costs
    object.__setattr__(attacker.behaviour, "attack_costs", ())
    try:
        yield from _declare(duel, attacker)
    finally:
        object.__setattr__(attacker.behaviour, "attack_costs", costs)
    yield from attack._pay_attack_cost(duel, attacker)


def _waits_for_a_declaration(effect: EffectFacts) -> bool:
    return effect.condition == "attack-declared" and effect.kind == "activation"


def _every_chain_is_the_first(self: Duel, timing: Timing) -> None:
    _enter(self, timing)
    if timing == "after-declaration":
        self.chain_was_made = False


def _one_declaration_chain_per_turn(duel: Duel) -> Flow:
    duel.enter("declaration")
    yield from chain.trigger_chain(duel)
    duel.enter("after-declaration")


def _damage_step_right_after_the_declaration(duel: Duel, battle: Attack) -> Flow:
    duel.enter("after-declaration")
    if not battle.over and attack.replay_is_due(duel, battle):
        yield from attack.replay(duel, battle)


def _nothing_stops(duel: Duel, battle: Attack) -> bool:
    return False


def _negation_does_not_end(self: Duel, reason: Any) -> None:
    if reason != "negated":
        _end_attack(self, reason)


def _not_stopped_during_a_chain(duel: Duel, battle: Attack) -> bool:
    return _stops(duel, battle) and not ("cannot-attack" in battle.attacker.statuses and duel.chain)


def _roar_stops_the_open_attack(duel: Duel, battle: Attack) -> Flow:
    if duel.no_more_declarations and not battle.over:
        duel.end_attack("stopped")
    yield from _after_declaration(duel, battle)


def _declares_all_the_same(duel: Duel, monster: Card) -> bool:
    forbidden, duel.no_more_declarations = duel.no_more_declarations, False
    try:
        return _may_attack(duel, monster)
    finally:
        duel.no_more_declarations = forbidden


def _whoever_it_was(duel: Duel, link: Link) -> None:
    """Targets are kept, attacking or not."""


def _stopped_by_the_target(self: Duel, card: Card, position: Position, reason: FlipReason) -> None:
    _change_position(self, card, position, reason)
    battle = self.attack
    if battle is not None and battle.target is card and not battle.in_damage_step and position == "face-down-defense":
        self.end_attack("stopped")


def _attacks_add_up(monster: Card) -> int:
    own = monster.behaviour.attacks if monster.active else 1
    return own + sum(lender.behaviour.attacks - 1 for lender in monster.lenders)


def _one_attack_only(duel: Duel, monster: Card) -> bool:
    return not monster.attacked or monster.granted > 0


def _met_is_forgotten(duel: Duel, monster: Card, replayed: Attack | None = None) -> tuple[Option, ...]:
    met, monster.met = monster.met, set()
    try:
        return _legal_targets(duel, monster, replayed)
    finally:
        monster.met = met


def _monsters_after_a_direct_attack(duel: Duel, monster: Card) -> bool:
    each = monster.behaviour.attacks_each and monster.active
    return _has_attack_left(duel, monster) or (each and bool(duel.monsters(opponent(monster.controller))))


def _any_position(monster: Card) -> bool:
    return True


def _battle_that_was_none_is_given_back(self: Duel, reason: Any) -> None:
    battle = self.attack
    _end_attack(self, reason)
    if battle is not None and reason == "no-battle":
        battle.attacker.attacked.clear()
        battle.attacker.met.clear()


def _only_directly(duel: Duel, monster: Card, replayed: Attack | None = None) -> tuple[Option, ...]:
    options = _legal_targets(duel, monster, replayed)
    return (attack.DIRECT,) if attack.DIRECT in options else options


def _weaker_monsters_only(duel: Duel, monster: Card, replayed: Attack | None = None) -> tuple[Option, ...]:
    options = _legal_targets(duel, monster, replayed)
    weaker = tuple(option for option in options if option.card is None or duel.cards[option.card].atk <= monster.atk)
    return weaker or options


def _for_free(duel: Duel, attacker: Card) -> Flow:
    yield from ()


def _paid_in_life_points_only(duel: Duel, attacker: Card) -> Flow:
    if all(cost.kind == "pay-lp" for cost in attacker.behaviour.attack_costs):
        yield from _pay_attack_cost(duel, attacker)


def _is_tied_to_a_declaration(effect: EffectFacts) -> bool:
    return effect.condition in ("attack-declared", "direct-attack-declared")


def _one_chain_after_the_declaration(duel: Duel, battle: Attack) -> Flow:
    if not battle.over:
        duel.enter("after-declaration")
        if not (yield from chain.trigger_chain(duel)):
            yield from chain.one_chain(duel)
    while not battle.over and not duel.battle_phase_ends and attack.replay_is_due(duel, battle):
        yield from attack.replay(duel, battle)


def _stopped_by_changes(self: Duel, card: Card, modifier: Modifier) -> None:
    _modify(self, card, modifier)
    battle = self.attack
    if battle is not None and battle.involves(card) and not battle.in_damage_step:
        self.end_attack("stopped")


def _position_of_the_target_stops(self: Duel, card: Card, position: Position, reason: FlipReason) -> None:
    _change_position(self, card, position, reason)
    battle = self.attack
    if battle is not None and battle.target is card and not battle.in_damage_step:
        self.end_attack("stopped")


def _chained_down_but_attacking(duel: Duel, battle: Attack) -> bool:
    return not battle.attacker_stands(duel)


def _cannot_be_attacked(duel: Duel, battle: Attack) -> bool:
    return battle.target is not None and "cannot-be-attacked" in battle.target.statuses


def _stopped_by_what_befalls_the_target(duel: Duel, battle: Attack) -> bool:
    return _stops(duel, battle) or _cannot_be_attacked(duel, battle)


def _rewound_by_what_befalls_the_target(duel: Duel, battle: Attack) -> bool:
    return _replay_is_due(duel, battle) or _cannot_be_attacked(duel, battle)


def _counts_every_attack_of_the_equipped(monster: Card) -> int:
    return 3 if any(lender.behaviour.attacks > 1 for lender in monster.lenders) else _attack_count(monster)


def _never_stopped_at_once(duel: Duel, battle: Attack) -> bool:
    return False


def _whichever_stay_it_is(self: Attack, duel: Duel) -> bool:
    attacker = self.attacker
    return attacker.is_monster_on_field and attacker.controller == duel.turn_player and attacker.in_attack_position


def _looked_for_at_the_end(duel: Duel, battle: Attack) -> Flow:
    yield from _after_declaration(duel, battle)
    if not battle.over and not battle.attacker_stands(duel):
        duel.end_attack("stopped")


FAULTS: tuple[Fault, ...] = (
    Fault(
        "defense-position-attacks",
        "AT-1",
        "Face-up Defense Position monsters may attack",
        {"reference_engine.attack:position_allows_attack": _any_face_up_position},
    ),
    Fault(
        "only-first-attacker",
        "AT-1",
        "Only the first of several monsters is offered to attack",
        {"reference_engine.flow:may_attack": _only_first_attacker},
    ),
    Fault(
        "attacks-twice",
        "AT-2",
        "Every monster may declare two attacks",
        {"reference_engine.attack:has_attack_left": _no_used_attacks},
    ),
    Fault(
        "negated-attack-again",
        "AT-2",
        "A negated attack may be declared again",
        {f"{DUEL}end_attack": _negated_attack_is_given_back},
        real="a negated attack that may be declared again",
        parameter="stopped_attack_is_used",
    ),
    Fault(
        "always-directly",
        "AT-3",
        "A direct attack is offered although the opponent has monsters",
        {"reference_engine.attack:may_attack_directly": _always_directly},
    ),
    Fault(
        "no-face-down-targets",
        "AT-3",
        "Face-down monsters cannot be attacked",
        {"reference_engine.attack:legal_targets": _only_attack_position_targets},
    ),
    Fault(
        "no-direct-attackers",
        "AT-3",
        "A monster that may attack directly is not let to",
        {"reference_engine.attack:may_attack_directly": _no_direct_attacks},
    ),
    Fault(
        "cost-after-the-target",
        "AT-4",
        "The cost of attacking is paid after the target is chosen",
        {"reference_engine.flow:declare": _cost_after_the_target},
        real="attack cost after the target",
    ),
    Fault(
        "declaration-traps-stay-open",
        "AT-5",
        "Attack declaration cards may be activated after the first chain",
        also_at(_waits_for_a_declaration, {"after-declaration"}) | {f"{DUEL}enter": _every_chain_is_the_first},
        real="cards for the declaration activated when the attack is on its way already",
    ),
    Fault(
        "no-declaration-traps",
        "AT-5",
        "Nothing but Triggers may be activated at the declaration",
        {"reference_engine.flow:attack_declaration": _one_declaration_chain_per_turn},
    ),
    Fault(
        "straight-to-damage-step",
        "AT-6",
        "After the declaration window the Damage Step begins at once",
        {"reference_engine.flow:after_declaration": _damage_step_right_after_the_declaration},
    ),
    Fault(
        "nothing-stops-an-attack",
        "AT-7",
        "An attacker that was turned face-down attacks all the same",
        {"reference_engine.duel:stops": _nothing_stops},
    ),
    Fault(
        "negation-without-end",
        "AT-7",
        "A negated attack goes on to the Damage Step",
        {f"{DUEL}end_attack": _negation_does_not_end},
    ),
    Fault(
        "stopped-after-the-chain",
        "AT-8",
        "An attacker that cannot attack any more is stopped only after the chain",
        {"reference_engine.duel:stops": _not_stopped_during_a_chain},
        real="an attack that is over taken for one that goes on",
    ),
    Fault(
        "threatening-roar-stops",
        "AT-8",
        "Threatening Roar stops the attack that was declared",
        {"reference_engine.flow:after_declaration": _roar_stops_the_open_attack},
        real='"cannot declare an attack" taken for "cannot attack"',
    ),
    Fault(
        "declares-after-threatening-roar",
        "AT-8",
        "After Threatening Roar other monsters still attack",
        {"reference_engine.flow:may_attack": _declares_all_the_same},
    ),
    Fault(
        "unselectable-target-rewinds",
        "AT-9",
        "An attack is rewound when its target cannot be selected any more",
        {"reference_engine.flow:replay_is_due": _rewound_by_what_befalls_the_target},
    ),
    Fault(
        "unselectable-target-stops",
        "AT-9",
        "An attack stops when its target cannot be selected any more",
        {"reference_engine.duel:stops": _stopped_by_what_befalls_the_target},
    ),
    Fault(
        "still-the-attacking-monster",
        "AT-10",
        "Dimensional Prison banishes a monster whose attack was stopped earlier in the chain",
        {"reference_engine.chain:drop_targets_out_of_role": _whoever_it_was},
        real="an attack that is over taken for one that goes on",
    ),
    Fault(
        "face-down-target-stops",
        "AT-13",
        "An attack stops when its target is turned face-down",
        {f"{DUEL}change_position": _stopped_by_the_target},
    ),
    Fault(
        "attacks-add-up",
        "AT-11",
        "Twin Swords of Flashing Light - Tryce gives Mataza a third attack",
        {"reference_engine.attack:attack_count": _attacks_add_up},
        real="extra attacks added up",
    ),
    Fault(
        "no-second-attack",
        "AT-11",
        "A monster that may attack twice attacks once",
        {"reference_engine.attack:has_attack_left": _one_attack_only},
    ),
    Fault(
        "same-monster-twice",
        "AT-11",
        "Asura Priest attacks the same monster twice",
        {"reference_engine.attack:legal_targets": _met_is_forgotten},
        real="attacks on each monster once",
    ),
    Fault(
        "monsters-after-a-direct-attack",
        "AT-11",
        "Asura Priest attacks monsters after it has attacked directly",
        {"reference_engine.attack:has_attack_left": _monsters_after_a_direct_attack},
    ),
    Fault(
        "any-position-attacks",
        "AT-1",
        "A monster may attack in whatever position it lies",
        {"reference_engine.attack:position_allows_attack": _any_position},
    ),
    Fault(
        "no-battle-no-attack",
        "AT-2",
        "An attack that came to no damage calculation may be declared again",
        {f"{DUEL}end_attack": _battle_that_was_none_is_given_back},
        real="a negated attack that may be declared again",
    ),
    Fault(
        "direct-attackers-spare-monsters",
        "AT-3",
        "A monster that may attack directly cannot attack monsters",
        {"reference_engine.attack:legal_targets": _only_directly},
    ),
    Fault(
        "stronger-monsters-are-no-targets",
        "AT-3",
        "Monsters with a higher ATK cannot be attacked",
        {"reference_engine.attack:legal_targets": _weaker_monsters_only},
    ),
    Fault(
        "no-cost",
        "AT-4",
        "Attacking costs nothing",
        {"reference_engine.attack:_pay_attack_cost": _for_free},
    ),
    Fault(
        "no-tribute",
        "AT-4",
        "Panther Warrior attacks without a Tribute",
        {"reference_engine.attack:_pay_attack_cost": _paid_in_life_points_only},
    ),
    Fault(
        "answered-in-the-damage-step",
        "AT-5",
        "Cards for when an attack is declared may be activated when the Damage Step has begun",
        also_at(_is_tied_to_a_declaration, {"damage-start"}),
        real="cards for the declaration activated when the attack is on its way already",
    ),
    Fault(
        "one-chain-after-the-declaration",
        "AT-6",
        "After the declaration there is one chain, then the Damage Step",
        {"reference_engine.flow:after_declaration": _one_chain_after_the_declaration},
        also=("BP-8", "RP-4"),
    ),
    Fault(
        "position-of-the-target-stops",
        "AT-13",
        "An attack stops when the position of its target changes",
        {f"{DUEL}change_position": _position_of_the_target_stops},
    ),
    Fault(
        "changes-stop-an-attack",
        "AT-13",
        "An attack stops when the ATK of a monster in it changes",
        {f"{DUEL}modify": _stopped_by_changes},
    ),
    Fault(
        "chained-down-but-attacking",
        "AT-7",
        "A monster that cannot attack any more carries its attack through",
        {"reference_engine.duel:stops": _chained_down_but_attacking},
        also=("AT-8",),
    ),
    Fault(
        "equip-cards-count-thrice",
        "AT-11",
        "Twin Swords of Flashing Light - Tryce allows three attacks",
        {"reference_engine.attack:attack_count": _counts_every_attack_of_the_equipped},
        real="extra attacks added up",
    ),
    Fault(
        "returned-attacker",
        "AT-7",
        "An attacker that is destroyed and Special Summoned again goes on with its attack",
        {
            "reference_engine.duel:stops": _never_stopped_at_once,
            "reference_engine.flow:after_declaration": _looked_for_at_the_end,
            "reference_engine.attack:Attack.attacker_stands": _whichever_stay_it_is,
        },
        real="a monster that leaves and returns taken for the same",
    ),
)
