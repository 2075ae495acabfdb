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


RULES = ("build/thrust-header", "library/functional-header", "library/tuple-header")
PLUS = "auto f(int *p) { return thrust::reduce(p, p + 4, 0, thrust::plus<int>()); }\n"
CAST = "int *f(thrust::device_vector<int> &v) { return thrust::raw_pointer_cast(v.data()); }\n"


@pytest.mark.parametrize(
    ("files", "lacking"),
    [
        ({"a.cu": REDUCE + PLUS}, ["library/functional-header"]),
        ({"a.cu": OWN + PLUS, "own.cuh": REDUCE}, ["build/thrust-header"]),
        ({"a.cu": REDUCE + "auto f(int a) { return thrust::make_tuple(a, a); }\n"}, ["library/tuple-header"]),
        ({"a.cu": VECTOR + CAST}, []),
        ({"a.cu": REDUCE + "int *f(int *p) { return thrust::raw_pointer_cast(p); }\n"}, ["build/thrust-header"]),
    ],
)
def test_one_rule_for_each_header(tmp_path: Path, files: dict[str, str], lacking: list[str]) -> None:
    written(tmp_path, files)
    found = [one.rule for one in pipeline.scan(tmp_path, Config(jobs=1)).findings if one.rule in RULES]
    assert found == lacking
