"""What a card does: the declarative pieces that its behaviour is put together from.

The facts of a card (kind, Spell Speed, timing, target, cost) stand in the pool of :mod:`engine_protocol.cards`; here is only what
its effects do to the board.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from engine_protocol.cards import Attribute, CardFacts, Cost
from engine_protocol.decisions import Decision

if TYPE_CHECKING:
    from engine_protocol.vocabulary import Player, Status
    from reference_engine.attack import Attack
    from reference_engine.battle_damage import BattleDamage, DamageStep
    from reference_engine.card import Card
    from reference_engine.chain import Link
    from reference_engine.duel import Duel
    from reference_engine.occurrences import Occurrence

Flow = Generator[Decision, int, None]
"""A stretch of the duel that may ask decisions on its way."""

Mark = Literal[
    "follows-its-monster",
    "takes-its-monster-along",
    "dies-when-targeted",
    "withstands-effects",
    "withstands-opponent-effects",
    "not-targeted-by-opponent",
    "negates-the-field",
    "modifies-all-damage",
    "turns-to-defense-after-battle",
    "turns-to-defense-in-the-end",
    "indestructible-in-own-turn",
    "negates-spells-on-it",
    "draws-attacks",
    "negates-its-victims",
]
Resolution = Callable[["Duel", "Link"], Flow]
Condition = Callable[["Duel", "Card", "Player", "Occurrence | None"], bool]
Replacement = Callable[["Duel", "Card", "tuple[Card, ...]"], "Generator[Decision, int, Card | None]"]
"""Asks what, if anything, is destroyed instead of a card; the last argument are the cards that are to be destroyed with it."""


@dataclass(frozen=True, slots=True)
class Effect:
    """One effect that is activated.

    ``resolve``   what it does
    ``condition`` what it needs beyond its facts
    ``takes_from_graveyard`` it takes a card out of a Graveyard, although its facts name no such target
    ``prepare``   what is settled at activation, after costs and targets
    """

    resolve: Resolution
    condition: Condition | None = None
    prepare: Callable[[Duel, Link], None] | None = None
    takes_from_graveyard: bool = False


@dataclass(frozen=True, slots=True)
class CardBehaviour:
    """Everything a card does.

    ``effects``       its activated effects by number
    ``stats``         as a continuous effect: what it adds to a monster's ATK and DEF
    ``in_calculation`` as a continuous effect: what it adds to the attacker during damage calculation only
    ``on_attack``     as a continuous effect: what it does to a monster that attacks
    ``damage``        as a continuous effect of a monster in the battle, of its Equip Card, or of another card than a monster
                      anywhere on the field: how it modifies battle damage
    ``damage_step``   at which step of the order (DC-5)
    ``withstands_from`` of a monster that cannot be destroyed by battle: from which battle value of the other monster on
    ``attack_costs``  what each of its attack declarations costs, from its facts
    ``attacks``       how many attacks it, or the monster it is equipped to, may declare in a Battle Phase
    ``attacks_on_monsters`` how many attacks it may declare that all must be on monsters
    ``spares``        as a continuous effect: whether it keeps a player from taking this amount of effect damage
    ``attacks_each``  it may attack each of the opponent's monsters once
    ``binds``         conditions of the monster that the card is bound to, while it stays
    ``marks``         how a card and the monster it is bound to follow one another, and other plain things that it does or
                      withstands
    ``replacement``   asks whether, and with what, to replace its destruction
    ``perishes``      as a continuous effect: whether it destroys itself as things are
    ``negates_destroyed_of`` Types of its controller's monsters whose victims' effects it negates
    ``also_attribute`` an Attribute it also has while face-up on the field
    ``categories``    of its continuous and unclassified effects, from its facts
    """

    effects: Mapping[int, Effect] = field(default_factory=dict)
    stats: Callable[[Duel, Card, Card], tuple[int, int] | None] | None = None
    in_calculation: Callable[[Duel, Attack], int] | None = None
    on_attack: Callable[[Duel, Card, Card], None] | None = None
    damage: Callable[[Duel, Card, Attack, BattleDamage], None] | None = None
    damage_step: DamageStep = "becomes-0"
    withstands_from: int = 0
    attack_costs: tuple[Cost, ...] = ()
    attacks: int = 1
    attacks_on_monsters: int = 1
    spares: Callable[[Duel, Card, Player, int], bool] | None = None
    attacks_each: bool = False
    binds: tuple[Status, ...] = ()
    marks: frozenset[Mark] = frozenset()
    replacement: Replacement | None = None
    perishes: Callable[[Duel, Card], bool] | None = None
    negates_destroyed_of: tuple[str, ...] = ()
    also_attribute: Attribute | None = None
    categories: frozenset[str] = frozenset()


def passive_categories(facts: CardFacts) -> frozenset[str]:
    """What its effects that are not activated do."""
    return frozenset().union(*(e.categories for e in facts.effects if e.kind in ("continuous", "unclassified")))
