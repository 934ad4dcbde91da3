"""The page in a real browser: one path through a violation by mouse and keyboard, hostile texts, search, and contrast."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reports.html import write_html
from reports.model import Report
from tests.reports.browser import Browser, browser_command
from tests.reports.pictures import HOSTILE, hostile, named, pictured
from tests.reports.samples import BLUE_EYES, report

COMMAND = browser_command()

pytestmark = pytest.mark.skipif(COMMAND is None, reason="no Chromium is installed here, so the page is not tried in a browser")

PLAYER = ".dossier:not([hidden]) .player"
CAPTION = f"document.querySelector('{PLAYER} .caption').textContent"
COUNTER = f"document.querySelector('{PLAYER} .counter').textContent"
BOARD = f"[...document.querySelectorAll('{PLAYER} .card[role=img]')].map(card => card.getAttribute('aria-label')).sort()"
FADED = """
(() => {
  const parse = (text) => { const [r, g, b, a = 1] = text.match(/[\\d.]+/g).map(Number); return { r, g, b, a }; };
  const light = ({ r, g, b }) => [r, g, b]
    .map((part) => part / 255)
    .map((part) => (part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
    .reduce((sum, part, index) => sum + part * [0.2126, 0.7152, 0.0722][index], 0);
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = parse(getComputedStyle(at).backgroundColor);
      if (colour.a === 1) return colour;
    }
    return { r: 255, g: 255, b: 255 };
  };
  const faded = [];
  for (const element of document.querySelectorAll('body *:not(svg *)')) {
    const own = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
    if (!own || element.disabled || !element.checkVisibility() || element.closest('.unseen')) continue;
    const style = getComputedStyle(element);
    const [one, other] = [light(parse(style.color)), light(ground(element))].sort((a, b) => b - a);
    const ratio = (one + 0.05) / (other + 0.05);
    const size = parseFloat(style.fontSize);
    const big = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const text = element.textContent.trim().slice(0, 30);
    if (ratio < (big ? 3 : 4.5)) faded.push(`${element.className || element.tagName}, ${ratio.toFixed(2)}: ${text}`);
  }
  return [...new Set(faded)];
})()
"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One browser for all tests."""
    assert COMMAND is not None
    running = Browser(COMMAND, tmp_path_factory.mktemp("profile"))
    try:
        yield running
    finally:
        running.close()


def opened(browser: Browser, folder: Path, *reports: Report) -> str:
    """Open the page of these reports; its address."""
    address = write_html(reports, folder).as_uri()
    browser.open(address)
    return address


def numbers(browser: Browser) -> Any:
    """The step shown, and the last one."""
    return [int(word) for word in browser.run(COUNTER).split() if word.isdigit()]


def test_through_a_violation(browser: Browser, tmp_path: Path) -> None:
    """From the matrix to the moment of a violation, then by button, keys, timeline and slider to other steps and boards."""
    address = opened(browser, tmp_path, pictured())
    assert browser.run("document.querySelectorAll('.dossier:not([hidden])').length") == 0
    browser.click("td.violated a")
    browser.until(f"document.querySelector('{PLAYER}.ready.at-mark') !== null")
    assert browser.run("document.getElementById('overview').hidden")
    assert browser.run("document.activeElement.textContent.trim()").endswith("Flipped by battle")
    assert browser.run(CAPTION) == "Player B activates Mirror Force"
    assert numbers(browser) == [7, 13]
    assert not browser.run(f"document.querySelector('{PLAYER} .banner').hidden")
    before = browser.run(BOARD)
    assert before == [
        "Blue-Eyes White Dragon, Monster Zone 1 of Player A, Attack Position, ATK 3000, DEF 2500",
        "Giant Rat, Monster Zone 1 of Player B, face-down Defense Position, ATK 1400, DEF 1500",
        "Mirror Force, Spell & Trap Zone 1 of Player B, set, set this turn",
    ]

    for _ in range(3):
        browser.click(f"{PLAYER} [aria-label='Next step']")
    assert numbers(browser) == [10, 13]
    assert browser.run(CAPTION).startswith("Blue-Eyes White Dragon is destroyed by an effect")
    assert browser.run(BOARD) == before[1:]
    assert browser.run(f"document.querySelector('{PLAYER} [data-pile=\"graveyard 0\"]').getAttribute('aria-label')") == (
        "Graveyard of Player A, 1 card: Blue-Eyes White Dragon"
    )
    assert browser.run("location.href") == f"{address}#rule=DS-3&case=1&step=10"
    assert "Blue-Eyes White Dragon is destroyed" in browser.run(f"document.querySelector('{PLAYER} [aria-live]').textContent")

    browser.press("ArrowLeft")
    assert numbers(browser) == [9, 13]
    assert browser.run(BOARD) == before
    browser.press("Home")
    assert numbers(browser) == [0, 13]
    browser.press("End")
    assert numbers(browser) == [13, 13]
    browser.click(f"{PLAYER} .event.attack-declared")
    assert browser.run(CAPTION) == "Blue-Eyes White Dragon declares an attack on Giant Rat"
    assert browser.run(f"document.querySelectorAll('{PLAYER} line.attack').length") == 1
    browser.click(f"{PLAYER} .to-mark")
    assert numbers(browser) == [7, 13]
    browser.run(f"document.querySelector('{PLAYER} input[type=range]').focus()")
    browser.press("ArrowRight")
    assert numbers(browser) == [8, 13]

    browser.click(".dossier:not([hidden]) nav a")
    browser.until("!document.getElementById('overview').hidden")
    assert browser.complaints == []
    assert list(browser.requests.values()) == [address]


def test_address_leads_to_a_step(browser: Browser, tmp_path: Path) -> None:
    """An address with rule, case and step opens there; one that leads nowhere shows the whole report."""
    address = write_html([pictured()], tmp_path).as_uri()
    browser.open(f"{address}#rule=DS-3&case=1&step=5")
    assert browser.run(CAPTION) == "Blue-Eyes White Dragon declares an attack on Giant Rat"
    browser.open(f"{address}#ruling=M-045&step=99999")
    assert numbers(browser) == [13, 13]
    browser.open(f"{address}#rule=DS-99&step=-1")
    assert not browser.run("document.getElementById('overview').hidden")
    assert browser.complaints == []


def test_cards_and_piles_are_told_on_focus(browser: Browser, tmp_path: Path) -> None:
    """A focused card or pile is read out and described beside the board."""
    address = write_html([pictured()], tmp_path).as_uri()
    browser.open(f"{address}#rule=DS-3&step=12")
    browser.run(f"document.querySelector('{PLAYER} .pile[tabindex]').focus()")
    assert "Graveyard of Player A" in browser.run(f"document.querySelector('{PLAYER} .detail').textContent")
    browser.run(f"document.querySelectorAll('{PLAYER} .card')[{BLUE_EYES}].focus()")
    detail = browser.run(f"document.querySelector('{PLAYER} .detail').textContent")
    assert detail.startswith("Giant Rat Level 4 · EARTH · Beast · Effect")
    assert "originally" not in detail


def test_hostile_texts_never_run(browser: Browser, tmp_path: Path) -> None:
    """No text of a report becomes an element or script anywhere on the page, whatever is opened or clicked."""
    address = opened(browser, tmp_path, hostile(), pictured())
    browser.click("td.violated a")
    browser.until(f"document.querySelector('{PLAYER}.ready') !== null")
    browser.press("ArrowRight")
    browser.run(f"document.querySelector('{PLAYER} .card').focus()")
    assert HOSTILE[1] in browser.run(f"document.querySelector('{PLAYER} .detail').textContent")
    assert HOSTILE[0] in browser.run("document.title")
    browser.run("dispatchEvent(new Event('beforeprint')); dispatchEvent(new Event('afterprint'))")
    assert browser.run("typeof window.hurt") == "undefined"
    assert browser.run("document.querySelectorAll('img, iframe, object, link, [onload], [onerror], [onfocus]').length") == 0
    assert browser.complaints == []
    assert list(browser.requests.values()) == [address]


def test_policy_stops_what_is_not_the_pages_own(browser: Browser, tmp_path: Path) -> None:
    """Even if markup got in, the policy would keep it from running or loading anything."""
    address = opened(browser, tmp_path, pictured())
    attempts = (
        "document.body.innerHTML = '<b>hurt</b>'",
        "document.body.append(Object.assign(document.createElement('script'), { text: 'window.hurt = 1' }))",
        "document.body.append(Object.assign(document.createElement('img'), { src: 'hurt.png' }))",
        "document.body.setAttribute('onclick', 'window.hurt = 1'); document.body.click()",
    )
    for attempt in attempts:
        browser.run(f"(() => {{ try {{ {attempt} }} catch {{ return }} }})()")
    assert browser.run("fetch('hurt.json').then(() => 'loaded', () => 'refused')") == "refused"
    assert browser.run("typeof window.hurt") == "undefined"
    assert browser.run("document.querySelectorAll('b').length") == 0
    assert list(browser.requests.values()) == [address]


def test_search_and_filters(browser: Browser, tmp_path: Path) -> None:
    """The search box finds by id, title, sentence and what happened; filters add up; what is left is counted."""
    opened(browser, tmp_path, pictured())
    rows = "[...document.querySelectorAll('.row')].filter(row => row.checkVisibility())"
    left = f"{rows}.map(row => row.querySelector('th').textContent)"
    assert len(browser.run(left)) == 7
    browser.press("/")
    assert browser.run("document.activeElement.id") == "search"
    browser.type("man-eater DS")
    assert browser.run(left) == ["DS-3"]
    assert browser.run("document.getElementById('found').textContent") == "1 of 5 rules, 0 of 2 rulings shown"
    assert browser.run("[...document.querySelectorAll('.nothing')].map(note => note.hidden)") == [True, False]
    browser.run("document.getElementById('search').select()")
    browser.type(" ")
    browser.click("input[value='not-observed']")
    assert browser.run(left) == ["DC-4"]
    browser.click("input[value='violated']")
    assert browser.run(left) == ["DS-3", "DC-4", "IV-4", "M-045"]


def test_theme_is_chosen_and_kept(browser: Browser, tmp_path: Path) -> None:
    """The page follows the system, and the button overrules it, also when the page is opened again."""
    browser.see_as("dark")
    address = opened(browser, tmp_path, pictured())
    ground = "getComputedStyle(document.documentElement).backgroundColor"
    dark = browser.run(ground)
    browser.see_as("light")
    light = browser.run(ground)
    assert dark != light
    browser.click("#theme")
    browser.click("#theme")
    assert browser.run("document.getElementById('theme').textContent") == "Theme: dark"
    assert browser.run(ground) == dark
    browser.open(address)
    assert browser.run(ground) == dark
    browser.click("#theme")
    assert browser.run(ground) == light


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_stand_out_from_their_ground(browser: Browser, tmp_path: Path, scheme: str) -> None:
    """Every text has the contrast that WCAG 2.1 asks for at level AA, in the overview and in a dossier, light and dark."""
    browser.see_as(scheme)
    address = write_html([pictured(), named("other", "2", report())], tmp_path).as_uri()
    browser.open(address)
    assert browser.run(FADED) == []
    browser.open(f"{address}#rule=DS-3&step=9")
    assert browser.run(FADED) == []
    browser.see_as("light")


def test_page_reads_without_its_script(browser: Browser, tmp_path: Path) -> None:
    """Where scripts are off, every verdict, sentence and story is still there to read."""
    browser.allow_scripts(False)
    opened(browser, tmp_path, pictured())
    seen = browser.run("document.body.innerText")
    browser.allow_scripts(True)
    assert "Theme" not in seen
    for words in ("Flipped by battle", "✗ violated", "wait until after damage calculation", "The duel as a story"):
        assert words in seen
