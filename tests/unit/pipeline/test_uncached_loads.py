"""An option that keeps loads out of L1 is reported where the compiler gets device code with it."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

CALLS = '#include <cusparse.h>\n#include "mine.h"\nint main() { cusparseHandle_t h; cusparseCreate(&h); }\n'
KERNEL = "#include <cuda_runtime.h>\n__global__ void k(int *a) { a[0] = a[1]; }\n"
MINE = "#pragma once\nint mine();\n"
OTHER = {"k/k.cu": KERNEL, "k/Makefile": "k: k.cu\n\tnvcc -Xptxas -dlcm=cg k.cu -o k\n"}


def found(root: Path, make: str, files: dict[str, str]) -> list[str]:
    written(root, {"h/Makefile": make, "h/a.cu": CALLS, "h/mine.h": MINE, **files})
    scan = pipeline.scan(root, Config(jobs=1))
    return [one.path for one in scan.findings if one.rule == "build/load-caching"]


@pytest.mark.parametrize(
    "make",
    [
        "a: a.cu\n\tnvcc -O3 -Xptxas -dlcm=cg a.cu -o a -lcusparse\n",
        "a: a.cu mine.h\n\tnvcc -Xptxas -dlcm=cg -o $@ $< -lcusparse\n",
    ],
)
def test_a_program_that_only_calls_libraries_has_no_such_load(tmp_path: Path, make: str) -> None:
    assert found(tmp_path, make, OTHER) == ["k/Makefile"]


def test_nor_has_a_repository_without_device_code(tmp_path: Path) -> None:
    assert found(tmp_path, "FLAGS = -Xptxas -dlcm=cg\na: a.cu\n\tnvcc $(FLAGS) *.cu -o a\n", {}) == []


@pytest.mark.parametrize(
    ("make", "files"),
    [
        ("a: a.cu\n\tnvcc -Xptxas -dlcm=cg a.cu -o a\n", {"h/mine.h": KERNEL}),
        ("a: a.cu\n\tnvcc -Xptxas -dlcm=cg a.cu ../k/k.cu -o a\n", {}),
        ("FLAGS = -Xptxas -dlcm=cg\na: a.cu\n\tnvcc $(FLAGS) $< -o a\n", {}),
        ("a: a.cu\n\tnvcc -Xptxas -dlcm=cg *.cu -o a\n", {}),
        ("a: a.cu\n\tnvcc -Xptxas -dlcm=cg a.cu made.cu -o a\n", {}),
    ],
)
def test_where_device_code_may_be_compiled_it_stays(tmp_path: Path, make: str, files: dict[str, str]) -> None:
    assert found(tmp_path, make, {**OTHER, **files}) == ["h/Makefile", "k/Makefile"]
