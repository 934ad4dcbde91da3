"""Monitors for the rules of the Battle Phase: what a trace shows, held against the documents.

``RULES`` are the rules by id; :func:`judge` holds one trace against them. Oracles know the trace and the card facts, never an
engine. See :mod:`oracles.oracle` for how to write one, :mod:`oracles.view` for what it sees, :mod:`oracles.legality` for what may
be activated as far as the facts say.
"""

from oracles.judging import RULES, Judgement, judge, rules_of
from oracles.oracle import Rule, Severity, Violation

__all__ = ["RULES", "Judgement", "Rule", "Severity", "Violation", "judge", "rules_of"]
