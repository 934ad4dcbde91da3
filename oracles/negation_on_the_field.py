"""BD-14: how far what negates monsters on the field reaches."""

from __future__ import annotations

from typing import Final

from engine_protocol.events import LinkResolved, LinkResolving
from engine_protocol.vocabulary import MONSTER_ZONES
from oracles.oracle import Oracle
from oracles.view import Link, View

_NEGATES: Final = frozenset({"negates-effect", "negates-activation"})


class NegationOnTheField(Oracle):
    """Two-sided. While a Continuous Spell or Trap negates monsters on the field, an effect that a monster activated in the
    Graveyard must not be negated, unless something else may have done that; and one of a monster that is there, and whose effects
    are said to be negated, must not be applied. At stake at each such Chain Link.
    """

    id = "BD-14"
    title = "Negation on the field does not reach the Graveyard"
    statement = (
        "What negates the effects of monsters on the field negates those of a monster determined destroyed too, as long as it is"
        " there; it does not negate an effect activated in the Graveyard."
    )
    citations = (("expert-2007", "4.C"), ("damage-step-wiki-before", "5; 6"))

    def prepare(self) -> None:
        self.negated: Link | None = None

    def on_link_resolving(self, event: LinkResolving, view: View) -> None:
        link = view.chain[event.link - 1]
        card = link.card
        there = card.facts.type == "monster" and card.key == link.card_key and card.zone in MONSTER_ZONES
        self.negated = link if there and "effects-negated" in card.statuses else None

    def on_link_resolved(self, event: LinkResolved, view: View) -> None:
        link = view.chain[event.link - 1]
        if self.negated is link:
            self.stake()
            if event.outcome == "resolved":
                self._fail(link, "its effects are negated, so it is not applied", "it was applied")
        elif link.place.zone == "graveyard" and link.card.facts.type == "monster" and self._negated_on_the_field_only(link, view):
            self.stake()
            if event.outcome == "effect-negated":
                self._fail(link, "what negates monsters on the field does not reach the Graveyard", "it was negated")
        self.negated = None

    @staticmethod
    def _negated_on_the_field_only(link: Link, view: View) -> bool:
        """Whether something negates monsters on the field, and nothing could negate this effect."""
        found = False
        for card in view.passive_cards:
            if "negates-destroyed" in card.known.passive_categories:
                return False
            if "negates-effect" in card.known.passive_categories and card.on_field and card.face_up:
                if card.facts.property != "continuous":
                    return False
                found = True
        answered = any(
            other.number > link.number and (other.facts is None or other.facts.categories & _NEGATES) for other in view.chain
        )
        return found and not answered and view.opaque_card() is None

    def _fail(self, link: Link, expected: str, happened: str) -> None:
        self.fail(expected=f"the effect of {link.card!r}: {expected}", happened=happened, cards=(link.card.id,))


ORACLES: Final[tuple[type[Oracle], ...]] = (NegationOnTheField,)
