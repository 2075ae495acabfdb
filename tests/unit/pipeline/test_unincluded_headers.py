"""A library that only headers name which no source includes is no blocker: a port can do without it."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.model.estimate import Estimate

NPP = """#include <nppi.h>
struct Image {
    void *data;
    Image(int n) { int pitch; data = nppiMalloc_8u_C1(n, n, &pitch); }
};
"""
MAIN = "__global__ void k(int *p) { *p = __shfl_sync(~0u, *p, 0); }\nint main() { cudaFree(0); }\n"


def estimated(folder: Path, files: dict[str, str]) -> Estimate:
    estimate = pipeline.scan(written(folder, files), Config(jobs=1)).estimate
    assert estimate is not None
    return estimate


@pytest.mark.parametrize(
    ("main", "more", "blocks"),
    [
        ("", {}, False),
        ("", {"copy/other.h": '#include "image.h"\n'}, False),  # a header that no source includes either
        ('#include "image.h"\n', {}, True),
        ('#include "copy/other.h"\n', {"copy/other.h": '#include "image.h"\n'}, True),
        ("", {"b.cpp": "#include <image.h>\n"}, True),
        ("#include <nppi.h>\nint a = nppiMalloc_8u_C1(1, 1, 0) != 0;\n", {}, True),  # a source names it too
    ],
)
def test_what_no_source_includes_blocks_nothing(main: str, more: dict[str, str], blocks: bool, tmp_path: Path) -> None:
    found = estimated(tmp_path, {"a.cu": main + MAIN, "copy/image.h": NPP, **more})
    assert bool(found.blockers) is blocks
    aside = [one for one in found.optional if "headers that no source includes" in one.reason]
    assert bool(aside) is not blocks


def test_headers_without_any_source_are_the_project(tmp_path: Path) -> None:
    assert estimated(tmp_path, {"image.h": NPP, "sum.cuh": MAIN}).blockers
