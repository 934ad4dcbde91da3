"""DC-10: a damage calculation that compares original values."""

from __future__ import annotations

from typing import Final

from engine_protocol.events import DamageCalculated, LinkResolved
from oracles.oracle import Oracle
from oracles.view import Card, DamageStep, View


class OriginalValues(Oracle):
    """In the Damage Step in which an effect that compares original values was applied, the values compared must be the original
    ones. Silent where an effect was activated that changes original values, and for a printed "?". At stake when the current
    values are others.
    """

    id = "DC-10"
    title = "Calculation with original values"
    statement = (
        "Where an effect has damage calculation use original ATK and DEF, these are compared, whatever the monsters' ATK and DEF"
        " are; they stay what they are."
    )
    citations = (("battle-phase-flow", "战斗伤害计算"),)

    def prepare(self) -> None:
        self.applied_in: DamageStep | None = None

    def on_link_resolved(self, event: LinkResolved, view: View) -> None:
        facts = view.chain[event.link - 1].facts
        if facts is not None and facts.original == "compares" and event.outcome == "resolved":
            self.applied_in = view.damage_step

    def on_damage_calculated(self, event: DamageCalculated, view: View) -> None:
        step, self.applied_in = self.applied_in, None
        if step is None or step is not view.damage_step or step.attack is None:
            return
        if any(link.facts is not None and link.facts.original == "changes" for link in view.activations):
            return
        attacker = view.cards[event.attacker]
        if attacker.position == "face-up-attack":
            self._compares(attacker, event.attacker_value, uses_def=False)
        if event.target is not None and event.target_value is not None:
            target = view.cards[event.target]
            self._compares(target, event.target_value, uses_def=target.position != "face-up-attack")

    def _compares(self, card: Card, compared: int, *, uses_def: bool) -> None:
        original = card.base_def if uses_def else card.base_atk
        if original is None:
            return
        if original != (card.def_ if uses_def else card.atk):
            self.stake()
        if compared != original:
            self.fail(
                expected=f"{card!r} battles with its original {'DEF' if uses_def else 'ATK'}, {original}",
                happened=f"{compared} was compared",
                cards=(card.id,),
            )


ORACLES: Final[tuple[type[Oracle], ...]] = (OriginalValues,)
