"""AT: attack declarations."""

from __future__ import annotations

from typing import Final

from engine_protocol.cards import EffectFacts
from engine_protocol.events import (
    AttackDeclared,
    AttackEnded,
    AttackerChosen,
    ChainEnded,
    Decided,
    LpChanged,
    Moved,
    TimingBegan,
)
from engine_protocol.vocabulary import MONSTER_ZONES, Player
from oracles.legality import activatable, quick_candidates
from oracles.options import activations_on_offer, may_pass, offers
from oracles.oracle import Oracle, at, if_armed
from oracles.permissions import (
    attacks_in_defense_by_another,
    could_end_attacks,
    hindered,
    in_attacking_position,
    links_since,
    may_attack_again,
    may_attack_directly,
    only_target,
    still_attacks,
)
from oracles.view import Attack, Card, View

_CARRIED_OUT: Final = frozenset({"battled", "no-battle"})
"""How attacks end that reached the Damage Step."""

_DECLARATIONS: Final = frozenset({"attack-declared", "direct-attack-declared"})
_NOTHING: Final = frozenset({None})


class AttackerLies(Oracle):
    """Two-sided: no attack may be offered for a monster that does not lie as an attacker must, and one must be offered for a
    monster that does, has not attacked yet, pays nothing for it, and meets nothing that the facts do not explain.
    """

    id = "AT-1"
    title = "Who may attack"
    statement = (
        "The attacker is a face-up Attack Position monster that the turn player controls, or one in face-up Defense Position"
        " that an effect lets attack there."
    )
    citations = (
        ("battle-phase-flow", "战斗步骤"),
        ("battle-step-wiki", "Battle Step"),
        ("duel-arena-wiki", "ターンの進め方; バトルフェイズの進め方; 表示形式"),
    )
    everywhere = True

    def on_action(self, event: Decided, view: View) -> None:
        own = view.monsters[view.turn_player]
        if not own:
            return
        self.stake()
        offered = {option.card for option in event.decision.options if option.kind == "attack"}
        for card in offered:
            if card is not None:
                self._may_attack(view.cards[card], view)
        for monster in own.values():
            if monster.id not in offered and self._must_be_offered(monster, view):
                self.fail(
                    expected=f"{monster!r} lies in face-up Attack Position and has not attacked: it may attack",
                    happened="its attack was not offered",
                    cards=(monster.id,),
                )

    def before_attacker_chosen(self, event: AttackerChosen, view: View) -> None:
        self._may_attack(view.cards[event.attacker], view)

    def _may_attack(self, monster: Card, view: View) -> None:
        if monster.zone not in MONSTER_ZONES:
            why = "is not on the field"
        elif monster.controller != view.turn_player:
            why = "is not the turn player's"
        elif in_attacking_position(monster) is False and not attacks_in_defense_by_another(view, monster):
            why = f"lies in {monster.position}"
        else:
            return
        self.fail(
            expected="only a face-up Attack Position monster of the turn player may attack",
            happened=f"{monster!r}, which {why}, could attack",
            cards=(monster.id,),
        )

    def _must_be_offered(self, monster: Card, view: View) -> bool:
        return (
            monster.position == "face-up-attack"
            and monster.key not in view.declarations
            and not monster.statuses & {"cannot-attack", "effects-negated"}
            and not view.player_statuses[view.turn_player]
            and "attack-cost" not in monster.known.categories
            and view.opaque_card() is None
            and not hindered(view)
        )


class OneDeclaration(Oracle):
    """No attack may be offered for a monster whose attack was used up in the same stay on the field, unless some effect in play
    could give more attacks. Attacks that were given up in a replay are left to RP-6; whether a negated or stopped attack is used
    up too, not every document says.
    """

    id = "AT-2"
    title = "One attack declaration per monster"
    statement = (
        "A monster declares one attack per Battle Phase unless an effect gives it more. An attack that was negated or stopped is"
        " used up too, and turning face-down and up again restores nothing."
    )
    citations = (
        ("battle-phase-flow", "战斗步骤; 攻击被无效·终止"),
        ("battle-step-wiki", "Battle Step"),
        ("duel-arena-wiki", "ターンの進め方"),
    )

    def on_action(self, event: Decided, view: View) -> None:
        if not view.declarations:
            return
        for key in view.declarations:
            monster = view.cards[key[0]]
            if monster.key == key and monster.controller == view.turn_player and monster.position == "face-up-attack":
                self.stake()
                break
        for option in event.decision.options:
            if option.kind == "attack" and option.card is not None:
                self._again(view.cards[option.card], view)

    def before_attacker_chosen(self, event: AttackerChosen, view: View) -> None:
        self._again(view.cards[event.attacker], view)

    def _again(self, monster: Card, view: View) -> None:
        if not view.declarations.get(monster.key) or may_attack_again(view, monster) is not False:
            return
        last = next((attack for attack in reversed(view.attacks) if attack.attacker_key == monster.key), None)
        if last is None or last.ended == "given-up":
            return
        if last.ended not in _CARRIED_OUT and not view.ruleset.settles("stopped_attack_is_used"):
            return
        self.fail(
            expected=f"{monster!r} has used its attack ({last.ended}) and cannot attack again in this Battle Phase",
            happened="another attack was offered for it",
            cards=(monster.id,),
        )


class TargetOfAttack(Oracle):
    """Every offered target must be a monster of the opponent; a direct attack with monsters in the way needs an effect that
    allows it; and, unless something restricts the choice, all the opponent's monsters must be offered.
    """

    id = "AT-3"
    title = "What may be attacked"
    statement = (
        "The target of an attack is one monster of the opponent. A player is attacked directly only if they control no monster,"
        " or an effect allows it."
    )
    citations = (
        ("battle-phase-flow", "战斗步骤"),
        ("battle-step-wiki", "Battle Step"),
        ("duel-arena-wiki", "バトルフェイズの進め方; 戦闘の処理"),
        ("expert-2007", "1-b"),
    )
    implied_by = frozenset({"expert-2007"})

    def on_attack_target(self, event: Decided, view: View) -> None:
        self.stake()
        if view.attack is None:
            return
        attacker = view.cards[view.attack.attacker]
        options = event.decision.options
        problem = wrong_target_choice(
            view, attacker, [option.card for option in options if option.kind == "card"], any(o.kind == "direct" for o in options)
        )
        if problem is not None:
            expected, happened, cards = problem
            self.fail(expected=expected, happened=happened, cards=cards)

    def before_attack_declared(self, event: AttackDeclared, view: View) -> None:
        attacker = view.cards[event.attacker]
        direct = event.target is None
        problem = wrong_target_choice(view, attacker, [event.target] if not direct else [], direct, complete=False)
        if problem is not None:
            expected, happened, cards = problem
            self.fail(expected=expected, happened=happened, cards=cards)


def wrong_target_choice(
    view: View, attacker: Card, cards: list[int | None], direct: bool, *, complete: bool = True
) -> tuple[str, str, tuple[int, ...]] | None:
    """What is wrong with the targets on offer: expected, happened, cards; None if nothing surely is.

    ``complete``: these are all the targets on offer, so that a missing one is wrong too.
    """
    opposing = view.monsters[1 - attacker.controller]
    for card in cards:
        if card is not None and card not in opposing:
            return (
                "the target of an attack is a monster that the opponent controls",
                f"{view.name(card)} could be attacked",
                (attacker.id, card),
            )
    only = only_target(view, attacker)
    if only is not None and (direct or any(card != only.id for card in cards)):
        return (f"only {only!r} may be attacked this turn", "another attack was possible", (attacker.id, only.id))
    if direct and opposing and may_attack_directly(view, attacker) is False:
        return (
            "a direct attack is possible only if the opponent controls no monster, or an effect allows it",
            f"{attacker!r} could attack directly past {len(opposing)} monsters",
            (attacker.id, *opposing),
        )
    if not complete or view.opaque_card() is not None or may_attack_again(view, attacker) is not False:
        return None
    if hindered(view):
        return None
    missing = [monster for monster in opposing.values() if monster.id not in cards]
    if missing:
        return ("every monster of the opponent may be attacked", f"{missing[0]!r} was not offered", (attacker.id, missing[0].id))
    if not direct and not opposing:
        return ("the opponent controls no monster, so the attack may be direct", "that was not offered", (attacker.id,))
    if not direct and may_attack_directly(view, attacker):
        return (f"an effect lets {attacker!r} attack directly", "that was not offered", (attacker.id,))
    return None


class CostOfAttacking(Oracle):
    """The cost must be paid between the choice of the attacker and the choice of the target. At stake for attackers with such a
    cost whose effects are not negated.
    """

    id = "AT-4"
    title = "The cost of attacking"
    statement = "What a monster's attack costs is paid when it is chosen to attack, before its target is chosen."
    citations = (("expert-2007", "1-a"), ("battle-phase-flow", "战斗步骤"), ("battle-step-wiki", "バトルステップの流れ"))
    needs = ("attack-cost",)

    def prepare(self) -> None:
        self.paid = False
        self.owes = False

    def on_attacker_chosen(self, event: AttackerChosen, view: View) -> None:
        attacker = view.cards[event.attacker]
        self.paid = False
        self.owes = "attack-cost" in attacker.known.categories and "effects-negated" not in attacker.statuses

    def on_lp_changed(self, event: LpChanged, view: View) -> None:
        self.paid = self.paid or event.reason == "cost"

    def on_moved(self, event: Moved, view: View) -> None:
        self.paid = self.paid or event.reason in {"cost", "tributed", "discarded"}

    def on_attack_cost(self, event: Decided, view: View) -> None:
        if view.attack is not None and view.attack.declared_at is not None:
            self.fail(
                expected="the cost of attacking is paid before the target is chosen",
                happened="it was asked for after the declaration",
                cards=(view.attack.attacker,),
            )

    def on_attack_target(self, event: Decided, view: View) -> None:
        self._target_follows(view)

    def on_attack_declared(self, event: AttackDeclared, view: View) -> None:
        self._target_follows(view)

    def _target_follows(self, view: View) -> None:
        if not self.owes or view.attack is None:
            return
        self.owes = False
        self.stake()
        if not self.paid:
            self.fail(
                expected=f"{view.name(view.attack.attacker)} pays for attacking before its target is chosen",
                happened="the target was chosen with nothing paid",
                cards=(view.attack.attacker,),
            )


def needs_declaration(effect: EffectFacts) -> bool:
    """Whether it can be activated only when an attack is declared."""
    return effect.condition in _DECLARATIONS


def left_to_the_replay(view: View) -> bool:
    """Whether the attack was rewound and that was no declaration: what may be activated then is for RP-5 to say."""
    return view.attack is not None and bool(view.attack.replays) and not declares_again(view)


def declares_again(view: View) -> bool:
    """Whether choosing in a replay certainly is a new declaration."""
    return view.ruleset.replay_declares_again and view.ruleset.settles("replay_declares_again")


class DeclarationWindow(Oracle):
    """Nothing tied to the declaration may be offered outside its first chain (in a replay: RP-5, unless that is a declaration,
    with a first chain of its own); Triggers may not come after
    players were given priority; a Quick Effect, Spell or Trap tied to the declaration must be offered in its first chain when
    the facts settle that it can be activated; and the window may not close without a chain or two passes.
    """

    id = "AT-5"
    title = "The declaration window"
    statement = (
        "What triggers on the declaration forms the first chain. Cards for when an attack is declared can be activated in that"
        " first chain only, several of them in it."
    )
    citations = (
        ("battle-step-wiki", "Battle Step"),
        ("battle-phase-flow", "战斗步骤"),
        ("expert-2007", "2; 3-a"),
    )

    def prepare(self) -> None:
        self.priority_given = False

    def on_attack_declared(self, event: AttackDeclared, view: View) -> None:
        self.priority_given = False

    def on_offer(self, event: Decided, view: View) -> None:
        timing, window = view.timing, view.window
        if timing == "after-declaration" and left_to_the_replay(view):
            return
        first = timing == "declaration" and window is not None and window.chains <= (1 if view.chain else 0)
        for card, effect in activations_on_offer(event, view):
            if not needs_declaration(effect):
                continue
            self.stake()
            if not first:
                self.fail(
                    expected="cards for when an attack is declared are activated in the first chain after the declaration only",
                    happened=f"{card!r} was offered outside it",
                    cards=(card.id,),
                )

    @at("after-declaration", "damage-start")
    def before_timing_began(self, event: TimingBegan, view: View) -> None:
        window = view.window
        if window is not None and window.timing == "declaration" and not window.chains and not window.both_passed:
            self.fail(
                expected="the declaration is over after a chain, or when both players have passed",
                happened="it was over though a player had not been asked",
            )

    @at("declaration")
    def on_trigger(self, event: Decided, view: View) -> None:
        if self.priority_given and view.window is not None and not view.window.chains:
            self.fail(
                expected="what triggers on the declaration comes before any other activation",
                happened="a Trigger was asked for after a player had been given priority",
            )

    @at("declaration")
    def on_priority(self, event: Decided, view: View) -> None:
        self.priority_given = True
        self._must_offer(event, view)

    @if_armed
    @at("declaration")
    def on_response(self, event: Decided, view: View) -> None:
        if view.window is not None and view.window.chains == 1:
            self._must_offer(event, view)

    def _must_offer(self, event: Decided, view: View) -> None:
        player = event.decision.player
        missing = missing_offer(event, view, player, tied=True)
        if missing is not None:
            self.fail(
                expected=f"{missing!r} may be activated at this attack declaration",
                happened="it was not offered",
                cards=(missing.id,),
            )


def missing_offer(event: Decided, view: View, player: Player, *, tied: bool) -> Card | None:
    """A card that must be offered and is not: one tied to the declaration, or one that waits for nothing."""
    candidates = quick_candidates(view, player)
    if not candidates or not may_pass(event):
        return None  # nothing to offer, or a mandatory effect comes first
    wanted = _DECLARATIONS if tied else _NOTHING
    for card, effect in candidates:
        if effect.condition not in wanted or effect.mandatory or not effect.complete:
            continue
        if offers(event, card, effect):
            continue
        if activatable(view, player, card, effect):
            return card
    return None


class AfterDeclaration(Oracle):
    """Nothing tied to the declaration may be offered once it is over (in a replay: RP-5); what waits for nothing must be offered
    whenever the facts settle that it can be activated, in any number of chains; and the Damage Step may not begin without this
    window. At stake when there is something to offer, or a player holds something tied to the declaration.
    """

    id = "AT-6"
    title = "After the declaration"
    statement = (
        "After the first chain, or two passes, the declaration is over: then only what is not tied to it can be activated, in as"
        " many chains as the players like, until both pass."
    )
    citations = (("battle-step-wiki", "Battle Step"), ("battle-phase-flow", "战斗步骤"), ("expert-2007", "3-b"))

    @at("after-declaration")
    def on_offer(self, event: Decided, view: View) -> None:
        if view.attack is None or left_to_the_replay(view):
            return
        for card, effect in activations_on_offer(event, view):
            if needs_declaration(effect):
                self.fail(
                    expected="the declaration is over: cards for when an attack is declared cannot be activated any more",
                    happened=f"{card!r} was offered",
                    cards=(card.id,),
                )

    @if_armed
    @at("after-declaration")
    def on_priority(self, event: Decided, view: View) -> None:
        self.stake()
        missing = missing_offer(event, view, event.decision.player, tied=False)
        if missing is not None:
            self.fail(
                expected=f"{missing!r} may be activated after the declaration",
                happened="it was not offered",
                cards=(missing.id,),
            )

    @at("damage-start")
    def before_timing_began(self, event: TimingBegan, view: View) -> None:
        window = view.window
        if window is None or view.chain_resolving:
            return  # a battle inside an effect (EC-1)
        if window.timing == "declaration" or (window.timing == "after-declaration" and not window.passes and not window.chains):
            self.fail(
                expected="after the declaration the players have another window before the Damage Step",
                happened="the Damage Step began right after the declaration",
            )


def _ends_only_by_a_replay(view: View, attack: Attack) -> bool:
    """Whether what became of the opponent's monsters certainly stops no attack: at most it causes a replay."""
    opposing, causes = view.opposing(attack.player), view.ruleset.replay_causes
    if opposing == attack.opposing:
        return True
    says = len(opposing) != len(attack.opposing) or "one-for-another" in causes or "target-lost" in causes
    return says and view.ruleset.settles("replay_causes")


class NoDamageStep(Oracle):
    """When the Damage Step begins, an attack must be open whose attacker can still attack and whose replay was not declined. An
    attack may not be called stopped while nothing stops it.
    """

    id = "AT-7"
    title = "When the Damage Step is not entered"
    statement = (
        "The Damage Step is not entered if, before both players pass, the attack was negated, the attacker left the field or"
        " changed sides or can no longer attack, or the turn player gave up in a replay."
    )
    citations = (
        ("battle-step-wiki", "バトルステップからダメージステップへの移行について"),
        ("battle-phase-flow", "战斗步骤; 攻击被无效·终止"),
        ("expert-2007", "3"),
    )
    implied_by = frozenset({"expert-2007"})

    def prepare(self) -> None:
        self.given_up = False
        self.negated_by: Card | None = None

    def on_attack_declared(self, event: AttackDeclared, view: View) -> None:
        self.given_up = False
        self.negated_by = None

    def on_replay(self, event: Decided, view: View) -> None:
        self.given_up = event.decision.options[event.chosen].kind == "give-up"

    def on_chain_ended(self, event: ChainEnded, view: View) -> None:
        attack = view.attack
        if attack is None or attack.declared_at is None or attack.in_damage_step:
            return
        if "unaffected-by-spells-traps" in view.cards[attack.attacker].statuses:
            return
        for link in view.last_chain:
            negates = link.facts is not None and "negates-attack" in link.facts.categories
            if negates and link.outcome == "resolved" and (not link.targets or attack.attacker in link.targets):
                self.negated_by = link.card

    def on_attack_ended(self, event: AttackEnded, view: View) -> None:
        attack = view.attacks[-1] if view.attacks else None
        if attack is None or attack.attacker != event.attacker or attack.declared_at is None:
            return
        if event.reason in {"battled", "no-battle", "given-up"} or attack.in_damage_step:
            return
        self.stake()
        links = links_since(view, attack.declared_at)
        if (
            event.reason == "stopped"
            and view.declarations.get(attack.attacker_key, 0) < 2  # a further attack ends with the effect that allows it
            and still_attacks(view, attack)
            and _ends_only_by_a_replay(view, attack)
            and view.opaque_card() is None
            and not any(could_end_attacks(link) for link in links)
        ):
            self.fail(
                expected=f"{view.name(event.attacker)} still can attack, so its attack goes on",
                happened="the attack was stopped",
                cards=(event.attacker,),
            )

    @at("damage-start")
    def before_timing_began(self, event: TimingBegan, view: View) -> None:
        attack = view.attack
        if attack is None:
            last = view.attacks[-1] if view.attacks else None
            why = "no attack had been declared" if last is None else f"the attack was over ({last.ended})"
            self.fail(expected="the Damage Step begins only with an attack", happened=f"it began though {why}")
            return
        why = self._why_not(attack, view)
        if why:
            self.stake()
            self.fail(expected="the Damage Step is not entered", happened=f"it began though {why}", cards=(attack.attacker,))

    def _why_not(self, attack: Attack, view: View) -> str:
        attacker = view.cards[attack.attacker]
        if self.given_up:
            return "the turn player had given the attack up"
        if self.negated_by is not None:
            return f"{self.negated_by!r} had negated the attack"
        if not view.present(attack.attacker_key):
            return f"{attacker!r} had left the field"
        if attacker.controller != attack.player:
            return f"{attacker!r} had changed sides"
        if "cannot-attack" in attacker.statuses:
            return f"{attacker!r} could not attack any more"
        if in_attacking_position(attacker) is False and not attacks_in_defense_by_another(view, attacker):
            return f"{attacker!r} lay in {attacker.position}"
        return ""


ORACLES: Final[tuple[type[Oracle], ...]] = (
    AttackerLies,
    OneDeclaration,
    TargetOfAttack,
    CostOfAttacking,
    DeclarationWindow,
    AfterDeclaration,
    NoDamageStep,
)
