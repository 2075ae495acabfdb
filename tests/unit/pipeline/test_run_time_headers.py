"""Files that are compiled at run time too, and get a header of the converted tree."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

ASKS = "#pragma once\n#ifndef __CUDACC_RTC__\n#include <cmath>\n#endif\n"
SUMS = "__device__ inline int next(int v) { return __reduce_add_sync(0xffffffff, v); }\n"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (ASKS + SUMS, ["__reduce_add_sync"]),
        (ASKS + "__device__ inline int next(int v) { return v + threadIdx.x; }\n", []),  # needs no header of ours
        ("#pragma once\n// not for __CUDACC_RTC__\n" + SUMS, []),
    ],
)
def test_the_program_has_to_give_the_header(tmp_path: Path, text: str, found: list[str]) -> None:
    written(tmp_path, {"lanes.h": text})
    findings = pipeline.scan(tmp_path, Config(jobs=1)).findings
    assert [one.name for one in findings if one.rule == "build/run-time-header"] == found
    assert all(one.fix is None for one in findings if one.rule == "build/run-time-header")


def test_it_names_all_headers_that_are_needed_also_in_place_of_another_one(tmp_path: Path) -> None:
    fragments = "#include <mma.h>\n__device__ void clear(float *p) { *p = 0; }\n"
    written(tmp_path, {"a.h": ASKS + fragments, "b.h": ASKS + SUMS, "c.h": ASKS + "#include <mma_own.h>\n"})
    findings = pipeline.scan(tmp_path, Config(jobs=1)).findings
    said = {one.path: one.message for one in findings if one.rule == "build/run-time-header"}
    assert set(said) == {"a.h", "b.h"}
    for name in ("wmma", "mma", "matrix_cores", "ptx", "hip"):
        assert f"`cudamigrate_{name}.h`" in said["a.h"]
    assert "needs `cudamigrate_hip.h`. Give it to" in said["b.h"] and "Give them to" in said["a.h"]
