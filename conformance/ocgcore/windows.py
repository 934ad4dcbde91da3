"""Which window a message of the core stands in.

The core marks the windows by hints (one for each player) and by messages of the attack itself:

====  =========================================================
hint  window
====  =========================================================
28    Start Step; only if a player can act there
24    the Battle Step after an attack declaration
40    start of the Damage Step
41    before damage calculation
42    during damage calculation
43    after damage calculation
44    end of the Damage Step
45    six-step Damage Step only: before 43
29    the non-turn player's chance when the Battle Step is closed
25    End Step; only if a player can act there
====  =========================================================

Everything up to the next mark belongs to the window. The declaration has no hint: it begins with the message of the attack.
"""

from __future__ import annotations

from typing import Final

from conformance.ocgcore.constants import HINT_EVENT
from conformance.ocgcore.messages import Hint
from engine_protocol.vocabulary import Timing

_WINDOWS: Final[dict[int, Timing]] = {
    24: "after-declaration",
    25: "end-step",
    28: "start-step",
    29: "battle-step",
    40: "damage-start",
    41: "before-calculation",
    42: "during-calculation",
    43: "after-calculation",
    44: "damage-end",
    45: "after-calculation",
}


def window_of(hint: Hint) -> Timing | None:
    """The window that a hint marks; None for any other hint."""
    return _WINDOWS.get(hint.value) if hint.kind == HINT_EVENT else None
