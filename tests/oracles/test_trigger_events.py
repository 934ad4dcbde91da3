"""CH-12: Triggers that are offered although nothing has triggered them."""

from __future__ import annotations

from engine_protocol.cards import card_pool
from engine_protocol.decisions import Option
from engine_protocol.events import Moved, Place
from engine_protocol.vocabulary import MoveReason, Player
from tests.oracles.battles import Battle
from tests.oracles.traces import PASS


def offers_trigger(duel: Battle, card: int, *, player: Player = 1, effect: int = 1) -> bool:
    """Whether CH-12 objects to this Trigger being offered now."""
    duel.decide(player, "trigger", (PASS, Option("activate", card, effect)))
    return bool(duel.judge("CH-12").violations)


def test_a_monster_that_was_not_destroyed() -> None:
    """D.D. Assailant banishes after damage calculation if battle destroys it; with 1700 ATK a monster of 800 does not."""
    for values, destroyed in (((2500, 1700), (2,)), ((800, 1700), (1,))):
        duel = Battle()
        duel.real(0, atk=values[0])
        duel.real(1, "D.D. Assailant")
        damage = (max(0, values[1] - values[0]), max(0, values[0] - values[1]))
        duel.fight(1, 2, values, damage, destroyed, upto="after-calculation")
        assert offers_trigger(duel, 2) == (2 not in destroyed)


def test_a_monster_that_destroyed_nothing() -> None:
    """Divine Knight Ishzark banishes what it destroys; it is beaten itself."""
    for values, destroyed in (((1500, 2300), (1,)), ((2500, 2300), (2,))):
        duel = Battle()
        duel.real(0, atk=values[0])
        duel.real(1, "Divine Knight Ishzark")
        damage = (max(0, values[1] - values[0]), max(0, values[0] - values[1]))
        duel.fight(1, 2, values, damage, destroyed, upto="after-calculation")
        assert offers_trigger(duel, 2) == (2 in destroyed)


def test_a_monster_that_is_not_in_the_battle() -> None:
    """Wall of Illusion returns what battles it, not what battles the monster beside it."""
    for target in (2, 3):
        duel = Battle()
        duel.real(0, atk=800)
        duel.real(1, "Wall of Illusion", position="face-up-defense")
        duel.real(1, "Wall of Illusion", position="face-up-defense")
        duel.fight(1, target, (800, 1850), (1050, 0), upto="after-calculation", target_uses_def=True)
        assert offers_trigger(duel, 2) == (target != 2)


def test_a_monster_that_lies_face_down() -> None:
    """Neo-Spacian Grand Mole returns what it battles at the start of the Damage Step, when a face-down target still lies so."""
    for position in ("face-up-defense", "face-down-defense"):
        duel = Battle()
        duel.real(0, atk=800)
        duel.real(1, "Neo-Spacian Grand Mole", position=position)
        duel.declare(1, 2)
        duel.to_after_declaration()
        duel.both_pass()
        duel.begin("damage-start")
        assert offers_trigger(duel, 2) == (position == "face-down-defense")


def gone(duel: Battle, card: int, reason: MoveReason) -> None:
    """A monster of Player B goes to the Graveyard."""
    duel.add(Moved(card, duel.place(card), Place(1, "graveyard"), reason))


def test_a_monster_that_went_otherwise() -> None:
    """Performage Trapeze Magician waits for its destruction by an effect; destruction by battle is something else."""
    effects = card_pool().named("Performage Trapeze Magician").effects
    number = next(effect.number for effect in effects if effect.condition == "destroyed-by-effect")
    for reason in ("destroyed-by-battle", "destroyed-by-effect"):
        duel = Battle()
        duel.real(0, atk=3000)
        duel.real(1, "Performage Trapeze Magician")
        duel.fight(1, 2, (3000, 2500), (0, 500), (2,))
        gone(duel, 2, reason)
        assert offers_trigger(duel, 2, effect=number) == (reason == "destroyed-by-battle")


def test_a_trigger_of_another_phase() -> None:
    """Asura Priest returns to the hand in the End Phase, of which the Battle Phase has nothing."""
    duel = Battle()
    duel.real(0, "Asura Priest")
    duel.begin("start-step")
    duel.both_pass()
    effects = duel.pool.named("Asura Priest").effects
    number = next(effect.number for effect in effects if effect.condition == "other-phase")
    assert offers_trigger(duel, 1, player=0, effect=number)


def test_a_trigger_of_a_step_triggers_once() -> None:
    """Metaion, the Timelord has an effect of the End Step; after it was activated the step goes on without it."""
    effects = card_pool().named("Metaion, the Timelord").effects
    number = next(effect.number for effect in effects if effect.condition == "step-began")
    for again in (False, True):
        duel = Battle()
        duel.real(0, "Metaion, the Timelord")
        duel.begin("end-step")
        if again:
            duel.activate(0, 1, number, trigger=True)
            duel.resolve()
        assert offers_trigger(duel, 1, player=0, effect=number) == again
