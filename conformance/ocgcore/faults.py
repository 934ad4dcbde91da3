"""What can go wrong with the core while a duel is going on."""

from __future__ import annotations


class CoreFault(RuntimeError):
    """The core, or one of its scripts, failed in a duel. The message is one line for people; the duel is a finding."""
