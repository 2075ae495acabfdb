"""Tests for a GPU's or a release's number agree where one needs what another declares."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

RULE = "build/agreeing-gate"
HEAD = "#include <cuda_runtime.h>\n"
ADD = 'asm("add.u32 %0, %0, 1;" : "+r"(a));'
LEFT = 'asm("bar.arrive 1, 2;");'
KERNEL = "__global__ void k(unsigned *p) {{\n#if __CUDA_ARCH__ >= 700\n unsigned a = *p; {code}\n *p = a;\n#endif\n}}\n"
NEW, OLD = "__shfl_up_sync(m, v, 1)", "__shfl_up(v, 1)"
STEP = f"#if {{test}}\n__device__ int step(unsigned m, int v) {{{{ return {NEW}; }}}}\n#endif\n"


def after(folder: Path, files: dict[str, str]) -> tuple[dict[str, str], list[tuple[str, int]]]:
    written(folder, files)
    made = pipeline.apply(folder, Config(jobs=1))
    text = files | {one.path: one.after.decode() for one in made.conversions}
    return text, [
        (file.path, one.position.line) for file in made.report.files for one in file.findings if one.rule == RULE
    ]


def conditions(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("#if")]


OPEN = "#if __CUDA_ARCH__ >= 700 || defined(__HIP_DEVICE_COMPILE__)"


def test_a_test_that_declares_what_an_opened_one_calls_is_opened_too(tmp_path: Path) -> None:
    helper = "#if __CUDA_ARCH__ >= 700\n__device__ unsigned more(unsigned a) { return a + 1; }\n#endif\n"
    text, found = after(tmp_path, {"a.cu": HEAD + helper + KERNEL.format(code=ADD + " a = more(a);")})
    assert conditions(text["a.cu"]) == [OPEN, OPEN] and found == [("a.cu", 2)]


def test_tests_with_the_same_condition_in_a_file_are_opened_together(tmp_path: Path) -> None:
    second = KERNEL.format(code="a += 2;").replace(" k(", " k2(")
    text, found = after(tmp_path, {"a.cu": HEAD + KERNEL.format(code=ADD) + second})
    assert conditions(text["a.cu"]) == [OPEN, OPEN] and found == [("a.cu", 9)]


@pytest.mark.parametrize(
    "second",
    [
        pytest.param(KERNEL.format(code=LEFT).replace(" k(", " k2("), id="something is left"),
        pytest.param(KERNEL.format(code="a += 2;").replace(" k(", " k2(").replace("700", "800"), id="another number"),
        pytest.param(
            KERNEL.format(code="a += 2;").replace(" k(", " k2(").replace("#endif", "#else\n *p = 1;\n#endif"),
            id="other way",
        ),
    ],
)
def test_others_in_the_file_stay(tmp_path: Path, second: str) -> None:
    text, found = after(tmp_path, {"a.cu": HEAD + KERNEL.format(code=ADD) + second})
    assert conditions(text["a.cu"])[0] == OPEN and "defined" not in conditions(text["a.cu"])[1] and found == []


SHARED = (
    "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"
    "__device__ void f(int *p) {{\n#if __CUDA_ARCH__ >= 600\n  cg::grid_group all = cg::this_grid();\n#endif\n"
    "  *p = 1;\n#if __CUDA_ARCH__ >= {number}\n  {new}\n#else\n  __syncthreads();\n#endif\n}}\n"
)


@pytest.mark.parametrize("new", ["all.sync();", "use(all, p);"])
def test_tests_that_use_a_variable_of_an_opened_one_are_opened_with_it(tmp_path: Path, new: str) -> None:
    text, _ = after(tmp_path, {"a.cu": SHARED.format(number=600, new=new)})
    assert conditions(text["a.cu"]) == ["#if __CUDA_ARCH__ >= 600 || defined(__HIP_DEVICE_COMPILE__)"] * 2


@pytest.mark.parametrize(
    ("number", "new"), [(600, "use(p);"), (600, f"unsigned a; use(all); {LEFT}"), (800, "use(all);")]
)
def test_tests_that_use_none_or_are_not_converted_stay(tmp_path: Path, number: int, new: str) -> None:
    text, _ = after(tmp_path, {"a.cu": SHARED.format(number=number, new=new)})
    assert conditions(text["a.cu"])[1] == f"#if __CUDA_ARCH__ >= {number}"


def test_a_test_stays_closed_where_what_it_calls_is_not_converted(tmp_path: Path) -> None:
    helper = f"#if __CUDA_ARCH__ >= 700\n__device__ unsigned more(unsigned a) {{ {LEFT} return a; }}\n#endif\n"
    text, found = after(tmp_path, {"a.cu": HEAD + helper + KERNEL.format(code=ADD + " a = more(a);")})
    assert conditions(text["a.cu"]) == ["#if __CUDA_ARCH__ >= 700"] * 2 and found == []
    rules = {one.rule for one in pipeline.scan(tmp_path, Config(jobs=1)).findings}
    assert "build/vanished-code" in rules and "build/opened-gate" not in rules


VERSION = "__CUDACC_VER_MAJOR__ >= 9"
BLOCK = (
    '#include "warp.h"\n'
    f"#if {VERSION}\n__device__ int all(int v) {{ v = scan(~0u, v); return __shfl_sync(0xffffffffu, v, 31); }}\n"
    "#else\n__device__ int all(int v) { v = scan(v); return __shfl(v, 31); }\n#endif\n"
)


def warp(test: str, new: str = "return v + static_cast<int>(m);") -> str:
    sides = [
        f"__device__ int scan(unsigned m, int v) {{ {new} }}\n",
        "__device__ int scan(int v) { return v + warp_id(); }\n",
    ]
    if "<" in test:
        sides.reverse()
    return f"#pragma once\n#if {test}\n{sides[0]}#else\n{sides[1]}#endif\n"


@pytest.mark.parametrize(
    ("test", "made"),
    [
        (VERSION, f"#if {VERSION} || defined(__HIPCC__)"),
        ("__CUDACC_VER_MAJOR__ < 9", "#if (__CUDACC_VER_MAJOR__ < 9) && !defined(__HIPCC__)"),
    ],
)
def test_functions_are_those_that_take_as_many_arguments(tmp_path: Path, test: str, made: str) -> None:
    text, found = after(tmp_path, {"a.cu": HEAD + BLOCK, "warp.h": warp(test)})
    assert "|| defined" in conditions(text["a.cu"])[0]
    assert conditions(text["warp.h"]) == [made] and found == [("warp.h", 2)]


@pytest.mark.parametrize(
    "files",
    [
        pytest.param(
            {"warp.h": warp(VERSION).replace("scan(int v)", "scan(unsigned m, int v, int n = 1)")}, id="either"
        ),
        pytest.param(
            {"warp.h": "int scan(unsigned m, int v);\n", "other.h": warp(VERSION)}, id="no include joins them"
        ),
    ],
)
def test_tests_that_need_nothing_of_each_other_stay(tmp_path: Path, files: dict[str, str]) -> None:
    text, found = after(tmp_path, {"a.cu": HEAD + BLOCK, **files})
    assert found == [] and "|| defined" in conditions(text["a.cu"])[0]


def test_a_converted_condition_is_left_where_the_other_cannot_follow(tmp_path: Path) -> None:
    text, found = after(tmp_path, {"a.cu": HEAD + BLOCK, "warp.h": warp(VERSION, LEFT + " return v;")})
    assert conditions(text["a.cu"]) == [f"#if {VERSION}"] == conditions(text["warp.h"]) and found == []


OLDER = "__CUDACC_VER_MAJOR__ < 9"
FOLLOWED = f"#if ({OLDER}) && !defined(__HIPCC__)"
MASKED = f"{{\n#if {OLDER}\n return __any(c);\n#else\n return __any_sync(m, c);\n#endif\n}}\n"


def heads(old: str, new: str, body: str = MASKED) -> str:
    return f"{HEAD}#if {OLDER}\n__device__ int warp_some({old})\n#else\n__device__ int warp_some({new})\n#endif\n{body}"


@pytest.mark.parametrize(
    ("text", "follows"),
    [
        pytest.param(heads("int c", "int c, unsigned m = ~0u"), True, id="a parameter of the newer head"),
        pytest.param(
            heads("int c", "int c, unsigned n = ~0u").replace("sync(m", "sync(~0u"), False, id="one that nothing names"
        ),
        pytest.param(
            heads("int c", "int c, unsigned m = ~0u", ";\n__device__ int other(int c, unsigned m) " + MASKED),
            False,
            id="the body of another function",
        ),
    ],
)
def test_the_heads_of_a_function_follow_its_body(tmp_path: Path, text: str, follows: bool) -> None:
    made, found = after(tmp_path, {"a.cu": text})
    head, body = conditions(made["a.cu"])
    assert "&& !defined(" in body and (head == FOLLOWED) is follows
    assert found == ([("a.cu", 2)] if follows else [])


DEFINED = (
    f"#if {OLDER}\nOWN int warp_any(int c) {{ return __any(c); }}\n"
    "#else\nOWN int warp_any(int c, unsigned m) { return __any_sync(m, c); }\n#endif\n"
)


def declaration(name: str, new: str = "int c, unsigned m = ~0u") -> str:
    return (
        f"#define OWN __device__ inline\n#if {OLDER}\nOWN int {name}(int c);\n#else\nOWN int {name}({new});\n#endif\n"
    )


@pytest.mark.parametrize(
    ("above", "follows"),
    [
        (declaration("warp_any"), True),
        (declaration("warp_every"), False),
        (declaration("warp_any", "int c, unsigned m, int n"), False),
    ],
)
def test_a_declaration_follows_the_definition_of_its_function(tmp_path: Path, above: str, follows: bool) -> None:
    made, found = after(tmp_path, {"a.cu": f'{HEAD}#include "any.h"\n{DEFINED}', "any.h": above})
    assert "&& !defined(" in conditions(made["a.cu"])[0]
    assert conditions(made["any.h"]) == [FOLLOWED if follows else f"#if {OLDER}"]
    assert found == ([("any.h", 2)] if follows else [])


@pytest.mark.parametrize(
    ("call", "follows"), [("warp_any(c)", True), ("warp_any(c, 3u)", False), ("warp_one(c)", False)]
)
def test_a_call_as_only_the_older_function_takes_it_follows(tmp_path: Path, call: str, follows: bool) -> None:
    caller = (
        f"namespace of {{ OWN int warp_one(int c);\n{DEFINED}}}\nOWN int f(int c) {{\n"
        f"#if {OLDER}\n return of::{call};\n#else\n return c;\n#endif\n}}\n"
    )
    made, found = after(tmp_path, {"a.cu": f"{HEAD}#define OWN __device__ inline\n{caller}"})
    first, second = conditions(made["a.cu"])
    assert "&& !defined(" in first and (second == FOLLOWED) is follows and bool(found) is follows


SPARSE = "#include <cusparse.h>\n"
MEMBER = """\
struct matrix {{
#if CUDA_VERSION >= 10000
  {new}
#else
  void *desc;
#endif
  ~matrix() {{
#if CUDA_VERSION >= 10000{more}
    {use}
#endif
  }}
}};
"""
FREED = "cusparseDestroySpMat(desc);"
RELEASE = "#if CUDA_VERSION >= 10000 || defined(__HIP_PLATFORM_AMD__)"


@pytest.mark.parametrize(
    ("new", "use", "more", "opened"),
    [
        pytest.param("cusparseSpMatDescr_t desc;", FREED, "", [True, True], id="the type of a member"),
        pytest.param("cusparseSpMatDescr_t desc;", FREED, " && 1", [True, True], id="another condition"),
        pytest.param(
            f"cusparseSpMatDescr_t desc; void f() {{ {LEFT} }}", FREED, "", [False, False], id="not converted"
        ),
        pytest.param("void *desc; cudaStream_t s;", FREED, "", [False, True], id="the same type"),
        pytest.param("cusparseSpMatDescr_t other;", FREED, "", [False, True], id="another member"),
        pytest.param("cusparseSpMatDescr_t desc;", "cudaDeviceReset();", "", [False, True], id="no use"),
    ],
)
def test_the_type_of_a_member_follows_its_use(
    tmp_path: Path, new: str, use: str, more: str, opened: list[bool]
) -> None:
    code = SPARSE + MEMBER.format(new=new, use=use, more=more)
    text, _ = after(tmp_path, {"a.cu": code})
    assert ["__HIP_PLATFORM_AMD__" in one for one in conditions(text["a.cu"])] == opened


@pytest.mark.parametrize(
    ("before", "opened"),
    [
        pytest.param("int n = 1;", [True, True], id="in the same block"),
        pytest.param("} void g() { int n = 2;", [False, True], id="in another block"),
    ],
)
def test_a_variable_is_meant_in_its_block(tmp_path: Path, before: str, opened: list[bool]) -> None:
    new = "#if CUDA_VERSION >= 10000\ncudaStream_t s;\n#else\nint *s;\n#endif\n"
    use = "#if CUDA_VERSION >= 10000 && 1\ncudaStreamDestroy(s);\n#endif\n"
    text, _ = after(tmp_path, {"a.cu": f"{HEAD}cudaStream_t s;\nvoid f() {{\n{new}{before}\n{use}}}\n"})
    assert ["__HIP_PLATFORM_AMD__" in one for one in conditions(text["a.cu"])] == opened
