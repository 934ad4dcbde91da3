"""AT-11, RP-8: monsters that may attack more than once.

What a monster has attacked so far is kept per stay on the field and per attack, every choice of a target included: the one of the
declaration and those of replays.
"""

from __future__ import annotations

from typing import Final

from engine_protocol.cards import AttackGrant
from engine_protocol.decisions import Decision
from engine_protocol.events import AttackDeclared, AttackerChosen, AttackTargetChosen, Decided
from oracles.oracle import Oracle
from oracles.permissions import hindered
from oracles.view import Attack, Card, Key, View

TWICE: Final[frozenset[AttackGrant]] = frozenset({"twice"})
EACH: Final[frozenset[AttackGrant]] = frozenset({"each-monster"})
TWICE_ON_MONSTERS: Final[frozenset[AttackGrant]] = frozenset({"twice-monsters"})


def grants_of(view: View, monster: Card) -> frozenset[AttackGrant] | None:
    """The further attacks that effects allow the monster now; None where that is not certain."""
    if not view.attack_givers:
        return frozenset()
    if "effects-negated" in monster.statuses or "unaffected-by-spells-traps" in monster.statuses or not monster.face_up:
        return None
    grants = {effect.attacks for effect in monster.facts.effects if effect.kind == "continuous" and effect.attacks}
    for card in _equips(view, monster):
        grants |= {effect.attacks for effect in card.facts.effects if effect.attacks}
    for card in view.cards.values():
        if "multi-attack" not in card.known.categories or card is monster or card.facts.property == "equip" or not card.on_field:
            continue
        if card.facts.type != "monster" or any(e.attacks and (e.subject or e.target) for e in card.facts.effects):
            return None
    for link in view.activations:
        if link.facts is not None and link.facts.attacks and link.card.facts.property != "equip":
            return None
    return frozenset(grants)


def _equips(view: View, monster: Card) -> list[Card]:
    """The Equip Cards that the monster has."""
    own = monster.id
    return [card for card in view.cards.values() if card.equipped_to == own and card.on_field and card.face_up]


class Targets:
    """What each stay of a monster has attacked, attack by attack; the first target of an attack is that of its declaration."""

    def __init__(self) -> None:
        self._chosen: dict[Key, list[tuple[Attack, list[Key | None]]]] = {}
        self._exchanged: dict[Key, list[tuple[Attack, Key]]] = {}
        self._replays = 0

    def note(self, attack: Attack | None) -> None:
        """A target was chosen for this attack."""
        if attack is None:
            return
        attacks = self._chosen.setdefault(attack.attacker_key, [])
        if not attacks or attacks[-1][0] is not attack:
            attacks.append((attack, []))
            self._replays = 0
        targets = attacks[-1][1]
        if attack.replays > self._replays and targets and targets[-1] is not None and targets[-1] != attack.target_key:
            self._exchanged.setdefault(attack.attacker_key, []).append((attack, targets[-1]))
        self._replays = attack.replays
        targets.append(attack.target_key)

    def exchanged(self, monster: Card) -> set[Key]:
        """The monsters that it attacked only until something else was chosen in a replay. That a negated attack, one given up in
        a replay and one that an effect turned elsewhere count is written; whether these count as attacked is not.
        """
        left = self._exchanged.get(monster.key)
        if not left:
            return set()
        given_up = {(id(attack), key) for attack, key in left}
        chosen = self._chosen[monster.key]
        attacked = {key for attack, targets in chosen for key in targets if (id(attack), key) not in given_up}
        return {key for _, key in left} - attacked

    def before(self, monster: Card, attack: Attack | None) -> list[list[Key | None]]:
        """The targets of the attacks that the monster declared before this one."""
        return [targets for other, targets in self._chosen.get(monster.key, ()) if other is not attack]


class FurtherAttacks(Oracle):
    """Two-sided for a monster that may attack twice, or two monsters, and for one that may attack each monster once. Silent where
    several such effects of different kinds apply, or where one may be negated, and on a monster attacked only until a replay.
    """

    id = "AT-11"
    title = "Several attacks"
    statement = (
        "Effects that allow the same number of attacks do not add up. A monster that may attack two monsters, or each of the"
        " opponent's once, attacks either monsters or directly, and in the second case none of them twice; a negated or given-up"
        " attack counts."
    )
    citations = (("battle-phase-flow", "多次攻击"),)
    needs = ("multi-attack",)

    def prepare(self) -> None:
        self.targets = Targets()

    def on_attack_declared(self, event: AttackDeclared, view: View) -> None:
        self.targets.note(view.attack)

    def on_attack_target_chosen(self, event: AttackTargetChosen, view: View) -> None:
        self.targets.note(view.attack)

    def on_action(self, event: Decided, view: View) -> None:
        if not view.declarations:
            return
        offered = {option.card for option in event.decision.options if option.kind == "attack"}
        for monster in view.monsters[view.turn_player].values():
            if view.declarations.get(monster.key) and monster.position == "face-up-attack":
                self._judge(monster, monster.id in offered, view)

    def before_attacker_chosen(self, event: AttackerChosen, view: View) -> None:
        monster = view.cards[event.attacker]
        if view.declarations.get(monster.key):
            self._judge(monster, True, view)

    def _judge(self, monster: Card, offered: bool, view: View) -> None:
        grants = grants_of(view, monster)
        if not grants:
            return
        declared = view.declarations[monster.key]
        if grants == TWICE:
            self.stake()
            if offered and declared >= 2:
                self._fail(monster, "has declared its two attacks", "a third attack was offered for it")
            elif not offered and declared == 1 and self._free(monster, view):
                self._fail(monster, "may attack a second time", "that was not offered")
        elif grants == TWICE_ON_MONSTERS:
            self.stake()
            directly = any(targets[0] is None for targets in self.targets.before(monster, None))
            if offered and (declared >= 2 or directly):
                self._fail(monster, "has declared all the attacks that it may", "another attack was offered for it")
            elif not offered and declared == 1 and self._left([], view) and self._only_monsters(monster, view):
                self._fail(monster, "may attack a second monster", "that was not offered")
        elif grants == EACH:
            self.stake()
            before = self.targets.before(monster, None)
            left = self._left(before, view)
            if offered and any(targets[0] is None for targets in before):
                self._fail(monster, "has attacked directly, so it attacks no monster", "another attack was offered for it")
            elif offered and not left and not self.targets.exchanged(monster).intersection(view.opposing(view.turn_player)):
                self._fail(monster, "has attacked all of the opponent's monsters", "another attack was offered for it")
            elif not offered and left and not any(None in targets for targets in before) and self._free(monster, view):
                self._fail(monster, "has not attacked each of the opponent's monsters", "its attack was not offered")

    def _only_monsters(self, monster: Card, view: View) -> bool:
        """Whether it has attacked no player, also not in a replay, and nothing may keep it from attacking."""
        return self._free(monster, view) and not any(None in targets for targets in self.targets.before(monster, None))

    @staticmethod
    def _free(monster: Card, view: View) -> bool:
        """Whether nothing may keep it from attacking."""
        return (
            "cannot-attack" not in monster.statuses
            and not view.player_statuses[view.turn_player]
            and "attack-cost" not in monster.known.categories
            and view.opaque_card() is None
            and not hindered(view)
        )

    def _left(self, before: list[list[Key | None]], view: View) -> set[Key]:
        """The opponent's monsters that it has not attacked."""
        return set(view.opposing(view.turn_player)) - {key for targets in before for key in targets if key is not None}

    def on_attack_target(self, event: Decided, view: View) -> None:
        self._choice(event.decision, view)

    def on_replay(self, event: Decided, view: View) -> None:
        self._choice(event.decision, view)

    def _choice(self, decision: Decision, view: View) -> None:
        attack = view.attack
        if attack is None or not view.present(attack.attacker_key):
            return
        monster = view.cards[attack.attacker]
        before = self.targets.before(monster, attack)
        grants = grants_of(view, monster)
        if before and grants == TWICE_ON_MONSTERS:
            self.stake()
            if any(option.kind == "direct" for option in decision.options):
                self._fail(monster, "attacks a monster with its second attack", "it could attack directly")
        if not before or grants != EACH:
            return
        self.stake()
        left = self._left(before, view) | self.targets.exchanged(monster)
        for option in decision.options:
            if option.kind == "card" and option.card is not None and view.cards[option.card].key not in left:
                self._fail(monster, f"has attacked {view.name(option.card)} before", "it could attack it again", option.card)
            elif option.kind == "direct" and all(targets[0] is not None for targets in before):
                self._fail(monster, "has attacked a monster, so it does not attack directly", "it could attack directly")

    def _fail(self, monster: Card, expected: str, happened: str, *cards: int) -> None:
        self.fail(expected=f"{monster!r} {expected}", happened=happened, cards=(monster.id, *cards))


class ReplayOfFirstAttack(Oracle):
    """Two-sided, at the first replay of an attack on a monster by one that may attack each monster once. Silent if another effect
    lets it attack directly.
    """

    id = "RP-8"
    title = "A replay instead of a direct attack"
    statement = (
        "The attack on a monster of one that may attack each monster once becomes a direct attack in the replay only if there is"
        " no monster left and it has attacked no other one before; with none left its further attack just ends."
    )
    citations = (("battle-phase-flow", "多次攻击"),)
    needs = ("multi-attack",)

    def prepare(self) -> None:
        self.targets = Targets()

    def on_attack_declared(self, event: AttackDeclared, view: View) -> None:
        self.targets.note(view.attack)

    def on_attack_target_chosen(self, event: AttackTargetChosen, view: View) -> None:
        self.targets.note(view.attack)

    def on_replay(self, event: Decided, view: View) -> None:
        attack = view.attack
        if attack is None or attack.replays > 1 or attack.direct or not view.present(attack.attacker_key):
            return
        monster = view.cards[attack.attacker]
        if grants_of(view, monster) != EACH or "can-attack-directly" in monster.statuses or hindered(view):
            return
        if any("direct-attack" in card.known.categories for card in (monster, *_equips(view, monster))):
            return
        self.stake()
        before = self.targets.before(monster, attack)
        direct = any(option.kind == "direct" for option in event.decision.options)
        if view.opposing(attack.player):
            if direct:
                self._fail(monster, "has attacked a monster, and there are others", "it could attack directly")
        elif not before and not direct:
            self._fail(monster, "has attacked no other monster, so it may attack directly", "that was not offered")
        elif direct and before and not any(None in targets for targets in before):
            self._fail(monster, "has attacked another monster before, so its attack just ends", "it could attack directly")

    def _fail(self, monster: Card, expected: str, happened: str) -> None:
        self.fail(expected=f"{monster!r} {expected}", happened=happened, cards=(monster.id,))


ORACLES: Final[tuple[type[Oracle], ...]] = (FurtherAttacks, ReplayOfFirstAttack)
