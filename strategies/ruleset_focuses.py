"""Focuses for the points on which a ruleset differs from the others.

Most focuses bring up a rule whatever its parameters are. The ones here are for rules that only some rulesets have, and for points
at which a ruleset puts more at stake than the usual focus of the rule would bring up.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from engine_protocol.rulesets import Ruleset, documents_for
from strategies.focus import EVEN, LIVELY, LOUD, Focus
from strategies.focuses import FOCUSES
from strategies.menus import (
    answers_attack,
    atk_between,
    both,
    changes_stats,
    counter_trap,
    destroys_and_triggers,
    does,
    either,
    flip,
    free_chain,
    monster,
    named,
    plain,
    quick_play,
    searches,
    speaks_of,
    strong,
    triggers_after_calculation,
    triggers_when_destroyed,
    triggers_when_winning,
    waits_for,
    weak,
    without,
)
from strategies.recipes import (
    ALL_VOICES,
    ATTACKING,
    BATTLE,
    DECKS,
    FACE_DOWN,
    MIXED,
    MORE,
    ONE,
    OPEN_DEFENSE,
    REPLAY,
    RESPONDING,
    TO_DAMAGE_STEP,
    WAITING,
    attacker,
    defender,
    focus,
    own,
    their,
)

_ANSWERS_DESTRUCTION: Final = named("Michizure")
_BOTH_TO_DAMAGE_STEP: Final = ("00..0000", "00..0000", *TO_DAMAGE_STEP)
_ASSAILANT: Final = named("Gravekeeper's Assailant")
_CHANGES_FROM_SPELLS_AND_TRAPS: Final = both(changes_stats, free_chain)
_HARMLESS: Final = atk_between(0, 0)
_MUST_WHEN_ATTACKED: Final = named("Vengeful Shinobi", "Black Stego")
_SENT: Final = waits_for("sent-to-graveyard")
_TRIGGERS_BY_DAMAGE: Final = waits_for("inflicted-battle-damage", "took-battle-damage")
_TRIGGERS_BY_BATTLING: Final = both(triggers_after_calculation, waits_for("battles"))
_TRIGGERS_AT_THE_END: Final = both(speaks_of("damage-end"), waits_for("battles"))


def _at_14(ruleset: Ruleset) -> Focus | None:
    if not ruleset.mandatory_shuts_out_optional:
        return None
    return focus(
        attacker(_ASSAILANT),
        defender(_MUST_WHEN_ATTACKED),
        attacker(_ASSAILANT, 14),
        defender(_MUST_WHEN_ATTACKED, 12),
        defender(plain, 4),
        own("face-up", named("Necrovalley")),
        their("face-up", named("Fairy Box"), 8),
        their("set", answers_attack, 5),
        their("deck", weak, 15),
        their("deck", weak, 13),
        voices=ALL_VOICES,
    )


def _rp_5(ruleset: Ruleset) -> Focus | None:
    if not ruleset.replay_declares_again:
        return None
    return focus(*REPLAY, their("set", answers_attack), their("hand", answers_attack, 6), voices=RESPONDING, openings=ONE)


def _stages(ruleset: Ruleset) -> Focus | None:
    """In one battle there are Triggers of several stages: battle damage, the battle, the flip, the destruction."""
    if not ruleset.trigger_stages:
        return None
    by_name = named(*(card for stages in ruleset.trigger_stages.values() for stage in stages for card in stage.cards))
    return focus(
        attacker(either(_TRIGGERS_BY_DAMAGE, both(by_name, strong))),
        defender(_TRIGGERS_BY_BATTLING, positions=OPEN_DEFENSE, like="weaker"),
        attacker(either(_TRIGGERS_BY_DAMAGE, destroys_and_triggers, _TRIGGERS_BY_BATTLING, _TRIGGERS_AT_THE_END), 15),
        defender(either(by_name, triggers_when_destroyed), 12, OPEN_DEFENSE, like="weaker"),
        attacker(by_name, 8),
        defender(flip, 8, FACE_DOWN),
        own("face-up", _TRIGGERS_BY_DAMAGE, 13),
        their("face-up", _TRIGGERS_BY_DAMAGE, 8),
        their("hand", either(_SENT, monster), 12),
        own("hand", either(_SENT, monster), 6),
        *DECKS,
        voices=ALL_VOICES,
    )


def _ch_6(ruleset: Ruleset) -> Focus | None:
    """A chain of one stage sends a card whose effect triggers by that; chains of later stages follow."""
    if not ruleset.trigger_stages or ruleset.triggers_of_a_chain != "next-stage":
        return None
    return focus(
        attacker(_TRIGGERS_BY_DAMAGE),
        defender(either(_TRIGGERS_BY_BATTLING, _TRIGGERS_AT_THE_END), like="weaker"),
        attacker(either(_TRIGGERS_BY_DAMAGE, strong), 15),
        defender(either(_SENT, triggers_when_destroyed), 12, like="weaker"),
        own("face-up", _TRIGGERS_BY_DAMAGE),
        their("hand", _SENT),
        their("hand", _SENT, 8),
        *DECKS,
        voices=RESPONDING,
    )


def _da_6(ruleset: Ruleset) -> Focus | None:
    """A monster is destroyed by an effect in the Damage Step, and a card of its side waits for that."""
    if ruleset.destruction_by_effect_counts:
        return None
    return focus(
        attacker(named("Drillroid")),
        defender(either(searches, monster), positions=OPEN_DEFENSE, like="weaker"),
        attacker(triggers_when_winning, 14),
        their("set", _ANSWERS_DESTRUCTION),
        defender(searches, 8, like="weaker"),
        *DECKS,
        voices=ATTACKING,
    )


def _da_10(ruleset: Ruleset) -> Focus | None:
    if ruleset.activations_per_damage_step is None:
        return None
    return focus(
        *BATTLE,
        own("set", _CHANGES_FROM_SPELLS_AND_TRAPS, fresh=0),
        own("set", _CHANGES_FROM_SPELLS_AND_TRAPS, 12, fresh=0),
        own("set", counter_trap, 6, fresh=0),
        their("set", _CHANGES_FROM_SPELLS_AND_TRAPS),
        their("set", _CHANGES_FROM_SPELLS_AND_TRAPS, 13),
        their("set", counter_trap, 8),
        voices=(EVEN, LIVELY, LOUD),
        openings=_BOTH_TO_DAMAGE_STEP,
    )


def _da_11(ruleset: Ruleset) -> Focus | None:
    """The attacker answers the other player's Traps, the target the turn player's Spells."""
    if not ruleset.not_tributed_while_battling:
        return None
    answers_traps = named("A-Team: Trap Disposal Unit")
    return focus(
        attacker(answers_traps),
        defender(named("Maryokutai"), positions=OPEN_DEFENSE),
        attacker(answers_traps, 15),
        own("set", both(changes_stats, quick_play), fresh=0),
        own("set", both(changes_stats, quick_play), 12, fresh=0),
        their("set", without(_CHANGES_FROM_SPELLS_AND_TRAPS, quick_play)),
        voices=(LOUD,),
        openings=("00.0000",),
    )


def _da_12(ruleset: Ruleset) -> Focus | None:
    if not ruleset.card_timings:
        return None
    cards = named(*ruleset.card_timings)
    return focus(
        attacker(cards),
        defender(either(cards, monster), positions=MIXED, like="weaker"),
        attacker(cards, 15),
        attacker(chance=8),
        own("set", cards, fresh=0),
        their("set", cards),
        own("set", _CHANGES_FROM_SPELLS_AND_TRAPS, 8, fresh=0),
        voices=(*WAITING, LIVELY, LOUD),
        openings=("", *TO_DAMAGE_STEP),
    )


def _ds_9(ruleset: Ruleset) -> Focus | None:
    """Of attacks in Defense Position only battle-phase-flow speaks; what is left is a direct attack that nothing disturbs."""
    if "battle-phase-flow" in documents_for(ruleset):
        return None
    return focus(
        attacker(does("direct-attack")),
        defender(positions=FACE_DOWN),
        their("set", named("Forbidden Chalice")),
        their("set", named("Forbidden Chalice"), 8),
        voices=(LOUD,),
        openings=("0..00",),
    )


def _dc_1(ruleset: Ruleset) -> Focus | None:
    if not ruleset.equal_zero_destroys:
        return None
    return focus(
        attacker(either(_HARMLESS, monster)), defender(like="equal"), attacker(_HARMLESS, 12), defender(_HARMLESS, 12), *MORE
    )


def _bd_10(ruleset: Ruleset) -> Focus | None:
    if not ruleset.destroyers_trigger_when_destroyed:
        return None
    destroyers = named(*ruleset.destroyers_trigger_when_destroyed)
    return focus(
        attacker(either(destroyers, destroys_and_triggers)),
        defender(like="equal"),
        attacker(destroyers, 15),
        defender(either(destroyers, monster), 13, like="equal"),
        attacker(destroys_and_triggers, 8),
        own("hand", plain, 8),
        *DECKS,
    )


OWN: Final[Mapping[str, Callable[[Ruleset], Focus | None]]] = {
    "AT-14": _at_14,
    "RP-5": _rp_5,
    "DS-5": _stages,
    "DS-9": _ds_9,
    "CH-5": _stages,
    "CH-6": _ch_6,
    "DA-6": _da_6,
    "DA-10": _da_10,
    "DA-11": _da_11,
    "DA-12": _da_12,
    "DC-1": _dc_1,
    "BD-10": _bd_10,
}
"""By id of the rule: its focus in a ruleset that needs one of its own, else None."""

FOCUSED: Final = frozenset(FOCUSES) | frozenset(OWN)
"""Ids of the rules that have a focus in some ruleset."""


def focuses_of(ruleset: Ruleset) -> dict[str, Focus]:
    """The focus of each rule, by its id, in this ruleset."""
    own = {rule: made for rule, make in OWN.items() if (made := make(ruleset)) is not None}
    return {**FOCUSES, **own}
