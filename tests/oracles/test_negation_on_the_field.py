"""BD-14: Skill Drain, a monster that is there, and one that is in the Graveyard."""

from __future__ import annotations

import pytest

from engine_protocol.events import StatusChanged
from engine_protocol.vocabulary import Outcome
from tests.oracles.chained import Chained


def tomato(*others: str) -> Chained:
    """Mystic Tomato of Player B was destroyed by battle, and its effect activated, with Skill Drain and these cards face-up."""
    duel = Chained()
    elf, tomato = duel.real(0, "Gemini Elf"), duel.real(1, "Mystic Tomato")
    for name in ("Skill Drain", *others):
        duel.place_card(0, name)
    duel.place_card(1, "Newdoria", "deck", "face-down")
    duel.up_to_calculation(elf, tomato)
    duel.calculate(tomato, (1900, 1400), (0, 500), (tomato,))
    duel.through("after-calculation")
    duel.begin("damage-end")
    duel.send_destroyed((tomato,))
    duel.trigger(1, tomato, optional=True)
    return duel


@pytest.mark.parametrize("outcome, broken", [("resolved", []), ("no-effect", []), ("effect-negated", ["BD-14"])])
@pytest.mark.parametrize("ruleset", ["expert-2007", "master-rule-2", "ocg-2023"])
def test_an_effect_of_the_graveyard(ruleset: str, outcome: Outcome, broken: list[str]) -> None:
    """BD-14: E-169, D-085."""
    duel = tomato()
    duel.ruleset = ruleset
    duel.resolve(outcome=outcome)
    judgement = duel.judge("BD-14")
    assert judgement.at_stake["BD-14"] == 1
    assert [violation.rule for violation in judgement.violations] == broken


@pytest.mark.parametrize("other", ["Dark Ruler Ha Des", "Necrovalley"])
def test_what_else_may_negate_it(other: str) -> None:
    """BD-14: Dark Ruler Ha Des reaches the Graveyard, and Necrovalley what is done to it."""
    duel = tomato(other)
    duel.resolve(outcome="effect-negated")
    judgement = duel.judge("BD-14")
    assert (judgement.at_stake["BD-14"], judgement.violations) == (0, ())


@pytest.mark.parametrize("outcome, broken", [("effect-negated", []), ("resolved", ["BD-14"])])
def test_a_determined_monster_is_on_the_field(outcome: Outcome, broken: list[str]) -> None:
    """BD-14: D-080; Skill Drain negates the flip effect of Man-Eater Bug, which its battle has destroyed."""
    duel = Chained()
    elf, bug = duel.real(0, "Gemini Elf"), duel.real(1, "Man-Eater Bug", position="face-down-defense")
    duel.place_card(0, "Skill Drain")
    duel.to_damage_step(elf, bug)
    duel.through("damage-start")
    duel.begin("before-calculation")
    duel.add(duel.turn(bug, "face-up-defense", "battle"), StatusChanged("effects-negated", True, bug))
    duel.both_pass()
    duel.through("during-calculation")
    duel.calculate(bug, (1900, 600), destroyed=(bug,), target_uses_def=True)
    duel.begin("after-calculation")
    duel.trigger(1, bug, targets=(elf,))
    duel.resolve(outcome=outcome)
    judgement = duel.judge("BD-14")
    assert judgement.at_stake["BD-14"] == 1
    assert [violation.rule for violation in judgement.violations] == broken
