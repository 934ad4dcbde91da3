"""AT-11, RP-8: monsters with several attacks."""

from __future__ import annotations

from collections.abc import Collection

import pytest
from msgspec.structs import replace

from engine_protocol.cards import card_pool
from engine_protocol.decisions import Option
from engine_protocol.events import AttackEnded, AttackerChosen, AttackTargetChosen, ReplayBegan
from tests.oracles.traces import PASS, Duel

POOL = card_pool()
GIVE_UP = Option("give-up")
DIRECT = Option("direct")


class Fight:
    """A monster of that name and two monsters of the other player, in the Battle Step."""

    def __init__(self, name: str, *equips: str, defenders: int = 2) -> None:
        self.duel = duel = Duel(pool=POOL)
        self.attacker = duel.monster(0, passcode=POOL.named(name).passcode)
        elf = POOL.named("Celtic Guardian").passcode
        self.targets = [duel.monster(1, passcode=elf) for _ in range(defenders)]
        for equip in equips:
            number = duel.card(0, POOL.named(equip).passcode, "spell-trap-zone")
            duel.cards[number - 1] = replace(duel.cards[number - 1], equipped_to=self.attacker)
        duel.to_battle_step()

    def attacks(self, target: int | None, offered: Collection[int] | None = None) -> None:
        """An attack that is negated at once."""
        self.duel.attack(self.attacker, target, offered)
        self.duel.end_attack("negated")

    def asked(self, *, again: bool) -> None:
        """The turn player is asked what to do, with or without another attack of the monster."""
        self.duel.decide(0, "action", (PASS, Option("attack", self.attacker)) if again else (PASS,))

    def broken(self) -> list[str]:
        """Which of the two rules are broken."""
        return [violation.rule for violation in self.duel.judge("AT-11", "RP-8").violations]


def test_two_attacks() -> None:
    """AT-11: Mataza attacks twice, not once and not three times; a negated attack is one of them."""
    fight = Fight("Mataza the Zapper")
    fight.attacks(fight.targets[0])
    fight.asked(again=True)
    fight.attacks(fight.targets[0])
    fight.asked(again=False)
    assert fight.broken() == []
    assert fight.duel.judge("AT-11").at_stake["AT-11"] >= 2
    fight.asked(again=True)
    assert fight.broken() == ["AT-11"]


def test_the_second_attack_must_be_offered() -> None:
    """AT-11: a monster equipped with Twin Swords of Flashing Light - Tryce attacks again after its first attack was negated."""
    fight = Fight("Celtic Guardian", "Twin Swords of Flashing Light - Tryce")
    fight.attacks(fight.targets[0])
    fight.asked(again=False)
    assert fight.broken() == ["AT-11"]


def test_equal_numbers_do_not_add_up() -> None:
    """AT-11: with Twin Swords of Flashing Light - Tryce, Mataza still attacks twice only."""
    fight = Fight("Mataza the Zapper", "Twin Swords of Flashing Light - Tryce")
    for target in fight.targets:
        fight.attacks(target)
    fight.asked(again=True)
    assert fight.broken() == ["AT-11"]


def test_each_monster_once() -> None:
    """AT-11: Asura Priest attacks the second monster after the first, and then nothing more."""
    fight = Fight("Asura Priest")
    first, second = fight.targets
    fight.attacks(first, (first, second))
    fight.attacks(second, (second,))
    fight.asked(again=False)
    assert fight.broken() == []
    fight.asked(again=True)
    assert fight.broken() == ["AT-11"]


def test_never_the_same_monster_twice() -> None:
    """AT-11: that its first attack was negated does not let Asura Priest attack the same monster again."""
    fight = Fight("Asura Priest")
    first, second = fight.targets
    fight.attacks(first, (first, second))
    fight.attacks(second, (first, second))
    assert fight.broken() == ["AT-11"]


def test_monsters_left_must_be_offered() -> None:
    """AT-11: Asura Priest may go on while there is a monster it has not attacked."""
    fight = Fight("Asura Priest")
    fight.attacks(fight.targets[0], fight.targets)
    fight.asked(again=False)
    assert fight.broken() == ["AT-11"]


def test_directly_or_monsters() -> None:
    """AT-11: after a direct attack, negated as it was, Asura Priest attacks no monster; after a monster, nobody directly."""
    fight = Fight("Asura Priest", defenders=0)
    fight.attacks(None)
    fight.asked(again=True)
    assert fight.broken() == ["AT-11"]
    fight = Fight("Asura Priest", defenders=1)
    duel, target = fight.duel, fight.targets[0]
    fight.attacks(target)
    duel.move(target, "graveyard", "sent-by-effect")
    duel.add(AttackerChosen(fight.attacker))
    duel.decide(0, "attack-target", (DIRECT,), source=fight.attacker)
    assert fight.broken() == ["AT-11"]


def exchanged(after: str) -> Fight:
    """Asura Priest attacks the first of two monsters until a replay, in which ``after`` is chosen: the other, or giving up."""
    fight = Fight("Asura Priest")
    duel, (first, second) = fight.duel, fight.targets
    duel.attack(fight.attacker, first)
    duel.to_after_declaration()
    duel.add(ReplayBegan(fight.attacker))
    if after == "another":
        duel.decide(0, "replay", (GIVE_UP, Option("card", first), Option("card", second)), 2, source=fight.attacker)
        duel.add(AttackTargetChosen(fight.attacker, second))
        duel.end_attack("negated")
    else:
        duel.decide(0, "replay", (GIVE_UP, Option("card", first), Option("card", second)), source=fight.attacker)
        duel.end_attack("given-up")
    return fight


@pytest.mark.parametrize("again", [True, False])
def test_a_monster_attacked_until_a_replay(again: bool) -> None:
    """AT-11: battle-phase-flow does not say whether a monster counts as attacked from which a replay led to another one."""
    fight = exchanged("another")
    fight.asked(again=again)
    if again:
        fight.attacks(fight.targets[0], (fight.targets[0],))
        fight.asked(again=False)
    assert fight.broken() == []


def test_given_up_in_a_replay() -> None:
    """AT-11: a monster the attack on which was given up in a replay cannot be attacked again (battle-phase-flow)."""
    fight = exchanged("given up")
    fight.attacks(fight.targets[0], fight.targets)
    assert fight.broken() == ["AT-11"]


def test_attacked_after_all() -> None:
    """AT-11: a monster that was attacked once more after a replay had led away from it is not attacked a third time."""
    fight = exchanged("another")
    fight.attacks(fight.targets[0], (fight.targets[0],))
    fight.asked(again=True)
    assert fight.broken() == ["AT-11"]


def emptied(earlier: bool, *options: Option) -> Fight:
    """Asura Priest attacks the last monster, which then leaves; ``earlier``: it has attacked another one before."""
    fight = Fight("Asura Priest")
    duel, (first, second) = fight.duel, fight.targets
    if earlier:
        fight.attacks(first, (first, second))
    duel.move(first, "graveyard", "sent-by-effect")
    duel.attack(fight.attacker, second)
    duel.to_after_declaration()
    duel.move(second, "graveyard", "sent-by-effect")
    duel.both_pass()
    duel.add(ReplayBegan(fight.attacker))
    duel.decide(0, "replay", (GIVE_UP, *options), source=fight.attacker)
    duel.add(AttackEnded(fight.attacker, "given-up"))
    return fight


def test_the_replay_of_a_first_attack_may_become_direct() -> None:
    """RP-8: with no monster left, Asura Priest may attack directly if this is its first attack, else only give up."""
    for earlier, options in ((False, (DIRECT,)), (True, ())):
        fight = emptied(earlier, *options)
        assert fight.broken() == []
        assert fight.duel.judge("RP-8").at_stake["RP-8"] == 1


def test_the_direct_attack_must_not_be_withheld() -> None:
    """RP-8: the first attack of Asura Priest may become a direct one."""
    assert emptied(False).broken() == ["RP-8"]


def test_no_direct_attack_after_an_attack_on_a_monster() -> None:
    """RP-8: if Asura Priest has attacked another monster before, its attack just ends."""
    assert "RP-8" in emptied(True, DIRECT).broken()
