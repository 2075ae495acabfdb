"""A test of the compute capability that AMD's GPUs all answer as newer ones of NVIDIA's do is no gap of a port."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import BRANCHES, BUILD, scanned


@pytest.mark.parametrize(
    ("test", "gaps"),
    [
        ("p.major >= 6", 0),  # 9 and more on AMD, which has 16-bit floats, too
        ("p.major < 7", 0),  # old GPUs are refused, and AMD's are not
        ("p.major == 7 || p.major == 8", 0),
        ("p.major >= 6 || (p.major == 5 && p.minor >= 3)", 0),
        ("p.major >= 8", 1),  # a way for tensor cores
        ("p.major == 9", 1),  # true on an MI300, which is no H100
        ("p.major == 9 && p.minor == 0", 2),
        ("p.major < 8", 1),
        ("p.major * 10 + p.minor >= 70", 1),
        ("p.major > 6 && p.minor >= 3", 2),
    ],
)
def test_what_every_gpu_of_amd_answers_alike(tmp_path: Path, test: str, gaps: int) -> None:
    text = f"{BRANCHES % 'LIB_AMD'}bool f(gpuDeviceProp p, cudaDeviceProp *);\nbool g(P p) {{ return {test}; }}\n"
    found = scanned(tmp_path, {"a.cu": text, "CMakeLists.txt": BUILD % ""}).findings
    assert len([one for one in found if one.rule == "memory/device-major"]) == gaps
