"""Seeded faults of the structure of the Battle Phase (BP)."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from engine_protocol.decisions import Decision, DecisionKind, Option
from engine_protocol.events import BattlePhaseEnded
from engine_protocol.vocabulary import Player, opponent
from reference_engine import chain, damage_step, flow
from reference_engine.attack import Attack
from reference_engine.behaviour import Flow
from reference_engine.duel import Duel
from reference_engine.occurrences import note_step_triggers
from tests.faults.fault import Fault
from tests.faults.helpers import DUEL, ENGINE

_offer = chain.offer
_battle_step = flow.battle_step
_damage_step = damage_step.damage_step
_end_step = flow.end_step
_after_declaration = flow.after_declaration
_ask = Duel.ask
_attack = flow.attack


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


def _opponent_acts_before_a_declaration(duel: Duel) -> Flow:
    duel.enter("battle-step")
    if (yield from chain.offer(duel, opponent(duel.turn_player), "priority")):
        yield from chain.finish_chain(duel)
    yield from _battle_step(duel)


def _damage_step_to_end_step(duel: Duel, battle: Attack) -> Flow:
    yield from _damage_step(duel, battle)
    duel.battle_phase_ends = True


def _no_end_step_after_an_effect(duel: Duel) -> Flow:
    if duel.battle_phase_ends:
        duel.emit(BattlePhaseEnded())
        return
    yield from _end_step(duel)


def _goes_on_after_the_end(duel: Duel, battle: Attack) -> Flow:
    yield from _after_declaration(duel, battle)
    if battle.over:
        duel.battle_phase_ends = False


def _no_pass_while_one_can_attack(
    self: Duel, player: Player, kind: DecisionKind, options: tuple[Option, ...], source: int | None = None
) -> Generator[Decision, int, Option]:
    if kind == "action" and any(option.kind == "attack" for option in options):
        options = tuple(option for option in options if option.kind != "pass")
    return (yield from _ask(self, player, kind, options, source))


def _one_chain_and_on(duel: Duel) -> Flow:
    duel.enter("start-step")
    yield from chain.one_chain(duel)


def _left_after_the_other_players_chain(duel: Duel, player: Player, kind: DecisionKind) -> chain.Asking:
    if (yield from _offer(duel, player, kind)):
        yield from chain.finish_chain(duel)
    return False


def _other_player_first_after_a_chain(duel: Duel) -> Flow:
    duel.enter("start-step")
    players = (duel.turn_player, opponent(duel.turn_player))
    passes = 0
    while passes < 2:
        if (yield from chain.offer(duel, players[0], "priority")):
            yield from chain.finish_chain(duel)
            passes = -1
        passes += 1
        players = players[::-1]


def _end_step_without_the_opponent(duel: Duel) -> Flow:
    duel.battle_phase_ends = False
    duel.enter("end-step")
    while (yield from chain.offer(duel, duel.turn_player, "priority")):
        yield from chain.finish_chain(duel)
    duel.emit(BattlePhaseEnded())


def _opponent_acts_after_a_battle(duel: Duel, option: Option) -> Flow:
    yield from _attack(duel, option)
    if duel.battle_phase_ends:
        return
    duel.enter("battle-step")
    if (yield from chain.offer(duel, opponent(duel.turn_player), "priority")):
        yield from chain.finish_chain(duel)


def _asked_once_more(duel: Duel, battle: Attack) -> Flow:
    yield from _after_declaration(duel, battle)
    if not battle.over and not duel.battle_phase_ends:
        yield from chain.one_chain(duel)


def _into_a_void(duel: Duel) -> Flow:
    yield from flow.start_step(duel)
    yield from flow.battle_step(duel)
    duel.emit(BattlePhaseEnded())


def _on_one_chain(duel: Duel) -> Flow:
    note_step_triggers(duel)
    duel.pending += duel.step_triggers
    duel.step_triggers = []
    yield from chain.until_both_pass(duel)


def _left_without_them(duel: Duel) -> Flow:
    yield from chain.until_both_pass(duel)


FAULTS: tuple[Fault, ...] = (
    Fault(
        "no-battle-step-without-monsters",
        "BP-2",
        "With no monster the Start Step leads straight to the End Step",
        {f"{ENGINE}battle_phase": _straight_to_the_end_step},
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
        real="priority of the non-turn player before a declaration",
    ),
    Fault(
        "ended-without-an-end-step",
        "BP-10",
        "An effect that ends the Battle Phase leads out of it at once",
        {"reference_engine.flow:end_step": _no_end_step_after_an_effect},
        real="what an effect that ends the Battle Phase skips",
    ),
    Fault(
        "battle-phase-goes-on",
        "BP-10",
        "Negate Attack negates the attack, but the Battle Phase goes on",
        {"reference_engine.flow:after_declaration": _goes_on_after_the_end},
        real="what an effect that ends the Battle Phase skips",
    ),
    Fault(
        "must-attack",
        "BP-3",
        "While a monster can attack, the Battle Step cannot be closed",
        {f"{DUEL}ask": _no_pass_while_one_can_attack},
    ),
    Fault(
        "start-step-left-after-a-chain",
        "BP-5",
        "One chain in the Start Step, and the Battle Step begins",
        {"reference_engine.flow:start_step": _one_chain_and_on},
    ),
    Fault(
        "battle-step-left-after-a-chain",
        "BP-5",
        "After a chain at the close of the Battle Step the End Step begins",
        {"reference_engine.flow:offer": _left_after_the_other_players_chain},
    ),
    Fault(
        "other-player-after-a-chain",
        "BP-5",
        "After a chain in the Start Step the player who did not start it acts first",
        {"reference_engine.flow:start_step": _other_player_first_after_a_chain},
    ),
    Fault(
        "no-end-step",
        "BP-2",
        "The Battle Phase ends with the Battle Step",
        {f"{ENGINE}battle_phase": _into_a_void},
    ),
    Fault(
        "end-step-one-pass",
        "BP-4",
        "The Battle Phase ends when the turn player passes in the End Step",
        {"reference_engine.flow:end_step": _end_step_without_the_opponent},
    ),
    Fault(
        "opponent-acts-after-a-battle",
        "BP-7",
        "After a battle the non-turn player has priority before the next attack declaration",
        {"reference_engine.flow:attack": _opponent_acts_after_a_battle},
        real="priority of the non-turn player before a declaration",
    ),
    Fault(
        "second-thoughts",
        "BP-8",
        "After both players have passed they are asked once more before the Damage Step",
        {"reference_engine.flow:after_declaration": _asked_once_more},
    ),
    Fault(
        "step-triggers-share-a-chain",
        "BP-6",
        "What triggers at the start or the end of the Battle Phase makes one chain",
        {"reference_engine.flow:chains_of_the_step": _on_one_chain},
        real="Triggers of a step put on one chain",
    ),
    Fault(
        "no-step-triggers",
        "BP-6",
        "Nothing triggers at the start and at the end of the Battle Phase",
        {"reference_engine.flow:chains_of_the_step": _left_without_them},
    ),
)
