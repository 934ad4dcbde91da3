"""Xyz Monsters, and what they do with their materials."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine_protocol.cards import Filter
from engine_protocol.decisions import Option
from reference_engine.behaviour import CardBehaviour, Effect
from reference_engine.cards.pieces import card, face_up_targets, has_free_zone
from reference_engine.destruction import material
from reference_engine.filters import select
from reference_engine.stats import Modifier

if TYPE_CHECKING:
    from reference_engine.behaviour import Flow
    from reference_engine.chain import Link
    from reference_engine.duel import Duel

_INSECTS_AWAY = Filter(side="you", zones=("hand", "graveyard"), type="monster", races=("Insect",))
_INSECTS = Filter(face="up", races=("Insect",))


def summon_insect_in_defense(duel: Duel, link: Link) -> Flow:
    """Number 3: Cicada King: Special Summon an Insect from the hand or the Graveyard in Defense Position."""
    insects = select(duel, _INSECTS_AWAY, link.player, link.card)
    if insects and duel.free_places(link.player, "monster-zone"):
        option = yield from duel.ask(link.player, "choice", tuple(duel.card_option(insect) for insect in insects), link.card.id)
        duel.special_summon(duel.card_of(option), link.player, "face-up-defense")


def negate_and_help_an_insect(duel: Duel, link: Link) -> Flow:
    """Number 3: Cicada King: negate the target's effects; then an Insect gains 500 DEF or changes its battle position."""
    for target in face_up_targets(duel, link):
        duel.grant(target, "effects-negated", link.card)
        insects = [insect for insect in select(duel, _INSECTS, link.player, link.card) if not insect.determined]
        if not insects:
            return
        chosen = yield from duel.ask(link.player, "choice", tuple(duel.card_option(insect) for insect in insects), link.card.id)
        insect = duel.card_of(chosen)
        strengthens = yield from duel.ask(link.player, "choice", (Option("yes"), Option("no")), link.card.id)
        if strengthens.kind == "yes":
            duel.modify(insect, Modifier("add", link.card, def_=500))
        else:
            duel.change_position(insect, "face-up-defense" if insect.in_attack_position else "face-up-attack", "effect")


BEHAVIOURS = {
    "Number 3: Cicada King": card(e1=Effect(summon_insect_in_defense, has_free_zone), e2=negate_and_help_an_insect),
    "Number 101: Silent Honor ARK": CardBehaviour(replacement=material),
}
