"""A test for newer GPUs of NVIDIA is opened for AMD where nothing works in its place and its code is converted."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

OPENED = "build/opened-gate"
ADD = 'asm("add.u32 %0, %0, 1;" : "+r"(a));'
LEFT = 'asm("bar.arrive 1, 2;");'


def kernel(code: str, gate: str = "#if __CUDA_ARCH__ >= 700  // newer", other: str = "") -> str:
    inside = f"{gate}\nunsigned a = *p; {code}\n*p = a;\n{other}#endif"
    return f"#include <cuda_runtime.h>\n__global__ void k(unsigned *p) {{\n{inside}\n}}\n"


def switched(code: str, other: str, gate: str = "__CUDACC_VER_MAJOR__ >= 11") -> str:
    return (
        f"#include <cuda_runtime.h>\n#if ({gate})\n#if !defined(__CUDA_ARCH__) || (__CUDA_ARCH__ >= 800)\n"
        "#define FAST_ADD\n#endif\n#endif\n__device__ unsigned add(unsigned a) {\n"
        f"#ifdef FAST_ADD\n{code}\n{other}#endif\n  return a;\n}}\n"
    )


def after(folder: Path, files: dict[str, str]) -> tuple[str, list[str]]:
    written(folder, files)
    made = pipeline.apply(folder, Config(jobs=1))
    text = {one.path: one.after.decode() for one in made.conversions}.get("a.cu", "")
    return text, [one.rule for file in made.report.files for one in file.findings if one.rule == OPENED]


@pytest.mark.parametrize(
    ("text", "gate"),
    [
        pytest.param(kernel(ADD), "#if __CUDA_ARCH__ >= 700 || defined(__HIP_DEVICE_COMPILE__)  // newer", id="whole"),
        pytest.param(
            kernel(ADD, other="#else\n__trap();\n"),
            "#if __CUDA_ARCH__ >= 700 || defined(__HIP_DEVICE_COMPILE__)  // newer",
            id="else stops",
        ),
        pytest.param(
            "#include <mma.h>\n" + kernel("nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> c;"),
            "#if __CUDA_ARCH__ >= 700 || defined(__HIP_DEVICE_COMPILE__)  // newer",
            id="slower",
        ),
        pytest.param(switched(ADD, ""), "#if (__CUDACC_VER_MAJOR__ >= 11) || defined(__HIPCC__)", id="macro"),
        pytest.param(
            switched(ADD, '#else\n  ASSERT_NEVER("unsupported");\n'),
            "#if (__CUDACC_VER_MAJOR__ >= 11) || defined(__HIPCC__)",
            id="macro, else stops",
        ),
    ],
)
def test_a_test_before_converted_code_is_opened(tmp_path: Path, text: str, gate: str) -> None:
    made, found = after(tmp_path, {"a.cu": text})
    assert gate in made.splitlines() and found == [OPENED]


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"a.cu": kernel(ADD + LEFT)}, id="something is left"),
        pytest.param({"a.cu": kernel("a += 1;")}, id="nothing of CUDA's"),
        pytest.param({"a.cu": kernel(ADD, "#if __CUDA_ARCH__ >= 700 && __CUDA_ARCH__ < 800")}, id="old GPUs alone"),
        pytest.param({"a.cu": kernel(ADD, other="#else\n*p = 1;\n")}, id="another way"),
        pytest.param({"a.cu": switched(LEFT, "")}, id="macro, something is left"),
        pytest.param({"a.cu": switched(ADD, "#else\n  a += 1;\n")}, id="macro, another way"),
        pytest.param({"a.cu": switched(ADD, ""), "b.h": "#ifndef FAST_ADD\nint slow;\n#endif\n"}, id="asked elsewhere"),
        pytest.param({"a.cu": switched(ADD, ""), "b.h": "int b = FAST_ADD;\n"}, id="used elsewhere"),
    ],
)
def test_other_tests_stay(tmp_path: Path, files: dict[str, str]) -> None:
    made, found = after(tmp_path, files)
    assert found == [] and "|| defined(__HIP" not in made
