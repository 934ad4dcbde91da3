"""Chains: who may start one, who answers, how it resolves, and what it triggers."""

from __future__ import annotations

from collections.abc import Generator
from functools import cache
from typing import TYPE_CHECKING

from engine_protocol.cards import Filter
from engine_protocol.decisions import Decision, DecisionKind, Option
from engine_protocol.events import Activated, ChainEnded, Decided, LinkResolved, LinkResolving
from engine_protocol.vocabulary import FIELD, Outcome, Player, Timing, opponent
from reference_engine.filters import select
from reference_engine.inner_battle import close_inner_battle, link_of_inner_battle_resolved
from reference_engine.legality import can_activate, cost_cards, is_capped_now, needs_are_met, not_used_up, targets

if TYPE_CHECKING:
    from engine_protocol.cards import EffectFacts
    from reference_engine.behaviour import Flow
    from reference_engine.card import Card
    from reference_engine.duel import Duel
    from reference_engine.occurrences import Occurrence, Pending

PASS = Option("pass")
DONE = Option("done")
ONLY_PASS = (PASS,)
_ON_DESTROYING = frozenset({"destroys-by-battle", "destroys-by-battle-and-sends"})
_ATTACK_ROLES = ("attacker", "attack-target", "battling")

Asking = Generator[Decision, int, bool]
"""A stretch that may ask decisions and answers whether a chain was made (or a link added)."""


class Link:
    """A Chain Link.

    ``as_card``    the activation of a Spell/Trap Card itself
    ``targets``    with their incarnation: a target that left and returned is no target any more
    ``answers``    the link it was chained to, if any
    ``outcome``    what became of it so far
    ``negated_in_graveyard`` it was activated in the Graveyard by a monster whose effects are negated there
    ``zone``       where it was activated
    """

    __slots__ = (
        "answers",
        "as_card",
        "card",
        "effect",
        "incarnation",
        "negated_in_graveyard",
        "number",
        "occurrence",
        "outcome",
        "player",
        "targets",
        "zone",
    )

    def __init__(self, number: int, player: Player, card: Card, effect: EffectFacts, answers: Link | None) -> None:
        self.number = number
        self.player = player
        self.card = card
        self.effect = effect
        self.answers = answers
        self.as_card = effect.kind == "activation"
        self.incarnation = card.incarnation
        self.targets: list[tuple[Card, int]] = []
        self.occurrence: Occurrence | None = None
        self.outcome: Outcome = "resolved"
        self.negated_in_graveyard = False
        self.zone = card.zone

    def aim(self, card: Card) -> None:
        """Target a card."""
        self.targets.append((card, card.incarnation))

    def standing_targets(self) -> list[Card]:
        """The targets that are still where and what they were: not gone, not determined destroyed since."""
        return [card for card, incarnation in self.targets if card.incarnation == incarnation]


# --- starting a chain -----------------------------------------------------------------------------------------------------


def until_both_pass(duel: Duel) -> Flow:
    """The players, the turn player first, may make any number of chains until both pass in succession."""
    while not window_is_cut_short(duel):
        if duel.pending and (yield from trigger_chain(duel)):
            continue
        if not (yield from one_chain(duel)):
            return


def window_is_cut_short(duel: Duel) -> bool:
    """Whether an effect has ended the Battle Phase: nothing more is activated in this window."""
    return duel.battle_phase_ends


def one_chain(duel: Duel) -> Asking:
    """Each player in turn, the turn player first, may start a chain; answers whether one was made."""
    for player in duel.players:
        options = at_hand(duel, player, "priority")
        if options and (yield from choose(duel, player, "priority", options)):
            yield from finish_chain(duel)
            return True
    duel.recent = []
    return False


def offer(duel: Duel, player: Player, kind: DecisionKind) -> Asking:
    """Let a player activate something, or pass."""
    options = at_hand(duel, player, kind)
    return bool(options) and (yield from choose(duel, player, kind, options))


def at_hand(duel: Duel, player: Player, kind: DecisionKind) -> tuple[Option, ...]:
    """What the player may activate; if that is nothing, the pass is recorded. So most decisions of a duel end here."""
    options = activations(duel, player)
    if not options:
        duel.events.append(forced_pass(player, kind, duel.timing, len(duel.chain)))
    return options


def choose(duel: Duel, player: Player, kind: DecisionKind, options: tuple[Option, ...]) -> Asking:
    """Let a player activate one of these, or pass if nothing mandatory is among them."""
    if kind == "response":
        mandatory = tuple(option for option in options if is_mandatory(duel, option))
        options = mandatory or (PASS, *options)
    else:
        options = (PASS, *options)
    option = yield from duel.ask(player, kind, options)
    if option.kind == "pass":
        return False
    yield from activate_option(duel, player, option)
    return True


@cache
def forced_pass(player: Player, kind: DecisionKind, timing: Timing, chain: int) -> Decided:
    """A decision of a player who has nothing to activate, each made once."""
    return Decided(Decision(player, kind, timing, ONLY_PASS, chain), 0, True)


def activations(duel: Duel, player: Player) -> tuple[Option, ...]:
    """Everything the player may activate now of their own accord."""
    options = []
    for card, effect in duel.ready.get(duel.timing, ()):
        # Asked at every decision: what most cards fail at comes first.
        if card.controller == player and card.zone in effect.zones and can_activate(duel, player, card, effect):
            options.append(Option("activate", card.id, effect.number))
    if duel.step_triggers and not duel.chain:
        options += [
            Option("activate", trigger.card.id, trigger.effect.number)
            for trigger in duel.step_triggers
            if trigger.card.controller == player and still_triggers(duel, trigger)
        ]
    return tuple(options)


def is_mandatory(duel: Duel, option: Option) -> bool:
    """Whether the option is to activate an effect that must be activated."""
    effect = duel.cards[option.card or 0].facts.effect(option.effect or 0)
    return effect is not None and effect.mandatory


def trigger_chain(duel: Duel) -> Asking:
    """Triggers that met their condition together form a chain: the turn player's mandatory ones, the other player's mandatory
    ones, the turn player's optional ones, the other player's optional ones; each player orders their own (CH-5). In some rulesets
    mandatory ones leave no room for optional ones at the attack declaration (AT-14).
    """
    pending = [trigger for trigger in duel.pending if still_triggers(duel, trigger)]
    duel.pending = []
    if not pending:
        return False
    for mandatory in (True, False):
        if duel.chain and duel.timing == "declaration" and duel.ruleset.mandatory_shuts_out_optional:
            break
        for player in duel.players:
            group = [t for t in pending if t.card.controller == player and t.effect.mandatory == mandatory]
            yield from _chain_group(duel, player, group, mandatory=mandatory)
    if not duel.chain:
        return False
    yield from finish_chain(duel)
    return True


def still_triggers(duel: Duel, trigger: Pending) -> bool:
    """Whether the Trigger can be activated: its card is where it is activated from, what it needs is there, and an optional
    "when" effect has not missed its timing (CH-7).
    """
    card, effect = trigger.card, trigger.effect
    if card.incarnation != trigger.incarnation or not (card.zone in effect.zones or triggers_after_its_own_end(duel, trigger)):
        return False
    if card.zone in FIELD and not card.face_up:
        return False
    if misses_its_timing(duel, trigger):
        return False
    if duel.timing not in duel.rulebook.timings[card.facts.passcode, effect.number]:
        return False
    if not duel.ruleset.negated_by_destroyer_activates and is_negated_by_its_destroyer(duel, card):
        return False  # 3.B
    return not_used_up(duel, card, effect) and needs_are_met(duel, card.controller, card, effect, trigger.occurrence)


def triggers_after_its_own_end(duel: Duel, trigger: Pending) -> bool:
    """Whether the effect of this card on destroying a monster by battle is activated though the card has left the field itself
    (4.C of expert-2007, the cards marked so).
    """
    return (
        trigger.effect.condition in _ON_DESTROYING
        and trigger.card.facts.name in duel.ruleset.destroyers_trigger_when_destroyed
        and trigger.card.zone not in FIELD
    )


def is_negated_by_its_destroyer(duel: Duel, card: Card) -> bool:
    """Whether it was destroyed by battle with a monster that negates the effects of such monsters."""
    return card.negated_by_battle or (card.zone == "graveyard" and (card.id, card.incarnation) in duel.negated_in_graveyard)


def misses_its_timing(duel: Duel, trigger: Pending) -> bool:
    """Whether something else happened after what an optional "when" effect waits for (CH-7)."""
    effect = trigger.effect
    return effect.clause == "when" and not effect.mandatory and trigger.occurrence.moment != duel.moment


def _chain_group(duel: Duel, player: Player, group: list[Pending], *, mandatory: bool) -> Flow:
    while group := [
        t for t in group if not_used_up(duel, t.card, t.effect) and needs_are_met(duel, player, t.card, t.effect, t.occurrence)
    ]:
        options = tuple(Option("activate", t.card.id, t.effect.number) for t in group)
        option = yield from duel.ask(player, "trigger", options if mandatory else (PASS, *options))
        if option.kind == "pass":
            return
        trigger = next(t for t in group if (t.card.id, t.effect.number) == (option.card, option.effect))
        group.remove(trigger)
        yield from activate(duel, player, trigger.card, trigger.effect, trigger.occurrence)


# --- activating -----------------------------------------------------------------------------------------------------------


def activate_option(duel: Duel, player: Player, option: Option) -> Flow:
    """Activate what an option says."""
    card = duel.cards[option.card or 0]
    effect = card.facts.effects[(option.effect or 0) - 1]
    yield from activate(duel, player, card, effect, step_trigger(duel, card, effect))


def step_trigger(duel: Duel, card: Card, effect: EffectFacts) -> Occurrence | None:
    """What the effect has waited for if it is one of the Triggers of this step (BP-6), which is activated now."""
    for trigger in duel.step_triggers:
        if trigger.card is card and trigger.effect is effect:
            duel.step_triggers.remove(trigger)
            return trigger.occurrence
    return None


def activate(duel: Duel, player: Player, card: Card, effect: EffectFacts, occurrence: Occurrence | None = None) -> Flow:
    """Activate an effect: show the card, pay the cost, choose the targets (CH-4); it becomes the next Chain Link."""
    link = Link(len(duel.chain) + 1, player, card, effect, duel.chain[-1] if duel.chain else None)
    link.occurrence = occurrence
    link.negated_in_graveyard = card.zone == "graveyard" and (card.id, card.incarnation) in duel.negated_in_graveyard
    if link.as_card:
        if card.zone == "hand":
            duel.move(card, player, "spell-trap-zone", "activated")
        else:
            duel.flip_card(card)
    place = card.place
    link.zone = place.zone
    use_up(duel, card, effect)
    yield from pay(duel, link)
    yield from choose_targets(duel, link)
    prepare = card.behaviour.effects[effect.number].prepare
    if prepare is not None:
        prepare(duel, link)
    duel.chain.append(link)
    duel.emit(
        Activated(
            link.number,
            player,
            card.id,
            effect.number,
            place,
            tuple(target.id for target, _ in link.targets),
            link.as_card,
            occurrence is not None,
        )
    )


def use_up(duel: Duel, card: Card, effect: EffectFacts) -> None:
    """Remember that an effect with a limit was activated, or a card of which a player has only so many in a Damage Step."""
    if duel.rulebook.capped and is_capped_now(duel, card, effect):
        duel.capped_activations[card.controller] += 1
    match effect.once:
        case "turn-by-name":
            duel.used_names.add((card.controller, card.facts.name, effect.number))
        case "turn":
            card.used.add(effect.number)
        case "chain":
            duel.used_in_chain.add((card.id, effect.number))
        case "battle":
            duel.used_in_battle.add((card.id, effect.number))
        case None:
            pass


def pay(duel: Duel, link: Link) -> Flow:
    """Pay what the activation costs."""
    card, player = link.card, link.player
    for cost in link.effect.cost:
        match cost.kind:
            case "pay-lp":
                duel.pay_lp(player, cost.amount)
            case "pay-half-lp":
                duel.pay_lp(player, duel.lp[player] - duel.lp[player] // 2)
            case "discard-self" | "send-self":
                duel.send([card], "cost")
            case "tribute-self":
                duel.send([card], "tributed")
            case "banish-self":
                duel.banish([card], "cost")
            case "detach":
                for _ in range(cost.amount):
                    duel.detach(card)
            case "discard" | "tribute":
                for _ in range(cost.amount):
                    options = tuple(duel.card_option(c) for c in cost_cards(duel, player, card, link.effect, cost))
                    option = yield from duel.ask(player, "cost", options, card.id)
                    duel.send([duel.card_of(option)], "discarded" if cost.kind == "discard" else "tributed")


def choose_targets(duel: Duel, link: Link) -> Flow:
    """Choose what the activation targets, one card after another."""
    target = link.effect.target
    if target is None:
        return
    candidates = list(targets(duel, link.player, link.card, link.effect))
    while candidates and len(link.targets) < target.most:
        options = tuple(duel.card_option(card) for card in candidates)
        if len(link.targets) >= target.least:
            options = (DONE, *options)
        option = yield from duel.ask(link.player, "target", options, link.card.id)
        if option is DONE:
            return
        card = duel.card_of(option)
        candidates.remove(card)
        link.aim(card)


# --- answering and resolving ----------------------------------------------------------------------------------------------


def finish_chain(duel: Duel) -> Flow:
    """Let the players answer, then resolve the chain."""
    yield from answer(duel)
    yield from resolve(duel)


def answer(duel: Duel) -> Flow:
    """After each link the other player gets the first chance; two passes in succession close the chain (CH-10)."""
    player = opponent(duel.chain[-1].player)
    passes = 0
    while passes < 2:
        options = at_hand(duel, player, "response")
        added = bool(options) and (yield from choose(duel, player, "response", options))
        passes = 0 if added else passes + 1
        player = opponent(player)


def resolve(duel: Duel) -> Flow:
    """The links resolve in reverse order, each once (CH-2); then the used cards go to the Graveyard (CH-9)."""
    links = duel.chain
    duel.recent = []
    for link in reversed(links):
        duel.emit(LinkResolving(link.number))
        duel.effect_of = link.player
        yield from resolve_link(duel, link)
        duel.effect_of = None
        destroy_what_dies_when_targeted(duel, link)
        duel.emit(LinkResolved(link.number, link.outcome))
        if duel.inside is not None:
            link_of_inner_battle_resolved(duel, duel.inside)
    for link in links:
        if link.as_card and link.card.zone == "spell-trap-zone" and link.card.incarnation == link.incarnation:
            if link.outcome == "activation-negated":
                duel.put_away(link.card, "negated")
            elif link.card.facts.property in ("normal", "quick-play", "counter"):
                duel.put_away(link.card, "used")
    duel.chain = []
    duel.used_in_chain = set()
    duel.chain_was_made = True
    duel.emit(ChainEnded())
    if duel.inside is not None:
        close_inner_battle(duel, duel.inside)


def resolve_link(duel: Duel, link: Link) -> Flow:
    """Apply a link's effect, unless its activation or its effect was negated."""
    if link.outcome != "resolved":
        return
    card = link.card
    if effect_is_negated(link):
        link.outcome = "effect-negated"
        return
    if link.as_card and card.facts.property == "continuous" and not (card.zone in FIELD and card.incarnation == link.incarnation):
        link.outcome = "no-effect"  # CH-11
        return
    if is_negated_by_a_target(link):
        link.outcome = "effect-negated"
        duel.destroy([card] if card.incarnation == link.incarnation else [])
        return
    drop_targets_out_of_role(duel, link)
    if link.targets and not link.standing_targets():
        link.outcome = "no-effect"
        return
    duel.begin_moment()  # whatever this link does happens after the links before it (CH-7)
    yield from card.behaviour.effects[link.effect.number].resolve(duel, link)


def drop_targets_out_of_role(duel: Duel, link: Link) -> None:
    """An effect on the attacking monster does nothing to one whose attack is over by now (AT-10)."""
    target = link.effect.target
    if target is not None and target.filter.role in _ATTACK_ROLES:
        in_role = select(duel, Filter(role=target.filter.role), link.player, link.card)
        link.targets = [(card, incarnation) for card, incarnation in link.targets if card in in_role]


def effect_is_negated(link: Link) -> bool:
    """Whether the monster's effects are negated while it is there, or it was destroyed by battle with a monster that negates."""
    card = link.card
    if card.facts.type != "monster":
        return False
    if card.zone in FIELD:
        return card.incarnation == link.incarnation and ("effects-negated" in card.statuses or card.negated_by_battle)
    return link.negated_in_graveyard


def is_negated_by_a_target(link: Link) -> bool:
    """Whether it is a Spell that targets a monster which negates what does that."""
    return link.card.facts.type == "spell" and any(
        "negates-spells-on-it" in target.behaviour.marks and target.active for target in link.standing_targets()
    )


def destroy_what_dies_when_targeted(duel: Duel, link: Link) -> None:
    """Some monsters are destroyed once an effect that targeted them has resolved."""
    if link.outcome == "resolved":
        duel.destroy(
            [t for t in link.standing_targets() if t.active and "dies-when-targeted" in t.behaviour.marks and t is not link.card]
        )
