"""A table to play a duel at by hand: cards by name, choices by what they do."""

from __future__ import annotations

from engine_protocol.board import Board, BoardCard
from engine_protocol.cards import card_pool
from engine_protocol.decisions import Decision, Option
from engine_protocol.events import DamageCalculated, Decided, Event, Moved, TimingBegan
from engine_protocol.rulesets import DEFAULT_RULESET
from engine_protocol.vocabulary import Player, Position, Timing, Zone
from reference_engine import ReferenceEngine

_PLACES: dict[str, tuple[Zone, Position]] = {
    "attack": ("monster-zone", "face-up-attack"),
    "defense": ("monster-zone", "face-up-defense"),
    "set": ("monster-zone", "face-down-defense"),
    "hand": ("hand", "face-up"),
    "deck": ("deck", "face-down"),
    "graveyard": ("graveyard", "face-up"),
    "backrow": ("spell-trap-zone", "face-down"),
    "face-up": ("spell-trap-zone", "face-up"),
    "field": ("field-zone", "face-up"),
}


_MATERIAL = card_pool().named("Celtic Guardian").passcode


class Table:
    """One duel. Player 0 is the turn player.

    Cards are given per place by their names; where a name stands twice, the second is ``name#2``. ``materials`` says how
    many Xyz Materials some of them have, ``counters`` which counters, ``equipped`` which
    monster, given before it, an Equip Card is equipped to.
    Methods answer the table itself, so that a course of play reads as one chain.
    """

    def __init__(
        self,
        mine: dict[str, list[str]],
        theirs: dict[str, list[str]],
        ruleset: str = DEFAULT_RULESET,
        *,
        materials: dict[str, int] | None = None,
        counters: dict[str, dict[str, int]] | None = None,
        equipped: dict[str, str] | None = None,
        **board: object,
    ) -> None:
        self._ids: dict[str, int] = {}
        self._materials = materials or {}
        self._counters = counters or {}
        self._equipped = equipped or {}
        self._engine = ReferenceEngine(ruleset)
        self.events: list[Event] = []
        cards = [*self._cards(0, mine), *self._cards(1, theirs)]
        progress = self._engine.start(Board(ruleset=ruleset, cards=tuple(cards), **board))  # type: ignore[arg-type]
        self.events.extend(progress.events)
        self.decision = progress.decision

    def _cards(self, player: Player, places: dict[str, list[str]]) -> list[BoardCard]:
        cards: list[BoardCard] = []
        for place, names in places.items():
            zone, position = _PLACES[place]
            for name in names:
                label = name if name not in self._ids else f"{name}#2"
                self._ids[label] = len(self._ids) + 1
                cards.append(
                    BoardCard(
                        id=self._ids[label],
                        passcode=card_pool().named(name).passcode,
                        owner=player,
                        zone=zone,
                        index=len([c for c in cards if c.zone == zone]),
                        position=position,
                        materials=(_MATERIAL,) * self._materials.get(label, 0),
                        counters=self._counters.get(label, {}),
                        equipped_to=self._ids[self._equipped[label]] if label in self._equipped else None,
                    )
                )
        return cards

    # --- choosing ---------------------------------------------------------------------------------------------------

    def _choose(self, index: int) -> None:
        assert self.decision is not None
        decision = self.decision
        progress = self._engine.choose(index)
        self.events.append(Decided(decision, index))
        self.events.extend(progress.events)
        self.decision = progress.decision

    def _option(self, kind: str, name: str | None) -> Option | None:
        card = None if name is None else self._ids[name]
        assert self.decision is not None
        return next((o for o in self.decision.options if o.kind == kind and o.card == card), None)

    def quietly_to(self, timing: Timing, player: Player | None = None) -> Table:
        """Take the quietest option until that window is reached (and, if given, that player decides in it)."""
        while self.timing != timing or (player is not None and self._player != player):
            assert self.decision is not None, f"the Battle Phase ended without {timing}"
            self._choose(0)
        return self

    def attack(self, attacker: str, target: str | None = None) -> Table:
        """Attack a monster, or directly."""
        self.quietly_to("battle-step", 0)
        self._take("attack", attacker)
        if self.decision is not None and self.decision.kind == "attack-target":
            self._take("card" if target else "direct", target)
        return self

    def activate(self, name: str, on: str | None = None) -> Table:
        """Activate a card's effect, now, by whoever is offered it next in this window; then pick its target."""
        timing = self.timing
        while self._option("activate", name) is None:
            self._choose(0)
            assert self.decision is not None, f"{name} was never offered in {timing}"
            assert self.timing == timing, f"{name} was not offered in {timing}"
        self._take("activate", name)
        if on is not None and self.decision is not None and self.decision.kind == "target":
            self._take("card", on)
        return self

    def choose(self, name: str) -> Table:
        """Select a card."""
        return self._take("card", name)

    def decline(self) -> Table:
        """Take the quietest option once."""
        self._choose(0)
        return self

    def yes(self) -> Table:
        """Answer yes."""
        return self._take("yes", None)

    def card(self, name: str) -> int:
        """A card's instance id."""
        return self._ids[name]

    def names(self) -> dict[int, str]:
        """Every card's name by its instance id."""
        return {card: name for name, card in self._ids.items()}

    def give_up(self) -> Table:
        """Give the attack up."""
        return self._take("give-up", None)

    def _take(self, kind: str, name: str | None) -> Table:
        option = self._option(kind, name)
        assert self.decision is not None
        assert option is not None, f"{kind} {name} is not among {self.decision.options}"
        self._choose(self.decision.options.index(option))
        return self

    def finish(self) -> Table:
        """Take the quietest option until the end."""
        while self.decision is not None:
            self._choose(0)
        return self

    # --- looking ----------------------------------------------------------------------------------------------------

    @property
    def timing(self) -> Timing | None:
        """The window that the open decision stands in."""
        return None if self.decision is None else self.decision.timing

    @property
    def _player(self) -> Player | None:
        return None if self.decision is None else self.decision.player

    @property
    def lp(self) -> tuple[int, int]:
        """Life Points."""
        return self._engine.observe().lp

    def place(self, name: str) -> str:
        """The zone a card is in."""
        return next(card.zone for card in self._engine.observe().cards if card.id == self._ids[name])

    def position(self, name: str) -> str:
        """The position a card is in."""
        return next(card.position for card in self._engine.observe().cards if card.id == self._ids[name])

    def atk(self, name: str) -> int | None:
        """A monster's current ATK."""
        return next(card.atk for card in self._engine.observe().cards if card.id == self._ids[name])

    def timings(self) -> list[Timing]:
        """The windows entered so far."""
        return [event.timing for event in self.events if isinstance(event, TimingBegan)]

    def decisions(self) -> list[Decision]:
        """Every decision so far, asked or forced."""
        return [event.decision for event in self.events if isinstance(event, Decided)]

    def offered(self, name: str) -> set[Timing]:
        """The windows in which a card's activation was offered so far, the open one included."""
        decisions = [*self.decisions(), *([self.decision] if self.decision else [])]
        card = self._ids[name]
        return {d.timing for d in decisions if any(o.kind == "activate" and o.card == card for o in d.options)}

    def kinds(self, kind: type[Event]) -> list[Event]:
        """The events of one kind so far."""
        return [event for event in self.events if isinstance(event, kind)]

    def moves(self, name: str) -> list[tuple[str, str]]:
        """Where a card went so far, and why."""
        return [
            (event.to.zone if event.to else "nowhere", event.reason)
            for event in self.events
            if isinstance(event, Moved) and event.card == self._ids[name]
        ]

    @property
    def calculations(self) -> list[DamageCalculated]:
        """The damage calculations so far."""
        return [event for event in self.events if isinstance(event, DamageCalculated)]
