"""A card in a running duel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine_protocol.board import BoardCard
from engine_protocol.cards import CardFacts
from engine_protocol.events import Place
from engine_protocol.vocabulary import FIELD, MONSTER_ZONES, Player, Position, Status, Zone

if TYPE_CHECKING:
    from reference_engine.behaviour import CardBehaviour
    from reference_engine.stats import Grant, Modifier


class Card:
    """One instance of a card: where it is and everything that goes on with it while it stays there.

    ``incarnation`` goes up each time it leaves the field: a monster that leaves and returns is another monster.
    ``came_from``   where it was before it came where it is
    ``determined``  it is determined that it is destroyed by battle (BD)
    ``modifiers``   what changes its ATK/DEF, in the order applied
    ``attacked``    the targets of the attacks it declared in this Battle Phase (None: direct)
    ``met``         the monsters those attacks were aimed at, as (instance id, incarnation)
    ``has_attacked`` it has entered a Damage Step as the attacker
    ``battled``     it has battled in this Battle Phase; ``victims`` what it destroyed by battle and sent to the Graveyard, as
                    cards with their incarnation there
    ``gained``      categories of continuous effects that an effect gave it
    ``granted``     further attacks in a row that an effect allows it right now
    ``grants``      lasting conditions applied to it; ``statuses`` are those that count now
    ``shield``      the card that makes it unaffected by other Spells/Traps
    ``equipped_to`` the monster this card is equipped to, or bound to (Call of the Haunted, Fiendish Chain)
    ``left_with``   the ATK and DEF it had when it left the field last
    ``lenders``     its Equip Cards whose effects apply to it now
    ``used``        which of its effects were used up, and until when
    """

    __slots__ = (
        "_place",
        "atk",
        "attacked",
        "base_atk",
        "base_def",
        "battled",
        "behaviour",
        "came_from",
        "controller",
        "counters",
        "def_",
        "determined",
        "equipped_to",
        "face_up",
        "facts",
        "gained",
        "granted",
        "grants",
        "has_attacked",
        "id",
        "incarnation",
        "index",
        "left_with",
        "lenders",
        "materials",
        "met",
        "modifiers",
        "negated_by_battle",
        "owner",
        "position",
        "printed",
        "shield",
        "statuses",
        "turn_set",
        "turn_summoned",
        "used",
        "victims",
        "zone",
    )

    def __init__(self, board_card: BoardCard, facts: CardFacts, behaviour: CardBehaviour) -> None:
        self.id = board_card.id
        self.facts = facts
        self.behaviour = behaviour
        self.owner: Player = board_card.owner
        self.controller: Player = board_card.side
        self.zone: Zone = board_card.zone
        self.index = board_card.index
        self.position: Position = board_card.position
        self.face_up = self.position[:7] == "face-up"
        self.turn_set = board_card.turn_set
        self.turn_summoned = board_card.turn_summoned
        self.counters = dict(board_card.counters)
        self.materials = board_card.materials
        self.printed = board_card
        self.base_atk = (facts.atk or 0) if board_card.atk is None else board_card.atk
        self.base_def = (facts.def_ or 0) if board_card.def_ is None else board_card.def_
        self.atk = self.base_atk
        self.def_ = self.base_def
        self.equipped_to: Card | None = None
        self.lenders: tuple[Card, ...] = ()
        self.gained: frozenset[str] = frozenset()
        self.incarnation = 0
        self.determined = False
        self.negated_by_battle = False
        self.modifiers: list[Modifier] = []
        self.grants: list[Grant] = []
        self.statuses: frozenset[Status] = frozenset()
        self.shield: Card | None = None
        self.used: set[object] = set()
        self.attacked: list[int | None] = []
        self.met: set[tuple[int, int]] = set()
        self.has_attacked = False
        self.battled = False
        self.victims: list[tuple[Card, int]] = []
        self.granted = 0
        self.left_with = (0, 0)
        self.came_from: Place | None = None
        self._place: Place | None = None

    @property
    def place(self) -> Place:
        """Where it is now."""
        if self._place is None:
            self._place = Place(self.controller, self.zone, self.index, self.position)
        return self._place

    def put(self, controller: Player, zone: Zone, index: int, position: Position) -> None:
        """Set where it is; nothing else follows from that."""
        self.controller = controller
        self.zone = zone
        self.index = index
        self.position = position
        self.face_up = position[:7] == "face-up"
        self._place = None

    @property
    def on_field(self) -> bool:
        """Whether it is on the field."""
        return self.zone in FIELD

    @property
    def is_monster_on_field(self) -> bool:
        """Whether it stands in a Monster Zone."""
        return self.zone in MONSTER_ZONES

    @property
    def in_attack_position(self) -> bool:
        """Whether it is in Attack Position."""
        return self.position == "face-up-attack"

    @property
    def active(self) -> bool:
        """Whether its continuous effects apply: face-up on the field, not negated, and not determined destroyed (BD-1)."""
        return self.face_up and self.zone in FIELD and not self.determined and "effects-negated" not in self.statuses

    @property
    def effects_are_negated(self) -> bool:
        """Whether something negates its effects on the field, its destroyer included."""
        return self.negated_by_battle or "effects-negated" in self.statuses

    def has(self, category: str) -> bool:
        """Whether a continuous effect of this category applies to it: its own, one that it gained, or one of its Equip Cards."""
        return (
            (category in self.behaviour.categories and self.active)
            or category in self.gained
            or (bool(self.lenders) and any(category in lender.behaviour.categories for lender in self.lenders))
        )

    def forget(self) -> None:
        """It left the field (or was turned face-down): what was applied to it is over."""
        self.left_with = (self.atk, self.def_)
        self.modifiers = []
        self.grants = []
        self.lenders = ()
        self.gained = frozenset()
        self.statuses = frozenset()
        self.shield = None
        self.determined = False
        self.negated_by_battle = False
        self.used = set()
        self.attacked = []
        self.met = set()
        self.has_attacked = False
        self.battled = False
        self.victims = []
        self.granted = 0
        self.counters = {}
        if not self.on_field:
            self.materials = ()
        self.equipped_to = None
        self.turn_set = None
        self.turn_summoned = None
        self.base_atk = (self.facts.atk or 0) if self.printed.atk is None else self.printed.atk
        self.base_def = (self.facts.def_ or 0) if self.printed.def_ is None else self.printed.def_
        self.atk = self.base_atk
        self.def_ = self.base_def

    def __repr__(self) -> str:
        return f"<{self.id} {self.facts.name} {self.zone}>"
