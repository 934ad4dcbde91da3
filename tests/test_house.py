"""House rules that no linter knows."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("engine_protocol", "reference_engine", "oracles", "strategies", "reports", "conformance")
MODULES = [path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))]
FLOW = [path for path in MODULES if path.relative_to(ROOT).parts[0] in {"reference_engine", "oracles"}]
IDENTITIES = {"ruleset", "passcode"}


def _name(path: Path) -> str:
    return str(path.relative_to(ROOT))


def _asks_for_an_identity(node: ast.expr) -> bool:
    """Whether the expression is a ruleset, its name or a passcode: ``ruleset``, ``board.ruleset``, ``ruleset.name``."""
    match node:
        case ast.Attribute(value=value, attr="name"):
            return _asks_for_an_identity(value)
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name in IDENTITIES
        case _:
            return False


def _is_literal(node: ast.expr) -> bool:
    """Whether the expression is a constant other than None, or a display of constants."""
    match node:
        case ast.Constant(value=value):
            return value is not None
        case ast.Tuple(elts=elements) | ast.Set(elts=elements) | ast.List(elts=elements):
            return all(map(_is_literal, elements))
        case _:
            return False


def special_cases(tree: ast.AST) -> Iterator[int]:
    """Lines where code asks which ruleset or which card it has, instead of reading a parameter or a fact."""
    for node in ast.walk(tree):
        match node:
            case ast.Compare(left=left, comparators=comparators):
                sides = [left, *comparators]
                if any(map(_asks_for_an_identity, sides)) and any(map(_is_literal, sides)):
                    yield node.lineno
            case ast.Match(subject=subject) if _asks_for_an_identity(subject):
                yield node.lineno


def swallowing_excepts(tree: ast.AST) -> Iterator[int]:
    """Lines of handlers that catch everything and do not raise."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ExceptHandler):
            caught = {name.id for name in ast.walk(node.type) if isinstance(name, ast.Name)} if node.type else {"BaseException"}
            if caught & {"Exception", "BaseException"} and not any(isinstance(inner, ast.Raise) for inner in ast.walk(node)):
                yield node.lineno


@pytest.mark.parametrize("path", MODULES, ids=_name)
def test_module_says_what_it_is(path: Path) -> None:
    """Every module opens with a docstring."""
    assert ast.get_docstring(ast.parse(path.read_text("utf-8")))


@pytest.mark.parametrize("path", FLOW, ids=_name)
def test_no_special_cases(path: Path) -> None:
    """Rulesets act through their parameters and cards through their facts, never by name or passcode."""
    assert list(special_cases(ast.parse(path.read_text("utf-8")))) == []


@pytest.mark.parametrize("path", MODULES, ids=_name)
def test_no_swallowed_errors(path: Path) -> None:
    """No handler catches everything and goes on as if nothing had happened."""
    assert list(swallowing_excepts(ast.parse(path.read_text("utf-8")))) == []


@pytest.mark.parametrize(
    "code",
    [
        "if ruleset.name == 'ocg-2023': pass",
        "if board.ruleset != 'ocg-2023': pass",
        "if card.passcode in (44095762, 5318639): pass",
        "match board.ruleset:\n    case 'ocg-2023': pass",
    ],
)
def test_special_case_is_noticed(code: str) -> None:
    """The check for special cases sees each way to write one."""
    assert list(special_cases(ast.parse(code))) == [1]


@pytest.mark.parametrize(
    "code", ["if ruleset.equal_zero_destroys: pass", "if facts.passcode == card.passcode: pass", "if ruleset is None: pass"]
)
def test_parameters_are_no_special_case(code: str) -> None:
    """Reading a parameter, and comparing two cards with one another, is how it should be."""
    assert list(special_cases(ast.parse(code))) == []


@pytest.mark.parametrize("handler", ["except:", "except Exception:", "except (OSError, BaseException) as error:"])
def test_swallowed_error_is_noticed(handler: str) -> None:
    """The check for swallowed errors sees each way to catch everything, and lets a handler pass that raises."""
    assert list(swallowing_excepts(ast.parse(f"try:\n    f()\n{handler}\n    g()"))) == [3]
    assert list(swallowing_excepts(ast.parse(f"try:\n    f()\n{handler}\n    raise Other from None"))) == []
