"""DS-11: what lasts until the end of the Damage Step."""

from __future__ import annotations

from typing import Final

from engine_protocol.events import Decided, LinkResolved, LinkResolving, StatChanged, StatusChanged, TimingBegan
from engine_protocol.vocabulary import DAMAGE_STEP_TIMINGS, Status
from oracles.oracle import Oracle
from oracles.view import Card, DamageStep, Key, View


class UntilTheEndOfTheDamageStep(Oracle):
    """What such an effect did, a change of ATK and DEF or a lasting condition, may be taken back only when nobody acts in that
    Damage Step any more. Silent for monsters that were turned face-down or whose own effects are negated meanwhile. At stake when
    such an effect has changed anything in the Damage Step.
    """

    id = "DS-11"
    title = "Effects until the end of the Damage Step"
    statement = "What lasts until the end of the Damage Step lasts until everything that happens at its end has been resolved."
    citations = (("battle-phase-flow", "伤害步骤结束时"),)

    def prepare(self) -> None:
        self.applying = False
        self.step: DamageStep | None = None
        self.before: dict[Key, tuple[int | None, int | None]] = {}
        self.conditions: set[tuple[Key, Status]] = set()

    def on_link_resolving(self, event: LinkResolving, view: View) -> None:
        facts = view.chain[event.link - 1].facts
        self.applying = facts is not None and facts.lasts == "damage-step" and view.in_damage_step
        if self.applying and self.step is not view.damage_step:
            self.step = view.damage_step
            self.before.clear()
            self.conditions.clear()

    def on_link_resolved(self, event: LinkResolved, view: View) -> None:
        if self.applying and (self.before or self.conditions):
            self.stake()
        self.applying = False

    def before_stat_changed(self, event: StatChanged, view: View) -> None:
        if self.step is None:
            return
        card = view.cards[event.card]
        if self.applying:
            self.before.setdefault(card.key, (card.atk, card.def_))
        elif self.before.get(card.key) == (event.atk, event.def_) and card.face_up and "effects-negated" not in card.statuses:
            self._taken_back(card, view)

    def on_status_changed(self, event: StatusChanged, view: View) -> None:
        if self.step is None or event.card is None:
            return
        card = view.cards[event.card]
        if self.applying and event.active:
            self.conditions.add((card.key, event.status))
        elif not event.active and (card.key, event.status) in self.conditions:
            self._taken_back(card, view)

    def _taken_back(self, card: Card, view: View) -> None:
        if self.step is view.damage_step and not view.chain_resolving and _goes_on(view):
            self.fail(
                expected=f"what was done to {card!r} lasts until the end of the Damage Step",
                happened="it was over before that",
                cards=(card.id,),
            )


def _goes_on(view: View) -> bool:
    """Whether the Damage Step goes on after this event: another of its timings begins, or a player acts in this one."""
    for event in view.events[view.at + 1 :]:
        if isinstance(event, TimingBegan):
            return event.timing in DAMAGE_STEP_TIMINGS
        if isinstance(event, Decided) and event.decision.kind in {"priority", "trigger", "response"}:
            return True
    return False


ORACLES: Final[tuple[type[Oracle], ...]] = (UntilTheEndOfTheDamageStep,)
