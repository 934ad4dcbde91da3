"""Bytes become boards that can be, and zeros the quietest one."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from engine_protocol.cards import card_pool
from engine_protocol.rulesets import OCG_2023
from strategies.boards import HEADER, BoardDecoder
from strategies.focus import CALM, Focus, Likeness, Place, Spot
from strategies.focuses import FOCUSES
from strategies.menus import FAMILIES, anything, family_of, flip, monster, named, plain
from strategies.recipes import OPEN

POOL = card_pool()
MASK = 1
TURN_PLAYER = 2

ALL = BoardDecoder(OCG_2023, POOL, (OPEN, *FOCUSES.values()))
ALL_CUSTOM = BoardDecoder(OCG_2023, POOL, (OPEN, *FOCUSES.values()), custom_stats=True)


def decoder_of(*spots: Spot, custom_stats: bool = False) -> BoardDecoder:
    """A decoder for boards of these spots only."""
    return BoardDecoder(OCG_2023, POOL, (Focus(spots, (CALM,)),), custom_stats=custom_stats)


@pytest.mark.parametrize("decoder", [ALL, ALL_CUSTOM], ids=["printed", "custom"])
@given(data=st.data())
def test_any_bytes_are_a_board_without_problems(decoder: BoardDecoder, data: st.DataObject) -> None:
    """Whatever the bytes, the engine is never asked to set up an impossible board."""
    board = decoder.board(data.draw(st.binary(min_size=decoder.size, max_size=decoder.size)))

    assert list(board.problems(POOL)) == []


@given(st.binary(max_size=ALL.size))
def test_missing_bytes_are_zeros(data: bytes) -> None:
    """Cutting zeros off the end changes nothing, so that shorter bytes are quieter boards."""
    assert ALL.board(data) == ALL.board(data.rstrip(b"\0"))


def test_no_bytes_are_one_plain_monster() -> None:
    """Without a focus the smallest board is a single monster without effects, under the turn player's control."""
    (card,) = ALL.board(b"").cards

    assert plain(POOL[card.passcode])
    assert (card.owner, card.zone, card.position) == (0, "monster-zone", "face-up-attack")
    assert ALL.board(b"").lp == (8000, 8000)


@pytest.mark.parametrize("rule", FOCUSES)
def test_the_smallest_board_of_a_focus_is_at_most_two_monsters(rule: str) -> None:
    """Everything but the monsters that make the attack can be left out, so that shrinking has nothing to stop at."""
    board = BoardDecoder(OCG_2023, POOL, (FOCUSES[rule],)).board(b"")

    assert len(board.cards) <= 2
    assert {card.zone for card in board.cards} <= {"monster-zone"}


def mask_boards(mask: int) -> st.SearchStrategy[bytes]:
    """Bytes of boards without a focus, with this swarm mask."""
    spots = st.binary(min_size=ALL.size - HEADER, max_size=ALL.size - HEADER)
    return spots.map(lambda tail: bytes([0, mask, *bytes(HEADER - 2)]) + tail)


@given(st.integers(0, 255).flatmap(lambda mask: st.tuples(st.just(mask), mask_boards(mask))))
def test_the_swarm_mask_says_which_families_are_in_play(drawn: tuple[int, bytes]) -> None:
    """A board without a focus holds only cards of the families of its mask, and monsters without effects."""
    mask, data = drawn

    families = {family_of(POOL[card.passcode]) for card in ALL.board(data).cards}

    assert families <= {None, *(family for family in range(len(FAMILIES)) if mask >> family & 1)}


def test_every_family_has_cards() -> None:
    """No bit of the mask is idle with the shipped pool."""
    assert {family_of(card) for card in POOL.values()} == {None, *range(len(FAMILIES))}


@given(st.binary(min_size=ALL.size, max_size=ALL.size))
def test_only_the_turn_player_has_set_cards_this_turn(data: bytes) -> None:
    """The other player had no Main Phase this turn in which to set anything."""
    board = ALL.board(data)

    assert {card.owner for card in board.cards if card.turn_set == board.turn} <= {board.turn_player}


def test_the_turn_player_sits_on_either_side() -> None:
    """A high third byte gives the turn to Player B, and the turn player's monsters with it."""
    board = decoder_of(Spot("turn", "monster", monster)).board(bytes([0, 0, 255]))

    assert (board.turn_player, board.turn, board.cards[0].owner) == (1, 4, 1)


def test_a_spot_keeps_its_bytes() -> None:
    """A card that goes shifts no other spot's bytes: what shrinks away leaves the rest of the board as it was."""
    spots = decoder_of(Spot("other", "monster", monster, 8), Spot("turn", "monster", monster))
    both = spots.board(bytes([*bytes(HEADER), 200, 7, 0, 9]))
    alone = spots.board(bytes([*bytes(HEADER), 0, 7, 0, 9]))

    assert [card.passcode for card in both.cards if card.owner == 0] == [card.passcode for card in alone.cards]


@given(st.integers(0, 255), st.integers(0, 255))
def test_equal_atk_can_be_asked_for(first: int, second: int) -> None:
    """A monster spot that is to be equal has the ATK of the turn player's first monster wherever the pool has such a card."""
    pair = decoder_of(Spot("turn", "monster", plain), Spot("other", "monster", monster, like="equal"))

    attacker, target = pair.board(bytes([*bytes(HEADER), 0, first, 0, second])).cards

    assert POOL[attacker.passcode].atk == POOL[target.passcode].atk


def test_equal_counts_the_def_of_a_defender() -> None:
    """In Defense Position it is the DEF that equals the attacker's ATK."""
    skull = named("Blue-Eyes White Dragon")
    pair = decoder_of(
        Spot("turn", "monster", skull), Spot("other", "monster", plain, positions=("face-up-defense",), like="equal")
    )

    target = pair.board(b"").cards[1]

    assert POOL[target.passcode].def_ == 3000


def test_an_equip_card_belongs_to_a_face_up_monster_of_its_player() -> None:
    """Moon Mirror Shield lies on the field only when there is a monster to carry it."""
    shield = Spot("turn", "face-up", named("Moon Mirror Shield"))
    held = decoder_of(Spot("turn", "monster", monster), shield).board(b"").cards
    hidden = decoder_of(Spot("turn", "monster", flip, positions=("face-down-defense",)), shield).board(b"").cards

    assert held[1].equipped_to == held[0].id
    assert len(hidden) == 1


def test_a_sixth_monster_is_left_out() -> None:
    """A player has five Main Monster Zones (GN-1), however many spots a focus has."""
    board = decoder_of(*[Spot("turn", "monster", monster)] * 7).board(b"")

    assert [card.index for card in board.cards] == [0, 1, 2, 3, 4]


@pytest.mark.parametrize("each, field_spells", [(True, 2), (False, 1)])
def test_field_spells_by_ruleset(each: bool, field_spells: int) -> None:
    """Rulesets with one face-up Field Spell in total get boards with one (GN-1)."""
    spots = (Spot("turn", "face-up", named("Skyscraper")), Spot("other", "face-up", named("Skyscraper")))
    ruleset = replace(OCG_2023, one_field_spell_each=each)

    board = BoardDecoder(ruleset, POOL, (Focus(spots, (CALM,)),)).board(b"")

    assert len(board.cards) == field_spells


def test_custom_stats_stand_in_a_telling_relation() -> None:
    """The eight kinds of custom values: equal, 0, and neighbours by 100 and by 1 among them."""
    pair = decoder_of(Spot("turn", "monster", named("Summoned Skull")), Spot("other", "monster", monster), custom_stats=True)

    values = {pair.board(bytes([*bytes(HEADER), 0, 0, 0, 0, 0, stats])).cards[1].atk for stats in range(256)}

    assert values == {None, 2500, 0, 2600, 2400, 1000, 2501, 2499, 5000}


@pytest.mark.parametrize(
    "like, values",
    [("equal", {2500}), ("weaker", {2400, 2499, 1700}), ("stronger", {2600, 2501, 3300})],
)
def test_custom_stats_keep_to_the_likeness_of_a_spot(like: Likeness, values: set[int]) -> None:
    """Where a monster is to be equal, weaker or stronger, every custom value makes it so, whatever card it is."""
    skull = named("Summoned Skull")
    pair = decoder_of(Spot("turn", "monster", skull), Spot("other", "monster", skull, like=like), custom_stats=True)

    given_values = {pair.board(bytes([*bytes(HEADER), 0, 0, 0, 0, 0, stats])).cards[1].atk for stats in range(128, 256)}

    assert given_values == values


@given(st.binary(min_size=ALL.size, max_size=ALL.size))
def test_without_the_ability_no_monster_has_custom_stats(data: bytes) -> None:
    """Engines that know only printed values are never asked for others."""
    assert all(card.atk is None and card.def_ is None for card in ALL.board(data).cards)


def test_an_unserved_spot_stays_empty() -> None:
    """An engine that knows none of the cards of a spot gets a board without it."""
    vanillas = type(POOL)(card for card in POOL.values() if plain(card))

    board = BoardDecoder(
        OCG_2023, vanillas, (Focus((Spot("turn", "monster", monster), Spot("other", "set", anything)), (CALM,)),)
    )

    assert len(board.board(b"").cards) == 1


@pytest.mark.parametrize("place", ["hand", "deck"])
def test_hands_and_decks_hold_neither_tokens_nor_extra_deck_monsters(place: Place) -> None:
    """Such cards are never in a hand or the Main Deck, so no engine need know what to do with them there."""
    boards = decoder_of(Spot("turn", place, anything))

    served = {boards.board(bytes([*bytes(HEADER), 0, which])).cards[0].passcode for which in range(256)}

    assert POOL.named("Sheep Token").passcode not in served
    assert POOL.named("Stardust Dragon").passcode not in served
    assert POOL.named("Mystic Tomato").passcode in served
