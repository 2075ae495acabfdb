"""Names of CUB whose header came by way of another one."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

SCAN = "__global__ void k() { typedef cub::BlockScan<int, 64> S; }\n"
DISCONTINUITY = "__global__ void k() { typedef cub::BlockDiscontinuity<int, 64> D; }\n"
SORT = "#include <cub/block/block_radix_sort.cuh>\n"


def made(root: Path, files: dict[str, str]) -> dict[str, str]:
    """The files that get the header, as converted."""
    written(root, files)
    done = pipeline.apply(root, Config(jobs=1, cache=False))
    paths = {one.path for one in done.report.findings if one.rule == "build/library-include"}
    return {one.path: one.after.decode() for one in done.conversions if one.path in paths}


@pytest.mark.parametrize(
    "text",
    [
        "#include <thrust/sort.h>\n" + SCAN,
        SORT + DISCONTINUITY,
        '#include "own.h"\n' + SCAN,
        "#include <thrust/sort.h>\n" + SCAN.replace("cub::", "thrust::cuda_cub::cub::"),
        "#include <thrust/sort.h>\n" + SCAN.replace("cub::", "thrust::system::cuda::detail::cub_::"),
    ],
)
def test_a_file_without_the_header(tmp_path: Path, text: str) -> None:
    found = made(tmp_path, {"a.cu": text, "own.h": "#include <thrust/sort.h>\n"})
    assert found.keys() == {"a.cu"} and "#include <hipcub/hipcub.hpp>" in found["a.cu"]


@pytest.mark.parametrize(
    "text",
    [
        "#include <cub/cub.cuh>\n" + SCAN,
        "#include <cub/cub.cuh>\n" + SCAN.replace("cub::", "thrust::system::cuda::detail::cub_::"),
        "#include <thrust/sort.h>\n" + SCAN.replace("cub::", "own::cuda_cub::cub::"),
        "#include <cub/block/block_discontinuity.cuh>\n" + DISCONTINUITY,
        "#include <cub/block/block_scan.cuh>\n" + DISCONTINUITY,  # becomes that of the whole library
        SORT + "__global__ void k() { typedef cub::BlockRadixSort<int, 64, 4> S; cub::Sum sum; }\n",
        '#include "own.h"\n' + SCAN,
        "namespace cub { struct Mine {}; }\n__global__ void k() { cub::Mine m; }\n",
        "// cub::BlockScan\n__global__ void k() {}\n",
    ],
)
def test_a_file_that_has_it(tmp_path: Path, text: str) -> None:
    assert not made(tmp_path, {"a.cu": text, "own.h": "#include <cub/cub.cuh>\n"})


def test_a_header_gets_it_and_not_its_users(tmp_path: Path) -> None:
    files = {
        "own.cuh": "#pragma once\n#include <thrust/sort.h>\n" + SCAN,
        "a.cu": '#include "own.cuh"\n' + DISCONTINUITY,
    }
    assert made(tmp_path, files).keys() == {"own.cuh"}


def test_a_header_whose_users_include_it_before(tmp_path: Path) -> None:
    files = {"own.cuh": "#pragma once\n" + SCAN, "a.cu": '#include <cub/cub.cuh>\n#include "own.cuh"\n'}
    assert not made(tmp_path, files)
