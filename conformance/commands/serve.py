"""``duelproof serve``."""

from __future__ import annotations

import click

from conformance.options import ruleset_option
from engine_protocol.rulesets import ruleset_named
from engine_protocol.server import serve
from reference_engine import ReferenceEngine


@click.command()
@ruleset_option
def command(ruleset: str) -> None:
    """Put the reference engine on stdio: one JSON-RPC 2.0 message a line."""
    serve(ReferenceEngine(ruleset_named(ruleset).name))
