"""The documents that the rules rest on, and how a rule or ruling cites them."""

from __future__ import annotations

from typing import Final

DOCUMENTS: Final[dict[str, str]] = {
    "battle-phase-flow": "Battle Phase flow of the current OCG, with rulings up to May 2023 (Chinese)",
    "damage-step-wiki": "Damage Step page of a card game wiki, Master Rule 3, 2014 (Japanese)",
    "damage-step-wiki-before": "last section of that page, on the time before Master Rule 3 (Japanese)",
    "battle-step-wiki": "Battle Step page of a card game wiki, 2008 to 2011 (Japanese)",
    "expert-2007": "Expert Rules timing database of the Battle Phase, 2007 (Japanese)",
    "duel-arena-wiki": "general rules of the game Duel Arena (Japanese)",
}
