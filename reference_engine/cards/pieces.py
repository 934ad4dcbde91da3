"""The pieces that card effects are made of."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from typing import TYPE_CHECKING

from engine_protocol.cards import Filter
from engine_protocol.decisions import Decision, Option
from engine_protocol.vocabulary import FIELD, Player, Position, Status, opponent
from reference_engine.behaviour import CardBehaviour, Effect, Resolution
from reference_engine.destruction import Destroying, destroy
from reference_engine.filters import select, summonable
from reference_engine.stats import Duration, Modifier, ModifierKind

if TYPE_CHECKING:
    from reference_engine.behaviour import Condition, Flow
    from reference_engine.card import Card
    from reference_engine.chain import Link
    from reference_engine.duel import Duel

Step = Callable[["Duel", "Link"], "Generator[Decision, int, object] | None"]
"""Part of what an effect does: at once, or in a stretch that may ask decisions."""


def does(*steps: Step) -> Resolution:
    """An effect that applies these steps one after another."""

    def resolve(duel: Duel, link: Link) -> Flow:
        for step in steps:
            asking = step(duel, link)
            if asking is not None:
                yield from asking

    return resolve


def card(**effects: Effect | Resolution) -> CardBehaviour:
    """A card with activated effects: ``e1=…``, ``e2=…`` by their numbers."""
    return CardBehaviour(
        {int(name[1:]): effect if isinstance(effect, Effect) else Effect(effect) for name, effect in effects.items()}
    )


def affected(duel: Duel, link: Link, cards: Iterable[Card]) -> list[Card]:
    """Those of the cards that the link's effect can do anything to."""
    return [target for target in cards if duel.affects(link.card, target)]


def targets(duel: Duel, link: Link) -> list[Card]:
    """The targets that still stand and can be affected."""
    return affected(duel, link, link.standing_targets())


def face_up_targets(duel: Duel, link: Link) -> list[Card]:
    """The targets that still stand face-up on the field."""
    return [target for target in targets(duel, link) if target.face_up and target.zone in FIELD]


# --- to the targets -------------------------------------------------------------------------------------------------------


def destroy_targets(duel: Duel, link: Link) -> Destroying:
    """Destroy the targets."""
    return destroy(duel, targets(duel, link), link.card)


def banish_targets(duel: Duel, link: Link) -> None:
    """Banish the targets."""
    duel.banish(targets(duel, link))


def return_targets(duel: Duel, link: Link) -> None:
    """Return the targets to the hand."""
    duel.return_to_hand(targets(duel, link))


def turn_targets_face_down(duel: Duel, link: Link) -> None:
    """Turn the targets to face-down Defense Position."""
    for target in face_up_targets(duel, link):
        if not target.facts.token:
            duel.change_position(target, "face-down-defense", "effect")


def switch_targets(duel: Duel, link: Link) -> None:
    """Change the battle position of the targets."""
    for target in targets(duel, link):
        position: Position = "face-up-defense" if target.in_attack_position else "face-up-attack"
        duel.change_position(target, position, "effect")


def change_targets(kind: ModifierKind = "add", atk: int = 0, def_: int = 0, until: Duration = "turn") -> Step:
    """Change the ATK/DEF of the targets."""

    def step(duel: Duel, link: Link) -> None:
        for target in face_up_targets(duel, link):
            duel.modify(target, Modifier(kind, link.card, atk, def_, until))

    return step


def grant_targets(status: Status) -> Step:
    """Apply a lasting condition to the targets until the end of the turn."""

    def step(duel: Duel, link: Link) -> None:
        for target in face_up_targets(duel, link):
            duel.grant(target, status, link.card)

    return step


# --- to the attack and the battle -----------------------------------------------------------------------------------------


def negate_attack(duel: Duel, link: Link) -> None:
    """Negate the attack that is open."""
    if duel.attack is not None:
        duel.end_attack("negated")


def end_battle_phase(duel: Duel, link: Link) -> None:
    """What remains of the Battle Phase is its End Step."""
    duel.battle_phase_ends = True


def negate_attack_and_end(duel: Duel, link: Link) -> None:
    """Negate the attack that is open, and if there was one, end the Battle Phase."""
    if duel.attack is not None:
        negate_attack(duel, link)
        end_battle_phase(duel, link)


def opposing_monster(duel: Duel, link: Link) -> list[Card]:
    """The monster that the link's card battles, if it is still there and the same."""
    attack = duel.attack
    other = attack.other(link.card) if attack is not None else None
    return [other] if attack is not None and other is not None and attack.involves(other) else []


def destroy_opposing(duel: Duel, link: Link) -> Destroying:
    """Destroy the monster this card battles."""
    return destroy(duel, opposing_monster(duel, link), link.card)


def this_if_there(link: Link) -> list[Card]:
    """The link's card, if it is still on the field as it was."""
    return [link.card] if link.card.is_monster_on_field and link.card.incarnation == link.incarnation else []


def banish_both(duel: Duel, link: Link) -> None:
    """Banish the monster this card battles, and this card."""
    duel.banish(opposing_monster(duel, link) + this_if_there(link))


def no_battle_damage_this_battle(duel: Duel, link: Link) -> None:
    """The player takes no battle damage from this battle."""
    if duel.attack is not None:
        duel.attack.no_damage.add(link.player)


def change_battling(amount: Callable[[Duel, Card], int], fits: Callable[[Card], bool]) -> Step:
    """The player's battling monster of this kind gains ATK until the end of the turn."""

    def step(duel: Duel, link: Link) -> None:
        attack = duel.attack
        if attack is None:
            return
        for monster in (attack.attacker, attack.target):
            if monster is not None and attack.involves(monster) and monster.controller == link.player and fits(monster):
                duel.modify(monster, Modifier("add", link.card, amount(duel, monster)))

    return step


# --- to the chain ---------------------------------------------------------------------------------------------------------


def negate_activation(duel: Duel, link: Link) -> None:
    """Negate the activation of the link this one answers."""
    if link.answers is not None:
        link.answers.outcome = "activation-negated"


def negate_effect(duel: Duel, link: Link) -> None:
    """Negate the effect, not the activation, of the link this one answers."""
    if link.answers is not None:
        link.answers.outcome = "effect-negated"


def destroy_negated(duel: Duel, link: Link) -> Destroying:
    """Destroy the card whose activation was negated, if it is still there."""
    answered = link.answers
    if answered is not None and answered.card.zone in FIELD and answered.card.incarnation == answered.incarnation:
        return (yield from destroy(duel, [answered.card], link.card))
    return []


# --- by chance ------------------------------------------------------------------------------------------------------------


def calls_it_right(duel: Duel, link: Link) -> Generator[Decision, int, bool]:
    """The player calls a coin, which falls as the board's seed says; answers whether they called it right."""
    heads = yield from duel.ask(link.player, "choice", (Option("no"), Option("yes")), link.card.id)
    return (heads.kind == "yes") == (duel.board.seed % 2 == 0)


# --- to the board ---------------------------------------------------------------------------------------------------------


def destroy_all(filter_: Filter) -> Step:
    """Destroy all cards that a filter means."""

    def step(duel: Duel, link: Link) -> Destroying:
        return destroy(duel, affected(duel, link, select(duel, filter_, link.player, link.card)), link.card)

    return step


def draws(count: int) -> Step:
    """The player draws."""
    return lambda duel, link: duel.draw(link.player, count)


def summon_from_deck(filter_: Filter, position: Position = "face-up-attack") -> Resolution:
    """The player Special Summons one monster from the Deck that the filter means."""

    def resolve(duel: Duel, link: Link) -> Flow:
        candidates = summonable(select(duel, filter_, link.player, link.card))
        if not candidates or not duel.free_places(link.player, "monster-zone"):
            return
        options = tuple(duel.card_option(candidate) for candidate in candidates)
        option = yield from duel.ask(link.player, "choice", options, link.card.id)
        duel.special_summon(duel.card_of(option), link.player, position)

    return resolve


def damage_opponent(amount: int) -> Step:
    """The opponent takes damage."""
    return lambda duel, link: duel.damage(opponent_of(link), amount, "effect-damage")


def stay(duel: Duel, link: Link) -> None:
    """A card that does nothing when it resolves; it applies while face-up."""


def discard_at_random(duel: Duel, link: Link) -> None:
    """A random card of the opponent's hand is discarded; the board's seed decides which."""
    hand = duel.rows[opponent_of(link)]["hand"]
    if hand:
        duel.send([hand[duel.board.seed % len(hand)]], "discarded")


def has_free_zone(duel: Duel, card: Card, player: Player, _: object) -> bool:
    """Whether the player has a free Monster Zone."""
    return len(duel.rows[player]["monster-zone"]) < 5


def searcher(filter_: Filter, position: Position = "face-up-attack") -> Effect:
    """Special Summon from the Deck; needs a free Monster Zone."""
    return Effect(summon_from_deck(filter_, position), has_free_zone)


def opponent_of(link: Link) -> Player:
    """The other player."""
    return opponent(link.player)


def condition(test: Callable[[Duel, Card, Player], bool]) -> Condition:
    """A condition that looks at the board only."""
    return lambda duel, card, player, _: test(duel, card, player)
