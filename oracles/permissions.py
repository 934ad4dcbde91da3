"""Who may attack whom, as far as the facts say. Answers are three-valued, as in :mod:`oracles.legality`."""

from __future__ import annotations

from typing import Final

from engine_protocol.cards import EffectFacts
from engine_protocol.vocabulary import FIELD
from oracles.legality import Answer
from oracles.view import Attack, Card, Link, View

ATTACKS_IN_DEFENSE: Final = frozenset({"attacks-in-defense", "attacks-in-defense-with-atk"})
_ENDS_ATTACKS = frozenset({"negates-attack", "ends-battle-phase", "prevents-attack", "negates-effect"})


def in_attacking_position(card: Card) -> Answer:
    """Whether it lies as an attacker must (AT-1): face-up Attack Position, or face-up Defense Position with an effect that lets
    it attack there.
    """
    if card.position == "face-up-attack":
        return True
    if card.position == "face-up-defense" and card.known.categories & ATTACKS_IN_DEFENSE:
        return None if "effects-negated" in card.statuses else True
    return False


def may_attack_directly(view: View, attacker: Card) -> Answer:
    """Whether an effect lets it attack directly past monsters (AT-3).

    True if it was told so, or by a continuous effect of its own that has no condition; False only if no effect in play could.
    """
    if "can-attack-directly" in attacker.statuses:
        return True
    if "direct-attack" in attacker.known.categories and "effects-negated" not in attacker.statuses:
        always = any("direct-attack" in effect.categories and _holds_always(effect) for effect in attacker.facts.effects)
        return True if always else None
    return None if granted_by_another(view, "direct-attack", attacker) else False


def _holds_always(effect: EffectFacts) -> bool:
    unconditional = effect.condition is None and effect.subject is None and not effect.requires and not effect.timings
    return effect.kind == "continuous" and unconditional


def may_attack_again(view: View, attacker: Card) -> Answer:
    """Whether an effect could give it more than one attack (AT-2). False only if no effect in play could."""
    own = "multi-attack" in attacker.known.categories
    return None if own or granted_by_another(view, "multi-attack", attacker) else False


def attacks_in_defense_by_another(view: View, monster: Card) -> bool:
    """Whether another card could let it attack in Defense Position."""
    return any(granted_by_another(view, category, monster) for category in ATTACKS_IN_DEFENSE)


def granted_by_another(view: View, category: str, monster: Card) -> bool:
    """Whether another card in play could give the monster something of that category.

    An effect of a monster that names no subject and has no target is about that monster alone.
    """
    for card in view.cards.values():
        if card is monster or category not in card.known.categories or card.zone not in FIELD:
            continue
        if card.facts.type != "monster":
            return True
        for effect in card.facts.effects:
            if category in effect.categories and (effect.subject is not None or effect.target is not None):
                return True
    for link in view.activations:  # noqa: SIM110 -- a loop is twice as fast
        if category in link.card.known.categories and link.card is not monster:
            return True
    return False


def only_target(view: View, attacker: Card) -> Card | None:
    """The one monster that an effect leaves the attacker to attack this turn, if that is certain.

    Of the effects that prevent attacks, one that targets a monster of its own player leaves only that monster to attack.
    """
    if not view.activations or "unaffected-by-spells-traps" in attacker.statuses:
        return None
    links = [link for link in view.activations if link.player != attacker.controller and _narrows_targets(link.facts)]
    if len(links) != 1 or links[0].outcome != "resolved" or not links[0].targets:
        return None
    if not view.present(links[0].target_keys[0]):
        return None
    return view.cards[links[0].targets[0]]


def _narrows_targets(effect: EffectFacts | None) -> bool:
    if effect is None or effect.target is None:
        return False
    return "prevents-attack" in effect.categories and effect.target.filter.side == "you"


def still_attacks(view: View, attack: Attack) -> Answer:
    """Whether the attacker still is the turn player's and lies and is free to attack (AT-7)."""
    if not view.present(attack.attacker_key):
        return False
    attacker = view.cards[attack.attacker]
    if attacker.controller != attack.player or "cannot-attack" in attacker.statuses:
        return False
    return in_attacking_position(attacker)


def links_since(view: View, at: int) -> list[Link]:
    """The Chain Links activated after that event."""
    return [link for link in view.activations if link.at > at]


def could_end_attacks(link: Link) -> bool:
    """Whether the link's effect may stop or negate an attack, or nobody knows what it does."""
    return link.facts is None or not link.facts.categories or bool(link.facts.categories & _ENDS_ATTACKS)


def hindered(view: View) -> bool:
    """Whether something in play may keep monsters from attacking, or from being attacked, in a way that does not show."""
    for card in view.cards.values():
        if "prevents-attack" in card.known.categories and card.zone in FIELD and card.face_up:
            return True
    return any(map(could_end_attacks, view.activations))


def ends_battle_phase(view: View) -> bool:
    """Whether some effect activated so far may end the Battle Phase, or do what the facts do not say."""
    for link in view.activations:
        facts = link.facts
        if facts is None or not facts.categories or "ends-battle-phase" in facts.categories:
            return True
    return False
