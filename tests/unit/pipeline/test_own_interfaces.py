"""A repository that defines the C functions of a library is the library, and has no findings on using it."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import scanned

HEADER = (
    "#pragma once\ntypedef enum { nvcompSuccess } nvcompStatus_t;\n"
    'extern "C" nvcompStatus_t nvcompBatchedLZ4GetSize(int n);\n'
    'extern "C" nvcompStatus_t nvcompBatchedANSGetSize(int n);\n'
)
BODIES = {
    "src/lz4.cu": '#include "nvcomp.h"\nnvcompStatus_t nvcompBatchedLZ4GetSize(int n)\n{\n  return nvcompSuccess;\n}\n',
    "src/ans.cpp": '#include "nvcomp.h"\nnvcompStatus_t nvcompBatchedANSGetSize(int n) { return nvcompSuccess; }\n',
}
USES = {
    "bench/lz4.cu": '#include "nvcomp.h"\n__global__ void k() {}\nint lz4() { return nvcompBatchedLZ4GetSize(3); }\n',
    "bench/ans.cu": '#include "nvcomp.h"\n__global__ void k() {}\nint ans() { return nvcompBatchedANSGetSize(3); }\n',
}
ONE = "nvcompStatus_t nvcompBatchedLZ4GetSize(int n) { return nvcompStatus_t(); }\n"
OTHERS = "#include <nvcomp.h>\nint a() { return nvcompBatchedGdeflateGetSize(nvcompBatchedSnappyGetSize(1)); }\n"


def found(root: Path, files: dict[str, str]) -> list[str]:
    return sorted(one.path for one in scanned(root, files).findings if one.rule == "library/nvcomp")


def test_the_library_itself_has_none(tmp_path: Path) -> None:
    assert found(tmp_path, {"include/nvcomp.h": HEADER, **BODIES, **USES}) == []


@pytest.mark.parametrize(
    "files",
    [
        {"a.cu": OTHERS},
        {"include/nvcomp.h": HEADER, **USES},
        {"mocks/lz4.cpp": ONE, "a.cu": OTHERS.replace("<nvcomp.h>", '"compress.h"'), "b.cu": OTHERS.split("\n")[1]},
    ],
)
def test_who_uses_it_has_them(tmp_path: Path, files: dict[str, str]) -> None:
    assert found(tmp_path, files)
