"""Votes of HIP's that are cut to 32 bits are found in what is HIP already, and nowhere where votes are converted."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

VOTE = "__global__ void k(int *q) {\n  unsigned m = __activemask();\n  q[threadIdx.x] = __popc(m);\n}\n"
KEPT = VOTE.replace("unsigned m", "auto m").replace("__popc", "__popcll")
BRANCH = "#ifdef __HIP_PLATFORM_AMD__\n#include <hip/hip_runtime.h>\n#else\n#include <cuda_runtime.h>\n#endif\n"


@pytest.mark.parametrize(
    ("files", "found"),
    [
        pytest.param({"a.hip": "#include <hip/hip_runtime.h>\n" + VOTE}, ["warp/cut-mask"], id="hip"),
        pytest.param({"a.cu": "#include <hip/hip_runtime.h>\n" + VOTE, "Makefile": "all:\n\thipcc a.cu\n"},
                     ["warp/cut-mask"], id="built for hip"),
        pytest.param({"a.cu": BRANCH + VOTE, "Makefile": "hip:\n\thipcc a.cu\ncuda:\n\tnvcc a.cu\n"},
                     ["warp/cut-mask"], id="for both"),
        pytest.param({"a.cu": "#include <cuda_runtime.h>\n" + VOTE},
                     ["warp/active-mask", "warp/mask-popcount"], id="converted"),
        pytest.param({"a.hip": "#include <hip/hip_runtime.h>\n" + KEPT}, [], id="kept"),
    ],
)  # fmt: skip
def test_a_mask_is_reported_where_nothing_converts_its_vote(
    tmp_path: Path, files: dict[str, str], found: list[str]
) -> None:
    written(tmp_path, files)
    report = pipeline.scan(tmp_path, Config(jobs=1, cache=False))
    assert sorted(one.rule for one in report.findings if one.group == "warp") == found
