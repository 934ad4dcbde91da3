"""Single cards: what their effects do, as their texts and the documents that name them have it."""

from __future__ import annotations

import pytest

from engine_protocol.events import Activated, Moved, ReplayBegan
from tests.reference_engine.table import Table

BLUE_EYES = "Blue-Eyes White Dragon"  # 3000/2500, LIGHT
LA_JINN = "La Jinn the Mystical Genie of the Lamp"  # 1800/1000, DARK
CELTIC = "Celtic Guardian"  # 1400/1200
TOMATO = "Mystic Tomato"  # 1400/1100
SASUKE = "Sasuke Samurai"  # 500/800
GAMBLER = "Sasuke Samurai #4"  # 1200/1200
MASTER = "Ninja Grandmaster Sasuke"  # 1800/1000
STEGO = "Black Stego"  # 1200/2000
HAT = "White Magical Hat"  # 1000/700
WISEMAN = "Neos Wiseman"  # 3000/3000
ROBO = "Helping Robo for Combat"  # 1600/0
CHOPPER = "Masked Chopper"  # 100/100
KNIGHT = "Armageddon Knight"  # 1400/1200
NYAN = "Thunder Nyan Nyan"  # 1900/800, LIGHT
ROCKET = "Rocket Warrior"  # 1500/1300
LADY = "D.D. Warrior Lady"  # 1500/1600
RING = "Ring of Magnetism"
STRIKER = "Spell Striker"  # 600/200, attacks directly
FOG = "Phantom Knights' Fog Blade"
SHINING = "Blue-Eyes Shining Dragon"  # 3000/2500


def chain_of(table: Table) -> list[int]:
    """The cards of the Chain Links so far, in order."""
    return [event.card for event in table.events if isinstance(event, Activated)]


class TestBattleStep:
    def test_stego_turns_to_defense_and_is_battled_so(self) -> None:
        """B-016: attacked in Attack Position it changes to Defense Position at the declaration, and its 2000 DEF holds."""
        table = Table({"attack": [LA_JINN]}, {"attack": [STEGO]}).attack(LA_JINN, STEGO).finish()
        assert table.position(STEGO) == "face-up-defense"
        assert table.lp == (7800, 8000)
        assert len(chain_of(table)) == 1

    def test_stego_in_defense_position_stays_quiet(self) -> None:
        """Its text asks for Attack Position."""
        assert chain_of(Table({"attack": [LA_JINN]}, {"defense": [STEGO]}).attack(LA_JINN, STEGO).finish()) == []

    def test_assailant_and_stego_share_a_chain(self) -> None:
        """B-024, B-043: the turn player's optional Trigger comes after the other player's mandatory one."""
        assailant = "Gravekeeper's Assailant"
        table = Table({"attack": [assailant], "field": ["Necrovalley"]}, {"attack": [STEGO]}).attack(assailant, STEGO)
        table.activate(assailant)
        assert chain_of(table) == [table.card(STEGO), table.card(assailant)]

    def test_widespread_ruin_takes_the_strongest_attack_position_monster(self) -> None:
        """Not the attacker, if another one has more ATK; monsters in Defense Position do not count."""
        table = Table({"attack": [LA_JINN, "Summoned Skull"], "defense": [BLUE_EYES]}, {"backrow": ["Widespread Ruin"]})
        table.attack(LA_JINN).activate("Widespread Ruin").finish()
        assert table.place("Summoned Skull") == "graveyard"
        assert table.place(LA_JINN) == table.place(BLUE_EYES) == "monster-zone"
        assert table.lp == (8000, 6200)

    def test_the_player_of_widespread_ruin_chooses_among_equals(self) -> None:
        """Celtic Guardian and Mystic Tomato both have 1400."""
        table = Table({"attack": [CELTIC, TOMATO]}, {"backrow": ["Widespread Ruin"]})
        table.attack(CELTIC).activate("Widespread Ruin").quietly_to("declaration", 1).choose(TOMATO).finish()
        assert table.place(TOMATO) == "graveyard"
        assert table.place(CELTIC) == "monster-zone"

    def test_enchanted_javelin_gains_the_attackers_atk(self) -> None:
        """1800 gained; the attack goes on and its 1800 battle damage is taken too."""
        table = Table({"attack": [LA_JINN]}, {"backrow": ["Enchanted Javelin"]})
        assert table.attack(LA_JINN).activate("Enchanted Javelin").finish().lp == (8000, 8000)

    def test_javelin_joins_the_chain_of_another_declaration_trap(self) -> None:
        """E-027, B-011: Sakuretsu Armor, then Enchanted Javelin on it: the ATK is gained before the attacker goes."""
        table = Table({"attack": [LA_JINN]}, {"backrow": ["Sakuretsu Armor", "Enchanted Javelin"]})
        table.attack(LA_JINN).activate("Sakuretsu Armor").activate("Enchanted Javelin").finish()
        assert table.lp == (8000, 9800)
        assert table.place(LA_JINN) == "graveyard"

    def test_shadow_spell_holds_the_attacker(self) -> None:
        """It loses 700 ATK and cannot attack: the attack stops. Once the trap is gone, the ATK is back."""
        table = Table({"attack": [LA_JINN], "backrow": ["Dust Tornado"]}, {"backrow": ["Shadow Spell"]})
        table.attack(LA_JINN).activate("Shadow Spell").quietly_to("battle-step", 0)
        assert table.atk(LA_JINN) == 1100
        table.activate("Dust Tornado").finish()
        assert table.atk(LA_JINN) == 1800
        assert table.lp == (8000, 8000)

    def test_shadow_spell_follows_its_monster(self) -> None:
        """When the monster leaves the field, the trap is destroyed."""
        table = Table({"attack": [LA_JINN]}, {"backrow": ["Shadow Spell", "Compulsory Evacuation Device"]})
        table.attack(LA_JINN).activate("Shadow Spell")
        table.quietly_to("battle-step").activate("Compulsory Evacuation Device", on=LA_JINN).finish()
        assert table.moves("Shadow Spell") == [("graveyard", "destroyed-by-effect")]

    @pytest.mark.parametrize("seed, damage", [(0, 0), (1, 1800)])
    def test_fairy_box_takes_the_atk_of_an_attacker_if_the_call_is_right(self, seed: int, damage: int) -> None:
        """E-016: it must be activated; called right, 0 ATK attacks."""
        table = Table({"attack": [LA_JINN]}, {"face-up": ["Fairy Box"]}, seed=seed).attack(LA_JINN).yes().finish()
        assert len(chain_of(table)) == 1
        assert table.lp == (8000, 8000 - damage)

    def test_fairy_box_watches_the_other_side_only(self) -> None:
        """An attack of its own player's monster is none of its business."""
        assert chain_of(Table({"attack": [LA_JINN], "face-up": ["Fairy Box"]}, {}).attack(LA_JINN).finish()) == []

    def test_assailant_and_fairy_box_share_a_chain(self) -> None:
        """B-039: the two in one chain; here the mandatory one of the other player comes first (CH-5)."""
        assailant = "Gravekeeper's Assailant"
        table = Table({"attack": [assailant], "field": ["Necrovalley"]}, {"attack": [CELTIC], "face-up": ["Fairy Box"]}).attack(
            assailant, CELTIC
        )
        table.activate(assailant)
        assert chain_of(table) == [table.card("Fairy Box"), table.card(assailant)]

    def test_fairy_box_shuts_assailant_out_in_2007(self) -> None:
        """E-021."""
        assailant = "Gravekeeper's Assailant"
        theirs = {"attack": [CELTIC], "face-up": ["Fairy Box"]}
        table = Table({"attack": [assailant], "field": ["Necrovalley"]}, theirs, "expert-2007").attack(assailant, CELTIC)
        assert chain_of(table.finish()) == [table.card("Fairy Box")]
        assert table.offered(assailant) == set()

    def test_exarion_pierces_with_1400(self) -> None:
        """E-022: after the declaration too, against a Defense Position monster: 1400 against 1000 DEF."""
        exarion = "Exarion Universe"
        table = Table({"attack": [exarion]}, {"defense": [LA_JINN]}).attack(exarion, LA_JINN)
        table.quietly_to("after-declaration").activate(exarion).finish()
        assert table.lp == (8000, 7600)
        assert table.place(LA_JINN) == "graveyard"

    def test_exarion_needs_a_defender_and_an_attack_of_its_own(self) -> None:
        """Not against an Attack Position monster, not in the Damage Step, and only once."""
        exarion = "Exarion Universe"
        table = Table({"attack": [exarion]}, {"attack": [CELTIC]}).attack(exarion, CELTIC).finish()
        assert table.offered(exarion) == set()
        table = Table({"attack": [exarion]}, {"defense": [CELTIC]}).attack(exarion, CELTIC).activate(exarion).finish()
        assert table.offered(exarion) == {"declaration"}

    def test_spirit_ryu_discards_a_dragon_for_1000(self) -> None:
        """E-022: from the declaration on, as often as there are Dragons; nothing else pays."""
        ryu = "Spirit Ryu"
        table = Table({"attack": [ryu], "hand": ["Kuriboh", BLUE_EYES, "Hunter Dragon"]}, {}).attack(ryu)
        table.activate(ryu).choose(BLUE_EYES).quietly_to("after-declaration").activate(ryu).finish()
        assert table.lp == (8000, 5000)
        assert (table.place("Kuriboh"), table.place("Hunter Dragon")) == ("hand", "graveyard")
        assert table.offered(ryu) == {"declaration", "after-declaration"}

    def test_utopia_negates_an_attack_for_a_material(self) -> None:
        """When any monster declares an attack, also in the opponent's turn."""
        utopia = "Number 39: Utopia"
        table = Table({"attack": [LA_JINN]}, {"attack": [utopia]}, materials={utopia: 1}).attack(LA_JINN, utopia)
        table.activate(utopia).finish()
        assert table.calculations == []

    def test_utopia_without_materials_goes_when_it_is_attacked(self) -> None:
        """Mandatory, when it becomes the target; with a material nothing happens."""
        utopia = "Number 39: Utopia"
        table = Table({"attack": [LA_JINN]}, {"attack": [utopia]}).attack(LA_JINN, utopia).finish()
        assert table.moves(utopia) == [("graveyard", "destroyed-by-effect")]
        table = Table({"attack": [LA_JINN]}, {"attack": [utopia]}, materials={utopia: 1}).attack(LA_JINN, utopia).finish()
        assert chain_of(table) == []

    def test_utopia_joins_the_chain_of_shinobi(self) -> None:
        """B-046: both wait for the declaration, so Utopia acts in Shinobi's chain or not at all."""
        utopia, shinobi = "Number 39: Utopia", "Vengeful Shinobi"
        table = Table({"attack": [utopia]}, {"attack": [shinobi], "deck": [CELTIC]}, materials={utopia: 1})
        table.attack(utopia, shinobi).activate(utopia).finish()
        assert chain_of(table) == [table.card(shinobi), table.card(utopia)]
        table = Table({"attack": [utopia]}, {"attack": [shinobi], "deck": [CELTIC]}, materials={utopia: 1})
        table.attack(utopia, shinobi).decline()
        assert chain_of(table) == [table.card(shinobi)]
        assert table.finish().calculations != []

    def test_magicians_circle_brings_one_to_each_side(self) -> None:
        """A-026: both players take a Spellcaster of at most 2000 ATK from the Deck, so there is a replay."""
        magician, girl, wizard = "Dark Magician", "Dark Magician Girl", "Time Wizard"
        mine = {"attack": [magician], "backrow": ["Magician's Circle"], "deck": [f"{magician}", girl]}
        table = Table(mine, {"attack": [CELTIC], "deck": [BLUE_EYES, wizard]}).attack(magician, CELTIC)
        table.activate("Magician's Circle").quietly_to("after-declaration")
        assert table.place(girl) == table.place(wizard) == "monster-zone"
        assert table.decision is not None
        assert table.decision.kind == "replay"

    def test_magicians_circle_waits_for_a_spellcaster(self) -> None:
        """La Jinn is a Fiend."""
        mine = {"attack": [LA_JINN], "backrow": ["Magician's Circle"], "deck": ["Time Wizard"]}
        assert Table(mine, {}).attack(LA_JINN).finish().offered("Magician's Circle") == set()

    def test_dark_magician_girl_counts_both_graveyards(self) -> None:
        """300 ATK for each Dark Magician there."""
        girl = "Dark Magician Girl"
        table = Table({"attack": [girl], "graveyard": ["Dark Magician", CELTIC]}, {"graveyard": ["Dark Magician"]})
        assert table.atk(girl) == 2600

    def test_only_the_monster_with_the_ring_may_be_attacked(self) -> None:
        """E-011: it is the target of itself, with 500 ATK and DEF less; a direct attacker has no choice either."""
        theirs = {"attack": [CELTIC, LA_JINN], "face-up": [RING]}
        table = Table({"attack": [STRIKER]}, theirs, equipped={RING: CELTIC}).attack(STRIKER, CELTIC).finish()
        targets = [d for d in table.decisions() if d.kind == "attack-target"]
        assert [option.card for option in targets[0].options] == [table.card(CELTIC)]
        assert table.atk(CELTIC) == 900

    def test_a_ring_that_goes_is_a_replay(self) -> None:
        """RP-1: the restriction ends between the declaration and the Damage Step, so the other monster may be attacked."""
        theirs = {"attack": [CELTIC, LA_JINN], "face-up": [RING]}
        table = Table({"attack": [BLUE_EYES], "backrow": ["Dust Tornado"]}, theirs, equipped={RING: CELTIC})
        table.attack(BLUE_EYES, CELTIC).activate("Dust Tornado", on=RING).choose(LA_JINN).finish()
        assert [calculation.target for calculation in table.calculations] == [table.card(LA_JINN)]

    def test_the_ring_binds_only_the_other_side(self) -> None:
        """Its own player's monsters attack what they like."""
        mine = {"attack": [BLUE_EYES], "face-up": [RING]}
        table = Table(mine, {"attack": [CELTIC]}, equipped={RING: BLUE_EYES}).attack(BLUE_EYES, CELTIC).finish()
        assert table.lp == (8000, 8000 - 1100)

    def test_a_target_in_the_fog_is_battled_all_the_same(self) -> None:
        """AT-9: it cannot be selected any more, but the attack on it goes on, without a replay."""
        table = Table({"attack": [BLUE_EYES]}, {"attack": [CELTIC, STEGO], "backrow": [FOG]}).attack(BLUE_EYES, STEGO)
        table.quietly_to("after-declaration").activate(FOG, on=STEGO).finish()
        assert table.kinds(ReplayBegan) == []
        assert [calculation.target for calculation in table.calculations] == [table.card(STEGO)]

    def test_what_is_in_the_fog_cannot_be_selected(self) -> None:
        """Only the other monster can; and where there is no other one, a direct attack is impossible too."""
        mine = {"attack": [BLUE_EYES], "backrow": [FOG]}
        table = Table(mine, {"attack": [CELTIC, STEGO]}).activate(FOG, on=STEGO).attack(BLUE_EYES, CELTIC).finish()
        targets = [d for d in table.decisions() if d.kind == "attack-target"]
        assert [option.card for option in targets[0].options] == [table.card(CELTIC)]
        table = Table(mine, {"attack": [STEGO]}).activate(FOG, on=STEGO).finish()
        assert all(option.kind != "attack" for option in table.decisions()[-1].options)

    def test_the_fog_stops_an_attacker(self) -> None:
        """M-062: like Fiendish Chain."""
        table = Table({"attack": [STEGO]}, {"attack": [CELTIC], "backrow": [FOG]}).attack(STEGO, CELTIC).activate(FOG, on=STEGO)
        assert table.finish().calculations == []


class TestStartOfTheDamageStep:
    def test_sasuke_destroys_what_is_face_down(self) -> None:
        """E-063: at the start, while it is face-down; no calculation follows."""
        table = Table({"attack": [SASUKE]}, {"set": ["Man-Eater Bug"]}).attack(SASUKE, "Man-Eater Bug").finish()
        assert table.moves("Man-Eater Bug") == [("graveyard", "destroyed-by-effect")]
        assert table.calculations == []
        assert len(chain_of(table)) == 1

    def test_sasuke_leaves_what_is_face_up(self) -> None:
        """E-058: only a face-down monster."""
        table = Table({"attack": [SASUKE]}, {"defense": ["Man-Eater Bug"]}).attack(SASUKE, "Man-Eater Bug").finish()
        assert table.calculations != []

    def test_grandmaster_destroys_what_is_in_face_up_defense(self) -> None:
        """E-064."""
        table = Table({"attack": [MASTER]}, {"defense": [BLUE_EYES]}).attack(MASTER, BLUE_EYES).finish()
        assert table.moves(BLUE_EYES) == [("graveyard", "destroyed-by-effect")]
        assert table.calculations == []

    @pytest.mark.parametrize("place", ["set", "attack"])
    def test_grandmaster_does_not_react_to_anything_else(self, place: str) -> None:
        """E-081: a monster that the battle turns face-up is none that was face-up in Defense Position."""
        table = Table({"attack": [MASTER]}, {place: [CELTIC]}).attack(MASTER, CELTIC).finish()
        assert chain_of(table) == []

    @pytest.mark.parametrize("seed, call, destroyed", [(0, True, True), (0, False, False), (1, True, False), (1, False, True)])
    def test_a_called_coin_destroys(self, seed: int, call: bool, destroyed: bool) -> None:
        """E-065: called right, the other monster is destroyed and there is no calculation; called wrong, the battle goes on."""
        table = Table({"attack": [GAMBLER]}, {"attack": [BLUE_EYES]}, seed=seed).attack(GAMBLER, BLUE_EYES)
        table.quietly_to("damage-start")
        (table.yes if call else table.decline)()
        table.finish()
        assert (table.place(BLUE_EYES) == "graveyard") == destroyed
        assert bool(table.calculations) != destroyed

    def test_the_gambler_that_was_attacked_face_down_has_missed_it(self) -> None:
        """E-080."""
        assert chain_of(Table({"attack": [BLUE_EYES]}, {"set": [GAMBLER]}).attack(BLUE_EYES, GAMBLER).finish()) == []

    def test_both_at_once_are_one_chain_and_the_turn_players_comes_first(self) -> None:
        """E-066: Chain Link 1 is the attacker, Chain Link 2 the attacked monster."""
        table = Table({"attack": [MASTER]}, {"defense": [GAMBLER]}).attack(MASTER, GAMBLER).quietly_to("damage-start")
        assert chain_of(table) == [table.card(MASTER), table.card(GAMBLER)]

    @pytest.mark.parametrize("top", [True, False])
    def test_lv6_may_put_what_it_destroys_on_the_deck(self, top: bool) -> None:
        """E-067: on top of its owner's Deck and unseen, or into the Graveyard."""
        master = "Mystic Swordsman LV6"
        table = Table({"attack": [master]}, {"set": ["Man-Eater Bug"], "deck": [CELTIC]}).attack(master, "Man-Eater Bug")
        table.quietly_to("damage-start")
        (table.yes if top else table.decline)()
        assert table.moves("Man-Eater Bug") == [("deck" if top else "graveyard", "destroyed-by-effect")]
        assert table.calculations == []
        assert table.position("Man-Eater Bug") == ("face-down" if top else "face-up")


class TestBeforeCalculation:
    @pytest.mark.parametrize("name", ["Blast Sphere", "Kiseitai"])
    @pytest.mark.parametrize("ruleset", ["ocg-2023", "expert-2007"])
    def test_what_clings_to_the_attacker_after_the_flip(self, name: str, ruleset: str) -> None:
        """E-079: right after the flip it becomes an Equip Card, and there is no damage calculation."""
        table = Table({"attack": [BLUE_EYES]}, {"set": [name]}, ruleset).attack(BLUE_EYES, name).finish()
        assert table.moves(name) == [("spell-trap-zone", "equipped-by-effect")]
        assert table.calculations == []
        assert table.lp == (8000, 8000)
        assert len(chain_of(table)) == 1

    def test_it_goes_with_the_monster_it_clings_to(self) -> None:
        """GN-3: an Equip Card without its monster is destroyed; Dust Tornado can destroy it before that."""
        theirs = {"set": ["Blast Sphere"], "backrow": ["Compulsory Evacuation Device"]}
        table = Table({"attack": [BLUE_EYES]}, theirs).attack(BLUE_EYES, "Blast Sphere").quietly_to("end-step")
        table.activate("Compulsory Evacuation Device", on=BLUE_EYES).finish()
        assert table.moves("Blast Sphere")[1:] == [("graveyard", "destroyed-by-rule")]
        table = Table({"attack": [BLUE_EYES], "backrow": ["Dust Tornado"]}, {"set": ["Kiseitai"]}).attack(BLUE_EYES, "Kiseitai")
        table.quietly_to("end-step").activate("Dust Tornado", on="Kiseitai").finish()
        assert table.moves("Kiseitai")[1:] == [("graveyard", "destroyed-by-effect")]

    def test_without_a_zone_it_is_destroyed(self) -> None:
        """Five set cards fill the Spell & Trap Zones."""
        traps = ["Waboku", "Mirror Force", "Negate Attack", "Dust Tornado", "Reinforcements"]
        table = Table({"attack": [BLUE_EYES]}, {"set": ["Blast Sphere"], "backrow": traps}).attack(BLUE_EYES, "Blast Sphere")
        assert table.finish().moves("Blast Sphere") == [("graveyard", "destroyed-by-effect")]

    @pytest.mark.parametrize("place", ["attack", "defense"])
    def test_face_up_it_does_not_cling(self, place: str) -> None:
        """Its text asks for a face-down card that was attacked."""
        table = Table({"attack": [BLUE_EYES]}, {place: ["Blast Sphere"]}).attack(BLUE_EYES, "Blast Sphere").finish()
        assert chain_of(table) == []

    def test_drillroid_comes_too_late_for_it(self) -> None:
        """E-078: the attacker's Trigger is Chain Link 1, that of the attacked monster Chain Link 2, which resolves first: it
        clings, and Drillroid finds nothing to destroy.
        """
        table = Table({"attack": ["Drillroid"]}, {"set": ["Blast Sphere"]}).attack("Drillroid", "Blast Sphere").finish()
        assert chain_of(table) == [table.card("Drillroid"), table.card("Blast Sphere")]
        assert table.place("Blast Sphere") == "spell-trap-zone"

    def test_penumbral_lady_and_reflect_bounder_share_a_chain_in_2007(self) -> None:
        """E-088: hers is Chain Link 1; Bounder's damage is her ATK without the 1000 that she gains then."""
        lady, bounder = "Penumbral Soldier Lady", "Reflect Bounder"
        table = Table({"attack": [lady]}, {"attack": [bounder]}, "expert-2007").attack(lady, bounder).finish()
        assert chain_of(table)[:2] == [table.card(lady), table.card(bounder)]
        assert table.lp == (8000 - 2100, 8000 - (3100 - 1700))
        assert table.atk(lady) == 2100

    def test_the_attacker_of_the_cats_has_200(self) -> None:
        """E-086: during the Damage Step; its 700 from Rush Recklessly come on top."""
        cats = "Cat's Ear Tribe"
        table = Table({"attack": [BLUE_EYES], "hand": ["Rush Recklessly"]}, {"attack": [cats]}, "expert-2007")
        table.activate("Rush Recklessly", on=BLUE_EYES).attack(BLUE_EYES, cats).finish()
        assert table.lp == (8000, 8000 - (900 - 200))
        assert table.atk(BLUE_EYES) == 3700

    def test_drillroid_comes_before_the_cats_in_2007(self) -> None:
        """X-004: two chains; what the first one destroyed activates nothing in the second."""
        cats = "Cat's Ear Tribe"
        table = Table({"attack": ["Drillroid"]}, {"defense": [cats]}, "expert-2007").attack("Drillroid", cats).finish()
        assert chain_of(table) == [table.card("Drillroid")]


class TestAfterCalculation:
    def test_the_hat_makes_the_opponent_discard(self) -> None:
        """E-132: after damage calculation; what that discards triggers after the chain (E-139)."""
        table = Table({"attack": [HAT]}, {"hand": ["Dandylion"]}).attack(HAT).finish()
        assert table.moves("Dandylion") == [("graveyard", "discarded")]
        assert chain_of(table) == [table.card(HAT), table.card("Dandylion")]

    def test_without_battle_damage_no_discard(self) -> None:
        """1000 against 1100 DEF."""
        table = Table({"attack": [HAT]}, {"defense": [TOMATO], "hand": ["Dandylion"]}).attack(HAT, TOMATO).finish()
        assert table.place("Dandylion") == "hand"

    def test_rocket_warrior_comes_to_no_harm_in_its_own_turn(self) -> None:
        """E-110: 1500 attack 3000: no damage, not destroyed; what it attacked has 2500 then."""
        table = Table({"attack": [ROCKET]}, {"attack": [BLUE_EYES]}).attack(ROCKET, BLUE_EYES).finish()
        assert table.lp == (8000, 8000)
        assert table.place(ROCKET) == "monster-zone"
        assert table.atk(BLUE_EYES) == 2500

    def test_rocket_warrior_in_the_other_turn(self) -> None:
        """Then it is a monster like any other."""
        table = Table({"attack": [BLUE_EYES]}, {"attack": [ROCKET]}).attack(BLUE_EYES, ROCKET).finish()
        assert table.lp == (8000, 6500)
        assert table.place(ROCKET) == "graveyard"

    def test_balter_negates_what_it_destroys(self) -> None:
        """E-128: Reflect Bounder, determined destroyed, does not destroy itself; it goes as destroyed by battle."""
        balter, bounder = "Dark Balter the Terrible", "Reflect Bounder"
        table = Table({"attack": [balter]}, {"attack": [bounder]}, "expert-2007").attack(balter, bounder).finish()
        assert table.moves(bounder) == [("graveyard", "destroyed-by-battle")]
        assert chain_of(table) == [table.card(bounder)]
        assert table.lp == (6000, 7700)

    def test_balter_negates_nothing_that_another_destroys(self) -> None:
        """Unlike Dark Ruler Ha Des it speaks of itself only."""
        table = Table({"attack": [BLUE_EYES, "Dark Balter the Terrible"]}, {"attack": [TOMATO], "deck": ["Skull Servant"]})
        table.attack(BLUE_EYES, TOMATO).quietly_to("damage-end").activate(TOMATO).finish()
        assert table.place("Skull Servant") == "monster-zone"

    def test_grapha_discarded_by_an_opponents_effect(self) -> None:
        """E-139, D-100: in a chain of its own; it destroys, then may take the monster of the hand that is looked at."""
        grapha = "Grapha, Dragon Lord of Dark World"
        mine = {"attack": [HAT], "backrow": ["Waboku"], "hand": [CELTIC]}
        table = Table(mine, {"hand": [grapha]}).attack(HAT).quietly_to("after-calculation").choose("Waboku").yes().finish()
        assert chain_of(table) == [table.card(HAT), table.card(grapha)]
        assert table.moves("Waboku") == [("graveyard", "destroyed-by-effect")]
        assert table.moves(CELTIC) == [("monster-zone", "special-summoned")]

    def test_grapha_discarded_by_its_own_player_or_as_a_cost(self) -> None:
        """By an effect of its own player it only destroys; as a cost it does nothing."""
        grapha = "Grapha, Dragon Lord of Dark World"
        mine = {"attack": [BLUE_EYES], "deck": ["Shrink", "Scapegoat", "Waboku", CELTIC, TOMATO]}
        deck = ["Kuriboh", "Skull Servant", "Mokey Mokey", "Petit Dragon", "Protron"]
        table = Table(mine, {"set": ["Morphing Jar"], "hand": [grapha], "deck": deck})
        table.attack(BLUE_EYES, "Morphing Jar").finish()
        assert table.moves(BLUE_EYES) == [("graveyard", "destroyed-by-effect")]
        assert all(isinstance(event, Moved) and event.reason != "special-summoned" for event in table.kinds(Moved))
        theirs = {"hand": [grapha], "backrow": ["Magic Jammer"]}
        table = Table({"attack": [LA_JINN], "hand": ["Rush Recklessly"]}, theirs).activate("Rush Recklessly", on=LA_JINN)
        assert chain_of(table.activate("Magic Jammer").finish()) == [table.card("Rush Recklessly"), table.card("Magic Jammer")]


class TestEndOfTheDamageStep:
    def test_guaiba_brings_a_jurrac_that_cannot_attack(self) -> None:
        """After it destroyed a monster by battle; at most 1700 ATK."""
        guaiba, ptera = "Jurrac Guaiba", "Jurrac Ptera"
        table = Table({"attack": [guaiba], "deck": [ptera, CELTIC]}, {"attack": [TOMATO]}).attack(guaiba, TOMATO)
        table.quietly_to("damage-end").activate(guaiba).finish()
        assert table.place(ptera) == "monster-zone"
        assert all(option.kind != "attack" or option.card != table.card(ptera) for d in table.decisions() for option in d.options)

    def test_crystal_core_without_counters_destroys_itself(self) -> None:
        """D-102: its effect is Chain Link 1, that of Tomato Chain Link 2."""
        core = "B.E.S. Crystal Core"
        table = Table({"attack": [core]}, {"attack": [TOMATO], "deck": [CELTIC, "Skull Servant"]}).attack(core, TOMATO)
        table.quietly_to("damage-end").activate(TOMATO).finish()
        assert chain_of(table) == [table.card(core), table.card(TOMATO)]
        assert table.moves(core) == [("graveyard", "destroyed-by-effect")]

    def test_crystal_core_spends_a_counter(self) -> None:
        """With one it stays, and it cannot be destroyed by battle; the second battle finds none."""
        core = "B.E.S. Crystal Core"
        table = Table({"attack": [BLUE_EYES, "Summoned Skull"]}, {"attack": [core]}, counters={core: {"counter": 1}})
        table.attack(BLUE_EYES, core).quietly_to("battle-step", 0)
        assert table.place(core) == "monster-zone"
        table.attack("Summoned Skull", core).finish()
        assert table.moves(core) == [("graveyard", "destroyed-by-effect")]

    def test_wiseman_shares_the_chain_of_what_it_destroyed(self) -> None:
        """D-101: one chain; 1600 battle damage and the 1400 ATK that Tomato had; its 1100 DEF is gained."""
        table = Table({"attack": [WISEMAN]}, {"attack": [TOMATO], "deck": [CELTIC, "Skull Servant"]}).attack(WISEMAN, TOMATO)
        table.quietly_to("damage-end").activate(TOMATO).finish()
        assert chain_of(table) == [table.card(WISEMAN), table.card(TOMATO)]
        assert table.lp == (9100, 5000)

    def test_wiseman_counts_the_atk_that_the_monster_had_on_the_field(self) -> None:
        """Rush Recklessly gave it 700: 2100, after 900 battle damage."""
        table = Table({"attack": [WISEMAN]}, {"attack": [CELTIC], "backrow": ["Rush Recklessly"]}).attack(WISEMAN, CELTIC)
        table.activate("Rush Recklessly", on=CELTIC).finish()
        assert table.lp == (9200, 8000 - 900 - 2100)

    def test_wiseman_after_a_direct_attack(self) -> None:
        """It battled no monster."""
        assert chain_of(Table({"attack": [WISEMAN]}, {}).attack(WISEMAN).finish()) == []

    def test_wiseman_withstands_destruction_by_effects(self) -> None:
        """Sakuretsu Armor does nothing to it."""
        table = Table({"attack": [WISEMAN]}, {"backrow": ["Sakuretsu Armor"]}).attack(WISEMAN).activate("Sakuretsu Armor")
        assert table.finish().lp == (8000, 5000)

    def test_robo_draws_and_puts_a_card_back(self) -> None:
        """E-166: after destroying by battle; the card put back is any of the hand and lies at the bottom of the Deck."""
        table = Table({"attack": [ROBO], "hand": ["Kuriboh"], "deck": ["Shrink", "Scapegoat"]}, {"attack": [CELTIC]})
        table.attack(ROBO, CELTIC).quietly_to("damage-end").choose("Kuriboh").finish()
        assert (table.place("Shrink"), table.place("Kuriboh"), table.place("Scapegoat")) == ("hand", "deck", "deck")

    def test_chopper_inflicts_2000(self) -> None:
        """100 against 0 ATK: 100 battle damage, then 2000."""
        table = Table({"attack": [CHOPPER]}, {"attack": ["Mystical Shine Ball"]})
        assert table.attack(CHOPPER, "Mystical Shine Ball").finish().lp == (7600, 8000)
        table = Table({"attack": [CHOPPER]}, {"attack": ["Sheep Token"]}).attack(CHOPPER, "Sheep Token").finish()
        assert table.lp == (8000, 5900)

    def test_knight_from_tomato_acts_in_the_damage_step(self) -> None:
        """D-103: its effect is activated at the end of the Damage Step, and a DARK monster goes from the Deck."""
        table = Table({"attack": [BLUE_EYES]}, {"attack": [TOMATO], "deck": [KNIGHT, "Skull Servant", CELTIC]})
        table.attack(BLUE_EYES, TOMATO).quietly_to("damage-end").activate(TOMATO).choose(KNIGHT).activate(KNIGHT)
        table.finish()
        assert table.moves("Skull Servant") == [("graveyard", "sent-by-effect")]

    def test_tomato_knight_and_heiress_one_after_another(self) -> None:
        """D-019: what each chain triggers makes the next one, all at the end of the Damage Step."""
        heiress = "Archfiend Heiress"
        theirs = {"attack": [TOMATO], "deck": [KNIGHT, heiress, "Archfiend Soldier", "Skull Servant"]}
        table = Table({"attack": [BLUE_EYES]}, theirs).attack(BLUE_EYES, TOMATO).quietly_to("damage-end").activate(TOMATO)
        table.choose(KNIGHT).activate(KNIGHT).choose(heiress).activate(heiress).finish()
        assert chain_of(table) == [table.card(TOMATO), table.card(KNIGHT), table.card(heiress)]
        assert table.moves("Archfiend Soldier") == [("hand", "added-by-effect")]
        assert table.timings().count("damage-end") == 1

    def test_heiress_destroyed_by_battle_adds_another_archfiend(self) -> None:
        """She cannot add herself, and as a cost she adds nothing: with only her own kind in the Deck there is no effect."""
        heiress = "Archfiend Heiress"
        table = Table({"attack": [BLUE_EYES]}, {"attack": [heiress], "deck": ["Archfiend Soldier", heiress]})
        table.attack(BLUE_EYES, heiress).quietly_to("damage-end").activate(heiress).finish()
        assert table.place("Archfiend Soldier") == "hand"
        table = Table({"attack": [BLUE_EYES]}, {"attack": [heiress], "deck": [heiress]}).attack(BLUE_EYES, heiress).finish()
        assert chain_of(table) == []
        theirs = {"hand": [heiress], "backrow": ["Magic Jammer"], "deck": ["Archfiend Soldier"]}
        table = Table({"attack": [LA_JINN], "hand": ["Rush Recklessly"]}, theirs).activate("Rush Recklessly", on=LA_JINN)
        table.activate("Magic Jammer").finish()
        assert table.moves(heiress) == [("graveyard", "discarded")]
        assert table.place("Archfiend Soldier") == "deck"


class TestContinuous:
    def test_nyan_nyan_goes_when_a_monster_that_is_not_light_comes(self) -> None:
        """She destroys herself as soon as her player has one, here by Call of the Haunted."""
        table = Table({"attack": [NYAN], "backrow": ["Call of the Haunted"], "graveyard": [CELTIC]}, {})
        table.activate("Call of the Haunted", on=CELTIC).finish()
        assert table.moves(NYAN) == [("graveyard", "destroyed-by-effect")]

    def test_nyan_nyan_beside_light_and_face_down_monsters(self) -> None:
        """A face-down monster has no Attribute, and those of the other side do not count."""
        table = Table({"attack": [NYAN, BLUE_EYES], "set": [CELTIC]}, {"attack": [CELTIC]}).finish()
        assert table.place(NYAN) == "monster-zone"

    def test_nyan_nyan_turned_up_by_a_battle_stays_until_after_it(self) -> None:
        """DS-4, X-024: flipped beside a Celtic Guardian she goes after damage calculation, not destroyed by battle (800 DEF)."""
        table = Table({"attack": [CHOPPER]}, {"set": [NYAN], "attack": [CELTIC]}).attack(CHOPPER, NYAN).finish()
        assert len(table.calculations) == 1
        assert table.moves(NYAN) == [("graveyard", "destroyed-by-effect")]


class TestNegators:
    def test_a_team_negates_a_trap(self) -> None:
        """Tributed, it negates Sakuretsu Armor and destroys it; the attack goes on."""
        ateam = "A-Team: Trap Disposal Unit"
        table = Table({"attack": [LA_JINN, ateam]}, {"backrow": ["Sakuretsu Armor"]}).attack(LA_JINN)
        table.activate("Sakuretsu Armor").activate(ateam).finish()
        assert table.moves(ateam) == [("graveyard", "tributed")]
        assert table.moves("Sakuretsu Armor") == [("graveyard", "destroyed-by-effect")]
        assert table.lp == (8000, 6200)

    def test_maryokutai_negates_spells_in_the_opponents_turn_only(self) -> None:
        """In its player's own turn it is never offered."""
        table = Table({"attack": [LA_JINN], "hand": ["Rush Recklessly"]}, {"attack": ["Maryokutai"]})
        table.activate("Rush Recklessly", on=LA_JINN).activate("Maryokutai").finish()
        assert table.place("Maryokutai") == "graveyard"
        assert table.atk(LA_JINN) == 1800
        table = Table({"attack": [LA_JINN, "Maryokutai"]}, {"backrow": ["Rush Recklessly"]}).attack(LA_JINN)
        table.activate("Rush Recklessly", on=LA_JINN).finish()
        assert table.offered("Maryokutai") == set()

    def test_bounzer_negates_an_effect_of_an_opponents_monster(self) -> None:
        """For a material: Shinobi draws nothing, and its player takes 1000 damage besides the 2300 of the battle."""
        bounzer, shinobi = "Photon Strike Bounzer", "Vengeful Shinobi"
        table = Table({"attack": [bounzer]}, {"attack": [shinobi], "deck": [CELTIC]}, materials={bounzer: 2})
        table.attack(bounzer, shinobi).activate(bounzer).finish()
        assert table.place(CELTIC) == "deck"
        assert table.lp == (8000, 8000 - 1000 - 2300)

    def test_bounzer_negates_nothing_in_the_damage_step(self) -> None:
        """D-107: D.D. Warrior Lady's effect cannot be answered by what negates an effect only."""
        bounzer = "Photon Strike Bounzer"
        table = Table({"attack": [LADY]}, {"attack": [CELTIC, bounzer]}, materials={bounzer: 2}).attack(LADY, CELTIC)
        table.quietly_to("after-calculation").activate(LADY).finish()
        assert table.offered(bounzer) == set()

    def test_solemn_warning_answers_what_special_summons(self) -> None:
        """2000 Life Points; Scapegoat is negated and destroyed. It is offered against nothing that does not Special Summon."""
        table = Table({"attack": [LA_JINN], "hand": ["Scapegoat"]}, {"backrow": ["Solemn Warning"]})
        table.activate("Scapegoat").activate("Solemn Warning").finish()
        assert table.lp == (8000, 6000)
        assert table.moves("Scapegoat")[-1] == ("graveyard", "destroyed-by-effect")
        table = Table({"attack": [LA_JINN], "hand": ["Rush Recklessly"]}, {"backrow": ["Solemn Warning"]})
        assert table.activate("Rush Recklessly").finish().offered("Solemn Warning") == set()

    def test_senshi_negates_the_effect_of_a_normal_trap(self) -> None:
        """For 1000 Life Points; the trap is used all the same. A Counter Trap is no Normal Trap."""
        senshi = "Ryu Senshi"
        table = Table({"attack": [senshi]}, {"backrow": ["Sakuretsu Armor"]}).attack(senshi).activate("Sakuretsu Armor")
        table.activate(senshi).finish()
        assert table.lp == (7000, 6000)
        assert table.moves("Sakuretsu Armor") == [("graveyard", "used")]
        table = Table({"attack": [senshi]}, {"backrow": ["Negate Attack"]}).attack(senshi).activate("Negate Attack").finish()
        assert table.offered(senshi) == set()

    @pytest.mark.parametrize("ruleset", ["ocg-2023", "expert-2007"])
    def test_senshi_negates_nothing_in_the_damage_step(self, ruleset: str) -> None:
        """E-054, X-009."""
        senshi = "Ryu Senshi"
        table = Table({"attack": [senshi]}, {"attack": [CELTIC], "backrow": ["Reinforcements"]}, ruleset).attack(senshi, CELTIC)
        table.quietly_to("damage-start").activate("Reinforcements", on=CELTIC).finish()
        assert table.offered(senshi) == set()

    def test_senshi_negates_and_destroys_spells_that_target_it(self) -> None:
        """Without a chain, when they resolve; not those that target another monster."""
        senshi = "Ryu Senshi"
        table = Table({"attack": [senshi, CELTIC], "hand": ["Rush Recklessly"]}, {"backrow": ["Shrink"]})
        table.activate("Rush Recklessly", on=CELTIC).activate("Shrink", on=senshi).finish()
        assert (table.atk(senshi), table.atk(CELTIC)) == (2000, 2100)
        assert table.moves("Shrink") == [("graveyard", "destroyed-by-effect")]
        assert table.moves("Rush Recklessly")[-1] == ("graveyard", "used")

    def test_shining_dragon_gains_for_dragons_and_negates_what_targets_it(self) -> None:
        """300 ATK for the one Dragon in the Graveyard; Compulsory Evacuation Device on it does nothing."""
        table = Table({"attack": [SHINING], "graveyard": [BLUE_EYES]}, {"backrow": ["Compulsory Evacuation Device"]})
        assert table.atk(SHINING) == 3300
        table.attack(SHINING).activate("Compulsory Evacuation Device", on=SHINING).activate(SHINING).finish()
        assert table.place(SHINING) == "monster-zone"
        assert table.lp == (8000, 4700)

    def test_shining_dragon_answers_nothing_that_targets_another(self) -> None:
        """Its effect asks for a target, and that it is it."""
        table = Table({"attack": [SHINING, LA_JINN]}, {"backrow": ["Compulsory Evacuation Device"]}).attack(SHINING)
        table.activate("Compulsory Evacuation Device", on=LA_JINN).finish()
        assert table.offered(SHINING) == set()

    def test_shining_dragon_negates_nothing_in_the_damage_step(self) -> None:
        """X-009: what negates an effect only cannot be activated there (ocg-2023)."""
        table = Table({"attack": [SHINING]}, {"attack": [LA_JINN], "backrow": ["Shrink"]}).attack(SHINING, LA_JINN)
        table.quietly_to("damage-start").activate("Shrink", on=SHINING).finish()
        assert table.offered(SHINING) == set()
