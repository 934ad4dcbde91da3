"""The Damage Step by the rulesets that differ there from the default one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine_protocol.cards import card_pool
from engine_protocol.events import (
    Activated,
    AttackEnded,
    ChainEnded,
    DeterminedDestroyed,
    LinkResolved,
    Moved,
    TimingBegan,
)
from engine_protocol.rulesets import RULESETS, ruleset_named
from engine_protocol.vocabulary import Timing
from reference_engine.legality import Rulebook
from tests.reference_engine.table import Table

AIRKNIGHT = "Airknight Parshath"  # 1900/1400, piercing, triggers on battle damage
A_TEAM = "A-Team: Trap Disposal Unit"  # 300/400, Tributes itself to negate a Trap
ARCHFIEND = "Archfiend Soldier"  # 1900/1500, a Fiend
BLUE_EYES = "Blue-Eyes White Dragon"  # 3000/2500
BUG = "Man-Eater Bug"  # 450/600, flip: destroys a monster
CHOPPER = "Masked Chopper"  # 100/100, triggers on destroying a monster
DANDYLION = "Dandylion"  # triggers when sent to the Graveyard
ENVOY = "Black Luster Soldier - Envoy of the Beginning"  # 3000/2500, attacks once more
HA_DES = "Dark Ruler Ha Des"
HANE = "Hane-Hane"  # 450/500, flip
MARSHMALLON = "Marshmallon"  # 300/500
RAT = "Giant Rat"  # 1400/1450, triggers when destroyed by battle and sent
ROCKET = "Rocket Warrior"  # 1500/1300, triggers on having attacked
RUSH = "Rush Recklessly"
SASUKE = "Ninja Grandmaster Sasuke"  # 1800/1000, destroys a face-up defender at the start
TOMATO = "Mystic Tomato"  # 1400/1100, triggers when destroyed by battle and sent
WARRIOR = "D.D. Warrior"  # 1200/1000, triggers on having battled
YAICHI = "The Six Samurai - Yaichi"  # 1300/800
KAMON = "The Six Samurai - Kamon"  # 1500/1000


def chains(table: Table, timing: Timing) -> list[list[str]]:
    """Who is activated at a timing: a list for each chain."""
    names = table.names()
    made: list[list[str]] = []
    now = None
    for event in table.events:
        if isinstance(event, TimingBegan):
            now = event.timing
        elif isinstance(event, Activated) and now == timing:
            if event.link == 1:
                made.append([])
            made[-1].append(names[event.card])
    return made


def during(table: Table, timing: Timing) -> Iterator[object]:
    """The events of a timing."""
    now = None
    for event in table.events:
        if isinstance(event, TimingBegan):
            now = event.timing
        elif now == timing:
            yield event


class TestStages:
    @pytest.mark.parametrize(
        "ruleset, expected",
        [
            ("expert-2007", [[AIRKNIGHT], [BUG]]),
            ("master-rule-2", [[AIRKNIGHT], [BUG]]),
            ("master-rule-3", [[AIRKNIGHT, BUG]]),
            ("ocg-2023", [[AIRKNIGHT, BUG]]),
        ],
    )
    def test_battle_damage_comes_before_flips(self, ruleset: str, expected: list[list[str]]) -> None:
        """X-015: 4.A before 4.B (E-131, E-141), timing 4 before timing 5 (D-077, D-079), later one chain of both."""
        table = Table({"attack": [AIRKNIGHT], "deck": [RAT]}, {"set": [BUG]}, ruleset).attack(AIRKNIGHT, BUG).finish()
        assert chains(table, "after-calculation") == expected

    @pytest.mark.parametrize(
        "ruleset, expected",
        [
            ("expert-2007", [[AIRKNIGHT], [MARSHMALLON]]),
            ("master-rule-2", [[AIRKNIGHT, MARSHMALLON]]),
            ("ocg-2023", [[AIRKNIGHT, MARSHMALLON]]),
        ],
    )
    def test_marshmallon_after_battle_damage(self, ruleset: str, expected: list[list[str]]) -> None:
        """X-017: between 4.A and 4.B in a chain of its own (E-140), later with what battle damage triggers (D-077)."""
        table = Table({"attack": [AIRKNIGHT], "deck": [RAT]}, {"set": [MARSHMALLON]}, ruleset)
        assert chains(table.attack(AIRKNIGHT, MARSHMALLON).finish(), "after-calculation") == expected

    @pytest.mark.parametrize(
        "ruleset, expected",
        [
            ("expert-2007", [[MARSHMALLON], [ROCKET]]),
            ("master-rule-2", [[MARSHMALLON], [ROCKET]]),
            ("ocg-2023", [[ROCKET, MARSHMALLON]]),
        ],
    )
    def test_marshmallon_before_what_has_battled(self, ruleset: str, expected: list[list[str]]) -> None:
        """E-140, D-077 and D-079; later one chain, the turn player's first."""
        table = Table({"attack": [ROCKET]}, {"set": [MARSHMALLON]}, ruleset).attack(ROCKET, MARSHMALLON).finish()
        assert chains(table, "after-calculation") == expected

    @pytest.mark.parametrize(
        "ruleset, expected",
        [
            ("expert-2007", [[TOMATO], ["B.E.S. Crystal Core"]]),
            ("master-rule-2", [["B.E.S. Crystal Core", TOMATO]]),
            ("ocg-2023", [["B.E.S. Crystal Core", TOMATO]]),
        ],
    )
    def test_the_graveyard_before_the_end(self, ruleset: str, expected: list[list[str]]) -> None:
        """X-019: 4.C before 6 (E-151, E-177); since July 2009 one timing (D-089, D-102)."""
        core = "B.E.S. Crystal Core"
        table = Table({"attack": [core]}, {"attack": [TOMATO], "deck": [TOMATO]}, ruleset)
        table.attack(core, TOMATO).quietly_to("damage-end").activate(TOMATO).finish()
        assert chains(table, "damage-end") == expected

    @pytest.mark.parametrize(
        "ruleset, expected", [("expert-2007", [["Drillroid"]]), ("ocg-2023", [["Drillroid", "Cat's Ear Tribe"]])]
    )
    def test_the_reveal_before_the_battle(self, ruleset: str, expected: list[list[str]]) -> None:
        """X-004: what Drillroid destroys in 1-2 (E-073) is not there any more in 1-3; later both trigger in one chain."""
        table = Table({"attack": ["Drillroid"]}, {"defense": ["Cat's Ear Tribe"]}, ruleset)
        assert chains(table.attack("Drillroid", "Cat's Ear Tribe").finish(), "before-calculation") == expected

    @pytest.mark.parametrize(
        "ruleset, last",
        [("expert-2007", [{HANE, DANDYLION}]), ("master-rule-2", [{HANE, DANDYLION}]), ("ocg-2023", [{DANDYLION}])],
    )
    def test_what_a_stage_triggers_joins_the_next(self, ruleset: str, last: list[set[str]]) -> None:
        """X-034: discarded in 4.A, activated in 4.B (E-139); later in a chain of its own (D-016)."""
        goblin = "Robbin' Goblin"
        table = Table({"attack": [AIRKNIGHT], "face-up": [goblin], "deck": [RAT]}, {"set": [HANE], "hand": [DANDYLION]}, ruleset)
        made = chains(table.attack(AIRKNIGHT, HANE).finish(), "after-calculation")
        assert [set(chain) for chain in made[1:]] == last

    @pytest.mark.parametrize(
        "ruleset, timing",
        [
            ("expert-2007", "after-calculation"),
            ("master-rule-3", "after-calculation"),
            ("ocg-2023", "damage-end"),
        ],
    )
    def test_the_further_attack_of_the_envoy(self, ruleset: str, timing: Timing) -> None:
        """X-035: in 4.A (E-134), after damage calculation (D-047); the current document has no such exception."""
        table = Table({"attack": [ENVOY]}, {"attack": [RAT]}, ruleset).attack(ENVOY, RAT).quietly_to(timing, 0).activate(ENVOY)
        assert chains(table, timing) == [[ENVOY]]


class TestNoCalculation:
    @pytest.mark.parametrize(
        "ruleset, timings",
        [
            ("expert-2007", ["damage-start"]),
            ("master-rule-3", ["damage-start"]),
            (
                "ocg-2023",
                ["damage-start", "before-calculation", "during-calculation", "after-calculation", "damage-end"],
            ),
        ],
    )
    def test_a_battle_that_cannot_go_on(self, ruleset: str, timings: list[str]) -> None:
        """X-013: the Damage Step ends (E-047, D-039), or goes through its timings; either way nothing has battled."""
        table = Table({"attack": [SASUKE]}, {"defense": [RAT]}, ruleset).attack(SASUKE, RAT).finish()
        steps = table.timings()
        assert steps[steps.index("damage-start") : steps.index("end-step")] == [*timings, "battle-step"]
        assert [event.reason for event in table.kinds(AttackEnded) if isinstance(event, AttackEnded)] == ["no-battle"]

    def test_what_has_triggered_comes_first(self) -> None:
        """E-047: what Divine Wrath's cost triggers makes its chain at the timing in which the battle ended."""
        mole = "Neo-Spacian Grand Mole"
        table = Table({"attack": [mole]}, {"attack": [RAT], "backrow": ["Divine Wrath"], "hand": [DANDYLION]}, "expert-2007")
        table.attack(mole, RAT).activate(mole).activate("Divine Wrath").finish()
        assert chains(table, "damage-start") == [[mole, "Divine Wrath"], [DANDYLION]]


class TestSubstitutes:
    def fought(self, ruleset: str, attacker: str = BLUE_EYES, *others: str) -> Table:
        """A Six Samurai is beaten beside another one."""
        table = Table({"attack": [attacker, *others]}, {"attack": [YAICHI, KAMON]}, ruleset).attack(attacker, YAICHI)
        while table.decision is not None and table.decision.kind != "substitute":
            table.decline()
        return table

    @pytest.mark.parametrize(
        "ruleset, timing, determined",
        [("expert-2007", "damage-end", 1), ("master-rule-2", "damage-end", 1), ("ocg-2023", "during-calculation", 0)],
    )
    def test_when_they_are_chosen(self, ruleset: str, timing: Timing, determined: int) -> None:
        """X-021: in 4.C (E-157) or at the end (D-086), when the destruction is long determined; later in the calculation."""
        table = self.fought(ruleset)
        assert table.timing == timing
        assert len(table.kinds(DeterminedDestroyed)) == determined
        table.choose(KAMON).finish()
        assert (table.place(YAICHI), table.place(KAMON)) == ("monster-zone", "graveyard")
        assert table.moves(YAICHI) == []

    def test_what_is_spared_was_not_destroyed_by_battle(self) -> None:
        """E-157: a monster that triggers on having destroyed one by battle has not."""
        nova = "Elemental HERO Nova Master"  # 2600/2100
        table = self.fought("expert-2007", nova).choose(KAMON).finish()
        assert table.place(YAICHI) == "monster-zone"
        assert chains(table, "damage-end") == []

    @pytest.mark.parametrize("ruleset, asked", [("expert-2007", False), ("master-rule-2", False), ("ocg-2023", True)])
    def test_negation_by_the_destroyer_comes_first_where_they_wait(self, ruleset: str, asked: bool) -> None:
        """X-022: Ha Des negates in 3.B, substitutes come in 4.C; the current document decides on them before any damage."""
        assert (self.fought(ruleset, ARCHFIEND, HA_DES).decision is not None) == asked


class TestWhatMayBeActivated:
    @pytest.mark.parametrize("ruleset, again", [("duel-arena", False), ("master-rule-2", True), ("ocg-2023", True)])
    def test_how_many_cards_a_player_may_activate(self, ruleset: str, again: bool) -> None:
        """X-008: one card in a Damage Step (A-030), everywhere else as many as one likes (E-042)."""
        table = Table({"attack": [RAT], "backrow": [RUSH, RUSH]}, {"attack": [BLUE_EYES], "backrow": ["Shrink"]}, ruleset)
        table.attack(RAT, BLUE_EYES).quietly_to("damage-start").activate(RUSH, on=RAT)
        before = len(table.decisions())
        table.quietly_to("battle-step")
        later = table.decisions()[before:]
        mine, theirs = table.card(f"{RUSH}#2"), table.card("Shrink")
        assert any(mine in {option.card for option in decision.options} for decision in later) == again
        assert any(theirs in {option.card for option in decision.options} for decision in later)

    def test_the_next_damage_step_is_another(self) -> None:
        """A-030: once in each Damage Step."""
        table = Table({"attack": [BLUE_EYES, ARCHFIEND], "backrow": [RUSH, RUSH]}, {}, "duel-arena")
        table.attack(BLUE_EYES).quietly_to("damage-start").activate(RUSH, on=BLUE_EYES)
        table.attack(ARCHFIEND).quietly_to("damage-start").activate(f"{RUSH}#2", on=ARCHFIEND).finish()
        assert table.lp == (8000, 1700)

    @pytest.mark.parametrize("ruleset, offered", [("expert-2007", False), ("master-rule-3", False), ("ocg-2023", True)])
    def test_a_team_in_the_battle(self, ruleset: str, offered: bool) -> None:
        """X-058: it does not Tribute itself while it battles (E-052, D-096); the current document says nothing of that."""
        table = Table({"attack": [RAT], "backrow": ["Reinforcements"]}, {"attack": [A_TEAM]}, ruleset)
        table.attack(RAT, A_TEAM).quietly_to("damage-start").activate("Reinforcements", on=RAT).finish()
        assert (table.offered(A_TEAM) == {"damage-start"}) == offered

    def test_a_team_beside_the_battle(self) -> None:
        """E-052: as long as it is not in the battle it may."""
        table = Table({"attack": [RAT], "backrow": ["Reinforcements"]}, {"attack": [BLUE_EYES, A_TEAM]}, "expert-2007")
        table.attack(RAT, BLUE_EYES).quietly_to("damage-start").activate("Reinforcements", on=RAT).finish()
        assert table.offered(A_TEAM) == {"damage-start"}

    @pytest.mark.parametrize("ruleset, offered", [("expert-2007", set()), ("ocg-2023", {"damage-start"})])
    def test_michizure_after_an_effect(self, ruleset: str, offered: set[str]) -> None:
        """X-059: only for a monster destroyed by battle (E-164), or for any that went (N-211)."""
        table = Table({"attack": [SASUKE]}, {"defense": [RAT], "backrow": ["Michizure"]}, ruleset).attack(SASUKE, RAT).finish()
        assert table.offered("Michizure") == offered

    @pytest.mark.parametrize("ruleset", RULESETS)
    def test_michizure_after_the_battle(self, ruleset: str) -> None:
        """E-164, D-098: for a monster destroyed by battle, at the end of the Damage Step."""
        table = Table({"attack": [BLUE_EYES]}, {"attack": [ARCHFIEND], "backrow": ["Michizure"]}, ruleset)
        assert table.attack(BLUE_EYES, ARCHFIEND).finish().offered("Michizure") == {"damage-end"}

    @pytest.mark.parametrize(
        "ruleset, offered", [("expert-2007", set()), ("master-rule-3", {"damage-start", "before-calculation"})]
    )
    def test_shadow_spell(self, ruleset: str, offered: set[str]) -> None:
        """X-010: not in the Damage Step (E-041), or as other cards that change ATK (D-095)."""
        table = Table({"attack": [BLUE_EYES]}, {"attack": [RAT], "backrow": ["Shadow Spell"]}, ruleset)
        seen = table.attack(BLUE_EYES, RAT).finish().offered("Shadow Spell")
        assert {timing for timing in seen if timing in ("damage-start", "before-calculation", "during-calculation")} == offered


class TestDetermined:
    @pytest.mark.parametrize("ruleset, offered", [("expert-2007", True), ("ocg-2023", False)])
    def test_its_optional_quick_effects(self, ruleset: str, offered: bool) -> None:
        """X-031: they may be used until it is sent (E-050), or not at all; here against the Trigger of its destroyer."""
        wing = "Crystal Wing Synchro Dragon"  # 3000/2500, negates the activation of a monster's effect
        table = Table({"attack": [AIRKNIGHT], "backrow": [RUSH], "deck": [RAT]}, {"defense": [wing]}, ruleset)
        table.attack(AIRKNIGHT, wing).quietly_to("damage-start").activate(RUSH, on=AIRKNIGHT).finish()
        assert [event.attacker_value for event in table.calculations] == [2600]
        assert ("after-calculation" in table.offered(wing)) == offered

    @pytest.mark.parametrize("ruleset, offered", [("duel-arena", False), ("ocg-2023", True)])
    def test_whether_effects_destroy_it(self, ruleset: str, offered: bool) -> None:
        """X-032: Ryko cannot destroy itself (A-131); the current document lets an effect that does not target do so."""
        ryko = "Ryko, Lightsworn Hunter"
        table = Table({"attack": [BLUE_EYES]}, {"set": [ryko], "deck": [RAT, RAT, RAT]}, ruleset).attack(BLUE_EYES, ryko)
        while table.decision is not None and table.decision.kind != "choice":
            table.decline()
        assert table.decision is not None
        assert (table.card(ryko) in {option.card for option in table.decision.options}) == offered

    @pytest.mark.parametrize("ruleset, outcomes", [("expert-2007", []), ("ocg-2023", ["effect-negated"])])
    def test_what_its_destroyer_negates(self, ruleset: str, outcomes: list[str]) -> None:
        """X-027: it is not activated (E-125, E-124), or activated and negated (N-147)."""
        ship = "Yomi Ship"  # 800/1400, mandatory
        table = Table({"attack": [ARCHFIEND, HA_DES]}, {"attack": [ship]}, ruleset).attack(ARCHFIEND, ship).finish()
        assert [event.outcome for event in table.kinds(LinkResolved) if isinstance(event, LinkResolved)] == outcomes

    def test_in_mutual_destruction_its_destroyer_negates_nothing(self) -> None:
        """X-028: the mark of E-125 for mutual destruction."""
        fiend = "Witty Phantom"  # 1400/1300
        table = Table({"attack": [fiend, HA_DES]}, {"attack": [RAT], "deck": [RAT]}, "expert-2007").attack(fiend, RAT)
        table.quietly_to("damage-end").activate(RAT).finish()
        assert table.moves(f"{RAT}#2") == [("monster-zone", "special-summoned")]


class TestDestroyers:
    @pytest.mark.parametrize("ruleset, expected", [("expert-2007", [[CHOPPER]]), ("ocg-2023", [])])
    def test_destroyed_with_its_victim(self, ruleset: str, expected: list[list[str]]) -> None:
        """X-030: Masked Chopper is marked as activated in mutual destruction (E-166); the current document has no exception."""
        other = "Charcoal Inpachi"  # 100/2100
        table = Table({"attack": [CHOPPER]}, {"attack": [other]}, ruleset).attack(CHOPPER, other).finish()
        assert chains(table, "damage-end") == expected

    @pytest.mark.parametrize("ruleset, expected", [("expert-2007", [["Helping Robo for Combat"]]), ("ocg-2023", [])])
    def test_gone_before_its_victim(self, ruleset: str, expected: list[list[str]]) -> None:
        """X-030: the second mark of E-166, for a monster that Man-Eater Bug has destroyed meanwhile."""
        robo = "Helping Robo for Combat"  # 1600/0
        table = Table({"attack": [robo], "deck": [RAT]}, {"set": [BUG]}, ruleset).attack(robo, BUG).finish()
        assert chains(table, "damage-end") == expected


class TestSelfDestruction:
    @pytest.mark.parametrize("ruleset, timing", [("master-rule-2", "during-calculation"), ("ocg-2023", "after-calculation")])
    def test_when_the_flip_made_it_so(self, ruleset: str, timing: Timing) -> None:
        """X-024: inside damage calculation, when destruction is determined (D-076); later after damage calculation."""
        nyan = "Thunder Nyan Nyan"  # 1900/800, destroys itself beside a monster that is not LIGHT
        table = Table({"attack": [BUG]}, {"set": [nyan], "defense": [RAT]}, ruleset).attack(BUG, nyan).finish()
        assert table.moves(nyan) == [("graveyard", "destroyed-by-effect")]
        assert any(isinstance(event, Moved) and event.card == table.card(nyan) for event in during(table, timing))

    @pytest.mark.parametrize("ruleset, reason", [("master-rule-2", "destroyed-by-effect"), ("ocg-2023", "destroyed-by-battle")])
    def test_also_of_what_is_determined_destroyed(self, ruleset: str, reason: str) -> None:
        """D-076 makes no exception for it; M-208 does."""
        nyan = "Thunder Nyan Nyan"
        table = Table({"attack": [BLUE_EYES]}, {"set": [nyan], "defense": [RAT]}, ruleset).attack(BLUE_EYES, nyan).finish()
        assert table.moves(nyan) == [("graveyard", reason)]


class TestInnerBattle:
    @pytest.mark.parametrize("ruleset, chain_first", [("expert-2007", True), ("ocg-2023", False)])
    def test_when_it_closes(self, ruleset: str, chain_first: bool) -> None:
        """X-054: play goes on from 3.B after the chain (E-189), or the timing after damage calculation begins at once."""
        arm = "Magical Arm Shield"
        table = Table({"attack": [BLUE_EYES, RAT]}, {"attack": [BUG], "backrow": [arm]}, ruleset)
        table.attack(BLUE_EYES, BUG).activate(arm, on=RAT).finish()
        order = [
            type(event)
            for event in table.events
            if isinstance(event, ChainEnded) or (isinstance(event, TimingBegan) and event.timing == "after-calculation")
        ]
        assert order == ([ChainEnded, TimingBegan] if chain_first else [TimingBegan, ChainEnded])
        assert table.moves(RAT) == [("graveyard", "destroyed-by-battle")]


def test_the_stage_of_a_trigger() -> None:
    """E-001: 4.A is the first stage after damage calculation, Marshmallon's moment the second, 4.B the third."""
    book = Rulebook(ruleset_named("expert-2007"), tuple(card_pool().values()))
    named = card_pool().named
    stages = {
        name: book.stage_of("after-calculation", named(name), named(name).effects[number - 1])
        for name, number in ((AIRKNIGHT, 2), (MARSHMALLON, 2), (WARRIOR, 1), (BUG, 1))
    }
    assert stages == {AIRKNIGHT: 0, MARSHMALLON: 1, WARRIOR: 2, BUG: 2}
