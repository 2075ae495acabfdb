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


UNTYPED = b"""\
void f() {
    constexpr row = 1, column = row * 2;
    use(column);
    use(other);
}
using values = std::array<int, 4>;
values v;
"""
NO_TYPE = "a type specifier is required for all declarations"


def of_untyped(*entries: Diagnostic) -> list[str]:
    return [one.message for one in following_errors.without(entries, lambda _: UNTYPED)]


def test_what_a_declaration_without_a_type_names_follows_from_it() -> None:
    found = (entry(NO_TYPE, 2, 15), entry("expected ';' at end of declaration", 2, 32))
    assert of_untyped(*found, entry("use of undeclared identifier 'column'", 3, 9)) == [NO_TYPE]


def test_another_name_for_a_type_that_is_not_there_follows_from_that() -> None:
    first = "no template named 'array' in namespace 'std'"
    assert of_untyped(entry(first, 6, 21), entry("unknown type name 'values'", 7, 1)) == [first]


@pytest.mark.parametrize(
    "other", [entry("use of undeclared identifier 'other'", 4), entry("expected ';' after expression", 4)]
)
def test_what_such_a_declaration_does_not_name_stays(other: Diagnostic) -> None:
    assert of_untyped(entry(NO_TYPE, 2, 15), other) == [NO_TYPE, other.message]
