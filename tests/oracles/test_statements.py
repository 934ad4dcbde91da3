"""Nothing of the documents is lost: every statement has rules that check it, or a reason."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine_protocol.cards import card_pool
from engine_protocol.rulesets import PARAMETERS
from oracles import RULES
from oracles.statements import REASONS, SEVERAL, SOURCES, statements
from oracles.unseen import UNSEEN

ROOT = Path(__file__).parents[2]
MOST_WORDS = 15
_ENTRY = re.compile(r"^- id: (\S+)\n  kind: rule$", re.MULTILINE)


def test_every_statement_that_was_gathered_is_there_once() -> None:
    """The ids are those of the statements as they were gathered for the project, each once."""
    found = sorted(ROOT.parent.glob("*/rulings/*.yaml"))
    if not found:
        pytest.skip("the statements (rulings/*.yaml in a folder beside the repository) are only where duelproof is made")
    gathered = [entry for file in found for entry in _ENTRY.findall(file.read_text(encoding="utf-8"))]
    assert len(gathered) >= 514
    assert sorted(statement.id for statement in statements()) == sorted(gathered)


def test_a_statement_has_rules_or_a_reason() -> None:
    """Exactly one of the two, and every rule that is named exists."""
    assert [s.id for s in statements() if bool(s.rules) == (s.reason is not None)] == []
    assert [s.id for s in statements() if s.rules and (s.about or s.note)] == []
    assert [s.id for s in statements() if not set(s.rules) <= set(RULES)] == []
    assert [s.id for s in statements() if not set(s.about) <= {*RULES, *UNSEEN}] == []


def test_what_no_trace_shows_says_what_is_missing() -> None:
    """The statement notes what an engine would have to report, or a rule that no oracle judges says it."""
    invisible = [s for s in statements() if s.reason == "not-visible"]
    assert invisible
    assert [s.id for s in invisible if s.note is None and not set(s.about) & set(UNSEEN)] == []


def test_a_gist_is_short_and_names_its_document() -> None:
    """A gist reminds of a statement; the documents themselves do not ship."""
    assert [s.id for s in statements() if not 0 < len(s.gist.split()) <= MOST_WORDS] == []
    assert {s.document for s in statements()} == set(SOURCES)


def test_every_rule_rests_on_a_statement() -> None:
    """A rule that cites a document is named by a statement; one that cites none is an invariant of engines."""
    named = {rule for statement in statements() for rule in statement.rules}
    assert {rule.id for rule in RULES.values() if rule.citations} <= named
    assert all(rule.id.startswith("IV-") for rule in RULES.values() if not rule.citations)


def test_what_a_statement_names_cites_its_document() -> None:
    """A rule that a statement names rests on the statement's document; invariants of engines rest on none."""
    wanting = [
        (statement.id, rule)
        for statement in statements()
        for rule in statement.rules
        if statement.document != SEVERAL and RULES[rule].citations
        if statement.document not in {document for document, _ in RULES[rule].citations}
    ]
    assert wanting == []


def test_the_documents_differ_in_a_parameter_in_a_card_or_in_nothing_that_shows() -> None:
    """Each point has exactly one of the three; other statements have none."""
    told = {s.id: [bool(s.parameters), bool(s.cards), s.neither is not None].count(True) for s in statements()}
    assert {key for key, number in told.items() if number} == {s.id for s in statements() if s.document == SEVERAL}
    assert set(told.values()) == {0, 1}
    assert len([s for s in statements() if s.document == SEVERAL]) == 65


def test_parameters_and_points_name_each_other() -> None:
    """What a point says of its parameters is what these say of their points; a parameter without a point says why it has none."""
    assert {s.id: set(s.parameters) for s in statements() if s.parameters} == {
        point: {name for name, parameter in PARAMETERS.items() if point in parameter.points}
        for parameter in PARAMETERS.values()
        for point in parameter.points
    }
    assert [name for name, parameter in PARAMETERS.items() if bool(parameter.points) == bool(parameter.apart)] == []


def test_a_point_and_its_parameters_are_about_the_same_rules() -> None:
    """A rule that checks a point hangs on a parameter of it, unless the parameter keeps cards out of the suite's duels."""
    apart = [
        s.id
        for s in statements()
        if s.rules and s.parameters and not {rule for name in s.parameters for rule in PARAMETERS[name].rules} & set(s.rules)
    ]
    assert set(apart) <= set(PARAMETERS["cards_under_adjustment"].points)


def test_cards_of_a_point_are_in_the_pool() -> None:
    """Facts that carry a point are there to be read."""
    assert all(card_pool().named(card).effects for s in statements() for card in s.cards)


def test_no_rule_is_both_judged_and_unseen() -> None:
    """As soon as an oracle judges a rule, it leaves the table of those that none does, and its statements name it."""
    assert not set(RULES) & set(UNSEEN)
    assert {rule.reason for rule in UNSEEN.values()} <= set(REASONS)


def test_the_catalogue_has_no_holes() -> None:
    """Within a section the numbers go on without a gap: every rule is judged, or said why not."""
    ids = {*RULES, *UNSEEN}
    last: dict[str, int] = {}
    for rule in ids:
        section, _, number = rule.partition("-")
        last[section] = max(last.get(section, 0), int(number))
    assert ids == {f"{section}-{number}" for section, most in last.items() for number in range(1, most + 1)}
