"""The core's questions as decisions of the protocol, and the answers back."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any, ClassVar

from conformance.ocgcore import lua, messages
from conformance.ocgcore.board_setup import set_this_turn
from conformance.ocgcore.constants import (
    ASKS_DIRECT_ATTACK,
    ASKS_PHASE_TRIGGER,
    ASKS_REPLACEMENT,
    ASKS_REPLAY,
    ASKS_TRIGGER,
    ATTACK_UP,
    DEFENSE_DOWN,
    DEFENSE_UP,
    MONSTERS,
    OVERLAY,
    SPELLS,
)
from conformance.ocgcore.course import DIRECT, DONE, GIVE_UP, NO, PASS, YES, Ask
from conformance.ocgcore.faults import CoreFault
from conformance.ocgcore.messages import Location
from conformance.ocgcore.table import TableCard, seat
from conformance.ocgcore.telling import Teller
from engine_protocol.cards import EffectFacts
from engine_protocol.decisions import Decision, DecisionKind, Option
from engine_protocol.events import AttackerChosen, ReplayBegan
from engine_protocol.vocabulary import Player, Timing

_HINT_SELECT = 3
_SELECT_ATTACK_TARGET = 549

_ATTACK = 1
_TO_MAIN_2 = 2
_TO_END = 3
"""Answers in the Battle Step; 0 is to activate."""


def number(value: int) -> bytes:
    """A plain number as an answer."""
    return struct.pack("<i", value)


def chosen_cards(indices: tuple[int, ...]) -> bytes:
    """Cards as an answer; none: the question is declined."""
    if not indices:
        return number(-1)
    return struct.pack(f"<iI{len(indices)}I", 0, len(indices), *indices)


class Questioner:
    """Turns the questions of one duel into decisions.

    Args:
        teller: what has happened so far.
        look_ahead: what the core would say to an answer.
    """

    def __init__(self, teller: Teller, look_ahead: Callable[[bytes], tuple[messages.Message, ...]]) -> None:
        self._teller = teller
        self._look_ahead = look_ahead
        self._course = teller.course
        self._select_hint = 0
        self._first_script = set_this_turn(teller.board, teller.table)
        self._planned: Option | None = None

    def hint(self, hint: messages.Hint) -> None:
        """Note what the next selection is for."""
        if hint.kind == _HINT_SELECT:
            self._select_hint = hint.value

    def ask(self, message: messages.Message) -> Ask | bytes | None:
        """The decision for a question, or its answer where nobody has anything to decide; None: the message is no question."""
        asker = self._ASKERS.get(type(message))
        if asker is None:
            if isinstance(message, messages.Other) and message.number in messages.UNANSWERABLE:
                raise CoreFault(f"the core asks question {message.number}, which duelproof cannot answer")
            return None
        self._teller.finish_calculation()
        asked: Ask | bytes = asker(self, message)
        return asked

    # Playing up to the Battle Phase

    @property
    def _before(self) -> bool:
        return self._course.timing is None

    # The Battle Step

    def _battle(self, ask: messages.AskBattle) -> Ask | bytes:
        course = self._course
        self._teller.attack_comes_to_nothing()
        course.enter("battle-step")
        self._teller.scan()
        options: list[Option] = []
        answers: list[bytes] = []
        if ask.to_main_2 or ask.to_end:
            options.append(PASS)
            answers.append(number(_TO_MAIN_2 if ask.to_main_2 else _TO_END))
        for index, (at, _) in enumerate(ask.attackers):
            options.append(Option("attack", self._teller.table.card(at).id))
            answers.append(number(_ATTACK | index << 16))
        self._offer(ask.offers, options, answers, lambda index: number(index << 16))

        def take(index: int) -> bytes:
            option = options[index]
            if option.kind == "attack" and option.card is not None:
                self._planned = None
                course.emit(AttackerChosen(option.card))
                self._teller.choose_attacker(option.card)
            elif option.kind == "activate":
                self._teller.activating = course.turn_player
            return answers[index]

        return Ask(Decision(course.turn_player, "action", "battle-step", tuple(options)), take)

    def _offer(
        self,
        offers: tuple[messages.Offer, ...],
        options: list[Option],
        answers: list[bytes],
        answer: Callable[[int], bytes],
    ) -> None:
        """Add what may be activated; the same effect, offered for several reasons, once."""
        teller = self._teller
        for index, offer in enumerate(offers):
            card = teller.table.card(offer.at)
            effect = teller.numbers.number(card.passcode, offer.description)
            option = Option("activate", card.id, effect or None)
            if option not in options:
                options.append(option)
                answers.append(answer(index))

    # Chains

    def _chain(self, ask: messages.AskChain) -> Ask | bytes:
        course = self._course
        if self._before:
            return number(0 if ask.forced else -1)
        teller = self._teller
        player = seat(ask.player)
        kind: DecisionKind = "trigger" if ask.triggers else "response" if course.chain else "priority"
        if kind == "priority" and self._says_nothing(ask, player):
            return number(-1)
        teller.settle_window()
        teller.scan()
        of_a_phase = kind == "priority" and course.timing in {"start-step", "end-step"} and not course.aftermath
        if of_a_phase and not course.passes and player != course.turn_player:
            course.forced_pass(course.turn_player)
        options: list[Option] = [] if ask.forced else [PASS]
        answers: list[bytes] = [] if ask.forced else [number(-1)]
        self._offer(ask.offers, options, answers, number)

        def take(index: int) -> bytes:
            if options[index].kind == "activate":
                teller.activating = player
            return answers[index]

        return Ask(Decision(player, kind, self._timing, tuple(options), len(course.chain)), take)

    def _says_nothing(self, ask: messages.AskChain, player: Player) -> bool:
        """Whether it is a chance after a chain in the Battle Step, of which the player can make no use.

        The core asks both players once more before it goes on to ask the turn player for an action, or both for a chain after
        the declaration. Where neither can do anything nothing has been asked.
        """
        course = self._course
        if not course.aftermath or ask.offers or course.chain:
            return False
        of_no_window = course.step_over or course.timing in {"battle-step", "declaration"}
        if not of_no_window and (course.timing != "after-declaration" or course.attack is not None):
            return False
        if course.passes and not course.step_over:
            return False
        course.held_back.append(player)
        return True

    @property
    def _timing(self) -> Timing:
        return self._course.timing or "battle-step"

    # Yes or no

    def _effect(self, ask: messages.AskEffect) -> Ask | bytes:
        if self._before:
            return number(0)
        player = seat(ask.player)
        card = self._teller.table.card(ask.at)
        course = self._course
        if ask.description == ASKS_DIRECT_ATTACK:
            return self._direct_or_not(player)
        if ask.description in {ASKS_TRIGGER, ASKS_PHASE_TRIGGER} and not course.resolving and course.building is None:
            self._teller.settle_window()
            self._teller.scan()
            options = (PASS, Option("activate", card.id, self._optional_trigger(card)))

            def take(index: int) -> bytes:
                if index:
                    self._teller.activating = player
                return number(index)

            kind: DecisionKind = "trigger" if ask.description == ASKS_TRIGGER else "priority"
            return Ask(Decision(player, kind, self._timing, options, len(course.chain)), take)
        if ask.description == ASKS_REPLACEMENT:
            return self._replacement(player, card.id)
        return self._yes_or_no(player, card.id)

    def _replacement(self, player: Player, card: int) -> Ask:
        """Whether something is to go instead of this card, and what. The core asks for the one, and if so, for the other."""
        question = self._look_ahead(number(1))[-1:]
        which = [YES]
        for asked in question:
            if isinstance(asked, messages.AskCards) and asked.least == asked.most == 1:
                cards = [self._teller.table.card(at) for at in asked.cards if not at.location & OVERLAY]
                which = [Option("card", one.id) for one in cards if one.id > 0] or which
        options = (NO, *which)

        def take(index: int) -> bytes:
            self._teller.replaced = card if index else None
            self._planned = options[index] if options[index].kind == "card" else None
            return number(int(index > 0))

        return Ask(Decision(player, "substitute", self._timing, options, len(self._course.chain), card), take)

    def _optional_trigger(self, card: TableCard) -> int | None:
        """The number of the only optional Trigger of a card that can be meant: the core names just the card."""
        facts, place = self._teller.pool.get(card.passcode), card.place
        if facts is None or place is None:
            return None
        numbers = [
            effect.number
            for effect in facts.effects
            if effect.kind == "trigger"
            and not effect.mandatory
            and place.zone in effect.zones
            and effect.condition != "other-phase"
        ]
        return numbers[0] if len(numbers) == 1 else None

    def _yes_no(self, ask: messages.AskYesNo) -> Ask | bytes:
        if self._before:
            return number(0)
        player = seat(ask.player)
        if ask.description == ASKS_REPLAY:
            return self._replay(player)
        if ask.description == ASKS_DIRECT_ATTACK:
            return self._direct_or_not(player)
        link = self._course.link_at_hand
        return self._yes_or_no(player, None if link is None else link.card)

    def _yes_or_no(self, player: Player, source: int | None) -> Ask:
        course = self._course
        battle = course.link_at_hand is None and course.timing in {"during-calculation", "after-calculation"}
        kind: DecisionKind = "substitute" if battle else "choice"
        return Ask(Decision(player, kind, self._timing, (NO, YES), len(course.chain), source), number)

    def _option(self, ask: messages.AskOption) -> Ask | bytes:
        if self._before:
            if self._first_script is not None:
                self._teller.core.ask(self._first_script)
            return number(0)
        if len(ask.options) != 2:
            return number(0)
        link = self._course.link_at_hand
        return self._yes_or_no(seat(ask.player), None if link is None else link.card)

    # The target of the attack

    def _attackable(self) -> list[Option]:
        answer = self._teller.core.ask(lua.TARGETS) or "0"
        direct, *targets = answer.split(";")
        options = []
        for target in targets:
            player, sequence = target.split(",")
            options.append(Option("card", self._teller.table.card(Location(int(player), MONSTERS, int(sequence))).id))
        return options + [DIRECT] * int(direct)

    def _replay(self, player: Player) -> Ask | bytes:
        """The core asks first whether to attack again, then whether directly, then which monster; the protocol asks once."""
        course = self._course
        attack = course.attack
        if attack is None:
            return number(0)
        self._teller.settle_window()
        self._teller.scan()
        course.emit(ReplayBegan(attack.attacker))
        options = (GIVE_UP, *self._attackable())

        def take(index: int) -> bytes:
            if index == 0:
                course.end_attack("given-up")
                return number(0)
            self._planned = options[index]
            return number(1)

        return Ask(Decision(player, "replay", self._timing, options, source=attack.attacker), take)

    def _direct_or_not(self, player: Player) -> Ask | bytes:
        if self._planned is not None:
            return number(int(self._planned == DIRECT))

        def answer(option: Option) -> bytes:
            self._planned = option
            return number(int(option == DIRECT))

        return self._target(player, self._attackable(), answer)

    def _target(self, player: Player, targets: list[Option], answer: Callable[[Option], bytes]) -> Ask | bytes:
        """Ask for the target of an attack, or for the new one where an effect forces the attack to go on."""
        course = self._course
        attack = course.attack
        if attack is None:
            raise CoreFault("the core asks for the target of an attack that nobody makes")
        self._teller.target_asked = True
        kind: DecisionKind = "attack-target"
        if attack.declared:
            self._teller.settle_window()
            course.emit(ReplayBegan(attack.attacker))
            kind = "replay"
        return Ask(
            Decision(player, kind, self._timing, tuple(targets), source=attack.attacker), lambda index: answer(targets[index])
        )

    # Cards

    def _cards(self, ask: messages.AskCards) -> Ask | bytes:
        if self._before or any(at.location & OVERLAY for at in ask.cards):
            # Xyz Materials have no instance ids, so there is no way to ask which of them.
            return chosen_cards(tuple(range(ask.least)))
        course = self._course
        cards = [self._teller.table.card(at).id for at in ask.cards]
        if self._teller.replaced is not None and self._planned is not None:
            substitute, self._planned = self._planned.card, None
            return chosen_cards((cards.index(substitute) if substitute in cards else 0,))
        if self._select_hint == _SELECT_ATTACK_TARGET and course.link_at_hand is None and course.attack is not None:
            self._select_hint = 0
            planned, self._planned = self._planned, None
            if planned is not None:
                if planned.card not in cards:
                    raise CoreFault(f"the core does not let card {planned.card} be attacked, which it had offered")
                return chosen_cards((cards.index(planned.card),))
            options = [Option("card", card) for card in cards]
            return self._target(seat(ask.player), options, lambda option: chosen_cards((options.index(option),)))
        if sum(card > 0 for card in cards) < max(1, ask.least):
            return chosen_cards(tuple(range(ask.least)))
        kind, source = self._purpose()
        return self._some_of(ask, cards, kind, source, ())

    def _some_of(
        self, ask: messages.AskCards, cards: list[int], kind: DecisionKind, source: int | None, chosen: tuple[int, ...]
    ) -> Ask:
        """One card after another, until there are enough. What was an Xyz Material has no instance id and is left out."""
        course = self._course
        left = [index for index, card in enumerate(cards) if index not in chosen and card > 0]
        weight = sum(ask.weights[index] for index in chosen) if ask.weights else len(chosen)
        options: list[Option] = [DONE] if weight >= ask.least else []
        options += [Option("card", cards[index]) for index in left]

        def take(index: int) -> bytes | Ask:
            option = options[index]
            if option == DONE:
                return chosen_cards(chosen)
            now = (*chosen, left[index - (len(options) - len(left))])
            if course.building is not None and option.card is not None:
                course.building.chosen.append(option.card)
            if len(now) == ask.most or len(left) == 1:
                return chosen_cards(now)
            return self._some_of(ask, cards, kind, source, now)

        return Ask(Decision(seat(ask.player), kind, self._timing, tuple(options), len(course.chain), source), take)

    def _one_by_one(self, ask: messages.AskOneByOne) -> Ask | bytes:
        if any(at.location & OVERLAY for at in ask.cards):
            return struct.pack("<ii", 1, 0)
        cards = [Option("card", self._teller.table.card(at).id) for at in ask.cards]
        kind, source = self._purpose()
        # Whoever has chosen an attacker pays; that the core lets one take the attack back is a convenience, not a rule.
        ends = not cards or (ask.finishable and kind != "attack-cost")
        options = ([DONE] if ends else []) + cards

        def take(index: int) -> bytes:
            at = index - int(ends)
            chosen = options[index].card
            if self._course.building is not None and chosen is not None:
                self._course.building.chosen.append(chosen)
            return number(-1) if at < 0 else struct.pack("<ii", 1, at)

        return Ask(Decision(seat(ask.player), kind, self._timing, tuple(options), len(self._course.chain), source), take)

    def _purpose(self) -> tuple[DecisionKind, int | None]:
        """What cards are being chosen for, and which card asks."""
        course = self._course
        link = course.link_at_hand
        if link is None:
            if course.attack is not None and not course.attack.declared:
                return "attack-cost", course.attack.attacker
            return "choice", None
        if course.building is None:
            return "choice", link.card
        if link.asked < _cards_to_pay(link.facts):
            link.asked += 1
            return "cost", link.card
        return ("target" if link.facts is None or link.facts.target is not None else "choice"), link.card

    # What the protocol does not ask

    def _place(self, ask: messages.AskPlace) -> bytes:
        """The first free zones, the player's own first."""
        answer = b""
        for player, half in ((ask.player, 0), (1 - ask.player, 16)):
            for location, shift, zones in ((MONSTERS, 0, 7), (SPELLS, 8, 6)):
                for sequence in range(zones):
                    free = not ask.taken >> (half + shift + sequence) & 1
                    if free and len(answer) < 3 * ask.count:
                        answer += bytes((player, location, sequence))
        return answer

    def _position(self, ask: messages.AskPosition) -> bytes:
        return number(next(one for one in (ATTACK_UP, DEFENSE_UP, DEFENSE_DOWN, 2) if ask.positions & one))

    def _order(self, _: messages.AskOrder) -> bytes:
        return b"\xff"

    _ASKERS: ClassVar[dict[type, Callable[[Any, Any], Ask | bytes]]] = {
        messages.AskBattle: _battle,
        messages.AskChain: _chain,
        messages.AskEffect: _effect,
        messages.AskYesNo: _yes_no,
        messages.AskOption: _option,
        messages.AskCards: _cards,
        messages.AskOneByOne: _one_by_one,
        messages.AskPlace: _place,
        messages.AskPosition: _position,
        messages.AskOrder: _order,
    }


def _cards_to_pay(effect: EffectFacts | None) -> int:
    """For how many selections of cards the cost of an effect asks."""
    return 0 if effect is None else sum(cost.kind in {"discard", "tribute"} for cost in effect.cost)
