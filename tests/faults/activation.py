"""Seeded faults of what may be activated in the Damage Step (DA)."""

from __future__ import annotations

from typing import Final

from engine_protocol.cards import EffectFacts
from engine_protocol.vocabulary import Player
from reference_engine import legality
from reference_engine.card import Card
from reference_engine.duel import Duel
from tests.faults.fault import Fault
from tests.faults.helpers import DAMAGE_STEP, LATE, also_at, changes_stats, not_at

_can_activate = legality.can_activate

_SHUT_OUT: Final = "a whole class of cards shut out of timings of the Damage Step"
_LET_IN: Final = "cards let into the Damage Step that do not belong there"


def _is_counter_trap(effect: EffectFacts) -> bool:
    return effect.speed == 3


def _negates_activations(effect: EffectFacts) -> bool:
    return "negates-activation" in effect.categories and effect.speed == 2 and effect.kind == "quick"


def _negates_effects(effect: EffectFacts) -> bool:
    return "negates-effect" in effect.categories and effect.kind == "quick"


def _is_mandatory_quick(effect: EffectFacts) -> bool:
    return effect.kind == "quick" and effect.mandatory


def _is_free_chain(effect: EffectFacts) -> bool:
    return effect.speed == 2 and effect.kind == "activation" and not effect.condition


def _removes_cards(effect: EffectFacts) -> bool:
    return _is_free_chain(effect) and not effect.categories.isdisjoint({"destroys", "banishes", "returns"})


def _changes_positions(effect: EffectFacts) -> bool:
    return _is_free_chain(effect) and "changes-position" in effect.categories


def _spares_from_damage(effect: EffectFacts) -> bool:
    return _is_free_chain(effect) and "prevents-battle-damage" in effect.categories


def _is_named_quick(effect: EffectFacts) -> bool:
    return effect.kind == "quick" and bool(effect.timings)


def _is_quick_of_the_calculation(effect: EffectFacts) -> bool:
    return effect.kind == "quick" and "during-calculation" in effect.timings


def _is_quick_of_the_whole_step(effect: EffectFacts) -> bool:
    return effect.kind == "quick" and "damage-step" in effect.timings


def _is_trigger_of_the_end(effect: EffectFacts) -> bool:
    return effect.kind == "trigger" and "damage-end" in effect.timings


def _is_trigger_after_calculation(effect: EffectFacts) -> bool:
    return effect.kind == "trigger" and "after-calculation" in effect.timings


def _is_optional_trigger(effect: EffectFacts) -> bool:
    return effect.kind == "trigger" and not effect.mandatory and not effect.timings


def _is_mandatory_trigger(effect: EffectFacts) -> bool:
    return effect.kind == "trigger" and effect.mandatory and not effect.timings


def _waits_for_battle_damage(effect: EffectFacts) -> bool:
    return effect.kind == "trigger" and effect.condition == "inflicted-battle-damage"


def _only_starts_chains(duel: Duel, player: Player, card: Card, effect: EffectFacts) -> bool:
    answers = bool(duel.chain) and duel.timing in DAMAGE_STEP
    return _can_activate(duel, player, card, effect) and not (answers and changes_stats(effect))


def _changes_in_response(effect: EffectFacts) -> bool:
    return changes_stats(effect) and effect.condition == "activation" and "negates-activation" not in effect.categories


FAULTS: tuple[Fault, ...] = (
    Fault(
        "changers-throughout",
        "DA-1",
        "ATK changers may be activated in the whole Damage Step",
        also_at(changes_stats, DAMAGE_STEP),
        real=_LET_IN,
    ),
    Fault(
        "changers-during-calculation",
        "DA-1",
        "ATK changers may be activated during damage calculation",
        also_at(changes_stats, {"during-calculation"}),
        real=_LET_IN,
    ),
    Fault(
        "changers-after-calculation",
        "DA-1",
        "ATK changers may be activated after damage calculation",
        also_at(changes_stats, {"after-calculation"}),
        real=_LET_IN,
    ),
    Fault(
        "no-changers",
        "DA-1",
        "ATK changers cannot be activated in the Damage Step",
        not_at(changes_stats, DAMAGE_STEP),
        real=_SHUT_OUT,
    ),
    Fault(
        "changers-only-at-the-start",
        "DA-1",
        "ATK changers cannot be activated before damage calculation, only at the start of the Damage Step",
        not_at(changes_stats, {"before-calculation"}),
    ),
    Fault(
        "changers-answer-nothing",
        "DA-1",
        "In the Damage Step ATK changers may start a chain, but not join one",
        {"reference_engine.chain:can_activate": _only_starts_chains},
    ),
    Fault(
        "no-late-counter-traps",
        "DA-2",
        "Counter Traps are shut out from damage calculation on",
        not_at(_is_counter_trap, LATE),
        real="Counter Traps shut out after damage calculation",
    ),
    Fault(
        "no-counter-traps-at-the-end",
        "DA-2",
        "Counter Traps cannot answer Triggers of the end of the Damage Step",
        not_at(_is_counter_trap, {"damage-end"}),
        real="Counter Traps shut out after damage calculation",
    ),
    Fault(
        "no-negation",
        "DA-3",
        "Quick Effects that negate an activation cannot be activated in the Damage Step",
        not_at(_negates_activations, DAMAGE_STEP),
        real=_SHUT_OUT,
    ),
    Fault(
        "no-late-negation",
        "DA-3",
        "Quick Effects that negate an activation are shut out from damage calculation on",
        not_at(_negates_activations, LATE),
        real=_SHUT_OUT,
    ),
    Fault(
        "effect-negation-throughout",
        "DA-3",
        "Quick Effects that negate an effect may be activated in the Damage Step",
        also_at(_negates_effects, DAMAGE_STEP),
        real="what only negates an effect let into the Damage Step",
    ),
    Fault(
        "no-mandatory-quick-effects",
        "DA-3",
        "Mandatory Quick Effects are not activated in the Damage Step",
        not_at(_is_mandatory_quick, DAMAGE_STEP),
    ),
    Fault(
        "calculation-effects-before",
        "DA-4",
        "Quick Effects of damage calculation may be activated before it",
        also_at(_is_quick_of_the_calculation, {"before-calculation"}),
    ),
    Fault(
        "hand-effects-at-the-end",
        "DA-4",
        "Honest and the like may be used after damage calculation",
        also_at(_is_quick_of_the_whole_step, {"after-calculation", "damage-end"}),
    ),
    Fault(
        "no-hand-effects",
        "DA-4",
        "Quick Effects that name a timing of the Damage Step are never offered",
        not_at(_is_named_quick, DAMAGE_STEP),
    ),
    Fault(
        "end-effects-after-calculation",
        "DA-4",
        "Triggers of the end of the Damage Step activate after damage calculation",
        also_at(_is_trigger_of_the_end, {"after-calculation"}),
    ),
    Fault(
        "no-effects-after-calculation",
        "DA-4",
        "Triggers after damage calculation are left out",
        not_at(_is_trigger_after_calculation, {"after-calculation"}),
    ),
    Fault(
        "free-chains-throughout",
        "DA-5",
        "Any Quick-Play Spell or Trap may be activated in the Damage Step",
        also_at(_is_free_chain, DAMAGE_STEP),
        real=_LET_IN,
    ),
    Fault(
        "removal-at-the-start",
        "DA-5",
        "Cards that destroy or return may be activated at the start of the Damage Step",
        also_at(_removes_cards, {"damage-start"}),
        real=_LET_IN,
    ),
    Fault(
        "book-of-moon-in-damage-step",
        "DA-5",
        "Book of Moon may be activated before damage calculation",
        also_at(_changes_positions, {"before-calculation"}),
        real=_LET_IN,
    ),
    Fault(
        "waboku-in-damage-step",
        "DA-5",
        "Waboku may be activated in the Damage Step, as long as no damage was calculated",
        also_at(_spares_from_damage, DAMAGE_STEP - LATE),
        real=_LET_IN,
    ),
    Fault(
        "no-optional-triggers",
        "DA-6",
        "Optional Triggers cannot be activated in the Damage Step",
        not_at(_is_optional_trigger, DAMAGE_STEP),
    ),
    Fault(
        "no-mandatory-triggers",
        "DA-6",
        "Mandatory Triggers are not activated in the Damage Step",
        not_at(_is_mandatory_trigger, DAMAGE_STEP),
    ),
    Fault(
        "damage-triggers-at-the-end",
        "DA-6",
        "What battle damage triggers is not activated after damage calculation",
        not_at(_waits_for_battle_damage, {"after-calculation"}),
    ),
    Fault(
        "continuous-traps-throughout",
        "DA-7",
        "Continuous Traps may be activated in the whole Damage Step",
        also_at(_is_free_chain, DAMAGE_STEP, "continuous"),
        real=_LET_IN,
    ),
    Fault(
        "no-mirror-wall",
        "DA-7",
        "Continuous Traps that change ATK cannot be activated in the Damage Step",
        not_at(changes_stats, DAMAGE_STEP, "continuous"),
        real=_SHUT_OUT,
    ),
    Fault(
        "changing-responses",
        "DA-9",
        "What answers an activation by a change of ATK may be activated in the Damage Step",
        also_at(_changes_in_response, DAMAGE_STEP),
        real=_LET_IN,
    ),
)
