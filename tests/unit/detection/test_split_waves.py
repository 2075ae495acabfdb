"""A count of 32 lanes is not called right where warps with roles wait at barriers for a part of the block."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

COUNT = "warp/hardcoded-size"
WARP = "constexpr int kWarp = 32;\n"
NAMED = '__device__ void meet(int n) { asm volatile("bar.sync 1, %0;" :: "r"(n) : "memory"); }\n'
WHOLE = '__device__ void meet(int) { asm volatile("bar.sync 0;" ::: "memory"); }\n'
ROLES = "__global__ void k(int *a) { if (threadIdx.x / kWarp == 0) { meet(64); } else { meet(64); } }\n"
OTHER = "__global__ void other(int *a) { int warp = threadIdx.x / 32; a[warp] = 0; }\n"


def counts(text: str) -> list[str]:
    """The counts of 32 lanes that are called right."""
    found = [one for one in find_in_text(text).findings if one.rule == COUNT]
    assert found
    return [one.excerpt for one in found if "see what is said of these barriers" not in one.message]


@pytest.mark.parametrize(
    "text",
    [
        WARP + NAMED + ROLES,
        WARP + NAMED + "__device__ void deep() { meet(64); }\n" + ROLES.replace("meet(64)", "deep()"),
        OTHER.replace("a[", 'if (warp) asm volatile("barrier.sync 2, 64;"); a['),
        OTHER.replace("a[", "if (warp) __barrier_sync_count(2, 64); a["),
    ],
)
def test_a_function_with_such_a_barrier_has_none(text: str) -> None:
    assert counts(text) == []


@pytest.mark.parametrize(("text", "count"), [(WARP + WHOLE + ROLES, 2), (NAMED + OTHER, 1), (WARP + ROLES, 2)])
def test_a_barrier_of_the_whole_block_or_of_another_function_changes_nothing(text: str, count: int) -> None:
    assert len(counts(text)) == count


def test_a_constant_of_other_functions_alone_stays() -> None:
    others = OTHER.replace("32", "kWarp")
    roles = ROLES.replace("kWarp", "32")
    assert len(counts(WARP + NAMED + roles + others)) == 2
