"""Which cards of a duel have effects of which kind, so that nobody looks through all of them."""

from __future__ import annotations

from engine_protocol.cards import Condition, EffectFacts
from engine_protocol.vocabulary import Timing
from reference_engine.card import Card
from reference_engine.legality import Rulebook


class Registers:
    """The cards of a duel by what they can do, wherever they are.

    ``ready``     by timing, all cards with effects that players may activate then of their own accord
    ``stat_sources``, ``calculation_sources``, ``attack_watchers``  cards with continuous effects of those kinds
    ``perishable`` cards that destroy themselves under some condition
    ``field_negators`` cards that negate the effects of all face-up monsters while face-up
    ``damage_sources`` cards that modify the battle damage of battles in which they do not take part
    ``lenders``   all Equip Cards; ``magnets`` those whose monster is all that the other side may attack
    ``timed``     all Triggers that wait for a timing
    ``watchers``  by condition, the cards whose Triggers wait for something that happens to other cards
    ``lively``    something in the duel may change conditions, ATK or DEF: until then there is nothing to bring up to date
    """

    def __init__(self, rulebook: Rulebook) -> None:
        self.rulebook = rulebook
        self.ready: dict[Timing, list[tuple[Card, EffectFacts]]] = {}
        self.watchers: dict[Condition, list[tuple[Card, EffectFacts]]] = {}
        self.timed: list[tuple[Card, EffectFacts]] = []
        self.stat_sources: list[Card] = []
        self.perishable: list[Card] = []
        self.field_negators: list[Card] = []
        self.calculation_sources: list[Card] = []
        self.damage_sources: list[Card] = []
        self.lenders: list[Card] = []
        self.magnets: list[Card] = []
        self.attack_watchers: list[Card] = []
        self.lively = False

    def register(self, card: Card) -> None:
        """Enter a card wherever it belongs."""
        facts, behaviour = card.facts, card.behaviour
        if behaviour.stats is not None:
            self.stat_sources.append(card)
            self.lively = True
        if behaviour.perishes is not None:
            self.perishable.append(card)
        if behaviour.in_calculation is not None:
            self.calculation_sources.append(card)
        if "negates-the-field" in behaviour.marks:
            self.field_negators.append(card)
            self.lively = True
        everywhere = facts.type != "monster" or "modifies-all-damage" in behaviour.marks
        if behaviour.damage is not None and everywhere and facts.property != "equip":
            self.damage_sources.append(card)
        if facts.property == "equip":
            self.lenders.append(card)
            self.lively = True
        if "draws-attacks" in behaviour.marks:
            self.magnets.append(card)
            self.lively = True
        if behaviour.on_attack is not None:
            self.attack_watchers.append(card)
        for effect in self.rulebook.activating[facts.passcode]:
            if effect.kind != "trigger":
                for timing in self.rulebook.timings[facts.passcode, effect.number]:
                    self.ready.setdefault(timing, []).append((card, effect))
            elif self.rulebook.waits_for_a_timing(facts, effect):
                self.timed.append((card, effect))
            elif effect.subject is not None and effect.condition is not None:
                self.watchers.setdefault(effect.condition, []).append((card, effect))
