"""What is compiled for AMD behind tests for NVIDIA's architectures, and decisions by their numbers."""

from __future__ import annotations

import pytest

from cudamigrate.model import Finding
from cudamigrate.pipeline.rule_tests import find_in_text

KERNEL = "#include <hip/hip_runtime.h>\n__global__ void k(int *p) {{\n{}\n}}\n"


def guard_findings(text: str, group: str = "build/") -> list[Finding]:
    """Findings of a group, those about headers apart."""
    return [f for f in find_in_text(text).findings if f.rule.startswith(group) and "header" not in f.rule]


@pytest.mark.parametrize(
    ("condition", "rule"),
    [
        ("__CUDA_ARCH__ >= 800", "build/vanished-code"),
        ("defined(__CUDA_ARCH__) && (__CUDA_ARCH__ >= 0x320)", "build/vanished-code"),
        ("800 <= __CUDA_ARCH__", "build/vanished-code"),
        ("__CUDACC_VER_MAJOR__ >= 12 && __CUDA_ARCH__ >= 800", "build/vanished-code"),
        ("__CUDA_ARCH__ < 800", "build/oldest-branch"),
        ("!defined(__CUDA_ARCH__) || __CUDA_ARCH__ < 800", "build/oldest-branch"),
        ("!(__CUDA_ARCH__ >= 800)", "build/oldest-branch"),
        ("__CUDA_ARCH__ >= 800 || FAST", "build/arch-gate"),
        ("__CUDA_ARCH__ >= 800 || CHIP_TEST", "build/arch-gate"),  # no part of the word is HIP
        ("defined(__CUDACC__) && !defined(CHIP_TEST)", "build/cuda-compiler-macro"),
        ("__CUDA_ARCH__ >= MINIMUM", "build/arch-gate"),
        ("!defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800", ""),
        ("defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800", ""),
        ("defined(__CUDA_ARCH__) && __CUDA_ARCH__ == 750", ""),
        ("__CUDA_ARCH__ >= 800 || defined(USE_ROCM)", ""),
        ("defined(__CUDACC__) || defined(__HIPCC__)", ""),
    ],
)
def test_guard_is_judged_by_what_amd_compiles(condition: str, rule: str) -> None:
    rules = [finding.rule for finding in guard_findings(KERNEL.format(f"#if {condition}\np[0] = 1;\n#endif"))]
    assert rules == ([rule] if rule else [])


@pytest.mark.parametrize(
    ("branches", "rule", "words"),
    [
        ("#if __CUDA_ARCH__ >= 800\np[0] = 1;\n#else\np[0] = 2;\n#endif", "build/older-path", "line 5 on is compiled"),
        (
            "#if __CUDA_ARCH__ >= 800\np[0] = 1;\n#else\n__trap();\n#endif",
            "build/refused-arch",
            "line 5 on does nothing",
        ),
        (
            "#if __CUDA_ARCH__ >= 800\np[0] = 1;\n#else\n#error old\n#endif",
            "build/refused-arch",
            "line 5 on does nothing",
        ),
        ("#if __CUDA_ARCH__ >= 900\nint a[2];\n#endif", "build/arch-gate", "left out"),
        ("#if __CUDA_ARCH__ >= 800\np[0] = 1;\n#else\n#endif", "build/vanished-code", "nothing is in its place"),
        (
            '#if __CUDA_ARCH__ >= 800\np[0] = 1;\n#else\n#pragma message("old")\n#endif',
            "build/refused-arch",
            "line 5 on does nothing",
        ),
        (
            '#if __CUDA_ARCH__ >= 800\np[0] = 1;\n#else\nif (!threadIdx.x) printf("old");\n__trap();\nreturn;\n#endif',
            "build/refused-arch",
            "line 5 on does nothing",
        ),
        (
            "#if __CUDA_ARCH__ == 800\np[0] = 1;\n#elif __CUDA_ARCH__ == 900\np[0] = 2;\n#endif",
            "build/vanished-code",
            "nothing is in its place",
        ),
    ],
)
def test_fall_back_is_named(branches: str, rule: str, words: str) -> None:
    (finding,) = guard_findings(KERNEL.format(branches))
    assert finding.rule == rule
    assert words in finding.message


CHAIN = "#if __CUDA_ARCH__ == 860\n{0}#elif __CUDA_ARCH__ >= 700\n{0}#elif {1}\np[0] = 3;\n{2}#endif"


@pytest.mark.parametrize(
    ("third", "last", "words"),
    [
        ("__CUDA_ARCH__ >= 500", "", "left out in silence"),
        ("__CUDA_ARCH__ >= 500", "#else\np[0] = 2;\n", "the branch from line 9 on"),
        ("__CUDA_ARCH__ < 500", "#else\np[0] = 2;\n", "the branch from line 7 on"),
        ("WIDE", "#else\np[0] = 2;\n", "depends on other macros"),
    ],
)
def test_a_chain_of_tests_is_one_finding_that_names_what_is_compiled(third: str, last: str, words: str) -> None:
    found = guard_findings(KERNEL.format(CHAIN.format("p[0] = 1;\n", third, last)))
    found = [one for one in found if one.rule != "build/oldest-branch"]
    assert len(found) == 1
    assert words in found[0].message


@pytest.mark.parametrize(
    ("branch", "rules"),
    [
        ("extern volatile __shared__ float held[];", ["build/oldest-branch"]),
        ("float sum;", ["build/oldest-branch"]),
        ("typedef float sum;", ["build/oldest-branch"]),
        ("struct Sum { float of; };", ["build/oldest-branch"]),
        ("#pragma unroll", ["build/oldest-branch"]),
        ("", ["build/oldest-branch"]),
    ],
)
def test_an_object_that_the_branch_for_old_gpus_declares_counts(branch: str, rules: list[str]) -> None:
    text = f"#if __CUDA_ARCH__ <= 130\n{branch}\n#else\ndouble sum;\n#endif"
    assert [finding.rule for finding in guard_findings(KERNEL.format(text))] == rules


@pytest.mark.parametrize(
    ("old", "rules"),
    [("p[0] ^= (q[1]);", []), ("p[0] ^= (q[2]);", ["build/older-path"]), ("p[0] = (q[1]);", ["build/older-path"])],
)
def test_branches_that_load_the_same_are_none(old: str, rules: list[str]) -> None:
    text = f"#if __CUDA_ARCH__ >= 350\np[0] ^= (__ldg(&q[1])); // cached\n#else\n{old}\n#endif"
    assert [finding.rule for finding in guard_findings(KERNEL.format(text))] == rules


@pytest.mark.parametrize(
    ("new", "old", "rules"),
    [
        ("p[0] = __ldg(q);", "p[0] = *q;", []),
        ("p[0] = __ldg(q + 1);", "p[0] = *(q + 1);", []),
        ("p[0] = __ldg(q) + (1);", "p[0] = *(q) + (1);", []),
        ("p[0] = __ldg(q + 1);", "p[0] = q[1];", []),
        ("p[0] = 2 + __ldg(q + (1 + 1) * 2) - *(q + 1);", "p[0] = 2 + q[(1 + 1) * 2] - q[1];", []),
        ("#define AT(a, e) (__ldg((a)+(e)))", "#define AT(a, e) ((a)[(e)])", []),
        ("#define AT(a, e) (__ldg((a)+(e)))", "#define AT(a, e) ((e)[(a)])", ["build/older-path"]),
        ("p[0] = 2 * ((1) + (2));", "p[0] = 2 (1)[(2)];", ["build/older-path"]),
        ("p[0] = __ldg((q + 1) + (2));", "p[0] = (q + 1)[(2)];", ["build/older-path"]),
        ("p[0] = __ldg(q + 1);", "p[0] = q[2];", ["build/older-path"]),
        ("p[0] = 2 * (p[0] + 1);", "p[0] = 2[p[0] + 1];", ["build/older-path"]),
        ("p[0] = __ldg(q);", "p[0] = *p;", ["build/older-path"]),
        ("p[0] = __ldg(q + 1);", "p[0] = *q + 1;", ["build/older-path"]),
    ],
)
def test_branches_that_load_by_a_pointer_alike_are_none(new: str, old: str, rules: list[str]) -> None:
    text = f"#if __CUDA_ARCH__ >= 350\n{new}\n#else\n{old}\n#endif"
    assert [finding.rule for finding in guard_findings(KERNEL.format(text))] == rules


def test_wait_for_the_kernel_before_may_vanish() -> None:
    guarded = "#if __CUDA_ARCH__ >= 900\ncudaGridDependencySynchronize();\n#endif"
    assert guard_findings(KERNEL.format(guarded)) == []
    worked = "#if __CUDA_ARCH__ >= 900\ncudaGridDependencySynchronize(); p[0] = 1;\n#endif"
    assert [finding.rule for finding in guard_findings(KERNEL.format(worked))] == ["build/vanished-code"]


def test_nested_conditionals_do_not_end_a_guard() -> None:
    text = "#if __CUDA_ARCH__ >= 800\n#ifdef WIDE\np[1] = 1;\n#else\np[0] = 1;\n#endif\n#else\np[0] = 2;\n#endif"
    (finding,) = guard_findings(KERNEL.format(text))
    assert "line 9 on is compiled" in finding.message


@pytest.mark.parametrize(
    ("line", "rules"),
    [
        ("int f(int sm) { return getSMVersion() == 90 ? 1 : 2; }", ["build/capability-number"]),
        ("int f(int gpu_arch) { return 80 <= gpu_arch; }", ["build/capability-number"]),
        ("int f(int gpu_arch) { return gpu_arch < 12; }", []),
        ("int f(int arms_version) { return arms_version >= 80; }", []),
        ("int f(int compute_cap) { return compute_cap == 85; }", []),
        ("static_assert(Tag::kMinComputeCapability >= 80);", []),
        ("int f(int n) { return n * prop.multiProcessorCount; }", []),
        ("int f() { return 2 * properties.multiProcessorCount; }", ["build/multiprocessor-multiple"]),
        ('auto o = "--gpu-architecture=sm_90";', ["build/arch-option"]),
        ('auto o = "gemm_sm_90_kernel";', []),
        ('auto o = "run on sm_90 only";', []),
        ("case hipDeviceAttributeComputeCapabilityMajor: break;", []),
    ],
)
def test_numbers_of_architectures(line: str, rules: list[str]) -> None:
    assert [finding.rule for finding in guard_findings(f"#include <hip/hip_runtime.h>\n{line}\n")] == rules


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("__device__ float f(T t) { return tex3D<float>(t, 1, 2, 3); }", ["texture/fetch"]),
        ("#define READ(t, x) tex1Dfetch<float>(t, x)", ["texture/fetch"]),
        ("float f(T t) { return tex3D<float>(t, 1, 2, 3); }", []),
        ("__device__ float f(T t) { return t.tex3D(1, 2, 3) + mine::tex2D(1, 2); }", []),
        ("__device__ void f(S s) { float v; surf1Dread(&v, s, 4); }", ["texture/surface-access"]),
        (
            "__device__ float f(S s) { return surf1Dread<float>(s, 4); }",
            ["texture/surface-access", "texture/surface-value"],
        ),
        (
            "__device__ void f(S s) { surf2Dwrite(1.0f, s, 4, 5, hipBoundaryModeZero); }",
            ["texture/surface-access", "texture/surface-zero"],
        ),
        (
            "__device__ void f(S s) { surf2Dwrite(1.0f, s, 4, 5, hipBoundaryModeClamp); }",
            ["texture/surface-access", "texture/surface-boundary"],
        ),
        (
            "__device__ void f(S s) { surf2DLayeredwrite(1.0f, s, 4, 5, 0, cudaBoundaryModeZero); }",
            ["texture/surface-access", "texture/surface-zero"],
        ),
    ],
)
def test_textures(line: str, found: list[str]) -> None:
    assert [finding.rule for finding in guard_findings(f"#include <hip/hip_runtime.h>\n{line}\n", "texture/")] == found


@pytest.mark.parametrize(
    ("conditions", "reported"),
    [
        (("#if defined(__HIPCC__)", "#elif defined(__CUDACC__)"), False),
        (("#if defined(__CUDACC__)", "#elif defined(__HIPCC__)"), False),
        (("#ifdef __CUDACC__", "#elif defined(__HIPCC__) && defined(FAST)"), False),
        (("#if defined(_MSC_VER)", "#elif defined(__CUDACC__)"), True),
        (("#if defined(__CUDACC__)", "#elif defined(_MSC_VER)"), True),
        (("#if defined(__HIPCC__) && defined(FAST)", "#elif defined(__CUDACC__)"), True),
    ],
)
def test_a_branch_beside_one_for_hip_is_not_widened(conditions: tuple[str, str], reported: bool) -> None:
    text = f"#include <hip/hip_runtime.h>\n{conditions[0]}\nint a;\n{conditions[1]}\nint b;\n#else\nint c;\n#endif\n"
    assert [f.rule for f in guard_findings(text)] == ["build/cuda-compiler-macro"] * reported


@pytest.mark.parametrize(
    ("line", "renamed"),
    [
        ("namespace cub { using namespace hipcub; }", False),
        ("namespace cub = hipcub;", False),
        ("using namespace cub;", True),
    ],
)
def test_a_namespace_that_code_for_hip_opens_keeps_its_name(line: str, renamed: bool) -> None:
    text = f"#include <hipcub/hipcub.hpp>\n#ifdef __HIPCC__\n{line}\n#endif\n"
    assert ["api/cub"] * renamed == [f.rule for f in find_in_text(text).findings if f.rule == "api/cub"]


@pytest.mark.parametrize(
    ("path", "rules"),
    [
        ("cub/cub/cub.cuh", ["api/cub/cub.cuh"]),
        ("../cub-1.8.0/cub/util_allocator.cuh", ["api/cub/util_allocator.cuh"]),
        ("mine/cub/other.cuh", []),
        ("mine/cub.cuh", []),
    ],
)
def test_headers_of_cub_are_known_in_any_folder(path: str, rules: list[str]) -> None:
    found = find_in_text(f'#include <hip/hip_runtime.h>\n#include "{path}"\n').findings
    assert [one.rule for one in found if one.rule.startswith("api/cub")] == rules


@pytest.mark.parametrize(("number", "version"), [("80", "90 to 120"), ("121", "90 to 120"), ("530", "900 to 1200")])
def test_a_capability_is_said_in_the_scale_that_it_is_compared_in(number: str, version: str) -> None:
    found = find_in_text(f"int f(int cuda_arch) {{ return cuda_arch >= {number}; }}").findings
    (message,) = [one.message for one in found if one.rule == "build/capability-number"]
    assert f"the GFX version, {version}, or" in message


@pytest.mark.parametrize(
    ("text", "rules"),
    [
        ("#if __CUDACC_VER_MAJOR__ < 12\n__old_mark__\n#endif\nint f();", ["build/oldest-branch"]),
        ("#if __CUDACC_VER_MAJOR__ <= 11\n#define USE_OLD\n#endif", ["build/oldest-branch"]),
        ('#if __CUDACC_VER_MAJOR__ < 12\n#include "old.h"\n#endif', []),
        ("#if __CUDACC_VER_MAJOR__ == 12\nint f();\n#else\nint g();\n#endif", []),  # nor do later releases take it
        ("#if __CUDACC_VER_MAJOR__ != 12\nint f();\n#endif", []),
        (
            "#if __CUDACC_VER_MAJOR__ == 11\nint f();\n#elif __CUDACC_VER_MAJOR__ == 12\nint g();\n#endif",
            ["build/arch-gate"],
        ),
        ("#if __CUDA_ARCH__ < 500\n#define A\n#elif __CUDA_ARCH__ < 700\n#define B\n#endif", ["build/oldest-branch"]),
        ("__global__ void\n#if __CUDA_ARCH__ >= 800\n__launch_bounds__(256, 2)\n#endif\nk(int *p) { p[0] = 1; }", []),
        ("#if __CUDA_ARCH__ >= 700\n#error not for Volta\n#endif", []),
        ("#if __CUDA_ARCH__ >= 700\n#else\n#error too old\n#endif", ["build/refused-arch"]),
    ],
)
def test_a_test_counts_as_far_as_its_branches_do_something(text: str, rules: list[str]) -> None:
    found = find_in_text("#include <hip/hip_runtime.h>\n" + text + "\n").findings
    assert [one.rule for one in found if one.group == "build"] == rules


def test_functions_of_a_class_with_another_way_are_slower_and_types_used_elsewhere_are_not_there() -> None:
    text = (
        "template <class T> struct S {\n#if __CUDA_ARCH__ >= 300\n  typedef Q<T> q;\n"
        "  LIB_DEVICE R<T> f(T x) const { return q().r(x); }\n#else\n  LIB_DEVICE R<T> f(T x) const { return x + x; }\n"
        "#endif\n%s};\n"
    )
    assert [one.rule for one in guard_findings(text % "")] == ["build/older-path"]
    assert [one.rule for one in guard_findings(text % "  q kept;\n")] == ["build/arch-gate"]
