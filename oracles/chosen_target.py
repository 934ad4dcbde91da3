"""AT-9: a target that cannot be selected any more stays the target."""

from __future__ import annotations

from typing import Final

from engine_protocol.events import (
    AttackDeclared,
    AttackEnded,
    AttackTargetChosen,
    ControlChanged,
    Moved,
    ReplayBegan,
    StatusChanged,
    TimingBegan,
    TokenCreated,
)
from engine_protocol.vocabulary import MONSTER_ZONES, SPELL_TRAP_ZONES
from oracles.oracle import Oracle, at
from oracles.permissions import links_since, may_attack_again, still_attacks
from oracles.replay import replay_due
from oracles.view import Attack, Link, View

_NO_BEARING: Final = frozenset(
    {"changes-atk-def", "changes-position", "draws", "damages", "recovers", "prevents-battle-damage", "special-summons"}
    | {"creates-tokens"}
)
"""What an effect may do without any bearing on who may attack whom; monsters that come and go show in the trace."""

_OF_THE_TARGET: Final = frozenset({"cannot-attack", "effects-negated"})
"""What may befall the target besides: neither is about being attacked."""


class ChosenTargetStays(Oracle):
    """Two-sided: after the status the attack may not be rewound, nor stopped, unless something else could be the reason. At stake
    where the attack reaches the Damage Step. Silent if monsters came or left, also if they are the same again, if a monster
    changed sides, if another status began or ended, if a face-up Spell or Trap left that may have limited who attacks whom, or if
    an effect was activated that may stop attacks, other than one that negates the target's effects.
    """

    id = "AT-9"
    title = "A target that cannot be selected any more"
    statement = (
        "A monster that cannot be selected as an attack target since it was selected stays the target: that neither stops the"
        " attack nor causes a replay."
    )
    citations = (("battle-phase-flow", "战斗步骤的卷回"),)
    needs = ("prevents-attack",)

    def prepare(self) -> None:
        self.unselectable: Attack | None = None
        self.doubtful = False

    def on_attack_declared(self, event: AttackDeclared, view: View) -> None:
        self.prepare()

    def on_attack_target_chosen(self, event: AttackTargetChosen, view: View) -> None:
        self.prepare()

    def on_status_changed(self, event: StatusChanged, view: View) -> None:
        attack = view.attack
        if attack is None or attack.declared_at is None or attack.in_damage_step:
            return
        about_target = event.active and event.card is not None and event.card == attack.target
        if about_target and event.status == "cannot-be-attacked":
            self.unselectable = attack
        elif not about_target or event.status not in _OF_THE_TARGET:
            self.doubtful = True

    def on_control_changed(self, event: ControlChanged, view: View) -> None:
        self.doubtful = True

    def on_token_created(self, event: TokenCreated, view: View) -> None:
        self.doubtful = True

    def on_moved(self, event: Moved, view: View) -> None:
        came = event.to is not None and event.to.zone in MONSTER_ZONES
        if came or event.origin.zone in MONSTER_ZONES:
            self.doubtful = True
        if event.origin.zone in SPELL_TRAP_ZONES and event.origin.position == "face-up":
            self.doubtful = self.doubtful or not view.cards[event.card].known.categories <= _NO_BEARING

    def before_replay_began(self, event: ReplayBegan, view: View) -> None:
        attack = view.attack
        if attack is not None and attack is self.unselectable:
            self._must_go_on(attack, "the attack was rewound", view)

    def on_attack_ended(self, event: AttackEnded, view: View) -> None:
        attack = view.attacks[-1] if view.attacks else None
        if attack is not None and attack is self.unselectable and event.reason in {"stopped", "negated"}:
            self._must_go_on(attack, "the attack was stopped", view)

    @at("damage-start")
    def before_timing_began(self, event: TimingBegan, view: View) -> None:
        if self.unselectable is not None and self.unselectable is view.attack:
            self.stake()
        self.unselectable = None

    def _must_go_on(self, attack: Attack, happened: str, view: View) -> None:
        if (
            not self.doubtful
            and not replay_due(view, attack)
            and still_attacks(view, attack) is True
            and all(_leaves_the_attack(link, attack) for link in links_since(view, attack.declared_at or 0))
            and may_attack_again(view, view.cards[attack.attacker]) is False
            and view.opaque_card() is None
        ):
            self.stake()
            self.fail(
                expected=f"the attack goes on: {view.name(attack.target)} had been selected before it could not be any more",
                happened=happened,
                cards=(attack.attacker, *(() if attack.target is None else (attack.target,))),
            )


def _leaves_the_attack(link: Link, attack: Attack) -> bool:
    """Whether the link's effect neither stops an attack nor changes who may attack whom, the status of the target aside."""
    if link.facts is None or not link.facts.categories:
        return False
    if link.facts.categories <= _NO_BEARING:
        return True
    return "negates-effect" in link.facts.categories and link.target_keys == (attack.target_key,)


ORACLES: Final[tuple[type[Oracle], ...]] = (ChosenTargetStays,)
