"""Writing traces by hand, tersely: a duel is told event by event, and the oracles judge it."""

from __future__ import annotations

from collections.abc import Collection

from engine_protocol.board import Board, BoardCard
from engine_protocol.cards import CardFacts, CardPool, Cost, EffectFacts, Filter, Target
from engine_protocol.decisions import Decision, DecisionKind, Option, OptionKind
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
    DeterminedDestroyed,
    Event,
    LinkResolved,
    LinkResolving,
    LpChanged,
    Moved,
    Place,
    PositionChanged,
    ReplayBegan,
    StatChanged,
    TimingBegan,
)
from engine_protocol.rulesets import DEFAULT_RULESET
from engine_protocol.trace import Trace
from engine_protocol.vocabulary import (
    DAMAGE_STEP_TIMINGS,
    AttackEnd,
    FlipReason,
    LpReason,
    MoveReason,
    Outcome,
    Player,
    Position,
    Timing,
    Zone,
    opponent,
)
from oracles import Judgement, judge
from oracles.legality import activatable, quick_candidates
from oracles.view import CardIndex, View

VANILLA = 43096270
"""A Normal Monster; its ATK and DEF are set per card."""
MIRROR_FORCE = 44095762
BOOK_OF_MOON = 14087893
RUSH = 70046172
SEVEN_TOOLS = 3819470
TOMATO = 83011277
MAN_EATER_BUG = 54652250
KURIBOH = 40640057
CALL = 97077563
DARK_ELF = 21417692
MAGIC_CYLINDER = 62279055
SPELL_STRIKER = 93187568

_ON_THE_FIELD = Filter(face="up")

POOL = CardPool(
    [
        CardFacts(passcode=VANILLA, name="Alexandrite Dragon", type="monster", frame=("normal",), atk=2000, def_=100),
        CardFacts(
            passcode=MIRROR_FORCE,
            name="Mirror Force",
            type="trap",
            property="normal",
            effects=(
                EffectFacts(
                    number=1,
                    kind="activation",
                    speed=2,
                    zones=("spell-trap-zone",),
                    condition="attack-declared",
                    subject=Filter(side="opponent", role="attacker"),
                    requires=(Filter(side="opponent", position="attack"),),
                    categories=frozenset({"destroys"}),
                    complete=True,
                ),
            ),
        ),
        CardFacts(
            passcode=BOOK_OF_MOON,
            name="Book of Moon",
            type="spell",
            property="quick-play",
            effects=(
                EffectFacts(
                    number=1,
                    kind="activation",
                    speed=2,
                    zones=("spell-trap-zone", "hand"),
                    target=Target(filter=_ON_THE_FIELD),
                    categories=frozenset({"changes-position"}),
                    complete=True,
                ),
            ),
        ),
        CardFacts(
            passcode=RUSH,
            name="Rush Recklessly",
            type="spell",
            property="quick-play",
            effects=(
                EffectFacts(
                    number=1,
                    kind="activation",
                    speed=2,
                    zones=("spell-trap-zone", "hand"),
                    target=Target(filter=_ON_THE_FIELD),
                    categories=frozenset({"changes-atk-def"}),
                    complete=True,
                ),
            ),
        ),
        CardFacts(
            passcode=SEVEN_TOOLS,
            name="Seven Tools of the Bandit",
            type="trap",
            property="counter",
            effects=(
                EffectFacts(
                    number=1,
                    kind="activation",
                    speed=3,
                    zones=("spell-trap-zone",),
                    condition="activation",
                    subject=Filter(type="trap"),
                    cost=(Cost(kind="pay-lp", amount=1000),),
                    categories=frozenset({"negates-activation", "destroys"}),
                    complete=True,
                ),
            ),
        ),
        CardFacts(
            passcode=TOMATO,
            name="Mystic Tomato",
            type="monster",
            frame=("effect",),
            attribute="DARK",
            atk=1400,
            def_=1100,
            effects=(
                EffectFacts(
                    number=1,
                    kind="trigger",
                    clause="when",
                    speed=1,
                    zones=("graveyard",),
                    condition="destroyed-by-battle-and-sent",
                    categories=frozenset({"special-summons"}),
                ),
            ),
        ),
        CardFacts(
            passcode=MAN_EATER_BUG,
            name="Man-Eater Bug",
            type="monster",
            frame=("effect",),
            atk=450,
            def_=600,
            effects=(
                EffectFacts(
                    number=1,
                    kind="trigger",
                    mandatory=True,
                    speed=1,
                    zones=("monster-zone",),
                    condition="flipped",
                    target=Target(filter=Filter()),
                    categories=frozenset({"flip", "destroys"}),
                    complete=True,
                ),
            ),
        ),
        CardFacts(
            passcode=KURIBOH,
            name="Kuriboh",
            type="monster",
            frame=("effect",),
            atk=300,
            def_=200,
            effects=(
                EffectFacts(
                    number=1,
                    kind="quick",
                    speed=2,
                    zones=("hand",),
                    timings=("during-calculation",),
                    condition="battles",
                    subject=Filter(side="opponent"),
                    cost=(Cost(kind="discard-self"),),
                    categories=frozenset({"prevents-battle-damage"}),
                ),
            ),
        ),
        CardFacts(
            passcode=CALL,
            name="Call of the Haunted",
            type="trap",
            property="continuous",
            effects=(
                EffectFacts(
                    number=1,
                    kind="activation",
                    speed=2,
                    zones=("spell-trap-zone",),
                    target=Target(filter=Filter(side="you", zones=("graveyard",), type="monster")),
                    categories=frozenset({"special-summons"}),
                    complete=True,
                ),
            ),
        ),
        CardFacts(
            passcode=DARK_ELF,
            name="Dark Elf",
            type="monster",
            frame=("effect",),
            atk=2000,
            def_=800,
            effects=(
                EffectFacts(
                    number=1,
                    kind="unclassified",
                    cost=(Cost(kind="pay-lp", amount=1000),),
                    categories=frozenset({"attack-cost"}),
                ),
            ),
        ),
        CardFacts(
            passcode=SPELL_STRIKER,
            name="Spell Striker",
            type="monster",
            frame=("effect",),
            atk=600,
            def_=200,
            effects=(EffectFacts(number=1, kind="continuous", categories=frozenset({"direct-attack"})),),
        ),
        CardFacts(
            passcode=MAGIC_CYLINDER,
            name="Magic Cylinder",
            type="trap",
            property="normal",
            effects=(
                EffectFacts(
                    number=1,
                    kind="activation",
                    speed=2,
                    zones=("spell-trap-zone",),
                    condition="attack-declared",
                    subject=Filter(side="opponent", role="attacker"),
                    target=Target(filter=Filter(side="opponent", role="attacker")),
                    categories=frozenset({"negates-attack", "damages"}),
                    complete=True,
                ),
            ),
        ),
    ]
)
"""A pool small enough to read beside a test; facts as in the cards' own."""

PASS = Option("pass")


class Duel:
    """A trace in the making. Every method appends events; card methods return instance ids.

    Cards must be placed before the first event. ``told_by_the_test``: windows in which nothing is offered but what a test says;
    ``ruleset``: by what rules it is judged.
    """

    ruleset: str = DEFAULT_RULESET
    told_by_the_test: frozenset[Timing] = frozenset({"declaration", "after-declaration"})

    def __init__(self, turn_player: Player = 0, lp: tuple[int, int] = (8000, 8000), pool: CardPool = POOL) -> None:
        self.turn_player = turn_player
        self.other = opponent(turn_player)
        self.lp_at_start = lp
        self.lp = list(lp)
        self.pool = pool
        self.cards: list[BoardCard] = []
        self.events: list[Event] = []
        self.places: dict[int, Place] = {}
        self.timing: Timing = "start-step"
        self.links: list[Activated] = []
        self.attacker = -1

    # The board

    def card(
        self,
        owner: Player,
        passcode: int,
        zone: Zone,
        position: Position = "face-up",
        atk: int | None = None,
        def_: int | None = None,
        turn_set: int | None = None,
    ) -> int:
        """Put a card on the board."""
        card_id = len(self.cards) + 1
        index = sum(card.zone == zone and card.owner == owner for card in self.cards)
        self.cards.append(
            BoardCard(
                id=card_id,
                passcode=passcode,
                owner=owner,
                zone=zone,
                index=index,
                position=position,
                atk=atk,
                def_=def_,
                turn_set=turn_set,
            )
        )
        return card_id

    def monster(
        self,
        owner: Player,
        atk: int | None = None,
        def_: int | None = None,
        *,
        passcode: int = VANILLA,
        position: Position = "face-up-attack",
    ) -> int:
        """A monster on the field."""
        return self.card(owner, passcode, "monster-zone", position, atk, def_)

    def set_card(self, owner: Player, passcode: int, turn_set: int | None = None) -> int:
        """A Spell/Trap lying face-down."""
        return self.card(owner, passcode, "spell-trap-zone", "face-down", turn_set=turn_set)

    def place(self, card: int) -> Place:
        """Where the card is after the events so far."""
        if card in self.places:
            return self.places[card]
        entry = self.cards[card - 1]
        return Place(entry.owner, entry.zone, entry.index, entry.position)

    # Decisions

    def add(self, *events: Event) -> None:
        """Any events."""
        for event in events:
            if isinstance(event, Moved | ControlChanged) and event.to is not None:
                self.places[event.card] = event.to
            elif isinstance(event, PositionChanged):
                place = self.place(event.card)
                self.places[event.card] = Place(place.player, place.zone, place.index, event.after)
            self.events.append(event)

    def decide(
        self,
        player: Player,
        kind: DecisionKind,
        options: Collection[Option] = (PASS,),
        chosen: int = 0,
        source: int | None = None,
    ) -> None:
        """A decision in the window that is open."""
        decision = Decision(player, kind, self.timing, tuple(options), len(self.links), source)
        self.add(Decided(decision, chosen, len(options) == 1))

    def passes(self, *players: Player, offered: Collection[Option] = ()) -> None:
        """Each player passes priority, whatever else is offered; with a chain, each declines to respond."""
        for player in players:
            action = self.timing == "battle-step" and player == self.turn_player and self.attacker < 0
            kind: DecisionKind = "response" if self.links else "action" if action else "priority"
            self.decide(player, kind, (PASS, *self.with_ready(player, offered)))

    def with_ready(self, player: Player, offered: Collection[Option]) -> list[Option]:
        """What is offered, and whatever else surely can be activated, except in the windows that are told by the test alone."""
        options = list(offered)
        if self.links or self.timing not in self.told_by_the_test:
            view = self.view()
            for card, effect in quick_candidates(view, player):
                option = Option("activate", card.id, effect.number)
                told = effect.condition == "attack-declared" and "declaration" in self.told_by_the_test
                if option not in options and not told and activatable(view, player, card, effect):
                    options.append(option)
        return options

    def view(self) -> View:
        """The duel as it now is."""
        view = View(self.trace(), CardIndex(self.pool))
        for at, event in enumerate(self.events):
            view.at = at
            View.FOLDS[type(event)](view, event)
        return view

    def both_pass(self) -> None:
        """The turn player passes, then the other."""
        self.passes(self.turn_player, self.other)

    # The flow

    def begin(self, timing: Timing) -> None:
        """A window opens."""
        self.timing = timing
        self.add(TimingBegan(timing))

    def to_battle_step(self) -> None:
        """The Start Step without anything, and the Battle Step."""
        self.begin("start-step")
        self.both_pass()
        self.begin("battle-step")

    def attack(self, attacker: int, target: int | None = None, targets: Collection[int] | None = None) -> None:
        """The turn player chooses the attacker and the target (of ``targets``), and declares."""
        ready = self.with_ready(self.turn_player, (Option("attack", attacker),))
        self.decide(self.turn_player, "action", (PASS, *ready), 1)
        self.add(AttackerChosen(attacker))
        self.attacker = attacker
        self.choose_target(target, targets)
        self.add(AttackDeclared(attacker, target))
        self.begin("declaration")

    def choose_target(self, target: int | None, targets: Collection[int] | None = None, kind: OptionKind = "card") -> None:
        """The decision of the target alone; without ``targets`` there is only the one."""
        options = [Option("direct")] if target is None else [Option(kind, target)]
        if targets is not None:
            options = [Option("card", one) for one in targets]
        chosen = 0 if target is None else [option.card for option in options].index(target)
        self.decide(self.turn_player, "attack-target", options, chosen, self.attacker)

    def replay(self, target: int | None, options: Collection[Option]) -> None:
        """The attack is rewound and a new target chosen (None: directly)."""
        self.add(ReplayBegan(self.attacker))
        wanted = Option("direct") if target is None else Option("card", target)
        self.decide(self.turn_player, "replay", options, list(options).index(wanted), self.attacker)
        self.add(AttackTargetChosen(self.attacker, target))
        self.begin("after-declaration")

    def end_attack(self, reason: AttackEnd) -> None:
        """The attack is over and play back in the Battle Step (at once, unless a chain is still open)."""
        self.add(AttackEnded(self.attacker, reason))
        self.attacker = -1
        if not self.links:
            self.begin("battle-step")

    def to_after_declaration(self) -> None:
        """Nobody does anything at the declaration."""
        self.both_pass()
        self.begin("after-declaration")

    def damage_step(
        self,
        target: int | None,
        values: tuple[int, int | None],
        damage: tuple[int, int] = (0, 0),
        destroyed: Collection[int] = (),
        upto: Timing = "damage-end",
        target_uses_def: bool = False,
    ) -> None:
        """A whole Damage Step in which nobody does anything, from the passes before it up to the passes of ``upto``."""
        self.both_pass()
        for timing in DAMAGE_STEP_TIMINGS[: DAMAGE_STEP_TIMINGS.index(upto) + 1]:
            self.begin(timing)
            if timing == "damage-end":
                self.send_destroyed(destroyed)
            self.both_pass()
            if timing == "during-calculation":
                self.calculate(target, values, damage, destroyed, target_uses_def)
        if upto == "damage-end":
            self.end_attack("battled")

    def calculate(
        self,
        target: int | None,
        values: tuple[int, int | None],
        damage: tuple[int, int] = (0, 0),
        destroyed: Collection[int] = (),
        target_uses_def: bool = False,
    ) -> None:
        """Damage calculation, damage, and what is determined destroyed."""
        attacker_value, target_value = values
        self.add(DamageCalculated(self.attacker, target, attacker_value, target_value, damage, target_uses_def=target_uses_def))
        for player in (0, 1):
            if damage[player]:
                self.lose(player, damage[player], "battle-damage")
        self.add(*(DeterminedDestroyed(card) for card in destroyed))

    def send_destroyed(self, destroyed: Collection[int]) -> None:
        """The monsters determined destroyed go to the GY."""
        for card in destroyed:
            self.move(card, "graveyard", "destroyed-by-battle")

    def lose(self, player: int, amount: int, reason: LpReason) -> None:
        """A player loses Life Points."""
        self.lp[player] -= amount
        self.add(LpChanged(1 if player else 0, -amount, self.lp[player], reason))

    def end_phase(self) -> None:
        """The Battle Step is closed, the End Step passed, the Battle Phase over."""
        self.both_pass()
        self.begin("end-step")
        self.both_pass()
        self.add(BattlePhaseEnded())

    # Chains

    def activate(
        self,
        player: Player,
        card: int,
        effect: int = 1,
        targets: tuple[int, ...] = (),
        *,
        kind: DecisionKind | None = None,
        trigger: bool = False,
        offered: Collection[Option] = (),
        place: Place | None = None,
    ) -> None:
        """The player chooses to activate the card's effect; it becomes the next Chain Link."""
        if kind is None:
            action = self.timing == "battle-step" and player == self.turn_player
            kind = "trigger" if trigger else "response" if self.links else "action" if action else "priority"
        own = Option("activate", card, effect)
        mandatory = trigger and not offered
        if mandatory:
            options = [own]
        elif trigger:
            options = [PASS, own, *offered]
        else:
            options = [PASS, *self.with_ready(player, (own, *offered))]
        self.decide(player, kind, options, 0 if mandatory else 1)
        facts = self.pool[self.cards[card - 1].passcode]
        as_card = facts.type != "monster"
        event = Activated(len(self.links) + 1, player, card, effect, place or self.place(card), targets, as_card, trigger)
        self.links.append(event)
        self.add(event)

    def resolve(self, *doings: Collection[Event], outcome: Outcome = "resolved") -> None:
        """Both players decline to respond and the chain resolves; ``doings`` are the events of each link, last link first."""
        player = opponent(self.links[-1].player)
        self.passes(player, opponent(player))
        self.resolve_now(*doings, outcome=outcome)

    def resolve_now(self, *doings: Collection[Event], outcome: Outcome = "resolved") -> None:
        """The chain resolves without asking anybody."""
        todo = [*doings, *([()] * (len(self.links) - len(doings)))]
        for link, events in zip(reversed(self.links), todo, strict=True):
            self.add(LinkResolving(link.link), *events, LinkResolved(link.link, outcome))
        for link in self.links:
            self._put_away(link)
        self.add(ChainEnded())
        self.links = []

    def _put_away(self, link: Activated) -> None:
        """A used Spell or Trap goes to the Graveyard, unless it is meant to stay."""
        place = self.place(link.card)
        facts = self.pool[self.cards[link.card - 1].passcode]
        if link.as_card and facts.property in {"normal", "quick-play", "counter"} and place.zone == "spell-trap-zone":
            self.add(Moved(link.card, place, Place(self.cards[link.card - 1].owner, "graveyard"), "used"))

    # Single events, returned so that they can be what a link does

    def move(self, card: int, zone: Zone, reason: MoveReason, origin: Place | None = None) -> Moved:
        """The card goes to its owner's zone. Appended only when no chain is open; returned in any case."""
        event = Moved(card, origin or self.place(card), Place(self.cards[card - 1].owner, zone), reason)
        if not self.links:
            self.add(event)
        return event

    def summon(self, card: int, origin: Zone = "graveyard", index: int = 0) -> Moved:
        """The event of a Special Summon to its owner's side, in Attack Position."""
        owner = self.cards[card - 1].owner
        return Moved(card, Place(owner, origin), Place(owner, "monster-zone", index, "face-up-attack"), "special-summoned")

    def turn(self, card: int, after: Position, reason: FlipReason = "effect") -> PositionChanged:
        """The event of a change of battle position."""
        return PositionChanged(card, self.place(card).position, after, reason)

    def stat(self, card: int, atk: int, def_: int) -> StatChanged:
        """The event of a change of ATK/DEF."""
        return StatChanged(card, atk, def_)

    # Judging

    def trace(self) -> Trace:
        """What has been told so far."""
        board = Board(
            ruleset=self.ruleset,
            cards=tuple(self.cards),
            turn_player=self.turn_player,
            lp=self.lp_at_start,
        )
        return Trace(board, tuple(self.events))

    def judge(self, *rules: str) -> Judgement:
        """Hold what has been told against the rules; all of them where none is named."""
        return judge(self.trace(), self.pool, rules or None)

    def broken_rules(self) -> set[str]:
        """The rules that it violates, of all."""
        return {violation.rule for violation in self.judge().violations}
