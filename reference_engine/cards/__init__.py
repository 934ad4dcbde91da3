"""The behaviour of every card that the reference engine plays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from engine_protocol.cards import CardFacts, card_pool
from reference_engine.behaviour import CardBehaviour, passive_categories
from reference_engine.cards import (
    attackers,
    battle_step,
    damage_changers,
    damage_step_triggers,
    equipment,
    inner_battles,
    monsters,
    more_damage_changers,
    more_monsters,
    more_spells_and_traps,
    negators,
    sent_to_graveyard,
    six_samurai,
    spells_and_traps,
    step_effects,
    subterror,
    xyz_monsters,
)

_MODULES = (
    spells_and_traps,
    more_spells_and_traps,
    equipment,
    inner_battles,
    monsters,
    more_damage_changers,
    more_monsters,
    attackers,
    battle_step,
    damage_changers,
    damage_step_triggers,
    negators,
    sent_to_graveyard,
    step_effects,
    six_samurai,
    subterror,
    xyz_monsters,
)


def _with_facts(behaviour: CardBehaviour, facts: CardFacts) -> CardBehaviour:
    """A behaviour with what the facts already say of it."""
    costs = tuple(cost for effect in facts.effects if "attack-cost" in effect.categories for cost in effect.cost)
    return replace(behaviour, categories=passive_categories(facts), attack_costs=costs)


def _all_behaviours() -> Mapping[int, CardBehaviour]:
    pool = card_pool()
    plain = {facts.name: CardBehaviour() for facts in pool.values() if not facts.effects}
    named = plain
    for module in _MODULES:
        named |= module.BEHAVIOURS
    return {facts.passcode: _with_facts(behaviour, facts) for name, behaviour in named.items() for facts in (pool.named(name),)}


BEHAVIOURS = _all_behaviours()
"""By passcode."""
