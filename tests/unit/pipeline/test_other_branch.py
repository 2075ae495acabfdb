"""Fragments of matrices that HIP does not compile, as another branch takes their place, are not tuned."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate.config import Config
from cudamigrate.pipeline.run import scan

CODE = """\
#include <mma.h>
using namespace nvcuda;
__global__ void k(float *c) {{
{opens}
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> f;
  wmma::fill_fragment(f, 0.f);
  wmma::store_matrix_sync(c, f, 16, wmma::mem_row_major);
{closes}
}}
"""


def efforts(root: Path, opens: str, closes: str) -> set[str]:
    (root / "k.cu").write_text(CODE.format(opens=opens, closes=closes))
    return {one.effort for one in scan(root, Config()).findings if one.rule == "library/matrix-fragments"}


@pytest.mark.parametrize(
    ("opens", "closes", "tuned"),
    [
        ("#if __CUDA_ARCH__ >= 730", "#else\n  c[threadIdx.x] = 0;\n#endif", False),
        ("#if __CUDA_ARCH__ >= 730", "#endif", True),
        ("#if __CUDA_ARCH__ >= 730", "#else\n#endif", True),
        ("#if WITH_FRAGMENTS", "#else\n  c[threadIdx.x] = 0;\n#endif", True),
        ("#if __CUDA_ARCH__ < 730\n  c[0] = 1;\n#else", "#endif", True),
        ("", "", True),
    ],
)
def test_only_what_hip_compiles_is_tuned(tmp_path: Path, opens: str, closes: str, tuned: bool) -> None:
    assert (efforts(tmp_path, opens, closes) == {"none"}) is not tuned
