"""The core's messages as events of the protocol."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from conformance.ocgcore import lua, messages
from conformance.ocgcore.constants import (
    DEFENSE_DOWN,
    MONSTERS,
    OVERLAY,
    PHASE_BATTLE_START,
    REASON_BATTLE,
    REASON_COST,
    REASON_DESTROY,
    REASON_EFFECT,
    REASON_REPLACE,
)
from conformance.ocgcore.core import Core
from conformance.ocgcore.course import GIVE_UP, Course, OpenAttack, OpenLink
from conformance.ocgcore.effects import EffectNumbers
from conformance.ocgcore.faults import CoreFault
from conformance.ocgcore.messages import Location
from conformance.ocgcore.reasons import reason_of
from conformance.ocgcore.scan import States
from conformance.ocgcore.table import Table, TableCard, place_of, seat
from conformance.ocgcore.windows import window_of
from engine_protocol.board import Board
from engine_protocol.cards import CardPool
from engine_protocol.decisions import Decision, Option
from engine_protocol.errors import BoardNotSupported
from engine_protocol.events import (
    Activated,
    AttackDeclared,
    AttackTargetChosen,
    BattlePhaseEnded,
    ChainEnded,
    ControlChanged,
    DamageCalculated,
    DestructionReplaced,
    DeterminedDestroyed,
    DuelEnded,
    Equipped,
    LinkResolved,
    LinkResolving,
    LpChanged,
    MaterialDetached,
    Moved,
    PositionChanged,
    ReplayBegan,
    StatChanged,
    StatusChanged,
    TokenCreated,
)
from engine_protocol.rulesets import ruleset_named
from engine_protocol.vocabulary import FIELD, MONSTER_ZONES, FlipReason, LpReason, Player, Timing, opponent

_PICTURES = 10
"""A token with another picture has one of the next codes."""


class _Calculation:
    """A damage calculation whose damage is still to come."""

    def __init__(self, event: DamageCalculated, *, as_effect: bool) -> None:
        self.event = event
        self.as_effect = as_effect
        self.changes: list[tuple[Player, int]] = []


class Teller:
    """Follows the messages of one duel.

    Args:
        core: answers questions about the state.
        board: what was laid out; ``table``: where it lies.
        pool: card facts; ``numbers``: which effects the marks mean.
    """

    def __init__(self, core: Core, board: Board, table: Table, pool: CardPool, numbers: EffectNumbers) -> None:
        self.core = core
        self.board = board
        self.table = table
        self.pool = pool
        self.numbers = numbers
        self.course = Course(board.turn_player)
        self.states = States(board, table, pool)
        self.lp = list(board.lp)
        self.activating: Player | None = None
        self.target_asked = False
        self.replaced: int | None = None
        # The core marks no window between an inner battle and the end of its chain, so the ruleset says where the next begins.
        self._closes_at_once = ruleset_named(board.ruleset).inner_battle_closes == "at-once"
        self._undetermined = False
        self._opposing: frozenset[int] = frozenset()
        self._calculation: _Calculation | None = None

    def tell(self, message: messages.Message) -> None:
        """Take one message that is no question."""
        teller = self._TELLERS.get(type(message))
        if teller is not None and not self.course.over:
            teller(self, message)

    # The state

    def scan(self) -> None:
        """Tell what has changed about the monsters, and whether their attack was stopped."""
        course = self.course
        if course.timing is None or course.over:
            return
        answer = self.core.ask(lua.SCAN)
        if answer is not None:
            for event in self._in_order(list(self.states.take(answer))):
                course.emit(event)
        attack = course.attack
        if attack is not None and attack.declared and not attack.in_damage_step:
            seen = self.states.seen.get(attack.attacker)
            if seen is not None and seen.bits & lua.ATTACK_CANCELLED:
                course.end_attack("negated" if seen.bits & lua.ATTACK_NEGATED else "stopped")

    def _in_order(self, changes: list[StatChanged | StatusChanged]) -> list[StatChanged | StatusChanged]:
        """What a link did comes before what continuous effects made of it; the core does not tell which was first."""
        link = self.course.link_at_hand
        if link is None or len(changes) < 2:
            return changes
        return sorted(changes, key=lambda change: change.card not in (*link.targets, link.card))

    # The course of the phase

    def _hint(self, hint: messages.Hint) -> None:
        course = self.course
        timing = window_of(hint)
        if timing is None or course.timing is None or course.resolving:
            return
        if hint.value == 29:
            course.aftermath = False
            course.held_back = []
            return
        self.finish_calculation()
        if timing == "after-calculation" and (course.timing != timing or self._undetermined):
            self._undetermined = False
            self._determine()
        if timing == "after-declaration" or timing != course.timing:
            if hint.player == 1 and timing == course.timing:
                return
            course.enter(timing)
            self.scan()
        course.aftermath = False
        course.held_back = []

    def _phase(self, phase: messages.NewPhase) -> None:
        course = self.course
        if phase.phase == PHASE_BATTLE_START:
            course.enter("start-step")
            self.scan()
        elif course.timing is not None:
            self.finish_calculation()
            self.attack_comes_to_nothing()
            if course.timing != "end-step":
                course.enter("end-step")
            course.both_pass()
            course.emit(BattlePhaseEnded())
            course.over = True

    def _win(self, win: messages.Win) -> None:
        self.finish_calculation()
        winner = seat(win.player) if win.player in (0, 1) else None
        self.course.emit(DuelEnded(winner, "deck-out" if win.reason == 2 else "life-points"))
        self.course.over = True

    def _end_step_has_begun(self) -> None:
        """The core tells nobody of an End Step in which nobody can act: what happens after both have passed belongs to it."""
        course = self.course
        passes = course.passes
        closed = course.timing == "battle-step" and course.attack is None and len(passes) > 1 and passes[-1] != passes[-2]
        if closed and not course.chain and course.building is None:
            course.enter("end-step")

    # The attack

    def choose_attacker(self, attacker: int) -> None:
        """The turn player has chosen a monster to attack with."""
        self.course.attack = OpenAttack(attacker)
        self.target_asked = False

    def _attack(self, message: messages.Attack) -> None:
        course = self.course
        attack = course.attack
        target = self.table.card(message.target).id if message.target.location else None
        attacker = self.table.card(message.attacker).id
        if attack is None or attack.attacker != attacker:
            return
        asked, self.target_asked = self.target_asked, False
        self._opposing = self._opposing_now()
        if attack.declared:
            attack.target = target
            course.emit(AttackTargetChosen(attacker, target))
            if not course.resolving:
                course.enter("after-declaration")
            return
        if not asked:
            option = Option("direct") if target is None else Option("card", target)
            timing = course.timing or "battle-step"
            course.decided(Decision(course.turn_player, "attack-target", timing, (option,), source=attacker), 0, forced=True)
        attack.declared = True
        attack.target = target
        course.emit(AttackDeclared(attacker, target))
        course.enter("declaration")

    def attack_comes_to_nothing(self) -> None:
        """Play went on without a Damage Step. Where nothing stopped the attack, it was rewound and had nothing left to aim at."""
        course = self.course
        self.scan()
        attack = course.attack
        if attack is None:
            return
        rewound = self._opposing != self._opposing_now()
        if attack.declared and not attack.in_damage_step and rewound and not self.states.ends_phase:
            self.settle_window()
            course.emit(ReplayBegan(attack.attacker))
            timing = course.timing or "battle-step"
            decision = Decision(course.turn_player, "replay", timing, (GIVE_UP,), source=attack.attacker)
            course.decided(decision, 0, forced=True)
            course.end_attack("given-up")
        course.end_attack("stopped")

    def _opposing_now(self) -> frozenset[int]:
        return self.table.monsters_of(opponent(self.course.turn_player))

    def _disabled(self, _: messages.AttackDisabled) -> None:
        attack = self.course.attack
        if attack is not None and not attack.in_damage_step:
            self.course.end_attack("negated")

    def _step_start(self, _: messages.DamageStepStart) -> None:
        course = self.course
        if course.attack is not None:
            course.attack.in_damage_step = True
            course.attack.inside = bool(course.resolving)
            course.enter("damage-start")

    def _step_end(self, _: messages.DamageStepEnd) -> None:
        self.finish_calculation()
        course = self.course
        if course.attack is not None:
            course.end_attack("battled" if course.attack.calculated else "no-battle")
        course.step_over = course.aftermath = True

    def _battle(self, battle: messages.Battle) -> None:
        course = self.course
        if course.attack is not None and course.attack.inside:
            # The core goes straight to the calculation of a battle inside an effect; nobody could do anything before it.
            course.enter("before-calculation")
            course.enter("during-calculation")
        self.scan()
        attacker = self.table.card(battle.attacker)
        target = self.table.card(battle.target) if battle.target.location else None
        attacker_deals_effect, target_deals_effect, by_def = (flag == "1" for flag in self.core.ask(lua.BATTLE) or "000")
        target_in_defense = target is not None and target.at is not None and not target.at.position & 0x3
        if course.attack is not None:
            course.attack.calculated = True
        attacker_value = battle.attacker_def if by_def else battle.attacker_atk
        target_value = None if target is None else battle.target_def if target_in_defense else battle.target_atk
        attacker_deals = target_value is None or attacker_value > target_value
        self._calculation = _Calculation(
            DamageCalculated(
                attacker.id,
                None if target is None else target.id,
                attacker_value,
                target_value,
                (0, 0),
                by_def,
                target_in_defense,
            ),
            as_effect=attacker_deals_effect if attacker_deals else target_deals_effect,
        )

    def finish_calculation(self) -> None:
        """All damage of the open calculation is known now: tell it."""
        calculation, self._calculation = self._calculation, None
        if calculation is None:
            return
        damage = [0, 0]
        if not calculation.as_effect:
            for player, amount in calculation.changes:
                damage[player] += max(0, -amount)
        event = calculation.event
        self.course.emit(
            DamageCalculated(
                event.attacker,
                event.target,
                event.attacker_value,
                event.target_value,
                (damage[0], damage[1]),
                event.attacker_uses_def,
                event.target_uses_def,
            )
        )
        for player, amount in calculation.changes:
            self._change_lp(player, amount, "effect-damage" if calculation.as_effect else "battle-damage")

    def _determine(self) -> None:
        """Tell which monsters are determined destroyed."""
        self.scan()
        attack = self.course.attack
        if attack is None:
            return
        for card in (attack.attacker, attack.target):
            seen = self.states.seen.get(card) if card is not None else None
            if card is not None and seen is not None and seen.bits & lua.DETERMINED:
                self.course.emit(DeterminedDestroyed(card))

    # Life Points

    def _damage(self, damage: messages.Damage) -> None:
        if self._calculation is not None:
            self._calculation.changes.append((seat(damage.player), -damage.amount))
        else:
            self._change_lp(seat(damage.player), -damage.amount, "effect-damage")

    def _recover(self, recover: messages.Recover) -> None:
        if self._calculation is not None:
            self._calculation.changes.append((seat(recover.player), recover.amount))
        else:
            self._change_lp(seat(recover.player), recover.amount, "gained")

    def _pay(self, pay: messages.PayLp) -> None:
        self._change_lp(seat(pay.player), -pay.amount, "cost")

    def _lp(self, update: messages.LpUpdate) -> None:
        player = seat(update.player)
        change = update.total - self.lp[player]
        self._change_lp(player, change, "cost" if self.course.building is not None else "effect-damage")

    def _change_lp(self, player: Player, amount: int, reason: LpReason) -> None:
        """The core lets Life Points fall below 0; what is shown to people does not."""
        before = self.lp[player]
        self.lp[player] = max(0, before + amount)
        if self.lp[player] != before:
            self.course.emit(LpChanged(player, self.lp[player] - before, self.lp[player], "gained" if amount > 0 else reason))

    # Chains

    def _chaining(self, message: messages.Chaining) -> None:
        self.finish_calculation()
        course = self.course
        card = self.table.card(message.at)
        effect = self.numbers.number(card.passcode, message.description)
        kind = self.numbers.kind(card.passcode, message.description)
        player = self.activating
        self.activating = None
        if player is None:
            player = seat(message.at.player)
            if kind == "trigger":
                self._triggered_without_asking(player, card, effect)
        link = OpenLink(message.link, player, card.id, self.pool.get(card.passcode), effect, place_of(message.at, card.owner))
        link.stay = card.stay
        link.as_card = kind == "activation"
        link.trigger = kind == "trigger"
        course.building = link

    def _triggered_without_asking(self, player: Player, card: TableCard, effect: int) -> None:
        """The core asks nobody about a single mandatory Trigger; the protocol shows that decision too."""
        course = self.course
        self.settle_window()
        option = Option("activate", card.id, effect or None)
        timing = course.timing or "battle-step"
        course.decided(Decision(player, "trigger", timing, (option,), len(course.chain)), 0, forced=True)

    def _target(self, message: messages.BecomeTarget) -> None:
        link = self.course.building
        if link is not None:
            link.targets += [self._named(self.table.card(at)).id for at in message.cards]
            link.targets.sort(key=lambda card: link.chosen.index(card) if card in link.chosen else len(link.chosen))

    def _chained(self, _: messages.Chained) -> None:
        course = self.course
        link = course.building
        if link is None:
            return
        course.building = None
        link.stays = {card: self.table.cards[card].stay for card in link.targets}
        course.chain.append(link)
        course.passes.clear()
        course.emit(
            Activated(
                len(course.chain),
                link.player,
                link.card,
                link.effect,
                link.place,
                tuple(link.targets),
                link.as_card,
                link.trigger,
            )
        )

    def _solving(self, message: messages.ChainSolving) -> None:
        self.scan()
        self.course.resolving = message.link
        self.course.emit(LinkResolving(message.link))
        self.course.resolving_since = len(self.course.events)

    def _negated(self, message: messages.ChainNegated) -> None:
        self._link(message.link).outcome = "activation-negated"

    def _effect_negated(self, message: messages.ChainDisabled) -> None:
        self._link(message.link).outcome = "effect-negated"

    def _solved(self, message: messages.ChainSolved) -> None:
        self.finish_calculation()
        course = self.course
        attack = course.attack
        battled = attack is not None and attack.inside and attack.calculated
        if battled:
            self._determine()
        self.scan()
        course.resolving = 0
        link = self._link(message.link)
        if link.outcome == "resolved" and len(course.events) == course.resolving_since and self._had_nothing_left(link):
            link.outcome = "no-effect"
        course.emit(LinkResolved(message.link, link.outcome))
        if battled:
            if self._closes_at_once:
                course.enter("after-calculation")
            course.end_attack("battled")

    def _had_nothing_left(self, link: OpenLink) -> bool:
        """Whether all targets of a link are gone, or the card itself where it has to stay. The core does not say so."""
        cards = self.table.cards
        if link.stays and all(cards[card].stay != stay for card, stay in link.stays.items()):
            return True
        has_to_stay = link.as_card and self.pool[cards[link.card].passcode].property in {"continuous", "equip", "field"}
        return has_to_stay and cards[link.card].stay != link.stay

    def _link(self, number: int) -> OpenLink:
        chain = self.course.chain
        if not 0 < number <= len(chain):
            raise CoreFault(f"the core speaks of Chain Link {number} of a chain of {len(chain)}")
        return chain[number - 1]

    def _chain_end(self, _: messages.ChainEnd) -> None:
        self.scan()
        course = self.course
        course.chain = []
        course.emit(ChainEnded())
        if course.timing == "during-calculation" and course.attack is None:
            course.enter("after-calculation")
        course.aftermath = True
        course.held_back = []

    def settle_window(self) -> None:
        """Before a decision in the aftermath of a chain: which window it belongs to, and the passes that were held back.

        After the first chain of a declaration the declaration is over. When an effect has ended the Battle Phase, this
        chance is counted to the End Step, which follows.
        """
        course = self.course
        if not course.aftermath or course.chain:
            return
        timing = self._timing_of_aftermath()
        if timing != course.timing:
            held = course.held_back
            course.enter(timing)
            course.aftermath, course.held_back = True, held
        for player in course.held_back:
            course.forced_pass(player)
        course.held_back = []

    def _timing_of_aftermath(self) -> Timing:
        course = self.course
        timing = course.timing or "battle-step"
        if timing not in {"battle-step", "declaration", "after-declaration"} and not course.step_over:
            return timing
        if self.states.ends_phase:
            return "end-step"
        return "battle-step" if course.attack is None else "after-declaration"

    # Cards

    def _move(self, move: messages.Move) -> None:
        self.finish_calculation()
        self._end_step_has_begun()
        self._calculation_is_over()
        course = self.course
        if move.origin.location == 0:
            self._token(move)
            return
        if move.origin.location & OVERLAY:
            self._detached(move)
            return
        by_battle = move.reason & REASON_BATTLE and move.reason & REASON_DESTROY
        if by_battle and course.timing == "after-calculation" and not course.chain:
            course.enter("damage-end")
        card = self.table.card(move.origin)
        origin = place_of(move.origin, card.owner)
        self.table.move(move.origin, move.to)
        if course.timing is None:
            name = self.pool[card.passcode].name
            raise BoardNotSupported(f"{name} (card {card.id}) leaves its place before the Battle Phase begins")
        to = card.place
        was_field, is_field = origin.zone in FIELD, to is not None and to.zone in FIELD
        if not (was_field and is_field):
            self.states.forget(card)
        if to is not None and origin.zone in MONSTER_ZONES and to.zone in MONSTER_ZONES:
            if origin.player != to.player:
                course.emit(ControlChanged(card.id, origin, to))
                self._attacker_gone(card)
            return
        reason = reason_of(move)
        if reason == "used" and self._was_negated(card):
            reason = "negated"
        if self.replaced is not None and move.reason & REASON_REPLACE:
            course.emit(DestructionReplaced(self.replaced, card.id))
            self.replaced = None
        if card.id < 0:
            if is_field:
                self._named(card)
            return
        course.emit(Moved(card.id, origin, to, reason))
        if was_field:
            self._attacker_gone(card)

    def _detached(self, move: messages.Move) -> None:
        """A material goes: as a cost, by an effect, instead of the monster. Those of a monster that leaves just follow it."""
        holder = self.table.detach(move.origin, move.to, self.core.cards.original.get(move.code, move.code))
        if holder is None or not move.reason & (REASON_COST | REASON_EFFECT):
            return
        if self.replaced == holder.id:
            self.course.emit(DestructionReplaced(holder.id, holder.id))
            self.replaced = None
        else:
            self.course.emit(MaterialDetached(holder.id, move.code))

    def _calculation_is_over(self) -> None:
        """What goes instead of a monster, and what destroys itself, goes after damage calculation, before the core marks that."""
        course = self.course
        attack = course.attack
        if course.timing == "during-calculation" and not course.chain and attack is not None and attack.calculated:
            course.enter("after-calculation")
            self._undetermined = True

    @staticmethod
    def _named(card: TableCard) -> TableCard:
        """The card, which must not be an Xyz Material of before: the protocol has no word for that one."""
        if card.id < 0:
            raise BoardNotSupported("a card that was an Xyz Material has come into play; it has no instance id")
        return card

    def _was_negated(self, card: TableCard) -> bool:
        return any(link.card == card.id and link.outcome == "activation-negated" for link in self.course.chain)

    def _attacker_gone(self, card: TableCard) -> None:
        attack = self.course.attack
        if attack is not None and attack.attacker == card.id and attack.declared and not attack.in_damage_step:
            self.course.end_attack("stopped")

    def _token(self, move: messages.Move) -> None:
        owner = seat(move.to.player)
        data = self.core.cards.get(move.code)
        printed = self.core.cards.original.get(move.code, move.code)
        passcode = next((code for code in range(printed, printed - _PICTURES, -1) if code in self.pool), None)
        if data is None or passcode is None:
            raise CoreFault(f"a token of code {move.code} came into being, which no card of the pool creates")
        card = TableCard(max(self.table.cards, default=0) + 1, passcode, owner, token=True)
        self.table.add(card, move.to)
        place = card.place
        if place is not None:
            self.course.emit(TokenCreated(card.id, passcode, owner, place, data.attack, data.defense))

    def _turn(self, change: messages.PositionChange) -> None:
        self._end_step_has_begun()
        course = self.course
        card = self.table.card(change.at)
        before = place_of(Location(change.at.player, change.at.location, change.at.sequence, change.before), card.owner).position
        self.table.turn(card, change.after)
        if course.timing is None:
            return
        attack = course.attack
        reason: FlipReason = "effect" if course.resolving else "rule"
        flipped = change.before == DEFENSE_DOWN and course.in_damage_step
        flipped = flipped and (not course.chain or (attack is not None and attack.inside))
        if flipped and attack is not None and attack.target == card.id:
            reason = "battle"
            if course.timing == "damage-start":
                course.enter("before-calculation")
        place = card.place
        if place is not None:
            course.emit(PositionChanged(card.id, before, place.position, reason))
        if change.after == DEFENSE_DOWN:
            self.states.forget(card)

    def _swap(self, swap: messages.Swap) -> None:
        places = {card.id: card.place for card in self.table.swap(swap.first, swap.second)}
        first, second = (self.table.cards[number] for number in places)
        for card, other in ((first, second), (second, first)):
            origin, to = other.place, card.place
            if origin is not None and to is not None and swap.first.location == MONSTERS:
                self.course.emit(ControlChanged(card.id, origin, to))
                self._attacker_gone(card)

    def _draw(self, draw: messages.Draw) -> None:
        for _ in draw.codes:
            card = self.table.top(draw.player)
            origin, at = card.place, card.at
            if at is None or origin is None:
                continue
            self.table.move(at, Location(draw.player, 0x02, 0xFFFF, DEFENSE_DOWN))
            to = card.place
            if to is not None and self.course.timing is not None:
                self.course.emit(Moved(card.id, origin, to, "drawn"))

    def _shuffle(self, shuffle: messages.ShuffleHand) -> None:
        self.table.shuffle(shuffle.player, shuffle.location, shuffle.codes, self.core.cards.original)

    def _equip(self, equip: messages.Equip) -> None:
        if self.course.timing is not None:
            self.course.emit(Equipped(self.table.card(equip.card).id, self.table.card(equip.to).id))

    def _retry(self, _: messages.Retry) -> None:
        raise CoreFault("the core did not accept an answer that it had offered")

    _TELLERS: ClassVar[dict[type, Callable[[Any, Any], None]]] = {
        messages.Hint: _hint,
        messages.NewPhase: _phase,
        messages.Win: _win,
        messages.Attack: _attack,
        messages.AttackDisabled: _disabled,
        messages.DamageStepStart: _step_start,
        messages.DamageStepEnd: _step_end,
        messages.Battle: _battle,
        messages.Damage: _damage,
        messages.Recover: _recover,
        messages.PayLp: _pay,
        messages.LpUpdate: _lp,
        messages.Chaining: _chaining,
        messages.BecomeTarget: _target,
        messages.Chained: _chained,
        messages.ChainSolving: _solving,
        messages.ChainNegated: _negated,
        messages.ChainDisabled: _effect_negated,
        messages.ChainSolved: _solved,
        messages.ChainEnd: _chain_end,
        messages.Move: _move,
        messages.PositionChange: _turn,
        messages.Swap: _swap,
        messages.Draw: _draw,
        messages.ShuffleHand: _shuffle,
        messages.Equip: _equip,
        messages.Retry: _retry,
    }
