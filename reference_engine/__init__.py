"""A readable engine in pure Python that plays Battle Phases as the documents describe them."""

from reference_engine.engine import ReferenceEngine

__all__ = ["ReferenceEngine"]
