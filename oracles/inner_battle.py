"""EC: damage calculation performed while an effect resolves."""

from __future__ import annotations

from typing import Final

from engine_protocol.events import (
    AttackEnded,
    AttackTargetChosen,
    ChainEnded,
    Decided,
    DestructionReplaced,
    LinkResolved,
    LinkResolving,
    Moved,
    ReplayBegan,
    TimingBegan,
)
from engine_protocol.vocabulary import DAMAGE_STEP_TIMINGS, TIMING_NAMES, Timing
from oracles.oracle import Oracle, at, leaving, while_resolving
from oracles.permissions import ends_battle_phase, still_attacks
from oracles.view import DamageStep, Link, View

_INSIDE: Final[tuple[Timing, ...]] = ("damage-start", "before-calculation", "during-calculation")
_CHANCES: Final = frozenset({"action", "priority", "response", "trigger"})
_CITATION: Final = (("battle-phase-flow", "效果处理中进行伤害计算"),)
_IN_BOTH: Final = (*_CITATION, ("expert-2007", "異次元トンネル－ミラーゲート－"))
_NEEDS: Final = ("damage-calculation",)


def inner(view: View) -> tuple[DamageStep, Link] | None:
    """The Damage Step that runs, with the link in which it began, if it began inside an effect."""
    step = view.damage_step
    return None if step is None or step.inside is None else (step, step.inside)


def resolving_inner(view: View) -> tuple[DamageStep, Link] | None:
    """The same, while the chain of that link still resolves."""
    found = inner(view)
    return found if found is not None and view.chain_resolving and found[1].chain == view.chain_number else None


class BattleInside(Oracle):
    """An effect that aims the open attack anew, and whose facts say that it performs damage calculation, must come to it while it
    resolves; and until its chain has resolved no player may be given a chance to activate anything. At stake at each such effect.
    """

    id = "EC-1"
    title = "A battle inside an effect"
    statement = (
        "An effect that performs damage calculation goes through the start of the Damage Step, before and during damage"
        " calculation while it resolves. Nothing can be activated there."
    )
    citations = _IN_BOTH
    needs = _NEEDS

    def prepare(self) -> None:
        self.aimed = False

    def on_link_resolving(self, event: LinkResolving, view: View) -> None:
        self.aimed = False

    def on_attack_target_chosen(self, event: AttackTargetChosen, view: View) -> None:
        link, attack = view.resolving, view.attack
        if link is not None and link.facts is not None and "damage-calculation" in link.facts.categories and attack is not None:
            self.aimed = bool(still_attacks(view, attack)) and view.present(attack.target_key)

    @at("damage-start")
    def on_timing_began(self, event: TimingBegan, view: View) -> None:
        if view.resolving is not None:
            self.stake()

    def on_link_resolved(self, event: LinkResolved, view: View) -> None:
        found = resolving_inner(view)
        step = found[0] if found is not None and found[1] is view.chain[event.link - 1] else None
        if step is not None and step.calculation is not None and tuple(step.timings[:3]) != _INSIDE:
            self._fail(view, event.link, "it did not go through all of its timings")
        elif self.aimed and (step is None or step.calculation is None):
            self.stake()
            self._fail(view, event.link, "the effect resolved without it")
        self.aimed = False

    @while_resolving
    def before_decided(self, event: Decided, view: View) -> None:
        found = resolving_inner(view)
        if found is not None and view.resolving is found[1] and event.decision.kind in _CHANCES:
            self._fail(view, found[1].number, "a player was given a chance to activate something on the way")

    def _fail(self, view: View, link: int, happened: str) -> None:
        card = view.chain[link - 1].card
        self.fail(
            expected=f"damage calculation takes place while the effect of {card!r} resolves, without any activation",
            happened=happened,
            cards=(card.id,),
        )


class AfterTheEffect(Oracle):
    """When the effect has resolved, the timing after damage calculation must begin before the next link resolves, and what was
    decided to go instead of a monster must go; or, by the ruleset, it must not begin before the whole chain has resolved. The
    rest of the chain resolves before anybody is asked for a Trigger or an activation, which still happens at that timing. At
    stake at each battle inside an effect.
    """

    id = "EC-2"
    title = "What follows a battle inside an effect"
    statement = (
        "When the effect in which a battle took place has resolved, what follows from the calculation without a chain is done at"
        " once. Then the rest of the chain resolves, and only then what the battle or the chain has triggered makes one chain,"
        " after damage calculation, before the end of the Damage Step. By older documents all of it waits for the whole chain."
    )
    citations = _IN_BOTH
    needs = _NEEDS

    def prepare(self) -> None:
        self.substitute: int | None = None

    def on_substitute(self, event: Decided, view: View) -> None:
        decision = event.decision
        found = resolving_inner(view)
        if found is not None and view.resolving is found[1] and decision.options[event.chosen].kind in {"card", "yes"}:
            self.substitute = decision.source

    def on_destruction_replaced(self, event: DestructionReplaced, view: View) -> None:
        if event.card == self.substitute:
            self.substitute = None

    def before_link_resolving(self, event: LinkResolving, view: View) -> None:
        self._goes_on(view)

    def before_chain_ended(self, event: ChainEnded, view: View) -> None:
        if resolving_inner(view) is not None:
            self.stake()
        self._goes_on(view)

    def _goes_on(self, view: View) -> None:
        found = resolving_inner(view)
        if found is None or found[1].outcome is None:
            return
        if view.ruleset.inner_battle_closes == "after-the-chain":
            if view.timing == "after-calculation":
                self._fail(view, found[1], "the timing after damage calculation had begun before the whole chain had resolved")
        elif view.timing != "after-calculation":
            self._fail(view, found[1], "the timing after damage calculation had not begun")
        elif self.substitute is not None:
            self._fail(view, found[1], f"nothing had gone instead of {view.name(self.substitute)} yet")
        self.substitute = None

    @while_resolving
    def before_decided(self, event: Decided, view: View) -> None:
        found = resolving_inner(view)
        if found is not None and view.resolving is not found[1] and event.decision.kind in _CHANCES:
            self._fail(view, found[1], "a player was asked for an activation before the rest of the chain had resolved")

    @staticmethod
    def _order(view: View) -> str:
        if view.ruleset.inner_battle_closes == "at-once":
            return "what follows at once, the rest of the chain, Triggers"
        return "the rest of the chain, and then what follows"

    def _fail(self, view: View, link: Link, happened: str) -> None:
        self.fail(
            expected=f"after the battle in the effect of {link.card!r}: {self._order(view)}",
            happened=happened,
            cards=(link.card.id,),
        )


class AttackIsOver(Oracle):
    """The attack in whose place the battle was fought must neither be rewound, negated nor stopped, nor come to another Damage
    Step, and effects on the attacking monster find none. At stake at each battle inside an effect, and once more for each link
    that resolves after it and was aimed at the attacking monster.
    """

    id = "EC-3"
    title = "The original attack is over"
    statement = (
        "When a battle took place inside an effect, the attack that was declared is over as soon as that effect has resolved:"
        " what resolves after it finds no attacking monster, and there is no replay and no other battle."
    )
    citations = _CITATION
    needs = _NEEDS

    def prepare(self) -> None:
        self.fought: int | None = None
        self.over: int | None = None
        self.aimed: frozenset[int] = frozenset()

    def on_link_resolved(self, event: LinkResolved, view: View) -> None:
        self.aimed = frozenset()
        found = resolving_inner(view)
        if found is None or found[1] is not view.chain[event.link - 1]:
            return
        step = found[0]
        if step.calculation is not None and step.attacker_key is not None:
            self.stake()
            self.fought = self.over = step.attacker_key[0]
            self.at_next_timing(self._timing_follows)

    def on_link_resolving(self, event: LinkResolving, view: View) -> None:
        link = view.resolving
        if self.fought is None or resolving_inner(view) is None:
            return
        if link is None or link.facts is None or link.facts.target is None:
            return
        if link.facts.target.filter.role == "attacker" and not link.facts.target.filter.zones:
            self.stake()
            self.aimed = frozenset(link.targets)

    def on_moved(self, event: Moved, view: View) -> None:
        if event.card in self.aimed:
            self._fail(view, f"{view.name(event.card)} was still dealt with as the attacking monster")

    def before_attack_ended(self, event: AttackEnded, view: View) -> None:
        again = view.attack is None and event.attacker == self.over
        if again or (event.attacker == self.fought and event.reason in {"negated", "stopped", "given-up"}):
            self._fail(view, f"it ended again: {event.reason}")

    def before_replay_began(self, event: ReplayBegan, view: View) -> None:
        if event.attacker == self.fought:
            self._fail(view, "it was rewound")

    def _timing_follows(self, event: TimingBegan, view: View) -> None:
        if self.fought is None:
            return
        if event.timing in {"declaration", "after-declaration", "damage-start"} and inner(view) is not None:
            self._fail(view, f"play went back to: {TIMING_NAMES[event.timing]}")
        elif event.timing in {"battle-step", "end-step"}:
            self.fought = None
            return
        self.at_next_timing(self._timing_follows)

    def _fail(self, view: View, happened: str) -> None:
        fought = self.over
        self.fail(
            expected=f"the attack of {view.name(fought)} is over, for its battle took place inside an effect",
            happened=happened,
            cards=() if fought is None else (fought,),
        )


class DestroyedAfterTheChain(Oracle):
    """At stake when a battle inside an effect has determined a monster destroyed that is there when its chain ends."""

    id = "EC-4"
    title = "The destroyed leave after the whole chain"
    statement = (
        "Monsters that a battle inside an effect destroys stay on the field until the whole chain has resolved and the end of the"
        " Damage Step begins. Then play returns to the Battle Step."
    )
    citations = _IN_BOTH
    needs = _NEEDS

    def before_moved(self, event: Moved, view: View) -> None:
        if inner(view) is None or event.reason != "destroyed-by-battle":
            return
        if view.chain_resolving or view.timing != "damage-end":
            self.stake()
            self._fail(view, event.card, "it left before that")

    def on_chain_ended(self, event: ChainEnded, view: View) -> None:
        found = inner(view)
        if found is not None and "damage-end" not in found[0].timings and self._still_there(view, found[0]):
            self.stake()

    @leaving(*DAMAGE_STEP_TIMINGS)
    @at("battle-step", "end-step")
    def before_timing_began(self, event: TimingBegan, view: View) -> None:
        found = inner(view)
        if found is None or ends_battle_phase(view):
            return
        there = self._still_there(view, found[0])
        if there:
            self._fail(view, there[0], f"it was still there when play went on to: {TIMING_NAMES[event.timing]}")

    def _still_there(self, view: View, step: DamageStep) -> list[int]:
        return [key[0] for key in step.determined if view.present(key) and view.cards[key[0]].determined]

    def _fail(self, view: View, card: int, happened: str) -> None:
        self.fail(
            expected=f"{view.name(card)} leaves the field at the end of the Damage Step, after the whole chain",
            happened=happened,
            cards=(card,),
        )


ORACLES: Final[tuple[type[Oracle], ...]] = (BattleInside, AfterTheEffect, AttackIsOver, DestroyedAfterTheChain)
