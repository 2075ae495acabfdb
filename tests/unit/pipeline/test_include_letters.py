"""Includes whose letters differ in case from the file's name are written as the file is called."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

KERNEL = '#include <cuda_runtime.h>\n#include "{}"\n__global__ void k(int *a) {{ *a = two(); }}\n'
HEADER = "#pragma once\n__device__ inline int two() { return 2; }\n"


def made(root: Path, name: str, files: dict[str, str]) -> str:
    tree = {"src/k.cu": KERNEL.format(name), **files}
    applied = pipeline.apply(written(root, tree), Config(jobs=1))
    return next(one.after.decode() for one in applied.conversions if one.path == "src/k.cu")


@pytest.mark.parametrize(
    ("name", "path", "expected"),
    [
        ("Cuda_Utils.H", "src/cuda_utils.h", "cuda_utils.h"),
        ("tools/Timer.cuh", "src/Tools/timer.cuh", "Tools/timer.cuh"),
        ("Tools\\Timer.cuh", "src/tools/timer.cuh", "tools/timer.cuh"),
        ("../Common/Two.h", "common/two.h", "../common/two.h"),
        ("Two.h", "include/two.h", "two.h"),
    ],
)
def test_the_include_is_written_as_the_file_is_called(tmp_path: Path, name: str, path: str, expected: str) -> None:
    assert f'#include "{expected}"' in made(tmp_path, name, {path: HEADER})


@pytest.mark.parametrize(
    ("name", "files"),
    [
        ("two.h", {"src/two.h": HEADER}),
        ("Two.h", {"src/Two.h": HEADER, "include/two.h": HEADER}),
        ("Two.h", {"a/two.h": HEADER, "a/TWO.h": HEADER}),  # which of them is not known
        ("Two.h", {"third_party/x/two.h": HEADER}),  # another project's
        ("Two.h", {"src/Two.h.in": HEADER, "include/two.h": HEADER}),  # the build makes it
        ("other/Two.h", {"src/two.h": HEADER}),
    ],
)
def test_other_includes_stay(tmp_path: Path, name: str, files: dict[str, str]) -> None:
    assert f'#include "{name}"' in made(tmp_path, name, files)


def test_the_finding_names_the_cause(tmp_path: Path) -> None:
    tree = {"k.cu": KERNEL.format("Two.H"), "two.h": HEADER}
    scan = pipeline.scan(written(tmp_path, tree), Config(jobs=1))
    (one,) = [each for each in scan.findings if each.rule == "build/include-letters"]
    assert "`Two.H`" in one.message and "`two.h`" in one.message
