"""What continuous effects make of the cards on the field: conditions, current ATK and DEF, and what destroys itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine_protocol.events import StatChanged, StatusChanged
from engine_protocol.vocabulary import FIELD
from reference_engine.stats import current_values, reaches

if TYPE_CHECKING:
    from reference_engine.card import Card
    from reference_engine.duel import Duel


def refresh_monsters(duel: Duel) -> None:
    """Bring up to date the conditions of all monsters, then which Equip Cards count, then ATK and DEF: each needs the former."""
    monsters = duel.field_monsters()
    negated = duel.field_negators and any(source.active for source in duel.field_negators)
    for card in monsters:
        if card.grants or negated or "effects-negated" in card.statuses:
            refresh_conditions(duel, card)
    if duel.lenders:
        for card in monsters:
            card.lenders = tuple(e for e in duel.lenders if e.equipped_to is card and e.active and reaches(e, card))
    for card in monsters:
        if not card.face_up or card.determined:
            continue
        if card.modifiers:
            card.modifiers = [m for m in card.modifiers if not m.bound or (m.source.face_up and m.source.zone in FIELD)]
        added = [change for source in duel.stat_sources if source.active and (change := _added(duel, source, card))]
        atk, def_ = current_values(card, added)
        if atk != card.atk or def_ != card.def_:
            card.atk, card.def_ = atk, def_
            duel.emit(StatChanged(card.id, atk, def_))


def let_perish(duel: Duel) -> None:
    """Cards that destroy themselves as things are now do so, all at once; one that the battle flipped waits until after damage
    calculation (DS-4).
    """
    battle = duel.attack or duel.inside
    waiting = battle.flipped if battle is not None and not battle.settled else None
    perishing = [
        card
        for card in duel.perishable
        if card is not waiting and card.active and card.behaviour.perishes is not None and card.behaviour.perishes(duel, card)
    ]
    perishing = [card for card in perishing if duel.destructible([card], card)]
    if perishing:
        duel.send(perishing, "destroyed-by-effect")
        for card in perishing:
            duel.occur("destroyed-by-effect", card, card)


def _added(duel: Duel, source: Card, card: Card) -> tuple[int, int] | None:
    stats = source.behaviour.stats
    return stats(duel, source, card) if stats is not None and reaches(source, card) else None


def refresh_conditions(duel: Duel, card: Card) -> None:
    """Bring the lasting conditions of a card up to date; a monster's effects may also be negated by a card on the field."""
    card.grants = [g for g in card.grants if not g.bound or (g.source.face_up and g.source.zone in FIELD)]
    now = frozenset(grant.status for grant in card.grants if reaches(grant.source, card))
    if card.is_monster_on_field and card.face_up and any(s.active and reaches(s, card) for s in duel.field_negators):
        now |= {"effects-negated"}
    before = card.statuses
    if now != before:
        card.statuses = now
        for status in sorted(before - now):
            duel.emit(StatusChanged(status, False, card=card.id))
        for status in sorted(now - before):
            duel.emit(StatusChanged(status, True, card=card.id))
