"""Names that a complaint asks for and the tree declares."""

from __future__ import annotations

import pytest

from cudamigrate.model.verification import Diagnostic, Place
from cudamigrate.verification.own_names import is_own

TEXT = b"""template <typename To, typename From>
__device__ inline To own_cast(From value)
{
  return own_cast(value);
}
void use() { auto x = own_cast<float>(y); }
float2 *own_cast <float2>(int2 value);
"""


@pytest.mark.parametrize(
    ("message", "path", "line", "found"),
    [
        ("no matching function for call to 'own_cast'", "a.cuh", 2, True),
        ("no matching function for call to 'own_cast'", "a.cuh", 7, True),
        ("no matching function for call to 'own_cast'", "a.cuh", 4, False),  # a call
        ("no matching function for call to 'own_cast'", "a.cuh", 6, False),
        ("no matching function for call to 'own_cast'", "/usr/include/a.cuh", 2, False),
        ("no matching function for call to 'own_cast'", "a.cuh", 99, False),
        ("use of undeclared identifier 'own_cast'", "a.cuh", 2, False),
    ],
)
def test_a_function_is_the_trees_where_a_note_points_at_its_declaration(
    message: str, path: str, line: int, found: bool
) -> None:
    entry = Diagnostic("error", Place("b.cu", 9, 1), message, "device", notes=(Place(path, line, 1),))
    assert is_own(lambda _: TEXT, entry, "own_cast") is found
