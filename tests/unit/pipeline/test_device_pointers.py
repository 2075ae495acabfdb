"""Members that are device pointers of the driver API."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

HEAD = """#pragma once
#include <cuda.h>
struct Part { CUdeviceptr start; size_t bytes; };
class Pool { CUdeviceptr first; size_t used; public: CUdeviceptr end(); CUdeviceptr take(size_t n); };
"""
CODE = """#include "pool.h"
CUdeviceptr Pool::end() { return first + used; }
CUdeviceptr Pool::take(size_t n) { first += n; return first; }
CUdeviceptr last(Part a, Part *b) { return a.start == b->start ? a.start + a.bytes : b->start - 1; }
"""


def found(root: Path, files: dict[str, str]) -> list[str]:
    written(root, files)
    report = pipeline.scan(root, Config(jobs=1))
    return [f"{one.path}:{one.position.line}" for one in report.findings if "device-pointer" in one.rule]


def test_members_of_another_file(tmp_path: Path) -> None:
    assert found(tmp_path, {"pool.h": HEAD, "pool.cpp": CODE}) == [f"pool.cpp:{line}" for line in (2, 3, 4, 4)]
    after = {one.path: one.after.decode() for one in pipeline.apply(tmp_path, Config(jobs=1)).conversions}["pool.cpp"]
    assert "return (char *)first + used;" in after
    assert "first = (char *)first + n;" in after
    assert "(char *)a.start + a.bytes : (char *)b->start - 1;" in after


@pytest.mark.parametrize(
    "files",
    [
        {"pool.h": HEAD, "a.cpp": '#include "pool.h"\nint f(int first) { return first + 1; }\n'},
        {"pool.h": HEAD, "a.cpp": '#include "pool.h"\nint Pool::f() { int first = 2; return first + 1; }\n'},
        {"pool.h": HEAD + "struct Time { long start; };\n", "a.cpp": "long f(Time t) { return t.start + 1; }\n"},
        {"pool.h": HEAD.replace("r start", "r *start"), "a.cpp": "int f(Part a) { g(a.start + 1); }\n"},
        {"pool.h": HEAD, "a.cpp": '#include "pool.h"\nbool f(Part a, size_t n) { return a.start == n + a.bytes; }\n'},
    ],
    ids=["parameter", "local", "another class", "pointer", "no sum"],
)
def test_other_sums(tmp_path: Path, files: dict[str, str]) -> None:
    assert not found(tmp_path, files)
