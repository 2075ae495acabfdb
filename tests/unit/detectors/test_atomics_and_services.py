"""Atomics and services that device code uses, by type, place and architecture."""

from __future__ import annotations

import pytest

from cudamigrate.config import Config
from cudamigrate.pipeline.rule_tests import find_in_text

HEAD = "#include <cuda_runtime.h>\n"


def rules(source: str, path: str = "a.cu", config: Config | None = None) -> list[str]:
    findings = find_in_text(HEAD + source, path, config).findings
    return [f.rule for f in findings if f.rule.startswith(("memory/", "launch/"))]


@pytest.mark.parametrize(
    ("call", "rule"),
    [
        ("atomicAdd(f, 1.0f)", "memory/float-atomic"),
        ("atomicAdd(&f[3], 1.0f)", "memory/float-atomic"),
        ("::atomicAdd(f + n, 1.0f)", "memory/float-atomic"),
        ("atomicAdd(reinterpret_cast<double *>(f), 1.0)", "memory/float-atomic"),
        ("atomicAdd((float *)p, 1.0f)", "memory/float-atomic"),
        ("atomicAdd(&v[0], make_float2(1, 1))", "memory/vector-atomic"),
        ("atomicAdd(&v[0].x, 1.0f)", ""),
        ("atomicAdd(&p->sum, 1.0f)", ""),
        ("atomicAdd(i, 1)", ""),
        ("atomicAdd(unknown, 1.0f)", ""),
        ("counter.atomicAdd(f, 1.0f)", ""),
    ],
)
def test_atomic_is_reported_by_the_type_of_its_target(call: str, rule: str) -> None:
    source = f"__global__ void k(float *f, int *i, float2 *v, Big *p, int n) {{ {call}; }}"
    assert rules(source) == ([rule] if rule else [])


@pytest.mark.parametrize(
    ("defined", "call", "rule"),
    [
        ("#define ADD atomicAdd\n", "ADD(f, 1.0f)", "memory/float-atomic"),
        ("#define ADD atomicAdd\n#define REAL float\n", "ADD((REAL *)i, 1.0f)", "memory/float-atomic"),
        ("#define REAL float\n", "atomicAdd((REAL *)i, 1.0f)", "memory/float-atomic"),
        ("#define ADD atomicAdd\n", "ADD(i, 1)", ""),
        ("#define ADD atomicAdd\n", "p.ADD(f, 1.0f)", ""),
        ("#define ADD atomicAdd_block\n", "ADD(f, 1.0f)", ""),
        ("#ifdef OWN\n#define ADD mine\n#else\n#define ADD atomicAdd\n#endif\n", "ADD(f, 1.0f)", ""),
        ("#define ADD atomicAdd\n#define REAL int\n", "ADD((REAL *)f, 1)", ""),
    ],
)
def test_an_atomic_by_a_macro_is_one_as_by_its_name(defined: str, call: str, rule: str) -> None:
    source = f"{defined}__global__ void k(float *f, int *i, Big p) {{ {call}; }}"
    assert rules(source) == ([rule] if rule else [])


def test_float_atomic_is_no_matter_where_the_hardware_adds() -> None:
    source = "__global__ void k(float *f) { atomicAdd(f, 1.0f); }"
    assert rules(source, config=Config(arch=("gfx942",))) == []
    assert rules(source, config=Config(arch=("gfx1100",))) == ["memory/float-atomic"]


def test_half_atomic_is_missing_up_to_a_release_and_where_nobody_brings_it() -> None:
    source = "__global__ void k(__half2 *f, __half2 v) { atomicAdd(f, v); }"
    assert rules(source, config=Config(rocm="7.2")) == ["memory/packed-atomic"]
    assert rules(source, config=Config(rocm="7.13")) == []
    assert rules('#include "compat.cuh"\n' + source, config=Config(rocm="7.2")) == ["memory/packed-atomic"]


@pytest.mark.parametrize(
    ("code", "path", "found"),
    [
        ("__global__ void k() { printf(); }", "a.cu", ["launch/device-output"]),
        (
            "__global__ void k() { std::printf(); log.printf(); }",
            "a.cu",
            ["launch/std-function", "launch/device-output"],
        ),
        ("__global__ void k() { printf(); printf(); }", "a.cu", ["launch/device-output"]),
        ("__device__ void f() { printf(); }\n__global__ void k() { printf(); }", "a.cu", ["launch/device-output"] * 2),
        ("__global__ void k() { printf(); }", "rocm/a.cu", ["launch/device-output"]),
        ("__global__ void k(Timer t) { t.clock(); clock(1); }", "a.cu", []),
        ("__device__ long k() { return clock() + clock64(); }", "a.cu", ["launch/device-clock"] * 2),
    ],
)
def test_services_are_those_of_device_code(code: str, path: str, found: list[str]) -> None:
    assert rules(code, path) == found


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("bool f() { cudaError_t e = g(); return e == 2; }", 1),
        ("bool f() { cudaError_t e = g(); return e != 0 || e == cudaErrorMemoryAllocation; }", 0),
        ("bool f() { return cudaGetLastError() == 700; }", 1),
        ("cudaError_t f() { return static_cast<cudaError_t>(30); }", 1),
        ("bool f(Result e) { cudaError_t other; return e == 2; }", 0),
        ("bool f() { cudaError_t e; return p.e == 2; }", 0),
        ("void g() { cudaError_t e; }\nbool f(int e) { return e == 2; }", 0),
    ],
)
def test_error_is_distinguished_from_other_numbers(code: str, found: int) -> None:
    assert rules(code).count("launch/error-number") == found


def test_definition_of_a_stand_in_is_no_managed_memory() -> None:
    assert rules("cudaError_t cudaMallocManaged(void **p, size_t n) { return cudaSuccess; }") == []
