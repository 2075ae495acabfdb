"""What detectors find in files that repeat themselves, and how the work on them grows."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from work import STEPS, calls

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.detectors import launch_vector, object_number
from cudamigrate.frontends import cuda
from cudamigrate.model import Hit, SourceFile
from cudamigrate.ptx import loops


def parse(text: str) -> ParsedFile:
    return cuda.parse(SourceFile("a.cu", text.encode(), "cuda"), frozenset())


def texts(parsed: ParsedFile, hits: Iterator[Hit]) -> list[tuple[int, str]]:
    return [
        (parsed.data.count(b"\n", 0, one.use.span.start), parsed.data[one.use.span.start : one.use.span.end].decode())
        for one in hits
    ]


@pytest.mark.parametrize(
    ("text", "hits"),
    [
        ("void g(cudaTextureObject_t a);\nbool f(A *p) { return a == 5; }", [(1, "5")]),
        ("void g(cudaTextureObject_t a);\nbool f(A *p) { return p->a == 5 || q.a == 5 || aa == 5; }", []),
        ("bool f() { return a == 5; }\nvoid g(cudaTextureObject_t a);", []),
        ("void g(cudaTextureObject_t a) {}\nbool f(int a) { return a == 5; }", []),
        ("void g(cudaTextureObject_t a);\nvoid h(cudaTextureObject_t a);\nbool f() { return a == 5; }", [(2, "5")]),
    ],
)
def test_an_object_is_known_where_it_is_declared_and_behind(text: str, hits: list[tuple[int, str]]) -> None:
    parsed = parse(text)
    assert texts(parsed, object_number.find(parsed)) == hits


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("uint3 n; k<<<n, 1>>>();\nk<<<n, 1>>>();", [0, 1]),
        ("dim3 n; k<<<n, 1>>>();\nuint3 n; k<<<n, 1>>>();", [1]),
        ("uint3 n; k<<<n, 1>>>();\ndim3 n; k<<<n, 1>>>();", [0]),
        ("k<<<n, 1>>>();\nuint3 n;", []),
        ("uint3 m; dim3 n; k<<<n, 1>>>();", []),
    ],
)
def test_the_last_declaration_before_a_launch_says_what_its_size_is(body: str, lines: list[int]) -> None:
    parsed = parse("__global__ void k(); void f() { " + body + " }\nvoid g() { dim3 n; k<<<n, 1>>>(); }")
    assert texts(parsed, launch_vector.find(parsed)) == [(line, "n") for line in lines]


def test_a_name_that_many_functions_give_an_object_is_looked_through_once() -> None:
    work = []
    for count in (20, 80):
        parsed = parse("".join(f"void f{number}(cudaTextureObject_t tex);\n" for number in range(count)))
        list(object_number.find(parsed))  # what is known of the file is found out
        work.append(calls(lambda parsed=parsed: list(object_number.find(parsed))))  # type: ignore[misc]
    assert work[1] < STEPS * work[0]


def test_the_loop_around_a_place_is_the_innermost_one() -> None:
    text = "__global__ void k(int n) {\nfor (;;) {\nfor (;;) { a(); }\nb(); }\nc(); while (n) {}\n}"
    parsed = parse(text)
    found = {name: loops.around(parsed, text.index(name)) for name in ("a()", "b()", "c()")}
    assert {name: [one.line for one in listed] for name, listed in found.items()} == {"a()": [3], "b()": [2], "c()": []}
