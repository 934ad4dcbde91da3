"""The seeded faults: one small mistake each, of the kinds that simulators make."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from engine_protocol.cards import CardFacts, EffectFacts, card_pool
from engine_protocol.decisions import Decision, Option
from engine_protocol.events import (
    Activated,
    AttackDeclared,
    AttackTargetChosen,
    ChainEnded,
    Decided,
    LinkResolved,
    LinkResolving,
    LpChanged,
    Moved,
    Place,
    ReplayBegan,
)
from engine_protocol.rulesets import Ruleset, ruleset_named
from engine_protocol.vocabulary import DAMAGE_STEP_TIMINGS, Player, Timing, opponent
from reference_engine import attack, calculation, chain, damage_step, flow, legality
from reference_engine.attack import Attack
from reference_engine.battle_damage import BattleDamage
from reference_engine.behaviour import Flow
from reference_engine.card import Card
from reference_engine.chain import Link
from reference_engine.duel import Duel, DuelOver
from reference_engine.engine import ReferenceEngine
from reference_engine.filters import select
from reference_engine.legality import Rulebook
from tests.faults.fault import Fault

_ENGINE = "reference_engine.engine:"
_DUEL = "reference_engine.duel:Duel."
_EVERYWHERE = frozenset(DAMAGE_STEP_TIMINGS)
_LATE: tuple[Timing, ...] = DAMAGE_STEP_TIMINGS[2:]

# --- helpers --------------------------------------------------------------------------------------------------------------


def _timings(change: Callable[[CardFacts, EffectFacts, frozenset[Timing]], frozenset[Timing]]) -> dict[str, Any]:
    """A rulebook in which the timings of effects are changed."""

    def rulebook(ruleset: str) -> Rulebook:
        return _changed_rulebook(ruleset, change)

    return {f"{_ENGINE}_rulebook": rulebook}


_RULEBOOKS: dict[tuple[str, object], Rulebook] = {}


def _changed_rulebook(ruleset: str, change: Callable[[CardFacts, EffectFacts, frozenset[Timing]], frozenset[Timing]]) -> Rulebook:
    key = (ruleset, change)
    if key not in _RULEBOOKS:
        book = Rulebook(ruleset_named(ruleset), tuple(card_pool().values()))
        for facts in card_pool().values():
            for effect in facts.effects:
                if (facts.passcode, effect.number) in book.timings:
                    book.timings[facts.passcode, effect.number] = change(
                        facts, effect, book.timings[facts.passcode, effect.number]
                    )
            book.activating[facts.passcode] = tuple(e for e in facts.effects if book.timings.get((facts.passcode, e.number)))
        _RULEBOOKS[key] = book
    return _RULEBOOKS[key]


def _ruleset(**changes: Any) -> dict[str, Any]:
    """A rulebook with other parameters."""

    def rulebook(name: str) -> Rulebook:
        key = (name, tuple(sorted(changes.items())))
        if key not in _RULEBOOKS:
            changed: Ruleset = replace(ruleset_named(name), **changes)
            _RULEBOOKS[key] = Rulebook(changed, tuple(card_pool().values()))
        return _RULEBOOKS[key]

    return {f"{_ENGINE}_rulebook": rulebook}


def _changes_stats(facts: CardFacts, effect: EffectFacts) -> bool:
    return "changes-atk-def" in effect.categories and effect.kind in ("activation", "quick") and not effect.timings


# --- BP: structure --------------------------------------------------------------------------------------------------------


def _straight_to_the_end_step(duel: Duel) -> Flow:
    yield from flow.start_step(duel)
    if duel.monsters(duel.turn_player):
        yield from flow.battle_step(duel)
    yield from flow.end_step(duel)


def _start_step_without_the_opponent(duel: Duel) -> Flow:
    duel.enter("start-step")
    while (yield from chain.offer(duel, duel.turn_player, "priority")):
        yield from chain.finish_chain(duel)


def _end_of_battle_step_without_the_opponent(duel: Duel, player: Player, kind: Any) -> chain.Asking:
    if duel.timing == "battle-step" and player != duel.turn_player:
        return False
    return (yield from _offer(duel, player, kind))


_offer = chain.offer


def _opponent_acts_before_a_declaration(duel: Duel) -> Flow:
    duel.enter("battle-step")
    if (yield from chain.offer(duel, opponent(duel.turn_player), "priority")):
        yield from chain.finish_chain(duel)
    yield from _battle_step(duel)


_battle_step = flow.battle_step


def _damage_step_to_end_step(duel: Duel, battle: Attack) -> Flow:
    yield from _damage_step(duel, battle)
    duel.battle_phase_ends = True


_damage_step = damage_step.damage_step

# --- AT: attack declaration -----------------------------------------------------------------------------------------------


def _any_face_up_position(monster: Card) -> bool:
    return monster.face_up


def _only_first_attacker(duel: Duel, monster: Card) -> bool:
    return _may_attack(duel, monster) and monster is next(m for m in duel.monsters(duel.turn_player) if _may_attack(duel, m))


_may_attack = attack.may_attack


def _no_used_attacks(duel: Duel, monster: Card) -> bool:
    return len(monster.attacked) < 2


def _negated_attack_is_given_back(self: Duel, reason: Any) -> None:
    battle = self.attack
    _end_attack(self, reason)
    if battle is not None and reason == "negated":
        battle.attacker.attacked.clear()
        battle.attacker.met.clear()


_end_attack = Duel.end_attack


def _face_down_restores_the_attack(self: Duel, card: Card, position: Any, reason: Any) -> None:
    _change_position(self, card, position, reason)
    if position == "face-down-defense":
        card.attacked, card.met = [], set()


_change_position = Duel.change_position


def _always_directly(duel: Duel, monster: Card) -> bool:
    return True


def _no_direct_attacks(duel: Duel, monster: Card) -> bool:
    return not duel.monsters(opponent(monster.controller))


def _only_attack_position_targets(duel: Duel, monster: Card, current: Attack | None = None) -> tuple[Option, ...]:
    options = _legal_targets(duel, monster, current)
    return tuple(o for o in options if o.card is None or duel.cards[o.card].face_up) or options


_legal_targets = attack.legal_targets


def _cost_after_the_target(duel: Duel, attacker: Card) -> Flow:
    costs = attacker.behaviour.attack_costs
    object.__setattr__(attacker.behaviour, "attack_costs", ())
    try:
        yield from _declare(duel, attacker)
    finally:
        object.__setattr__(attacker.behaviour, "attack_costs", costs)
    yield from attack._pay_attack_cost(duel, attacker)


_declare = attack.declare


def _declaration_traps_stay_open(facts: CardFacts, effect: EffectFacts, timings: frozenset[Timing]) -> frozenset[Timing]:
    return timings | {"after-declaration"} if effect.condition == "attack-declared" and effect.kind == "activation" else timings


def _every_chain_is_the_first(self: Duel, timing: Timing) -> None:
    _enter(self, timing)
    if timing == "after-declaration":
        self.chain_was_made = False


_enter = Duel.enter


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


def _stopped_after_the_chain(self: Duel) -> None:
    if self.lively:
        self._refresh_monsters()
    battle = self.attack
    if battle is not None and not self.chain and not battle.in_damage_step and attack.stops(self, battle):
        self.end_attack("stopped")


# --- RP: replay -----------------------------------------------------------------------------------------------------------


def _never_rewound(duel: Duel, battle: Attack) -> bool:
    return False


def _rewound_only_by_numbers(self: Duel, place: Any) -> None:
    """Only arrivals count."""
    if place.player != self.turn_player and self.rows[place.player]["monster-zone"] and len(self.events) % 2:
        self.defender_changes += 1


def _rewound_only_when_the_target_is_lost(duel: Duel, battle: Attack) -> bool:
    return battle.target is not None and not battle.target_stands(duel)


def _rewound_by_position_changes(self: Duel, card: Card, position: Any, reason: Any) -> None:
    _change_position(self, card, position, reason)
    if card.controller != self.turn_player:
        self.defender_changes += 1


def _rewound_in_the_damage_step(duel: Duel, battle: Attack) -> Flow:
    duel.enter("before-calculation")
    damage_step.flip_target(duel, battle)
    yield from damage_step.chains_of_the_timing(duel)
    if attack.replay_is_due(duel, battle) and battle.attacker_stands(duel):
        yield from attack.replay(duel, battle)
        if duel.attack is None:
            duel.attack = battle


def _rewound_in_the_middle_of_a_chain(duel: Duel, link: Link) -> Flow:
    yield from _resolve_link(duel, link)
    battle = duel.attack
    if battle is not None and not battle.in_damage_step and attack.replay_is_due(duel, battle):
        yield from attack.replay(duel, battle)


_resolve_link = chain.resolve_link


def _replay_is_a_declaration(duel: Duel, battle: Attack) -> Flow:
    yield from _replay(duel, battle)
    if not battle.over:
        duel.enter("declaration")
        duel.emit(AttackDeclared(battle.attacker.id, None if battle.target is None else battle.target.id))
        if not (yield from chain.trigger_chain(duel)):
            yield from chain.one_chain(duel)


_replay = attack.replay


def _no_giving_up(duel: Duel, battle: Attack) -> Flow:
    targets = attack.legal_targets(duel, battle.attacker, battle)
    if not targets:
        yield from _replay(duel, battle)
        return
    duel.emit(ReplayBegan(battle.attacker.id))
    option = yield from duel.ask(duel.turn_player, "replay", targets, battle.attacker.id)
    target = None if option.card is None else duel.cards[option.card]
    battle.aim(target, duel.defender_changes)
    duel.emit(AttackTargetChosen(battle.attacker.id, option.card))


def _giving_up_restores_the_attack(self: Duel, reason: Any) -> None:
    battle = self.attack
    _end_attack(self, reason)
    if battle is not None and reason == "given-up":
        battle.attacker.attacked.clear()
        battle.attacker.met.clear()


# --- DS: structure of the Damage Step --------------------------------------------------------------------------------------


def _without_after_calculation(duel: Duel, battle: Attack) -> Flow:
    if battle.calculated and not any(battle.damage) and battle.flipped is None:
        duel.end_calculation()
        return
    yield from _after_damage_calculation(duel, battle)


_after_damage_calculation = damage_step.after_damage_calculation


def _flipped_at_the_start(duel: Duel, battle: Attack) -> Flow:
    duel.enter("damage-start")
    battle.face_down = battle.target is not None and not battle.target.face_up
    damage_step.flip_target(duel, battle)
    yield from damage_step.chains_of_the_timing(duel)


def _flipped_after_the_chains(duel: Duel, battle: Attack) -> Flow:
    duel.enter("before-calculation")
    yield from damage_step.chains_of_the_timing(duel)
    damage_step.flip_target(duel, battle)


def _flipped_to_attack_position(duel: Duel, battle: Attack) -> None:
    target = battle.target
    if target is not None and not target.face_up and battle.goes_on(duel):
        duel.change_position(target, "face-up-attack", "battle")
        battle.flipped = target


def _flip_effects_at_the_flip(duel: Duel, battle: Attack) -> None:
    target = battle.target
    if target is not None and not target.face_up and battle.goes_on(duel):
        duel.change_position(target, "face-up-defense", "battle")
        duel.occur("flipped", target)


def _no_flip_effects(duel: Duel, battle: Attack) -> Flow:
    battle.flipped = None
    yield from _after_damage_calculation(duel, battle)


def _flip_effects_from_anywhere(duel: Duel, battle: Attack) -> Flow:
    if battle.flipped is not None and not battle.flipped.is_monster_on_field:
        battle.flipped = None
    yield from _after_damage_calculation(duel, battle)


def _second_chain_in_calculation() -> dict[str, Any]:
    return _ruleset(many_chains_at=frozenset(DAMAGE_STEP_TIMINGS[:3])) | {
        "reference_engine.legality:_FIRST_CHAIN_ONLY": frozenset()
    }


def _one_chain_at_the_start() -> dict[str, Any]:
    return _ruleset(many_chains_at=frozenset())


def _cut_short_when_a_monster_leaves(duel: Duel, battle: Attack) -> Flow:
    battle.in_damage_step = True
    for part in (
        damage_step.start_of_damage_step,
        damage_step.before_damage_calculation,
        damage_step.during_damage_calculation,
        damage_step.after_damage_calculation,
        damage_step.end_of_damage_step,
    ):
        if not battle.calculated and not battle.goes_on(duel):
            break
        yield from part(duel, battle)
    duel.end_attack("battled" if battle.calculated else "no-battle")


def _battle_against_nothing(self: Attack, duel: Duel) -> bool:
    return self.attacker_stands(duel)


def _sent_at_once(duel: Duel, battle: Attack, destroyed: list[Card]) -> None:
    _determine(duel, battle, destroyed)
    damage_step.send_destroyed(duel, battle)


_determine = calculation.determine


def _sent_after_the_end_triggers(duel: Duel, battle: Attack) -> Flow:
    duel.enter("damage-end")
    yield from damage_step.chains_of_the_timing(duel)
    damage_step.send_destroyed(duel, battle)
    yield from chain.trigger_chain(duel)


# --- DA: what may be activated ---------------------------------------------------------------------------------------------


def _changers_throughout(facts: CardFacts, effect: EffectFacts, timings: frozenset[Timing]) -> frozenset[Timing]:
    return timings | _EVERYWHERE if _changes_stats(facts, effect) else timings


def _changers_after_calculation(facts: CardFacts, effect: EffectFacts, timings: frozenset[Timing]) -> frozenset[Timing]:
    return timings | {"after-calculation"} if _changes_stats(facts, effect) else timings


def _no_changers_in_the_damage_step(facts: CardFacts, effect: EffectFacts, timings: frozenset[Timing]) -> frozenset[Timing]:
    return timings - _EVERYWHERE if _changes_stats(facts, effect) else timings


def _counter_traps_only_before(facts: CardFacts, effect: EffectFacts, timings: frozenset[Timing]) -> frozenset[Timing]:
    return timings - frozenset(_LATE) if effect.speed == 3 else timings


def _no_negation_in_the_damage_step(facts: CardFacts, effect: EffectFacts, timings: frozenset[Timing]) -> frozenset[Timing]:
    negates = "negates-activation" in effect.categories and effect.speed == 2 and effect.kind == "quick"
    return timings - _EVERYWHERE if negates else timings


def _effect_negation_throughout(facts: CardFacts, effect: EffectFacts, timings: frozenset[Timing]) -> frozenset[Timing]:
    negates = "negates-effect" in effect.categories and effect.kind == "quick"
    return timings | _EVERYWHERE if negates else timings


def _free_chain_cards_throughout(facts: CardFacts, effect: EffectFacts, timings: frozenset[Timing]) -> frozenset[Timing]:
    return timings | _EVERYWHERE if effect.speed == 2 and effect.kind == "activation" and not effect.condition else timings


def _no_optional_triggers_in_the_damage_step(
    facts: CardFacts, effect: EffectFacts, timings: frozenset[Timing]
) -> frozenset[Timing]:
    optional = effect.kind == "trigger" and not effect.mandatory and not effect.timings
    return timings - _EVERYWHERE if optional else timings


def _hand_quick_effects_at_the_end(facts: CardFacts, effect: EffectFacts, timings: frozenset[Timing]) -> frozenset[Timing]:
    named = effect.kind == "quick" and "damage-step" in effect.timings
    return timings | {"after-calculation", "damage-end"} if named else timings


# --- CH: chains ------------------------------------------------------------------------------------------------------------


def _no_spell_speed(duel: Duel, player: Player, card: Card, effect: EffectFacts) -> bool:
    links, duel.chain = duel.chain, []
    if links and effect.condition == "activation":
        duel.chain = links
        return _can_activate(duel, player, card, effect)
    try:
        return _can_activate(duel, player, card, effect)
    finally:
        duel.chain = links


_can_activate = legality.can_activate


def _no_answers_to_speed_two(duel: Duel, player: Player, card: Card, effect: EffectFacts) -> bool:
    return _can_activate(duel, player, card, effect) and not (
        duel.chain and effect.speed == 2 and duel.chain[-1].effect.speed == 2
    )


def _in_order_of_activation(duel: Duel) -> Flow:
    duel.chain = duel.chain[::-1]
    yield from _resolve(duel)


_resolve = chain.resolve


def _activations_between_links(duel: Duel, link: Link) -> Flow:
    yield from _resolve_link(duel, link)
    if link.number > 1:
        links, duel.chain = duel.chain, []
        yield from chain.one_chain(duel)
        duel.chain = links


def _other_player_triggers_first(duel: Duel) -> chain.Asking:
    duel.turn_player = opponent(duel.turn_player)
    pending = duel.pending
    try:
        trigger_groups = [t for t in pending if chain.still_triggers(duel, t)]
    finally:
        duel.turn_player = opponent(duel.turn_player)
    duel.pending = []
    if not trigger_groups:
        return False
    for mandatory in (True, False):
        for player in (opponent(duel.turn_player), duel.turn_player):
            group = [t for t in trigger_groups if t.card.controller == player and t.effect.mandatory == mandatory]
            yield from chain._chain_group(duel, player, group, mandatory=mandatory)
    if not duel.chain:
        return False
    yield from chain.finish_chain(duel)
    return True


def _optional_triggers_first(duel: Duel) -> chain.Asking:
    pending = [t for t in duel.pending if chain.still_triggers(duel, t)]
    duel.pending = []
    for mandatory in (False, True):
        for player in (duel.turn_player, opponent(duel.turn_player)):
            group = [t for t in pending if t.card.controller == player and t.effect.mandatory == mandatory]
            yield from chain._chain_group(duel, player, group, mandatory=mandatory)
    if not duel.chain:
        return False
    yield from chain.finish_chain(duel)
    return True


def _set_cards_are_ready(duel: Duel, player: Player, card: Card, effect: EffectFacts) -> bool:
    if effect.kind == "activation" and card.zone == "spell-trap-zone":
        return not card.face_up
    return _face_allows(duel, player, card, effect)


_face_allows = legality._face_allows


def _from_the_hand_in_any_turn(duel: Duel, player: Player, card: Card, effect: EffectFacts) -> bool:
    if effect.kind == "activation" and card.zone == "hand":
        return bool(duel.free_places(player, "spell-trap-zone"))
    return _face_allows(duel, player, card, effect)


def _set_quick_play_spells_wait_for_the_own_turn(duel: Duel, player: Player, card: Card, effect: EffectFacts) -> bool:
    if card.facts.property == "quick-play" and player != duel.turn_player:
        return False
    return _face_allows(duel, player, card, effect)


def _same_player_answers_first(duel: Duel) -> Flow:
    player = duel.chain[-1].player
    passes = 0
    while passes < 2:
        added = yield from chain.offer(duel, player, "response")
        passes = 0 if added else passes + 1
        player = opponent(player)


def _one_pass_closes_the_chain(duel: Duel) -> Flow:
    player = opponent(duel.chain[-1].player)
    while (yield from chain.offer(duel, player, "response")):
        player = opponent(player)


# --- DC: damage calculation -------------------------------------------------------------------------------------------------


def _losers(change: Callable[[Attack, int, int | None, list[Card]], list[Card]]) -> dict[str, Any]:
    def losers(duel: Duel, battle: Attack, attacker_value: int, target_value: int | None) -> list[Card]:
        return change(battle, attacker_value, target_value, _original_losers(duel, battle, attacker_value, target_value))

    return {"reference_engine.calculation:losers": losers}


_original_losers = calculation.losers


def _raw(change: Callable[[Duel, Attack, list[int], int, int | None], list[int]]) -> dict[str, Any]:
    def raw_damage(duel: Duel, battle: Attack, attacker_value: int, target_value: int | None) -> list[int]:
        return change(duel, battle, _raw_damage(duel, battle, attacker_value, target_value), attacker_value, target_value)

    return {"reference_engine.calculation:raw_damage": raw_damage}


_raw_damage = calculation.raw_damage


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


_deal = calculation.deal


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


# --- BD: determined destroyed ------------------------------------------------------------------------------------------------


def _active_although_determined(self: Card) -> bool:
    return self.face_up and self.on_field and "effects-negated" not in self.statuses


def _not_really_determined(duel: Duel, battle: Attack, destroyed: list[Card]) -> None:
    """The monster goes at the end, but until then it can do everything."""
    _determine(duel, battle, destroyed)
    for card in destroyed:
        card.determined = False
    battle.destroyed = destroyed


def _send_all_that_were_determined(duel: Duel, battle: Attack) -> None:
    for card in battle.destroyed:
        card.determined = True
    _send_destroyed(duel, battle)


_send_destroyed = damage_step.send_destroyed


def _quick_although_determined(duel: Duel, player: Player, card: Card, effect: EffectFacts) -> bool:
    was, card.determined = card.determined, False
    try:
        return _can_activate(duel, player, card, effect)
    finally:
        card.determined = was


def _target_although_determined(duel: Duel, player: Player, card: Card, effect: EffectFacts) -> list[Card]:
    if effect.target is None:
        return []
    return select(duel, effect.target.filter, player, card)


def _gone_but_destroyed_by_battle(duel: Duel, battle: Attack) -> None:
    """What an effect removed after damage calculation still triggers as destroyed by battle."""
    gone = [card for card in battle.destroyed if not card.is_monster_on_field]
    _send_destroyed(duel, battle)
    for card in gone:
        if card.zone == "graveyard":
            duel.occur("destroyed-by-battle-and-sent", card, battle.other(card))
        destroyer = battle.other(card)
        if destroyer is not None and destroyer.is_monster_on_field:
            duel.occur("destroys-by-battle", destroyer, card)
            duel.occur("destroys-by-battle-and-sends", destroyer, card)


def _mutual_destruction_counts(duel: Duel, battle: Attack) -> None:
    destroyed = [card for card in battle.destroyed if card.determined and card.is_monster_on_field]
    _send_destroyed(duel, battle)
    if len(destroyed) == 2:
        for card in destroyed:
            for effect in card.facts.effects:
                if effect.condition in ("destroys-by-battle", "destroys-by-battle-and-sends"):
                    option = Option("activate", card.id, effect.number)
                    duel.emit(Decided(Decision(card.controller, "trigger", duel.timing, (option,)), 0, True))
                    duel.emit(Activated(1, card.controller, card.id, effect.number, card.place, trigger=True))
                    duel.emit(LinkResolving(1))
                    duel.emit(LinkResolved(1))
                    duel.emit(ChainEnded())


def _sent_wherever_it_goes(self: Duel, cards: Any, reason: Any) -> None:
    cards = list(cards)
    _send(self, cards, reason)
    if reason == "destroyed-by-battle":
        for card in cards:
            if card.zone == "banished":
                for other in self.cards.values():
                    if other.is_monster_on_field and not other.determined and self.attack and self.attack.involves(other):
                        self.occur("destroys-by-battle-and-sends", other, card)


_send = Duel.send


# --- GN and IV ----------------------------------------------------------------------------------------------------------------


def _six_zones(self: Duel, player: Player, zone: Any) -> list[int]:
    taken = {card.index for card in self.rows[player][zone]}
    return [index for index in range(8) if index not in taken]


def _to_the_controllers_hand(self: Duel, cards: Any) -> None:
    """The card stands in the hand and still on the field."""
    for card in list(cards):
        if not card.determined:
            self.emit(Moved(card.id, card.place, Place(card.owner, "hand"), "returned-by-effect"))


def _drawn_twice(self: Duel, player: Player, count: int) -> None:
    _draw(self, player, count)
    hand = self.rows[player]["hand"]
    if hand:
        self.emit(Moved(hand[-1].id, Place(player, "deck"), hand[-1].place, "drawn"))


_draw = Duel.draw


def _used_cards_vanish(self: Duel, card: Card, reason: Any) -> None:
    self._leave_row(card)
    self.emit(Moved(card.id, card.place, None, reason))
    card.put(card.owner, "graveyard", 0, "face-up")
    card.incarnation += 1


_DUELS = itertools.count()


def _another_order_in_every_other_duel(duel: Duel) -> Flow:
    duel.reversed = next(_DUELS) % 2 == 1  # type: ignore[attr-defined]
    yield from _battle_phase(duel)


_battle_phase = flow.battle_phase


def _in_that_order(duel: Duel, player: Player) -> tuple[Option, ...]:
    options = _activations(duel, player)
    return options[::-1] if getattr(duel, "reversed", False) else options


_activations = chain.activations


def _takes_any_number(self: ReferenceEngine, option: int) -> Any:
    decision = self._decision
    size = len(decision.options) if decision is not None else 1
    return _choose(self, option % size)


_choose = ReferenceEngine.choose


def _start_step_again(duel: Duel) -> Flow:
    duel.enter("end-step")
    pass_option = (Option("pass"), Option("pass"))
    while True:
        yield Decision(duel.turn_player, "priority", "end-step", pass_option)


def _falls_over(duel: Duel, battle: Attack) -> Flow:
    if battle.target is not None and not battle.target.in_attack_position:
        raise ZeroDivisionError("division by zero")
    yield from _calculate(duel, battle)


_calculate = calculation.calculate


FAULTS: tuple[Fault, ...] = (
    Fault(
        "no-battle-step-without-monsters",
        "BP-2",
        "With no monster the Start Step leads straight to the End Step",
        {f"{_ENGINE}battle_phase": _straight_to_the_end_step},
    ),
    Fault(
        "damage-step-to-end-step",
        "BP-2",
        "After a Damage Step the End Step follows at once",
        {"reference_engine.flow:damage_step": _damage_step_to_end_step},
    ),
    Fault(
        "start-step-one-pass",
        "BP-4",
        "The Start Step is left when the turn player passes",
        {"reference_engine.flow:start_step": _start_step_without_the_opponent},
    ),
    Fault(
        "battle-step-one-pass",
        "BP-4",
        "The Battle Step is left when the turn player passes",
        {"reference_engine.flow:offer": _end_of_battle_step_without_the_opponent},
    ),
    Fault(
        "opponent-acts-first",
        "BP-7",
        "The non-turn player has priority before an attack declaration",
        {"reference_engine.flow:battle_step": _opponent_acts_before_a_declaration},
    ),
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
        {f"{_DUEL}end_attack": _negated_attack_is_given_back},
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
    ),
    Fault(
        "declaration-traps-stay-open",
        "AT-5",
        "Attack declaration cards may be activated after the first chain",
        _timings(_declaration_traps_stay_open) | {f"{_DUEL}enter": _every_chain_is_the_first},
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
        {f"{_DUEL}end_attack": _negation_does_not_end},
    ),
    Fault(
        "never-a-replay",
        "RP-1",
        "A change of the opponent's monsters causes no replay",
        {"reference_engine.flow:replay_is_due": _never_rewound},
    ),
    Fault(
        "replay-only-without-target",
        "RP-1",
        "A replay only happens when the target itself is gone",
        {"reference_engine.flow:replay_is_due": _rewound_only_when_the_target_is_lost},
    ),
    Fault(
        "replay-by-position",
        "RP-2",
        "A change of battle position causes a replay",
        {f"{_DUEL}change_position": _rewound_by_position_changes},
    ),
    Fault(
        "replay-in-damage-step",
        "RP-3",
        "A monster that leaves in the Damage Step causes a replay",
        {"reference_engine.damage_step:before_damage_calculation": _rewound_in_the_damage_step},
    ),
    Fault(
        "replay-mid-chain",
        "RP-4",
        "The replay is judged in the middle of a chain",
        {"reference_engine.chain:resolve_link": _rewound_in_the_middle_of_a_chain},
    ),
    Fault(
        "replay-is-a-declaration",
        "RP-5",
        "Choosing again in a replay is a new attack declaration",
        {"reference_engine.flow:replay": _replay_is_a_declaration},
    ),
    Fault("no-giving-up", "RP-5", "In a replay the attack cannot be given up", {"reference_engine.flow:replay": _no_giving_up}),
    Fault(
        "giving-up-is-free",
        "RP-6",
        "A given-up attack may be declared again",
        {f"{_DUEL}end_attack": _giving_up_restores_the_attack},
    ),
    Fault(
        "no-after-calculation",
        "DS-1",
        "Without damage the timing after damage calculation is left out",
        {"reference_engine.damage_step:after_damage_calculation": _without_after_calculation},
    ),
    Fault(
        "flipped-at-the-start",
        "DS-2",
        "A face-down target is flipped at the start of the Damage Step",
        {"reference_engine.damage_step:start_of_damage_step": _flipped_at_the_start},
    ),
    Fault(
        "flipped-late",
        "DS-2",
        "A face-down target is flipped after the chains before damage calculation",
        {"reference_engine.damage_step:before_damage_calculation": _flipped_after_the_chains},
    ),
    Fault(
        "flipped-to-attack",
        "DS-2",
        "A flipped target stands in Attack Position",
        {"reference_engine.damage_step:flip_target": _flipped_to_attack_position},
    ),
    Fault(
        "flip-effects-at-once",
        "DS-3",
        "Flip Effects activate at the flip, before damage calculation",
        {"reference_engine.damage_step:flip_target": _flip_effects_at_the_flip},
    ),
    Fault(
        "no-flip-effects",
        "DS-3",
        "A monster flipped by battle does not activate its Flip Effect",
        {"reference_engine.damage_step:after_damage_calculation": _no_flip_effects},
    ),
    Fault(
        "second-chain-in-calculation",
        "DS-5",
        "A second chain may be started during damage calculation",
        _second_chain_in_calculation(),
    ),
    Fault(
        "one-chain-at-the-start",
        "DS-5",
        "Only one chain may be made at the start of the Damage Step and before damage calculation",
        _one_chain_at_the_start(),
    ),
    Fault(
        "damage-step-cut-short",
        "DS-6",
        "When a battling monster leaves, the end of the Damage Step is left out",
        {"reference_engine.flow:damage_step": _cut_short_when_a_monster_leaves},
    ),
    Fault(
        "battle-against-nothing",
        "DS-6",
        "Damage is calculated although the target has left",
        {"reference_engine.attack:Attack.goes_on": _battle_against_nothing},
    ),
    Fault(
        "sent-at-once",
        "DS-10",
        "Monsters destroyed by battle are sent at damage calculation",
        {"reference_engine.calculation:determine": _sent_at_once},
    ),
    Fault(
        "sent-late",
        "DS-10",
        "Monsters destroyed by battle are sent after the chain at the end",
        {"reference_engine.damage_step:end_of_damage_step": _sent_after_the_end_triggers},
    ),
    Fault(
        "changers-throughout", "DA-1", "ATK changers may be activated in the whole Damage Step", _timings(_changers_throughout)
    ),
    Fault(
        "changers-after-calculation",
        "DA-1",
        "ATK changers may be activated after damage calculation",
        _timings(_changers_after_calculation),
    ),
    Fault(
        "no-changers", "DA-1", "ATK changers cannot be activated in the Damage Step", _timings(_no_changers_in_the_damage_step)
    ),
    Fault(
        "no-late-counter-traps",
        "DA-2",
        "Counter Traps are shut out from damage calculation on",
        _timings(_counter_traps_only_before),
    ),
    Fault(
        "no-late-negation",
        "DA-3",
        "Quick Effects that negate an activation cannot be activated in the Damage Step",
        _timings(_no_negation_in_the_damage_step),
    ),
    Fault(
        "effect-negation-throughout",
        "DA-3",
        "Quick Effects that negate an effect may be activated in the Damage Step",
        _timings(_effect_negation_throughout),
    ),
    Fault(
        "free-chains-throughout",
        "DA-5",
        "Any Quick-Play Spell or Trap may be activated in the Damage Step",
        _timings(_free_chain_cards_throughout),
    ),
    Fault(
        "no-optional-triggers",
        "DA-6",
        "Optional Triggers cannot be activated in the Damage Step",
        _timings(_no_optional_triggers_in_the_damage_step),
    ),
    Fault(
        "no-spell-speed", "CH-1", "Spell Speed 2 answers Spell Speed 3", {"reference_engine.chain:can_activate": _no_spell_speed}
    ),
    Fault(
        "first-in-first-out",
        "CH-2",
        "Chain Links resolve in the order they were made",
        {"reference_engine.chain:resolve": _in_order_of_activation},
    ),
    Fault(
        "activations-between-links",
        "CH-3",
        "Effects may be activated between two links",
        {"reference_engine.chain:resolve_link": _activations_between_links},
    ),
    Fault(
        "opponents-triggers-first",
        "CH-5",
        "The non-turn player's Triggers come first",
        {
            "reference_engine.chain:trigger_chain": _other_player_triggers_first,
            "reference_engine.damage_step:trigger_chain": _other_player_triggers_first,
            "reference_engine.flow:trigger_chain": _other_player_triggers_first,
        },
    ),
    Fault(
        "optional-triggers-first",
        "CH-5",
        "Optional Triggers come before mandatory ones",
        {
            "reference_engine.chain:trigger_chain": _optional_triggers_first,
            "reference_engine.damage_step:trigger_chain": _optional_triggers_first,
            "reference_engine.flow:trigger_chain": _optional_triggers_first,
        },
    ),
    Fault(
        "set-this-turn",
        "CH-8",
        "Cards set this turn may be activated",
        {"reference_engine.legality:_face_allows": _set_cards_are_ready},
    ),
    Fault(
        "quick-play-from-any-hand",
        "CH-8",
        "Quick-Play Spells may be activated from the hand in the opponent's turn",
        {"reference_engine.legality:_face_allows": _from_the_hand_in_any_turn},
    ),
    Fault(
        "no-set-quick-plays",
        "CH-8",
        "Set Quick-Play Spells cannot be activated in the opponent's turn",
        {"reference_engine.legality:_face_allows": _set_quick_play_spells_wait_for_the_own_turn},
    ),
    Fault(
        "same-player-answers",
        "CH-10",
        "The player who made a link may answer it before the other",
        {"reference_engine.chain:answer": _same_player_answers_first},
    ),
    Fault("one-pass-closes", "CH-10", "One pass closes the chain", {"reference_engine.chain:answer": _one_pass_closes_the_chain}),
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
    Fault("lp-below-zero", "DC-9", "Life Points fall below 0", {f"{_DUEL}damage": _overkill}),
    Fault("play-on-at-zero", "DC-9", "The duel goes on at 0 Life Points", {f"{_DUEL}end_duel": _play_on_at_zero}),
    Fault(
        "zero-damage-counts",
        "DC-11",
        "Battle damage of 0 triggers effects",
        {"reference_engine.damage_step:damage_occurrences": _no_damage_counts},
    ),
    Fault(
        "determined-stays-active",
        "BD-1",
        "Continuous effects of a monster determined destroyed go on",
        {"reference_engine.card:Card.active": property(_active_although_determined)},
    ),
    Fault(
        "determined-quick-effects",
        "BD-3",
        "A monster determined destroyed may use its Quick Effects",
        {"reference_engine.chain:can_activate": _quick_although_determined},
    ),
    Fault(
        "determined-targeted",
        "BD-5",
        "A monster determined destroyed may be targeted",
        {
            "reference_engine.chain:targets": _target_although_determined,
            "reference_engine.legality:targets": _target_although_determined,
        },
    ),
    Fault(
        "gone-but-destroyed-by-battle",
        "BD-8",
        "What an effect removed before the end still counts as destroyed by battle",
        {"reference_engine.damage_step:send_destroyed": _gone_but_destroyed_by_battle},
    ),
    Fault(
        "mutual-destruction-counts",
        "BD-10",
        "In mutual destruction both count as having destroyed",
        {"reference_engine.damage_step:send_destroyed": _mutual_destruction_counts},
    ),
    Fault("six-monster-zones", "GN-1", "A sixth monster finds a zone", {f"{_DUEL}free_places": _six_zones}),
    Fault("used-cards-vanish", "GN-2", "Used Spells and Traps vanish", {f"{_DUEL}put_away": _used_cards_vanish}),
    Fault(
        "card-in-two-places",
        "GN-2",
        "A returned monster stays on the field",
        {f"{_DUEL}return_to_hand": _to_the_controllers_hand},
    ),
    Fault(
        "order-at-random",
        "IV-1",
        "The same choices do not give the same duel",
        {f"{_ENGINE}battle_phase": _another_order_in_every_other_duel, "reference_engine.chain:activations": _in_that_order},
    ),
    Fault(
        "takes-any-number",
        "IV-2",
        "A choice that is not offered is taken for another",
        {"reference_engine.engine:ReferenceEngine.choose": _takes_any_number},
    ),
    Fault("end-step-for-ever", "IV-3", "The End Step never ends", {"reference_engine.flow:end_step": _start_step_again}),
    Fault(
        "falls-over",
        "IV-4",
        "Attacking a Defense Position monster raises an exception",
        {"reference_engine.damage_step:calculate": _falls_over},
    ),
)
"""All of them, by section of the catalogue."""
