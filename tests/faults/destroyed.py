"""Seeded faults of monsters determined destroyed (BD)."""

from __future__ import annotations

from engine_protocol.cards import EffectFacts
from engine_protocol.decisions import Decision, Option
from engine_protocol.events import Activated, ChainEnded, Decided, LinkResolved, LinkResolving
from engine_protocol.vocabulary import Player
from reference_engine import damage_step, legality
from reference_engine.attack import Attack
from reference_engine.card import Card
from reference_engine.duel import Duel
from reference_engine.filters import select
from tests.faults.fault import Fault

_can_activate = legality.can_activate
_send_destroyed = damage_step.send_destroyed


def _active_although_determined(self: Card) -> bool:
    return self.face_up and self.on_field and "effects-negated" not in self.statuses


def _quick_although_determined(duel: Duel, player: Player, card: Card, effect: EffectFacts) -> bool:
    was, card.determined = card.determined, False
    try:
        return _can_activate(duel, player, card, effect)
    finally:
        card.determined = was


def _target_although_determined(duel: Duel, player: Player, card: Card, effect: EffectFacts) -> list[Card]:
    if effect.target is None:
        return []
    return select(duel, effect.target.filter, player, card)


def _gone_but_destroyed_by_battle(duel: Duel, battle: Attack) -> None:
    """What an effect removed after damage calculation still triggers as destroyed by battle."""
    gone = [card for card in battle.destroyed if not card.is_monster_on_field]
    _send_destroyed(duel, battle)
    for card in gone:
        if card.zone == "graveyard":
            duel.occur("destroyed-by-battle-and-sent", card, battle.other(card))
        destroyer = battle.other(card)
        if destroyer is not None and destroyer.is_monster_on_field:
            duel.occur("destroys-by-battle", destroyer, card)
            duel.occur("destroys-by-battle-and-sends", destroyer, card)


def _mutual_destruction_counts(duel: Duel, battle: Attack) -> None:
    destroyed = [card for card in battle.destroyed if card.determined and card.is_monster_on_field]
    _send_destroyed(duel, battle)
    if len(destroyed) == 2:
        for card in destroyed:
            for effect in card.facts.effects:
                if effect.condition in ("destroys-by-battle", "destroys-by-battle-and-sends"):
                    option = Option("activate", card.id, effect.number)
                    duel.emit(Decided(Decision(card.controller, "trigger", duel.timing, (option,)), 0, True))
                    duel.emit(Activated(1, card.controller, card.id, effect.number, card.place, trigger=True))
                    duel.emit(LinkResolving(1))
                    duel.emit(LinkResolved(1))
                    duel.emit(ChainEnded())


FAULTS: tuple[Fault, ...] = (
    Fault(
        "determined-stays-active",
        "BD-1",
        "Continuous effects of a monster determined destroyed go on",
        {"reference_engine.card:Card.active": property(_active_although_determined)},
    ),
    Fault(
        "determined-quick-effects",
        "BD-3",
        "A monster determined destroyed may use its Quick Effects",
        {"reference_engine.chain:can_activate": _quick_although_determined},
    ),
    Fault(
        "determined-targeted",
        "BD-5",
        "A monster determined destroyed may be targeted",
        {
            "reference_engine.chain:targets": _target_although_determined,
            "reference_engine.legality:targets": _target_although_determined,
        },
    ),
    Fault(
        "gone-but-destroyed-by-battle",
        "BD-8",
        "What an effect removed before the end still counts as destroyed by battle",
        {"reference_engine.damage_step:send_destroyed": _gone_but_destroyed_by_battle},
    ),
    Fault(
        "mutual-destruction-counts",
        "BD-10",
        "In mutual destruction both count as having destroyed",
        {"reference_engine.damage_step:send_destroyed": _mutual_destruction_counts},
    ),
)
