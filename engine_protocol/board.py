"""The board an engine is asked to set up, and the board it says it has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator
from typing import TypeVar

from msgspec import Struct, field

from engine_protocol.cards import CardFacts, CardPool
from engine_protocol.decisions import Decision
from engine_protocol.rulesets import RULESETS
from engine_protocol.vocabulary import FIELD, MONSTER_ZONES, PLAYER_NAMES, Player, Position, Zone, is_monster_position

ZONE_COUNT = {"monster-zone": 5, "spell-trap-zone": 5, "field-zone": 1, "extra-monster-zone": 2}
"""How many cards of one player a zone holds (GN-1). The two Extra Monster Zones are shared."""

Thing = TypeVar("Thing", bound=Hashable)


class BoardCard(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A card and where it is.

    ``id``            instance id, unique on the board, never changed
    ``controller``    for cards on the field; the owner where left out
    ``index``         which of the equal zones, from 0; in the Deck the order, 0 drawn first
    ``turn_set``      turn number in which it was set (Spells/Traps; default: an earlier turn)
    ``turn_summoned`` turn number in which it was summoned (default: an earlier turn)
    ``equipped_to``   instance id of the monster an Equip Card belongs to, or the target of a Call of the Haunted
    ``materials``     passcodes of Xyz Materials
    ``counters``      counters by name
    ``atk``, ``def``   custom original stats, for engines that declare the ability ``custom-stats``
    """

    id: int
    passcode: int
    owner: Player
    zone: Zone
    index: int = 0
    position: Position = "face-up"
    controller: Player | None = None
    turn_set: int | None = None
    turn_summoned: int | None = None
    equipped_to: int | None = None
    materials: tuple[int, ...] = ()
    counters: dict[str, int] = field(default_factory=dict)
    atk: int | None = None
    def_: int | None = field(default=None, name="def")

    @property
    def side(self) -> Player:
        """The player on whose side the card lies: its controller on the field, its owner elsewhere."""
        return self.owner if self.controller is None else self.controller


class Board(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A duel at the start of a Battle Phase: the turn player has just entered the Start Step.

    ``turn`` counts from 1. ``seed`` is for engines that draw random numbers.
    """

    ruleset: str
    cards: tuple[BoardCard, ...]
    turn_player: Player = 0
    turn: int = 3
    lp: tuple[int, int] = (8000, 8000)
    seed: int = 0

    def problems(self, pool: CardPool) -> Iterator[str]:
        """Everything that makes the board impossible, one sentence each: unknown cards, full or shared zones, wrong positions,
        a Field Spell too many for the ruleset.
        """
        if self.turn < 1:
            yield f"turn: {self.turn} is below 1"
        for player, points in enumerate(self.lp):
            if points < 1:
                yield f"lp[{player}]: {points} is below 1"
        ids = [card.id for card in self.cards]
        for card_id, count in _repeated(ids).items():
            yield f"cards: the instance id {card_id} stands {count} times"
        taken: list[tuple[str, Player, int]] = []
        for number, card in enumerate(self.cards):
            where = f"cards[{number}]"
            facts = pool.get(card.passcode)
            if facts is None:
                yield f"{where}.passcode: no card has the passcode {card.passcode}"
                continue
            if card.zone in FIELD:
                side: Player = 0 if card.zone == "extra-monster-zone" else card.side
                taken.append((card.zone, side, card.index))
                if not 0 <= card.index < ZONE_COUNT[card.zone]:
                    yield f"{where}.index: {card.zone} has no place {card.index}"
            elif card.controller not in (None, card.owner):
                yield f"{where}.controller: in the {card.zone} a card is its owner's"
            yield from (f"{where}.{problem}" for problem in _misplaced(card, facts))
            if card.equipped_to is not None and card.equipped_to not in ids:
                yield f"{where}.equipped_to: no card has the instance id {card.equipped_to}"
            if (card.atk is not None or card.def_ is not None) and facts.type != "monster":
                yield f"{where}.atk: {facts.name} is no monster"
        for (zone, player, index), count in _repeated(taken).items():
            yield f"cards: {count} cards of {PLAYER_NAMES[player]} stand in {zone} {index}"
        ruleset = RULESETS.get(self.ruleset)
        if ruleset is not None and not ruleset.one_field_spell_each and ruleset.settles("one_field_spell_each"):
            field_spells = sum(card.zone == "field-zone" and card.position == "face-up" for card in self.cards)
            if field_spells > 1:
                yield f"cards: {field_spells} face-up Field Spells, but {self.ruleset} has one in all"


def _repeated(things: list[Thing]) -> dict[Thing, int]:
    """What stands there several times, and how often."""
    if len(set(things)) == len(things):
        return {}
    return {thing: count for thing, count in Counter(things).items() if count > 1}


def _misplaced(card: BoardCard, facts: CardFacts) -> Iterator[str]:
    """Whether the zone can hold this kind of card, in this position."""
    if card.zone in MONSTER_ZONES:
        if facts.type != "monster":
            yield f"zone: {facts.name} is no monster"
        if not is_monster_position(card.position):
            yield f"position: a monster on the field is not just {card.position}"
    elif is_monster_position(card.position):
        yield f"position: {card.position} is for monsters on the field"
    if card.zone == "field-zone" and facts.property != "field":
        yield f"zone: {facts.name} is no Field Spell"
    if card.zone == "spell-trap-zone" and facts.type == "monster":
        yield f"zone: {facts.name} is a monster"
    if card.zone == "spell-trap-zone" and facts.property == "field":
        yield f"zone: {facts.name} belongs in the field-zone"


class Observation(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What an engine says its state is: enough to hold it against the folded trace.

    ``cards`` leaves out tokens that are gone; ``atk``, ``def`` of a monster on the field are its current values here.
    ``decision`` is the open one, None when the Battle Phase is over.
    """

    lp: tuple[int, int]
    cards: tuple[BoardCard, ...]
    decision: Decision | None = None
