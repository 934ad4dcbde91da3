"""Timings of the Damage Step in which Triggers of different kinds make chains one after the other.

Which stages a timing has, and which Triggers belong to them, is data of the ruleset: the sub-timings 1-2 to 6 of the document
expert-2007, and the timings 4 and 5 before Master Rule 3 of the document damage-step-wiki.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import structs

from engine_protocol.vocabulary import PLAYERS
from reference_engine.chain import activations, misses_its_timing, one_chain, trigger_chain
from reference_engine.occurrences import note_timing_triggers

if TYPE_CHECKING:
    from reference_engine.chain import Asking
    from reference_engine.duel import Duel
    from reference_engine.occurrences import Pending


def chains_of_the_stages(duel: Duel, *, triggers: bool) -> Asking:
    """What triggers at this timing makes a chain in each stage, in order; answers whether any was made, or refused.

    Where the timing has only one chain, the players may start it themselves in the first stage if nothing triggers there: the
    documents name Spells and Traps such as Damage Condenser in 4.A, Hero Signal in 4.C. ``triggers``: effects that wait for the
    timing trigger too.
    """
    waiting: list[Pending] = []
    answered = False
    for stage in range(len(duel.ruleset.trigger_stages[duel.timing])):
        if triggers:
            note_triggers(duel, stage)
        waiting += in_time(duel, duel.pending)
        duel.pending = [on_time_now(duel, trigger) for trigger in waiting if stage_of(duel, trigger) <= stage]
        waiting = [trigger for trigger in waiting if stage_of(duel, trigger) > stage]
        made = yield from trigger_chain(duel)
        if not made and stage == 0 and may_be_started(duel):
            made = True
            yield from one_chain(duel)
        answered = answered or made
        if duel.ruleset.triggers_of_a_chain == "next-chain":
            while (yield from trigger_chain(duel)):
                pass
    return answered


def may_be_started(duel: Duel) -> bool:
    """Whether the one chain of this timing is one that a player could start now."""
    return duel.timing not in duel.ruleset.many_chains_at and any(activations(duel, player) for player in PLAYERS)


def note_triggers(duel: Duel, stage: int) -> None:
    """Note the Triggers that wait for this stage of the timing; none any more where a battle that cannot go on ends with it."""
    battle = duel.attack
    passes = duel.ruleset.timings_pass_without_calculation
    if battle is not None and (passes or battle.calculated or battle.goes_on(duel)):
        note_timing_triggers(duel, stage)


def stage_of(duel: Duel, trigger: Pending) -> int:
    """The stage of this timing that the Trigger belongs to."""
    return duel.rulebook.stage_of(duel.timing, trigger.card.facts, trigger.effect)


def in_time(duel: Duel, triggers: list[Pending]) -> list[Pending]:
    """Those of the Triggers whose condition was the last thing to happen, or that need not care (CH-7)."""
    return [trigger for trigger in triggers if not misses_its_timing(duel, trigger)]


def on_time_now(duel: Duel, trigger: Pending) -> Pending:
    """What its stage comes for has not missed its timing by the chains of earlier stages."""
    return structs.replace(trigger, occurrence=structs.replace(trigger.occurrence, moment=duel.moment))
