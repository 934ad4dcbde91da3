"""Steps of hand-written duels that the Damage Step and chains need: timings passed through, Triggers, costs."""

from __future__ import annotations

from collections.abc import Collection

from engine_protocol.decisions import DecisionKind, Option
from engine_protocol.events import Activated, Event
from engine_protocol.vocabulary import Player, Timing
from tests.oracles.battles import Battle
from tests.oracles.traces import PASS


class Chained(Battle):
    """A battle in which Triggers and costs are told, too, and whatever surely can be activated is offered in every window."""

    told_by_the_test = frozenset()

    def to_damage_step(self, attacker: int, target: int | None) -> None:
        """The attack, up to the passes after which the Damage Step begins."""
        self.declare(attacker, target)
        self.to_after_declaration()
        self.both_pass()

    def through(self, *timings: Timing) -> None:
        """These timings, in which both players pass."""
        for timing in timings:
            self.begin(timing)
            self.both_pass()

    def trigger(
        self,
        player: Player,
        card: int,
        effect: int = 1,
        targets: tuple[int, ...] = (),
        *,
        optional: bool = False,
        others: Collection[Option] = (),
    ) -> None:
        """A Trigger is put on the chain; an optional one could have been passed on."""
        own = Option("activate", card, effect)
        options = (PASS, own, *others) if optional else (own, *others)
        self.decide(player, "trigger", options, options.index(own))
        self.chain(player, card, effect, targets, trigger=True)

    def paid(self, player: Player, card: int, *payments: Event, effect: int = 1, targets: tuple[int, ...] = ()) -> None:
        """An activation with what is paid between the choice and the activation."""
        kind: DecisionKind = "response" if self.links else "priority"
        place = self.place(card)
        options = self.with_ready(player, (Option("activate", card, effect),))
        self.decide(player, kind, (PASS, *options), 1)
        self.add(*payments)
        as_card = self.pool[self.cards[card - 1].passcode].type != "monster"
        event = Activated(len(self.links) + 1, player, card, effect, place, targets, as_card)
        self.links.append(event)
        self.add(event)

    def chain(self, player: Player, card: int, effect: int = 1, targets: tuple[int, ...] = (), *, trigger: bool = False) -> None:
        """The effect becomes the next Chain Link; the choice has been told."""
        as_card = self.pool[self.cards[card - 1].passcode].type != "monster"
        event = Activated(len(self.links) + 1, player, card, effect, self.place(card), targets, as_card, trigger)
        self.links.append(event)
        self.add(event)
