"""The page: its structure, what stands on it, and that nothing on it can run but its own script."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Callable
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from msgspec.structs import replace

from engine_protocol.errors import InputError
from reports.html import write_html
from reports.html.site import embedded, render
from reports.json_report import read_json, write_json
from reports.model import Footer, Report, Standing
from tests.reports.gated import gated
from tests.reports.pictures import HOSTILE, MOMENT, hostile, named, pictured
from tests.reports.samples import report

VOID = {"meta", "input", "br", "link"}
STRUCTURE = {"html", "head", "meta", "title", "body", "header", "main", "section", "article", "nav", "footer", "div", "span", "p"}
TEXT = {"a", "h1", "h2", "h3", "strong", "em", "ul", "ol", "li", "cite", "code", "pre", "bdi", "details", "summary"}
TABLES = {"table", "caption", "thead", "tbody", "tr", "th", "td"}
CONTROLS = {"button", "label", "input", "fieldset", "legend"}
KNOWN_ELEMENTS = {*STRUCTURE, *TEXT, *TABLES, *CONTROLS, "svg", "rect", "style", "script"}
MARKUP_SINKS = ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function(", "setTimeout('")
NETWORK = ("fetch(", "XMLHttp", "WebSocket", "EventSource", "sendBeacon", "import(", "Worker(")


class Element:
    """An element of the parsed page."""

    def __init__(self, tag: str, attributes: dict[str, str], parent: Element | None) -> None:
        self.tag = tag
        self.attributes = attributes
        self.parent = parent
        self.content: list[Element | str] = []

    @property
    def raw(self) -> str:
        """Its own text and that of everything in it."""
        return "".join(part if isinstance(part, str) else part.raw for part in self.content)

    @property
    def text(self) -> str:
        """The same as read: white space counts as one space."""
        return " ".join(self.raw.split())

    def all(self, tag: str, kind: str | None = None) -> list[Element]:
        """The elements in it with this tag and, if given, this class."""
        found = [self] if self.tag == tag and (kind is None or kind in self.attributes.get("class", "").split()) else []
        for part in self.content:
            found.extend(() if isinstance(part, str) else part.all(tag, kind))
        return found


class Reader(HTMLParser):
    """Parses a page strictly: every element that opens is closed in its place."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.root = Element("", {}, None)
        self.here = self.root
        self.elements: list[Element] = []
        self.feed(page)
        self.close()
        assert self.here is self.root

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A new element."""
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"an attribute stands twice in {tag}: {names}"
        element = Element(tag, {name: value or "" for name, value in attrs}, self.here)
        self.here.content.append(element)
        self.elements.append(element)
        if tag not in VOID:
            self.here = element

    def handle_endtag(self, tag: str) -> None:
        """The open element ends."""
        assert tag == self.here.tag, f"</{tag}> closes <{self.here.tag}>"
        assert self.here.parent is not None
        self.here = self.here.parent

    def handle_data(self, data: str) -> None:
        """Text of the open element."""
        self.here.content.append(data)

    def handle_comment(self, data: str) -> None:
        """There are none."""
        raise AssertionError(f"a comment: {data}")

    def data(self, element_id: str) -> Any:
        """The JSON of a data element."""
        (found,) = [element for element in self.elements if element.attributes.get("id") == element_id]
        assert (found.tag, found.attributes["type"]) == ("script", "application/json")
        return json.loads(found.raw)

    def dossier(self, anchor: str) -> Element:
        """The article with this anchor."""
        (found,) = [element for element in self.elements if element.attributes.get("id") == anchor]
        return found


PAGES: dict[str, Callable[[], tuple[Report, ...]]] = {
    "one run": lambda: (pictured(),),
    "three runs": lambda: (pictured(), named("other", "3", report()), named("third", "", pictured(rulings=(), footer=None))),
    "hostile": lambda: (hostile(), pictured()),
    "nothing but rules": lambda: (pictured(rulings=(), engine_failures=()),),
}


@pytest.fixture(params=PAGES)
def page(request: pytest.FixtureRequest) -> Reader:
    """Every kind of page."""
    return Reader(render(PAGES[request.param]()))


def test_structure_is_sound(page: Reader) -> None:
    """One html, head, main and h1; ids are unique; every label, description and inner link leads somewhere."""
    for tag in ("html", "head", "title", "body", "main", "h1"):
        assert len(page.root.all(tag)) == 1
    ids = [element.attributes["id"] for element in page.elements if "id" in element.attributes]
    assert len(ids) == len(set(ids))
    for element in page.elements:
        labelled = element.attributes.get("aria-labelledby")
        assert labelled is None or labelled in ids
        film = element.attributes.get("data-film")
        assert film is None or film in ids
        if element.tag == "a":
            target = unquote(element.attributes["href"].split("&case=")[0])
            assert target == "#" or target[1:] in ids


def test_only_known_elements_and_attributes(page: Reader) -> None:
    """No element that loads or runs anything, no event handlers, no inline styles, no addresses outside the page."""
    assert {element.tag for element in page.elements} <= KNOWN_ELEMENTS
    for element in page.elements:
        for name, value in element.attributes.items():
            assert not name.startswith("on")
            assert name not in {"style", "src", "srcset", "action", "formaction", "background"}
            assert name != "href" or value.startswith("#")


def test_policy_allows_just_the_pages_own_style_and_script(page: Reader) -> None:
    """The Content-Security-Policy names the hashes of the one style and the one script, and nothing else may load or run."""
    (policy,) = [
        element.attributes["content"]
        for element in page.root.all("meta")
        if element.attributes.get("http-equiv") == "Content-Security-Policy"
    ]
    (style,) = page.root.all("style")
    (script,) = [element for element in page.root.all("script") if "type" not in element.attributes]
    hashes = [b64encode(sha256(element.raw.encode()).digest()).decode() for element in (style, script)]
    assert policy.split("; ")[:3] == ["default-src 'none'", f"style-src 'sha256-{hashes[0]}'", f"script-src 'sha256-{hashes[1]}'"]
    assert "unsafe" not in policy


def test_script_makes_no_markup_of_texts(page: Reader) -> None:
    """The script uses none of the ways in which text becomes markup or code, and asks for nothing over the network."""
    (script,) = [element for element in page.root.all("script") if "type" not in element.attributes]
    code = script.raw
    for way in (
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "Function(",
        "fetch(",
        "XMLHttp",
        "import(",
    ):
        assert way not in code
    assert re.findall(r"https?://[^'\s]+", code) == ["http://www.w3.org/2000/svg"]


def test_hostile_texts_are_shown_as_they_are() -> None:
    """What tries to be markup stands on the page as text, with control characters spelled out."""
    page = Reader(render([hostile()]))
    (heading,) = page.root.all("h1")
    dossiers = page.root.all("article", "dossier")
    for text in HOSTILE[:-1]:
        spelled = " ".join(text.split())
        assert spelled in dossiers[0].text
    assert HOSTILE[0] in heading.text
    assert "\\u2028\\u202e\\x00\\x1b[31m]]>" in dossiers[0].text
    notes = [note for look in page.data("film-1")["looks"] for note in look.get("notes", ())]
    assert f"1 {' '.join(HOSTILE[1].split())}" in notes


@pytest.mark.parametrize("text", [*HOSTILE, "a & b < c > d", "</SCRIPT\n>", "\u2029"])
def test_embedded_data_cannot_leave_its_element(text: str) -> None:
    """Embedded JSON holds no character that a browser could take for markup, and means the same."""
    written = embedded({"text": text})
    assert not set("<>&\u2028\u2029") & set(written)
    assert json.loads(written) == {"text": text}


def test_rule_has_verdict_count_sentence_and_document() -> None:
    """The row of a rule says its verdict in symbol and words and how often it was at stake; its dossier explains it."""
    page = Reader(render([pictured()]))
    rows = {row.all("th")[0].text: row for row in page.root.all("tr", "row")}
    verdicts = {rule: [cell.text for cell in row.all("td", "verdict")] for rule, row in rows.items()}
    assert verdicts == {
        "BP-2": ["✓ conforms at stake 1,234 times"],
        "DS-3": ["✗ violated at stake 61 times"],
        "DC-4": ["○ not observed"],
        "AT-4": ["– unsupported"],
        "IV-4": ["✗ violated at stake 9 times"],
        "M-043": ["✓ conforms"],
        "M-045": ["✗ violated"],
    }
    assert page.dossier("rule=DS-3").all("p", "statement")[0].text.startswith("Effects of a monster flipped by battle wait")
    assert "the engine has no attack-cost" in page.dossier("rule=AT-4").text


def test_violation_has_both_sides_the_duel_and_the_command() -> None:
    """A violation shows expected beside happened, its film with the moment marked, its story, and how to replay it."""
    page = Reader(render([pictured()]))
    dossier = page.dossier("rule=DS-3")
    assert "[bold]nothing[/bold] is activated" in dossier.all("div", "expected")[0].text
    assert "Man-Eater Bug was activated" in dossier.all("div", "happened")[0].text
    assert dossier.all("pre")[0].text == "Player A: 8000 LP"
    assert dossier.all("code")[0].text == "duelproof replay f/DS-3.duel.json --engine reference"
    film = page.data(dossier.all("div", "player")[0].attributes["data-film"])
    assert film["mark"] == MOMENT + 1
    assert len(film["frames"]) == 14
    assert film["frames"][MOMENT + 1]["offer"]["options"] == ["passes", "activates Mirror Force"]


def test_ruling_that_differs_has_its_duel() -> None:
    """A ruling says what differs, and its film has no moment when no rule was broken."""
    page = Reader(render([pictured()]))
    dossier = page.dossier("ruling=M-045")
    happened = dossier.all("div", "happened")[0]
    assert [part.text for part in (*happened.all("h3"), *happened.all("p"))] == ["Differs", "It was offered"]
    assert "mark" not in page.data(dossier.all("div", "player")[0].attributes["data-film"])


def test_runs_stand_side_by_side() -> None:
    """Each run has a column; a rule that a run did not ask for says so; where runs disagree one can filter for it."""
    fixed = pictured(rules=tuple(replace(rule, verdict="conforms", violations=()) for rule in report().rules[:3]))
    page = Reader(render([pictured(), named("mine", "3", fixed)]))
    table = page.root.all("table")[0]
    assert [head.text for head in table.all("th", "run")] == ["1 [red]mine\\x07 2 ocg-2023", "2 mine 3 ocg-2023"]
    rows = {row.all("th")[0].text: row for row in table.all("tr", "row")}
    assert [cell.text.split()[:2] for cell in rows["DS-3"].all("td", "verdict")] == [["✗", "violated"], ["✓", "conforms"]]
    assert [cell.text for cell in rows["IV-4"].all("td", "verdict")] == ["✗ violated at stake 9 times", "not asked"]
    differing = [rule for rule, row in rows.items() if "differs" in row.attributes["data-tags"].split()]
    assert differing == ["DS-3", "DC-4", "AT-4", "IV-4"]


def test_filters_count_what_they_leave() -> None:
    """Each filter says how many rules and rulings it leaves, and filters that leave nothing are not there."""
    page = Reader(render([pictured()]))
    chips = [chip.text for chip in page.root.all("label", "chip")]
    assert chips == ["✗ violated 3", "✓ conforms 2", "○ not observed 1", "– unsupported 1"]


def test_incomplete_run_never_reads_as_conforming() -> None:
    """A run without a footer, or cut short, says that it is incomplete."""
    sound = tuple(rule for rule in report().rules if rule.verdict == "conforms")
    for footer in (None, Footer(complete=False, examples=7, seconds=1.0, reason="it was interrupted")):
        page = Reader(render([pictured(rules=sound, rulings=(), engine_failures=(), footer=footer)]))
        (run,) = page.root.all("article", "run")
        assert "Incomplete" in run.text
        assert "conforms" not in run.attributes["class"].split()


def test_engine_failure_is_told_once() -> None:
    """A failure of the engine stands in its run; it has a dossier of its own only if no rule tells of it."""
    page = Reader(render([pictured()]))
    assert page.root.all("p", "failure")[0].text == "Engine failure, crash, in 3 duels: start() raised KeyError"
    anchors = [element.attributes["id"] for element in page.root.all("article", "dossier")]
    assert "failure=1.1" not in anchors
    without = pictured(rules=pictured().rules[:4])
    assert "KeyError" in Reader(render([without])).dossier("failure=1.1").text


def test_file_is_written_whole(tmp_path: Path) -> None:
    """The folder is made, holds just index.html, and that is the page."""
    path = write_html([pictured()], tmp_path / "a" / "b")
    assert [entry.name for entry in path.parent.iterdir()] == ["index.html"]
    assert path.read_text("utf-8") == render([pictured()])


def test_unwritable_folder_is_said(tmp_path: Path) -> None:
    """A page that cannot be written names the file."""
    (tmp_path / "taken").write_text("")
    with pytest.raises(InputError, match=r"taken.*index\.html"):
        write_html([pictured()], tmp_path / "taken")


def test_report_is_read_back(tmp_path: Path) -> None:
    """A written report, courses included, is read as it was."""
    write_json(pictured(), tmp_path / "out.json")
    assert read_json(tmp_path / "out.json") == pictured()


@pytest.mark.parametrize(
    "content, said",
    [
        (b"{", "is no report"),
        (b"\xff\xfe", "is no report"),
        (b"[]", "is no report"),
        (b"[" * 100_000, "is no report"),
        (None, "No such"),
    ],
)
def test_what_is_no_report_is_refused(tmp_path: Path, content: bytes | None, said: str) -> None:
    """A file that is no report is refused by name."""
    path = tmp_path / "odd.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(InputError, match=f"odd.json.*{said}"):
        read_json(path)


def test_other_format_is_refused(tmp_path: Path) -> None:
    """A report of a later format is refused with both numbers."""
    write_json(replace(report(), header=replace(report().header, format=2)), tmp_path / "out.json")
    with pytest.raises(InputError, match="format 2; this duelproof reads format 1"):
        read_json(tmp_path / "out.json")


def test_standing_against_the_baseline() -> None:
    """A tolerated violation says so with its reason, which stays text, and a page of nothing else is not red."""
    known = Standing(state="known", reason="<b>bug 7</b>", expires="2027-01-01")
    page = render([gated(known, known, known)])
    assert page.count("Baseline: Known until 2027-01-01: &lt;b&gt;bug 7&lt;/b&gt;") == 3
    assert "No new violations." in page
    assert "Not as the baseline has it." in render([gated(known, Standing(state="new"), known)])
