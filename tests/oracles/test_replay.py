"""RP: replays that keep the rules, and ones that break one of them."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from engine_protocol.cards import card_pool
from engine_protocol.decisions import Option
from engine_protocol.events import AttackDeclared, ControlChanged, Decided, Place, ReplayBegan, StatusChanged
from engine_protocol.vocabulary import DAMAGE_STEP_TIMINGS
from tests.oracles.traces import BOOK_OF_MOON, CALL, MIRROR_FORCE, PASS, RUSH, VANILLA, Duel

GIVE_UP = Option("give-up")


class Arrival:
    """An attack after whose declaration Call of the Haunted brings the opponent another monster."""

    def __init__(self, *traps: int) -> None:
        self.duel = duel = Duel()
        self.attacker, self.target = duel.monster(0, 2000), duel.monster(1, 1500)
        self.newcomer = duel.card(1, VANILLA, "graveyard")
        self.call = duel.set_card(1, CALL)
        self.traps = [duel.set_card(1, passcode) for passcode in traps]
        duel.to_battle_step()
        duel.attack(self.attacker, self.target)
        duel.passes(0)

    def arrive(self) -> None:
        """The declaration passes; in the window after it the monster is Special Summoned."""
        duel = self.duel
        offered = [Option("activate", self.call, 1), *(Option("activate", trap, 1) for trap in self.traps)]
        duel.passes(1, offered=offered)
        duel.begin("after-declaration")
        duel.passes(0)
        duel.activate(1, self.call, targets=(self.newcomer,))
        duel.resolve([duel.summon(self.newcomer, index=1)])

    def options(self) -> list[Option]:
        """What the turn player may choose in the replay."""
        return [GIVE_UP, Option("card", self.target), Option("card", self.newcomer)]


def test_a_replay_conforms() -> None:
    """RP-1, RP-4, RP-5: the opponent's new monster causes a replay after both have passed, with the right choices."""
    story = Arrival()
    story.arrive()
    story.duel.both_pass()
    story.duel.replay(story.newcomer, story.options())
    story.duel.damage_step(story.newcomer, (2000, 2000), (0, 0), (story.attacker, story.newcomer))
    judgement = story.duel.judge()
    assert judgement.violations == ()
    assert [judgement.at_stake[rule] for rule in ("RP-1", "RP-4", "RP-5")] == [1, 1, 1]


def test_a_missing_replay() -> None:
    """RP-1: the Damage Step may not begin while the opponent's monsters are not those of the declaration."""
    story = Arrival()
    story.arrive()
    story.duel.both_pass()
    story.duel.begin("damage-start")
    assert story.duel.broken_rules() == {"RP-1"}


def test_a_lost_permission_causes_a_replay() -> None:
    """RP-1: a direct attack past a monster is rewound when it is no longer allowed."""
    duel = Duel()
    attacker = duel.monster(0, 2000)
    duel.monster(1, 1500)
    duel.to_battle_step()
    duel.add(StatusChanged("can-attack-directly", True, attacker))
    duel.attack(attacker)
    duel.to_after_declaration()
    duel.add(StatusChanged("can-attack-directly", False, attacker))
    duel.both_pass()
    duel.begin("damage-start")
    assert "RP-1" in duel.broken_rules()


def rushed() -> tuple[Duel, int, int]:
    """An attack whose attacker gains ATK in the window after the declaration."""
    duel = Duel()
    attacker, target, rush = duel.monster(0, 2000), duel.monster(1, 1500), duel.set_card(0, RUSH)
    duel.to_battle_step()
    duel.attack(attacker, target)
    duel.passes(0, offered=[Option("activate", rush, 1)])
    duel.passes(1)
    duel.begin("after-declaration")
    duel.activate(0, rush, targets=(attacker,))
    duel.resolve([duel.stat(attacker, 2700, 100)])
    duel.both_pass()
    return duel, attacker, target


def test_a_change_of_atk_causes_no_replay() -> None:
    """RP-2: there is nothing to choose again when only ATK has changed."""
    duel, _, target = rushed()
    duel.replay(target, [GIVE_UP, Option("card", target)])
    assert duel.broken_rules() == {"RP-2"}
    duel, *_ = rushed()
    duel.begin("damage-start")
    judgement = duel.judge()
    assert judgement.violations == ()
    assert judgement.at_stake["RP-2"] == 1


def summoned_on_the_own_side() -> tuple[Duel, int, int]:
    """An attack after whose declaration Call of the Haunted brings the turn player another monster."""
    duel = Duel()
    attacker, target = duel.monster(0, 2000), duel.monster(1, 1500)
    newcomer, call = duel.card(0, VANILLA, "graveyard"), duel.set_card(0, CALL)
    duel.to_battle_step()
    duel.attack(attacker, target)
    duel.passes(0, offered=[Option("activate", call, 1)])
    duel.passes(1)
    duel.begin("after-declaration")
    duel.activate(0, call, targets=(newcomer,))
    duel.resolve([duel.summon(newcomer, index=1)])
    duel.both_pass()
    return duel, attacker, target


def test_a_monster_on_the_own_side_causes_no_replay() -> None:
    """RP-2: monsters that the turn player Special Summons cause none."""
    duel, _, target = summoned_on_the_own_side()
    duel.replay(target, [GIVE_UP, Option("card", target)])
    assert duel.broken_rules() == {"RP-2"}
    duel, *_ = summoned_on_the_own_side()
    duel.begin("damage-start")
    assert duel.judge().violations == ()


def test_no_replay_in_the_damage_step() -> None:
    """RP-3: a monster that arrives in the Damage Step does not rewind the attack."""
    duel = Duel()
    attacker, target, newcomer = duel.monster(0, 2000), duel.monster(1, 1500), duel.card(1, VANILLA, "graveyard")
    duel.to_battle_step()
    duel.attack(attacker, target)
    duel.to_after_declaration()
    duel.both_pass()
    for timing in DAMAGE_STEP_TIMINGS[:2]:
        duel.begin(timing)
    duel.add(duel.summon(newcomer, index=1))
    duel.both_pass()
    duel.add(ReplayBegan(attacker))
    judgement = duel.judge("RP-1", "RP-3", "RP-4", "RP-5")
    assert [violation.rule for violation in judgement.violations] == ["RP-3"]
    assert judgement.at_stake["RP-3"] == 1


def test_no_replay_at_once() -> None:
    """RP-4: after the chain both players may follow it up before the replay."""
    story = Arrival()
    story.arrive()
    story.duel.replay(story.newcomer, story.options())
    assert story.duel.broken_rules() == {"RP-4"}


def test_no_replay_in_the_middle_of_a_chain() -> None:
    """RP-4: the replay waits until the chain has resolved."""
    story = Arrival()
    duel = story.duel
    duel.activate(1, story.call, targets=(story.newcomer,))
    duel.passes(0, 1)
    duel.resolve_now([duel.summon(story.newcomer, index=1), ReplayBegan(story.attacker)])
    assert "RP-4" in duel.broken_rules()


def test_giving_up_must_be_possible() -> None:
    """RP-5: the turn player need not go on with the attack."""
    story = Arrival()
    story.arrive()
    story.duel.both_pass()
    story.duel.replay(story.newcomer, story.options()[1:])
    assert story.duel.broken_rules() == {"RP-5"}


def test_a_replay_is_no_declaration() -> None:
    """RP-5: neither a declaration nor Mirror Force has a place after the new choice."""
    story = Arrival(MIRROR_FORCE)
    story.arrive()
    story.duel.both_pass()
    story.duel.replay(story.newcomer, story.options())
    story.duel.passes(0)
    story.duel.passes(1, offered=[Option("activate", story.traps[0], 1)])
    assert story.duel.broken_rules() == {"RP-5"}
    story = Arrival()
    story.arrive()
    story.duel.both_pass()
    story.duel.replay(story.newcomer, story.options())
    story.duel.add(AttackDeclared(story.attacker, story.newcomer))
    assert "RP-5" in story.duel.broken_rules()


def given_up() -> Arrival:
    """A replay in which the attack is given up, back in the Battle Step."""
    story = Arrival()
    story.arrive()
    duel = story.duel
    duel.both_pass()
    duel.add(ReplayBegan(story.attacker))
    duel.decide(0, "replay", story.options(), 0, story.attacker)
    duel.end_attack("given-up")
    return story


def test_giving_up_uses_the_attack() -> None:
    """RP-6: the monster may not attack again; AT-2 leaves this to RP-6."""
    story = given_up()
    story.duel.decide(0, "action", [PASS, Option("attack", story.attacker)])
    assert story.duel.broken_rules() == {"RP-6"}
    story = given_up()
    story.duel.end_phase()
    judgement = story.duel.judge()
    assert judgement.violations == ()
    assert judgement.at_stake["RP-6"] == 1


def test_no_damage_step_after_giving_up() -> None:
    """AT-7: an attack that was given up does not enter the Damage Step."""
    story = given_up()
    story.duel.events.pop()
    story.duel.begin("damage-start")
    assert "AT-7" in story.duel.broken_rules()


def test_no_replay_without_the_attacker() -> None:
    """RP-7: an attacker that lies face-down has nothing to choose."""
    duel = Duel()
    attacker, target, book = duel.monster(0, 2000), duel.monster(1, 1500), duel.set_card(1, BOOK_OF_MOON)
    duel.to_battle_step()
    duel.attack(attacker, target)
    duel.passes(0)
    duel.activate(1, book, targets=(attacker,))
    duel.resolve([duel.turn(attacker, "face-down-defense"), duel.move(target, "hand", "returned-by-effect")])
    duel.begin("after-declaration")
    duel.both_pass()
    duel.add(ReplayBegan(attacker))
    assert duel.broken_rules() == {"RP-7"}


def test_no_replay_of_an_attack_that_has_ended() -> None:
    """RP-9: a chain that ended the attack leaves nothing to rewind, though it also brought a monster."""
    story = Arrival(BOOK_OF_MOON)
    duel = story.duel
    duel.activate(1, story.traps[0], targets=(story.attacker,))
    duel.passes(0)
    duel.activate(1, story.call, targets=(story.newcomer,))
    duel.resolve([duel.summon(story.newcomer, index=1)], [duel.turn(story.attacker, "face-down-defense")])
    duel.end_attack("stopped")
    assert duel.judge().at_stake["RP-9"] == 1
    assert duel.broken_rules() == set()
    duel.add(ReplayBegan(story.attacker))
    assert duel.broken_rules() == {"RP-9"}


RISE = card_pool().named("Rise to Full Height").passcode


def risen(*, replayed: bool, targeted: bool = True) -> Duel:
    """After the declaration Rise to Full Height, in the Graveyard, leaves only another monster to attack; an engine that is wrong
    may have it target nothing.
    """
    duel = Duel(pool=card_pool())
    elf = card_pool().named("Celtic Guardian").passcode
    attacker, target, other = duel.monster(0, passcode=elf), duel.monster(1, passcode=elf), duel.monster(1, passcode=elf)
    rise = duel.card(1, RISE, "graveyard")
    duel.to_battle_step()
    duel.attack(attacker, target, (target, other))
    duel.passes(0)
    duel.activate(1, rise, 2, targets=(other,) if targeted else ())
    duel.resolve([])
    duel.begin("after-declaration")
    duel.both_pass()
    if replayed:
        duel.replay(other, [GIVE_UP, Option("card", other)])
        duel.both_pass()
    duel.begin("damage-start")
    return duel


def test_another_target_only_causes_a_replay() -> None:
    """RP-1: Rise to Full Height on a monster that is not the target rewinds the attack."""
    assert risen(replayed=True).judge("RP-1", "RP-5").violations == ()
    assert [violation.rule for violation in risen(replayed=False).judge("RP-1").violations] == ["RP-1"]


def test_an_effect_without_its_target_leaves_every_target() -> None:
    """RP-1: what has targeted nothing, wrong as that is (CH-4), causes no replay."""
    duel = risen(replayed=False, targeted=False)
    assert duel.judge("RP-1").violations == ()
    assert [violation.rule for violation in duel.judge("CH-4").violations] == ["CH-4"]


def test_only_the_other_target_is_left_in_the_replay() -> None:
    """RP-5: the monster attacked before may not be chosen again."""
    duel = risen(replayed=True)
    at = next(at for at, event in enumerate(duel.events) if isinstance(event, ReplayBegan))
    decided = duel.events[at + 1]
    assert isinstance(decided, Decided)
    options = (*decided.decision.options, Option("card", 2))
    duel.events[at + 1] = replace(decided, decision=replace(decided.decision, options=options))
    assert [violation.rule for violation in duel.judge("RP-5").violations] == ["RP-5"]


# Where the rulesets differ


@pytest.mark.parametrize(
    "ruleset, broken",
    [("ocg-2023", {"RP-1"}), ("master-rule-2", {"RP-1"}), ("duel-arena", {"RP-1"}), ("expert-2007", set())],
)
def test_a_monster_summoned_to_the_other_side(ruleset: str, broken: set[str]) -> None:
    """RP-1: by A-024, B-006 and M-113 a replay is due; expert-2007 does not describe replays."""
    story = Arrival()
    story.duel.ruleset = ruleset
    story.arrive()
    story.duel.both_pass()
    story.duel.begin("damage-start")
    assert story.duel.broken_rules() == broken


def another_leaves(ruleset: str) -> tuple[Duel, int, int]:
    """After the declaration a monster that is not the target returned to its owner's hand, by an effect nobody knows."""
    duel = Duel()
    duel.ruleset = ruleset
    attacker, target, other = duel.monster(0, 2000), duel.monster(1, 1500), duel.monster(1, 1000)
    trap = duel.set_card(1, MIRROR_FORCE)
    duel.to_battle_step()
    duel.attack(attacker, target, (target, other))
    duel.passes(0)
    duel.activate(1, trap)
    duel.resolve([duel.move(other, "graveyard", "destroyed-by-effect")])
    duel.begin("after-declaration")
    duel.both_pass()
    return duel, attacker, target


@pytest.mark.parametrize("ruleset, broken", [("ocg-2023", {"RP-1"}), ("master-rule-2", {"RP-1"}), ("duel-arena", set())])
def test_another_monster_that_leaves(ruleset: str, broken: set[str]) -> None:
    """RP-1: by B-006 and M-113 any change counts; by A-024 only the loss of the target."""
    duel, *_ = another_leaves(ruleset)
    duel.begin("damage-start")
    assert duel.broken_rules() == broken


@pytest.mark.parametrize("ruleset", ["ocg-2023", "master-rule-2", "duel-arena"])
def test_replay_for_another_monster(ruleset: str) -> None:
    """RP-2: a cause by B-006 and M-113; A-024 names the loss of the target and does not say that this is the only one."""
    duel, attacker, target = another_leaves(ruleset)
    duel.add(ReplayBegan(attacker))
    duel.decide(0, "replay", [GIVE_UP, Option("card", target)], 0, attacker)
    duel.end_attack("given-up")
    assert duel.broken_rules() == set()


def changed_target(ruleset: str, *, replaced: bool) -> tuple[Duel, int]:
    """After the declaration the target is returned; Call of the Haunted has brought another monster, or not."""
    duel = Duel()
    duel.ruleset = ruleset
    attacker, target, other = duel.monster(0, 2000), duel.monster(1, 1500), duel.monster(1, 1000)
    newcomer, call = duel.card(1, VANILLA, "graveyard"), duel.set_card(1, CALL)
    duel.to_battle_step()
    duel.attack(attacker, target, (target, other))
    duel.passes(0)
    duel.activate(1, call, targets=(newcomer,))
    summoned = [duel.summon(newcomer, index=2)] if replaced else []
    duel.resolve([*summoned, duel.move(target, "hand", "returned-by-effect")])
    duel.begin("after-declaration")
    duel.both_pass()
    duel.begin("damage-start")
    return duel, other


@pytest.mark.parametrize("ruleset, broken", [("ocg-2023", {"RP-1"}), ("master-rule-2", set()), ("duel-arena", {"RP-1"})])
def test_one_monster_for_another(ruleset: str, broken: set[str]) -> None:
    """RP-1: M-115 counts it, and A-024 the loss of the target alone; B-006 and B-027 speak of more or fewer monsters."""
    duel, _ = changed_target(ruleset, replaced=True)
    assert duel.broken_rules() == broken


@pytest.mark.parametrize("ruleset", ["ocg-2023", "master-rule-2", "master-rule-3", "duel-arena"])
def test_the_loss_of_the_target(ruleset: str) -> None:
    """RP-1: it causes a replay by every document that knows replays."""
    duel, _ = changed_target(ruleset, replaced=False)
    assert duel.broken_rules() == {"RP-1"}


@pytest.mark.parametrize("ruleset, broken", [("ocg-2023", {"RP-1"}), ("master-rule-2", set()), ("duel-arena", set())])
def test_a_monster_that_changes_sides(ruleset: str, broken: set[str]) -> None:
    """RP-1: another monster that the turn player takes is gone by M-113; in master-rule-2 a second one that the turn player gives
    makes up for it, and A-024 counts neither.
    """
    duel = Duel()
    duel.ruleset = ruleset
    attacker, target, taken = duel.monster(0, 2000), duel.monster(1, 1500), duel.monster(1, 1000)
    given = duel.monster(0, position="face-up-defense")
    duel.to_battle_step()
    duel.attack(attacker, target, (target, taken))
    duel.to_after_declaration()
    duel.add(ControlChanged(taken, duel.place(taken), Place(0, "monster-zone", 4, "face-up-attack")))
    duel.add(ControlChanged(given, duel.place(given), Place(1, "monster-zone", 4, "face-up-attack")))
    duel.both_pass()
    duel.begin("damage-start")
    assert duel.broken_rules() == broken


@pytest.mark.parametrize("ruleset, broken", [("ocg-2023", True), ("master-rule-2", False), ("duel-arena", False)])
def test_whether_a_lost_permission_counts(ruleset: str, broken: bool) -> None:
    """RP-1: only M-121 has it."""
    duel = Duel()
    duel.ruleset = ruleset
    attacker = duel.monster(0, 2000)
    duel.monster(1, 1500)
    duel.to_battle_step()
    duel.add(StatusChanged("can-attack-directly", True, attacker))
    duel.attack(attacker)
    duel.to_after_declaration()
    duel.add(StatusChanged("can-attack-directly", False, attacker))
    duel.both_pass()
    duel.begin("damage-start")
    assert ("RP-1" in duel.broken_rules()) is broken


@pytest.mark.parametrize("ruleset, broken", [("ocg-2023", ["RP-1"]), ("master-rule-2", [])])
def test_whether_a_restriction_of_the_targets_counts(ruleset: str, broken: list[str]) -> None:
    """RP-1: only M-124 has it."""
    duel = risen(replayed=False)
    duel.ruleset = ruleset
    assert [violation.rule for violation in duel.judge("RP-1").violations] == broken


def declared_again(ruleset: str) -> Arrival:
    """A replay in which the new choice is declared as an attack, in a window of its own in which Mirror Force is offered."""
    story = Arrival(MIRROR_FORCE)
    duel = story.duel
    duel.ruleset = ruleset
    story.arrive()
    duel.both_pass()
    duel.add(ReplayBegan(story.attacker))
    duel.decide(0, "replay", story.options(), 2, story.attacker)
    duel.add(AttackDeclared(story.attacker, story.newcomer))
    duel.begin("declaration")
    duel.passes(0)
    duel.passes(1, offered=[Option("activate", story.traps[0], 1)])
    duel.begin("after-declaration")
    return story


@pytest.mark.parametrize(
    "ruleset, broken", [("ocg-2023", {"RP-5"}), ("master-rule-2", {"RP-5"}), ("duel-arena", set()), ("expert-2007", set())]
)
def test_whether_the_new_choice_is_a_declaration(ruleset: str, broken: set[str]) -> None:
    """RP-5: A-024 has the attack declared anew; B-027 and M-116 say that it is not; expert-2007 is silent."""
    assert declared_again(ruleset).duel.broken_rules() == broken


@pytest.mark.parametrize("ruleset, broken", [("ocg-2023", set()), ("duel-arena", {"RP-5"})])
def test_the_new_choice_without_a_declaration(ruleset: str, broken: set[str]) -> None:
    """RP-5: where it is a declaration it must be made as one."""
    story = Arrival()
    story.duel.ruleset = ruleset
    story.arrive()
    story.duel.both_pass()
    story.duel.replay(story.newcomer, story.options())
    assert story.duel.broken_rules() == broken


def test_what_waits_for_a_declaration_is_too_late_after_the_second_one() -> None:
    """AT-5, AT-6: the second declaration is over as well, after its first chain or two passes."""
    story = declared_again("duel-arena")
    story.duel.passes(0)
    story.duel.passes(1, offered=[Option("activate", story.traps[0], 1)])
    assert story.duel.broken_rules() == {"AT-5", "AT-6"}


def test_declaring_again_uses_no_further_attack() -> None:
    """RP-5: it is the same attack."""
    story = declared_again("duel-arena")
    assert list(story.duel.view().declarations.values()) == [1]


@pytest.mark.parametrize("ruleset, broken", [("ocg-2023", {"AT-7"}), ("master-rule-2", {"AT-7"}), ("expert-2007", set())])
def test_an_attack_that_ends_for_want_of_its_target(ruleset: str, broken: set[str]) -> None:
    """AT-7: a replay is due instead; what becomes of such an attack expert-2007 does not say."""
    duel, _ = changed_target(ruleset, replaced=False)
    del duel.events[-3:]
    duel.end_attack("stopped")
    assert duel.broken_rules() == broken


@pytest.mark.parametrize("ruleset, broken", [("ocg-2023", {"AT-7"}), ("master-rule-2", set()), ("duel-arena", {"AT-7"})])
def test_an_attack_that_ends_when_another_monster_takes_the_place_of_its_target(ruleset: str, broken: set[str]) -> None:
    """AT-7: where one for another is a cause of a replay, or the loss of the target is, nothing else ends the attack."""
    duel, _ = changed_target(ruleset, replaced=True)
    del duel.events[-3:]
    duel.end_attack("stopped")
    assert duel.broken_rules() == broken
