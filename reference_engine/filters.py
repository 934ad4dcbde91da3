"""Which cards a filter of the card facts means."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from msgspec import structs

from engine_protocol.vocabulary import FIELD, MONSTER_ZONES, Player, Zone, opponent

if TYPE_CHECKING:
    from engine_protocol.cards import Filter
    from reference_engine.card import Card
    from reference_engine.duel import Duel
    from reference_engine.occurrences import Occurrence


def select(duel: Duel, filter_: Filter | None, player: Player, this: Card) -> list[Card]:
    """All cards that the filter means, as seen by the player of an effect of ``this``; turn player's side first."""
    return [] if filter_ is None else list(meant(duel, filter_, player, this))


def meant(duel: Duel, filter_: Filter, player: Player, this: Card) -> Iterator[Card]:
    """The same, one after another: most often it is only asked whether there is one."""
    for card in _where(duel, filter_, player, this):
        if fits(duel, filter_, card, player, this):
            yield card


def _where(duel: Duel, filter_: Filter, player: Player, this: Card) -> Iterable[Card]:
    """The cards at the places that the filter speaks of."""
    if filter_.this:
        return (this,)
    if filter_.role is not None and not filter_.zones:
        return _in_role(duel, filter_.role, this)
    sides: tuple[Player, ...] = duel.players
    if filter_.side is not None:
        sides = (player,) if filter_.side == "you" else (opponent(player),)
    zones = filter_.zones or MONSTER_ZONE_ORDER
    return [card for side in sides for zone in zones for card in duel.rows[side][zone]]


def summonable(cards: Iterable[Card]) -> list[Card]:
    """Those of the cards that an effect can Special Summon from where they are."""
    return [card for card in cards if card.zone not in card.facts.not_summoned_from]


MONSTER_ZONE_ORDER: Final[tuple[Zone, ...]] = ("monster-zone", "extra-monster-zone")


def _in_role(duel: Duel, role: str, this: Card) -> list[Card]:
    attack = duel.attack
    match role:
        case "link":
            return [duel.chain[-1].card] if duel.chain else []
        case "equipped":
            return [this.equipped_to] if this.equipped_to else []
    if attack is None:
        return []
    battling = [attack.attacker] if role != "attack-target" else []
    if role != "attacker" and attack.target is not None:
        battling.append(attack.target)
    return [card for card in battling if attack.involves(card)]


def fits(duel: Duel, filter_: Filter, card: Card, player: Player, this: Card) -> bool:
    """Whether the filter means this card."""
    facts = card.facts
    if filter_.this is not None and filter_.this != (card is this):
        return False
    if filter_.side is not None and (card.controller == player) != (filter_.side == "you"):
        return False
    if filter_.role is not None and card not in _in_role(duel, filter_.role, this):
        return False
    if filter_.not_role is not None and card in _in_role(duel, filter_.not_role, this):
        return False
    if filter_.zones:
        if card.zone not in filter_.zones:
            return False
    elif filter_.role != "link" and card.zone not in MONSTER_ZONES:
        return False
    if filter_.type is not None and facts.type != filter_.type:
        return False
    if filter_.types and facts.type not in filter_.types:
        return False
    if filter_.face is not None and card.face_up != (filter_.face == "up"):
        return False
    if filter_.position is not None and card.in_attack_position != (filter_.position == "attack"):
        return False
    if filter_.attributes and not attributes_of(card) & set(filter_.attributes):
        return False
    if filter_.not_attributes and attributes_of(card) & set(filter_.not_attributes):
        return False
    if filter_.races and facts.race not in filter_.races:
        return False
    if filter_.name is not None and filter_.name not in facts.name:
        return False
    if filter_.effect_monster is not None and facts.is_effect_monster != filter_.effect_monster:
        return False
    if filter_.token is not None and facts.token != filter_.token:
        return False
    if filter_.max_atk is None and filter_.min_atk is None and filter_.max_def is None and filter_.min_level is None:
        return True
    return _within_bounds(filter_, card)


def fits_occurrence(duel: Duel, filter_: Filter, occurrence: Occurrence, player: Player, this: Card) -> bool:
    """Whether the filter means the card that something happened to: its side and zone are those from where it went."""
    card, origin = occurrence.card, occurrence.origin
    if origin is None:
        return fits(duel, filter_, card, player, this)
    if filter_.side is not None and (origin.player == player) != (filter_.side == "you"):
        return False
    if origin.zone not in (filter_.zones or MONSTER_ZONES):
        return False
    return fits(duel, structs.replace(filter_, side=None, zones=(card.zone,)), card, player, this)


def _within_bounds(filter_: Filter, card: Card) -> bool:
    atk, def_ = (card.atk, card.def_) if card.zone in FIELD else (card.facts.atk or 0, card.facts.def_ or 0)
    return (
        (filter_.max_atk is None or atk <= filter_.max_atk)
        and (filter_.min_atk is None or atk >= filter_.min_atk)
        and (filter_.max_def is None or def_ <= filter_.max_def)
        and (filter_.min_level is None or (card.facts.level or 0) >= filter_.min_level)
    )


def attributes_of(card: Card) -> set[str]:
    """Its Attribute, and any that a continuous effect of its own adds."""
    attributes: set[str] = {card.facts.attribute} if card.facts.attribute else set()
    if card.behaviour.also_attribute and card.active:
        attributes.add(card.behaviour.also_attribute)
    return attributes
