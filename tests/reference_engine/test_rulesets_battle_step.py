"""The Battle Step, the Start Step and the End Step by the rulesets that differ there from the default one."""

from __future__ import annotations

import pytest

from engine_protocol.errors import BoardNotSupported
from engine_protocol.events import Activated, AttackDeclared, AttackEnded, AttackTargetChosen, ReplayBegan
from engine_protocol.rulesets import RULESETS
from tests.reference_engine.table import Table

BLUE_EYES = "Blue-Eyes White Dragon"
RAT = "Giant Rat"
ASSASSIN = "Gravekeeper's Assailant"
ENVOY = "Black Luster Soldier - Envoy of the Beginning"
BUG = "Man-Eater Bug"
COMPULSORY = "Compulsory Evacuation Device"
CALL = "Call of the Haunted"
CHALICE = "Forbidden Chalice"
TOMATO = "Mystic Tomato"
WOLF = "Fenrir the Nordic Wolf"
SHINOBI = "Vengeful Shinobi"
STRIKER = "Spell Striker"


class TestStartStep:
    def test_the_end_step_may_follow_at_once(self) -> None:
        """B-012."""
        table = Table({"attack": [BLUE_EYES]}, {}, "master-rule-2")
        assert table.decision is not None
        assert (table.decision.kind, table.decision.player, table.timing) == ("to-end-step", 0, "start-step")
        assert table.yes().finish().timings() == ["start-step", "end-step"]

    def test_the_battle_step_follows_otherwise(self) -> None:
        """B-013."""
        assert "battle-step" in Table({"attack": [BLUE_EYES]}, {}, "master-rule-2").decline().finish().timings()

    @pytest.mark.parametrize("ruleset", ["ocg-2023", "expert-2007"])
    def test_nobody_is_asked_where_the_battle_step_always_follows(self, ruleset: str) -> None:
        """M-003; E-034 has the way to the End Step from the Battle Step only."""
        assert "to-end-step" not in {d.kind for d in Table({"attack": [BLUE_EYES]}, {}, ruleset).finish().decisions()}


class TestReplay:
    def after_call_of_the_haunted(self, ruleset: str) -> Table:
        """A monster has come to the other side after an attack on the one there."""
        table = Table({"attack": [BLUE_EYES]}, {"attack": [RAT], "backrow": [CALL], "graveyard": [BUG]}, ruleset)
        return table.attack(BLUE_EYES, RAT).activate(CALL, on=BUG)

    @pytest.mark.parametrize("ruleset", ["duel-arena", "master-rule-2", "ocg-2023"])
    def test_a_monster_summoned_to_the_other_side_is_a_cause(self, ruleset: str) -> None:
        """A-026, B-006, M-113."""
        assert len(self.after_call_of_the_haunted(ruleset).kinds(ReplayBegan)) == 1

    @pytest.mark.parametrize("ruleset, replays", [("duel-arena", 0), ("master-rule-2", 1), ("ocg-2023", 1)])
    def test_another_monster_that_leaves_is_a_cause_where_any_change_is(self, ruleset: str, replays: int) -> None:
        """A-024 names the loss of the target and a Special Summon only; B-006 and M-113 any change."""
        table = Table({"attack": [BLUE_EYES]}, {"attack": [RAT, BUG], "backrow": [COMPULSORY]}, ruleset)
        table.attack(BLUE_EYES, RAT).activate(COMPULSORY, on=BUG).finish()
        assert len(table.kinds(ReplayBegan)) == replays

    def test_the_loss_of_the_target_is_a_cause(self) -> None:
        """A-024."""
        table = Table({"attack": [BLUE_EYES]}, {"attack": [RAT, BUG], "backrow": [COMPULSORY]}, "duel-arena")
        table.attack(BLUE_EYES, RAT).activate(COMPULSORY, on=RAT).choose(BUG).finish()
        assert table.place(BUG) == "graveyard"

    def test_a_target_turned_face_down_is_not_lost(self) -> None:
        """A-028: the attack goes on against the same monster."""
        table = Table({"attack": [BLUE_EYES]}, {"attack": [RAT], "backrow": ["Book of Moon"]}, "duel-arena")
        table.attack(BLUE_EYES, RAT).activate("Book of Moon", on=RAT).finish()
        assert table.kinds(ReplayBegan) == []
        assert table.place(RAT) == "graveyard"

    @pytest.mark.parametrize("ruleset, replays", [("master-rule-2", 0), ("duel-arena", 0), ("ocg-2023", 1)])
    def test_losing_the_permission_to_attack_directly_is_a_cause_by_the_latest_rules(self, ruleset: str, replays: int) -> None:
        """B-006 and A-024 name monsters that come or go, and nothing else; M-121 names the permission too."""
        table = Table({"attack": [STRIKER]}, {"attack": [RAT], "backrow": [CHALICE]}, ruleset)
        table.attack(STRIKER).activate(CHALICE, on=STRIKER).finish()
        assert len(table.kinds(ReplayBegan)) == replays

    @pytest.mark.parametrize("ruleset, replays", [("master-rule-2", 0), ("ocg-2023", 1)])
    def test_a_limit_on_the_targets_is_a_cause_by_the_latest_rules(self, ruleset: str, replays: int) -> None:
        """B-006 names monsters that come or go, and nothing else; M-129 has a replay."""
        table = Table({"attack": [BLUE_EYES]}, {"attack": [RAT, BUG], "graveyard": ["Rise to Full Height"]}, ruleset)
        table.attack(BLUE_EYES, RAT).activate("Rise to Full Height", on=BUG).finish()
        assert len(table.kinds(ReplayBegan)) == replays

    def test_the_new_choice_is_a_declaration(self) -> None:
        """A-025, A-026: a new target is chosen and the attack declared, so that what answers a declaration answers it."""
        table = Table(
            {"attack": [BLUE_EYES]},
            {"attack": [RAT], "backrow": [CALL, "Sakuretsu Armor"], "graveyard": [BUG]},
            "duel-arena",
        )
        table.attack(BLUE_EYES, RAT).activate(CALL, on=BUG).quietly_to("after-declaration").choose(BUG)
        assert table.kinds(AttackDeclared) == [
            AttackDeclared(table.card(BLUE_EYES), table.card(RAT)),
            AttackDeclared(table.card(BLUE_EYES), table.card(BUG)),
        ]
        assert table.kinds(AttackTargetChosen) == []
        assert table.timing == "declaration"
        table.activate("Sakuretsu Armor").finish()
        assert table.place(BLUE_EYES) == "graveyard"

    def test_the_new_choice_is_no_declaration_by_other_rules(self) -> None:
        """B-027, M-116: only the target is chosen again."""
        table = Table(
            {"attack": [BLUE_EYES]},
            {"attack": [RAT], "backrow": [CALL, "Sakuretsu Armor"], "graveyard": [BUG]},
            "master-rule-2",
        )
        table.attack(BLUE_EYES, RAT).activate(CALL, on=BUG).quietly_to("after-declaration").choose(BUG).finish()
        assert table.kinds(AttackDeclared) == [AttackDeclared(table.card(BLUE_EYES), table.card(RAT))]
        assert table.kinds(AttackTargetChosen) == [AttackTargetChosen(table.card(BLUE_EYES), table.card(BUG))]
        assert table.timings().count("declaration") == 1

    def test_the_new_declaration_uses_no_further_attack(self) -> None:
        """A-024: the target of the attack is changed; the attack stays the same one."""
        twice = "Asura Priest"
        table = Table({"attack": [twice]}, {"attack": [RAT, TOMATO], "backrow": [CALL], "graveyard": [BUG]}, "duel-arena")
        table.attack(twice, RAT).activate(CALL, on=BUG).choose(BUG).attack(twice, TOMATO).finish()
        assert [e.reason for e in table.kinds(AttackEnded) if isinstance(e, AttackEnded)] == ["battled", "battled"]


class TestStepTriggers:
    def links_in_the_start_step(self, ruleset: str) -> list[int]:
        """Two monsters whose mandatory effects trigger in the Start Step: which Chain Links they become."""
        table = Table({"attack": [WOLF, WOLF], "defense": ["Loki, Lord of the Aesir"]}, {}, ruleset).finish()
        return [e.link for e in table.kinds(Activated) if isinstance(e, Activated)]

    @pytest.mark.parametrize("ruleset", ["master-rule-3", "duel-arena"])
    def test_what_triggers_together_makes_one_chain(self, ruleset: str) -> None:
        """E-003 names what may be activated in the Start Step and no rule of its own, so that the usual one on chains holds."""
        assert self.links_in_the_start_step(ruleset) == [1, 2]

    def test_each_makes_its_own_chain_by_the_latest_rules(self) -> None:
        """M-039."""
        assert self.links_in_the_start_step("ocg-2023") == [1, 1]


class TestMandatoryTriggersAtTheDeclaration:
    def attacked_shinobi(self, ruleset: str) -> Table:
        """An attacker with an optional effect attacks a monster with a mandatory one; all that can be activated is."""
        table = Table({"attack": [ASSASSIN], "field": ["Necrovalley"]}, {"attack": [SHINOBI], "deck": [RAT, BUG]}, ruleset)
        return table.attack(ASSASSIN, SHINOBI)

    def test_they_shut_out_optional_ones(self) -> None:
        """E-021: the effect of the attacker is not offered in this attack any more."""
        table = self.attacked_shinobi("expert-2007").finish()
        assert table.offered(ASSASSIN) == set()
        assert [e.card for e in table.kinds(Activated) if isinstance(e, Activated)] == [table.card(SHINOBI)]

    @pytest.mark.parametrize("ruleset", ["master-rule-3", "ocg-2023"])
    def test_optional_ones_join_their_chain_by_later_rules(self, ruleset: str) -> None:
        """B-024: two monsters' effects at the declaration make a chain by the usual rule."""
        table = self.attacked_shinobi(ruleset).activate(ASSASSIN).finish()
        activated = [(e.link, e.card) for e in table.kinds(Activated) if isinstance(e, Activated)]
        assert activated == [(1, table.card(SHINOBI)), (2, table.card(ASSASSIN))]

    def test_without_one_the_optional_effect_is_offered(self) -> None:
        """E-020: as Chain Link 1, ahead of what the other player has for the declaration."""
        table = Table(
            {"attack": [ASSASSIN], "field": ["Necrovalley"]}, {"attack": [RAT], "backrow": ["Sakuretsu Armor"]}, "expert-2007"
        )
        table.attack(ASSASSIN, RAT).activate(ASSASSIN).activate("Sakuretsu Armor").finish()
        activated = [(e.link, e.card) for e in table.kinds(Activated) if isinstance(e, Activated)]
        assert activated == [(1, table.card(ASSASSIN)), (2, table.card("Sakuretsu Armor"))]


class TestFieldSpells:
    def test_there_is_one_in_all(self) -> None:
        """A-120."""
        with pytest.raises(BoardNotSupported, match="one in all"):
            Table({"field": ["Necrovalley"]}, {"field": ["Canyon"]}, "duel-arena")

    @pytest.mark.parametrize("ruleset", ["ocg-2023", "master-rule-2"])
    def test_each_player_may_have_one_where_no_document_says_otherwise(self, ruleset: str) -> None:
        """The document battle-phase-flow says nothing against it, nor do those of the rules of 2011 (X-057)."""
        assert Table({"field": ["Necrovalley"]}, {"field": ["Canyon"]}, ruleset).place("Canyon") == "field-zone"


@pytest.mark.parametrize("ruleset", RULESETS)
def test_an_ignition_effect_is_for_the_main_phase(ruleset: str) -> None:
    """Envoy of the Beginning: what 4.A of expert-2007 has there is its further attack, not its other effect."""
    table = Table({"attack": [ENVOY]}, {"attack": [RAT]}, ruleset).attack(ENVOY, RAT).finish()
    offered = {o.effect for d in table.decisions() for o in d.options if o.kind == "activate" and o.card == table.card(ENVOY)}
    assert offered <= {2}
