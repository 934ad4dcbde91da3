"""DA: Damage Steps in which the right things are offered, and ones in which one thing is wrongly offered or withheld."""

from __future__ import annotations

import pytest

from engine_protocol.cards import CardFacts, CardPool, EffectFacts, Filter, card_pool
from engine_protocol.decisions import Option
from engine_protocol.events import LpChanged, Moved
from engine_protocol.vocabulary import DAMAGE_STEP_TIMINGS, Timing
from tests.oracles.chained import Chained
from tests.oracles.traces import PASS

CONFORMS: tuple[set[str], bool] = (set(), True)


def broken(rule: str) -> tuple[set[str], bool]:
    """Exactly this rule is broken."""
    return {rule}, True


def battle_with(*held: str, holder: int = 1) -> tuple[Chained, int, int, list[int]]:
    """An even battle in Defense Position, and set cards of one player, at the door of the Damage Step."""
    duel = Chained()
    attacker, target = duel.real(0), duel.real(1, def_=1400, position="face-up-defense")
    cards = [duel.place_card(1 if holder else 0, name, position="face-down") for name in held]
    duel.to_damage_step(attacker, target)
    return duel, attacker, target, cards


def up_to(duel: Chained, timing: Timing) -> None:
    """The Damage Step up to the beginning of that timing; at the earlier ones both players pass."""
    for earlier in DAMAGE_STEP_TIMINGS[: DAMAGE_STEP_TIMINGS.index(timing)]:
        duel.through(earlier)
        if earlier == "during-calculation":
            duel.calculate(2, (1400, 1400), target_uses_def=True)
    duel.begin(timing)


def all_pass(*held: str) -> Chained:
    """A whole Damage Step in which whatever can be activated is offered and nothing is activated."""
    duel, *_ = battle_with(*held)
    up_to(duel, "damage-end")
    duel.both_pass()
    duel.end_attack("battled")
    return duel


def offered_at(timing: Timing, name: str) -> Chained:
    """A card offered at a timing of the Damage Step, whatever the rules say."""
    duel, _, _, (card,) = battle_with(name)
    up_to(duel, timing)
    duel.passes(0)
    duel.decide(1, "priority", [PASS, Option("activate", card, 1)])
    return duel


def withheld_at(timing: Timing, name: str) -> Chained:
    """A card not offered at a timing of the Damage Step."""
    duel, *_ = battle_with(name)
    up_to(duel, timing)
    duel.passes(0)
    duel.decide(1, "priority", [PASS])
    return duel


@pytest.mark.parametrize(
    "rule, name",
    [("DA-1", "Rush Recklessly"), ("DA-5", "Compulsory Evacuation Device"), ("DA-7", "Mirror Wall"), ("DA-7", "Macro Cosmos")],
)
def test_what_is_offered_in_a_quiet_damage_step(rule: str, name: str) -> None:
    """DA-1, DA-5, DA-7: offered at its timings and no other, each of these cards puts its rule at stake."""
    assert all_pass(name).verdict(rule) == CONFORMS


@pytest.mark.parametrize("timing", DAMAGE_STEP_TIMINGS[2:])
def test_no_change_of_atk_from_calculation_on(timing: Timing) -> None:
    """DA-1: Rush Recklessly cannot be activated during damage calculation or later."""
    assert offered_at(timing, "Rush Recklessly").verdict("DA-1") == broken("DA-1")


@pytest.mark.parametrize("timing", DAMAGE_STEP_TIMINGS[:2])
def test_changes_of_atk_before_calculation(timing: Timing) -> None:
    """DA-1: at the start of the Damage Step and before damage calculation Rush Recklessly must be offered."""
    assert withheld_at(timing, "Rush Recklessly").verdict("DA-1") == broken("DA-1")


def test_nobody_is_left_unasked() -> None:
    """DA-1: the start of the Damage Step does not pass without asking the player who has Rush Recklessly."""
    duel, *_ = battle_with("Rush Recklessly")
    duel.begin("damage-start")
    duel.passes(0)
    duel.begin("before-calculation")
    assert duel.verdict("DA-1") == broken("DA-1")


@pytest.mark.parametrize("timing", DAMAGE_STEP_TIMINGS)
def test_nothing_else_is_activated(timing: Timing) -> None:
    """DA-5: Compulsory Evacuation Device cannot be activated at any timing of the Damage Step."""
    assert offered_at(timing, "Compulsory Evacuation Device").verdict("DA-5") == broken("DA-5")


def test_continuous_traps() -> None:
    """DA-7: Mirror Wall must be offered before damage calculation and not during it; Macro Cosmos never."""
    assert withheld_at("before-calculation", "Mirror Wall").verdict("DA-7") == broken("DA-7")
    assert offered_at("during-calculation", "Mirror Wall").verdict("DA-7") == broken("DA-7")
    assert offered_at("damage-start", "Macro Cosmos").verdict("DA-7") == broken("DA-7")


# Answers to a flip effect after damage calculation


def flip_effect(attacker: str = "Celtic Guardian", *held: str, hand: str = "") -> tuple[Chained, int]:
    """Man-Eater Bug has activated its effect after damage calculation; Player A may answer with what they hold."""
    duel = Chained()
    fighter, bug = duel.real(0, attacker), duel.real(1, "Man-Eater Bug", position="face-down-defense")
    card = fighter
    for name in held:
        card = duel.place_card(0, name, position="face-down")
    if hand:
        card = duel.place_card(0, hand, "hand")
    duel.to_damage_step(fighter, bug)
    duel.through("damage-start")
    duel.begin("before-calculation")
    duel.add(duel.turn(bug, "face-up-defense", "battle"))
    duel.both_pass()
    duel.through("during-calculation")
    atk = duel.pool[duel.cards[fighter - 1].passcode].atk or 0
    duel.calculate(bug, (atk, 600), (0, 0), (bug,), target_uses_def=True)
    duel.begin("after-calculation")
    duel.trigger(1, bug, targets=(fighter,))
    return duel, card


def test_counter_traps_after_calculation() -> None:
    """DA-2: Solemn Strike must be offered against a flip effect, after damage calculation too."""
    duel, _ = flip_effect("Celtic Guardian", "Solemn Strike")
    duel.passes(0, 1)
    assert duel.verdict("DA-2") == CONFORMS
    duel, _ = flip_effect("Celtic Guardian", "Solemn Strike")
    duel.decide(0, "response", [PASS])
    assert duel.verdict("DA-2") == broken("DA-2")


def test_negating_an_activation() -> None:
    """DA-3: Crystal Wing Synchro Dragon, which negates activations, must be offered after damage calculation."""
    duel, _ = flip_effect("Crystal Wing Synchro Dragon")
    duel.passes(0, 1)
    assert duel.verdict("DA-3") == CONFORMS
    duel, _ = flip_effect("Crystal Wing Synchro Dragon")
    duel.decide(0, "response", [PASS])
    assert duel.verdict("DA-3") == broken("DA-3")


def test_negating_an_effect() -> None:
    """DA-3: Ash Blossom, which only negates an effect, cannot be activated in the Damage Step."""
    duel, ash = flip_effect(hand="Ash Blossom & Joyous Spring")
    duel.passes(0, 1)
    assert duel.verdict("DA-3") == CONFORMS
    duel, ash = flip_effect(hand="Ash Blossom & Joyous Spring")
    duel.decide(0, "response", [PASS, Option("activate", ash, 1)])
    assert duel.verdict("DA-3") == broken("DA-3")


def test_mandatory_effects_answer_at_any_timing() -> None:
    """DA-3: Doomcaliber Knight must answer a flip effect after damage calculation."""
    duel, knight = flip_effect("Doomcaliber Knight")
    duel.decide(0, "response", [Option("activate", knight, 1)])
    assert duel.verdict("DA-3") == CONFORMS
    duel, _ = flip_effect("Doomcaliber Knight")
    duel.decide(0, "response", [PASS])
    assert duel.verdict("DA-3") == broken("DA-3")


def test_changing_atk_in_a_chain_after_calculation() -> None:
    """DA-1: Rush Recklessly cannot be chained to a flip effect after damage calculation."""
    duel, rush = flip_effect("Celtic Guardian", "Rush Recklessly")
    duel.decide(0, "response", [PASS, Option("activate", rush, 1)])
    assert duel.verdict("DA-1") == broken("DA-1")


CHANGING_ANSWER = CardFacts(
    passcode=1,
    name="An Answer that Raises ATK",
    type="trap",
    property="normal",
    effects=(
        EffectFacts(
            number=1,
            kind="activation",
            speed=2,
            zones=("spell-trap-zone",),
            condition="activation",
            subject=Filter(role="link"),
            categories=frozenset({"changes-atk-def"}),
            complete=True,
        ),
    ),
)


def test_answers_that_change_atk() -> None:
    """DA-9: an answer to an activation that only changes ATK cannot be activated, not even before damage calculation."""
    duel = Chained()
    duel.pool = CardPool([*card_pool().values(), CHANGING_ANSWER])
    attacker, target = duel.real(0), duel.real(1)
    answer = duel.card(1, CHANGING_ANSWER.passcode, "spell-trap-zone", "face-down")
    rush = duel.place_card(0, "Rush Recklessly", position="face-down")
    duel.to_damage_step(attacker, target)
    duel.begin("damage-start")
    duel.activate(0, rush, targets=(attacker,))
    asked = len(duel.events)
    duel.passes(1, 0)
    assert duel.verdict("DA-9") == CONFORMS
    del duel.events[asked:]
    duel.decide(1, "response", [PASS, Option("activate", answer, 1)])
    assert duel.verdict("DA-9") == broken("DA-9")


# DA-4


def test_named_timings() -> None:
    """DA-4: Kuriboh is for damage calculation and may not be offered at the start of the Damage Step."""
    duel = Chained()
    attacker, target, kuriboh = duel.real(0), duel.real(1), duel.place_card(1, "Kuriboh", "hand")
    duel.to_damage_step(attacker, target)
    duel.begin("damage-start")
    duel.passes(0)
    asked = len(duel.events)
    duel.passes(1)
    assert duel.verdict("DA-4") == CONFORMS
    del duel.events[asked:]
    duel.decide(1, "priority", [PASS, Option("activate", kuriboh, 1)])
    assert duel.verdict("DA-4") == broken("DA-4")


@pytest.mark.parametrize("asked", [True, False])
def test_named_quick_effects_are_offered(asked: bool) -> None:
    """DA-4: Injection Fairy Lily must be offered her effect during damage calculation: not offering it is wrong, as is not
    asking.
    """
    duel = Chained()
    lily, target = duel.real(0, "Injection Fairy Lily"), duel.real(1)
    duel.to_damage_step(lily, target)
    duel.through("damage-start", "before-calculation")
    duel.begin("during-calculation")
    asked_at = len(duel.events)
    duel.both_pass()
    assert duel.verdict("DA-4") == CONFORMS
    del duel.events[asked_at:]
    if asked:
        duel.decide(0, "priority", [PASS])
    else:
        duel.calculate(target, (400, 1400), (1000, 0), (lily,))
    assert duel.verdict("DA-4") == broken("DA-4")


def test_named_triggers_are_activated() -> None:
    """DA-4: Wall of Illusion's effect is activated after damage calculation, before anybody has priority."""
    duel = Chained()
    attacker, wall = duel.real(0), duel.real(1, "Wall of Illusion", position="face-up-defense")
    duel.up_to_calculation(attacker, wall)
    duel.calculate(wall, (1400, 1850), (450, 0), target_uses_def=True)
    duel.begin("after-calculation")
    asked = len(duel.events)
    duel.trigger(1, wall)
    duel.resolve([duel.move(attacker, "hand", "returned-by-effect")])
    assert duel.verdict("DA-4") == CONFORMS
    duel.links = []
    del duel.events[asked:]
    duel.both_pass()
    assert duel.verdict("DA-4") == broken("DA-4")


def test_an_effect_with_nothing_to_return_is_left_open() -> None:
    """DA-4: Wall of Illusion need not be activated against an attacker that is determined destroyed and so cannot return."""
    duel = Chained()
    attacker, wall = duel.real(0), duel.real(1, "Wall of Illusion", atk=2000)
    duel.up_to_calculation(attacker, wall)
    duel.calculate(wall, (1400, 2000), (600, 0), (attacker,))
    duel.begin("after-calculation")
    duel.both_pass()
    assert "DA-4" not in duel.broken_rules()


def test_named_triggers_wait_for_their_timing() -> None:
    """DA-4: Wall of Illusion's effect is not activated before damage calculation."""
    duel = Chained()
    attacker, wall = duel.real(0), duel.real(1, "Wall of Illusion", position="face-up-defense")
    duel.to_damage_step(attacker, wall)
    duel.through("damage-start")
    duel.begin("before-calculation")
    duel.trigger(1, wall)
    assert duel.verdict("DA-4") == broken("DA-4")


def test_named_effects_in_the_first_chain_only() -> None:
    """DA-4: Kuriboh cannot be chained to Dandylion, which makes a second chain during damage calculation."""
    duel = Chained()
    attacker, lily = duel.real(0), duel.real(1, "Injection Fairy Lily")
    wrath, dandylion = duel.place_card(0, "Divine Wrath", position="face-down"), duel.place_card(0, "Dandylion", "hand")
    kuriboh = duel.place_card(1, "Kuriboh", "hand")
    duel.to_damage_step(attacker, lily)
    duel.through("damage-start", "before-calculation")
    duel.begin("during-calculation")
    duel.passes(0)
    duel.paid(1, lily, LpChanged(1, -2000, 6000, "cost"))
    discard = Moved(dandylion, duel.place(dandylion), duel.move(dandylion, "graveyard", "discarded").to, "discarded")
    duel.paid(0, wrath, discard)
    duel.resolve([duel.move(lily, "graveyard", "destroyed-by-effect")])
    duel.trigger(0, dandylion)
    assert duel.broken_rules() == set()
    duel.decide(1, "response", [PASS, Option("activate", kuriboh, 1)])
    assert duel.verdict("DA-4") == broken("DA-4")


# DA-6


def destroyed(name: str, in_deck: str) -> tuple[Chained, int, int]:
    """A monster destroyed by battle, at the end of the Damage Step, and what it may search for."""
    duel = Chained()
    attacker, target = duel.real(0, "Gemini Elf"), duel.real(1, name)
    searched = duel.place_card(1, in_deck, "deck", "face-down")
    duel.up_to_calculation(attacker, target)
    duel.calculate(target, (1900, 1400), (0, 500), (target,))
    duel.through("after-calculation")
    duel.begin("damage-end")
    duel.send_destroyed((target,))
    return duel, target, searched


def test_what_destruction_by_battle_triggers() -> None:
    """DA-6: Mystic Tomato's effect must be offered at the end of the Damage Step."""
    duel, tomato, _ = destroyed("Mystic Tomato", "Kuriboh")
    asked = len(duel.events)
    duel.decide(1, "trigger", [PASS, Option("activate", tomato, 1)])
    duel.both_pass()
    assert duel.verdict("DA-6") == CONFORMS
    del duel.events[asked:]
    duel.both_pass()
    assert duel.verdict("DA-6") == broken("DA-6")


def test_what_cannot_be_special_summoned_from_the_deck() -> None:
    """DA-6: UFO Turtle need not be offered for the Deck's only FIRE monster Metaion, which cannot be Special Summoned from it."""
    duel, _, _ = destroyed("UFO Turtle", "Metaion, the Timelord")
    duel.both_pass()
    assert duel.broken_rules() == set()
    duel, _, _ = destroyed("UFO Turtle", "UFO Turtle")
    duel.both_pass()
    assert duel.verdict("DA-6") == broken("DA-6")


def test_what_battle_damage_triggers() -> None:
    """DA-6: Airknight Parshath's effect must be activated after damage calculation."""
    duel = Chained()
    airknight, target = duel.real(0, "Airknight Parshath"), duel.real(1)
    duel.place_card(0, "Celtic Guardian", "deck", "face-down")
    duel.up_to_calculation(airknight, target)
    duel.calculate(target, (1900, 1400), (0, 500), (target,))
    duel.begin("after-calculation")
    asked = len(duel.events)
    duel.trigger(0, airknight, 2)
    assert duel.verdict("DA-6") == CONFORMS
    duel.links = []
    del duel.events[asked:]
    duel.both_pass()
    assert duel.verdict("DA-6") == broken("DA-6")


def test_other_cards_summons() -> None:
    """DA-6: Torrential Tribute cannot be activated for a Special Summon in the Damage Step."""
    duel, rat, newcomer = destroyed("Giant Rat", "Celtic Guardian")
    torrent = duel.place_card(0, "Torrential Tribute", position="face-down")
    duel.trigger(1, rat, optional=True)
    duel.resolve([Moved(newcomer, duel.place(newcomer), duel.summon(newcomer, "deck").to, "special-summoned")])
    asked = len(duel.events)
    duel.both_pass()
    assert duel.verdict("DA-6") == CONFORMS
    del duel.events[asked:]
    duel.decide(0, "priority", [PASS, Option("activate", torrent, 1)])
    assert duel.verdict("DA-6") == broken("DA-6")
