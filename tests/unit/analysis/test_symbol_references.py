"""What functions mention, and what other files must be like for a proof to hold."""

from __future__ import annotations

import pytest

from cudamigrate import pipeline
from cudamigrate.analysis.constant_values import Values
from cudamigrate.analysis.kernel_launches import launches
from cudamigrate.analysis.symbol_references import mentions, names, number
from cudamigrate.config import Config
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.frontends import cuda
from cudamigrate.model import FileResult, SourceFile
from cudamigrate.pipeline.cross_file import revert_unproved_native
from cudamigrate.pipeline.inspect_file import inspect

HELPERS = """
__device__ inline float warpSum(float v) {
    for (int o = 16; o > 0; o >>= 1) v += __shfl_xor_sync(0xffffffff, v, o);
    return v;
}
__device__ inline float blockSum(float v) {
    __shared__ float part[32];
    const int lane = threadIdx.x & 31, wid = threadIdx.x >> 5;
    v = warpSum(v);
    if (lane == 0) part[wid] = v;
    __syncthreads();
    v = lane < blockDim.x / 32 ? part[lane] : 0.0f;
    return warpSum(v);
}
"""
KERNEL = """
#include "sums.cuh"
__device__ float twice(float v) { return 2 * blockSum(v); }
__global__ void sums(const float *in, float *out) { out[blockIdx.x] = twice(in[threadIdx.x]); }
void run(const float *in, float *out) { sums<<<9, 256>>>(in, out); }
"""
OWN = """
__global__ void total(const int *in, int *out) {
    int v = in[threadIdx.x];
    for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(0xffffffff, v, o);
    if (threadIdx.x % 32 == 0) atomicAdd(out, v);
}
void run(const int *in, int *out) { total<<<8, 128>>>(in, out); }
"""


def parse(text: str) -> ParsedFile:
    return cuda.parse(SourceFile("a.cu", text.encode(), "cuda"), frozenset())


def followed(**files: str) -> bool:
    """Whether the first of some files follows the wave."""
    book = pipeline.rules(pipeline.target(Config(wave="native")))
    paths = {name: f"{name}.cuh" if name == "sums" else f"{name}.cu" for name in files}
    results = [inspect(SourceFile(paths[name], text.encode(), "cuda"), book) for name, text in files.items()]
    settled: FileResult = revert_unproved_native(results)[0]
    rules = {finding.rule for finding in settled.findings}
    assert ("warp/native-size" in rules) != ("warp/native-refused" in rules)
    assert any(finding.fix is not None for finding in settled.findings)
    return "warp/native-size" in rules


def test_each_device_function_has_its_words_and_the_rest_has_those_outside() -> None:
    text = "int host;\n// note\n__device__ float one(float v) { return v; }\n__global__ void k() { one(1); }\nint last;"
    one, k, rest = mentions(parsed := parse(text), Values(parsed))
    assert (one.function, one.kind, k.function, k.kind) == ("one", "device", "k", "kernel")
    assert number("one") in names(k) and number("k") not in names(one) and rest.function == ""
    assert {number("host"), number("last")} <= names(rest) and number("one") not in names(rest)
    assert number("note") not in names(rest)


@pytest.mark.parametrize(
    ("launch", "kind"),
    [
        ("k<<<1, 128>>>();", "wide"),
        ("k<<<1, 96>>>();", "kernel"),
        ("k<<<1, n>>>();", "kernel"),
        ("k<<<1, n * 64>>>();", "wide"),
        ("const int t = n > 3 ? 64 : 256; k<<<1, t>>>();", "wide"),
        ("auto f = k; f<<<1, 64>>>();", "wide"),
        ("auto f = k; f<<<1, 64>>>(); other(f);", "kernel"),
        ("other(k); k<<<1, 64>>>();", "kernel"),
    ],
)
def test_a_kernel_is_wide_where_all_that_is_seen_of_it_are_launches_in_full_wavefronts(launch: str, kind: str) -> None:
    parsed = parse(f"__global__ void k() {{}}\nvoid run(int n) {{ {launch} }}")
    assert mentions(parsed, Values(parsed))[0].kind == kind


def test_a_kernel_is_launched_through_what_returns_it() -> None:
    text = "__global__ void k() {}\nauto pick() { return k; }\nvoid run() { auto f = pick(); f<<<1, 64>>>(); }"
    made = launches(parse(text), "k")
    assert made is not None and made.functions == {"pick"} and len(made.uses) == 1
    assert launches(parse(text.replace("f<<<1", "g(f); f<<<1")), "k") is None
    assert launches(parse(text.replace("auto f = pick();", "auto f = pick(); f = pick();")), "k") is None
    assert launches(parse(text.replace("f<<<1, 64>>>();", "")), "k") is None


def test_variables_that_are_set_to_each_other_end_the_search() -> None:
    text = "__global__ void k() {}\nvoid run() { auto y = k; auto x = y(1); y = x(1); y<<<1, 64>>>(); }"
    assert launches(parse(text), "k") is None


def test_a_helper_follows_the_wave_where_all_that_leads_to_it_are_wide_kernels() -> None:
    assert followed(sums=HELPERS, kernel=KERNEL)
    assert followed(sums=HELPERS, kernel=KERNEL, other="__global__ void k() { blockMax(1); }")


@pytest.mark.parametrize(
    "kernel",
    [
        "",
        KERNEL.replace("256", "32"),
        KERNEL.replace("256", "threads"),
        KERNEL.replace("void run(", "void *address = (void *)sums;\nvoid run("),
        KERNEL.replace("twice(in", "warpSum(in"),
        KERNEL + "__global__ void more(float *a) { *a = blockSum(*a); }\nvoid again(float *a) { more<<<1, 32>>>(a); }",
        KERNEL + "float (*address)(float) = blockSum;",
    ],
)
def test_one_caller_that_is_not_so_keeps_a_helper_at_32_lanes(kernel: str) -> None:
    assert not followed(sums=HELPERS, kernel=kernel)


def test_what_two_files_share_must_be_right_in_both() -> None:
    bad = "__global__ void k(float *a) { *a = twice(*a); }\nvoid go(float *a) { k<<<1, 32>>>(a); }"
    assert not followed(sums=HELPERS, kernel=KERNEL, other=bad)
    assert not followed(sums=HELPERS, kernel=KERNEL, other="void go() { sums<<<1, 256>>>(0, 0); }")


def test_a_kernel_that_another_file_mentions_keeps_32_lanes() -> None:
    assert followed(total=OWN, other="void f() { totals<<<1, 32>>>(); }")
    assert not followed(total=OWN, other="void f() { total<<<1, 32>>>(0, 0); }")
    assert not followed(total=OWN, other="void f() { launch(total); }")
    assert not followed(sums=OWN, other="__global__ void total(int) {}\nvoid f() { total<<<1, 32>>>(0); }")
    assert followed(total=OWN, other="__global__ void total(int) {}\nvoid f() { total<<<1, 32>>>(0); }")
