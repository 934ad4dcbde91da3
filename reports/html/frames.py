"""A duel as a film: its course folded forward into one frame a step, with no more than a picture needs.

The fold believes every event and draws no conclusions. A report may come from anybody, so nothing in it can break the fold:
what an event says of a card that does not exist is left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from msgspec import Struct, field
from msgspec.structs import replace

from engine_protocol.board import BoardCard
from engine_protocol.cards import CardFacts
from engine_protocol.events import (
    Activated,
    AttackDeclared,
    AttackEnded,
    AttackerChosen,
    AttackTargetChosen,
    ChainEnded,
    ControlChanged,
    DamageCalculated,
    Decided,
    DestructionReplaced,
    DeterminedDestroyed,
    Equipped,
    Event,
    LinkResolved,
    LinkResolving,
    LpChanged,
    MaterialDetached,
    Moved,
    Place,
    PositionChanged,
    ReplayBegan,
    StatChanged,
    StatusChanged,
    TimingBegan,
    TokenCreated,
)
from engine_protocol.trace import Trace
from engine_protocol.vocabulary import FIELD, Outcome, Player, Position, Status, Timing, Zone
from reports.cast import Cast
from reports.html.captions import caption, question
from reports.model import Course
from reports.text import one_line
from reports.words import option_words

STATUS_NOTES: dict[Status, str] = {
    "cannot-attack": "cannot attack",
    "cannot-be-attacked": "cannot be attacked",
    "can-attack-directly": "can attack directly",
    "effects-negated": "effects negated",
    "unaffected-by-spells-traps": "unaffected by other Spells and Traps",
    "indestructible-by-battle": "cannot be destroyed by battle",
    "no-battle-damage": "takes no battle damage",
}

LinkState = Literal["resolving"] | Outcome

_FRAMES = ("token", "link", "xyz", "synchro", "fusion", "ritual", "effect", "normal")


class Face(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What a card is: the same in every frame.

    ``kind``      decides its colour: ``spell``, ``trap``, a monster's frame, or ``unknown``
    ``line``      type, Level and the like in words
    ``atk``, ``def``  its original values; None: not a monster, or a printed "?"
    """

    name: str
    kind: str
    line: str
    owner: Player
    atk: int | None = None
    def_: int | None = field(default=None, name="def")


class Look(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A card at one moment.

    ``side``    controller on the field, owner elsewhere
    ``atk``, ``def``  current values
    ``notes``   everything else that is true of it, in words
    ``doomed``  it is determined to be destroyed by battle
    """

    card: int
    side: Player
    zone: Zone
    index: int = 0
    position: Position = "face-up"
    atk: int | None = None
    def_: int | None = field(default=None, name="def")
    notes: tuple[str, ...] = ()
    equipped_to: int | None = None
    doomed: bool = False


class Strike(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """The open attack.

    ``target``    None: there is none yet, or it is ``direct``
    ``declared``  it has been declared; ``replay``: it has been rewound and the choice is open
    ``values``    what was compared in damage calculation: of the attacker, and of the target (None: there is none)
    """

    attacker: int
    target: int | None = None
    direct: bool = False
    declared: bool = False
    replay: bool = False
    values: tuple[int, int | None] | None = None


class Link(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A Chain Link. ``state``: None while the chain is being built."""

    number: int
    card: int
    player: Player
    name: str
    targets: tuple[int, ...] = ()
    state: LinkState | None = None


class Offer(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What somebody was asked. ``chosen`` is an index into ``options``.

    ``forced``  it was the only option, so nobody really was asked; ``idle``: and that was to pass
    """

    question: str
    options: tuple[str, ...]
    chosen: int
    forced: bool = False
    idle: bool = False


class Frame(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One step.

    ``kind``     the event's name; ``board`` for the first frame, which no event has led to
    ``timing``   the window it lies in
    ``looks``    indices into the film's looks, in the order in which cards came to where they are
    ``touched``  instance ids of the cards that the step is about
    ``player_notes``  lasting conditions of the two players
    """

    kind: str
    caption: str
    timing: Timing
    looks: tuple[int, ...]
    lp: tuple[int, int]
    strike: Strike | None = None
    chain: tuple[Link, ...] = ()
    offer: Offer | None = None
    touched: tuple[int, ...] = ()
    player_notes: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())


class Film(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A whole duel. ``mark`` is the frame in which something is wrong; ``left_out`` counts the events after the last frame."""

    turn: int
    turn_player: Player
    faces: dict[int, Face]
    looks: tuple[Look, ...]
    frames: tuple[Frame, ...]
    mark: int | None = None
    left_out: int = 0


def film_of(course: Course, pool: Mapping[int, CardFacts], *, wrong_at_end: bool = False) -> Film:
    """The film of a duel: a frame for the board, and one after each event.

    ``wrong_at_end``: where the course names no event, the last frame is the one in which something is wrong.
    """
    film = _Projector(course, pool).film()
    return replace(film, mark=len(film.frames) - 1) if film.mark is None and wrong_at_end else film


class _Projector:
    """Goes through a course once."""

    def __init__(self, course: Course, pool: Mapping[int, CardFacts]) -> None:
        self._course = course
        self._pool = pool
        self._cast = Cast(Trace(course.board, course.events), pool)
        self._faces: dict[int, Face] = {}
        self._cards: dict[int, Look] = {}
        self._looks: dict[Look, int] = {}
        self._lp = list(course.board.lp)
        self._timing: Timing = "start-step"
        self._strike: Strike | None = None
        self._chain: dict[int, Link] = {}
        self._statuses: dict[tuple[int | None, Player | None], dict[Status, None]] = {}
        self._counters = {card.id: dict(card.counters) for card in course.board.cards}
        self._materials = {card.id: len(card.materials) for card in course.board.cards}
        self._turn_notes: dict[int, str] = {}

    def film(self) -> Film:
        course = self._course
        for card in sorted(course.board.cards, key=lambda card: (card.zone, card.index)):
            self._set_up(card)
        frames = [self._frame("board", "The board at the start of the Battle Phase")]
        frames.extend(map(self._step, course.events))
        return Film(
            turn=course.board.turn,
            turn_player=course.board.turn_player,
            faces=self._faces,
            looks=tuple(self._looks),
            frames=tuple(frames),
            mark=None if course.at is None else min(course.at + 1, len(frames) - 1),
            left_out=course.left_out,
        )

    def _set_up(self, card: BoardCard) -> None:
        atk, def_ = self._appear(card.id, card.passcode, card.owner, card.atk, card.def_)
        if card.zone in FIELD and self._course.board.turn in (card.turn_set, card.turn_summoned):
            self._turn_notes[card.id] = "set this turn" if card.turn_set == self._course.board.turn else "summoned this turn"
        self._cards[card.id] = Look(
            card=card.id,
            side=card.side,
            zone=card.zone,
            index=card.index,
            position=card.position,
            atk=atk,
            def_=def_,
            equipped_to=card.equipped_to,
        )

    def _appear(
        self, card: int, passcode: int | None, owner: Player, atk: int | None = None, def_: int | None = None
    ) -> tuple[int | None, int | None]:
        """A card is heard of for the first time: its original values."""
        facts = None if passcode is None else self._pool.get(passcode)
        if facts is not None and facts.type == "monster":
            atk, def_ = facts.atk if atk is None else atk, facts.def_ if def_ is None else def_
        self._faces[card] = Face(
            name=self._cast.name(card), kind=_kind(facts), line=_line(facts), owner=owner, atk=atk, def_=def_
        )
        return atk, def_

    def _step(self, event: Event) -> Frame:
        self._fold(event)
        words = caption(event, self._cast, {link.number: link.card for link in self._chain.values()})
        tag = event.__struct_config__.tag
        frame = self._frame(str(tag), words, self._offer(event), tuple(card for card in _touched(event) if card in self._cards))
        if isinstance(event, AttackEnded):
            self._strike = None
        if isinstance(event, ChainEnded):
            self._chain.clear()
        return frame

    def _frame(self, kind: str, words: str, offer: Offer | None = None, touched: tuple[int, ...] = ()) -> Frame:
        looks = tuple(self._looks.setdefault(self._with_notes(look), len(self._looks)) for look in self._cards.values())
        return Frame(
            kind=kind,
            caption=words,
            timing=self._timing,
            looks=looks,
            lp=(self._lp[0], self._lp[1]),
            strike=self._strike,
            chain=tuple(self._chain.values()),
            offer=offer,
            touched=touched,
            player_notes=(self._status_notes(None, 0), self._status_notes(None, 1)),
        )

    def _offer(self, event: Event) -> Offer | None:
        if not isinstance(event, Decided):
            return None
        decision = event.decision
        return Offer(
            question=question(decision, self._cast),
            options=tuple(option_words(decision, option, self._cast) for option in decision.options),
            chosen=event.chosen,
            forced=event.forced,
            idle=event.forced and decision.options[0].kind == "pass",
        )

    # --- the fold ---------------------------------------------------------------------------------------------------------

    def _fold(self, event: Event) -> None:
        match event:
            case TimingBegan():
                self._timing = event.timing
            case AttackerChosen():
                self._strike = Strike(attacker=event.attacker)
            case AttackDeclared() | AttackTargetChosen():
                self._strike = Strike(attacker=event.attacker, target=event.target, direct=event.target is None, declared=True)
            case ReplayBegan():
                self._strike = Strike(attacker=event.attacker, declared=True, replay=True)
            case DamageCalculated():
                self._strike = Strike(
                    attacker=event.attacker,
                    target=event.target,
                    direct=event.target is None,
                    declared=True,
                    values=(event.attacker_value, event.target_value),
                )
            case Activated():
                self._chain[event.link] = Link(
                    number=event.link,
                    card=event.card,
                    player=event.player,
                    name=self._cast.name(event.card),
                    targets=event.targets,
                )
            case LinkResolving():
                self._change_link(event.link, "resolving")
            case LinkResolved():
                self._change_link(event.link, event.outcome)
            case LpChanged():
                self._lp[event.player] = event.total
            case StatusChanged():
                self._change_status(event)
            case _:
                self._fold_card(event)

    def _fold_card(self, event: Event) -> None:
        match event:
            case Moved():
                self._move(event)
            case TokenCreated():
                self._appear(event.card, event.passcode, event.owner, event.atk, event.def_)
                self._cards[event.card] = _placed(Look(card=event.card, side=0, zone="monster-zone"), event.to)
                self._change(event.card, atk=event.atk, def_=event.def_)
            case ControlChanged():
                if event.card in self._cards:
                    self._cards[event.card] = _placed(self._cards[event.card], event.to)
            case PositionChanged():
                self._change(event.card, position=event.after)
            case MaterialDetached():
                self._materials[event.card] = max(0, self._materials.get(event.card, 0) - 1)
            case Equipped():
                self._change(event.card, equipped_to=event.to)
            case StatChanged():
                self._change(event.card, atk=event.atk, def_=event.def_)
            case DeterminedDestroyed():
                self._change(event.card, doomed=True)
            case DestructionReplaced():
                self._replace(event)
            case _:
                pass

    def _change(self, card: int, **changes: Any) -> None:
        if card in self._cards:
            self._cards[card] = replace(self._cards[card], **changes)

    def _move(self, event: Moved) -> None:
        look = self._cards.pop(event.card, None)
        if event.card not in self._faces:
            self._appear(event.card, None, event.origin.player)
        if event.to is None:
            return
        look = _placed(look or Look(card=event.card, side=event.to.player, zone=event.to.zone), event.to)
        if event.to.zone not in FIELD:
            look = self._off_the_field(look)
        self._cards[event.card] = look

    def _off_the_field(self, look: Look) -> Look:
        """Off the field a card is as it is printed, and nothing is equipped to it."""
        face = self._faces[look.card]
        for known in (self._counters, self._materials, self._turn_notes):
            known.pop(look.card, None)
        self._statuses.pop((look.card, None), None)
        for card, other in self._cards.items():
            if other.equipped_to == look.card:
                self._cards[card] = replace(other, equipped_to=None)
        return Look(
            card=look.card,
            side=look.side,
            zone=look.zone,
            index=look.index,
            position=look.position,
            atk=face.atk,
            def_=face.def_,
        )

    def _replace(self, event: DestructionReplaced) -> None:
        """Where a card is its own substitute, one of its materials goes, or its only kind of counter."""
        counters = self._counters.get(event.card, {})
        if event.card != event.substitute:
            return
        if self._materials.get(event.card):
            self._materials[event.card] -= 1
        elif len(counters) == 1:
            name, count = counters.popitem()
            if count > 1:
                counters[name] = count - 1

    def _change_link(self, number: int, state: LinkState) -> None:
        if number in self._chain:
            self._chain[number] = replace(self._chain[number], state=state)

    def _change_status(self, event: StatusChanged) -> None:
        statuses = self._statuses.setdefault((event.card, event.player), {})
        if event.active:
            statuses[event.status] = None
        else:
            statuses.pop(event.status, None)

    # --- what is true of a card besides -----------------------------------------------------------------------------------

    def _with_notes(self, look: Look) -> Look:
        notes = tuple(self._notes(look))
        return replace(look, notes=notes) if notes else look

    def _notes(self, look: Look) -> Iterator[str]:
        yield from self._status_notes(look.card, None)
        if look.card in self._turn_notes:
            yield self._turn_notes[look.card]
        if self._materials.get(look.card):
            yield f"{self._materials[look.card]} Xyz Material"
        for counter, count in self._counters.get(look.card, {}).items():
            yield f"{count} {one_line(counter, 40)}"
        if look.equipped_to is not None:
            yield f"equipped to {self._cast.name(look.equipped_to)}"

    def _status_notes(self, card: int | None, player: Player | None) -> tuple[str, ...]:
        return tuple(STATUS_NOTES[status] for status in self._statuses.get((card, player), ()))


def _placed(look: Look, to: Place) -> Look:
    return replace(look, side=to.player, zone=to.zone, index=to.index, position=to.position)


def _touched(event: Event) -> Iterator[int]:
    """The cards that an event is about."""
    if isinstance(event, Decided):
        if 0 <= event.chosen < len(event.decision.options) and not event.forced:
            card = event.decision.options[event.chosen].card
            yield from () if card is None else (card,)
        return
    if isinstance(event, Activated):
        yield from (event.card, *event.targets)
        return
    for name in ("card", "attacker", "target", "to", "substitute"):
        card = getattr(event, name, None)
        if isinstance(card, int):
            yield card


def _kind(facts: CardFacts | None) -> str:
    if facts is None:
        return "unknown"
    if facts.type != "monster":
        return facts.type
    if facts.token:
        return "token"
    return next((frame for frame in _FRAMES if frame in facts.frame), "normal")


def _line(facts: CardFacts | None) -> str:
    if facts is None:
        return "card that is not in the pool"
    if facts.type != "monster":
        return f"{(facts.property or 'normal').capitalize()} {facts.type.capitalize()}"
    rank = "Rank" if "xyz" in facts.frame else "Link" if "link" in facts.frame else "Level"
    parts = (
        None if facts.level is None else f"{rank} {facts.level}",
        facts.attribute,
        facts.race,
        " ".join(frame.capitalize() for frame in facts.frame),
    )
    return " · ".join(part for part in parts if part)
