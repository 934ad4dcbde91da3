"""A further operator for cosmic-ray, which changes words of statements but leaves every statement where it is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import parso
from cosmic_ray.operators.operator import Example, Operator

Position = tuple[tuple[int, int], tuple[int, int]]

_NOT_DELETED = ("string", "import_name", "import_from", "global_stmt", "assert_stmt")


class DeleteStatement(Operator):  # type: ignore[misc]  # cosmic-ray has no types
    """One statement of a function is missing.

    Statements that only give a local name a value stay: without them every use of the name would be an error, which says nothing.
    """

    def mutation_positions(self, node: Any) -> Iterator[Position]:
        """Where a statement could be missing."""
        if node.type == "simple_stmt" and _inside_function(node) and _does_something(node.children[0]):
            yield node.children[0].start_pos, node.children[0].end_pos

    def mutate(self, node: Any, index: int) -> Any:  # noqa: ARG002 - there is one way only
        """The node without its statement. A generator stays one."""
        statement = node.children[0]
        replacement = "yield from ()" if statement.type == "yield_expr" else "pass"
        node.children[0] = parso.parse(replacement).children[0]
        node.children[0].get_first_leaf().prefix = statement.get_first_leaf().prefix
        return node

    @classmethod
    def examples(cls) -> tuple[Any, ...]:
        """What it does, as cosmic-ray wants it told."""
        return (
            Example("def f():\n    g()\n", "def f():\n    pass\n"),
            Example("def f():\n    yield from g()\n    return\n", "def f():\n    yield from ()\n    return\n"),
        )


class Provider:
    """The operators of this module, for cosmic-ray."""

    def __iter__(self) -> Iterator[str]:
        return iter(("DeleteStatement",))

    def __getitem__(self, name: str) -> type[DeleteStatement]:
        return {"DeleteStatement": DeleteStatement}[name]


def _inside_function(node: Any) -> bool:
    while node is not None and node.type != "funcdef":
        node = node.parent
    return node is not None


def _does_something(statement: Any) -> bool:
    if statement.type in _NOT_DELETED or statement.get_code(include_prefix=False) == "pass":
        return False
    if statement.type != "expr_stmt":
        return True
    target, sign = statement.children[:2]
    return target.type not in ("name", "testlist_star_expr") or (sign.type == "operator" and sign.value != "=")
