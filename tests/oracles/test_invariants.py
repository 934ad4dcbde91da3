"""IV: what two runs, a refused choice and an observation are held against."""

from __future__ import annotations

import msgspec
import pytest

from engine_protocol.board import BoardCard, Observation
from engine_protocol.decisions import Decision, Option
from engine_protocol.events import TimingBegan
from engine_protocol.trace import Trace
from oracles import RULES
from oracles.invariants import changes, disagreement, disagreements, first_difference
from tests.oracles.traces import POOL, Duel


def one_attack() -> tuple[Duel, int, int]:
    """A monster destroys another by battle; Player B is at 7500."""
    duel = Duel()
    attacker, target = duel.monster(0, 2000), duel.monster(1, 1500)
    duel.to_battle_step()
    duel.attack(attacker, target)
    duel.to_after_declaration()
    duel.damage_step(target, (2000, 1500), (0, 500), (target,))
    return duel, attacker, target


def test_they_are_rules() -> None:
    """The catalogue lists them, as rules that no single trace shows."""
    assert [RULES[f"IV-{number}"].by_trace for number in range(1, 5)] == [False] * 4


def test_same_runs() -> None:
    """IV-1: two runs with the same events do not differ."""
    assert first_difference(one_attack()[0].trace(), one_attack()[0].trace()) is None


def test_first_difference() -> None:
    """IV-1: the first event that is another one, in words."""
    first = one_attack()[0].trace()
    second = Trace(first.board, (*first.events[:5], TimingBegan("end-step"), *first.events[6:]))
    difference = first_difference(first, second)
    assert difference is not None
    assert (difference.at, difference.first, difference.second) == (5, first.events[5], TimingBegan("end-step"))
    assert str(difference).startswith("event 5 was {")


def test_a_run_that_ends_early() -> None:
    """IV-1: an event too few is a difference, too."""
    first = one_attack()[0].trace()
    difference = first_difference(first, Trace(first.board, first.events[:-1]))
    assert difference is not None
    assert difference.second is None
    assert str(difference).endswith('{"event":"timing-began","timing":"battle-step"} the first time and missing the second')


def observed(duel: Duel, **changed: object) -> Observation:
    """What an engine should say after :func:`one_attack`; ``changed`` are fields of the attacker's card that differ."""
    attacker, target = duel.cards
    cards = (
        msgspec.structs.replace(attacker, atk=2000, def_=100, **changed),
        BoardCard(id=target.id, passcode=target.passcode, owner=1, zone="graveyard"),
    )
    return Observation(lp=(8000, 7500), cards=cards)


def test_nothing_changed() -> None:
    """IV-2: the same state before and after."""
    duel = one_attack()[0]
    assert list(changes(observed(duel), observed(duel))) == []


def test_changes() -> None:
    """IV-2: each part of the state that a refused choice has changed is named."""
    duel = one_attack()[0]
    before = observed(duel)
    after = Observation(
        lp=(8000, 7000),
        cards=before.cards[:1],
        decision=Decision(0, "action", "battle-step", (Option("pass"),)),
    )
    assert list(changes(before, after)) == [
        "the Life Points were (8000, 7500) and are (8000, 7000)",
        "another decision is open",
        "card 2 is not what it was",
    ]


def test_observation_agrees() -> None:
    """GN-2: the state that the events have led to."""
    duel = one_attack()[0]
    assert list(disagreements(duel.trace(), observed(duel), POOL)) == []
    assert disagreement(duel.trace(), observed(duel), POOL) is None


@pytest.mark.parametrize(
    "changed, told",
    [
        (
            {"zone": "banished", "position": "face-up"},
            "is at Player A's banished, but the events leave it at Player A's monster-",
        ),
        ({"controller": 1}, "is at Player B's monster-zone 0"),
        (
            {"position": "face-up-defense"},
            "(face-up-defense), but the events leave it at Player A's monster-zone 0 (face-up-attack)",
        ),
        ({"index": 2}, "is at Player A's monster-zone 2"),
        ({"owner": 1, "controller": 0}, "is another card now, or somebody else's"),
    ],
)
def test_observation_disagrees(changed: dict[str, object], told: str) -> None:
    """GN-2: a card that is somewhere else, or another one, is found."""
    duel = one_attack()[0]
    (found,) = disagreements(duel.trace(), observed(duel, **changed), POOL)
    assert told in found


def test_observed_values() -> None:
    """GN-2: Life Points, ATK, missing cards and cards from nowhere."""
    duel = one_attack()[0]
    attacker = msgspec.structs.replace(duel.cards[0], atk=2500, def_=100)
    stranger = BoardCard(id=9, passcode=attacker.passcode, owner=0, zone="hand")
    found = list(disagreements(duel.trace(), Observation(lp=(8000, 8000), cards=(attacker, stranger)), POOL))
    assert [text.replace("Alexandrite Dragon ", "") for text in found] == [
        "Player B has 8000 Life Points, but the events leave 7500",
        "(card 1) has 2500 ATK, but the events leave 2000",
        "(card 2) is missing",
        "card 9 has come from nowhere",
    ]


def test_disagreement_is_a_violation() -> None:
    """GN-2: told as a breach after the last event."""
    duel = one_attack()[0]
    violation = disagreement(duel.trace(), Observation(lp=(8000, 7500), cards=()), POOL)
    assert violation is not None
    assert (violation.rule, violation.at) == ("GN-2", len(duel.events) - 1)
