"""Recorded duels, told as events: what the adapter makes of a core's messages, without the core."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from msgspec.structs import replace

from conformance.ocgcore.adapter import OcgcoreEngine
from conformance.ocgcore.faults import CoreFault
from engine_protocol.decisions import Decision, Option
from engine_protocol.errors import OptionNotOffered
from engine_protocol.events import (
    Activated,
    AttackDeclared,
    AttackEnded,
    AttackTargetChosen,
    BattlePhaseEnded,
    ChainEnded,
    DamageCalculated,
    Decided,
    DestructionReplaced,
    DeterminedDestroyed,
    DuelEnded,
    Event,
    LinkResolved,
    LinkResolving,
    LpChanged,
    MaterialDetached,
    Moved,
    Place,
    PositionChanged,
    ReplayBegan,
    StatChanged,
    TimingBegan,
)
from engine_protocol.promises import broken_in_duel
from engine_protocol.trace import Trace
from engine_protocol.vocabulary import DAMAGE_STEP_TIMINGS
from oracles import judge
from tests.conformance.ocgcore.recorded import STREAMS, engine_of, engine_that_misses_a_card, played_back, recording

RECORDED = sorted(path.stem for path in STREAMS.glob("*.json"))


def timings(events: tuple[Event, ...]) -> list[str]:
    """The windows, in order."""
    return [event.timing for event in events if isinstance(event, TimingBegan)]


def decisions(events: tuple[Event, ...], timing: str) -> Iterator[Decision]:
    """The decisions of one window."""
    return (event.decision for event in events if isinstance(event, Decided) and event.decision.timing == timing)


def window_of(events: tuple[Event, ...], wanted: Event) -> str:
    """The window in which an event happened."""
    return timings(events[: events.index(wanted)])[-1]


@pytest.mark.parametrize("name", RECORDED)
def test_recorded_duel_keeps_the_promises_of_the_protocol(name: str) -> None:
    """Each is a whole Battle Phase from its Start Step to its end."""
    events = played_back(name)
    assert broken_in_duel(events) is None
    assert events[0] == TimingBegan("start-step")
    assert isinstance(events[-1], BattlePhaseEnded | DuelEnded)


@pytest.mark.parametrize("name", sorted(set(RECORDED) - {"battle-inside", "material", "substitute"}))
def test_recorded_duel_breaks_no_rule(name: str) -> None:
    """None of these duels touches a point on which the core differs from the documents, as substitutes and Signal Red do."""
    judgement = judge(Trace(recording(name).board, played_back(name)))
    assert judgement.violations == ()
    assert judgement.at_stake


@pytest.mark.parametrize("name", RECORDED)
def test_choice_by_choice_is_the_same_duel(name: str) -> None:
    """``start`` and ``choose`` bring the events of ``play``, except for the decisions that were asked."""
    recorded = recording(name)
    engine = engine_of(recorded)
    progress = engine.start(recorded.board)
    events = list(progress.events)
    numbers = iter(recorded.script)
    while progress.decision is not None:
        chosen = next(numbers, 0) % len(progress.decision.options)
        events.append(Decided(progress.decision, chosen))
        progress = engine.choose(chosen)
        events.extend(progress.events)
    assert tuple(events) == played_back(name)


def test_damage_step_has_its_five_windows() -> None:
    """An attack goes through declaration, the window after it, and the five timings, in their order."""
    assert timings(played_back("flip")) == [
        "start-step",
        "battle-step",
        "declaration",
        "after-declaration",
        *DAMAGE_STEP_TIMINGS,
        "battle-step",
        "end-step",
    ]


def test_battle_flips_the_target_before_calculation() -> None:
    """The core tells the flip before it marks the window; it belongs to the window (battle-phase-flow, 伤害计算前)."""
    events = played_back("flip")
    flip = PositionChanged(3, "face-down-defense", "face-up-defense", "battle")
    assert window_of(events, flip) == "before-calculation"


def test_flip_effect_waits_until_after_calculation() -> None:
    """Man-Eater Bug's effect is a Trigger Effect at the timing after damage calculation, and targets Kojikocy."""
    events = played_back("flip")
    activated = Activated(1, 1, 3, 1, Place(1, "monster-zone", 0, "face-up-defense"), (2,), trigger=True)
    assert window_of(events, activated) == "after-calculation"


def test_mandatory_trigger_is_shown_as_a_forced_decision() -> None:
    """The core asks nobody; the protocol shows a decision with the one option."""
    trigger = Decided(Decision(1, "trigger", "after-calculation", (Option("activate", 3, 1),)), 0, forced=True)
    assert trigger in played_back("flip")


def test_destroyed_monster_leaves_at_the_end_of_the_damage_step() -> None:
    """The core sends it before it marks that window; the move belongs there (battle-phase-flow, 伤害步骤结束时)."""
    events = played_back("flip")
    move = Moved(3, Place(1, "monster-zone", 0, "face-up-defense"), Place(1, "graveyard"), "destroyed-by-battle")
    assert window_of(events, move) == "damage-end"
    assert window_of(events, DeterminedDestroyed(3)) == "during-calculation"


def test_halved_attack_is_compared() -> None:
    """Blue-Eyes' 3000 become 1500 by Shrink, against Dark Magician's 2500: 1000 to player A, whose 8000 become 7000."""
    events = played_back("shrink")
    assert window_of(events, StatChanged(1, 1500, 2500)) == "before-calculation"
    assert DamageCalculated(1, 2, 1500, 2500, (1000, 0)) in events
    assert LpChanged(0, -1000, 7000, "battle-damage") in events
    assert AttackEnded(1, "battled") in events


def test_negated_activation_is_the_outcome_of_its_link() -> None:
    """Seven Tools (cost 1000 LP) negates Mirror Force, so the attack goes on: 3000 directly."""
    events = played_back("mirror-force-negated")
    outcomes = [event for event in events if isinstance(event, LinkResolved)]
    assert outcomes == [LinkResolved(2), LinkResolved(1, "activation-negated")]
    assert LpChanged(0, -1000, 7000, "cost") in events
    assert DamageCalculated(1, None, 3000, None, (0, 3000)) in events


def test_link_whose_target_is_gone_has_no_effect() -> None:
    """Compulsory Evacuation Device returns the attacker, which Dimensional Prison had targeted; the core does not say so."""
    events = played_back("target-gone")
    outcomes = [event for event in events if isinstance(event, LinkResolved | AttackEnded)]
    assert outcomes == [AttackEnded(1, "stopped"), LinkResolved(2), LinkResolved(1, "no-effect")]


def test_replay_is_one_decision() -> None:
    """The core asks whether and then what to attack; the protocol asks once: to give up, or Celtic Guardian."""
    events = played_back("replay")
    replay = next(event for event in events if isinstance(event, Decided) and event.decision.kind == "replay")
    assert replay.decision.options == (Option("give-up"), Option("card", 3))
    assert [event for event in events if isinstance(event, ReplayBegan | AttackDeclared | AttackTargetChosen)] == [
        AttackDeclared(1, 2),
        ReplayBegan(1),
        AttackTargetChosen(1, 3),
    ]
    assert DamageCalculated(1, 3, 3000, 1400, (0, 1600)) in events


def test_second_player_may_be_the_turn_player() -> None:
    """On player B's turn Mystic Tomato of player A triggers at the end and brings the other Tomato from the Deck."""
    events = played_back("tomato")
    asked = next(decision for decision in decisions(events, "battle-step") if decision.kind == "action")
    assert asked.player == 1
    summoned = Moved(3, Place(0, "deck"), Place(0, "monster-zone", 0, "face-up-attack"), "special-summoned")
    assert window_of(events, summoned) == "damage-end"


def test_duel_ends_with_the_life_points() -> None:
    """A monster with custom ATK 2600 against 2000 LP: they fall to 0, not below, and nothing follows."""
    events = played_back("lethal")
    assert DamageCalculated(1, None, 2600, None, (0, 2600)) in events
    assert events[-2:] == (LpChanged(1, -2000, 0, "battle-damage"), DuelEnded(0, "life-points"))


def test_card_set_this_turn_is_not_offered() -> None:
    """Of two set Shrinks only the one set in an earlier turn may be activated."""
    events = played_back("set-this-turn")
    offered = {option.card for event in events if isinstance(event, Decided) for option in event.decision.options}
    assert 3 in offered
    assert 2 not in offered


def test_start_step_in_which_nobody_can_act_is_told() -> None:
    """The core asks nobody there; both players pass, the turn player first."""
    assert [(decision.player, decision.options) for decision in decisions(played_back("flip"), "start-step")] == [
        (0, (Option("pass"),)),
        (1, (Option("pass"),)),
    ]


def test_material_goes_instead_of_its_monster() -> None:
    """Number 101 detaches one of its two materials instead of being destroyed; that is no cost."""
    events = played_back("material")
    assert DestructionReplaced(2, 2) in events
    assert not any(isinstance(event, DeterminedDestroyed | MaterialDetached) for event in events)


def test_substitute_is_one_decision() -> None:
    """The core asks whether, and then what goes instead of Zanji; the protocol asks once. Kamon goes after the calculation."""
    events = played_back("substitute")
    asked = next(event.decision for event in events if isinstance(event, Decided) and event.decision.kind == "substitute")
    assert (asked.source, asked.options) == (2, (Option("no"), Option("card", 3)))
    assert window_of(events, DestructionReplaced(2, 3)) == "after-calculation"
    assert DeterminedDestroyed(2) not in events


def test_battle_inside_an_effect_stands_between_its_link() -> None:
    """Signal Red's effect performs damage calculation: three timings are inside its link, and the attack is over with it."""
    events = played_back("battle-inside")
    resolving, resolved = events.index(LinkResolving(1)), events.index(LinkResolved(1))
    inside = events[resolving:resolved]
    assert timings(inside) == ["damage-start", "before-calculation", "during-calculation"]
    assert DamageCalculated(1, 3, 3000, 1000, (0, 2000)) in inside
    assert events[resolved + 1 : resolved + 3] == (TimingBegan("after-calculation"), AttackEnded(1, "battled"))


def test_older_rulesets_close_it_after_the_chain() -> None:
    """EC-2: where all that follows waits for the whole chain, so does the window of it; the core marks none before."""
    recorded = recording("battle-inside")
    board = replace(recorded.board, ruleset="master-rule-3")
    events = engine_of(recorded).play(board, recorded.script)
    resolved = events.index(LinkResolved(1))
    assert events[resolved + 1] == AttackEnded(1, "battled")
    ended = events.index(ChainEnded())
    assert TimingBegan("after-calculation") not in events[:ended]
    assert events[ended + 1] == TimingBegan("after-calculation")
    assert judge(Trace(board, events), rules=frozenset({"EC-2"})).violations == ()


def test_only_the_start_of_a_duel_may_need_a_card_that_is_missing() -> None:
    """Scripts create stand-ins as a duel starts; in the Battle Phase a missing card is a token that is not there."""
    recorded = recording("material")
    assert engine_that_misses_a_card(recorded, 1).play(recorded.board, recorded.script) == played_back("material")
    last = sum(kind == "process" for kind, _, _ in recorded.exchange)
    with pytest.raises(CoreFault, match="no such card"):
        engine_that_misses_a_card(recorded, last).play(recorded.board, recorded.script)


def test_option_that_is_not_offered_changes_nothing() -> None:
    """A refused choice leaves the state and the decision as they were."""
    recorded = recording("flip")
    engine: OcgcoreEngine = engine_of(recorded)
    engine.start(recorded.board)
    before = engine.observe()
    for wrong in (-1, 3):
        with pytest.raises(OptionNotOffered, match="is not offered"):
            engine.choose(wrong)
    assert engine.observe() == before


def test_state_is_told_as_a_board() -> None:
    """Before anything has happened every card is where the board says, monsters with their printed values."""
    recorded = recording("flip")
    engine = engine_of(recorded)
    engine.start(recorded.board)
    seen = engine.observe()
    assert [(card.id, card.zone, card.index, card.position) for card in seen.cards] == [
        (card.id, card.zone, card.index, card.position) for card in recorded.board.cards
    ]
    assert [(card.atk, card.def_) for card in seen.cards] == [(3000, 2500), (1500, 1200), (None, None)]
