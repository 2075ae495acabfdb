"""Members that are device pointers of the driver API."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

HEAD = """#pragma once
#include <cuda.h>
struct Part { CUdeviceptr start; size_t bytes; };
class Pool { CUdeviceptr first; size_t used; public: CUdeviceptr end(); CUdeviceptr take(size_t n); };
"""
CODE = """#include "pool.h"
CUdeviceptr Pool::end() { return first + used; }
CUdeviceptr Pool::take(size_t n) { first += n; return first; }
CUdeviceptr last(Part a, Part *b) { return a.start == b->start ? a.start + a.bytes : b->start - 1; }
"""


def found(root: Path, files: dict[str, str]) -> list[str]:
    written(root, files)
    report = pipeline.scan(root, Config(jobs=1))
    return [f"{one.path}:{one.position.line}" for one in report.findings if "device-pointer" in one.rule]


def test_members_of_another_file(tmp_path: Path) -> None:
    assert found(tmp_path, {"pool.h": HEAD, "pool.cpp": CODE}) == [f"pool.cpp:{line}" for line in (2, 3, 4, 4)]
    after = {one.path: one.after.decode() for one in pipeline.apply(tmp_path, Config(jobs=1)).conversions}["pool.cpp"]
    assert "return (char *)first + used;" in after
    assert "first = (char *)first + n;" in after
    assert "(char *)a.start + a.bytes : (char *)b->start - 1;" in after


@pytest.mark.parametrize(
    "files",
    [
        {"pool.h": HEAD, "a.cpp": '#include "pool.h"\nint f(int first) { return first + 1; }\n'},
        {"pool.h": HEAD, "a.cpp": '#include "pool.h"\nint Pool::f() { int first = 2; return first + 1; }\n'},
        {"pool.h": HEAD + "struct Time { long start; };\n", "a.cpp": "long f(Time t) { return t.start + 1; }\n"},
        {"pool.h": HEAD.replace("r start", "r *start"), "a.cpp": "int f(Part a) { g(a.start + 1); }\n"},
        {"pool.h": HEAD, "a.cpp": '#include "pool.h"\nbool f(Part a, size_t n) { return a.start == n + a.bytes; }\n'},
    ],
    ids=["parameter", "local", "another class", "pointer", "no sum"],
)
def test_other_sums(tmp_path: Path, files: dict[str, str]) -> None:
    assert not found(tmp_path, files)


@pytest.mark.parametrize(
    ("code", "after"),
    [
        (
            "auto a = reinterpret_cast<CUdeviceptr>(s) % 16;",
            "(unsigned long long)reinterpret_cast<hipDeviceptr_t>(s) % 16",
        ),
        ("auto b = static_cast<size_t>((CUdeviceptr)s + n);", "((unsigned long long)(hipDeviceptr_t)s + n)"),
        ("auto c = reinterpret_cast<float *>(d + n);", "((char *)d + n)"),
        ("bool e = (*q & 7) == 0;", "((unsigned long long)*q & 7) == 0"),
        ("while (d & 1) {}", "while ((unsigned long long)d & 1) {}"),
        ("cuMemFree((CUdeviceptr)s + n);", "hipFree((char *)(hipDeviceptr_t)s + n);"),
        ("cuMemFree(CUdeviceptr(s) - n);", "hipFree((char *)hipDeviceptr_t(s) - n);"),
        ("cuMemFree((CUdeviceptr)s);", "hipFree((hipDeviceptr_t)s);"),
        ("take((CUdeviceptr)s & ~15);", "take((hipDeviceptr_t)s & ~15);"),
        ("CUdeviceptr g = (d + 15) & ~15ull;", "hipDeviceptr_t g = (d + 15) & ~15ull;"),
        ("auto *t = (CUdeviceptr *)s + n;", "auto *t = (hipDeviceptr_t *)s + n;"),
    ],
)
def test_what_has_the_result_says_what_a_device_pointer_is_calculated_as(tmp_path: Path, code: str, after: str) -> None:
    text = f"#include <cuda.h>\nvoid f(CUdeviceptr d, CUdeviceptr *q, char *s, size_t n) {{ {code} }}\n"
    written(tmp_path, {"a.cpp": text})
    assert (
        after in {one.path: one.after.decode() for one in pipeline.apply(tmp_path, Config(jobs=1)).conversions}["a.cpp"]
    )


def test_what_is_taken_away_from_a_number_stays_one(tmp_path: Path) -> None:
    code = "int f(unsigned long a, CUdeviceptr d, CUdeviceptr e) { return (a - d) + (int)(d - e); }\n"
    written(tmp_path, {"a.cpp": f"#include <cuda.h>\n{code}"})
    after = pipeline.apply(tmp_path, Config(jobs=1)).conversions[0].after.decode()
    assert "return (a - (size_t)d) + (int)((char *)d - (char *)e);" in after


def test_a_type_of_the_projects_own_by_that_name_is_an_integer(tmp_path: Path) -> None:
    code = '#include "own.h"\nsize_t f(size_t a) { CUdeviceptr p = a & 1; return a - p; }\n'
    assert not found(tmp_path, {"own.h": "typedef unsigned long long CUdeviceptr;\n", "a.c": code})


OUTSIDE = "#pragma once\n#include <cuda.h>\n__device__ CUdeviceptr pool;\nextern CUdeviceptr other;\n"


def test_variables_outside_of_functions_in_a_header(tmp_path: Path) -> None:
    code = (
        '#include "pool.cuh"\n__global__ void k(int at) { int *p = (int *)(pool + at); *p = ((int *)pool)[at]; }\n'
        "int low() { return (unsigned)other % 16; }\n"
    )
    assert found(tmp_path, {"pool.cuh": OUTSIDE, "k.cu": code}) == ["k.cu:2", "k.cu:3"]
    after = {one.path: one.after.decode() for one in pipeline.apply(tmp_path, Config(jobs=1)).conversions}["k.cu"]
    assert "(int *)((char *)pool + at); *p = ((int *)pool)[at];" in after
    assert "(unsigned)(unsigned long long)other % 16" in after


@pytest.mark.parametrize(
    "files",
    [
        {"k.cu": "__global__ void k(int at) { f(pool + at); }\n"},
        {"k.cu": '#include "pool.cuh"\n__global__ void k(int pool) { f(pool + 1); }\n'},
        {"k.cu": '#include "pool.cuh"\n__global__ void k(Part *a) { f(a->pool + 1); }\n'},
        {"k.cu": '#include "pool.cuh"\nvoid k() { f((int *)pool, (uintptr_t)pool); }\n'},
        {"k.cu": '#include "pool.cuh"\nvoid k(int at) { f(pool + at); }\n', "b.h": "extern int pool;\n"},
    ],
    ids=["not read", "parameter", "member", "casts that take pointers", "another type elsewhere"],
)
def test_other_variables_of_the_name(tmp_path: Path, files: dict[str, str]) -> None:
    assert not found(tmp_path, {"pool.cuh": OUTSIDE, **files})


TYPED = """#pragma once
#include <cuda.h>
namespace mem {
template <typename T> struct Buffer { CUdeviceptr at; Buffer(CUdeviceptr at) : at(at) {} };
}
struct Text { char *at; };
struct Count { int at; };
"""


def test_the_type_of_a_variable_says_whose_member_is_meant(tmp_path: Path) -> None:
    code = (
        '#include "buffer.h"\n'
        "template <typename T> mem::Buffer<T> operator+(mem::Buffer<T> one, size_t n) {\n"
        "    return one.at + n * sizeof(T);\n}\n"
        "void f(mem::Buffer<int> two) {\n    CHECK((two.at & 1) == 0);\n}\n"
        "char *g(Text one) { return one.at + 1; }\n"
        "int h(Count *one) { return one->at & 1; }\n"
        "int i(auto one) { return one.at & 1; }\n"
    )
    assert found(tmp_path, {"buffer.h": TYPED, "a.cpp": code}) == ["a.cpp:3", "a.cpp:6"]
    after = {one.path: one.after.decode() for one in pipeline.apply(tmp_path, Config(jobs=1)).conversions}["a.cpp"]
    assert "return (char *)one.at + n * sizeof(T);" in after
    assert "CHECK(((unsigned long long)two.at & 1) == 0);" in after


def test_classes_of_one_name_that_differ_say_nothing(tmp_path: Path) -> None:
    code = '#include "buffer.h"\nchar *g(Buffer one) { return one.at + 1; }\n'
    other = "struct Buffer { char *at; };\n"
    assert found(tmp_path, {"buffer.h": TYPED, "other.h": other, "a.cpp": code}) == []
