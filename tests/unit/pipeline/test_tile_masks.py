"""Members of templates that are tiles, as the files show that make the objects."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate import pipeline
from cudamigrate.config import Config

NODE = """#pragma once
template <int N, class Tile> struct Node {
    const Tile tile;
    __device__ Node(const Tile &t) : tile(t) {}
    __device__ int first(int v) const { auto votes = tile.ballot(v > 0); return __ffs(votes) - 1; }
};
"""
HEAD = '#include <cooperative_groups.h>\n#include "node.cuh"\nnamespace cg = cooperative_groups;\n'
MADE = "auto tile = cg::tiled_partition<16>(cg::this_thread_block());"
BY_CALL = """template <class T> __device__ int look(const T &group, int v) {
    using Type = Node<1, T>;
    Type node(group);
    return node.first(v);
}
"""
TILES = {
    "a type": f"__global__ void k(int *f) {{ {MADE} Node<1, cg::thread_block_tile<16>> n(tile);"
    " f[0] = n.first(f[1]); }",
    "an alias": "using Half = cg::thread_block_tile<16>;\n"
    f"__global__ void k(int *f) {{ {MADE} Node<1, Half> n(tile); f[0] = n.first(f[1]); }}",
    "what a function is called with": f"{BY_CALL}__global__ void k(int *f) {{ {MADE} f[0] = look(tile, f[1]); }}",
}
OPEN = {
    "nobody makes one": f"__global__ void k(int *f) {{ {MADE} f[0] = tile.size(); }}",
    "another class": "struct Own { __device__ unsigned long long votes(bool) const; };\n"
    "__global__ void k(int *f, Own own) { Node<1, Own> n(own); f[0] = n.first(f[1]); }",
    "active threads": f"{BY_CALL}__global__ void k(int *f) {{ auto a = cg::coalesced_threads();"
    " f[0] = look(a, f[1]); }",
    "a tile and another class": f"{BY_CALL}struct Own {{}};\n__global__ void k(int *f, Own own) {{ {MADE} "
    "f[0] = look(tile, f[1]) + look(own, f[1]); }",
}


def found(tmp_path: Path, code: str) -> list[str]:
    (tmp_path / "node.cuh").write_text(NODE)
    (tmp_path / "k.cu").write_text(f"{HEAD}{code}\n")
    rules = [one.rule for one in pipeline.scan(tmp_path, Config(jobs=1)).findings if one.path == "node.cuh"]
    return [one.removeprefix("cooperative-groups/") for one in rules if one.startswith("cooperative-groups/")]


@pytest.mark.parametrize("name", TILES)
def test_the_mask_of_a_member_that_is_a_tile_wherever_it_is_made_is_cut(tmp_path: Path, name: str) -> None:
    assert found(tmp_path, TILES[name]) == ["tile-mask"]
    made = pipeline.apply(tmp_path, Config(jobs=1)).conversions
    assert b"static_cast<unsigned int>(tile.ballot(v > 0))" in next(one.after for one in made if one.path == "node.cuh")


@pytest.mark.parametrize("name", OPEN)
def test_what_may_be_something_else_is_reported(tmp_path: Path, name: str) -> None:
    assert found(tmp_path, OPEN[name]) == ["group-mask"]
