"""Seeded faults: the reference engine, each time wrong in one way, and the rule that must catch it."""
