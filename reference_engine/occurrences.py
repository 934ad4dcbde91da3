"""What happens in a duel as far as Trigger Effects wait for it, and which of them it has triggered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from engine_protocol.cards import Condition, EffectFacts
from engine_protocol.events import Place
from engine_protocol.vocabulary import MoveReason, Player
from reference_engine.card import Card
from reference_engine.legality import battles

if TYPE_CHECKING:
    from reference_engine.duel import Duel

LEAVING: frozenset[Condition] = frozenset(
    {
        "destroyed-by-battle",
        "destroyed-by-battle-and-sent",
        "destroyed-by-effect",
        "destroyed",
        "sent-to-graveyard",
    }
)
"""What happens to a card that is where it is now because of that."""


class Occurrence(Struct, frozen=True, gc=False):
    """Something that Trigger Effects wait for.

    ``condition`` in the words of the card facts; ``card`` it happened to; ``by`` the other card of it, if any
    ``moment``    when: things that happen at the same time share a moment
    ``origin``    where the card was, if it is where it is now because of that
    ``by_battle`` it was destroyed by battle
    ``reason``    why the card moved, if that is what happened
    ``effect_of`` the player whose effect was resolving then; None: it was a cost, or no effect of a chain
    """

    condition: Condition
    card: Card
    moment: int
    by: Card | None = None
    player: Player | None = None
    origin: Place | None = None
    by_battle: bool = False
    reason: MoveReason | None = None
    effect_of: Player | None = None


class Pending(Struct, frozen=True, gc=False):
    """A Trigger Effect whose condition was met and that has not been activated yet."""

    card: Card
    effect: EffectFacts
    occurrence: Occurrence
    incarnation: int


def note_timing_triggers(duel: Duel, stage: int = 0) -> None:
    """Note the Triggers that wait for this stage of the timing of the Damage Step, with their monster in the battle."""
    for card, effect in duel.timed:
        timings = duel.rulebook.timings[card.facts.passcode, effect.number]
        if (
            duel.timing in timings
            and effect.condition is not None
            and (effect.timings or not card.determined)  # one that still needs its monster (BD-10)
            and duel.rulebook.stage_of(duel.timing, card.facts, effect) == stage
            and battles(duel, card.controller, card, effect)
        ):
            occurrence = Occurrence(effect.condition, card, duel.moment)
            duel.pending.append(Pending(card, effect, occurrence, card.incarnation))


def note_step_triggers(duel: Duel) -> None:
    """Note the Triggers that wait for the step just entered, of whoever's turn they want it to be (BP-6)."""
    for card, effect in duel.timed:
        subject = effect.subject
        whose = None if subject is None else subject.side
        if (
            effect.condition == "step-began"
            and duel.timing in duel.rulebook.timings[card.facts.passcode, effect.number]
            and (whose is None or (card.controller == duel.turn_player) == (whose == "you"))
        ):
            duel.step_triggers.append(Pending(card, effect, Occurrence("step-began", card, duel.moment), card.incarnation))
