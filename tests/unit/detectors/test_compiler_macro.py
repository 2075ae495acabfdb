"""Tests for nvcc's macros whose branches give another macro the number of the GPU."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

CODE = "#include <cuda_runtime.h>\n{gate}\n__global__ void k(int *p) {{ *p = 1; }}\n"
ALIAS = "build/arch-alias"


def rules(gate: str) -> tuple[list[str], str]:
    made = find_in_text(CODE.format(gate=gate), "a.cu")
    return [one.rule for one in made.findings if one.rule.startswith("build/")], made.after


@pytest.mark.parametrize(
    "gate",
    [
        "#ifndef __CUDA_ARCH__\n# define ARCH 0\n#else\n# define ARCH __CUDA_ARCH__\n#endif",
        "#ifdef __CUDA_ARCH__\n#define ARCH __CUDA_ARCH__\n#else\n#define ARCH 0\n#endif",
        "#if !defined(__CUDA_ARCH__)\n#define ARCH 0\n#else\n#define ARCH __CUDA_ARCH__\n#endif",
    ],
)
def test_a_macro_with_the_number_of_a_gpu_is_told_and_the_test_stays(gate: str) -> None:
    found, after = rules(gate)
    assert found == [ALIAS] and gate in after


@pytest.mark.parametrize(
    "gate",
    [
        "#ifndef __CUDA_ARCH__\n#define ON_GPU 0\n#else\n#define ON_GPU 1\n#endif",
        "#ifdef __CUDA_ARCH__\n#define ON_GPU 1\n#endif",
        "#ifdef __CUDA_ARCH__\n#define ON_GPU defined(__CUDA_ARCH__)\n#endif",
    ],
)
def test_other_tests_for_the_pass_are_widened(gate: str) -> None:
    found, after = rules(gate)
    assert ALIAS not in found and "__HIP_DEVICE_COMPILE__" in after


def test_a_branch_with_a_macro_that_takes_the_number_is_not_opened() -> None:
    gate = "#ifndef __CUDA_ARCH__\n#define HOST 0\n#else\n#define ARCH __CUDA_ARCH__ / 10\n#endif"
    found, after = rules(gate)
    assert found == ["build/cuda-compiler-macro"] and gate in after


def test_tests_for_such_a_macro_are_tests_for_the_gpu() -> None:
    alias = "#ifndef __CUDA_ARCH__\n#define ARCH 0\n#else\n#define ARCH __CUDA_ARCH__\n#endif"
    gate = "#if ARCH >= 300\nint a = 1;\n#else\nint a = 2;\n#endif"
    assert rules(f"{alias}\n{gate}")[0] == [ALIAS, "build/arch-gate"]
    assert rules(f"#define ARCH 0\n{gate}")[0] == []


WIDENED = "build/cuda-compiler-macro"
HIPS = '#include "hip/hip_runtime.h"\n#define cudaMalloc hipMalloc'


@pytest.mark.parametrize(
    "gate",
    [
        f"#ifndef __NVCC__\n{HIPS}\n#endif",
        f"#if !defined(__NVCC__)\n{HIPS}\n#endif",
        f"#ifdef __CUDACC__\n#define ON_CUDA\n#else\n{HIPS}\n#endif",
        "#ifndef __CUDACC__\n#define cudaMalloc hipMalloc\n#endif",
        "#if defined(__CUDA_ARCH__)\n__device__ int get(int *a) { return cuda_load(a); }\n#else\n"
        "__device__ int get(int *a) { return *(volatile int *)a; }\n#endif",
    ],
)
def test_a_test_whose_other_side_is_the_projects_own_for_hip_stays(gate: str) -> None:
    found, after = rules(gate)
    assert WIDENED not in found and gate.partition("\n")[0] in after


@pytest.mark.parametrize(
    "gate",
    [
        "#ifndef __NVCC__\n#define __host__\n#endif",
        "#ifdef __CUDA_ARCH__\n__device__ int get(int *a) { return *a; }\n#else\nint get(int *a) { return 1; }\n#endif",
        "#ifdef __CUDA_ARCH__\n__device__ int get(int *a) { return *a; }\n#else\n"
        "__device__ int get(int *a) { return 0; }\n#endif",
        "#ifdef __CUDA_ARCH__\n__host__ __device__ int get(int *a) { return *a; }\n#else\n"
        "__host__ __device__ int get(int *a) { return 1; }\n#endif",
        "#ifdef __CUDACC__\n#define hipster hipMalloc\n#else\n#define ON_HOST\n#endif",
    ],
)
def test_a_test_whose_other_side_is_the_hosts_is_widened(gate: str) -> None:
    assert WIDENED in rules(gate)[0]


@pytest.mark.parametrize(
    ("condition", "many"),
    [
        ("defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)", 0),
        ("defined(__CUDACC__) && !defined(__clang__)", 0),
        ("defined(__GNUC__) && !defined(__CUDACC__)", 1),
        ("!defined(__clang__) || defined(__CUDACC__)", 1),
        ("defined(__clang__) && defined(__CUDACC__)", 1),
    ],
)
def test_a_condition_that_clang_rules_out_stays(condition: str, many: int) -> None:
    found, _ = rules(f"#if {condition}\nint a;\n#endif")
    assert found.count("build/cuda-compiler-macro") == many


NUMBERED = """#include <hip/hip_runtime.h>
__host__ __device__ int f(int *p, int n) {{
#ifdef __CUDA_ARCH__
#if {}
  return fast(p, n);
{}#endif
#else
  return plain(p, n);
#endif
}}
"""


@pytest.mark.parametrize(
    ("condition", "other", "widened"),
    [
        ("__CUDA_ARCH__ == 200", "#else\n  return rest(p, n);\n", True),  # AMD is as any newer GPU
        ("__CUDA_ARCH__ != 200", "#else\n  return rest(p, n);\n", True),
        ("__CUDA_ARCH__ == 200", "#elif __CUDA_ARCH__ == 350\n  return p[0];\n#else\n  return rest(p, n);\n", True),
        ("__CUDA_ARCH__ >= 200", "#else\n  return rest(p, n);\n", False),
        ("__CUDA_ARCH__ < 200", "#else\n  return rest(p, n);\n", False),
        ("__CUDA_ARCH__ == 200", "#elif __CUDA_ARCH__ == 350\n  return p[0];\n", False),  # nothing for others
        ("__CUDA_ARCH__ == 900", "#else\n  __trap();\n", False),
        ("__CUDA_ARCH__ == LEAST", "#else\n  return rest(p, n);\n", False),
    ],
)
def test_equality_with_one_gpu_is_answered_as_for_the_newest(condition: str, other: str, widened: bool) -> None:
    found = find_in_text(NUMBERED.format(condition, other)).findings
    (one,) = (one for one in found if one.rule == "build/cuda-compiler-macro")
    assert (one.fix is not None) is widened


NEWER = "#if defined(__CUDACC__) && CUDART_VERSION >= 11000\nint a;\n"


@pytest.mark.parametrize(
    ("gate", "widened"),
    [
        pytest.param(f'{NEWER}#elif defined(__CUDACC__)\n# error "old"\n#endif', False, id="an old release is refused"),
        pytest.param(f'{NEWER}#else\n#ifdef __CUDACC__\n# error "old"\n#endif\n#endif', False, id="inside of the else"),
        pytest.param(
            f'{NEWER}#elif defined(__CUDACC__)\nint b;\n#else\n# error "none"\n#endif', True, id="it has code"
        ),
        pytest.param(
            '#if defined(FAST)\nint a;\n#elif defined(__CUDACC__)\n# error "slow"\n#endif', True, id="no release"
        ),
        pytest.param(f'{NEWER}#endif\n#ifdef __CUDACC__\n# error "none"\n#endif', True, id="another conditional"),
    ],
)
def test_a_test_that_refuses_old_releases_is_not_widened(gate: str, widened: bool) -> None:
    found, after = rules(gate)
    assert ("build/cuda-compiler-macro" in found) is widened and ("__HIPCC__" in after) is widened
