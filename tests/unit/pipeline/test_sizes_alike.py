"""Queries of the wave's size in one file: those that may size a launch together change together."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate import pipeline
from cudamigrate.config import Config

KERNEL = (
    "#include <cuda_runtime.h>\n"
    "__global__ void k(int *o) { unsigned b = __ballot_sync(~0u, o[threadIdx.x]); o[threadIdx.x] = __popc(b); }\n"
)
TABLE = (
    "int v[2]; const cudaDeviceAttr which[2] = {cudaDevAttrWarpSize, cudaDevAttrMaxThreadsPerBlock};\n"
    "for (int i = 0; i < 2; ++i) cudaDeviceGetAttribute(&v[i], which[i], 0);\n"
)
PROPERTY = "cudaDeviceProp p; cudaGetDeviceProperties(&p, 0); int w = p.warpSize;"


def changed(folder: Path, text: str) -> list[bool]:
    """Of each query in order whether 32 is written for it."""
    (folder / "a.cu").write_text(KERNEL + text)
    found = pipeline.scan(folder, Config(jobs=1)).findings
    return [one.fix is not None for one in found if one.rule == "warp/queried-size"]


@pytest.mark.parametrize(
    "text",
    [
        f"void table(int *o) {{ {TABLE} k<<<1, v[0]>>>(o); }}\n"
        f"void one(int *o) {{ {PROPERTY} dim3 block(w, 4); k<<<8, block>>>(o); }}\n",
        f"void both(int *o) {{ {TABLE} k<<<1, v[0]>>>(o);\n{PROPERTY} k<<<8, 4 * w>>>(o); }}\n",
        f"void table(int *o) {{ {TABLE} k<<<1, v[0]>>>(o); }}\n"
        "void one(int *o) { int w; cudaDeviceGetAttribute(&w, cudaDevAttrWarpSize, 0); k<<<8, w>>>(o); }\n",
    ],
)
def test_queries_that_never_meet_change_each_by_itself(tmp_path: Path, text: str) -> None:
    assert changed(tmp_path, text) == [False, True]


@pytest.mark.parametrize(
    "text",
    [
        f"void both(int *o) {{ {TABLE} {PROPERTY} dim3 block(v[0], 128 / w); k<<<8, block>>>(o); }}\n",
        f"void both(int *o) {{ {TABLE} {PROPERTY} dim3 block(v[0]); block.y = 128 / w; k<<<8, block>>>(o); }}\n",
        f"int table() {{ {TABLE} return v[0]; }}\nvoid one(int *o) {{ {PROPERTY} k<<<8, dim3(table(), w)>>>(o); }}\n",
        f"int held;\nvoid table() {{ {TABLE} held = v[0]; }}\nvoid one(int *o) {{ {PROPERTY} k<<<held, w>>>(o); }}\n",
        f"void run(int *o, int w);\nvoid table(int *o) {{ {TABLE} k<<<1, v[0]>>>(o); }}\n"
        f"void one(int *o) {{ {PROPERTY} run(o, w); }}\n",
        f"void table(int *o) {{ {TABLE} k<<<1, v[0]>>>(o); }}\n"
        f"void one(int *o) {{ {PROPERTY} int &r = w; k<<<1, r>>>(o); }}\n",
    ],
)
def test_queries_that_may_meet_stay_together(tmp_path: Path, text: str) -> None:
    assert changed(tmp_path, text) == [False, False]
