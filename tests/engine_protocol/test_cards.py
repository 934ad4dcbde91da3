"""The card facts that ship: right values, and facts that do not contradict one another."""

from __future__ import annotations

import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest

from engine_protocol.cards import CardFacts, EffectFacts, card_pool
from engine_protocol.errors import InputError
from engine_protocol.vocabulary import MONSTER_ZONES, SPELL_TRAP_ZONES

ROOT = Path(__file__).parents[2]
RAW: list[dict[str, Any]] = json.loads(files("engine_protocol").joinpath("cards.json").read_bytes())
CARDS: list[CardFacts] = msgspec.json.decode(json.dumps(RAW), type=list[CardFacts])
EFFECTS: list[tuple[CardFacts, EffectFacts]] = [(card, effect) for card in CARDS for effect in card.effects]
MAIN_DECK_ZONES = {"hand", "deck"}
EXTRA_DECK_FRAMES = {"fusion", "synchro", "xyz", "link"}

ASKED_FOR = """
Shrink|Rush Recklessly|Forbidden Lance|Forbidden Chalice|Mirror Wall|Limiter Removal|Honest|Blackwing - Kalut the Moon Shadow
Injection Fairy Lily|Kuriboh|Moon Mirror Shield|Skyscraper|Mirror Force|Sakuretsu Armor|Negate Attack|Magic Cylinder
Dimensional Prison|Book of Moon|Compulsory Evacuation Device|Ring of Destruction|Call of the Haunted|Scapegoat|Waboku
Mystical Space Typhoon|Fiendish Chain|Seven Tools of the Bandit|Solemn Judgment|Divine Wrath|Magic Jammer|Trap Jammer
Man-Eater Bug|Morphing Jar|Ryko, Lightsworn Hunter|Penguin Soldier|Mystic Tomato|Giant Rat|D.D. Warrior Lady|D.D. Warrior
Airknight Parshath|Neo-Spacian Grand Mole|Ally of Justice Catastor|Mystic Swordsman LV2|Drillroid|Reflect Bounder|Marshmallon
Spirit Reaper|Flamvell Firedog|Evil HERO Malicious Edge|Black Luster Soldier - Envoy of the Beginning|Mataza the Zapper
Asura Priest|Amazoness Swords Woman|Dark Ruler Ha Des|Macro Cosmos|Doomcaliber Knight|Stardust Dragon|Light and Darkness Dragon
Superheavy Samurai Big Benkei|Spell Striker|Panther Warrior|Dark Elf|Patrician of Darkness|Gravekeeper's Assailant|Necrovalley
"""
"""The cards that every section of the rules needs, beside the monsters without effects."""


def named(cards: list[tuple[CardFacts, EffectFacts]]) -> list[str]:
    """Effects as a person would call them, for a failure's message."""
    return [f"{card.name}, effect {effect.number}" for card, effect in cards]


def effectless() -> list[CardFacts]:
    """The monsters without effects, Tokens included."""
    return [card for card in CARDS if card.type == "monster" and not card.effects]


def catalogue() -> dict[int, dict[str, Any]]:
    """The facts of the cards as they were gathered for the project, by passcode; they do not ship with it."""
    found = sorted(ROOT.parent.glob("*/cards/cards.jsonl"))
    if not found:
        pytest.skip("the card catalogue (cards/cards.jsonl in a folder beside the repository) is only where duelproof is made")
    return {card["passcode"]: card for card in map(json.loads, found[0].read_text(encoding="utf-8").splitlines())}


class TestAgainstSources:
    def test_every_card_equals_the_catalogue(self) -> None:
        """Name, frame, Attribute, Type, Level, ATK and DEF are those of the catalogue for each card it knows."""
        known = catalogue()
        wrong = []
        compared = 0
        for card in CARDS:
            if (fact := known.get(card.passcode)) is None:
                continue
            compared += 1
            kind, *rest = fact["frame"]
            frame, property_ = (tuple(rest), None) if kind == "monster" else ((), rest[0] if rest else "normal")
            printed = [fact.get(key) for key in ("attribute", "race", "level", "atk", "def")]
            expected = [fact["name"], fact.get("name_ja"), kind, frame, property_, *printed]
            facts: list[object] = [card.name, card.name_ja, card.type, card.frame, card.property]
            facts += [card.attribute, card.race, card.level, card.atk, card.def_]
            if facts != expected:
                wrong.append((facts, expected))
        assert not wrong
        assert compared >= len(CARDS) - 5

    def test_cards_outside_the_catalogue(self) -> None:
        """The printed values of the five cards that the catalogue lacks."""
        pool = card_pool()
        printed = {
            card.name: (
                card.passcode,
                card.type,
                card.property,
                card.attribute,
                card.race,
                card.level,
                card.atk,
                card.def_,
                card.token,
            )
            for card in map(
                pool.named, ("Scapegoat", "Sheep Token", "Fluff Token", "Mataza the Zapper", "Evil HERO Malicious Edge")
            )
        }
        assert printed == {
            "Scapegoat": (73915051, "spell", "quick-play", None, None, None, None, None, False),
            "Sheep Token": (73915052, "monster", None, "EARTH", "Beast", 1, 0, 0, True),
            "Fluff Token": (15341822, "monster", None, "WIND", "Plant", 1, 0, 0, True),
            "Mataza the Zapper": (22609617, "monster", None, "DARK", "Warrior", 3, 1300, 800, False),
            "Evil HERO Malicious Edge": (58554959, "monster", None, "EARTH", "Fiend", 7, 2600, 1800, False),
        }

    def test_every_card_asked_for_is_there(self) -> None:
        """Each card that a section of the rules was to have is in the pool under its name."""
        wanted = ASKED_FOR.strip().replace("\n", "|").split("|")
        assert [name for name in wanted if name not in {card.name for card in CARDS}] == []

    def test_monsters_without_effects_cover_the_range(self) -> None:
        """At least 30, from 0 to 3000 ATK, with equal pairs, four of 0 ATK and a 3000 DEF wall."""
        attacks = [card.atk for card in effectless()]
        assert len(attacks) >= 30
        assert (min(a for a in attacks if a is not None), max(a for a in attacks if a is not None)) == (0, 3000)
        assert attacks.count(0) >= 4
        assert len({a for a in attacks if attacks.count(a) > 1}) >= 5
        assert {(card.atk, card.def_) for card in effectless()} >= {(0, 3000), (1200, 3000), (3000, 2500)}


class TestFile:
    def test_passcodes_and_names_are_unique_and_sorted(self) -> None:
        """No card hides another, and the file is in the order of the names so that its differences read well."""
        assert len({card.passcode for card in CARDS}) == len(CARDS)
        assert [card.name for card in CARDS] == sorted({card.name for card in CARDS})

    def test_it_fits_its_schema(self) -> None:
        """The file is valid against the published JSON Schema of the card facts, which refuses a key it does not know."""
        schema = json.loads(files("engine_protocol").joinpath("schemas/cards.schema.json").read_bytes())
        validator = jsonschema.Draft202012Validator(schema)
        assert list(validator.iter_errors(RAW)) == []
        assert not validator.is_valid([*RAW[1:], {**RAW[0], "text": "a key that the facts do not have"}])

    def test_the_pool_finds_cards_by_passcode_and_name(self) -> None:
        """Both ways lead to the same card, and an unknown name is the user's error, said with that name."""
        pool = card_pool()
        assert len(pool) == len(CARDS)
        assert pool[89631139] is pool.named("Blue-Eyes White Dragon")
        with pytest.raises(InputError, match="Blue-Eyed Dragon"):
            pool.named("Blue-Eyed Dragon")


class TestCards:
    def test_monsters_have_the_facts_of_monsters(self) -> None:
        """A monster has frame, Attribute, Type, Level, ATK, DEF and no property; a Spell or Trap a property and none of these."""
        wrong = []
        for card in CARDS:
            monster = (card.frame or None, card.attribute, card.race, card.level, card.atk, card.def_)
            expected = card.type == "monster"
            if (card.property is not None) == expected or any((fact is not None) != expected for fact in monster):
                wrong.append(card.name)
        assert wrong == []

    def test_effect_frames(self) -> None:
        """Exactly the Effect Monsters among the monsters have effects."""
        assert [card.name for card in CARDS if card.type == "monster" and card.is_effect_monster != bool(card.effects)] == []

    def test_spells_and_traps_begin_with_their_activation(self) -> None:
        """Effect 1 of each Spell and Trap is the card's activation, no other effect is one, and monsters have none."""
        wrong = [
            card.name
            for card in CARDS
            if [effect.number for effect in card.effects if effect.kind == "activation"]
            != ([] if card.type == "monster" else [1])
        ]
        assert wrong == []

    def test_tokens(self) -> None:
        """A Token is a monster without effects."""
        assert [card.name for card in CARDS if card.token and (card.effects or card.type != "monster")] == []
        assert sum(card.token for card in CARDS) == 2


class TestEffects:
    def test_numbers(self) -> None:
        """Effects are numbered 1, 2, … in order, and the card finds each by its number and none beyond."""
        for card in CARDS:
            assert [effect.number for effect in card.effects] == list(range(1, len(card.effects) + 1)), card.name
            assert [card.effect(effect.number) for effect in card.effects] == list(card.effects)
            assert card.effect(0) is None
            assert card.effect(len(card.effects) + 1) is None

    def test_optional_triggers_have_a_clause(self) -> None:
        """An optional Trigger Effect says "when" or "if", which decides whether it can miss its timing; nothing else does."""
        wrong = [
            (card, effect)
            for card, effect in EFFECTS
            if (effect.clause is not None) != (effect.kind == "trigger" and not effect.mandatory)
        ]
        assert named(wrong) == []

    def test_triggers_wait_for_something(self) -> None:
        """A Trigger Effect has a condition."""
        assert named([(c, e) for c, e in EFFECTS if e.kind == "trigger" and e.condition is None]) == []

    def test_spell_speeds(self) -> None:
        """Spell Speed 3: Counter Traps; 2: Quick Effects, Quick-Play Spells, Traps; 1: what else activates; 0: what does not."""

        def speed(card: CardFacts, effect: EffectFacts) -> int:
            if effect.kind in {"continuous", "unclassified"}:
                return 0
            if card.property == "counter":
                return 3
            if effect.kind == "quick" or (effect.kind == "activation" and (card.type == "trap" or card.property == "quick-play")):
                return 2
            return 1

        assert named([(c, e) for c, e in EFFECTS if e.speed != speed(c, e)]) == []

    def test_zones_of_what_activates(self) -> None:
        """What has a Spell Speed has zones to activate it from, and nothing else has."""
        assert named([(c, e) for c, e in EFFECTS if bool(e.zones) != (e.speed > 0)]) == []

    def test_zones_of_activations(self) -> None:
        """Traps are activated where they are Set, Field Spells from hand or Field Zone, other Spells from hand or zone."""

        def zones(card: CardFacts) -> set[str]:
            if card.type == "trap":
                return {"spell-trap-zone"}
            return {"hand", "field-zone" if card.property == "field" else "spell-trap-zone"}

        assert named([(c, e) for c, e in EFFECTS if e.kind == "activation" and set(e.zones) != zones(c)]) == []

    def test_zones_fit_the_card(self) -> None:
        """A monster's effect is never activated from a Spell & Trap Zone, nor a Spell's from a Monster Zone; only Extra Deck
        monsters act from the Extra Monster Zone.
        """
        wrong = []
        for card, effect in EFFECTS:
            foreign = set(SPELL_TRAP_ZONES if card.type == "monster" else MONSTER_ZONES)
            if not EXTRA_DECK_FRAMES & set(card.frame):
                foreign.add("extra-monster-zone")
            else:
                foreign |= MAIN_DECK_ZONES
            if foreign & set(effect.zones):
                wrong.append((card, effect))
        assert named(wrong) == []

    def test_flip_effects(self) -> None:
        """A Flip Monster has a Flip Effect: a Trigger that waits for its flip."""
        flips = [(card, effect) for card, effect in EFFECTS if "flip" in effect.categories]
        assert (
            named([(c, e) for c, e in flips if (e.kind, e.condition, e.zones) != ("trigger", "flipped", ("monster-zone",))]) == []
        )
        assert {card.name for card, _ in flips} == {card.name for card in CARDS if "flip" in card.frame}

    def test_targets_are_possible(self) -> None:
        """Whoever targets targets at least one card and no fewer at most than at least."""
        assert named([(c, e) for c, e in EFFECTS if e.target and not 1 <= e.target.least <= e.target.most]) == []

    def test_responses_look_at_a_chain_link(self) -> None:
        """What waits for an activation says which Chain Link it answers, and nothing else looks at one."""
        wrong = [
            (card, effect)
            for card, effect in EFFECTS
            if (effect.condition == "activation") != (effect.subject is not None and effect.subject.role == "link")
        ]
        assert named(wrong) == []

    def test_attack_costs(self) -> None:
        """Only what costs to attack, or activates, has a cost."""
        assert named([(c, e) for c, e in EFFECTS if e.cost and not (e.speed or "attack-cost" in e.categories)]) == []

    def test_further_attacks_are_counted(self) -> None:
        """What lets a monster attack more than once says how, and nothing else does (AT-11)."""
        wrong = [(card, effect) for card, effect in EFFECTS if ("multi-attack" in effect.categories) != bool(effect.attacks)]
        assert named(wrong) == []
        granted = {card.name: effect.attacks for card, effect in EFFECTS if effect.attacks}
        assert (granted["Asura Priest"], granted["Mataza the Zapper"]) == ("each-monster", "twice")
        assert granted["Black Luster Soldier - Envoy of the Beginning"] == "once-more"

    def test_self_discards_are_from_the_hand(self) -> None:
        """A card that discards itself as a cost is in the hand, one that Tributes itself on the field, one that banishes itself
        from the GY in the GY.
        """
        zones: dict[str, set[str]] = {"discard-self": {"hand"}, "tribute-self": set(MONSTER_ZONES), "banish-self": {"graveyard"}}
        wrong = [
            (card, effect)
            for card, effect in EFFECTS
            for cost in effect.cost
            if cost.kind in zones and not set(effect.zones) <= zones[cost.kind]
        ]
        assert named(wrong) == []

    def test_mandatory_effects_activate(self) -> None:
        """Only Trigger and Quick Effects can be mandatory."""
        assert named([(c, e) for c, e in EFFECTS if e.mandatory and e.kind not in {"trigger", "quick"}]) == []

    def test_complete_facts_are_of_what_activates(self) -> None:
        """Only an effect that activates in a Battle Phase can have all the facts that decide whether it may."""
        wrong = [
            (card, effect)
            for card, effect in EFFECTS
            if effect.complete
            and (
                not effect.speed
                or effect.condition == "other-phase"
                or effect.kind == "ignition"
                or (effect.kind == "activation" and effect.speed == 1)
            )
        ]
        assert named(wrong) == []

    def test_each_kind_of_activation_has_complete_facts_somewhere(self) -> None:
        """Oracles can demand an option of every kind: each Spell Speed, both sorts of Trigger, both sorts of Quick Effect."""
        kinds = {(effect.kind, effect.speed, effect.mandatory) for _, effect in EFFECTS if effect.complete}
        assert kinds >= {
            ("activation", 2, False),
            ("activation", 3, False),
            ("trigger", 1, True),
            ("trigger", 1, False),
            ("quick", 2, True),
            ("quick", 2, False),
        }


@pytest.mark.parametrize(
    "name, number, expected",
    [
        ("Mirror Force", 1, ("attack-declared", (), True)),
        ("Drillroid", 1, ("attacks", ("before-calculation",), True)),
        ("Neo-Spacian Grand Mole", 1, ("battles", ("damage-start",), True)),
        ("Injection Fairy Lily", 1, ("battles", ("during-calculation",), True)),
        ("D.D. Warrior", 1, ("battles", ("after-calculation",), True)),
        ("Mystic Tomato", 1, ("destroyed-by-battle-and-sent", (), True)),
        ("Honest", 2, ("battles", ("damage-step",), False)),
        ("Divine Wrath", 1, ("activation", (), True)),
        ("Dark Elf", 1, (None, (), False)),
    ],
)
def test_what_well_known_effects_wait_for(name: str, number: int, expected: tuple[str | None, tuple[str, ...], bool]) -> None:
    """The event and the timing that the text of these cards names."""
    effect = card_pool().named(name).effect(number)
    assert effect is not None
    assert (effect.condition, effect.timings, effect.complete) == expected
