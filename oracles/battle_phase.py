"""BP: the structure of the Battle Phase."""

from __future__ import annotations

from typing import Final

from engine_protocol.cards import EffectFacts
from engine_protocol.events import (
    Activated,
    BattlePhaseEnded,
    ChainEnded,
    Decided,
    LinkResolved,
    LinkResolving,
    ReplayBegan,
    TimingBegan,
)
from engine_protocol.rulesets import Ruleset
from engine_protocol.vocabulary import STEP_OF, TIMING_NAMES, Step, Timing
from oracles.legality import quick_candidates
from oracles.options import may_pass
from oracles.oracle import Oracle, at, between, leaving
from oracles.permissions import ends_battle_phase, still_attacks
from oracles.view import Card, Key, Link, View

_STEP_NAMES: Final[dict[Step, str]] = {
    "start": "the Start Step",
    "battle": "the Battle Step",
    "damage": "the Damage Step",
    "end": "the End Step",
}
_NEXT: Final[dict[Step | None, frozenset[Step]]] = {
    None: frozenset({"start"}),
    "start": frozenset({"start", "battle"}),
    "battle": frozenset({"battle", "damage", "end"}),
    "damage": frozenset({"damage", "battle"}),
    "end": frozenset({"end"}),
}


def _to_another_step(before: Timing | None, after: Timing) -> bool:
    return before is None or STEP_OF[before] != STEP_OF[after]


class StepOrder(Oracle):
    """Every change of step is held against the order. Only an effect that ends the Battle Phase makes a shortcut, and, where the
    ruleset has it or leaves it open, a Start Step that is the last but one.
    """

    id = "BP-2"
    title = "The order of the steps"
    statement = (
        "The steps follow Start, Battle, Damage, End; the Damage Step leads back to the Battle Step and nowhere else, and the"
        " Start Step leads to the Battle Step even if there is no monster to attack with; in some rulesets it may lead to the End"
        " Step as well."
    )
    citations = (
        ("battle-phase-flow", "战斗阶段流程; 开始步骤; 伤害步骤"),
        ("damage-step-wiki", "FAQ 11/01/09"),
        ("battle-step-wiki", "Battle Step; バトルフェイズの流れ"),
        ("duel-arena-wiki", "バトルフェイズの進め方"),
        ("expert-2007", "4; 6"),
    )

    def prepare(self) -> None:
        self.to_end: bool | None = None

    def on_to_end_step(self, event: Decided, view: View) -> None:
        self.to_end = event.decision.options[event.chosen].kind == "yes"

    @between(_to_another_step)
    def before_timing_began(self, event: TimingBegan, view: View) -> None:
        before = None if view.timing is None else STEP_OF[view.timing]
        step = STEP_OF[event.timing]
        self.stake()
        to_end, self.to_end = self.to_end, None
        if to_end is not None and to_end != (step == "end"):
            self.fail(
                expected=f"the turn player has {'chosen' if to_end else 'declined'} to go straight to the End Step",
                happened=f"{_STEP_NAMES[step]} began",
            )
        if step in _NEXT[before]:
            return
        if step == "end" and (ends_battle_phase(view) or (before == "start" and _may_be_last_but_one(view.ruleset))):
            return
        where = "nothing" if before is None else _STEP_NAMES[before]
        self.fail(
            expected=f"{where} leads to {' or '.join(_STEP_NAMES[one] for one in sorted(_NEXT[before] - {before}))}",
            happened=f"{where} led to {_STEP_NAMES[step]}",
        )

    def on_battle_phase_ended(self, event: BattlePhaseEnded, view: View) -> None:
        if view.timing != "end-step":
            where = "no step at all" if view.timing is None else _STEP_NAMES[STEP_OF[view.timing]]
            self.fail(expected="the Battle Phase ends with its End Step", happened=f"it ended in {where}")


def _may_be_last_but_one(ruleset: Ruleset) -> bool:
    """Whether the Start Step may lead to the End Step, or no document says that it may not."""
    return ruleset.start_step_can_be_last or not ruleset.settles("start_step_can_be_last")


class EmptyBattleStep(Oracle):
    """Whenever the turn player may attack, passing must be offered too. Silent if some continuous effect is not understood."""

    id = "BP-3"
    title = "A Battle Phase without attacks"
    statement = "The turn player may close the Battle Step without attacking, whether or not there is anything to attack with."
    citations = (("battle-phase-flow", "前言"), ("battle-step-wiki", "FAQ 11/01/09"), ("expert-2007", "4"))

    def on_action(self, event: Decided, view: View) -> None:
        self.stake()
        if not may_pass(event) and view.opaque_card() is None:
            self.fail(expected="the turn player may pass to close the Battle Step", happened="passing was not offered")


class BothPass(Oracle):
    """At every way out of a step but that from the Damage Step, the last two choices must be passes of the two players."""

    id = "BP-4"
    title = "Both players pass before a step ends"
    statement = (
        "The Start Step, the Battle Step and the End Step end only after both players have passed in succession; from the Damage"
        " Step play returns without that."
    )
    citations = (
        ("battle-phase-flow", "开始步骤; 战斗步骤; 伤害步骤结束时; 结束步骤"),
        ("battle-step-wiki", "バトルステップの流れ; FAQ 11/10/31"),
    )
    implied_by = frozenset({"battle-step-wiki"})

    @between(_to_another_step)
    def before_timing_began(self, event: TimingBegan, view: View) -> None:
        before = view.timing
        if before is None or view.chain_resolving:
            return  # a battle inside an effect (EC-1)
        if STEP_OF[before] == "damage" or (event.timing == "end-step" and ends_battle_phase(view)):
            return
        self._leaves(before, view)

    def before_battle_phase_ended(self, event: BattlePhaseEnded, view: View) -> None:
        if view.timing == "end-step":
            self._leaves("end-step", view)

    def _leaves(self, timing: Timing, view: View) -> None:
        self.stake()
        window = view.window
        if window is not None and not window.both_passed:
            self.fail(
                expected=f"both players pass in succession before play leaves {TIMING_NAMES[timing]}",
                happened="a player had not passed since the last activation"
                if window.passes or window.chains
                else "nobody had passed",
            )


class BackInTheStep(Oracle):
    """After a chain in the Start Step, or at the close of the Battle Step, the next chance to act is the turn player's, in that
    very step; in the Battle Step it is the full choice that includes attacking.
    """

    id = "BP-5"
    title = "Back in the step after a chain"
    statement = (
        "If a chain is made in the Start Step or at the close of the Battle Step, then after it has resolved the players are"
        " still in that step, and the turn player is the first to act."
    )
    citations = (("battle-phase-flow", "开始步骤"),)

    def prepare(self) -> None:
        self.after_chain_in: Timing | None = None

    def on_chain_ended(self, event: ChainEnded, view: View) -> None:
        self.after_chain_in = None
        if view.attack is None and view.timing in {"start-step", "battle-step"} and not ends_battle_phase(view):
            self.after_chain_in = view.timing
            self.at_next_timing(self._timing_follows)

    @at("start-step", "battle-step")
    def on_priority(self, event: Decided, view: View) -> None:
        if self.after_chain_in is not None:
            self._acts(self.after_chain_in, event, view)

    def on_action(self, event: Decided, view: View) -> None:
        if self.after_chain_in is not None:
            self._acts(self.after_chain_in, event, view)

    @at("start-step", "battle-step")
    def on_trigger(self, event: Decided, view: View) -> None:
        if event.decision.options[event.chosen].kind != "pass":
            self.after_chain_in = None

    def _timing_follows(self, event: TimingBegan, view: View) -> None:
        if self.after_chain_in is not None and STEP_OF[event.timing] != STEP_OF[self.after_chain_in]:
            self._left(self.after_chain_in, f"play went on to {TIMING_NAMES[event.timing]}")
        if event.timing != self.after_chain_in:
            self.after_chain_in = None
        else:
            self.at_next_timing(self._timing_follows)

    def _acts(self, timing: Timing, event: Decided, view: View) -> None:
        self.stake()
        decision = event.decision
        if decision.player != view.turn_player:
            self._left(timing, "the other player was asked first")
        elif timing == "battle-step" and decision.kind != "action":
            self._left(timing, "the turn player was not given the choices of the Battle Step again")
        self.after_chain_in = None

    def _left(self, timing: Timing, happened: str) -> None:
        self.fail(expected=f"after the chain the turn player acts first, still in: {TIMING_NAMES[timing]}", happened=happened)


class StepTriggers(Oracle):
    """Two sides. Where the ruleset has each start its own chain, a chain of the Start Step or of the End Step has one Trigger at
    most that waits for that step; and the step is not left before every mandatory one of a monster that was there from its
    beginning has been activated, if the facts settle that it could be. At stake at each such Trigger.
    """

    id = "BP-6"
    title = "Triggers of the Start Step and the End Step"
    statement = (
        "What triggers at the start or at the end of the Battle Phase is activated there, the mandatory ones before the step is"
        " left. In ocg-2023 it never shares a chain: each one starts its own, in an order that the players choose."
    )
    citations = (("battle-phase-flow", "开始步骤; 结束步骤"), ("expert-2007", "エンドステップ"))
    implied_by = frozenset({"expert-2007"})

    def prepare(self) -> None:
        self.waiting: dict[tuple[Key, int], Card] = {}

    @at("start-step", "end-step")
    def on_timing_began(self, event: TimingBegan, view: View) -> None:
        self.waiting = {
            (card.key, effect.number): card
            for card in view.timed_cards
            if card.is_monster_on_field and card.face_up
            for effect in card.known.timed
            if effect.mandatory and effect.complete and event.timing in effect.timings and _is_whose_turn(view, card, effect)
        }

    @leaving("start-step")
    def before_timing_began(self, event: TimingBegan, view: View) -> None:
        if self.waiting:
            self._left(view)

    def before_battle_phase_ended(self, event: BattlePhaseEnded, view: View) -> None:
        self._left(view)

    def _left(self, view: View) -> None:
        waiting, self.waiting = self.waiting, {}
        if ends_battle_phase(view) or view.opaque_card() is not None:
            return
        for (key, _), card in waiting.items():
            if view.present(key) and card.face_up and "effects-negated" not in card.statuses:
                self.stake()
                self.fail(
                    expected=f"{card!r} activates its effect before play leaves the step",
                    happened="the step was left without it",
                    cards=(card.id,),
                )

    def on_activated(self, event: Activated, view: View) -> None:
        if view.timing not in {"start-step", "end-step"}:
            return
        facts = view.chain[-1].facts
        if facts is None or facts.kind != "trigger" or view.timing not in facts.timings:
            return
        self.stake()
        self.waiting.pop((view.chain[-1].card_key, facts.number), None)
        ruleset = view.ruleset
        if ruleset.step_triggers_share_a_chain or not ruleset.settles("step_triggers_share_a_chain"):
            return
        for link in view.chain[:-1]:
            if link.facts is not None and link.facts.kind == "trigger" and view.timing in link.facts.timings:
                self.fail(
                    expected=f"{view.name(event.card)} starts a chain of its own in {_STEP_NAMES[STEP_OF[view.timing]]}",
                    happened=f"it was put on the chain of {link.card!r}",
                    cards=(event.card, link.card.id),
                )


def _is_whose_turn(view: View, card: Card, effect: EffectFacts) -> bool:
    """Whether the step is one of the turn that the effect wants."""
    subject = effect.subject
    return subject is None or subject.side is None or (card.controller == view.turn_player) == (subject.side == "you")


class EndOfBattlePhase(Oracle):
    """After an effect that ends the Battle Phase has applied to an open attack, the next window must be that of the End Step.
    Nothing is at stake where the attacker is unaffected by it: it negates nothing, and what would come then does not.
    """

    id = "BP-10"
    title = "An effect ends the Battle Phase"
    statement = "An effect that ends the Battle Phase leads to the End Step, past everything else of the Battle Phase."
    citations = (("battle-phase-flow", "结束步骤"),)
    needs = ("ends-battle-phase",)

    def prepare(self) -> None:
        self.applying = False
        self.ended_by: int | None = None

    def on_link_resolving(self, event: LinkResolving, view: View) -> None:
        link = view.chain[event.link - 1]
        ends = link.facts is not None and "ends-battle-phase" in link.facts.categories
        self.applying = ends and view.attack is not None and not _unaffected(view.cards[view.attack.attacker], link)

    def on_link_resolved(self, event: LinkResolved, view: View) -> None:
        if self.applying and event.outcome == "resolved":
            self.stake()
            self.ended_by = view.chain[event.link - 1].card.id
            self.at_next_timing(self._timing_follows)

    def _timing_follows(self, event: TimingBegan, view: View) -> None:
        if self.ended_by is not None and event.timing != "end-step":
            self._goes_on(f"play went on to: {TIMING_NAMES[event.timing]}", view)
        self.ended_by = None

    def on_action(self, event: Decided, view: View) -> None:
        if self.ended_by is not None:
            self._goes_on("the turn player could attack", view)

    def before_battle_phase_ended(self, event: BattlePhaseEnded, view: View) -> None:
        if self.ended_by is not None:
            self._goes_on("there was no End Step", view)

    def _goes_on(self, happened: str, view: View) -> None:
        self.fail(
            expected=f"{view.name(self.ended_by)} has ended the Battle Phase, so the End Step follows",
            happened=happened,
            cards=() if self.ended_by is None else (self.ended_by,),
        )


def _unaffected(monster: Card, link: Link) -> bool:
    return link.card.facts.type != "monster" and "unaffected-by-spells-traps" in monster.statuses


class NoPriorityBeforeDeclaration(Oracle):
    """Before the first chain of the Battle Step the other player must not be offered an activation, unless the turn player has
    just passed. At stake when the other player has anything that activates.
    """

    id = "BP-7"
    title = "Only the turn player acts before a declaration"
    statement = (
        "In the Battle Step, before an attack is declared, the non-turn player may activate something only if the turn player has"
        " activated something, or announced the end of the step."
    )
    citations = (("battle-phase-flow", "战斗步骤"), ("battle-step-wiki", "FAQ 10/12/23"))

    def on_action(self, event: Decided, view: View) -> None:
        if quick_candidates(view, view.other_player):
            self.stake()

    @at("battle-step")
    def on_offer(self, event: Decided, view: View) -> None:
        decision = event.decision
        window = view.window
        if (
            decision.player == view.turn_player
            or decision.kind not in {"action", "priority"}
            or view.attack is not None
            or window is None
            or window.chains
        ):
            return
        if view.turn_player not in window.passes:
            offered = next(option.card for option in decision.options if option.kind == "activate")
            self.fail(
                expected="before an attack declaration the non-turn player waits for the turn player to act",
                happened=f"the non-turn player was offered {view.name(offered)} first",
                cards=() if offered is None else (offered,),
            )


class NoChangeOfMind(Oracle):
    """When both players have passed in the window after a declaration, and no replay is due, no further chance to act may come
    before the Damage Step.
    """

    id = "BP-8"
    title = "After both pass the Damage Step begins"
    statement = (
        "Once both players have passed in the window that follows an attack declaration, the Damage Step begins; the turn player"
        " has no second thoughts."
    )
    citations = (
        ("battle-step-wiki", "FAQ 11/10/31"),
        ("battle-phase-flow", "战斗步骤"),
        ("expert-2007", "3; 4"),
        ("damage-step-wiki", "ダメージステップ"),
    )
    implied_by = frozenset({"expert-2007", "damage-step-wiki"})

    def prepare(self) -> None:
        self.closed = False

    @at("after-declaration")
    def on_priority(self, event: Decided, view: View) -> None:
        window = view.window
        if self.closed:
            self.fail(
                expected="both players have passed, so the Damage Step begins",
                happened="a player was given another chance to act",
                cards=() if view.attack is None else (view.attack.attacker,),
            )
        self.closed = window is not None and window.both_passed
        if self.closed:
            self.at_next_timing(self._timing_follows)

    def on_replay_began(self, event: ReplayBegan, view: View) -> None:
        self.closed = False

    def _timing_follows(self, event: TimingBegan, view: View) -> None:
        attack = view.attack
        if self.closed and event.timing == "damage-start":
            self.stake()
        elif (
            self.closed
            and event.timing in {"after-declaration", "battle-step", "end-step"}
            and not ends_battle_phase(view)
            and attack is not None
            and attack.declared_at is not None
            and not attack.replays
            and still_attacks(view, attack)
        ):
            self.fail(
                expected="both players have passed, so the Damage Step begins",
                happened=f"play went to: {TIMING_NAMES[event.timing]}",
                cards=(attack.attacker,),
            )
        self.closed = False


ORACLES: Final[tuple[type[Oracle], ...]] = (
    StepOrder,
    EmptyBattleStep,
    BothPass,
    BackInTheStep,
    StepTriggers,
    EndOfBattlePhase,
    NoPriorityBeforeDeclaration,
    NoChangeOfMind,
)
