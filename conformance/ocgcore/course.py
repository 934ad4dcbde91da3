"""The course of a duel as the protocol tells it: windows, the attack, the chain, and the events so far."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from engine_protocol.cards import CardFacts, EffectFacts
from engine_protocol.decisions import Decision, Option
from engine_protocol.events import AttackEnded, Decided, Event, Place, TimingBegan
from engine_protocol.vocabulary import DAMAGE_STEP_TIMINGS, AttackEnd, Outcome, Player, Timing, opponent

PASS = Option("pass")
NO = Option("no")
YES = Option("yes")
DONE = Option("done")
DIRECT = Option("direct")
GIVE_UP = Option("give-up")


class Ask(Struct):
    """An open question. ``take`` is told the option and gives the answer for the core, or the next question."""

    decision: Decision
    take: Callable[[int], bytes | Ask]


class OpenAttack:
    """The attack that is open. ``declared`` once its target is fixed; ``target`` None: none, or a direct attack.

    ``inside``  its battle takes place while an effect resolves
    """

    __slots__ = ("attacker", "calculated", "declared", "in_damage_step", "inside", "target")

    def __init__(self, attacker: int) -> None:
        self.attacker = attacker
        self.target: int | None = None
        self.declared = False
        self.in_damage_step = False
        self.calculated = False
        self.inside = False


class OpenLink:
    """A Chain Link, while its costs are paid and after.

    ``asked``   how many selections of its cost were asked for
    ``stay``    of its card (see :class:`~conformance.ocgcore.table.TableCard`) when it was activated; ``stays`` of its targets
    ``chosen``  the cards chosen for it, in the order of the choices; the core orders its targets otherwise
    """

    __slots__ = (
        "as_card",
        "asked",
        "card",
        "chosen",
        "effect",
        "facts",
        "number",
        "outcome",
        "place",
        "player",
        "stay",
        "stays",
        "targets",
        "trigger",
    )

    def __init__(self, number: int, player: Player, card: int, facts: CardFacts | None, effect: int, place: Place) -> None:
        self.number = number
        self.player = player
        self.card = card
        self.effect = effect
        self.facts: EffectFacts | None = facts.effect(effect) if facts is not None else None
        self.place = place
        self.targets: list[int] = []
        self.stay = 0
        self.stays: dict[int, int] = {}
        self.chosen: list[int] = []
        self.as_card = False
        self.trigger = False
        self.outcome: Outcome = "resolved"
        self.asked = 0


class Course:
    """Where a duel stands.

    ``events``      everything so far
    ``timing``      the window, None before the Battle Phase
    ``passes``      who passed in the window in succession since the last activation
    ``fresh``       nothing has happened in the window yet
    ``aftermath``   a chain has ended and the core has not marked a window since: it asks both players once more
    ``step_over``   the Damage Step is over, and no window has begun since
    ``held_back``   who passed in the aftermath with nothing to choose, told only if anything comes of the aftermath
    ``building``    the link that is being put on the chain; ``resolving`` the number of the one that resolves, 0: none, and
                    ``resolving_since`` how many events there were then
    """

    def __init__(self, turn_player: Player) -> None:
        self.turn_player = turn_player
        self.events: list[Event] = []
        self.timing: Timing | None = None
        self.passes: list[Player] = []
        self.fresh = True
        self.aftermath = False
        self.step_over = False
        self.held_back: list[Player] = []
        self.attack: OpenAttack | None = None
        self.chain: list[OpenLink] = []
        self.building: OpenLink | None = None
        self.resolving = 0
        self.resolving_since = 0
        self.over = False

    def emit(self, event: Event) -> None:
        """It happened."""
        self.events.append(event)
        self.fresh = False

    @property
    def in_damage_step(self) -> bool:
        """Whether play is in one of the five timings of the Damage Step."""
        return self.timing in DAMAGE_STEP_TIMINGS

    @property
    def link_at_hand(self) -> OpenLink | None:
        """The link that is being put on the chain, or that resolves."""
        if self.building is not None:
            return self.building
        return self.chain[self.resolving - 1] if 0 < self.resolving <= len(self.chain) else None

    def enter(self, timing: Timing) -> None:
        """A window begins. One that has just begun does not begin again."""
        if timing == self.timing and self.fresh:
            return
        if self.timing == "start-step" and timing != "start-step":
            self.both_pass()
        self.timing = timing
        self.passes.clear()
        self.held_back = []
        self.aftermath = False
        self.step_over = False
        self.emit(TimingBegan(timing))
        self.fresh = True

    def both_pass(self) -> None:
        """The core asks nobody who has nothing to do in the Start Step and in the End Step: those passes are told here."""
        while len(self.passes) < 2 or self.passes[-1] == self.passes[-2]:
            self.forced_pass(opponent(self.passes[-1]) if self.passes else self.turn_player)

    def forced_pass(self, player: Player) -> None:
        """A player who has nothing to activate passes."""
        assert self.timing is not None
        self.decided(Decision(player, "priority", self.timing, (PASS,)), 0, forced=True)

    def decided(self, decision: Decision, chosen: int, *, forced: bool = False, tell: bool = True) -> None:
        """A decision was taken. ``tell``: it goes among the events."""
        if tell:
            self.emit(Decided(decision, chosen, forced))
        self.fresh = False
        if decision.kind in {"action", "priority"}:
            if decision.options[chosen].kind == "pass":
                self.passes.append(decision.player)
            else:
                self.passes.clear()

    def end_attack(self, reason: AttackEnd) -> None:
        """The attack is over."""
        if self.attack is not None:
            if self.attack.declared:
                self.emit(AttackEnded(self.attack.attacker, reason))
            self.attack = None
