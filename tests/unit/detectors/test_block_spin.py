"""A wait for other blocks needs fences and blocks that all run: only what is not seen is asked for."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

KERNEL = "__global__ void k(int *a) { meet(1); a[0] = 1; }\n"
TOGETHER = "void run(void **a) { cudaLaunchCooperativeKernel((const void *)k, dim3(8), dim3(64), a, 0, 0); }\n"
APART = "void loose(int *a) { k<<<8, 64>>>(a); }\n"
OTHER = "__global__ void other() { meet(2); }\n"
FENCE, FENCES, FITS = "__threadfence();", "ut fences on both sides", "aunch no more blocks"


def asked(before: str, behind: str, rest: str) -> list[str]:
    wait = f"{before} atomicAdd(&in, 1u); while (atomicAdd(&in, 0u) < gridDim.x * n) {{ }} {behind}"
    meet = f"__device__ void meet(int n) {{ if (threadIdx.x == 0) {{ {wait} }} __syncthreads(); }}\n"
    code = "#include <cuda_runtime.h>\n__device__ unsigned in;\n" + meet + KERNEL + rest
    return [one.message for one in find_in_text(code, "a.cu", None).findings if one.rule == "memory/block-spin"]


@pytest.mark.parametrize(
    ("before", "behind", "rest", "said"),
    [
        (FENCE, FENCE, APART, [FITS]),
        (FENCE, FENCE, TOGETHER + APART, [FITS]),
        (FENCE, FENCE, OTHER + TOGETHER, [FITS]),
        (FENCE, FENCE, "", [FITS]),
        (FENCE, "", TOGETHER, [FENCES]),
        ("", FENCE, TOGETHER, [FENCES]),
        ("", "", "", [FENCES, FITS]),
    ],
)
def test_what_is_missing_is_asked_for(before: str, behind: str, rest: str, said: list[str]) -> None:
    (message,) = asked(before, behind, rest)
    assert "same wave" not in message  # one thread of the block waits
    assert [part for part in (FENCES, FITS) if part in message] == said


def test_a_barrier_of_the_grid_that_has_all_is_no_finding() -> None:
    assert asked(FENCE, FENCE, TOGETHER) == []
    assert asked(FENCE, FENCE, TOGETHER.replace("(const void *)k", "reinterpret_cast<void *>(&k)")) == []


@pytest.mark.parametrize(
    ("declared", "handed", "said"),
    [
        ("__shared__ int word;", "&word", ["other threads of its block", "same wave"]),
        ("", "all", ["another block or GPU", "See that none of them is in the same wave", FENCES, FITS]),
        ("__shared__ int word;", "all", ["another block or GPU", FENCES, FITS]),
    ],
)
def test_whom_a_loop_waits_for_is_told_by_the_memory_it_looks_at(declared: str, handed: str, said: list[str]) -> None:
    meet = "__device__ void meet(int *at) { while (atomicAdd(at, 0) == 0) { } }\n"
    code = f"{meet}__global__ void k(int *all) {{ {declared} meet({handed}); }}\n"
    found = find_in_text(code, "a.cu", None).findings
    (message,) = [one.message for one in found if one.rule == "memory/block-spin"]
    assert all(part in message for part in said)


def test_a_wait_for_a_block_s_own_number_may_be_for_blocks_that_run() -> None:
    code = "__global__ void k(int *turn) { if (threadIdx.x == 0) while (atomicAdd(turn, 0) != blockIdx.x) { } }\n"
    (found,) = [one for one in find_in_text(code, "a.cu", None).findings if one.rule == "memory/block-spin"]
    assert "wait for blocks of a lower number only" in found.message


def test_a_kernel_that_launches_itself_waits_for_nothing() -> None:
    head = "#include <cuda_runtime.h>\n__global__ void k(int *a, int n)"
    code = head + " {{ if (n == a[0]) return; if (threadIdx.x == 0) {} }}"
    launched, called = (
        code.format("k<<<1, 8>>>(a, n - 1);"),
        code.format("k(a, n);").replace("__global__", "__device__"),
    )
    rules = [
        [one.rule for one in find_in_text(text, "a.cu", None).findings if one.rule == "memory/block-spin"]
        for text in (launched, called)
    ]
    assert rules == [[], ["memory/block-spin"]]


@pytest.mark.parametrize(("drawn", "hits"), [("curand_uniform(s)", []), ("look(s)", ["memory/block-spin"])])
def test_a_loop_that_draws_numbers_by_a_macro_goes_on_by_itself(drawn: str, hits: list[str]) -> None:
    code = (
        f'#include "point.h"\n#define NEXT point({drawn}, {drawn})\n__device__ point ball(curandState *s) {{\n'
        "    point p;\n    do { p = 2.0f * NEXT - point(1, 1); } while (p.length() >= 1.0f);\n    return p;\n}\n"
    )
    assert [one.rule for one in find_in_text(code, "a.cu", None).findings if one.rule == "memory/block-spin"] == hits


FIND = "__device__ int find(const int *at, int k) { int h = k; while (at[h] != k) h = (h + 1) % 64; return h; }\n"


@pytest.mark.parametrize(
    "code",
    [
        "__device__ int root(volatile int *up, int x) { while (up[x] != x) x = up[x]; return x; }",
        "__device__ int last(volatile int *next, int x) { while (next[x] >= 0) { x = next[x]; } return x; }",
        FIND + "__device__ int look(const volatile int *at, int i) { return at[i]; }",
        FIND + "__global__ void k(int *a) { volatile int *at = a; a[1] = at[0]; }",
        "__device__ int f(volatile int *s) { int o = 32, v; do v = s[0] += s[o]; while (o >>= 1); return v; }",
        "__device__ int f(volatile int *s, int n) { int v; do { v = s[n]; } while (--n); return v; }",
        "struct N { int key, next; };\n"
        "__device__ int f(volatile N *p, int i, int k) { while (i >= 0 && p[i].key < k) i = p[i].next; return i; }",
        "struct N { int key, next; };\n"
        "__device__ int f(volatile N *p, int i, int k) { while (p[i].key != k) i = p[i].next; return i; }",
        "__device__ int f(volatile int *t, int h, int k) { while (t[h] && t[h] != k) h = (h + 1) & 63; return h; }",
        "__device__ int f(volatile int *up, int i) { int p; while ((p = up[i]) != i) i = p; return i; }",
    ],
)
def test_a_loop_that_looks_elsewhere_in_each_turn_waits_for_nobody(code: str) -> None:
    assert "memory/block-spin" not in {one.rule for one in find_in_text(code, "a.cu", None).findings}


@pytest.mark.parametrize(
    "code",
    [
        "__device__ void f(volatile int *at, int x) { while (at[x] == 0) { } }",
        "__device__ void f(volatile int *at, int x) { int seen = 0; while (seen == 0) seen = at[x]; }",
        # Slots in a ring: whichever is filled by another block ends it.
        "__device__ int f(volatile int *at, int x) { while (at[x] == 0) x = (x + 1) % 64; return x; }",
        # The place comes from one array and the word that is waited for from another.
        "__device__ int f(volatile int *at, volatile int *next, int x) { while (at[x] == 0) x = next[x]; return x; }",
        # It looks at a place that stays as well.
        "__device__ int f(volatile int *at, int x) { while (at[0] == 0) x = at[x]; return x; }",
        "struct Word { volatile int *at; __device__ void meet() { while (at[0] == 0) { } } };",
        "volatile int *at; __device__ void f(int x) { while (at[x] == 0) { } }",
        "__device__ int f(volatile int *s, int n) { int v; do { v = s[0]; } while (--n || v == 0); return v; }",
        "__device__ void f(volatile int *s) { int v; do { v = s[0]; } while (v -= 1); }",
        "__device__ void f(volatile int *s, int n) { do { if (s[0]) break; } while (--n); }",
    ],
)
def test_a_loop_that_looks_at_what_another_may_write_waits(code: str) -> None:
    assert "memory/block-spin" in {one.rule for one in find_in_text(code, "a.cu", None).findings}


LOOP = "__device__ int take(int *at) {{ int got = 0; while (got == 0) {{ {} }} return got; }}\n"
CALLED = "__global__ void k(int *all) {{ {} }}\n"


@pytest.mark.parametrize(
    ("turn", "called", "found"),
    [
        ("got = atomicOr(at, 1) & 1;", "all[1] = take(all);", ["warp/waits-for-turn"]),
        ("got = atomicAdd(at, 0);", "all[1] = take(all);", ["memory/block-spin"]),
        ("got = atomicExch(at, 0);", "if (threadIdx.x == 0) all[1] = take(all);", ["memory/block-spin"]),
        ("got = atomicOr(at, 1) & 1;", "if (threadIdx.x == 0) all[1] = take(all);", ["memory/block-spin"]),
    ],
)
def test_a_wait_is_said_once(turn: str, called: str, found: list[str]) -> None:
    code = "#include <cuda_runtime.h>\n" + LOOP.format(turn) + CALLED.format(called)
    rules = [one.rule for one in find_in_text(code, "a.cu", None).findings]
    assert [one for one in rules if one in ("warp/waits-for-turn", "memory/block-spin")] == found


TAKE = "__shared__ unsigned drawn; if (threadIdx.x == 0) drawn = atomicAdd(counter, 1u); __syncthreads();"
LOCAL = "unsigned drawn = atomicAdd(counter, 1u);"
SPREAD = "__shared__ unsigned all[64]; all[threadIdx.x] = atomicAdd(counter, 1u); unsigned drawn = all[threadIdx.x];"
HELPER = f"__device__ unsigned take(unsigned *counter) {{ {TAKE} return drawn; }}\n"
ONE, ALL = "if (threadIdx.x == 0 && drawn > 0)", "if (drawn > 0)"


def waits(draw: str, by: str, loop: str) -> list[str]:
    """What is said of a kernel that draws a number, and waits between fences."""
    body = f"{draw} {by} {{ __threadfence(); {loop} __threadfence(); out[0] = 1; }}"
    head = "struct Part { unsigned word; };\n__global__ void k(volatile unsigned *state, volatile Part *parts, "
    code = f"{HELPER}{head}unsigned *counter, int *out, unsigned n) {{ {body} }}\n"
    return [one.message for one in find_in_text(code, "a.cu", None).findings if one.rule == "memory/block-spin"]


@pytest.mark.parametrize("by", [ONE, ALL])
@pytest.mark.parametrize("draw", [TAKE, "unsigned drawn = take(counter);"])
@pytest.mark.parametrize(
    "loop",
    [
        "while (state[drawn - 1] == 0) {}",
        "while (*(state + drawn - 1) == 0) {}",
        "volatile Part *behind = parts + (drawn - 1); while (behind->word == 0) {}",
        "volatile unsigned *behind = &state[drawn - 1]; while (*behind == 0) {}",
        "unsigned at = drawn - 32 + threadIdx.x, s; do { s = state[at]; } while (__any_sync(~0u, s == 0));",
    ],
)
def test_a_wait_for_blocks_that_drew_an_earlier_number_ends(loop: str, draw: str, by: str) -> None:
    """One thread draws it for the block, so that no lane of its wave has an earlier one either."""
    assert waits(draw, by, loop) == []


@pytest.mark.parametrize(
    ("draw", "by", "loop", "said"),
    [
        (
            TAKE,
            ONE,
            "while (state[drawn] == 0) {}",
            "another block or GPU. Wait only for who drew an earlier number, or launch no more",
        ),
        (
            TAKE,
            ONE,
            "while (*(state + drawn + 1) == 0) {}",
            "another block or GPU. Wait only for who drew an earlier number, or launch no more",
        ),
        (TAKE, ONE, "while (*(state + n - 1) == 0) {}", "another block or GPU. Launch no more"),
        (
            TAKE,
            ONE,
            "while (state[n - drawn] == 0) {}",
            "another block or GPU. Wait only for who drew an earlier number, or launch no more",
        ),
        (LOCAL, ALL, "while (state[drawn - 1] == 0) {}", "of its own wave"),
        (SPREAD, ALL, "while (state[drawn - 1] == 0) {}", "of its own wave"),
    ],
)
def test_a_wait_for_others_than_blocks_of_an_earlier_number_is_told(draw: str, by: str, loop: str, said: str) -> None:
    (message,) = waits(draw, by, loop)
    assert said in message


@pytest.mark.parametrize(
    ("loop", "waits"),
    [
        ("for (int i = 0; i < n; i += step(n)) { __stcs(to + i, 2.0f); }", False),
        ("for (int i = 0; i < n; i += step(n)) { __pipeline_memcpy_async(to + i, from + i, 4); }", False),
        ("for (int i = 0; i < n; i += step(n)) { to[i] = __ldcs(from + i); }", False),
        ("while (atomicAdd(at, 0) < n) { __nanosleep(8); }", True),
    ],
)
def test_a_loop_that_stores_by_a_function_of_cuda_s_does_work(loop: str, waits: bool) -> None:
    code = f"__global__ void k(float *to, int *at, const float *from, int n) {{ {loop} }}\n"
    assert ("memory/block-spin" in {one.rule for one in find_in_text(code, "a.cu", None).findings}) == waits


STATE = "struct Queue { volatile int ready[4]; };\nstruct State { int n; Queue q; };\n"


@pytest.mark.parametrize(
    ("declared", "within"),
    [
        ("__shared__ State own; State *s = &own;", True),
        ("__shared__ State own; State *s = &own; State *t = s; s = t;", True),
        ("__shared__ char raw[512]; State *s = reinterpret_cast<State *>(raw);", True),
        ("State *s = all;", False),
        ("__shared__ State own; State *s = n ? &own : all;", False),
    ],
)
def test_a_part_of_an_object_in_shared_memory_is_written_by_the_block(declared: str, within: bool) -> None:
    wait = "__device__ void meet(State *s, int b) { while (s->q.ready[b] == 0) __nanosleep(50); }\n"
    code = f"{STATE}{wait}__global__ void k(State *all, int n) {{ {declared} meet(s, n); }}\n"
    found = find_in_text(code, "a.cu", None).findings
    (message,) = [one.message for one in found if one.rule == "memory/block-spin"]
    assert ("other threads of its block" in message) is within
    assert ("another block or GPU" in message) is not within


@pytest.mark.parametrize(
    ("declared", "waiting"),
    [("Three part = words[i];", False), ("Nine part = words[i];", True), ("Other part = words[i];", True)],
)
def test_a_call_of_an_overload_by_the_type_of_its_argument_is_no_turn(declared: str, waiting: bool) -> None:
    code = (
        '#include "types.h"\n__device__ void twice(Three &x) { x = x + x; }\n'
        "__device__ void twice(Nine &x) {\n    __shared__ int words[9];\n"
        f"    for (int i = 0; i < 9; ++i) {{ {declared} if (words[i] == 0) twice(part); }}\n}}\n"
    )
    found = [one for one in find_in_text(code, "a.cuh").findings if one.rule == "memory/block-spin"]
    assert bool(found) is waiting
