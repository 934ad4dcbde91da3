"""BP: traces that keep the order of the Battle Phase, and traces that break one rule of it."""

from __future__ import annotations

import pytest

from engine_protocol.cards import CardFacts, CardPool, EffectFacts, card_pool
from engine_protocol.decisions import Option, OptionKind
from engine_protocol.events import AttackEnded, BattlePhaseEnded, StatusChanged
from engine_protocol.vocabulary import Player, Timing
from tests.oracles.traces import BOOK_OF_MOON, PASS, RUSH, Duel


def battle() -> tuple[Duel, int, int]:
    """A duel that has reached its Battle Step, with a monster on each side."""
    duel = Duel()
    attacker, target = duel.monster(0, 2000), duel.monster(1, 1500)
    duel.to_battle_step()
    return duel, attacker, target


def whole_battle_phase() -> Duel:
    """One attack, fought out, and the end of the Battle Phase, with nothing activated."""
    duel, attacker, target = battle()
    duel.attack(attacker, target)
    duel.to_after_declaration()
    duel.damage_step(target, (2000, 1500), (0, 500), (target,))
    duel.end_phase()
    return duel


def test_a_plain_battle_phase_conforms() -> None:
    """The flow of a Battle Phase with one attack breaks no rule, and puts the order of the steps at stake."""
    judgement = whole_battle_phase().judge()
    assert judgement.violations == ()
    assert judgement.at_stake["BP-2"] == 5
    assert judgement.at_stake["BP-4"] == 4


def test_damage_step_may_not_lead_to_the_end_step() -> None:
    """BP-2: play must be back in the Battle Step before the End Step."""
    duel, attacker, target = battle()
    duel.attack(attacker, target)
    duel.to_after_declaration()
    duel.damage_step(target, (2000, 1500), (0, 500), (target,))
    duel.events.pop()
    duel.begin("end-step")
    duel.both_pass()
    duel.add(BattlePhaseEnded())
    assert duel.broken_rules() == {"BP-2"}


def test_start_step_may_not_lead_to_the_end_step() -> None:
    """BP-2: even without a monster the Battle Step comes between."""
    duel = Duel()
    duel.begin("start-step")
    duel.both_pass()
    duel.begin("end-step")
    assert duel.broken_rules() == {"BP-2"}


def test_passing_must_be_offered_in_the_battle_step() -> None:
    """BP-3: the turn player need not attack."""
    duel, attacker, _ = battle()
    duel.decide(0, "action", [Option("attack", attacker)])
    assert duel.broken_rules() == {"BP-3"}
    assert whole_battle_phase().judge("BP-3").at_stake["BP-3"] == 2


def test_one_pass_does_not_end_the_battle_step() -> None:
    """BP-4: the End Step needs the other player's pass too."""
    duel, attacker, _ = battle()
    duel.passes(0, offered=[Option("attack", attacker)])
    duel.begin("end-step")
    assert duel.broken_rules() == {"BP-4"}


def test_a_chain_wipes_out_the_passes_before_it() -> None:
    """BP-4: the turn player's pass of before the other player's chain does not count after it."""
    duel = Duel()
    monster, book = duel.monster(0, 2000), duel.set_card(1, BOOK_OF_MOON)
    duel.begin("start-step")
    duel.passes(0)
    duel.activate(1, book, targets=(monster,))
    duel.resolve([duel.turn(monster, "face-down-defense")])
    duel.passes(0)
    duel.begin("battle-step")
    assert duel.broken_rules() == {"BP-4"}


def closing_chain() -> Duel:
    """The other player answers the end of the Battle Step with a chain."""
    duel = Duel()
    monster, book = duel.monster(0, 2000), duel.set_card(1, BOOK_OF_MOON)
    duel.to_battle_step()
    duel.passes(0, offered=[Option("attack", monster)])
    duel.activate(1, book, targets=(monster,))
    duel.resolve([duel.turn(monster, "face-down-defense")])
    return duel


def test_after_a_closing_chain_the_turn_player_acts_again() -> None:
    """BP-5: after the chain the turn player has the choices of the Battle Step again."""
    duel = closing_chain()
    duel.end_phase()
    judgement = duel.judge()
    assert judgement.violations == ()
    assert judgement.at_stake["BP-5"] == 1


def test_after_a_closing_chain_the_other_player_may_not_act_first() -> None:
    """BP-5: the other player is not the first to act after the chain."""
    duel = closing_chain()
    duel.passes(1)
    assert duel.broken_rules() == {"BP-5"}


def test_the_other_player_waits_in_the_battle_step() -> None:
    """BP-7: nothing may be offered to the non-turn player before the turn player has acted."""
    duel = Duel()
    duel.monster(0, 2000)
    book = duel.set_card(1, BOOK_OF_MOON)
    duel.to_battle_step()
    duel.decide(1, "priority", [PASS, Option("activate", book, 1)])
    assert duel.broken_rules() == {"BP-7"}


def test_the_other_player_may_answer_the_end_of_the_battle_step() -> None:
    """BP-7: once the turn player has passed, the other player may activate."""
    judgement = closing_chain().judge("BP-7")
    assert judgement.violations == ()
    assert judgement.at_stake["BP-7"] == 1


def test_no_second_thoughts_after_both_passed() -> None:
    """BP-8: two passes in the window after the declaration lead to the Damage Step, not to another chance."""
    duel, attacker, target = battle()
    duel.attack(attacker, target)
    duel.to_after_declaration()
    duel.both_pass()
    duel.passes(0)
    assert duel.broken_rules() == {"BP-8"}
    assert whole_battle_phase().judge("BP-8").at_stake["BP-8"] == 1


def test_no_end_step_while_an_attack_is_open() -> None:
    """BP-8: two passes after a declaration do not lead to the End Step."""
    duel, attacker, target = battle()
    duel.attack(attacker, target)
    duel.to_after_declaration()
    duel.both_pass()
    duel.begin("end-step")
    assert "BP-8" in duel.broken_rules()


NEGATE_ATTACK = card_pool().named("Negate Attack").passcode


def ended_by_negate_attack() -> Duel:
    """Negate Attack in answer to a declaration, resolved."""
    duel = Duel(pool=card_pool())
    attacker = duel.monster(0, passcode=card_pool().named("Celtic Guardian").passcode)
    trap = duel.set_card(1, NEGATE_ATTACK)
    duel.to_battle_step()
    duel.attack(attacker)
    duel.passes(0)
    duel.activate(1, trap, targets=(attacker,))
    duel.resolve([AttackEnded(attacker, "negated")])
    duel.attacker = -1
    return duel


def test_the_end_of_the_battle_phase_is_its_end_step() -> None:
    """BP-10: after Negate Attack the End Step follows, in which both players pass."""
    duel = ended_by_negate_attack()
    duel.begin("end-step")
    duel.both_pass()
    duel.add(BattlePhaseEnded())
    judgement = duel.judge("BP-2", "BP-4", "BP-10")
    assert judgement.violations == ()
    assert judgement.at_stake["BP-10"] == 1


def test_nothing_comes_between_negate_attack_and_the_end_step() -> None:
    """BP-10: neither back to the Battle Step, nor out of the Battle Phase at once."""
    duel = ended_by_negate_attack()
    duel.begin("battle-step")
    assert "BP-10" in duel.broken_rules()
    duel = ended_by_negate_attack()
    duel.add(BattlePhaseEnded())
    assert "BP-10" in duel.broken_rules()


def test_an_unaffected_attacker_keeps_the_battle_phase_going() -> None:
    """BP-10: Negate Attack negates nothing of a monster under Forbidden Lance, so the Battle Phase does not end either."""
    duel = Duel(pool=card_pool())
    attacker = duel.monster(0, passcode=card_pool().named("Celtic Guardian").passcode)
    trap = duel.set_card(1, NEGATE_ATTACK)
    duel.to_battle_step()
    duel.add(StatusChanged("unaffected-by-spells-traps", True, attacker))
    duel.attack(attacker)
    duel.passes(0)
    duel.activate(1, trap, targets=(attacker,))
    duel.resolve()
    duel.begin("after-declaration")
    judgement = duel.judge("BP-10")
    assert judgement.violations == ()
    assert judgement.at_stake["BP-10"] == 0


def end_step_triggers() -> CardPool:
    """A pool with one monster that has a Trigger for the end of the Battle Phase."""
    effect = EffectFacts(
        number=1, kind="trigger", mandatory=True, speed=1, zones=("monster-zone",), timings=("end-step",), condition="step-began"
    )
    return CardPool([CardFacts(passcode=1, name="Keeper of the End Step", type="monster", atk=0, def_=0, effects=(effect,))])


def test_each_end_step_trigger_starts_its_own_chain() -> None:
    """BP-6: two such Triggers resolve one after the other; on one chain they break the rule."""
    for together in (False, True):
        duel = Duel(pool=end_step_triggers())
        first, second = duel.monster(0, passcode=1), duel.monster(1, passcode=1)
        duel.to_battle_step()
        duel.both_pass()
        duel.begin("end-step")
        duel.activate(0, first, trigger=True)
        if not together:
            duel.resolve([])
        duel.activate(1, second, trigger=True)
        judgement = duel.judge("BP-6")
        assert judgement.at_stake["BP-6"] == 2
        assert len(judgement.violations) == together


def fenrir(*, activated: bool, turn_player: Player = 0) -> Duel:
    """The Start Step of Player A, or B, with Fenrir the Nordic Wolf and Loki of Player A."""
    duel = Duel(turn_player=turn_player, pool=card_pool())
    wolf = duel.monster(0, passcode=91697229)
    duel.monster(0, passcode=67098114)
    duel.begin("start-step")
    if activated:
        duel.activate(0, wolf, 2)
        duel.resolve([])
    duel.both_pass()
    duel.begin("battle-step")
    return duel


def test_the_start_step_is_not_left_without_a_mandatory_effect() -> None:
    """BP-6: at the start of its own player's Battle Phase Fenrir's effect has to be activated, whenever in the step."""
    for activated in (True, False):
        judgement = fenrir(activated=activated).judge("BP-6")
        assert judgement.at_stake["BP-6"] == 1
        assert bool(judgement.violations) is not activated


def test_an_effect_of_the_own_battle_phase_waits_for_that() -> None:
    """BP-6: in the other player's Battle Phase it is not activated."""
    judgement = fenrir(activated=False, turn_player=1).judge("BP-6")
    assert (judgement.at_stake["BP-6"], judgement.violations) == (0, ())


# Where the rulesets differ


@pytest.mark.parametrize(
    "ruleset, broken",
    [("ocg-2023", {"BP-2"}), ("master-rule-2", set()), ("master-rule-3", set()), ("duel-arena", set()), ("expert-2007", set())],
)
def test_whether_the_start_step_may_be_the_last_but_one(ruleset: str, broken: set[str]) -> None:
    """BP-2: B-012 has the way straight to the End Step, M-003 forbids it; expert-2007 says neither."""
    duel = Duel()
    duel.ruleset = ruleset
    duel.begin("start-step")
    duel.both_pass()
    duel.begin("end-step")
    assert duel.broken_rules() == broken


def test_the_choice_of_the_end_step_undoes_no_pass() -> None:
    """BP-4: both have passed, and then the turn player is asked where that leads."""
    duel = Duel()
    duel.ruleset = "master-rule-2"
    duel.begin("start-step")
    duel.both_pass()
    duel.decide(0, "to-end-step", [Option("no"), Option("yes")], 1)
    duel.begin("end-step")
    judgement = duel.judge()
    assert (judgement.at_stake["BP-4"], judgement.violations) == (1, ())


@pytest.mark.parametrize("ruleset, broken", [("ocg-2023", {"BP-6"}), ("master-rule-3", set()), ("expert-2007", set())])
def test_whether_step_triggers_share_a_chain(ruleset: str, broken: set[str]) -> None:
    """BP-6: only battle-phase-flow says that each starts its own chain."""
    duel = Duel(pool=end_step_triggers())
    duel.ruleset = ruleset
    first, second = duel.monster(0, passcode=1), duel.monster(1, passcode=1)
    duel.to_battle_step()
    duel.passes(0)
    duel.passes(1)
    duel.begin("end-step")
    duel.activate(0, first, trigger=True)
    duel.activate(1, second, trigger=True)
    assert {violation.rule for violation in duel.judge("BP-6").violations} == broken


def test_a_mandatory_effect_of_the_step_is_activated_by_any_rules() -> None:
    """BP-6: where the documents do not say that each starts its own chain, it must not be left out, either."""
    duel = fenrir(activated=False)
    duel.ruleset = "master-rule-2"
    assert [violation.rule for violation in duel.judge("BP-6").violations] == ["BP-6"]


@pytest.mark.parametrize("ruleset, judged", [("ocg-2023", True), ("master-rule-2", True), ("expert-2007", False)])
def test_where_the_other_player_waits_before_a_declaration(ruleset: str, judged: bool) -> None:
    """BP-7: expert-2007 lists no window before the attacker is chosen."""
    duel = Duel()
    duel.ruleset = ruleset
    duel.monster(0, 2000)
    duel.set_card(1, BOOK_OF_MOON)
    duel.to_battle_step()
    duel.decide(1, "priority", [PASS, Option("activate", 2, 1)])
    assert ("BP-7" in duel.broken_rules()) is judged


@pytest.mark.parametrize("ruleset, broken", [("master-rule-2", {"CH-8"}), ("expert-2007", set())])
def test_what_must_be_offered_before_a_declaration(ruleset: str, broken: set[str]) -> None:
    """CH-8, CH-12: B-044 lets the turn player activate cards there; expert-2007 does not speak of it."""
    duel = Duel()
    duel.ruleset = ruleset
    duel.set_card(0, RUSH)
    duel.monster(1, 1500)
    duel.to_battle_step()
    duel.decide(0, "action", [PASS])
    assert duel.broken_rules() == broken


@pytest.mark.parametrize("chosen", ["yes", "no"])
@pytest.mark.parametrize("to", ["battle-step", "end-step"])
def test_the_way_that_was_chosen_is_taken(chosen: OptionKind, to: Timing) -> None:
    """BP-2: by B-012 the turn player may go straight to the End Step; whoever was asked goes where they chose to go."""
    duel = Duel()
    duel.ruleset = "master-rule-2"
    duel.begin("start-step")
    duel.both_pass()
    duel.decide(0, "to-end-step", (Option("no"), Option("yes")), 1 if chosen == "yes" else 0)
    duel.begin(to)
    conforms = (chosen == "yes") == (to == "end-step")
    assert {violation.rule for violation in duel.judge("BP-2").violations} == (set() if conforms else {"BP-2"})
