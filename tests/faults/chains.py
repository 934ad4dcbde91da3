"""Seeded faults of chains and of who may act (CH)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import structs

from engine_protocol.cards import Cost, EffectFacts
from engine_protocol.decisions import Option
from engine_protocol.vocabulary import Player, opponent
from reference_engine import attack, chain, legality
from reference_engine.attack import Attack
from reference_engine.behaviour import Flow
from reference_engine.card import Card
from reference_engine.chain import Asking, Link
from reference_engine.duel import Duel
from reference_engine.occurrences import Occurrence, Pending
from tests.faults.fault import Fault
from tests.faults.helpers import DUEL, in_every_window

_resolve_link = chain.resolve_link
_can_activate = legality.can_activate
_resolve = chain.resolve
_face_allows = legality._face_allows
_activations = chain.activations
_needs_are_met = legality.needs_are_met
_payable = legality.payable
_battles = legality.battles
_targets = legality.targets
_still_triggers = chain.still_triggers
_finish_chain = chain.finish_chain
_pay = chain.pay
_answer = chain.answer
_chain_group = chain._chain_group
_payable = legality.payable
_one_chain = chain.one_chain
_trigger_chain = chain.trigger_chain


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


def _three_passes(duel: Duel) -> Flow:
    player, passes = opponent(duel.chain[-1].player), 0
    while passes < 3:
        added = yield from chain.offer(duel, player, "response")
        passes = 0 if added else passes + 1
        player = opponent(player)


def _all_life_points(duel: Duel, link: Link) -> Flow:
    yield from _pay(duel, link)
    if any(cost.kind == "pay-half-lp" for cost in link.effect.cost) and duel.lp[link.player] > 1:
        duel.pay_lp(link.player, duel.lp[link.player] - 1)


def _itself_too(duel: Duel, player: Player, card: Card, effect: EffectFacts) -> Iterator[Card]:
    yield from _targets(duel, player, card, effect)
    if effect.kind == "activation" and effect.target is not None and not effect.target.filter.type:
        yield card


def _whoever_battles(duel: Duel, player: Player, card: Card, effect: EffectFacts) -> bool:
    if effect.condition in ("destroyed-by-battle", "destroys-by-battle"):
        return duel.attack is not None and duel.attack.involves(card)
    return _battles(duel, player, card, effect)


def _face_down_too(duel: Duel, trigger: Pending) -> bool:
    card, face_up = trigger.card, trigger.card.face_up
    card.face_up = True
    try:
        return _still_triggers(duel, trigger)
    finally:
        card.face_up = face_up


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


def _no_answers_to_speed_two(duel: Duel, player: Player, card: Card, effect: EffectFacts) -> bool:
    both_two = bool(duel.chain) and effect.speed == 2 and duel.chain[-1].effect.speed == 2
    return _can_activate(duel, player, card, effect) and not both_two


def _only_the_last_link(duel: Duel) -> Flow:
    links, duel.chain = duel.chain, duel.chain[-1:]
    yield from _resolve(duel)
    for link in links[:-1]:
        if link.card.zone == "spell-trap-zone":
            duel.put_away(link.card, "used")


def _links_under_a_negation_are_forgotten(duel: Duel) -> Flow:
    duel.chain = [link for link in duel.chain if not (len(duel.chain) > link.number and _negates(duel.chain[link.number]))]
    yield from _resolve(duel)


def _negates(link: Link) -> bool:
    return "negates-activation" in link.effect.categories


def _triggers_between_links(duel: Duel, link: Link) -> Flow:
    yield from _resolve_link(duel, link)
    if link.number > 1:
        links, duel.chain = duel.chain, []
        yield from _trigger_chain(duel)
        duel.chain = links


def _unpaid(duel: Duel, link: Link) -> Flow:
    yield from ()


def _paid_at_resolution(duel: Duel, link: Link) -> Flow:
    yield from _pay(duel, link)
    yield from _resolve_link(duel, link)


def _targets_at_resolution(duel: Duel, link: Link) -> Flow:
    yield from chain.choose_targets(duel, link)
    yield from _resolve_link(duel, link)


def _untargeted(duel: Duel, link: Link) -> Flow:
    yield from ()


def _in_a_fixed_order(duel: Duel, player: Player, group: list[Pending], *, mandatory: bool) -> Flow:
    for trigger in group:
        yield from _chain_group(duel, player, [trigger], mandatory=mandatory)


def _nothing_is_triggered(duel: Duel) -> Flow:
    yield from _finish_chain(duel)
    duel.pending = []


def _quick_effects_before_triggers(duel: Duel, battle: Attack) -> Flow:
    while not battle.over and not duel.battle_phase_ends:
        duel.enter("after-declaration")
        if (yield from _one_chain(duel)) or (yield from _trigger_chain(duel)):
            continue
        if not attack.replay_is_due(duel, battle):
            return
        yield from attack.replay(duel, battle)


def _never_too_late(duel: Duel, trigger: Pending) -> bool:
    now = structs.replace(trigger.occurrence, moment=duel.moment)
    return _still_triggers(duel, structs.replace(trigger, occurrence=now))


def _used_cards_stay(self: Duel, card: Card, reason: Any) -> None:
    """The card lies where it was activated."""


def _used_cards_go_at_once(duel: Duel, link: Link) -> Flow:
    yield from _resolve_link(duel, link)
    card = link.card
    passing = card.facts.property in ("normal", "quick-play", "counter")
    if passing and link.as_card and card.zone == "spell-trap-zone" and link.outcome != "activation-negated":
        duel.put_away(card, "used")


def _nobody_answers_triggers(duel: Duel) -> Flow:
    if duel.chain[-1].effect.kind != "trigger":
        yield from _answer(duel)


def _only_the_other_player_answers(duel: Duel) -> Flow:
    player = opponent(duel.chain[-1].player)
    while (yield from chain.offer(duel, player, "response")):
        pass
    yield from chain.offer(duel, opponent(player), "response")


def _applies_from_anywhere(duel: Duel, link: Link) -> Flow:
    as_card, link.as_card = link.as_card, False
    yield from _resolve_link(duel, link)
    link.as_card = as_card


def _not_from_the_hand(duel: Duel, player: Player, card: Card, effect: EffectFacts) -> bool:
    return _can_activate(duel, player, card, effect) and not (card.zone == "hand" and effect.kind == "quick")


def _whoever_did_not_start_the_last_chain(duel: Duel) -> Asking:
    if not duel.chain_was_made:
        return (yield from _one_chain(duel))
    return (yield from _other_player_first(duel))


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
        in_every_window("trigger_chain", _other_player_triggers_first),
        real="the order of simultaneous Triggers",
    ),
    Fault(
        "optional-triggers-first",
        "CH-5",
        "Optional Triggers come before mandatory ones",
        in_every_window("trigger_chain", _optional_triggers_first),
        real="the order of simultaneous Triggers",
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
        "three-passes-close",
        "CH-10",
        "After two passes in succession the first player is asked once more",
        {"reference_engine.chain:answer": _three_passes},
    ),
    Fault(
        "pays-all-but-one",
        "CH-4",
        "Solemn Judgment costs all Life Points but one",
        {"reference_engine.chain:pay": _all_life_points},
    ),
    Fault(
        "targets-itself",
        "CH-4",
        "A Spell or Trap that targets Spells and Traps, or anything else, may target itself",
        {"reference_engine.chain:targets": _itself_too},
    ),
    Fault(
        "banishes-what-did-not-destroy-it",
        "CH-12",
        "What waits for destruction by battle after damage calculation triggers in any battle",
        {"reference_engine.occurrences:battles": _whoever_battles},
    ),
    Fault(
        "face-down-monsters-trigger",
        "CH-12",
        "A monster that still lies face-down at the start of the Damage Step activates its effect of that timing",
        {"reference_engine.chain:still_triggers": _face_down_too},
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
        in_every_window("one_chain", _other_player_first),
    ),
    Fault(
        "speed-two-is-never-answered-by-speed-two",
        "CH-1",
        "Spell Speed 2 does not answer Spell Speed 2",
        {"reference_engine.chain:can_activate": _no_answers_to_speed_two},
    ),
    Fault(
        "only-the-last-link-resolves",
        "CH-2",
        "Only the last Chain Link resolves",
        {"reference_engine.chain:resolve": _only_the_last_link},
    ),
    Fault(
        "negated-links-are-skipped",
        "CH-2",
        "A Chain Link that another negates is left out when the chain resolves",
        {"reference_engine.chain:resolve": _links_under_a_negation_are_forgotten},
    ),
    Fault(
        "triggers-between-links",
        "CH-3",
        "What a Chain Link triggers is activated before the next one resolves",
        {"reference_engine.chain:resolve_link": _triggers_between_links},
        real="Triggers activated in the middle of a chain",
    ),
    Fault(
        "no-costs",
        "CH-4",
        "Activations cost nothing",
        {"reference_engine.chain:pay": _unpaid},
    ),
    Fault(
        "paid-at-resolution",
        "CH-4",
        "Costs are paid when the effect resolves",
        {"reference_engine.chain:pay": _unpaid, "reference_engine.chain:resolve_link": _paid_at_resolution},
    ),
    Fault(
        "targets-at-resolution",
        "CH-4",
        "Targets are chosen when the effect resolves",
        {"reference_engine.chain:choose_targets": _untargeted, "reference_engine.chain:resolve_link": _targets_at_resolution},
    ),
    Fault(
        "no-order-to-choose",
        "CH-5",
        "A player's Triggers go on the chain in a fixed order",
        {"reference_engine.chain:_chain_group": _in_a_fixed_order},
        real="the order of simultaneous Triggers",
    ),
    Fault(
        "triggers-are-lost-after-a-chain",
        "CH-6",
        "What a chain triggers is forgotten",
        {
            "reference_engine.chain:finish_chain": _nothing_is_triggered,
            "reference_engine.flow:finish_chain": _nothing_is_triggered,
        },
    ),
    Fault(
        "triggers-wait-for-priority",
        "CH-6",
        "After a chain the players have priority before what it triggers",
        {"reference_engine.flow:after_declaration": _quick_effects_before_triggers},
    ),
    Fault(
        "never-too-late",
        "CH-7",
        'Optional "when" Triggers never miss their timing',
        {"reference_engine.chain:still_triggers": _never_too_late},
        real='"when" Triggers that never miss',
    ),
    Fault(
        "used-cards-stay",
        "CH-9",
        "Used Spells and Traps stay on the field",
        {f"{DUEL}put_away": _used_cards_stay},
    ),
    Fault(
        "used-cards-go-at-once",
        "CH-9",
        "Used Spells and Traps are sent before the rest of the chain resolves",
        {"reference_engine.chain:resolve_link": _used_cards_go_at_once},
    ),
    Fault(
        "nobody-answers-triggers",
        "CH-10",
        "Triggers cannot be answered",
        {"reference_engine.chain:answer": _nobody_answers_triggers},
    ),
    Fault(
        "same-player-chains-on",
        "CH-10",
        "The player who answers goes on answering alone",
        {"reference_engine.chain:answer": _only_the_other_player_answers},
    ),
    Fault(
        "applies-after-it-left",
        "CH-11",
        "A Continuous Trap that was destroyed in response applies all the same",
        {"reference_engine.chain:resolve_link": _applies_from_anywhere},
    ),
    Fault(
        "nothing-from-the-hand",
        "CH-12",
        "Quick Effects in the hand are never offered",
        {"reference_engine.chain:can_activate": _not_from_the_hand},
    ),
    Fault(
        "other-player-first-after-a-chain",
        "CH-13",
        "After a chain the non-turn player is asked first",
        in_every_window("one_chain", _whoever_did_not_start_the_last_chain),
    ),
)
