"""Questions for a compute capability, and output of device code, in functions that nobody calls."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

ASKS = "  int major; cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, id); return major >= 8;\n"
HELPERS = (
    "#include <cuda_runtime.h>\ninline int better(int id) {\n" + ASKS + "}\n"
    "inline int best() { return better(0); }\ninline void check(cudaError_t e) {}\n"
)
KERNEL = '#include "helpers.h"\n__global__ void k(int *a) { a[0] = 1; }\n'


def outcomes(root: Path, files: dict[str, str]) -> list[str]:
    found = pipeline.scan(written(root, files), Config(jobs=1)).findings
    return [one.outcome for one in found if one.rule == "build/capability-attribute"]


@pytest.mark.parametrize(
    ("code", "outcome"),
    [
        ("void run() { check(cudaSuccess); }\n", "fine"),
        ("void run() { best(); }\n", "wrong-result"),
        ("#define PICK better(1)\n", "wrong-result"),
        ("// best()\n", "fine"),
    ],
)
def test_who_calls_it_decides(tmp_path: Path, code: str, outcome: str) -> None:
    assert outcomes(tmp_path, {"helpers.h": HELPERS, "a.cu": KERNEL + code}) == [outcome]


def test_a_function_that_is_compiled_once_may_be_called_from_anywhere(tmp_path: Path) -> None:
    whole = HELPERS.replace("inline int better", "int better")
    assert outcomes(tmp_path / "1", {"helpers.h": whole, "a.cu": KERNEL}) == ["wrong-result"]
    assert outcomes(tmp_path / "2", {"a.cu": HELPERS}) == ["wrong-result"]


SHOWS = '#include <cstdio>\n__device__ void show(int v) { printf("%d", v); }\n'


@pytest.mark.parametrize(
    ("files", "found"),
    [
        ({"a.cu": SHOWS + "__global__ void k(int *a) { a[0] = 1; }\n"}, False),
        ({"a.cu": SHOWS + "__global__ void k(int *a) { show(a[0]); }\n"}, True),
        ({"a.cu": SHOWS + "__device__ void all(int *a) { show(a[0]); }\n__global__ void k() {}\n"}, False),
        ({"a.cu": SHOWS, "b.cu": "__device__ void show(int v) {}\n__global__ void k() { show(1); }\n"}, False),
        ({"a.cu": SHOWS, "b.cu": "extern __device__ void show(int);\n__global__ void k() { show(1); }\n"}, True),
        ({"a.cu": '#include "s.h"\n__global__ void k(int *a) { a[0] = 1; }\n', "s.h": SHOWS}, True),  # others' too
        (
            {
                "a.cu": SHOWS.replace("void show(int v)", "void operator()(int v)").replace(
                    "__device__", "struct S { __device__"
                )
                + "};\n"
            },
            True,
        ),
        ({"a.cu": '#include <cstdio>\n__global__ void k(int v) { printf("%d", v); }\n'}, True),
    ],
)
def test_output_in_a_function_that_no_kernel_calls_costs_none(
    files: dict[str, str], found: bool, tmp_path: Path
) -> None:
    rules = [one.rule for one in pipeline.scan(written(tmp_path, files), Config(jobs=1)).findings]
    assert ("launch/device-output" in rules) is found
