"""What every step of a duel is called under its picture. Stories leave out what goes without saying; pictures do not."""

from __future__ import annotations

from engine_protocol.decisions import Decision, DecisionKind
from engine_protocol.events import AttackerChosen, ChainEnded, Decided, Event, LinkResolved, TimingBegan
from engine_protocol.vocabulary import PLAYER_NAMES
from reports.cast import Cast
from reports.words import event_words, option_words

_QUESTIONS: dict[DecisionKind, str] = {
    "action": "may attack, activate something, or end the Battle Step",
    "priority": "may start a chain",
    "response": "may respond to Chain Link {chain}",
    "trigger": "puts Trigger Effects on the chain",
    "attack-cost": "pays for the attack of {source}",
    "attack-target": "chooses what {source} attacks",
    "replay": "chooses anew what {source} attacks",
    "target": "chooses a target for {source}",
    "cost": "pays for {source}",
    "choice": "chooses for {source}",
    "substitute": "may replace the destruction",
    "to-end-step": "may go straight to the End Step",
}


def caption(event: Event, cast: Cast, links: dict[int, int]) -> str:
    """One sentence without its full stop. ``links``: instance id of the card at each Chain Link."""
    return capitalised(_words(event, cast, links))


def question(decision: Decision, cast: Cast) -> str:
    """Who is asked what."""
    words = _QUESTIONS[decision.kind].format(chain=decision.chain, source=cast.name(decision.source))
    return f"{PLAYER_NAMES[decision.player]} {words}"


def capitalised(words: str) -> str:
    """The words as a sentence begins."""
    return words[:1].upper() + words[1:]


def _words(event: Event, cast: Cast, links: dict[int, int]) -> str:
    match event:
        case TimingBegan():
            return "the window opens"
        case Decided():
            return _choice(event, cast)
        case AttackerChosen():
            return f"{cast.name(event.attacker)} is to attack"
        case LinkResolved(outcome="resolved"):
            return f"Chain Link {event.link} has resolved"
        case ChainEnded():
            return "the chain ends"
        case _:
            return event_words(event, cast, links) or type(event).__name__


def _choice(event: Decided, cast: Cast) -> str:
    decision = event.decision
    if not 0 <= event.chosen < len(decision.options):
        return f"{PLAYER_NAMES[decision.player]} takes option {event.chosen} of {len(decision.options)}"
    words = f"{PLAYER_NAMES[decision.player]} {option_words(decision, decision.options[event.chosen], cast)}"
    return f"{words}: nothing else is on offer" if event.forced else words
