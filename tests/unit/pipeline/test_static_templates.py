"""`static` at a function template that was declared without it: GCC keeps the first linkage, clang refuses."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.cuda.lexer import lex
from cudamigrate.cuda.template_heads import may_be_static, template_heads

HEADER = "#pragma once\ntemplate <class T, bool wide> cudaError_t fill(const T *from, int n = 4);\n"
HEAD = "template <class U, bool> static cudaError_t fill(const U *from, int n)"
CODE = f'#include "fill.h"\n{HEAD} {{ return cudaSuccess; }}\n'
KERNEL = "__global__ void k(int *a) { a[0] = 1; }\n"


def found(root: Path, files: dict[str, str]) -> tuple[list[tuple[str, int]], str]:
    written(root, files)
    made = pipeline.apply(root, Config(jobs=1))
    text = {one.path: one.after.decode() for one in made.conversions}.get("a.cu", "")
    rules = [one for one in made.report.findings if one.rule == "build/static-template"]
    return [(one.path, one.position.line) for one in rules], text


def test_the_later_word_goes(tmp_path: Path) -> None:
    places, text = found(tmp_path, {"a.cu": KERNEL + CODE, "fill.h": HEADER})
    assert places == [("a.cu", 3)]
    assert "template <class U, bool> hipError_t fill(const U *from, int n) {" in text


def test_a_declaration_by_way_of_another_header(tmp_path: Path) -> None:
    files = {"a.cu": KERNEL + CODE.replace("fill.h", "all.h"), "all.h": '#include "fill.h"\n', "fill.h": HEADER}
    assert found(tmp_path, files)[0] == [("a.cu", 3)]


SAME = "template <class T> int f(T t);\n{}template <class T> inline static int f(T t) {{ return 1; }}\n{}"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (SAME.format("", ""), 3),
        (f"namespace a {{ namespace b {{\n{SAME.format('', '')}}} }}\n", 4),
        (f"namespace a::b {{\n{SAME.format('', '')}}}\n", 4),
        (SAME.format("#if N\n", "#endif\n"), 4),
        ("#if N\n" + SAME.format("", "#endif\n"), 4),
    ],
)
def test_a_declaration_in_the_same_file(tmp_path: Path, text: str, line: int) -> None:
    assert found(tmp_path, {"a.cu": KERNEL + text})[0] == [("a.cu", line)]


@pytest.mark.parametrize(
    ("declared", "defined"),
    [
        ("template <class T, int N = 4> void f(T *a);", "template <class T, int N> static void f(T *a) {}"),
        ("template <class T> __global__ void f(T *a);", "template <class T> static __global__ void f(T *b) {}"),
        (
            "template <class T> __global__ void f(T *a);",
            "template <class T> __launch_bounds__(256, 2) static __global__ void f(T *a) {}",
        ),
        (
            "template <class T> __global__ void f(T *a);",
            "template <class T> static __global__ void __launch_bounds__(sizeof(T) * 64) f(T *a) {}",
        ),
        (
            "template <class T> __device__ void f(T *a);",
            "template <class T> static __device__ __forceinline__ void f(T *a) {}",
        ),
        ("template <class F> void f(F g, void (*h)(int));", "template <class F> static void f(F g, void (*i)(int)) {}"),
        (
            "template <template <class> class C, class T> void f(C<T> *a);",
            "template <template <class> class D, class U> static void f(D<U> *a) {}",
        ),
        ("template <class T> __attribute__((noinline)) T f(T a);", "template <class T> static T f(T a) { return a; }"),
        ("template <class T> void f(T a) noexcept;", "template <class T> static void f(T a) noexcept {}"),
        ("template <class T> void f(const T &a);", "template <class T> static void f(T const &a) {}"),
    ],
)
def test_what_is_no_part_of_a_template_is_not_compared(tmp_path: Path, declared: str, defined: str) -> None:
    places, text = found(tmp_path, {"a.cu": f"{KERNEL}{declared}\n{defined}\n"})
    assert places == [("a.cu", 3)]
    assert "static" not in text


def test_sides_and_linkage_are_both_written(tmp_path: Path) -> None:
    code = "template <class T> __host__ __device__ void f(T a);\ntemplate <class T> static void f(T a) {}\n"
    assert "template <class T> __host__ __device__ void f(T a) {}" in found(tmp_path, {"a.cu": KERNEL + code})[1]


@pytest.mark.parametrize(
    ("declared", "defined"),
    [
        ("template <class T, int N> void f(T *a);", "template <class T, long N> static void f(T *a) {}"),
        ("template <class T> void f(void (*h)(int));", "template <class T> static void f(void (*h)(long)) {}"),
        ("template <class T> void f(T a);", "template <> static void f<int>(int a) {}"),
        ("template <class T> T f(T a);", "template <class T> static T *f(T a) { return nullptr; }"),
        ("template <class T> struct S { void f(T a); };", "template <class T> static void S<T>::f(T a) {}"),
        ("template <class T> void f(const T *a);", "template <class T> static void f(T *const a) {}"),
    ],
)
def test_another_template_keeps_it(tmp_path: Path, declared: str, defined: str) -> None:
    assert found(tmp_path, {"a.cu": f"{KERNEL}{declared}\n{defined}\n"})[0] == []


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"a.cu": KERNEL + CODE, "other.h": HEADER}, id="not included"),
        pytest.param({"a.cu": KERNEL + CODE, "fill.h": HEADER.replace("template <", "template <int n, ")}, id="more"),
        pytest.param({"a.cu": KERNEL + CODE, "fill.h": HEADER.replace("int n", "long n")}, id="another type"),
        pytest.param({"a.cu": KERNEL + CODE, "fill.h": HEADER.replace("> cuda", "> static cuda")}, id="static too"),
        pytest.param({"a.cu": KERNEL + CODE, "fill.h": f"namespace o {{\n{HEADER}}}\n"}, id="another scope"),
        pytest.param({"a.cu": KERNEL + CODE.replace("static ", ""), "fill.h": HEADER}, id="no static"),
        pytest.param(
            {"a.cu": f'{KERNEL}#include "fill.h"\nstruct S {{\n{CODE.partition(chr(10))[2]}}};\n', "fill.h": HEADER},
            id="a member",
        ),
        pytest.param({"a.cu": KERNEL + "#if N\n" + SAME.format("#else\n", "#endif\n")}, id="other branches"),
        pytest.param({"a.cu": KERNEL + "#if N\n" + SAME.format("#endif\n", "")}, id="a declaration for some builds"),
        pytest.param({"a.cu": KERNEL + "".join(CODE.splitlines(True)[::-1]), "fill.h": HEADER}, id="included later"),
        pytest.param({"a.cu": KERNEL + "int f(int);\nstatic int f(int a) { return a; }\n"}, id="no template"),
    ],
)
def test_others_keep_it(tmp_path: Path, files: dict[str, str]) -> None:
    assert found(tmp_path, files)[0] == []


@pytest.mark.parametrize(
    ("head", "may_be"),
    [
        ("template <class T> static int f(T t) {", True),
        ("template <int N = int{}> static int f() {", True),
        ("template <class T> // the template; see there\n static int f(T t) {", True),
        ("template <class T> __attribute__((noinline)) /* } */ static int f(T t) {", True),
        ("template <class T> int f(T t) { static int kept;", False),
        ("template <class T> int f(T t);\nstatic int g() {", False),
        ("template <class T> int f(T t) { return static_cast<int>(t);", False),
        ("static int f() {", False),
    ],
)
def test_a_file_is_put_aside_by_its_text(head: str, may_be: bool) -> None:
    source = f"{head} return 0; }}\n".encode()
    assert may_be_static(source) is may_be
    assert may_be or all(one.static < 0 for one in template_heads(lex(source)))
