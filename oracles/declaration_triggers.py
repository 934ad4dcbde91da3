"""AT-14: where a mandatory Trigger at the attack declaration leaves no room for an optional one."""

from __future__ import annotations

from typing import ClassVar, Final

from engine_protocol.cards import EffectFacts
from engine_protocol.events import Activated, Decided
from engine_protocol.rulesets import Ruleset
from oracles.attack import needs_declaration
from oracles.legality import needs_allow
from oracles.options import activations_on_offer
from oracles.oracle import Oracle, at
from oracles.view import Card, Link, View

_OPEN_IN_MASTER_RULE_2: Final = "battle-step-wiki marks the combination as under adjustment in 2011."


def is_own_trigger(view: View, card: Card, effect: EffectFacts) -> bool:
    """Whether it is an optional effect of a monster of the turn player that its attack declaration triggers."""
    optional = effect.kind == "trigger" and not effect.mandatory and needs_declaration(effect)
    return optional and card.facts.type == "monster" and card.controller == view.turn_player


def _leaves_no_room(ruleset: Ruleset) -> bool:
    return ruleset.mandatory_shuts_out_optional and ruleset.settles("mandatory_shuts_out_optional")


def _is_mandatory_trigger(link: Link) -> bool:
    return link.facts is not None and link.facts.kind == "trigger" and link.facts.mandatory


class MandatoryTriggerAlone(Oracle):
    """At the declaration neither may be offered when the other is on the chain: the optional effect because it comes too late,
    the mandatory one because it had to be first. At stake when a mandatory Trigger is activated at the declaration of an attacker
    with such an optional effect.
    """

    id = "AT-14"
    title = "A mandatory Trigger at the declaration shuts out optional ones"
    statement = (
        "A mandatory Trigger at the attack declaration starts the chain; then the turn player's monsters cannot activate the"
        " optional effects that they have for that moment."
    )
    citations = (("expert-2007", "2"),)
    until = frozenset({"battle-phase-flow"})
    undecided: ClassVar[dict[str, str]] = {
        "master-rule-2": _OPEN_IN_MASTER_RULE_2,
        "master-rule-3": "Its document is silent; " + _OPEN_IN_MASTER_RULE_2,
        "duel-arena": "Its document is silent; " + _OPEN_IN_MASTER_RULE_2,
    }

    @at("declaration")
    def on_trigger(self, event: Decided, view: View) -> None:
        if not _leaves_no_room(view.ruleset):
            return
        mandatory = next((link for link in view.chain if _is_mandatory_trigger(link)), None)
        if mandatory is None:
            return
        for card, effect in activations_on_offer(event, view):
            if is_own_trigger(view, card, effect):
                self.fail(
                    expected=f"{mandatory.card!r} makes the chain alone, so {card!r} cannot be activated any more",
                    happened="it was offered",
                    cards=(card.id, mandatory.card.id),
                )

    def on_activated(self, event: Activated, view: View) -> None:
        if view.timing != "declaration" or view.attack is None or not _leaves_no_room(view.ruleset):
            return
        if not _is_mandatory_trigger(view.chain[-1]):
            return
        attacker = view.cards[view.attack.attacker]
        for own in attacker.known.triggers:
            if is_own_trigger(view, attacker, own) and needs_allow(view, view.turn_player, attacker, own) is not False:
                self.stake()
        for link in view.chain[:-1]:
            if link.facts is not None and is_own_trigger(view, link.card, link.facts):
                self.fail(
                    expected=f"{view.name(event.card)} is mandatory: it starts the chain, and {link.card!r} cannot be activated",
                    happened=f"it was put on the chain of {link.card!r}",
                    cards=(event.card, link.card.id),
                )


ORACLES: Final[tuple[type[Oracle], ...]] = (MandatoryTriggerAlone,)
