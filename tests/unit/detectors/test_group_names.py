"""Cooperative groups however a file spells them, and members by the kind of their group."""

from __future__ import annotations

import pytest

from cudamigrate.config import Config
from cudamigrate.pipeline.rule_tests import find_in_text

HEAD = "#include <cuda_runtime.h>\n#include <cooperative_groups.h>\n"


def found(code: str, rocm: str = "7.1", wave: str = "logical32") -> list[tuple[str, str, bool]]:
    """Rules, texts and whether there is a fix."""
    source = HEAD + code
    findings = find_in_text(source, config=Config(rocm=rocm, wave=wave)).findings
    mine = [f for f in findings if f.rule.startswith("cooperative-groups/") or f.rule == "api/group-operators"]
    return [(f.rule.partition("/")[2], source[f.span.start : f.span.end], f.fix is not None) for f in mine]


@pytest.mark.parametrize(
    ("head", "space"),
    [
        ("namespace cg = cooperative_groups;", "cg::"),
        ("namespace coop = ::cooperative_groups;", "coop::"),
        ("", "cooperative_groups::"),
        ("using namespace cooperative_groups;", ""),
    ],
)
def test_call_is_found_under_every_name_of_the_namespace(head: str, space: str) -> None:
    body = f"{{ {space}thread_block_tile<32> t = {space}tiled_partition<32>({space}this_thread_block()); "
    body += f"return {space}reduce(t, v, {space}plus<int>()); }}"
    reported = found(f"{head}\n__device__ int f(int v) {body}")
    assert reported == [
        ("tile-reduce", f"{space}reduce(t, v, {space}plus<int>())", True),
        (
            "group-operators",
            f"{space}plus<int>()",
            True,
        ),
    ]


def test_operators_are_no_matter_where_hip_has_them() -> None:
    code = "using namespace cooperative_groups;\n__device__ int f(thread_block_tile<8> t, int v) "
    code += "{ return reduce(t, v, plus<int>()); }"
    assert [rule for rule, _, _ in found(code, "7.13")] == ["tile-reduce"]


@pytest.mark.parametrize(
    "code",
    [
        "using namespace cooperative_groups;\nint f(Range r) { wait(r); return reduce(r, 0); }",
        "namespace mine { int coalesced_threads(); }\nint f() { return mine::coalesced_threads(); }",
        "using namespace cooperative_groups;\nstruct S { int invoke_one(); };\nint f(S s) { return s.invoke_one(); }",
        "// using namespace cooperative_groups;\nint f() { return coalesced_threads(); }",
    ],
)
def test_names_of_others_are_left_alone(code: str) -> None:
    assert found(code) == []


def test_code_for_the_full_wavefront_is_reported_and_not_changed() -> None:
    code = "namespace cg = cooperative_groups;\n__device__ int f() { return cg::coalesced_threads().size(); }"
    assert found(code, wave="native") == [("coalesced-group", "cg::coalesced_threads()", False)]


@pytest.mark.parametrize(
    ("size", "reported"),
    [
        ("16", False),
        ("32", False),
        ("64", True),
        ("kWide", True),
        ("kWarp", False),
        ("N", False),
        ("2 * kWarp", True),
        ("kWide >> 2", False),
        ("kWide >> 1", True),
        ("kWarp << 1", True),
    ],
)
def test_tile_is_measured_where_its_size_shows(size: str, reported: bool) -> None:
    code = "namespace cg = cooperative_groups;\nconstexpr int kWide = 128, kWarp = 32;\n"
    code += f"template <int N> __device__ void f() {{ cg::tiled_partition<{size}>(cg::this_thread_block()).sync(); }}"
    assert [rule for rule, _, _ in found(code)] == (["wide-tile"] if reported else [])


def test_two_lists_that_end_together_are_no_shift() -> None:
    code = (
        "namespace cg = cooperative_groups;\n__device__ void f() { Held<cg::thread_block_tile<64>> held; use(held); }"
    )
    assert [rule for rule, _, _ in found(code)] == ["wide-tile"]


@pytest.mark.parametrize(
    ("call", "rule"),
    [
        ("grid.sync()", "grid-sync"),
        ("grid.num_blocks()", "group-dimensions"),
        ("grid.thread_index()", "group-dimensions"),
        ("grid.num_clusters()", "grid-of-clusters"),
        ("grid.barrier_arrive()", "split-barrier"),
        ("block.dim_threads()", "group-dimensions"),
        ("active.ballot(1)", "active-group-mask"),
        ("grid.thread_rank()", ""),
        ("block.sync()", ""),
        ("block.thread_index()", ""),
        ("tile.ballot(1)", ""),
        ("other.sync()", ""),
        ("other.grid.sync()", ""),
    ],
)
def test_member_is_reported_by_the_kind_of_its_group(call: str, rule: str) -> None:
    code = "namespace coop = cooperative_groups;\n__device__ void f(coop::grid_group grid, coop::thread_block block, "
    code += f"coop::coalesced_group active, coop::thread_block_tile<8> tile, Other other) {{ {call}; }}"
    reported = [(rule, text) for rule, text, _ in found(code) if rule != "coalesced-group"]
    assert reported == ([(rule, call)] if rule else [])


COUNTING = """{}
template <typename T> __device__ T next(T *count, T *rows) {{
    {}
    {} all = {}coalesced_threads();
    T at;
    if (all.thread_rank() == 0) {{ at = atomicAdd(count, all.size()); }}
    return {};
}}
"""


@pytest.mark.parametrize(
    ("head", "inside", "space"),
    [
        ("", "using namespace cooperative_groups;", ""),
        ("namespace coop = cooperative_groups;", "", "coop::"),
        ("using namespace cooperative_groups;", "", ""),
    ],
)
def test_active_lanes_that_are_only_counted_are_right_by_every_name(head: str, inside: str, space: str) -> None:
    kind = f"{space}coalesced_group"
    numbered = COUNTING.format(head, inside, kind, space, "all.thread_rank() + all.shfl(at, 0)")
    assert not [rule for rule, _, _ in found(numbered) if rule == "coalesced-group"]
    held = COUNTING.format(head, inside, kind, space, "rows[all.thread_rank()] + all.shfl(at, 0)")
    texts = [text for rule, text, _ in found(held) if rule == "coalesced-group"]
    assert texts == [kind, f"{space}coalesced_threads()"]
