"""Mutation: one constant, size, call or operator of a proved program is changed, and 64 lanes go wrong: no proof holds.

The programs are those of `test_wave_proof.py`, with 32 and with `warpSize`. A proof of the first kind would make the
program follow the wave, one of the second would leave it on the full wavefront. Changes that a proof may
allow are not among them: a first value that all threads add alike, another number of partial results that edits keep,
and a barrier left out, which is a race on 32 lanes too.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from cudamigrate.warp.lane_code import facts
from tests.unit.warp.test_wave_proof import ATOMIC, IF_FORM, STAGES, parse

SUM = STAGES[STAGES.index("__device__ float warpSum") : STAGES.index("__device__ float blockSum")]
LOOP = SUM[SUM.index("    for") : SUM.index("    return")]
LEGACY = LOOP.replace("_sync(~0u, v, o)", "(v, o)")
OVERLOADED = STAGES.replace(SUM, SUM.replace("float", "int") + SUM)
BRANCHED = STAGES.replace(LOOP, f"#if CUDART_VERSION >= 9000\n{LOOP}#else\n{LEGACY}#endif\n")
NARROW = {"atomic": ATOMIC, "stages": STAGES, "if": IF_FORM, "overloads": OVERLOADED, "branches": BRANCHED}
WIDE = {
    "atomic": ATOMIC.replace("o = 16", "o = warpSize / 2").replace("% 32", "% warpSize"),
    **{
        name: text.replace("o < 32", "o < warpSize")
        .replace("& 31", "% warpSize")
        .replace(">> 5", "/ warpSize")
        .replace("/ 32", "/ warpSize")
        for name, text in (("stages", STAGES), ("overloads", OVERLOADED), ("branches", BRANCHED))
    },
    "if": IF_FORM.replace("o = 16", "o = warpSize / 2")
    .replace("% 32", "% warpSize")
    .replace("/ 32", "/ warpSize")
    .replace("< 32", "< warpSize"),
}
BLOCKS = {"atomic": "8, 128", "if": "4, 256", **dict.fromkeys(("stages", "overloads", "branches"), "9, dim3(256)")}
WIDTHS = (
    "1",
    "16",
    "31",
    "32",
    "33",
    "48",
    "96",
    "160",
    "224",
    "288",
    "480",
    "992",
    "n",
    "dim3(32, 4)",
    "dim3(16, 16)",
)
ANY: list[tuple[str, tuple[str, ...]]] = [
    ("0xffffffff, v", ("0xffff, v", "0x7fffffff, v", "1, v", "1u << 31, v", "mask, v")),
    ("~0u, v", ("0xffff, v", "0x7fffffff, v", "1, v", "~1u, v")),
    ("v, o)", ("v, o, 16)", "v, o, 8)", "v, o + 1)", "v, 2 * o)", "v, 1)", "v, o ^ 1)", "v + 1, o)", "-v, o)")),
    ("o = 16", ("o = 8", "o = 4", "o = 17", "o = 15", "o = 12", "o = 1")),
    ("o = warpSize / 2", ("o = 8", "o = warpSize / 4", "o = warpSize - 1", "o = 5")),
    ("o < 32", ("o < 16", "o < 8", "o <= 8", "o < 5")),
    ("#else\n", ("#elif CUDART_VERSION < 8000\n",)),
    ("__shfl_xor(v, o)", ("__shfl_xor(v, o, 16)", "__shfl_xor(v, 1)", "__shfl_up(v, o)", "__shfl_xor(v + 1, o)")),
    ("o < warpSize", ("o < 16", "o < warpSize / 2", "o < 5")),
    ("o > 0; o /= 2", ("o > 1; o /= 2", "o > 2; o /= 2", "o > 0; o /= 4", "o > 0; o -= 2", "o > 0; --o")),
    ("o > 0; o >>= 1", ("o > 1; o >>= 1", "o > 4; o >>= 1", "o > 0; o >>= 2", "o > 0; o -= 3")),
    ("o = 1; o <", ("o = 2; o <", "o = 4; o <", "o = 3; o <")),
    ("o <<= 1", ("o <<= 2", "o += 1", "o *= 3", "o += 2")),
    ("v += __shfl", ("v -= __shfl", "v *= __shfl", "v ^= __shfl", "v = __shfl", "v /= __shfl", "v += 2 * __shfl")),
    ("v = v + __shfl", ("v = v - __shfl", "v = v * __shfl", "v = 2 * v + __shfl", "v = v / __shfl", "v = __shfl")),
    ("__shfl_down_sync", ("__shfl_up_sync", "__shfl_sync")),
    ("__shfl_xor_sync", ("__shfl_up_sync", "__shfl_sync")),
    (
        "atomicAdd(out, v)",
        ("atomicMax(out, v)", "atomicAdd(out, 1)", "out[threadIdx.x / 32] = v", "atomicExch(out, v)"),
    ),
    ("atomicAdd(out, v)", ("atomicAdd(out + threadIdx.x / 32, v)", "atomicAdd(out, v * v)", "atomicSub(out, v)")),
    ("atomicAdd(out, v)", ("atomicAdd(out, v / 32)", "*out = v", "out[blockIdx.x] += v", "atomicOr(out, v)")),
    (
        "== 0) atomicAdd",
        ("== 1) atomicAdd", "< 2) atomicAdd", "!= 0) atomicAdd", ">= 31) atomicAdd", "== 31) atomicAdd"),
    ),
    ("int v = 0;", ("int v = threadIdx.x & ~31;", "int v = warpSize;", "if (threadIdx.x > n) return; int v = 0;")),
    ("part[wid] = v", ("part[wid + 1] = v", "part[0] = v", "part[lane] = v", "part[wid] = v * v", "part[wid] = lane")),
    ("part[lane] : 0.0f", ("part[lane] : 1.0f", "part[0] : 0.0f", "part[lane ^ 1] : 0.0f", "part[wid] : 0.0f")),
    ("if (lane == 0) part", ("if (lane == 1) part", "if (lane < 2) part", "if (wid == 0) part", "if (lane > 0) part")),
    ("if (wid == 0) v", ("if (wid == 1) v", "if (lane == 0) v", "if (wid < 2) v", "if (threadIdx.x < 16) v")),
    ("if (threadIdx.x == 0) out", ("if (threadIdx.x % 32 == 0) out", "if (threadIdx.x < 2) out", "if (v > 0) out")),
    (
        "out[row] = v",
        (
            "out[row * 8 + threadIdx.x / 32] = v",
            "out[row * n + threadIdx.x / 32 + 1] = v",
        ),
    ),
    ("v = blockSum(v);", ("if (n > threadIdx.x) v = blockSum(v);", "v = warpSum(v);", "v = blockSum(v) + lane;")),
    ("v = max(v, other)", ("v = max(v, other + 1)", "v = other", "v += other", "v = other - v", "v = max(v, -other)")),
    ("v = 0;\n        if", ("v = other;\n        if", "v = lane;\n        if", "v += 1;\n        if")),
    ("v = part[threadIdx.x];", ("v = part[0];", "v = part[threadIdx.x + 1];", "v = part[threadIdx.x] + 1;")),
    (
        "out[blockIdx.x] = v",
        ("out[blockIdx.x + threadIdx.x / 32] += v", "out[blockIdx.x * 8 + threadIdx.x] = part[lane]"),
    ),
    ("v = max(v, __shfl", ("v = min(v, __shfl", "v = (v + __shfl", "v = max(1, __shfl")),
    ("lane == 0) out", ("lane == 1) out", "lane < 2) out")),
    ("__syncthreads();\n    v", ("if (lane == 0) __syncthreads();\n    v",)),
    ("blockDim.x / 32 ?", ("7 ?", "blockDim.x / 16 ?", "n ?")),
    ("blockDim.x / warpSize ?", ("7 ?", "blockDim.x / 16 ?", "n ?")),
]


def mutants(programs: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Each program with one thing changed, and a name for it."""
    for name, text in programs.items():
        grid, _, block = BLOCKS[name].partition(", ")
        for width in WIDTHS:
            yield f"{name}: blocks of {width}", text.replace(f"<<<{grid}, {block}>>>", f"<<<{grid}, {width}>>>")
        for old, news in ANY:
            for new in news if old in text else ():
                yield f"{name}: {old} -> {new}", text.replace(old, new, 1)


def proved(text: str) -> bool:
    """Whether some function of a program would be made to follow the wave, or would be left on it."""
    units = facts(parse(text)).units.values()
    return any(unit.whole or (unit.plan is not None and not unit.plan.refused) for unit in units)


ALL = [
    (kind, name, text) for kind, programs in (("32", NARROW), ("warpSize", WIDE)) for name, text in mutants(programs)
]


def test_the_programs_themselves_are_proved_and_there_are_mutants_enough() -> None:
    assert all(proved(text) for text in (*NARROW.values(), *WIDE.values()))
    changed = [text for _, _, text in ALL if text not in (*NARROW.values(), *WIDE.values())]
    assert len(changed) == len(ALL) == len({(kind, name) for kind, name, _ in ALL}) and len(ALL) >= 200


@pytest.mark.parametrize("kind", ["32", "warpSize"])
def test_no_mutant_is_proved(kind: str) -> None:
    assert [name for mine, name, text in ALL if mine == kind and proved(text)] == []


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        (
            OVERLOADED.replace("v = v + __shfl_xor_sync(~0u, v, o)", "v = max(v, __shfl_xor_sync(~0u, v, o))", 1),
            "different",
        ),
        (STAGES.replace(SUM, "__device__ int warpSum(int v) { return v; }\n" + SUM), "different"),
        (BRANCHED.replace(LEGACY, ""), "does more with lanes"),
        (BRANCHED.replace("v = v + __shfl_xor(v, o)", "v = max(v, __shfl_xor(v, o))"), "does more with lanes"),
    ],
)
def test_what_one_overload_or_branch_does_alone_is_refused(text: str, refused: str) -> None:
    plans = [unit.plan for unit in facts(parse(text)).units.values() if unit.plan is not None]
    assert plans and all(refused in plan.refused for plan in plans)
