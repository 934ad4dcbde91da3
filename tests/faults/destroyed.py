"""Seeded faults of monsters determined destroyed (BD)."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import Any

from engine_protocol.cards import EffectFacts
from engine_protocol.decisions import Decision, Option
from engine_protocol.events import Activated, ChainEnded, Decided, LinkResolved, LinkResolving
from engine_protocol.vocabulary import MoveReason, Player
from reference_engine import calculation, chain, damage_step, destruction, legality
from reference_engine.attack import Attack
from reference_engine.behaviour import Flow
from reference_engine.card import Card
from reference_engine.duel import Duel, is_extra_deck_card
from reference_engine.filters import select
from reference_engine.occurrences import Pending
from reference_engine.stats import Modifier
from tests.faults.fault import Fault
from tests.faults.helpers import DUEL

_can_activate = legality.can_activate
_send_destroyed = damage_step.send_destroyed
_modify = Duel.modify
_send = Duel.send
_still_triggers = chain.still_triggers
_battles = legality.battles
_without_replaced = calculation.without_replaced
_end_of_damage_step = damage_step.end_of_damage_step


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


def _negation_ends_with_the_battle(duel: Duel, battle: Attack) -> None:
    _send_destroyed(duel, battle)
    duel.negated_in_graveyard.clear()


def _changed_although_determined(self: Duel, card: Card, modifier: Modifier) -> None:
    was, card.determined = card.determined, False
    try:
        _modify(self, card, modifier)
    finally:
        card.determined = was


def _tributed_although_determined(duel: Duel, player: Player, card: Card, effect: EffectFacts) -> bool:
    tributes = any(cost.kind == "tribute-self" for cost in effect.cost)
    return (_quick_although_determined if tributes else _can_activate)(duel, player, card, effect)


def _returned_although_determined(self: Duel, cards: Iterable[Card]) -> None:
    self.begin_moment()
    for card in cards:
        zone: Any = "extra-deck" if is_extra_deck_card(card.facts) else "hand"
        self.move(card, card.owner, zone, "returned-by-effect", position="face-down" if zone == "extra-deck" else "face-up")
    self.refresh()


def _removed_by_battle(self: Duel, cards: Iterable[Card], reason: MoveReason = "banished-by-effect") -> None:
    for card in list(cards):
        self.move(card, card.owner, "banished", "destroyed-by-battle" if card.determined else reason)
    self.refresh()


def _sent_wherever_it_goes(duel: Duel, battle: Attack) -> None:
    """What a Token or a banished monster leaves behind counts as sent to the Graveyard."""
    _send_destroyed(duel, battle)
    for card in battle.sent:
        destroyer = battle.other(card)
        if destroyer is not None and destroyer.is_monster_on_field and (card.facts.token or card.zone != "graveyard"):
            duel.occur("destroys-by-battle-and-sends", destroyer, card)


def _silent_when_determined(duel: Duel, trigger: Pending) -> bool:
    battle = duel.attack
    mutual = battle is not None and len(battle.destroyed) == 2
    return _still_triggers(duel, trigger) and not (mutual and trigger.card.determined)


def _not_redirected(self: Duel, cards: Iterable[Card], reason: MoveReason) -> None:
    if reason != "destroyed-by-battle":
        _send(self, cards, reason)
        return
    self.begin_moment()
    for card in cards:
        self.move(card, card.owner, "graveyard", reason)
    self.refresh()


def _wherever_it_is(duel: Duel, player: Player, card: Card, effect: EffectFacts) -> bool:
    battle = duel.attack
    took_part = battle is not None and card in (battle.attacker, battle.target)
    return _battles(duel, player, card, effect) or (took_part and "damage-end" in effect.timings)


def _replaced_and_destroyed(duel: Duel, battle: Attack, destroyed: list[Card]) -> Generator[Decision, int, list[Card]]:
    yield from _without_replaced(duel, battle, destroyed)
    return destroyed


def _not_replaced_yet(duel: Duel, battle: Attack, destroyed: list[Card]) -> Generator[Decision, int, list[Card]]:
    yield from ()
    return destroyed


def _replaced_at_the_end(duel: Duel, battle: Attack) -> Flow:
    duel.enter("damage-end")
    for card in [card for card in battle.destroyed if card.is_monster_on_field]:
        card.determined = False
        substitute = yield from destruction.substitute_for(duel, card, tuple(battle.destroyed))
        card.determined = substitute is None
        if substitute is not None:
            destruction.put_in_place(duel, card, substitute)
    yield from _end_of_damage_step(duel, battle)


FAULTS: tuple[Fault, ...] = (
    Fault(
        "determined-stays-active",
        "DS-4",
        "Continuous effects of a monster determined destroyed go on",
        {"reference_engine.card:Card.active": property(_active_although_determined)},
        real="a monster determined destroyed treated as any other",
    ),
    Fault(
        "determined-quick-effects",
        "BD-3",
        "A monster determined destroyed may use its Quick Effects",
        {"reference_engine.chain:can_activate": _quick_although_determined},
        real="a monster determined destroyed treated as any other",
    ),
    Fault(
        "determined-targeted",
        "BD-5",
        "A monster determined destroyed may be targeted",
        {
            "reference_engine.chain:targets": _target_although_determined,
            "reference_engine.legality:targets": _target_although_determined,
        },
        real="a monster determined destroyed treated as any other",
    ),
    Fault(
        "gone-but-destroyed-by-battle",
        "BD-8",
        "What an effect removed before the end still counts as destroyed by battle",
        {"reference_engine.damage_step:send_destroyed": _gone_but_destroyed_by_battle},
        real="what counts as destroyed by battle",
    ),
    Fault(
        "mutual-destruction-counts",
        "BD-10",
        "In mutual destruction both count as having destroyed",
        {"reference_engine.damage_step:send_destroyed": _mutual_destruction_counts},
        real='mutual destruction triggering "destroys by battle"',
    ),
    Fault(
        "negation-ends-with-the-battle",
        "BD-1",
        "What Dark Ruler Ha Des destroys has its effects back in the Graveyard",
        {"reference_engine.damage_step:send_destroyed": _negation_ends_with_the_battle},
    ),
    Fault(
        "determined-changes",
        "BD-2",
        "The ATK and DEF of a monster determined destroyed still change",
        {f"{DUEL}modify": _changed_although_determined},
        real="a monster determined destroyed treated as any other",
    ),
    Fault(
        "determined-pays",
        "BD-4",
        "A monster determined destroyed may be Tributed for its own effect",
        {"reference_engine.chain:can_activate": _tributed_although_determined},
        also=("BD-3",),
        real="a monster determined destroyed used as a cost",
    ),
    Fault(
        "determined-returns",
        "BD-6",
        "A monster determined destroyed returns to the hand",
        {f"{DUEL}return_to_hand": _returned_although_determined},
        real="a monster determined destroyed treated as any other",
    ),
    Fault(
        "banished-by-battle",
        "BD-8",
        "A monster that is banished after damage calculation counts as destroyed by battle",
        {f"{DUEL}banish": _removed_by_battle},
    ),
    Fault(
        "tokens-are-sent",
        "BD-10",
        "A Token, or a monster that is banished instead, counts as sent to the Graveyard",
        {"reference_engine.damage_step:send_destroyed": _sent_wherever_it_goes},
    ),
    Fault(
        "silent-in-mutual-destruction",
        "BD-11",
        "In mutual destruction nobody banishes the monster it battled",
        {"reference_engine.chain:still_triggers": _silent_when_determined},
    ),
    Fault(
        "not-redirected",
        "BD-12",
        "Macro Cosmos does not banish what battle destroys",
        {f"{DUEL}send": _not_redirected},
    ),
    Fault(
        "gone-but-acting-at-the-end",
        "BD-13",
        "A monster that left the field before the end of the Damage Step activates its effect there",
        {"reference_engine.occurrences:battles": _wherever_it_is},
    ),
    Fault(
        "replaced-and-destroyed",
        "BD-9",
        "Something goes instead of a monster, and the monster goes too",
        {"reference_engine.calculation:without_replaced": _replaced_and_destroyed},
    ),
    Fault(
        "replaced-at-the-end",
        "BD-9",
        "What goes instead of a monster is decided at the end of the Damage Step",
        {
            "reference_engine.calculation:without_replaced": _not_replaced_yet,
            "reference_engine.damage_step:end_of_damage_step": _replaced_at_the_end,
        },
        real="the substitute used at the wrong time",
    ),
)
