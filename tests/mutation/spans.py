"""The parts of a module in which a mutation changes nothing that is ever run, or makes no Python of it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

Position = tuple[int, int]


def idle_spans(source: str) -> tuple[tuple[Position, Position], ...]:
    """Beginning and end of each such part as (line from 1, column from 0): annotations, which the module must not evaluate;
    what is for the type checker; and patterns, whose `|` is no operator.
    """
    return tuple(
        ((node.lineno, node.col_offset), (node.end_lineno or node.lineno, node.end_col_offset or node.col_offset))
        for node in _idle(ast.parse(source))
    )


def _idle(tree: ast.Module) -> Iterator[ast.expr | ast.stmt | ast.pattern]:
    for node in ast.walk(tree):
        match node:
            case ast.arg(annotation=ast.expr() as annotation) | ast.AnnAssign(annotation=annotation):
                yield annotation
            case ast.FunctionDef(returns=ast.expr() as returns):
                yield returns
            case ast.If(test=ast.Name(id="TYPE_CHECKING")):
                yield node
            case ast.MatchOr():
                yield node
