"""Reports and duels that the tests of this room share."""

from __future__ import annotations

from engine_protocol.board import Board, BoardCard
from engine_protocol.cards import card_pool
from engine_protocol.decisions import Decision, Option
from engine_protocol.duel_file import DuelFile
from engine_protocol.events import (
    Activated,
    AttackDeclared,
    AttackEnded,
    AttackerChosen,
    ChainEnded,
    Decided,
    LinkResolved,
    LinkResolving,
    Moved,
    Place,
    TimingBegan,
)
from engine_protocol.trace import Trace
from reports.model import (
    Citation,
    EngineFailure,
    EngineIdentity,
    Finding,
    Footer,
    Header,
    Report,
    RuleResult,
    RulingResult,
    Settings,
)

BLUE_EYES, RAT, FORCE = 1, 2, 3


def ambush_board() -> Board:
    """Blue-Eyes White Dragon against Giant Rat with Mirror Force set behind it."""
    named = card_pool().named
    return Board(
        ruleset="ocg-2023",
        cards=(
            BoardCard(
                id=BLUE_EYES,
                passcode=named("Blue-Eyes White Dragon").passcode,
                owner=0,
                zone="monster-zone",
                position="face-up-attack",
            ),
            BoardCard(
                id=RAT,
                passcode=named("Giant Rat").passcode,
                owner=1,
                zone="monster-zone",
                position="face-down-defense",
                def_=1500,
            ),
            BoardCard(
                id=FORCE,
                passcode=named("Mirror Force").passcode,
                owner=1,
                zone="spell-trap-zone",
                position="face-down",
                turn_set=3,
            ),
        ),
        lp=(8000, 4000),
    )


def ambush() -> Trace:
    """Blue-Eyes attacks Giant Rat into Mirror Force."""
    attack = Decision(0, "action", "battle-step", (Option("pass"), Option("attack", BLUE_EYES)))
    answer = Decision(1, "priority", "declaration", (Option("pass"), Option("activate", FORCE, 1)))
    field = Place(0, "monster-zone", position="face-up-attack")
    return Trace(
        ambush_board(),
        (
            TimingBegan("start-step"),
            TimingBegan("battle-step"),
            Decided(attack, 1),
            AttackerChosen(BLUE_EYES),
            AttackDeclared(BLUE_EYES, RAT),
            TimingBegan("declaration"),
            Decided(answer, 1),
            Activated(1, 1, FORCE, 1, Place(1, "spell-trap-zone", position="face-down"), as_card=True),
            LinkResolving(1),
            Moved(BLUE_EYES, field, Place(0, "graveyard"), "destroyed-by-effect"),
            LinkResolved(1),
            ChainEnded(),
            AttackEnded(BLUE_EYES, "stopped"),
        ),
    )


def report(**changes: object) -> Report:
    """A report with a rule of every verdict, a ruling and an engine failure."""
    finding = Finding(
        rule="DS-3",
        expected="[bold]nothing[/bold] is activated",
        happened="Man-Eater Bug was activated \x1b[31mtoo soon\x00",
        cards=("Man-Eater Bug",),
        documents=(Citation(document="battle-phase-flow", title="Battle Phase flow"),),
        duel=DuelFile(title="DS-3", board=ambush_board()),
        minimal=True,
        story="Player A: 8000 LP",
        file="f/DS-3.duel.json",
        replay="duelproof replay f/DS-3.duel.json --engine reference",
    )
    crash = Finding(rule="IV-4", expected="the duel goes on", happened="start() raised KeyError")
    rules = (
        RuleResult(id="BP-2", title="The order of the steps", verdict="conforms", at_stake=1234, violations=()),
        RuleResult(id="DS-3", title="Flipped by battle", verdict="violated", at_stake=61, violations=(finding,)),
        RuleResult(id="DC-4", title="Attacking in Defense Position", verdict="not-observed", at_stake=0, violations=()),
        RuleResult(
            id="AT-4", title="The cost", verdict="unsupported", at_stake=0, violations=(), reason="the engine has no attack-cost"
        ),
        RuleResult(id="IV-4", title="Robustness", verdict="violated", at_stake=9, violations=(crash,)),
    )
    fields: dict[str, object] = {
        "header": Header(
            suite_version="0.1.0",
            engine=EngineIdentity(name="[red]mine\x07", version="2"),
            ruleset="ocg-2023",
            seed=5,
            settings=Settings(rules=tuple(rule.id for rule in rules), examples=100, workers=2, floor=20),
            started="2026-01-01T00:00:00+00:00",
        ),
        "rules": rules,
        "rulings": (
            RulingResult(id="M-043", title="An answer", verdict="conforms"),
            RulingResult(
                id="M-045", title="No answer", verdict="violated", problems=("it was offered",), story="Player B: 8000 LP"
            ),
        ),
        "engine_failures": (EngineFailure(code="crash", times=3, finding=crash),),
        "footer": Footer(complete=True, examples=500, seconds=1.5, discarded=0.004),
    }
    return Report(**(fields | changes))  # type: ignore[arg-type]
