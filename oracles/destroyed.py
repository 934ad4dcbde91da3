"""BD: monsters determined destroyed by battle, from damage calculation until they leave the field."""

from __future__ import annotations

from typing import Final

from engine_protocol.cards import EffectFacts
from engine_protocol.events import (
    Activated,
    AttackDeclared,
    ControlChanged,
    Decided,
    DestructionReplaced,
    DeterminedDestroyed,
    LinkResolved,
    LinkResolving,
    Moved,
    PositionChanged,
    StatChanged,
    TimingBegan,
)
from engine_protocol.rulesets import RULESETS, Ruleset, lineage
from engine_protocol.vocabulary import DAMAGE_STEP_TIMINGS, FIELD, TIMING_NAMES
from oracles.damage import meaning_unknown, negation_in_play, unknown_link
from oracles.legality import Answer, answerable_link, condition_allows, fits, speed_allows, timing_allows
from oracles.options import activations_on_offer
from oracles.oracle import Oracle, at, leaving
from oracles.permissions import ends_battle_phase
from oracles.view import Card, DamageStep, Key, Link, View

LOST: Final = frozenset({"destroyed-by-battle", "destroyed-by-battle-and-sent"})
WON: Final = frozenset({"destroys-by-battle", "destroys-by-battle-and-sends"})
SENT: Final = frozenset({"destroyed-by-battle-and-sent", "destroys-by-battle-and-sends"})

_MUST_NOT_LEAVE_FOR: Final = frozenset({"hand", "deck", "extra-deck"})
_NEGATES: Final = frozenset({"negates-effect", "negates-activation"})


def waits_for(effect: EffectFacts, conditions: frozenset[str]) -> bool:
    """Whether it is a Trigger Effect of the end of the Damage Step that waits for one of these; those which name the timing after
    damage calculation activate while the monster is still on the field.
    """
    return effect.kind == "trigger" and effect.condition in conditions and "after-calculation" not in effect.timings


def determined_monsters(view: View) -> list[Card]:
    """The monsters determined destroyed that are still on the field."""
    step = view.damage_step
    if step is None or not step.determined:
        return []
    return [card for card in (view.cards[key[0]] for key in step.determined) if card.determined]


def other_monster(step: DamageStep, card: int) -> Key | None:
    """The monster that this one battled; None: it did not battle, or attacked directly."""
    attacker, target = step.attacker_key, step.target_key
    if attacker is not None and attacker[0] == card:
        return target
    return attacker if target is not None and target[0] == card else None


def fell(step: DamageStep, card: int) -> bool:
    """Whether the card was determined destroyed in this Damage Step and nothing went instead of it."""
    return card not in step.replaced and any(key[0] == card for key in step.determined)


class EffectsStop(Oracle):
    """Watches what negates the effects of monsters destroyed by battle: it must work from the moment of destruction on, also in
    the Graveyard; when the only card that could negate is itself determined destroyed in that battle, the ruleset says. Where it
    has it that negated Triggers are not activated at all, they must not be offered. Silent where it is not certain which
    monsters are meant, or that the negating effect applies, and in other mutual destructions.
    """

    id = "BD-1"
    title = "Continuous effects of what is destroyed by battle"
    statement = (
        "The continuous effects of a monster determined destroyed stop applying at once, and effects that negate what was"
        " destroyed by battle begin to apply to it, and go on in the Graveyard; in the oldest ruleset it activates nothing."
    )
    citations = (
        ("battle-phase-flow", "确定被战斗破坏; 伤害计算后: 其他效果处理"),
        ("damage-step-wiki-before", "3-4"),
        ("expert-2007", "3.B; 4.B; 4.C"),
    )
    needs = ("negates-destroyed",)

    def prepare(self) -> None:
        self.negated: set[int] = set()
        self.free: set[int] = set()
        self.doomed: set[int] = set()

    @at("after-calculation")
    def on_timing_began(self, event: TimingBegan, view: View) -> None:
        step = view.damage_step
        if step is None or not step.determined:
            return
        sources = [card for card in view.passive_cards if "negates-destroyed" in card.known.passive_categories]
        if not sources or view.opaque_card() is not None or negation_in_play(view) or unknown_link(view):
            return
        for key in step.determined:
            other = other_monster(step, key[0])
            if other is not None and key[0] not in step.replaced:
                self._sort(view.cards[key[0]], view.cards[other[0]], sources, view)

    def _sort(self, victim: Card, destroyer: Card, sources: list[Card], view: View) -> None:
        self.negated.discard(victim.id)
        self.free.discard(victim.id)
        sources = [card for card in sources if card.zone in FIELD and card.face_up]
        if all(answer is False for answer in self._meant(destroyer, sources, view)):
            self.free.add(victim.id)
            return
        sources = [card for card in sources if card.controller == destroyer.controller]
        if (
            not sources
            or any("effects-negated" in card.statuses for card in sources)
            or destroyer.controller == victim.controller
        ):
            return
        if all(self._meant(destroyer, sources, view)):
            if not destroyer.determined:
                self.negated.add(victim.id)
                if not self._activates(view) and any(waits_for(effect, LOST) for effect in victim.facts.effects):
                    self.stake()
            elif sources == [destroyer] and view.ruleset.settles("destroyed_destroyer_negates"):
                (self.negated if view.ruleset.destroyed_destroyer_negates else self.free).add(victim.id)

    @staticmethod
    def _meant(destroyer: Card, sources: list[Card], view: View) -> list[Answer]:
        """Of each effect that negates what is destroyed, whether it is one that this monster destroys."""
        return [
            effect.subject is not None and fits(effect.subject, destroyer, view, source.controller, source)
            for source in sources
            for effect in source.known.passive
            if "negates-destroyed" in effect.categories
        ]

    def on_destruction_replaced(self, event: DestructionReplaced, view: View) -> None:
        self.negated.discard(event.card)
        self.free.discard(event.card)

    @staticmethod
    def _activates(view: View) -> bool:
        """Whether the Triggers of a negated monster surely are activated, and then negated."""
        return view.ruleset.negated_by_destroyer_activates and view.ruleset.settles("negated_by_destroyer_activates")

    @at("after-calculation", "damage-end")
    def on_trigger(self, event: Decided, view: View) -> None:
        if not self.negated or view.ruleset.negated_by_destroyer_activates:
            return
        if not view.ruleset.settles("negated_by_destroyer_activates"):
            return
        for card, effect in activations_on_offer(event, view):
            if card.id in self.negated and effect.kind == "trigger":
                self.stake()
                self.fail(
                    expected=f"{card!r} activates nothing: the monster that destroyed it by battle negates its effects",
                    happened="its effect was offered",
                    cards=(card.id,),
                )

    def on_activated(self, event: Activated, view: View) -> None:
        if event.card in self.negated and view.activations[-1].card.facts.type == "monster":
            if event.place.zone in FIELD or event.place.zone == "graveyard":
                self.stake()
                self.doomed.add(event.link)
        elif event.card in self.free:
            self.stake()

    def before_moved(self, event: Moved, view: View) -> None:
        if event.card not in self.negated and event.card not in self.free:
            return
        if event.origin.zone not in FIELD or event.to is None or event.to.zone != "graveyard":
            self.negated.discard(event.card)
            self.free.discard(event.card)

    def on_link_resolved(self, event: LinkResolved, view: View) -> None:
        if event.link in self.doomed:
            self.doomed.discard(event.link)
            if event.outcome == "resolved":
                card = view.chain[event.link - 1].card
                self.fail(
                    expected=f"the effects of {card!r} are negated, for it was destroyed by battle with a monster that does that",
                    happened="its effect was applied",
                    cards=(card.id,),
                )
        elif event.outcome == "effect-negated":
            link = view.chain[event.link - 1]
            if link.card.id in self.free and not self._otherwise_negated(link, view):
                self.fail(
                    expected=f"the effects of {link.card!r} are not negated: what would negate them was destroyed by battle too",
                    happened="its effect was negated",
                    cards=(link.card.id,),
                )

    def _otherwise_negated(self, negated: Link, view: View) -> bool:
        return "effects-negated" in negated.card.statuses or any(
            link is not negated and (meaning_unknown(link) or (link.facts is not None and link.facts.categories & _NEGATES))
            for link in view.activations
        )


class NothingChanges(Oracle):
    """Judges changes of ATK and DEF only while a link that changes them resolves, with nothing in play whose continuous effect
    could be the reason. At stake when such a link, or one that changes positions, could reach a monster determined destroyed.
    """

    id = "BD-2"
    title = "No change of ATK, DEF or position"
    statement = (
        "Effects do not change the ATK, DEF or battle position of a monster determined destroyed, nor is it turned face-down."
    )
    citations = (("battle-phase-flow", "确定被战斗破坏"),)

    def on_link_resolving(self, event: LinkResolving, view: View) -> None:
        link = view.resolving
        if link is None or link.facts is None or not link.facts.categories & {"changes-atk-def", "changes-position"}:
            return
        if any(link.card is card or not link.targets for card in determined_monsters(view)):
            self.stake()

    def before_stat_changed(self, event: StatChanged, view: View) -> None:
        card, link = view.cards[event.card], view.resolving
        if not card.determined or link is None or link.facts is None or "changes-atk-def" not in link.facts.categories:
            return
        if (event.atk, event.def_) == (card.atk, card.def_):
            return
        if any("changes-atk-def" in other.known.passive_categories for other in view.passive_cards):
            return
        self.fail(
            expected=f"{card!r} is determined destroyed, and effects do not change its ATK or DEF",
            happened=f"{link.card!r} made them {event.atk}/{event.def_}",
            cards=(card.id, link.card.id),
        )

    def before_position_changed(self, event: PositionChanged, view: View) -> None:
        card = view.cards[event.card]
        if card.determined and card.face_up and event.after != card.position:
            self.fail(
                expected=f"{card!r} is determined destroyed, and its position does not change",
                happened=f"it was turned to {event.after}",
                cards=(card.id,),
            )


class NoQuickEffects(Oracle):
    """At stake when a player may act or respond while an optional Quick Effect of a monster determined destroyed might otherwise
    be activated. By expert-2007 it may, but the facts settle of no card of its lists that it can.
    """

    id = "BD-3"
    title = "No optional Quick Effects"
    statement = "A monster determined destroyed cannot activate its optional Quick Effects; mandatory ones activate."
    citations = (("battle-phase-flow", "确定被战斗破坏"),)

    @at(*DAMAGE_STEP_TIMINGS)
    def on_priority(self, event: Decided, view: View) -> None:
        if view.damage_step is not None and view.damage_step.determined:
            self._may_act(event, view)

    @at(*DAMAGE_STEP_TIMINGS)
    def on_response(self, event: Decided, view: View) -> None:
        if view.damage_step is not None and view.damage_step.determined:
            self._may_act(event, view)

    def _may_act(self, event: Decided, view: View) -> None:
        player = event.decision.player
        link = answerable_link(view)
        for card in determined_monsters(view):
            if card.controller != player:
                continue
            for effect in card.facts.effects:
                if not _optional_quick(effect) or card.zone not in effect.zones:
                    continue
                answers = (
                    timing_allows(view, card, effect),
                    speed_allows(effect, link),
                    condition_allows(view, player, card, effect, link),
                )
                if False not in answers:
                    self.stake()

    def on_offer(self, event: Decided, view: View) -> None:
        if view.damage_step is None or not view.damage_step.determined:
            return
        for card, effect in activations_on_offer(event, view):
            if card.determined and _optional_quick(effect):
                self.fail(
                    expected=f"{card!r} is determined destroyed and cannot activate optional Quick Effects",
                    happened="one was offered",
                    cards=(card.id,),
                )


def _optional_quick(effect: EffectFacts) -> bool:
    return effect.kind == "quick" and not effect.mandatory


class NoCost(Oracle):
    """Neither offered as the cost of a card whose effects are all optional, nor paid for an optional effect, nor going instead of
    another card. At stake when a player pays a cost while they control a monster determined destroyed.
    """

    id = "BD-4"
    title = "Not a cost"
    statement = (
        "A monster determined destroyed can neither be Tributed, destroyed or sent as the cost of an optional effect, nor go in"
        " place of another card that would be destroyed."
    )
    citations = (("battle-phase-flow", "确定被战斗破坏"),)

    def prepare(self) -> None:
        self.paid: list[int] = []

    def on_cost(self, event: Decided, view: View) -> None:
        decision = event.decision
        doomed = {card.id for card in determined_monsters(view) if card.controller == decision.player}
        if not doomed or decision.source is None:
            return
        self.stake()
        source = view.cards[decision.source]
        if any(effect.mandatory for effect in source.facts.effects if effect.cost):
            return
        for option in decision.options:
            if option.kind == "card" and option.card in doomed:
                self._fail(option.card, f"was offered as a cost of {source!r}", view)

    def before_moved(self, event: Moved, view: View) -> None:
        if event.reason in {"tributed", "cost"} and not view.chain_resolving and view.cards[event.card].determined:
            self.paid.append(event.card)

    def on_activated(self, event: Activated, view: View) -> None:
        if not self.paid:
            return
        self.stake()
        link = view.activations[-1]
        paid, self.paid = self.paid, []
        if link.facts is not None and not link.facts.mandatory:
            self._fail(paid[0], f"was paid for {link.card!r}", view)

    def before_destruction_replaced(self, event: DestructionReplaced, view: View) -> None:
        if event.substitute != event.card and view.cards[event.substitute].determined:
            self.stake()
            self._fail(event.substitute, f"was to go instead of {view.name(event.card)}", view)

    def _fail(self, card: int, what: str, view: View) -> None:
        self.fail(
            expected=f"{view.name(card)} is determined destroyed: it is neither a cost of an optional effect nor a substitute",
            happened=f"it {what}",
            cards=(card,),
        )


class NoTarget(Oracle):
    """Neither offered as a target nor targeted. At stake when an effect targets while a monster determined destroyed is on the
    field that its facts would otherwise fit.
    """

    id = "BD-5"
    title = "Not a target"
    statement = "A monster determined destroyed cannot be targeted, not even by a mandatory effect."
    citations = (
        ("battle-phase-flow", "确定被战斗破坏"),
        ("damage-step-wiki", "リバースした場合に発動するモンスターの効果"),
    )

    def on_target(self, event: Decided, view: View) -> None:
        for card in determined_monsters(view):
            if any(option.card == card.id for option in event.decision.options):
                self._fail(card, "was offered as a target")

    def on_activated(self, event: Activated, view: View) -> None:
        doomed = determined_monsters(view)
        if not doomed:
            return
        link = view.activations[-1]
        for card in doomed:
            if card.id in event.targets:
                self._fail(card, f"was targeted by {link.card!r}")
            target = None if link.facts is None else link.facts.target
            if target is not None and fits(target.filter, card, view, event.player, link.card) is not False:
                self.stake()

    def _fail(self, card: Card, what: str) -> None:
        self.fail(
            expected=f"{card!r} is determined destroyed and cannot be targeted",
            happened=f"it {what}",
            cards=(card.id,),
        )


class NoReturn(Oracle):
    """At stake when a link that returns cards, or one whose facts do not say what it does, resolves while a monster is determined
    destroyed.
    """

    id = "BD-6"
    title = "No return and no change of control"
    statement = (
        "A monster determined destroyed does not return to the hand, the Deck or the Extra Deck, and does not change sides."
    )
    citations = (("battle-phase-flow", "确定被战斗破坏"),)

    def on_link_resolving(self, event: LinkResolving, view: View) -> None:
        link = view.resolving
        if link is not None and link.facts is not None and "returns" in link.facts.categories and determined_monsters(view):
            self.stake()

    def before_moved(self, event: Moved, view: View) -> None:
        card = view.cards[event.card]
        if not card.determined or event.to is None or event.reason == "destroyed-by-battle":
            return
        if event.to.zone in _MUST_NOT_LEAVE_FOR:
            self.fail(
                expected=f"{card!r} is determined destroyed and cannot return",
                happened=f"it went to the {event.to.zone}",
                cards=(card.id,),
            )

    def before_control_changed(self, event: ControlChanged, view: View) -> None:
        card = view.cards[event.card]
        if card.determined:
            self.fail(
                expected=f"{card!r} is determined destroyed and does not change sides",
                happened="the other player took control of it",
                cards=(card.id,),
            )


class GoneBefore(Oracle):
    """At stake when a monster determined destroyed leaves otherwise than by battle, and some effect waits for its destruction;
    and, where effects cannot destroy such a monster, when a link that destroys without targeting resolves.
    """

    id = "BD-8"
    title = "Removed by an effect before the end"
    statement = (
        "A monster determined destroyed that an effect removes before the end of the Damage Step was not destroyed by battle:"
        " neither its own effects that wait for that nor those of the monster it battled activate. In duel-arena an effect cannot"
        " destroy it any more."
    )
    citations = (("battle-phase-flow", "确定被战斗破坏; 伤害步骤结束时"), ("duel-arena-wiki", "破壊する; デッキに戻す"))

    def on_link_resolving(self, event: LinkResolving, view: View) -> None:
        link = view.resolving
        if link is None or link.facts is None or link.targets or not self._is_safe(view):
            return
        if "destroys" in link.facts.categories and determined_monsters(view):
            self.stake()

    @staticmethod
    def _is_safe(view: View) -> bool:
        """Whether effects certainly cannot destroy a monster determined destroyed."""
        ruleset = view.ruleset
        return not ruleset.determined_can_be_destroyed and ruleset.settles("determined_can_be_destroyed")

    def before_moved(self, event: Moved, view: View) -> None:
        card, step = view.cards[event.card], view.damage_step
        if not card.determined or step is None:
            return
        if event.reason == "destroyed-by-effect" and self._is_safe(view):
            self.stake()
            self.fail(
                expected=f"{card!r} is determined destroyed, and no effect destroys it",
                happened="an effect destroyed it",
                cards=(card.id,),
            )
        if event.reason == "destroyed-by-battle":
            if view.resolving is not None:
                self.fail(
                    expected=f"{card!r}, which {view.resolving.card!r} removes, is not destroyed by battle",
                    happened="it was said to be destroyed by battle",
                    cards=(card.id,),
                )
            return
        other = other_monster(step, card.id)
        if any(waits_for(effect, LOST) for effect in card.facts.effects) or (
            other is not None and any(waits_for(effect, WON) for effect in view.cards[other[0]].facts.effects)
        ):
            self.stake()

    def on_activated(self, event: Activated, view: View) -> None:
        facts, step = view.activations[-1].facts, view.damage_step
        if facts is None or step is None or not step.left or not waits_for(facts, LOST | WON):
            return
        victims = self._victims(event.card, facts, step)
        if victims and all(self._gone_before(victim, step) for victim in victims):
            self.fail(
                expected=f"{view.name(victims[0])} left the field before the end of the Damage Step: battle did not destroy it",
                happened=f"{view.name(event.card)}, which waits for that, was activated",
                cards=(event.card, *victims),
            )

    @staticmethod
    def _victims(card: int, facts: EffectFacts, step: DamageStep) -> list[int]:
        """The monsters whose destruction the effect may have waited for."""
        if facts.subject is not None:
            return [key[0] for key in step.determined]
        if facts.condition in LOST:
            return [card]
        other = other_monster(step, card)
        return [] if other is None else [other[0]]

    @staticmethod
    def _gone_before(victim: int, step: DamageStep) -> bool:
        departure = step.left.get(victim)
        return departure is not None and departure[0] != "destroyed-by-battle" and fell(step, victim)


class Replaced(Oracle):
    """Once something goes instead of a monster, it must neither be determined destroyed nor leave by battle; and it must go at
    the time of the ruleset: not any more when those destroyed leave, or not before.
    """

    id = "BD-9"
    title = "Substitutes"
    statement = (
        "A monster in whose place something else goes was not destroyed by battle and stays on the field. What goes is decided"
        " during damage calculation; by older documents at the end of the Damage Step, when the monster would be sent."
    )
    citations = (
        ("battle-phase-flow", "确定被战斗破坏; 伤害计算后"),
        ("damage-step-wiki-before", "6"),
        ("expert-2007", "3.A; 4.C"),
    )
    needs = ("substitute",)

    def prepare(self) -> None:
        self.safe: set[int] = set()

    def on_attack_declared(self, event: AttackDeclared, view: View) -> None:
        self.safe.clear()

    def on_destruction_replaced(self, event: DestructionReplaced, view: View) -> None:
        if view.damage_step is not None and not view.chain_resolving and view.damage_step.battles(view.cards[event.card]):
            self.stake()
            self.safe.add(event.card)

    def on_substitute(self, event: Decided, view: View) -> None:
        if event.decision.source is not None:
            self._in_time(event.decision.source, "a player was asked", view)

    def before_destruction_replaced(self, event: DestructionReplaced, view: View) -> None:
        self._in_time(event.card, "something went instead of it", view)

    def _in_time(self, card: int, what: str, view: View) -> None:
        step = view.damage_step
        if view.chain_resolving or step is None:
            return
        if view.ruleset.substitutes_at == "damage-end":
            if view.timing != "damage-end" and self._lost(step, card, view):
                self.stake()
                self.fail(
                    expected=f"something may go instead of {view.name(card)} when it would be sent, at the end",
                    happened=f"{what} before that",
                    cards=(card,),
                )
        elif view.timing == "damage-end" and view.cards[card].determined:
            self.stake()
            self.fail(
                expected=f"what goes instead of {view.name(card)} is decided during damage calculation",
                happened=f"{what} after it had been determined destroyed",
                cards=(card,),
            )

    @staticmethod
    def _lost(step: DamageStep, card: int, view: View) -> bool:
        """Whether the monster's battle is what would destroy it: its value was not the higher one, and nothing else would."""
        calculation = step.calculation
        if (
            calculation is None
            or calculation.target_value is None
            or view.cards[card].known.passive_categories & {"self-destructs"}
        ):
            return False
        lead = calculation.attacker_value - calculation.target_value
        return lead <= 0 if card == calculation.attacker else lead >= 0 and card == calculation.target

    def on_determined_destroyed(self, event: DeterminedDestroyed, view: View) -> None:
        if event.card in self.safe:
            self._fail(event.card, "was determined destroyed", view)

    def before_moved(self, event: Moved, view: View) -> None:
        if event.card in self.safe and event.reason == "destroyed-by-battle":
            self._fail(event.card, "left the field as destroyed by battle", view)

    def _fail(self, card: int, what: str, view: View) -> None:
        self.fail(
            expected=f"something went instead of {view.name(card)}: it is not destroyed by battle",
            happened=f"it {what}",
            cards=(card,),
        )


def _named_destroyers(ruleset: Ruleset) -> frozenset[str]:
    """Cards that activate, or may, though they were destroyed too; where that is left open, those that a base names."""
    if ruleset.settles("destroyers_trigger_when_destroyed"):
        return ruleset.destroyers_trigger_when_destroyed
    return frozenset(name for base in lineage(ruleset) for name in base.destroyers_trigger_when_destroyed)


_NAMED_DESTROYERS: Final = {name: _named_destroyers(ruleset) for name, ruleset in RULESETS.items()}


class WhoDestroyed(Oracle):
    """Mutual destruction, Tokens, and monsters that go elsewhere than to the Graveyard. Where the documents say of certain cards
    that they activate all the same, mandatory ones must. Of others that need not send the destroyed monster to the Graveyard only
    battle-phase-flow speaks.
    """

    id = "BD-10"
    title = "Who counts as having destroyed"
    statement = (
        "Effects of a monster that destroys another by battle do not activate if it is destroyed too, a few cards that older"
        " documents name aside; those that also need the destroyed monster to be sent to the Graveyard do not activate for a"
        " Token or a monster that goes elsewhere."
    )
    citations = (("battle-phase-flow", "伤害步骤结束时"), ("expert-2007", "4.C"))

    def on_determined_destroyed(self, event: DeterminedDestroyed, view: View) -> None:
        step = view.damage_step
        if step is None or len(set(step.determined)) != 2:
            return
        for key in step.determined:
            card = view.cards[key[0]]
            if any(effect.subject is None and self._needs_the_field(card, effect, view) for effect in card.facts.effects):
                self.stake()

    @leaving("damage-end")
    def before_timing_began(self, event: TimingBegan, view: View) -> None:
        step, names = view.damage_step, view.ruleset.destroyers_trigger_when_destroyed
        if not names or step is None or len(set(step.determined)) != 2 or ends_battle_phase(view):
            return
        if any(step.left.get(key[0]) != ("destroyed-by-battle", "graveyard") for key in step.determined):
            return
        if view.opaque_card() is not None or unknown_link(view) or negation_in_play(view):
            return
        if any("negates-destroyed" in card.known.passive_categories for card in view.passive_cards):
            return
        used = {(link.card.id, link.effect) for link in view.activations if link.at > step.began_at}
        for card in (view.cards[key[0]] for key in step.determined):
            for effect in card.facts.effects if card.facts.name in names else ():
                if not self._must_be_used(effect):
                    continue
                self.stake()
                if (card.id, effect.number) not in used:
                    self.fail(
                        expected=f"{card!r} destroyed a monster by battle and activates its effect, though it was destroyed too",
                        happened=f"{TIMING_NAMES[event.timing]} began without it",
                        cards=(card.id,),
                    )

    @staticmethod
    def _must_be_used(effect: EffectFacts) -> bool:
        plain = not (effect.requires or effect.cost or effect.target or effect.subject or effect.once)
        return effect.mandatory and effect.complete and plain and waits_for(effect, WON)

    @staticmethod
    def _needs_the_field(card: Card, effect: EffectFacts, view: View) -> bool:
        """Whether it waits for the card to have destroyed another, and surely only while the card itself was not destroyed."""
        if card.facts.name in _NAMED_DESTROYERS[view.ruleset.name]:
            return False
        return waits_for(effect, WON if "battle-phase-flow" in view.documents else WON & SENT)

    def on_moved(self, event: Moved, view: View) -> None:
        step = view.damage_step
        if event.reason != "destroyed-by-battle" or step is None or (event.to is not None and event.to.zone == "graveyard"):
            return
        other = other_monster(step, event.card)
        cards = (event.card,) if other is None else (event.card, other[0])
        if any(waits_for(effect, SENT) for card in cards for effect in view.cards[card].facts.effects):
            self.stake()

    def on_activated(self, event: Activated, view: View) -> None:
        facts, step = view.activations[-1].facts, view.damage_step
        if facts is None or step is None or facts.subject is not None or not waits_for(facts, LOST | WON):
            return
        if self._needs_the_field(view.cards[event.card], facts, view) and fell(step, event.card):
            self.fail(
                expected=f"{view.name(event.card)} was destroyed by battle too: it does not count as having destroyed a monster",
                happened="it was activated",
                cards=(event.card,),
            )
        if facts.condition not in SENT:
            return
        other = other_monster(step, event.card)
        victim = event.card if facts.condition in LOST else None if other is None else other[0]
        if victim is None:
            return
        departure = step.left.get(victim)
        if departure is not None and departure[0] == "destroyed-by-battle" and departure[1] != "graveyard":
            self.fail(
                expected=f"{view.name(victim)} was not sent to the Graveyard, so what waits for that does not activate",
                happened=f"{view.name(event.card)} was activated",
                cards=(event.card, victim),
            )


class BanishedInMutualDestruction(Oracle):
    """Demands mandatory effects whose facts are complete; silent where effects are negated or something is not understood."""

    id = "BD-11"
    title = "Banishing after damage calculation in mutual destruction"
    statement = (
        "An effect that banishes the monster it battled or destroyed after damage calculation activates then, also when both"
        " monsters were determined destroyed."
    )
    citations = (("battle-phase-flow", "伤害计算后: 其他效果处理"),)

    def prepare(self) -> None:
        self.due: list[tuple[Card, EffectFacts]] = []
        self.since = 0

    @at("after-calculation")
    def on_timing_began(self, event: TimingBegan, view: View) -> None:
        step = view.damage_step
        if step is None or len(set(step.determined)) != 2 or view.opaque_card() is not None:
            return
        if unknown_link(view) or negation_in_play(view):
            return
        if any("negates-destroyed" in card.known.passive_categories for card in view.passive_cards):
            return
        self.since = view.at
        self.due = [
            (card, effect)
            for card in determined_monsters(view)
            if "effects-negated" not in card.statuses
            for effect in card.facts.effects
            if self._must_be_used(card, effect, view)
        ]
        for _ in self.due:
            self.stake()
        if self.due:
            self.at_next_timing(self._timing_follows)

    @staticmethod
    def _must_be_used(card: Card, effect: EffectFacts, view: View) -> bool:
        return (
            effect.kind == "trigger"
            and effect.mandatory
            and effect.complete
            and effect.subject is None
            and effect.target is None
            and effect.once is None
            and "banishes" in effect.categories
            and "after-calculation" in effect.timings
            and effect.condition in {"battles", "destroys-by-battle", "destroyed-by-battle"}
            and card.zone in effect.zones
            and all(
                any(fits(what, other, view, card.controller, card) for other in view.cards.values()) for what in effect.requires
            )
        )

    def _timing_follows(self, event: TimingBegan, view: View) -> None:
        if not self.due or view.damage_step is None:
            return
        due, self.due = self.due, []
        used = {(link.card.id, link.effect) for link in view.activations if link.at > self.since}
        for card, effect in due:
            if (card.id, effect.number) not in used and card.id not in view.damage_step.replaced:
                self.fail(
                    expected=f"{card!r} activates its effect after damage calculation, though both monsters are destroyed",
                    happened=f"{TIMING_NAMES[event.timing]} began without it",
                    cards=(card.id,),
                    at=self.since,
                )


class Redirected(Oracle):
    """At stake when a monster leaves as destroyed by battle while a Spell or Trap redirects everything that would be sent to the
    Graveyard.
    """

    id = "BD-12"
    title = "Destroyed by battle, but redirected"
    statement = (
        "An effect that redirects what is sent to the Graveyard also redirects a monster destroyed by battle, as it leaves at the"
        " end of the Damage Step."
    )
    citations = (
        ("battle-phase-flow", "伤害步骤结束时"),
        ("damage-step-wiki-before", "6"),
        ("expert-2007", "4.C"),
    )
    needs = ("redirects",)

    def before_moved(self, event: Moved, view: View) -> None:
        if event.reason != "destroyed-by-battle" or event.to is None:
            return
        source = next(filter(_redirects_everything, view.passive_cards), None)
        if source is None or negation_in_play(view) or view.opaque_card() is not None or unknown_link(view):
            return
        self.stake()
        if event.to.zone == "graveyard":
            self.fail(
                expected=f"{source!r} keeps {view.name(event.card)} from going to the Graveyard",
                happened="it went there",
                cards=(event.card, source.id),
            )


def _redirects_everything(card: Card) -> bool:
    if "redirects" not in card.known.passive_categories or card.zone not in FIELD or not card.face_up:
        return False
    if "effects-negated" in card.statuses:
        return False
    return card.facts.type != "monster" and any(
        "redirects" in effect.categories and effect.subject is None and effect.condition is None and not effect.requires
        for effect in card.known.passive
    )


class EndOfDamageStepEffects(Oracle):
    """At stake when a monster with an effect for the end of the Damage Step leaves the field otherwise than by battle, before the
    end of the Damage Step.
    """

    id = "BD-13"
    title = "Effects of the end of the Damage Step"
    statement = (
        "An effect that a monster activates at the end of the Damage Step may still be activated after its destruction by battle,"
        " but not if it left the field earlier."
    )
    citations = (("battle-phase-flow", "伤害步骤结束时"),)

    def before_moved(self, event: Moved, view: View) -> None:
        step, card = view.damage_step, view.cards[event.card]
        if step is None or event.reason == "destroyed-by-battle" or view.timing == "damage-end" or not step.battles(card):
            return
        if any(_of_the_end(effect) for effect in card.facts.effects):
            self.stake()

    def on_activated(self, event: Activated, view: View) -> None:
        link, step = view.activations[-1], view.damage_step
        if link.facts is None or step is None or not _of_the_end(link.facts):
            return
        departure = step.left.get(event.card)
        if departure is not None and departure[0] != "destroyed-by-battle":
            self.fail(
                expected=f"{link.card!r} left the field before the end of the Damage Step, so its effect is not activated there",
                happened="it was activated",
                cards=(event.card,),
            )


def _of_the_end(effect: EffectFacts) -> bool:
    return (
        effect.kind == "trigger"
        and "damage-end" in effect.timings
        and effect.condition in {"battles", "attacks"}
        and effect.subject is None
    )


ORACLES: Final[tuple[type[Oracle], ...]] = (
    EffectsStop,
    NothingChanges,
    NoQuickEffects,
    NoCost,
    NoTarget,
    NoReturn,
    GoneBefore,
    Replaced,
    WhoDestroyed,
    BanishedInMutualDestruction,
    Redirected,
    EndOfDamageStepEffects,
)
