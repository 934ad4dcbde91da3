"""What a damage calculation must come to, worked out again from the values compared and the facts of the cards.

A modification of battle damage, or a protection from destruction by battle, is *certain* when the facts leave no doubt that it
applies; *possible* when they do not settle it. What is possible makes an answer wider, never an engine wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Final, get_args

from engine_protocol.cards import DamageChange, DamageStep, EffectFacts, Filter
from engine_protocol.events import DamageCalculated
from engine_protocol.vocabulary import FIELD, PLAYERS, Player, opponent
from oracles.legality import Answer, all_of, fits
from oracles.view import Card, Link, View

Damage = tuple[int, int]
"""Battle damage of Player A and Player B."""

MODIFIES_DAMAGE: Final = frozenset({"piercing", "prevents-battle-damage", "reflects-battle-damage", "alters-battle-damage"})
PROTECTS: Final = frozenset({"indestructible-by-battle", "protects-from-battle", "substitute"})
_SPARES: Final = PROTECTS | {"prevents-battle-damage"}
"""In expert-2007 and damage-step-wiki-before what a monster takes no battle damage by also protects it; battle-phase-flow tells
the two apart.
"""

_WITHOUT_EFFECT: Final = frozenset({"activation-negated", "effect-negated", "no-effect"})
_STAYS: Final = frozenset({"continuous", "equip", "field"})


class Battle:
    """One damage calculation.

    ``attacking``  the attacker's controller; ``defending`` the other player
    ``defense``    the target is in Defense Position
    ``understood`` nothing is in play that could do what the facts do not say
    ``piercing``   whether the attacker inflicts piercing damage
    ``spared``     players who certainly take no battle damage; ``maybe_spared`` those who may take none
    ``passes_on``  players whose battle damage the other one certainly takes; ``maybe_passes_on`` may take
    ``changes``    what certainly becomes of the damage otherwise, in the order of DC-5: the step, whose damage, what is fixed
    ``altered``    the damage may come to anything
    ``losers``     monsters that the values compared destroy, whatever protects them
    ``protection`` by id, whether a loser is protected from destruction by battle, or something would go instead of it
    """

    __slots__ = (
        "_in_play",
        "_lasting",
        "altered",
        "at",
        "attacker",
        "attacking",
        "changes",
        "defending",
        "defense",
        "event",
        "losers",
        "maybe_passes_on",
        "maybe_spared",
        "passes_on",
        "piercing",
        "protection",
        "spared",
        "target",
        "understood",
    )

    def __init__(self, event: DamageCalculated, view: View) -> None:
        self.at = view.at
        self.event = event
        self.attacker = view.cards[event.attacker]
        self.target = None if event.target is None else view.cards[event.target]
        self.attacking: Player = self.attacker.controller
        self.defending: Player = opponent(self.attacking)
        self.defense = self.target is not None and not self.target.position.endswith("attack")
        attack = view.attack
        self.understood = (
            attack is not None
            and (attack.attacker, attack.target) == (event.attacker, event.target)
            and (self.target is None or self.target.controller == self.defending)
            and view.opaque_card() is None
            and not unknown_link(view)
        )
        self.piercing: Answer = False
        self.spared = {player for player in PLAYERS if "no-battle-damage" in view.player_statuses[player]}
        self.maybe_spared: set[Player] = set()
        self.passes_on: list[Player] = []
        self.maybe_passes_on = 0
        self.changes: list[tuple[DamageStep, frozenset[Player], int]] = []
        self.altered = False
        self._lasting = view.passive_cards
        self._in_play = [card for card in self._lasting if card.zone in FIELD and card.face_up]
        self._gather(view)
        self.losers = self._losers(view)
        self.protection = {card.id: self._protection(card, view) for card in self.losers}

    def involves(self, card: Card) -> bool:
        """Whether the card is one of the two monsters."""
        return card is self.attacker or card is self.target

    # What modifies the damage

    def _gather(self, view: View) -> None:
        for card, effect in self._concerning(view, MODIFIES_DAMAGE):
            applies = self._applies(view, card, effect)
            if applies is not False:
                self._modify(effect, card, view, certain=applies is True)
        for link in view.activations:
            if link.facts is not None and link.outcome not in _WITHOUT_EFFECT and link.facts.categories & MODIFIES_DAMAGE:
                self._modify(link.facts, link.card, view, certain=False)
        for monster in (self.attacker, self.target):
            if monster is not None and "no-battle-damage" in monster.statuses:
                self.maybe_spared.update(PLAYERS)

    def _concerning(self, view: View, categories: frozenset[str]) -> Iterator[tuple[Card, EffectFacts]]:
        """Continuous and unclassified effects of these categories that could concern the battle: not those of a monster outside
        it that is about itself alone, nor those of a card equipped to one.
        """
        for card in self._in_play:
            if card.known.passive_categories.isdisjoint(categories):
                continue
            for effect in card.known.passive:
                if effect.categories.isdisjoint(categories):
                    continue
                if effect.subject is None and not self.involves(card):
                    equipped = None if card.equipped_to is None else view.cards[card.equipped_to]
                    if card.facts.type == "monster" or (equipped is not None and not self.involves(equipped)):
                        continue
                yield card, effect

    def _applies(self, view: View, card: Card, effect: EffectFacts) -> Answer:
        if effect.requires and not self.attacker.position.endswith("attack"):
            return None  # a bound on ATK looks at the DEF that is used as ATK (DC-4)
        if card.facts.type != "monster" and any(
            monster is not None and "unaffected-by-spells-traps" in monster.statuses for monster in (self.attacker, self.target)
        ):
            return None
        return certainly_applies(view, card, effect)

    def _modify(self, effect: EffectFacts, card: Card, view: View, *, certain: bool) -> None:
        categories = effect.categories
        own = self.involves(card)
        if "alters-battle-damage" in categories:
            if effect.damage is not None and certain and self._of_this_battle(card, view):
                self._change(effect.damage, card)
            else:
                self.altered = True
        if "piercing" in categories and not self._is_about_target(card) and self.piercing is not True:
            certain_here = certain and (own or card.equipped_to == self.attacker.id)
            self.piercing = True if certain_here else None
        if "prevents-battle-damage" in categories:
            if certain and own:
                self.spared.add(card.controller)
            else:
                self.maybe_spared.update(PLAYERS)
        if "reflects-battle-damage" in categories:
            if certain and own:
                self.passes_on.append(card.controller)
            else:
                self.maybe_passes_on += 1

    def _of_this_battle(self, card: Card, view: View) -> bool:
        """Whether what the card does to battle damage certainly is about this battle, as its own player sees it."""
        if card.equipped_to is not None:
            monster = view.cards[card.equipped_to]
            return self.involves(monster) and monster.controller == card.controller
        return self.involves(card) or card.facts.property == "field"

    def _change(self, change: DamageChange, card: Card) -> None:
        players = frozenset(PLAYERS if change.of == "each" else (opponent(card.controller),))
        if any(step == change.step for step, _, _ in self.changes):
            self.altered = True  # what two of a kind come to the document does not say
        self.changes.append((change.step, players, change.amount))
        self.changes.sort(key=lambda other: _CHANGES_IN_ORDER.index(other[0]))

    def _is_about_target(self, card: Card) -> bool:
        return self.target is not None and (card is self.target or card.equipped_to == self.target.id)

    @property
    def modified(self) -> bool:
        """Whether anything but piercing could modify the damage."""
        changes = self.altered or self.changes
        return bool(changes or self.spared or self.maybe_spared or self.passes_on or self.maybe_passes_on)

    def plain(self, *, piercing: bool) -> Damage:
        """The damage by the values compared, unmodified."""
        event = self.event
        difference = event.attacker_value - (event.target_value or 0)
        if difference < 0:
            return self._for(self.attacking, -difference)
        return (0, 0) if self.defense and not piercing else self._for(self.defending, difference)

    def _for(self, player: Player, amount: int) -> Damage:
        return (amount, 0) if player == 0 else (0, amount)

    def possible_damage(self) -> frozenset[Damage] | None:
        """Every damage that could be right; None: it could be any. Modified in the order of DC-5."""
        passing = len(self.passes_on) + self.maybe_passes_on
        both_take_it = any(step == "both-take-it" for step, _, _ in self.changes)
        if not self.understood or self.altered or passing > 1 or (passing and both_take_it):
            return None
        if self.piercing is not None and not self.modified:
            return frozenset([self.plain(piercing=self.piercing)])
        pierces = (True, False) if self.piercing is None else (self.piercing,)
        passers: tuple[Player | None, ...] = tuple(self.passes_on) or ((None, *PLAYERS) if self.maybe_passes_on else (None,))
        return frozenset(
            outcome
            for pierce, passer, *spared in product(pierces, passers, self._sparing(0), self._sparing(1))
            for outcome in self._modified(_passed_on(self.plain(piercing=pierce), passer), spared)
        )

    def _modified(self, damage: Damage, spared: list[bool]) -> set[Damage]:
        """What it may come to, step by step; half of an odd amount may be rounded either way."""
        outcomes = {damage}
        early = [change for change in self.changes if change[0] in _BEFORE_ZERO]
        late = [change for change in self.changes if change[0] not in _BEFORE_ZERO]
        for step, players, amount in early:
            outcomes = {_changed(one, step, players, amount, up=False) for one in outcomes}
        outcomes = {_zeroed(one, spared) for one in outcomes}
        for step, players, amount in late:
            outcomes = {_changed(one, step, players, amount, up=up) for one in outcomes for up in (False, True)}
        return outcomes

    def _sparing(self, player: Player) -> tuple[bool, ...]:
        """Whether the player takes no battle damage: each answer that could be right."""
        return (True,) if player in self.spared else (False, True) if player in self.maybe_spared else (False,)

    # Who is destroyed

    def _losers(self, view: View) -> tuple[Card, ...]:
        event, target = self.event, self.target
        if target is None or event.target_value is None:
            return ()
        if event.attacker_value > event.target_value:
            return (target,)
        if self.defense:
            return ()
        if event.attacker_value < event.target_value:
            return (self.attacker,)
        may_destroy = view.ruleset.equal_zero_destroys or not view.ruleset.settles("equal_zero_destroys")
        return (self.attacker, target) if event.attacker_value or may_destroy else ()

    def _protection(self, card: Card, view: View) -> Answer:
        if "indestructible-by-battle" in card.statuses or "indestructible-by-battle" in view.player_statuses[card.controller]:
            return True
        doubtful = not self.understood or self._zero_is_open(view)
        protects = PROTECTS if "battle-phase-flow" in view.documents else _SPARES
        for source, effect in self._concerning(view, protects):
            concerns = source is card or source.equipped_to == card.id or effect.subject is not None
            if not concerns and (source.facts.type == "monster" or source.facts.property == "equip"):
                continue
            applies = self._applies(view, source, effect)
            if applies and self.understood and source is card and "indestructible-by-battle" in effect.categories:
                return True
            doubtful = doubtful or applies is not False
        doubtful = doubtful or any(
            link.facts is not None and link.outcome not in _WITHOUT_EFFECT and link.facts.categories & protects
            for link in view.activations
        )
        doubtful = doubtful or any("substitute" in other.known.passive_categories for other in self._lasting)
        return None if doubtful else False

    def _zero_is_open(self, view: View) -> bool:
        """Whether two values of 0 meet, and the documents do not say whether they destroy."""
        event = self.event
        return event.attacker_value == event.target_value == 0 and not view.ruleset.settles("equal_zero_destroys")


def battle_at_hand(event: DamageCalculated, view: View) -> Battle:
    """The damage calculation that is the event at hand; worked out once for all oracles."""
    cached = view.cache.get("battle")
    if cached is None or cached.at != view.at:
        cached = view.cache["battle"] = Battle(event, view)
    battle: Battle = cached
    return battle


def meaning_unknown(link: Link) -> bool:
    """Whether the link may have done what the facts do not say. The activation of a card that stays does nothing by itself."""
    if link.facts is None:
        return True
    return not link.facts.categories and not (link.as_card and link.card.facts.property in _STAYS)


def unknown_link(view: View) -> bool:
    """Whether some link so far may have done what the facts do not say, such as to negate effects on the field."""
    return bool(view.activations) and any(map(meaning_unknown, view.activations))


def certainly_applies(view: View, card: Card, effect: EffectFacts) -> Answer:
    """Whether a continuous effect of a card in play applies in the battle at hand; None where it may be negated, or where the
    facts name a subject, so that it depends on which card is meant.
    """
    if card.facts.type == "monster" and ("effects-negated" in card.statuses or negation_in_play(view)):
        return None
    if effect.subject is not None or effect.condition is not None or effect.timings or effect.target is not None:
        return None
    return all_of([_fits_one(what, card, view) for what in effect.requires])


def negation_in_play(view: View) -> bool:
    """Whether a face-up card's continuous effect negates effects: whose, the facts do not say."""
    for card in view.passive_cards:
        if "negates-effect" in card.known.passive_categories and card.zone in FIELD and card.face_up:
            return True
    return False


def _fits_one(what: Filter, own: Card, view: View) -> Answer:
    answers = [fits(what, card, view, own.controller, own) for card in view.cards.values()]
    return True if True in answers else None if None in answers else False


_CHANGES_IN_ORDER: Final[tuple[DamageStep, ...]] = get_args(DamageStep)
_BEFORE_ZERO: Final[frozenset[DamageStep]] = frozenset({"both-take-it", "as-effect-damage", "recovered"})


def _changed(damage: Damage, step: DamageStep, players: frozenset[Player], amount: int, *, up: bool) -> Damage:
    """The battle damage after a step of the order for these players."""
    if step == "both-take-it":
        return (sum(damage), sum(damage))
    first, second = (
        _one_changed(suffered, step, amount, up=up) if player in players else suffered
        for player, suffered in zip(PLAYERS, damage, strict=True)
    )
    return (first, second)


def _one_changed(suffered: int, step: DamageStep, amount: int, *, up: bool) -> int:
    match step:
        case "halved":
            return (suffered + up) // 2
        case "doubled":
            return 2 * suffered
        case "fixed":
            return amount if suffered else 0
        case _:  # it is battle damage no more
            return 0


def _passed_on(damage: Damage, player: Player | None) -> Damage:
    """The damage after the other player takes what this one would have taken."""
    if player is None:
        return damage
    total = damage[0] + damage[1]
    return (0, total) if player == 0 else (total, 0)


def _zeroed(damage: Damage, spared: list[bool]) -> Damage:
    return (0 if spared[0] else damage[0], 0 if spared[1] else damage[1])
