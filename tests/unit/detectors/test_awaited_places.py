"""Where a wait looks decides who may end it, and by which number whether blocks draw it."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import scanned

from cudamigrate.pipeline.rule_tests import find_in_text
from cudamigrate.reporting.first_screen import actions

CODE = """#include <cuda_runtime.h>
__global__ void k(volatile int *left, volatile int *rows, int *drawn, int n) {
  __shared__ volatile int done[8];
  int warp = threadIdx.x / 32, row = blockIdx.x * 8 + warp;
  SETS
  do { __threadfence_block(); } while (LOOKS);
  atomicAdd((int *)&left[n], 1);
}
"""
OWN, OTHERS = "waits for other threads of its block", "or another block or GPU"
TICKET = "row = atomicAdd(drawn, 1);"
FIT, ORDER = "and launch no more blocks", "and wait only for who drew an earlier number, or launch no more blocks"


def said(looks: str, sets: str = "") -> str:
    found = find_in_text(CODE.replace("LOOKS", looks).replace("SETS", sets), "a.cu", None).findings
    return "".join(one.message for one in found if one.rule == "memory/block-spin")


@pytest.mark.parametrize(
    ("looks", "whom"),
    [
        ("done[warp] == 0", OWN),
        ("done[rows[warp]] == 0", OWN),  # memory of others only says where
        ("done[warp] != left[row]", OTHERS),
        ("left[row] != 1", OTHERS),
    ],
)
def test_whoever_writes_what_is_looked_at_may_end_the_wait(looks: str, whom: str) -> None:
    assert whom in said(looks)


@pytest.mark.parametrize(
    ("looks", "sets", "fit"),
    [
        ("left[row] != 1", TICKET, ORDER),
        ("left[row] != 1", TICKET + " row = n - 1 - row;", ORDER),
        ("left[row] != 1", "", FIT),
        ("left[warp] != 1", TICKET, FIT),
    ],
)
def test_a_place_that_is_drawn_asks_for_an_earlier_number(looks: str, sets: str, fit: str) -> None:
    assert fit in said(looks, sets)


@pytest.mark.parametrize(
    ("more", "is_wait"), [("", True), ("void m(float **p, int n) { cudaMallocManaged(p, n); }\n", False)]
)
def test_waits_alone_are_no_matter_of_limits(tmp_path: Path, more: str, is_wait: bool) -> None:
    report = scanned(tmp_path, {"a.cu": CODE.replace("LOOKS", "left[0] != n").replace("SETS", "") + more})
    titles = [one.title for one in actions(report)]
    assert ("Fix loops that may wait for ever on AMD" in titles) == is_wait
    assert ("Fix memory, limits and device properties" in titles) != is_wait
