"""A test of the compute capability that AMD's GPUs all answer as newer ones of NVIDIA's do is no gap of a port."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from porttrees import BRANCHES, BUILD, scanned

GAPS = {
    "p.major >= 6": 0,  # 9 and more on AMD, which has 16-bit floats, too
    "p.major < 7": 0,  # old GPUs are refused, and AMD's are not
    "p.major == 7 || p.major == 8": 0,
    "p.major >= 6 || (p.major == 5 && p.minor >= 3)": 0,
    "p.major >= 8": 1,  # a way for tensor cores
    "p.major == 9": 1,  # true on an MI300, which is no H100
    "p.major == 9 && p.minor == 0": 2,
    "p.major < 8": 1,
    "p.major * 10 + p.minor >= 70": 1,
    "p.major > 6 && p.minor >= 3": 2,
}


def test_what_every_gpu_of_amd_answers_alike(tmp_path: Path) -> None:
    head = f"{BRANCHES % 'LIB_AMD'}void f(cudaDeviceProp *);\n"
    text = head + "".join(f"bool g{at}(P p) {{ return {test}; }}\n" for at, test in enumerate(GAPS))
    found = scanned(tmp_path, {"a.cu": text, "CMakeLists.txt": BUILD % ""}).findings
    counts = Counter(one.position.line for one in found if one.rule == "memory/device-major")
    first = head.count("\n") + 1
    assert {test: counts[first + at] for at, test in enumerate(GAPS)} == GAPS
