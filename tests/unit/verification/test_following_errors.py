"""What follows from a declaration that was refused is no complaint of its own."""

from __future__ import annotations

import pytest

from cudamigrate.model.verification import Diagnostic, Place
from cudamigrate.verification import following_errors

CODE = b"__device__ int f(int n) {\n    real x, *y = 0;\n    if (n) return x;\n    return z + *y;\n}\n"
AMBIGUOUS = "reference to 'real' is ambiguous"


def entry(message: str, line: int, column: int = 5, path: str = "a.cu", kind: str = "error") -> Diagnostic:
    return Diagnostic(kind, Place(path, line, column), message, "device")  # type: ignore[arg-type]


def left(*entries: Diagnostic) -> list[str]:
    return [one.message for one in following_errors.without(entries, lambda _: CODE)]


@pytest.mark.parametrize("first", [AMBIGUOUS, "unknown type name 'real'", "no type named 'real' in namespace 'a'"])
@pytest.mark.parametrize("name", ["x", "y"])
def test_names_of_a_refused_declaration(first: str, name: str) -> None:
    assert left(entry(first, 2), entry(f"use of undeclared identifier '{name}'", 3)) == [first]


@pytest.mark.parametrize(
    "other",
    [
        entry("use of undeclared identifier 'z'", 4),  # it does not declare it
        entry("use of undeclared identifier 'x'", 1),  # before it
        entry("use of undeclared identifier 'x'", 3, path="b.cu"),
        entry("no matching function for call to 'x'", 3),
        entry("use of undeclared identifier 'x'", 3, kind="stand-in"),
    ],
)
def test_other_complaints_stay(other: Diagnostic) -> None:
    assert left(entry(AMBIGUOUS, 2), other) == [AMBIGUOUS, other.message]


@pytest.mark.parametrize("first", ["cannot initialize a variable of type 'int'", "expected ';' after expression"])
def test_other_errors_refuse_no_declaration(first: str) -> None:
    undeclared = "use of undeclared identifier 'x'"
    assert left(entry(first, 2), entry(undeclared, 3)) == [first, undeclared]


def test_places_that_the_file_does_not_have() -> None:
    assert left(entry(AMBIGUOUS, 90), entry("use of undeclared identifier 'x'", 91)) == [
        AMBIGUOUS,
        "use of undeclared identifier 'x'",
    ]
