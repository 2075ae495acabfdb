"""The fuzz targets with a small fixed budget, and every input that once crashed one.

Long runs are `python -m tests.fuzz MINUTES`, with atheris.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from tests.fuzz import targets

CRASHES = sorted(path for path in (Path(__file__).parent / "crashes").rglob("*") if path.is_file())
WORDS = (
    b"__global__ void k(",
    b"__shfl_down_sync(~0u, v, 1)",
    b"cudaMalloc(&p, 4);",
    b"<<<1, 32>>>",
    b'asm("',
    b'R"x(',
    b')x"',
    b"#if defined(A)\n",
    b"#elif",
    b"#endif\n",
    b"#define A \\\n",
    b"template <int N>",
    b"{",
    b"}",
    b"(",
    b")",
    b"[",
    b"]",
    b"import torch\n",
    b"torch.cuda.",
    b"f'''",
    b'"""',
    b"CUDAExtension(",
    b"load_inline(",
    b"def f(x):\n  ",
    b"lambda: ",
    b"project(p LANGUAGES CUDA)\n",
    b"find_package(CUDA)\n",
    b"set(A ${A})\n",
    b"if(A)\n",
    b"endif()\n",
    b"#[[",
    b"]]",
    b"all:\n\tnvcc -arch=sm_80 a.cu\n",
    b"A := $(A) nvcc\n",
    b"ifdef A\n",
    b"endif\n",
    b"$(",
    b"${",
    b"FROM nvidia/cuda:12\n",
    b"RUN nvidia-smi \\\n",
    b"- run: nvcc\n",
    b"  key: &a [*a]\n",
    b"|\n",
    b"nvidia-cublas-cu12==12.1\n",
    b"--hash=sha256:",
    b'{"cells": [{"cell_type": "code", "source": ["',
    b'"]}]}',
    b"[tool.cudamigrate]\n",
    b"wave = ",
    b"[[rule]]\n",
    b'name = "x"\n',
    b"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0}, {%1};",
    b"mov.u32 %0, %laneid;",
    b"@p bra L;",
    b"--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n",
    b'{"schema": "cudamigrate-report/1", ',
    b"\\",
    b"\xff",
    b"\r\n",
    b"\n",
    b" ",
)
"""Pieces that the readers give a meaning."""
INPUTS = st.lists(st.one_of(st.sampled_from(WORDS), st.binary(max_size=6)), max_size=30).map(b"".join)


@pytest.mark.parametrize("name", sorted(targets.TARGETS))
def test_any_input_is_read_or_refused(name: str) -> None:
    @seed(20)
    @settings(max_examples=60, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(data=INPUTS)
    def tried(data: bytes) -> None:
        targets.run(name, data)

    tried()


@pytest.mark.parametrize("name", sorted(targets.TARGETS))
@pytest.mark.parametrize("piece", [b"(", b"[", b"{", b"#if A\n", b'"', b"-", b"\\\n", b"f(", b"a: [", b"$(", b"<"])
def test_nests_are_read_or_refused(name: str, piece: bytes) -> None:
    for count in (100, 3000):
        targets.run(name, piece * count)


@pytest.mark.parametrize("path", CRASHES, ids=lambda path: f"{path.parent.name}-{path.name[:12]}")
def test_what_once_crashed_does_so_no_more(path: Path) -> None:
    targets.run(path.parent.name, path.read_bytes())
