"""What kind of activation an effect is to the rules of the Damage Step (DA-1 to DA-9), and what each ruleset allows the kinds.

What the facts do not settle is ``unclear``: Spells and Traps that wait for something to happen to another card, some of which
may be activated when a battle destroyed it, and Continuous Traps with an effect that may be activated together with the card.
"""

from __future__ import annotations

from functools import cache
from typing import Final, Literal, get_args

from engine_protocol.cards import CardFacts, Condition, EffectFacts
from engine_protocol.rulesets import Ruleset, documents_for, ruleset_named
from engine_protocol.vocabulary import DAMAGE_STEP_TIMINGS, Timing

DamageStepKind = Literal[
    "named",
    "mandatory",
    "counter-trap",
    "negates-activation",
    "tributes-itself",
    "negates-effect",
    "changing-response",
    "changes-atk-def",
    "changing-continuous-trap",
    "continuous-trap",
    "others-change",
    "others-destruction",
    "unclear",
    "other",
    "exception",
]
"""``named``: its text names timings. ``tributes-itself``: it negates an activation for a Tribute of its own monster.
``changing-response``: it answers an activation and changes ATK/DEF, but does not negate the
activation. ``others-change``: it waits for a change of another card that is neither a destruction nor battle damage.
``others-destruction``: a Spell or Trap that waits for another card to be sent to the Graveyard or destroyed. ``exception``: of a
card whose timings the ruleset names.
"""

CHANGES: Final[frozenset[DamageStepKind]] = frozenset({"changes-atk-def", "changing-continuous-trap"})
"""What changes ATK or DEF and names no timing."""

OTHERS_CHANGES: Final[frozenset[Condition | None]] = frozenset({"special-summoned", "position-changed"})
"""Changes of another card that surely let no optional effect be activated in the Damage Step (DA-6)."""

OTHERS_DESTRUCTION: Final[frozenset[Condition | None]] = frozenset({"destroyed", "destroyed-by-effect", "sent-to-graveyard"})
"""Ends of another card that a battle, or an effect, may bring about."""

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
        return "tributes-itself" if any(cost.kind == "tribute-self" for cost in effect.cost) else "negates-activation"
    if effect.condition == "activation":
        return _kind_of_response(effect)
    if effect.condition not in _AT_HAND:
        return _kind_of_watcher(effect) if facts.type != "monster" and effect.subject is not None else "unclear"
    if effect.kind == "activation" and facts.type == "trap" and facts.property == "continuous":
        return _kind_of_continuous_trap(facts, effect)
    return "changes-atk-def" if "changes-atk-def" in categories else "other"


def _kind_of_watcher(effect: EffectFacts) -> DamageStepKind:
    if effect.condition in OTHERS_CHANGES:
        return "others-change"
    return "others-destruction" if effect.condition in OTHERS_DESTRUCTION else "unclear"


def _kind_of_response(effect: EffectFacts) -> DamageStepKind:
    if "changes-atk-def" in effect.categories:
        return "changing-response"
    return "negates-effect" if "negates-effect" in effect.categories else "other"


def _kind_of_continuous_trap(facts: CardFacts, effect: EffectFacts) -> DamageStepKind:
    lasting = [other for other in facts.effects if not other.speed]
    if any("changes-atk-def" in other.categories for other in (effect, *lasting)):
        return "changing-continuous-trap"
    return "continuous-trap" if all(other is effect or not other.speed for other in facts.effects) else "unclear"


class Allowances:
    """What a ruleset allows in the Damage Step. Every answer is three-valued: None where its documents do not settle it.

    ``kinds``         whether effects of a kind may be activated at a timing; for those that name timings see ``later_chains``
    ``later_chains``  by timing, whether Quick Effects of that timing may start another chain after the first
    ``unsure_of_first`` timings at which it is not certain that all of them may start, or join, the first
    ``joins_later``   whether a Quick Effect may join a later chain where it may not start one
    ``exceptions``    cards of which the documents say by name at which timings they may be activated; None: undecided
    """

    __slots__ = ("exceptions", "joins_later", "kinds", "later_chains", "unsure_of_first")

    def __init__(self, ruleset: Ruleset) -> None:
        documents = documents_for(ruleset)
        self.kinds = {
            (kind, timing): _allowed(kind, timing, ruleset, documents)
            for kind in get_args(DamageStepKind)
            for timing in DAMAGE_STEP_TIMINGS
        }
        self.later_chains = {timing: _later_chain(timing, ruleset, documents) for timing in DAMAGE_STEP_TIMINGS}
        # Kuriboh and its like have a place of their own in expert-2007, after what changes ATK and DEF during calculation; and a
        # timing with stages may have its first chain in another one.
        self.unsure_of_first: frozenset[Timing] = frozenset(
            timing
            for timing, answer in self.later_chains.items()
            if answer is None and (timing == "during-calculation" or timing in ruleset.trigger_stages)
        )
        self.joins_later: bool | None = False if "battle-phase-flow" in documents else None
        settled = ruleset.settles("card_timings")
        self.exceptions: dict[str, frozenset[Timing] | None] = {
            card: timings if settled else None for card, timings in ruleset.card_timings.items()
        }


@cache
def allowances(ruleset: str) -> Allowances:
    """What the ruleset of that name allows in the Damage Step. Raises InputError if there is none."""
    return Allowances(ruleset_named(ruleset))


_ONE_CHAIN: Final[dict[Timing, frozenset[str]]] = {
    "damage-start": frozenset({"damage-step-wiki"}),
    "during-calculation": frozenset({"damage-step-wiki-before", "damage-step-wiki", "battle-phase-flow"}),
    "after-calculation": frozenset({"damage-step-wiki", "battle-phase-flow"}),
    "damage-end": frozenset({"damage-step-wiki", "battle-phase-flow"}),
}
"""Which documents say that there is one chain at the timing, unless the ruleset has many there."""


def _later_chain(timing: Timing, ruleset: Ruleset, documents: frozenset[str]) -> bool | None:
    if timing in ruleset.many_chains_at:
        return True
    return False if documents & _ONE_CHAIN.get(timing, frozenset()) else None


def _allowed(kind: DamageStepKind, timing: Timing, ruleset: Ruleset, documents: frozenset[str]) -> bool | None:
    flow = "battle-phase-flow" in documents
    listed = flow or "damage-step-wiki" in documents
    match kind:
        case "mandatory" | "counter-trap":
            return True
        case "negates-activation" | "tributes-itself":  # before damage-step-wiki only cards by name
            return True if listed else None
        case "changes-atk-def":
            return timing in ruleset.changes_atk_def_at
        case "changing-continuous-trap":
            return False if timing not in ruleset.changes_atk_def_at else True if listed else None
        case "negates-effect":
            return None if ruleset.effect_negation_in_damage_step else False
        case "changing-response" | "continuous-trap" | "others-change":
            return False if flow else None
        case "other":
            return False
        case _:
            return None
