"""A header of libcu++ goes where no file that is compiled with it names the library, and stays wherever one does."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

UNUSED = "build/unused-header"
HEADER = (
    "#pragma once\n#include <cuda_runtime.h>\n#include <cuda/pipeline>\n__device__ int twice(int a) { return 2 * a; }\n"
)
UNIT = '#include "a.cuh"\n__global__ void k(int *x) { *x = twice(1); }\n'


@pytest.mark.parametrize(
    ("files", "told"),
    [
        pytest.param({}, {("a.cuh", UNUSED)}, id="unused"),
        pytest.param({"a.cu": UNIT + "// cuda::pipeline\n"}, {("a.cuh", UNUSED)}, id="comment"),
        pytest.param({"a.cu": UNIT + "void g() { at::cuda::f(); }\n"}, {("a.cuh", UNUSED)}, id="another namespace"),
        pytest.param({"b.cu": "#include <cuda/ptx>\ncuda::ptx::a b;\n"}, {("a.cuh", UNUSED)}, id="used elsewhere"),
        pytest.param({"a.cu": UNIT + "void g() { ::cuda::f(); }\n"}, set(), id="used by who includes it"),
        pytest.param({"a.cu": UNIT + "using namespace cuda;\n"}, set(), id="namespace opened"),
        pytest.param(
            {"a.cu": '#include "b.cuh"\n' + UNIT, "b.cuh": "inline void g() { cuda::f(); }\n"},
            set(),
            id="used beside it",
        ),
        pytest.param({"a.cu": UNIT + "#if CCCL_VERSION > 2\n#endif\n"}, set(), id="a macro of the library"),
        pytest.param({"a.cuh": HEADER.replace("pipeline", "atomic")}, set(), id="a header that HIP has"),
    ],
)
def test_a_header_of_which_nothing_is_used_goes(
    tmp_path: Path, files: dict[str, str], told: set[tuple[str, str]]
) -> None:
    written(tmp_path, {"a.cuh": HEADER, "a.cu": UNIT, **files})
    findings = pipeline.scan(tmp_path, Config(jobs=1)).findings
    assert {(one.path, one.rule) for one in findings if one.rule == UNUSED} == told
    assert all(one.automatic for one in findings if one.rule == UNUSED)


def test_its_line_goes_and_what_shares_it_stays(tmp_path: Path) -> None:
    written(tmp_path, {"a.cuh": HEADER.replace("pipeline>", "barrier> // waits"), "a.cu": UNIT})
    made = {one.path: one.after for one in pipeline.apply(tmp_path, Config(jobs=1)).conversions}
    assert b"cuda/barrier" not in made["a.cuh"] and b" // waits\n__device__" in made["a.cuh"]
