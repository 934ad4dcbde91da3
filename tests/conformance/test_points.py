"""The points on which rulesets differ: ``duelproof rules`` for each ruleset, and for two of them side by side."""

from __future__ import annotations

import pytest
from click.testing import CliRunner, Result

from conformance.cli import cli
from conformance.points import differences, rule_differences, stand_of, undecided_parameters, value_words
from conformance.selection import select
from engine_protocol.rulesets import PARAMETERS, RULESETS, Ruleset, ruleset_named
from oracles import rules_of


def run(*arguments: str) -> Result:
    """The command's answer."""
    return CliRunner().invoke(cli, ["rules", *arguments])


def flat(result: Result) -> str:
    """The answer without the line breaks of its tables."""
    assert result.exit_code == 0, result.output
    return " ".join(result.stdout.split())


@pytest.mark.parametrize("name", RULESETS)
def test_a_rulesets_rules_and_what_it_leaves_undecided(name: str) -> None:
    """Every rule of the ruleset is listed with its severity, and below each point that its documents do not settle."""
    answer = flat(run("--ruleset", name))
    assert all(rule.id in answer for rule in rules_of(name))
    ruleset = ruleset_named(name)
    assert all(f"({parameter})" in answer for parameter in ruleset.undecided)
    assert all(card in answer for card in ruleset.cards_under_adjustment)


def test_the_two_rulesets_of_the_issue() -> None:
    """The Damage Step page ends a Damage Step without calculation early, the current flow goes through it; and who says so."""
    answer = flat(run("--compare", "master-rule-3", "ocg-2023"))
    assert "timings_pass_without_calculation" in answer
    found = {point.parameter: point.stands for point in differences(ruleset_named("master-rule-3"), ruleset_named("ocg-2023"))}
    before, after = found["timings_pass_without_calculation"]
    assert (before.value, before.origin, before.documents) == ("no", "stated", ("damage-step-wiki",))
    assert (after.value, after.origin, after.documents) == ("yes", "stated", ("battle-phase-flow",))
    assert "one_field_spell_each" in found
    assert "effect_negation_in_damage_step" not in found


def test_what_is_inherited_names_the_document_it_comes_from() -> None:
    """Duel Arena's page says nothing of mere negation in the Damage Step; the expert rules, the first of its line, do."""
    stand = stand_of("effect_negation_in_damage_step", ruleset_named("duel-arena"))
    assert (stand.value, stand.origin, stand.documents) == ("yes", "inherited", ("expert-2007",))


def test_a_ruleset_does_not_differ_from_itself() -> None:
    """The same one twice: the command says that there is no difference."""
    assert "there is no difference" in flat(run("--compare", "duel-arena", "duel-arena"))
    assert not list(rule_differences(ruleset_named("duel-arena"), ruleset_named("duel-arena")))


def test_what_both_leave_undecided_is_no_difference() -> None:
    """Neither the 2007 database nor the Master Rule 2 pages say what happens between two monsters with 0 ATK."""
    one, other = ruleset_named("expert-2007"), ruleset_named("master-rule-2")
    assert not one.settles("equal_zero_destroys")
    assert not other.settles("equal_zero_destroys")
    assert "equal_zero_destroys" not in {point.parameter for point in differences(one, other)}


def test_rules_that_only_one_has() -> None:
    """Only the current flow orders Triggers of the steps one by one (BP-6); a rule of both that binds alike is not listed."""
    listed = {found.rule.id: found.standings for found in rule_differences(*map(ruleset_named, ("master-rule-3", "ocg-2023")))}
    assert listed["BP-6"][1] == "must (battle-phase-flow)"
    assert "DS-2" not in listed


@pytest.mark.parametrize("ruleset", RULESETS.values(), ids=lambda ruleset: ruleset.name)
def test_every_value_has_words(ruleset: Ruleset) -> None:
    """No value of a parameter is told as Python would print it, or by a slug."""
    for parameter in PARAMETERS:
        words = value_words(getattr(ruleset, parameter))
        assert words
        assert not any(sign in words for sign in ("frozenset", "Stage(", "{", "None", "True", "False", "-calculation"))


def test_timings_are_listed_in_their_order() -> None:
    """The start of the Damage Step comes before the time before damage calculation, however a set keeps them."""
    words = value_words(frozenset({"before-calculation", "damage-start"}))
    assert words == "start of the Damage Step, before damage calculation"


def test_one_rule_in_a_ruleset() -> None:
    """DS-6 in Master Rule 3: it binds there, and the answer to the point that it hangs on is told with its document."""
    answer = flat(run("DS-6", "--ruleset", "master-rule-3"))
    assert "Here: master-rule-3: must (damage-step-wiki)" in answer
    assert "no calculation" not in answer
    assert "otherwise the Damage Step ends once what triggered is resolved. no (damage-step-wiki)" in answer


def test_a_rule_that_a_ruleset_does_not_have() -> None:
    """The documents of Master Rule 3 and before know nothing of several attacks that do not add up (AT-11)."""
    assert "master-rule-3 does not have this rule" in flat(run("AT-11", "--ruleset", "master-rule-3"))


def test_comparing_goes_with_nothing_else() -> None:
    """A wrong question is answered in a sentence."""
    result = run("DS-6", "--compare", "duel-arena", "ocg-2023")
    assert result.exit_code == 2
    assert "leave the rest out" in result.stderr
    result = run("--compare", "duel-arena", "goat")
    assert result.exit_code == 2
    assert "there is no ruleset 'goat'" in result.stderr


def test_a_selection_knows_what_is_open_of_its_rules() -> None:
    """Of the rules of chains, the 2007 database leaves open where the other player's mandatory Triggers stand; asked for all,
    everything open. Of a rule that it leaves open as a whole, DS-4, nothing is told twice.
    """
    ids = {point.id for point in select("expert-2007", "CH-*,DS-4").points}
    assert "others_mandatory_first" in ids
    assert "self_destruction_at" not in ids
    assert "equal_zero_destroys" not in ids
    assert select("expert-2007").points == tuple(undecided_parameters(ruleset_named("expert-2007")))
