"""Makefiles that give CUDA's number of an architecture themselves, and what is said of the macro in their code."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

CODE = """\
__global__ void k(float *a) {
#if __CUDA_ARCH__ >= 200
    a[0] = 1.0f;
#else
    a[1] = 2.0f;
#endif
}
"""
GIVES = "FLAGS = -O3 -D__CUDA_ARCH__=200\na.o: a.cu\n\tnvcc $(FLAGS) -c $< -o $@\n"
BESIDE = "b.o: a.cu\n\tnvcc -O3 -c $< -o $@\n"


@pytest.mark.parametrize(
    ("files", "given"),
    [
        ({"Makefile": GIVES}, True),
        ({"Makefile": GIVES.replace("-D__CUDA_ARCH__=200", "-DARCH=200")}, False),
        ({"Makefile": GIVES + BESIDE}, False),
        ({"Makefile": GIVES.replace("$(FLAGS) ", "")}, False),
        ({"x/Makefile": GIVES}, False),
    ],
)
def test_a_makefile_that_gives_the_number(tmp_path: Path, files: dict[str, str], given: bool) -> None:
    """Tests of the macro take their branches as for CUDA where all commands give it, and only there."""
    written(tmp_path, {"a.cu": CODE, **files})
    found = {one.rule for one in pipeline.scan(tmp_path, Config(jobs=1)).findings if one.path == "a.cu"}
    assert ("build/arch-gate" in found or "build/older-path" in found) is not given


def test_another_build_leaves_the_findings(tmp_path: Path) -> None:
    cmake = "project(a CXX CUDA)\nadd_library(a a.cu)\n"
    written(tmp_path, {"a.cu": CODE, "Makefile": GIVES, "CMakeLists.txt": cmake})
    report = pipeline.scan(tmp_path, Config(jobs=1))
    where = {(one.path, one.rule) for one in report.findings}
    assert ("Makefile", "build/given-architecture") in where
    assert any(path == "a.cu" and rule in ("build/arch-gate", "build/older-path") for path, rule in where)
