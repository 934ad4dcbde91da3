"""The cards of a duel by the names a duelist would use, told apart where two copies are in play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from engine_protocol.cards import CardFacts
from engine_protocol.events import TokenCreated
from engine_protocol.trace import Trace


class Cast:
    """Names of the cards of one duel by instance id. An id that the engine made up is told as ``card #9``."""

    def __init__(self, trace: Trace, pool: Mapping[int, CardFacts]) -> None:
        self._facts: dict[int, CardFacts | None] = {card.id: pool.get(card.passcode) for card in trace.board.cards}
        self._names = {card.id: _name(pool, card.passcode) for card in trace.board.cards}
        for event in trace.events:
            if isinstance(event, TokenCreated):
                self._facts[event.card] = pool.get(event.passcode)
                self._names[event.card] = _name(pool, event.passcode)
        copies = Counter(self._names.values())
        self._names = {card: name if copies[name] == 1 else f"{name} #{card}" for card, name in self._names.items()}

    def name(self, card: int | None) -> str:
        """What to call the card with this instance id."""
        if card is None:
            return "nothing"
        return self._names.get(card, f"card #{card}")

    def names(self, cards: tuple[int, ...]) -> str:
        """Several of them: ``A``, ``A and B``, ``A, B and C``."""
        return joined(tuple(self.name(card) for card in cards))

    def facts(self, card: int) -> CardFacts | None:
        """The facts of the card with this instance id, None where no such card is known."""
        return self._facts.get(card)


def joined(words: tuple[str, ...], last: str = "and") -> str:
    """``a``, ``a and b``, ``a, b and c``."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {last} {words[-1]}"


def _name(pool: Mapping[int, CardFacts], passcode: int) -> str:
    facts = pool.get(passcode)
    return facts.name if facts else f"the card with passcode {passcode}"
