"""The corpus of rulings: every file is sound, the reference engine agrees with it, and it would notice if that were not so."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from conformance.expectations import difference
from conformance.facts import as_facts, fits
from conformance.rulings import ruling, ruling_names
from engine_protocol.decisions import Option
from engine_protocol.documents import DOCUMENTS
from engine_protocol.driver import drive
from engine_protocol.duel_file import Choice, ChoiceFollower, Expectation
from engine_protocol.events import Decided
from engine_protocol.trace import Trace
from reference_engine import ReferenceEngine

NAMES = ruling_names()
CITED = re.compile(r"(?P<document>[A-Z])-(?P<number>\d{3})[b-z]?-[a-z0-9-]+")
DOCUMENT_OF = {
    "M": "battle-phase-flow",
    "N": "battle-phase-flow",
    "D": "damage-step-wiki",
    "B": "battle-step-wiki",
    "E": "expert-2007",
    "A": "duel-arena-wiki",
}


@cache
def _played(name: str) -> tuple[Trace, tuple[Choice, ...]]:
    """The trace on the reference engine, and the choices that were never possible."""
    duel = ruling(name)
    follower = ChoiceFollower(duel.choices)
    return drive(ReferenceEngine(), duel.board, follower), tuple(follower.pending)


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


def _catalogue() -> set[str]:
    """The ids of the statements as they were gathered for the project; they do not ship with it."""
    found = sorted(Path(__file__).parents[3].glob("*/rulings/*.yaml"))
    if not found:
        pytest.skip(
            "the catalogue of statements (rulings/*.yaml in a folder beside the repository) is only where duelproof is made"
        )
    return {cited for path in found for cited in re.findall(r"^- id: (\S+)$", path.read_text("utf-8"), re.MULTILINE)}


def test_every_ruling_is_a_statement_of_the_documents() -> None:
    """Each id that a file cites stands in the catalogue."""
    known = _catalogue()
    assert [name for name in NAMES if ruling(name).source.ruling not in known] == []


def test_there_is_a_corpus() -> None:
    """Each of its files is a test of its own below; none found would pass for all good."""
    assert len(NAMES) >= 45


@pytest.mark.parametrize("name", NAMES)
def test_a_ruling_says_what_it_is(name: str) -> None:
    """Title, statements and source; the file's name begins with the id of the ruling, whose letter is that of its document."""
    duel = ruling(name)
    cited = CITED.fullmatch(name)
    assert cited is not None
    assert duel.source.ruling == f"{cited['document']}-{cited['number']}"
    assert duel.source.document == DOCUMENT_OF[cited["document"]]
    assert duel.source.document in DOCUMENTS
    assert duel.title.strip()
    assert duel.expect
    assert all(expectation.says.strip() for expectation in duel.expect)
    assert len({expectation.says for expectation in duel.expect}) == len(duel.expect)


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
