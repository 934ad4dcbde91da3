"""The operator that takes statements away."""

from __future__ import annotations

import pytest

pytest.importorskip("cosmic_ray", reason="there only where `make mutation` has been used")

from cosmic_ray.mutating import mutate_code

from tests.mutation.operators import DeleteStatement

SOURCE = """\
import a
A = a.f()
def f(x):
    \"\"\"Says what it does.\"\"\"
    y: int = x
    y, z = x
    x.y = 1
    x += 1
    if y:
        yield from f(y)
    return y
"""


def mutants() -> list[str]:
    """Everything that it makes of the source."""
    made: list[str] = []
    while (code := mutate_code(SOURCE, DeleteStatement(), len(made))) is not None:
        made.append(code)
    return made


def test_each_statement_that_does_something_is_missing_once() -> None:
    """Of a function, not of the module; what only names a value, and the docstring, stay. A generator stays a generator."""
    assert mutants() == [
        SOURCE.replace("x.y = 1", "pass"),
        SOURCE.replace("x += 1", "pass"),
        SOURCE.replace("yield from f(y)", "yield from ()"),
        SOURCE.replace("return y", "pass"),
    ]


@pytest.mark.parametrize("example", DeleteStatement.examples(), ids=lambda example: example.post_mutation_code)
def test_it_does_what_its_examples_tell(example: object) -> None:
    """cosmic-ray shows them to people."""
    assert mutate_code(example.pre_mutation_code, DeleteStatement(), 0) == example.post_mutation_code  # type: ignore[attr-defined]
