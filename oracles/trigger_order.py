"""CH-5 to CH-7: which Triggers make the next chain, in which order, and which are too late."""

from __future__ import annotations

from typing import Final

from engine_protocol.cards import EffectFacts
from engine_protocol.events import (
    ChainEnded,
    ControlChanged,
    Decided,
    Equipped,
    LinkResolved,
    LinkResolving,
    LpChanged,
    Moved,
    PositionChanged,
    StatChanged,
    StatusChanged,
    TimingBegan,
    TokenCreated,
)
from engine_protocol.vocabulary import Player
from oracles.options import activations_on_offer, chosen_activation
from oracles.oracle import Oracle
from oracles.triggering import Due, MustTrigger, conditions_met, latest_stage
from oracles.view import Link, View

DOINGS: Final = (
    *(Moved, LpChanged, TokenCreated, PositionChanged, ControlChanged, StatChanged, StatusChanged),
    Equipped,
)
"""Events that show that something was done."""

_QUIET_MOVES: Final = frozenset({"used", "negated"})

_RANKS: Final = (
    "a mandatory Trigger of the turn player",
    "a mandatory Trigger of the other player",
    "an optional Trigger of the turn player",
    "an optional Trigger of the other player",
)
_OTHERS_MANDATORY: Final = 1
_CHANCES: Final = frozenset({"priority", "action", "response"})


def _rank(effect: EffectFacts, player: Player, view: View) -> int:
    return (0 if effect.mandatory else 2) + (0 if player == view.turn_player else 1)


class OrderOfTriggers(Oracle):
    """Watches each run of ``trigger`` decisions: ranks may only go up, and a player must have the choice among all of their
    Triggers of one rank. At stake when Triggers of two ranks, or two of one rank, met their condition together. Which of a
    mandatory effect of the other player and an optional one of the turn player comes first at an attack declaration is undecided,
    and in some rulesets anywhere. Where a timing has stages (DS-5), each of them has an order of its own.
    """

    id = "CH-5"
    title = "The order of Triggers"
    statement = (
        "Triggers that met their condition together go on the chain in this order: the turn player's mandatory ones, the other"
        " player's mandatory ones, the turn player's optional ones, the other player's optional ones; within each of these sets"
        " their player chooses the order."
    )
    citations = (
        ("damage-step-wiki", "ダメージステップで発動できるカード; FAQ"),
        ("damage-step-wiki-before", "マスタールール２以前のダメージステップ"),
        ("battle-step-wiki", "FAQ"),
        ("battle-phase-flow", "战斗步骤; 伤害计算后"),
        ("expert-2007", "4.A; 4.B; 4.C"),
    )
    implied_by = frozenset({"battle-phase-flow"})

    def prepare(self) -> None:
        self.at = -1
        self.stage = 0
        self.offered: dict[int, set[tuple[int, int]]] = {}
        self.last = -1
        self.counted = False

    def on_trigger(self, event: Decided, view: View) -> None:
        player = event.decision.player
        if not same_run(view, self.at):
            self.prepare()
        if view.timing in view.ruleset.trigger_stages:
            stage = latest_stage(event, view)
            if stage > self.stage:
                self.prepare()
                self.stage = stage
        self.at = view.at
        now: dict[int, set[tuple[int, int]]] = {}
        for card, effect in activations_on_offer(event, view):
            now.setdefault(_rank(effect, player, view), set()).add((card.id, effect.number))
        for rank, options in now.items():
            new = options - self.offered.setdefault(rank, options)
            if new:
                card_id = min(new)[0]
                self.fail(
                    expected="a player chooses among all Triggers of theirs that met their condition together",
                    happened=f"{view.name(card_id)} was not among the first of them",
                    cards=(card_id,),
                )
        if not self.counted and (len(self.offered) > 1 or any(len(options) > 1 for options in self.offered.values())):
            self.counted = True
            self.stake()
        self._chosen(event, view, player)

    def _chosen(self, event: Decided, view: View, player: Player) -> None:
        chosen = chosen_activation(event, view)
        if chosen is None:
            return
        rank = _rank(chosen[1], player, view)
        if rank < self.last and not (rank == _OTHERS_MANDATORY and _is_open(view)):
            self.fail(
                expected="mandatory Triggers come first, and the turn player's before the other player's",
                happened=f"{_RANKS[rank]}, of {chosen[0]!r}, came after {_RANKS[self.last]}",
                cards=(chosen[0].id,),
            )
        self.last = max(rank, self.last)


def _is_open(view: View) -> bool:
    """Whether a mandatory Trigger of the other player may come after an optional one of the turn player for all that is said."""
    return view.timing == "declaration" or not view.ruleset.settles("others_mandatory_first")


def same_run(view: View, since: int) -> bool:
    """Whether the Triggers asked for now met their condition together with those asked for at that earlier event: nobody had
    another chance to act in between, no chain ended and no timing began.
    """
    for event in view.events[since + 1 : view.at]:
        if isinstance(event, Decided):
            if event.decision.kind in _CHANCES:
                return False
        elif isinstance(event, (ChainEnded, TimingBegan)):
            return False
    return True


class NextChain(MustTrigger):
    """What a chain, or a cost, triggers must be activated, or offered, before anybody gets priority again. At the timings of the
    Damage Step it must be done before the timing ends. Whether there is another chain during damage calculation is left open by
    damage-step-wiki, of which one sentence has it and another one has not.
    """

    id = "CH-6"
    title = "What a chain triggers makes the next chain"
    statement = "After a chain has resolved, the Triggers that it set off make the next chain, before the window goes on."
    citations = (
        ("damage-step-wiki", "ダメージステップ内の５つのタイミング; FAQ 12/11/16"),
        ("battle-phase-flow", "伤害步骤"),
    )

    def missed(self, due: Due) -> None:
        view = self.docket.view
        if view.timing != "during-calculation" or "battle-phase-flow" in view.documents:
            super().missed(due)


class MissedTiming(Oracle):
    """One-sided: an optional "when" Trigger must not be offered if another Chain Link did something after its event. At stake
    whenever that has happened to a card that has such an effect, wherever it can be activated from.
    """

    id = "CH-7"
    title = "Missing the timing"
    statement = (
        'An optional "when" Trigger cannot be activated if something else happened after the event it waits for; "if" Triggers'
        " and mandatory ones can."
    )
    citations = (("duel-arena-wiki", "誘発効果"), ("battle-phase-flow", "效果处理中进行伤害计算"))
    implied_by = frozenset({"battle-phase-flow"})
    everywhere = True

    def prepare(self) -> None:
        self.missed: list[tuple[int, int]] = []
        self.ended = -1

    def on_chain_ended(self, event: ChainEnded, view: View) -> None:
        self.missed = []
        self.ended = view.at
        if not view.last_chain:
            return
        events = view.events
        met: dict[tuple[int, int], int] = {}
        for at in range(_chosen_at(view, view.last_chain[0]), view.at):
            moved = events[at]
            if isinstance(moved, Moved):
                card = view.cards[moved.card]
                conditions = conditions_met(moved) if card.known.triggers else ()
                for effect in card.known.triggers:
                    if effect.clause == "when" and not effect.mandatory and effect.condition in conditions:
                        met[card.id, effect.number] = at
        for (card_id, number), at in met.items():
            if _something_followed(view, at):
                self.missed.append((card_id, number))
                self.stake()

    def on_trigger(self, event: Decided, view: View) -> None:
        if not self.missed or not same_run(view, self.ended):
            return
        for card, effect in activations_on_offer(event, view):
            if (card.id, effect.number) in self.missed:
                self.fail(
                    expected=f"{card!r} missed its timing: something else happened after its event",
                    happened="its effect was offered",
                    cards=(card.id,),
                )


def _chosen_at(view: View, first: Link) -> int:
    """Index of the choice that began the chain, so that what was paid for it is seen."""
    for at in range(first.at - 1, -1, -1):
        earlier = view.events[at]
        if isinstance(earlier, Decided) and earlier.decision.options[earlier.chosen].kind == "activate":
            return at
    return first.at


def _something_followed(view: View, at: int) -> bool:
    """Whether, in the same chain, another Chain Link did something after this event."""
    other_link = False
    for event in view.events[at + 1 : view.at]:
        if isinstance(event, LinkResolving):
            other_link = True
        elif isinstance(event, LinkResolved):
            other_link = False
        elif other_link and isinstance(event, DOINGS) and not (isinstance(event, Moved) and event.reason in _QUIET_MOVES):
            return True
    return False
