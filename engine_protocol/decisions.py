"""Decisions: who is to act, in which window, and what they may choose."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from engine_protocol.vocabulary import Player, Timing

DecisionKind = Literal[
    "action",
    "priority",
    "response",
    "trigger",
    "attack-cost",
    "attack-target",
    "replay",
    "target",
    "cost",
    "choice",
    "substitute",
    "to-end-step",
]
"""What is being decided.

``action``        the turn player in the Battle Step with no attack open: pass (to end the step), attack, activate
``priority``      a player who may start a chain, or pass
``response``      a player who may add a link to the chain being built, or pass
``trigger``       a player who puts Trigger Effects on the chain: one of those that met their condition together, or pass when
                  only optional ones are left
``attack-cost``   what to pay for an attack declaration (a monster to Tribute, …)
``attack-target`` which monster to attack, or directly; the chooser may be the other player (Patrician of Darkness)
``replay``        after a replay: the target anew, or give up
``target``        a card to target at activation
``cost``          a card to pay an activation with
``choice``        anything an effect asks for while it resolves
``substitute``    whether, and with what, to replace a destruction
``to-end-step``   at the close of the Start Step, where a ruleset lets it be the last but one: whether the turn player goes
                  straight to the End Step (``no``, ``yes``); an engine that never asks conforms
"""

OptionKind = Literal["pass", "attack", "activate", "card", "direct", "give-up", "yes", "no", "done"]


class Option(Struct, frozen=True, gc=False, omit_defaults=True):
    """One thing a player may choose.

    ``kind``    ``pass``; ``attack`` with the attacker; ``activate`` a card's effect; ``card``: select that card;
                ``direct``: attack directly; ``give-up`` the attack; ``yes``/``no``; ``done``: select no more
    ``card``    instance id of the card it concerns, if any
    ``effect``  1-based number of the effect in the card's facts, for ``activate``
    """

    kind: OptionKind
    card: int | None = None
    effect: int | None = None


class Decision(Struct, frozen=True, gc=False, omit_defaults=True):
    """A question to one player. Option 0 is always the quietest: pass, no, give up, or the first card.

    ``player``  who decides
    ``kind``    what is decided
    ``timing``  in which window
    ``options`` at least one; a decision with exactly one option is never asked: the engine takes it and reports it as a
                :class:`~engine_protocol.events.Decided` event
    ``chain``   how many Chain Links exist already (0 when a chain would be started)
    ``source``  for ``target``, ``cost``, ``choice``, ``substitute``: instance id of the card that asks; for ``attack-cost``,
                ``attack-target`` and ``replay``: the attacker
    """

    player: Player
    kind: DecisionKind
    timing: Timing
    options: Annotated[tuple[Option, ...], Meta(min_length=1)]
    chain: int = 0
    source: int | None = None
