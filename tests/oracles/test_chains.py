"""CH: chains that keep the rules, and ones that break one of them."""

from __future__ import annotations

import pytest

from engine_protocol.decisions import Option
from engine_protocol.events import ChainEnded, LinkResolved, LinkResolving, LpChanged, Moved, Place
from engine_protocol.vocabulary import Player
from tests.oracles.chained import Chained
from tests.oracles.traces import PASS

CONFORMS: tuple[set[str], bool] = (set(), True)


def broken(rule: str) -> tuple[set[str], bool]:
    """Exactly this rule is broken."""
    return {rule}, True


def start_step(*held: tuple[Player, str]) -> tuple[Chained, list[int]]:
    """The Start Step, with a monster on each side (cards 1 and 2) and set cards."""
    duel = Chained()
    duel.real(0)
    duel.real(1)
    cards = [duel.place_card(owner, name, position="face-down") for owner, name in held]
    duel.begin("start-step")
    return duel, cards


def resolves(duel: Chained, *links: int) -> None:
    """Both players decline, and these links resolve, in this order."""
    player = duel.links[-1].player
    duel.passes(1 if player == 0 else 0, player)
    for link in links:
        duel.add(LinkResolving(link), LinkResolved(link))


def used(duel: Chained, *cards: int) -> None:
    """Used cards go to the Graveyard."""
    for card in cards:
        duel.add(Moved(card, duel.place(card), Place(duel.cards[card - 1].owner, "graveyard"), "used"))


# CH-1


def seven_tools() -> tuple[Chained, int]:
    """Player B has answered Waboku with Seven Tools of the Bandit; Player A has Rush Recklessly."""
    duel, (waboku, tools, rush) = start_step((0, "Waboku"), (1, "Seven Tools of the Bandit"), (0, "Rush Recklessly"))
    duel.activate(0, waboku)
    duel.paid(1, tools, LpChanged(1, -1000, 7000, "cost"))
    return duel, rush


def test_only_counter_traps_answer_counter_traps() -> None:
    """CH-1: Rush Recklessly cannot be chained to Seven Tools of the Bandit."""
    duel, _ = seven_tools()
    duel.passes(0, 1)
    assert duel.verdict("CH-1") == CONFORMS
    duel, rush = seven_tools()
    duel.decide(0, "response", [PASS, Option("activate", rush, 1)])
    assert duel.verdict("CH-1") == broken("CH-1")


def test_spell_speed_two_answers_spell_speed_two() -> None:
    """CH-1: Mystical Space Typhoon may be chained to Book of Moon."""
    duel, (book, _) = start_step((0, "Book of Moon"), (1, "Mystical Space Typhoon"))
    duel.activate(0, book, targets=(2,))
    asked = len(duel.events)
    duel.passes(1, 0)
    assert duel.verdict("CH-1") == CONFORMS
    del duel.events[asked:]
    duel.decide(1, "response", [PASS])
    assert duel.verdict("CH-1") == broken("CH-1")


def test_scapegoat_leaves_nothing_else_to_summon() -> None:
    """CH-1: who has activated Scapegoat may not Summon anything else that turn, so Juragedo need not be offered."""
    for name, verdict in (("Scapegoat", CONFORMS[0]), ("Waboku", {"CH-1"})):
        duel = Chained()
        duel.real(0)
        card = duel.place_card(0, name, position="face-down")
        typhoon = duel.place_card(1, "Mystical Space Typhoon", position="face-down")
        duel.place_card(0, "Juragedo", "hand")
        duel.to_battle_step()
        duel.activate(0, card)
        duel.activate(1, typhoon, targets=(card,))
        duel.decide(0, "response", [PASS])
        assert {violation.rule for violation in duel.judge("CH-1").violations} == verdict


# CH-2, CH-3


def two_links() -> tuple[Chained, int, int]:
    """Waboku, answered by Reinforcements."""
    duel, (waboku, reinforcements) = start_step((0, "Waboku"), (1, "Reinforcements"))
    duel.activate(0, waboku)
    duel.activate(1, reinforcements, targets=(2,))
    return duel, waboku, reinforcements


@pytest.mark.parametrize("order, verdict", [((2, 1), CONFORMS), ((1, 2), broken("CH-2")), ((2,), broken("CH-2"))])
def test_reverse_order(order: tuple[int, ...], verdict: tuple[set[str], bool]) -> None:
    """CH-2: Chain Link 2 resolves first, then Chain Link 1, and none is left out."""
    duel, waboku, reinforcements = two_links()
    resolves(duel, *order)
    if order != (2,):
        used(duel, waboku, reinforcements)
    duel.add(ChainEnded())
    assert (duel.verdict("CH-2")[0] - {"CH-9"}, duel.verdict("CH-2")[1]) == verdict


def test_nothing_between_the_links() -> None:
    """CH-3: between two Chain Links nobody may activate anything."""
    duel, (waboku, reinforcements, rush) = start_step((0, "Waboku"), (1, "Reinforcements"), (0, "Rush Recklessly"))
    duel.activate(0, waboku)
    duel.activate(1, reinforcements, targets=(2,))
    resolves(duel, 2)
    between = len(duel.events)
    duel.add(LinkResolving(1), LinkResolved(1))
    used(duel, waboku, reinforcements)
    duel.add(ChainEnded())
    assert duel.verdict("CH-3") == CONFORMS
    del duel.events[between:]
    duel.decide(0, "priority", [PASS, Option("activate", rush, 1)])
    assert duel.verdict("CH-3") == broken("CH-3")


# CH-4


def lily(*, pays: bool) -> Chained:
    """Injection Fairy Lily's effect, with its cost paid or not."""
    duel = Chained()
    fairy, target = duel.real(0, "Injection Fairy Lily"), duel.real(1)
    duel.to_damage_step(fairy, target)
    duel.through("damage-start", "before-calculation")
    duel.begin("during-calculation")
    duel.paid(0, fairy, *([LpChanged(0, -2000, 6000, "cost")] if pays else []))
    return duel


def test_costs_are_paid_at_activation() -> None:
    """CH-4: Injection Fairy Lily's 2000 Life Points are paid before her effect is on the chain."""
    assert lily(pays=True).verdict("CH-4") == CONFORMS
    assert lily(pays=False).verdict("CH-4") == broken("CH-4")


@pytest.mark.parametrize("targets", [(), (1, 2), (3,)], ids=["none", "two", "itself"])
def test_targets_are_chosen_at_activation(targets: tuple[int, ...]) -> None:
    """CH-4: Book of Moon targets one face-up monster."""
    duel, (book,) = start_step((0, "Book of Moon"))
    duel.activate(0, book, targets=targets)
    assert duel.verdict("CH-4") == broken("CH-4")


# CH-5


def two_triggers() -> tuple[Chained, int, int]:
    """After damage calculation: Airknight Parshath has inflicted damage to, and flipped, Man-Eater Bug's player and monster."""
    duel = Chained()
    airknight, bug = duel.real(0, "Airknight Parshath"), duel.real(1, "Man-Eater Bug", position="face-down-defense")
    duel.place_card(0, "Celtic Guardian", "deck", "face-down")
    duel.to_damage_step(airknight, bug)
    duel.through("damage-start")
    duel.begin("before-calculation")
    duel.add(duel.turn(bug, "face-up-defense", "battle"))
    duel.both_pass()
    duel.through("during-calculation")
    duel.calculate(bug, (1900, 600), (0, 1300), (bug,), target_uses_def=True)
    duel.begin("after-calculation")
    return duel, airknight, bug


def test_the_turn_players_triggers_come_first() -> None:
    """CH-5: of two mandatory Triggers that of the turn player is Chain Link 1."""
    duel, airknight, bug = two_triggers()
    duel.trigger(0, airknight, 2)
    duel.trigger(1, bug, targets=(airknight,))
    assert duel.verdict("CH-5") == CONFORMS
    duel, airknight, bug = two_triggers()
    duel.trigger(1, bug, targets=(airknight,))
    duel.trigger(0, airknight, 2)
    assert duel.verdict("CH-5") == broken("CH-5")


def two_dandylions() -> tuple[Chained, int, int]:
    """Mirror Force has destroyed two Dandylions of Player A."""
    duel = Chained()
    first, second, target = duel.real(0, "Dandylion"), duel.real(0, "Dandylion"), duel.real(1)
    force = duel.place_card(1, "Mirror Force", position="face-down")
    duel.declare(first, target)
    duel.passes(0)
    duel.activate(1, force)
    duel.resolve([duel.move(card, "graveyard", "destroyed-by-effect") for card in (first, second)])
    duel.end_attack("stopped")
    return duel, first, second


def test_a_player_orders_their_triggers() -> None:
    """CH-5: with two mandatory Triggers of their own a player chooses which comes first."""
    duel, first, second = two_dandylions()
    duel.trigger(0, first, others=[Option("activate", second, 1)])
    duel.trigger(0, second)
    assert duel.verdict("CH-5") == CONFORMS
    duel, first, second = two_dandylions()
    duel.trigger(0, first)
    duel.trigger(0, second)
    assert duel.broken_rules() == {"CH-5"}


# CH-6, CH-7


def test_what_a_chain_triggers_comes_next() -> None:
    """CH-6: Dandylion's effect is activated before the Battle Step goes on."""
    duel, first, second = two_dandylions()
    duel.trigger(0, first, others=[Option("activate", second, 1)])
    duel.trigger(0, second)
    assert duel.verdict("CH-6") == CONFORMS
    duel, *_ = two_dandylions()
    duel.passes(0)
    assert duel.verdict("CH-6") == broken("CH-6")


def test_what_a_chain_triggers_in_the_damage_step() -> None:
    """CH-6: Dandylion, destroyed by Newdoria at the end of the Damage Step, has its effect activated before that step is over."""
    duel = Chained()
    newdoria, dandylion, winner = duel.real(1, "Newdoria"), duel.real(0, "Dandylion"), duel.real(0, "Gemini Elf")
    duel.up_to_calculation(winner, newdoria)
    duel.calculate(newdoria, (1900, 1200), (0, 700), (newdoria,))
    duel.through("after-calculation")
    duel.begin("damage-end")
    duel.send_destroyed((newdoria,))
    duel.trigger(1, newdoria, targets=(dandylion,))
    duel.resolve([duel.move(dandylion, "graveyard", "destroyed-by-effect")])
    duel.end_attack("battled")
    assert duel.verdict("CH-6") == broken("CH-6")


def missed() -> tuple[Chained, int]:
    """Pinch Hopper was destroyed by Chain Link 2, after which Chain Link 1 destroyed a set card."""
    duel = Chained()
    hopper = duel.real(0, "Pinch Hopper")
    duel.real(1)
    duel.place_card(0, "Pinch Hopper", "hand")
    tornado, waboku = duel.place_card(1, "Dust Tornado", position="face-down"), duel.place_card(0, "Waboku", position="face-down")
    ring = duel.place_card(0, "Ring of Destruction", position="face-down")
    duel.begin("start-step")
    duel.passes(0)
    duel.activate(1, tornado, targets=(waboku,))
    duel.activate(0, ring)
    duel.resolve([duel.move(hopper, "graveyard", "destroyed-by-effect")], [duel.move(waboku, "graveyard", "destroyed-by-effect")])
    return duel, hopper


def test_missed_timing() -> None:
    """CH-7: when Chain Link 1 did something after Pinch Hopper was sent, its effect cannot be activated."""
    duel, _ = missed()
    duel.both_pass()
    conforming = duel.judge("CH-7")
    assert (conforming.violations, conforming.at_stake["CH-7"]) == ((), 1)
    duel, hopper = missed()
    duel.decide(0, "trigger", [PASS, Option("activate", hopper, 1)])
    assert {violation.rule for violation in duel.judge("CH-7").violations} == {"CH-7"}


# CH-8


def fresh(name: str, turn_set: int | None) -> tuple[Chained, int]:
    """Player A passes in the Start Step; Player B has a set card."""
    duel = Chained()
    duel.real(0)
    duel.real(1)
    card = duel.card(1, duel.pool_named(name), "spell-trap-zone", "face-down", turn_set=turn_set)
    duel.begin("start-step")
    duel.passes(0)
    return duel, card


@pytest.mark.parametrize("name", ["Compulsory Evacuation Device", "Book of Moon"])
def test_not_in_the_turn_it_was_set(name: str) -> None:
    """CH-8: a Trap or Quick-Play Spell set this turn (the third) cannot be activated; one set before must be offered."""
    duel, _ = fresh(name, 3)
    duel.passes(1)
    assert duel.verdict("CH-8") == CONFORMS
    duel, card = fresh(name, 3)
    duel.decide(1, "priority", [PASS, Option("activate", card, 1)])
    assert duel.verdict("CH-8") == broken("CH-8")
    duel, _ = fresh(name, 2)
    duel.decide(1, "priority", [PASS])
    assert duel.verdict("CH-8") == broken("CH-8")


def test_quick_play_spells_in_the_hand() -> None:
    """CH-8: Book of Moon may be activated from the hand of the turn player, and not of the other."""
    duel = Chained()
    duel.real(0)
    mine, theirs = duel.place_card(0, "Book of Moon", "hand"), duel.place_card(1, "Book of Moon", "hand")
    duel.begin("start-step")
    duel.both_pass()
    assert duel.verdict("CH-8") == CONFORMS
    duel.events = duel.events[:1]
    duel.decide(0, "priority", [PASS])
    assert duel.verdict("CH-8") == broken("CH-8")
    duel.events = duel.events[:1]
    duel.decide(0, "priority", [PASS, Option("activate", mine, 1)])
    duel.decide(1, "priority", [PASS, Option("activate", theirs, 1)])
    assert duel.verdict("CH-8") == broken("CH-8")


# CH-9


def test_used_cards_stay_until_the_chain_is_over() -> None:
    """CH-9: Reinforcements, though it has resolved, is sent only after Chain Link 1."""
    duel, waboku, reinforcements = two_links()
    resolves(duel, 2, 1)
    used(duel, waboku, reinforcements)
    duel.add(ChainEnded())
    assert duel.verdict("CH-9") == CONFORMS
    duel, waboku, reinforcements = two_links()
    resolves(duel, 2)
    used(duel, reinforcements)
    assert duel.verdict("CH-9") == broken("CH-9")


def test_used_cards_do_not_stay() -> None:
    """CH-9: when the chain is over no Normal Trap is left of it."""
    duel, waboku, _ = two_links()
    resolves(duel, 2, 1)
    used(duel, waboku)
    duel.add(ChainEnded())
    assert duel.verdict("CH-9") == broken("CH-9")


@pytest.mark.parametrize("at_once", [True, False])
def test_a_negated_card_is_destroyed_at_once(at_once: bool) -> None:
    """CH-9: Waboku, negated by Seven Tools of the Bandit, is destroyed before its own link comes up."""
    duel, _ = seven_tools()
    waboku = duel.links[0].card
    duel.passes(0, 1)
    gone = Moved(waboku, duel.place(waboku), Place(0, "graveyard"), "destroyed-by-effect")
    duel.add(LinkResolving(2), *([gone] if at_once else []), LinkResolved(2))
    duel.add(LinkResolving(1), *([] if at_once else [gone]), LinkResolved(1, "activation-negated"))
    used(duel, duel.links[1].card)
    duel.add(ChainEnded())
    assert duel.verdict("CH-9") == (CONFORMS if at_once else broken("CH-9"))


# CH-10


def one_link() -> tuple[Chained, int]:
    """Player A has activated Waboku."""
    duel, (waboku, _) = start_step((0, "Waboku"), (1, "Reinforcements"))
    duel.activate(0, waboku)
    return duel, waboku


@pytest.mark.parametrize(
    "asked, verdict",
    [
        ((1, 0), CONFORMS),
        ((0, 1), broken("CH-10")),
        ((1,), broken("CH-10")),
        ((), broken("CH-10")),
        ((1, 0, 1), broken("CH-10")),
    ],
    ids=["in turn", "the same player first", "one pass", "nobody", "once more"],
)
def test_both_decline(asked: tuple[Player, ...], verdict: tuple[set[str], bool]) -> None:
    """CH-10: the other player may respond first, and the chain resolves after two passes in succession."""
    duel, waboku = one_link()
    duel.passes(*asked)
    duel.add(LinkResolving(1), LinkResolved(1))
    used(duel, waboku)
    duel.add(ChainEnded())
    assert duel.verdict("CH-10") == verdict


def test_nobody_is_asked_about_mandatory_quick_effects() -> None:
    """CH-10: Light and Darkness Dragon must answer its own player's Reinforcements; being told so is no chance to respond."""
    duel = Chained()
    dragon = duel.real(1, "Light and Darkness Dragon")
    reinforcements = duel.place_card(1, "Reinforcements", position="face-down")
    duel.begin("start-step")
    duel.passes(0)
    duel.activate(1, reinforcements, targets=(dragon,))
    duel.decide(1, "response", [Option("activate", dragon, 2)])
    duel.chain(1, dragon, 2)
    duel.passes(0, 1)
    duel.add(LinkResolving(2))
    assert "CH-10" not in duel.broken_rules()


# CH-11


@pytest.mark.parametrize("applied", [False, True])
def test_a_continuous_trap_that_is_gone(applied: bool) -> None:
    """CH-11: Call of the Haunted, destroyed by Mystical Space Typhoon in the same chain, brings nothing back."""
    duel = Chained()
    duel.real(0)
    dead = duel.place_card(0, "Celtic Guardian", "graveyard")
    call = duel.place_card(0, "Call of the Haunted", position="face-down")
    typhoon = duel.place_card(1, "Mystical Space Typhoon", position="face-down")
    duel.begin("start-step")
    duel.activate(0, call, targets=(dead,))
    duel.activate(1, typhoon, targets=(call,))
    duel.passes(0, 1)
    duel.add(LinkResolving(2), Moved(call, duel.place(call), Place(0, "graveyard"), "destroyed-by-effect"), LinkResolved(2))
    duel.add(LinkResolving(1))
    if applied:
        duel.add(duel.summon(dead, index=1), LinkResolved(1))
    else:
        duel.add(LinkResolved(1, "no-effect"))
    used(duel, typhoon)
    duel.add(ChainEnded())
    assert duel.verdict("CH-11") == (broken("CH-11") if applied else CONFORMS)


def test_what_destroys_itself_is_not_applied() -> None:
    """CH-11: Spirit Reaper, the target of a Fiendish Chain that is gone, destroys itself in its link; that is its own doing."""
    duel = Chained()
    duel.real(0)
    reaper = duel.real(1, "Spirit Reaper")
    chain = duel.place_card(0, "Fiendish Chain", position="face-down")
    typhoon = duel.place_card(1, "Mystical Space Typhoon", position="face-down")
    duel.begin("start-step")
    duel.activate(0, chain, targets=(reaper,))
    duel.activate(1, typhoon, targets=(chain,))
    duel.passes(0, 1)
    duel.add(LinkResolving(2), Moved(chain, duel.place(chain), Place(0, "graveyard"), "destroyed-by-effect"), LinkResolved(2))
    duel.add(LinkResolving(1), Moved(reaper, duel.place(reaper), Place(1, "graveyard"), "destroyed-by-effect"), LinkResolved(1))
    used(duel, typhoon)
    duel.add(ChainEnded())
    assert ("CH-11" in duel.verdict("CH-11")[0], duel.verdict("CH-11")[1]) == (False, True)
