"""What can go wrong between duelproof and an engine, or with a file somebody hands in.

Every error carries one sentence for the person who reads it: what is wrong, where, and what to do. The command line prints that
sentence and nothing else.
"""

from __future__ import annotations


class DuelproofError(Exception):
    """Base of all errors meant for people. ``str(error)`` is the sentence to show."""


class InputError(DuelproofError):
    """A file, option or card that the user gave is wrong (exit status 2)."""


class EngineError(DuelproofError):
    """The engine cannot be used, or broke the contract (exit status 3 when it happens before any duel)."""

    #: A short, stable word for reports: ``crash``, ``hang``, ``endless``, ``protocol``, ``unavailable``, ``refused``.
    code = "engine"


class EngineUnavailable(EngineError):
    """The engine could not be started, or speaks another protocol version."""

    code = "unavailable"


class EngineCrash(EngineError):
    """The engine's process ended, or its Python code raised, while a duel was going on."""

    code = "crash"


class EngineHang(EngineError):
    """The engine did not answer in time."""

    code = "hang"


class DuelEndless(EngineHang):
    """The engine answers, but its Battle Phase does not end (IV-3)."""

    code = "endless"


class EngineProtocolError(EngineError):
    """The engine answered with something that is no message of the protocol."""

    code = "protocol"


class OptionNotOffered(EngineError):
    """The engine refused a choice because it is none of the options of the open decision (this is what IV-2 asks for)."""

    code = "refused"


class BoardNotSupported(EngineError):
    """The engine said that it cannot set this board up (unknown card, custom stats, ruleset)."""

    code = "unsupported"
