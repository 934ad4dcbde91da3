"""What triggers at the start and at the end of the Battle Phase.

By the document battle-phase-flow such effects never share a chain: in the Start Step and in the End Step each starts its own, in
an order that the players choose and mix with other effects (BP-6). Mandatory ones need not come first, but the step is not left
before they have been activated. The earlier documents know no such exception: there what triggers together makes one chain.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine_protocol.decisions import Option
from reference_engine.chain import activate, finish_chain, one_chain, still_triggers, trigger_chain, window_is_cut_short
from reference_engine.occurrences import note_step_triggers

if TYPE_CHECKING:
    from reference_engine.behaviour import Flow
    from reference_engine.chain import Asking
    from reference_engine.duel import Duel


def chains_of_the_step(duel: Duel) -> Flow:
    """The players, the turn player first, may make any number of chains until both pass in succession."""
    note_step_triggers(duel)
    if duel.ruleset.step_triggers_share_a_chain:
        duel.pending += duel.step_triggers
        duel.step_triggers = []
    while not window_is_cut_short(duel):
        if (yield from trigger_chain(duel)) or (yield from one_chain(duel)):
            continue
        if not (yield from chain_of_a_mandatory_trigger(duel)):
            break
    duel.step_triggers = []


def chain_of_a_mandatory_trigger(duel: Duel) -> Asking:
    """Both players have passed: one of the mandatory Triggers that nobody has activated, if there is any, the turn player's
    first.
    """
    for player in duel.players:
        group = [t for t in duel.step_triggers if t.effect.mandatory and t.card.controller == player and still_triggers(duel, t)]
        if group:
            options = tuple(Option("activate", t.card.id, t.effect.number) for t in group)
            option = yield from duel.ask(player, "trigger", options)
            trigger = next(t for t in group if (t.card.id, t.effect.number) == (option.card, option.effect))
            duel.step_triggers.remove(trigger)
            yield from activate(duel, player, trigger.card, trigger.effect, trigger.occurrence)
            yield from finish_chain(duel)
            return True
    return False
