"""Tiles that are larger than a wave by a constant of another file."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

CODE = """#include "sizes.h"
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int *a) { auto tile = cg::tiled_partition<kThreads>(cg::this_thread_block()); tile.sync(); }
"""
SIZES = "#pragma once\nconstexpr int kWarps = %s;\nconstexpr int kThreads = kWarps * 32;\n"


@pytest.mark.parametrize(
    ("files", "found"),
    [
        ({"sizes.h": SIZES % 8}, 1),
        ({"sizes.h": SIZES % 1}, 0),
        ({"sizes.h": SIZES % 8, "other.h": "constexpr int kThreads = 32;\n"}, 0),
        ({"sizes.h": "extern const int kThreads;\n"}, 0),
    ],
)
def test_a_size_of_another_file_is_followed(tmp_path: Path, files: dict[str, str], found: int) -> None:
    report = pipeline.scan(written(tmp_path, {"k.cu": CODE, **files}), Config(jobs=1, cache=False))
    wide = [one for one in report.findings if one.rule == "cooperative-groups/wide-tile"]
    assert len(wide) == found and all(one.path == "k.cu" and one.trace for one in wide)
