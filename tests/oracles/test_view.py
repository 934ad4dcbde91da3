"""The view folds a trace the way the game moves cards."""

from __future__ import annotations

from engine_protocol.decisions import Decision, Option
from engine_protocol.events import Decided, Moved, Place, TimingBegan
from oracles import judge
from oracles.panel import Panel
from oracles.view import CardIndex, View
from tests.oracles.traces import BOOK_OF_MOON, POOL, Duel


def folded(duel: Duel) -> View:
    """The view after the last event."""
    view = View(duel.trace(), CardIndex(POOL))
    Panel(()).watch(view)
    return view


def test_a_monster_that_returns_is_another() -> None:
    """A monster that left the field and came back keeps nothing of its first stay."""
    duel = Duel()
    monster = duel.monster(0, 2000)
    duel.to_battle_step()
    duel.move(monster, "banished", "banished-by-effect")
    duel.add(duel.summon(monster, "banished"))
    view = folded(duel)
    assert view.cards[monster].key != (monster, 0)
    assert list(view.monsters[0]) == [monster]


def test_damage_step_is_recorded() -> None:
    """The record of a Damage Step has its timings, its calculation and what was determined destroyed."""
    duel = Duel()
    attacker, target = duel.monster(0, 2000), duel.monster(1, 1500)
    duel.to_battle_step()
    duel.attack(attacker, target)
    duel.to_after_declaration()
    duel.damage_step(target, (2000, 1500), (0, 500), (target,), upto="after-calculation")
    step = folded(duel).damage_step
    assert step is not None
    assert step.timings == ["damage-start", "before-calculation", "during-calculation", "after-calculation"]
    assert step.determined == [(target, 0)]
    assert step.calculation is not None
    assert step.calculation.damage == (0, 500)


def test_chains_are_counted_by_window() -> None:
    """A chain belongs to the window in which its first link was activated."""
    duel = Duel()
    monster, book = duel.monster(0, 2000), duel.set_card(0, BOOK_OF_MOON)
    duel.to_battle_step()
    duel.activate(0, book, targets=(monster,))
    duel.resolve([duel.turn(monster, "face-down-defense")])
    view = folded(duel)
    assert view.window is not None
    assert (view.window.chains, view.chain, len(view.last_chain)) == (1, [], 1)
    assert not view.cards[monster].face_up


def test_a_substitute_that_is_declined_undoes_no_pass() -> None:
    """What goes instead of a monster is asked after both have passed, and is nobody's move: they have been asked all the same."""
    duel = Duel()
    duel.monster(0, 2000)
    duel.begin("start-step")
    duel.both_pass()
    options = (Option("no"), Option("yes"))
    duel.add(Decided(Decision(1, "substitute", "start-step", options), 0))
    window = folded(duel).window
    assert window is not None
    assert window.passes == [0, 1]


def test_unknown_card_breaks_the_trace() -> None:
    """An event about a card that does not exist ends the judging with a sentence, not with an exception."""
    duel = Duel()
    duel.monster(0, 2000)
    duel.add(TimingBegan("start-step"), Moved(77, Place(0, "hand"), Place(0, "graveyard"), "discarded"))
    judgement = judge(duel.trace(), POOL)
    assert judgement.broken == "there is no card with the instance id 77"
    assert [violation.rule for violation in judgement.violations] == ["IV-4"]
    assert judgement.violations[0].at == 1
