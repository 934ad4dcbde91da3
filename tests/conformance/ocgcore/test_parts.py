"""The parts of the adapter that need no duel."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from conformance.ocgcore.cards_db import CardDatabase
from conformance.ocgcore.core import Registered
from conformance.ocgcore.effects import UNKNOWN, EffectNumbers
from conformance.ocgcore.lua import MARK
from conformance.ocgcore.messages import Hint, Location, Move
from conformance.ocgcore.reasons import reason_of
from conformance.ocgcore.scan import States
from conformance.ocgcore.scripts import Scripts
from conformance.ocgcore.table import Table, TableCard, core_place, place_of
from conformance.ocgcore.windows import window_of
from engine_protocol.board import Board
from engine_protocol.cards import card_pool
from engine_protocol.errors import EngineUnavailable
from engine_protocol.events import Place, StatusChanged
from engine_protocol.vocabulary import Player, Zone

LINK = 0x4000001
COLUMNS = "id, ot, alias, setcode, type, atk, def, level, race, attribute, category"


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """A card database with a monster of two archetypes, a Pendulum Monster's scales, a Link Monster, and a token."""
    path = tmp_path / "cards.cdb"
    with sqlite3.connect(path) as connection:
        connection.execute(f"create table datas ({COLUMNS})")
        rows = [
            (100, 3, 0, 0x0008_0005, 0x21, 1800, 1200, 4, 1, 32, 0),
            (101, 3, 0, 0, 0x4011, 0, 0, 1, 1, 32, 0),
            (200, 3, 0, 0, 0x1000021, 1000, 900, 0x0109_0004, 1, 32, 0),
            (300, 3, 0, 0, LINK, 2300, 0x2A, 3, 1, 32, 0),
        ]
        connection.executemany("insert into datas values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
    connection.close()
    return path


class TestCardDatabase:
    def test_facts_are_unpacked(self, database: Path) -> None:
        """Archetypes, scales and Link markers share columns with other facts."""
        cards = CardDatabase((str(database),))
        monster, pendulum, link = cards.get(100), cards.get(200), cards.get(300)
        assert monster is not None
        assert pendulum is not None
        assert link is not None
        assert monster.setcodes[0:3] == [5, 8, 0]
        assert (pendulum.level, pendulum.left_scale, pendulum.right_scale) == (4, 1, 9)
        assert (link.defense, link.link_marker) == (0, 0x2A)

    def test_custom_stats_are_another_card_of_the_same_name(self, database: Path) -> None:
        """The copy has the new values and counts as the original; its token comes along; equal values need no copy."""
        cards = CardDatabase((str(database),))
        code = cards.with_stats(100, 2100, 0)
        made = cards.get(code)
        assert made is not None
        assert (made.attack, made.defense, made.alias, cards.original[code]) == (2100, 0, 100, 100)
        assert cards.original[code + 1] == 101
        assert cards.with_stats(100, 2100, 0) == code
        assert cards.with_stats(100, 1800, 1200) == 100

    def test_folder_means_all_its_databases(self, database: Path) -> None:
        """EDOPro keeps several."""
        assert 300 in CardDatabase((str(database.parent),))

    @pytest.mark.parametrize(
        "make, said",
        [
            (lambda path: path / "none.cdb", "there is no card database"),
            (lambda path: path, r"holds no card database \(\*\.cdb\)"),
            (lambda path: _text(path / "text.cdb"), "is no card database"),
        ],
    )
    def test_unusable_database_is_explained(self, tmp_path: Path, make, said: str) -> None:  # type: ignore[no-untyped-def]
        """What is wrong is said in one line."""
        with pytest.raises(EngineUnavailable, match=said):
            CardDatabase((str(make(tmp_path)),))


def _text(path: Path) -> Path:
    path.write_text("no database")
    return path


class TestScripts:
    def test_scripts_of_other_games_come_last(self, tmp_path: Path) -> None:
        """A script is found in any folder below, but rather in one for the usual game."""
        for place in ("", "official", "goat"):
            (tmp_path / place).mkdir(exist_ok=True)
        for name in ("constant.lua", "utility.lua"):
            (tmp_path / name).write_text("")
        (tmp_path / "goat" / "c1.lua").write_text("goat")
        (tmp_path / "official" / "c1.lua").write_text("official")
        (tmp_path / "goat" / "c2.lua").write_text("only there")
        scripts = Scripts((str(tmp_path),))
        assert (scripts.text("c1.lua"), scripts.text("c2.lua"), scripts.text("c3.lua")) == (b"official", b"only there", None)

    def test_folder_without_the_utility_scripts_is_refused(self, tmp_path: Path) -> None:
        """Nothing works without them."""
        with pytest.raises(EngineUnavailable, match=r"has no constant\.lua"):
            Scripts((str(tmp_path),))
        with pytest.raises(EngineUnavailable, match="there is no script folder"):
            Scripts((str(tmp_path / "none"),))


class TestTable:
    @pytest.mark.parametrize(
        "zone, player, index, place",
        [
            ("monster-zone", 0, 4, (4, 4)),
            ("extra-monster-zone", 0, 1, (4, 6)),
            ("extra-monster-zone", 1, 1, (4, 5)),
            ("field-zone", 1, 0, (8, 5)),
            ("graveyard", 0, 0, (0x10, 0)),
        ],
    )
    def test_zones_and_places(self, zone: Zone, player: Player, index: int, place: tuple[int, int]) -> None:
        """The two shared Extra Monster Zones are counted by each player from their own left; the way back agrees."""
        assert core_place(zone, player, index) == place
        back = place_of(Location(player, *place, 1), player)
        assert (back.player, back.zone, back.index) == (player, zone, index)

    def test_cards_below_move_up_in_a_pile(self) -> None:
        """When a card leaves a pile the sequences of those above it fall by one."""
        table = Table()
        for number in (1, 2, 3):
            table.add(TableCard(number, 10 + number, 0), Location(0, 0x10, 0xFFFF, 1))
        table.move(Location(0, 0x10, 0), Location(0, 0x20, 0, 1))
        assert [table.card(Location(0, 0x10, sequence)).id for sequence in (0, 1)] == [2, 3]
        assert table.cards[1].place == Place(0, "banished")

    def test_shuffled_hand_is_known_by_its_cards(self) -> None:
        """Different cards are told apart by their codes; equal ones keep their order."""
        table = Table()
        for number, code in ((1, 10), (2, 20), (3, 10)):
            table.add(TableCard(number, code, 0), Location(0, 2, 0xFFFF, 8))
        table.shuffle(0, 2, (20, 10, 10), {})
        assert [table.card(Location(0, 2, sequence)).id for sequence in range(3)] == [2, 1, 3]


@pytest.mark.parametrize(
    "origin, to, bits, reason",
    [
        (4, 0x10, 0x21, "destroyed-by-battle"),
        (4, 0x20, 0x4000021, "destroyed-by-battle"),
        (4, 0x10, 0x41, "destroyed-by-effect"),
        (8, 0x10, 0x401, "destroyed-by-rule"),
        (4, 0x10, 0x82, "tributed"),
        (2, 0x10, 0x4080, "discarded"),
        (2, 0x10, 0x80, "cost"),
        (8, 0x10, 0x400, "used"),
        (4, 0x10, 0x400, "destroyed-by-rule"),
        (4, 2, 0x40, "returned-by-effect"),
        (1, 2, 0x40, "added-by-effect"),
        (1, 4, 0x840, "special-summoned"),
        (2, 8, 0, "activated"),
        (4, 0x20, 0x40, "banished-by-effect"),
        (1, 0x10, 0x40, "sent-by-effect"),
    ],
)
def test_reasons_of_moves(origin: int, to: int, bits: int, reason: str) -> None:
    """The core's reason bits, with where from and where to, make the protocol's reasons."""
    assert reason_of(Move(1, Location(0, origin, 0), Location(0, to, 0), bits)) == reason


def test_windows_by_hints() -> None:
    """Hints of kind 1 mark windows, other kinds with the same number do not."""
    assert [window_of(Hint(1, 0, number)) for number in (24, 40, 41, 42, 43, 44, 25, 28)] == [
        "after-declaration",
        "damage-start",
        "before-calculation",
        "during-calculation",
        "after-calculation",
        "damage-end",
        "end-step",
        "start-step",
    ]
    assert window_of(Hint(3, 0, 44)) is None
    assert window_of(Hint(1, 0, 27)) is None


def test_conditions_are_told_when_they_begin_and_end() -> None:
    """A monster of player 1 can, then cannot, then can be selected as an attack target (512); its ATK stays the printed 1400."""
    guardian = card_pool().named("Celtic Guardian").passcode
    table = Table()
    table.add(TableCard(7, guardian, 1), Location(1, 4, 2, 1))
    states = States(Board(ruleset="ocg-2023", cards=()), table, card_pool())
    told = [list(states.take(f"1,2,{bits},1400,1200;0")) for bits in (0, 512, 512, 0)]
    began, ended = (StatusChanged("cannot-be-attacked", active, card=7) for active in (True, False))
    assert told == [[], [began], [], [ended]]


class TestEffectNumbers:
    def test_kinds_match(self) -> None:
        """Juragedo's first effect works in the hand (2), its second on the field (4); both are Quick Effects (0x100)."""
        numbers = EffectNumbers()
        card = card_pool().named("Juragedo")
        numbers.learn(card, [Registered(1, 0x102, 2), Registered(2, 0x102, 4)])
        assert [numbers.number(card.passcode, MARK | mark) for mark in (1, 2, 3)] == [1, 2, UNKNOWN]
        assert numbers.kind(card.passcode, MARK | 1) == "quick"

    def test_description_of_somebody_else_is_no_mark(self) -> None:
        """A description that was not set here names no effect."""
        numbers = EffectNumbers()
        card = card_pool().named("Mirror Force")
        numbers.learn(card, [Registered(1, 0x10, 8)])
        assert numbers.number(card.passcode, MARK | 1) == 1
        assert numbers.number(card.passcode, 1) == UNKNOWN

    def test_triggers_of_a_summon_are_apart(self) -> None:
        """B.E.S. Crystal Core triggers when it is Summoned (effect 1) and, in two pieces of its script, when it battles (3)."""
        numbers = EffectNumbers()
        card = card_pool().named("B.E.S. Crystal Core")
        numbers.learn(card, [Registered(1, 0x201, 0, 1100), Registered(2, 0x201, 0, 1141), Registered(3, 0x201, 0, 1141)])
        assert [numbers.number(card.passcode, MARK | mark) for mark in (1, 2, 3)] == [1, 3, 3]

    def test_doubt_is_no_number(self) -> None:
        """Two Quick Effects from the same place, of which the script registers three, cannot be told apart."""
        numbers = EffectNumbers()
        card = card_pool().named("Juragedo")
        numbers.learn(card, [Registered(mark, 0x102, 6) for mark in (1, 2, 3)])
        assert numbers.number(card.passcode, MARK | 1) == UNKNOWN
        assert numbers.doubtful == {card.passcode}
