"""AT-8, AT-10, AT-13: what stops an attack that was declared, what does not, and what follows from its being stopped."""

from __future__ import annotations

from typing import Final

from engine_protocol.cards import EffectFacts
from engine_protocol.events import (
    AttackDeclared,
    AttackEnded,
    ChainEnded,
    Decided,
    LinkResolved,
    LinkResolving,
    LpChanged,
    Moved,
    PositionChanged,
    StatChanged,
    StatusChanged,
    TimingBegan,
)
from engine_protocol.vocabulary import FIELD
from oracles.oracle import Oracle, at
from oracles.permissions import could_end_attacks, links_since, may_attack_again, still_attacks
from oracles.view import Attack, Link, View

_KEEPS_ATTACKS: Final = frozenset(
    {"changes-atk-def", "changes-position", "draws", "damages", "recovers", "prevents-battle-damage"}
)


def forbids_declarations(effect: EffectFacts | None) -> bool:
    """Whether it says "cannot declare an attack": of the effects that prevent attacks, those about no monster in particular: no
    target, none that they Special Summon. What says "cannot attack" of many monsters shows as their status.
    """
    if effect is None or effect.target is not None or not effect.speed:
        return False
    return "prevents-attack" in effect.categories and "special-summons" not in effect.categories


class CannotAttack(Oracle):
    """Three-sided. An attacker that cannot attack any more must have been stopped before the next Chain Link resolves; after a
    "cannot declare an attack" the open attack must go on, and no other may be offered; in the Damage Step neither stops anything.
    """

    id = "AT-8"
    title = '"Cannot attack" and "cannot declare an attack"'
    statement = (
        "A monster that cannot attack any more is stopped at once, even in the middle of a chain, but not in the Damage Step."
        " That a player cannot declare attacks any more stops no attack that was declared."
    )
    citations = (("battle-phase-flow", "战斗步骤"),)
    needs = ("prevents-attack",)

    def prepare(self) -> None:
        self.to_stop: Attack | None = None
        self.outlasts: Attack | None = None
        self.forbidden_by: Link | None = None

    def on_status_changed(self, event: StatusChanged, view: View) -> None:
        attack = view.attack
        if event.status != "cannot-attack" or not event.active or attack is None or event.card != attack.attacker:
            return
        if attack.in_damage_step:
            self.stake()
            self.outlasts = attack
        elif attack.declared_at is not None:
            self.stake()
            self.to_stop = attack
            self.at_next_timing(self._timing_follows)

    def before_link_resolving(self, event: LinkResolving, view: View) -> None:
        self._must_have_stopped(view)

    def on_chain_ended(self, event: ChainEnded, view: View) -> None:
        self._must_have_stopped(view)
        for link in view.last_chain:
            if link.player != view.turn_player and link.outcome == "resolved" and forbids_declarations(link.facts):
                self.forbidden_by = link
                attack = view.attack
                if attack is not None and attack.declared_at is not None and not attack.in_damage_step:
                    self.stake()

    def _timing_follows(self, event: TimingBegan, view: View) -> None:
        self._must_have_stopped(view)

    def _must_have_stopped(self, view: View) -> None:
        if self.to_stop is not None and self.to_stop is view.attack:
            self.fail(
                expected=f"{view.name(self.to_stop.attacker)} cannot attack any more, so its attack stops there",
                happened="the attack went on",
                cards=(self.to_stop.attacker,),
            )
        self.to_stop = None

    def on_attack_ended(self, event: AttackEnded, view: View) -> None:
        attack = view.attacks[-1] if view.attacks else None
        if attack is None or event.reason not in {"stopped", "negated"}:
            return
        if attack is self.outlasts:
            self._stopped(attack, "it cannot attack only since the Damage Step", view)
        elif attack.declared_at is not None and not attack.in_damage_step and self._only_declarations_forbidden(attack, view):
            self._stopped(attack, "it had been declared before declarations were forbidden", view)

    def _only_declarations_forbidden(self, attack: Attack, view: View) -> bool:
        links = links_since(view, attack.declared_at or 0)
        return (
            any(forbids_declarations(link.facts) and link.outcome == "resolved" for link in links)
            and all(forbids_declarations(link.facts) or not could_end_attacks(link) for link in links)
            and still_attacks(view, attack) is True
            and may_attack_again(view, view.cards[attack.attacker]) is False
            and view.opaque_card() is None
        )

    def _stopped(self, attack: Attack, why: str, view: View) -> None:
        self.fail(
            expected=f"the attack of {view.name(attack.attacker)} goes on: {why}",
            happened="the attack was stopped",
            cards=(attack.attacker,),
        )

    def on_action(self, event: Decided, view: View) -> None:
        if self.forbidden_by is None:
            return
        if view.monsters[view.turn_player]:
            self.stake()
        offered = next((option.card for option in event.decision.options if option.kind == "attack"), None)
        if offered is not None:
            self.fail(
                expected=f"after {self.forbidden_by.card!r} the turn player cannot declare an attack any more",
                happened=f"an attack of {view.name(offered)} was offered",
                cards=(offered, self.forbidden_by.card.id),
            )


class NoLongerAttacking(Oracle):
    """An effect that targets the attacking monster, and resolves after its attack has ended, must neither move it nor deal the
    damage that it deals for having negated the attack.
    """

    id = "AT-10"
    title = "No longer the attacking monster"
    statement = (
        "Once its attack has been negated or stopped, a monster is no longer the attacking monster: effects on the attacking"
        " monster that are still to resolve do nothing to it."
    )
    citations = (("battle-phase-flow", "战斗步骤"),)

    def prepare(self) -> None:
        self.too_late: Link | None = None

    def before_link_resolving(self, event: LinkResolving, view: View) -> None:
        link = view.chain[event.link - 1]
        self.too_late = link if self._is_too_late(link, view) else None
        if self.too_late is not None:
            self.stake()

    def on_link_resolved(self, event: LinkResolved, view: View) -> None:
        self.too_late = None

    def before_moved(self, event: Moved, view: View) -> None:
        link = self.too_late
        if link is not None and event.card in link.targets and event.origin.zone in FIELD:
            self._fail(link, event.card, f"{link.card!r} moved it", view)

    def on_lp_changed(self, event: LpChanged, view: View) -> None:
        link = self.too_late
        if link is None or link.facts is None or event.reason != "effect-damage":
            return
        if "negates-attack" in link.facts.categories:
            self._fail(link, link.targets[0], f"{link.card!r} dealt its damage", view)

    @staticmethod
    def _is_too_late(link: Link, view: View) -> bool:
        target = link.facts.target if link.facts is not None else None
        if target is None or target.filter.role != "attacker" or not link.targets:
            return False
        attack = next((attack for attack in reversed(view.attacks) if attack.chosen_at < link.at), None)
        if attack is None or attack.attacker != link.targets[0] or attack.ended not in {"stopped", "negated"}:
            return False
        return attack.ended_at is not None and attack.ended_at > link.at

    def _fail(self, link: Link, card: int, happened: str, view: View) -> None:
        self.fail(
            expected=f"{view.name(card)} is not the attacking monster any more, so {link.card!r} does nothing to it",
            happened=happened,
            cards=(link.card.id, card),
        )


class ChangesThatStopNothing(Oracle):
    """At stake when a battling monster's ATK or DEF, or the target's position, changed before the Damage Step. Silent if anything
    else was activated that might end the attack.
    """

    id = "AT-13"
    title = "Changes that stop no attack"
    statement = "A change of ATK or DEF, or of the target's battle position or face, does not stop the attack."
    citations = (("duel-arena-wiki", "バトルステップ"),)
    everywhere = True

    def prepare(self) -> None:
        self.changed: int | None = None

    def on_attack_declared(self, event: AttackDeclared, view: View) -> None:
        self.changed = None

    def on_stat_changed(self, event: StatChanged, view: View) -> None:
        attack = self._open(view)
        if attack is not None and event.card in (attack.attacker, attack.target):
            self.changed = event.card

    def on_position_changed(self, event: PositionChanged, view: View) -> None:
        attack = self._open(view)
        if attack is not None and event.card == attack.target:
            self.changed = event.card

    @staticmethod
    def _open(view: View) -> Attack | None:
        attack = view.attack
        return attack if attack is not None and attack.declared_at is not None and not attack.in_damage_step else None

    @at("damage-start")
    def on_timing_began(self, event: TimingBegan, view: View) -> None:
        if self.changed is not None:
            self.stake()
        self.changed = None

    def on_attack_ended(self, event: AttackEnded, view: View) -> None:
        changed, self.changed = self.changed, None
        attack = view.attacks[-1] if view.attacks else None
        if changed is None or attack is None or event.reason not in {"stopped", "negated", "no-battle"}:
            return
        links = links_since(view, attack.declared_at or 0)
        if (
            all(link.facts is not None and link.facts.categories and link.facts.categories <= _KEEPS_ATTACKS for link in links)
            and still_attacks(view, attack) is True
            and (attack.target is None or view.present(attack.target_key))
            and may_attack_again(view, view.cards[attack.attacker]) is False
            and view.opaque_card() is None
        ):
            self.stake()
            self.fail(
                expected=f"the attack goes on: {view.name(changed)} only changed its ATK, DEF or position",
                happened="the attack ended",
                cards=tuple({attack.attacker, changed}),
            )


ORACLES: Final[tuple[type[Oracle], ...]] = (CannotAttack, NoLongerAttacking, ChangesThatStopNothing)
