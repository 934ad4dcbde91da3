"""Which duel flags of the core stand for which ruleset.

=================  ==========================  ====================================================================
ruleset            the core's own name         points the flags do not cover
=================  ==========================  ====================================================================
``ocg-2023``       DUEL_MODE_MR5               of a battle that cannot be fought only the end of the Damage Step still comes
``master-rule-3``  DUEL_MODE_MR3               that end comes; a chain may follow a chain at the start of the Damage Step
``master-rule-2``  DUEL_MODE_MR2               that end comes; there are no sub-timings after damage calculation
``expert-2007``    DUEL_MODE_MR1               that end comes; there are no sub-timings
``duel-arena``     DUEL_MODE_MR2 and           as master-rule-2; any number of activations in a Damage Step; a replay is no
                   DUEL_0_ATK_DESTROYED        new declaration
=================  ==========================  ====================================================================

Parameters and flags: one face-up Field Spell in all, ``DUEL_1_FACEUP_FIELD`` (0x400); equal ATK of 0 destroys,
``DUEL_0_ATK_DESTROYED`` (0x10000000). ``DUEL_SINGLE_CHAIN_IN_DAMAGE_SUBSTEP`` (0x40000000) allows one chain at each timing of
the Damage Step, which no ruleset has. ``DUEL_MODE_GOAT`` is not used: it plays the game as it was outside Japan in 2005, where
a chain at the start of the Damage Step leaves no chance before damage calculation.
"""

from __future__ import annotations

from typing import Final

_MASTER_RULE_1: Final = 0xD0700
_MASTER_RULE_2: Final = 0xD0600
_MASTER_RULE_3: Final = 0xD1800
_MASTER_RULE_5: Final = 0x2E800
_ZERO_DESTROYS: Final = 0x10000000

FLAGS: Final[dict[str, int]] = {
    "ocg-2023": _MASTER_RULE_5,
    "master-rule-3": _MASTER_RULE_3,
    "master-rule-2": _MASTER_RULE_2,
    "expert-2007": _MASTER_RULE_1,
    "duel-arena": _MASTER_RULE_2 | _ZERO_DESTROYS,
}
"""Duel flags by the name of the ruleset."""

ATTACK_ON_FIRST_TURN: Final = 0x02
"""Every duel is set up on its first or second turn, so the core must let the first turn have a Battle Phase."""
