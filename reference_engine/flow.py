"""The Battle Phase: Start Step, Battle Step, Damage Step, End Step, in the order of the document battle-phase-flow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine_protocol.decisions import Option
from engine_protocol.events import BattlePhaseEnded
from engine_protocol.vocabulary import opponent
from reference_engine.attack import Attack, declare, may_attack, replay, replay_is_due
from reference_engine.chain import (
    PASS,
    activate_option,
    activations,
    finish_chain,
    offer,
    one_chain,
    trigger_chain,
    window_is_cut_short,
)
from reference_engine.damage_step import after_inner_battle, damage_step
from reference_engine.step_triggers import chains_of_the_step

if TYPE_CHECKING:
    from reference_engine.behaviour import Flow
    from reference_engine.chain import Asking
    from reference_engine.duel import Duel

NO_OR_YES = (Option("no"), Option("yes"))


def battle_phase(duel: Duel) -> Flow:
    """Start Step, then the Battle Step with any number of attacks, then the End Step; in some rulesets the Battle Step may be
    left out (BP-2).
    """
    yield from start_step(duel)
    if not (yield from skips_the_battle_step(duel)):
        yield from battle_step(duel)
    yield from end_step(duel)


def start_step(duel: Duel) -> Flow:
    """Left only when both players pass in succession (BP-4); a chain made here leads back here (BP-5). What triggers here makes
    chains of its own (BP-6).
    """
    duel.enter("start-step")
    yield from chains_of_the_step(duel)


def skips_the_battle_step(duel: Duel) -> Asking:
    """Where the ruleset lets the Start Step lead straight to the End Step, the turn player is asked (X-047)."""
    if not duel.ruleset.start_step_can_be_last or window_is_cut_short(duel):
        return False
    option = yield from duel.ask(duel.turn_player, "to-end-step", NO_OR_YES)
    return option.kind == "yes"


def battle_step(duel: Duel) -> Flow:
    """The turn player attacks, activates something, or announces the end of the step. Before that the other player may activate
    nothing (BP-7).
    """
    while not duel.battle_phase_ends:
        duel.enter("battle-step")
        if (yield from trigger_chain(duel)):
            continue
        turn_player = duel.turn_player
        attackers = tuple(Option("attack", monster.id) for monster in duel.monsters(turn_player) if may_attack(duel, monster))
        option = yield from duel.ask(turn_player, "action", (PASS, *attackers, *activations(duel, turn_player)))
        if option.kind == "attack":
            yield from attack(duel, option)
        elif option.kind == "activate":
            yield from activate_option(duel, turn_player, option)
            yield from finish_chain(duel)
        elif not (yield from offer(duel, opponent(turn_player), "priority")):
            return
        else:
            yield from finish_chain(duel)


def attack(duel: Duel, option: Option) -> Flow:
    """From the choice of the attacker to the end of the battle."""
    yield from declare(duel, duel.cards[option.card or 0])
    battle = duel.attack
    if battle is None:
        return
    yield from attack_declaration(duel)
    yield from after_declaration(duel, battle)
    if battle.inside:
        yield from after_inner_battle(duel, battle)
    elif not battle.over and not duel.battle_phase_ends:
        yield from damage_step(duel, battle)


def attack_declaration(duel: Duel) -> Flow:
    """What the declaration triggers makes a chain; without any, the players may start one. That one chain is all there is "when
    an attack is declared" (AT-5).
    """
    duel.enter("declaration")
    if not (yield from trigger_chain(duel)):
        yield from one_chain(duel)


def after_declaration(duel: Duel, battle: Attack) -> Flow:
    """Any number of chains until both players pass (AT-6); then, if one is due, the replay, and the same again (RP-4), from the
    declaration on where the new choice is one (RP-5). After two passes without a replay, the Damage Step begins (BP-8).
    """
    while not battle.over and not duel.battle_phase_ends:
        duel.enter("after-declaration")
        if (yield from trigger_chain(duel)) or (yield from one_chain(duel)):
            continue
        if not replay_is_due(duel, battle):
            return
        yield from replay(duel, battle)
        if duel.ruleset.replay_declares_again and not battle.over:
            yield from attack_declaration(duel)


def end_step(duel: Duel) -> Flow:
    """Left, and with it the Battle Phase, when both players pass in succession (BP-4, BP-9)."""
    if duel.attack is not None:
        duel.end_attack("stopped")
    duel.battle_phase_ends = False
    duel.enter("end-step")
    duel.turn_to_defense("turns-to-defense-in-the-end")
    yield from chains_of_the_step(duel)
    duel.give_back()
    duel.emit(BattlePhaseEnded())
