"""Card facts: what the rules need to know of a card, without its behaviour.

The facts stand in ``cards.json`` beside this module and are read by engines, oracles and strategies alike; how a card's effect
changes the board is the engine's own business. An effect's facts say what kind it is, when and from where it may be activated,
and what it needs; ``complete`` says whether ``requires``, ``target`` and ``cost`` are all there is, so that an oracle may demand
that the effect *is* offered.
"""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib.resources import files
from typing import Literal

import msgspec
from msgspec import Struct, field

from engine_protocol.errors import InputError
from engine_protocol.vocabulary import Timing, Zone

CardType = Literal["monster", "spell", "trap"]
Property = Literal["normal", "quick-play", "continuous", "equip", "field", "counter", "ritual"]
EffectKind = Literal["activation", "ignition", "trigger", "quick", "continuous", "unclassified"]
Attribute = Literal["DARK", "LIGHT", "EARTH", "WATER", "FIRE", "WIND", "DIVINE"]
Side = Literal["you", "opponent"]
Role = Literal["attacker", "attack-target", "battling", "link", "equipped"]

NamedTiming = Timing | Literal["damage-step"]
"""A timing that a text names; ``damage-step`` where it says "during the Damage Step" without naming which."""

Condition = Literal[
    "attack-declared",
    "direct-attack-declared",
    "attack-targeted",
    "activation",
    "battles",
    "attacks",
    "flipped",
    "inflicted-battle-damage",
    "took-battle-damage",
    "destroyed-by-battle",
    "destroyed-by-battle-and-sent",
    "destroys-by-battle",
    "destroys-by-battle-and-sends",
    "destroyed-by-effect",
    "destroyed",
    "sent-to-graveyard",
    "special-summoned",
    "position-changed",
    "your-turn",
    "opponent-turn",
    "step-began",
    "other-phase",
]
"""The event that an effect waits for. What it happens to is the effect's ``subject``; None: this very card.

``activation``: a response to a Chain Link that ``subject`` fits. ``battles``/``attacks``: the subject is in the battle (as the
attacker) at the timing the effect names. ``step-began``: in the step it names, where the subject names a side only in that
player's turn. ``your-turn``/``opponent-turn``: no event, but only in that turn. ``other-phase``: only in another phase, so never
in a Battle Phase.
"""

Category = Literal[
    "changes-atk-def",
    "negates-activation",
    "negates-effect",
    "negates-attack",
    "destroys",
    "banishes",
    "returns",
    "changes-position",
    "special-summons",
    "draws",
    "sends",
    "damages",
    "recovers",
    "protects-from-battle",
    "prevents-battle-damage",
    "reflects-battle-damage",
    "alters-battle-damage",
    "prevents-attack",
    "ends-battle-phase",
    "flip",
    "piercing",
    "direct-attack",
    "multi-attack",
    "attack-cost",
    "attacks-in-defense",
    "attacks-in-defense-with-atk",
    "chooses-attack-targets",
    "indestructible-by-battle",
    "substitute",
    "redirects",
    "negates-destroyed",
    "self-destructs",
    "creates-tokens",
    "counters-only",
    "damage-calculation",
]
"""What the rules speak of. ``alters-battle-damage``: shares, doubles, halves, fixes or turns it into something else.
``attacks-in-defense`` uses DEF as the battle value, ``attacks-in-defense-with-atk`` ATK. ``damage-calculation``: a battle takes
place while it resolves.
"""

DamageStep = Literal["both-take-it", "as-effect-damage", "recovered", "halved", "doubled", "fixed"]
"""What an effect makes of battle damage: both players take it; it is effect damage instead; it is gained; it is halved, doubled,
or becomes a certain amount, if it is not 0.
"""

AttackGrant = Literal["twice", "each-monster", "once-more", "twice-monsters"]
"""The attacks that an effect of the category ``multi-attack`` allows a monster in a Battle Phase: two; one on each of the
opponent's monsters (instead of a direct one); one more in a row; two, both on monsters (instead of a direct one).
"""


class Filter(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """Which cards are meant. Every field that is given must fit; an empty filter fits every card in a Monster Zone.

    ``side``       as seen by the effect's player: controller on the field, owner elsewhere
    ``zones``      where; Monster Zones where left out, but anywhere for a Chain Link
    ``this``       True: only the effect's own card; False: any but it
    ``role``       its part in the attack that is open; ``battling`` is attacker or target; ``link``: the Chain Link answered;
                   ``equipped``: the monster the effect's card is equipped to; ``not_role``: it must not have that part
    ``face``, ``position``  lie of a card on the field
    ``card_activation``  True: a Spell's or Trap's link fits only as the activation of the card itself; a monster's always
    ``max_…``/``min_…``     bounds on current ATK/DEF/Level on the field, printed ones elsewhere
    ``name``       part of its name ("Elemental HERO")
    """

    side: Side | None = None
    zones: tuple[Zone, ...] = ()
    this: bool | None = None
    type: CardType | None = None
    types: tuple[CardType, ...] = ()
    role: Role | None = None
    not_role: Role | None = None
    face: Literal["up", "down"] | None = None
    position: Literal["attack", "defense"] | None = None
    attributes: tuple[Attribute, ...] = ()
    not_attributes: tuple[Attribute, ...] = ()
    races: tuple[str, ...] = ()
    name: str | None = None
    effect_monster: bool | None = None
    token: bool | None = None
    min_level: int | None = None
    card_activation: bool | None = None
    max_atk: int | None = None
    max_def: int | None = None
    min_atk: int | None = None


class Target(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What an effect targets at activation: ``least`` to ``most`` cards that ``filter`` fits."""

    filter: Filter
    least: int = 1
    most: int = 1


class Cost(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What activating (or, with the category ``attack-cost``, attacking) costs.

    ``discard-self``, ``send-self``, ``tribute-self``, ``banish-self``: the card itself, from where it is; ``send-self`` cannot be
    paid while the card would be banished instead. ``discard``: ``amount`` cards of the hand that ``filter`` fits, not the
    card itself. ``tribute``: ``amount`` monsters that ``filter`` fits. ``detach``: ``amount`` of the
    card's own Xyz Materials. ``pay-lp``: ``amount``. ``pay-half-lp``: half, rounded up.
    """

    kind: Literal[
        "discard", "discard-self", "send-self", "tribute-self", "banish-self", "tribute", "detach", "pay-lp", "pay-half-lp"
    ]
    amount: int = 1
    filter: Filter | None = None


class DamageChange(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """How an effect of the category ``alters-battle-damage`` changes the damage of battles that its card, or the monster equipped
    with it, is in; of a Field Spell: of any battle.

    ``of``      whose damage, as seen by the controller of the card
    ``amount``  what it becomes, if it is ``fixed``
    """

    step: DamageStep
    of: Literal["opponent", "each"]
    amount: int = 0


class EffectFacts(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, kw_only=True):
    """One effect of a card.

    ``number``     1-based, in the order of the card's text; the activation of a Spell/Trap Card is an effect too
    ``kind``       ``trigger`` covers Flip Effects (category ``flip``)
    ``mandatory``  it must be activated when its condition is met
    ``clause``     of an optional Trigger: ``when`` (may miss its timing) or ``if``
    ``speed``      Spell Speed, 1 to 3; 0 for effects that do not activate
    ``zones``      from where it is activated; empty for effects that do not activate
    ``timings``    the timings its text names; empty: none
    ``condition``  the event it waits for, None: none; ``subject`` what that event happens to
    ``requires``   each of these must fit at least one card when it is activated
    ``categories`` what the rules speak of
    ``attacks``    with the category ``multi-attack``: which attacks it allows
    ``damage``     with the category ``alters-battle-damage``: how; left out where it depends on more than these facts say
    ``lasts``      until when what it does lasts, where that is the end of the Damage Step
    ``original``   ``compares``: damage calculation compares original ATK and DEF; ``changes``: it changes what a monster's
                   original ATK or DEF is
    ``in_damage_step`` its text says that it may be activated in the Damage Step too
    ``once``       how often: per turn (for this card's instance, ``turn-by-name``: for the name), per chain, per battle
    ``complete``   the facts say everything that decides whether it can be activated, the game's own rules aside (timing, Spell
                   Speed, a free zone for what it Special Summons, what may be targeted)
    """

    number: int
    kind: EffectKind
    mandatory: bool = False
    clause: Literal["when", "if"] | None = None
    speed: int = 0
    zones: tuple[Zone, ...] = ()
    timings: tuple[NamedTiming, ...] = ()
    condition: Condition | None = None
    subject: Filter | None = None
    requires: tuple[Filter, ...] = ()
    target: Target | None = None
    cost: tuple[Cost, ...] = ()
    categories: frozenset[Category] = frozenset()
    attacks: AttackGrant | None = None
    damage: DamageChange | None = None
    lasts: Literal["damage-step"] | None = None
    original: Literal["compares", "changes"] | None = None
    in_damage_step: bool = False
    once: Literal["turn", "turn-by-name", "chain", "battle"] | None = None
    complete: bool = False


class CardFacts(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, kw_only=True):
    """One card. ``atk`` and ``def_`` are the printed values (None for Spells and Traps, and for a printed "?").
    ``not_summoned_from``: an effect of another card cannot Special Summon it from there.
    """

    passcode: int
    name: str
    name_ja: str | None = None
    type: CardType
    frame: tuple[str, ...] = ()
    property: Property | None = None
    attribute: Attribute | None = None
    race: str | None = None
    level: int | None = None
    atk: int | None = None
    def_: int | None = field(default=None, name="def")
    token: bool = False
    not_summoned_from: tuple[Zone, ...] = ()
    effects: tuple[EffectFacts, ...] = ()

    @builtins.property  # ``property`` is a field here
    def is_effect_monster(self) -> bool:
        """Whether it counts as an Effect Monster."""
        return self.type == "monster" and "effect" in self.frame

    @builtins.property  # ``property`` is a field here
    def categories(self) -> frozenset[str]:
        """The categories of all its effects."""
        return frozenset().union(*(effect.categories for effect in self.effects))

    def effect(self, number: int) -> EffectFacts | None:
        """The effect with this 1-based number, or None."""
        return self.effects[number - 1] if 1 <= number <= len(self.effects) else None


class CardPool(Mapping[int, CardFacts]):
    """Card facts by passcode, and by name."""

    def __init__(self, cards: Iterable[CardFacts]) -> None:
        self._by_passcode = {card.passcode: card for card in cards}
        self._by_name = {card.name: card for card in self._by_passcode.values()}

    def __getitem__(self, passcode: int) -> CardFacts:
        return self._by_passcode[passcode]

    def __iter__(self) -> Iterator[int]:
        return iter(self._by_passcode)

    def __len__(self) -> int:
        return len(self._by_passcode)

    def named(self, name: str) -> CardFacts:
        """The card with exactly this English name.

        Raises:
            InputError: no card of the pool has it.
        """
        try:
            return self._by_name[name]
        except KeyError:
            raise InputError(f"no card of the pool is named {name!r}") from None


@cache
def card_pool() -> CardPool:
    """The pool that duelproof ships: the facts of ``engine_protocol/cards.json``."""
    data = files("engine_protocol").joinpath("cards.json").read_bytes()
    return CardPool(msgspec.json.decode(data, type=tuple[CardFacts, ...]))
