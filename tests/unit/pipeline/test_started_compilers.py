"""nvcc that a file without a name of CUDA's looks for or starts is found where the repository has CUDA code."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

KERNEL = "__global__ void k() {}\n"
PLAIN = '#include <string>\nvoid make(const std::string &in) {\n  system((bin + "/nvcc" + in).c_str());\n}\n'
GUARDED = '#ifdef __HIP_PLATFORM_AMD__\nvoid a();\n#else\nint a = system("nvcc -cubin a.cu");\n#endif\n'


@pytest.mark.parametrize(
    ("files", "lines"),
    [
        pytest.param({"k.cu": KERNEL, "make.cpp": PLAIN}, [3], id="beside kernels"),
        pytest.param({"k.cpp": "void k() {}\n", "make.cpp": PLAIN}, [], id="no code of CUDA's"),
        pytest.param({"k.cu": KERNEL, "make.cpp": PLAIN.replace("system", "printf")}, [], id="what is printed"),
        pytest.param({"k.cu": KERNEL, "make.cpp": PLAIN.replace("/nvcc", "/nvcc-like")}, [], id="another program"),
        pytest.param({"k.cu": KERNEL, "make.cpp": GUARDED}, [], id="a branch for AMD is there"),
    ],
)
def test_a_program_that_starts_nvcc(tmp_path: Path, files: dict[str, str], lines: list[int]) -> None:
    written(tmp_path, files)
    found = pipeline.scan(tmp_path, Config(jobs=1)).findings
    assert [one.position.line for one in found if one.rule == "build/nvcc-started"] == lines
