"""AT: attack declarations that keep the rules, and ones that break one of them."""

from __future__ import annotations

import pytest

from engine_protocol.decisions import Option
from engine_protocol.events import AttackDeclared, AttackEnded, AttackerChosen, LpChanged, StatusChanged
from engine_protocol.vocabulary import Position
from tests.oracles.chained import Chained
from tests.oracles.traces import BOOK_OF_MOON, DARK_ELF, MAGIC_CYLINDER, MIRROR_FORCE, PASS, SPELL_STRIKER, Duel


def battle(*traps: int) -> tuple[Duel, int, int, list[int]]:
    """A duel in its Battle Step: a monster on each side, and the other player's set cards."""
    duel = Duel()
    attacker, target = duel.monster(0, 2000), duel.monster(1, 1500)
    cards = [duel.set_card(1, passcode) for passcode in traps]
    duel.to_battle_step()
    return duel, attacker, target, cards


@pytest.mark.parametrize("position", ["face-up-defense", "face-down-defense"])
def test_only_attack_position_attacks(position: Position) -> None:
    """AT-1: a monster that does not lie in face-up Attack Position may not be offered as attacker."""
    duel = Duel()
    monster = duel.monster(0, 2000, position=position)
    duel.to_battle_step()
    duel.decide(0, "action", [PASS, Option("attack", monster)])
    assert duel.broken_rules() == {"AT-1"}


def test_the_other_players_monster_does_not_attack() -> None:
    """AT-1: the attacker is the turn player's."""
    duel, attacker, target, _ = battle()
    duel.decide(0, "action", [PASS, Option("attack", attacker), Option("attack", target)])
    assert duel.broken_rules() == {"AT-1"}


def test_an_attack_that_is_possible_must_be_offered() -> None:
    """AT-1: a monster in Attack Position that has not attacked may attack."""
    duel, *_ = battle()
    duel.decide(0, "action", [PASS])
    assert duel.broken_rules() == {"AT-1"}


def test_what_cannot_declare_an_attack_need_not_be_offered() -> None:
    """AT-1: Jurrac Guaiba brings a monster that cannot declare an attack this turn, and no event says so of that monster."""
    duel = Chained()
    guaiba, elf = duel.real(0, "Jurrac Guaiba"), duel.real(1, "Celtic Guardian")
    ptera = duel.card(0, duel.pool.named("Jurrac Ptera").passcode, "deck")
    duel.up_to_calculation(guaiba, elf)
    duel.calculate(elf, (1700, 1400), (0, 300), (elf,))
    duel.through("after-calculation")
    duel.begin("damage-end")
    duel.send_destroyed((elf,))
    duel.trigger(0, guaiba)
    duel.resolve([duel.summon(ptera, "deck")])
    duel.both_pass()
    duel.end_attack("battled")
    duel.begin("battle-step")
    duel.decide(0, "action", [PASS])
    assert duel.judge("AT-1").violations == ()


def fought_out() -> tuple[Duel, int]:
    """An attack that destroyed its target, back in the Battle Step."""
    duel, attacker, target, _ = battle()
    duel.attack(attacker, target)
    duel.to_after_declaration()
    duel.damage_step(target, (2000, 1500), (0, 500), (target,))
    return duel, attacker


def test_a_monster_attacks_once() -> None:
    """AT-2: after its attack the monster may not be offered again."""
    duel, attacker = fought_out()
    duel.decide(0, "action", [PASS, Option("attack", attacker)])
    assert duel.broken_rules() == {"AT-2"}


def test_a_stopped_attack_is_used_up() -> None:
    """AT-2: a monster turned face-down in mid-attack and face-up again has no attack left."""
    duel, attacker, target, (book,) = battle(BOOK_OF_MOON)
    duel.attack(attacker, target)
    duel.passes(0)
    duel.activate(1, book, targets=(attacker,))
    duel.resolve([duel.turn(attacker, "face-down-defense")])
    duel.end_attack("stopped")
    duel.add(duel.turn(attacker, "face-up-attack"))
    duel.decide(0, "action", [PASS, Option("attack", attacker)])
    assert duel.broken_rules() == {"AT-2"}


@pytest.mark.parametrize(
    "ruleset, broken",
    [("ocg-2023", {"AT-2"}), ("master-rule-2", set()), ("master-rule-3", set()), ("duel-arena", set()), ("expert-2007", set())],
)
def test_whether_a_stopped_attack_is_used_up(ruleset: str, broken: set[str]) -> None:
    """AT-2: M-104 says so; B-004 and A-017 only have one attack for each monster."""
    duel, attacker, target, (book,) = battle(BOOK_OF_MOON)
    duel.ruleset = ruleset
    duel.attack(attacker, target)
    duel.passes(0)
    duel.activate(1, book, targets=(attacker,))
    duel.resolve([duel.turn(attacker, "face-down-defense")])
    duel.end_attack("stopped")
    duel.add(duel.turn(attacker, "face-up-attack"))
    duel.decide(0, "action", [PASS, Option("attack", attacker)])
    assert duel.broken_rules() == broken


@pytest.mark.parametrize("ruleset", ["ocg-2023", "master-rule-2", "master-rule-3", "duel-arena"])
def test_an_attack_that_was_carried_out_is_used_up(ruleset: str) -> None:
    """AT-2: M-104, B-004, A-017."""
    duel, attacker = fought_out()
    duel.ruleset = ruleset
    duel.decide(0, "action", [PASS, Option("attack", attacker)])
    assert duel.broken_rules() == {"AT-2"}


def test_a_monster_that_came_back_may_attack() -> None:
    """AT-2: a monster that left the field and returned is another monster."""
    duel, attacker = fought_out()
    duel.move(attacker, "graveyard", "sent-by-effect")
    duel.add(duel.summon(attacker))
    duel.decide(0, "action", [PASS, Option("attack", attacker)])
    assert duel.broken_rules() == set()


def test_no_direct_attack_past_a_monster() -> None:
    """AT-3: a direct attack may not be offered while the opponent controls a monster."""
    duel, attacker, target, _ = battle()
    duel.decide(0, "action", [PASS, Option("attack", attacker)], 1)
    duel.add(AttackerChosen(attacker))
    duel.decide(0, "attack-target", [Option("card", target), Option("direct")], 0, attacker)
    assert duel.broken_rules() == {"AT-3"}


def test_every_monster_may_be_the_target() -> None:
    """AT-3: all the opponent's monsters must be offered."""
    duel = Duel()
    attacker, target, _ = duel.monster(0, 2000), duel.monster(1, 1500), duel.monster(1, 1600)
    duel.to_battle_step()
    duel.attack(attacker, target)
    assert duel.broken_rules() == {"AT-3"}


def test_permission_to_attack_directly() -> None:
    """AT-3: with an effect that allows it, a direct attack past monsters is right."""
    duel, attacker, target, _ = battle()
    duel.add(StatusChanged("can-attack-directly", True, attacker))
    duel.decide(0, "action", [PASS, Option("attack", attacker)], 1)
    duel.add(AttackerChosen(attacker))
    duel.decide(0, "attack-target", [Option("card", target), Option("direct")], 1, attacker)
    duel.add(AttackDeclared(attacker, None))
    judgement = duel.judge()
    assert judgement.violations == ()
    assert judgement.at_stake["AT-3"] == 1


def test_a_direct_attacker_may_attack_directly() -> None:
    """AT-3: a monster whose effect lets it attack directly must be offered that."""
    duel = Duel()
    attacker, target = duel.monster(0, passcode=SPELL_STRIKER), duel.monster(1, 1500)
    duel.to_battle_step()
    duel.attack(attacker, target)
    assert duel.broken_rules() == {"AT-3"}


def test_the_declaration_may_not_close_unasked() -> None:
    """AT-5: without a chain, the declaration is over only when both players have passed."""
    duel, attacker, target, _ = battle()
    duel.attack(attacker, target)
    duel.passes(0)
    duel.begin("after-declaration")
    assert duel.broken_rules() == {"AT-5"}


def test_the_damage_step_may_not_follow_the_declaration() -> None:
    """AT-6: the players have another window before the Damage Step."""
    duel, attacker, target, _ = battle()
    duel.attack(attacker, target)
    duel.both_pass()
    duel.begin("damage-start")
    assert duel.broken_rules() == {"AT-6"}


def dark_elf(*, pays: bool) -> Duel:
    """An attacker whose attack costs 1000 Life Points, up to the choice of its target."""
    duel = Duel()
    elf, target = duel.monster(0, passcode=DARK_ELF), duel.monster(1, 1500)
    duel.to_battle_step()
    duel.decide(0, "action", [PASS, Option("attack", elf)], 1)
    duel.add(AttackerChosen(elf))
    if pays:
        duel.add(LpChanged(0, -1000, 7000, "cost"))
    duel.decide(0, "attack-target", [Option("card", target)], 0, elf)
    return duel


def test_the_cost_of_attacking_comes_before_the_target() -> None:
    """AT-4: choosing the target with nothing paid is wrong, after paying it is right."""
    assert dark_elf(pays=False).broken_rules() == {"AT-4"}
    judgement = dark_elf(pays=True).judge()
    assert judgement.violations == ()
    assert judgement.at_stake["AT-4"] == 1


def test_declaration_traps_are_offered_at_the_declaration() -> None:
    """AT-5: Mirror Force must be offered when the opponent's attack is declared."""
    duel, attacker, target, _ = battle(MIRROR_FORCE)
    duel.attack(attacker, target)
    duel.both_pass()
    assert duel.broken_rules() == {"AT-5"}


def test_several_declaration_traps_in_one_chain() -> None:
    """AT-5: a second Mirror Force may be chained to the first one, by whoever may respond."""
    duel, attacker, target, (first, second) = battle(MIRROR_FORCE, MIRROR_FORCE)
    duel.attack(attacker, target)
    duel.passes(0)
    duel.activate(1, first, offered=[Option("activate", second, 1)])
    duel.passes(0)
    duel.passes(1, offered=[Option("activate", second, 1)])
    duel.resolve_now([])
    judgement = duel.judge()
    assert judgement.violations == ()
    assert judgement.at_stake["AT-5"] >= 2


def test_declaration_traps_not_in_a_second_chain() -> None:
    """AT-5: after the first chain of the window nothing tied to the declaration may be offered."""
    duel, attacker, target, (book, force) = battle(BOOK_OF_MOON, MIRROR_FORCE)
    own = duel.cards[target - 1].id
    duel.attack(attacker, target)
    duel.passes(0)
    duel.activate(1, book, targets=(own,), offered=[Option("activate", force, 1)])
    duel.passes(0)
    duel.passes(1, offered=[Option("activate", force, 1)])
    duel.resolve_now([duel.turn(own, "face-down-defense")])
    duel.passes(0)
    duel.passes(1, offered=[Option("activate", force, 1)])
    assert duel.broken_rules() == {"AT-5"}


def test_declaration_traps_not_after_the_declaration() -> None:
    """AT-5 and AT-6: in the window after the declaration Mirror Force comes too late."""
    duel, attacker, target, (force,) = battle(MIRROR_FORCE)
    duel.attack(attacker, target)
    duel.passes(0)
    duel.passes(1, offered=[Option("activate", force, 1)])
    duel.begin("after-declaration")
    duel.passes(0)
    duel.passes(1, offered=[Option("activate", force, 1)])
    assert duel.broken_rules() == {"AT-5", "AT-6"}


def test_free_cards_stay_available_after_the_declaration() -> None:
    """AT-6: Book of Moon may be activated in the window after the declaration, also after an earlier chain."""
    duel, attacker, target, (first, second) = battle(BOOK_OF_MOON, BOOK_OF_MOON)
    both = [Option("activate", first, 1), Option("activate", second, 1)]
    duel.attack(attacker, target)
    duel.passes(0)
    duel.passes(1, offered=both)
    duel.begin("after-declaration")
    duel.passes(0)
    duel.activate(1, first, targets=(target,), offered=both[1:])
    duel.passes(0)
    duel.passes(1, offered=both[1:])
    duel.resolve_now([duel.turn(target, "face-down-defense")])
    duel.both_pass()
    assert duel.broken_rules() == {"AT-6"}


def test_no_damage_step_for_a_stopped_attack() -> None:
    """AT-7: an attacker turned face-down does not enter the Damage Step."""
    duel, attacker, target, (book,) = battle(BOOK_OF_MOON)
    duel.attack(attacker, target)
    duel.passes(0)
    duel.activate(1, book, targets=(attacker,))
    duel.resolve([duel.turn(attacker, "face-down-defense")])
    duel.begin("after-declaration")
    duel.both_pass()
    duel.begin("damage-start")
    assert duel.broken_rules() == {"AT-7"}


def test_no_damage_step_for_a_negated_attack() -> None:
    """AT-7: an attack that Magic Cylinder negated does not enter the Damage Step."""
    duel, attacker, target, (cylinder,) = battle(MAGIC_CYLINDER)
    duel.attack(attacker, target)
    duel.passes(0)
    duel.activate(1, cylinder, targets=(attacker,))
    duel.resolve([])
    duel.begin("after-declaration")
    duel.both_pass()
    duel.begin("damage-start")
    assert duel.broken_rules() == {"AT-7"}


def test_nothing_stops_an_attack_by_itself() -> None:
    """AT-7: an attack may not be called stopped while its attacker can still attack."""
    duel, attacker, target, _ = battle()
    duel.attack(attacker, target)
    duel.to_after_declaration()
    duel.both_pass()
    duel.end_attack("stopped")
    assert "AT-7" in duel.broken_rules()


def test_a_further_attack_may_stop() -> None:
    """AT-7: a second attack may end by itself, with the effect that allowed it."""
    duel, attacker, target, _ = battle()
    for _ in range(2):
        duel.attack(attacker, target)
        duel.to_after_declaration()
        duel.both_pass()
        duel.end_attack("stopped")
        duel.begin("battle-step")
    assert [violation.at for violation in duel.judge("AT-7").violations] == [duel.events.index(AttackEnded(attacker, "stopped"))]


def test_a_stopped_attack_conforms() -> None:
    """AT-7: the attack of a monster turned face-down ends, and play is back in the Battle Step."""
    duel, attacker, target, (book,) = battle(BOOK_OF_MOON)
    duel.attack(attacker, target)
    duel.passes(0)
    duel.activate(1, book, targets=(attacker,))
    duel.resolve([duel.turn(attacker, "face-down-defense")])
    duel.end_attack("stopped")
    duel.end_phase()
    judgement = duel.judge()
    assert judgement.violations == ()
    assert judgement.at_stake["AT-7"] == 1


@pytest.mark.parametrize("copies", [1, 2])
def test_a_card_of_the_hand_that_is_on_the_chain_already(copies: int) -> None:
    """AT-5: Construction Train Signal Red, in the hand while it is a Chain Link, need not be offered in answer to itself; whether
    another copy is chained to it no document says.
    """
    duel = Chained()
    attacker = duel.real(0)
    train, *_ = [duel.place_card(1, "Construction Train Signal Red", "hand") for _ in range(copies)]
    duel.declare(attacker, None)
    duel.passes(0)
    duel.activate(1, train)
    duel.passes(0)
    duel.decide(1, "response", [PASS])
    assert "AT-5" not in duel.broken_rules()
