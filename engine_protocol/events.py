"""Events: what happened, complete enough to fold the board forward.

Cards are named by instance id. Places are :class:`Place` values. Every event is a small frozen struct tagged by its kebab-case
name; a trace is a sequence of them.
"""

from __future__ import annotations

from msgspec import Struct, field

from engine_protocol.decisions import Decision
from engine_protocol.vocabulary import (
    AttackEnd,
    EndReason,
    FlipReason,
    LpReason,
    MoveReason,
    Outcome,
    Player,
    Position,
    Status,
    Timing,
    Zone,
)


class Place(Struct, frozen=True, gc=False, omit_defaults=True):
    """Where a card is: whose side (controller on the field, owner elsewhere), which zone, which of the equal zones (from 0)."""

    player: Player
    zone: Zone
    index: int = 0
    position: Position = "face-up"


def _kebab(name: str) -> str:
    return "".join("-" + char.lower() if char.isupper() else char for char in name).lstrip("-")


class _Event(Struct, frozen=True, gc=False, omit_defaults=True, tag_field="event", tag=_kebab):
    """Base of all events."""


class TimingBegan(_Event, frozen=True):
    """The duel entered a window. Re-entering ``battle-step`` after an attack, and ``after-declaration``, are reported too."""

    timing: Timing


class Decided(_Event, frozen=True):
    """A decision was taken. ``chosen`` is the index of the option. ``forced``: it had one option, so nobody was asked."""

    decision: Decision
    chosen: int = 0
    forced: bool = False


class AttackerChosen(_Event, frozen=True):
    """The turn player chose a monster to attack with; costs and the target follow."""

    attacker: int


class AttackDeclared(_Event, frozen=True):
    """The declaration: the target is fixed now. ``target`` is None for a direct attack."""

    attacker: int
    target: int | None = None


class ReplayBegan(_Event, frozen=True):
    """The attack is rewound: the turn player chooses again."""

    attacker: int


class AttackTargetChosen(_Event, frozen=True):
    """The attack has a new target, chosen in a replay or by an effect. It is no declaration: where a ruleset has the choice in a
    replay as a new one, ``attack-declared`` comes in its place. None: direct.
    """

    attacker: int
    target: int | None = None


class AttackEnded(_Event, frozen=True):
    """The attack is over, and why. ``battled`` and ``no-battle`` come at the close of the Damage Step; where an effect performed
    damage calculation while it resolved, after it has resolved.
    """

    attacker: int
    reason: AttackEnd


class Activated(_Event, frozen=True):
    """A card or effect was activated and is now Chain Link ``link`` (from 1); costs are paid, ``targets`` chosen.

    ``as_card``: the activation of a Spell/Trap Card itself. ``place``: where the card was when it was activated.
    ``trigger``: it is a Trigger Effect whose condition was met by the event before.
    """

    link: int
    player: Player
    card: int
    effect: int
    place: Place
    targets: tuple[int, ...] = ()
    as_card: bool = False
    trigger: bool = False


class LinkResolving(_Event, frozen=True):
    """Chain Link ``link`` begins to resolve; what follows up to ``link-resolved`` is its doing."""

    link: int


class LinkResolved(_Event, frozen=True):
    """Chain Link ``link`` has been dealt with."""

    link: int
    outcome: Outcome = "resolved"


class ChainEnded(_Event, frozen=True):
    """All links of the chain have been dealt with, used cards have been sent."""


class Moved(_Event, frozen=True):
    """A card went from one place to another. A token that leaves the field has no ``to``."""

    card: int
    origin: Place
    to: Place | None
    reason: MoveReason


class TokenCreated(_Event, frozen=True):
    """A token came into being. ``card`` is its new instance id."""

    card: int
    passcode: int
    owner: Player
    to: Place
    atk: int
    def_: int = field(name="def")


class PositionChanged(_Event, frozen=True):
    """A monster on the field changed its battle position or face; a flip is a change from ``face-down-defense``."""

    card: int
    before: Position
    after: Position
    reason: FlipReason


class ControlChanged(_Event, frozen=True):
    """A card on the field changed sides."""

    card: int
    origin: Place
    to: Place


class Equipped(_Event, frozen=True):
    """``card`` is now equipped to the monster ``to``."""

    card: int
    to: int


class MaterialDetached(_Event, frozen=True):
    """``card`` lost one of its Xyz Materials, which went to its owner's Graveyard: a card with the passcode ``material``.
    Materials have no instance ids, so no other event speaks of it.
    """

    card: int
    material: int


class StatChanged(_Event, frozen=True):
    """The current ATK/DEF of a face-up monster are now these."""

    card: int
    atk: int
    def_: int = field(name="def")


class StatusChanged(_Event, frozen=True):
    """A lasting condition began or ended for a monster (``card``) or for a player (``player``)."""

    status: Status
    active: bool
    card: int | None = None
    player: Player | None = None


class LpChanged(_Event, frozen=True):
    """A player's Life Points changed by ``amount`` (negative for a loss) to ``total``."""

    player: Player
    amount: int
    total: int
    reason: LpReason


class DamageCalculated(_Event, frozen=True):
    """Damage calculation was performed.

    ``attacker_value`` and ``target_value`` are the numbers compared; ``attacker_uses_def`` for a monster that attacks in Defense
    Position; ``target_uses_def`` when the target is in Defense Position. ``damage`` is the battle damage Player A and Player B
    take, after every modification.
    """

    attacker: int
    target: int | None
    attacker_value: int
    target_value: int | None
    damage: tuple[int, int]
    attacker_uses_def: bool = False
    target_uses_def: bool = False


class DeterminedDestroyed(_Event, frozen=True):
    """It is fixed now that this monster is destroyed by battle; it is still on the field."""

    card: int


class DestructionReplaced(_Event, frozen=True):
    """``substitute`` will go instead of ``card`` (``card`` itself where its own material or counter goes)."""

    card: int
    substitute: int


class BattlePhaseEnded(_Event, frozen=True):
    """Both players passed in the End Step: Main Phase 2 would follow."""


class DuelEnded(_Event, frozen=True):
    """The duel is over. ``winner`` is None for a draw."""

    winner: Player | None
    reason: EndReason


Event = (
    TimingBegan
    | Decided
    | AttackerChosen
    | AttackDeclared
    | ReplayBegan
    | AttackTargetChosen
    | AttackEnded
    | Activated
    | LinkResolving
    | LinkResolved
    | ChainEnded
    | Moved
    | TokenCreated
    | PositionChanged
    | ControlChanged
    | Equipped
    | MaterialDetached
    | StatChanged
    | StatusChanged
    | LpChanged
    | DamageCalculated
    | DeterminedDestroyed
    | DestructionReplaced
    | BattlePhaseEnded
    | DuelEnded
)
