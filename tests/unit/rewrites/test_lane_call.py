"""Lane calls become calls that mean 32 lanes on every wave, a whole function at a time."""

import pytest

from cudamigrate.config import Config
from cudamigrate.pipeline.rule_tests import find_in_text

HEAD = "#include <cuda_runtime.h>\n"
AFTER = "#include <hip/hip_runtime.h>\n"


def body(statement: str, config: Config | None = None) -> str:
    """The statement after conversion, in a kernel with a float, an int, a template's value and a mask."""
    text = f"{HEAD}template <typename T> __device__ void k(float f, int i, T t, unsigned m) {{ {statement} }}\n"
    after = find_in_text(text, config=config).after
    return after[after.index("{ ") + 2 : after.rindex(" }")]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("__shfl_xor_sync(m, f, 16);", "__shfl_xor(f, 16, 32);"),
        ("__shfl_sync(m, f, 31);", "__shfl(f, 31, 32);"),
        ("__shfl_sync(m, f, 32);", "cudamigrate::shfl_sync(m, f, 32);"),
        ("__shfl_sync(m, f, i);", "cudamigrate::shfl_sync(m, f, i);"),
        ("__shfl_sync(m, f, i & 31);", "__shfl(f, i & 31, 32);"),
        ("__shfl_sync(m, f, i & 31, 8);", "cudamigrate::shfl_sync(m, f, i & 31, 8);"),
        ("__shfl_up_sync(m, f, i, 8);", "__shfl_up(f, i & 31, 8);"),
        ("__shfl_xor_sync(m, f, -1);", "__shfl_xor(f, 31, 32);"),
        ("__shfl_xor_sync(m, f, i - 1);", "__shfl_xor(f, (i - 1) & 31, 32);"),
        ("__shfl_down_sync(m, f, 40, 16);", "__shfl_down(f, 8, 16);"),
        ("__shfl_up(f, i);", "__shfl_up(f, i & 31, 32);"),
        ("__shfl_xor(f, 16, 8);", "__shfl_xor(f, 16, 8);"),
        ("__shfl_down_sync(m, t, 1);", "cudamigrate::shfl_down_sync(m, t, 1);"),
        ("__shfl_down_sync(m, f, 1, width);", "cudamigrate::shfl_down_sync(m, f, 1, width);"),
        ("__shfl_sync(m, threadIdx.x, i);", "cudamigrate::shfl_sync(m, +threadIdx.x, i);"),
        ("__shfl_down(f, 1);", "__shfl_down(f, 1, 32);"),
        ("__shfl_down(t, 1);", "cudamigrate::shfl_down_sync(0xffffffff, t, 1);"),
        ("__shfl_down(f, 1, 16);", "__shfl_down(f, 1, 16);"),
        ("__shfl_down(f, 1, 64);", "__shfl_down(f, 1, 64);"),  # HIP's already
        ("__any(i);", "cudamigrate::any(i);"),
        ("__activemask();", "cudamigrate::activemask();"),
        ("__reduce_or_sync(m, i);", "cudamigrate::reduce_or_sync(m, i);"),
        ("__syncwarp();", "cudamigrate::syncwarp();"),
        (
            "__shfl_xor_sync(m, __shfl_xor_sync(m, f, 1), 2);",
            "__shfl_xor(__shfl_xor(f, 1, 32), 2, 32);",
        ),
        ("__shfl_sync(__activemask(), f, 0);", "__shfl(f, 0, 32);"),
        ("__shfl_sync(__activemask(), t, 0);", "cudamigrate::shfl_sync(cudamigrate::activemask(), t, 0);"),
        ("__popc(__ballot_sync(m, f > 0));", "__popc(cudamigrate::ballot_sync(m, f > 0));"),
    ],
)
def test_calls_keep_their_meaning(before: str, after: str) -> None:
    assert body(before) == after


WORK = """struct Held { unsigned m; int used; __device__ operator unsigned() { used++; return m; } };
__device__ unsigned next(int &n) { n += 1; return 0xffffffffu; }
__device__ unsigned all() { return ~0u; }
#define COUNTED (n++, ~0u)
#define ALL 0xffffffffu
"""


@pytest.mark.parametrize(
    "mask",
    [
        "a = __activemask()",
        "a |= 1u",
        "*p++",
        "next(n)",
        "(n += 10, ~0u)",
        "held",
        "held.read()",
        "COUNTED",
        "other(n)",
    ],
)
def test_a_mask_that_does_something_is_kept(mask: str) -> None:
    text = f"{HEAD}{WORK}__device__ int k(int v, int n, unsigned a, unsigned *p, Held held) {{ return "
    for wave in ("", "native"):
        config = Config(wave="native") if wave else None
        after = find_in_text(text + f"__shfl_down_sync({mask}, v, 1); }}\n", config=config).after
        kept = mask.replace("__activemask", "cudamigrate::activemask")
        assert f"cudamigrate::shfl_down_sync({kept}, v, 1)" in after


@pytest.mark.parametrize(
    "mask", ["a", "~a", "p[n]", "*p", "all()", "ALL", "1u << n", "n == 1 ? a : ~0u", "unsigned(n)"]
)
def test_a_mask_that_is_only_a_value_goes(mask: str) -> None:
    text = f"{HEAD}{WORK}__device__ int k(int v, int n, unsigned a, unsigned *p) {{ return "
    assert "__shfl_down(v, 1, 32)" in find_in_text(text + f"__shfl_down_sync({mask}, v, 1); }}\n").after


def test_a_reduction_with_a_mask_that_does_something_does_not_follow_the_wave() -> None:
    kernel = """__global__ void sum(const int *in, int *out) {
    int v = in[blockIdx.x * blockDim.x + threadIdx.x];
    unsigned a = 0;
    for (int o = 16; o > 0; o >>= 1) v += __shfl_down_sync(MASK, v, o);
    if ((threadIdx.x & 31) == 0) atomicAdd(out, v);
}
void run(const int *in, int *out) { sum<<<8, 256>>>(in, out); }
"""
    native = Config(wave="native")
    assert "warpSize / 2" in find_in_text(HEAD + kernel.replace("MASK", "0xffffffffu"), config=native).after
    kept = find_in_text(HEAD + kernel.replace("MASK", "a = 0xffffffffu"), config=native).after
    assert "cudamigrate::shfl_down_sync(a = 0xffffffffu, v, o)" in kept


def test_the_header_is_included_only_where_it_is_called() -> None:
    plain = find_in_text(HEAD + "__device__ int f(int v) { return __shfl_sync(~0u, v, 0); }").after
    helped = find_in_text(HEAD + "__device__ int f(int v) { return __any_sync(~0u, v); }").after
    assert "cudamigrate_hip.h" not in plain and helped.count('#include "cudamigrate_hip.h"') == 1


def test_macros_are_converted_where_they_are_written() -> None:
    text = HEAD + "#define SUM(v) __shfl_xor_sync(~0u, v, 1)\n#define ANY __any_sync\n"
    after = find_in_text(text).after
    assert "cudamigrate::shfl_xor_sync(~0u, v, 1)" in after and "#define ANY cudamigrate::any_sync" in after


@pytest.mark.parametrize(
    "text",
    [
        "#if CUDART_VERSION < 9000\n#define __shfl_sync(m, v, l) shuffled(v, l)\n#endif\n",
        "#ifdef USE_ROCM\n#define __any_sync(m, p) __any(p)\n#endif\n",
        "#ifndef __shfl_sync\n#endif\n",
        "template <typename T> __device__ T __shfl_sync(unsigned mask, T v, int lane);\n",
        "__device__ half2 __shfl_sync(unsigned mask, half2 v, int lane) { return shuffled(v, lane); }\n",
    ],
)
def test_definitions_stay_as_they_are(text: str) -> None:
    assert find_in_text(HEAD + text).after == AFTER + text


def test_a_function_is_converted_whole_or_not_at_all() -> None:
    text = "__device__ int f(int v) { v = __any_sync(~0u, v); return __shfl_sync(v); }"
    result = find_in_text(HEAD + text)
    assert result.after == AFTER + text
    (why,) = [finding for finding in result.findings if finding.rule == "warp/unconverted-lanes"]
    assert "`f`" in why.message and "__shfl_sync" in why.message


TOTAL = """
__global__ void total(const int *in, int *out) {
    int v = in[threadIdx.x];
    for (int o = warpSize / 2; o > 0; o /= 2) v += __shfl_down_sync(0xffffffff, v, o);
    if (threadIdx.x % warpSize == 0) atomicAdd(out, v);
}
void run(const int *in, int *out) { total<<<8, 128>>>(in, out); }
"""


@pytest.mark.parametrize("wave", ["logical32", "native"])
def test_the_wave_stays_whole_where_that_is_proved(wave: str) -> None:
    kept = AFTER + TOTAL.replace("_sync(0xffffffff, ", "(")
    assert find_in_text(HEAD + TOTAL, config=Config(wave=wave)).after == kept
    narrow = find_in_text(HEAD + TOTAL.replace("128", "96"), config=Config(wave=wave)).after
    assert narrow == kept.replace("128", "96").replace("warpSize", "32").replace("v, o)", "v, o, 32)")


def test_a_constant_for_the_wave_is_the_width() -> None:
    text = "#ifdef USE_ROCM\n#define WARP_SIZE 64\n#else\n#define WARP_SIZE 32\n#endif\n"
    text += "__device__ int f(int v) { int o = WARP_SIZE / 2; return __shfl_xor_sync(~0u, v, o); }\n"
    assert "__shfl_xor(v, o, WARP_SIZE)" in find_in_text(HEAD + text).after


def test_a_mixed_size_becomes_32_with_the_calls_beside_it() -> None:
    before = "int w = threadIdx.x / warpSize; __shfl_xor_sync(m, f, 16);"
    assert body(before) == "int w = threadIdx.x / 32; __shfl_xor(f, 16, 32);"


def test_a_mixed_size_becomes_32_whatever_the_host_asks_for() -> None:
    text = "int wave(const cudaDeviceProp &p) { return p.warpSize; }\n"
    text += "__device__ int f(int v) { return threadIdx.x % warpSize + __any_sync(~0u, v); }\n"
    made = find_in_text(HEAD + text).after
    assert "{ return 32; }" in made and "threadIdx.x % 32 + cudamigrate::any_sync" in made


def test_native_waves_keep_groups_of_32_where_nothing_proves_more() -> None:
    native = Config(wave="native")
    assert body("__shfl_xor_sync(m, f, 16);", native) == "__shfl_xor(f, 16, 32);"
    wide = "for (int o = warpSize / 2; o; o /= 2) {} __shfl_xor_sync(m, f, 1);"
    assert body(wide, native) == wide.replace("_sync(m, ", "(").replace("warpSize", "32").replace("1)", "1, 32)")


def test_conversion_happens_once() -> None:
    text = HEAD + "__device__ int f(int v, float *a) { return __shfl(v, 0) + __ballot(v) + __shfl_up(a[v], 1); }\n"
    once = find_in_text(text).after
    assert find_in_text(once).after == once


def test_a_width_that_a_template_gives_is_the_builtins_own() -> None:
    code = "template <int ROW> __device__ float f(float v) {{ return {}; }}\n"
    for step in ("up", "down", "xor"):
        before, after = f"__shfl_{step}_sync(~0u, v, 1, ROW)", f"__shfl_{step}(v, 1, ROW)"
        assert code.format(after) in find_in_text(HEAD + code.format(before)).after
    assert (
        "cudamigrate::shfl_sync(~0u, v, 3, ROW)"
        in find_in_text(HEAD + code.format("__shfl_sync(~0u, v, 3, ROW)")).after
    )
    plain = code.format("__shfl_up_sync(~0u, v, 1, n)").replace("float v", "float v, int n")
    assert "cudamigrate::shfl_up_sync(~0u, v, 1, n)" in find_in_text(HEAD + plain).after


def test_a_member_of_plain_type_is_a_number() -> None:
    code = "struct S {{ int32_t n; float *p; double d[2]; __device__ double f() {{ return {}; }} }};\n"
    assert "__shfl_up(n, 1, 32)" in find_in_text(HEAD + code.format("__shfl_up_sync(~0u, n, 1)")).after
    for name in ("p", "d"):
        kept = find_in_text(HEAD + code.format(f"__shfl_up_sync(~0u, {name}, 1)")).after
        assert f"cudamigrate::shfl_up_sync(~0u, {name}, 1)" in kept
