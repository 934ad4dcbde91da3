"""RP: replays."""

from __future__ import annotations

from typing import Final

from engine_protocol.events import (
    Activated,
    AttackDeclared,
    AttackTargetChosen,
    ChainEnded,
    ControlChanged,
    Decided,
    Moved,
    PositionChanged,
    ReplayBegan,
    StatChanged,
    StatusChanged,
    TimingBegan,
    TokenCreated,
)
from engine_protocol.vocabulary import MONSTER_ZONES, Player
from oracles.attack import declares_again, needs_declaration, wrong_target_choice
from oracles.options import activations_on_offer
from oracles.oracle import Oracle, at
from oracles.permissions import links_since, may_attack_again, may_attack_directly, only_target, still_attacks
from oracles.view import Attack, View

_HARMLESS = frozenset(
    {"changes-atk-def", "changes-position", "draws", "damages", "recovers", "prevents-battle-damage"}
    | {"special-summons", "creates-tokens"}
)
"""What an effect may do without any bearing on who may attack whom. Which side a monster is Summoned to shows in the trace."""


def replay_due(view: View, attack: Attack) -> str:
    """Why the attack must be rewound before the Damage Step (RP-1), as far as the trace shows; empty if nothing demands it."""
    causes = view.ruleset.replay_causes
    opposing = view.opposing(attack.player)
    gone, come = attack.opposing - opposing, opposing - attack.opposing
    if "monsters-changed" in causes and (len(gone) != len(come) or "one-for-another" in causes):
        if gone:
            return f"{view.name(min(gone)[0])} is not among the opponent's monsters any more"
        if come:
            return f"{view.name(min(come)[0])} has joined the opponent's monsters"
    if "target-lost" in causes and attack.target_key in gone:
        return f"the target {view.name(attack.target)} is not among the opponent's monsters any more"
    if "monster-summoned" in causes:
        for key in sorted(come):
            if _was_summoned(view, key[0], attack.aimed_at):
                return f"{view.name(key[0])} was Special Summoned to the opponent's side"
    attacker = view.cards[attack.attacker]
    if "restriction-changed" in causes:
        only = only_target(view, attacker)
        if only is not None and only.id != attack.target:
            return f"only {only!r} may be attacked"
    if "permission-lost" in causes and attack.direct and attack.opposing and may_attack_directly(view, attacker) is False:
        return f"{view.name(attack.attacker)} may not attack directly any more"
    return ""


def _was_summoned(view: View, card: int, since: int) -> bool:
    """Whether the card was Special Summoned, or created, after that event."""
    for event in view.events[since + 1 : view.at]:
        if isinstance(event, Moved) and event.card == card and event.reason == "special-summoned":
            return True
        if isinstance(event, TokenCreated) and event.card == card:
            return True
    return False


class ReplayHappens(Oracle):
    """When the Damage Step begins, nothing may have changed since the target was last chosen that demands a replay by the causes
    of the ruleset. At stake at every replay, and wherever one is missing.
    """

    id = "RP-1"
    title = "What causes a replay"
    statement = (
        "A replay happens if, after the target was chosen and before the Damage Step, a monster joined or left the opponent's"
        " monsters (in ocg-2023 also one for another), or the permission for this attack was lost, or only another target is"
        " allowed; in duel-arena if the target was lost, or a monster was Special Summoned to the opponent's side."
    )
    citations = (
        ("battle-phase-flow", "战斗步骤的卷回"),
        ("battle-step-wiki", "Battle Step"),
        ("duel-arena-wiki", "バトルフェイズの進め方"),
    )

    def before_replay_began(self, event: ReplayBegan, view: View) -> None:
        if view.attack is not None and replay_due(view, view.attack):
            self.stake()

    @at("damage-start")
    def before_timing_began(self, event: TimingBegan, view: View) -> None:
        attack = view.attack
        if attack is None or attack.declared_at is None or view.chain_resolving:
            return
        why = replay_due(view, attack)
        if why and still_attacks(view, attack):
            self.stake()
            self.fail(
                expected=f"a replay before the Damage Step: {why}",
                happened="the Damage Step began without one",
                cards=(attack.attacker,),
            )


class NoReplayWithoutCause(Oracle):
    """A replay must have a cause. Silent if anything happened that might be one without showing in the trace. At stake when ATK,
    DEF, a battle position or the turn player's own monsters changed while an attack was open.

    duel-arena names the loss of the target and a Special Summon as causes and does not say that nothing else is one, so another
    monster that leaves the opponent's side settles nothing there.
    """

    id = "RP-2"
    title = "What causes no replay"
    statement = (
        "Changes of ATK, DEF or battle position, and monsters that come to or leave the turn player's own side, cause no replay."
    )
    citations = (
        ("duel-arena-wiki", "バトルフェイズの進め方"),
        ("battle-phase-flow", "战斗步骤的卷回"),
        ("battle-step-wiki", "Battle Step"),
    )
    implied_by = frozenset({"battle-phase-flow", "battle-step-wiki"})

    def prepare(self) -> None:
        self.doubtful = False

    def on_attack_declared(self, event: AttackDeclared, view: View) -> None:
        self.doubtful = False

    def on_stat_changed(self, event: StatChanged, view: View) -> None:
        self._harmless(view)

    def on_position_changed(self, event: PositionChanged, view: View) -> None:
        self._harmless(view)

    def on_status_changed(self, event: StatusChanged, view: View) -> None:
        self.doubtful = True

    def on_control_changed(self, event: ControlChanged, view: View) -> None:
        self.doubtful = True

    def on_token_created(self, event: TokenCreated, view: View) -> None:
        if event.to.player == view.turn_player:
            self._harmless(view)
        else:
            self.doubtful = True

    def on_moved(self, event: Moved, view: View) -> None:
        player, zones = _monster_move(event)
        if zones and player == view.turn_player:
            self._harmless(view)
        elif zones:
            self.doubtful = True
        elif event.origin.zone in {"spell-trap-zone", "field-zone"} and event.origin.position == "face-up":
            categories = view.cards[event.card].known.categories
            self.doubtful = self.doubtful or not categories <= _HARMLESS

    def _harmless(self, view: View) -> None:
        if view.attack is not None and view.attack.declared_at is not None and not view.attack.in_damage_step:
            self.stake()

    def before_replay_began(self, event: ReplayBegan, view: View) -> None:
        attack = view.attack
        if attack is None or attack.declared_at is None or self.doubtful or replay_due(view, attack):
            self.doubtful = False
            return
        links = links_since(view, attack.declared_at)
        known = all(link.facts is not None and link.facts.categories and link.facts.categories <= _HARMLESS for link in links)
        if known and view.opaque_card() is None and may_attack_again(view, view.cards[attack.attacker]) is False:
            self.fail(
                expected="no replay: nothing that causes one has happened since the declaration",
                happened="the attack was rewound",
                cards=(attack.attacker,),
            )


def _monster_move(event: Moved) -> tuple[Player | None, bool]:
    """Whose monsters a move adds to or takes from, if it does."""
    left = event.origin.zone in MONSTER_ZONES
    came = event.to is not None and event.to.zone in MONSTER_ZONES
    if left == came:
        return None, False
    if left:
        return event.origin.player, True
    return (event.to.player if event.to is not None else None), True


class BattleStepOnly(Oracle):
    """No replay may begin in a timing of the Damage Step. At stake when the opponent's monsters change in it."""

    id = "RP-3"
    title = "Replays only in the Battle Step"
    statement = "Whatever changes in the Damage Step, the attack is not rewound there."
    citations = (
        ("battle-phase-flow", "战斗步骤的卷回"),
        ("damage-step-wiki", "ダメージステップ"),
        ("battle-step-wiki", "Battle Step"),
        ("duel-arena-wiki", "バトルフェイズの進め方"),
    )
    implied_by = frozenset({"battle-step-wiki", "duel-arena-wiki"})

    def on_moved(self, event: Moved, view: View) -> None:
        if view.damage_step is not None and _monster_move(event)[0] == view.other_player:
            self.stake()

    def on_token_created(self, event: TokenCreated, view: View) -> None:
        if view.damage_step is not None and event.to.player == view.other_player:
            self.stake()

    def on_control_changed(self, event: ControlChanged, view: View) -> None:
        if view.damage_step is not None:
            self.stake()

    def before_replay_began(self, event: ReplayBegan, view: View) -> None:
        if view.in_damage_step:
            self.fail(
                expected="no replay in the Damage Step",
                happened="the attack was rewound in it",
                cards=(event.attacker,),
            )


class AfterTheChain(Oracle):
    """A replay may not begin while a chain is open, nor before both players had a chance to follow up that chain."""

    id = "RP-4"
    title = "A replay waits for the chain"
    statement = (
        "A replay happens only after the whole chain has resolved, and after the Triggers and Quick Effects that follow from it."
    )
    citations = (("battle-phase-flow", "战斗步骤的卷回"),)

    def prepare(self) -> None:
        self.asked: set[Player] = set()
        self.after_chain = False

    def on_attack_declared(self, event: AttackDeclared, view: View) -> None:
        self.after_chain = False

    def on_chain_ended(self, event: ChainEnded, view: View) -> None:
        self.after_chain = True
        self.asked = set()

    def on_activated(self, event: Activated, view: View) -> None:
        self.asked = set()

    @at("declaration", "after-declaration")
    def on_priority(self, event: Decided, view: View) -> None:
        self.asked.add(event.decision.player)

    def before_replay_began(self, event: ReplayBegan, view: View) -> None:
        if view.in_damage_step or view.attack is None:
            return
        if self.after_chain or view.chain:
            self.stake()
        if view.chain:
            self.fail(
                expected="the whole chain resolves before the replay",
                happened=f"the replay came with a chain of {len(view.chain)} still open",
                cards=(event.attacker,),
            )
        elif self.after_chain and len(self.asked) < 2:
            self.fail(
                expected="both players may follow up the chain before the replay",
                happened="the replay came at once",
                cards=(event.attacker,),
            )
        self.after_chain = False


class ChoiceInReplay(Oracle):
    """The choice is held against RP-5 on every side: who chooses, among what, and that nothing of a declaration comes after; or,
    where the choice is a new declaration, that it is made as one.
    """

    id = "RP-5"
    title = "The choice in a replay"
    statement = (
        "In a replay the turn player chooses a legal target, or gives the attack up. That is no attack declaration: nothing that"
        " waits for one can be activated. In duel-arena it is one."
    )
    citations = (
        ("battle-phase-flow", "战斗步骤的卷回"),
        ("battle-step-wiki", "Battle Step"),
        ("duel-arena-wiki", "バトルフェイズの進め方"),
    )

    def on_replay(self, event: Decided, view: View) -> None:
        self.stake()
        decision = event.decision
        attack = view.attack
        if attack is None or not view.present(attack.attacker_key):
            return
        attacker = view.cards[attack.attacker]
        chooses = "chooses-attack-targets"
        if decision.player != attack.player and not any(chooses in card.known.categories for card in view.cards.values()):
            self.fail(expected="the turn player chooses in a replay", happened="the other player was asked", cards=(attacker.id,))
        options = decision.options
        if all(option.kind != "give-up" for option in options):
            self.fail(
                expected="the turn player may give the attack up in a replay",
                happened="that was not offered",
                cards=(attacker.id,),
            )
        cards = [option.card for option in options if option.kind == "card"]
        problem = wrong_target_choice(view, attacker, cards, any(option.kind == "direct" for option in options))
        if problem is not None:
            expected, happened, concerned = problem
            self.fail(expected=expected, happened=happened, cards=concerned)

    def before_attack_target_chosen(self, event: AttackTargetChosen, view: View) -> None:
        if view.attack is not None and view.attack.rewound and declares_again(view):
            self.fail(
                expected="choosing again in a replay is a new attack declaration",
                happened="a target was chosen without one",
                cards=(event.attacker,),
            )

    def before_attack_declared(self, event: AttackDeclared, view: View) -> None:
        attack = view.attack
        if self._may_declare(view):
            return
        if attack is not None and attack.replays and attack.attacker == event.attacker and attack.declared_at is not None:
            self.fail(
                expected="choosing again in a replay is no attack declaration",
                happened="an attack was declared",
                cards=(event.attacker,),
            )

    @staticmethod
    def _may_declare(view: View) -> bool:
        return view.ruleset.replay_declares_again or not view.ruleset.settles("replay_declares_again")

    @at("declaration")
    def on_timing_began(self, event: TimingBegan, view: View) -> None:
        attack = view.attack
        if attack is not None and attack.replays and not self._may_declare(view):
            self.fail(
                expected="choosing again in a replay is no attack declaration",
                happened="the window of a declaration opened",
                cards=(attack.attacker,),
            )

    @at("after-declaration")
    def on_offer(self, event: Decided, view: View) -> None:
        attack = view.attack
        if attack is None or not attack.replays or self._may_declare(view):
            return
        for card, effect in activations_on_offer(event, view):
            if needs_declaration(effect):
                self.fail(
                    expected="after a replay, cards for when an attack is declared cannot be activated",
                    happened=f"{card!r} was offered",
                    cards=(card.id,),
                )


class GivingUp(Oracle):
    """A monster whose attack was given up in a replay may not be offered another, unless an effect in play could give it more."""

    id = "RP-6"
    title = "Giving up uses the attack"
    statement = "A monster whose attack was given up in a replay has used its attack."
    citations = (("battle-phase-flow", "战斗步骤的卷回"),)

    def on_action(self, event: Decided, view: View) -> None:
        given_up = [attack for attack in view.attacks if attack.ended == "given-up"]
        if not given_up:
            return
        offered = {option.card for option in event.decision.options if option.kind == "attack"}
        for attack in given_up:
            attacker = view.cards[attack.attacker]
            if attacker.key != attack.attacker_key:
                continue
            self.stake()
            if attack.attacker in offered and may_attack_again(view, attacker) is False:
                self.fail(
                    expected=f"{attacker!r} gave its attack up and cannot attack again in this Battle Phase",
                    happened="another attack was offered for it",
                    cards=(attacker.id,),
                )


class NoChoiceWithoutAttacker(Oracle):
    """A replay may not begin for an attacker that has left, changed sides, or can no longer attack."""

    id = "RP-7"
    title = "No replay without an attacker"
    statement = "If the attacker left the field or can no longer attack, the attack ends; there is nothing to choose again."
    citations = (
        ("battle-step-wiki", "バトルステップからダメージステップへの移行について"),
        ("battle-phase-flow", "战斗步骤的卷回"),
    )
    implied_by = frozenset({"battle-phase-flow"})

    def before_replay_began(self, event: ReplayBegan, view: View) -> None:
        attack = view.attack
        if attack is None:
            return
        if still_attacks(view, attack) is False:
            self.fail(
                expected=f"the attack ends: {view.name(attack.attacker)} cannot go on with it",
                happened="the attack was rewound",
                cards=(attack.attacker,),
            )

    @at("battle-step")
    def before_timing_began(self, event: TimingBegan, view: View) -> None:
        attack = view.attacks[-1] if view.attacks else None
        if (
            attack is not None
            and attack.ended == "stopped"
            and attack.declared_at is not None
            and view.timing in {"declaration", "after-declaration"}
        ):
            self.stake()


class NoReplayAfterTheEnd(Oracle):
    """Once an attack has ended it is not rewound, even if the same chain changed the opponent's monsters."""

    id = "RP-9"
    title = "No replay of an attack that has ended"
    statement = "If the attack ended in the chain that changed the opponent's monsters, no replay takes place."
    citations = (("battle-phase-flow", "战斗步骤的卷回"),)

    def before_replay_began(self, event: ReplayBegan, view: View) -> None:
        if view.attack is None and not view.in_damage_step:
            self.fail(
                expected="the attack has ended, so there is no replay",
                happened="it was rewound",
                cards=(event.attacker,),
            )

    @at("battle-step")
    def before_timing_began(self, event: TimingBegan, view: View) -> None:
        attack = view.attacks[-1] if view.attacks else None
        if (
            attack is not None
            and attack.ended in {"stopped", "negated"}
            and attack.declared_at is not None
            and view.timing in {"declaration", "after-declaration"}
            and attack.opposing != view.opposing(attack.player)
        ):
            self.stake()


ORACLES: Final[tuple[type[Oracle], ...]] = (
    ReplayHappens,
    NoReplayWithoutCause,
    BattleStepOnly,
    AfterTheChain,
    ChoiceInReplay,
    GivingUp,
    NoChoiceWithoutAttacker,
    NoReplayAfterTheEnd,
)
