"""What may be activated, when and from where.

:func:`allowed_timings` reads in the order of the document battle-phase-flow, section on what may be activated in the Damage Step;
:func:`can_activate` then asks of one card what its facts say.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Final

from engine_protocol.cards import CardFacts, Cost, EffectFacts
from engine_protocol.rulesets import Ruleset
from engine_protocol.vocabulary import DAMAGE_STEP_TIMINGS, FIELD, MONSTER_ZONES, TIMINGS, Player, Timing
from reference_engine.filters import fits, fits_occurrence, meant, select, summonable

if TYPE_CHECKING:
    from reference_engine.card import Card
    from reference_engine.chain import Link
    from reference_engine.duel import Duel
    from reference_engine.occurrences import Occurrence

_DAMAGE_STEP: Final = frozenset(DAMAGE_STEP_TIMINGS)
_OUTSIDE: Final[frozenset[Timing]] = frozenset(TIMINGS) - _DAMAGE_STEP
_FIRST_CHAIN_ONLY: Final[frozenset[Timing]] = frozenset(DAMAGE_STEP_TIMINGS[2:])

_OTHERS_CHANGES_ALLOWED: Final = frozenset(
    {"destroyed-by-battle", "destroyed-by-battle-and-sent", "destroys-by-battle", "destroys-by-battle-and-sends", "destroyed"}
    | {"inflicted-battle-damage", "took-battle-damage", "battles", "attacks"}
)
"""What may happen to another card for an optional Trigger to be activated in the Damage Step: battle, battle damage, and
destruction where the text covers destruction by battle (DA-6)."""


_CAUSED_BY_BATTLE_OR_EFFECT: Final = frozenset({"destroyed", "sent-to-graveyard"})


_BY_BATTLE: Final = frozenset({"battles", "attacks", "destroyed-by-battle", "destroys-by-battle"})


class Rulebook:
    """A ruleset applied to the cards of a pool.

    ``timings``    for each effect, the timings at which it may be activated at all
    ``activating`` for each card, the effects for which there is one
    ``capped``     activations of cards of which each player has only so many in a Damage Step
    """

    def __init__(self, ruleset: Ruleset, cards: Collection[CardFacts]) -> None:
        self.ruleset = ruleset
        self.timings = {
            (facts.passcode, effect.number): allowed_timings(facts, effect, ruleset)
            for facts in cards
            for effect in facts.effects
            if effect.speed
        }
        self.activating = {
            facts.passcode: tuple(e for e in facts.effects if self.timings.get((facts.passcode, e.number))) for facts in cards
        }
        self.capped = frozenset(
            (facts.passcode, effect.number)
            for facts in cards
            for effect in facts.effects
            if ruleset.activations_per_damage_step is not None and _is_capped(facts, effect)
        )
        self._stages = {
            (timing, facts.passcode, effect.number): ruleset.stage_of(timing, facts.name, effect)
            for timing in ruleset.trigger_stages
            for facts in cards
            for effect in facts.effects
            if effect.kind == "trigger"
        }

    def waits_for_a_timing(self, facts: CardFacts, effect: EffectFacts) -> bool:
        """Whether a Trigger waits for a timing with its monster in the battle, by its text or as the documents have its card."""
        return bool(effect.timings) or (facts.name in self.ruleset.card_timings and effect.condition in _BY_BATTLE)

    def stage_of(self, timing: Timing, facts: CardFacts, effect: EffectFacts) -> int:
        """The stage of the timing, counted from 0, that a Trigger belongs to."""
        return self._stages.get((timing, facts.passcode, effect.number), 0)


def allowed_timings(facts: CardFacts, effect: EffectFacts, ruleset: Ruleset) -> frozenset[Timing]:
    """The timings at which this effect may be activated at all; in the Damage Step those of the card where the documents name it
    (DA-12), otherwise those of its kind.
    """
    timings = _timings_of_its_kind(facts, effect, ruleset)
    named = ruleset.card_timings.get(facts.name)
    # What is for the Main Phase only is not what the documents mean.
    return timings if named is None or not timings else timings - _DAMAGE_STEP | named


def _timings_of_its_kind(facts: CardFacts, effect: EffectFacts, ruleset: Ruleset) -> frozenset[Timing]:
    if effect.kind == "ignition" or (effect.kind == "activation" and effect.speed < 2):
        return frozenset()  # Main Phase only
    if effect.timings:
        return _named_timings(effect, ruleset)
    if effect.condition in ("attack-declared", "direct-attack-declared"):
        return frozenset({"declaration"})
    if effect.condition == "attack-targeted":
        return frozenset({"declaration", "after-declaration"})
    if effect.kind == "trigger":
        return frozenset(TIMINGS) if _trigger_allowed_in_damage_step(effect) else _OUTSIDE
    return _OUTSIDE | _quick_timings_in_damage_step(facts, effect, ruleset)


def _named_timings(effect: EffectFacts, ruleset: Ruleset) -> frozenset[Timing]:
    """An effect that names timings: at those only (DA-4)."""
    named: set[Timing] = set()
    for timing in effect.timings:
        if timing == "damage-step":
            named |= ruleset.damage_step_means
        else:
            named.add(timing)
    return frozenset(named)


def _trigger_allowed_in_damage_step(effect: EffectFacts) -> bool:
    """Mandatory ones always; optional ones of the card's own change; of others only what battle does (DA-6)."""
    return effect.mandatory or effect.subject is None or effect.condition in _OTHERS_CHANGES_ALLOWED


def _quick_timings_in_damage_step(facts: CardFacts, effect: EffectFacts, ruleset: Ruleset) -> frozenset[Timing]:
    """Mandatory effects, Counter Traps, what negates an activation and what says so (DA-12): throughout. What changes ATK/DEF: at
    the timings of the ruleset (DA-1), unless it answers an activation (DA-9). What answers one and negates just its effect: where
    the ruleset has it so (DA-3). Everything else: not at all (DA-5).
    """
    if effect.mandatory or effect.speed == 3 or effect.in_damage_step or "negates-activation" in effect.categories:
        return _DAMAGE_STEP
    if effect.condition == "activation":
        answers = ruleset.effect_negation_in_damage_step and "negates-effect" in effect.categories
        return _DAMAGE_STEP if answers else frozenset()
    if _changes_atk_def(facts, effect):
        return ruleset.changes_atk_def_at
    return frozenset()


def _changes_atk_def(facts: CardFacts, effect: EffectFacts) -> bool:
    """Whether the effect, or what a continuous card applies from its activation on (DA-7), changes ATK/DEF."""
    if "changes-atk-def" in effect.categories:
        return True
    lasting = effect.kind == "activation" and facts.property == "continuous"
    return lasting and any("changes-atk-def" in e.categories for e in facts.effects if e.kind == "continuous")


def _is_capped(facts: CardFacts, effect: EffectFacts) -> bool:
    """Whether this is the activation of a card of Spell Speed 2 that changes ATK/DEF, or of one of Spell Speed 3 (DA-10)."""
    return effect.kind == "activation" and (effect.speed == 3 or (effect.speed == 2 and _changes_atk_def(facts, effect)))


def can_activate(duel: Duel, player: Player, card: Card, effect: EffectFacts) -> bool:
    """Whether the player may activate this effect, starting a chain or answering its last link: one of a card of theirs, from
    where it is activated and at a timing of it.
    """
    timing = duel.timing
    if not _face_allows(duel, player, card, effect):
        return False
    if duel.chain and effect.speed < max(2, duel.chain[-1].effect.speed):
        return False  # CH-1
    if timing in _FIRST_CHAIN_ONLY and duel.chain_was_made and timing in effect.timings:
        return False  # DA-4
    if card.determined and not (effect.kind != "quick" or effect.mandatory or duel.ruleset.determined_use_quick_effects):
        return False  # BD-3; expert-2007, on Quick Effects that answer an activation
    if duel.rulebook.capped and no_more_activations(duel, player, card, effect):
        return False  # DA-10
    return (
        not_used_up(duel, card, effect) and _event_fits(duel, player, card, effect) and needs_are_met(duel, player, card, effect)
    )


def no_more_activations(duel: Duel, player: Player, card: Card, effect: EffectFacts) -> bool:
    """Whether the player has activated as many cards of this kind in this Damage Step as the ruleset allows."""
    most = duel.ruleset.activations_per_damage_step
    return most is not None and is_capped_now(duel, card, effect) and duel.capped_activations[player] >= most


def is_capped_now(duel: Duel, card: Card, effect: EffectFacts) -> bool:
    """Whether activating this now counts among those that a player has only so many of in a Damage Step."""
    return duel.timing in _DAMAGE_STEP and (card.facts.passcode, effect.number) in duel.rulebook.capped


def _face_allows(duel: Duel, player: Player, card: Card, effect: EffectFacts) -> bool:
    """A set card is activated if it was set on an earlier turn; a Quick-Play Spell from the hand on one's own turn, with a free
    zone (CH-8). Effects on the field need their card face-up.
    """
    if effect.kind != "activation":
        return card.face_up or card.zone not in FIELD
    if card.zone == "hand":
        return player == duel.turn_player and bool(duel.free_places(player, "spell-trap-zone"))
    return not card.face_up and card.turn_set != duel.turn


def not_used_up(duel: Duel, card: Card, effect: EffectFacts) -> bool:
    """Whether an effect that can be activated so often only has not been (CH-12)."""
    match effect.once:
        case None:
            return True
        case "turn-by-name":
            return (card.controller, card.facts.name, effect.number) not in duel.used_names
        case "turn":
            return effect.number not in card.used
        case "chain":
            return (card.id, effect.number) not in duel.used_in_chain
        case "battle":
            return (card.id, effect.number) not in duel.used_in_battle


def _event_fits(duel: Duel, player: Player, card: Card, effect: EffectFacts) -> bool:
    """Whether what the effect waits for is the case."""
    attack = duel.attack
    subject = effect.subject
    match effect.condition:
        case None:
            return True
        case "your-turn":
            return player == duel.turn_player
        case "opponent-turn":
            return player != duel.turn_player
        case "activation":
            return bool(duel.chain) and link_fits(duel.chain[-1], effect, player, card)
        case "attack-declared" | "direct-attack-declared":
            return (
                attack is not None
                and not duel.chain_was_made
                and (attack.target is None or effect.condition == "attack-declared")
                and (subject is None or fits(duel, subject, attack.attacker, player, card))
            )
        case "other-phase":
            return False
        case "battles" | "attacks":
            return battles(duel, player, card, effect)
        case _:
            return any(o.condition == effect.condition and _occurrence_fits(duel, o, effect, player, card) for o in duel.recent)


def _occurrence_fits(duel: Duel, occurrence: Occurrence, effect: EffectFacts, player: Player, card: Card) -> bool:
    if effect.subject is None:
        return occurrence.card is card
    if not _cause_counts(duel, occurrence, effect):
        return False
    return fits_occurrence(duel, effect.subject, occurrence, player, card)


def _cause_counts(duel: Duel, occurrence: Occurrence, effect: EffectFacts) -> bool:
    """In the Damage Step an effect that answers what becomes of another card may have to be about a destruction by battle
    (damage-step-wiki, on Michizure).
    """
    return (
        occurrence.by_battle
        or duel.ruleset.destruction_by_effect_counts
        or effect.mandatory
        or effect.condition not in _CAUSED_BY_BATTLE_OR_EFFECT
        or duel.timing not in _DAMAGE_STEP
    )


def battles(duel: Duel, player: Player, card: Card, effect: EffectFacts) -> bool:
    """Whether the effect's subject (this card, where it has none) is in the battle, for ``attacks`` as the attacker; for effects
    tied to a destruction by battle, whether that is determined (BD-11).
    """
    attack = duel.attack
    if attack is None:
        return False
    if effect.condition == "destroyed-by-battle":
        return attack.involves(card) and card.determined
    if effect.condition == "destroys-by-battle":
        loser = attack.other(card)
        return attack.involves(card) and loser is not None and loser.determined and attack.involves(loser)
    battling = [attack.attacker] if effect.condition == "attacks" or attack.target is None else [attack.attacker, attack.target]
    battling = [monster for monster in battling if attack.involves(monster)]
    if effect.subject is None:
        return card in battling or card in attack.sent
    return any(fits(duel, effect.subject, monster, player, card) for monster in battling)


def link_fits(link: Link, effect: EffectFacts, player: Player, card: Card) -> bool:
    """Whether a Chain Link is one that this effect answers.

    A filter on a link speaks of what was activated: whose it is, and whether it is a Spell, a Trap or a monster's effect.
    """
    subject = effect.subject
    if subject is None:
        return True
    if subject.side is not None and (link.player == player) != (subject.side == "you"):
        return False
    if subject.type is not None and link.card.facts.type != subject.type:
        return False
    if subject.types and link.card.facts.type not in subject.types:
        return False
    if subject.this is not None and subject.this != (link.card is card):
        return False
    if subject.zones and link.zone not in subject.zones:
        return False
    return not subject.card_activation or link.card.facts.type == "monster" or link.as_card


def needs_are_met(duel: Duel, player: Player, card: Card, effect: EffectFacts, occurrence: Occurrence | None = None) -> bool:
    """What is needed besides timing and event: required cards, payable costs, legal targets, and the behaviour's own word."""
    for required in effect.requires:
        found = meant(duel, required, player, card)
        if not at_least(1, summonable(found) if "special-summons" in effect.categories else found):
            return False
    for cost in effect.cost:
        if not payable(duel, player, card, effect, cost):
            return False
    if effect.target is not None and not at_least(effect.target.least, targets(duel, player, card, effect)):
        return False
    condition = card.behaviour.effects[effect.number].condition
    return condition is None or condition(duel, card, player, occurrence)


def at_least(least: int, cards: Iterable[Card]) -> bool:
    """Whether there are so many of them; no more are looked for."""
    return len(list(islice(cards, least))) == least


def targets(duel: Duel, player: Player, card: Card, effect: EffectFacts) -> Iterator[Card]:
    """What the effect may target now: not itself being activated, not a monster determined destroyed (BD-5)."""
    if effect.target is None:
        return
    for other in meant(duel, effect.target.filter, player, card):
        is_itself = other is card and effect.kind == "activation"
        if not is_itself and not other.determined and not withstands_targeting(other, player):
            yield other


def withstands_targeting(card: Card, player: Player) -> bool:
    """Whether effects of this player cannot target it."""
    return card.controller != player and "not-targeted-by-opponent" in card.behaviour.marks and card.active


def cost_cards(duel: Duel, player: Player, card: Card, effect: EffectFacts, cost: Cost) -> list[Card]:
    """The cards a cost of this kind can be paid with; a monster determined destroyed pays for no optional effect (BD-4)."""
    if cost.kind == "discard":
        held = [other for other in duel.rows[player]["hand"] if other is not card]
        return held if cost.filter is None else [other for other in held if fits(duel, cost.filter, other, player, card)]
    if cost.kind == "tribute":
        return [other for other in select(duel, cost.filter, player, card) if effect.mandatory or not other.determined]
    return []


def payable(duel: Duel, player: Player, card: Card, effect: EffectFacts, cost: Cost) -> bool:
    """Whether the cost can be paid."""
    match cost.kind:
        case "pay-lp":
            return duel.lp[player] >= cost.amount
        case "pay-half-lp":
            return True
        case "discard" | "tribute":
            return len(cost_cards(duel, player, card, effect, cost)) >= cost.amount
        case "tribute-self" if is_held_by_the_battle(duel, card):
            return False
        case "send-self" if duel.active_sources("redirects"):
            return False
        case "tribute-self" | "send-self" | "banish-self":
            return effect.mandatory or not (card.zone in MONSTER_ZONES and card.determined)
        case "detach":
            return len(card.materials) >= cost.amount
        case "discard-self":
            return card.zone == "hand"


def is_held_by_the_battle(duel: Duel, card: Card) -> bool:
    """Whether the monster is one that the documents let not Tribute itself while it battles (DA-11)."""
    return (
        card.facts.name in duel.ruleset.not_tributed_while_battling
        and duel.timing in _DAMAGE_STEP
        and duel.attack is not None
        and duel.attack.involves(card)
    )
