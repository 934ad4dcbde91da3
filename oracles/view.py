"""The duel as an oracle sees it: a trace folded forward, once for all oracles.

The view believes every event and draws no conclusions; whether an event was allowed is for the oracles to say. Only what cannot
be folded at all (a card nobody has heard of, a Chain Link that does not exist) breaks it: then :class:`BrokenTrace` is raised
by the event's check, and nothing after that event can be judged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, ClassVar, Final

from engine_protocol.board import BoardCard
from engine_protocol.cards import CardFacts, CardPool, EffectFacts, card_pool
from engine_protocol.events import (
    Activated,
    AttackDeclared,
    AttackEnded,
    AttackerChosen,
    AttackTargetChosen,
    BattlePhaseEnded,
    ChainEnded,
    ControlChanged,
    DamageCalculated,
    Decided,
    DestructionReplaced,
    DeterminedDestroyed,
    DuelEnded,
    Equipped,
    Event,
    LinkResolved,
    LinkResolving,
    LpChanged,
    MaterialDetached,
    Moved,
    Place,
    PositionChanged,
    ReplayBegan,
    StatChanged,
    StatusChanged,
    TimingBegan,
    TokenCreated,
)
from engine_protocol.rulesets import RULESETS, Ruleset, documents_for, ruleset_named
from engine_protocol.trace import Trace
from engine_protocol.vocabulary import (
    DAMAGE_STEP_TIMINGS,
    FIELD,
    MONSTER_ZONES,
    SPELL_TRAP_ZONES,
    AttackEnd,
    MoveReason,
    Outcome,
    Player,
    Position,
    Status,
    Timing,
    Zone,
    opponent,
)
from oracles.damage_step_kinds import allowances, damage_step_kind

Key = tuple[int, int]
"""One stay of a card on the field: its instance id and its incarnation. A monster that left and came back is another one."""

_DAMAGE_STEP: Final[frozenset[str]] = frozenset(DAMAGE_STEP_TIMINGS)
_NO_MOVES: Final = frozenset({"substitute", "to-end-step"})
"""Decisions that are nobody's move in a window: what goes instead of a monster, and where two passes lead."""


_DOCUMENTS: Final = {name: documents_for(ruleset) for name, ruleset in RULESETS.items()}


class BrokenTrace(Exception):
    """An event speaks of something that does not exist; the message is a sentence for the engine's author."""


class Known:
    """What is looked up once per card of the pool.

    ``quick``    effects that are no Triggers and could start or join a chain in the Battle Phase, by the zone they activate from
    ``kinds``    by number, what kind of activation each effect is in the Damage Step
    ``passive``  effects that do not activate; ``passive_categories`` what they do
    ``attacks``  some effect allows further attacks
    ``opaque``   it has a continuous effect of which the facts say nothing an oracle understands
    ``triggers`` Triggers that wait for something to happen to this very card, and name no timing
    ``timed``    Triggers that name timings
    """

    __slots__ = (
        "attacks",
        "categories",
        "facts",
        "kinds",
        "opaque",
        "passive",
        "passive_categories",
        "quick",
        "timed",
        "triggers",
    )

    def __init__(self, facts: CardFacts) -> None:
        self.facts = facts
        self.categories = facts.categories
        self.attacks = "multi-attack" in facts.categories or any(effect.attacks for effect in facts.effects)
        quick = [effect for effect in facts.effects if effect.speed >= 2 and effect.kind != "trigger"]
        self.quick: dict[Zone, tuple[EffectFacts, ...]] = {
            zone: tuple(effect for effect in quick if zone in effect.zones)
            for zone in {zone for effect in quick for zone in effect.zones}
        }
        triggers = [effect for effect in facts.effects if effect.kind == "trigger"]
        self.triggers = tuple([effect for effect in triggers if effect.subject is None and not effect.timings])
        self.timed = tuple([effect for effect in triggers if effect.timings])
        self.kinds = {effect.number: damage_step_kind(facts, effect) for effect in facts.effects if effect.speed}
        self.passive = tuple(effect for effect in facts.effects if not effect.speed)
        self.passive_categories = frozenset[str]().union(*(effect.categories for effect in self.passive))
        self.opaque = any(
            effect.kind in {"continuous", "unclassified"} and not effect.speed and not effect.categories
            for effect in facts.effects
        )


class CardIndex:
    """The pool, with :class:`Known` made at first use of each card."""

    __slots__ = ("_known", "pool")

    def __init__(self, pool: CardPool) -> None:
        self.pool = pool
        self._known: dict[int, Known] = {}

    def get(self, passcode: int) -> Known:
        """Raises :class:`BrokenTrace` for a passcode that the pool lacks."""
        known = self._known.get(passcode)
        if known is None:
            facts = self.pool.get(passcode)
            if facts is None:
                raise BrokenTrace(f"no card has the passcode {passcode}")
            known = self._known[passcode] = Known(facts)
        return known


@cache
def shipped_index() -> CardIndex:
    """The index of the pool that duelproof ships."""
    return CardIndex(card_pool())


class Card:
    """A card as it is now.

    ``controller``   its owner off the field
    ``zone``         None: a token that is gone
    ``atk``, ``def_`` current values; None: not a monster, or a printed "?" nobody has told the value of
    ``incarnation``  counts its stays on the field; ``key``: this one
    ``determined``   determined destroyed by battle and still on the field
    ``equipped_to``  the monster it is equipped to
    ``materials``    how many Xyz Materials it has
    """

    __slots__ = (
        "atk",
        "base_atk",
        "base_def",
        "controller",
        "def_",
        "determined",
        "equipped_to",
        "facts",
        "id",
        "incarnation",
        "index",
        "key",
        "known",
        "materials",
        "owner",
        "position",
        "statuses",
        "token",
        "turn_set",
        "turn_summoned",
        "zone",
    )

    def __init__(self, card_id: int, known: Known, owner: Player, place: Place | BoardCard, *, token: bool = False) -> None:
        self.id = card_id
        self.known = known
        self.facts = known.facts
        self.owner = owner
        self.controller: Player = place.player if isinstance(place, Place) else place.side
        self.zone: Zone | None = place.zone
        self.index = place.index
        self.position: Position = place.position
        facts = self.facts
        self.base_atk = self.atk = facts.atk
        self.base_def = self.def_ = facts.def_
        self.incarnation = 0
        self.key: Key = (card_id, 0)
        self.determined = False
        self.equipped_to: int | None = None
        self.materials = 0
        self.statuses: set[Status] = set()
        self.turn_set: int | None = None
        self.turn_summoned: int | None = None
        self.token = token or facts.token

    @property
    def on_field(self) -> bool:
        """Whether it is anywhere on the field."""
        return self.zone in FIELD

    @property
    def is_monster_on_field(self) -> bool:
        """Whether it is in a Monster Zone."""
        return self.zone in MONSTER_ZONES

    @property
    def face_up(self) -> bool:
        """Whether it lies face-up (true also of cards off the field)."""
        return self.position not in {"face-down-defense", "face-down"}

    @property
    def place(self) -> Place | None:
        """Where it is; None: a token that is gone."""
        return None if self.zone is None else Place(self.controller, self.zone, self.index, self.position)

    def __repr__(self) -> str:
        return f"{self.facts.name} (card {self.id})"


class Attack:
    """One attack, from the choice of the attacker to its end.

    ``target``      None while it is not chosen, and for a direct attack (then ``direct``)
    ``declared_at`` index of the declaration among the events, None before it; of the last one, if it was declared anew
    ``aimed_at``    index of the event by which the target was last chosen
    ``opposing``    the defending player's monsters when the target was last chosen (RP-1)
    ``replays``     how often the attack was rewound; ``rewound``: the target is to be chosen anew
    ``ended``       why it ended, None while it is open
    """

    __slots__ = (
        "aimed_at",
        "attacker",
        "attacker_key",
        "chosen_at",
        "declared_at",
        "direct",
        "ended",
        "ended_at",
        "in_damage_step",
        "opposing",
        "player",
        "replays",
        "rewound",
        "target",
        "target_key",
    )

    def __init__(self, attacker: Card, at: int) -> None:
        self.attacker = attacker.id
        self.attacker_key = attacker.key
        self.player = attacker.controller
        self.chosen_at = at
        self.declared_at: int | None = None
        self.target: int | None = None
        self.target_key: Key | None = None
        self.direct = False
        self.aimed_at = at
        self.opposing: frozenset[Key] = frozenset()
        self.replays = 0
        self.rewound = False
        self.in_damage_step = False
        self.ended: AttackEnd | None = None
        self.ended_at: int | None = None


class Link:
    """A Chain Link.

    ``facts``   of the effect; None if the card has no effect with that number
    ``speed``   Spell Speed, None if unknown
    ``timing``  the window in which it was activated
    ``chain``   which chain of the trace it belongs to, from 1
    ``outcome`` None until it has resolved
    """

    __slots__ = (
        "as_card",
        "at",
        "card",
        "card_key",
        "chain",
        "effect",
        "facts",
        "number",
        "outcome",
        "place",
        "player",
        "speed",
        "target_keys",
        "targets",
        "timing",
        "trigger",
    )

    def __init__(self, event: Activated, card: Card, targets: tuple[Key, ...], timing: Timing, chain: int, at: int) -> None:
        self.number = event.link
        self.player = event.player
        self.card = card
        self.card_key = card.key
        self.effect = event.effect
        self.facts = card.facts.effect(event.effect)
        self.speed = self.facts.speed if self.facts is not None and self.facts.speed else _card_speed(card.facts, event.as_card)
        self.as_card = event.as_card
        self.trigger = event.trigger
        self.place = event.place
        self.targets = event.targets
        self.target_keys = targets
        self.timing = timing
        self.chain = chain
        self.at = at
        self.outcome: Outcome | None = None


def _card_speed(facts: CardFacts, as_card: bool) -> int | None:
    """The Spell Speed of activating a Spell/Trap Card, by its kind."""
    if not as_card or facts.type == "monster":
        return None
    if facts.property == "counter":
        return 3
    return 2 if facts.type == "trap" or facts.property == "quick-play" else 1


class Window:
    """One stay in a timing.

    ``number``  counts the windows of the trace from 0
    ``chains``  how many chains were started in it
    ``passes``  who passed priority (decisions ``action`` and ``priority``) in succession since the last other choice
    """

    __slots__ = ("began_at", "chains", "number", "passes", "timing")

    def __init__(self, timing: Timing, number: int, at: int) -> None:
        self.timing = timing
        self.number = number
        self.began_at = at
        self.chains = 0
        self.passes: list[Player] = []

    @property
    def both_passed(self) -> bool:
        """Whether the last two choices were passes of the two players."""
        return len(self.passes) >= 2 and self.passes[-1] != self.passes[-2]


class DamageStep:
    """The record of one Damage Step, kept until play is back in the Battle Step.

    ``target_key``   None for a direct attack; the keys are those of the monsters that entered it
    ``timings``      the timings seen, in order
    ``chains``       chains started at each timing
    ``calculation``  damage calculation, None until (unless) it is performed
    ``determined``   monsters determined destroyed in it, as keys
    ``replaced``     ids of monsters whose destruction was replaced
    ``inside``       the link in whose resolution it began; None: it follows its own attack (EC)
    ``left``         how each of its two monsters left the field, by id: why, and where to (None: a token)
    """

    __slots__ = (
        "attack",
        "attacker_key",
        "began_at",
        "calculation",
        "chains",
        "determined",
        "inside",
        "left",
        "replaced",
        "target_key",
        "timings",
    )

    def __init__(self, attack: Attack | None, at: int, inside: Link | None) -> None:
        self.attack = attack
        self.began_at = at
        self.inside = inside
        self.attacker_key = attack.attacker_key if attack is not None else None
        self.target_key = attack.target_key if attack is not None else None
        self.timings: list[Timing] = []
        self.chains: dict[Timing, int] = {}
        self.calculation: DamageCalculated | None = None
        self.determined: list[Key] = []
        self.replaced: list[int] = []
        self.left: dict[int, tuple[MoveReason, Zone | None]] = {}

    def battles(self, card: Card) -> bool:
        """Whether the card is one of the monsters that entered this Damage Step to battle."""
        return card.key in (self.attacker_key, self.target_key)


class View:
    """The folded duel.

    ``at``               index of the event at hand
    ``documents``        the documents that speak for the ruleset, by key; ``allowances``: what they allow in the Damage Step
    ``cards``            all cards by instance id, also tokens that are gone
    ``timed_cards``      those with Triggers that name timings; ``opaque_cards``: with effects that are not understood;
                         ``passive_cards``: with effects that do not activate; ``attack_givers``: that allow further attacks
    ``arms``             per player, see :func:`oracles.legality.quick_candidates`; None: to be worked out anew
    ``monsters``         per player, the monsters on the field by instance id
    ``lp``               Life Points of the two players
    ``window``           the window play is in; ``timing`` its timing; None before the first
    ``in_damage_step``   play is in one of the five timings of the Damage Step
    ``attack``           the open attack; ``attacks`` all of them, in order
    ``declarations``     how often each stay of a monster declared an attack (or used it up before its declaration)
    ``damage_step``      the Damage Step that is running
    ``chain``            the links that exist, from link 1; empty when there is no chain
    ``chain_resolving``  from the first ``link-resolving`` to ``chain-ended``; ``resolving``: the link that is
    ``chain_passes``     who passed on responding in succession
    ``chain_number``     chains started so far; ``last_chain``: the links of the last finished one
    ``activations``      all links so far
    ``player_statuses``  lasting conditions of the players
    ``state``            grows with every change of the board (for caches); ``layout`` with every change of place or face
    ``over``             the Battle Phase or the duel has ended
    ``cache``            for helpers that keep an answer until ``state`` or ``layout`` grows
    """

    def __init__(self, trace: Trace, index: CardIndex) -> None:
        board = trace.board
        self.trace = trace
        self.events: tuple[Event, ...] = trace.events
        self.known = index
        self.ruleset: Ruleset = ruleset_named(board.ruleset)
        self.documents = _DOCUMENTS[board.ruleset]
        self.allowances = allowances(board.ruleset)
        self.turn_player: Player = board.turn_player
        self.other_player: Player = opponent(board.turn_player)
        self.turn = board.turn
        self.at = -1
        self.lp = list(board.lp)
        self.cards: dict[int, Card] = {}
        self.timed_cards: list[Card] = []
        self.attack_givers: list[Card] = []
        self.opaque_cards: list[Card] = []
        self.passive_cards: list[Card] = []
        self.arms: list[tuple[tuple[Card, EffectFacts], ...] | None] = [None, None]
        self.monsters: tuple[dict[int, Card], dict[int, Card]] = ({}, {})
        self.window: Window | None = None
        self.timing: Timing | None = None
        self.in_damage_step = False
        self.windows = 0
        self.attack: Attack | None = None
        self.attacks: list[Attack] = []
        self.declarations: dict[Key, int] = {}
        self.damage_step: DamageStep | None = None
        self.chain: list[Link] = []
        self.chain_resolving = False
        self.resolving: Link | None = None
        self.chain_passes: list[Player] = []
        self.chain_number = 0
        self.last_chain: tuple[Link, ...] = ()
        self.activations: list[Link] = []
        self.player_statuses: tuple[set[Status], set[Status]] = (set(), set())
        self.state = 0
        self.layout = 0
        self.over = False
        self.cache: dict[Any, Any] = {}
        for card in board.cards:
            self.cards[card.id] = self._set_up(card)
        for entry in self.cards.values():
            self._enlist(entry)

    def _enlist(self, card: Card) -> None:
        """Put a new card into the lists it belongs to."""
        if card.zone in MONSTER_ZONES:
            self.monsters[card.controller][card.id] = card
        known = card.known
        if known.timed:
            self.timed_cards.append(card)
        if known.attacks:
            self.attack_givers.append(card)
        if known.passive:
            self.passive_cards.append(card)
            if known.opaque:
                self.opaque_cards.append(card)

    def _set_up(self, card: BoardCard) -> Card:
        entry = Card(card.id, self.known.get(card.passcode), card.owner, card)
        if card.atk is not None:
            entry.base_atk = entry.atk = card.atk
        if card.def_ is not None:
            entry.base_def = entry.def_ = card.def_
        entry.turn_set = card.turn_set
        entry.turn_summoned = card.turn_summoned
        entry.equipped_to = card.equipped_to
        entry.materials = len(card.materials)
        return entry

    # Questions

    def name(self, card: int | None) -> str:
        """A card for a message: its name and id."""
        return "a player" if card is None else repr(self.cards[card])

    def present(self, key: Key | None) -> bool:
        """Whether that very monster is still on the field (the same stay)."""
        if key is None:
            return False
        card = self.cards[key[0]]
        return card.incarnation == key[1] and card.zone in MONSTER_ZONES

    def opposing(self, player: Player) -> frozenset[Key]:
        """The monsters that the player's opponent controls, as keys."""
        return frozenset([card.key for card in self.monsters[1 - player].values()])

    def side(self, player: Player) -> Iterator[Card]:
        """All cards of a player: those controlled on the field, those owned elsewhere."""
        return (card for card in self.cards.values() if card.controller == player and card.zone is not None)

    def pile(self, player: Player, zone: Zone) -> list[Card]:
        """The player's cards in one zone."""
        return [card for card in self.cards.values() if card.zone == zone and card.controller == player]

    def opaque_card(self) -> Card | None:
        """A face-up card whose continuous effect the facts do not explain: it may forbid anything."""
        for card in self.opaque_cards:
            if card.zone in FIELD and card.face_up:
                return card
        return None

    # Checking that an event can be folded: each raises BrokenTrace if it speaks of what does not exist

    def _need(self, card: int) -> None:
        if card not in self.cards:
            raise BrokenTrace(f"there is no card with the instance id {card}")

    def _check_decided(self, event: Decided) -> None:
        decision = event.decision
        options = decision.options
        if not 0 <= event.chosen < len(options):
            raise BrokenTrace(f"option {event.chosen} was chosen of a decision with {len(options)} options")
        cards = self.cards
        for option in options:
            if option.card is not None and option.card not in cards:
                raise BrokenTrace(f"an option names the instance id {option.card}, which no card has")
        if decision.source is not None and decision.source not in cards:
            raise BrokenTrace(f"a decision names the instance id {decision.source}, which no card has")

    def _check_attacker(self, event: Any) -> None:
        self._need(event.attacker)

    def _check_attack(self, event: Any) -> None:
        self._need(event.attacker)
        if event.target is not None:
            self._need(event.target)

    def _check_activated(self, event: Activated) -> None:
        self._need(event.card)
        for target in event.targets:
            self._need(target)
        if event.link != len(self.chain) + 1:
            raise BrokenTrace(f"Chain Link {event.link} was added to a chain of {len(self.chain)}")

    def _check_link(self, event: Any) -> None:
        if not 1 <= event.link <= len(self.chain):
            raise BrokenTrace(f"there is no Chain Link {event.link}")

    def _check_card(self, event: Any) -> None:
        self._need(event.card)

    def _check_equipped(self, event: Equipped) -> None:
        self._need(event.card)
        self._need(event.to)

    def _check_status(self, event: StatusChanged) -> None:
        if event.card is not None:
            self._need(event.card)

    def _check_replaced(self, event: DestructionReplaced) -> None:
        self._need(event.card)
        self._need(event.substitute)

    def _check_token(self, event: TokenCreated) -> None:
        if event.card in self.cards:
            raise BrokenTrace(f"a token was given the instance id {event.card}, which another card has")
        self.known.get(event.passcode)

    # Folding

    def _timing_began(self, event: TimingBegan) -> None:
        timing = event.timing
        self.timing = timing
        self.window = Window(timing, self.windows, self.at)
        self.windows += 1
        if self.attack is not None and self.attack.declared_at is None:
            # Its cost left nothing to attack with: there is no declaration, but the attack is used up (AT-4).
            self._use_up(self.attack)
            self.attack = None
        self.in_damage_step = timing in _DAMAGE_STEP
        if self.in_damage_step:
            if self.damage_step is None or timing == "damage-start":
                self.damage_step = DamageStep(self.attack, self.at, self.resolving)
                if self.attack is not None:
                    self.attack.in_damage_step = True
            self.damage_step.timings.append(timing)
            self.damage_step.chains.setdefault(timing, 0)
        else:
            self.damage_step = None

    def _decided(self, event: Decided) -> None:
        decision = event.decision
        kind = decision.kind
        if kind == "response":
            passes = self.chain_passes
        elif self.window is not None and kind not in _NO_MOVES:
            passes = self.window.passes
        else:
            return
        if decision.options[event.chosen].kind != "pass":
            passes.clear()
        elif kind == "priority" or kind == "action" or kind == "response":
            passes.append(decision.player)

    def _attacker_chosen(self, event: AttackerChosen) -> None:
        self.attack = Attack(self.cards[event.attacker], self.at)
        self.attacks.append(self.attack)
        self.state += 1

    def _attack_declared(self, event: AttackDeclared) -> None:
        attack = self.attack
        again = attack is not None and attack.rewound and attack.attacker == event.attacker  # declared anew in a replay
        if attack is None or attack.attacker != event.attacker or (attack.declared_at is not None and not again):
            attack = self.attack = Attack(self.cards[event.attacker], self.at)
            self.attacks.append(attack)
        attack.declared_at = self.at
        self._aim(attack, event.target)
        if not again:
            self._use_up(attack)

    def _use_up(self, attack: Attack) -> None:
        key = attack.attacker_key
        self.declarations[key] = self.declarations.get(key, 0) + 1

    def _aim(self, attack: Attack, target: int | None) -> None:
        attack.target = target
        attack.target_key = None if target is None else self.cards[target].key
        attack.direct = target is None
        attack.opposing = self.opposing(attack.player)
        attack.aimed_at = self.at
        attack.rewound = False
        self.state += 1

    def _replay_began(self, _event: ReplayBegan) -> None:
        if self.attack is not None:
            self.attack.replays += 1
            self.attack.rewound = True

    def _attack_target_chosen(self, event: AttackTargetChosen) -> None:
        if self.attack is not None:
            self._aim(self.attack, event.target)

    def _attack_ended(self, event: AttackEnded) -> None:
        attack = self.attack
        if attack is not None:
            attack.ended = event.reason
            attack.ended_at = self.at
            if attack.declared_at is None:
                self._use_up(attack)
            self.attack = None
        self.state += 1

    def _activated(self, event: Activated) -> None:
        if event.link == 1:
            self.chain_number += 1
            self.chain_resolving = False
            if self.window is not None:
                self.window.chains += 1
                if self.damage_step is not None:
                    chains = self.damage_step.chains
                    chains[self.window.timing] = chains.get(self.window.timing, 0) + 1
        targets = tuple([self.cards[target].key for target in event.targets])
        timing = self.timing if self.timing is not None else "start-step"
        card = self.cards[event.card]
        if event.as_card and card.zone in SPELL_TRAP_ZONES:
            card.position = "face-up"
            self.layout += 1
        link = Link(event, card, targets, timing, self.chain_number, self.at)
        self.chain.append(link)
        self.activations.append(link)
        self.chain_passes.clear()
        if self.window is not None:
            self.window.passes.clear()
        self.state += 1

    def _link_resolving(self, event: LinkResolving) -> None:
        self.chain_resolving = True
        self.resolving = self.chain[event.link - 1]
        self.state += 1

    def _link_resolved(self, event: LinkResolved) -> None:
        self.chain_resolving = True
        self.chain[event.link - 1].outcome = event.outcome
        self.resolving = None
        self.state += 1

    def _chain_ended(self, _event: ChainEnded) -> None:
        self.last_chain = tuple(self.chain)
        self.chain = []
        self.chain_resolving = False
        self.resolving = None
        self.chain_passes.clear()
        self.state += 1

    def _moved(self, event: Moved) -> None:
        card = self.cards[event.card]
        was_field = card.zone in FIELD
        to = event.to
        if card.zone in MONSTER_ZONES:
            self.monsters[card.controller].pop(card.id, None)
            if self.damage_step is not None and self.damage_step.battles(card):
                self.damage_step.left[card.id] = (event.reason, None if to is None else to.zone)
        if to is None:
            card.zone = None
        else:
            self._put(card, to)
        if not (was_field and card.zone in FIELD):
            self._renew(card, was_field)
        self._disarm(card)
        self.state += 1
        self.layout += 1

    def _disarm(self, card: Card) -> None:
        """Forget what the players could activate, if the card has any part in that."""
        if card.known.quick:
            self.arms = [None, None]

    def _put(self, card: Card, to: Place) -> None:
        card.controller = to.player
        card.zone = to.zone
        card.index = to.index
        card.position = to.position
        if to.zone in MONSTER_ZONES:
            self.monsters[to.player][card.id] = card

    def _renew(self, card: Card, was_field: bool) -> None:
        """A card that left or reached the field keeps nothing of what it was."""
        card.incarnation += 1
        card.key = (card.id, card.incarnation)
        card.atk = card.base_atk
        card.def_ = card.base_def
        card.determined = False
        card.statuses.clear()
        card.equipped_to = None
        card.materials = 0
        card.turn_set = self.turn if card.zone in SPELL_TRAP_ZONES and not card.face_up else None
        card.turn_summoned = self.turn if card.zone in MONSTER_ZONES else None
        if was_field:
            for other in self.cards.values():
                if other.equipped_to == card.id:
                    other.equipped_to = None

    def _token_created(self, event: TokenCreated) -> None:
        card = Card(event.card, self.known.get(event.passcode), event.owner, event.to, token=True)
        card.base_atk = card.atk = event.atk
        card.base_def = card.def_ = event.def_
        card.turn_summoned = self.turn
        self.cards[card.id] = card
        self._enlist(card)
        self._disarm(card)
        self.state += 1
        self.layout += 1

    def _position_changed(self, event: PositionChanged) -> None:
        card = self.cards[event.card]
        card.position = event.after
        if event.after == "face-down-defense":
            card.atk = card.base_atk
            card.def_ = card.base_def
            card.statuses.clear()
        self.state += 1
        self.layout += 1

    def _control_changed(self, event: ControlChanged) -> None:
        card = self.cards[event.card]
        self.monsters[card.controller].pop(card.id, None)
        self._put(card, event.to)
        self._disarm(card)
        self.state += 1
        self.layout += 1

    def _equipped(self, event: Equipped) -> None:
        self.cards[event.card].equipped_to = event.to
        self.state += 1

    def _material_detached(self, event: MaterialDetached) -> None:
        self._lose_material(self.cards[event.card])

    def _lose_material(self, card: Card) -> None:
        card.materials = max(0, card.materials - 1)
        self.state += 1

    def _stat_changed(self, event: StatChanged) -> None:
        card = self.cards[event.card]
        card.atk = event.atk
        card.def_ = event.def_
        self.state += 1

    def _status_changed(self, event: StatusChanged) -> None:
        if event.card is not None:
            statuses = self.cards[event.card].statuses
        elif event.player is not None:
            statuses = self.player_statuses[event.player]
        else:
            return
        if event.active:
            statuses.add(event.status)
        else:
            statuses.discard(event.status)
        self.state += 1

    def _lp_changed(self, event: LpChanged) -> None:
        self.lp[event.player] = event.total
        self.state += 1

    def _damage_calculated(self, event: DamageCalculated) -> None:
        if self.damage_step is not None:
            self.damage_step.calculation = event

    def _determined_destroyed(self, event: DeterminedDestroyed) -> None:
        card = self.cards[event.card]
        card.determined = True
        if self.damage_step is not None:
            self.damage_step.determined.append(card.key)
        self.state += 1

    def _destruction_replaced(self, event: DestructionReplaced) -> None:
        card = self.cards[event.card]
        card.determined = False
        if event.substitute == event.card:
            self._lose_material(card)
        if self.damage_step is not None:
            self.damage_step.replaced.append(event.card)
        self.state += 1

    def _battle_phase_ended(self, _event: BattlePhaseEnded) -> None:
        self.over = True

    def _duel_ended(self, _event: DuelEnded) -> None:
        self.over = True

    #: How each event is folded, by its class, once it has been checked.
    FOLDS: ClassVar[dict[type, Callable[[Any, Any], None]]] = {
        TimingBegan: _timing_began,
        Decided: _decided,
        AttackerChosen: _attacker_chosen,
        AttackDeclared: _attack_declared,
        ReplayBegan: _replay_began,
        AttackTargetChosen: _attack_target_chosen,
        AttackEnded: _attack_ended,
        Activated: _activated,
        LinkResolving: _link_resolving,
        LinkResolved: _link_resolved,
        ChainEnded: _chain_ended,
        Moved: _moved,
        TokenCreated: _token_created,
        PositionChanged: _position_changed,
        ControlChanged: _control_changed,
        Equipped: _equipped,
        MaterialDetached: _material_detached,
        StatChanged: _stat_changed,
        StatusChanged: _status_changed,
        LpChanged: _lp_changed,
        DamageCalculated: _damage_calculated,
        DeterminedDestroyed: _determined_destroyed,
        DestructionReplaced: _destruction_replaced,
        BattlePhaseEnded: _battle_phase_ended,
        DuelEnded: _duel_ended,
    }

    #: How each event is checked, by its class. Classes that are missing name nothing that could be unknown.
    CHECKS: ClassVar[dict[type, Callable[[Any, Any], None]]] = {
        Decided: _check_decided,
        AttackerChosen: _check_attacker,
        AttackDeclared: _check_attack,
        ReplayBegan: _check_attacker,
        AttackTargetChosen: _check_attack,
        AttackEnded: _check_attacker,
        Activated: _check_activated,
        LinkResolving: _check_link,
        LinkResolved: _check_link,
        Moved: _check_card,
        TokenCreated: _check_token,
        PositionChanged: _check_card,
        ControlChanged: _check_card,
        Equipped: _check_equipped,
        MaterialDetached: _check_card,
        StatChanged: _check_card,
        StatusChanged: _check_status,
        DamageCalculated: _check_attack,
        DeterminedDestroyed: _check_card,
        DestructionReplaced: _check_replaced,
    }
