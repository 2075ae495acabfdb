"""A test for a newer GPU that only defines a macro: with code for older GPUs wherever it is asked for, or not."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

GATE = "#if __CUDA_ARCH__ >= 800\n#define HAVE_IT 1\n#endif\n"
TAIL = "int v;\n#ifdef HAVE_IT\nv = fast();\n#else\nv = slow();\n#endif\n"


def rules(code: str) -> list[str]:
    found = find_in_text("#include <cuda_runtime.h>\n" + code, "a.cu", None).findings
    return [one.rule for one in found if one.rule.startswith("build/")]


@pytest.mark.parametrize(
    "asked", ["#ifdef HAVE_IT", "#if HAVE_IT", "#if defined(HAVE_IT)", "#if defined HAVE_IT", "#if defined( HAVE_IT )"]
)
def test_code_for_older_gpus_follows(asked: str) -> None:
    code = TAIL.replace("#ifdef HAVE_IT", asked)
    assert rules(f"{GATE}__device__ void f() {{\n{code}}}\n") == ["build/older-path"]


def test_the_older_code_may_come_first() -> None:
    code = "int v;\n#ifndef HAVE_IT\nv = slow();\n#else\nv = fast();\n#endif\n"
    assert rules(f"{GATE}__device__ void f() {{\n{code}}}\n") == ["build/older-path"]


@pytest.mark.parametrize(
    ("gate", "code"),
    [
        (GATE, ""),
        (GATE, TAIL + "v += HAVE_IT;\n"),
        (GATE, TAIL.replace("v = slow();", "#error too old")),
        (GATE, TAIL.replace("#else\nv = slow();\n", "")),
        (GATE, TAIL.replace("#ifdef HAVE_IT", "#if defined(HAVE_IT) && OTHER")),
        (GATE, TAIL + "#ifdef HAVE_IT\nv += 1;\n#endif\n"),
        (GATE.replace("1\n", "1\n#define MORE 1\n"), TAIL),
        (GATE.replace("1\n", "1\nint have;\n"), TAIL),
    ],
)
def test_what_may_be_missing_stays_a_gate(gate: str, code: str) -> None:
    assert "build/arch-gate" in rules(f"{gate}__device__ void f() {{\n{code}}}\n")


def test_a_function_of_the_host_too_stays_a_gate() -> None:
    assert "build/arch-gate" in rules(f"{GATE}__host__ __device__ void f() {{\n{TAIL}}}\n")


WAYS = "#if __CUDA_ARCH__ >= 800\nv = fast();\n#else\n{old}\n#endif\n"


@pytest.mark.parametrize(
    ("head", "old", "rule"),
    [
        ("__device__ void f()", "v = slow();", "build/older-path"),
        ("__global__ void f()", "for (int i = 0; i < 8; ++i) v = slow();", "build/older-path"),
        ("__host__ __device__ void f()", "v = slow();", "build/arch-gate"),
        ("__host__ __device__ void f(int v)", "v = slow();", "build/older-path"),
        ("__host__ __device__ void f(int v)", "return;", "build/refused-arch"),
        ("__host__ __device__ void f(int v, int w)", "v = slow(w);", "build/arch-gate"),
        ("__device__ void f()", "int w[2];", "build/arch-gate"),
        ("__device__ void f()", "__trap();", "build/refused-arch"),
    ],
)
def test_another_way_for_older_gpus_is_slower_in_functions_for_gpus_alone(head: str, old: str, rule: str) -> None:
    assert rules(f"{head} {{\n{WAYS.format(old=old)}}}\n") == [rule]


@pytest.mark.parametrize(
    ("new", "old", "rule"),
    [
        ("int f(int a) { return g(a); }", "int f(int a) { return a; }", "build/older-path"),
        ("int f(int a) { return g(a); }", "int f(int a) { return a; }\nint g(int);", "build/older-path"),
        ("int f(int a) { return a; }\nint g(int);", "int f(int a) { return a; }", "build/arch-gate"),
        ("int f(int a) { return g(a); }", "int f(int a) { return 0; }", "build/arch-gate"),
        ("int f(int a) { return g(a); }", "int f(int) { return 0; }", "build/arch-gate"),
        ("void f() { g(); }", "void f() { }", "build/arch-gate"),
        ("void f() { g(); }", "void f() { h(); }", "build/older-path"),
        ("#define N 32", "#define N 16", "build/arch-gate"),
    ],
)
def test_functions_that_both_branches_declare(new: str, old: str, rule: str) -> None:
    assert rules(f"#if __CUDA_ARCH__ >= 800\n{new}\n#else\n{old}\n#endif\n__global__ void k() {{}}\n") == [rule]


def test_another_way_outside_of_functions_stays_a_gate() -> None:
    assert rules("#if __CUDA_ARCH__ >= 800\nint f();\n#else\nint g();\n#endif\n") == ["build/arch-gate"]


@pytest.mark.parametrize(
    ("between", "line"),
    [("#elif defined(__CUDA_ARCH__)", 5), ("#elif !defined(__CUDA_ARCH__)", 7), ("#elif defined(OTHER)", 0)],
)
def test_a_branch_for_the_device_pass_is_what_older_gpus_take(between: str, line: int) -> None:
    code = (
        "#include <cuda_runtime.h>\n__host__ __device__ void add(int *a, int v) {\n#if __CUDA_ARCH__ >= 600\n"
        f"  fast(a, v);\n{between}\n  slow(a, v);\n#else\n  *a += v;\n#endif\n}}\n"
    )
    found = [one for one in find_in_text(code, "a.cu", None).findings if one.rule == "build/older-path"]
    assert [f"line {line} on" in one.message for one in found] == ([True] if line else [])
