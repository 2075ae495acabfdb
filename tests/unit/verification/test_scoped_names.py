"""A name that its own function declares elsewhere is none that a build gives."""

from __future__ import annotations

import pytest

from cudamigrate.model.verification import Place
from cudamigrate.verification import scoped_names

CODE = b"""\
int CF(int a);
__global__ void f(int K) {
    const int n = K / CF;
    constexpr int CF = 8;
    for (int c = 0; c < n; c++) {}
    int b = c + other;
#ifdef WIDE
    int lanes = 64;
#endif
    use(lanes);
}
void g() { int other = 1; x = CF; }
"""


def said(name: str, line: int, column: int, message: str = "use of undeclared identifier '%s'") -> str:
    return scoped_names.advice(message % name, Place("a.cu", line, column), lambda _: CODE)


@pytest.mark.parametrize(
    ("name", "line", "column", "part"),
    [("CF", 3, 23, "is declared in line 4, behind its use"), ("c", 6, 13, "is declared in line 5, in another scope")],
)
def test_where_the_function_declares_it_is_said(name: str, line: int, column: int, part: str) -> None:
    assert part in said(name, line, column) and scoped_names.NONE in said(name, line, column)


@pytest.mark.parametrize(
    ("name", "line", "column"),
    [
        ("other", 6, 17),  # of another function
        ("lanes", 10, 9),  # under a condition that the use is not under
        ("CF", 12, 31),
        ("WIDE", 7, 8),
        ("x", 99, 1),
    ],
)
def test_what_a_build_may_give_is_none(name: str, line: int, column: int) -> None:
    assert said(name, line, column) == ""


@pytest.mark.parametrize(
    ("code", "line", "seen"),
    [
        ("void f() {\n    int *one = 0;\n    if (g()) {\n        h(one);\n    }\n}\n", 4, True),
        ("void f() {\n    for (int one = 0; one < 2; ++one) {\n        h(one);\n    }\n}\n", 3, True),
        ("void f() {\n    if (g()) {\n        int one = 0;\n    }\n    h(one);\n}\n", 5, False),
    ],
)
def test_a_declaration_that_is_seen_is_not_the_cause(code: str, line: int, seen: bool) -> None:
    column = code.splitlines()[line - 1].index("one") + 1
    place = Place("a.c", line, column)
    made = scoped_names.advice("use of undeclared identifier 'one'", place, lambda _: code.encode())
    assert (made == "") is seen


def test_another_complaint_is_none() -> None:
    assert said("CF", 3, 23, "no member named '%s' in 'a'") == ""


@pytest.mark.parametrize(
    ("code", "local"),
    [
        ("void f() { const int row = 1; }\nvoid g() { use(row); }\n", True),
        ("void f() { for (int row = 0; row < 2; ++row) {} }\nvoid g() { use(row); }\n", True),
        ("int row = 1;\nvoid g() { use(row); }\n", False),
        ("void f() { int row = 1; }\nextern int row;\nvoid g() { use(row); }\n", False),
        ("void g() { use(row); }\n", False),
    ],
)
def test_a_name_that_other_functions_alone_declare_is_local(code: str, local: bool) -> None:
    said = "use of undeclared identifier 'row'"
    assert scoped_names.is_local(said, Place("a.cu", 2, 16), lambda path: code.encode()) is local
    assert not scoped_names.is_local("no matching function", Place("a.cu", 2, 16), lambda path: code.encode())
