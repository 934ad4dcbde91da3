"""Rulesets as data: the points on which the game's rules differ from era to era, as named parameters.

Engines and oracles read the parameters; no code asks for a ruleset by its name. The documents are named by the keys of
:mod:`engine_protocol.documents`.
"""

from __future__ import annotations

from msgspec import Struct

from engine_protocol.errors import InputError
from engine_protocol.vocabulary import DAMAGE_STEP_TIMINGS, Timing


class Ruleset(Struct, frozen=True, kw_only=True):
    """One set of rules.

    ``many_chains_at``              timings of the Damage Step in which Quick Effects may start any number of chains (Triggers
                                    only the first); at the others there is one chain, and what that chain triggers (DS-5)
    ``changes_atk_def_at``          timings at which Quick Effects, Quick-Play Spells and Traps that change ATK/DEF may be
                                    activated (DA-1)
    ``damage_step_means``           timings at which an effect that names the Damage Step, but none of its timings, may be
                                    activated (DA-4)
    ``effect_negation_in_damage_step`` whether a Quick Effect that negates an effect, not its activation, may be activated in the
                                    Damage Step (DA-3)
    ``timings_pass_without_calculation`` whether the remaining timings still happen when no damage calculation can be
                                    performed (DS-6)
    ``equal_zero_destroys``         whether two Attack Position monsters with 0 ATK destroy each other (DC-1)
    ``start_step_can_be_last``      whether the Start Step may lead straight to the End Step (BP-2)
    ``one_field_spell_each``        whether each player may have a face-up Field Spell (GN-1)
    """

    name: str
    document: str
    many_chains_at: frozenset[Timing]
    changes_atk_def_at: frozenset[Timing]
    damage_step_means: frozenset[Timing]
    effect_negation_in_damage_step: bool
    timings_pass_without_calculation: bool
    equal_zero_destroys: bool
    start_step_can_be_last: bool
    one_field_spell_each: bool


_EARLY: frozenset[Timing] = frozenset(DAMAGE_STEP_TIMINGS[:2])

OCG_2023 = Ruleset(
    name="ocg-2023",
    document="battle-phase-flow",
    many_chains_at=_EARLY,
    changes_atk_def_at=_EARLY,
    damage_step_means=_EARLY,
    effect_negation_in_damage_step=False,
    timings_pass_without_calculation=True,
    equal_zero_destroys=False,
    start_step_can_be_last=False,
    one_field_spell_each=True,
)

RULESETS: dict[str, Ruleset] = {ruleset.name: ruleset for ruleset in (OCG_2023,)}
DEFAULT_RULESET = OCG_2023.name


def ruleset_named(name: str) -> Ruleset:
    """The ruleset with this name.

    Raises:
        InputError: there is none; the message lists those there are.
    """
    try:
        return RULESETS[name]
    except KeyError:
        raise InputError(f"there is no ruleset {name!r}; known: {', '.join(RULESETS)}") from None
