"""The decoder of the core's messages, on bytes that a core wrote."""

from __future__ import annotations

import struct

import pytest

from conformance.ocgcore.faults import CoreFault
from conformance.ocgcore.messages import (
    AskBattle,
    AskChain,
    Battle,
    Chaining,
    Damage,
    Location,
    Message,
    Move,
    NewPhase,
    Other,
    Win,
    decode,
)
from tests.conformance.ocgcore.duels import MAN_EATER_BUG, SHRINK
from tests.conformance.ocgcore.recorded import STREAMS, batches

RECORDED = sorted(path.stem for path in STREAMS.glob("*.json"))


def messages(name: str) -> list[Message]:
    """All messages of a recording."""
    return [message for batch in batches(name) for message in decode(batch)]


def record(body: bytes) -> bytes:
    """A batch of one message."""
    return struct.pack("<I", len(body)) + body


@pytest.mark.parametrize("name", RECORDED)
def test_every_recorded_byte_is_understood(name: str) -> None:
    """No message is longer or shorter than its kind, and each recording reaches the Battle Phase (phase 0x08)."""
    assert NewPhase(0x08) in messages(name)


def test_question_of_the_battle_step() -> None:
    """Blue-Eyes in the first and Kojikocy in the second Monster Zone may attack, not directly past a monster."""
    ask = next(message for message in messages("flip") if isinstance(message, AskBattle))
    assert ask == AskBattle(0, (), ((Location(0, 4, 0), False), (Location(0, 4, 1), False)), to_main_2=True, to_end=True)


def test_question_for_a_chain() -> None:
    """Shrink (55713623), set in the first Spell & Trap Zone of player 1, is offered; passing is possible."""
    ask = next(message for message in messages("shrink") if isinstance(message, AskChain) and message.offers)
    assert (ask.player, ask.forced, ask.triggers) == (1, False, False)
    assert [(offer.code, offer.at) for offer in ask.offers] == [(SHRINK, Location(1, 8, 0, 0xA))]


def test_damage_calculation_tells_the_printed_values() -> None:
    """Blue-Eyes (3000/2500) against Man-Eater Bug (450/600), face-up in Defense Position (4) by then."""
    battle = next(message for message in messages("flip") if isinstance(message, Battle))
    assert battle == Battle(Location(0, 4, 0, 1), 3000, 2500, Location(1, 4, 0, 4), 450, 600)


def test_destruction_by_battle_is_a_move_with_its_reasons() -> None:
    """The Bug goes to the Graveyard (0x10), destroyed (0x1) by battle (0x20)."""
    move = [message for message in messages("flip") if isinstance(message, Move)][-1]
    assert (move.code, move.origin.location, move.to.location, move.reason & 0x21) == (MAN_EATER_BUG, 4, 0x10, 0x21)


def test_chain_link_names_card_and_number() -> None:
    """Mirror Force is Chain Link 1, Seven Tools Chain Link 2."""
    links = [message for message in messages("mirror-force-negated") if isinstance(message, Chaining)]
    assert [(link.link, link.at.player) for link in links] == [(1, 1), (2, 0)]


def test_lethal_damage_is_followed_by_the_win() -> None:
    """2600 damage to player 1, who has 2000 Life Points: player 0 has won, by Life Points (1)."""
    told = [message for message in messages("lethal") if isinstance(message, Damage | Win)]
    assert told[:2] == [Damage(1, 2600), Win(0, 1)]


def test_message_of_no_use_is_kept_apart() -> None:
    """A kind nobody needs does not stop the stream."""
    assert list(decode(record(b"\xa0\x01\x02") + record(b"\x29\x08\x00"))) == [Other(0xA0), NewPhase(8)]


@pytest.mark.parametrize(
    "batch, said",
    [
        (record(b"\x29\x08"), "cut short"),
        (record(b"\x29\x08\x00\x00"), "has 4 bytes where 3 were expected"),
        (record(b"\x29\x08\x00")[:-1], "cut short|has 2 bytes"),
        (b"\x05\x00", "cut short"),
        (record(b""), "cut short"),
    ],
)
def test_broken_message_is_a_fault(batch: bytes, said: str) -> None:
    """Bytes that are no message of this API say so instead of being misread."""
    with pytest.raises(CoreFault, match=said):
        list(decode(batch))
