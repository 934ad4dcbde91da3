"""Random duels, each rule of the catalogue with a focus of its own, and the reducer that makes counterexamples minimal."""

from strategies.duels import Duel, batches, duels
from strategies.focus import Focus
from strategies.focuses import FOCUSES
from strategies.reducer import Fails, Reduced, reduce

__all__ = ["FOCUSES", "Duel", "Fails", "Focus", "Reduced", "batches", "duels", "reduce"]
