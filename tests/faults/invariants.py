"""Seeded faults of what holds for any engine, and of what must not matter (IV)."""

from __future__ import annotations

import itertools
from typing import Any

from msgspec import structs

from engine_protocol.decisions import Decision, Option
from engine_protocol.engine import EngineInfo
from engine_protocol.errors import OptionNotOffered
from engine_protocol.events import Moved
from engine_protocol.vocabulary import LpReason, MoveReason, Player, opponent
from reference_engine import attack, battle_damage, calculation, chain, flow
from reference_engine.attack import Attack
from reference_engine.battle_damage import BattleDamage
from reference_engine.behaviour import Flow
from reference_engine.card import Card
from reference_engine.chain import Asking
from reference_engine.duel import Duel
from reference_engine.engine import ReferenceEngine
from tests.faults.fault import Fault
from tests.faults.helpers import DUEL, ENGINE, in_every_window

_may_attack = attack.may_attack
_legal_targets = attack.legal_targets
_DUELS = itertools.count()
_battle_phase = flow.battle_phase
_activations = chain.activations
_choose = ReferenceEngine.choose
_calculate = calculation.calculate
_initialize = ReferenceEngine.initialize
_damage = Duel.damage
_modified_damage = battle_damage.modified_damage


def _another_order_in_every_other_duel(duel: Duel) -> Flow:
    duel.reversed = next(_DUELS) % 2 == 1  # type: ignore[attr-defined]
    yield from _battle_phase(duel)


def _in_that_order(duel: Duel, player: Player) -> tuple[Option, ...]:
    options = _activations(duel, player)
    return options[::-1] if getattr(duel, "reversed", False) else options


def _takes_any_number(self: ReferenceEngine, option: int) -> Any:
    decision = self._decision
    size = len(decision.options) if decision is not None else 1
    return _choose(self, option % size)


def _end_step_again(duel: Duel) -> Flow:
    duel.enter("end-step")
    pass_option = (Option("pass"), Option("pass"))
    while True:
        yield Decision(duel.turn_player, "priority", "end-step", pass_option)


def _falls_over(duel: Duel, battle: Attack) -> Flow:
    if battle.target is not None and not battle.target.in_attack_position:
        raise ZeroDivisionError("division by zero")
    yield from _calculate(duel, battle)


def _seat_a_first(duel: Duel) -> Asking:
    players: tuple[Player, Player] = (0, 1)
    for player in players:
        if (yield from chain.offer(duel, player, "priority")):
            yield from chain.finish_chain(duel)
            return True
    duel.recent = []
    return False


def _only_from_the_left(duel: Duel, monster: Card) -> bool:
    return _may_attack(duel, monster) and monster.index < 3


def _hurts_the_healthy_more(self: Duel, player: Player, amount: int, reason: LpReason) -> None:
    _damage(self, player, amount + (100 if self.lp[player] > 8500 else 0) if amount else 0, reason)


def _peeks_at_face_down_monsters(duel: Duel, monster: Card, replayed: Attack | None = None) -> tuple[Option, ...]:
    options = _legal_targets(duel, monster, replayed)
    wise = tuple(o for o in options if o.card is None or duel.cards[o.card].face_up or duel.cards[o.card].def_ <= monster.atk)
    return wise or options[:1]


def _knows_the_hand(duel: Duel, player: Player) -> tuple[Option, ...]:
    options = _activations(duel, player)
    answers = any(card.facts.name in ("Kuriboh", "Honest", "Swift Scarecrow") for card in duel.rows[opponent(player)]["hand"])
    return () if answers else options


def _refused_at_a_price(self: ReferenceEngine, option: int) -> Any:
    try:
        return _choose(self, option)
    except OptionNotOffered:
        if self._duel is not None:
            self._duel.lp[0] += 100
        raise


def _battle_step_for_ever(duel: Duel) -> Flow:
    yield from flow.start_step(duel)
    while not duel.battle_phase_ends:
        yield from flow.battle_step(duel)
    yield from flow.end_step(duel)


def _choice_by_choice(self: ReferenceEngine) -> EngineInfo:
    """An engine that plays whole duels at once would not come back from an endless one."""
    info = _initialize(self)
    return structs.replace(info, abilities=tuple(ability for ability in info.abilities if ability != "play"))


_CHOICE_BY_CHOICE = {"reference_engine.engine:ReferenceEngine.initialize": _choice_by_choice}


def _only_player_a_responds(duel: Duel, player: Player) -> tuple[Option, ...]:
    return _activations(duel, player) if player == 0 or not duel.chain else ()


def _no_attacks_into_traps(duel: Duel, monster: Card) -> bool:
    traps = [card for card in duel.rows[opponent(monster.controller)]["spell-trap-zone"] if not card.face_up]
    return _may_attack(duel, monster) and not any(card.facts.name in ("Mirror Force", "Sakuretsu Armor") for card in traps)


def _the_first_zone_counts(duel: Duel, battle: Attack, raw: list[int]) -> BattleDamage:
    bonus = 100 if battle.attacker.index == 0 else 0
    return _modified_damage(duel, battle, [amount + bonus if amount else 0 for amount in raw])


def _another_card_is_sent(self: Duel, card: Card, reason: MoveReason) -> None:
    self.emit(Moved(card.id + 1000, card.place, None, reason))


FAULTS: tuple[Fault, ...] = (
    Fault(
        "order-at-random",
        "IV-1",
        "The same choices do not give the same duel",
        {f"{ENGINE}battle_phase": _another_order_in_every_other_duel, "reference_engine.chain:activations": _in_that_order},
    ),
    Fault(
        "takes-any-number",
        "IV-2",
        "A choice that is not offered is taken for another",
        {"reference_engine.engine:ReferenceEngine.choose": _takes_any_number},
    ),
    Fault(
        "end-step-for-ever",
        "IV-3",
        "The End Step never ends",
        {
            "reference_engine.flow:end_step": _end_step_again,
            "reference_engine.engine:ReferenceEngine.initialize": _choice_by_choice,
        },
    ),
    Fault(
        "falls-over",
        "IV-4",
        "Attacking a Defense Position monster raises an exception",
        {"reference_engine.damage_step:calculate": _falls_over},
    ),
    Fault(
        "player-a-first",
        "IV-5",
        "Player A is asked first, whoever's turn it is",
        in_every_window("one_chain", _seat_a_first),
    ),
    Fault(
        "attacks-from-the-left",
        "IV-6",
        "Monsters in the two rightmost zones cannot attack",
        {"reference_engine.flow:may_attack": _only_from_the_left},
    ),
    Fault(
        "more-damage-for-the-healthy",
        "IV-7",
        "A player with more than 8500 Life Points takes 100 more damage",
        {f"{DUEL}damage": _hurts_the_healthy_more},
    ),
    Fault(
        "face-down-monsters-are-known",
        "IV-8",
        "A face-down monster that the attacker would not beat cannot be attacked",
        {"reference_engine.attack:legal_targets": _peeks_at_face_down_monsters},
    ),
    Fault(
        "the-hand-is-known",
        "IV-8",
        "With Kuriboh, Honest or Swift Scarecrow in the other player's hand nothing is offered",
        {"reference_engine.flow:activations": _knows_the_hand, "reference_engine.chain:activations": _knows_the_hand},
    ),
    Fault(
        "refused-at-a-price",
        "IV-2",
        "A choice that is not offered is refused, but changes Life Points",
        {"reference_engine.engine:ReferenceEngine.choose": _refused_at_a_price},
    ),
    Fault(
        "battle-step-for-ever",
        "IV-3",
        "The Battle Step begins again when both players have passed",
        {
            "reference_engine.engine:battle_phase": _battle_step_for_ever,
            "reference_engine.engine:ReferenceEngine.initialize": _choice_by_choice,
        },
    ),
    Fault(
        "only-player-a-responds",
        "IV-5",
        "Player B cannot answer an activation",
        {"reference_engine.chain:activations": _only_player_a_responds},
    ),
    Fault(
        "traps-are-known",
        "IV-8",
        "Nothing attacks into a set Mirror Force or Sakuretsu Armor",
        {"reference_engine.flow:may_attack": _no_attacks_into_traps},
    ),
    Fault(
        "the-first-zone-counts",
        "IV-6",
        "A monster in the first zone inflicts 100 more battle damage",
        {"reference_engine.calculation:modified_damage": _the_first_zone_counts},
    ),
    Fault(
        "unknown-cards",
        "IV-4",
        "The events tell of a card that is not there",
        {f"{DUEL}put_away": _another_card_is_sent},
    ),
)
