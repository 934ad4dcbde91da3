"""AT-8, AT-10, AT-13: attacks that are stopped, that go on, and what is done to an attacker whose attack is over."""

from __future__ import annotations

from engine_protocol.cards import card_pool
from engine_protocol.decisions import Option
from engine_protocol.events import AttackEnded, LpChanged, StatusChanged
from engine_protocol.vocabulary import DAMAGE_STEP_TIMINGS
from oracles.attack_stops import forbids_declarations
from tests.oracles.traces import BOOK_OF_MOON, MAGIC_CYLINDER, PASS, RUSH, Duel

POOL = card_pool()
FIENDISH_CHAIN = POOL.named("Fiendish Chain").passcode
THREATENING_ROAR = POOL.named("Threatening Roar").passcode
DIMENSIONAL_PRISON = POOL.named("Dimensional Prison").passcode


class Declared:
    """An attack of an Effect Monster on a monster, with the other player's Traps, at its declaration."""

    def __init__(self, *traps: int) -> None:
        self.duel = duel = Duel(pool=POOL)
        self.attacker = duel.monster(0, 1700, passcode=POOL.named("Drillroid").passcode)
        self.target = duel.monster(1, 1500, passcode=POOL.named("Celtic Guardian").passcode)
        self.traps = [duel.set_card(1, passcode) for passcode in traps]
        duel.to_battle_step()
        duel.attack(self.attacker, self.target)
        duel.passes(0)

    def restrict(self) -> StatusChanged:
        """The attacker cannot attack any more."""
        return StatusChanged("cannot-attack", True, card=self.attacker)

    def stop(self) -> AttackEnded:
        """The attack is stopped."""
        return AttackEnded(self.attacker, "stopped")


def chained() -> Declared:
    """Dimensional Prison on the attacker, and Fiendish Chain chained to it."""
    story = Declared(DIMENSIONAL_PRISON, FIENDISH_CHAIN)
    prison, fiendish = story.traps
    story.duel.activate(1, prison, targets=(story.attacker,))
    story.duel.passes(0)
    story.duel.activate(1, fiendish, targets=(story.attacker,))
    return story


def test_a_monster_that_cannot_attack_is_stopped_within_the_chain() -> None:
    """AT-8, AT-10: Fiendish Chain stops the attack before Dimensional Prison resolves, which then does nothing."""
    story = chained()
    story.duel.resolve([story.restrict(), story.stop()], [])
    judgement = story.duel.judge("AT-8", "AT-10")
    assert judgement.violations == ()
    assert judgement.at_stake == {"AT-8": 1, "AT-10": 1}


def test_a_stop_that_waits_for_the_end_of_the_chain() -> None:
    """AT-8: the next link already finds no attacking monster."""
    story = chained()
    story.duel.resolve([story.restrict()], [story.stop()])
    assert [violation.rule for violation in story.duel.judge("AT-8", "AT-10").violations] == ["AT-8"]


def test_what_is_still_done_to_the_attacking_monster() -> None:
    """AT-10: Dimensional Prison must not banish a monster whose attack Fiendish Chain has stopped."""
    story = chained()
    banished = story.duel.move(story.attacker, "banished", "banished-by-effect")
    story.duel.resolve([story.restrict(), story.stop()], [banished])
    assert [violation.rule for violation in story.duel.judge("AT-8", "AT-10").violations] == ["AT-10"]


def test_damage_for_an_attack_that_is_over() -> None:
    """AT-10: Magic Cylinder has no attack to negate any more, so it deals nothing; on its own it may deal its damage."""
    story = Declared(MAGIC_CYLINDER, FIENDISH_CHAIN)
    cylinder, fiendish = story.traps
    damage = LpChanged(0, -1700, 6300, "effect-damage")
    story.duel.activate(1, cylinder, targets=(story.attacker,))
    story.duel.passes(0)
    story.duel.activate(1, fiendish, targets=(story.attacker,))
    story.duel.resolve([story.restrict(), story.stop()], [damage])
    assert [violation.rule for violation in story.duel.judge("AT-10").violations] == ["AT-10"]
    alone = Declared(MAGIC_CYLINDER)
    alone.duel.activate(1, alone.traps[0], targets=(alone.attacker,))
    alone.duel.resolve([AttackEnded(alone.attacker, "negated"), damage])
    assert alone.duel.judge("AT-10").violations == ()


def roared() -> Declared:
    """Threatening Roar in answer to a declaration, resolved."""
    story = Declared(THREATENING_ROAR)
    story.duel.activate(1, story.traps[0])
    story.duel.resolve([])
    return story


def test_an_attack_outlasts_that_declarations_are_forbidden() -> None:
    """AT-8: Threatening Roar stops no attack that was declared, and the turn player declares no other."""
    story = roared()
    story.duel.begin("after-declaration")
    story.duel.damage_step(story.target, (1700, 1500), (0, 200), (story.target,))
    story.duel.decide(0, "action", (PASS,))
    judgement = story.duel.judge("AT-8")
    assert judgement.violations == ()
    assert judgement.at_stake["AT-8"] == 2


def test_a_declared_attack_is_not_stopped_by_threatening_roar() -> None:
    """AT-8: the attack has been declared already."""
    story = roared()
    story.duel.end_attack("stopped")
    assert [violation.rule for violation in story.duel.judge("AT-8").violations] == ["AT-8"]


def test_no_declaration_after_threatening_roar() -> None:
    """AT-8: another attack must not be offered in this turn."""
    story = roared()
    story.duel.begin("after-declaration")
    story.duel.damage_step(story.target, (1700, 1500), (0, 200), (story.target,))
    story.duel.decide(0, "action", (PASS, Option("attack", story.attacker)))
    assert [violation.rule for violation in story.duel.judge("AT-8").violations] == ["AT-8"]


def test_who_cannot_declare_attacks() -> None:
    """AT-8: Threatening Roar keeps a player from it, Jurrac Guaiba only the monster that it Special Summons."""
    assert [forbids_declarations(POOL.named(name).effects[0]) for name in ("Threatening Roar", "Jurrac Guaiba")] == [True, False]


def test_in_the_damage_step_nothing_is_stopped() -> None:
    """AT-8: a monster that cannot attack since the Damage Step goes on with its battle."""
    for reason in ("battled", "stopped"):
        story = Declared()
        story.duel.passes(1)
        story.duel.begin("after-declaration")
        story.duel.both_pass()
        for timing in DAMAGE_STEP_TIMINGS[:2]:
            story.duel.begin(timing)
        story.duel.add(story.restrict(), AttackEnded(story.attacker, reason))
        judgement = story.duel.judge("AT-8")
        assert judgement.at_stake["AT-8"] == 1
        assert len(judgement.violations) == (reason == "stopped")


def test_what_forbids_declarations() -> None:
    """Of the cards that ship, only Threatening Roar forbids declarations; the others are about certain monsters."""
    assert {card.name for card in POOL.values() if any(map(forbids_declarations, card.effects))} == {"Threatening Roar"}


def rushed(card: int) -> tuple[Duel, int, int]:
    """In the window after the declaration the other player has done something to the target; the chain is yet to resolve."""
    duel = Duel()
    attacker, target, trap = duel.monster(0, 2000), duel.monster(1, 1500), duel.set_card(1, card)
    duel.to_battle_step()
    duel.attack(attacker, target)
    duel.passes(0)
    duel.activate(1, trap, targets=(target,))
    return duel, attacker, target


def test_changes_stop_no_attack() -> None:
    """AT-13: a target with more ATK, or turned face-down, is attacked all the same."""
    for card in (RUSH, BOOK_OF_MOON):
        duel, _, target = rushed(card)
        doing = duel.stat(target, 2200, 100) if card == RUSH else duel.turn(target, "face-down-defense")
        duel.resolve([doing])
        duel.begin("after-declaration")
        duel.both_pass()
        duel.begin("damage-start")
        judgement = duel.judge("AT-13")
        assert judgement.violations == ()
        assert judgement.at_stake["AT-13"] == 1


def test_an_attack_that_a_change_stopped() -> None:
    """AT-13: that the target lies face-down now is no reason to end the attack."""
    duel, _, target = rushed(BOOK_OF_MOON)
    duel.resolve([duel.turn(target, "face-down-defense")])
    duel.end_attack("stopped")
    assert [violation.rule for violation in duel.judge("AT-13").violations] == ["AT-13"]
