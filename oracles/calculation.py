"""DC: damage calculation."""

from __future__ import annotations

from typing import ClassVar, Final, Literal

from engine_protocol.events import (
    Activated,
    DamageCalculated,
    DeterminedDestroyed,
    DuelEnded,
    LpChanged,
    StatChanged,
    TimingBegan,
)
from engine_protocol.vocabulary import PLAYER_NAMES, PLAYERS, opponent
from oracles.damage import Battle, Damage, battle_at_hand, certainly_applies
from oracles.oracle import Oracle
from oracles.view import Card, View

Kind = Literal["attack", "defense", "direct"]


def told(damage: Damage) -> str:
    """Battle damage in words."""
    hit = [f"{PLAYER_NAMES[player]} takes {damage[player]}" for player in PLAYERS if damage[player]]
    return " and ".join(hit) if hit else "nobody takes battle damage"


class _Outcome(Oracle):
    """Values compared, battle damage and destruction of one kind of battle.

    The values must be the current ATK and DEF that the trace has told. Damage and destruction are worked out from the values the
    engine says it compared, so that one mistake is reported once; damage only where nothing but piercing modifies it (the rest is
    DC-5), and a missing destruction only where nothing could protect the monster. Silent where something is in play that may do
    what the facts do not say.
    """

    kind: ClassVar[Kind]

    def prepare(self) -> None:
        self.battle: Battle | None = None
        self.unprotected: frozenset[int] = frozenset()

    def on_damage_calculated(self, event: DamageCalculated, view: View) -> None:
        battle = battle_at_hand(event, view)
        kind: Kind = "direct" if battle.target is None else "defense" if battle.defense else "attack"
        self.battle = None
        if kind != self.kind or not battle.understood:
            return
        self.battle = battle
        self.at_next_timing(self._timing_follows)
        self.stake()
        self.unprotected = frozenset([card for card, answer in battle.protection.items() if answer is False])
        attacker, target = battle.attacker, battle.target
        if attacker.position == "face-up-attack":
            self._compares(attacker, "ATK", attacker.atk, event.attacker_value, uses_def=event.attacker_uses_def)
        if target is not None and event.target_value is not None:
            if battle.defense:
                self._compares(target, "DEF", target.def_, event.target_value, uses_def=event.target_uses_def)
            else:
                self._compares(target, "ATK", target.atk, event.target_value, uses_def=event.target_uses_def)
        if not battle.modified:
            self._damage(battle)

    def _compares(self, card: Card, name: str, value: int | None, compared: int, *, uses_def: bool) -> None:
        if value is not None and value != compared:
            self.fail(
                expected=f"{card!r} battles with its current {name}, {value}",
                happened=f"{compared} was compared",
                cards=(card.id,),
            )
        elif uses_def != (name == "DEF"):
            self.fail(
                expected=f"{card!r} battles with its {name}",
                happened=f"its {'DEF' if uses_def else 'ATK'} was said to be used",
                cards=(card.id,),
            )

    def _damage(self, battle: Battle) -> None:
        possible = battle.possible_damage()
        event = battle.event
        if possible is not None and event.damage not in possible:
            self.fail(
                expected=f"{_values(battle)}: {' or '.join(sorted(map(told, possible)))}",
                happened=told(event.damage),
                cards=_cards(battle),
            )

    def _timing_follows(self, event: TimingBegan, view: View) -> None:
        battle = self.battle
        if battle is None:
            return
        if event.timing == "after-calculation" or view.damage_step is None:
            self.at_next_timing(self._timing_follows)
            return
        self.battle = None
        determined = {key[0] for key in view.damage_step.determined}
        losers = {card.id for card in battle.losers}
        for card in sorted(determined - losers):
            self.fail(
                expected=f"{_values(battle)}: {view.name(card)} is not destroyed by battle",
                happened="it was determined destroyed",
                cards=(card,),
                at=battle.at,
            )
        for card in sorted(self.unprotected - determined - set(view.damage_step.replaced)):
            self.fail(
                expected=f"{_values(battle)}: {view.name(card)} is destroyed by battle",
                happened="it was not determined destroyed",
                cards=(card,),
                at=battle.at,
            )


def _values(battle: Battle) -> str:
    event = battle.event
    if event.target_value is None:
        return f"a direct attack with {event.attacker_value}"
    against = "a DEF of " if battle.defense else ""
    return f"{event.attacker_value} against {against}{event.target_value}"


def _cards(battle: Battle) -> tuple[int, ...]:
    return (battle.attacker.id,) if battle.target is None else (battle.attacker.id, battle.target.id)


class AttackAgainstAttack(_Outcome):
    """Judges the battles in which the target is in Attack Position."""

    kind = "attack"
    id = "DC-1"
    title = "Battle against an Attack Position monster"
    statement = (
        "The ATK of both monsters are compared. The one with the lower ATK is destroyed and its controller takes the difference."
        " With equal ATK both are destroyed and nobody takes damage; whether two monsters with 0 ATK are, the ruleset says."
    )
    citations = (("battle-phase-flow", "战斗伤害计算"), ("duel-arena-wiki", "戦闘の処理"))
    everywhere = True


class AttackAgainstDefense(_Outcome):
    """Judges the battles in which the target is in Defense Position."""

    kind = "defense"
    id = "DC-2"
    title = "Battle against a Defense Position monster"
    statement = (
        "The attacker's ATK is compared with the target's DEF. A higher ATK destroys the target without battle damage, unless the"
        " attacker inflicts piercing damage; a higher DEF costs the attacking player the difference and destroys nothing; equal"
        " values do nothing."
    )
    citations = (("battle-phase-flow", "战斗伤害计算"), ("duel-arena-wiki", "戦闘の処理"))
    everywhere = True


class DirectAttack(_Outcome):
    """Judges direct attacks."""

    kind = "direct"
    id = "DC-3"
    title = "Damage of a direct attack"
    statement = "A direct attack inflicts battle damage equal to the attacker's ATK."
    citations = (("battle-phase-flow", "战斗伤害计算"), ("duel-arena-wiki", "戦闘の処理"))
    everywhere = True


class AttackFromDefense(Oracle):
    """Judges the value of an attacker in Defense Position whose own effect, which nothing negates, lets it attack there."""

    id = "DC-4"
    title = "Attacking in Defense Position"
    statement = (
        "A monster whose effect lets it attack in Defense Position and apply its DEF battles with its DEF; one whose effect says"
        " so battles with its ATK."
    )
    citations = (("battle-phase-flow", "战斗伤害计算"),)
    needs = ("attacks-in-defense", "attacks-in-defense-with-atk")

    def on_damage_calculated(self, event: DamageCalculated, view: View) -> None:
        battle = battle_at_hand(event, view)
        attacker = battle.attacker
        if attacker.position != "face-up-defense" or not battle.understood:
            return
        for effect in attacker.known.passive:
            uses_def = "attacks-in-defense" in effect.categories
            if not (uses_def or "attacks-in-defense-with-atk" in effect.categories):
                continue
            value = attacker.def_ if uses_def else attacker.atk
            if value is None or not certainly_applies(view, attacker, effect):
                return
            self.stake()
            if (event.attacker_value, event.attacker_uses_def) != (value, uses_def):
                self.fail(
                    expected=f"{attacker!r} attacks in Defense Position with its {'DEF' if uses_def else 'ATK'}, {value}",
                    happened=f"it battled with {event.attacker_value}",
                    cards=(attacker.id,),
                )
            return


class DamageModified(Oracle):
    """At stake when something certainly modifies the damage and makes a difference. What may modify it widens the answer; an
    effect of which the facts do not say what it does, or two that do the same, make the oracle silent.
    """

    id = "DC-5"
    title = "The order in which battle damage is modified"
    statement = (
        "Battle damage is modified in this order: both players take it; the other player takes it; it becomes effect damage, or"
        " is gained; it becomes 0; it is halved; doubled; it becomes a certain amount."
    )
    citations = (("battle-phase-flow", "战斗伤害计算: 相关效果的适用顺序"),)
    needs = ("prevents-battle-damage", "reflects-battle-damage", "alters-battle-damage")

    def on_damage_calculated(self, event: DamageCalculated, view: View) -> None:
        battle = battle_at_hand(event, view)
        if not battle.modified or battle.altered:
            return
        possible = battle.possible_damage()
        if possible is None:
            return
        if (battle.spared or battle.passes_on or battle.changes) and battle.plain(piercing=bool(battle.piercing)) not in possible:
            self.stake()
        if event.damage not in possible:
            self.fail(
                expected=f"{_values(battle)}, after every modification: {' or '.join(sorted(map(told, possible)))}",
                happened=told(event.damage),
                cards=_cards(battle),
            )


class DamageFirst(Oracle):
    """Follows the damage that was calculated to the Life Points: each player loses exactly it (or all there is), and nothing is
    determined destroyed before.
    """

    id = "DC-7"
    title = "Damage comes before destruction"
    statement = "Battle damage is dealt as it was calculated, and only then is it determined which monsters are destroyed."
    citations = (("battle-phase-flow", "确定被战斗破坏"), ("damage-step-wiki-before", "3-2 to 3-4"))

    def prepare(self) -> None:
        self.owed: list[int] | None = None

    def on_damage_calculated(self, event: DamageCalculated, view: View) -> None:
        self.owed = list(event.damage)
        self.at_next_timing(self._calculation_is_over)
        if any(self.owed):
            self.stake()

    def on_lp_changed(self, event: LpChanged, view: View) -> None:
        if event.reason != "battle-damage" or self.owed is None:
            return
        owed, self.owed[event.player] = self.owed[event.player], 0
        if not (-event.amount == owed or (event.total == 0 and 0 < -event.amount < owed)):
            self.fail(
                expected=f"{PLAYER_NAMES[event.player]} loses the {owed} Life Points that damage calculation has found",
                happened=f"the loss was {-event.amount}",
            )

    def on_determined_destroyed(self, event: DeterminedDestroyed, view: View) -> None:
        step = view.damage_step
        if step is not None and step.calculation is None:
            self.fail(
                expected="nothing is determined destroyed before damage calculation",
                happened=f"{view.name(event.card)} was",
                cards=(event.card,),
            )
        self._all_dealt(f"{view.name(event.card)} was determined destroyed", (event.card,))

    def _calculation_is_over(self, event: TimingBegan, view: View) -> None:
        self._all_dealt("damage calculation was over", ())
        self.owed = None

    def _all_dealt(self, before: str, cards: tuple[int, ...]) -> None:
        if self.owed is not None and any(self.owed):
            self.fail(
                expected="battle damage is dealt first: " + told((self.owed[0], self.owed[1])),
                happened=f"{before} before that",
                cards=cards,
            )


class Indestructible(Oracle):
    """At stake when a monster that the values compared would destroy certainly cannot be destroyed by battle: by a condition that
    the trace tells, or by an effect of its own that nothing negates.
    """

    id = "DC-8"
    title = "What cannot be destroyed by battle"
    statement = "A monster that cannot be destroyed by battle is not determined destroyed, whatever the values compared."
    citations = (("expert-2007", "3.A"), ("damage-step-wiki-before", "3-2"), ("battle-phase-flow", "战斗伤害计算"))
    implied_by = frozenset({"battle-phase-flow"})
    everywhere = True
    needs = ("indestructible-by-battle", "protects-from-battle")

    def prepare(self) -> None:
        self.protected: frozenset[int] = frozenset()

    def on_damage_calculated(self, event: DamageCalculated, view: View) -> None:
        battle = battle_at_hand(event, view)
        self.protected = frozenset([card for card, answer in battle.protection.items() if answer])
        if self.protected:
            self.stake()

    def on_determined_destroyed(self, event: DeterminedDestroyed, view: View) -> None:
        if event.card in self.protected:
            self.fail(
                expected=f"{view.name(event.card)} cannot be destroyed by battle",
                happened="it was determined destroyed",
                cards=(event.card,),
            )


class NeverBelowZero(Oracle):
    """At stake where values reach 0. A duel in which a player has 0 Life Points must end before anybody is asked anything."""

    id = "DC-9"
    title = "Nothing falls below 0"
    statement = "ATK and DEF never fall below 0; Life Points go by what is lost and gained, stop at 0, and end the duel there."
    citations = (("duel-arena-wiki", "デュエルの勝利・敗北"),)
    everywhere = True

    def prepare(self) -> None:
        self.zero_at: int | None = None
        self.ended = False

    def before_stat_changed(self, event: StatChanged, view: View) -> None:
        card = view.cards[event.card]
        for name, before, now in (("ATK", card.atk, event.atk), ("DEF", card.def_, event.def_)):
            if now <= 0 and now != before:
                self.stake()
            if now < 0:
                self.fail(expected=f"the {name} of {card!r} stops at 0", happened=f"it became {now}", cards=(card.id,))

    def before_lp_changed(self, event: LpChanged, view: View) -> None:
        before = view.lp[event.player]
        total = max(0, before + event.amount)
        if not total:
            self.stake()
        if event.total != total:
            self.fail(
                expected=f"{PLAYER_NAMES[event.player]} with {before} Life Points has {total} after a change of {event.amount}",
                happened=f"it was {event.total}",
            )
        if not event.total and self.zero_at is None:
            self.zero_at = view.at

    def on_duel_ended(self, event: DuelEnded, view: View) -> None:
        self.ended = True

    def on_end(self, view: View) -> None:
        if self.zero_at is None:
            return
        after = view.events[self.zero_at + 1 :]
        if not self.ended or any(isinstance(event, TimingBegan | Activated) for event in after):
            self.fail(
                expected="a player at 0 Life Points has lost: the duel ends",
                happened="the duel went on",
                at=self.zero_at,
            )


class NoDamageIsNone(Oracle):
    """At stake when a monster with an effect that waits for battle damage battled and the player it concerns took none."""

    id = "DC-11"
    title = "Battle damage of 0 is none"
    statement = "A player who was hit for 0 took no battle damage: effects that wait for battle damage do not activate."
    citations = (("battle-phase-flow", "战斗伤害计算"), ("expert-2007", "4.A"))
    needs = ("inflicted-battle-damage", "took-battle-damage")

    WAITS: ClassVar[dict[str, bool]] = {"inflicted-battle-damage": True, "took-battle-damage": False}
    """Conditions, and whether the damage is the opponent's."""

    def on_damage_calculated(self, event: DamageCalculated, view: View) -> None:
        for card in (event.attacker, event.target):
            if card is None:
                continue
            monster = view.cards[card]
            for effect in monster.facts.effects:
                if effect.condition not in self.WAITS or monster.zone not in effect.zones:
                    continue
                player = opponent(monster.controller) if self.WAITS[effect.condition] else monster.controller
                if not event.damage[player]:
                    self.stake()

    def on_activated(self, event: Activated, view: View) -> None:
        facts = view.activations[-1].facts
        step = view.damage_step
        if facts is None or facts.condition not in self.WAITS or step is None or step.calculation is None:
            return
        player = opponent(event.player) if self.WAITS[facts.condition] else event.player
        if not step.calculation.damage[player]:
            self.fail(
                expected=f"{PLAYER_NAMES[player]} took no battle damage, so nothing that waits for it activates",
                happened=f"{view.name(event.card)} was activated",
                cards=(event.card,),
            )


ORACLES: Final[tuple[type[Oracle], ...]] = (
    AttackAgainstAttack,
    AttackAgainstDefense,
    DirectAttack,
    AttackFromDefense,
    DamageModified,
    DamageFirst,
    Indestructible,
    NeverBelowZero,
    NoDamageIsNone,
)
