"""Bytes into boards: a small decoder without choices of its own.

Every spot of a focus owns two bytes (a monster three, where custom stats are wanted): whether a card is there and how it lies,
and which card it is. A missing or zero byte means the quietest thing, so that shorter and smaller bytes are smaller boards; a
byte never shifts the meaning of another spot's. What depends on cards alone is worked out once, when the decoder is made.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from engine_protocol.board import ZONE_COUNT, Board, BoardCard
from engine_protocol.cards import CardFacts, CardPool
from engine_protocol.rulesets import Ruleset
from engine_protocol.vocabulary import Player, Position, Zone
from strategies.focus import Focus, Likeness, Place, Spot
from strategies.menus import Menu, family_of

HEADER: Final = 7
"""Bytes before the spots: focus, swarm mask, turn player, both players' Life Points, and the script's voice and opening."""

TURN_OF: Final[tuple[int, int]] = (3, 4)
"""The turn number by turn player: Player A took the first turn."""

USUAL_LP: Final = 8000

ODD_LP: Final[tuple[int, ...]] = (1000, 100, 500, 800, 1600, 2000, 4000, 1)
"""Life Points other than the usual 8000: enough for a cost or not, gone after one battle or not."""

_FIRST_VALUES: Final = (0, 100, 1000, 2000, 3000, 1, 4000, 5000)
_DIFFERENCES: Final[dict[Likeness, tuple[int, ...]]] = {"equal": (0,), "weaker": (-100, -1, -800), "stronger": (100, 1, 800)}

_EXTRA_DECK: Final = frozenset({"fusion", "synchro", "xyz", "link"})
_ALL_FAMILIES: Final = 255


def can_lie(card: CardFacts, place: Place) -> bool:
    """Whether this kind of card makes sense there at the start of a Battle Phase.

    Set: what can still be activated from there in a Battle Phase. Face-up: what stays on the field and remembers no target
    (Equip Spells are equipped by the decoder).
    """
    match place:
        case "monster":
            return card.type == "monster"
        case "set":
            return card.type == "trap" or card.property == "quick-play"
        case "face-up":
            if card.property in {"field", "equip"}:
                return True
            targets = any(effect.kind == "activation" and effect.target is not None for effect in card.effects)
            return card.type != "monster" and card.property == "continuous" and not targets
        case "graveyard":
            return not card.token
        case _:
            return not card.token and _EXTRA_DECK.isdisjoint(card.frame)


@dataclass(slots=True)
class _Dishes:
    """What of a menu can lie at a place, the simplest cards first, each with its family, and its narrower servings."""

    cards: tuple[tuple[CardFacts, int | None], ...]
    by_mask: dict[int, tuple[CardFacts, ...]] = field(default_factory=dict)
    by_likeness: dict[tuple[int, Likeness, bool, int], tuple[CardFacts, ...]] = field(default_factory=dict)

    def in_play(self, mask: int) -> tuple[CardFacts, ...]:
        """The cards whose family the swarm mask puts in play."""
        served = self.by_mask.get(mask)
        if served is None:
            served = tuple(card for card, family in self.cards if family is None or mask >> family & 1)
            self.by_mask[mask] = served
        return served

    def like(self, mask: int, likeness: Likeness, attacks: bool, value: int) -> tuple[CardFacts, ...]:
        """Those of them whose ATK (``attacks``) or DEF compares so with the value; all of them if none does."""
        key = (mask, likeness, attacks, value)
        served = self.by_likeness.get(key)
        if served is None:
            everything = self.in_play(mask)
            served = tuple(card for card in everything if _compares(card.atk if attacks else card.def_, likeness, value))
            self.by_likeness[key] = served = served or everything
        return served


def _compares(own: int | None, likeness: Likeness, value: int) -> bool:
    if own is None:
        return False
    return own == value if likeness == "equal" else own < value if likeness == "weaker" else own > value


@dataclass(frozen=True, slots=True)
class _Laid:
    """A spot with what the pool has for it. ``absent``: bytes below it mean that no card is there."""

    spot: Spot
    dishes: _Dishes
    absent: int


class BoardDecoder:
    """Makes boards of bytes for one ruleset, one card pool and one or several focuses.

    ``board`` takes at least ``size`` bytes, of which the first selects the focus; fewer are filled up with zeros. Cards that the
    ruleset's documents have under adjustment are left out.
    """

    def __init__(self, ruleset: Ruleset, cards: CardPool, focuses: Iterable[Focus], *, custom_stats: bool = False) -> None:
        self._ruleset = ruleset
        self._custom_stats = custom_stats
        playable = [card for card in cards.values() if card.name not in ruleset.cards_under_adjustment]
        in_order = sorted(playable, key=lambda card: (len(card.effects), card.passcode))
        self._in_order = tuple((card, family_of(card)) for card in in_order)
        self._material = next((card.passcode for card in in_order if card.type == "monster" and not card.token), None)
        self._menus: dict[tuple[Menu, Place], _Dishes] = {}
        self.focuses = tuple(focuses)
        self._plans = tuple(tuple(self._laid(focus.spots)) for focus in self.focuses)
        self.size = HEADER + max(sum(self._width(laid) for laid in plan) for plan in self._plans)

    def _laid(self, spots: Iterable[Spot]) -> Iterable[_Laid]:
        for spot in spots:
            key = (spot.menu, spot.place)
            if key not in self._menus:
                self._menus[key] = _Dishes(
                    tuple((card, family) for card, family in self._in_order if can_lie(card, spot.place) and spot.menu(card))
                )
            yield _Laid(spot, self._menus[key], 256 - 16 * spot.chance)

    def _width(self, laid: _Laid) -> int:
        return 3 if self._custom_stats and laid.spot.place == "monster" else 2

    def focus(self, data: bytes) -> Focus:
        """The focus that these bytes select."""
        return self.focuses[data[0] % len(self.focuses)] if data else self.focuses[0]

    def board(self, data: bytes) -> Board:
        """The board that these bytes mean; always one without problems."""
        data = data.ljust(self.size, b"\0")
        plan = self._plans[data[0] % len(self._plans)]
        low = self.focus(data).low_lp
        mask = data[1]
        turn_player: Player = 1 if data[2] >= 192 else 0
        table = _Table(self._ruleset, turn_player, self._material)
        at = HEADER
        for laid in plan:
            presence = data[at] - laid.absent
            width = self._width(laid)
            if presence >= 0:
                stats = data[at + 2] if width == 3 else 0
                served = self._served(laid, mask, presence, None if is_custom(laid.spot, stats) else table.reference)
                if served:
                    card = served[(data[at + 1] + 256 * presence) % len(served)]
                    table.lay(card, laid.spot, presence, stats)
            at += width
        lp = (_lp(data[3], low=low), _lp(data[4], low=low))
        return Board(
            ruleset=self._ruleset.name, cards=tuple(table.cards), turn_player=turn_player, turn=TURN_OF[turn_player], lp=lp
        )

    @staticmethod
    def _served(laid: _Laid, mask: int, presence: int, reference: int | None) -> tuple[CardFacts, ...]:
        spot = laid.spot
        if not spot.swarmed:
            mask = _ALL_FAMILIES
        if spot.like is None or reference is None:
            return laid.dishes.in_play(mask)
        attacks = spot.positions[presence % len(spot.positions)] == "face-up-attack"
        return laid.dishes.like(mask, spot.like, attacks, reference)


def _lp(byte: int, *, low: bool) -> int:
    usual = 32 if low else 208
    return USUAL_LP if byte < usual else ODD_LP[(byte - usual) % len(ODD_LP)]


def is_custom(spot: Spot, stats: int) -> bool:
    """Whether a monster's third byte gives it a custom ATK or DEF: one monster in two, and most of those with a likeness."""
    return stats >= (128 if spot.like is None else 48)


def _custom_value(reference: int | None, likeness: Likeness | None, stats: int) -> int:
    """A custom battle value that stands in a telling relation to the ATK of the turn player's first monster."""
    if reference is None:
        return _FIRST_VALUES[stats % len(_FIRST_VALUES)]
    if likeness is not None:
        differences = _DIFFERENCES[likeness]
        return max(0, reference + differences[stats % len(differences)])
    return max(0, (reference, 0, reference + 100, reference - 100, 1000, reference + 1, reference - 1, 5000)[stats % 8])


class _Table:
    """The board while cards are laid on it, one after the other."""

    def __init__(self, ruleset: Ruleset, turn_player: Player, material: int | None) -> None:
        self._ruleset = ruleset
        self._material = material
        self._turn_player: Player = turn_player
        self._count: dict[tuple[Zone, Player], int] = {}
        self._first_face_up: dict[Player, int] = {}
        self.cards: list[BoardCard] = []
        self.reference: int | None = None

    def lay(self, card: CardFacts, spot: Spot, presence: int, stats: int) -> None:
        """Put the card at the spot, unless the zone is full or there is nothing to equip."""
        player: Player = self._turn_player if spot.seat == "turn" else 1 if self._turn_player == 0 else 0
        match spot.place:
            case "monster":
                self._lay_monster(card, player, spot, spot.positions[presence % len(spot.positions)], stats)
            case "set":
                fresh = presence % 16 >= 16 - spot.fresh
                self._add(card, player, "spell-trap-zone", "face-down", turn_set=TURN_OF[self._turn_player] if fresh else None)
            case "face-up" if card.property == "field":
                if self._ruleset.one_field_spell_each or not any(zone == "field-zone" for zone, _ in self._count):
                    self._add(card, player, "field-zone", "face-up")
            case "face-up" if card.property == "equip":
                if player in self._first_face_up:
                    self._add(card, player, "spell-trap-zone", "face-up", equipped_to=self._first_face_up[player])
            case "face-up":
                self._add(card, player, "spell-trap-zone", "face-up")
            case "hand" | "graveyard" | "deck":
                self._add(card, player, spot.place, "face-up" if spot.place == "graveyard" else "face-down")

    def _lay_monster(self, card: CardFacts, player: Player, spot: Spot, position: Position, stats: int) -> None:
        value = _custom_value(self.reference, spot.like, stats) if is_custom(spot, stats) else None
        atk = def_ = None
        if value is not None:
            atk, def_ = (value, card.def_ or 0) if position == "face-up-attack" else (card.atk or 0, value)
        laid = self._add(card, player, "monster-zone", position, atk=atk, def_=def_)
        if laid is None:
            return
        if position != "face-down-defense":
            self._first_face_up.setdefault(player, laid.id)
        if self.reference is None and player == self._turn_player:
            self.reference = (card.atk or 0) if atk is None else atk

    def _add(
        self,
        card: CardFacts,
        player: Player,
        zone: Zone,
        position: Position,
        *,
        turn_set: int | None = None,
        equipped_to: int | None = None,
        atk: int | None = None,
        def_: int | None = None,
    ) -> BoardCard | None:
        index = self._count.get((zone, player), 0)
        if index >= ZONE_COUNT.get(zone, 60):
            return None
        self._count[zone, player] = index + 1
        laid = BoardCard(
            id=len(self.cards) + 1,
            passcode=card.passcode,
            owner=player,
            zone=zone,
            index=index,
            position=position,
            turn_set=turn_set,
            equipped_to=equipped_to,
            materials=(self._material,) * 2 if "xyz" in card.frame and zone == "monster-zone" and self._material else (),
            atk=atk,
            def_=def_,
        )
        self.cards.append(laid)
        return laid
