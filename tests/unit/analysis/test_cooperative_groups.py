"""Under which names a file uses cooperative groups, and which variables hold which kind."""

from __future__ import annotations

import pytest

from cudamigrate.analysis.cooperative_groups import Groups, groups
from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile

SOURCE = """
#include <cooperative_groups.h>
namespace coop = cooperative_groups;
__device__ int first(coop::thread_block_tile<32> tile, const coop::coalesced_group &active) {
    auto block = coop::this_thread_block();
    coop::grid_group grid = coop::this_grid();
    auto quad = coop::tiled_partition<4>(tile);
    const auto &peers = coop::labeled_partition(quad, 3);
    coop::thread_group any = block;
    FIRST;
}
__device__ int second(int grid) {
    auto tile = make<coop::thread_block>();
    auto block{coop::coalesced_threads()};
    SECOND;
}
"""


def read(source: str) -> Groups:
    return groups(cuda.parse(SourceFile("a.cu", source.encode(), "cuda"), frozenset()))


@pytest.mark.parametrize(
    ("name", "place", "kind"),
    [
        ("tile", "FIRST", "tile"),
        ("active", "FIRST", "active"),
        ("block", "FIRST", "block"),
        ("grid", "FIRST", "grid"),
        ("quad", "FIRST", "tile"),
        ("peers", "FIRST", "active"),
        ("any", "FIRST", "any"),
        ("block", "SECOND", "active"),
        ("grid", "SECOND", ""),
        ("tile", "SECOND", ""),
    ],
)
def test_variable_has_the_kind_it_was_declared_with(name: str, place: str, kind: str) -> None:
    assert read(SOURCE).kind(name.encode(), SOURCE.index(place)) == kind


def test_aliases_and_directives_are_read() -> None:
    assert read(SOURCE).spaces == {b"cg", b"cooperative_groups", b"coop"}
    assert not read(SOURCE).opened
    opened = read(
        "using namespace cooperative_groups; __device__ void f() { thread_block b = this_thread_block(); b; }"
    )
    assert opened.opened
    assert opened.kind(b"b", 80) == "block"


def test_bare_names_without_a_directive_are_no_groups() -> None:
    assert read("struct thread_block {}; void f() { thread_block b; b; }").variables == {}
