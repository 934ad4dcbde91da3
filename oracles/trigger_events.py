"""Why a Trigger that is on offer cannot have triggered, as far as a trace and the facts say.

The other side of :mod:`oracles.triggering`: that says what surely has triggered, this what surely has not. Monsters that are
gone, what follows from destruction by battle at the end of the Damage Step, and battle damage are left to the rules about those
(DS-3, BD-8, BD-10, BD-13, DC-11).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine_protocol.cards import Condition, EffectFacts
from engine_protocol.events import AttackDeclared, AttackTargetChosen, Moved, PositionChanged
from engine_protocol.vocabulary import FIELD, MoveReason, Player
from oracles.legality import names_timing, once_allows, payable, target_available
from oracles.view import Card, DamageStep, View

_DESTROYED: Final[dict[Condition, frozenset[MoveReason]]] = {
    "destroyed-by-effect": frozenset({"destroyed-by-effect"}),
    "destroyed": frozenset({"destroyed-by-battle", "destroyed-by-effect", "destroyed-by-rule"}),
}
"""By what move a card must have come to where it is, for what it waits for."""


def why_not_triggered(view: View, player: Player, card: Card, effect: EffectFacts) -> str:
    """Why the Trigger cannot be activated now; empty if it may be, or if that is not certain."""
    if "battle-phase-flow" in view.documents:
        if card.zone not in effect.zones and not view.in_damage_step:
            return f"it is in the {card.zone}"
        if card.zone in FIELD and not card.face_up:
            return "it lies face-down"
    if effect.condition == "other-phase" or (effect.condition == "step-began" and not _is_its_step(view, effect)):
        return "what it waits for does not happen here"
    if effect.condition == "step-began" and _was_activated_here(view, card, effect):
        return "it has been activated in this step"
    if effect.subject is None and not _may_have_happened(view, card, effect):
        return "what it waits for has not happened"
    if once_allows(view, player, card, effect) is False:
        return "it has been used"
    if not effect.mandatory:
        if target_available(view, player, card, effect, None) is False:
            return "there is nothing that it could target"
        if any(payable(view, player, card, cost) is False for cost in effect.cost):
            return "it cannot be paid for"
    return ""


def _is_its_step(view: View, effect: EffectFacts) -> bool:
    return view.timing is not None and names_timing(view, effect, view.timing)


def _was_activated_here(view: View, card: Card, effect: EffectFacts) -> bool:
    window = view.window
    began = view.at if window is None else window.began_at
    return any(link.at > began and link.card_key == card.key and link.effect == effect.number for link in view.activations)


def _may_have_happened(view: View, card: Card, effect: EffectFacts) -> bool:
    """Whether what the effect waits for may have happened to its own card."""
    condition = effect.condition
    if condition in _DESTROYED:
        move = next(_moves(view, card), None)
        return move is not None and move.reason in _DESTROYED[condition]
    if condition == "special-summoned":
        return any(move.reason == "special-summoned" for move in _moves(view, card))
    if condition == "flipped":
        return any(change.before == "face-down-defense" for change in _turns(view, card))
    if condition == "position-changed":
        return any(_turns(view, card))
    if condition == "attack-targeted":
        return any(
            isinstance(event, AttackDeclared | AttackTargetChosen) and event.target == card.id for event in view.events[: view.at]
        )
    step = view.damage_step
    return step is None or not effect.timings or _may_have_happened_in_battle(card, condition, step)


def _may_have_happened_in_battle(card: Card, condition: Condition | None, step: DamageStep) -> bool:
    if step.attacker_key is None:
        return True
    attacker, target = step.attacker_key[0], None if step.target_key is None else step.target_key[0]
    determined = {key[0] for key in step.determined}
    if condition == "attacks":
        return card.id == attacker
    if condition == "battles":
        return card.id in (attacker, target)
    if condition == "destroyed-by-battle":
        return card.id in determined
    if condition == "destroys-by-battle":
        return (card.id == attacker and target in determined) or (card.id == target and attacker in determined)
    return True


def _moves(view: View, card: Card) -> Iterator[Moved]:
    """The card's moves, the latest first."""
    return (event for event in reversed(view.events[: view.at]) if isinstance(event, Moved) and event.card == card.id)


def _turns(view: View, card: Card) -> Iterator[PositionChanged]:
    """The card's changes of position and face."""
    return (event for event in view.events[: view.at] if isinstance(event, PositionChanged) and event.card == card.id)
