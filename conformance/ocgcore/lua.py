"""What duelproof adds to a duel in Lua: a mark on each effect, questions to the core, and the set-up of the board.

Marks go into effects' descriptions, which the core only hands through: so its questions and activations tell which effect is
meant. Nothing here changes what a card does.
"""

from __future__ import annotations

from typing import Final

from engine_protocol.vocabulary import Status

MARK: Final = 0x6D00_0000_0000_0000
"""A description with these bits was set here; the low bits count the effects a card registered, from 1."""

MARK_BITS: Final = 0xFF00_0000_0000_0000
COUNT_BITS: Final = 0xFFFF

ANSWER: Final = "duelproof "
"""Log lines that begin so are answers to questions asked here."""

MARKING: Final = f"""
local counts=setmetatable({{}},{{__mode="k"}})
local range_of=Effect.GetRange
if not range_of then
 local ranges=setmetatable({{}},{{__mode="k"}})
 local set_range,clone=Effect.SetRange,Effect.Clone
 function Effect.SetRange(e,r,...) ranges[e]=r return set_range(e,r,...) end
 function Effect.Clone(e,...) local c=clone(e,...) ranges[c]=ranges[e] return c end
 range_of=function(e) return ranges[e] end
end
local register=Card.RegisterEffect
local describe=Effect.SetDescription
function Card.RegisterEffect(c,e,...)
 local n=(counts[c] or 0)+1
 counts[c]=n
 describe(e,{MARK}|n)
 if duelproof_probe then
  Debug.Message(string.format("{ANSWER}%d %d %d %d %d",c:GetOriginalCode(),n,e:GetType(),range_of(e) or 0,e:GetCode()))
 end
 return register(c,e,...)
end
""".strip()
"""Marks every effect that a card registers. Cores of version 9 do not tell an effect's range, so it is noted when it is set."""

PROBING: Final = "duelproof_probe=true"
"""From here on every effect that is registered is told: card, mark, type, range, event."""

SCANNING: Final = f"""
local last
local field,status,has=Duel.GetFieldCard,Card.IsStatus,Card.IsHasEffect
local atk,def,faceup=Card.GetAttack,Card.GetDefense,Card.IsFaceup
local affected=Duel.IsPlayerAffectedByEffect
local function limits(p)
 local all={{}}
 for s=0,6 do
  local m=field(p,4,s)
  if m and has(m,332) then
   for _,e in ipairs({{has(m,332)}}) do all[#all+1]=e end
  end
 end
 return all
end
local function excluded(c,all)
 for _,e in ipairs(all) do
  local v=e:GetValue()
  if type(v)~="function" or v(e,c) then return true end
 end
 return has(c,70)
end
function duelproof_scan()
 local parts={{}}
 for p=0,1 do
  local limited=limits(1-p)
  for s=0,6 do
   local c=field(p,4,s)
   if c then
    local f=status(c,0x200000) and 64 or 0
    if status(c,0x4000) then f=f|128 end
    if faceup(c) then
     if has(c,85) then f=f|1 end
     if has(c,74) then f=f|2 end
     if status(c,1) then f=f|4 end
     if has(c,1) then f=f|8 end
     if has(c,42) then f=f|16 end
     if has(c,201) then f=f|32 end
     if has(c,197) then f=f|256 end
     if excluded(c,limited) then f=f|512 end
     parts[#parts+1]=string.format("%d,%d,%d,%d,%d",p,s,f,atk(c),def(c))
    else
     parts[#parts+1]=string.format("%d,%d,%d,-,-",p,s,f)
    end
   end
  end
 end
 parts[#parts+1]=(affected(0,201) and 1 or 0)+(affected(1,201) and 2 or 0)
  +(affected(Duel.GetTurnPlayer(),183) and 4 or 0)
 local now=table.concat(parts,";")
 if now~=last then last=now Debug.Message("{ANSWER}"..now) end
end
""".strip()
"""Defines the question :data:`SCAN`."""

SCAN: Final = b"duelproof_scan()"
"""What state the monsters are in: player, zone, conditions, ATK, DEF of each; answered only if it has changed.

The conditions are bits: those of :data:`STATUSES` (512: there is an effect by which no monster, or none of some, can select it),
64 its attack was cancelled, 128 determined destroyed, 256 its attack was negated. The last part tells which players take no
battle damage (bits 1 and 2), and whether the Battle Phase is being ended.
"""
PHASE_ENDS: Final = 4

STATUSES: Final[tuple[tuple[int, Status], ...]] = (
    (1, "cannot-attack"),
    (2, "can-attack-directly"),
    (4, "effects-negated"),
    (8, "unaffected-by-spells-traps"),
    (16, "indestructible-by-battle"),
    (32, "no-battle-damage"),
    (512, "cannot-be-attacked"),
)
ATTACK_CANCELLED: Final = 64
DETERMINED: Final = 128
ATTACK_NEGATED: Final = 256

TARGETS: Final = f"""
local g,direct=Duel.GetAttacker():GetAttackableTarget()
local parts={{direct and 1 or 0}}
for c in aux.Next(g) do parts[#parts+1]=c:GetControler()..","..c:GetSequence() end
Debug.Message("{ANSWER}"..table.concat(parts,";"))
""".encode()
"""What the attacker may attack: whether directly, and the targets."""

BATTLE: Final = f"""
local a,t=Duel.GetAttacker(),Duel.GetAttackTarget()
local function as_effect(c) return c and c:IsHasEffect(205) and 1 or 0 end
local in_defense=a and a:IsDefensePos() and a:IsHasEffect(190)
Debug.Message("{ANSWER}"..as_effect(a)..as_effect(t)..(in_defense and in_defense:GetValue()==1 and 1 or 0))
""".encode()
"""Whether the damage that the attacker, and that the target, deals is treated as effect damage; whether the attacker uses DEF."""

SKIPPING: Final = """
local function skip(code,player)
 local e=Effect.GlobalEffect()
 e:SetType(EFFECT_TYPE_FIELD)
 e:SetProperty(EFFECT_FLAG_PLAYER_TARGET)
 e:SetCode(code)
 e:SetTargetRange(1,0)
 Duel.RegisterEffect(e,player)
end
""".strip()
"""Defines ``skip``, which makes a player's phases or turn go by."""


def compiler_of(text: bytes, name: str) -> bytes:
    """A script that answers the bytecode of another, in hexadecimal digits."""
    level = "="
    while f"]{level}]".encode() in text:
        level += "="
    head = f"local f,why=load([{level}[\n".encode()
    tail = f"""]{level}],"@{name}")
if f then Debug.Message("{ANSWER}"..string.dump(f):gsub(".",function(c) return string.format("%02x",c:byte()) end))
else Debug.Message("{ANSWER}!"..why) end""".encode()
    return head + text + tail
