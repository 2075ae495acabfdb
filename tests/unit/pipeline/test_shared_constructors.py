"""Shared variables of types that say how their objects begin."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.model import Finding

KERNEL = "__global__ void k(float *o) {{ {0} o[0] = x.d; }}\n"
SET = "struct A { float d; __host__ __device__ A() : d(0) {} };\n"


def found(root: Path, files: dict[str, str]) -> list[Finding]:
    written(root, files)
    report = pipeline.scan(root, Config(jobs=1))
    return [one for one in report.findings if one.rule == "memory/shared-constructor"]


@pytest.mark.parametrize(
    "text",
    [
        SET,
        "struct A { float d = 1; };\n",
        "class A { private: std::size_t n = 1; public: static const int size = 4; float d; };\n",
        "struct A { float d{}; };\n",
        "class A { public: float d; __device__ A() { d = 0; } };\n",
        "struct A { float d; __device__ A(float v = 0) : d(v) {} };\n",
        "template <int N> struct Other {}; struct B { int c = 2; }; struct A { float d; B b; };\n",
        "struct B { int c; B() noexcept : c(1) {} }; struct A : public B { float d; };\n",
        "struct A { float d; A& operator=(const A& o) { d = o.d; return *this; } __device__ A() : d(/* } */ 1) {} };\n",
        "struct B { float d; B() : d(1) {} };\ntypedef struct B A;\n",
        "template <class T> struct B { T d = 1; };\nusing A = B<float>;\n",
        "struct B { float d = 1; };\nusing C = B;\ntypedef C A;\n",
        "typedef struct A A;\nstruct A { float d = 1; };\n",
    ],
)
def test_types_that_begin_with_something(tmp_path: Path, text: str) -> None:
    assert [one.span.start for one in found(tmp_path, {"a.cu": text + KERNEL.format("__shared__ A x;")})]


@pytest.mark.parametrize(
    "text",
    [
        "struct A { float d; };\n",
        "struct A { float d; A() = default; };\n",
        "struct A { float d; __device__ A() {} };\n",
        "struct A { float d; __device__ A() { /* nothing */ } };\n",
        "struct A { float d; __device__ explicit A(float v) : d(v) {} A() = default; };\n",
        "struct A { float d; static constexpr int size = 4; using T = int; enum { X = 1 }; };\n",
        "struct A { float d; __device__ float f() const { return d; } A& operator=(const A&); };\n",
        "struct A { struct Inner { int c = 1; }; float d; };\n",
        "class A { private: static const int size = 4; float v; public: static const int c = 5; float d; A() {} };\n",
        "struct A { float d; }; struct Other { Other() : c(1) {} int c; };\n",
        "struct B { float d; B() = default; };\ntypedef B A;\n",
        "struct B { float d = 1; };\ntypedef B *A;\n",
        "struct B { float d = 1; };\nstruct C { float d; };\nusing A = C;\n",
    ],
)
def test_types_that_begin_with_nothing(tmp_path: Path, text: str) -> None:
    assert not found(tmp_path, {"a.cu": text + KERNEL.format("__shared__ A x;")})


@pytest.mark.parametrize(
    "variable",
    [
        "A x;",
        "extern __shared__ A x[];",
        "__shared__ float y; A x;",
        "// __shared__ A x;\n A x;",
        "__shared__ A *p; A x;",
    ],
)
def test_variables_that_clang_takes(tmp_path: Path, variable: str) -> None:
    assert not found(tmp_path, {"a.cu": SET + KERNEL.format(variable)})


BLOCK = "template <typename T, int N = 2> class Block { T all[N]; T *first; public: float d; };\n"
PLAIN = "struct P { float d; };\n"


@pytest.mark.parametrize(
    "variable",
    ["Block<A> x", "Block<A, 4> x[2]", "Outer<A> x", "Block<Block<A>> x"],
)
def test_a_template_that_is_given_such_a_type(tmp_path: Path, variable: str) -> None:
    outer = "template <class T> struct Outer { Block<T, 3> inner; float d; };\n"
    files = {"a.cu": '#include "a.h"\n' + BLOCK + outer + KERNEL.format(f"__shared__ {variable};"), "a.h": SET}
    assert len(found(tmp_path, files)) == 1


@pytest.mark.parametrize("variable", ["Block<P> x", "Block<A *> x", "Pointers<A> x", "Holds x"])
def test_a_template_that_has_no_object_of_such_a_type(tmp_path: Path, variable: str) -> None:
    more = "template <class T> struct Pointers { T *first; float d; };\nstruct Holds { A *first; float d; };\n"
    assert not found(tmp_path, {"a.cu": SET + PLAIN + BLOCK + more + KERNEL.format(f"__shared__ {variable};")})


def test_two_types_of_a_name_that_differ_say_nothing(tmp_path: Path) -> None:
    files = {
        "a.cu": '#include "a.h"\n' + KERNEL.format("__shared__ A x;"),
        "a.h": SET,
        "b.h": "struct A { float d; };\n",
    }
    assert not found(tmp_path, files)


@pytest.mark.parametrize(
    ("variable", "after"),
    [
        (
            "__shared__ A x;",
            b"alignas(A) __shared__ unsigned char x_bytes[sizeof(A)]; A &x = *reinterpret_cast<A *>(x_bytes);",
        ),
        (
            "static __shared__ ns::A x[2][N];",
            b"alignas(ns::A) __shared__ unsigned char x_bytes[sizeof(ns::A[2][N])];"
            b" ns::A (&x)[2][N] = *reinterpret_cast<ns::A (*)[2][N]>(x_bytes);",
        ),
    ],
)
def test_the_variable_becomes_a_reference_to_bytes(tmp_path: Path, variable: str, after: bytes) -> None:
    (finding,) = found(tmp_path, {"a.cu": '#include "a.h"\n' + KERNEL.format(variable), "a.h": SET})
    assert finding.fix is not None
    assert [edit.replacement for edit in finding.fix.edits] == [after]


HEADER = "namespace host { struct A { float d; }; }\n"


def test_the_class_of_the_file_itself_is_the_one_that_it_names(tmp_path: Path) -> None:
    files = {"host.h": HEADER, "a.cu": SET + KERNEL.format("__shared__ A x;")}
    assert [one.path for one in found(tmp_path, files)] == ["a.cu"]


@pytest.mark.parametrize("own", ["", "struct A { float d; };\n"])
def test_a_class_of_another_file_says_nothing_of_one_that_begins_with_nothing(tmp_path: Path, own: str) -> None:
    files = {"host.h": HEADER, "other.h": SET, "a.cu": own + KERNEL.format("__shared__ A x;")}
    assert not found(tmp_path, files)
