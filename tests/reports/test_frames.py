"""Films: a duel folded into frames, each worked out by hand from its events."""

from __future__ import annotations

import msgspec
import pytest

from engine_protocol.board import Board, BoardCard
from engine_protocol.cards import card_pool
from engine_protocol.decisions import Decision, Option
from engine_protocol.events import (
    Activated,
    AttackDeclared,
    AttackEnded,
    AttackerChosen,
    AttackTargetChosen,
    ControlChanged,
    DamageCalculated,
    Decided,
    DestructionReplaced,
    DeterminedDestroyed,
    Equipped,
    Event,
    LinkResolved,
    LinkResolving,
    LpChanged,
    Moved,
    Place,
    PositionChanged,
    ReplayBegan,
    StatChanged,
    StatusChanged,
    TimingBegan,
    TokenCreated,
)
from engine_protocol.trace import Trace
from reports.html.frames import Film, Look, film_of
from reports.model import LONGEST_COURSE, Course, course_of
from tests.reports.samples import BLUE_EYES, FORCE, RAT, ambush, ambush_board

STRANGER = 77


def film(*events: Event, board: Board | None = None, at: int | None = None) -> Film:
    """The film of these events on the board of the ambush."""
    return film_of(Course(board=board or ambush_board(), events=events, at=at), card_pool())


def look(shown: Film, frame: int, card: int) -> Look | None:
    """The card in a frame; negative frames count from the end."""
    looks = [shown.looks[index] for index in shown.frames[frame].looks]
    return next((look for look in looks if look.card == card), None)


def seen(shown: Film, card: int, frame: int = -1) -> Look:
    """The same of a card that must be there."""
    found = look(shown, frame, card)
    assert found is not None
    return found


def test_first_frame_is_the_board() -> None:
    """Before any event, cards lie as the board says, with printed stats or the board's own."""
    shown = film()
    assert [frame.kind for frame in shown.frames] == ["board"]
    assert shown.frames[0].lp == (8000, 4000)
    assert seen(shown, BLUE_EYES) == Look(
        card=BLUE_EYES, side=0, zone="monster-zone", position="face-up-attack", atk=3000, def_=2500
    )
    rat = seen(shown, RAT)
    assert (rat.side, rat.position, rat.atk, rat.def_) == (1, "face-down-defense", 1400, 1500)
    assert (seen(shown, FORCE).position, seen(shown, FORCE).atk, seen(shown, FORCE).notes) == (
        "face-down",
        None,
        ("set this turn",),
    )


def test_faces_tell_what_cards_are() -> None:
    """A face has the card's name, kind, printed line and original stats."""
    faces = film().faces
    assert (faces[BLUE_EYES].name, faces[BLUE_EYES].kind, faces[BLUE_EYES].line) == (
        "Blue-Eyes White Dragon",
        "normal",
        "Level 8 · LIGHT · Dragon · Normal",
    )
    assert (faces[RAT].kind, faces[RAT].atk, faces[RAT].def_) == ("effect", 1400, 1500)
    assert (faces[FORCE].kind, faces[FORCE].line) == ("trap", "Normal Trap")


def test_ambush_step_by_step() -> None:
    """Blue-Eyes attacks, Mirror Force answers, Blue-Eyes is in the Graveyard and the attack is gone."""
    trace = ambush()
    shown = film_of(course_of(trace, 9), card_pool())
    assert len(shown.frames) == len(trace.events) + 1
    assert shown.mark == 10
    strikes = [
        None if frame.strike is None else (frame.strike.attacker, frame.strike.target, frame.strike.declared)
        for frame in shown.frames
    ]
    assert strikes[:4] == [None] * 4
    assert strikes[4:6] == [(BLUE_EYES, None, False), (BLUE_EYES, RAT, True)]
    assert [[(link.number, link.name, link.state) for link in frame.chain] for frame in shown.frames[8:14]] == [
        [(1, "Mirror Force", None)],
        [(1, "Mirror Force", "resolving")],
        [(1, "Mirror Force", "resolving")],
        [(1, "Mirror Force", "resolved")],
        [(1, "Mirror Force", "resolved")],
        [],
    ]
    assert seen(shown, BLUE_EYES, 9).zone == "monster-zone"
    assert seen(shown, BLUE_EYES, 10) == Look(card=BLUE_EYES, side=0, zone="graveyard", atk=3000, def_=2500)
    assert [frame.timing for frame in shown.frames[:8:3]] == ["start-step", "battle-step", "declaration"]


def test_decisions_show_what_was_on_offer() -> None:
    """The frame of a decision says who was asked what, all options in order, and which was taken."""
    shown = film_of(course_of(ambush()), card_pool())
    offer = shown.frames[7].offer
    assert offer is not None
    assert offer.question == "Player B may start a chain"
    assert offer.options == ("passes", "activates Mirror Force")
    assert (offer.chosen, offer.forced, offer.idle) == (1, False, False)
    assert shown.frames[7].touched == (FORCE,)
    assert shown.frames[7].caption == "Player B activates Mirror Force"


def test_forced_decisions_are_said_to_be() -> None:
    """A forced pass is idle; anything else that is forced is not."""
    passing = Decided(Decision(0, "priority", "start-step", (Option("pass"),)), 0, forced=True)
    aiming = Decided(Decision(0, "attack-target", "battle-step", (Option("card", RAT),), source=BLUE_EYES), 0, forced=True)
    shown = film(passing, aiming)
    offers = [frame.offer for frame in shown.frames[1:]]
    assert [(offer.forced, offer.idle) for offer in offers if offer is not None] == [(True, True), (True, False)]
    assert shown.frames[1].caption == "Player A passes: nothing else is on offer"
    assert shown.frames[2].touched == ()


def test_life_points_are_the_totals() -> None:
    """Life Points are what the event says is left."""
    shown = film(LpChanged(1, -1200, 2800, "battle-damage"), LpChanged(0, 500, 8500, "gained"))
    assert [frame.lp for frame in shown.frames] == [(8000, 4000), (8000, 2800), (8500, 2800)]


def test_damage_calculation_shows_the_values() -> None:
    """The values compared stand at the attack until it ends."""
    shown = film(
        AttackDeclared(BLUE_EYES, RAT),
        DamageCalculated(BLUE_EYES, RAT, 3000, 1500, (0, 0), target_uses_def=True),
        AttackEnded(BLUE_EYES, "battled"),
        TimingBegan("battle-step"),
    )
    values = [frame.strike.values if frame.strike else "no attack" for frame in shown.frames]
    assert values == ["no attack", None, (3000, 1500), (3000, 1500), "no attack"]


def test_replay_rewinds_the_attack() -> None:
    """In a replay the attack has no target until a new one is chosen; that may be the player."""
    shown = film(AttackDeclared(BLUE_EYES, RAT), ReplayBegan(BLUE_EYES), AttackTargetChosen(BLUE_EYES, None))
    strikes = [frame.strike for frame in shown.frames if frame.strike is not None]
    assert [(strike.target, strike.replay, strike.direct) for strike in strikes] == [
        (RAT, False, False),
        (None, True, False),
        (None, False, True),
    ]


def test_monsters_change_where_they_stand() -> None:
    """Position, stats, side and what is noted follow the events, and are over when the monster leaves the field."""
    shown = film(
        PositionChanged(RAT, "face-down-defense", "face-up-defense", "battle"),
        StatChanged(RAT, 1900, 2000),
        StatusChanged("cannot-attack", active=True, card=RAT),
        ControlChanged(RAT, Place(1, "monster-zone"), Place(0, "monster-zone", 3, "face-up-defense")),
        Equipped(FORCE, RAT),
        DeterminedDestroyed(RAT),
        Moved(RAT, Place(0, "monster-zone", 3), Place(1, "graveyard"), "destroyed-by-battle"),
    )
    doomed = seen(shown, RAT, 6)
    assert (doomed.position, doomed.atk, doomed.def_, doomed.side, doomed.index) == ("face-up-defense", 1900, 2000, 0, 3)
    assert (doomed.doomed, doomed.notes) == (True, ("cannot attack",))
    assert seen(shown, FORCE, 6).notes == ("set this turn", "equipped to Giant Rat")
    assert seen(shown, RAT) == Look(card=RAT, side=1, zone="graveyard", atk=1400, def_=1500)
    assert seen(shown, FORCE).equipped_to is None


def test_statuses_end() -> None:
    """A status of a card or a player is noted for as long as it lasts."""
    shown = film(
        StatusChanged("no-battle-damage", active=True, player=1),
        StatusChanged("effects-negated", active=True, card=RAT),
        StatusChanged("no-battle-damage", active=False, player=1),
        StatusChanged("effects-negated", active=False, card=RAT),
    )
    assert [frame.player_notes[1] for frame in shown.frames[1:]] == [("takes no battle damage",)] * 2 + [()] * 2
    assert [seen(shown, RAT, step).notes for step in range(1, 5)] == [(), ("effects negated",), ("effects negated",), ()]


def test_tokens_come_and_go() -> None:
    """A token has a face of its own, and is nowhere once it has left the field."""
    token = next(facts for facts in card_pool().values() if facts.token)
    shown = film(
        TokenCreated(9, token.passcode, 1, Place(1, "monster-zone", 2, "face-up-defense"), 500, 600),
        Moved(9, Place(1, "monster-zone", 2), None, "destroyed-by-battle"),
    )
    assert look(shown, 0, 9) is None
    there = seen(shown, 9, 1)
    assert (there.side, there.index, there.position, there.atk, there.def_) == (1, 2, "face-up-defense", 500, 600)
    assert (shown.faces[9].name, shown.faces[9].kind) == (token.name, "token")
    assert look(shown, 2, 9) is None


def test_materials_and_counters_go_instead() -> None:
    """A card that is its own substitute loses one Xyz Material, or one counter."""
    board = msgspec.structs.replace(
        ambush_board(),
        cards=(
            BoardCard(
                id=4, passcode=89631139, owner=0, zone="monster-zone", position="face-up-attack", materials=(89631139, 89631139)
            ),
            BoardCard(
                id=5,
                passcode=89631139,
                owner=1,
                zone="monster-zone",
                position="face-up-attack",
                counters={"Ice \u202eCounter": 1},
            ),
        ),
    )
    shown = film(DestructionReplaced(4, 4), DestructionReplaced(5, 5), board=board)
    assert [seen(shown, 4, step).notes for step in range(3)] == [("2 Xyz Material",), ("1 Xyz Material",), ("1 Xyz Material",)]
    assert [seen(shown, 5, step).notes for step in range(3)] == [("1 Ice \\u202eCounter",), ("1 Ice \\u202eCounter",), ()]


def test_cards_pile_up_in_the_order_they_came() -> None:
    """What came to a Graveyard last lies last."""
    shown = film(
        Moved(RAT, Place(1, "monster-zone"), Place(1, "graveyard"), "destroyed-by-battle"),
        Moved(FORCE, Place(1, "spell-trap-zone"), Place(1, "graveyard"), "used"),
    )
    assert [shown.looks[index].card for index in shown.frames[-1].looks] == [BLUE_EYES, RAT, FORCE]


@pytest.mark.parametrize(
    "event",
    [
        PositionChanged(STRANGER, "face-up-attack", "face-up-defense", "effect"),
        StatChanged(STRANGER, 1, 1),
        ControlChanged(STRANGER, Place(0, "monster-zone"), Place(1, "monster-zone")),
        Equipped(STRANGER, STRANGER),
        DeterminedDestroyed(STRANGER),
        DestructionReplaced(STRANGER, STRANGER),
        AttackerChosen(STRANGER),
        LinkResolving(4),
        LinkResolved(4, "no-effect"),
        Activated(1, 0, STRANGER, 7, Place(0, "hand"), targets=(STRANGER,)),
        StatusChanged("cannot-attack", active=False, card=STRANGER),
        Moved(STRANGER, Place(0, "hand"), None, "cost"),
        Decided(Decision(0, "target", "battle-step", (Option("card", STRANGER),)), 5),
        Decided(Decision(0, "target", "battle-step", (Option("card", RAT),)), -7),
    ],
    ids=lambda event: type(event).__name__,
)
def test_what_makes_no_sense_changes_nothing(event: Event) -> None:
    """An event about a card or link that does not exist leaves the cards as they are, and still has its frame and caption."""
    shown = film(event)
    assert shown.frames[1].looks == shown.frames[0].looks
    assert shown.frames[1].touched == ()
    assert shown.frames[1].caption


def test_stranger_that_moves_is_shown() -> None:
    """A card nobody has heard of appears where it is said to have gone, by its number."""
    shown = film(Moved(STRANGER, Place(0, "hand"), Place(0, "graveyard"), "discarded"))
    assert seen(shown, STRANGER).zone == "graveyard"
    assert (shown.faces[STRANGER].name, shown.faces[STRANGER].kind) == ("card #77", "unknown")


def test_moment_at_the_end() -> None:
    """Where no event is named, the last frame is the moment, if something is wrong at all."""
    course = course_of(ambush())
    assert film_of(course, card_pool()).mark is None
    assert film_of(course, card_pool(), wrong_at_end=True).mark == len(course.events)


def test_long_courses_are_cut_after_the_problem() -> None:
    """An endless duel is told up to a limit, but never less than up to its problem, and what is left out is counted."""
    trace = Trace(ambush_board(), (TimingBegan("end-step"),) * (LONGEST_COURSE + 300))
    course = course_of(trace)
    assert (len(course.events), course.left_out) == (LONGEST_COURSE, 300)
    course = course_of(trace, LONGEST_COURSE + 99)
    assert (len(course.events), course.left_out) == (LONGEST_COURSE + 100, 200)
    assert film_of(course, card_pool()).left_out == 200
