"""A file that a HIP port has nothing of is one gap, and its work is priced as that of native code."""

from __future__ import annotations

from pathlib import Path

from porttrees import BRANCHES, scanned

from cudamigrate import pipeline
from cudamigrate.config import Config

BUILD = (
    'option(NV "" ON)\noption(AMD "" OFF)\nif(NV)\n  enable_language(CUDA)\n  list(APPEND SRC fast.cu)\n'
    "elseif(AMD)\n  enable_language(HIP)\nendif()\nadd_library(l both.cu ${SRC})\n"
)
FAST = '#include "fast.cuh"\n__global__ void fast(float *a) {}\nvoid f(void **p) { cudaMalloc(p, 4); cudaFree(*p); }\n'
FILES = {
    "CMakeLists.txt": BUILD,
    "both.cu": BRANCHES % "LIB_AMD" + "__global__ void k() {}\n__global__ void l() {}\n",
    "fast.cu": FAST,
    "fast.cuh": "#include <cuda_fp16.h>\n",
}


def test_a_file_for_cuda_alone_is_one_gap_with_its_header(tmp_path: Path) -> None:
    report = scanned(tmp_path, FILES)
    assert [(one.rule, one.path, one.fix) for one in report.findings] == [("build/left-to-cuda", "fast.cu", None)]
    assert "CMakeLists.txt:5" in report.findings[0].message
    assert "4 places of CUDA's in 2 files, 1 kernel" in report.findings[0].message
    assert report.port is not None and (report.port.gaps, report.port.kernels, report.port.ported) == (1, 3, 2)
    assert report.rules["build/left-to-cuda"].title


def test_the_places_of_the_file_are_priced_and_not_the_one_gap(tmp_path: Path) -> None:
    report = scanned(tmp_path, FILES)
    assert report.estimate is not None
    items = {(one.kind, one.path, one.count) for one in report.estimate.items}
    assert {("tests", "fast.cu", 1), ("review", "fast.cu", 3), ("review", "fast.cuh", 1)} <= items
    assert sum(one.findings for one in report.estimate.components) == 1


def test_apply_leaves_the_file_alone(tmp_path: Path) -> None:
    scanned(tmp_path, FILES)
    made = pipeline.apply(tmp_path, Config(jobs=1), unsafe=True)
    assert not made.conversions and [one.rule for one in made.report.findings] == ["build/left-to-cuda"]


def test_a_file_that_hip_builds_keeps_each_of_its_gaps(tmp_path: Path) -> None:
    build = BUILD.replace("enable_language(HIP)", "enable_language(HIP)\n  list(APPEND SRC fast.cu)")
    found = scanned(tmp_path, {**FILES, "CMakeLists.txt": build}).findings
    assert "build/left-to-cuda" not in {one.rule for one in found}
    assert {one.name for one in found} >= {"cudaMalloc", "cudaFree"}
