"""CH-12, CH-13: what an activation needs, and who is asked first."""

from __future__ import annotations

from typing import Final

from engine_protocol.cards import EffectFacts
from engine_protocol.events import ChainEnded, Decided, TimingBegan
from engine_protocol.vocabulary import PLAYER_NAMES, TIMING_NAMES, Player
from oracles.attack import needs_declaration
from oracles.legality import (
    activatable,
    answerable_link,
    condition_allows,
    needs_allow,
    once_allows,
    quick_candidates,
    usable,
)
from oracles.options import activations_on_offer, offers
from oracles.oracle import Oracle, at, if_armed
from oracles.permissions import ends_battle_phase
from oracles.trigger_events import why_not_triggered
from oracles.view import Card, View


class WhatActivationNeeds(Oracle):
    """Two-sided. An activation must not be offered from where it is not activated, without the event it waits for, without what
    it needs, targets or pays, or after its last use, nor a Trigger by a card that lies face-down. In the Start Step, in the
    Battle Step before a declaration and in the End Step a monster's Quick Effect must be offered when the facts settle that it
    can be activated. Timing, Spell Speed, how other cards lie and what is destroyed by battle are left to the rules about those.
    At stake at each activation on offer, and at each Quick Effect that must be.
    """

    id = "CH-12"
    title = "What an activation needs"
    statement = (
        "A card or effect is activated from where its text has it, when the event it waits for is at hand, its cost can be paid,"
        " it can target what it must, and it has a use left; then it can be activated whenever its player has the chance."
    )
    citations = (
        ("duel-arena-wiki", "効果の処理―発動"),
        ("battle-phase-flow", "开始步骤; 战斗步骤; 结束步骤"),
        ("battle-step-wiki", "FAQ 10/12/23"),
        ("expert-2007", "スタートステップ; エンドステップ"),
    )

    def on_offer(self, event: Decided, view: View) -> None:
        decision = event.decision
        for card, effect in activations_on_offer(event, view):
            if effect.kind == "trigger":
                why = why_not_triggered(view, decision.player, card, effect)
            elif card.determined or needs_declaration(effect) or decision.kind == "trigger":
                continue
            else:
                why = _why_not(view, decision.player, card, effect)
            self.stake()
            if why:
                self.fail(
                    expected=f"effect {effect.number} of {card!r} cannot be activated: {why}",
                    happened="it was offered",
                    cards=(card.id,),
                )

    @if_armed
    def on_action(self, event: Decided, view: View) -> None:
        if view.ruleset.settles("window_before_declaration"):
            self._must_offer(event, view)

    @if_armed
    @at("start-step", "end-step")
    def on_priority(self, event: Decided, view: View) -> None:
        self._must_offer(event, view)

    def _must_offer(self, event: Decided, view: View) -> None:
        player = event.decision.player
        for card, effect in quick_candidates(view, player):
            if effect.kind != "quick" or effect.mandatory or effect.condition not in {None, "your-turn", "opponent-turn"}:
                continue
            if not activatable(view, player, card, effect) or ends_battle_phase(view):
                continue
            self.stake()
            if not offers(event, card, effect):
                self.fail(expected=f"{card!r} may be activated", happened="it was not offered", cards=(card.id,))


def _why_not(view: View, player: Player, card: Card, effect: EffectFacts) -> str:
    if usable(view, player, card, effect) is not False:
        return ""
    if 0 < effect.speed < 2:
        return "it has Spell Speed 1, and this is no Main Phase"
    if card.controller != player:
        return "it is the other player's"
    if card.zone not in effect.zones:
        return f"it is in the {card.zone}"
    link = answerable_link(view)
    if condition_allows(view, player, card, effect, link) is False:
        return "what it waits for has not happened"
    if once_allows(view, player, card, effect) is False:
        return "it has been used"
    return "what it needs, targets or pays is not there" if needs_allow(view, player, card, effect, link) is False else ""


class TurnPlayerFirst(Oracle):
    """From the opening of a window, and again from the end of each chain, the other player must not be asked before the turn
    player if the turn player certainly has something to activate.
    """

    id = "CH-13"
    title = "The turn player first"
    statement = "When a window opens, and after each chain in it, the turn player is the first who may activate something."
    citations = (
        ("battle-phase-flow", "战斗步骤; 开始步骤"),
        ("battle-step-wiki", "バトルステップの流れ"),
        ("expert-2007", "2"),
    )
    implied_by = frozenset({"expert-2007"})

    def prepare(self) -> None:
        self.opens = False

    def on_timing_began(self, event: TimingBegan, view: View) -> None:
        self.opens = event.timing != "battle-step"

    def on_chain_ended(self, event: ChainEnded, view: View) -> None:
        self.opens = True

    def on_action(self, event: Decided, view: View) -> None:
        self.opens = False

    def on_trigger(self, event: Decided, view: View) -> None:
        if event.decision.options[event.chosen].kind != "pass":
            self.opens = False

    def on_priority(self, event: Decided, view: View) -> None:
        if not self.opens:
            return
        self.opens = False
        for has, effect in quick_candidates(view, view.turn_player):
            if effect.complete and not needs_declaration(effect) and activatable(view, view.turn_player, has, effect):
                break
        else:
            return
        self.stake()
        if event.decision.player != view.turn_player:
            where = "" if view.timing is None else f" at this timing: {TIMING_NAMES[view.timing]}"
            self.fail(
                expected=f"{PLAYER_NAMES[view.turn_player]}, the turn player, may activate {has!r} first{where}",
                happened="the other player was asked first",
                cards=(has.id,),
            )


ORACLES: Final[tuple[type[Oracle], ...]] = (WhatActivationNeeds, TurnPlayerFirst)
