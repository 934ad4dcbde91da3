"""What may be activated as far as the facts say.

Every answer is three-valued: True, False, or None where the facts do not settle it. An oracle demands nothing and forbids
nothing on a None. Anything that could change the answer without standing in the facts or in the trace (negated effects, a
continuous effect nobody understands, a face-down card's hidden values) gives None.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine_protocol.cards import Cost, EffectFacts, Filter
from engine_protocol.vocabulary import FIELD, MONSTER_ZONES, Player, Timing
from oracles.damage_step_kinds import CHANGES, DamageStepKind
from oracles.view import Card, Link, View

Answer = bool | None
Candidates = tuple[tuple[Card, EffectFacts], ...]

_MONSTER_ZONES = tuple(MONSTER_ZONES)
_TRIGGER_CONDITIONS_AT_HAND = frozenset({"your-turn", "opponent-turn"})
_TIED_TO_A_WINDOW = frozenset({"attack-declared", "direct-attack-declared", "attack-targeted"})
_NO_TARGETS = frozenset({"battle-phase-flow", "damage-step-wiki"})
"""Documents in which a monster determined destroyed cannot be targeted."""
_COUNTED: frozenset[DamageStepKind] = CHANGES | {"counter-trap"}


def all_of(answers: Iterable[Answer]) -> Answer:
    """False if one is False, else None if one is unknown, else True."""
    unknown = False
    for answer in answers:
        if answer is False:
            return False
        if answer is None:
            unknown = True
    return None if unknown else True


def fits(what: Filter, card: Card, view: View, player: Player, own: Card | None = None, link: Link | None = None) -> Answer:
    """Whether the filter fits the card, as the player of the effect sees it.

    ``own`` is the effect's own card, ``link`` the Chain Link it answers.
    """
    if card.zone is None or card.zone not in (what.zones or _MONSTER_ZONES):
        return False
    facts = card.facts
    if what.side is not None and (card.controller == player) != (what.side == "you"):
        return False
    if what.this is not None and own is not None and (card is own) != what.this:
        return False
    if what.type is not None and facts.type != what.type and not card.token:
        return False
    if what.types and facts.type not in what.types and not card.token:
        return False
    if what.token is not None and card.token != what.token:
        return False
    if what.role is not None and not _has_role(what.role, card, view, own, link):
        return False
    if what.not_role is not None and _has_role(what.not_role, card, view, own, link):
        return False
    hidden = False
    if card.zone in FIELD:
        face_up = card.face_up
        if what.face is not None and face_up != (what.face == "up"):
            return False
        if what.position is not None and card.position.endswith("attack") != (what.position == "attack"):
            return False
        hidden = not face_up
    answer = _fits_values(what, card)
    # What a face-down card is counts for nothing until it is turned up, but whether a text means it is not in the facts.
    if not hidden:
        return answer
    return True if answer is True and _says_nothing_of_values(what) else None


def _has_role(role: str, card: Card, view: View, own: Card | None, link: Link | None) -> bool:
    if role == "link":
        return link is not None and link.card is card
    if role == "equipped":
        return own is not None and own.equipped_to == card.id
    attack = view.attack
    if attack is None:
        return False
    is_attacker = card.key == attack.attacker_key
    is_target = card.key == attack.target_key
    if role == "attacker":
        return is_attacker
    return is_target if role == "attack-target" else is_attacker or is_target


def _says_nothing_of_values(what: Filter) -> bool:
    return (
        what.max_atk is None
        and what.max_def is None
        and what.min_atk is None
        and not what.attributes
        and not what.not_attributes
        and not what.races
        and what.name is None
        and what.effect_monster is None
        and what.min_level is None
    )


def _fits_values(what: Filter, card: Card) -> Answer:
    facts = card.facts
    if what.attributes and facts.attribute not in what.attributes:
        return False
    if what.not_attributes and facts.attribute in what.not_attributes:
        return False
    if what.races and facts.race not in what.races:
        return False
    if what.name is not None and what.name not in facts.name:
        return False
    if what.effect_monster is not None and facts.is_effect_monster != what.effect_monster:
        return False
    bounds = (
        (what.max_atk, card.atk, 1),
        (what.max_def, card.def_, 1),
        (what.min_atk, card.atk, -1),
        (what.min_level, facts.level, -1),
    )
    answers: list[Answer] = []
    for bound, value, sign in bounds:
        if bound is not None:
            answers.append(None if value is None else sign * value <= sign * bound)
    return all_of(answers)


def quick_candidates(view: View, player: Player) -> Candidates:
    """The player's effects that activate from where their cards are, are no Triggers, and could start or join a chain in the
    Battle Phase, whatever else may hold them back.

    Kept by the view until a card that has any moves or changes sides.
    """
    found = view.arms[player]
    if found is None:
        found = view.arms[player] = tuple(
            [
                (card, effect)
                for card in view.cards.values()
                if card.known.quick and card.controller == player and card.zone is not None
                for effect in card.known.quick.get(card.zone, ())
            ]
        )
    return found


def answerable_link(view: View) -> Link | None:
    """The link that the next one would answer: the last of a chain that is being built."""
    return view.chain[-1] if view.chain and not view.chain_resolving else None


def activatable(view: View, player: Player, card: Card, effect: EffectFacts) -> Answer:
    """Whether the player could activate the effect now, at a chance to act (``action``, ``priority`` or ``response``).

    Triggers are left to the oracles that follow what triggers them: None, or False where some other part already forbids.
    """
    timing = timing_allows(view, card, effect)
    if timing is False:
        return False
    can = usable(view, player, card, effect)
    if can is False:
        return False
    return True if timing and can and effect.complete else None


def usable(view: View, player: Player, card: Card, effect: EffectFacts) -> Answer:
    """Whether the player could activate the effect now if this were its timing and the facts said all there is to say."""
    if card.controller != player:
        return False
    if view.chain_resolving or view.timing is None:
        return False
    moment = (view.state, view.windows if effect.condition in _TIED_TO_A_WINDOW else 0)
    cached = view.cache.get((card.id, effect.number))
    if cached is not None and cached[0] == moment:
        kept: Answer = cached[1]
        return kept
    speed = speed_allows(effect, answerable_link(view))
    answer: Answer = False
    if speed is not False:
        face = face_allows(view, card, effect)
        if face is not False:
            answer = all_of((speed, face, *_other_parts(view, player, card, effect)))
    view.cache[card.id, effect.number] = (moment, answer)
    return answer


def _other_parts(view: View, player: Player, card: Card, effect: EffectFacts) -> tuple[Answer, ...]:
    """The parts of the answer but for Spell Speed and lie; a single False if one of the cheap ones decides."""
    if view.chain_resolving or view.timing is None or card.controller != player or card.zone not in effect.zones:
        return (False,)
    link = answerable_link(view)
    condition = condition_allows(view, player, card, effect, link)
    if condition is False:
        return (False,)
    negated = "effects-negated" in card.statuses or view.opaque_card() is not None
    return (
        condition,
        once_allows(view, player, card, effect),
        needs_allow(view, player, card, effect, link),
        determined_allows(view, effect) if card.determined else True,
        None if negated else True,
    )


def usable_but_for_speed(view: View, player: Player, card: Card, effect: EffectFacts) -> Answer:
    """Whether the effect has just too low a Spell Speed for the link it would answer."""
    if speed_allows(effect, answerable_link(view)) is not False or not timing_allows(view, card, effect):
        return False
    face = face_allows(view, card, effect)
    return False if face is False else all_of((face, _otherwise_usable(view, player, card, effect)))


def usable_but_for_face(view: View, player: Player, card: Card, effect: EffectFacts) -> Answer:
    """Whether the card just lies where or as it must not: set this turn, or in the wrong player's hand (CH-8)."""
    if face_allows(view, card, effect) is not False or not timing_allows(view, card, effect):
        return False
    speed = speed_allows(effect, answerable_link(view))
    return False if speed is False else all_of((speed, _otherwise_usable(view, player, card, effect)))


def _otherwise_usable(view: View, player: Player, card: Card, effect: EffectFacts) -> Answer:
    """The parts of the answer but for Spell Speed and lie, kept while the board stays the same."""
    moment = (view.state, view.windows if effect.condition in _TIED_TO_A_WINDOW else 0)
    cached = view.cache.get((player, card.id, effect.number))
    if cached is not None and cached[0] == moment:
        kept: Answer = cached[1]
        return kept
    answer = all_of(_other_parts(view, player, card, effect))
    view.cache[player, card.id, effect.number] = (moment, answer)
    return answer


def needs_allow(view: View, player: Player, card: Card, effect: EffectFacts, link: Link | None = None) -> Answer:
    """Whether what the effect needs is there: required cards, targets, costs, a zone for what it Special Summons."""
    if not (effect.requires or effect.target or effect.cost or "special-summons" in effect.categories):
        return True
    return all_of(_needs(view, player, card, effect, link))


def _needs(view: View, player: Player, card: Card, effect: EffectFacts, link: Link | None) -> Iterator[Answer]:
    summons = "special-summons" in effect.categories
    for what in effect.requires:
        yield enough(view, player, card, what, 1, link, summoned=summons)
    yield target_available(view, player, card, effect, link)
    for cost in effect.cost:
        yield payable(view, player, card, cost)
    if summons:
        yield None if _may_not_summon(view, player) else True
        taken = sum([monster.zone == "monster-zone" for monster in view.monsters[player].values()])
        yield True if taken + (2 if "creates-tokens" in effect.categories else 1) <= 5 else None


def determined_allows(view: View, effect: EffectFacts) -> Answer:
    """Whether a monster determined destroyed may activate this (BD-3)."""
    if effect.mandatory:
        return True
    return view.ruleset.determined_use_quick_effects if view.ruleset.settles("determined_use_quick_effects") else None


def _may_not_summon(view: View, player: Player) -> bool:
    """Whether the player has activated a card that makes tokens: Scapegoat forbids all other Summons of that turn, which the
    facts do not say.
    """
    for link in view.activations:
        if link.player == player and link.as_card and "creates-tokens" in link.card.known.categories:
            return True
    return False


def speed_allows(effect: EffectFacts, link: Link | None) -> Answer:
    """CH-1, and that nothing of Spell Speed 1 starts a chain in the Battle Phase but a Trigger."""
    if effect.kind == "trigger":
        return None
    if effect.speed < 2:
        return False
    if link is None:
        return True
    return None if link.speed is None else effect.speed >= link.speed


def face_allows(view: View, card: Card, effect: EffectFacts) -> Answer:
    """Whether the card lies as it must: Spells/Traps to be activated face-down and not set this turn (CH-8) or in the hand of
    the turn player with a free zone; everything else on the field face-up.
    """
    as_card = effect.kind == "activation"
    if card.zone == "hand":
        if not as_card:
            return True
        if card.facts.type == "spell" and card.controller != view.turn_player:
            return False
        if card.facts.property == "field":
            return None
        return sum([other.zone == "spell-trap-zone" for other in view.side(card.controller)]) < 5
    if card.zone not in FIELD:
        return True
    if not as_card:
        return card.face_up
    if card.face_up:
        return False
    quick = card.facts.type == "trap" or card.facts.property == "quick-play"
    return not (quick and card.turn_set is not None and card.turn_set >= view.turn)


def timing_allows(view: View, card: Card, effect: EffectFacts) -> Answer:
    """Whether the window is one in which this effect may be activated: the timings it names, or the rules of the Damage Step
    (DA-1 to DA-10, DA-12).
    """
    timing = view.timing
    if timing is None:
        return False
    if not view.in_damage_step:
        return names_timing(view, effect, timing) if effect.timings else True
    answer = _timing_of_kind_allows(view, card, effect, timing)
    return answer if view.ruleset.activations_per_damage_step is None else all_of((answer, still_free(view, card, effect)))


def _timing_of_kind_allows(view: View, card: Card, effect: EffectFacts, timing: Timing) -> Answer:
    rules = view.allowances
    if rules.exceptions and card.facts.name in rules.exceptions:
        named = rules.exceptions[card.facts.name]
        return None if named is None else timing in named
    if effect.timings:
        if not names_timing(view, effect, timing):
            return False
        if timing in rules.unsure_of_first and "changes-atk-def" not in effect.categories:
            return None
        return _chain_allows(view, timing)
    kind = card.known.kinds[effect.number]
    answer = rules.kinds[kind, timing]
    if kind == "tributes-itself":
        return all_of((answer, _tribute_allows(view, card)))
    return _chain_allows(view, timing) if answer and kind in CHANGES else answer


def _tribute_allows(view: View, card: Card) -> Answer:
    """Whether a monster may Tribute itself to negate, though it may be in the battle (DA-11)."""
    if view.damage_step is None or not view.damage_step.battles(card):
        return True
    ruleset = view.ruleset
    return card.facts.name not in ruleset.not_tributed_while_battling if ruleset.settles("not_tributed_while_battling") else None


def _chain_allows(view: View, timing: Timing) -> Answer:
    """Whether a Quick Effect of this timing may start a chain now, or join this one: after the first it depends (DS-5)."""
    window, rules = view.window, view.allowances
    later = rules.later_chains[timing]
    if later or window is None or window.chains <= (1 if view.chain else 0):
        return True
    return rules.joins_later if view.chain and later is False else later


def still_free(view: View, card: Card, effect: EffectFacts) -> Answer:
    """Whether its player has an activation left in this Damage Step, where there is a limit (DA-10). Whether the effects of
    monsters, and other cards, count or are allowed at all is not settled there.
    """
    step, limit = view.damage_step, view.ruleset.activations_per_damage_step
    if step is None or limit is None:
        return True
    if effect.kind != "activation" or card.known.kinds[effect.number] not in _COUNTED:
        return None
    links = [link for link in view.activations if link.at > step.began_at and link.player == card.controller and not link.trigger]
    if sum(counts_in_damage_step(link) for link in links) >= limit:
        return False
    return True if len(links) < limit else None


def counts_in_damage_step(link: Link) -> bool:
    """Whether it surely is one of the activations that a player has only so many of in a Damage Step."""
    return link.as_card and link.card.known.kinds.get(link.effect) in _COUNTED


def names_timing(view: View, effect: EffectFacts, timing: Timing) -> bool:
    """Whether the effect's text names this timing, as the ruleset reads it."""
    return timing in effect.timings or ("damage-step" in effect.timings and timing in view.ruleset.damage_step_means)


def condition_allows(view: View, player: Player, card: Card, effect: EffectFacts, link: Link | None) -> Answer:
    """Whether the event that a Quick Effect, Spell or Trap waits for is at hand. Triggers' own events are not followed here."""
    condition = effect.condition
    if condition is None:
        return True
    subject = effect.subject
    if condition == "your-turn" or condition == "opponent-turn":
        return (view.turn_player == player) == (condition == "your-turn")
    if condition == "activation":
        if link is None:
            return False
        return True if subject is None else fits_link(subject, link, player, card)
    if condition == "other-phase":
        return False
    attack = view.attack
    if condition in {"attack-declared", "direct-attack-declared", "attack-targeted"}:
        if attack is None or view.timing not in {"declaration", "after-declaration"}:
            return False
        if condition == "direct-attack-declared" and not attack.direct:
            return False
        if condition != "attack-targeted":
            window = view.window
            if view.timing != "declaration" or window is None or window.chains > (1 if view.chain else 0):
                return False
            whose = attack.attacker
        elif attack.target is None:
            return False
        else:
            whose = attack.target
            if view.timing != "declaration":
                return None
        return _subject_fits(subject, view.cards[whose], view, player, card)
    if condition in {"battles", "attacks"}:
        if attack is None:
            return False
        roles = (attack.attacker,) if condition == "attacks" or attack.target is None else (attack.attacker, attack.target)
        answers = [_subject_fits(subject, view.cards[one], view, player, card) for one in roles]
        return True if True in answers else None if None in answers else False
    return None


def _subject_fits(subject: Filter | None, card: Card, view: View, player: Player, own: Card) -> Answer:
    return card is own if subject is None else fits(subject, card, view, player, own)


def fits_link(subject: Filter, link: Link, player: Player, own: Card) -> Answer:
    """Whether a response's subject fits the link: sides are those of the link's player, not of where its card now is."""
    if subject.this is not None and (link.card is own) != subject.this:
        return False
    if subject.side is not None and (link.player == player) != (subject.side == "you"):
        return False
    if subject.type is not None and link.card.facts.type != subject.type:
        return False
    if subject.types and link.card.facts.type not in subject.types:
        return False
    if subject.zones and link.place.zone not in subject.zones:
        return False
    if subject.card_activation and link.card.facts.type != "monster" and not link.as_card:
        return False
    if subject.role not in {None, "link"} or subject.face or subject.position:
        return None
    return _fits_values(subject, link.card)


def once_allows(view: View, player: Player, card: Card, effect: EffectFacts) -> Answer:
    """Whether the effect still has a use left, counting the uses that the trace shows."""
    if effect.once is None:
        return True
    for link in view.activations:
        same_name = effect.once == "turn-by-name" and link.player == player and link.card.facts.passcode == card.facts.passcode
        if link.effect != effect.number or not (same_name or link.card_key == card.key or link.card is card):
            continue
        if effect.once == "chain":
            if link.chain == view.chain_number and view.chain:
                return False
        elif effect.once == "battle":
            if view.attack is not None and link.at > view.attack.chosen_at:
                return False
        elif link.outcome == "activation-negated" or link.card_key != card.key or link.player != player:
            return None  # whether a card that changed sides has its use anew, no document says
        else:
            return False
    return True


def target_available(view: View, player: Player, card: Card, effect: EffectFacts, link: Link | None) -> Answer:
    """Whether there are enough cards to target; monsters determined destroyed cannot be targeted (BD-5)."""
    target = effect.target
    if target is None:
        return True
    summons = "special-summons" in effect.categories
    return enough(view, player, card, target.filter, target.least, link, targeting=True, summoned=summons)


def enough(
    view: View,
    player: Player,
    own: Card,
    what: Filter,
    least: int,
    link: Link | None = None,
    *,
    targeting: bool = False,
    summoned: bool = False,
) -> Answer:
    """Whether the filter fits at least that many cards. As targets: not those determined destroyed, which older documents leave
    open, nor the card itself when it is a Spell/Trap being activated. Where they are Special Summoned: those that cannot be, from
    where they are, are left open.
    """
    sure = maybe = 0
    zones = what.zones or _MONSTER_ZONES
    for card in view.cards.values():
        if card.zone not in zones or (targeting and card is own and own.facts.type != "monster"):
            continue
        if card.determined and targeting and view.documents & _NO_TARGETS:
            continue
        answer = fits(what, card, view, player, own, link)
        if answer and ((summoned and card.zone in card.facts.not_summoned_from) or (targeting and card.determined)):
            answer = None
        if answer:
            sure += 1
        elif answer is None:
            maybe += 1
    return True if sure >= least else None if sure + maybe >= least else False


def payable(view: View, player: Player, own: Card, cost: Cost) -> Answer:
    """Whether the cost could be paid. Paying Life Points down to exactly 0 is left open; so is, in older documents, a monster
    determined destroyed (BD-4).
    """
    kind = cost.kind
    if kind == "pay-lp":
        return None if view.lp[player] == cost.amount else view.lp[player] > cost.amount
    if kind == "pay-half-lp":
        return view.lp[player] > 1 or None
    if kind == "detach":
        return own.materials >= cost.amount
    if kind == "discard-self":
        return own.zone == "hand"
    if kind == "send-self" or kind == "banish-self":
        # Something that makes it go elsewhere can forbid "send".
        redirected = kind == "send-self" and any("redirects" in card.known.categories for card in view.cards.values())
        return None if redirected or own.determined else True
    if kind == "tribute-self":
        return own.zone in MONSTER_ZONES and (not own.determined or _as_cost(view))
    if kind == "discard":
        if cost.filter is not None:
            return None
        return len([card for card in view.pile(player, "hand") if card is not own]) >= cost.amount
    what = cost.filter or Filter(side="you")
    fit = [
        all_of((fits(what, card, view, player, own), not card.determined or _as_cost(view)))
        for card in view.monsters[player].values()
    ]
    sure, maybe = fit.count(True), fit.count(None)
    return True if sure >= cost.amount else None if sure + maybe >= cost.amount else False


def _as_cost(view: View) -> Answer:
    """Whether a monster determined destroyed could be a cost."""
    return False if "battle-phase-flow" in view.documents else None
