"""Engines that claim one ruleset: ``python:tests.conformance.claims:duel_arena``. ``stubborn`` claims another than it plays."""

from __future__ import annotations

from conformance.asked import AskedFor
from engine_protocol.engine import EngineInfo
from reference_engine import ReferenceEngine


def expert_2007() -> ReferenceEngine:
    """Claims ``expert-2007``."""
    return ReferenceEngine("expert-2007")


def master_rule_2() -> ReferenceEngine:
    """Claims ``master-rule-2``."""
    return ReferenceEngine("master-rule-2")


def master_rule_3() -> ReferenceEngine:
    """Claims ``master-rule-3``."""
    return ReferenceEngine("master-rule-3")


def ocg_2023() -> ReferenceEngine:
    """Claims ``ocg-2023``."""
    return ReferenceEngine("ocg-2023")


def duel_arena() -> ReferenceEngine:
    """Claims ``duel-arena``."""
    return ReferenceEngine("duel-arena")


class Stubborn(AskedFor):
    """Claims the rules of today and plays those of Master Rule 3."""

    def __init__(self) -> None:
        super().__init__(ReferenceEngine("master-rule-3"), "master-rule-3")

    def initialize(self) -> EngineInfo:
        """A wrong claim."""
        return ReferenceEngine("ocg-2023").initialize()


def two() -> ReferenceEngine:
    """Claims the first and the last of the five."""
    engine = ReferenceEngine()
    engine._rulesets = ("expert-2007", "duel-arena")
    return engine


def foreign() -> ReferenceEngine:
    """Claims a ruleset that nobody knows."""
    engine = ReferenceEngine()
    engine._rulesets = ("goat-format",)
    return engine
