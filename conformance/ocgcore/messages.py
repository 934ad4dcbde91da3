"""The core's messages: bytes in, structs out.

A batch of messages is a sequence of records, each a 32-bit length and a body; the first byte of the body says which message it
is. A message that is of no use here comes out as :class:`Other`. All numbers are little-endian.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from typing import Final

from msgspec import Struct

from conformance.ocgcore.faults import CoreFault


class Location(Struct, frozen=True, gc=False):
    """Where a card is: controller, location, sequence, position (0 where the message does not tell it)."""

    player: int
    location: int
    sequence: int
    position: int = 0


class Message(Struct, frozen=True, gc=False):
    """Base of all messages."""


class Other(Message, frozen=True):
    """A message of no use here. ``number`` is its kind."""

    number: int


class Retry(Message, frozen=True):
    """The core did not accept the answer."""


class Hint(Message, frozen=True):
    """For the kind 1, ``value`` marks a window; see :mod:`conformance.ocgcore.windows`."""

    kind: int
    player: int
    value: int


class Win(Message, frozen=True):
    """The duel is over; ``player`` 2 is a draw, ``reason`` 2 a player who could not draw."""

    player: int
    reason: int


class Offer(Struct, frozen=True, gc=False):
    """An effect that may be activated: its card and the effect's description."""

    code: int
    at: Location
    description: int


class AskBattle(Message, frozen=True):
    """What the turn player may do in the Battle Step. ``attackers`` with whether a direct attack is possible."""

    player: int
    offers: tuple[Offer, ...]
    attackers: tuple[tuple[Location, bool], ...]
    to_main_2: bool
    to_end: bool


class AskChain(Message, frozen=True):
    """What a player may activate; ``forced``: one of them must be. ``triggers``: those that met their condition together."""

    player: int
    triggers: bool
    forced: bool
    offers: tuple[Offer, ...]


class AskEffect(Message, frozen=True):
    """Whether to use an effect of this card."""

    player: int
    code: int
    at: Location
    description: int


class AskYesNo(Message, frozen=True):
    """Yes or no."""

    player: int
    description: int


class AskOption(Message, frozen=True):
    """One of several possibilities."""

    player: int
    options: tuple[int, ...]


class AskCards(Message, frozen=True):
    """``least`` to ``most`` cards. ``weights``: for a Tribute, for how many each counts."""

    player: int
    cancelable: bool
    least: int
    most: int
    cards: tuple[Location, ...]
    weights: tuple[int, ...] = ()


class AskOneByOne(Message, frozen=True):
    """One card of ``cards`` (``chosen`` are those chosen before, which may be given back), or an end where that is allowed."""

    player: int
    finishable: bool
    cancelable: bool
    cards: tuple[Location, ...]
    chosen: tuple[Location, ...]


class AskPlace(Message, frozen=True):
    """``count`` zones. A set bit of ``taken`` is a zone that cannot be chosen: 7 and 8 of the player, from bit 16 the other's."""

    player: int
    count: int
    taken: int


class AskPosition(Message, frozen=True):
    """A battle position of those in ``positions``."""

    player: int
    positions: int


class AskOrder(Message, frozen=True):
    """An order of cards."""

    player: int


class NewTurn(Message, frozen=True):
    """A turn begins."""

    player: int


class NewPhase(Message, frozen=True):
    """A phase begins."""

    phase: int


class Move(Message, frozen=True):
    """A card went from one place to another. Location 0: it came into being, or is gone."""

    code: int
    origin: Location
    to: Location
    reason: int


class PositionChange(Message, frozen=True):
    """A card on the field changed its position."""

    at: Location
    before: int
    after: int


class Swap(Message, frozen=True):
    """Two cards on the field changed places."""

    first: Location
    second: Location


class Chaining(Message, frozen=True):
    """An effect is being activated as Chain Link ``link``; costs and targets follow."""

    code: int
    at: Location
    description: int
    link: int


class Chained(Message, frozen=True):
    """Chain Link ``link`` stands: costs are paid and targets are chosen."""

    link: int


class ChainSolving(Message, frozen=True):
    """Chain Link ``link`` begins to resolve."""

    link: int


class ChainSolved(Message, frozen=True):
    """Chain Link ``link`` has resolved."""

    link: int


class ChainEnd(Message, frozen=True):
    """The chain is over and used cards were sent."""


class ChainNegated(Message, frozen=True):
    """The activation of Chain Link ``link`` was negated."""

    link: int


class ChainDisabled(Message, frozen=True):
    """The effect of Chain Link ``link`` was negated."""

    link: int


class BecomeTarget(Message, frozen=True):
    """These cards were targeted."""

    cards: tuple[Location, ...]


class Draw(Message, frozen=True):
    """A player drew so many cards."""

    player: int
    codes: tuple[int, ...]


class ShuffleHand(Message, frozen=True):
    """A hand (or an Extra Deck) is in this order now."""

    player: int
    codes: tuple[int, ...]
    location: int


class Damage(Message, frozen=True):
    """A player lost Life Points."""

    player: int
    amount: int


class Recover(Message, frozen=True):
    """A player gained Life Points."""

    player: int
    amount: int


class PayLp(Message, frozen=True):
    """A player paid Life Points."""

    player: int
    amount: int


class LpUpdate(Message, frozen=True):
    """A player's Life Points are this now."""

    player: int
    total: int


class Equip(Message, frozen=True):
    """A card was equipped to another."""

    card: Location
    to: Location


class Attack(Message, frozen=True):
    """An attack; ``target`` has location 0 for a direct one."""

    attacker: Location
    target: Location


class Battle(Message, frozen=True):
    """Damage calculation: values, and who lost."""

    attacker: Location
    attacker_atk: int
    attacker_def: int
    target: Location
    target_atk: int
    target_def: int


class AttackDisabled(Message, frozen=True):
    """The attack was negated."""


class DamageStepStart(Message, frozen=True):
    """The Damage Step begins."""


class DamageStepEnd(Message, frozen=True):
    """The Damage Step is over."""


_TRIGGERS: Final = 0x7F
"""The number of special offers by which the core shows that it asks for Triggers."""

_LOCATION: Final = struct.Struct("<BBII")
_SHORT: Final = struct.Struct("<BBI")
_SHORTEST: Final = struct.Struct("<BBB")
_U16: Final = struct.Struct("<H")
_U32: Final = struct.Struct("<I")
_U64: Final = struct.Struct("<Q")


class _Reader:
    """Reads one body after another value."""

    __slots__ = ("at", "body")

    def __init__(self, body: bytes) -> None:
        self.body = body
        self.at = 1

    def u8(self) -> int:
        self.at += 1
        return self.body[self.at - 1]

    def u16(self) -> int:
        self.at += 2
        value: int = _U16.unpack_from(self.body, self.at - 2)[0]
        return value

    def u32(self) -> int:
        self.at += 4
        value: int = _U32.unpack_from(self.body, self.at - 4)[0]
        return value

    def u64(self) -> int:
        self.at += 8
        value: int = _U64.unpack_from(self.body, self.at - 8)[0]
        return value

    def location(self) -> Location:
        self.at += 10
        return Location(*_LOCATION.unpack_from(self.body, self.at - 10))

    def short(self) -> Location:
        self.at += 6
        return Location(*_SHORT.unpack_from(self.body, self.at - 6))

    def shortest(self) -> Location:
        self.at += 3
        return Location(*_SHORTEST.unpack_from(self.body, self.at - 3))

    def cards(self) -> tuple[Location, ...]:
        """Codes, which nobody needs, with locations."""
        cards = []
        for _ in range(self.u32()):
            self.at += 4
            cards.append(self.location())
        return tuple(cards)


def _battle(read: _Reader) -> AskBattle:
    player = read.u8()
    offers = []
    for _ in range(read.u32()):
        code, at, description = read.u32(), read.short(), read.u64()
        read.at += 1
        offers.append(Offer(code, at, description))
    attackers = []
    for _ in range(read.u32()):
        read.at += 4
        attackers.append((read.shortest(), bool(read.u8())))
    return AskBattle(player, tuple(offers), tuple(attackers), bool(read.u8()), bool(read.u8()))


def _chain(read: _Reader) -> AskChain:
    player, triggers, forced = read.u8(), read.u8() == _TRIGGERS, bool(read.u8())
    read.at += 8
    offers = []
    for _ in range(read.u32()):
        code, at, description = read.u32(), read.location(), read.u64()
        read.at += 1
        offers.append(Offer(code, at, description))
    return AskChain(player, triggers, forced, tuple(offers))


def _tribute(read: _Reader) -> AskCards:
    player, cancelable, least, most = read.u8(), bool(read.u8()), read.u32(), read.u32()
    cards, weights = [], []
    for _ in range(read.u32()):
        read.at += 4
        cards.append(read.short())
        weights.append(read.u8())
    return AskCards(player, cancelable, least, most, tuple(cards), tuple(weights))


def _position(read: _Reader) -> AskPosition:
    player = read.u8()
    read.at += 4
    return AskPosition(player, read.u8())


def _one_by_one(read: _Reader) -> AskOneByOne:
    player, finishable, cancelable = read.u8(), bool(read.u8()), bool(read.u8())
    read.at += 8
    return AskOneByOne(player, finishable, cancelable, read.cards(), read.cards())


def _chaining(read: _Reader) -> Chaining:
    code, at = read.u32(), read.location()
    read.at += 6
    return Chaining(code, at, read.u64(), read.u32())


def _battled(read: _Reader) -> Battle:
    attacker, atk, def_ = read.location(), read.u32(), read.u32()
    read.at += 1
    target, target_atk, target_def = read.location(), read.u32(), read.u32()
    read.at += 1
    return Battle(attacker, atk, def_, target, target_atk, target_def)


def _move(read: _Reader) -> Move:
    return Move(read.u32(), read.location(), read.location(), read.u32())


def _position_change(read: _Reader) -> PositionChange:
    read.at += 4
    return PositionChange(read.shortest(), read.u8(), read.u8())


def _swap(read: _Reader) -> Swap:
    read.at += 4
    first = read.location()
    read.at += 4
    return Swap(first, read.location())


def _draw(read: _Reader) -> Draw:
    player = read.u8()
    codes = []
    for _ in range(read.u32()):
        codes.append(read.u32())
        read.at += 4
    return Draw(player, tuple(codes))


def _order(read: _Reader) -> AskOrder:
    player = read.u8()
    read.at = len(read.body)
    return AskOrder(player)


def _shuffled(location: int) -> Callable[[_Reader], ShuffleHand]:
    return lambda read: ShuffleHand(read.u8(), tuple(read.u32() for _ in range(read.u32())), location)


_DECODERS: Final[dict[int, Callable[[_Reader], Message]]] = {
    1: lambda _: Retry(),
    2: lambda read: Hint(read.u8(), read.u8(), read.u64()),
    5: lambda read: Win(read.u8(), read.u8()),
    10: _battle,
    12: lambda read: AskEffect(read.u8(), read.u32(), read.location(), read.u64()),
    13: lambda read: AskYesNo(read.u8(), read.u64()),
    14: lambda read: AskOption(read.u8(), tuple(read.u64() for _ in range(read.u8()))),
    15: lambda read: AskCards(read.u8(), bool(read.u8()), read.u32(), read.u32(), read.cards()),
    16: _chain,
    18: lambda read: AskPlace(read.u8(), read.u8(), read.u32()),
    19: _position,
    20: _tribute,
    21: _order,
    24: lambda read: AskPlace(read.u8(), read.u8(), read.u32()),
    25: _order,
    26: _one_by_one,
    33: _shuffled(0x02),
    39: _shuffled(0x40),
    40: lambda read: NewTurn(read.u8()),
    41: lambda read: NewPhase(read.u16()),
    50: _move,
    53: _position_change,
    55: _swap,
    70: _chaining,
    71: lambda read: Chained(read.u8()),
    72: lambda read: ChainSolving(read.u8()),
    73: lambda read: ChainSolved(read.u8()),
    74: lambda _: ChainEnd(),
    75: lambda read: ChainNegated(read.u8()),
    76: lambda read: ChainDisabled(read.u8()),
    83: lambda read: BecomeTarget(tuple(read.location() for _ in range(read.u32()))),
    90: _draw,
    91: lambda read: Damage(read.u8(), read.u32()),
    92: lambda read: Recover(read.u8(), read.u32()),
    93: lambda read: Equip(read.location(), read.location()),
    94: lambda read: LpUpdate(read.u8(), read.u32()),
    100: lambda read: PayLp(read.u8(), read.u32()),
    110: lambda read: Attack(read.location(), read.location()),
    111: _battled,
    112: lambda _: AttackDisabled(),
    113: lambda _: DamageStepStart(),
    114: lambda _: DamageStepEnd(),
}

UNANSWERABLE: Final = frozenset({11, 22, 23, 132, 140, 141, 142, 143})
"""Questions that no card of the pool, and no Battle Phase, asks."""


def decode(batch: bytes) -> Iterator[Message]:
    """The messages of a batch.

    Raises:
        CoreFault: a message is cut short, or longer than its kind is, so this is a core of another kind.
    """
    at = 0
    while at < len(batch):
        try:
            (length,) = _U32.unpack_from(batch, at)
            body = batch[at + 4 : at + 4 + length]
            at += 4 + length
            decoder = _DECODERS.get(body[0])
            if decoder is None:
                yield Other(body[0])
                continue
            read = _Reader(body)
            message = decoder(read)
        except (struct.error, IndexError):
            raise CoreFault(f"a message of the core is cut short: {batch[:64].hex()}") from None
        if read.at != len(body) or len(body) != length:
            raise CoreFault(f"message {body[0]} of the core has {len(body)} bytes where {read.at} were expected")
        yield message
