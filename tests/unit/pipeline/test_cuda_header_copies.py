"""A project's copy of CUDA's header of vector types is no code to convert."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

NAMES = ("char1", "char2", "int2", "int4", "uint3", "float2", "float3", "float4", "double2")
HEAD = "/* Types */\n#if !defined(VECTORS_H)\n#define VECTORS_H\n"
KERNEL = '#include "vectors.h"\n__global__ void k(float4 *a) { a[0].x = 1; }\n'
AMD = "#if !defined(__HIPCC_RTC__)\n#include <hip/hip_runtime.h>\n#endif\n"


def header(names: tuple[str, ...] = NAMES, mark: str = "__device_builtin__") -> str:
    types = (
        f"struct {mark} __align__(8) {name}\n{{\n    int x;\n}};\ntypedef struct {name} {name};\n" for name in names
    )
    return HEAD + "".join(types) + "#endif\n"


def test_hips_header_takes_its_place(tmp_path: Path) -> None:
    written(tmp_path, {"vectors.h": header(), "k.cu": KERNEL})
    done = pipeline.apply(tmp_path, Config(jobs=1))
    assert [one.rule for one in done.report.findings if one.path == "vectors.h"] == ["build/cuda-header-copy"]
    after = next(one.after.decode() for one in done.conversions if one.path == "vectors.h")
    guard = "#if !defined(__HIP_PLATFORM_AMD__) && !defined(__HIP__)\n"
    assert after == "/* Types */\n" + AMD + guard + header().removeprefix("/* Types */\n") + "#endif\n"


@pytest.mark.parametrize(
    "text",
    [
        header(NAMES[:3]),  # one or two types that a compiler lacks
        header(tuple(f"own_{name}" for name in NAMES)),  # types of the project's own
        header(mark="alignas(8)").replace("__align__(8)", ""),  # declared for others than nvcc
    ],
)
def test_other_headers_are_converted_as_they_are(tmp_path: Path, text: str) -> None:
    found = pipeline.scan(written(tmp_path, {"vectors.h": text, "k.cu": KERNEL}), Config(jobs=1)).findings
    assert "build/cuda-header-copy" not in {one.rule for one in found}
