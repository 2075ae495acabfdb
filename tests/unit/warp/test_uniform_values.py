"""What threads of a block share: members of one object, ranks, roles, objects of the block; and what each has alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.frontends import cuda
from cudamigrate.model import Finding, SourceFile
from cudamigrate.warp.facts import OPEN
from cudamigrate.warp.obligations import Failure, failures
from cudamigrate.warp.transfer import evaluator_of


def failed(text: str) -> list[Failure]:
    return list(failures(evaluator_of(cuda.parse(SourceFile("a.cu", text.encode(), "cuda"), frozenset()))))


def kernel(body: str, before: str = "") -> str:
    return f"{before}\n__global__ void k(int *a, int n, int m) {{ {body} ; a[2] = 1; }}\n"


PART = """struct Part { int first; int last; };
__device__ Part part(int n, int index, int parts) {
    Part made;
    int each = n / parts, rest = n % parts;
    int length = index < rest ? each + 1 : each;
    made.first = index < rest ? (each + 1) * index : (each + 1) * rest + each * (index - rest);
    made.last = made.first + length - 1;
    return made;
}
__device__ Part of_block(int n) { return part(n, blockIdx.x, gridDim.x); }
__device__ Part of_thread(int n) { return part(n, threadIdx.x, blockDim.x); }
struct Range {
    int first, last;
    __device__ Range(int f, int l) : first(f), last(l) {}
    __device__ void skip() { first += threadIdx.x; }
};
struct Pair { int first; int last; };
__device__ Pair pair(int f, int l) { return {f, l}; }
"""
RANK = """__device__ int rank() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
"""
ROLE = """enum class Role { Compute, Load, Store };
__device__ Role role_of(int warp) {
    if (warp < 12) return Role::Compute;
    if (warp < 15) return Role::Load;
    return Role::Store;
}
struct Plan { static constexpr Role pick(int warp) {
    int group = warp / 4;
    if (group == 0) return Role::Compute;
    if (warp == 4) return Role::Load;
    return Role::Store;
} };
"""
STATE = """struct State { int go; };
__device__ void use(State *s, int n) { if (threadIdx.x == 0) s->go = n; __syncthreads(); if (s->go) __syncthreads(); }
"""
LOOP = "for (int i = p.first; i <= p.last; ++i) { __syncthreads(); } __syncthreads();"

UNIFORM = {
    "a part for each block, and another one for each thread": kernel(
        f"Part q = of_thread(n); a[q.first] = 1; Part p = of_block(n); {LOOP}", PART
    ),
    "a constructor's arguments": kernel(f"Range q(threadIdx.x, n); a[q.first] = 1; Range p(m, n); {LOOP}", PART),
    "an object in braces": kernel(f"Pair q = {{(int)threadIdx.x, n}}; a[q.first] = 1; Pair p{{m, n}}; {LOOP}", PART),
    "an object that a function makes in braces": kernel(
        f"auto q = pair(threadIdx.x, n); a[q.first] = 1; auto p = pair(m, n); {LOOP}", PART
    ),
    "the other member": kernel("Pair p = pair(threadIdx.x, n); if (p.last) __syncthreads();", PART),
    "a vector of CUDA's": kernel(
        "int2 q = make_int2(threadIdx.x, n); a[q.x] = 1; int2 p = make_int2(m, n); if (p.x) __syncthreads();"
    ),
    "a copy of an object": kernel(
        f"Pair q = pair(threadIdx.x, n); a[q.first] = 1; Pair o = pair(m, n); Pair p = o; {LOOP}", PART
    ),
    "the first threads of a block of three dimensions": kernel("if (rank() < 512) __syncthreads();", RANK),
    "a rank with the planes first": kernel(
        "int r = threadIdx.z * blockDim.x * blockDim.y + threadIdx.y * blockDim.x + threadIdx.x;"
        "if (r / 64 == 1) __syncthreads();"
    ),
    "a role of full wavefronts": kernel(
        "auto const role = role_of(threadIdx.x / 32); if (role == Role::Compute) __syncthreads();", ROLE
    ),
    "a role by groups of warps": kernel(
        "auto role = Plan::pick(threadIdx.x / 32); if (role == Role::Compute) __syncthreads();", ROLE
    ),
    "rows by even bounds": kernel("if (threadIdx.y < 12) __syncthreads();"),
    "an object of the block by its address": kernel(
        "extern __shared__ char room[]; State *s = reinterpret_cast<State *>(room); State own; own.go = threadIdx.x;"
        "a[own.go] = 1; use(s, n);",
        STATE,
    ),
    "a value that assembly writes before all are given one": kernel(
        'int at; __shared__ int s[2]; if (threadIdx.x == 0) { asm volatile("mov.u32 %0, %smid;" : "=r"(at));'
        "at = atomicAdd(a, 1); s[0] = at; } __syncthreads(); at = s[0]; if (at) __syncthreads();"
    ),
}
DIVERGENT = {
    "a part for each thread": kernel(f"Part q = of_block(n); a[q.first] = 1; Part p = of_thread(n); {LOOP}", PART),
    "a constructor's argument": kernel(f"Range q(m, n); a[q.first] = 1; Range p(threadIdx.x, n); {LOOP}", PART),
    "a method that changes the object": kernel(f"Range p(m, n); p.skip(); {LOOP}", PART),
    "an object in braces": kernel(f"Pair p{{m, (int)threadIdx.x}}; {LOOP}", PART),
    "an object that a function makes in braces": kernel(f"auto p = pair(threadIdx.x, n); {LOOP}", PART),
    "a member that is given another value": kernel(
        "Pair p = pair(m, n); p.last = threadIdx.x; if (p.last) __syncthreads();", PART
    ),
    "a copy of an object": kernel(f"Pair o = pair(threadIdx.x, n); Pair p = o; {LOOP}", PART),
    "an object that a function changes": kernel(
        f"Pair p = pair(m, n); move(p); {LOOP}", PART + "__device__ void move(Pair &p) { p.first = threadIdx.x; }"
    ),
    "an object whose address something has": kernel(
        f"Pair p = pair(m, n); move(&p); {LOOP}", PART + "__device__ void move(Pair *p) { p->first = threadIdx.x; }"
    ),
    "a vector of CUDA's": kernel("int2 p = make_int2(threadIdx.x, n); if (p.x) __syncthreads();"),
    "the first threads of a block, no full wavefront": kernel("if (rank() < 96) __syncthreads();", RANK),
    "a number of threads and rows that is no rank": kernel(
        "int r = threadIdx.x + blockDim.y * threadIdx.y; if (r / 64 == 1) __syncthreads();"
    ),
    "a role of part of a wavefront": kernel(
        "auto const role = role_of(threadIdx.x / 32); if (role == Role::Load) __syncthreads();", ROLE
    ),
    "a role behind one of part of a wavefront": kernel(
        "auto role = Plan::pick(threadIdx.x / 32); if (role == Role::Store) __syncthreads();", ROLE
    ),
    "a role that is changed": kernel(
        "auto role = role_of(threadIdx.x / 32); if (threadIdx.x < 32) role = Role::Store;"
        "if (role == Role::Compute) __syncthreads();",
        ROLE,
    ),
    "rows by odd bounds": kernel("if (threadIdx.y < 15) __syncthreads();"),
    "one of several objects of the block by its address": kernel(
        "extern __shared__ char room[]; State *s = reinterpret_cast<State *>(room) + threadIdx.x / 32; use(s, n);"
        "State own; own.go = threadIdx.x / 32; if (own.go) __syncthreads();",
        STATE,
    ),
    "an object of each thread by its address": kernel("State own; State *s = &own; use(s, threadIdx.x / 32);", STATE),
    "a value that assembly writes last": kernel(
        'int at = n; asm volatile("mov.u32 %0, %tid.x;" : "=r"(at)); if (at) __syncthreads();'
    ),
}

SPAN = "int first = threadIdx.x / 2 * 8;"
EVENLY = (
    "int step = blockDim.x * blockDim.y; {} for (int i = threadIdx.y * blockDim.x + threadIdx.x; i < end; i += step)"
)
EVENLY += " __syncthreads(); a[1] = 2; __syncthreads();"
UNIFORM |= {
    "what is between two ends": kernel(
        f"{SPAN} if (threadIdx.x % 2) first += 4; int last = first + 4 * n - 1; switch (last - first)"
        "{ case 31: __syncthreads(); break; default: break; } a[0] = last;"
    ),
    "a bound rounded down by a mask": kernel(EVENLY.format("int end = n & ~(step - 1);")),
    "a bound rounded up by a mask": kernel(EVENLY.format("int end = (n + step - 1) & -step;")),
    "a bound without the rest": kernel(EVENLY.format("int end = n - n % step;")),
    "a bound rounded up where there is a rest": kernel(
        EVENLY.format("int end = n & (step - 1) ? (n & ~(step - 1)) + step : n;")
    ),
    "a bound that is as it is without a rest": kernel(
        EVENLY.format("int end = n % step == 0 ? n : n + step - n % step;")
    ),
    "a bound rounded by a number": kernel(
        "int end = (n + 255) & ~255; for (int i = threadIdx.x; i < end; i += 256) __syncthreads(); __syncthreads();"
    ),
}
DIVERGENT |= {
    "what is between two ends of which one moved": kernel(
        f"{SPAN} int last = first + 4 * n - 1; if (threadIdx.x % 2) first += 4; switch (last - first)"
        "{ case 31: __syncthreads(); break; default: break; } a[0] = last;"
    ),
    "what is between two ends that each thread has read": kernel(
        f"{SPAN} int last = first + a[threadIdx.x]; if (last - first) __syncthreads();"
    ),
    "what is between two ends of which a call moves one": kernel(
        f"{SPAN} int last = first + n; move(first); if (last - first) __syncthreads();",
        "__device__ void move(int &at) { at += threadIdx.x; }",
    ),
    "a bound rounded where it has no rest": kernel(
        EVENLY.format("int end = n & (step - 1) ? n : (n & ~(step - 1)) + step;")
    ),
    "a bound rounded to another step": kernel(EVENLY.format("int end = n & ~(m - 1);")),
    "a bound without the rest of another": kernel(EVENLY.format("int end = n - m % step;")),
}

STORES = """__device__ Pair of_warp(int w) { Pair p; p.first = 1; p.last = w; return p; }
__device__ void store(int *p, int v) { *p = v; }
struct Base { int go; __device__ Base(int g, int t) : go(g) {} };
struct Derived : Base { using Base::Base; };
"""
UNIFORM |= {
    f"{name}, which all threads share": kernel(body, PART + STORES)
    for name, body in {
        "the turn of a loop": "for (int i = 0; i < n; ++i) { if (i % 2) __syncthreads(); }",
        "the number of the block": "if (blockIdx.x % 2) __syncthreads();",
        "a value from one address": "int v = a[a[blockIdx.x] + m]; if (v % 2) __syncthreads();",
        "a member of what is at one address": "Pair q{(int)threadIdx.x, 1}; a[q.first] = 1;"
        "Pair r = ((Pair *)a)[blockIdx.x];"
        "for (int i = r.first; i < r.last; ++i) __syncthreads(); __syncthreads();",
        "a side that alternates": "int b = 0; for (int i = 0; i < n; ++i) { b ^= 1; if (b) __syncthreads(); }",
        "elements of an array": "int v[2]; v[0] = n; v[1] = m; if (v[0]) __syncthreads();",
        "a difference of what differs alike": "int b = blockIdx.x * blockDim.x, i = b + threadIdx.x;"
        "int d = i - threadIdx.x; if (d < n) __syncthreads();",
        "what one thread took": "__shared__ int t; if (threadIdx.x == 0) t = atomicAdd(a, 1); __syncthreads();"
        "int v = t; if (v == n) __syncthreads();",
        "what a function stores": "int t; store(&t, n); if (t) __syncthreads();",
        "what a library stores": "State st; init(n, blockIdx.x, &st); if (draw(&st) < 0.5f) __syncthreads();",
        "what assembly reads": 'int t = n, u; asm("add.u32 %0, %1, 1;" : "=r"(u) : "r"(t));'
        "if (u == n) __syncthreads();",
        "what is behind a member's pointer": "Rows r; r.at = a; r.at[0] = threadIdx.x; r.n = n;"
        "if (r.n) __syncthreads();",
        "a member of a base": "Derived const d(n, threadIdx.x); if (d.go) __syncthreads();",
        "what a lambda changes": "int c = 0; [&] { c = n; }(); if (c) __syncthreads();",
    }.items()
}
DIVERGENT |= {
    f"{name}, which each thread has": kernel(body, PART + STORES)
    for name, body in {
        "elements of an array": "int v[2]; v[0] = threadIdx.x / 32; if (v[0]) __syncthreads();",
        "members of elements": "Pair v[2]; v[0].first = threadIdx.x / 32; if (v[0].first) __syncthreads();",
        "elements that a loop gives": "int v[4]; for (int i = 0; i < 4; ++i) v[i] = a[threadIdx.x + i];"
        "for (int i = 0; i < 4; ++i) if (v[i]) __syncthreads();",
        "a value from an address": "int *p = a + threadIdx.x; if (*p) __syncthreads();",
        "a side that alternates": "int b = threadIdx.x / 32;"
        "for (int i = 0; i < n; ++i) { b ^= 1; if (b) __syncthreads(); }",
        "what memory held": "int t = atomicAdd(a, 1); if (t == n) __syncthreads();",
        "what a function stores": "int t; store(&t, threadIdx.x / 32); if (t == n) __syncthreads();",
        "what a library stores": "State st; init(n, threadIdx.x, &st); if (draw(&st) < 0.5f) __syncthreads();",
        "what assembly reads": 'int t = threadIdx.x / 32, u; asm("add.u32 %0, %1, 1;" : "=r"(u) : "r"(t));'
        "if (u == n) __syncthreads();",
        "a register's bit": 'unsigned u; asm("and.b32 %0, %laneid, 1;" : "=r"(u)); if (u) __syncthreads();',
        "a name bound to a part": "auto [x, y] = of_warp(threadIdx.x / 32); if (y) __syncthreads();",
        "what a lambda changes": "int c = 0; [&] { c = threadIdx.x / 32; }(); if (c) __syncthreads();",
        "a copy in memory": "int t; memcpy(&t, a + threadIdx.x, 4); if (t) __syncthreads();",
    }.items()
}


@pytest.mark.parametrize("name", UNIFORM)
def test_what_threads_share_parts_no_wave(name: str) -> None:
    assert failed(UNIFORM[name]) == []


@pytest.mark.parametrize("name", DIVERGENT)
def test_what_each_thread_has_parts_a_wave(name: str) -> None:
    assert failed(DIVERGENT[name])


ROWS = """__device__ int row() {{ return threadIdx.y; }}
__global__ void k(int *a) {{ if ({condition}) __syncthreads(); a[0] = 1; __syncthreads(); }}
"""


@pytest.mark.parametrize(
    ("condition", "blocks", "parted"),
    [
        ("threadIdx.y == 0", ["dim3(64, 4)"], False),
        ("threadIdx.y == 0", ["dim3(32, 4)"], True),
        ("threadIdx.y < 2", ["dim3(16, 16)"], True),
        ("threadIdx.y < 4", ["dim3(16, 16)"], False),
        ("threadIdx.y < 2", ["dim3(32, 16)"], False),
        ("threadIdx.z == 0", ["dim3(32, 2, 3)"], False),
        ("threadIdx.z == 0", ["dim3(32, 1, 3)"], True),
        ("threadIdx.y == 0", ["dim3(64, 4)", "dim3(32, 4)"], True),
        ("threadIdx.y == 0", ["dim3(64, 4)", "n"], True),
        ("row() == 0", ["dim3(64, 4)"], False),
        ("row() == 0", ["dim3(32, 4)"], True),
        ("threadIdx.y < 2", [], False),
        ("threadIdx.y < 3", [], True),
    ],
)
def test_rows_of_a_block_part_waves_as_their_launches_say(
    tmp_path: Path, condition: str, blocks: list[str], parted: bool
) -> None:
    rows = ROWS.format(condition=condition)
    launches = "void run(int *a, int n) {" + "".join(f"k<<<1, {block}>>>(a);" for block in blocks) + "}\n"
    assert bool(failed(rows + launches)) is parted
    (tmp_path / "rows.cuh").write_text("#include <cuda_runtime.h>\n" + rows)
    (tmp_path / "main.cu").write_text('#include "rows.cuh"\n' + launches)
    findings = pipeline.scan(tmp_path, Config(jobs=1)).findings
    names = "launch/barrier-in-branch", "launch/conditional-barrier"
    assert any(one.rule in names for one in findings) is parted


def found(tmp_path: Path, body: str, before: str = "") -> Finding:
    (tmp_path / "a.cu").write_text("#include <cuda_runtime.h>\n" + kernel(body, before))
    findings = pipeline.scan(tmp_path, Config(jobs=1)).findings
    return next(one for one in findings if one.rule == "launch/barrier-in-branch")


@pytest.mark.parametrize(
    ("body", "both"),
    [
        ("if (threadIdx.x % 2) { a[0] = 1; __syncthreads(); } else { __syncthreads(); a[1] = 2; }", True),
        ("if (threadIdx.x < 32) { wait(); wait(); } else { __syncthreads(); __syncthreads(); }", True),
        ("if (threadIdx.x < 32) { wait(); wait(); } else { __syncthreads(); }", False),
        ("if (threadIdx.x < 32) { wait(); } else { if (n) __syncthreads(); }", False),
        ("if (threadIdx.x < 32) { wait(); } else { for (int i = 0; i < n; ++i) __syncthreads(); }", False),
        ("if (threadIdx.x < 32) { wait(); } else { a[0] = 1; }", False),
    ],
)
def test_barriers_of_both_branches_are_counted(tmp_path: Path, body: str, both: bool) -> None:
    finding = found(tmp_path, body, "__device__ void wait() { __syncthreads(); }")
    assert ("a wave with threads in both branches comes to one in each" in finding.message) is both


@pytest.mark.parametrize(
    ("condition", "sure"),
    [("threadIdx.x < 32", True), ("threadIdx.x % 3", True), ("a[threadIdx.x]", False)],
)
def test_a_report_says_how_sure_it_is(tmp_path: Path, condition: str, sure: bool) -> None:
    body = f"if ({condition}) __syncthreads(); else {{ a[1] = 1; __syncthreads(); }} a[0] = 1; __syncthreads();"
    finding = found(tmp_path, body)
    assert ("which is not the same for all threads" in finding.message) is sure
    assert ("which may not be the same for all threads" in finding.message) is not sure


@pytest.mark.parametrize("waits", [True, False])
def test_of_functions_of_a_name_those_of_files_compiled_together_are_called(tmp_path: Path, waits: bool) -> None:
    barrier, none = (
        "__device__ void step(int *a) { __syncthreads(); }\n",
        "__device__ void step(int *a) { a[0] = 1; }\n",
    )
    (tmp_path / "own.cuh").write_text(barrier if waits else none)
    (tmp_path / "other.cu").write_text(none if waits else barrier)
    (tmp_path / "main.cu").write_text('#include "own.cuh"\n' + kernel("if (threadIdx.x < 32) step(a);"))
    findings = pipeline.scan(tmp_path, Config(jobs=1)).findings
    assert [one.path for one in findings if one.rule == "launch/barrier-in-branch"] == ["main.cu"] * waits


@pytest.mark.parametrize(("divisor", "parted"), [(32, True), (64, False)])
def test_a_wait_of_a_library_is_a_loop_for_those_who_come_to_it(divisor: int, parted: bool) -> None:
    step = "template <class P> __device__ void step(P pipe) { pipe.consumer_wait(1); }"
    assert bool(failed(kernel(f"Pipe pipe; if (threadIdx.x / {divisor} == 1) step(pipe);", step))) is parted


def test_a_value_is_followed_no_further_once_its_depth_is_used_up() -> None:
    """Several steps are counted at once, so that none ends just at 0: a call of itself would be followed for ever."""
    text = b"__device__ int up(int n, int p = 0) { return n < 2 ? p : up(n / 2, p + 1); }\n"
    evaluator = evaluator_of(cuda.parse(SourceFile("a.cu", text, "cuda"), frozenset()))
    call = ("c", "up", (("n", 8),), None)
    assert all(evaluator.value(evaluator.places[0], call, None, depth) == OPEN for depth in (0, -1, -2))
    assert evaluator.value(evaluator.places[0], ("n", 8), None, 1) != OPEN


TAKEN = "p[threadIdx.x] = threadIdx.x; __syncthreads(); int n0 = p[{}]; if (n0 < 9) __syncthreads();"
DEDUCED = {
    "an element of shared memory": ("auto p = reinterpret_cast<int *>(s);", "0", False),
    "an element of what a kernel is given": ("auto p = (int *)(a + n);", "n", False),
    "a pointer to a pointer's memory": ("float *f = s; auto p = reinterpret_cast<int *>(f) + n;", "0", False),
    "each thread's element": ("auto p = reinterpret_cast<int *>(s);", "threadIdx.x", True),
    "each thread's own pointer": ("auto p = reinterpret_cast<int *>(s + threadIdx.x);", "0", True),
    "each thread's own array": ("float4 own[8]; auto p = reinterpret_cast<int *>(own);", "0", True),
    "each thread's own object": ("float4 own; auto p = reinterpret_cast<int *>(&own);", "0", True),
    "an object of a class": ("auto p = make(n);", "0", True),
}


@pytest.mark.parametrize("name", DEDUCED)
def test_what_is_stored_through_a_pointer_that_auto_makes_is_in_memory(name: str) -> None:
    made, read, is_parted = DEDUCED[name]
    assert bool(failed(kernel(f"__shared__ float s[256]; {made} {TAKEN.format(read)}"))) is is_parted


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ('asm volatile ("bar.sync %0;" : : "r"(n));', "`bar.sync` is under"),
        ('asm volatile ("bar.sync 0, 32; bar.red.popc.u32 %0, 1, p;" : "=r"(n));', "`bar.sync` is under"),
        ('asm volatile ("{ .reg .pred p; barrier.sync.aligned 0; }");', "`barrier.sync.aligned` is under"),
        ("[&] { __syncthreads(); }();", "The lambda that is called here is under"),
        ("__syncthreads();", "`__syncthreads()` is under"),
        ("assemble();", "`assemble()` is under"),
    ],
)
def test_a_report_names_what_waits(tmp_path: Path, call: str, said: str) -> None:
    helper = "__device__ void assemble() { __syncthreads(); }"
    assert found(tmp_path, f"if (threadIdx.x < 32) {{ {call} }} a[1] = 2;", helper).message.startswith(said)
