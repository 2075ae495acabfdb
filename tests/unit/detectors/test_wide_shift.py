"""Shifts by 32 and more: what is shown to be one, and what is near to it."""

from __future__ import annotations

import pytest

from cudamigrate.detectors.wide_shift import find
from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile
from cudamigrate.pipeline.rule_tests import find_in_text

HEAD = """constexpr int kBits = 32;
__device__ inline unsigned upto(unsigned bits) { return (1u << bits) - 1; }
"""


def amounts(body: str) -> list[str]:
    text = f"{HEAD}__global__ void k(unsigned *a, int n) {{ const int lane = threadIdx.x % 32; {body} }}\n"
    parsed = cuda.parse(SourceFile("k.cu", text.encode(), "cuda"), frozenset())
    return [hit.words["amount"] for hit in find(parsed)]


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("a[0] = 1u << kBits;", "32"),
        ("a[0] = ~0u >> (32 - lane);", "32 in lane 0"),
        ("a[0] = (1 << lane + 1) - 1;", "32 in lane 31"),
        ("const int over = lane + 1; unsigned one = 1; one <<= over; a[0] = one;", "32 in lane 31"),
        ("a[0] = upto(32);", "32, as `upto` is called"),
        ("a[0] = uint32_t(7) >> 2 * lane;", "62 in lane 31"),
        ("unsigned l; asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(l)); a[0] = 2u << (l + 1);", "32 in lane 31"),
        ("if (n > 3) a[0] = 1u << (lane + 1);", "32 in lane 31"),
        ("if (threadIdx.x < n) a[0] = ~0u >> (32 - threadIdx.x);", "32 in lane 0"),
        ("if (n > lane && n < 9) a[0] = ~0u >> (32 - lane);", "32 in lane 0"),
        ("if (lane >= n || n == 3) return; a[0] = ~0u >> (32 - lane);", "32 in lane 0"),
        ("if (n <= lane) a[1] = 0; else a[0] = ~0u >> (32 - lane);", "32 in lane 0"),
    ],
)  # fmt: skip
def test_what_leaves_a_width_of_32_bits_is_found(body: str, found: str) -> None:
    assert amounts(body) == [found]


@pytest.mark.parametrize(
    "body",
    [
        "a[0] = 1ull << kBits;",
        "a[0] = 1u << (kBits & 31);",
        "a[0] = ~0u >> (31 - lane);",
        "a[0] = lane == 31 ? ~0u : (1u << (lane + 1)) - 1;",
        "a[0] = lane < 31 && (n >> (lane + 1));",
        "if (lane == 0) return; a[0] = ~0u >> (32 - lane);",
        "if (lane > n) a[0] = ~0u >> (32 - lane);",
        "if (lane < n && lane > 0) a[0] = ~0u >> (32 - lane);",
        "if (lane < n) a[1] = 0; else a[0] = ~0u >> (32 - lane);",
        "if (lane < n) return; a[0] = ~0u >> (32 - lane);",
        "if (lane < n || lane == 3) a[0] = ~0u >> (32 - lane);",
        "if (lane < n) a[0] = 1u << (lane + 1);",
        "for (int i = lane + 1; i < 32; ++i) a[0] = 1u << i;",
        "a[0] = upto(n);",
        "a[0] = upto(31);",
        "int by = lane; by += n; a[0] = 1u << (by + 1);",
        "a[0] = a[1] << (threadIdx.x % 16);",
        "int by = lane; by = by - n; a[0] = 1u << (by + 1);",
        "uint64_t all = a[0]; a[1] = all >> (lane + 1);",
    ],
)
def test_what_is_shown_to_stay_below_or_is_not_shown_is_not(body: str) -> None:
    assert amounts(body) == []


def test_host_code_is_not_looked_at() -> None:
    host = "void k(unsigned *a) { unsigned one = 1; a[0] = one << 32; }\n__global__ void d() {}\n"
    assert list(find(cuda.parse(SourceFile("k.cu", host.encode(), "cuda"), frozenset()))) == []


@pytest.mark.parametrize(
    ("code", "found"),
    [
        ("template <int warpSize> struct G { static __device__ unsigned m() { return 1u << warpSize; } };", []),
        ("template <int warpSize> __device__ unsigned m() { return 1u << ::warpSize; }", []),
        ("__device__ unsigned m(int warpSize) { return 1u << warpSize; }", []),
        ("__device__ unsigned m() { const int warpSize = 8; return 1u << warpSize; }", []),
        ("__device__ unsigned m() { return 1u << warpSize; }", ["32"]),
    ],
)  # fmt: skip
def test_a_name_of_the_file_s_own_is_not_the_built_in(code: str, found: list[str]) -> None:
    parsed = cuda.parse(SourceFile("k.cu", code.encode(), "cuda"), frozenset())
    assert [hit.words["amount"] for hit in find(parsed)] == found


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("a[0] = 1u << (n % 64);", ["up to 63"]),
        ("a[0] = 1 << (threadIdx.x & 63);", ["up to 63"]),
        ("int l = __lane_id(); a[0] = (1u << l) - 1;", ["up to 63"]),
        ("if (n < 5) a[0] = 1u << (a[n] % warpSize);", ["up to 63"]),
        ("a[0] = 1u << (threadIdx.x & 31);", []),
        ("a[0] = 1ull << (n % 64);", []),
        ("a[0] = 1u << threadIdx.x / 16;", []),
        ("a[0] = n % 64 < 32 ? 1u << (n % 64) : 0;", []),
        ("int l = threadIdx.x % 64; if (l < 32) a[0] = 1u << l; else a[1] = 1u << (l - 32);", []),
        ("for (int i = 0; i < 64; ++i) if (i != n) a[0] |= 1u << (i / 2);", []),
        ("a[0] = n << (a[1] % 48);", []),
        ("int l = __lane_id(); if (warpSize == 32) a[0] = 1u << l;", []),
        ("\n#if defined(__gfx1100__)\nint l = __lane_id(); a[0] = 1u << l;\n#endif\n", []),
    ],
)
def test_lanes_of_a_wave_reach_beyond_32_bits_in_code_for_hip(body: str, found: list[str]) -> None:
    head = "#include <hip/hip_runtime.h>\n__global__ void k(unsigned *a, int n)"
    parsed = cuda.parse(SourceFile("k.cu", f"{head} {{ {body} }}\n".encode(), "cuda"), frozenset())
    said = [("warp/lane-shift", f"{one} on a wave of 64 lanes") for one in found]
    assert [(hit.rule, hit.words["amount"]) for hit in find(parsed)] == said


@pytest.mark.parametrize(
    ("body", "told"),
    [
        ("return __popc(v << (kBits - (t % kBits)));", True),
        ("return __popc(v << (32 - (t & 31)));", True),
        ("return v << (t % 32) | w >> (32 - (t % 32));", True),
        ("return v << (t % 32) | v >> (32 - (t % 32));", False),
        ("return v << (32 - (t % 16));", True),
        ("return v << (16 - (t % 16));", False),
        ("return v << (31 - (t % 32));", False),
        ("return t % 32 ? v << (32 - (t % 32)) : 0;", False),
        ("if (t % 32 == 0) return 0; return v << (32 - (t % 32));", False),
    ],
)
def test_what_is_left_of_32_beside_a_rest_may_be_32(body: str, told: bool) -> None:
    code = f"constexpr unsigned kBits = 32;\n__device__ unsigned f(unsigned v, unsigned w, unsigned t) {{ {body} }}\n"
    found = [one for one in find_in_text(code, "a.cu", None).findings if one.rule == "warp/wide-shift"]
    assert [" is 0: " in one.message for one in found] == [True] * told


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("v << (32 - lane) & (lane ? ~0u : 0u)", False),
        ("(lane != 0 ? ~0u : 0u) & (v << (32 - lane))", False),
        ("(v << (32 - lane)) * (lane > 0)", False),
        ("(v << (32 - lane)) & -(lane != 0)", False),
        ("v << (32 - (t & 31)) & ((t & 31) ? ~0u : 0u)", False),
        ("v << (32 - lane) & (lane ? 0u : ~0u)", True),  # keeps what lane 0 has
        ("v << (33 - lane) & (lane ? ~0u : 0u)", True),  # lane 1 shifts by 32 bits
        ("v << (32 - lane) & (v ? ~0u : 0u)", True),
        ("v << (32 - lane) | (lane ? ~0u : 0u)", True),
        ("v << (32 - lane) & ~0u", True),
    ],
)
def test_what_a_mask_clears_may_be_any_value(value: str, told: bool) -> None:
    code = f"__device__ unsigned f(unsigned v, unsigned t) {{ int lane = threadIdx.x & 31; return {value}; }}\n"
    found = [one for one in find_in_text(code, "a.cu", None).findings if one.rule == "warp/wide-shift"]
    assert bool(found) is told


@pytest.mark.parametrize(
    ("body", "amount"),
    [
        ("unsigned n = t & 31; a[0] = a[1] >> (32 - n);", "32 where `t & 31` is 0"),
        ("unsigned n = (t & 7) * 4; a[0] = a[1] >> n | *(a + 2) << (32 - n);", "32 where `t & 7` is 0"),
        ("unsigned at = t * w + 1, n = at % 32; a[t] = a[t + 1] << (32 - n);", ""),
        ("unsigned at = t * w, n = at % 32; a[t] = a[t + 1] << (32 - n);", "32 where `at % 32` is 0"),
        ("unsigned at = t * 2 + 1, n = at % 32; a[t] = a[t + 1] << (32 - n);", ""),
        ("t = t & 31; a[0] = v << t | w >> (32 - t);", "32 where `t = t & 31` is 0"),
        ("t &= 31; a[0] |= v << t; a[1] |= v >> (32 - t);", "32 where `t &= 31` is 0"),
        ("uint8_t n = 0; for (int i = 0; i < 8; ++i) n += a[i] == 4; n = n << 2; a[0] = v >> (32 - n);",
         "32 where `n` is 0"),
        ("uint8_t n = 4; for (int i = 0; i < 8; ++i) n += a[i] == 4; n = n << 2; a[0] = v >> (32 - n);", ""),
        ("int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= t) return; a[0] = v >> (32 - (i & 31));",
         "32 where `i & 31` is 0"),
        ("a[0] = v >> ((t & 31) + 1);", "32 where `t & 31` is 31"),
        ("a[0] = (v >> (t & 31)) + (v << (32 - (t & 31)));", "32 where `t & 31` is 0"),
        ("uint4 four = *b; a[0] = four.y >> (32 - (t & 31));", "32 where `t & 31` is 0"),
        ("a[0] = __ldg(a + 1) >> (32 - (t & 31));", "32 where `t & 31` is 0"),
    ],
)  # fmt: skip
def test_an_amount_that_is_followed_to_a_rest_reaches_32(body: str, amount: str) -> None:
    assert _reached(body) == [amount] * bool(amount)


@pytest.mark.parametrize(
    "body",
    [
        "unsigned n = t & 31; a[0] = n ? a[1] >> (32 - n) : 0;",
        "unsigned n = t & 31; if (n != 0) a[0] = a[1] >> (32 - n);",
        "unsigned n = t & 31; a[0] = a[1] >> (32 - n); if (n == 0) a[0] = 0;",
        "unsigned n = t & 31; a[0] = n ? 1 : 2; a[0] |= a[1] >> (32 - n);",
        "unsigned n = t & 31; a[0] = (a[1] >> (32 - n)) & ((1u << n) - 1);",
        "unsigned n = t & 31, r = a[1] >> (32 - n); r &= (1u << n) - 1; a[0] = r;",
        "unsigned n = t & 31; a[0] = ((1u << n) - 1) << (32 - n);",
        "unsigned n = t & 31; a[0] = a[1] << n | a[1] >> (32 - n);",
        "unsigned n = t & 31, up = v << n, down = v >> (32 - n); a[0] = up | down;",
        "unsigned n = t & 31, r = v << n; r |= v >> (32 - n); a[0] = r;",
        "unsigned n = t & 31; a[0] = unsigned(((unsigned long long)v << 32) >> n);",
        "unsigned long long wide = v; unsigned n = t & 31; a[0] = wide >> (32 - n);",
        "unsigned n = (t & 15) + 1; a[0] = v >> (32 - n);",
        "unsigned n = 1 + t % 31; a[0] = v >> (32 - n);",
        "unsigned n = t & 31; a[0] = v >> ((32 - n) & 31);",
        "unsigned at = t * w, n = at % 32, end = (at + w) / 32; if (at / 32 != end) a[0] = v >> (32 - n);",
        "unsigned n = t; a[0] = v >> (32 - n);",
        "for (int n = 1; n < 32; ++n) a[n] = v >> (32 - n);",
        "for (int n = 1; n < 32; ++n) a[n] = v >> (32 - (n & 31));",
        "a[0] = __funnelshift_l(v, w, t & 31);",
        "enum { kMask = -1 << 31 }; a[0] = kMask;",
        "a[0] = word(b) >> (32 - (t & 31));",
        "if (t) { constexpr int kTwo = 16; a[0] = kTwo; } else { constexpr int kTwo = 4; a[0] = v << (2 * kTwo); }",
    ],
)
def test_an_amount_that_never_is_32_or_makes_no_difference_there_is_not_found(body: str) -> None:
    assert _reached(body) == []


def test_votes_that_are_shifted_by_what_a_parameter_leaves_of_the_warp_are_found() -> None:
    head = "__device__ int before(bool p, int lane) { const unsigned votes = __ballot(p); "
    assert _found(head + "return __popc(votes << (warpSize - lane)); }") == ["32 where `lane` is 0"]
    assert _found(head + "return __popc(votes << (warpSize - lane - 1)); }") == []
    assert _found(head + "return lane ? __popc(votes << (warpSize - lane)) : 0; }") == []
    assert _found(head.replace("__ballot(p)", "p * 5") + "return __popc(votes << (warpSize - lane)); }") == []


def _reached(body: str) -> list[str]:
    head = "__device__ unsigned long long word(const uint4 *); __global__ void k"
    return _found(f"{head}(unsigned *a, const uint4 *b, unsigned v, unsigned w, unsigned t) {{ {body} }}\n")


def _found(code: str) -> list[str]:
    return [hit.words["amount"] for hit in find(cuda.parse(SourceFile("k.cu", code.encode(), "cuda"), frozenset()))]


COUNTS = """__device__ unsigned first(int count) { return (1u << count) - 1; }
__device__ int lane() { return threadIdx.x & 31; }
"""


def _of_counts(body: str, head: str = "") -> list[str]:
    kernel = f"__global__ void k(unsigned *a, const int *sizes, unsigned v, int n, int base) {{ {body} }}\n"
    return _found(f"{COUNTS}{head}{kernel}int main() {{ k<<<2, 64>>>(0, 0, 0, 1, 1); }}\n")


@pytest.mark.parametrize(
    ("body", "amount"),
    [
        ("int left = n - base < 32 ? n - base : 32; if (lane() < left) a[0] = (1u << left) - 1;",
         "32 where `n - base < 32 ? n - base : 32` is 32"),
        ("a[0] = 1u << min(n - base, 32);", "32 where `min(n - base, 32)` is 32"),
        ("int left = n - base; if (left > 32) left = 32; a[0] = (1u << left) - 1;", "32 where `left` is 32"),
        ("struct { int n; } w; w.n = min(n - base, 32); a[0] = (1u << w.n) - 1u;",
         "32 where `min(n - base, 32)` is 32"),
        ("a[0] = v >> (min(n, 31) + 1);", "32 where `min(n, 31)` is 31"),
        ("unsigned b = __ballot_sync(~0u, n); a[0] = (1u << __popc(b)) - 1u;", "32 where `__popc(b)` is 32"),
        ("a[0] = ~(~0u << __popc(__activemask()));", "32 where `__popc(__activemask())` is 32"),
        ("int some = min(sizes[0], 32); a[0] = ~0u >> (32 - some);", "32 where `sizes[0]` is 0"),
        ("a[0] = __ballot_sync(~0u, v) & first(sizes[1]);", "32 where `sizes[1]` is 32"),
        ("unsigned m = first(n), b = __ballot_sync(~0u, v); a[0] = ~b & m;", "32 where `n` is 32"),
        ("a[0] = __shfl_sync((1u << n) - 1, v, 0);", "32 where `n` is 32"),
        ("a[0] = __activemask() == (1u << n) - 1;", "32 where `n` is 32"),
        ("unsigned b = __ballot_sync(~0u, v); b &= (1u << n) - 1; a[0] = b;", "32 where `n` is 32"),
        ("unsigned t = threadIdx.x; a[0] = v ? 1u << t : 0;", "up to 63 in blocks of 64 threads"),
    ],
)  # fmt: skip
def test_a_count_of_lanes_that_may_be_all_32_is_found(body: str, amount: str) -> None:
    assert _of_counts(body) == [amount]


@pytest.mark.parametrize(
    "body",
    [
        "a[0] = (1u << n) - 1;",  # any number of bits, that meets no votes
        "a[0] = v & first(n);",
        "a[0] = 1u << sizes[0];",
        "a[0] = __ballot_sync(~0u, v) & (1u << n);",
        "a[0] = __ballot_sync(~0u, v) & first(lane());",
        "a[0] = __ballot_sync(~0u, v) & first(threadIdx.x % 32);",
        "a[0] = __ballot_sync(~0u, v) & first(sizes[0] & 31);",
        "a[0] = __shfl_sync(~0u, (1u << n) - 1, 0);",
        "int left = min(n - base, 16); a[0] = (1u << left) - 1;",
        "int left = min(n - base, 32); a[0] = left == 32 ? ~0u : (1u << left) - 1;",
        "int left = min(n - base, 32); if (left < 32) a[0] = (1u << left) - 1;",
        "int left = min(n - base, 32); unsigned m = (1u << left) - 1; if (left >= 32) m = ~0u; a[0] = m;",
        "int left = min(n - base, 32); a[0] = (1ull << left) - 1;",
        "int left = min(n - base, 32); a[0] = (1u << (left & 31)) - 1;",
        "for (int i = 0; i < min(n, 32); ++i) a[0] |= 1u << i;",
        "if (n > 0) { int some = min(n, 32); a[0] = ~0u >> (32 - some); }",
        "int some = min(n, 32); a[0] = some ? ~0u >> (32 - some) : 0;",
        "int some = min(n, 32); if (lane() < some) a[0] = ~0u >> (32 - some);",
        "unsigned b = __ballot_sync(~0u, n), below = b & ((1u << (threadIdx.x % 32)) - 1); a[0] = 1u << __popc(below);",
        "unsigned b = __ballot_sync(~0u, n); a[0] = (1u << __popc(b & v)) - 1u;",
        "a[0] = 1u << __popc(v);",
        "if (threadIdx.x < 32) a[0] = 1u << threadIdx.x;",
        "a[threadIdx.x / 32] = 1u << (threadIdx.x & 31);",
    ],
)
def test_a_count_that_stays_below_or_counts_no_lanes_is_not(body: str) -> None:
    assert _of_counts(body) == []


def test_the_number_of_a_thread_is_below_32_in_blocks_of_32() -> None:
    code = "__global__ void k(unsigned *a) {{ a[0] = 1u << threadIdx.x; }}\nint main() {{ k<<<1, {}>>>(0); }}\n"
    assert _found(code.format(32)) == []
    assert _found(code.format(64)) == ["up to 63 in blocks of 64 threads"]
    assert _found(code.format("width()")) == []


@pytest.mark.parametrize(
    ("body", "amount"),
    [
        ("a[0] = FIRST(min(n, 32));", "32 where `min(n, 32)` is 32, as `FIRST` is called"),
        ("a[0] = __ballot_sync(~0u, v) & FIRST(sizes[0]);", "32 where `sizes[0]` is 32, as `FIRST` is called"),
        ("a[0] = REST(min(n, 32));", "32 where `n` is 0, as `REST` is called"),
        ("a[0] = FIRST(sizes[0]);", ""),
        ("a[0] = FIRST(min(n, 31));", ""),
        ("a[0] = FIRST(threadIdx.x & 31) & __activemask();", ""),
        ("a[0] = n < 32 ? FIRST(min(n, 32)) : ~0u;", ""),
        ("a[0] = BIT(min(n, 32));", ""),
    ],
)
def test_a_count_that_a_macro_is_given_is_followed(body: str, amount: str) -> None:
    macros = "#define FIRST(n) ((1u << (n)) - 1u)\n#define REST(n) (~0u >> (32 - (n)))\n#define BIT(n) (1u << (n))\n"
    assert _of_counts(body, macros) == [amount] * bool(amount)


WIDE = """union Tile { unsigned long long bits; unsigned half[2]; };
typedef struct { unsigned word; } Pair;
"""


@pytest.mark.parametrize(
    ("body", "found"),
    [
        ("a[0] = __popcll(u << (64 - 2 * lane));", ["64 in lane 0"]),
        ("a[0] = __popcll(t[n].bits << (64 - 2 * lane));", ["64 in lane 0"]),
        ("if ((t[0].bits & (1ULL << lane * 2)) > 0) a[0] = __popcll(t[0].bits << (64 - 2 * lane));", ["64 in lane 0"]),
        ("if (u >> lane & 1) a[0] = __popcll(u << (64 - lane));", ["64 in lane 0"]),
        ("unsigned at = lane % 4 * 16; a[0] = __popcll(u << (64 - at)); at += 8;", ["64 in lane 0"]),
        ("a[0] = u >> (64 - (n & 63)) | u + 1;", ["64 where `n & 63` is 0"]),
        ("a[0] = t[0].half[1] >> (32 - lane);", ["32 in lane 0"]),
        ("Pair p; p.word = n; a[0] = p.word << (lane + 1);", ["32 in lane 31"]),
        ("int last = n > 3 ? n % 32 : -1; a[0] = ~0u >> (32 - last - 1);", ["32 where `n > 3 ? n % 32 : -1` is -1"]),
        ("a[0] = __popcll(u << (63 - 2 * lane));", []),
        ("a[0] = __popcll(u << (64 - 2 * lane - 1));", []),
        ("a[0] = u << (lane + 32);", []),
        ("if (lane > 0) a[0] = __popcll(u << (64 - 2 * lane));", []),
        ("if (lane & 1) a[0] = __popcll(u << (64 - 2 * lane));", []),
        ("if (0xfffe & 1 << lane) a[0] = __popcll(u << (64 - lane));", []),
        ("unsigned at = lane % 4 * 16; at += 8; a[0] = __popcll(u << (64 - at));", []),
        ("unsigned at = lane; while (at < n) { ++at; a[0] = __popcll(u << (64 - at)); }", []),
        ("a[0] = u >> (64 - (n & 63)) | u << (n & 63);", []),
        ("a[0] = u << (64 - lane) & (lane ? ~0ull : 0ull);", []),
        ("int last = n > 3 ? n % 32 : 0; a[0] = ~0u >> (32 - last - 1);", []),
        ("int last = n > 3 ? n % 32 : -1; if (n > 3) a[0] = ~0u >> (32 - last - 1);", []),
    ],
)
def test_shifts_of_64_bits_and_of_members_are_followed_likewise(body: str, found: list[str]) -> None:
    head = "const int lane = threadIdx.x % 32; Tile t[2]; t[0].bits = a[3]; unsigned long long u = a[1];"
    text = f"{WIDE}__global__ void k(unsigned *a, unsigned n) {{ {head} {body} }}\n"
    parsed = cuda.parse(SourceFile("k.cu", text.encode(), "cuda"), frozenset())
    assert [hit.words["amount"] for hit in find(parsed)] == found
