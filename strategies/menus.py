"""Menus: which cards may stand at a spot of a board, said by what the cards do; and the families of the swarm mask.

A menu is a predicate on card facts. It says nothing of zones: :mod:`strategies.boards` serves of a menu only what can lie in the
zone at hand. Where nothing is left of it (an engine may know few cards), the spot stays empty.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from engine_protocol.cards import Attribute, CardFacts, Category, Condition, NamedTiming

Menu = Callable[[CardFacts], bool]


def named(*names: str) -> Menu:
    """Exactly these cards, by their English names."""
    wanted = frozenset(names)
    return lambda card: card.name in wanted


def does(*categories: Category) -> Menu:
    """Cards with an effect of one of these categories."""
    wanted = frozenset(categories)
    return lambda card: not wanted.isdisjoint(card.categories)


def waits_for(*conditions: Condition) -> Menu:
    """Cards with an effect that one of these conditions sets off."""
    wanted = frozenset(conditions)
    return lambda card: any(effect.condition in wanted for effect in card.effects)


def speaks_of(*timings: NamedTiming) -> Menu:
    """Cards with an effect whose text names one of these timings."""
    wanted = frozenset(timings)
    return lambda card: any(not wanted.isdisjoint(effect.timings) for effect in card.effects)


def either(*menus: Menu) -> Menu:
    """Cards of any of these menus."""
    return lambda card: any(menu(card) for menu in menus)


def both(*menus: Menu) -> Menu:
    """Cards that are on every one of these menus."""
    return lambda card: all(menu(card) for menu in menus)


def without(menu: Menu, other: Menu) -> Menu:
    """Cards of the menu that are not on the other one."""
    return lambda card: menu(card) and not other(card)


def anything(card: CardFacts) -> bool:  # noqa: ARG001 - a menu
    """Every card."""
    return True


def plain(card: CardFacts) -> bool:
    """Monsters without effects, tokens aside."""
    return card.type == "monster" and not card.effects and not card.token


def monster(card: CardFacts) -> bool:
    """Monsters, tokens aside."""
    return card.type == "monster" and not card.token


def effect_monster(card: CardFacts) -> bool:
    """Monsters with an effect."""
    return card.type == "monster" and bool(card.effects)


def equip_spell(card: CardFacts) -> bool:
    """Equip Spells."""
    return card.type == "spell" and card.property == "equip"


def counter_trap(card: CardFacts) -> bool:
    """Counter Traps."""
    return card.type == "trap" and card.property == "counter"


def quick_play(card: CardFacts) -> bool:
    """Quick-Play Spells."""
    return card.type == "spell" and card.property == "quick-play"


def continuous_trap(card: CardFacts) -> bool:
    """Continuous Traps."""
    return card.type == "trap" and card.property == "continuous"


def token(card: CardFacts) -> bool:
    """Tokens."""
    return card.token


def atk_between(least: int, most: int) -> Menu:
    """Monsters whose printed ATK lies between these bounds, both included."""
    return lambda card: card.atk is not None and least <= card.atk <= most and not card.token


def race(*races: str) -> Menu:
    """Monsters of these Types."""
    wanted = frozenset(races)
    return lambda card: card.race in wanted


def attribute(*attributes: Attribute) -> Menu:
    """Monsters of these Attributes, tokens aside."""
    wanted = frozenset(attributes)
    return lambda card: card.attribute in wanted and not card.token


def hand_quick(card: CardFacts) -> bool:
    """Monsters with a Quick Effect used from the hand."""
    return card.type == "monster" and any(effect.kind == "quick" and "hand" in effect.zones for effect in card.effects)


def of_use_in_graveyard(card: CardFacts) -> bool:
    """Monsters, which may be brought back, and cards with an effect used from there."""
    return card.type == "monster" or any("graveyard" in effect.zones for effect in card.effects)


def mandatory_trigger(card: CardFacts) -> bool:
    """Monsters with a mandatory Trigger Effect."""
    return card.type == "monster" and any(effect.kind == "trigger" and effect.mandatory for effect in card.effects)


def free_chain(card: CardFacts) -> bool:
    """Quick-Play Spells and Traps that may start a chain in any window of the Battle Step: no event, no timing named."""
    return card.type != "monster" and any(
        effect.kind == "activation"
        and effect.speed >= 2
        and effect.condition in {None, "your-turn", "opponent-turn"}
        and not effect.timings
        for effect in card.effects
    )


def may_negate(card: CardFacts) -> bool:
    """Monsters that can answer an activation from the field, but need not."""
    return card.type == "monster" and any(
        effect.kind == "quick" and not effect.mandatory and effect.condition == "activation" and "monster-zone" in effect.zones
        for effect in card.effects
    )


def targeting_flip(card: CardFacts) -> bool:
    """Monsters with a Flip Effect that targets."""
    return any("flip" in effect.categories and effect.target is not None for effect in card.effects)


def triggers_after_attacking(card: CardFacts) -> bool:
    """Monsters with a Trigger Effect after damage calculation that need not have been attacked for it."""
    return card.type == "monster" and any(
        "after-calculation" in effect.timings and not any(need.role == "attack-target" and need.this for need in effect.requires)
        for effect in card.effects
    )


answers_activation: Final = waits_for("activation")
answers_attack: Final = waits_for("attack-declared", "attack-targeted")
answers_from_hand: Final = both(hand_quick, answers_activation)
adds_monsters: Final = named("Call of the Haunted", "Scapegoat")
changes_monsters: Final = named("Call of the Haunted", "Compulsory Evacuation Device", "Scapegoat", "Ring of Destruction")
changes_stats: Final = does("changes-atk-def")
damage_step_from_hand: Final = both(hand_quick, speaks_of("damage-step", "during-calculation"))
ends_battles: Final = speaks_of("damage-start", "before-calculation")
flip: Final = does("flip")
names_a_timing: Final = speaks_of(
    "damage-start", "before-calculation", "during-calculation", "after-calculation", "damage-end", "damage-step"
)
of_use_in_hand: Final = either(hand_quick, quick_play, plain)
"""What is of use in a hand during a Battle Phase: something to play, or to pay a cost with."""
passes_on_or_spares: Final = does("prevents-battle-damage", "reflects-battle-damage")
removes_attackers: Final = named(
    "Dimensional Prison", "Sakuretsu Armor", "Mirror Force", "Compulsory Evacuation Device", "Ring of Destruction"
)
stops_attacks: Final = either(answers_attack, does("prevents-attack"), named("Book of Moon", "Compulsory Evacuation Device"))
strong: Final = atk_between(1600, 4000)
triggers_after_calculation: Final = speaks_of("after-calculation")
removes_after_calculation: Final = both(triggers_after_calculation, does("banishes", "returns", "destroys"))
removes_after_attacking: Final = both(triggers_after_attacking, removes_after_calculation)
triggers_when_destroyed: Final = without(
    waits_for("destroyed-by-battle-and-sent", "destroyed-by-battle"), triggers_after_calculation
)
triggers_when_winning: Final = waits_for("destroys-by-battle", "destroys-by-battle-and-sends", "inflicted-battle-damage")
destroys_and_triggers: Final = without(
    waits_for("destroys-by-battle", "destroys-by-battle-and-sends"), triggers_after_calculation
)
weak: Final = atk_between(0, 1500)
searched_for: Final = both(weak, attribute("EARTH", "DARK"))
"""What most of the monsters that search the Deck can find."""
searches: Final = both(triggers_when_destroyed, named("Giant Rat", "Mystic Tomato", "Pyramid Turtle", "Newdoria", "Yomi Ship"))

FAMILIES: Final[tuple[tuple[str, Menu], ...]] = (
    ("flip effects", flip),
    ("responses to activations", either(counter_trap, answers_activation, does("negates-activation", "negates-effect"))),
    ("changes of ATK and DEF", changes_stats),
    ("responses to attacks", either(answers_attack, does("negates-attack", "prevents-attack", "ends-battle-phase"))),
    ("summons and draws", does("special-summons", "creates-tokens", "draws", "sends")),
    ("removal and position changes", does("destroys", "banishes", "returns", "changes-position")),
    ("ways of attacking and damage", does("piercing", "direct-attack", "multi-attack", "attack-cost", "damages", "recovers")),
    ("everything else", anything),
)
"""The families of cards with effects. A card belongs to the first that fits it; bit n of a swarm mask puts family n in play.
Monsters without effects are always in play."""


def family_of(card: CardFacts) -> int | None:
    """Index of the card's family in :data:`FAMILIES`; None for a card without effects."""
    if not card.effects:
        return None
    return next(index for index, (_, menu) in enumerate(FAMILIES) if menu(card))
