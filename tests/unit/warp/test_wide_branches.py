"""Code that knows both sizes of the wave is not narrowed: constants by what they are for, and steps for 64 lanes."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.analysis.constant_values import Values
from cudamigrate.config import Config
from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile

SIZE = "#if {condition}\n#define WS 64\n#else\n#define WS 32\n#endif\n"
STEPS = "".join(f"  v += __shfl_down(v, {by});\n" for by in (1, 2, 4, 8, 16))
KERNEL = (
    "#include <cuda_runtime.h>\n__global__ void k(int *a) {{\n  int lane = {lane};\n  int v = a[threadIdx.x];\n"
    + STEPS.replace("{", "{{")
    + "{more}  if (lane == 0) a[0] = v;\n}}\n"
)
BY_SIZE = "threadIdx.x % WS"


def made(folder: Path, files: dict[str, str]) -> tuple[str, set[str]]:
    applied = pipeline.apply(written(folder, files), Config(jobs=1))
    text = {one.path: one.after.decode() for one in applied.conversions}.get("a.cu", "")
    return text, {one.rule for one in applied.report.findings if one.group == "warp"}


@pytest.mark.parametrize(
    ("condition", "lane"),
    [
        ("defined(__AMDGCN_WAVEFRONT_SIZE) && (__AMDGCN_WAVEFRONT_SIZE == 64)", BY_SIZE),
        ("defined(__GFX9__)", "threadIdx.x & (WS - 1)"),
        ("defined(__HIP_PLATFORM_AMD__)", BY_SIZE),
    ],
)
def test_a_constant_that_is_64_for_amd_is_the_wave_whatever_its_name(tmp_path: Path, condition: str, lane: str) -> None:
    text, rules = made(tmp_path, {"a.cu": SIZE.format(condition=condition) + KERNEL.format(lane=lane, more="")})
    assert ", 32)" not in text and "warp/two-sizes" in rules


def test_one_that_no_thread_is_counted_by_may_be_a_tile(tmp_path: Path) -> None:
    size = SIZE.format(condition="defined(__HIP_PLATFORM_AMD__)")
    text, _ = made(tmp_path, {"a.cu": size + KERNEL.format(lane="threadIdx.x % 32", more="  v += WS;\n")})
    assert "__shfl_down(v, 16, 32)" in text


@pytest.mark.parametrize("condition", ["WS == 64", "defined(WS) && (WS == 64)", "WS > 32"])
def test_a_function_with_a_step_for_64_lanes_is_not_narrowed(tmp_path: Path, condition: str) -> None:
    more = f"#if {condition}\n  v += __shfl_down(v, 32);\n#endif\n"
    text, rules = made(tmp_path, {"a.cu": KERNEL.format(lane=BY_SIZE, more=more)})
    assert ", 32)" not in text.replace("__shfl_down(v, 32)", "") and "warp/unconverted-lanes" in rules


@pytest.mark.parametrize(
    "more", ["#if WS == 64\n  v += 1;\n#endif\n", "#if WS == 32\n  v += __shfl_down(v, 1);\n#endif\n"]
)
def test_other_branches_do_not_keep_it(tmp_path: Path, more: str) -> None:
    text, _ = made(tmp_path, {"a.cu": KERNEL.format(lane="threadIdx.x % 32", more=more)})
    assert "__shfl_down(v, 16, 32)" in text


@pytest.mark.parametrize(("other", "is_wave"), [(128, False), (32, True)])
def test_a_size_of_a_block_that_branches_give_is_no_wave(other: int, is_wave: bool) -> None:
    """`threadIdx.x % count` counts threads of a block where `count` is 64 here and 128 there."""
    text = (
        f"#ifdef SMALL\nconstexpr int count = 64;\n#else\nconstexpr int count = {other};\n#endif\n"
        "__global__ void k(float *x) { int at = threadIdx.x % count; x[at] = __shfl_down_sync(~0u, x[at], 1); }\n"
    )
    values = Values.of(cuda.parse(SourceFile("a.cu", text.encode(), "cuda"), frozenset()))
    values.constants()
    assert (b"count" in values.ported) is is_wave
