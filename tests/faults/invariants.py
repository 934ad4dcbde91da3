"""Seeded faults of what holds for any engine, and of what must not matter (IV)."""

from __future__ import annotations

import itertools
from typing import Any

from engine_protocol.decisions import Decision, Option
from engine_protocol.vocabulary import LpReason, Player, opponent
from reference_engine import attack, calculation, chain, flow
from reference_engine.attack import Attack
from reference_engine.behaviour import Flow
from reference_engine.card import Card
from reference_engine.chain import Asking
from reference_engine.duel import Duel
from reference_engine.engine import ReferenceEngine
from tests.faults.fault import Fault
from tests.faults.helpers import DUEL, ENGINE

_may_attack = attack.may_attack
_legal_targets = attack.legal_targets
_DUELS = itertools.count()
_battle_phase = flow.battle_phase
_activations = chain.activations
_choose = ReferenceEngine.choose
_calculate = calculation.calculate
_damage = Duel.damage


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


def _start_step_again(duel: Duel) -> Flow:
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
    Fault("end-step-for-ever", "IV-3", "The End Step never ends", {"reference_engine.flow:end_step": _start_step_again}),
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
        {"reference_engine.chain:one_chain": _seat_a_first, "reference_engine.flow:one_chain": _seat_a_first},
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
)
