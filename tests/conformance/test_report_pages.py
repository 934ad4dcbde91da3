"""`duelproof check --html` and `duelproof report`: from runs to a page."""

from __future__ import annotations

from pathlib import Path

from click.testing import CliRunner, Result

from conformance.cli import CONFORMS, INPUT_ERROR, VIOLATIONS, cli

ATTACKS_TWICE = "python:tests.faults.engines:attacks-twice"


def run(*arguments: str | Path) -> Result:
    """The command line in this process."""
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


def checked(folder: Path, engine: str, status: int) -> Path:
    """The JSON report of a short run; beside it is the page of the same run."""
    json_file = folder / "r.json"
    folder.mkdir()
    result = run(
        *("check", "--engine", engine, "--rules", "AT-2,N-013*", "--examples", "60", "--workers", "1"),
        *("--findings", folder / "findings", "--json", json_file, "--html", folder / "page"),
    )
    assert result.exit_code == status, result.output
    return json_file


def test_runs_side_by_side(tmp_path: Path) -> None:
    """A violation's page has its rule, duel and command; the page of two reports has a column for each."""
    faulty = checked(tmp_path / "faulty", ATTACKS_TWICE, VIOLATIONS)
    sound = checked(tmp_path / "sound", "reference", CONFORMS)
    alone = (tmp_path / "faulty" / "page" / "index.html").read_text("utf-8")
    assert 'id="rule=AT-2"' in alone
    assert 'id="film-1"' in alone
    assert f"AT-2.duel.json --engine {ATTACKS_TWICE}" in alone
    assert f"N-013-direct-attack.duel.json --engine {ATTACKS_TWICE}" in alone

    result = run("report", faulty, sound, "--html", tmp_path / "both")
    assert (result.exit_code, result.stdout) == (0, f"{tmp_path / 'both' / 'index.html'}: 2 reports\n")
    both = (tmp_path / "both" / "index.html").read_text("utf-8")
    assert both.count('<article class="run ') == 2
    assert 'data-tags="conforms violated differs"' in both


def test_bad_reports_are_refused(tmp_path: Path) -> None:
    """A file that is no report is a sentence on stderr and status 2, and no page is written."""
    (tmp_path / "odd.json").write_text('{"header": 1}')
    result = run("report", tmp_path / "odd.json", "--html", tmp_path / "page")
    assert result.exit_code == INPUT_ERROR
    assert "odd.json is no report of `duelproof check --json`" in result.stderr
    assert not (tmp_path / "page").exists()
