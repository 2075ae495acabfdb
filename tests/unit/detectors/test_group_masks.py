"""Masks of tiles have 32 bits in CUDA and 64 in HIP: what is made of one shows it, or does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.detection import engine
from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile

HEAD = """#include <cooperative_groups.h>
namespace cg = cooperative_groups;
using Warp = cg::thread_block_tile<32>;
template <int N> using Part = cg::thread_block_tile<N>;
typedef cg::thread_block_tile<16> Half;
"""
TILE = "auto t = cg::tiled_partition<32>(cg::this_thread_block());"


def found(code: str) -> list[str]:
    parsed = cuda.parse(SourceFile("a.cu", (HEAD + code).encode(), "cuda"), frozenset())
    return [hit.rule.removeprefix("cooperative-groups/") for hit in engine.hits("group_masks", parsed)]


WIDE = [
    "auto m = t.ballot(v); a[0] = sizeof(m);",
    "a[0] = use(t.match_any(v));",
    "a[0] = ~t.ballot(v) == 0;",
    "a[0] = t.ballot(v) == ~0;",
    "if (t.ballot(v) << n) a[0] = 1;",
    "unsigned m = ~t.ballot(v) >> n;",
    "bool all = ~t.ballot(v);",
    "bool all; all = ~t.ballot(v);",
    "unsigned long long m = 0; m = t.ballot(v);",
    "a[0] = __popcll(~t.ballot(v));",
    "a[0] = __ffs(~t.ballot(v));",
    "a[0] = __ffs(t.ballot(v) & 0xff);",
    'printf("%08x", t.ballot(v));',
    "int p; auto m = t.match_all(v, p);",
    "a[0] = t.ballot(v) - 1 > 4;",
    "a[0] = (t.ballot(v) | -n) > 4;",
]
CUT = [
    "unsigned m = t.ballot(v);",
    "int m = t.ballot(v) >> 3, f = t.match_any(v);",
    "uint32_t m; m = t.ballot(v) << n;",
    "unsigned m = ~t.ballot(v);",
    "bool any = t.ballot(v);",
    "a[0] = __popc(t.ballot(v) & 0xff);",
    "a[0] = __popc(~t.ballot(v)) + __clz(t.match_any(v)) + __ffsll(t.ballot(v));",
    "if (t.ballot(v)) a[0] = 1;",
    "while (!t.ballot(v)) a[0] = 1;",
    "a[0] = t.ballot(v) == 0xffffffff;",
    "auto m = static_cast<unsigned>(t.ballot(v)); auto o = (unsigned)t.ballot(v); auto p = unsigned(t.ballot(v));",
    "a[0] = t.ballot(v) && n;",
    "t.ballot(v);",
]


@pytest.mark.parametrize("body", WIDE)
def test_what_may_show_64_bits_is_found(body: str) -> None:
    assert found(f"__global__ void k(int *a, int v, int n) {{ {TILE} {body} }}") == ["tile-mask"]


@pytest.mark.parametrize("body", CUT)
def test_what_takes_32_bits_is_not(body: str) -> None:
    assert found(f"__global__ void k(int *a, int v, int n) {{ {TILE} {body} }}") == []


@pytest.mark.parametrize(
    "group", ["const Warp &g", "Part<8> g", "Half g", "cg::thread_block_tile<32, cg::thread_block> &g"]
)
def test_a_tile_is_known_by_all_names_of_its_type(group: str) -> None:
    assert found(f"__device__ int f({group}, int v) {{ auto m = g.ballot(v); return sizeof(m); }}") == ["tile-mask"]


def test_a_tile_may_be_a_member_or_made_at_once() -> None:
    member = "struct Op { Warp tile_; __device__ int f(int v) { auto m = tile_.ballot(v); return sizeof(m); } };"
    made = "__device__ auto f(int v) { return cg::tiled_partition<32>(cg::this_thread_block()).ballot(v); }"
    assert found(member) == ["tile-mask"] and found(made) == ["tile-mask"]


@pytest.mark.parametrize(
    ("code", "rules"),
    [
        ("template <class G> __device__ auto f(const G &g, int v) { return g.ballot(v); }", ["group-mask"]),
        ("template <class G> __device__ unsigned f(const G &g, int v) { return g.ballot(v); }", []),
        ("template <class G> __device__ unsigned f(const G &g, int v) { return ~g.ballot(v); }", []),
        (
            "struct Own { __device__ unsigned long long ballot(int v); };"
            "__device__ auto f(Own &g, int v) { return g.ballot(v); }",
            [],
        ),
        ("int f(Poll &g, int v) { auto m = g.ballot(v); return sizeof(m); }", []),
    ],
)
def test_an_object_whose_type_is_not_seen_is_reported(code: str, rules: list[str]) -> None:
    assert found(code) == rules


@pytest.mark.parametrize(
    ("members", "rules"),
    [
        ("const T tile; __device__ int f(int v) { auto m = tile.ballot(v); return __ffs(m); }", ["group-mask"]),
        ("const T tile; __device__ int f(int v) { return __ffs(tile.ballot(v)); }", ["group-mask"]),
        ("const T tile; __device__ int f(int v) { return __popc(tile.ballot(v)); }", []),
        ("T *p; unsigned ballot(int v); __device__ int f(int v) { auto m = p->ballot(v); return __ffs(m); }", []),
    ],
)
def test_a_member_may_be_a_tile_in_a_file_that_does_not_speak_of_groups(members: str, rules: list[str]) -> None:
    code = f"template <class T> struct Node {{ {members} }};\n"
    parsed = cuda.parse(SourceFile("a.cuh", code.encode(), "cuda"), frozenset())
    assert [hit.rule.removeprefix("cooperative-groups/") for hit in engine.hits("group_masks", parsed)] == rules


def test_the_result_is_cut(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(HEAD + f"__global__ void k(int *a, int v) {{ {TILE} a[0] = ~t.ballot(v) == 0; }}\n")
    made = pipeline.apply(tmp_path, Config(jobs=1)).conversions
    assert b"~static_cast<unsigned int>(t.ballot(v)) == 0" in next(one.after for one in made if one.path == "k.cu")
