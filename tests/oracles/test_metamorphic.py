"""IV-5 to IV-8: boards that must lead to the same duel, and what tells two duels apart."""

from __future__ import annotations

from msgspec.structs import replace

from engine_protocol.board import Board, BoardCard
from engine_protocol.cards import card_pool
from engine_protocol.decisions import Decision, Option
from engine_protocol.events import AttackEnded, DamageCalculated, Decided, DuelEnded, Event, LpChanged, Moved, Place, StatChanged
from engine_protocol.trace import Trace
from oracles.metamorphic import MORE_LIFE, HiddenCards, Mirror, Relation, mirrored, reads_life_points, relations
from tests.oracles.traces import PASS, Duel

POOL = card_pool()
ELF = POOL.named("Celtic Guardian").passcode
GONE = Moved(1, Place(0, "monster-zone", 0, "face-up-attack"), Place(0, "graveyard"), "destroyed-by-effect")
ALSO = Moved(2, Place(1, "monster-zone", 1, "face-up-attack"), Place(1, "graveyard"), "destroyed-by-effect")


def trace(*events: Event, lp: tuple[int, int] = (8000, 4000)) -> Trace:
    """A duel with a monster on each side."""
    cards = (
        BoardCard(id=1, passcode=ELF, owner=0, zone="monster-zone", position="face-up-attack"),
        BoardCard(id=2, passcode=ELF, owner=1, zone="monster-zone", index=1, position="face-up-attack"),
    )
    return Trace(Board(ruleset="ocg-2023", cards=cards, lp=lp), events)


def relation(rule: str, first: Trace) -> Relation:
    """The relation of this rule for a duel."""
    return next(relation for relation in relations(first, POOL, {rule}))


def asked(player: int, *options: Option, chosen: int = 0) -> Decided:
    """A decision in the Start Step."""
    return Decided(Decision(player, "priority", "start-step", options), chosen, len(options) == 1)  # type: ignore[arg-type]


def test_the_mirror_exchanges_everything() -> None:
    """IV-5: seats, Life Points and owners change sides, and back again."""
    board = trace().board
    other = mirrored(board)
    assert (other.turn_player, other.lp) == (1, (4000, 8000))
    assert [card.owner for card in other.cards] == [1, 0]
    assert mirrored(other) == board


def test_a_mirrored_duel_is_the_same() -> None:
    """IV-5: damage, winners and places are compared from the other side of the table."""
    first = trace(
        DamageCalculated(1, 2, 2000, 1500, (0, 500)), LpChanged(1, -4000, 0, "battle-damage"), DuelEnded(0, "life-points")
    )
    sound = (DamageCalculated(1, 2, 2000, 1500, (500, 0)), LpChanged(0, -4000, 0, "battle-damage"), DuelEnded(1, "life-points"))
    mirror = relation("IV-5", first)
    assert mirror.parting(trace(*sound)) is None
    parting = mirror.parting(trace(*first.events))
    assert parting is not None
    assert parting.at == 0


def test_choices_are_made_from_the_other_side() -> None:
    """IV-5: what Player A chose is chosen by Player B, whatever the order of the options."""
    first = trace(asked(0, PASS, Option("activate", 1, 1), Option("activate", 2, 1), chosen=2))
    choose = Mirror(first).chooser()
    assert choose(Decision(1, "priority", "start-step", (PASS, Option("activate", 2, 1), Option("activate", 1, 1)))) == 1


def test_what_happens_at_once_has_no_order() -> None:
    """IV-6: monsters destroyed together may leave in any order; of a monster's values only the last count."""
    first = trace(StatChanged(1, 1, 1), GONE, ALSO, StatChanged(1, 2, 2), AttackEnded(1, "stopped"), asked(0, PASS))
    placement = relation("IV-6", first)
    assert [card.index for card in placement.board.cards] == [4, 3]
    moved = [replace(move, origin=replace(move.origin, index=4 - move.origin.index)) for move in (ALSO, GONE)]
    assert placement.parting(trace(AttackEnded(1, "stopped"), *moved, StatChanged(1, 2, 2), asked(0, PASS))) is None
    assert placement.parting(trace(StatChanged(1, 2, 2), GONE, AttackEnded(1, "stopped"), asked(0, PASS))) is not None


def test_more_life_points_change_only_the_totals() -> None:
    """IV-7: the same losses from more Life Points; a duel that somebody loses is not compared."""
    loss = LpChanged(1, -500, 3500, "battle-damage")
    shift = relation("IV-7", trace(loss))
    assert shift.board.lp == (8000 + MORE_LIFE, 4000 + MORE_LIFE)
    assert shift.parting(trace(replace(loss, total=3500 + MORE_LIFE))) is None
    assert shift.parting(trace(replace(loss, amount=-600, total=3400 + MORE_LIFE))) is not None
    assert not shift.holds(trace(DuelEnded(0, "life-points")))


def test_who_reads_life_points() -> None:
    """IV-7: not with costs in Life Points, nor with Ring of Destruction, whose damage the facts do not tell."""
    read = ("Dark Elf", "Seven Tools of the Bandit", "Solemn Judgment", "Injection Fairy Lily", "Ring of Destruction")
    assert all(reads_life_points(POOL.named(name)) for name in read)
    assert not any(
        reads_life_points(POOL.named(name)) for name in ("Celtic Guardian", "Mirror Force", "Magic Cylinder", "Kuriboh")
    )


class Secret:
    """Player B holds a set card and a hand; Player A watches."""

    def __init__(self) -> None:
        self.duel = duel = Duel(pool=POOL)
        duel.monster(0, passcode=ELF)
        self.hidden = duel.set_card(1, POOL.named("Mirror Force").passcode)

    def relation(self, *events: Event) -> HiddenCards:
        """Mirror Force is another card, and Player A must not notice."""
        first = Trace(self.duel.trace().board, events)
        found = [relation for relation in relations(first, POOL, {"IV-8"}) if isinstance(relation, HiddenCards)]
        assert len(found) == 1
        return found[0]


ATTACK = Option("attack", 1)


def test_hidden_cards_are_others() -> None:
    """IV-8: only the hidden card is another one, of a kind that can lie there."""
    relation = Secret().relation()
    (mine, before), (same, other) = Secret().duel.trace().board.cards, relation.board.cards
    assert mine == same
    assert other.passcode != before.passcode
    assert (POOL[other.passcode].type, other.zone, other.position) in {
        ("trap", "spell-trap-zone", "face-down"),
        ("spell", "spell-trap-zone", "face-down"),
    }


def test_what_is_offered_does_not_depend_on_hidden_cards() -> None:
    """IV-8: Player A has the same options, though Player B has others."""
    secret = Secret()
    activate = Option("activate", secret.hidden, 1)
    relation = secret.relation(asked(1, PASS, activate), asked(0, PASS, ATTACK))
    board = relation.board
    assert relation.parting(Trace(board, (asked(1, PASS), asked(0, ATTACK, PASS, chosen=1)))) is None
    parting = relation.parting(Trace(board, (asked(1, PASS), asked(0, PASS))))
    assert parting is not None
    assert parting.at == 1
    assert "attack card 1" in parting.happened


def test_once_a_hidden_card_shows_nothing_is_compared() -> None:
    """IV-8: after it was activated, or after its owner did something else, the duels may differ."""
    secret = Secret()
    activate = Option("activate", secret.hidden, 1)
    relation = secret.relation(asked(1, PASS, activate, chosen=1), asked(0, PASS, ATTACK))
    assert relation.parting(Trace(relation.board, (asked(1, PASS), asked(0, PASS)))) is None
    shown = Moved(secret.hidden, Place(1, "spell-trap-zone"), Place(1, "graveyard"), "destroyed-by-effect")
    relation = secret.relation(shown, asked(0, PASS, ATTACK))
    assert relation.parting(Trace(relation.board, (shown, asked(0, PASS)))) is None
