"""Waits by CUB's loads past the caches, which hipCUB has for some types only."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

CACHED = "plain load"


def spins(value: str, loop: str, head: str = "#include <cub/cub.cuh>\n") -> list[str]:
    code = (
        head + f"__global__ void chain({value} *state, unsigned *sum) {{\n"
        f"    {value} seen; int delay = 8;\n    {loop}\n    sum[0] = delay;\n}}\n"
    )
    return [one.message for one in find_in_text(code, "a.cu").findings if one.rule == "memory/block-spin"]


@pytest.mark.parametrize(
    ("value", "test", "cached"),
    [
        ("uint4", "seen.x == 0", True),
        ("uint2", "__any_sync(~0u, seen.x == 0)", True),
        ("int", "seen == 0", True),
        ("unsigned long long", "seen == 0", True),
        ("unsigned int", "seen == 0", False),
        ("uint64_t", "seen == 0", False),
        ("float", "seen == 0", False),
    ],
)
def test_a_wait_by_a_load_that_caches_answer_is_reported(value: str, test: str, cached: bool) -> None:
    loop = f"do {{ __nanosleep(delay <<= 1); seen = cub::ThreadLoad<cub::LOAD_CG>(state - 1); }} while ({test});"
    found = spins(value, loop)
    assert len(found) == 1
    assert (CACHED in found[0]) is cached


def test_a_volatile_load_goes_past_the_caches_for_any_type() -> None:
    found = spins("uint4", "do { seen = cub::ThreadLoad<cub::LOAD_VOLATILE>(state - 1); } while (seen.x == 0);")
    assert len(found) == 1
    assert CACHED not in found[0]


@pytest.mark.parametrize(
    ("loop", "head"),
    [
        ("for (int i = 0; i < 8; ++i) seen = cub::ThreadLoad<cub::LOAD_CG>(state + i);", "#include <cub/cub.cuh>\n"),
        (
            "do { seen = cub::ThreadLoad<cub::LOAD_CG>(state++); sum[1] += 1; } while (seen.x);",
            "#include <cub/cub.cuh>\n",
        ),
        (
            "do { seen = ThreadLoad<LOAD_CG>(state); } while (seen.x == 0);",
            "enum How { LOAD_CG };\ntemplate <How H> __device__ uint4 ThreadLoad(uint4 *p) { p->x += 1; return *p; }\n",
        ),
    ],
)
def test_a_load_that_is_not_waited_for_is_as_it_was(loop: str, head: str) -> None:
    assert spins("uint4", loop, head) == []
