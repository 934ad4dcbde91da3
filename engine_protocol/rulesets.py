"""Rulesets as data: the points on which the game's rules differ from era to era, as named parameters.

Engines and oracles read the parameters; no code asks for a ruleset by its name. Where a ruleset's documents are silent, it
inherits from the one before it: ``duel-arena`` from ``master-rule-2`` from ``expert-2007``; ``ocg-2023`` from ``master-rule-3``
from ``master-rule-2``. The documents are named by the keys of :mod:`engine_protocol.documents`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from engine_protocol.cards import Condition, EffectFacts
from engine_protocol.errors import InputError
from engine_protocol.vocabulary import DAMAGE_STEP_TIMINGS, Timing

ReplayCause = Literal[
    "monsters-changed", "one-for-another", "target-lost", "monster-summoned", "permission-lost", "restriction-changed"
]
"""What may cause a replay, between the declaration and the Damage Step.

``monsters-changed``   a monster entered or left the opponent's side
``one-for-another``    as many left as entered: settled only where it is said; without it, ``monsters-changed`` leaves this open
``target-lost``        the target left, nothing else
``monster-summoned``   a monster was Special Summoned to the opponent's side
``permission-lost``    what let the monster attack directly, or attack that target, ended
``restriction-changed`` an effect that limits the targets and excludes this one began, or ended
"""


class Stage(Struct, frozen=True):
    """A part of a timing of the Damage Step that has a chain of its own for what triggers there.

    ``name``       as the document numbers it
    ``conditions`` Triggers that wait for one of these belong to it; empty: all that belong to no other stage
    ``cards``      cards whose Triggers the document puts here by name
    """

    name: str
    conditions: frozenset[Condition] = frozenset()
    cards: frozenset[str] = frozenset()


Stages = tuple[Stage, ...]


class Ruleset(Struct, frozen=True, kw_only=True):
    """One set of rules; what each parameter means stands in :data:`PARAMETERS`.

    ``documents`` keys of the documents that define it
    ``base``      the ruleset it inherits from where they are silent, by name; None: there is none
    ``stated``    names of the parameters that its own documents settle; the rest is inherited
    ``undecided`` names of the parameters that neither they nor those of its bases settle: any answer of an engine is right; the
                  value here is only what the reference engine plays
    """

    name: str
    documents: tuple[str, ...]
    base: str | None = None
    stated: frozenset[str] = frozenset()
    undecided: frozenset[str] = frozenset()

    # The Battle Step, the Start Step and the End Step.
    start_step_can_be_last: bool
    step_triggers_share_a_chain: bool
    window_before_declaration: bool
    others_mandatory_first: bool
    stopped_attack_is_used: bool
    mandatory_shuts_out_optional: bool
    replay_causes: frozenset[ReplayCause]
    replay_declares_again: bool

    # What is activated in the Damage Step, when and how often.
    trigger_stages: dict[Timing, Stages]
    triggers_of_a_chain: Literal["next-chain", "next-stage"]
    many_chains_at: frozenset[Timing]
    activations_per_damage_step: int | None
    changes_atk_def_at: frozenset[Timing]
    damage_step_means: frozenset[Timing]
    effect_negation_in_damage_step: bool
    not_tributed_while_battling: frozenset[str]
    destruction_by_effect_counts: bool
    card_timings: dict[str, frozenset[Timing]]
    cards_under_adjustment: frozenset[str]

    # The battle itself.
    timings_pass_without_calculation: bool
    self_destruction_at: Timing
    equal_zero_destroys: bool
    substitutes_at: Timing
    determined_use_quick_effects: bool
    determined_can_be_destroyed: bool
    negated_by_destroyer_activates: bool
    destroyed_destroyer_negates: bool
    destroyers_trigger_when_destroyed: frozenset[str]
    inner_battle_closes: Literal["at-once", "after-the-chain"]

    # The field.
    one_field_spell_each: bool
    extra_monster_zones: bool

    def settles(self, parameter: str) -> bool:
        """Whether the documents leave an engine no choice on this point."""
        return parameter not in self.undecided

    def stage_of(self, timing: Timing, card: str, effect: EffectFacts) -> int:
        """To which stage of the timing, counted from 0, a Trigger of the card with this name belongs."""
        stages = self.trigger_stages.get(timing, ())
        others = 0
        for number, stage in enumerate(stages):
            if card in stage.cards or effect.condition in stage.conditions:
                return number
            if not (stage.conditions or stage.cards):
                others = number
        return others


class Parameter(Struct, frozen=True):
    """What a parameter of a ruleset says.

    ``meaning``   in a sentence
    ``rules``     ids of the rules that hang on it
    ``points``    ids of the entries on which the documents differ (``duelproof rules --statements``)
    ``apart``     where no entry is about it: why
    """

    meaning: str
    rules: tuple[str, ...]
    points: tuple[str, ...] = ()
    apart: str | None = None


PARAMETERS: Final[dict[str, Parameter]] = {
    "start_step_can_be_last": Parameter("The Start Step may lead straight to the End Step.", ("BP-2",), ("X-047",)),
    "step_triggers_share_a_chain": Parameter(
        "What triggers at the start or the end of the Battle Phase forms one chain; otherwise each starts its own.",
        ("BP-6",),
        ("X-049",),
    ),
    "window_before_declaration": Parameter(
        "Before an attack is declared the turn player may activate something in the Battle Step; the other player may not, until"
        " then.",
        ("BP-7", "CH-8", "CH-12"),
        ("X-046",),
    ),
    "mandatory_shuts_out_optional": Parameter(
        "A mandatory Trigger at the attack declaration makes the chain alone: optional Triggers of that moment cannot join it.",
        ("AT-14", "CH-5"),
        ("X-037",),
    ),
    "others_mandatory_first": Parameter(
        "Of Triggers that met their condition together, the other player's mandatory ones come before the turn player's optional"
        " ones.",
        ("CH-5",),
        ("X-036",),
    ),
    "stopped_attack_is_used": Parameter(
        "A monster whose attack was negated, stopped or given up cannot attack again in this Battle Phase.",
        ("AT-2", "RP-6"),
        ("X-065",),
    ),
    "replay_causes": Parameter("What causes a replay.", ("RP-1", "RP-2"), ("X-042", "X-043")),
    "replay_declares_again": Parameter("Choosing again in a replay is a new attack declaration.", ("RP-5", "AT-5"), ("X-041",)),
    "trigger_stages": Parameter(
        "Timings of the Damage Step in which Triggers of different kinds make chains one after the other instead of one chain.",
        ("DS-5", "CH-5"),
        ("X-001", "X-004", "X-015", "X-016", "X-017", "X-019"),
    ),
    "triggers_of_a_chain": Parameter(
        "What a chain of Triggers in the Damage Step triggers goes on the next chain, or waits for the next stage.",
        ("CH-6",),
        ("X-034",),
    ),
    "many_chains_at": Parameter(
        "Timings of the Damage Step in which Quick Effects may start any number of chains; at the others there is one chain, and"
        " what that chain triggers.",
        ("DS-5",),
        ("X-002", "X-003", "X-005"),
    ),
    "activations_per_damage_step": Parameter(
        "How often each player may activate, in one Damage Step, a Spell or Trap of Spell Speed 2 that changes ATK/DEF or a card"
        " of Spell Speed 3.",
        ("DA-10",),
        ("X-008", "X-012"),
    ),
    "changes_atk_def_at": Parameter(
        "Timings at which Quick Effects, Quick-Play Spells and Traps that change ATK/DEF may be activated.", ("DA-1",), ("X-007",)
    ),
    "damage_step_means": Parameter(
        "Timings at which an effect that names the Damage Step, but none of its timings, may be activated.",
        ("DA-4",),
        ("X-006",),
    ),
    "effect_negation_in_damage_step": Parameter(
        "A Quick Effect that negates an effect, not its activation, may be activated in the Damage Step.", ("DA-3",), ("X-009",)
    ),
    "not_tributed_while_battling": Parameter(
        "Monsters whose effect that Tributes themselves cannot be activated in the Damage Step while they are in the battle; the"
        " documents name them, and list others of the kind without that mark.",
        ("DA-11",),
        ("X-058",),
    ),
    "destruction_by_effect_counts": Parameter(
        "An effect that answers any destruction of another card may be activated in the Damage Step when an effect destroyed it.",
        ("DA-6",),
        ("X-059",),
    ),
    "card_timings": Parameter(
        "Cards whose timings in the Damage Step the documents name otherwise than their kind has it.",
        ("DA-12",),
        ("X-010", "X-011", "X-035"),
    ),
    "cards_under_adjustment": Parameter(
        "Cards whose timing the documents leave open: no duel of the suite has them.",
        (),
        ("X-018", "X-020", "X-029", "X-061", "X-062"),
    ),
    "timings_pass_without_calculation": Parameter(
        "The remaining timings still come when no damage calculation can be performed; otherwise the Damage Step ends once what"
        " triggered is resolved.",
        ("DS-6",),
        ("X-013", "X-014"),
    ),
    "self_destruction_at": Parameter(
        "When a monster destroys itself by a continuous effect that the flip of this battle made apply.", ("DS-4",), ("X-024",)
    ),
    "equal_zero_destroys": Parameter("Two Attack Position monsters with 0 ATK destroy each other.", ("DC-1",), ("X-052",)),
    "substitutes_at": Parameter(
        "When something is chosen to go instead of a monster that loses its battle.", ("BD-9",), ("X-021", "X-022", "X-061")
    ),
    "determined_use_quick_effects": Parameter(
        "A monster determined destroyed may still activate optional Quick Effects.", ("BD-3",), ("X-031",)
    ),
    "determined_can_be_destroyed": Parameter(
        "An effect may destroy a monster that is determined destroyed.", ("BD-8",), ("X-032",)
    ),
    "negated_by_destroyer_activates": Parameter(
        "Triggers of a monster whose effects its destroyer negates are activated, and then negated; otherwise they are not"
        " activated.",
        ("BD-1",),
        ("X-027",),
    ),
    "destroyed_destroyer_negates": Parameter(
        "A monster destroyed by battle whose destroyer negates its effects is negated also if the battle destroys both.",
        ("BD-1",),
        ("X-028",),
    ),
    "destroyers_trigger_when_destroyed": Parameter(
        "Cards whose effect on destroying a monster by battle is activated though the battle destroyed them too.",
        ("BD-10",),
        ("X-030",),
    ),
    "inner_battle_closes": Parameter(
        "When what follows a damage calculation inside an effect of its own accord happens: as soon as that effect has resolved,"
        " or after the whole chain.",
        ("EC-2",),
        ("X-054",),
    ),
    "one_field_spell_each": Parameter(
        "Each player may have a face-up Field Spell; otherwise there is one in all.", ("GN-1",), ("X-057",)
    ),
    "extra_monster_zones": Parameter(
        "The two players share two Extra Monster Zones.",
        ("GN-1",),
        apart="Only duel-arena-wiki lists the zones; where the others were written these did not exist, or they are silent.",
    ),
}
"""Every parameter by name."""


def _heir(base: Ruleset, name: str, documents: Iterable[str], undecided: Iterable[str] = (), **stated: Any) -> Ruleset:
    """A ruleset that takes from its base what it does not state; what it leaves undecided, and what the base leaves so."""
    left_open = (base.undecided - stated.keys()) | frozenset(undecided)
    own = frozenset(stated) - left_open
    return replace(base, name=name, documents=tuple(documents), base=base.name, stated=own, undecided=left_open, **stated)


_EARLY: frozenset[Timing] = frozenset(DAMAGE_STEP_TIMINGS[:2])
_UNTIL_CALCULATION: frozenset[Timing] = frozenset(DAMAGE_STEP_TIMINGS[:3])
_NEVER: frozenset[Timing] = frozenset()
_AFTER_CALCULATION: frozenset[Timing] = frozenset({"after-calculation"})

_ENVOY = "Black Luster Soldier - Envoy of the Beginning"  # the one card of the pool that "can attack once again"

_BATTLE_DAMAGE: frozenset[Condition] = frozenset({"inflicted-battle-damage", "took-battle-damage"})
_OF_THE_REVEAL: frozenset[str] = frozenset(
    {"Drillroid", "Disc Fighter", "Ancient Lamp", "Dreamsprite", "Blast Sphere", "Adhesive Explosive", "Kiseitai"}
)
_TRIGGERS_OF_2007: frozenset[str] = frozenset({"Cat's Ear Tribe", "Penumbral Soldier Lady"})
"""Only expert-2007 says that these are activated; with the others silent, they may as well apply without a chain."""
_OF_THE_BATTLE: frozenset[Condition] = frozenset({"battles", "attacks"})

EXPERT_2007 = Ruleset(
    name="expert-2007",
    documents=("expert-2007",),
    undecided=frozenset(
        {
            "start_step_can_be_last",
            "step_triggers_share_a_chain",
            "window_before_declaration",
            "others_mandatory_first",
            "stopped_attack_is_used",
            "replay_causes",
            "replay_declares_again",
            "equal_zero_destroys",
            "self_destruction_at",  # marked as under adjustment in its 1-2
            "triggers_of_a_chain",  # so is what 4.A triggers, in 4.A
            "determined_can_be_destroyed",
            "one_field_spell_each",
            "extra_monster_zones",
        }
    ),
    start_step_can_be_last=False,
    step_triggers_share_a_chain=True,
    window_before_declaration=True,
    others_mandatory_first=True,
    stopped_attack_is_used=True,
    mandatory_shuts_out_optional=True,
    replay_causes=frozenset({"monsters-changed"}),
    replay_declares_again=False,
    # Its eleven sub-timings: 1-1 is the start; 1-2 and 1-3 come before, 2 and 3.A during, 3.B (without a chain), 4.A,
    # Marshmallon's moment and 4.B after damage calculation; 4.C and 6 are the end.
    trigger_stages={
        "before-calculation": (Stage("1-2", cards=_OF_THE_REVEAL), Stage("1-3")),
        "after-calculation": (
            Stage("4.A", _BATTLE_DAMAGE, frozenset({_ENVOY})),
            Stage("between 4.A and 4.B", cards=frozenset({"Marshmallon"})),
            Stage("4.B"),
        ),
        "damage-end": (Stage("4.C"), Stage("6", _OF_THE_BATTLE)),
    },
    triggers_of_a_chain="next-stage",
    many_chains_at=_EARLY,
    activations_per_damage_step=None,
    changes_atk_def_at=_EARLY,
    damage_step_means=_EARLY,
    effect_negation_in_damage_step=True,
    not_tributed_while_battling=frozenset({"A-Team: Trap Disposal Unit", "Maryokutai"}),
    destruction_by_effect_counts=False,
    card_timings={
        _ENVOY: _AFTER_CALCULATION,
        "Shadow Spell": _NEVER,
        "Royal Command": _NEVER,
        "Ryu Senshi": _NEVER,
    },
    cards_under_adjustment=frozenset({"D.D. Crazy Beast", "Reflect Bounder", "The Six Samurai - Zanji", "B.E.S. Crystal Core"}),
    timings_pass_without_calculation=False,
    self_destruction_at="after-calculation",
    equal_zero_destroys=True,
    substitutes_at="damage-end",
    determined_use_quick_effects=True,
    determined_can_be_destroyed=True,
    negated_by_destroyer_activates=False,
    destroyed_destroyer_negates=False,
    destroyers_trigger_when_destroyed=frozenset(
        {"Helping Robo for Combat", "Phantom Beast Rock-Lizard", "Masked Chopper", "Fenrir", "D.D. Crazy Beast"}
    ),
    inner_battle_closes="after-the-chain",
    one_field_spell_each=False,
    extra_monster_zones=False,
)

MASTER_RULE_2 = _heir(
    EXPERT_2007,
    "master-rule-2",
    ("battle-step-wiki", "damage-step-wiki-before"),
    undecided=("mandatory_shuts_out_optional", "determined_use_quick_effects", "negated_by_destroyer_activates"),
    start_step_can_be_last=True,
    window_before_declaration=True,
    others_mandatory_first=True,
    mandatory_shuts_out_optional=False,
    replay_causes=frozenset({"monsters-changed"}),
    replay_declares_again=False,
    trigger_stages={
        "after-calculation": (
            Stage("4", _BATTLE_DAMAGE, frozenset({"Marshmallon", "Red Dragon Archfiend", "Reflect Bounder", _ENVOY})),
            Stage("5"),
        ),
    },
    damage_step_means=_UNTIL_CALCULATION,
    cards_under_adjustment=_TRIGGERS_OF_2007 | {"D.D. Crazy Beast", "B.E.S. Crystal Core"},
    self_destruction_at="during-calculation",
    substitutes_at="damage-end",
)

MASTER_RULE_3 = _heir(
    MASTER_RULE_2,
    "master-rule-3",
    ("damage-step-wiki",),
    trigger_stages={},
    triggers_of_a_chain="next-chain",
    many_chains_at=frozenset({"before-calculation"}),
    damage_step_means=_EARLY,
    effect_negation_in_damage_step=False,
    not_tributed_while_battling=frozenset({"A-Team: Trap Disposal Unit", "Maryokutai", "Naturia Sunflower", "Naturia Vein"}),
    destruction_by_effect_counts=False,
    card_timings={_ENVOY: _AFTER_CALCULATION},
    cards_under_adjustment=_TRIGGERS_OF_2007,
    timings_pass_without_calculation=False,
)

OCG_2023 = _heir(
    MASTER_RULE_3,
    "ocg-2023",
    ("battle-phase-flow",),
    # That no effect on destroying by battle is activated in a mutual destruction is said of them all, but not of the cards that
    # expert-2007 names.
    undecided=("not_tributed_while_battling", "destroyed_destroyer_negates", "destroyers_trigger_when_destroyed"),
    start_step_can_be_last=False,
    step_triggers_share_a_chain=False,
    stopped_attack_is_used=True,
    mandatory_shuts_out_optional=False,
    replay_causes=frozenset({"monsters-changed", "one-for-another", "permission-lost", "restriction-changed"}),
    replay_declares_again=False,
    many_chains_at=_EARLY,
    changes_atk_def_at=_EARLY,
    damage_step_means=_EARLY,
    effect_negation_in_damage_step=False,
    not_tributed_while_battling=frozenset(),
    destruction_by_effect_counts=True,
    card_timings={},
    timings_pass_without_calculation=True,
    self_destruction_at="after-calculation",
    equal_zero_destroys=False,
    substitutes_at="during-calculation",
    determined_use_quick_effects=False,
    determined_can_be_destroyed=True,
    negated_by_destroyer_activates=True,
    destroyed_destroyer_negates=True,
    destroyers_trigger_when_destroyed=frozenset(),
    inner_battle_closes="at-once",
    one_field_spell_each=True,
    extra_monster_zones=True,
)

DUEL_ARENA = _heir(
    MASTER_RULE_2,
    "duel-arena",
    ("duel-arena-wiki",),
    undecided=("card_timings",),  # it allows kinds of cards in the Damage Step, the ones named in expert-2007 among them
    replay_causes=frozenset({"target-lost", "monster-summoned"}),
    replay_declares_again=True,
    activations_per_damage_step=1,
    equal_zero_destroys=True,
    determined_can_be_destroyed=False,
    one_field_spell_each=False,
    extra_monster_zones=False,
)

RULESETS: Final[dict[str, Ruleset]] = {
    ruleset.name: ruleset for ruleset in (EXPERT_2007, MASTER_RULE_2, MASTER_RULE_3, OCG_2023, DUEL_ARENA)
}
DEFAULT_RULESET: Final = OCG_2023.name


def ruleset_named(name: str) -> Ruleset:
    """The ruleset with this name.

    Raises:
        InputError: there is none; the message lists those there are.
    """
    try:
        return RULESETS[name]
    except KeyError:
        raise InputError(f"there is no ruleset {name!r}; known: {', '.join(RULESETS)}") from None


def documents_for(ruleset: Ruleset) -> frozenset[str]:
    """The documents that speak for a ruleset: its own and those of the rulesets it inherits from, by key."""
    return frozenset(document for ancestor in lineage(ruleset) for document in ancestor.documents)


def lineage(ruleset: Ruleset) -> tuple[Ruleset, ...]:
    """The ruleset and those it inherits from, nearest first."""
    chain = [ruleset]
    while chain[-1].base is not None:
        chain.append(RULESETS[chain[-1].base])
    return tuple(chain)
