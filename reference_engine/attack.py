"""The attack: who may attack whom, what it costs, the declaration, what stops it, and the replay.

Reads in the order of the document battle-phase-flow, sections on the Battle Step.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from engine_protocol.decisions import Option
from engine_protocol.events import AttackDeclared, AttackerChosen, AttackTargetChosen, ReplayBegan
from engine_protocol.vocabulary import opponent
from reference_engine.filters import select
from reference_engine.stats import reaches

if TYPE_CHECKING:
    from reference_engine.battle_damage import DamageChange, DamageStep
    from reference_engine.behaviour import Flow
    from reference_engine.card import Card
    from reference_engine.duel import Duel

DIRECT = Option("direct")
GIVE_UP = Option("give-up")


class Restriction(Struct, frozen=True, gc=False):
    """An effect by which one side's monsters may attack only this monster."""

    target: Card
    incarnation: int
    source: Card

    def allows(self, monster: Card) -> bool:
        """Whether this is the monster that may be attacked, still the same one."""
        return monster is self.target and monster.incarnation == self.incarnation


class Attack:
    """The attack that is open, and later its battle.

    ``target``       None: a direct attack
    ``defenders``    how often the opponent's monsters had changed when the target was chosen last
    ``in_damage_step``  the Damage Step has begun: nothing stops or rewinds the attack any more, only the battle can end
    ``joined``       a monster was Special Summoned to the other side since the target was chosen last
    ``rests_on_effect`` it is a further attack that a continuous effect of the attacker allows
    ``calculated``   damage calculation was performed: both have battled
    ``damage``       battle damage that each player took
    ``damage_changes`` effects applied to the battle damage of this battle
    ``flipped``      the target, if this battle flipped it
    ``face_down``    the target was face-down at the start of the Damage Step
    ``destroyed``    monsters determined destroyed
    ``sent``         those of them that were destroyed by battle: no effect had removed them before
    ``settled``      what the flip made apply has its consequences now (DS-4)
    ``original_values`` damage calculation uses the original ATK and DEF
    ``restriction``  what limits the attacker's targets; ``rewound``: that changed in a way that rewinds the attack
    ``inside``       the battle takes place inside an effect: the attack itself is over by then (EC-3)
    ``protected``    monsters that this battle cannot destroy
    ``substitutes``  what goes instead of a monster, decided during damage calculation
    ``no_damage``    players who take no battle damage from this battle
    ``applied``      continuous effects already applied in this damage calculation
    """

    __slots__ = (
        "applied",
        "attacker",
        "attacker_incarnation",
        "calculated",
        "damage",
        "damage_changes",
        "defenders",
        "destroyed",
        "face_down",
        "flipped",
        "in_damage_step",
        "inside",
        "joined",
        "no_damage",
        "original_values",
        "over",
        "protected",
        "restriction",
        "rests_on_effect",
        "rewound",
        "sent",
        "settled",
        "substitutes",
        "target",
        "target_incarnation",
        "target_was_attack_position",
    )

    def __init__(self, attacker: Card, target: Card | None, defenders: int) -> None:
        self.attacker = attacker
        self.attacker_incarnation = attacker.incarnation
        self.over = False
        self.inside = False
        self.protected: list[Card] = []
        self.in_damage_step = False
        self.rests_on_effect = False
        self.restriction: Restriction | None = None
        self.rewound = False
        self.joined = False
        self.original_values = False
        self.sent: list[Card] = []
        self.calculated = False
        self.damage = [0, 0]
        self.damage_changes: list[tuple[DamageStep, DamageChange]] = []
        self.flipped: Card | None = None
        self.settled = False
        self.face_down = False
        self.target_was_attack_position = False
        self.destroyed: list[Card] = []
        self.substitutes: list[tuple[Card, Card]] = []
        self.no_damage: set[int] = set()
        self.applied: set[int] = set()
        self.aim(target, defenders)

    def aim(self, target: Card | None, defenders: int) -> None:
        """Choose this target."""
        self.target = target
        self.target_incarnation = target.incarnation if target else 0
        self.defenders = defenders

    def involves(self, card: Card) -> bool:
        """Whether the card is one of the two monsters, still the same one."""
        return (card is self.attacker and card.incarnation == self.attacker_incarnation) or (
            card is self.target and card.incarnation == self.target_incarnation
        )

    def other(self, card: Card) -> Card | None:
        """The monster that this one battles; None in a direct attack."""
        return self.target if card is self.attacker else self.attacker

    def attacker_stands(self, duel: Duel) -> bool:
        """Whether the attacker is still there, the turn player's, and in a position to attack."""
        attacker = self.attacker
        return (
            attacker.incarnation == self.attacker_incarnation
            and attacker.controller == duel.turn_player
            and attacker.is_monster_on_field
            and position_allows_attack(attacker)
        )

    def target_stands(self, duel: Duel) -> bool:
        """Whether the target is still there and the opponent's (a direct attack has none to lose)."""
        target = self.target
        return target is None or (
            target.incarnation == self.target_incarnation and target.is_monster_on_field and target.controller != duel.turn_player
        )

    def goes_on(self, duel: Duel) -> bool:
        """Whether damage calculation can still be performed (DS-6)."""
        return self.attacker_stands(duel) and self.target_stands(duel)


def position_allows_attack(monster: Card) -> bool:
    """Face-up Attack Position, or face-up Defense Position with an effect that allows it (AT-1)."""
    return monster.in_attack_position or (monster.position == "face-up-defense" and attacks_in_defense(monster))


def attacks_in_defense(monster: Card) -> bool:
    """Whether an effect lets it attack in Defense Position, with its DEF or with its ATK."""
    return monster.has("attacks-in-defense") or monster.has("attacks-in-defense-with-atk")


def attack_count(monster: Card) -> int:
    """How many attacks it may declare now, those of an effect on each monster once aside."""
    own = monster.behaviour.attacks if monster.active else 1
    return max(own, *(lender.behaviour.attacks for lender in monster.lenders)) if monster.lenders else own


def has_attack_left(duel: Duel, monster: Card) -> bool:
    """One declaration per monster and Battle Phase, unless an effect gives more; the highest number holds (AT-2, AT-11)."""
    declared = monster.attacked
    if not declared:
        return True
    if monster.granted or attack_count(monster) > len(declared):
        return True
    if on_monsters(monster) > len(declared) and None not in declared and duel.monsters(opponent(monster.controller)):
        return True
    if monster.behaviour.attacks_each and monster.active and None not in declared:
        return any((target.id, target.incarnation) not in monster.met for target in duel.monsters(opponent(monster.controller)))
    return False


def on_monsters(monster: Card) -> int:
    """How many attacks an effect allows it that all are on monsters."""
    return monster.behaviour.attacks_on_monsters if monster.active else 1


def may_attack(duel: Duel, monster: Card) -> bool:
    """Whether the turn player may choose this monster to attack with."""
    return (
        not duel.no_more_declarations
        and position_allows_attack(monster)
        and "cannot-attack" not in monster.statuses
        and monster.id not in duel.barred
        and has_attack_left(duel, monster)
        and bool(legal_targets(duel, monster))
        and cost_payable(duel, monster)
    )


def may_attack_directly(duel: Duel, monster: Card) -> bool:
    """Only if the opponent has no monster, or an effect allows it (AT-3)."""
    return not duel.monsters(opponent(monster.controller)) or monster.has("direct-attack")


def restriction_on(duel: Duel, monster: Card) -> Restriction | None:
    """What limits the targets of this monster, if anything does."""
    restriction = duel.restriction
    if restriction is not None and restriction.source.owner != monster.controller and reaches(restriction.source, monster):
        return restriction
    for magnet in duel.magnets:
        target = magnet.equipped_to
        if target is not None and magnet.active and magnet.controller != monster.controller and reaches(magnet, monster):
            return Restriction(target, target.incarnation, magnet)
    return None


def note_restriction(duel: Duel, attack: Attack) -> None:
    """A restriction that excludes the target rewinds the attack, and so does the end of one (RP-1)."""
    now = restriction_on(duel, attack.attacker)
    if now != attack.restriction:
        attack.restriction = now
        if now is None or now.target is not attack.target:
            attack.rewound = True


def legal_targets(duel: Duel, monster: Card, replayed: Attack | None = None) -> tuple[Option, ...]:
    """What this monster may attack now (AT-3, AT-11); in a replay the target it had counts as not attacked yet (RP-8)."""
    targets = [target for target in duel.monsters(opponent(monster.controller)) if "cannot-be-attacked" not in target.statuses]
    restriction = restriction_on(duel, monster)
    if restriction is not None:
        targets = [target for target in targets if restriction.allows(target)]
    met: set[tuple[int, int]] = set()
    if monster.behaviour.attacks_each and monster.active:
        met = set(monster.met)
        if replayed is not None and replayed.target is not None:
            met.discard((replayed.target.id, replayed.target_incarnation))
    options = [duel.card_option(target) for target in targets if not met or (target.id, target.incarnation) not in met]
    further = len(monster.attacked) > (0 if replayed is None else 1)
    if further and on_monsters(monster) > 1 and attack_count(monster) == 1 and not monster.granted:
        return tuple(options)
    if not met and restriction is None and may_attack_directly(duel, monster):
        options.append(DIRECT)
    return tuple(options)


def cost_payable(duel: Duel, monster: Card) -> bool:
    """Whether the cost of attacking can be paid (AT-4)."""
    for cost in monster.behaviour.attack_costs if monster.active else ():
        if cost.kind == "pay-lp" and duel.lp[monster.controller] < cost.amount:
            return False
        if cost.kind == "tribute" and not select(duel, cost.filter, monster.controller, monster):
            return False
    return True


def declare(duel: Duel, attacker: Card) -> Flow:
    """Choose the attacker, pay, choose the target: the attack declaration."""
    for monster in duel.monsters(duel.turn_player):
        if monster is not attacker:
            monster.granted = 0  # a further attack "in a row" is lost once another monster attacks
    duel.emit(AttackerChosen(attacker.id))
    yield from _pay_attack_cost(duel, attacker)
    targets = legal_targets(duel, attacker)
    if not (
        attacker.is_monster_on_field and attacker.controller == duel.turn_player and position_allows_attack(attacker) and targets
    ):
        duel.barred.add(attacker.id)
        return
    chooser = duel.turn_player
    if any(monster.has("chooses-attack-targets") for monster in duel.monsters(opponent(chooser))):
        chooser = opponent(chooser)
    option = yield from duel.ask(chooser, "attack-target", targets, attacker.id)
    target = None if option.card is None else duel.cards[option.card]
    further = bool(attacker.attacked)
    rests_on_effect = further and not attacker.granted
    if further and attacker.granted:
        attacker.granted -= 1
    attacker.attacked.append(option.card)
    if target is not None:
        attacker.met.add((target.id, target.incarnation))
    attack = duel.attack = Attack(attacker, target, duel.defender_changes)
    attack.rests_on_effect = rests_on_effect
    attack.restriction = restriction_on(duel, attacker)
    duel.emit(AttackDeclared(attacker.id, option.card))
    for source in duel.attack_watchers:
        if source.active and source.behaviour.on_attack is not None:
            source.behaviour.on_attack(duel, source, attacker)
    note_declaration(duel, attack)
    if duel.attacks_to_negate and not attack.over:
        duel.attacks_to_negate -= 1
        duel.end_attack("negated")


def note_declaration(duel: Duel, attack: Attack) -> None:
    """Note what triggers when an attack is declared, and when a monster is attacked."""
    duel.begin_moment()
    duel.occur("attack-declared", attack.attacker)
    if attack.target is not None:
        duel.occur("attack-targeted", attack.target)


def _pay_attack_cost(duel: Duel, attacker: Card) -> Flow:
    player = attacker.controller
    for cost in attacker.behaviour.attack_costs if attacker.active else ():
        if cost.kind == "pay-lp":
            duel.pay_lp(player, cost.amount)
        elif cost.kind == "tribute":
            options = tuple(duel.card_option(card) for card in select(duel, cost.filter, player, attacker))
            option = yield from duel.ask(player, "attack-cost", options, attacker.id)
            duel.send([duel.card_of(option)], "tributed")


def stops(duel: Duel, attack: Attack) -> bool:
    """Whether the attack cannot go on before the Damage Step (AT-7, AT-8): the attacker gone or unable to attack, or the effect
    lost that allows a further attack.
    """
    attacker = attack.attacker
    return (
        not attack.attacker_stands(duel)
        or "cannot-attack" in attacker.statuses
        or (attack.rests_on_effect and not further_attack_allowed(attacker))
    )


def further_attack_allowed(attacker: Card) -> bool:
    """Whether the effect that allowed the latest attack still applies."""
    each = attacker.behaviour.attacks_each and attacker.active
    return each or on_monsters(attacker) >= len(attacker.attacked) or attack_count(attacker) >= len(attacker.attacked)


def replay_is_due(duel: Duel, attack: Attack) -> bool:
    """Whether one of the ruleset's causes of a replay is there (RP-1, RP-2)."""
    causes = duel.ruleset.replay_causes
    return (
        ("monsters-changed" in causes and attack.defenders != duel.defender_changes)
        or ("target-lost" in causes and not attack.target_stands(duel))
        or ("monster-summoned" in causes and attack.joined)
        or ("permission-lost" in causes and attack.target is None and not may_attack_directly(duel, attack.attacker))
        or ("restriction-changed" in causes and attack.rewound)
    )


def replay(duel: Duel, attack: Attack) -> Flow:
    """The turn player chooses again: a legal target, or to give up, which uses the attack (RP-5, RP-6). In some rulesets that is
    a new declaration, though not another attack of the monster.
    """
    attacker = attack.attacker
    duel.emit(ReplayBegan(attacker.id))
    options = (GIVE_UP, *legal_targets(duel, attacker, attack))
    option = yield from duel.ask(duel.turn_player, "replay", options, attacker.id)
    if option is GIVE_UP:
        duel.end_attack("given-up")
        return
    target = None if option.card is None else duel.cards[option.card]
    attack.aim(target, duel.defender_changes)
    attack.rewound = attack.joined = False
    if target is not None:
        attacker.met.add((target.id, target.incarnation))
    if duel.ruleset.replay_declares_again:
        duel.emit(AttackDeclared(attacker.id, option.card))
        note_declaration(duel, attack)
        return
    duel.emit(AttackTargetChosen(attacker.id, option.card))
    duel.begin_moment()
    if target is not None:
        duel.occur("attack-targeted", target)
