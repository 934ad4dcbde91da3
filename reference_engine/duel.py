"""The state of a duel, and the atomic things that can happen to it.

Everything that changes goes through a method here: it changes the state, emits the event, notes what it may trigger, and brings
continuous effects up to date. No rule of the Battle Phase's order stands here; see :mod:`reference_engine.flow`.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Literal

from engine_protocol.board import ZONE_COUNT, Board, BoardCard
from engine_protocol.cards import CardFacts, CardPool, Condition
from engine_protocol.decisions import Decision, DecisionKind, Option
from engine_protocol.events import (
    AttackEnded,
    ControlChanged,
    Decided,
    DuelEnded,
    Equipped,
    Event,
    LpChanged,
    MaterialDetached,
    Moved,
    Place,
    PositionChanged,
    StatusChanged,
    TimingBegan,
    TokenCreated,
)
from engine_protocol.vocabulary import (
    FIELD,
    MONSTER_ZONES,
    AttackEnd,
    EndReason,
    FlipReason,
    LpReason,
    MoveReason,
    Player,
    Position,
    Status,
    Timing,
    Zone,
    opponent,
)
from reference_engine.attack import Attack, Restriction, note_restriction, stops
from reference_engine.card import Card
from reference_engine.continuous import let_perish, refresh_conditions, refresh_monsters
from reference_engine.filters import fits_occurrence
from reference_engine.legality import Rulebook
from reference_engine.occurrences import LEAVING, Occurrence, Pending
from reference_engine.places import Places
from reference_engine.registers import Registers
from reference_engine.stats import Grant, Modifier, reaches

if TYPE_CHECKING:
    from reference_engine.battle_damage import DamageChange, DamageStep
    from reference_engine.behaviour import CardBehaviour, Mark
    from reference_engine.chain import Link


class DuelOver(Exception):
    """Ends the flow at once, wherever it is."""


class Duel(Places, Registers):
    """A duel in its Battle Phase.

    ``effect_of`` the player whose link is resolving
    ``chain``     the links that exist; ``resolving`` while it resolves
    ``attack``    the attack that is open
    ``barred``    monsters that cannot attack again although they never declared (AT-4)
    ``used_…``    effects with a limit that were activated: per turn by name, in this chain, in this battle
    ``capped_activations`` per player, the activations in this Damage Step of which the ruleset allows only so many
    ``negated_in_graveyard`` monsters whose effects stay negated there (Dark Ruler Ha Des), with their incarnation
    ``recent``    what happened since the last chain began: Spells and Traps may answer it
    ``attacks_to_negate`` how many of the next attacks of the turn player an effect will negate
    ``inside``    the battle that takes place in the effect that is resolving (EC-1)
    ``borrowed``  monsters whose control an effect changed until the end of the Battle Phase, with the player who lost it
    ``restriction`` an effect lets one side attack only a certain monster
    ``recovering`` players who gain effect damage instead of taking it
    ``no_more_declarations`` an effect keeps the turn player from declaring attacks
    ``pending``   Trigger Effects to be activated at the next opportunity
    ``step_triggers`` those of the Start Step or the End Step, which start chains of their own (BP-6)
    ``moment``    number of the latest thing that happened
    ``departing`` cards that are leaving their places at once, while they do
    ``defender_changes`` how often a monster entered or left the non-turn player's side
    ``chain_was_made``   whether a chain was made in the window that is open
    ``damage_changes`` effects applied to all battle damage of this turn
    """

    def __init__(self, board: Board, rulebook: Rulebook, pool: CardPool, behaviours: Mapping[int, CardBehaviour]) -> None:
        Places.__init__(self, board.turn_player)
        Registers.__init__(self, rulebook)
        self.board = board
        self.ruleset = rulebook.ruleset
        self.pool = pool
        self.behaviours = behaviours
        self.turn = board.turn
        self.lp = list(board.lp)
        self.timing: Timing = "end-step"
        self.events: list[Event] = []
        self.chain: list[Link] = []
        self.effect_of: Player | None = None
        self.attack: Attack | None = None
        self.barred: set[int] = set()
        self.no_more_declarations = False
        self.attacks_to_negate = 0
        self.inside: Attack | None = None
        self.borrowed: list[tuple[Card, int, Player]] = []
        self.restriction: Restriction | None = None
        self.recovering: set[Player] = set()
        self.used_names: set[tuple[Player, str, int]] = set()
        self.used_in_chain: set[tuple[int, int]] = set()
        self.used_in_battle: set[tuple[int, int]] = set()
        self.capped_activations = [0, 0]
        self.negated_in_graveyard: set[tuple[int, int]] = set()
        self.recent: list[Occurrence] = []
        self.pending: list[Pending] = []
        self.step_triggers: list[Pending] = []
        self.moment = 0
        self.departing: frozenset[Card] = frozenset()
        self.defender_changes = 0
        self.chain_was_made = False
        self.battle_phase_ends = False
        self.protected_players: dict[Player, set[str]] = {0: set(), 1: set()}
        self.damage_changes: list[tuple[DamageStep, DamageChange]] = []
        self._options: dict[int, Option] = {}
        self._set_up(board)

    def _set_up(self, board: Board) -> None:
        for board_card in sorted(board.cards, key=lambda card: card.index):
            self._add(board_card, self.pool[board_card.passcode])
        for board_card in board.cards:
            if board_card.equipped_to is not None:
                card, monster = self.cards[board_card.id], self.cards[board_card.equipped_to]
                card.equipped_to = monster
                for status in card.behaviour.binds:
                    monster.grants.append(Grant(status, card, bound=True))
                    self.lively = True
        self.refresh()

    def _add(self, board_card: BoardCard, facts: CardFacts) -> Card:
        card = Card(board_card, facts, self.behaviours[facts.passcode])
        self.cards[card.id] = card
        self.rows[card.controller][card.zone].append(card)
        self.register(card)
        return card

    # --- asking -------------------------------------------------------------------------------------------------------

    def ask(
        self, player: Player, kind: DecisionKind, options: tuple[Option, ...], source: int | None = None
    ) -> Generator[Decision, int, Option]:
        """Let a player decide; a decision with one option is taken at once and only recorded."""
        if len(options) == 1:
            self.emit(Decided(Decision(player, kind, self.timing, options, len(self.chain), source), 0, True))
            return options[0]
        chosen = yield Decision(player, kind, self.timing, options, len(self.chain), source)
        return options[chosen]

    def card_option(self, card: Card) -> Option:
        """The option to select this card."""
        option = self._options.get(card.id)
        if option is None:
            option = self._options[card.id] = Option("card", card.id)
        return option

    def card_of(self, option: Option) -> Card:
        """The card that an option names."""
        assert option.card is not None, "a card was to be selected"
        return self.cards[option.card]

    # --- what happens -------------------------------------------------------------------------------------------------

    def emit(self, event: Event) -> None:
        """Report an event."""
        self.events.append(event)

    def enter(self, timing: Timing) -> None:
        """Enter a window."""
        if timing != self.timing:
            self.timing = timing
            self.events.append(TimingBegan(timing))
            self.chain_was_made = False

    def begin_moment(self) -> None:
        """What follows happens after everything so far (for "when" Triggers, CH-7)."""
        self.moment += 1

    def occur(
        self,
        condition: Condition,
        card: Card,
        by: Card | None = None,
        player: Player | None = None,
        *,
        by_battle: bool = False,
        reason: MoveReason | None = None,
    ) -> None:
        """Note something that Triggers may wait for: those of the card itself, and those that watch others."""
        origin = card.came_from if condition in LEAVING else None
        occurrence = Occurrence(condition, card, self.moment, by, player, origin, by_battle, reason, self.effect_of)
        self.recent.append(occurrence)
        for effect in card.facts.effects:
            if effect.kind == "trigger" and effect.condition == condition and effect.subject is None and not effect.timings:
                self.pending.append(Pending(card, effect, occurrence, card.incarnation))
        for watcher, effect in self.watchers.get(condition, ()):
            if watcher.zone in effect.zones and (watcher.face_up or watcher.zone not in FIELD):
                subject = effect.subject
                if subject is not None and fits_occurrence(self, subject, occurrence, watcher.controller, watcher):
                    self.pending.append(Pending(watcher, effect, occurrence, watcher.incarnation))

    def move(
        self,
        card: Card,
        player: Player,
        zone: Zone,
        reason: MoveReason,
        *,
        position: Position = "face-up",
        index: int | None = None,
    ) -> None:
        """Put a card somewhere else, and let go what was bound to it."""
        origin = card.came_from = card.place
        was_on_field = card.zone in FIELD
        self.leave_row(card)
        if was_on_field and zone not in FIELD and card.facts.token:
            self.emit(Moved(card.id, origin, None, reason))
            card.put(player, zone, 0, position)
            card.incarnation += 1
        else:
            if index is None:
                index = self.free_places(player, zone)[0] if zone in ZONE_COUNT else 0
            card.put(player, zone, index, position)
            self.join_row(card)
            self.emit(Moved(card.id, origin, card.place, reason))
            if was_on_field and zone not in FIELD:
                card.incarnation += 1
        if origin.zone in MONSTER_ZONES or zone in MONSTER_ZONES:
            self._monsters_changed(origin if origin.zone in MONSTER_ZONES else card.place)
        if was_on_field and zone not in FIELD:
            bound = card.equipped_to
            card.forget()
            self._let_go(card, bound)

    def _monsters_changed(self, place: Place) -> None:
        if place.player != self.turn_player:
            self.defender_changes += 1

    def _note_arrival(self, player: Player) -> None:
        """A monster was Special Summoned to this side."""
        if self.attack is not None and player != self.turn_player:
            self.attack.joined = True

    def _let_go(self, card: Card, bound: Card | None) -> None:
        """Equip Cards without their monster go to the Graveyard (GN-3); cards bound to one another follow."""
        for other in list(self.cards.values()):
            if other.equipped_to is card and other.zone in FIELD and other not in self.departing:
                if other.facts.property == "equip" or other.facts.type == "monster":
                    self.send([other], "destroyed-by-rule")
                else:
                    other.equipped_to = None
                    if "follows-its-monster" in other.behaviour.marks:
                        self.destroy([other])
        along = bound is not None and "takes-its-monster-along" in card.behaviour.marks
        if bound is not None and along and bound.is_monster_on_field:
            self.destroy([bound])

    def _together(self, cards: Iterable[Card]) -> Iterator[Card]:
        """One card after the other, all of which leave at once: what is bound to another of them does not follow it."""
        leaving, before = list(cards), self.departing
        self.departing = before.union(leaving)
        yield from leaving
        self.departing = before

    def send(self, cards: Iterable[Card], reason: MoveReason) -> None:
        """Send cards to their owners' Graveyards, all at once; what redirects them does so (BD-12)."""
        self.begin_moment()
        redirected = bool(self.active_sources("redirects"))
        for card in self._together(cards):
            if redirected:
                self.move(card, card.owner, "banished", reason)
            else:
                was_on_field = card.zone in FIELD
                self.move(card, card.owner, "graveyard", reason)
                if not card.facts.token:
                    self.occur("sent-to-graveyard", card, by_battle=reason == "destroyed-by-battle", reason=reason)
                    if was_on_field and reason == "destroyed-by-effect":
                        self.occur("destroyed", card)
        self.refresh()

    def put_away(self, card: Card, reason: MoveReason) -> None:
        """Send a Spell/Trap Card that is done with to the Graveyard; nothing else counts this as something that happened."""
        zone: Zone = "banished" if self.active_sources("redirects") else "graveyard"
        self.move(card, card.owner, zone, reason)

    def put_on_deck(self, card: Card, reason: MoveReason, *, top: bool) -> None:
        """Put a card on the top or the bottom of its owner's Deck (or back into the Extra Deck)."""
        if is_extra_deck_card(card.facts):
            self.move(card, card.owner, "extra-deck", reason, position="face-down")
            return
        self.move(card, card.owner, "deck", reason, position="face-down")
        if top:
            deck = self.rows[card.owner]["deck"]
            deck.insert(0, deck.pop())

    def destroy(self, cards: Iterable[Card], source: Card | None = None) -> list[Card]:
        """Destroy cards by an effect, all at once; answers which were destroyed."""
        destroyed = self.destructible(cards, source)
        if destroyed:
            self.send(destroyed, "destroyed-by-effect")
            for card in destroyed:
                self.occur("destroyed-by-effect", card, source)
        return destroyed

    def destructible(self, cards: Iterable[Card], source: Card | None = None) -> list[Card]:
        """Those of the cards that an effect of the source, or another one, can destroy."""
        return [
            card
            for card in cards
            if card.zone in FIELD
            and card not in self.departing  # it leaves already
            and (self.ruleset.determined_can_be_destroyed or not card.determined)  # duel-arena-wiki, on Ryko
            and (source is None or self.affects(source, card))
            and not ("withstands-effects" in card.behaviour.marks and card.active)
            and not (
                "withstands-opponent-effects" in card.behaviour.marks
                and card.active
                and source is not None
                and source.controller != card.controller
            )
        ]

    def banish(self, cards: Iterable[Card], reason: MoveReason = "banished-by-effect") -> None:
        """Banish cards, all at once."""
        self.begin_moment()
        for card in self._together(cards):
            self.move(card, card.owner, "banished", reason)
        self.refresh()

    def return_to_hand(self, cards: Iterable[Card]) -> None:
        """Return cards to their owners' hands (or the Extra Deck); not those determined destroyed (BD-6)."""
        self.begin_moment()
        for card in self._together(card for card in cards if not card.determined):
            zone: Zone = "extra-deck" if is_extra_deck_card(card.facts) else "hand"
            self.move(card, card.owner, zone, "returned-by-effect", position="face-down" if zone == "extra-deck" else "face-up")
        self.refresh()

    def draw(self, player: Player, count: int) -> None:
        """Draw cards; with too few in the Deck the duel is lost (GN-5)."""
        self.begin_moment()
        for _ in range(count):
            if not self.rows[player]["deck"]:
                self.end_duel(opponent(player), "deck-out")
            self.move(self.rows[player]["deck"][0], player, "hand", "drawn")

    def special_summon(self, card: Card, player: Player, position: Position) -> bool:
        """Special Summon a card to a free Monster Zone of the player; answers whether there was one."""
        places = self.free_places(player, "monster-zone")
        if not places:
            return False
        self.begin_moment()
        self.move(card, player, "monster-zone", "special-summoned", position=position, index=places[0])
        card.turn_summoned = self.turn
        self._note_arrival(player)
        self.refresh()
        self.occur("special-summoned", card)
        return True

    def create_token(self, passcode: int, player: Player, position: Position) -> None:
        """Special Summon a token."""
        facts = self.pool[passcode]
        index = self.free_places(player, "monster-zone")[0]
        board_card = BoardCard(
            id=max(self.cards) + 1,
            passcode=passcode,
            owner=player,
            zone="monster-zone",
            index=index,
            position=position,
            turn_summoned=self.turn,
        )
        card = self._add(board_card, facts)
        self.rows[player]["monster-zone"].sort(key=lambda other: other.index)
        self.emit(TokenCreated(card.id, passcode, player, card.place, card.atk, card.def_))
        self._monsters_changed(card.place)
        self._note_arrival(player)
        self.refresh()

    def change_position(self, card: Card, position: Position, reason: FlipReason) -> None:
        """Change a monster's battle position or face; not of one determined destroyed (BD-2)."""
        before = card.position
        if before == position or card.determined:
            return
        self.begin_moment()
        card.put(card.controller, card.zone, card.index, position)
        self.emit(PositionChanged(card.id, before, position, reason))
        if position == "face-down-defense":
            attacked, met = card.attacked, card.met
            card.forget()
            card.attacked, card.met = attacked, met  # face-down and up again does not restore the attack (AT-2)
            self._let_go(card, None)
        self.refresh()
        if before == "face-down-defense" and card.face_up and reason != "battle":
            self.occur("flipped", card)
        if (before == "face-up-attack") != (position == "face-up-attack"):
            self.occur("position-changed", card)

    def turn_to_defense(self, mark: Mark) -> None:
        """Monsters that attacked and then change to Defense Position, without a chain."""
        for monster in self.field_monsters():
            if mark in monster.behaviour.marks and monster.active and monster.has_attacked:
                self.change_position(monster, "face-up-defense", "effect")

    def flip_card(self, card: Card) -> None:
        """Turn a set Spell or Trap face-up, to activate it."""
        before = card.position
        card.put(card.controller, card.zone, card.index, "face-up")
        self.emit(PositionChanged(card.id, before, "face-up", "rule"))

    def borrow(self, card: Card, player: Player) -> bool:
        """Take control of a monster until the end of the Battle Phase; answers whether that worked."""
        before = card.controller
        self.change_control(card, player)
        if card.controller == before:
            return False
        self.borrowed.append((card, card.incarnation, before))
        return True

    def give_back(self) -> None:
        """The Battle Phase ends, and with it the control of what was borrowed (BP-9)."""
        for card, incarnation, player in self.borrowed:
            if card.incarnation == incarnation and card.controller != player:
                self.change_control(card, player)
        self.borrowed = []

    def change_control(self, card: Card, player: Player) -> None:
        """Give a monster to the other side, if it has a free zone there; not one determined destroyed (BD-6)."""
        places = self.free_places(player, "monster-zone")
        if card.determined or not places:
            return
        self.begin_moment()
        origin = card.place
        self.leave_row(card)
        card.put(player, "monster-zone", places[0], card.position)
        self.join_row(card)
        self.emit(ControlChanged(card.id, origin, card.place))
        self.defender_changes += 1
        self.refresh()

    def equip(self, card: Card, monster: Card) -> None:
        """Bind a card to a monster."""
        card.equipped_to = monster
        self.emit(Equipped(card.id, monster.id))

    def equip_monster(self, card: Card, monster: Card) -> bool:
        """Turn a monster on the field into an Equip Card of another one; answers whether there was a zone for it."""
        places = self.free_places(card.controller, "spell-trap-zone")
        if not places:
            return False
        self.begin_moment()
        self.move(card, card.controller, "spell-trap-zone", "equipped-by-effect", index=places[0])
        card.incarnation += 1  # the monster is gone
        card.forget()
        self._let_go(card, None)
        self.equip(card, monster)
        self.refresh()
        return True

    def detach(self, card: Card) -> None:
        """Detach the first of the card's Xyz Materials."""
        material, *rest = card.materials
        card.materials = tuple(rest)
        self.emit(MaterialDetached(card.id, material))

    def affects(self, source: Card, card: Card) -> bool:
        """Whether an effect of the source can do anything to the card."""
        return reaches(source, card)

    def modify(self, card: Card, modifier: Modifier) -> None:
        """Change a monster's ATK/DEF; not of one determined destroyed (BD-2), nor of a face-down one."""
        if card.determined or not card.face_up or not card.is_monster_on_field:
            return
        self.begin_moment()
        self.lively = True
        card.modifiers.append(modifier)
        self.refresh()

    def grant(
        self,
        card: Card,
        status: Status,
        source: Card,
        *,
        bound: bool = False,
        until: Literal["turn", "damage-step"] = "turn",
    ) -> None:
        """Apply a lasting condition to a card on the field."""
        self.grant_to_all([card], status, source, bound=bound, until=until)

    def grant_to_all(
        self,
        cards: Iterable[Card],
        status: Status,
        source: Card,
        *,
        bound: bool = False,
        until: Literal["turn", "damage-step"] = "turn",
    ) -> None:
        """Apply a lasting condition to cards on the field, to all at once: none of them sees another without it."""
        self.lively = True
        granted = list(cards)
        for card in granted:
            card.grants.append(Grant(status, source, bound, until))
            if status == "unaffected-by-spells-traps":
                card.shield = source
        for card in granted:
            if not card.is_monster_on_field:
                refresh_conditions(self, card)
        self.refresh()

    def protect_player(self, player: Player, status: Status) -> None:
        """Apply a lasting condition to a player."""
        if status not in self.protected_players[player]:
            self.protected_players[player].add(status)
            self.emit(StatusChanged(status, True, player=player))

    def end_calculation(self) -> None:
        """Changes that last for a damage calculation only are over."""
        for monster in self.field_monsters():
            if monster.modifiers:
                monster.modifiers = [modifier for modifier in monster.modifiers if modifier.until != "calculation"]
        self.refresh()

    def end_damage_step(self) -> None:
        """Changes and conditions that last until the end of the Damage Step are over, all at once (DS-11)."""
        for monster in self.field_monsters():
            if monster.modifiers:
                monster.modifiers = [modifier for modifier in monster.modifiers if modifier.until != "damage-step"]
        released = [card for card in self.cards.values() if any(grant.until == "damage-step" for grant in card.grants)]
        for card in released:
            card.grants = [grant for grant in card.grants if grant.until != "damage-step"]
        # Spells and Traps first: a monster is still negated by what was negated until now.
        for card in sorted(released, key=lambda card: card.is_monster_on_field):
            refresh_conditions(self, card)
        self.refresh()

    def restrict_attacks(self, target: Card, source: Card) -> None:
        """For the rest of the turn the other side's monsters may attack only this monster; in this turn that matters only if
        the other side is the turn player.
        """
        if source.owner != self.turn_player:
            self.restriction = Restriction(target, target.incarnation, source)
            self.refresh()

    def damage(self, player: Player, amount: int, reason: LpReason) -> None:
        """A player takes damage; 0 LP ends the duel (DC-9). Damage of 0 is no damage (DC-11)."""
        if amount <= 0:
            return
        if reason == "effect-damage" and player in self.recovering:
            self.gain(player, amount)
            return
        if reason == "effect-damage" and any(
            source.active and source.behaviour.spares is not None and source.behaviour.spares(self, source, player, amount)
            for source in self.damage_sources
        ):
            return
        self.begin_moment()
        loss = min(amount, self.lp[player])
        self.lp[player] -= loss
        self.emit(LpChanged(player, -loss, self.lp[player], reason))
        if self.lp[player] == 0:
            self.end_duel(opponent(player), "life-points")

    def gain(self, player: Player, amount: int) -> None:
        """A player gains Life Points."""
        if amount > 0:
            self.lp[player] += amount
            self.emit(LpChanged(player, amount, self.lp[player], "gained"))

    def pay_lp(self, player: Player, amount: int) -> None:
        """A player pays Life Points as a cost."""
        self.damage(player, amount, "cost")

    def end_duel(self, winner: Player | None, reason: EndReason) -> None:
        """The duel is decided."""
        self.emit(DuelEnded(winner, reason))
        raise DuelOver

    def end_attack(self, reason: AttackEnd) -> None:
        """Close the attack that is open."""
        attack = self.attack
        if attack is not None:
            attack.over = True
            self.attack = None
            self.emit(AttackEnded(attack.attacker.id, reason))

    # --- continuous effects -------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Bring conditions and current ATK/DEF up to date, and stop an attack that cannot go on (AT-7)."""
        if self.lively:
            refresh_monsters(self)
        if self.perishable:
            let_perish(self)
        attack = self.attack
        if attack is not None and not attack.in_damage_step:
            if self.restriction is not None or self.magnets:
                note_restriction(self, attack)
            if stops(self, attack):
                self.end_attack("stopped")


def is_extra_deck_card(facts: CardFacts) -> bool:
    """Whether the card belongs in the Extra Deck (GN-2)."""
    return not {"fusion", "synchro", "xyz", "link"}.isdisjoint(facts.frame)
