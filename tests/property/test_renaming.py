"""Names prove nothing: a program whose own names all change has the same findings that matter, and the same fixes."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.draws import examples
from tests.renaming import compared, differences, drawn, renamed, scheme

PROGRAMS = Path(__file__).parents[2] / "fixtures" / "lanes" / "programs"
SAMPLE = ("1-softmax-y-rows", "2-launch-plan", "3-macro-renamed", "4-tile-pipeline", "5-suffix-macro", "6-false-lane")
WORDS = ("lane", "warp_id", "row", "kWarpSize", "tile", "n32", "laneMask", "team", "WARP_SIZE", "i")
LINES = [
    "const int {a} = threadIdx.x % {c}; out[{a}] += 1;",
    "const int {a} = threadIdx.x / {c}; if ({a} == 1) __syncthreads();",
    "int {a} = out[threadIdx.x]; for (int {b} = {c} / 2; {b}; {b} /= 2) {a} += __shfl_xor_sync(~0u, {a}, {b});",
    "const unsigned {a} = __ballot_sync(0xffffffff, out[threadIdx.x] > 0); out[0] = __popc({a});",
    "const int {a} = warpSize; out[threadIdx.x / {a}] = {c};",
    "__shared__ int {a}[{c}]; {a}[threadIdx.x & ({c} - 1)] = 1; out[1] = {a}[0];",
    "volatile int *{a} = out; if (threadIdx.x / {c} == 0) while (*{a} == 0) {{}}",
]


@st.composite
def programs(draw: st.DrawFn) -> bytes:
    """A kernel of a few statements on lanes, with names that say something and names that do not."""
    constant = draw(st.sampled_from(WORDS))
    names = draw(st.lists(st.sampled_from(WORDS), min_size=12, max_size=12))
    body = []
    for at, line in enumerate(draw(st.lists(st.sampled_from(LINES), min_size=1, max_size=5))):
        first, second = f"{names[2 * at]}_{at}", f"{names[2 * at + 1]}{at}x"
        body.append("    { " + line.format(a=first, b=second, c=f"{constant}_") + " }")
    head = draw(st.sampled_from((f"#define {constant}_ 32", f"constexpr int {constant}_ = 32;")))
    host = f"void run(int *p) {{ k<<<1, 4 * {constant}_>>>(p); }}"
    return "\n".join([head, "__global__ void k(int *out) {", *body, "}", host, ""]).encode()


@settings(max_examples=examples(25), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(programs())
def test_generated_programs_are_judged_alike_under_other_names(program: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        assert differences({"k.cu": program}, Path(folder)) == []


@pytest.mark.parametrize("name", SAMPLE)
def test_programs_that_attack_are_judged_alike_under_other_names(name: str, tmp_path: Path) -> None:
    paths = [path for path in (PROGRAMS / name).rglob("*") if path.suffix in (".cu", ".cuh", ".h", ".hpp", ".inc")]
    files = {path.relative_to(PROGRAMS / name).as_posix(): path.read_bytes() for path in paths}
    assert differences(files, tmp_path) == []


def test_all_names_of_a_file_change_and_nothing_else() -> None:
    text = b'#include "lane.h"\n#define LANE 32 // LANE\nint lane(int w) { return w % LANE + threadIdx.x; } // "lane"\n'
    made = renamed(text, scheme({"a.cu": text}))
    assert b'"lane.h"' in made and b"// LANE" in made and b"threadIdx.x" in made
    assert b"lane(" not in made and b"% LANE" not in made and made.count(b"\n") == text.count(b"\n")


def test_what_cuda_declares_keeps_its_name() -> None:
    names = scheme({"a.cu": b"__device__ double atomicMax(double *p, double most) { return *p > most ? *p : most; }"})
    assert b"most" in names and b"atomicMax" not in names


def test_files_are_drawn_that_work_across_lanes(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_bytes(b"__global__ void k(int *a) { a[0] = __shfl_sync(~0u, a[1], 0); }")
    (tmp_path / "b.cu").write_bytes(b"__global__ void k(int *a) { a[0] = 1; }")
    assert drawn([tmp_path], 5, 5, 1) == [tmp_path / "a.cu"]
    (path, findings, unlike), *more = compared([tmp_path / "a.cu"])
    assert (path.name, unlike, more) == ("a.cu", [], []) and findings
