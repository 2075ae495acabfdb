"""Launches in functions for both sides: what device code reaches does not compile."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

CHILD = "__global__ void child(int *a) { a[0] = 1; }\n"
START = "void start(int *a) {\n  child<<<1, 32>>>(a);\n}\n"
PARENT = "__global__ void parent(int *a) { start(a); }\n"
HOST = "void host(int *a) { start(a); }\n"
BY_SWITCH = "#ifdef NESTED\nLOCAL __host__ __device__\n#else\nLOCAL __host__\n#endif /* NESTED */\n"
TABLE = "typedef void (*Start)(int *);\n__global__ void parent(int *a) { const Start all[] = {start}; all[0](a); }\n"
BEGUN = (
    "struct Start { int n; int m; __host__ __device__ Start(int *a, int (&list)[2] = {}) : n{1}, m(2) {\n"
    "#define ONE 1\n  child<<<1, 32>>>(a);\n} };\n__global__ void parent(int *a) { Start s(a); }\n"
)
MEMBER = "struct Grid { __host__ __device__ void start(int *a) { child<<<1, 32>>>(a); } };\n"


def launches(root: Path, text: str, **headers: str) -> int:
    files = {"a.cu": "".join(f'#include "{name}.h"\n' for name in headers) + CHILD + text}
    written(root, files | {f"{name}.h": body for name, body in headers.items()})
    found = pipeline.scan(root, Config(jobs=1)).findings
    return sum(one.rule == "launch/dynamic-parallelism" for one in found)


@pytest.mark.parametrize(
    "text",
    [
        f"__host__ __device__ {START}",  # has code on both sides, whoever calls it
        f"inline __host__ __device__ {START}{PARENT}",
        f"#define BOTH __host__ __device__\n static BOTH {START}{PARENT}",
        f"{BY_SWITCH}{START}{TABLE}",
        f"template <int N>\n{BY_SWITCH}{START}{PARENT.replace('start(a)', 'start<4>(a)')}",
        f"{MEMBER}__global__ void parent(int *a) {{ Grid().start(a); }}\n",
        BEGUN,
        f"static __host__ __device__ {START}inline __host__ __device__ void twice(int *a) {{ start(a); }}\n"
        "__global__ void parent(int *a) { twice(a); }\n",
        f"template <class T> __host__ __device__ {START}template __host__ __device__ void start<int>(int *);\n",
        f"template <class T> __host__ __device__ {START}template void start< int >(int *);\n",
    ],
)
def test_what_device_code_reaches(tmp_path: Path, text: str) -> None:
    assert launches(tmp_path, text) == 1


@pytest.mark.parametrize(
    "text",
    [
        f"inline __host__ __device__ {START}{HOST}",
        f"template <class T> __host__ __device__ {START}extern template void start<int>(int *);\n{HOST}",
        f"template <class T> __host__ __device__ {START}// template void start<int>(int *);\n{HOST}",
        f"{BY_SWITCH}{START}{HOST}",
        MEMBER,
        f"static {START}{HOST}",
        f"LOCAL __host__ {START}{PARENT.replace('start', 'other')}",
        "inline __host__ __device__ void start(int *a) {\n#ifndef __CUDA_ARCH__\n  child<<<1, 32>>>(a);\n#endif\n}\n"
        + PARENT,
        f"static __host__ __device__ {START}inline __host__ __device__ void twice(int *a) {{ start(a); }}\n"
        "void host(int *a) { twice(a); }\n",
    ],
)
def test_what_only_the_host_calls(tmp_path: Path, text: str) -> None:
    assert launches(tmp_path, text) == 0


def test_qualifiers_and_callers_of_other_files(tmp_path: Path) -> None:
    both = "#define LIB_BOTH __host__ __device__ __forceinline__\n#define LIB_DEVICE __device__\n"
    user = "#pragma once\nint *start(int *a);\nLIB_DEVICE int *use(int *a) { start(a); return a; }\n"
    assert launches(tmp_path / "1", f"LIB_BOTH {START}", both=both, call=user) == 1
    assert launches(tmp_path / "2", f"LIB_BOTH {START}", both=both, call=user.replace("LIB_DEVICE", "inline")) == 0


BOTH = "__host__ __device__ inline int ask() { int n = 0; %s return n; }\n"
KERNEL = "__global__ void parent(int *a) { a[0] = ask(); }\n"


@pytest.mark.parametrize(
    ("body", "users", "found"),
    [
        ("cudaGetDevice(&n);", KERNEL, 1),
        ("cudaMemcpy(&n, &n, 4, cudaMemcpyDefault); cudaStream_t s; cudaStreamCreate(&s);", KERNEL, 2),
        ("cudaGetDevice(&n);", "void host() { ask(); }\n", 0),
        ("\n#ifndef __CUDA_ARCH__\ncudaGetDevice(&n);\n#endif\n", KERNEL, 0),
        ("cudaHelper(&n);", "__host__ __device__ void cudaHelper(int *n);\n" + KERNEL, 0),
    ],
)
def test_calls_of_the_runtime(tmp_path: Path, body: str, users: str, found: int) -> None:
    written(tmp_path, {"ask.h": "#include <cuda_runtime.h>\n" + BOTH % body, "a.cu": '#include "ask.h"\n' + users})
    report = pipeline.scan(tmp_path, Config(jobs=1))
    assert [one.path for one in report.findings if one.rule == "launch/runtime-call-on-device"] == ["ask.h"] * found


SIDES = "#pragma once\n#include <vector>\n#define __both__ __host__ __device__\n"
SUM = "float Node::sum(int n) const {{ {} return n; }}\nfloat all(const Node &a) {{ return a.sum(3); }}\n"
CLASS = "struct Node { float sum(int n) const; };\n"
VECTOR = "std::vector<float> parts(n);"


@pytest.mark.parametrize(
    ("head", "body", "more", "reported"),
    [
        ("__both__ ", VECTOR, "", 1),
        ("__both__\n", VECTOR, "", 1),
        ("__host__ __device__ ", VECTOR, "", 1),
        ("inline __both__ ", VECTOR, "__global__ void k(Node a) { a.sum(3); }\n", 1),
        ("inline __both__ ", VECTOR, "", 0),
        ("", VECTOR, "", 0),
        ("__both__ ", "static const std::vector<float> &parts = all_parts();", "", 0),
        ("__both__ ", f"\n#ifndef __CUDA_ARCH__\n{VECTOR}\n#endif\n", "", 0),
        ("__both__ ", "n = std::max(n, 3);", "", 0),
    ],
)
def test_objects_of_the_host_s_library_count_too(
    head: str, body: str, more: str, reported: int, tmp_path: Path
) -> None:
    code = '#include <cuda_runtime.h>\n#include "sides.h"\n' + CLASS + head + SUM.format(body) + more
    found = pipeline.scan(written(tmp_path, {"sides.h": SIDES, "node.cu": code}), Config(jobs=1)).findings
    assert sum(one.rule == "launch/host-library-on-device" for one in found) == reported
