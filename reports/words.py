"""Choices and events in words."""

from __future__ import annotations

from engine_protocol.decisions import Decision, DecisionKind, Option
from engine_protocol.events import (
    Activated,
    AttackDeclared,
    AttackEnded,
    AttackTargetChosen,
    BattlePhaseEnded,
    ControlChanged,
    DamageCalculated,
    DestructionReplaced,
    DeterminedDestroyed,
    DuelEnded,
    Equipped,
    Event,
    LinkResolved,
    LinkResolving,
    LpChanged,
    MaterialDetached,
    Moved,
    PositionChanged,
    ReplayBegan,
    StatChanged,
    StatusChanged,
    TokenCreated,
)
from engine_protocol.vocabulary import PLAYER_NAMES, AttackEnd, LpReason, MoveReason, Outcome, Status
from reports.board_text import POSITION_NAMES, ZONE_NAMES
from reports.cast import Cast

_CARD_CHOICES: dict[DecisionKind, str] = {
    "attack-cost": "pays for the attack with {}",
    "attack-target": "chooses {} as the attack target",
    "replay": "attacks {} now",
    "target": "targets {}",
    "cost": "pays with {}",
    "choice": "chooses {}",
    "substitute": "lets {} go instead",
}

_ATTACK_ENDS: dict[AttackEnd, str] = {
    "negated": "the attack of {} is negated",
    "stopped": "the attack of {} stops",
    "given-up": "the attack of {} is given up",
    "battled": "the battle of {} is over",
    "no-battle": "the Damage Step of {} ends without damage calculation",
}

_MOVES: dict[MoveReason, str] = {
    "destroyed-by-battle": "{} is destroyed by battle",
    "destroyed-by-effect": "{} is destroyed by an effect",
    "destroyed-by-rule": "{} is destroyed by the rules",
    "sent-by-effect": "{} is sent away by an effect",
    "banished-by-effect": "{} is banished by an effect",
    "returned-by-effect": "{} is returned by an effect",
    "special-summoned": "{} is Special Summoned",
    "drawn": "{} is drawn",
    "added-by-effect": "{} is added to the hand by an effect",
    "equipped-by-effect": "{} becomes an Equip Card",
    "discarded": "{} is discarded",
    "tributed": "{} is Tributed",
    "cost": "{} is given as a cost",
    "activated": "{} is put on the field to be activated",
    "used": "{} has been used",
    "negated": "{} goes, its activation negated",
}

_OUTCOMES: dict[Outcome, str] = {
    "resolved": "{} has resolved",
    "activation-negated": "the activation of {} was negated",
    "effect-negated": "the effect of {} was negated",
    "no-effect": "{} resolves without effect",
}

_LP_REASONS: dict[LpReason, str] = {
    "battle-damage": "takes {} battle damage",
    "effect-damage": "takes {} effect damage",
    "cost": "pays {} LP",
    "gained": "gains {} LP",
}

_STATUSES: dict[Status, str] = {
    "cannot-attack": "cannot attack",
    "cannot-be-attacked": "cannot be selected as the target of an attack",
    "can-attack-directly": "can attack directly",
    "effects-negated": "has its effects negated",
    "unaffected-by-spells-traps": "is unaffected by other Spells and Traps",
    "indestructible-by-battle": "cannot be destroyed by battle",
    "no-battle-damage": "takes no battle damage",
}


def option_words(decision: Decision, option: Option, cast: Cast) -> str:
    """What choosing this option means: ``activates Mirror Force``."""
    name = cast.name(option.card)
    match option.kind:
        case "attack":
            return f"attacks with {name}"
        case "activate":
            facts = cast.facts(option.card) if option.card is not None else None
            several = facts is not None and len(facts.effects) > 1 and option.effect is not None
            return f"activates {name}, effect {option.effect}" if several else f"activates {name}"
        case "card":
            return _CARD_CHOICES.get(decision.kind, "selects {}").format(name)
        case "direct":
            return "attacks directly"
        case "give-up":
            return "gives up the attack"
        case "done":
            return "selects no more"
        case "pass":
            return "passes"
        case "yes" | "no":
            return f"says {option.kind}" + ("" if option.card is None else f" to {name}")


def event_words(event: Event, cast: Cast, links: dict[int, int]) -> str | None:
    """What happened, or None for what goes without saying. ``links``: instance id of the card at each Chain Link."""
    match event:
        case AttackDeclared():
            on = "a direct attack" if event.target is None else f"an attack on {cast.name(event.target)}"
            return f"{cast.name(event.attacker)} declares {on}"
        case ReplayBegan():
            return f"a replay takes place for {cast.name(event.attacker)}"
        case AttackTargetChosen():
            on = "the opponent directly" if event.target is None else cast.name(event.target)
            return f"{cast.name(event.attacker)} now attacks {on}"
        case AttackEnded():
            return _ATTACK_ENDS[event.reason].format(cast.name(event.attacker))
        case Activated():
            words = f"Chain Link {event.link}: {cast.name(event.card)} of {PLAYER_NAMES[event.player]}"
            return words + (f", targeting {cast.names(event.targets)}" if event.targets else "")
        case LinkResolving():
            return f"{cast.name(links.get(event.link))} resolves" if event.link in links else f"Chain Link {event.link} resolves"
        case LinkResolved():
            return None if event.outcome == "resolved" else _OUTCOMES[event.outcome].format(cast.name(links.get(event.link)))
        case Moved():
            where = "is gone" if event.to is None else f"to the {ZONE_NAMES[event.to.zone]} of {PLAYER_NAMES[event.to.player]}"
            return f"{_MOVES[event.reason].format(cast.name(event.card))} ({where})"
        case TokenCreated():
            return f"{cast.name(event.card)} appears on the side of {PLAYER_NAMES[event.to.player]}"
        case PositionChanged():
            return f"{cast.name(event.card)} changes from {POSITION_NAMES[event.before]} to {POSITION_NAMES[event.after]}"
        case ControlChanged():
            return f"{PLAYER_NAMES[event.to.player]} takes control of {cast.name(event.card)}"
        case MaterialDetached():
            return f"{cast.name(event.card)} loses an Xyz Material"
        case Equipped():
            return f"{cast.name(event.card)} is equipped to {cast.name(event.to)}"
        case StatChanged():
            return f"{cast.name(event.card)} now has ATK {event.atk} / DEF {event.def_}"
        case StatusChanged():
            return _status_words(event, cast)
        case LpChanged():
            change = _LP_REASONS[event.reason].format(abs(event.amount))
            return f"{PLAYER_NAMES[event.player]} {change}, {event.total} LP left"
        case DamageCalculated():
            return _calculation_words(event, cast)
        case DeterminedDestroyed():
            return f"{cast.name(event.card)} is determined to be destroyed by battle"
        case DestructionReplaced():
            return f"{cast.name(event.substitute)} goes instead of {cast.name(event.card)}"
        case BattlePhaseEnded():
            return "the Battle Phase ends"
        case DuelEnded():
            winner = "in a draw" if event.winner is None else f"and {PLAYER_NAMES[event.winner]} wins"
            return f"the duel ends {winner}"
        case _:
            return None


def _status_words(event: StatusChanged, cast: Cast) -> str:
    who = PLAYER_NAMES[event.player] if event.player is not None else cast.name(event.card)
    words = _STATUSES[event.status]
    return f"{who} {words}" if event.active else f"no longer: {who} {words}"


def _calculation_words(event: DamageCalculated, cast: Cast) -> str:
    attacker = f"{cast.name(event.attacker)} with {'DEF' if event.attacker_uses_def else 'ATK'} {event.attacker_value}"
    if event.target is None:
        against = "directly"
    else:
        against = f"against {cast.name(event.target)} with {'DEF' if event.target_uses_def else 'ATK'} {event.target_value}"
    return f"damage calculation: {attacker} {against}; battle damage {event.damage[0]} to Player A, {event.damage[1]} to Player B"
