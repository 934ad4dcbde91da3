"""The commands of ``duelproof``, one module each."""
