"""Functions that CUDA's compiler declares by itself, called in files of HIP's side, are gaps of a port."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import BRANCHES, BUILD, KERNEL, reported

PORT = {"cuda/a.cu": BRANCHES % "LIB_AMD" + KERNEL, "CMakeLists.txt": BUILD % ""}
HEAD = "#include <hip/hip_runtime.h>\n"
CALL = "__global__ void g(unsigned *a, unsigned n) { a[0] = umin(a[1], n); }\n"


@pytest.mark.parametrize(
    ("files", "found"),
    [
        ({"hip/b.cpp": HEAD + CALL}, 1),
        ({"hip/b.cpp": HEAD + CALL.replace("umin", "min")}, 0),
        (
            {"hip/b.cpp": HEAD + "__device__ unsigned umin(unsigned a, unsigned b) { return a < b ? a : b; }\n" + CALL},
            0,
        ),
        ({"hip/b.cpp": HEAD + "#ifdef WITH_CUDA\n" + CALL + "#endif\n"}, 0),
        (
            {
                "hip/b.cpp": HEAD + '#include "names.h"\nvoid f(float **p) { cudaMallocAsync(p, 4, 0); }\n',
                "hip/names.h": "#define cudaMallocAsync hipMallocAsync\n",
            },
            0,
        ),
    ],
)
def test_a_name_that_hip_lacks_is_a_gap_in_a_file_for_hip(tmp_path: Path, files: dict[str, str], found: int) -> None:
    report = reported(tmp_path, PORT | files)
    assert [one.rule for one in report.findings].count("api/integer-min-max") == found
    assert report.port is not None and report.port.gaps == found
