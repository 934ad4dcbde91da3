"""Seeded faults of the rulesets: the engine has one parameter of its ruleset as a neighbouring ruleset has it.

Every parameter of the table has one, in a ruleset whose documents settle it. Where they all say the same, the fault is the other
answer; where the engine knows no other, it is a patch of the engine.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from engine_protocol.decisions import Option
from engine_protocol.rulesets import PARAMETERS, RULESETS
from engine_protocol.vocabulary import DAMAGE_STEP_TIMINGS, Player, Position, opponent
from reference_engine import chain
from reference_engine.card import Card
from reference_engine.chain import Asking
from reference_engine.duel import Duel
from tests.faults.fault import Fault
from tests.faults.helpers import DUEL, in_every_window, ruleset_changed

_activations = chain.activations


def _fault(parameter: str, ruleset: str, rule: str, told: str, patches: dict[str, Any]) -> Fault:
    return Fault(
        f"{ruleset}-{parameter.replace('_', '-')}",
        rule,
        f"{PARAMETERS[parameter].meaning.rstrip('.')}: {told}",
        patches,
        ruleset=ruleset,
        parameter=parameter,
    )


def _as_in(neighbour: str, parameter: str, ruleset: str, rule: str) -> Fault:
    """The parameter as that other ruleset has it."""
    value = getattr(RULESETS[neighbour], parameter)
    return _fault(parameter, ruleset, rule, f"as in {neighbour}", ruleset_changed(**{parameter: value}))


def _no_window_before_a_declaration(duel: Duel, player: Player) -> tuple[Option, ...]:
    return () if duel.timing == "battle-step" else _activations(duel, player)


def _own_optional_before_others_mandatory(duel: Duel) -> Asking:
    pending = [trigger for trigger in duel.pending if chain.still_triggers(duel, trigger)]
    duel.pending = []
    for player in (duel.turn_player, opponent(duel.turn_player)):
        for mandatory in (True, False):
            group = [t for t in pending if t.card.controller == player and t.effect.mandatory == mandatory]
            yield from chain._chain_group(duel, player, group, mandatory=mandatory)
    if not duel.chain:
        return False
    yield from chain.finish_chain(duel)
    return True


def _summoned_to_an_extra_monster_zone(
    special_summon: Callable[[Duel, Card, Player, Position], bool],
) -> Callable[[Duel, Card, Player, Position], bool]:
    def wrongly(duel: Duel, card: Card, player: Player, position: Position) -> bool:
        if not special_summon(duel, card, player, position):
            return False
        if duel.free_places(player, "extra-monster-zone"):
            duel.move(card, player, "extra-monster-zone", "special-summoned", position=position, index=0)
        return True

    return wrongly


FAULTS: Final[tuple[Fault, ...]] = (
    _as_in("master-rule-2", "start_step_can_be_last", "ocg-2023", "BP-2"),
    _as_in("master-rule-3", "step_triggers_share_a_chain", "ocg-2023", "BP-6"),
    _fault(
        "window_before_declaration",
        "master-rule-2",
        "CH-12",
        "no, there is none",
        {"reference_engine.flow:activations": _no_window_before_a_declaration},
    ),
    _as_in("ocg-2023", "mandatory_shuts_out_optional", "expert-2007", "AT-14"),
    _fault(
        "others_mandatory_first",
        "master-rule-3",
        "CH-5",
        "no, they come after the turn player's",
        in_every_window("trigger_chain", _own_optional_before_others_mandatory),
    ),
    _as_in("duel-arena", "replay_causes", "master-rule-2", "RP-1"),
    _as_in("duel-arena", "replay_declares_again", "ocg-2023", "RP-5"),
    _as_in("master-rule-2", "replay_declares_again", "duel-arena", "RP-5"),
    _as_in("master-rule-3", "trigger_stages", "expert-2007", "DS-5"),
    _as_in("master-rule-3", "many_chains_at", "ocg-2023", "DS-5"),
    _as_in("ocg-2023", "many_chains_at", "master-rule-3", "DS-5"),
    _as_in("expert-2007", "activations_per_damage_step", "duel-arena", "DA-10"),
    _fault(
        "changes_atk_def_at",
        "ocg-2023",
        "DA-1",
        "also during damage calculation",
        ruleset_changed(changes_atk_def_at=frozenset(DAMAGE_STEP_TIMINGS[:3])),
    ),
    _as_in("ocg-2023", "damage_step_means", "master-rule-2", "DA-4"),
    _as_in("master-rule-2", "damage_step_means", "ocg-2023", "DA-4"),
    _as_in("expert-2007", "effect_negation_in_damage_step", "ocg-2023", "DA-3"),
    _as_in("ocg-2023", "not_tributed_while_battling", "master-rule-3", "DA-11"),
    _as_in("ocg-2023", "destruction_by_effect_counts", "master-rule-3", "DA-6"),
    _as_in("ocg-2023", "card_timings", "expert-2007", "DA-12"),
    _as_in("ocg-2023", "timings_pass_without_calculation", "master-rule-3", "DS-6"),
    _as_in("master-rule-3", "timings_pass_without_calculation", "ocg-2023", "DS-6"),
    _as_in("ocg-2023", "self_destruction_at", "master-rule-2", "DS-4"),
    _as_in("master-rule-2", "self_destruction_at", "ocg-2023", "DS-4"),
    _as_in("duel-arena", "equal_zero_destroys", "ocg-2023", "DC-1"),
    _as_in("ocg-2023", "equal_zero_destroys", "duel-arena", "DC-1"),
    _as_in("ocg-2023", "substitutes_at", "expert-2007", "BD-9"),
    _as_in("expert-2007", "substitutes_at", "ocg-2023", "BD-9"),
    _as_in("expert-2007", "determined_use_quick_effects", "ocg-2023", "BD-3"),
    _as_in("ocg-2023", "determined_can_be_destroyed", "duel-arena", "BD-8"),
    _as_in("ocg-2023", "negated_by_destroyer_activates", "expert-2007", "BD-1"),
    _fault(
        "destroyers_trigger_when_destroyed",
        "expert-2007",
        "BD-10",
        "none",
        ruleset_changed(destroyers_trigger_when_destroyed=frozenset()),
    ),
    _as_in("expert-2007", "inner_battle_closes", "ocg-2023", "EC-2"),
    _fault(
        "extra_monster_zones",
        "duel-arena",
        "GN-1",
        "yes, and monsters are Special Summoned to them",
        {f"{DUEL}special_summon": _summoned_to_an_extra_monster_zone(Duel.special_summon)},
    ),
)

RULED: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "destroyed_destroyer_negates": (
        "E-125b-ha-des-not-in-mutual-destruction",
        ruleset_changed(destroyed_destroyer_negates=RULESETS["ocg-2023"].destroyed_destroyer_negates),
    ),
}
"""Parameters that no rule is certain enough of, with the example of the documents that shows a wrong one, and the patch."""

NOT_SHOWN: Final[dict[str, str]] = {
    "triggers_of_a_chain": (
        "It matters only where a timing has several stages, and the documents of the rulesets that have stages do not settle it."
    ),
    "cards_under_adjustment": "The suite leaves these cards out of its duels; an engine has nothing to do with it.",
    "one_field_spell_each": (
        "No effect of the pool brings a Field Spell face-up in a Battle Phase, and no board has two where there is one in all."
    ),
}
"""Parameters that no fault can show, and why."""
