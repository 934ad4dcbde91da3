"""Numbers of the core's C API and of its scripts: places, positions, reasons, kinds of effects, duel flags."""

from __future__ import annotations

from typing import Final

DECK: Final = 0x01
HAND: Final = 0x02
MONSTERS: Final = 0x04
SPELLS: Final = 0x08
GRAVEYARD: Final = 0x10
BANISHED: Final = 0x20
EXTRA: Final = 0x40
OVERLAY: Final = 0x80
ON_FIELD: Final = MONSTERS | SPELLS

FIELD_SPELL_SEQUENCE: Final = 5
"""Where a Field Spell lies among the Spell & Trap Zones."""
FIRST_EXTRA_ZONE: Final = 5
"""The Monster Zones from this sequence on are the Extra Monster Zones."""

ATTACK_UP: Final = 0x1
DEFENSE_UP: Final = 0x4
DEFENSE_DOWN: Final = 0x8
FACE_UP: Final = ATTACK_UP | DEFENSE_UP
FACE_DOWN: Final = 0xA

TYPE_MONSTER: Final = 0x1
TYPE_NORMAL: Final = 0x10
TYPE_EQUIP: Final = 0x40000
TYPE_LINK: Final = 0x4000000

REASON_DESTROY: Final = 0x1
REASON_RELEASE: Final = 0x2
REASON_BATTLE: Final = 0x20
REASON_EFFECT: Final = 0x40
REASON_COST: Final = 0x80
REASON_RULE: Final = 0x400
REASON_SPECIAL_SUMMON: Final = 0x800
REASON_DISCARD: Final = 0x4000
REASON_REPLACE: Final = 0x1000000

EFFECT_ACTIVATE: Final = 0x10
EFFECT_FLIP: Final = 0x20
EFFECT_IGNITION: Final = 0x40
EFFECT_TRIGGER_OPTIONAL: Final = 0x80
EFFECT_QUICK_OPTIONAL: Final = 0x100
EFFECT_TRIGGER_MANDATORY: Final = 0x200
EFFECT_QUICK_MANDATORY: Final = 0x400

EVENTS_OF_A_SUMMON: Final = frozenset({1100, 1101, 1102})
"""Normal, Flip and Special Summon."""

PHASE_BATTLE_START: Final = 0x08
PHASE_MAIN_2: Final = 0x100
PHASE_END: Final = 0x200

HINT_EVENT: Final = 1

ASKS_DIRECT_ATTACK: Final = 31
ASKS_REPLAY: Final = 30
ASKS_TRIGGER: Final = 221
ASKS_REPLACEMENT: Final = 96
ASKS_PHASE_TRIGGER: Final = 0
"""What a yes-or-no question is about, where the core asks it of its own accord."""
