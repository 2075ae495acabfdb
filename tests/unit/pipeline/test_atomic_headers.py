"""The header of libcu++'s atomics, in files that name one and read no header of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

COUNT = (
    "#pragma once\n#include <cooperative_groups.h>\ntemplate <class Map> __global__ void count(Map map) {\n"
    "  map.slot[threadIdx.x].load(cuda::memory_order_relaxed);\n}\n"
)
USER = '#pragma once\n#include "count.cuh"\n#include <cuda/atomic>\nstruct Map { cuda::atomic<int> *slot; };\n'
UNIT = '#include "map.cuh"\nint main() {}\n'
FILES = {"count.cuh": COUNT, "map.cuh": USER, "a.cu": UNIT}


def found(root: Path, files: dict[str, str]) -> list[tuple[str, int]]:
    written(root, files)
    report = pipeline.scan(root, Config(jobs=1))
    return [(one.path, one.position.line) for one in report.findings if one.rule == "build/atomic-include"]


@pytest.mark.parametrize(
    ("more", "told"),
    [
        pytest.param({}, [("count.cuh", 4)], id="read before its user's include"),
        pytest.param({"count.cuh": COUNT.replace("<coop", "<cuda/std/atomic>\n#include <coop")}, [], id="its own"),
        pytest.param({"count.cuh": COUNT.replace("<cooperative_groups.h>", '"b.cuh"'), "b.cuh": USER.replace(
            '#include "count.cuh"\n', "")}, [], id="by a header"),
        pytest.param({"map.cuh": '#pragma once\n#include "count.cuh"\n'}, [], id="a project without libcu++"),
        pytest.param({"count.cuh": COUNT.replace("cuda::memory", "own::memory")}, [], id="another namespace"),
        pytest.param({"count.cuh": COUNT + "namespace cuda { int memory_order_relaxed; }\n"}, [], id="its own cuda"),
    ],
)  # fmt: skip
def test_a_header_that_names_atomics_includes_them(
    more: dict[str, str], told: list[tuple[str, int]], tmp_path: Path
) -> None:
    assert found(tmp_path, {**FILES, **more}) == told


def test_the_include_is_beside_those_of_libraries(tmp_path: Path) -> None:
    written(tmp_path, FILES)
    made = {one.path: one.after.decode() for one in pipeline.apply(tmp_path, Config(jobs=1)).conversions}
    assert "#include <cuda/atomic>\n" in made["count.cuh"].partition("template")[0]


@pytest.mark.parametrize(
    ("header", "told"),
    [
        pytest.param("#include <cub/cub.cuh>\n", ["a.cu"], id="hipCUB brings none"),
        pytest.param("#include <cub/cub.cuh>\n#include <cuda/std/tuple>\n", [], id="by a header of the tree"),
    ],
)
def test_a_name_that_nothing_brings_is_reported(tmp_path: Path, header: str, told: list[str]) -> None:
    code = '#include "all.h"\n#include <cub/cub.cuh>\n__device__ cuda::std::tuple<int> one(int a) { return {a}; }\n'
    written(tmp_path, {"all.h": header, "a.cu": code})
    report = pipeline.scan(tmp_path, Config(jobs=1))
    assert [one.path for one in report.findings if one.rule == "library/cccl-names"] == told
