"""What kind of activation an effect is to the rules of the Damage Step (DA-1 to DA-9).

What the facts do not settle is ``unclear``: Spells and Traps that wait for something to happen to another card, some of which
may be activated when a battle destroyed it, and Continuous Traps with an effect that may be activated together with the card.
"""

from __future__ import annotations

from typing import Final, Literal

from engine_protocol.cards import CardFacts, Condition, EffectFacts
from engine_protocol.rulesets import Ruleset
from engine_protocol.vocabulary import Timing

DamageStepKind = Literal[
    "named",
    "mandatory",
    "counter-trap",
    "negates-activation",
    "negates-effect",
    "changing-response",
    "changes-atk-def",
    "changing-continuous-trap",
    "continuous-trap",
    "others-change",
    "unclear",
    "other",
]
"""``named``: its text names timings. ``changing-response``: it answers an activation and changes ATK/DEF, but does not negate the
activation. ``others-change``: it waits for a change of another card that is neither a destruction nor battle damage.
"""

OTHERS_CHANGES: Final[frozenset[Condition | None]] = frozenset({"special-summoned", "position-changed"})
"""Changes of another card that surely let no optional effect be activated in the Damage Step (DA-6)."""

_AT_HAND: Final[frozenset[Condition | None]] = frozenset(
    (
        *(None, "your-turn", "opponent-turn", "activation", "other-phase"),
        *("attack-declared", "direct-attack-declared", "attack-targeted"),
    )
)


def damage_step_kind(facts: CardFacts, effect: EffectFacts) -> DamageStepKind:
    """The kind of a Quick Effect or of the activation of a Spell or Trap; Triggers are ``unclear`` unless they name a timing."""
    categories = effect.categories
    if effect.timings:
        return "named"
    if effect.kind == "trigger":
        return "unclear"
    if effect.mandatory:
        return "mandatory"
    if effect.speed == 3:
        return "counter-trap"
    if "negates-activation" in categories:
        return "negates-activation"
    if effect.condition == "activation":
        return _kind_of_response(effect)
    if effect.condition not in _AT_HAND:
        others = effect.condition in OTHERS_CHANGES and facts.type != "monster" and effect.subject is not None
        return "others-change" if others else "unclear"
    if effect.kind == "activation" and facts.type == "trap" and facts.property == "continuous":
        return _kind_of_continuous_trap(facts, effect)
    return "changes-atk-def" if "changes-atk-def" in categories else "other"


def _kind_of_response(effect: EffectFacts) -> DamageStepKind:
    if "changes-atk-def" in effect.categories:
        return "changing-response"
    return "negates-effect" if "negates-effect" in effect.categories else "other"


def _kind_of_continuous_trap(facts: CardFacts, effect: EffectFacts) -> DamageStepKind:
    lasting = [other for other in facts.effects if not other.speed]
    if any("changes-atk-def" in other.categories for other in (effect, *lasting)):
        return "changing-continuous-trap"
    return "continuous-trap" if all(other is effect or not other.speed for other in facts.effects) else "unclear"


def allowed_in_damage_step(kind: DamageStepKind, timing: Timing, ruleset: Ruleset) -> bool | None:
    """Whether effects of this kind may be activated at this timing of the Damage Step; not for those that name timings."""
    match kind:
        case "mandatory" | "counter-trap" | "negates-activation":
            return True
        case "changes-atk-def" | "changing-continuous-trap":
            return timing in ruleset.changes_atk_def_at
        case "negates-effect":
            return None if ruleset.effect_negation_in_damage_step else False
        case "unclear" | "named":
            return None
        case _:
            return False
