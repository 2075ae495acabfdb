"""The macro for a default stream of each thread, in headers that say nothing else of CUDA."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ("#define CUDA_API_PER_THREAD_DEFAULT_STREAM", "#define HIP_API_PER_THREAD_DEFAULT_STREAM"),
        ("#define API_PER_THREAD_DEFAULT_STREAM", None),
    ],
)
def test_a_header_that_only_defines_the_macro_is_converted(line: str, after: str | None, tmp_path: Path) -> None:
    kernel = '#include "head.h"\n__global__ void k(int *p) { *p = 1; }\n'
    written(tmp_path, {"head.h": f"{line}\n#include <stdio.h>\n", "a.cu": kernel})
    made = {one.path: one.after.decode() for one in pipeline.apply(tmp_path, Config(jobs=1)).conversions}
    assert made.get("head.h") == (None if after is None else f"{after}\n#include <stdio.h>\n")
