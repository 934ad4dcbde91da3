"""The report as Markdown, read by a parser for the dialect that GitHub shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token
from msgspec.structs import replace

from engine_protocol.errors import InputError
from reports.markdown import LONGEST, markdown, write_markdown
from reports.model import EngineIdentity, Finding, Footer, Report, Standing
from tests.reports.gated import STALE, gated
from tests.reports.samples import report

HTML = {"<details>", "</details>", "<summary>", "</summary>"}
HOSTILE = (
    "<script>alert(1)</script> </details> [a](http://example.invalid) ![i](x) `c` ```\n```\n# h\n| a | b |\n@team #12 "
    "https://example.invalid www.example.invalid *e* _e_ &lt; <!-- $x$ ~~d~~ \\"
)
KNOWN, NEW, DRIFT = Standing(state="known", reason="bug 7"), Standing(state="new"), Standing(state="drift", reason="listed as x")


def parsed(text: str) -> list[Token]:
    """The tokens of a text, those inside of lines behind the line."""
    reader = MarkdownIt("commonmark").enable(["table", "strikethrough"])
    return [token for outer in reader.parse(text) for token in (outer, *(outer.children or ()))]


def tags(text: str) -> set[str]:
    """The HTML that is left in a text."""
    raw = " ".join(token.content for token in parsed(text) if token.type in {"html_block", "html_inline"})
    return set(re.findall(r"<[^>]*>", raw))


def rows(text: str) -> list[int]:
    """How many cells each row of each table has."""
    counts: list[int] = []
    for token in parsed(text):
        if token.type == "tr_open":
            counts.append(0)
        elif token.type in {"td_open", "th_open"}:
            counts[-1] += 1
    return counts


def hostile() -> Report:
    """The sample, in which everything that others say is hostile."""
    finding = Finding(rule="DS-3", expected=HOSTILE, happened=HOSTILE, story=HOSTILE, replay=HOSTILE, file=HOSTILE)
    plain = report()
    return replace(
        plain,
        header=replace(plain.header, engine=EngineIdentity(name=HOSTILE, version=HOSTILE)),
        rules=tuple(replace(rule, title=HOSTILE, violations=(finding,) if rule.violations else ()) for rule in plain.rules),
        rulings=tuple(replace(one, title=HOSTILE, problems=(HOSTILE,)) for one in plain.rulings),
        footer=Footer(complete=True, examples=1, seconds=1.0),
    )


def test_summary_tells_the_result_and_the_findings() -> None:
    """The result first, then each finding with its story folded away, and all rules in a table."""
    text = markdown(report())
    assert text.startswith("## ❌ duelproof: ")
    assert "**Violations found.**" in text
    assert "- Rules: 1 conform, 2 violated, 1 not observed, 1 unsupported" in text
    assert "### DS-3 Flipped by battle" in text
    assert "- **Replay:** `duelproof replay f/DS-3.duel.json --engine reference`" in text
    assert "```text\nPlayer A: 8000 LP\n```" in text
    assert rows(text) == [3, 3] + [4] * 6
    assert tags(text) <= HTML


def test_foreign_text_is_only_text() -> None:
    """What an engine says makes no markup, link, mention or further cell, and closes no block."""
    text = markdown(hostile())
    kinds = {token.type for token in parsed(text)}
    assert kinds.isdisjoint({"link_open", "image", "em_open", "s_open"})
    assert tags(text) <= HTML
    assert rows(text) == [3, 3] + [4] * 6
    prose = " ".join(token.content for token in parsed(text) if token.type == "text")
    assert re.findall(r"@\w|#\d|://|www\.", prose) == []
    assert sum(token.type == "heading_open" for token in parsed(text)) == 5


def test_summary_fits_into_a_comment() -> None:
    """Findings that would make it too long are counted, not cut in half."""
    finding = Finding(rule="DS-3", expected="a", happened="b", story="x" * 10_000)
    rules = tuple(replace(rule, violations=(finding,) * 40) if rule.id == "DS-3" else rule for rule in report().rules)
    text = markdown(report(rules=rules))
    assert len(text) <= LONGEST
    shown = text.count("### DS-3")
    assert 0 < shown < 40
    assert f"{41 - shown} further violations would not fit" in text
    assert tags(text) <= HTML


@pytest.mark.parametrize(
    "told, result",
    [
        (report(footer=None), "**Violations found.**"),
        (report(rules=(), rulings=(), engine_failures=(), footer=None), "**Incomplete: the run did not reach its end.**"),
        (report(rules=(), rulings=(), engine_failures=()), "**No violations found.**"),
        (gated(KNOWN, KNOWN, KNOWN), "**No new violations.**"),
        (gated(KNOWN, NEW, KNOWN), "**Not as the baseline has it.**"),
        (gated(KNOWN, KNOWN, KNOWN, stale=(STALE,), strict=True), "**Not as the baseline has it.**"),
    ],
)
def test_result(told: Report, result: str) -> None:
    """One sentence; a run that was cut short never reads as passed, and a known violation never as failed."""
    assert result in markdown(told)


def test_baseline_is_told() -> None:
    """What is known is folded away with its reason, what is new or drifted has a section, what is fixed is listed."""
    text = markdown(gated(KNOWN, NEW, DRIFT, stale=(STALE,)))
    assert "Baseline `known.json`: 1 new, 1 failing otherwise than known, 1 known; 1 listed one is fixed." in text
    assert "| DS-3 | Man-Eater Bug was activated \\\\x1b\\[31mtoo soon\\\\x00 | bug 7 |" in text
    assert "### DS-3" not in text
    assert "### IV-4 Robustness (new)" in text
    assert "| M-045 (failing otherwise than known) |" in text
    assert "| BP-2 | expected: the Battle Step; happened: the End Step | bug 4 |" in text


def test_unwritable_file_is_said(tmp_path: Path) -> None:
    """A file that cannot be written is named."""
    with pytest.raises(InputError, match=r"the Markdown report cannot be written to .*no-such-folder"):
        write_markdown(report(), tmp_path / "no-such-folder" / "m.md")
