"""A battle inside an effect (EC): battle-phase-flow, section on damage calculation in a resolution.

Player A attacks with 2000 ATK. Player B answers with Sakuretsu Armor, and chains Construction Train Signal Red (1000 ATK) from
the hand, which takes the attack upon itself and is not destroyed: 1000 battle damage.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from engine_protocol.decisions import Decision, DecisionKind, Option
from engine_protocol.events import (
    AttackEnded,
    AttackTargetChosen,
    ChainEnded,
    DamageCalculated,
    Decided,
    DeterminedDestroyed,
    Event,
    LinkResolved,
    LinkResolving,
    LpChanged,
    Moved,
    Place,
    TimingBegan,
)
from engine_protocol.vocabulary import Timing
from tests.oracles.chained import Chained

ATTACKER, TARGET, ARMOR, TRAIN = 1, 2, 3, 4
START, BEFORE, DURING, AFTER, END = (
    TimingBegan(timing)
    for timing in ("damage-start", "before-calculation", "during-calculation", "after-calculation", "damage-end")
)
AIMED = AttackTargetChosen(ATTACKER, TRAIN)
CALCULATED = DamageCalculated(ATTACKER, TRAIN, 2000, 1000, (0, 1000))
DAMAGE = LpChanged(1, -1000, 7000, "battle-damage")
OVER = AttackEnded(ATTACKER, "battled")
TRAIN_DONE = LinkResolved(2)
ARMOR_RESOLVES = LinkResolving(1)
ARMOR_DONE = LinkResolved(1, "no-effect")
ATTACKER_GONE = Moved(ATTACKER, Place(0, "monster-zone", 0, "face-up-attack"), Place(0, "graveyard"), "destroyed-by-effect")
SENT = Moved(TRAIN, Place(1, "monster-zone", 1, "face-up-attack"), Place(1, "graveyard"), "destroyed-by-battle")


def asked(kind: DecisionKind = "priority", timing: Timing = "during-calculation", chain: int = 2) -> Decided:
    """Player A is asked for an activation, and passes."""
    return Decided(Decision(0, kind, timing, (Option("pass"),), chain), 0, forced=True)


def told(*inside: Event, then: Sequence[Event] = (TRAIN_DONE, AFTER, OVER), armor: Sequence[Event] = (ARMOR_DONE,)) -> Chained:
    """The duel up to the end of the chain: what the train's effect does after its Summon, what follows, what the armor does."""
    duel = Chained()
    duel.real(0, atk=2000)
    duel.real(1, atk=500)
    duel.place_card(1, "Sakuretsu Armor", position="face-down")
    duel.place_card(1, "Construction Train Signal Red", "hand", "face-down")
    duel.declare(ATTACKER, TARGET)
    duel.passes(0)
    duel.activate(1, ARMOR, targets=(ATTACKER,))
    duel.passes(0)
    duel.activate(1, TRAIN)
    duel.passes(0, 1)
    duel.add(LinkResolving(2), duel.summon(TRAIN, "hand", 1), *inside, *then, ARMOR_RESOLVES, *armor)
    duel.add(Moved(ARMOR, duel.place(ARMOR), Place(1, "graveyard"), "used"), ChainEnded())
    duel.links = []
    duel.attacker = -1
    duel.timing = "after-calculation"
    return duel


BATTLE = (AIMED, START, BEFORE, DURING, CALCULATED, DAMAGE)


def to_the_end(duel: Chained) -> Chained:
    """The Damage Step's end, and the Battle Step again."""
    duel.both_pass()
    duel.begin("damage-end")
    duel.both_pass()
    duel.begin("battle-step")
    return duel


def verdict(duel: Chained, rule: str) -> tuple[set[str], bool]:
    """The rules of this section that are broken, and whether this one was at stake."""
    judgement = duel.judge("EC-1", "EC-2", "EC-3", "EC-4")
    return {violation.rule for violation in judgement.violations}, judgement.at_stake[rule] > 0


def test_the_battle_as_the_document_has_it_breaks_no_rule() -> None:
    """Start to calculation in the effect, the timing after it, the armor without an attacker, the end, the Battle Step."""
    assert to_the_end(told(*BATTLE)).broken_rules() == set()


@pytest.mark.parametrize("rule", ["EC-1", "EC-2", "EC-3"])
def test_each_rule_is_at_stake(rule: str) -> None:
    """All but the one that needs a monster destroyed."""
    assert verdict(to_the_end(told(*BATTLE)), rule) == (set(), True)


@pytest.mark.parametrize(
    "inside",
    [
        (AIMED,),
        (AIMED, START, BEFORE, DURING),
        (AIMED, START, DURING, CALCULATED, DAMAGE),
        (AIMED, START, BEFORE, asked(), DURING, CALCULATED, DAMAGE),
        (AIMED, START, BEFORE, DURING, asked("response"), CALCULATED, DAMAGE),
    ],
    ids=["no-battle", "no-calculation", "a-timing-left-out", "priority-inside", "response-inside"],
)
def test_the_battle_takes_place_inside_without_activations(inside: tuple[Event, ...]) -> None:
    """EC-1: the effect comes to damage calculation, through its three timings, and nobody is asked on the way."""
    assert "EC-1" in verdict(told(*inside), "EC-1")[0]


@pytest.mark.parametrize(
    "then",
    [
        (TRAIN_DONE, OVER),
        (TRAIN_DONE, AFTER, OVER, asked("trigger", "after-calculation")),
        (TRAIN_DONE, AFTER, OVER, asked("priority", "after-calculation")),
    ],
    ids=["no-timing-after-it", "triggers-before-the-rest", "priority-before-the-rest"],
)
def test_what_follows_waits_for_the_rest_of_the_chain(then: tuple[Event, ...]) -> None:
    """EC-2: the timing after damage calculation begins at once, but Triggers and activations wait for the whole chain."""
    assert verdict(told(*BATTLE, then=then), "EC-2") == ({"EC-2"}, True)


def test_a_substitute_goes_before_the_next_link() -> None:
    """EC-2: what was decided to go instead of a monster is gone when the next link resolves."""
    decided = Decided(Decision(1, "substitute", "during-calculation", (Option("no"), Option("card", TARGET)), 2, TRAIN), 1)
    assert verdict(told(AIMED, START, BEFORE, DURING, decided, CALCULATED, DAMAGE), "EC-2") == ({"EC-2"}, True)


def test_effects_on_the_attacking_monster_find_none() -> None:
    """EC-3: the attack is over, so Sakuretsu Armor must not destroy the attacker."""
    assert verdict(told(*BATTLE, armor=(ATTACKER_GONE, LinkResolved(1))), "EC-3") == ({"EC-3"}, True)


@pytest.mark.parametrize("reason", ["negated", "stopped"])
def test_the_attack_does_not_end_twice(reason: str) -> None:
    """EC-3: nothing is left to negate or to stop."""
    ended = AttackEnded(ATTACKER, "negated" if reason == "negated" else "stopped")
    assert verdict(told(*BATTLE, then=(TRAIN_DONE, AFTER), armor=(ended, ARMOR_DONE)), "EC-3")[0] == {"EC-3"}


def test_the_attack_does_not_end_again_with_the_battle_phase() -> None:
    """EC-3: it was over when the effect had resolved, so nothing is left to be stopped when the End Step comes."""
    duel = to_the_end(told(*BATTLE))
    duel.add(AttackEnded(ATTACKER, "stopped"))
    assert verdict(duel, "EC-3")[0] == {"EC-3"}


def test_the_attack_does_not_go_on() -> None:
    """EC-3: no Damage Step of the declared attack follows."""
    duel = told(*BATTLE)
    duel.both_pass()
    duel.begin("after-declaration")
    assert verdict(duel, "EC-3")[0] == {"EC-3"}


DESTROYED = (AIMED, START, BEFORE, DURING, CALCULATED, DAMAGE, DeterminedDestroyed(TRAIN))


def test_the_destroyed_leave_at_the_end() -> None:
    """EC-4: after the whole chain, at the end of the Damage Step, and not before."""
    duel = told(*DESTROYED)
    duel.both_pass()
    duel.begin("damage-end")
    duel.add(SENT)
    duel.both_pass()
    duel.begin("battle-step")
    assert verdict(duel, "EC-4") == (set(), True)


def test_the_destroyed_do_not_leave_during_the_chain() -> None:
    """EC-4: not when the effect has resolved."""
    assert verdict(told(*DESTROYED, then=(TRAIN_DONE, AFTER, SENT, OVER)), "EC-4") == ({"EC-4"}, True)


def test_the_destroyed_do_not_stay() -> None:
    """EC-4: they are gone when play returns to the Battle Step."""
    assert verdict(to_the_end(told(*DESTROYED)), "EC-4") == ({"EC-4"}, True)
