"""Seeded faults of replays (RP)."""

from __future__ import annotations

from typing import Any

from engine_protocol.decisions import Option
from engine_protocol.events import AttackDeclared, AttackTargetChosen, ReplayBegan
from reference_engine import attack, chain, damage_step
from reference_engine.attack import DIRECT, Attack
from reference_engine.behaviour import Flow
from reference_engine.card import Card
from reference_engine.chain import Link
from reference_engine.duel import Duel
from tests.faults.fault import Fault
from tests.faults.helpers import DUEL

_end_attack = Duel.end_attack
_change_position = Duel.change_position
_legal_targets = attack.legal_targets
_resolve_link = chain.resolve_link
_replay = attack.replay


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
    damage_step.flip_target(duel, battle)
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
    ),
    Fault(
        "replay-mid-chain",
        "RP-4",
        "The replay is judged in the middle of a chain",
        {"reference_engine.chain:resolve_link": _rewound_in_the_middle_of_a_chain},
    ),
    Fault(
        "replay-is-a-declaration",
        "RP-5",
        "Choosing again in a replay is a new attack declaration",
        {"reference_engine.flow:replay": _replay_is_a_declaration},
    ),
    Fault("no-giving-up", "RP-5", "In a replay the attack cannot be given up", {"reference_engine.flow:replay": _no_giving_up}),
    Fault(
        "giving-up-is-free",
        "RP-6",
        "A given-up attack may be declared again",
        {f"{DUEL}end_attack": _giving_up_restores_the_attack},
    ),
    Fault(
        "replay-becomes-direct",
        "RP-8",
        "A replay of Asura Priest's second attack may become a direct attack",
        {"reference_engine.attack:legal_targets": _direct_in_any_replay},
    ),
    Fault(
        "replay-stays-on-monsters",
        "RP-8",
        "A replay of Asura Priest's first attack cannot become a direct attack",
        {"reference_engine.attack:legal_targets": _never_direct_in_a_replay},
    ),
)
