"""Seeded faults of replays (RP)."""

from __future__ import annotations

from typing import Any

from engine_protocol.decisions import Option
from engine_protocol.events import AttackDeclared, AttackTargetChosen, Place, ReplayBegan
from engine_protocol.vocabulary import Timing, opponent
from reference_engine import attack, battling, chain, damage_step, flow
from reference_engine.attack import DIRECT, Attack
from reference_engine.behaviour import Flow
from reference_engine.card import Card
from reference_engine.chain import Link
from reference_engine.duel import Duel
from reference_engine.stats import Modifier
from tests.faults.fault import Fault
from tests.faults.helpers import DUEL

_end_attack = Duel.end_attack
_change_position = Duel.change_position
_legal_targets = attack.legal_targets
_resolve_link = chain.resolve_link
_replay = attack.replay
_modify = Duel.modify
_after_declaration = flow.after_declaration
_enter = Duel.enter


def _never_rewound(duel: Duel, battle: Attack) -> bool:
    return False


def _rewound_only_when_the_target_is_lost(duel: Duel, battle: Attack) -> bool:
    return battle.target is not None and not battle.target_stands(duel)


def _rewound_by_position_changes(self: Duel, card: Card, position: Any, reason: Any) -> None:
    _change_position(self, card, position, reason)
    if card.controller != self.turn_player:
        self.defender_changes += 1


def _rewound_in_the_damage_step(duel: Duel, battle: Attack) -> Flow:
    duel.enter("before-calculation")
    battling.flip_target(duel, battle)
    yield from damage_step.chains_of_the_timing(duel)
    if attack.replay_is_due(duel, battle) and battle.attacker_stands(duel):
        yield from attack.replay(duel, battle)
        if duel.attack is None:
            duel.attack = battle


def _rewound_in_the_middle_of_a_chain(duel: Duel, link: Link) -> Flow:
    yield from _resolve_link(duel, link)
    battle = duel.attack
    if battle is not None and not battle.in_damage_step and attack.replay_is_due(duel, battle):
        yield from attack.replay(duel, battle)


def _replay_is_a_declaration(duel: Duel, battle: Attack) -> Flow:
    yield from _replay(duel, battle)
    if not battle.over:
        duel.enter("declaration")
        duel.emit(AttackDeclared(battle.attacker.id, None if battle.target is None else battle.target.id))
        if not (yield from chain.trigger_chain(duel)):
            yield from chain.one_chain(duel)


def _no_giving_up(duel: Duel, battle: Attack) -> Flow:
    targets = attack.legal_targets(duel, battle.attacker, battle)
    if not targets:
        yield from _replay(duel, battle)
        return
    duel.emit(ReplayBegan(battle.attacker.id))
    option = yield from duel.ask(duel.turn_player, "replay", targets, battle.attacker.id)
    target = None if option.card is None else duel.cards[option.card]
    battle.aim(target, duel.defender_changes)
    duel.emit(AttackTargetChosen(battle.attacker.id, option.card))


def _giving_up_restores_the_attack(self: Duel, reason: Any) -> None:
    battle = self.attack
    _end_attack(self, reason)
    if battle is not None and reason == "given-up":
        battle.attacker.attacked.clear()
        battle.attacker.met.clear()


def _direct_in_any_replay(duel: Duel, monster: Card, replayed: Attack | None = None) -> tuple[Option, ...]:
    options = _legal_targets(duel, monster, replayed)
    return options or ((DIRECT,) if replayed is not None else ())


def _never_direct_in_a_replay(duel: Duel, monster: Card, replayed: Attack | None = None) -> tuple[Option, ...]:
    options = _legal_targets(duel, monster, replayed)
    return options if replayed is None else tuple(option for option in options if option is not DIRECT)


def _monsters_counted(self: Duel, place: Place) -> None:
    self.defender_changes = len(self.monsters(opponent(self.turn_player)))


def _counted_at_the_start(self: Duel, timing: Timing) -> None:
    _enter(self, timing)
    if timing == "battle-step":
        self.defender_changes = len(self.monsters(opponent(self.turn_player)))


def _arrivals_go_unnoticed(self: Duel, place: Place) -> None:
    defenders = self.monsters(opponent(self.turn_player))
    if place.player != self.turn_player and not any(card.place == place for card in defenders):
        self.defender_changes += 1


def _no_choice_of_one(duel: Duel, battle: Attack) -> Flow:
    options = attack.legal_targets(duel, battle.attacker, battle)
    if len(options) == 1:
        battle.aim(None if options[0].card is None else duel.cards[options[0].card], duel.defender_changes)
    else:
        yield from _replay(duel, battle)


def _rewound_by_the_own_side(self: Duel, place: Place) -> None:
    self.defender_changes += 1


def _rewound_by_changes_of_atk(self: Duel, card: Card, modifier: Modifier) -> None:
    _modify(self, card, modifier)
    if card.controller != self.turn_player:
        self.defender_changes += 1


def _rewound_before_anyone_follows_up(duel: Duel, battle: Attack) -> Flow:
    duel.enter("after-declaration")
    while not battle.over and not duel.battle_phase_ends:
        if attack.replay_is_due(duel, battle):
            yield from attack.replay(duel, battle)
        elif not ((yield from chain.trigger_chain(duel)) or (yield from chain.one_chain(duel))):
            return


def _opponent_chooses(duel: Duel, battle: Attack) -> Flow:
    duel.turn_player = opponent(duel.turn_player)
    try:
        yield from _replay(duel, battle)
    finally:
        duel.turn_player = opponent(duel.turn_player)


def _only_what_was_there_before(duel: Duel, monster: Card, replayed: Attack | None = None) -> tuple[Option, ...]:
    options = _legal_targets(duel, monster, replayed)
    return options[:1] if replayed is not None else options


def _declared_again(duel: Duel, battle: Attack) -> Flow:
    yield from _replay(duel, battle)
    if not battle.over:
        duel.enter("declaration")
        if not (yield from chain.trigger_chain(duel)):
            yield from chain.one_chain(duel)


def _never_stopped(duel: Duel, battle: Attack) -> bool:
    return False


def _chosen_without_an_attacker(duel: Duel, battle: Attack) -> Flow:
    yield from _after_declaration(duel, battle)
    if not battle.over and attack.stops(duel, battle):
        yield from attack.replay(duel, battle)
        duel.end_attack("stopped")


def _rewound_after_its_end(duel: Duel, battle: Attack) -> Flow:
    yield from _after_declaration(duel, battle)
    if battle.over and battle.attacker_stands(duel) and battle.defenders != duel.defender_changes:
        yield from attack.replay(duel, battle)


FAULTS: tuple[Fault, ...] = (
    Fault(
        "never-a-replay",
        "RP-1",
        "A change of the opponent's monsters causes no replay",
        {"reference_engine.flow:replay_is_due": _never_rewound},
    ),
    Fault(
        "replay-only-without-target",
        "RP-1",
        "A replay only happens when the target itself is gone",
        {"reference_engine.flow:replay_is_due": _rewound_only_when_the_target_is_lost},
    ),
    Fault(
        "replay-by-position",
        "RP-2",
        "A change of battle position causes a replay",
        {f"{DUEL}change_position": _rewound_by_position_changes},
    ),
    Fault(
        "replay-in-damage-step",
        "RP-3",
        "A monster that leaves in the Damage Step causes a replay",
        {"reference_engine.damage_step:before_damage_calculation": _rewound_in_the_damage_step},
        real="a replay outside the Battle Step",
    ),
    Fault(
        "replay-mid-chain",
        "RP-4",
        "The replay is judged in the middle of a chain",
        {"reference_engine.chain:resolve_link": _rewound_in_the_middle_of_a_chain},
        real="a replay judged in the middle of a chain",
    ),
    Fault(
        "replay-is-a-declaration",
        "RP-5",
        "Choosing again in a replay is a new attack declaration",
        {"reference_engine.flow:replay": _replay_is_a_declaration},
        real="effects of a declaration activated after a replay",
    ),
    Fault("no-giving-up", "RP-5", "In a replay the attack cannot be given up", {"reference_engine.flow:replay": _no_giving_up}),
    Fault(
        "giving-up-is-free",
        "RP-6",
        "A given-up attack may be declared again",
        {f"{DUEL}end_attack": _giving_up_restores_the_attack},
        real="a negated attack that may be declared again",
    ),
    Fault(
        "replay-becomes-direct",
        "RP-8",
        "A replay of Asura Priest's second attack may become a direct attack",
        {"reference_engine.attack:legal_targets": _direct_in_any_replay},
        real="attacks on each monster once",
    ),
    Fault(
        "replay-stays-on-monsters",
        "RP-8",
        "A replay of Asura Priest's first attack cannot become a direct attack",
        {"reference_engine.attack:legal_targets": _never_direct_in_a_replay},
        real="attacks on each monster once",
    ),
    Fault(
        "monsters-are-counted",
        "RP-1",
        "A replay needs another number of monsters: one for another goes unnoticed",
        {f"{DUEL}_monsters_changed": _monsters_counted, f"{DUEL}enter": _counted_at_the_start},
        real="a monster that leaves and another that comes instead, unnoticed",
    ),
    Fault(
        "arrivals-go-unnoticed",
        "RP-1",
        "A monster that joins the opponent's causes no replay",
        {f"{DUEL}_monsters_changed": _arrivals_go_unnoticed},
    ),
    Fault(
        "no-choice-of-one",
        "RP-1",
        "With one target left, or none, the attack goes there without a replay",
        {"reference_engine.flow:replay": _no_choice_of_one},
    ),
    Fault(
        "own-side-rewinds",
        "RP-2",
        "Monsters that come to or leave the turn player's side cause a replay",
        {f"{DUEL}_monsters_changed": _rewound_by_the_own_side},
    ),
    Fault(
        "changes-of-atk-rewind",
        "RP-2",
        "A change of ATK causes a replay",
        {f"{DUEL}modify": _rewound_by_changes_of_atk},
    ),
    Fault(
        "replay-at-once",
        "RP-4",
        "The replay comes before anybody can follow up the chain",
        {"reference_engine.flow:after_declaration": _rewound_before_anyone_follows_up},
    ),
    Fault(
        "opponent-chooses-in-a-replay",
        "RP-5",
        "The other player chooses in a replay",
        {"reference_engine.flow:replay": _opponent_chooses},
    ),
    Fault(
        "one-target-in-a-replay",
        "RP-5",
        "A replay offers one target and no other",
        {"reference_engine.attack:legal_targets": _only_what_was_there_before},
    ),
    Fault(
        "declaration-traps-in-a-replay",
        "RP-5",
        "After a replay the window of the declaration opens again",
        {"reference_engine.flow:replay": _declared_again},
        real="effects of a declaration activated after a replay",
    ),
    Fault(
        "replay-without-an-attacker",
        "RP-7",
        "The turn player chooses again for an attacker that is gone",
        {"reference_engine.duel:stops": _never_stopped, "reference_engine.flow:after_declaration": _chosen_without_an_attacker},
    ),
    Fault(
        "replay-after-the-end",
        "RP-9",
        "An attack that was negated is rewound, for the same chain changed the opponent's monsters",
        {"reference_engine.flow:after_declaration": _rewound_after_its_end},
        real="a replay of an attack that is over",
    ),
)
