"""Random duels, each rule of the catalogue with a focus of its own, and the reducer that makes counterexamples minimal."""

from strategies.duels import Duel, batches, duels
from strategies.focus import Focus
from strategies.focuses import FOCUSES
from strategies.reducer import Fails, Reduced, reduce
from strategies.ruleset_focuses import FOCUSED, focuses_of

__all__ = ["FOCUSED", "FOCUSES", "Duel", "Fails", "Focus", "Reduced", "batches", "duels", "focuses_of", "reduce"]
