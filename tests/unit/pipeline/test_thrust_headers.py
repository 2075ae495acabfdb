"""Headers of Thrust that files lack which include headers of their project."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

USES = "int f(thrust::device_ptr<int> p) { return thrust::reduce(p, p + 4); }\n"
OWN = '#include "own.cuh"\n'
VECTOR, REDUCE = "#include <thrust/device_vector.h>\n", "#include <thrust/reduce.h>\n"
POINTER = "#include <thrust/device_ptr.h>\n"


@pytest.mark.parametrize(
    ("files", "needed"),
    [
        ({"a.cu": OWN + USES, "own.cuh": VECTOR + POINTER}, True),
        ({"a.cu": OWN + '#include "cuda_runtime.h"\n' + USES, "own.cuh": VECTOR + POINTER}, True),
        ({"a.cu": OWN + USES, "own.cuh": "#include <cub/cub.cuh>\n" + POINTER}, True),
        ({"a.cu": POINTER + "#include <cub/cub.cuh>\n" + USES}, True),
        ({"a.cu": OWN + USES, "own.cuh": VECTOR + POINTER + '#include "more.cuh"\n', "more.cuh": REDUCE}, False),
        ({"a.cu": OWN + USES, "own.cuh": VECTOR + POINTER + '#include "elsewhere.cuh"\n'}, False),
        ({"a.cu": OWN + USES, "own.cuh": "#include <vector>\n"}, False),
        ({"a.cu": OWN + POINTER + REDUCE + USES, "own.cuh": VECTOR}, False),
    ],
)
def test_a_header_that_nothing_brings_is_needed(tmp_path: Path, files: dict[str, str], needed: bool) -> None:
    written(tmp_path, files)
    found = [one for one in pipeline.scan(tmp_path, Config(jobs=1)).findings if one.rule == "build/thrust-header"]
    assert [one.message.split("`")[3] for one in found] == (["<thrust/reduce.h>"] if needed else [])
