"""The strategy: one draw, nothing discarded, and examples that shrink to the smallest duel."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, find, given, settings
from hypothesis import strategies as st

from engine_protocol.cards import card_pool
from engine_protocol.errors import InputError
from engine_protocol.rulesets import OCG_2023
from strategies import FOCUSES, Duel, batches, duels
from strategies.duels import SCRIPT_SIZE, DuelDecoder
from strategies.focus import CALM, EVEN, LIVELY, LOUD, Voice
from strategies.menus import flip, plain

POOL = card_pool()
QUIET = settings(database=None, derandomize=True, suppress_health_check=list(HealthCheck))


def test_nothing_is_discarded() -> None:
    """Every example that Hypothesis asks for reaches the test: the share of discarded examples is 0."""
    asked = 0

    @settings(QUIET, max_examples=300, phases=[Phase.generate])
    @given(duels(OCG_2023, POOL))
    def count(duel: Duel) -> None:
        nonlocal asked
        asked += 1
        assert isinstance(duel, Duel)

    count()

    assert asked == 300


def test_examples_differ() -> None:
    """Hardly any duel comes twice."""
    seen: set[tuple[object, bytes]] = set()

    @settings(QUIET, max_examples=300, phases=[Phase.generate])
    @given(duels(OCG_2023, POOL, "DS-3"))
    def collect(duel: Duel) -> None:
        seen.add((tuple((card.passcode, card.zone, card.position) for card in duel.board.cards), duel.script))

    collect()

    assert len(seen) >= 294


def test_a_batch_is_as_random_as_single_duels() -> None:
    """Of 400 duels in 20 draws hardly any comes twice, every byte of a duel takes on many values, and their mean is that of even
    chances: within six times its standard deviation of 127.5.
    """
    drawn: list[bytes] = []

    @settings(QUIET, max_examples=21, phases=[Phase.generate])
    @given(batches(OCG_2023, POOL, "DS-3", size=20))
    def collect(batch: tuple[Duel, ...]) -> None:
        drawn.extend(duel.drawn for duel in batch if any(duel.drawn))

    collect()

    assert len(drawn) == 400
    assert len(set(drawn)) >= 395
    assert min(len(set(column)) for column in zip(*drawn, strict=True)) >= 150
    values = b"".join(drawn)
    assert abs(sum(values) / len(values) - 127.5) < 6 * 73.9 / len(values) ** 0.5


def test_the_simplest_batch_is_the_simplest_duel() -> None:
    """Hypothesis tries it first, and every duel of it is the smallest."""
    batch = find(batches(OCG_2023, POOL, "DS-3", size=3), lambda _: True, settings=QUIET)

    assert batch == (DuelDecoder(OCG_2023, POOL, "DS-3").duel(b""),) * 3


def test_the_simplest_duel_is_one_monster_and_no_choice() -> None:
    """What Hypothesis shrinks to when nothing matters."""
    duel = find(duels(OCG_2023, POOL), lambda _: True, settings=QUIET)

    assert duel.script == b""
    assert [plain(POOL[card.passcode]) for card in duel.board.cards] == [True]


def test_shrinking_drops_what_does_not_matter() -> None:
    """A duel that only needs a face-down flip monster and one loud choice ends with hardly anything else."""

    def needed(duel: Duel) -> bool:
        flips = [c for c in duel.board.cards if c.position == "face-down-defense" and flip(POOL[c.passcode])]
        return bool(flips) and any(duel.script)

    duel = find(duels(OCG_2023, POOL, "DS-3"), needed, settings=QUIET)

    assert len(duel.board.cards) == 2
    assert sum(number > 0 for number in duel.script) == 1
    assert duel.board.lp == (8000, 8000)


@given(st.binary(max_size=300))
def test_the_same_bytes_are_the_same_duel(data: bytes) -> None:
    """Decoding keeps no state: a second decoder reads the same."""
    first, second = (DuelDecoder(OCG_2023, POOL, "CH-2") for _ in range(2))

    assert first.duel(data) == second.duel(data) == first.duel(data)


def test_an_unknown_focus_is_named() -> None:
    """The message says which id is unknown."""
    with pytest.raises(InputError, match="'XX-9'"):
        duels(OCG_2023, POOL, "XX-9")


@pytest.mark.parametrize("voice", [CALM, EVEN, LIVELY, LOUD])
def test_the_lowest_byte_passes_in_every_voice(voice: Voice) -> None:
    """A zero byte is quiet play, however loud the voice."""
    assert voice.numbers()[0] == 0


def test_louder_voices_act_more() -> None:
    """Among two options, a pass and something to do, each voice acts more often than the one before."""
    acts = [sum(number % 2 for number in voice.numbers()) / 256 for voice in (CALM, EVEN, LIVELY, LOUD)]

    assert acts == sorted(acts)
    assert acts[0] < 0.4
    assert acts[-1] > 0.75


@pytest.mark.parametrize("options", range(2, 11))
def test_numbers_that_act_do_so_among_any_options(options: int) -> None:
    """A voice of nothing but acts never passes, whatever the number of options."""
    assert all(number % options for number in Voice(passes=0, bold=0, acts=16).numbers())


@pytest.mark.parametrize("options", range(2, 11))
def test_bold_numbers_pass_among_two_options_only(options: int) -> None:
    """So a player with two attackers attacks more often than one with a single trap uses it."""
    numbers = Voice(passes=0, bold=16, acts=0).numbers()

    assert {number % options == 0 for number in numbers} == {options == 2}


def test_an_opening_puts_passes_among_the_numbers() -> None:
    """Each sign of an opening is a pass or the next number, and all other numbers follow in their order."""
    decoder = DuelDecoder(OCG_2023, POOL, "DA-1")
    openings = FOCUSES["DA-1"].openings
    loud = bytes([255]) * decoder.size

    for which, opening in enumerate(openings):
        script = decoder.duel(loud[:6] + bytes([which]) + loud[7:]).script

        assert [number == 0 for number in script[: len(opening)]] == [sign == "0" for sign in opening]
        assert all(script[len(opening) :])
        assert len(script) == SCRIPT_SIZE + opening.count("0")


def test_the_voice_shapes_the_script() -> None:
    """The same bytes are a louder script in a louder voice."""
    decoder = DuelDecoder(OCG_2023, POOL, "BP-2")
    data = bytes(range(16, 256))

    acts = [
        sum(number % 2 for number in decoder.duel(data[:5] + bytes([voice]) + data[6:]).script)
        for voice, _ in enumerate(FOCUSES["BP-2"].voices)
    ]

    assert acts == sorted(acts)
    assert acts[0] < acts[-1]
