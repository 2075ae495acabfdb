"""What the device code of all files shows is let go when it has been asked: a large tree has very much of it."""

from __future__ import annotations

import gc
from pathlib import Path

from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.model.warp_graph import FileGraph
from cudamigrate.warp.transfer import Evaluator

HEADER = """#pragma once
__device__ inline float sum(float v) {
  for (int o = 16; o > 0; o /= 2) v += __shfl_down_sync(0xffffffffu, v, o);
  return v;
}
"""
USE = '#include "sum.cuh"\n__global__ void k(float *x) { if (threadIdx.x < x[0]) x[1] = sum(x[2]); __syncthreads(); }\n'


def test_graphs_go_without_a_search_for_garbage(tmp_path: Path) -> None:
    written(tmp_path, {"sum.cuh": HEADER, "a.cu": USE, "b.cu": USE})
    gc.collect()
    gc.disable()
    try:
        report = pipeline.scan(tmp_path, Config(jobs=1, cache=False))
        left = [one for one in gc.get_objects() if type(one) is FileGraph]
        ask = [one for one in gc.get_objects() if type(one) is Evaluator and len(one.graphs) > 1]
    finally:
        gc.enable()
    assert any(one.lanes is not None for one in report.files)
    assert not ask and len(left) <= 3, (len(ask), len(left))
