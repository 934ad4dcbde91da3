"""The vocabulary that every room of duelproof speaks, and the contract with an engine."""
