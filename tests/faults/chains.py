"""Seeded faults of chains and of who may act (CH)."""

from __future__ import annotations

from engine_protocol.cards import Cost, EffectFacts
from engine_protocol.decisions import Option
from engine_protocol.vocabulary import Player, opponent
from reference_engine import chain, legality
from reference_engine.behaviour import Flow
from reference_engine.card import Card
from reference_engine.chain import Asking, Link
from reference_engine.duel import Duel, Occurrence
from tests.faults.fault import Fault

_resolve_link = chain.resolve_link
_can_activate = legality.can_activate
_resolve = chain.resolve
_face_allows = legality._face_allows
_activations = chain.activations
_needs_are_met = legality.needs_are_met
_payable = legality.payable


def _no_spell_speed(duel: Duel, player: Player, card: Card, effect: EffectFacts) -> bool:
    links, duel.chain = duel.chain, []
    if links and effect.condition == "activation":
        duel.chain = links
        return _can_activate(duel, player, card, effect)
    try:
        return _can_activate(duel, player, card, effect)
    finally:
        duel.chain = links


def _in_order_of_activation(duel: Duel) -> Flow:
    duel.chain = duel.chain[::-1]
    yield from _resolve(duel)


def _activations_between_links(duel: Duel, link: Link) -> Flow:
    yield from _resolve_link(duel, link)
    if link.number > 1:
        links, duel.chain = duel.chain, []
        yield from chain.one_chain(duel)
        duel.chain = links


def _other_player_triggers_first(duel: Duel) -> chain.Asking:
    duel.turn_player = opponent(duel.turn_player)
    pending = duel.pending
    try:
        trigger_groups = [t for t in pending if chain.still_triggers(duel, t)]
    finally:
        duel.turn_player = opponent(duel.turn_player)
    duel.pending = []
    if not trigger_groups:
        return False
    for mandatory in (True, False):
        for player in (opponent(duel.turn_player), duel.turn_player):
            group = [t for t in trigger_groups if t.card.controller == player and t.effect.mandatory == mandatory]
            yield from chain._chain_group(duel, player, group, mandatory=mandatory)
    if not duel.chain:
        return False
    yield from chain.finish_chain(duel)
    return True


def _optional_triggers_first(duel: Duel) -> chain.Asking:
    pending = [t for t in duel.pending if chain.still_triggers(duel, t)]
    duel.pending = []
    for mandatory in (False, True):
        for player in (duel.turn_player, opponent(duel.turn_player)):
            group = [t for t in pending if t.card.controller == player and t.effect.mandatory == mandatory]
            yield from chain._chain_group(duel, player, group, mandatory=mandatory)
    if not duel.chain:
        return False
    yield from chain.finish_chain(duel)
    return True


def _set_cards_are_ready(duel: Duel, player: Player, card: Card, effect: EffectFacts) -> bool:
    if effect.kind == "activation" and card.zone == "spell-trap-zone":
        return not card.face_up
    return _face_allows(duel, player, card, effect)


def _from_the_hand_in_any_turn(duel: Duel, player: Player, card: Card, effect: EffectFacts) -> bool:
    if effect.kind == "activation" and card.zone == "hand":
        return bool(duel.free_places(player, "spell-trap-zone"))
    return _face_allows(duel, player, card, effect)


def _set_quick_play_spells_wait_for_the_own_turn(duel: Duel, player: Player, card: Card, effect: EffectFacts) -> bool:
    if card.facts.property == "quick-play" and player != duel.turn_player:
        return False
    return _face_allows(duel, player, card, effect)


def _same_player_answers_first(duel: Duel) -> Flow:
    player = duel.chain[-1].player
    passes = 0
    while passes < 2:
        added = yield from chain.offer(duel, player, "response")
        passes = 0 if added else passes + 1
        player = opponent(player)


def _one_pass_closes_the_chain(duel: Duel) -> Flow:
    player = opponent(duel.chain[-1].player)
    while (yield from chain.offer(duel, player, "response")):
        player = opponent(player)


def _without_a_target(duel: Duel, player: Player, card: Card, effect: EffectFacts, occurrence: Occurrence | None = None) -> bool:
    targets = effect.target is not None and effect.kind == "activation"
    return targets or _needs_are_met(duel, player, card, effect, occurrence)


def _on_credit(duel: Duel, player: Player, card: Card, effect: EffectFacts, cost: Cost) -> bool:
    return cost.kind == "pay-lp" or _payable(duel, player, card, effect, cost)


def _no_monsters_before_a_declaration(duel: Duel, player: Player) -> tuple[Option, ...]:
    options = _activations(duel, player)
    if duel.timing != "battle-step":
        return options
    return tuple(option for option in options if duel.cards[option.card or 0].facts.type != "monster")


def _other_player_first(duel: Duel) -> Asking:
    for player in (opponent(duel.turn_player), duel.turn_player):
        if (yield from chain.offer(duel, player, "priority")):
            yield from chain.finish_chain(duel)
            return True
    duel.recent = []
    return False


FAULTS: tuple[Fault, ...] = (
    Fault(
        "no-spell-speed", "CH-1", "Spell Speed 2 answers Spell Speed 3", {"reference_engine.chain:can_activate": _no_spell_speed}
    ),
    Fault(
        "first-in-first-out",
        "CH-2",
        "Chain Links resolve in the order they were made",
        {"reference_engine.chain:resolve": _in_order_of_activation},
    ),
    Fault(
        "activations-between-links",
        "CH-3",
        "Effects may be activated between two links",
        {"reference_engine.chain:resolve_link": _activations_between_links},
    ),
    Fault(
        "opponents-triggers-first",
        "CH-5",
        "The non-turn player's Triggers come first",
        {
            "reference_engine.chain:trigger_chain": _other_player_triggers_first,
            "reference_engine.damage_step:trigger_chain": _other_player_triggers_first,
            "reference_engine.flow:trigger_chain": _other_player_triggers_first,
        },
    ),
    Fault(
        "optional-triggers-first",
        "CH-5",
        "Optional Triggers come before mandatory ones",
        {
            "reference_engine.chain:trigger_chain": _optional_triggers_first,
            "reference_engine.damage_step:trigger_chain": _optional_triggers_first,
            "reference_engine.flow:trigger_chain": _optional_triggers_first,
        },
    ),
    Fault(
        "set-this-turn",
        "CH-8",
        "Cards set this turn may be activated",
        {"reference_engine.legality:_face_allows": _set_cards_are_ready},
    ),
    Fault(
        "quick-play-from-any-hand",
        "CH-8",
        "Quick-Play Spells may be activated from the hand in the opponent's turn",
        {"reference_engine.legality:_face_allows": _from_the_hand_in_any_turn},
    ),
    Fault(
        "no-set-quick-plays",
        "CH-8",
        "Set Quick-Play Spells cannot be activated in the opponent's turn",
        {"reference_engine.legality:_face_allows": _set_quick_play_spells_wait_for_the_own_turn},
    ),
    Fault(
        "same-player-answers",
        "CH-10",
        "The player who made a link may answer it before the other",
        {"reference_engine.chain:answer": _same_player_answers_first},
    ),
    Fault("one-pass-closes", "CH-10", "One pass closes the chain", {"reference_engine.chain:answer": _one_pass_closes_the_chain}),
    Fault(
        "activated-without-a-target",
        "CH-12",
        "A Trap that targets can be activated with nothing to target",
        {"reference_engine.legality:needs_are_met": _without_a_target},
    ),
    Fault(
        "paid-on-credit",
        "CH-12",
        "Life Points that a player does not have can be paid",
        {"reference_engine.legality:payable": _on_credit},
    ),
    Fault(
        "no-quick-effects-before-a-declaration",
        "CH-12",
        "Before a declaration the turn player cannot use the Quick Effects of monsters",
        {"reference_engine.flow:activations": _no_monsters_before_a_declaration},
    ),
    Fault(
        "other-player-first",
        "CH-13",
        "In every window the non-turn player is asked first",
        {"reference_engine.chain:one_chain": _other_player_first, "reference_engine.flow:one_chain": _other_player_first},
    ),
)
