"""Which duel flags of the core stand for which ruleset.

=================  ==========================  ====================================================================
ruleset            the core's own name         points the flags do not cover
=================  ==========================  ====================================================================
``ocg-2023``       DUEL_MODE_MR5               at every timing of the Damage Step but the last a chain may follow a
                                               chain; after an aborted battle the remaining timings are left out
``master-rule-3``  DUEL_MODE_MR3               as above
``master-rule-2``  DUEL_MODE_MR2               as above; there is no setting for sub-timings
``expert-2007``    DUEL_MODE_GOAT              six steps and a single chain in each; Triggers as in the TCG of 2005
``duel-arena``     DUEL_MODE_MR2 and           Trigger Effects have no Spell Speed of 2
                   DUEL_0_ATK_DESTROYED
=================  ==========================  ====================================================================

Parameters and flags: one face-up Field Spell in all, ``DUEL_1_FACEUP_FIELD`` (0x400); equal ATK of 0 destroys,
``DUEL_0_ATK_DESTROYED`` (0x10000000); one chain at each timing of the Damage Step, ``DUEL_SINGLE_CHAIN_IN_DAMAGE_SUBSTEP``
(0x40000000); six steps, ``DUEL_6_STEP_BATLLE_STEP`` (0x8); a replay given up keeps the attack, ``DUEL_STORE_ATTACK_REPLAYS``
(0x20000000).
"""

from __future__ import annotations

from typing import Final

_MASTER_RULE_2: Final = 0xD0600
_MASTER_RULE_3: Final = 0xD1800
_MASTER_RULE_5: Final = 0x2E800
_GOAT: Final = 0x7F80D072C
_ZERO_DESTROYS: Final = 0x10000000

FLAGS: Final[dict[str, int]] = {
    "ocg-2023": _MASTER_RULE_5,
    "master-rule-3": _MASTER_RULE_3,
    "master-rule-2": _MASTER_RULE_2,
    "expert-2007": _GOAT,
    "duel-arena": _MASTER_RULE_2 | _ZERO_DESTROYS,
}
"""Duel flags by the name of the ruleset."""

ATTACK_ON_FIRST_TURN: Final = 0x02
"""Every duel is set up on its first or second turn, so the core must let the first turn have a Battle Phase."""
