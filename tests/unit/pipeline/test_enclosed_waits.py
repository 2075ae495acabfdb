"""Loops that wait in files that kernels include in their bodies."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import reported

WAITS = ("memory/block-spin", "warp/lane-spin", "warp/waits-for-own-wave", "warp/waits-for-turn")
KERNEL = """\
#include "flags.h"
%s void solve(const int *from, const int *columns, float *x, int *done) {
    int lane = threadIdx.x %% 32;
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    %s
#include "row.cu"
}
"""
ROW = """\
float sum = 0;
for (int at = from[row] + lane; at < from[row + 1] - 1; at += 32) {
    int before = columns[at];
    FENCE;
    while (!%s) { FENCE; }
    sum += x[before];
}
if (lane == 0) { x[row] = sum; FENCE; done[row] = 1; }
"""
HEADER = "#define FENCE __threadfence()\n%s"


def waits(folder: Path, files: dict[str, str]) -> list[tuple[str, int, str]]:
    found = (one for one in reported(folder, files).findings if one.rule in WAITS)
    return [(one.path, one.position.line, one.rule) for one in found]


def test_a_wait_is_found_in_the_body_that_is_included(tmp_path: Path) -> None:
    files = {"k.cu": KERNEL % ("__global__", ""), "row.cu": ROW % "done[before]", "flags.h": HEADER % ""}
    assert waits(tmp_path, files) == [("row.cu", 5, "memory/block-spin")]
    found = next(one for one in reported(tmp_path, files).findings if one.rule in WAITS)
    assert found.fix is None
    assert ("k.cu", 6) in [(one.path, one.line) for one in found.trace]
    assert (
        tmp_path.joinpath("row.cu").read_bytes()[found.span.start :].startswith(b"while (!done[before]) { FENCE; }\n")
    )


@pytest.mark.parametrize(
    ("defined", "found"),
    [
        ("\n#define SEEN IS_DONE", 1),
        ("\n#define SEEN (done[before] == 1)", 1),
        ("\n#define SEEN true", 0),
        ("\n#define SEEN IS_DONE\n#undef SEEN\n#define SEEN true", 0),
        ("\n#ifdef FAST\n#define SEEN IS_DONE\n#endif", 0),
    ],
)
def test_what_is_asked_may_be_a_macro_of_the_including_file(tmp_path: Path, defined: str, found: int) -> None:
    header = HEADER % "#define IS_DONE (done[before] == 1)\n"
    files = {"k.cu": KERNEL % ("__global__", defined), "row.cu": ROW % "SEEN", "flags.h": header}
    assert len(waits(tmp_path, files)) == found


@pytest.mark.parametrize(("body", "found"), [("true", 0), ("(done[before] == 1)", 1)])
def test_a_macro_of_a_header_is_what_it_stands_for(tmp_path: Path, body: str, found: int) -> None:
    header = HEADER % f"#define SEEN {body}\n"
    files = {"k.cu": KERNEL % ("__global__", ""), "row.cu": ROW % "SEEN", "flags.h": header}
    assert len(waits(tmp_path, files)) == found


def test_a_function_of_the_host_that_includes_the_body_waits_for_no_lane(tmp_path: Path) -> None:
    host = KERNEL.replace("threadIdx.x % 32", "0").replace("(blockIdx.x * blockDim.x + threadIdx.x) / 32", "0")
    host = host.replace("threadIdx.x %% 32", "0") + "__global__ void other(float *x) { x[0] = 1; }\n"
    files = {"k.cu": host % ("static", ""), "row.cu": ROW % "done[before]", "flags.h": HEADER % ""}
    assert waits(tmp_path, files) == []


def test_a_body_whose_loops_wait_for_nobody_has_no_finding(tmp_path: Path) -> None:
    body = "int at = row;\nwhile (at < from[row + 1]) { x[at] = 1; at += 32; }\n"
    assert waits(tmp_path, {"k.cu": KERNEL % ("__global__", ""), "row.cu": body, "flags.h": HEADER % ""}) == []
