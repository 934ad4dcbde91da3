"""Battles told whole, with real cards, for the oracles of damage calculation and of destruction by battle."""

from __future__ import annotations

from collections.abc import Callable, Collection

from engine_protocol.cards import card_pool
from engine_protocol.decisions import Option
from engine_protocol.events import Activated, AttackDeclared, AttackerChosen
from engine_protocol.vocabulary import Outcome, Player, Position, Timing, Zone
from tests.oracles.traces import PASS, Duel


class Battle(Duel):
    """A duel between cards of the pool that ships, told up to and through one attack by Player A."""

    def __init__(self, lp: tuple[int, int] = (8000, 8000)) -> None:
        super().__init__(lp=lp, pool=card_pool())

    def real(
        self,
        owner: Player,
        name: str = "Celtic Guardian",
        atk: int | None = None,
        def_: int | None = None,
        position: Position = "face-up-attack",
    ) -> int:
        """A monster of that name on the field, with its own ATK and DEF or others."""
        return self.monster(owner, atk, def_, passcode=self.pool_named(name), position=position)

    def place_card(self, owner: Player, name: str, zone: Zone = "spell-trap-zone", position: Position = "face-up") -> int:
        """A card of that name that is no monster on the field."""
        return self.card(owner, self.pool_named(name), zone, position)

    def pool_named(self, name: str) -> int:
        """The passcode of a card."""
        return self.pool.named(name).passcode

    def declare(self, attacker: int, target: int | None) -> None:
        """The attack up to its declaration, with every possible attacker and target offered."""
        self.to_battle_step()
        monsters = [(number, card) for number, card in enumerate(self.cards, 1) if card.zone == "monster-zone"]
        able = [n for n, card in monsters if card.owner == 0 and (n == attacker or card.position == "face-up-attack")]
        targets = [n for n, card in monsters if card.owner == 1]
        options = self.with_ready(0, [Option("attack", n) for n in able])
        self.decide(0, "action", (PASS, *options), able.index(attacker) + 1)
        self.add(AttackerChosen(attacker))
        self.attacker = attacker
        self.choose_target(target, targets or None)
        self.add(AttackDeclared(attacker, target))
        self.begin("declaration")

    def up_to_calculation(self, attacker: int, target: int | None) -> None:
        """The attack, and nothing happens until both have passed during damage calculation."""
        self.declare(attacker, target)
        self.to_after_declaration()
        self.both_pass()
        for timing in ("damage-start", "before-calculation", "during-calculation"):
            self.begin(timing)
            self.both_pass()

    def fight(
        self,
        attacker: int,
        target: int | None,
        values: tuple[int, int | None],
        damage: tuple[int, int] = (0, 0),
        destroyed: Collection[int] = (),
        *,
        upto: Timing = "damage-end",
        target_uses_def: bool = False,
    ) -> None:
        """The attack and its Damage Step, in which nobody does anything, up to the end or to the beginning of ``upto``."""
        self.up_to_calculation(attacker, target)
        self.calculate(target, values, damage, destroyed, target_uses_def)
        self.begin("after-calculation")
        if upto == "after-calculation":
            return
        self.both_pass()
        self.begin("damage-end")
        self.send_destroyed(destroyed)
        self.both_pass()
        self.end_attack("battled")

    def link(self, player: Player, card: int) -> None:
        """The card's first effect becomes the next Chain Link; what led to it has been told."""
        event = Activated(
            len(self.links) + 1, player, card, 1, self.place(card), as_card=self.cards[card - 1].zone != "monster-zone"
        )
        self.links.append(event)
        self.add(event)

    def verdict(self, rule: str) -> tuple[set[str], bool]:
        """The rules that the trace violates, of all, and whether this one was at stake."""
        judgement = self.judge()
        return {violation.rule for violation in judgement.violations}, judgement.at_stake[rule] > 0


Setting = Callable[[Battle, int, int], None]
"""What else is on the board, given the attacker and the target."""


def nothing(duel: Battle, attacker: int, target: int) -> None:
    """Nothing else."""


def face_up(name: str) -> Setting:
    """A Spell/Trap, or a monster, of Player B that lies face-up."""

    def setting(duel: Battle, _attacker: int, _target: int) -> None:
        if duel.pool.named(name).type == "monster":
            duel.real(1, name)
        else:
            duel.place_card(1, name, "field-zone" if duel.pool.named(name).property == "field" else "spell-trap-zone")

    return setting


def off_the_field(name: str) -> Setting:
    """The same in the Graveyard."""
    return lambda duel, _attacker, _target: void(duel.place_card(1, name, "graveyard"))


def set_(name: str) -> Setting:
    """The same lying face-down."""
    return lambda duel, _attacker, _target: void(duel.set_card(1, duel.pool_named(name)))


def void(_card: int) -> None:
    """Forget the card's id."""


def activated(name: str, outcome: Outcome = "resolved") -> Setting:
    """Player B has activated the card in the Start Step."""

    def setting(duel: Battle, _attacker: int, _target: int) -> None:
        card = duel.set_card(1, duel.pool_named(name))
        duel.begin("start-step")
        duel.activate(1, card)
        duel.resolve(outcome=outcome)

    return setting
