"""A whole core with its scripts and cards; skipped unless the variables of :mod:`tests.conformance.ocgcore.library` are set."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from conformance.cli import cli
from conformance.duel_files import read_duel_file
from conformance.engines import open_engine
from conformance.ocgcore.core import Core, open_core
from conformance.ocgcore.faults import CoreFault
from engine_protocol.board import Board, BoardCard
from engine_protocol.cards import card_pool
from engine_protocol.client import StdioEngine
from engine_protocol.driver import play
from engine_protocol.errors import BoardNotSupported, EngineCrash
from engine_protocol.events import DamageCalculated, StatChanged, TimingBegan
from tests.conformance.ocgcore.duels import BLUE_EYES, DUELS, KOJIKOCY
from tests.conformance.ocgcore.library import LIBRARY, SPEC, needs_core
from tests.conformance.ocgcore.recorded import played_back

pytestmark = needs_core


@pytest.fixture
def engine() -> Iterator[StdioEngine]:
    """The core in its process."""
    engine = open_engine(SPEC, timeout=10.0)
    assert isinstance(engine, StdioEngine)
    engine.initialize()
    yield engine
    engine.close()


def test_first_look_finds_nothing_wrong() -> None:
    """Every message holds against its schema."""
    result = CliRunner().invoke(cli, ["smoke", "--engine", SPEC])
    assert result.exit_code == 0, result.output
    assert "All is well" in result.output


@pytest.mark.parametrize("name", DUELS)
def test_core_still_plays_what_was_recorded(name: str, engine: StdioEngine) -> None:
    """Today's core, scripts and cards bring the events of the recording, and bring them twice."""
    board, script = DUELS[name]
    for _ in range(2):
        assert play(engine, board, script).events == played_back(name)


def test_monsters_may_have_any_values(engine: StdioEngine) -> None:
    """Custom ATK and DEF reach the core through its card reader: 1234 against 1233, and a known card keeps its effect."""
    cards = (
        BoardCard(id=1, passcode=BLUE_EYES, owner=0, zone="monster-zone", position="face-up-attack", atk=1234, def_=0),
        BoardCard(id=2, passcode=KOJIKOCY, owner=1, zone="monster-zone", position="face-up-attack", atk=1233, def_=1),
    )
    events = play(engine, Board(ruleset="ocg-2023", cards=cards), (1,)).events
    assert DamageCalculated(1, 2, 1234, 1233, (0, 1)) in events


def test_equips_apply_from_the_start(engine: StdioEngine) -> None:
    """Ceal lowers the equipped monster's ATK by 1000: the 3000 of Blue-Eyes are 2000 when the Start Step has begun."""
    ceal = card_pool().named("Shooting Star Bow - Ceal").passcode
    cards = (
        BoardCard(id=1, passcode=BLUE_EYES, owner=0, zone="monster-zone", position="face-up-attack"),
        BoardCard(id=2, passcode=ceal, owner=0, zone="spell-trap-zone", equipped_to=1),
    )
    events = play(engine, Board(ruleset="ocg-2023", cards=cards), ()).events
    assert events[:2] == (TimingBegan("start-step"), StatChanged(1, 2000, 2500))


def test_board_the_core_changes_is_refused(engine: StdioEngine) -> None:
    """Spirit Reaper with an Equip Card is destroyed before the Battle Phase begins, so there is no such board."""
    reaper, ceal = (card_pool().named(name).passcode for name in ("Spirit Reaper", "Shooting Star Bow - Ceal"))
    cards = (
        BoardCard(id=1, passcode=reaper, owner=0, zone="monster-zone", position="face-up-attack"),
        BoardCard(id=2, passcode=ceal, owner=0, zone="spell-trap-zone", equipped_to=1),
    )
    with pytest.raises(BoardNotSupported, match="leaves its place before the Battle Phase begins"):
        engine.start(Board(ruleset="ocg-2023", cards=cards))


def test_violation_is_reproduced_by_replay(tmp_path: Path) -> None:
    """Every duel file that a run leaves behind is violated again when it is replayed."""
    report = tmp_path / "out.json"
    findings = tmp_path / "findings"
    arguments = ["check", "--engine", SPEC, "--rules", "BP-5,DA-4,CH-4", "--examples", "20", "--workers", "1"]
    result = CliRunner().invoke(cli, [*arguments, "--json", str(report), "--findings", str(findings)])
    assert result.exit_code in (0, 1), result.output
    assert json.loads(report.read_text())["footer"]
    for file in sorted(findings.glob("*.duel.json")):
        rule = read_duel_file(file).source.rule
        again = CliRunner().invoke(cli, ["replay", str(file), "--engine", SPEC])
        assert again.exit_code == 1, again.output
        assert rule is None or rule in again.output


def _with_script(folder: Path, code: int, script: str) -> Core:
    """The core with one script replaced by another."""
    assert LIBRARY is not None
    library, scripts, cards = LIBRARY
    (folder / f"c{code}.lua").write_text(script)
    for name in ("constant.lua", "utility.lua"):
        found = next(path for place in scripts for path in sorted(Path(place).rglob(name)))
        (folder / name).write_bytes(found.read_bytes())
    return open_core(library, (str(folder), *scripts), cards)


def test_script_with_an_error_is_one_line(tmp_path: Path) -> None:
    """A script that fails in a duel ends that duel with the script's own complaint; the card is not claimed."""
    core = _with_script(tmp_path, 54652250, "local s,id=GetID()\nfunction s.initial_effect(c) error('no such luck') end")
    duel = core.begin(0, (8000, 8000), 1)
    duel.add(54652250, 0, 0, 4, 0, 1)
    with pytest.raises(CoreFault, match=r"a script failed: .*no such luck") as raised:
        core.check()
    assert "\n" not in str(raised.value)
    assert 54652250 not in core.registered((54652250,))
    core.close()


def test_card_that_nobody_knows_is_one_line() -> None:
    """The core asks for a card that the database lacks."""
    assert LIBRARY is not None
    core = open_core(*LIBRARY)
    duel = core.begin(0, (8000, 8000), 1)
    duel.add(1, 0, 0, 4, 0, 1)
    with pytest.raises(CoreFault, match="the card database has no card 1"):
        core.check()
    core.close()


def test_core_that_crashes_ends_its_process_only(engine: StdioEngine) -> None:
    """A segmentation fault is a crash of that duel, told in one line; the engine starts anew."""
    board, script = DUELS["flip"]
    assert engine.pid is not None
    os.kill(engine.pid, signal.SIGSEGV)
    with pytest.raises(EngineCrash, match="SIGSEGV") as raised:
        play(engine, board, script)
    assert "\n" not in str(raised.value)
    engine.initialize()
    assert play(engine, board, script).events == played_back("flip")
