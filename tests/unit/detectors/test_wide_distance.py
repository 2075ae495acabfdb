"""Distances and lane masks beyond a warp, in shuffles of tiles and of PyTorch."""

from pathlib import Path

import pytest

from cudamigrate import pipeline
from cudamigrate.config import Config

HEAD = "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"


@pytest.mark.parametrize(
    ("call", "made"),
    [
        ("WARP_SHFL_XOR(v, -1)", "WARP_SHFL_XOR(v, 31, 32)"),
        ("WARP_SHFL_DOWN(v, far)", "WARP_SHFL_DOWN(v, far & 31, 32)"),
        ("WARP_SHFL_UP(v, far + 1, 16)", "WARP_SHFL_UP(v, (far + 1) & 31, 16)"),
        ("WARP_SHFL_UP(v, n)", "WARP_SHFL_UP(v, n & 31, 32)"),  # nothing shows that it stays in a warp
        ("tile.shfl_up(v, a[n])", "tile.shfl_up(v, a[n] & 31)"),
        ("tile.shfl_up(v, step(n))", "tile.shfl_up(v, step(n) & 31)"),
        ("tile.shfl_up(v, a[n] & 7)", "tile.shfl_up(v, a[n] & 7)"),
        ("tile.shfl_up(v, tile.size() / 2)", "tile.shfl_up(v, tile.size() / 2)"),
        ("tile.shfl_up(v, STEP)", "tile.shfl_up(v, STEP)"),  # a number of another file
        ("WARP_SHFL(v, far, 32)", "WARP_SHFL(v, far, 32)"),  # a lane is taken modulo the width
        ("tile.shfl_xor(v, -2)", "tile.shfl_xor(v, 30)"),
        ("tile.shfl_down(v, 40)", "tile.shfl_down(v, 8)"),
        ("tile.shfl_down(v, 16)", "tile.shfl_down(v, 16)"),
        ("mine.shfl_xor(v, -1)", "mine.shfl_xor(v, -1)"),
    ],
)
def test_five_bits_are_kept_where_more_are_seen(tmp_path: Path, call: str, made: str) -> None:
    code = (
        "__global__ void k(int *a, int n, Mine mine) {\n"
        "  auto tile = cg::tiled_partition<32>(cg::this_thread_block());\n"
        f"  const int far = (threadIdx.x & 31) + 8;\n  int v = a[0];\n  a[n] = {call};\n}}\n"
    )
    (tmp_path / "k.cu").write_text(HEAD + code)
    applied = pipeline.apply(tmp_path, Config(jobs=1))
    assert f"  a[n] = {made};\n".encode() in applied.conversions[0].after
