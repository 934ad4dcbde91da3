"""The rules as data: each has a source, and nothing is registered twice."""

from __future__ import annotations

import pytest

from engine_protocol.documents import DOCUMENTS
from engine_protocol.rulesets import RULESETS
from oracles import RULES, judge
from oracles.judging import ORACLES
from oracles.oracle import Oracle
from oracles.panel import subscriptions
from oracles.view import View
from tests.oracles.traces import POOL, Duel


def test_ids_are_unique() -> None:
    """No two oracles claim the same rule."""
    ids = [oracle.id for oracle in ORACLES]
    assert sorted(ids) == sorted(set(ids))


@pytest.mark.parametrize("rule", [rule for rule in RULES.values() if rule.by_trace], ids=lambda rule: rule.id)
def test_every_rule_shows_its_source(rule: object) -> None:
    """A rule that a trace shows cites a known document and section, and holds in a known ruleset."""
    found = RULES[getattr(rule, "id", "")]
    assert found.citations
    assert all(document in DOCUMENTS and section for document, section in found.citations)
    assert found.severity
    assert set(found.severity) <= set(RULESETS)


def test_only_the_rules_asked_for_are_judged() -> None:
    """A choice of rules limits what is reported."""
    duel = Duel()
    duel.begin("end-step")
    assert set(judge(duel.trace(), POOL, {"BP-2"}).at_stake) == {"BP-2"}
    assert [violation.rule for violation in judge(duel.trace(), POOL, {"BP-2", "BP-4"}).violations] == ["BP-2"]


def test_oracles_forget_the_trace_before() -> None:
    """The same trace judged twice gives the same answer: nothing is carried over from one to the next."""
    duel = Duel()
    attacker, target = duel.monster(0, 2000), duel.monster(1, 1500)
    duel.to_battle_step()
    duel.attack(attacker, target)
    duel.to_after_declaration()
    duel.both_pass()
    first = duel.judge()
    assert first.at_stake["AT-3"] == 1
    assert duel.judge() == first


def test_a_misspelt_handler_is_refused() -> None:
    """An oracle that listens to an event that does not exist is a mistake, said at once."""

    class Misspelt(Oracle):
        """Listens to nothing there is."""

        def on_mooved(self, _event: object, _view: View) -> None:
            self.stake()

    with pytest.raises(TypeError, match="on_mooved"):
        list(subscriptions(Misspelt))
