"""AT-9: a target that cannot be selected any more is attacked all the same."""

from __future__ import annotations

import pytest

from engine_protocol.cards import card_pool
from engine_protocol.decisions import Option
from engine_protocol.events import ControlChanged, Place, StatusChanged
from engine_protocol.vocabulary import Status
from tests.oracles.traces import BOOK_OF_MOON, Duel

POOL = card_pool()
FOG_BLADE = POOL.named("Phantom Knights' Fog Blade").passcode
CALL_OF_THE_HAUNTED = POOL.named("Call of the Haunted").passcode
EVACUATION = POOL.named("Compulsory Evacuation Device").passcode
FIENDISH_CHAIN = POOL.named("Fiendish Chain").passcode
NEGATE_ATTACK = POOL.named("Negate Attack").passcode


class Fogged:
    """An attack on one of two Effect Monsters, at whose declaration Fog Blade takes hold of the target.

    ``magnet``  the other player has a face-up card that may limit what can be attacked
    """

    def __init__(self, *chained: int, magnet: bool = False, attacker: str = "Celtic Guardian") -> None:
        self.duel = duel = Duel(pool=POOL)
        self.attacker = duel.monster(0, 1900, passcode=POOL.named(attacker).passcode)
        self.target = duel.monster(1, 1500, passcode=POOL.named("Drillroid").passcode)
        self.bystander = duel.monster(1, 1000, passcode=POOL.named("Drillroid").passcode)
        self.dead = duel.card(1, POOL.named("Celtic Guardian").passcode, "graveyard")
        fog, *self.chained = [duel.set_card(1, passcode) for passcode in (FOG_BLADE, *chained)]
        self.ring = duel.card(1, POOL.named("Ring of Magnetism").passcode, "spell-trap-zone") if magnet else -1
        duel.to_battle_step()
        duel.attack(self.attacker, self.target, (self.target, self.bystander))
        duel.passes(0)
        duel.activate(1, fog, targets=(self.target,))
        statuses: tuple[Status, ...] = ("effects-negated", "cannot-attack", "cannot-be-attacked")
        self.doings = [StatusChanged(status, True, card=self.target) for status in statuses]

    def rewind(self) -> None:
        """The attack is rewound to the other monster."""
        self.duel.begin("after-declaration")
        self.duel.both_pass()
        self.duel.replay(self.bystander, (Option("give-up"), Option("card", self.bystander)))

    def fight(self) -> None:
        """The Damage Step begins."""
        self.duel.begin("after-declaration")
        self.duel.both_pass()
        self.duel.begin("damage-start")

    def broken(self) -> list[str]:
        """Which rule it breaks, if any."""
        return [violation.rule for violation in self.duel.judge("AT-9").violations]


def chain_on(story: Fogged, of: int) -> None:
    """The first further card is chained on that monster."""
    story.duel.passes(0)
    story.duel.activate(1, story.chained[0], targets=(of,))


def test_an_attack_on_what_cannot_be_selected_any_more() -> None:
    """M-133: the target has been selected, so the attack goes on to the Damage Step."""
    story = Fogged()
    story.duel.resolve(story.doings)
    story.fight()
    judgement = story.duel.judge("AT-9")
    assert (judgement.at_stake["AT-9"], judgement.violations) == (1, ())


def test_a_replay_for_it() -> None:
    """M-133: no replay comes of it."""
    story = Fogged()
    story.duel.resolve(story.doings)
    story.rewind()
    assert story.broken() == ["AT-9"]


@pytest.mark.parametrize("reason", ["stopped", "negated"])
def test_a_stop_for_it(reason: str) -> None:
    """M-133: it still is the target, so nothing has stopped the attack."""
    story = Fogged()
    story.duel.resolve(story.doings)
    story.duel.end_attack("stopped" if reason == "stopped" else "negated")
    assert story.broken() == ["AT-9"]


def test_a_replay_for_another_reason() -> None:
    """M-113: a monster that leaves the opponent's side is a reason of its own."""
    story = Fogged(EVACUATION)
    chain_on(story, story.bystander)
    story.duel.resolve([story.duel.move(story.bystander, "hand", "returned-by-effect")], story.doings)
    story.rewind()
    assert story.broken() == []


def test_a_replay_for_a_monster_that_was_summoned() -> None:
    """M-113: so is one that joins it, whatever else its Summon may have done."""
    story = Fogged(CALL_OF_THE_HAUNTED)
    dead = story.dead
    chain_on(story, dead)
    story.duel.resolve([story.duel.summon(dead, index=2)], story.doings)
    story.rewind()
    assert story.broken() == []


def test_a_replay_for_a_monster_that_came_and_went() -> None:
    """M-113: one that joins and leaves again is also a change, though the monsters are the same then."""
    story = Fogged(CALL_OF_THE_HAUNTED)
    dead = story.dead
    chain_on(story, dead)
    story.duel.resolve([story.duel.summon(dead, index=2), story.duel.move(dead, "graveyard", "tributed")], story.doings)
    story.rewind()
    assert story.broken() == []


def test_another_effect_ends_the_attack() -> None:
    """AT-7: Negate Attack in the same chain ends it, whatever befalls the target."""
    story = Fogged(NEGATE_ATTACK)
    chain_on(story, story.attacker)
    story.duel.resolve([], story.doings)
    story.duel.end_attack("negated")
    assert story.broken() == []


def test_another_monster_that_cannot_be_selected() -> None:
    """Of monsters that are not attacked the rule says nothing, so whatever an engine does is not its concern."""
    story = Fogged()
    story.duel.resolve([StatusChanged("cannot-be-attacked", True, card=story.bystander)])
    story.rewind()
    judgement = story.duel.judge("AT-9")
    assert (judgement.at_stake["AT-9"], judgement.violations) == (0, ())


def test_a_status_that_may_have_lifted_a_restriction() -> None:
    """M-130: what the attacker may attack can change when it becomes unaffected by Spells and Traps, which is a replay."""
    story = Fogged()
    story.duel.resolve([*story.doings, StatusChanged("unaffected-by-spells-traps", True, card=story.attacker)])
    story.rewind()
    assert story.broken() == []


def test_another_monster_that_is_negated() -> None:
    """What the effects of a third monster allowed or forbade is unknown, so their negation may be a reason."""
    story = Fogged(FIENDISH_CHAIN)
    chain_on(story, story.bystander)
    story.duel.resolve([], story.doings)
    story.rewind()
    assert story.broken() == []


def test_the_attacker_lies_in_defense_position() -> None:
    """AT-7: Book of Moon on the attacker stops the attack, whatever befalls the target."""
    story = Fogged(BOOK_OF_MOON)
    chain_on(story, story.attacker)
    story.duel.resolve([story.duel.turn(story.attacker, "face-down-defense")], story.doings)
    story.duel.end_attack("stopped")
    assert story.broken() == []


def test_an_attack_that_an_effect_allowed() -> None:
    """AT-11: an attack beyond the first ends with the effect that allows it, which need not show."""
    story = Fogged(attacker="Asura Priest")
    story.duel.resolve(story.doings)
    story.duel.end_attack("stopped")
    assert story.broken() == []


def test_an_effect_that_the_facts_do_not_explain() -> None:
    """A continuous effect in play of which nothing is known may do anything."""
    story = Fogged(attacker="Blue-Eyes Chaos MAX Dragon")
    story.duel.resolve(story.doings)
    story.rewind()
    assert story.broken() == []


def test_a_monster_that_went_over_and_came_back() -> None:
    """M-115: however many monsters there are in the end, the opponent's were others in between."""
    story = Fogged()
    here, there = story.duel.place(story.bystander), Place(0, "monster-zone", 4, "face-up-attack")
    changes = ControlChanged(story.bystander, here, there), ControlChanged(story.bystander, there, here)
    story.duel.resolve([*story.doings, *changes])
    story.rewind()
    assert story.broken() == []


def test_the_damage_step_has_begun() -> None:
    """From there on other rules say what ends a battle (DS-6) and that nothing is rewound (RP-3)."""
    story = Fogged()
    story.duel.resolve(story.doings)
    story.fight()
    story.duel.end_attack("stopped")
    assert story.broken() == []


def test_a_card_that_limited_attacks_leaves() -> None:
    """M-127: where Ring of Magnetism was, there may have been a limit, and its end may be a reason."""
    story = Fogged(magnet=True)
    story.duel.resolve([*story.doings, story.duel.move(story.ring, "graveyard", "destroyed-by-rule")])
    story.rewind()
    assert story.broken() == []


def test_the_target_that_was_chosen_in_a_replay() -> None:
    """A replay is over with its choice: what befell the target before it is no matter any more."""
    story = Fogged(EVACUATION)
    chain_on(story, story.target)
    story.duel.resolve([story.duel.move(story.target, "hand", "returned-by-effect")], story.doings)
    story.rewind()
    story.duel.both_pass()
    story.duel.begin("damage-start")
    judgement = story.duel.judge("AT-9")
    assert (judgement.at_stake["AT-9"], judgement.violations) == (0, ())
