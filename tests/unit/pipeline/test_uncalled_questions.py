"""Questions for a compute capability in functions of headers that nobody calls."""

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


SHOW = '__device__ void show(int *a) { printf("%d ", a[0]); }\n'


@pytest.mark.parametrize(
    ("files", "outcome"),
    [
        ({"a.cu": SHOW + "__global__ void k(int *a) { a[0] = 1; }\n"}, "fine"),
        (
            {"a.cu": SHOW + "__device__ void all(int *a) { show(a); }\n__global__ void k(int *a) { a[0] = 1; }\n"},
            "fine",
        ),
        ({"a.cu": SHOW + "__global__ void k(int *a) { show(a); }\n"}, "slower"),
        (
            {"a.cu": SHOW, "b.cu": "extern __device__ void show(int *a);\n__global__ void k(int *a) { show(a); }\n"},
            "slower",
        ),
        (  # another program has one of its own
            {
                "a.cu": SHOW,
                "b.cu": "__device__ void show(int *a) { a[0] = 1; }\n__global__ void k(int *a) { a[0] = 1; }\n",
            },
            "fine",
        ),
        # a kernel is started by its name in a text, too
        ({"a.cu": SHOW.replace("__device__", "__global__")}, "slower"),
        ({"a.cu": "struct Row { " + SHOW.replace("show", "operator()") + "};\n"}, "slower"),
    ],
)
def test_output_that_no_kernel_reaches_costs_nothing(tmp_path: Path, files: dict[str, str], outcome: str) -> None:
    found = pipeline.scan(written(tmp_path, files), Config(jobs=1)).findings
    assert [one.outcome for one in found if one.rule == "launch/device-output"] == [outcome]
