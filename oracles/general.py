"""GN: general rules that a board must respect."""

from __future__ import annotations

from typing import Final

from engine_protocol.board import ZONE_COUNT
from engine_protocol.events import (
    ChainEnded,
    ControlChanged,
    DuelEnded,
    Moved,
    Place,
    PositionChanged,
    TimingBegan,
    TokenCreated,
)
from engine_protocol.vocabulary import FIELD, PLAYER_NAMES, PLAYERS, opponent
from oracles.oracle import Oracle
from oracles.view import Card, Key, View

_OWNERS_OWN: Final = frozenset({"hand", "deck", "extra-deck", "graveyard", "banished"})
_EXTRA_DECK: Final = frozenset({"fusion", "synchro", "xyz", "link"})


class Zones(Oracle):
    """Looks at every card that came to a zone of the field as soon as things have settled: at the end of the chain, at the next
    timing, or at the end of the trace.
    """

    id = "GN-1"
    title = "The zones of the field"
    statement = (
        "A player has five Main Monster Zones, five Spell & Trap Zones and a Field Zone; each holds one card, and so does each of"
        " the two Extra Monster Zones that both share, in rulesets that have them. In duel-arena there is one face-up Field Spell"
        " in all."
    )
    citations = (("duel-arena-wiki", "カードの場所"),)
    everywhere = True

    def prepare(self) -> None:
        self.came: list[tuple[int, int]] = []

    def on_moved(self, event: Moved, view: View) -> None:
        if event.to is not None and event.to.zone in FIELD:
            self._comes(event.card, view)

    def on_token_created(self, event: TokenCreated, view: View) -> None:
        self._comes(event.card, view)

    def on_control_changed(self, event: ControlChanged, view: View) -> None:
        self._comes(event.card, view)

    def _comes(self, card: int, view: View) -> None:
        self.came.append((view.at, card))
        self.at_next_timing(self._settled)

    def on_chain_ended(self, event: ChainEnded, view: View) -> None:
        self._look(view)

    def _settled(self, event: TimingBegan, view: View) -> None:
        self._look(view)

    def on_end(self, view: View) -> None:
        self._look(view)

    def _look(self, view: View) -> None:
        if not self.came:
            return
        ruleset = view.ruleset
        for at, card_id in self.came:
            card = view.cards[card_id]
            if card.zone not in FIELD:
                continue
            self.stake()
            if card.zone == "extra-monster-zone" and not ruleset.extra_monster_zones and ruleset.settles("extra_monster_zones"):
                self.fail(
                    expected="there are no Extra Monster Zones",
                    happened=f"{card!r} was put into one",
                    cards=(card_id,),
                    at=at,
                )
            if card.zone == "field-zone" and card.face_up and not ruleset.one_field_spell_each:
                self._only_field_spell(card, view, at)
            if not 0 <= card.index < ZONE_COUNT[card.zone]:
                self.fail(
                    expected=f"there are {ZONE_COUNT[card.zone]} places in the {card.zone}",
                    happened=f"{card!r} was put to number {card.index + 1}",
                    cards=(card_id,),
                    at=at,
                )
            for other in view.cards.values():
                if other is not card and self._same_place(card, other):
                    self.fail(
                        expected="each zone of the field holds one card",
                        happened=f"{card!r} was put where {other!r} is",
                        cards=(card_id, other.id),
                        at=at,
                    )
        self.came = []

    def _only_field_spell(self, card: Card, view: View, at: int) -> None:
        if not view.ruleset.settles("one_field_spell_each"):
            return
        for other in view.pile(opponent(card.controller), "field-zone"):
            if other.face_up:
                self.fail(
                    expected="there is one face-up Field Spell on both sides together",
                    happened=f"{card!r} came face-up, and {other!r} stayed",
                    cards=(card.id, other.id),
                    at=at,
                )

    @staticmethod
    def _same_place(card: Card, other: Card) -> bool:
        if (card.zone, card.index) != (other.zone, other.index):
            return False
        return card.zone == "extra-monster-zone" or card.controller == other.controller


class OnePlace(Oracle):
    """Every move must begin where the trace has left the card, and end where such a card may be."""

    id = "GN-2"
    title = "Every card is in one place"
    statement = (
        "A card is in exactly one place, and none appears or vanishes but Tokens. Off the field it is with its owner, and a"
        " Fusion, Synchro, Xyz or Link Monster goes to the Extra Deck where others would go to the hand or the Deck."
    )
    citations = (("duel-arena-wiki", "カードの場所; カードの処理"),)
    everywhere = True

    def before_moved(self, event: Moved, view: View) -> None:
        self.stake()
        card = view.cards[event.card]
        self._begins(card, event.origin)
        to = event.to
        if to is None:
            if not card.token:
                self._fail(card, "a card other than a Token is always somewhere", "it vanished")
        elif card.token and to.zone not in FIELD:
            self._fail(card, "a Token that leaves the field is gone", f"it went to the {to.zone}")
        elif to.zone in _OWNERS_OWN and to.player != card.owner:
            self._fail(card, f"off the field it is with its owner, {PLAYER_NAMES[card.owner]}", f"it went to the other {to.zone}")
        elif to.zone == event.origin.zone == "graveyard":
            self._fail(card, "what lies in the Graveyard is not sent there", "it was")
        elif to.zone in {"hand", "deck"} and not _EXTRA_DECK.isdisjoint(card.facts.frame):
            self._fail(card, "it returns to the Extra Deck", f"it went to the {to.zone}")
        elif to.zone == "extra-deck" and _EXTRA_DECK.isdisjoint(card.facts.frame) and "pendulum" not in card.facts.frame:
            self._fail(card, "it does not belong in the Extra Deck", "it went there")

    def before_control_changed(self, event: ControlChanged, view: View) -> None:
        self.stake()
        self._begins(view.cards[event.card], event.origin)

    def _begins(self, card: Card, origin: Place) -> None:
        if card.zone is None:
            self._fail(card, "it is gone", "it moved again")
        elif (origin.player, origin.zone) != (card.controller, card.zone) or (card.zone in FIELD and origin.index != card.index):
            self._fail(
                card, f"it moves from where it is, {_told(card.controller, card.zone)}", f"it came from {_told_place(origin)}"
            )

    def _fail(self, card: Card, expected: str, happened: str) -> None:
        self.fail(expected=f"{card!r}: {expected}", happened=happened, cards=(card.id,))


def _told(player: int, zone: str) -> str:
    return f"{PLAYER_NAMES[player]}'s {zone}"


def _told_place(place: Place) -> str:
    return f"{_told(place.player, place.zone)} {place.index}" if place.zone in FIELD else _told(place.player, place.zone)


class EquipSpells(Oracle):
    """At stake when a monster with an Equip Spell leaves the field or is turned face-down."""

    id = "GN-3"
    title = "Equip Spells without their monster"
    statement = "An Equip Spell whose monster left the field or was turned face-down does not stay on the field."
    citations = (("duel-arena-wiki", "装備魔法カード"), ("expert-2007", "4.C"))
    implied_by = frozenset({"expert-2007"})
    everywhere = True

    def prepare(self) -> None:
        self.left_behind: list[tuple[Key, int]] = []

    def before_moved(self, event: Moved, view: View) -> None:
        if event.to is None or event.to.zone not in FIELD:
            self._leaves_behind(view.cards[event.card], view)

    def on_position_changed(self, event: PositionChanged, view: View) -> None:
        if event.after == "face-down-defense":
            self._leaves_behind(view.cards[event.card], view)

    def _leaves_behind(self, monster: Card, view: View) -> None:
        if not monster.is_monster_on_field:
            return
        for card in view.cards.values():
            if card.equipped_to == monster.id and card.facts.property == "equip" and card.on_field:
                self.stake()
                self.left_behind.append((card.key, view.at))
                self.at_next_timing(self._settled)

    def on_chain_ended(self, event: ChainEnded, view: View) -> None:
        self._look(view)

    def _settled(self, event: TimingBegan, view: View) -> None:
        self._look(view)

    def _look(self, view: View) -> None:
        if not self.left_behind:
            return
        for (card_id, incarnation), at in self.left_behind:
            card = view.cards[card_id]
            if card.on_field and card.incarnation == incarnation:
                self.fail(
                    expected=f"{card!r} goes to the Graveyard, for the monster it was equipped to is gone",
                    happened="it stayed on the field",
                    cards=(card_id,),
                    at=at,
                )
        self.left_behind = []


class EndOfDuel(Oracle):
    """Judges how a duel that ends has ended; that it ends at 0 Life Points is DC-9. With both Decks empty the one who had to draw
    has lost, and the trace does not tell who that is.
    """

    id = "GN-5"
    title = "How a duel ends"
    statement = (
        "A player whose Life Points are 0, or who must draw from an empty Deck, has lost; if that is so for both, it is a draw."
    )
    citations = (("duel-arena-wiki", "デュエルの勝利・敗北"),)
    everywhere = True

    def on_duel_ended(self, event: DuelEnded, view: View) -> None:
        self.stake()
        lives = event.reason == "life-points"
        if lives:
            lost = [player for player in PLAYERS if view.lp[player] <= 0]
            why = "has 0 Life Points"
        else:
            lost = [player for player in PLAYERS if not view.pile(player, "deck")]
            why = "has no card left to draw"
        if not lost:
            self.fail(expected=f"the duel ends when a player {why}", happened="it ended, and nobody had lost")
        elif event.winner is None and len(lost) == 1:
            self.fail(expected=f"only {PLAYER_NAMES[lost[0]]} {why}, so the other player wins", happened="it was called a draw")
        elif event.winner is not None and (opponent(event.winner) not in lost or (lives and event.winner in lost)):
            self.fail(
                expected=" and ".join(PLAYER_NAMES[player] for player in lost) + f" {why}",
                happened=f"{PLAYER_NAMES[event.winner]} was said to win",
            )


ORACLES: Final[tuple[type[Oracle], ...]] = (Zones, OnePlace, EquipSpells, EndOfDuel)
