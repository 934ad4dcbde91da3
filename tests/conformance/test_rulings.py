"""The corpus of rulings: every file is sound, the reference engine agrees with it, and it would notice if that were not so.

A file plays in the ruleset of the time its statement speaks of. Where the same duel holds in another ruleset, a second file plays
it there, which bears that ruleset's name: ``D-046-firedog-at-the-end.ocg-2023.duel.json``.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from conformance.expectations import difference
from conformance.facts import as_facts, fits
from conformance.rulings import ruling, ruling_names, rulings_for
from engine_protocol.decisions import Option
from engine_protocol.documents import DOCUMENTS
from engine_protocol.driver import drive
from engine_protocol.duel_file import Choice, ChoiceFollower, Expectation
from engine_protocol.events import Decided
from engine_protocol.rulesets import DEFAULT_RULESET, RULESETS, lineage
from engine_protocol.trace import Trace
from reference_engine import ReferenceEngine

NAMES = ruling_names()
OF_THEIR_TIME = tuple(name for name in NAMES if "." not in name)
ELSEWHERE = tuple(name for name in NAMES if "." in name)
CITED = re.compile(r"(?P<document>[A-Z])-(?P<number>\d{3})[b-z]?-[a-z0-9-]+(\.(?P<elsewhere>[a-z0-9-]+))?")
DOCUMENTS_OF = {
    "M": {"battle-phase-flow"},
    "N": {"battle-phase-flow"},
    "D": {"damage-step-wiki", "damage-step-wiki-before"},
    "B": {"battle-step-wiki"},
    "E": {"expert-2007"},
    "A": {"duel-arena-wiki"},
}
LEAST = {"expert-2007": 60, "master-rule-2": 30, "master-rule-3": 30, "duel-arena": 28, "ocg-2023": 150}
"""How many duels the corpus has of each ruleset at least."""


@cache
def _played(name: str, ruleset: str | None = None) -> tuple[Trace, tuple[Choice, ...]]:
    """The trace on the reference engine, in the ruleset of the duel or another one, and the choices that were never possible."""
    duel = ruling(name)
    board = duel.board if ruleset is None else msgspec.structs.replace(duel.board, ruleset=ruleset)
    follower = ChoiceFollower(duel.choices)
    return drive(ReferenceEngine(), board, follower), tuple(follower.pending)


def _windows(trace: Trace, expectation: Expectation) -> list[Decided]:
    at = expectation.at
    return [event for event in trace.events if isinstance(event, Decided) and (at is None or at.fits(event.decision))]


def _with_options(trace: Trace, expectation: Expectation, *, offered: bool) -> Trace:
    """The same trace, but in every window meant the option is there, or is not."""
    meant = _windows(trace, expectation)
    option = msgspec.convert(expectation.option, Option)

    def changed(event: Any) -> Any:
        if event not in meant:
            return event
        others = tuple(other for other in event.decision.options if not fits(expectation.option, as_facts(other)))
        options = (*others, option) if offered else others
        return msgspec.structs.replace(event, decision=msgspec.structs.replace(event.decision, options=options))

    return Trace(trace.board, tuple(changed(event) for event in trace.events))


def _without(trace: Trace, partial: dict[str, Any]) -> Trace:
    return Trace(trace.board, tuple(event for event in trace.events if not fits(partial, as_facts(event))))


def _catalogue() -> dict[str, str]:
    """The statements as they were gathered for the project: of which ruleset's time each speaks. They do not ship with it."""
    found = sorted(Path(__file__).parents[3].glob("*/rulings/*.yaml"))
    if not found:
        pytest.skip(
            "the catalogue of statements (rulings/*.yaml in a folder beside the repository) is only where duelproof is made"
        )
    entries = [entry for path in found for entry in re.split(r"^- id: ", path.read_text("utf-8"), flags=re.MULTILINE)[1:]]
    eras = [re.search(r"^  era: (\S+)$", entry, re.MULTILINE) for entry in entries]
    return {entry.split()[0]: era[1] if era else DEFAULT_RULESET for entry, era in zip(entries, eras, strict=True)}


def test_every_ruling_is_a_statement_of_the_documents() -> None:
    """Each id that a file cites stands in the catalogue, and speaks of the time of the ruleset in which the file plays."""
    era = _catalogue()
    wrong = [name for name in OF_THEIR_TIME if era.get(ruling(name).source.ruling or "") != ruling(name).board.ruleset]
    assert wrong == []


@pytest.mark.parametrize("ruleset", RULESETS)
def test_there_is_a_corpus(ruleset: str) -> None:
    """Each of its files is a test of its own below; none found would pass for all good."""
    assert sum(1 for _ in rulings_for(ruleset)) >= LEAST[ruleset]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_corpus_belongs_to_its_ruleset(ruleset: str) -> None:
    """Under each other ruleset the reference engine disagrees with at least one of the duels."""
    for other in RULESETS.keys() - {ruleset}:
        assert any(
            difference(expectation, _played(name, other)[0])
            for name in rulings_for(ruleset)
            for expectation in ruling(name).expect
        ), other


@pytest.mark.parametrize("name", NAMES)
def test_a_ruling_says_what_it_is(name: str) -> None:
    """Title, statements and source; the file's name begins with the id of the ruling, whose letter is that of its document, and
    the document is one on which the ruleset rests, itself or through one it inherits from.
    """
    duel = ruling(name)
    cited = CITED.fullmatch(name)
    assert cited is not None
    assert duel.source.ruling == f"{cited['document']}-{cited['number']}"
    assert duel.source.document in DOCUMENTS_OF[cited["document"]]
    assert duel.source.document in DOCUMENTS
    ruleset = RULESETS[duel.board.ruleset]
    assert any(duel.source.document in held.documents for held in lineage(ruleset))
    if cited["elsewhere"] is None:
        assert duel.source.document in ruleset.documents
    else:
        assert cited["elsewhere"] == ruleset.name
    assert duel.title.strip()
    assert duel.expect
    assert all(expectation.says.strip() for expectation in duel.expect)
    assert len({expectation.says for expectation in duel.expect}) == len(duel.expect)


@pytest.mark.parametrize("name", ELSEWHERE)
def test_a_ruling_of_another_time_is_the_same_duel(name: str) -> None:
    """Only the ruleset differs, and what is expected may be less: what the two have in common."""
    duel, of_its_time = ruling(name), ruling(name.partition(".")[0])
    assert duel.board.ruleset != of_its_time.board.ruleset
    assert msgspec.structs.replace(duel.board, ruleset=of_its_time.board.ruleset) == of_its_time.board
    assert (duel.title, duel.choices) == (of_its_time.title, of_its_time.choices)
    assert all(expectation in of_its_time.expect for expectation in duel.expect)


@pytest.mark.parametrize("name", NAMES)
def test_every_choice_of_a_ruling_is_made(name: str) -> None:
    """What is left over was never possible: the duel would not be the one of the document."""
    assert _played(name)[1] == ()


@pytest.mark.parametrize("name", NAMES)
def test_the_reference_engine_agrees(name: str) -> None:
    """Whatever the document states holds of the duel."""
    trace, _ = _played(name)
    assert [said for expectation in ruling(name).expect if (said := difference(expectation, trace))] == []


@pytest.mark.parametrize("name", NAMES)
def test_a_ruling_notices_that_its_facts_are_not_so(name: str) -> None:
    """For each expectation the trace is changed into one that breaks it."""
    duel = ruling(name)
    trace, _ = _played(name)
    for expectation in duel.expect:
        match expectation.kind:
            case "offered":
                assert difference(expectation, _with_options(trace, expectation, offered=False)), expectation.says
            case "not-offered":
                elsewhere = any(other.kind == "offered" and other.option == expectation.option for other in duel.expect)
                assert elsewhere or _windows(trace, expectation), f"{expectation.says}: there is no such window"
                if _windows(trace, expectation):
                    assert difference(expectation, _with_options(trace, expectation, offered=True)), expectation.says
            case "event":
                assert difference(expectation, _without(trace, expectation.event)), expectation.says
            case "events":
                backwards = msgspec.structs.replace(expectation, events=expectation.events[::-1])
                assert difference(backwards, trace), expectation.says
                for partial in expectation.events:
                    assert difference(expectation, _without(trace, partial)), expectation.says
            case "no-event":
                assert any(fits({"event": expectation.event["event"]}, as_facts(event)) for event in trace.events) or any(
                    other.kind != "no-event" for other in duel.expect
                ), expectation.says
            case "lp":
                assert expectation.lp is not None
                other_lp = (expectation.lp[0], expectation.lp[1] + 1)
                assert difference(msgspec.structs.replace(expectation, lp=other_lp), trace), expectation.says


@pytest.mark.parametrize("name", [name for name in NAMES if ruling(name).choices])
def test_a_ruling_notices_that_nobody_does_anything(name: str) -> None:
    """An engine on which every player always passes disagrees with each of them."""
    duel = ruling(name)
    trace = drive(ReferenceEngine(), duel.board, lambda _: 0)
    assert any(difference(expectation, trace) for expectation in duel.expect)
