"""What of a module is not worth mutating."""

from __future__ import annotations

from tests.mutation.spans import idle_spans

SOURCE = """\
from typing import TYPE_CHECKING
if TYPE_CHECKING:
    import a
def f(x: int | None, y=1 | 2) -> str | None:
    z: set[int] | None = x | y
    match z:
        case 1 | 2:
            return 1 | 2
    if y:
        return None
"""


def test_annotations_imports_for_types_and_patterns_are_idle() -> None:
    """The spans hold exactly the parts that are never run as written, or cannot be written otherwise."""
    lines = SOURCE.splitlines()
    idle = set()
    for (line, column), (last, end) in idle_spans(SOURCE):
        idle.add(lines[line - 1][column:] if line != last else lines[line - 1][column:end])
    assert idle == {"if TYPE_CHECKING:", "int | None", "str | None", "set[int] | None", "1 | 2"}
    assert [begin for begin, _ in idle_spans(SOURCE) if begin[0] in (7, 8)] == [(7, 13)]
