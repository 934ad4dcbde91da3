"""The gate as a project uses it: a fault comes in, is accepted for a time, and is fixed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from conformance.cli import CONFORMS, INPUT_ERROR, VIOLATIONS, cli

ATTACKS_TWICE = "python:tests.faults.engines:attacks-twice"


def check(folder: Path, engine: str, *options: str, **variables: str) -> Result:
    """A short run with the baseline of the folder."""
    files = ("--baseline", str(folder / "known.json"), "--findings", str(folder / "findings"))
    arguments = ("check", "--engine", engine, "--rules", "AT-2,N-013*", "--examples", "30", "--workers", "1", *files, *options)
    return CliRunner().invoke(cli, arguments, env={"GITHUB_ACTIONS": None, **variables})


def listed(folder: Path) -> list[str]:
    """The ids in the baseline."""
    return [known["id"] for known in json.loads((folder / "known.json").read_text("utf-8"))["known"]]


def test_gate(tmp_path: Path) -> None:
    """Green; a fault fails; accepted, it passes; failing otherwise, it fails; fixed, it is told, and fails strictly."""
    green = check(tmp_path, "reference", "--update-baseline")
    assert (green.exit_code, listed(tmp_path)) == (CONFORMS, []), green.output

    introduced = check(tmp_path, ATTACKS_TWICE)
    assert introduced.exit_code == VIOLATIONS, introduced.output
    assert "Baseline: new" in introduced.stdout
    assert "New violations found." in introduced.stdout

    accepted = check(tmp_path, ATTACKS_TWICE, "--update-baseline")
    assert (accepted.exit_code, listed(tmp_path)) == (CONFORMS, ["AT-2", "N-013-direct-attack"]), accepted.output
    known = (tmp_path / "known.json").read_text("utf-8").replace("not explained yet", "bug 7")
    (tmp_path / "known.json").write_text(known, "utf-8")

    tolerated = check(tmp_path, ATTACKS_TWICE, "--strict-baseline", "--seed", "1", "--json", str(tmp_path / "r.json"))
    assert tolerated.exit_code == CONFORMS, tolerated.output
    assert "Known:    AT-2: bug 7" in tolerated.stdout
    assert "Baseline: new" not in tolerated.stdout
    report = json.loads((tmp_path / "r.json").read_text("utf-8"))
    assert report["rules"][0]["violations"][0]["standing"] == {"state": "known", "reason": "bug 7"}

    # As if what is tolerated were another attack after one that was negated.
    (tmp_path / "known.json").write_text(known.replace("(battled)", "(negated)"), "utf-8")
    drifted = check(tmp_path, ATTACKS_TWICE)
    assert drifted.exit_code == VIOLATIONS, drifted.output
    assert drifted.stdout.count("Baseline: failing otherwise than known: listed as ") == 2

    fixed = check(tmp_path, "reference", "--strict-baseline")
    assert fixed.exit_code == VIOLATIONS, fixed.output
    assert "no violations; 2 listed ones are fixed" in fixed.stdout
    assert check(tmp_path, "reference", "--strict-baseline", "--update-baseline").exit_code == CONFORMS
    assert listed(tmp_path) == []


def test_all_reports_of_a_faulty_engine(tmp_path: Path) -> None:
    """Every form is written, tells the violation, and in GitHub Actions annotations follow after the muted output."""
    names = {
        "--json": "r.json",
        "--junit": "j.xml",
        "--sarif": "s.json",
        "--markdown": "m.md",
        "--badge": "b.json",
        "--html": "page",
    }
    options = [word for option, name in names.items() for word in (option, str(tmp_path / name))]
    (tmp_path / "known.json").write_text('{"ruleset": "ocg-2023"}', "utf-8")
    result = check(tmp_path, ATTACKS_TWICE, *options, GITHUB_ACTIONS="true")
    assert result.exit_code == VIOLATIONS, result.output
    files = [tmp_path / name if name != "page" else tmp_path / "page" / "index.html" for name in names.values()]
    told = {path.name: path.read_text("utf-8") for path in files}
    assert [name for name, text in told.items() if "AT-2" not in text] == ["b.json"]
    assert json.loads(told["b.json"])["message"] == "0/1 rule"
    lines = result.stdout.splitlines()
    assert lines[0].startswith("::stop-commands::")
    assert lines.index(f"::{lines[0].rpartition('::')[2]}::") < next(
        n for n, line in enumerate(lines) if line.startswith("::error ")
    )


def test_same_seed_gives_the_same_report(tmp_path: Path) -> None:
    """Apart from times, two runs say the same, counterexamples and all, whatever the number of workers; the seed is printed."""
    reports = []
    (tmp_path / "known.json").write_text('{"ruleset": "ocg-2023"}', "utf-8")
    for workers in ("1", "2"):
        result = check(tmp_path, ATTACKS_TWICE, "--workers", workers, "--seed", "7", "--json", str(tmp_path / "r.json"))
        assert "seed 7" in result.stdout
        report = json.loads((tmp_path / "r.json").read_text("utf-8"))
        del report["header"]["started"], report["footer"]["seconds"]
        report["header"]["settings"].pop("workers", None)
        reports.append(report)
    assert reports[0]["rules"][0]["violations"][0]["duel"]["choices"]
    assert reports[0] == reports[1]


@pytest.mark.parametrize(
    "options, said",
    [
        (("--update-baseline",), "--update-baseline needs --baseline"),
        (("--strict-baseline",), "--strict-baseline needs --baseline"),
        (("--baseline", "none.json"), "there is no baseline none.json; --update-baseline makes one"),
    ],
)
def test_bad_options_are_refused_before_the_run(options: tuple[str, ...], said: str) -> None:
    """Nobody waits for a run to learn that its baseline is missing."""
    result = CliRunner().invoke(cli, ["check", *options])
    assert (result.exit_code, said in result.stderr) == (INPUT_ERROR, True)


def test_run_cut_short_leaves_the_baseline_alone(tmp_path: Path) -> None:
    """What was not seen is not fixed."""
    before = '{"ruleset": "ocg-2023", "known": [{"id": "AT-2", "shape": "a", "reason": "bug 7"}]}'
    (tmp_path / "known.json").write_text(before, "utf-8")
    dies = "python:tests.conformance.miniatures:Dies"
    result = check(tmp_path, dies, "--update-baseline")
    assert result.exit_code == VIOLATIONS, result.output
    assert "stays as it was" in result.stdout
    assert (tmp_path / "known.json").read_text("utf-8") == before
