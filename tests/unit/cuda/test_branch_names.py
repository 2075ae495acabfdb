"""What a branch declares for the code around it, and what it calls."""

from __future__ import annotations

import pytest

from cudamigrate.cuda.branch_names import calls, declared


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("int f(int a);", {b"f"}),
        ("template <class T> __device__ T f(T a) { int g(int); T b = a; return b; }", {b"f"}),
        (
            "namespace n { struct S { int m(); }; enum E { A }; using U = int; typedef int D; }",
            {b"S", b"E", b"U", b"D"},
        ),
        ("#define M(a) a\n#define N 1\n", {b"M", b"N"}),
        ('extern "C" { void f(void); }\n#if X\nvoid g();\n#else\nvoid h();\n#endif\n', {b"f", b"g", b"h"}),
        ("int v = f(1); v = 2;", set()),
        ("static int *f() { return 0; }", {b"f"}),
        ("}} #if (", set()),
    ],
)
def test_what_the_code_around_sees(text: str, names: set[bytes]) -> None:
    assert set(declared(text.encode()).names) == names


def test_functions_take_as_many_arguments_as_one_of_their_declarations() -> None:
    found = declared(b"int f(int a, int b = 2); int f(); int g(void); int h(int, ...);\n#define M 1\n")
    assert [found.takes(b"f", count) for count in range(4)] == [True, True, True, False]
    assert (found.takes(b"g", 0), found.takes(b"g", 1), found.takes(b"M", 7), found.takes(b"x", 0)) == (
        True,
        False,
        True,
        False,
    )
    assert found.takes(b"h", 9) and not found.takes(b"h", 0)


def test_calls_are_those_by_a_name_without_its_namespaces() -> None:
    text = b"void k() { f(1, 2); g<3>(a); x.m(1); n::p(2); (*q)(3); h(/* none */); }"
    assert set(calls(text)) == {(b"f", 2), (b"g", 1), (b"p", 1), (b"h", 0)}
