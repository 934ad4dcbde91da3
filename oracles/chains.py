"""CH: chains and priority."""

from __future__ import annotations

from typing import Final

from engine_protocol.cards import Cost, EffectFacts
from engine_protocol.events import (
    Activated,
    ChainEnded,
    Decided,
    Event,
    LinkResolved,
    LinkResolving,
    LpChanged,
    MaterialDetached,
    Moved,
)
from engine_protocol.vocabulary import PLAYER_NAMES, PLAYERS, SPELL_TRAP_ZONES, Player
from oracles.legality import (
    activatable,
    answerable_link,
    face_allows,
    fits,
    quick_candidates,
    usable_but_for_face,
    usable_but_for_speed,
)
from oracles.options import activations_on_offer, may_pass, offers
from oracles.oracle import Oracle, at, if_armed
from oracles.trigger_order import DOINGS, MissedTiming, NextChain, OrderOfTriggers
from oracles.view import Card, Link, View

_FREE: Final = frozenset({None, "your-turn", "opponent-turn"})
"""Conditions that wait for no event."""


class SpellSpeed(Oracle):
    """Two-sided. No response of too low a Spell Speed may be offered; outside the Damage Step (there: DA) one that waits for
    nothing, or for this very link, must be offered when the facts settle that it can be activated.
    """

    id = "CH-1"
    title = "Spell Speed"
    statement = (
        "A response has Spell Speed 2 or 3, and at least that of the Chain Link it answers: only Spell Speed 3 answers Spell"
        " Speed 3. Triggers chained to one another at their moment are the exception."
    )
    citations = (("duel-arena-wiki", "スペルスピード"), ("expert-2007", "2; 4.B; 4.C"))
    everywhere = True

    def on_response(self, event: Decided, view: View) -> None:
        if not view.chain or view.chain_resolving:
            return
        link = view.chain[-1]
        needed = max(2, link.speed or 2)
        for card, effect in activations_on_offer(event, view):
            if effect.kind != "trigger" and 0 < effect.speed < needed:
                self.stake()
                self.fail(
                    expected=f"Spell Speed {needed} or more answers {link.card!r}",
                    happened=f"{card!r}, of Spell Speed {effect.speed}, was offered",
                    cards=(card.id, link.card.id),
                )
        player = event.decision.player
        candidates = quick_candidates(view, player)
        passable = bool(candidates) and may_pass(event)
        for card, effect in candidates:
            if effect.speed < needed:
                if usable_but_for_speed(view, player, card, effect):
                    self.stake()
            elif passable and not view.in_damage_step and effect.complete and effect.condition in {*_FREE, "activation"}:
                self._demand(event, view, card, effect)

    def _demand(self, event: Decided, view: View, card: Card, effect: EffectFacts) -> None:
        if not activatable(view, event.decision.player, card, effect):
            return
        self.stake()
        if not offers(event, card, effect):
            self.fail(
                expected=f"{card!r}, of Spell Speed {effect.speed}, may answer {view.chain[-1].card!r}",
                happened="it was not offered",
                cards=(card.id, view.chain[-1].card.id),
            )


class ReverseOrder(Oracle):
    """The next link to resolve must always be the highest that has not. At stake for chains of two links or more."""

    id = "CH-2"
    title = "Links resolve in reverse order"
    statement = "The Chain Links resolve in reverse order, from the last to the first, each once."
    citations = (("duel-arena-wiki", "チェーン"), ("expert-2007", "3-a"))
    everywhere = True

    def before_link_resolving(self, event: LinkResolving, view: View) -> None:
        if not view.chain_resolving and len(view.chain) > 1:
            self.stake()
        self._next_is(event.link, view)

    def before_link_resolved(self, event: LinkResolved, view: View) -> None:
        self._next_is(event.link, view)

    def before_chain_ended(self, event: ChainEnded, view: View) -> None:
        left = [link for link in view.chain if link.outcome is None]
        if left:
            self.stake()
            self.fail(
                expected="every Chain Link resolves",
                happened=f"the chain ended without Chain Link {left[-1].number}",
                cards=(left[-1].card.id,),
            )

    def _next_is(self, number: int, view: View) -> None:
        due = next((link.number for link in reversed(view.chain) if link.outcome is None), None)
        if number != due:
            self.stake()
            self.fail(
                expected="no Chain Link is left" if due is None else f"Chain Link {due} is the next to resolve",
                happened=f"Chain Link {number} was",
                cards=(view.chain[number - 1].card.id,),
            )


class NothingMeanwhile(Oracle):
    """From the first link that resolves to the end of the chain no activation may be offered or made. At stake for each chain
    while which somebody has something left to activate.
    """

    id = "CH-3"
    title = "Nothing is activated while a chain resolves"
    statement = "While a chain resolves no card or effect can be activated, not between two Chain Links either."
    citations = (
        ("battle-phase-flow", "效果处理中进行伤害计算"),
        ("duel-arena-wiki", "チェーン"),
        ("expert-2007", "異次元トンネル－ミラーゲート－"),
    )
    implied_by = frozenset({"duel-arena-wiki"})

    def before_link_resolving(self, event: LinkResolving, view: View) -> None:
        if view.chain_resolving:
            return
        on_chain = {link.card.id for link in view.chain}
        for player in PLAYERS:
            for card, effect in quick_candidates(view, player):
                if card.id not in on_chain and face_allows(view, card, effect):
                    self.stake()
                    return

    def on_offer(self, event: Decided, view: View) -> None:
        if view.chain_resolving:
            option = next(option for option in event.decision.options if option.kind == "activate")
            self.fail(
                expected="nothing can be activated while a chain resolves",
                happened=f"{view.name(option.card)} was offered",
                cards=() if option.card is None else (option.card,),
            )

    def on_activated(self, event: Activated, view: View) -> None:
        if view.chain_resolving:
            self.fail(
                expected="nothing can be activated while a chain resolves",
                happened=f"{view.name(event.card)} was activated",
                cards=(event.card,),
            )


class CostsAndTargets(Oracle):
    """At each activation what it costs must have been paid since it was chosen, and its targets must be as many, and what, the
    facts say. The choice must be among everything that surely can be targeted, but not the Spell or Trap itself. At stake for
    effects with a cost or a target, and once more for each choice of a target.
    """

    id = "CH-4"
    title = "Costs and targets at activation"
    statement = "When an effect is activated its cost is paid and its targets are chosen, before anybody can respond."
    citations = (("duel-arena-wiki", "発動"),)
    everywhere = True

    def on_activated(self, event: Activated, view: View) -> None:
        link = view.chain[-1]
        effect = link.facts
        if effect is None or not (effect.cost or effect.target):
            return
        self.stake()
        if effect.cost:
            payments = self._since_chosen(event, view)
            unpaid = None if payments is None else next((cost for cost in effect.cost if not _paid(cost, event, payments)), None)
            if unpaid is not None:
                self.fail(
                    expected=f"the cost of {link.card!r} is paid at its activation ({unpaid.kind})",
                    happened="it was activated with that unpaid",
                    cards=(event.card,),
                )
        target = effect.target
        if target is None:
            return
        if not target.least <= len(event.targets) <= target.most:
            self.fail(
                expected=f"{link.card!r} targets {target.least} to {target.most} cards",
                happened=f"it targeted {len(event.targets)}",
                cards=(event.card, *event.targets),
            )
        if len(set(event.targets)) < len(event.targets):
            self.fail(
                expected=f"{link.card!r} targets different cards",
                happened="it targeted one of them twice",
                cards=(event.card, *event.targets),
            )
        answered = view.chain[-2] if len(view.chain) > 1 else None
        for card in event.targets:
            if fits(target.filter, view.cards[card], view, event.player, link.card, answered) is False:
                self.fail(
                    expected=f"{link.card!r} targets what its text says",
                    happened=f"it targeted {view.name(card)}",
                    cards=(event.card, card),
                )

    def on_target(self, event: Decided, view: View) -> None:
        decision = event.decision
        if decision.source is None:
            return
        own = view.cards[decision.source]
        effect = _being_activated(own, view)
        if effect is None or effect.target is None:
            return
        self.stake()
        offered = {option.card for option in decision.options if option.card is not None}
        if own.id in offered and effect.kind == "activation":
            self._wrong_choice(own, f"{own!r} does not target itself", "it was offered as a target")
        taken = _targets_so_far(view)
        for again in offered & taken:
            self._wrong_choice(view.cards[again], f"{own!r} targets different cards", f"{view.name(again)} was offered again")
        if not effect.complete or "special-summons" in effect.categories:
            return
        link = answerable_link(view)
        for card in view.cards.values():
            if card.id in offered or card.id in taken or not _plainly_targetable(card):
                continue
            if card is own and effect.kind == "activation":
                continue
            if fits(effect.target.filter, card, view, decision.player, own, link):
                self._wrong_choice(card, f"{own!r} may target {card!r}", "it was not offered")

    def _wrong_choice(self, card: Card, expected: str, happened: str) -> None:
        self.fail(expected=expected, happened=happened, cards=(card.id,))

    def _since_chosen(self, event: Activated, view: View) -> tuple[Event, ...] | None:
        """What happened since the player chose to activate it; None if the trace does not show that choice."""
        for index in range(view.at - 1, -1, -1):
            earlier = view.events[index]
            if isinstance(earlier, Decided):
                option = earlier.decision.options[earlier.chosen]
                if option.kind == "activate":
                    chosen = (option.card, option.effect) == (event.card, event.effect)
                    return view.events[index + 1 : view.at] if chosen else None
        return None


def _being_activated(card: Card, view: View) -> EffectFacts | None:
    """The effect of the card that its player has just chosen to activate, if the trace shows that choice."""
    for earlier in reversed(view.events[: view.at]):
        if isinstance(earlier, Decided):
            option = earlier.decision.options[earlier.chosen]
            if option.kind == "activate" and option.effect is not None:
                return card.facts.effect(option.effect) if option.card == card.id else None
        elif isinstance(earlier, Activated):
            return None
    return None


def _targets_so_far(view: View) -> set[int]:
    """What the same activation targets already."""
    taken = set()
    for earlier in reversed(view.events[: view.at]):
        if not isinstance(earlier, Decided) or earlier.decision.kind != "target":
            break
        card = earlier.decision.options[earlier.chosen].card
        if card is not None:
            taken.add(card)
    return taken


def _plainly_targetable(card: Card) -> bool:
    """Whether nothing about the card itself could keep it from being targeted."""
    return not (card.determined or card.statuses or card.known.passive)


def _paid(cost: Cost, event: Activated, payments: tuple[Event, ...]) -> bool:
    moved = [payment for payment in payments if isinstance(payment, Moved)]
    paid_lp = [payment for payment in payments if isinstance(payment, LpChanged) and payment.player == event.player]
    match cost.kind:
        case "pay-lp":
            return any(payment.amount == -cost.amount for payment in paid_lp)
        case "pay-half-lp":
            return bool(paid_lp) and _is_half(paid_lp)
        case "detach":
            detached = [payment for payment in payments if isinstance(payment, MaterialDetached) and payment.card == event.card]
            return len(detached) >= cost.amount
        case "discard" | "tribute":
            return len([payment for payment in moved if payment.card != event.card]) >= cost.amount
        case _:
            return any(payment.card == event.card for payment in moved)


class SetThisTurn(Oracle):
    """Two-sided. A Spell or Trap set this turn, or a Quick-Play Spell in the hand of the non-turn player, must not be offered;
    outside the Damage Step and the windows of an attack, one that lies or is held rightly and waits for nothing must be offered
    when the facts settle that it can be activated.
    """

    id = "CH-8"
    title = "Set cards and Quick-Play Spells"
    statement = (
        "Traps and Quick-Play Spells cannot be activated in the turn they were set. Quick-Play Spells can be activated from the"
        " hand only in one's own turn; set ones also in the other player's."
    )
    citations = (("duel-arena-wiki", "罠カード; 速攻魔法カード"),)
    everywhere = True

    def on_offer(self, event: Decided, view: View) -> None:
        for card, effect in activations_on_offer(event, view):
            why = _lies_wrong(card, effect, view)
            if why:
                self.stake()
                self.fail(
                    expected=f"{card!r} {why}, so it cannot be activated",
                    happened="it was offered",
                    cards=(card.id,),
                )

    @if_armed
    @at("start-step", "battle-step", "declaration", "after-declaration", "end-step")
    def on_priority(self, event: Decided, view: View) -> None:
        window = view.window
        waits = view.timing == "battle-step" and event.decision.player != view.turn_player
        if waits and window is not None and view.turn_player not in window.passes:
            return
        self._asked(event, view)

    @if_armed
    def on_action(self, event: Decided, view: View) -> None:
        self._asked(event, view, demands=view.ruleset.settles("window_before_declaration"))

    @if_armed
    def on_response(self, event: Decided, view: View) -> None:
        self._asked(event, view, demands=False)

    def _asked(self, event: Decided, view: View, *, demands: bool = True) -> None:
        player = event.decision.player
        demands = demands and view.timing in _PLAIN_WINDOWS
        for card, effect in quick_candidates(view, player):
            if effect.kind != "activation":
                continue
            if _lies_wrong(card, effect, view):
                if not offers(event, card, effect) and usable_but_for_face(view, player, card, effect):
                    self.stake()
            elif demands and self._must_be_offered(event, view, card, effect):
                self.stake()
                if not offers(event, card, effect):
                    self.fail(
                        expected=f"{card!r} may be activated",
                        happened="it was not offered",
                        cards=(card.id,),
                    )

    @staticmethod
    def _must_be_offered(event: Decided, view: View, card: Card, effect: EffectFacts) -> bool:
        if not effect.complete or effect.condition not in _FREE or not may_pass(event):
            return False
        return activatable(view, event.decision.player, card, effect) is True


_PLAIN_WINDOWS: Final = frozenset({"start-step", "battle-step", "end-step"})


def _lies_wrong(card: Card, effect: EffectFacts, view: View) -> str:
    """Why the card cannot be activated from where it is; empty if nothing is wrong with that."""
    quick_play = card.facts.property == "quick-play"
    if effect.kind != "activation" or not (quick_play or card.facts.type == "trap"):
        return ""
    if card.zone == "hand":
        return "is in the hand of the non-turn player" if quick_play and card.controller != view.turn_player else ""
    fresh = card.zone in SPELL_TRAP_ZONES and card.turn_set is not None and card.turn_set >= view.turn
    return "was set this turn" if fresh and not card.face_up else ""


class UsedCards(Oracle):
    """A card must lie on the field once it is activated. No used card may be sent while links are left to resolve, and
    none may be left when the chain ends; a Spell or Trap whose activation was negated and that is destroyed for it must be gone
    before its own link is dealt with.
    """

    id = "CH-9"
    title = "Where used cards go"
    statement = (
        "Normal and Quick-Play Spells and Normal and Counter Traps stay on the field until the whole chain has resolved, then go"
        " to the Graveyard; one whose activation was negated and that is destroyed goes at once."
    )
    citations = (("duel-arena-wiki", "チェーン"),)
    everywhere = True

    def on_activated(self, event: Activated, view: View) -> None:
        card = view.cards[event.card]
        if event.as_card and card.zone not in SPELL_TRAP_ZONES:
            self.stake()
            self.fail(
                expected=f"{card!r} is put on the field as it is activated",
                happened=f"it stayed in the {card.zone}",
                cards=(event.card,),
            )

    def before_moved(self, event: Moved, view: View) -> None:
        if event.reason != "used" or not view.chain:
            return
        self.stake()
        if event.origin.zone not in SPELL_TRAP_ZONES:
            self.fail(
                expected=f"{view.name(event.card)}, which has left the field, stays where it is",
                happened="it was sent as a used card",
                cards=(event.card,),
            )
        left = next((link for link in view.chain if link.outcome is None), None)
        if left is not None:
            self.fail(
                expected="used cards stay until the whole chain has resolved",
                happened=f"{view.name(event.card)} was sent with Chain Link {left.number} left to resolve",
                cards=(event.card,),
            )

    def before_link_resolving(self, event: LinkResolving, view: View) -> None:
        link = view.chain[event.link - 1]
        if event.link == len(view.chain) or not link.as_card:
            return
        answer = view.chain[event.link]
        if answer.outcome != "resolved" or answer.facts is None or not answer.facts.complete:
            return
        if {"negates-activation", "destroys"} <= answer.facts.categories and _answers(answer, link):
            self.stake()
            if _still_lies(link):
                self.fail(
                    expected=f"{link.card!r} is destroyed as soon as its activation is negated",
                    happened="it was still on the field when its own link came up",
                    cards=(link.card.id, answer.card.id),
                )

    def before_chain_ended(self, event: ChainEnded, view: View) -> None:
        for link in view.chain:
            if link.as_card and link.card.facts.property in {"normal", "quick-play", "counter"} and _still_lies(link):
                self.stake()
                self.fail(
                    expected=f"{link.card!r} is sent to the Graveyard when the chain has resolved",
                    happened="it stayed on the field",
                    cards=(link.card.id,),
                )


def _answers(answer: Link, link: Link) -> bool:
    return answer.number == link.number + 1 and answer.facts is not None and answer.facts.condition == "activation"


def _is_half(payments: list[LpChanged]) -> bool:
    """Whether they come to half of the Life Points, rounded either way."""
    before = payments[0].total - payments[0].amount
    left = payments[-1].total
    return abs(left - (before - left)) <= before % 2


def _still_lies(link: Link) -> bool:
    card = link.card
    return card.key == link.card_key and card.zone in SPELL_TRAP_ZONES and card.equipped_to is None


class BothDecline(Oracle):
    """After each link the other player must be asked first, then the two in turn, and the chain resolves when both have passed in
    succession. At stake for each link that either player has something to answer with, as far as where the cards lie tells.
    What cannot be passed is no chance to respond: no document says when a mandatory Quick Effect is put on the chain.
    """

    id = "CH-10"
    title = "Responding in turn"
    statement = (
        "After a Chain Link is added the other player has the first chance to respond; the chain resolves when both players have"
        " passed in succession."
    )
    citations = (("duel-arena-wiki", "優先権"), ("battle-step-wiki", "Battle Step"))
    everywhere = True

    def prepare(self) -> None:
        self.asked: list[Player] = []

    def on_activated(self, event: Activated, view: View) -> None:
        self.asked = []

    def on_response(self, event: Decided, view: View) -> None:
        if not view.chain or view.chain_resolving or not may_pass(event):
            return
        player = event.decision.player
        made_by = view.chain[-1].player
        if not self.asked:
            if quick_candidates(view, 0) or quick_candidates(view, 1):
                self.stake()
            if player == made_by:
                self._wrong(f"{PLAYER_NAMES[player]}, who had just made Chain Link {len(view.chain)}, was asked first", view)
        elif player == self.asked[-1]:
            self._wrong(f"{PLAYER_NAMES[player]} was asked twice in succession", view)
        elif len(self.asked) >= len(PLAYERS):
            self._wrong(f"{PLAYER_NAMES[player]} was asked again after both had passed", view)
        self.asked.append(player)

    def before_link_resolving(self, event: LinkResolving, view: View) -> None:
        passes = view.chain_passes
        if view.chain_resolving or (len(passes) >= 2 and passes[-1] != passes[-2]):
            return
        self.stake()
        happened = f"only {PLAYER_NAMES[passes[-1]]} had passed" if passes else "nobody had passed"
        self._wrong(f"the chain resolved when {happened}", view)

    def _wrong(self, happened: str, view: View) -> None:
        self.fail(
            expected="the players are asked in turn, the other player first, and the chain resolves when both have passed",
            happened=happened,
            cards=(view.chain[-1].card.id,),
        )


class LeftBeforeItsLink(Oracle):
    """A link of a Continuous Spell or Trap that is gone must do nothing. At stake when such a card has left before its link."""

    id = "CH-11"
    title = "A Continuous Spell or Trap must stay"
    statement = "A Continuous Spell or Trap that has left the field before its Chain Link resolves is not applied."
    citations = (("duel-arena-wiki", "チェーン"),)
    everywhere = True

    def prepare(self) -> None:
        self.began = -1

    def on_link_resolving(self, event: LinkResolving, view: View) -> None:
        self.began = -1
        link = view.chain[event.link - 1]
        card = link.card
        gone = card.key != link.card_key or card.zone not in SPELL_TRAP_ZONES
        if link.as_card and card.facts.property in {"continuous", "equip", "field"} and gone:
            self.stake()
            self.began = view.at

    def on_link_resolved(self, event: LinkResolved, view: View) -> None:
        began, self.began = self.began, -1
        if began < 0 or event.outcome != "resolved":
            return
        if any(isinstance(done, DOINGS) and not _ends_itself(done, view) for done in view.events[began + 1 : view.at]):
            link = view.chain[event.link - 1]
            self.fail(
                expected=f"{link.card!r} has left the field, so its activation is not applied",
                happened="it was applied",
                cards=(link.card.id,),
            )


def _ends_itself(done: Event, view: View) -> bool:
    """Whether it is the doing of the very card that is destroyed (Spirit Reaper, targeted by this link)."""
    if not isinstance(done, Moved) or done.reason != "destroyed-by-effect":
        return False
    return "self-destructs" in view.cards[done.card].known.categories


ORACLES: Final[tuple[type[Oracle], ...]] = (
    SpellSpeed,
    ReverseOrder,
    NothingMeanwhile,
    CostsAndTargets,
    OrderOfTriggers,
    NextChain,
    MissedTiming,
    SetThisTurn,
    UsedCards,
    BothDecline,
    LeftBeforeItsLink,
)
