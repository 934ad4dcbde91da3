"""The pytest plugin: options, and one item for each rule and ruling of ``pytest --pyargs conformance``.

It is loaded into every pytest run of an environment that has duelproof, so it imports nothing until it is needed.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from conformance.suite import Suite

SUITE = pytest.StashKey["Suite"]()
MODULE = "conformance.test_rules"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The options of the suite."""
    group = parser.getgroup("duelproof", "conformance of Battle Phase engines (pytest --pyargs conformance)")
    group.addoption(
        "--duel-engine", default="reference", metavar="E", help="reference, python:MODULE:ATTRIBUTE or cmd:COMMAND LINE"
    )
    group.addoption("--duel-ruleset", default=None, metavar="R", help="the ruleset")
    group.addoption("--duel-rules", default=None, metavar="PATTERN", help="only these rules and rulings: DS-*,DC-1")
    group.addoption("--duel-examples", default=None, type=int, metavar="N", help="random duels for each rule")
    group.addoption("--duel-seed", default=0, type=int, metavar="S", help="decides which duels are drawn")
    group.addoption("--duel-timeout", default=None, type=float, metavar="S", help="seconds the engine has for one answer")
    group.addoption("--duel-findings", default="duelproof-findings", metavar="DIR", help="where counterexamples are written")
    group.addoption("--duel-strict", action="store_true", help="a rule that was hardly at stake fails instead of being skipped")


def pytest_configure(config: pytest.Config) -> None:
    """Wrong options are said at once, not as an error of collection; without options nothing is imported."""
    if any(config.getoption(name) for name in ("duel_ruleset", "duel_rules", "duel_examples", "duel_strict")):
        _suite(config)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """One item for each rule and for each ruling."""
    if {"duel_rule", "duel_ruling"} & set(metafunc.fixturenames):
        suite = _suite(metafunc.config)
        for name, ids in (("duel_rule", suite.selection.rules), ("duel_ruling", suite.selection.rulings)):
            if name in metafunc.fixturenames:
                metafunc.parametrize(name, ids)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Where no rule, or no ruling, is chosen, pytest makes an empty item of it; away with that."""
    items[:] = [item for item in items if not (item.name.endswith("[NOTSET]") and _module(item) == MODULE)]


@pytest.fixture(scope="session")
def duel_suite(request: pytest.FixtureRequest) -> Iterator[Suite]:
    """The suite with its engine, one for each pytest process."""
    suite = _suite(request.config)
    yield suite
    suite.close()


def _module(item: pytest.Item) -> str | None:
    return item.module.__name__ if isinstance(item, pytest.Function) else None


def _suite(config: pytest.Config) -> Suite:
    if SUITE not in config.stash:
        module = import_module("conformance.suite")
        try:
            config.stash[SUITE] = module.suite_of(config.getoption)
        except module.DuelproofError as error:
            raise pytest.UsageError(str(error)) from None
    return config.stash[SUITE]
