"""Elements of `wmma` fragments by their places: right for the GPUs whose places our header has, and for no others."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.model import Finding

HEAD = "#include <mma.h>\nusing namespace nvcuda;\n__global__ void k(float *out, float by) {\n"
SUMS = "  wmma::fragment<wmma::accumulator, 16, 16, 16, float> acc;\n  wmma::fill_fragment(acc, by);\n"
TAKEN = f"{HEAD}{SUMS}  out[threadIdx.x] = acc.x[1];\n}}\n"
SCALED = (
    f"{HEAD}{SUMS}  for (int i = 0; i < acc.num_elements; ++i) acc.x[i] *= by;\n"
    "  wmma::store_matrix_sync(out, acc, 16, wmma::mem_row_major);\n}\n"
)
MAKE = "NVCC = nvcc\nall:\n\t$(NVCC) -arch=%s k.cu -o k\n"
CMAKE = (
    "cmake_minimum_required(VERSION 3.20)\nproject(a LANGUAGES CXX CUDA)\nset(CMAKE_CUDA_ARCHITECTURES %s)\n"
    "add_executable(k k.cu)\n"
)


def found(tmp_path: Path, files: dict[str, str]) -> dict[str, Finding]:
    report = pipeline.scan(written(tmp_path, files), Config(jobs=1))
    return {one.rule: one for one in report.findings if one.path == "k.cu"}


@pytest.mark.parametrize(
    ("build", "named"),
    [
        ({"Makefile": MAKE % "sm_70"}, "sm_70"),
        ({"CMakeLists.txt": CMAKE % '"75;90"'}, "sm_75"),
        ({"Makefile": MAKE % "sm_90"}, None),
        ({"CMakeLists.txt": CMAKE % "90"}, None),
        ({}, ""),
    ],
)
def test_builds_say_whose_places_code_is_for(tmp_path: Path, build: dict[str, str], named: str | None) -> None:
    said = found(tmp_path, {**build, "k.cu": TAKEN})
    place = said.get("library/fragment-places")
    assert (place is None) is (named is None)
    assert (": right" in said["library/matrix-fragments"].message) is (named is None)
    if place is not None:
        assert place.outcome == "wrong-result"
        assert place.message.endswith(f"The builds name {named}." if named else "from there.")


def test_elements_that_are_all_treated_alike_are_right_for_any_gpu(tmp_path: Path) -> None:
    said = found(tmp_path, {"Makefile": MAKE % "sm_70", "k.cu": SCALED})
    assert "library/fragment-places" not in said
    assert ": right" in said["library/matrix-fragments"].message
