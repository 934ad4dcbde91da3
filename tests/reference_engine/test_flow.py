"""The course of a Battle Phase, by the document battle-phase-flow."""

from __future__ import annotations

import pytest

from engine_protocol.board import Board, BoardCard
from engine_protocol.cards import card_pool
from engine_protocol.driver import drive
from engine_protocol.errors import BoardNotSupported, OptionNotOffered
from engine_protocol.events import (
    Activated,
    AttackDeclared,
    AttackEnded,
    ChainEnded,
    Decided,
    LinkResolving,
    Moved,
    ReplayBegan,
    StatusChanged,
)
from engine_protocol.vocabulary import DAMAGE_STEP_TIMINGS, Player
from reference_engine import ReferenceEngine
from tests.reference_engine.table import Table

BLUE_EYES = "Blue-Eyes White Dragon"
RAT = "Giant Rat"
BUG = "Man-Eater Bug"
COMPULSORY = "Compulsory Evacuation Device"
CALL = "Call of the Haunted"


class TestSteps:
    def test_an_empty_battle_phase_passes_through_the_battle_step(self) -> None:
        """M-003, M-046: never from the Start Step straight to the End Step."""
        assert Table({}, {}).finish().timings() == ["start-step", "battle-step", "end-step"]

    def test_an_attack_passes_through_the_five_timings_and_returns_to_the_battle_step(self) -> None:
        """M-029, M-031, M-146."""
        table = Table({"attack": [BLUE_EYES]}, {"attack": [RAT]}).attack(BLUE_EYES, RAT).finish()
        assert table.timings() == [
            "start-step",
            "battle-step",
            "declaration",
            "after-declaration",
            *DAMAGE_STEP_TIMINGS,
            "battle-step",
            "end-step",
        ]

    def test_the_opponent_has_no_priority_before_a_declaration(self) -> None:
        """M-047: only once the turn player announces the end of the step."""
        table = Table({"attack": [BLUE_EYES]}, {"backrow": [COMPULSORY]}).quietly_to("battle-step")
        assert [d.player for d in table.decisions() if d.timing == "battle-step"] == []
        assert table.decision is not None
        assert (table.decision.kind, table.decision.player) == ("action", 0)

    def test_a_chain_in_the_start_step_returns_to_it(self) -> None:
        """M-043."""
        table = Table({"attack": [BLUE_EYES]}, {"backrow": [COMPULSORY]}).quietly_to("start-step", 1)
        table.activate(COMPULSORY, on=BLUE_EYES).finish()
        assert table.place(BLUE_EYES) == "hand"
        assert [d.player for d in table.decisions() if (d.timing, d.kind) == ("start-step", "priority")] == [0, 1, 0, 1]


class TestDeclaration:
    def test_sakuretsu_armor_only_in_the_declaration_window(self) -> None:
        """M-054, M-055."""
        table = Table({"attack": [BLUE_EYES]}, {"attack": [RAT], "backrow": ["Sakuretsu Armor"]})
        assert table.attack(BLUE_EYES, RAT).finish().offered("Sakuretsu Armor") == {"declaration"}

    def test_mirror_force_destroys_all_attack_position_monsters(self) -> None:
        """The attack stops, as the attacker has left (M-074)."""
        table = Table({"attack": [BLUE_EYES, RAT]}, {"backrow": ["Mirror Force"]})
        table.attack(BLUE_EYES).activate("Mirror Force").finish()
        assert table.place(BLUE_EYES) == table.place(RAT) == "graveyard"
        assert "damage-start" not in table.timings()

    def test_negate_attack_ends_the_battle_phase(self) -> None:
        """The attack was negated, and no further attack is offered."""
        table = Table({"attack": [BLUE_EYES, RAT]}, {"backrow": ["Negate Attack"]})
        table.attack(BLUE_EYES).activate("Negate Attack").finish()
        assert [e.reason for e in table.kinds(AttackEnded) if isinstance(e, AttackEnded)] == ["negated"]
        assert table.timings()[-1] == "end-step"
        assert len(table.kinds(AttackDeclared)) == 1

    def test_a_monster_attacks_once(self) -> None:
        """M-050."""
        table = Table({"attack": [BLUE_EYES]}, {}).attack(BLUE_EYES).finish()
        assert len(table.kinds(AttackDeclared)) == 1

    def test_book_of_moon_stops_the_attack_at_once(self) -> None:
        """M-061, M-074."""
        table = Table({"attack": [BLUE_EYES]}, {"attack": [RAT], "backrow": ["Book of Moon"]})
        table.attack(BLUE_EYES, RAT).activate("Book of Moon", on=BLUE_EYES).finish()
        assert [e.reason for e in table.kinds(AttackEnded) if isinstance(e, AttackEnded)] == ["stopped"]
        assert table.lp == (8000, 8000)


class TestReplay:
    def table(self) -> Table:
        """An attack that Call of the Haunted can rewind."""
        return Table({"attack": [BLUE_EYES]}, {"attack": [RAT], "backrow": [CALL], "graveyard": [BUG]})

    def test_a_monster_that_arrives_causes_a_replay_after_the_windows(self) -> None:
        """M-113, M-136."""
        table = self.table().attack(BLUE_EYES, RAT).activate(CALL, on=BUG)
        chain_ended = next(i for i, e in enumerate(table.events) if isinstance(e, ChainEnded))
        replay = next(i for i, e in enumerate(table.events) if isinstance(e, ReplayBegan))
        between = [e.decision.player for e in table.events[chain_ended:replay] if isinstance(e, Decided)]
        assert between == [0, 1]
        table.choose(BUG).finish()
        assert table.place(BUG) == "graveyard"
        assert table.place(RAT) == "monster-zone"

    def test_giving_up_uses_the_attack(self) -> None:
        """M-116."""
        table = self.table().attack(BLUE_EYES, RAT).activate(CALL, on=BUG).give_up().finish()
        assert len(table.kinds(AttackDeclared)) == 1
        assert "damage-start" not in table.timings()

    def test_a_monster_that_leaves_in_the_damage_step_causes_none(self) -> None:
        """M-139, M-233: no calculation, and the remaining timings are gone through."""
        table = Table({"attack": ["Neo-Spacian Grand Mole"]}, {"attack": [RAT, BUG]})
        table.attack("Neo-Spacian Grand Mole", RAT).activate("Neo-Spacian Grand Mole").finish()
        assert table.kinds(ReplayBegan) == []
        assert table.calculations == []
        assert [t for t in table.timings() if t in DAMAGE_STEP_TIMINGS] == list(DAMAGE_STEP_TIMINGS)


class TestDamageStep:
    def test_a_face_down_target_is_flipped_before_damage_calculation_and_its_effect_waits(self) -> None:
        """M-242, N-121."""
        table = Table({"attack": [BLUE_EYES]}, {"set": [BUG]}).attack(BLUE_EYES, BUG).finish()
        flipped, activated = (
            next(i for i, e in enumerate(table.events) if getattr(e, "reason", "") == "battle"),
            next(i for i, e in enumerate(table.events) if isinstance(e, Activated)),
        )
        calculated = table.events.index(table.calculations[0])
        assert flipped < calculated < activated
        assert table.place(BLUE_EYES) == "graveyard"

    def test_shrink_at_the_start_and_before_damage_calculation_only(self) -> None:
        """M-197."""
        table = Table({"attack": [BLUE_EYES], "backrow": ["Shrink"]}, {"attack": [RAT]})
        table.attack(BLUE_EYES, RAT).finish()
        assert table.offered("Shrink") & set(DAMAGE_STEP_TIMINGS) == {"damage-start", "before-calculation"}

    def test_book_of_moon_not_at_all(self) -> None:
        """M-186."""
        table = Table({"attack": [BLUE_EYES], "backrow": ["Book of Moon"]}, {"attack": [RAT]})
        table.attack(BLUE_EYES, RAT).finish()
        assert table.offered("Book of Moon") & set(DAMAGE_STEP_TIMINGS) == set()
        assert "declaration" in table.offered("Book of Moon")

    def test_two_honests_one_chain_after_the_other(self) -> None:
        """M-151: the second starts a new chain before damage calculation; 3000 + 1500 against 1500 + 3000 + …"""
        table = Table({"attack": ["D.D. Warrior Lady"], "hand": ["Honest"]}, {"attack": [BLUE_EYES], "hand": ["Honest"]}).attack(
            "D.D. Warrior Lady", BLUE_EYES
        )
        table.quietly_to("before-calculation").activate("Honest").decline().activate("Honest#2").finish()
        first, second = (e for e in table.kinds(Activated) if isinstance(e, Activated))
        assert first.link == second.link == 1
        assert table.calculations[0].attacker_value == 4500  # 1500 and the 3000 of the Dragon
        assert table.calculations[0].target_value == 7500  # 3000 and the 4500 of the Lady

    def test_an_effect_that_removes_the_loser_keeps_it_from_being_destroyed_by_battle(self) -> None:
        """N-117, N-118: Red Dragon Archfiend destroys a defending Giant Rat after damage calculation."""
        archfiend = "Red Dragon Archfiend"
        table = Table({"attack": [archfiend]}, {"defense": [RAT], "deck": [BUG]})
        table.attack(archfiend, RAT).finish()
        assert table.moves(RAT) == [("graveyard", "destroyed-by-effect")]
        assert table.place(BUG) == "deck"

    def test_giant_rat_destroyed_by_battle_brings_another_monster(self) -> None:
        """N-157."""
        table = Table({"attack": [BLUE_EYES]}, {"attack": [RAT], "deck": [BUG]})
        table.attack(BLUE_EYES, RAT).quietly_to("damage-end").activate(RAT).finish()
        assert table.place(BUG) == "monster-zone"


class TestChains:
    def test_links_resolve_in_reverse_order(self) -> None:
        """Rush Recklessly answered by Shrink: Shrink first; 3000 halved and 700 more."""
        table = Table({"attack": [BLUE_EYES], "backrow": ["Rush Recklessly"]}, {"attack": [RAT], "backrow": ["Shrink"]})
        table.attack(BLUE_EYES, RAT).quietly_to("damage-start")
        table.activate("Rush Recklessly", on=BLUE_EYES).activate("Shrink", on=BLUE_EYES).finish()
        assert [e.link for e in table.kinds(LinkResolving) if isinstance(e, LinkResolving)] == [2, 1]
        assert table.calculations[0].attacker_value == 2200

    def test_only_spell_speed_3_answers_a_counter_trap(self) -> None:
        """Seven Tools answers Mirror Force; Book of Moon cannot answer it, Solemn Judgment can."""
        table = Table(
            {"attack": [BLUE_EYES], "backrow": ["Seven Tools of the Bandit", "Book of Moon"]},
            {"backrow": ["Mirror Force", "Book of Moon", "Solemn Judgment"]},
        )
        table.attack(BLUE_EYES).activate("Mirror Force").activate("Seven Tools of the Bandit")
        assert table.decision is not None
        offered = {option.card for option in table.decision.options}
        assert offered == {None, table.card("Solemn Judgment")}
        table.finish()
        assert table.place("Mirror Force") == "graveyard"
        assert table.lp == (7000, 5000)

    def test_a_card_of_the_hand_does_not_answer_itself(self) -> None:
        """Construction Train Signal Red stays in the hand while it is a Chain Link, and cannot be activated once more."""
        train = "Construction Train Signal Red"
        table = Table({"attack": [RAT]}, {"hand": [train]}).attack(RAT).activate(train).finish()
        links = [event.link for event in table.kinds(Activated) if isinstance(event, Activated)]
        assert (links, table.moves(train)[0]) == ([1], ("monster-zone", "special-summoned"))
        offers = [d for d in table.decisions() if any(o.card == table.card(train) and o.kind == "activate" for o in d.options)]
        assert [decision.kind for decision in offers] == ["priority"]

    def test_metaion_cannot_be_special_summoned_from_the_deck(self) -> None:
        """Its text: UFO Turtle is not activated for it, and does not choose it."""
        turtle, metaion = "UFO Turtle", "Metaion, the Timelord"
        alone = Table({"attack": [BLUE_EYES]}, {"attack": [turtle], "deck": [metaion]}).attack(BLUE_EYES, turtle).finish()
        assert alone.offered(turtle) == set()
        two = Table({"attack": [BLUE_EYES]}, {"attack": [turtle], "deck": [metaion, turtle]}).attack(BLUE_EYES, turtle)
        two.quietly_to("damage-end").activate(turtle).finish()
        assert (two.place(metaion), two.place(turtle + "#2")) == ("deck", "monster-zone")

    def test_a_card_set_this_turn_stays_set(self) -> None:
        """CH-8."""
        pool = card_pool()
        trap = BoardCard(
            id=1, passcode=pool.named("Waboku").passcode, owner=1, zone="spell-trap-zone", position="face-down", turn_set=3
        )
        events = ReferenceEngine().play(Board(ruleset="ocg-2023", cards=(trap,), turn=3), [1] * 40)
        assert not any(isinstance(event, Activated) for event in events)

    def test_light_and_darkness_dragon_negates_until_it_can_lose_no_more(self) -> None:
        """It loses 500 each time; what it answers is negated."""
        dragon = "Light and Darkness Dragon"
        table = Table({"attack": [BLUE_EYES], "backrow": ["Rush Recklessly"]}, {"attack": [dragon]})
        table.attack(BLUE_EYES, dragon).quietly_to("damage-start").activate("Rush Recklessly", on=BLUE_EYES).finish()
        assert table.calculations[0].attacker_value == 3000
        assert table.calculations[0].target_value == 2300


class TestLimits:
    def test_a_trigger_effect_is_activated_as_often_as_it_may_be(self) -> None:
        """Supply Squad, once per turn: the second of its controller's monsters that is destroyed lets nobody draw (CH-12)."""
        table = Table(
            {"attack": ["Frostosaurus", RAT], "face-up": ["Supply Squad"], "deck": [BUG, COMPULSORY]},
            {"attack": ["Frostosaurus", BLUE_EYES]},
        )
        table.attack("Frostosaurus", "Frostosaurus#2").attack(RAT, BLUE_EYES).finish()
        assert table.place(RAT) == "graveyard"
        assert (table.place(BUG), table.place(COMPULSORY)) == ("hand", "deck")


class TestContract:
    def test_a_choice_that_is_not_offered_changes_nothing(self) -> None:
        """IV-2."""
        engine = ReferenceEngine()
        decision = engine.start(
            Board(
                ruleset="ocg-2023",
                cards=(
                    BoardCard(
                        id=1, passcode=card_pool().named(RAT).passcode, owner=0, zone="monster-zone", position="face-up-attack"
                    ),
                ),
            )
        ).decision
        assert decision is not None
        before = engine.observe()
        for option in (-1, len(decision.options)):
            with pytest.raises(OptionNotOffered):
                engine.choose(option)
        assert engine.observe() == before

    def test_a_board_that_cannot_be_is_refused_with_the_place(self) -> None:
        """The sentence names the field."""
        card = BoardCard(id=1, passcode=1, owner=0, zone="monster-zone", position="face-up-attack")
        with pytest.raises(BoardNotSupported, match=r"cards\[0\]\.passcode"):
            ReferenceEngine().start(Board(ruleset="ocg-2023", cards=(card,)))


class TestMissedTiming:
    """The document duel-arena-wiki on Trigger Effects: "when … you can" must be the last thing that happened."""

    benkei = "Superheavy Samurai Big Benkei"

    def test_a_summon_by_a_later_link_is_missed_whatever_the_first_link_does(self) -> None:
        """Call of the Haunted is Chain Link 2; Chain Link 1 only applies a condition to another monster."""
        table = Table(
            {"backrow": ["Fiendish Chain"]},
            {"attack": ["Giant Rat"], "backrow": [CALL], "graveyard": [self.benkei]},
        )
        table.activate("Fiendish Chain", on="Giant Rat").activate(CALL, on=self.benkei).finish()
        assert table.offered(self.benkei) == set()

    def test_a_summon_by_the_only_link_is_not_missed(self) -> None:
        """Then its effect is offered."""
        table = Table({}, {"backrow": [CALL], "graveyard": [self.benkei]}).quietly_to("start-step", 1)
        table.activate(CALL, on=self.benkei).finish()
        assert table.offered(self.benkei) == {"start-step"}


class TestAtOnce:
    def test_forbidden_scripture_negates_all_other_cards_at_once(self) -> None:
        """Skill Drain and the monsters it has negated: none of them is let go in between, wherever they stand."""
        table = Table({"attack": [BLUE_EYES], "backrow": ["Forbidden Scripture"], "face-up": ["Skill Drain"]}, {"attack": [RAT]})
        table.attack(BLUE_EYES, RAT).quietly_to("during-calculation").activate("Forbidden Scripture").finish()
        changed = [event for event in table.events if isinstance(event, StatusChanged)]
        monsters, trap = {table.card(BLUE_EYES), table.card(RAT)}, table.card("Skill Drain")
        assert [event.active for event in changed if event.card in monsters] == [True, True]
        assert [event.active for event in changed if event.card == trap] == [True, False]

    def test_sanga_of_the_thunder_spends_its_effect(self) -> None:
        """Once while it is face-up on the field: offered in the first battle, not in the second."""
        sanga = "Sanga of the Thunder"
        table = Table({"attack": [BLUE_EYES, RAT]}, {"attack": [sanga]})
        table.attack(BLUE_EYES, sanga).quietly_to("during-calculation", 1).activate(sanga).attack(RAT, sanga).finish()
        assert [calculation.attacker_value for calculation in table.calculations] == [0, 1400]
        offers = [d for d in table.decisions() if any(o.card == table.card(sanga) and o.kind == "activate" for o in d.options)]
        assert len(offers) == 1

    @pytest.mark.parametrize(
        "names", [("Shooting Star Bow - Ceal", "Double-Edged Sword"), ("Double-Edged Sword", "Shooting Star Bow - Ceal")]
    )
    def test_continuous_changes_of_atk_add_up_in_any_order(self, names: tuple[str, str]) -> None:
        """900 ATK, 1000 less and 2000 more are 1900, wherever the two Equip Spells lie."""
        skulls = BoardCard(
            id=1, passcode=card_pool().named("Temple of Skulls").passcode, owner=0, zone="monster-zone", position="face-up-attack"
        )
        spells = [
            BoardCard(
                id=number + 2,
                passcode=card_pool().named(name).passcode,
                owner=0,
                zone="spell-trap-zone",
                index=number,
                equipped_to=1,
            )
            for number, name in enumerate(names)
        ]
        engine = ReferenceEngine()
        engine.start(Board(ruleset="ocg-2023", cards=(skulls, *spells)))
        assert engine.observe().cards[0].atk == 1900

    @pytest.mark.parametrize(
        "names", [("Fenrir the Nordic Wolf", "Thunder Nyan Nyan"), ("Thunder Nyan Nyan", "Fenrir the Nordic Wolf")]
    )
    def test_what_destroys_itself_does_so_at_once(self, names: tuple[str, str]) -> None:
        """The Wolf without an "Aesir" monster, the cat beside a monster not LIGHT: neither spares the other by going first."""
        table = Table({"attack": list(names)}, {}).finish()
        assert [table.place(name) for name in names] == ["graveyard", "graveyard"]

    @pytest.mark.parametrize("index", [0, 1])
    def test_what_destroys_itself_does_so_once(self, index: int) -> None:
        """Two Wolves without an "Aesir" monster, and an Equip Card that leaves with one: each is sent once."""
        places: tuple[tuple[int, Player, int], ...] = ((1, 1, 0), (2, 0, index))
        wolves = [
            BoardCard(
                id=number,
                passcode=card_pool().named("Fenrir the Nordic Wolf").passcode,
                owner=owner,
                zone="monster-zone",
                index=place,
                position="face-up-attack",
            )
            for number, owner, place in places
        ]
        ring = BoardCard(
            id=3, passcode=card_pool().named("Ring of Magnetism").passcode, owner=1, zone="spell-trap-zone", equipped_to=1
        )
        board = Board(ruleset="ocg-2023", cards=(*wolves, ring))
        events = drive(ReferenceEngine(), board, lambda _: 0).events
        assert sorted(event.card for event in events if isinstance(event, Moved)) == [1, 2, 3]
