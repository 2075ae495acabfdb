"""What parts a wave of 64 lanes: followed through variables, members, helpers, lambdas, tables and other files."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile
from cudamigrate.pipeline.rule_tests import find_in_text
from cudamigrate.warp.facts import BOTTOM, SAME, THREAD, UNIFORM, WARP, WAVE, Fact, join, number, operate
from cudamigrate.warp.obligations import Failure, failures
from cudamigrate.warp.transfer import evaluator_of

TID = Fact(THREAD, 1, 1)


def failed(text: str) -> list[Failure]:
    return list(failures(evaluator_of(cuda.parse(SourceFile("a.cu", text.encode(), "cuda"), frozenset()))))


def kernel(body: str, before: str = "") -> str:
    """A kernel that goes on behind its body, so that who is outside of a branch there has something left to do."""
    return f"{before}\n__global__ void k(int *a, int n) {{ {body} ; a[n] = n; }}\n"


@pytest.mark.parametrize(
    ("sign", "other", "level"),
    [
        ("/", number(32), WARP),
        ("/", number(64), WAVE),
        ("/", number(16), THREAD),
        (">>", number(5), WARP),
        (">>", number(7), WAVE),
        ("%", number(32), THREAD),
        ("&", number(~31), WARP),
        ("&", number(~63), WAVE),
        ("&", number(31), THREAD),
        ("<", number(32), WARP),
        ("<", number(128), WAVE),
        ("<=", number(31), WARP),
        ("<=", number(32), THREAD),
        (">", number(63), WAVE),
        ("==", number(0), THREAD),
        ("<", SAME, THREAD),
        ("-", TID, UNIFORM),
        ("<", TID, UNIFORM),
    ],
)
def test_an_operation_on_a_thread_s_number_parts_blocks_as_far_as_it_does(sign: str, other: Fact, level: int) -> None:
    assert operate(sign, [TID, other]).level == level


def test_a_value_that_grows_by_what_all_add_keeps_its_slope_and_no_number() -> None:
    grown = operate("+", [BOTTOM, number(4)])
    assert join([TID, grown]).per_thread == 1
    assert join([number(0), grown]).value is None and join([number(0), grown]).multiple == 4
    assert join([TID, operate("*", [BOTTOM, number(2)])]).per_thread is None
    assert join([number(8), number(12)]) == Fact(UNIFORM, 0, 4, None)


ROLE = """struct Role {
    int id;
    __device__ Role(int t) : id(t / 32) {}
    __device__ bool first() const { return id == 0; }
};"""
PARTED = {
    "an end rounded down to a constant that the loop does not step by": kernel(
        "int end = n / TILE * TILE; for (int i = threadIdx.x; i < end; i += blockDim.x) __syncthreads(); wait();",
        "constexpr int TILE = 32; __device__ void wait() { __syncthreads(); }",
    ),
    "a member of an object that each thread has too": kernel(
        "__shared__ State s; State own; if (threadIdx.x / 32) own.go = n; if (own.go) __syncthreads(); s.go = 1;",
        "struct State { int go; };",
    ),
    "a member of one object among several of the block": kernel(
        "__shared__ State s[4]; State *p = s + threadIdx.x / 32; if (p->go) __syncthreads(); p->go = 1;",
        "struct State { int go; };",
    ),
    "a member that a constructor gets": kernel(
        "Role r(threadIdx.x); if (r.first()) __syncthreads(); else __syncthreads();", ROLE
    ),
    "a helper": kernel("if (mine()) __syncthreads();", "__device__ bool mine() { return threadIdx.x < 32; }"),
    "a helper with the barrier": kernel("if (threadIdx.x < 32) wait();", "__device__ void wait() { __syncthreads(); }"),
    "a parameter": kernel(
        "part(threadIdx.x >> 5);", "__device__ void part(int team) { if (team == 1) __syncthreads(); }"
    ),
    "a lambda": kernel("auto f = [&] { __syncthreads(); }; if (threadIdx.x / 32) f();"),
    "a table": kernel(
        "F f[2] = {one, two}; f[threadIdx.x / 32 % 2]();",
        "__device__ void one() { __syncthreads(); }\n__device__ void two() {}\ntypedef void (*F)();",
    ),
    "a switch": kernel("switch (threadIdx.x / 32) { case 0: __syncthreads(); break; default: __syncthreads(); }"),
    "a loop that some leave": kernel(
        "for (int i = 0; i < n; ++i) { if (i > threadIdx.x / 32) break; __syncthreads(); } __syncthreads();"
    ),
    "values that meet after a branch": kernel("int m = 0; if (threadIdx.x < 32) m = 1; if (m) __syncthreads();"),
    "a constant of the file": kernel("if (threadIdx.x < kRow) __syncthreads();", "constexpr int kRow = 32;"),
    "a row of the block": kernel("if (threadIdx.y == 0) __syncthreads();"),
    "an end that no steps of the loop divide": kernel(
        "for (int i = threadIdx.x; i < (n + B - 1) / B * B; i += C) __syncthreads(); __syncthreads();"
    ),
    "a loop that threads leave to the next turn of the loop around it": kernel(
        "for (int j = 0; j < n; ++j) for (int i = threadIdx.x; i < n; i += 32) __syncthreads();"
    ),
    "a loop that a helper's threads leave": kernel(
        "each(a, n);",
        "__device__ void each(int *a, int n) { for (int i = threadIdx.x; i < n; i += 32) __syncthreads(); }",
    ),
    "a branch in a loop that threads leave to the end of the kernel": kernel(
        "for (int i = threadIdx.x; i < n; i += 32) { if (i > 7) __syncthreads(); }"
    ),
    "a macro for a variable": kernel(
        "int s = 0; if (threadIdx.x / 32) { total = n; } if (total) __syncthreads();", "#define total s"
    ),
    "a part of the block": kernel("if (threadIdx.x < B) __syncthreads();"),
    "a value from the turn before": kernel(
        "int go = n; for (int i = 0; i < n; ++i) { if (go) __syncthreads(); go = threadIdx.x / 32; }"
    ),
    "a value that a turn cut short leaves": kernel(
        "int go = 0; while (n--) { if (go) __syncthreads(); go = threadIdx.x / 32; if (n == 7) continue; go = n; }"
    ),
    "a turn that half a wave cuts short before the barrier": kernel(
        "for (int i = 0; i < n; i += 8) { if (threadIdx.x / 32) continue; __syncthreads(); }"
    ),
    "a turn that half a wave cuts short before the loop's step": kernel(
        "while (n) { __syncthreads(); if (threadIdx.x / 32 && a[n]) { n -= 2; continue; } n--; } __syncthreads();"
    ),
    "a loop that half a wave leaves": kernel(
        "for (int i = 0; i < n; i += 8) { __syncthreads(); if (threadIdx.x / 32) break; a[i] = 1; } __syncthreads();"
    ),
    "a value that only some paths replace": kernel(
        "int go = threadIdx.x / 32; if (n > 3) { go = n; } if (go) __syncthreads();"
    ),
    "a value of one path": kernel("int go = n; if (n > 3) { go = threadIdx.x / 32; } if (go) __syncthreads();"),
    "a value that the loop's step gives": kernel(
        "int go = n; for (int i = 0; i < n; go = threadIdx.x / 32, ++i) { if (go) __syncthreads(); }"
    ),
    "a value that a jump passes by": kernel(
        "int go = threadIdx.x / 32; if (n > 3) goto out; go = n; out: if (go) __syncthreads();"
    ),
    "a value that a lambda takes": kernel(
        "int go = threadIdx.x / 32; auto f = [&] { if (go) __syncthreads(); }; f(); go = n;"
    ),
    "a value that a turn cut short leaves to its end": kernel(
        "int go = n; do { __syncthreads(); go = threadIdx.x / 32; if (n == 7) continue; go = n; } while (go);"
        "__syncthreads();"
    ),
    "a value that a turn ends with": kernel(
        "int go; do { go = n; __syncthreads(); go = threadIdx.x / 32; } while (go); __syncthreads();"
    ),
    "a value of a case": kernel(
        "int go = threadIdx.x / 32; switch (n) { case 1: go = n; break; case 2: break; } if (go) __syncthreads();"
    ),
    "a loop that waits": kernel("volatile int *v = a; if (threadIdx.x / 32) { while (*v == 0) {} } a[1] = n;"),
}
QUEUE = """struct Queue { int full; };
__device__ void pause(unsigned n) { for (;;) { long now = clock(); if (now > n) break; } }
__device__ void consume(volatile Queue *q, int *a, int lane) {
    int v = 0;
    if (lane == 0) { while ((v = q->full) == 0) { pause(20); } }
    a[lane] = v;
}
__device__ void push(volatile Queue *q, int *a) { while (q->full) { a[0] += 1; } q->full = a[1]; }
__device__ int next(volatile Queue *q) { return q->full; }
__device__ int pop(volatile Queue *q) { q->full = 0; return 1; }
"""
PARTED |= {
    "a helper that waits": kernel(
        "__shared__ Queue q; if (threadIdx.x < 32) q.full = 1; else consume(&q, a, threadIdx.x & 31);", QUEUE
    ),
    "a loop that leaves by its body": kernel(
        "volatile int *v = a; if (threadIdx.x / 32) { for (;;) { int g = v[0]; if (g > n) break; } } a[1] = n;"
    ),
    "a loop that waits longer each turn": kernel(
        "volatile int *v = a; int w = 8; if (threadIdx.x / 32) { while (*v == 0) { __nanosleep(w); w *= 2; } } *a = n;"
    ),
    "a loop that asks a helper": kernel("__shared__ Queue q; if (threadIdx.x / 32) { while (!next(&q)) {} }", QUEUE),
}
VISITED = """__device__ bool visited(int &c, int n) {
    __syncthreads();
    bool seen = false;
    if (c < n) { __syncthreads(); if (threadIdx.x == 0) c++; } else { seen = true; }
    __syncthreads();
    return seen;
}
"""
POPPED = """__device__ int pop(int *stack, int &top) {
    if (threadIdx.x == 0) top--;
    __syncthreads();
    return stack[top + 1];
}
"""
STACK = "__shared__ int stack[32]; __shared__ int top;"
STORE = "__device__ void store(int &v, int w) { v = w; }"
PARTED |= {
    "a reference to a variable of each thread": kernel("int c = 0; if (visited(c, n)) __syncthreads();", VISITED),
    "a reference to shared memory here and to a variable of each thread there": kernel(
        "__shared__ int s; int c = 0; visited(s, n); if (visited(c, n)) __syncthreads();", VISITED
    ),
    "a reference to shared memory that is written while others read it": kernel(
        "__shared__ int c; if (visited(c, n)) __syncthreads();", VISITED.replace("{ __syncthreads(); if", "{ if")
    ),
    "a reference to shared memory that the next call reads before the last one has written": kernel(
        "__shared__ int c; while (n--) visited(c, n);",
        VISITED.replace("{\n    __syncthreads();", "{").replace("    __syncthreads();\n    return", "    return"),
    ),
    "a reference to shared memory, where no barrier is between two calls": kernel(
        f"{STACK} while (n--) {{ int one = pop(stack, top); if (one < 4) __syncthreads(); }}", POPPED
    ),
    "a reference to shared memory, with a barrier before the loop of the calls alone": kernel(
        f"{STACK} __syncthreads(); while (n--) {{ int one = pop(stack, top); if (one < 4) __syncthreads(); }}", POPPED
    ),
    "a function that takes any number of arguments": kernel(
        "if (threadIdx.x / 32) each(a, 1, 2, 3);",
        "template <class... T> __device__ void each(int *a, T... more) { __syncthreads(); }",
    ),
    "a member of a class written for some arguments": kernel(
        "Row<2> r; if (threadIdx.x / 32) r.load(a);",
        "template <int N> struct Row { __device__ void load(int *a); };\n"
        "template <> struct Row<2> { __device__ void load(int *a) { __syncthreads(); } };",
    ),
    "what a function stores through a reference": kernel(
        "int c = 0; store(c, threadIdx.x / 32); if (c) __syncthreads();", STORE
    ),
    "what a function stores through a reference for some threads": kernel(
        "int c = 0; if (threadIdx.x / 32) store(c, n); if (c) __syncthreads();", STORE
    ),
    "a member of a template": kernel(
        "if (threadIdx.x / 32) roles::Work<int, 2>::template go<3>(a);",
        "template <class T, int N> struct Work {"
        " template <int M> static __device__ void go(T *a) { __syncthreads(); } };",
    ),
    "a class that is chosen for each warp": kernel(
        "Fill f; Idle i; Stage *all[2] = {&f, &i}; all[threadIdx.x / 32]->run();",
        "struct Stage { __device__ virtual void run() = 0; };\n"
        "struct Fill : Stage { __device__ void run() override { __syncthreads(); } };\n"
        "struct Idle : Stage { __device__ void run() override {} };",
    ),
    "the right operand": kernel(
        "bool first = threadIdx.x < 32; a[0] = (first && put()) || n;",
        "__device__ bool put() { __syncthreads(); return true; }",
    ),
    "the operand of a loop": kernel(
        "while (n > 2 || (threadIdx.x / 32 == 1 and put())) --n;",
        "__device__ bool put() { __syncthreads(); return false; }",
    ),
    "a function of the block's group": kernel(
        "auto b = cg::this_thread_block(); if (threadIdx.x & 32) meet(b); else cg::sync(b);",
        "template <class G> __device__ void meet(const G &g) { sync(g); }",
    ),
    "a barrier of PTX": kernel('if (threadIdx.x / 32) asm volatile("bar.sync 0;" ::: "memory");'),
    "another name of it": kernel('if (threadIdx.x / 32) asm volatile("barrier.cta.sync.aligned 1;");'),
    "a barrier of PTX in a function": kernel(
        "if (threadIdx.x / 32) meet();", '__device__ void meet() { asm volatile("barrier.sync %0;" :: "n"(0)); }'
    ),
    "a vote of the block in PTX": kernel(
        "unsigned c; if (threadIdx.x / 32)"
        ' asm("{ .reg .pred p; setp.ne.u32 p, %1, 0; bar.red.popc.u32 %0, 0, p; }" : "=r"(c) : "r"(n));'
    ),
}
WHOLE = {
    "a barrier of PTX for full wavefronts": kernel('if (threadIdx.x / 64) asm volatile("bar.sync 0;");'),
    "a barrier of PTX for one warp": kernel(
        'if (threadIdx.x / 32) asm volatile("bar.sync 1, 32;"); else asm volatile("bar.warp.sync 0xffffffff;");'
    ),
    "what only arrives": kernel('if (threadIdx.x / 32) asm volatile("bar.arrive 1, 64;");'),
    "a word that is no barrier": kernel('if (threadIdx.x / 32) asm volatile("// bar none");'),
    "a call that gives less than a function of the name takes": kernel(
        "if (threadIdx.x / 32) load(a);",
        "__device__ void load(int *a, int n) { __syncthreads(); }",
    ),
    "a member of a class written for some arguments, and one of the name of another class": kernel(
        "Row<2> r; if (threadIdx.x / 32) r.load(a);",
        "template <int N> struct Row;\ntemplate <> struct Row<2> { __device__ void load(int *a) {} };\n"
        "struct Tile { __device__ void load(int *a) { __syncthreads(); } };",
    ),
    "a reference to shared memory": kernel("__shared__ int c; if (visited(c, n)) __syncthreads();", VISITED),
    "a reference to shared memory, with a barrier beside each call": kernel(
        f"{STACK} while (n--) {{ __syncthreads(); int one = pop(stack, top); if (one < 4) __syncthreads(); }}", POPPED
    ),
    "a reference to an element of shared memory": kernel(
        "__shared__ int c[4]; if (visited(c[2], n)) __syncthreads();", VISITED
    ),
    "a reference that is passed on": kernel(
        "__shared__ int c; if (outer(c, n)) __syncthreads();",
        VISITED + "__device__ bool outer(int &d, int n) { return visited(d, n); }",
    ),
    "what a function stores through a reference for full wavefronts": kernel(
        "int c = 0; store(c, threadIdx.x / 64); if (c) __syncthreads();", STORE
    ),
    "what another call stores through a reference": kernel(
        "int c = 0, d = 0; store(c, n); store(d, threadIdx.x / 32); if (c) __syncthreads();", STORE
    ),
    "a loop that threads leave to the end of the kernel": kernel(
        "for (int i = threadIdx.x; i < n; i += 32) { if (a[i]) break; __syncthreads(); a[i] = n; } a[0] = 1;"
    ),
    "a turn cut short behind the barrier": kernel(
        "for (int i = 0; i < n; i += 8) { __syncthreads(); if (threadIdx.x / 32) continue; a[i] = 1; }"
    ),
    "a turn cut short behind the loop's step": kernel(
        "while (n) { n--; __syncthreads(); if (threadIdx.x / 32) continue; a[n] = 1; }"
    ),
    "a macro for a place in shared memory": kernel(
        "__shared__ int s[2]; if (threadIdx.x == 0) { total = n; } __syncthreads(); if (total) __syncthreads();",
        "#define total s[1]",
    ),
    "a number of the template that another function has as a constant": "\n".join(
        [
            "template <class T, int kTile> __device__ auto down(T a, int b) { return a / b * b; }",
            "template <int kTile> __global__ void k(int n) {",
            "for (int i = threadIdx.x; i < down<int, 1>(n, kTile); i += kTile) __syncthreads(); }",
            "void run() { constexpr int kTile = 32; k<kTile><<<1, dim3(kTile, kTile)>>>(8); }",
        ]
    ),
    "a helper that works while it turns": QUEUE
    + "__global__ void k(int *a) { if (threadIdx.x / 32) push((Queue *)a, a); }",
    "a helper that waits for all": kernel("if (threadIdx.x / 64) consume((Queue *)a, a, threadIdx.x & 31);", QUEUE),
    "a loop whose helper changes what it asks": kernel(
        "__shared__ Queue q; if (threadIdx.x / 32) { while (pop(&q)) {} }", QUEUE
    ),
    "a loop that goes on by itself": kernel("if (threadIdx.x / 32) { while (a[n] != 0) { n = a[n]; } }"),
    "members of an object of the block": kernel(
        "__shared__ State s; State *const p = &s; if (threadIdx.x == 0) p->go = n; __syncthreads(); run(p);",
        "struct Part { int end; };\nstruct State { int go; union { Part one; int two; } u; };\n"
        "__device__ void run(State *s) { if (threadIdx.x) s->go = 1; if (s->go) __syncthreads(); part(&s->u.one); }\n"
        "__device__ void part(Part *p) { if (threadIdx.x == 0) p->end = 1; if (p->end) __syncthreads(); }",
    ),
    "a member that parts full wavefronts": PARTED["a member that a constructor gets"].replace("/ 32", "/ 64"),
    "a helper": kernel("if (mine()) __syncthreads();", "__device__ bool mine() { return threadIdx.x < 64; }"),
    "a helper without a barrier": kernel("if (threadIdx.x < 32) wait();", "__device__ void wait() { __syncwarp(); }"),
    "a parameter": kernel("part(n);", "__device__ void part(int team) { if (team == 1) __syncthreads(); }"),
    "a variable of the same name": kernel(
        "int i = threadIdx.x; a[i] = 0; for (int i = 0; i < n; ++i) __syncthreads();"
    ),
    "shared memory": kernel("__shared__ int m; if (threadIdx.x == 0) m = n; __syncthreads(); if (m) __syncthreads();"),
    "a member of shared memory": kernel(
        "__shared__ Count c; if (threadIdx.x == 0) c.n = n; __syncthreads(); if (c.n) __syncthreads();",
        "struct Count { int n; };",
    ),
    "what one thread stores in one object of the block, and threads have objects of that class": kernel(
        "__shared__ State s; State own; own.go = n; if (threadIdx.x == 0) s.go = 1; if (own.go) __syncthreads();",
        "struct State { int go; };",
    ),
    "what the whole block is told": kernel("if (__syncthreads_or(threadIdx.x < n)) __syncthreads();"),
    "an early end": kernel("if (threadIdx.x > n) return; __syncthreads();"),
    "a rounded end": kernel("for (int i = threadIdx.x; i < (n + 63) / 64 * 64; i += 64) __syncthreads();"),
    "an end rounded to the steps of the loop": kernel(
        "const int end = ((n + B - 1) / B) * B; for (int i = threadIdx.x; i < end; i += B) __syncthreads();"
    ),
    "an end rounded down to a constant that the loop steps by": kernel(
        "int end = n / TILE * TILE; for (int i = threadIdx.x; i < end; i += TILE) { a[i] = 1; __syncthreads(); }",
        "constexpr int TILE = 32;",
    ),
    "ends that grow alike": kernel("for (int i = n + threadIdx.x; i < 9 * n + threadIdx.x; i += 4) __syncthreads();"),
    "a loop that counts": kernel("for (int s = n; s > 0; s /= 2) { if (threadIdx.x < s) a[0] = s; __syncthreads(); }"),
    "a variable that is given another value before": kernel(
        "int go = threadIdx.x / 32; a[go] = 1; go = n; if (go) __syncthreads();"
    ),
    "a variable that is given another value after": kernel(
        "int go = n; for (int i = 0; i < n; ++i) { go = n > i; if (go) __syncthreads(); go = threadIdx.x / 32; }"
    ),
    "what a turn has made of a variable": kernel(
        "int go = n; do { go = threadIdx.x / 32; a[go] = 1; go = n; __syncthreads(); } while (go);"
    ),
    "a variable of a block around": kernel(
        "int go = n; { go = threadIdx.x / 32; a[go] = 1; } go = n + 1; if (go) __syncthreads();"
    ),
    "a class that is chosen for each wavefront": kernel(
        "Fill f; Idle i; Stage *all[2] = {&f, &i}; all[threadIdx.x / 64]->run(); all[n]->run();",
        "struct Stage { __device__ virtual void run() = 0; };\n"
        "struct Fill : Stage { __device__ void run() override { __syncthreads(); } };\n"
        "struct Idle : Stage { __device__ void run() override {} };",
    ),
    "a member of a template that full wavefronts come to": kernel(
        "if (threadIdx.x / 64) Work<2>::go(a);",
        "template <int N> struct Work { static __device__ void go(int *a) { __syncthreads(); } };",
    ),
    "a template's member of another name": kernel(
        "if (threadIdx.x / 32) Work<2>::Lane<int>::go(a); Work<2>::wait();",
        "template <int N> struct Work { static __device__ void wait() { __syncthreads(); }"
        " template <class T> struct Lane { static __device__ void go(T *a) { *a = 1; } }; };",
    ),
    "an operand that full wavefronts ask": kernel(
        "bool first = threadIdx.x < 64; a[0] = first && put(); a[1] = threadIdx.x < 32 && n > 1; put();",
        "__device__ bool put() { __syncthreads(); return true; }",
    ),
    "a group within the warp": kernel(
        "auto t = cg::tiled_partition<32>(cg::this_thread_block()); if (threadIdx.x / 32) cg::sync(t);"
    ),
    "one lane that waits for another block": kernel(
        "volatile int *v = a; if (threadIdx.x == 0) { while (*v == 0) {} }"
    ),
}


@pytest.mark.parametrize("name", PARTED)
def test_what_parts_a_wave_is_found(name: str) -> None:
    found = failed(PARTED[name])
    assert found and all(one.steps for one in found)


@pytest.mark.parametrize("name", WHOLE)
def test_what_full_wavefronts_do_together_is_no_failure(name: str) -> None:
    assert failed(WHOLE[name]) == []


def test_facts_cross_files_and_the_finding_shows_them(tmp_path: Path) -> None:
    (tmp_path / "roles.cuh").write_text("__device__ inline bool loads() { return threadIdx.x < 32; }\n")
    (tmp_path / "wait.cuh").write_text("__device__ inline void meet() { __syncthreads(); }\n")
    (tmp_path / "k.cu").write_text("__global__ void k() {\n  if (loads()) meet();\n}\n")
    found = [one for one in pipeline.scan(tmp_path, Config(jobs=1)).findings if one.rule == "launch/barrier-in-branch"]
    assert [(one.path, one.position.line) for one in found] == [("k.cu", 2)]
    assert [(step.path, step.line) for step in found[0].trace] == [("roles.cuh", 1), ("k.cu", 2), ("k.cu", 2)]
    (tmp_path / "roles.cuh").write_text("__device__ inline bool loads() { return threadIdx.x < 64; }\n")
    rules = {one.rule for one in pipeline.scan(tmp_path, Config(jobs=1)).findings}
    assert "launch/barrier-in-branch" not in rules


TURNS = (
    "constexpr int kTile = 32;\n__global__ void k(int *a, int n) {\n  constexpr int kTimes = 1;\n"
    "  for (int i = threadIdx.x; i < floored(n, kTile * kTimes); i += kTile * kTimes) { __syncthreads(); }\n"
    "  __syncthreads();\n}\n"
)
"""All threads turn equally often where `floored` gives a multiple of a tile."""
FLOORED = "__device__ int below(int a, int b) { return a / b; }\n__device__ int floored(int a, int b) { return %s; }\n"


@pytest.mark.parametrize(
    ("value", "includes", "found"),
    [
        ("below(a, b) * b", "steps.cuh", 0),
        ("a - b", "steps.cuh", 1),
        ("below(a, b) * b", "others.cuh", 1),  # the function that is meant is not seen; this one has its name only
    ],
)
def test_what_an_included_function_gives_takes_a_finding_back(
    tmp_path: Path, value: str, includes: str, found: int
) -> None:
    (tmp_path / "steps.cuh").write_text(FLOORED % value)
    (tmp_path / "k.cu").write_text(f'#include "{includes}"\n{TURNS}')
    rules = [one.rule for one in pipeline.scan(tmp_path, Config(jobs=1)).findings]
    assert rules.count("launch/barrier-in-branch") + rules.count("launch/conditional-barrier") == found


PACKER = (
    "struct Packer {\n  int held;\n  __device__ void add(int n) {\n    if (threadIdx.x == 0) { held += n; }\n"
    "    __syncthreads();\n    if (held > 128) { __syncthreads(); }\n  }\n};\n"
    "struct State { Packer packer; };\n__device__ inline void take(State *s) {\n"
    "  if (threadIdx.x == 0) { s->packer.held = 0; }\n  if (s->packer.held > 3) { __syncthreads(); }\n}\n"
)


@pytest.mark.parametrize(
    ("declared", "found"),
    [("__shared__ State s;", 0), ("State s;", 2), ("__shared__ State t; State s;", 2)],
)
def test_what_one_thread_stores_in_an_object_of_the_block_all_read(tmp_path: Path, declared: str, found: int) -> None:
    (tmp_path / "packer.cuh").write_text(PACKER)
    (tmp_path / "k.cu").write_text(
        f'#include "packer.cuh"\n__global__ void k(int n) {{ {declared} s.packer.add(n); take(&s); }}\n'
    )
    rules = [one.rule for one in pipeline.scan(tmp_path, Config(jobs=1)).findings]
    assert rules.count("launch/barrier-in-branch") == found


NAMED = (
    "struct Map { __device__ void insert(int v) { %s } };\n"
    "__global__ void insert(int *a) { __syncthreads(); }\n__device__ void find(int v) { __syncthreads(); }\n"
)


@pytest.mark.parametrize(
    ("body", "call", "waits"),
    [
        ("", "m.insert(n)", 0),  # the kernel of that name is never called
        ("__syncthreads();", "m.insert(n)", 1),
        ("", "m.find(n)", 0),  # nor is a function what an object is asked for
        ("", "find(n)", 1),
    ],
)
def test_a_call_reaches_no_kernel_and_that_of_a_member_no_function(body: str, call: str, waits: int) -> None:
    assert len(failed(kernel(f"Map m; if (threadIdx.x < 32) {call};", NAMED % body))) == waits


MINE = "struct Cost { int at; float cost; };\n__device__ Cost min(Cost a, Cost b) { return a.cost < b.cost ? a : b; }\n"
PICKED = "Cost c = {(int)threadIdx.x, 0}; if (threadIdx.x > 3) c.cost = 1; c = min(c, c); a[0] = c.at;"


def test_a_function_of_cuda_s_name_for_other_types_says_nothing_of_other_files(tmp_path: Path) -> None:
    (tmp_path / "cost.cu").write_text(kernel(PICKED, MINE))
    (tmp_path / "use.cu").write_text(kernel("if (min(n, 8) > 3) __syncthreads();"))
    (tmp_path / "own.cu").write_text(kernel(PICKED + " if (min(c, c).at > 3) __syncthreads();", MINE))
    found = pipeline.scan(tmp_path, Config(jobs=1)).findings
    assert [one.path for one in found if one.rule == "launch/barrier-in-branch"] == ["own.cu"]


REDUCE = (
    "struct block { __device__ void sync() const { __syncthreads(); } };\n"
    "template <class G> __device__ int reduce(const G& __restrict__ g, int v) { g.sync(); return v; }\n"
    "template <class G> __device__ int norm(G part, int v) { return reduce(part, v * v); }\n"
)


@pytest.mark.parametrize(
    ("group", "waits"),
    [
        ("tiled_partition<32>(this_thread_block())", 0),
        ("this_thread_block()", 1),
        ("block()", 1),
        ("tile(n)", 0),
        ("elsewhere(n)", 1),  # of which nothing is seen: it may be the file's own
    ],
)
def test_a_group_is_of_the_class_that_callers_hand_in(group: str, waits: int) -> None:
    tile = "__device__ auto tile(int n) { return tiled_partition<32>(n); }\n"
    code = f"auto g = {group}; if (threadIdx.x / 32 == 0) a[0] = norm(g, n);"
    assert len(failed(kernel(code, REDUCE + tile))) == waits


@pytest.mark.parametrize(
    ("group", "waits"),
    [
        ("auto g = cg::tiled_partition<32>(cg::this_thread_block());", 0),
        ("cg::thread_block_tile<32> g = cg::tiled_partition<32>(cg::this_thread_block());", 0),
        ("auto g = elsewhere(n);", 0),
        ("Team g;", 1),
        ("auto g = team(n);", 1),
    ],
)
def test_members_of_a_library_s_objects_are_not_the_project_s(group: str, waits: int) -> None:
    team = (
        "struct Team { __device__ void sync() { __syncthreads(); } };\n__device__ Team team(int n) { return Team(); }\n"
        "__device__ void other() { auto f = [](Team g) { g.sync(); }; }\n"
    )
    assert len(failed(kernel(f"{group} if (threadIdx.x < 32) g.sync();", team))) == waits


OBJECTS = """
struct Waits { __device__ void operator()(int i) const { __syncthreads(); } };
struct Adds { int *a; __device__ void operator()(int i) const { a[i] += 1; } };
struct Two { __device__ void operator()(int i, int j) const { __syncthreads(); } };
struct Inherits : Waits {};
using Alias = Waits;
"""
WARPS = "template <class F> __device__ void warps(F f, int i) { if (threadIdx.x / 32 == 0) f(i); }"
TEMPLATES = """
template <class Op> struct Holder { Op op; __device__ void run(int i) { if (threadIdx.x < 32) op(i); } };
template <class Op = Waits> __device__ void made(int i) { Op op; if (threadIdx.x < 32) op(i); }
template <class Op> __device__ void further(int i) { made<Op>(i); }
"""


@pytest.mark.parametrize(
    ("body", "waits"),
    [
        ("Waits f; if (threadIdx.x < 32) f(n);", 1),
        ("Inherits f; if (threadIdx.x < 32) f(n);", 1),
        ("Alias f; if (threadIdx.x < 32) f(n);", 1),
        ("if (threadIdx.x < 32) Waits{}(n);", 1),
        ("if (threadIdx.x < 32) Waits()(n);", 1),
        ("Waits fs[2]; if (threadIdx.x < 32) fs[n](n);", 1),
        ("warps(Waits{}, n);", 1),
        ("warps([&](int i) { __syncthreads(); }, n);", 1),
        ("auto f = [&](int i) { __syncthreads(); }; warps(f, n);", 1),
        ("auto f = [&](int i) { __syncthreads(); }; auto g = [&](auto h) { if (threadIdx.x < 32) h(n); }; g(f);", 1),
        ("if (threadIdx.x < 32) [&] { __syncthreads(); }();", 1),
        ("Waits f; if (threadIdx.x < 64) f(n);", 0),
        ("Waits f; if (n < 32) f(n);", 0),
        ("Adds f{a}; if (threadIdx.x < 32) f(n);", 0),
        ("warps(Adds{a}, n); Waits f; f(n);", 0),
        ("warps([&](int i) { a[i] = 1; }, n);", 0),
        ("if (threadIdx.x < 32) [&] { a[0] = 1; }(); __syncthreads();", 0),
    ],
)
def test_a_function_object_waits_as_its_class_does(body: str, waits: int) -> None:
    assert len(failed(kernel(body, OBJECTS + WARPS if "warps(" in body else OBJECTS))) == waits


@pytest.mark.parametrize(
    ("given", "waits"),
    [("Holder<Waits> h; h.run(n);", 2), ("Holder<Adds> h; h.run(n);", 1), ("further<Waits>(n);", 1), ("made<>(n);", 1)],
)
def test_the_types_that_a_template_is_given_are_the_classes_of_its_objects(given: str, waits: int) -> None:
    """Of `made` the default alone is a failure in each case."""
    assert len(failed(kernel(given, OBJECTS + TEMPLATES))) == waits


@pytest.mark.parametrize(
    ("other", "waits"),
    [
        ("struct Waits { __device__ void operator()(int i) const { __syncthreads(); } };", 1),
        ("struct Two { __device__ void operator()(int i, int j) const { __syncthreads(); } };", 0),
        ("struct Adds { int *a; __device__ void operator()(int i) const { a[i] += 1; } };", 0),
        ("void host(int *a) { run([=] __device__ (int i) { a[i] = 1; __syncthreads(); }); }", 1),
        ("void host(int *a) { run([=](int i) { a[i] = 1; }); }", 0),
    ],
)
def test_an_object_of_no_seen_class_may_be_any_that_takes_as_many_arguments(other: str, waits: int) -> None:
    called = "template <class F> __global__ void k(F f, int *a) { if (threadIdx.x < 32) f(3); a[1] = 0; }"
    assert len(failed(f"{other}\n{called}")) == waits
    pointer = "__global__ void k(void (*f)(int), int *a) { if (threadIdx.x < 32) f(3); }"
    assert failed(f"{other}\n{pointer}") == []


def test_a_lambda_of_the_host_is_read_as_device_code() -> None:
    code = "void host() { run([=] __device__ (int i) { if (threadIdx.x < %d) __syncthreads(); }); }\n__device__ int x;"
    assert len(failed(code % 32)) == 1 and failed(code % 64) == []


MACROS = """
#define SYNC() __syncthreads()
#define BAR __syncthreads()
#define MEET(n) do { if (n) { \\
    __syncthreads(); } } while (0)
#define FIRST (threadIdx.x < 32)
#define IS_FIRST() (threadIdx.x < 32)
#define SETUP() int warp = threadIdx.x / 32; \\
    int whole = threadIdx.x / 64; __shared__ int total, left;
#define INNER if (warp == 0) __syncthreads()
#define PICK(v) v = threadIdx.x / 32
#define OPENS if (n) {
__device__ void fill(int &m) { SYNC(); if (threadIdx.x == 0) m = 3; SYNC(); if (m > 4) return; m += 0; }
"""


@pytest.mark.parametrize(
    ("body", "waits"),
    [
        ("if (threadIdx.x < 32) SYNC();", 1),
        ("if (threadIdx.x < 32) BAR;", 1),
        ("MEET(threadIdx.x < 32);", 1),
        ("if (FIRST) __syncthreads();", 1),
        ("if (IS_FIRST()) __syncthreads();", 1),
        ("SETUP(); if (warp == 0) __syncthreads();", 1),
        ("int warp = threadIdx.x / 32; INNER;", 1),
        ("int one; PICK(one); if (one == 0) __syncthreads();", 1),
        ("if (threadIdx.x < 64) SYNC();", 0),
        ("if (n > 3) BAR;", 0),
        ("MEET(n > 3);", 0),
        ("SETUP(); if (whole == 0) __syncthreads();", 0),
        ("SETUP(); fill(total); if (total == 0) __syncthreads();", 0),
        ("SETUP(); if (threadIdx.x == 0) left = n; __syncthreads(); if (left) __syncthreads();", 0),
        ("int warp = threadIdx.x / 64; INNER;", 0),
        ("int one; PICK(one); if (n == 0) __syncthreads();", 0),
    ],
)
def test_a_macro_is_what_it_stands_for_where_it_is_used(body: str, waits: int) -> None:
    assert len(failed(kernel(body, MACROS))) == waits


def test_macros_of_a_header_without_device_code_are_followed_where_it_is_included(tmp_path: Path) -> None:
    (tmp_path / "first.cuh").write_text("#define FIRST (threadIdx.x < 32)\n")
    (tmp_path / "other.cuh").write_text("#define FIRST (threadIdx.x < 64)\n")
    for name, found in (("first", 1), ("other", 0)):
        (tmp_path / "k.cu").write_text(f'#include "{name}.cuh"\n' + kernel("if (FIRST) __syncthreads();"))
        report = pipeline.scan(tmp_path, Config(jobs=1))
        assert sum(one.rule == "launch/barrier-in-branch" for one in report.findings) == found


@pytest.mark.parametrize(
    ("condition", "waits"),
    [
        ("w < 4", 0),
        ("8 > w", 0),
        ("w <= 1", 0),
        ("w / 2 == 0", 0),
        ("w >> 2 == n", 0),
        ("threadIdx.x / 16 < 8", 0),
        ("__shfl_sync(~0u, w, 0) >= 8", 0),
        ("w < 3", 1),
        ("w <= 2", 1),
        ("w == 2", 1),
        ("w < n", 1),
        ("w / 3 == 0", 1),
        ("(w + 1) / 2 == 0", 1),
        ("threadIdx.x / 16 < 6", 1),
        ("__shfl_sync(~0u, w, 0) == 1", 1),
    ],
)
def test_the_number_of_a_warp_parts_waves_where_a_bound_is_odd(condition: str, waits: int) -> None:
    assert len(failed(kernel(f"int w = threadIdx.x / 32; if ({condition}) __syncthreads();"))) == waits


@pytest.mark.parametrize(
    ("body", "given", "waits"),
    [
        ("if (sync) __syncthreads();", "false", 0),
        ("if (sync) __syncthreads();", "0", 0),
        ("if (sync) __syncthreads();", "true", 1),
        ("if (sync) __syncthreads();", "n > 3", 1),
        ("if (!sync) __syncthreads();", "false", 1),
        ("if (sync) a[0] = 1; else __syncthreads();", "false", 1),
        ("sync = a[0]; if (sync) __syncthreads();", "false", 1),
        ("if (sync) __syncthreads(); __syncthreads();", "false", 1),
    ],
)
def test_a_barrier_that_a_call_turns_off_is_not_met_by_it(body: str, given: str, waits: int) -> None:
    store = f"__device__ void store(int *a, bool sync) {{ {body} }}"
    assert len(failed(kernel(f"if (threadIdx.x < 32) store(a, {given});", store))) == waits


def test_what_is_worked_out_when_compiling_is_the_same_for_all_threads() -> None:
    body = "auto part = slice(threadIdx.x / 32); %s int parts = size<2>(part); if (n == parts) __syncthreads();"
    assert failed(kernel(body % "constexpr")) == [] and len(failed(kernel(body % "const"))) == 1


def test_a_wait_says_that_who_ends_it_is_not_followed() -> None:
    text = kernel("volatile int *v = a + blockIdx.x; if (threadIdx.x / 32) { while (*v == 0) {} } a[1] = n;")
    found = [one for one in find_in_text(text).findings if one.rule == "warp/waits-for-own-wave"]
    assert ["Who ends the wait is not followed: it may be lanes of the same wave" in one.message for one in found] == [
        True
    ]


@pytest.mark.parametrize(
    ("again", "condition", "waits"),
    [
        ("if (*f < n) until(f, n);", "threadIdx.x / 32", 1),
        ("if (*f < n) { __nanosleep(20); until(f, n); }", "threadIdx.x < 32", 1),
        ("if (atomicAdd((int *)f, 0) < n) until(f, n);", "threadIdx.x / 32", 1),
        ("if (*f < n) until(f, n);", "threadIdx.x / 64", 0),
        ("if (*f < n) until(f, n);", "blockIdx.x", 0),
        ("if (*f < n) until(f, n / 2);", "threadIdx.x / 32", 0),
        ("if (*f < n) { *f += 1; until(f, n); }", "threadIdx.x / 32", 0),
        ("if (*f < n) { n = 0; until(f, n); }", "threadIdx.x / 32", 0),
        ("if (atomicAdd((int *)f, 1) < n) until(f, n);", "threadIdx.x / 32", 0),
    ],
)
def test_a_function_that_calls_itself_for_the_same_waits(again: str, condition: str, waits: int) -> None:
    before = f"__device__ void until(volatile int *f, int n) {{ {again} }}"
    found = failed(kernel(f"if ({condition}) until(a, 1); else a[0] = 1;", before))
    assert len([one for one in found if one.kind == "spin"]) == waits


LOOK = "__device__ int look(volatile int *at) { int s; do s = at[0]; while (__any_sync(~0u, s == 0)); return s; }\n"
BACK = """__global__ void k(volatile int *at, int *out, int n) {{
    __shared__ int first;
    const int w = threadIdx.x / 32;
    {before}
    if ({test}) first = look(at);
    {behind}
    out[threadIdx.x] = first;
}}
{launch}
"""
BEHIND = "__syncthreads();"


@pytest.mark.parametrize(
    ("test", "before", "behind", "launch", "waits"),
    [
        ("w == 0", "", BEHIND, "", 0),
        ("threadIdx.x < 32", "out[n] = w; __syncthreads();", BEHIND, "", 0),
        ("w == 0", "", BEHIND, "void run(int *a) { k<<<4, dim3(64, 4)>>>(a, a, 1); }", 0),
        # Rows of 32: two warps of a wave come by.
        ("w == 0", "", BEHIND, "void run(int *a) { k<<<4, dim3(32, 4)>>>(a, a, 1); }", 1),
        ("w < 2", "", BEHIND, "", 1),
        ("w == n", "", BEHIND, "", 1),
        # The other warp of the wave may write the word: it does not wait before it.
        ("w == 0", "", "", "", 1),
        ("w == 0", "", "at[1] = 1; __syncthreads();", "", 1),
        ("w == 0", "at[1] = 1;", BEHIND, "", 1),
        ("w == 0", "", "if (n) __syncthreads(); at[0] = 1;", "", 1),
        ("w == 0", "", "if (w > 0) __syncthreads(); at[0] = 1;", "", 1),
    ],
)
def test_one_warp_of_a_wave_may_wait_for_another_block(
    test: str, before: str, behind: str, launch: str, waits: int
) -> None:
    text = LOOK + BACK.format(test=test, before=before, behind=behind, launch=launch)
    parsed = cuda.parse(SourceFile("a.cu", text.encode(), "cuda"), frozenset())
    assert sum(one.kind == "spin" for one in failures(evaluator_of(parsed))) == waits


@pytest.mark.parametrize(
    ("body", "conditions"),
    [
        ("if (threadIdx.x >> 5) goto other; __syncthreads(); goto done; other: __syncthreads(); done: a[0] = 1;",
         ["threadIdx.x >> 5"]),
        ("if (threadIdx.x < 32) a[0] = 1; else goto other; __syncthreads(); return; other: __syncthreads();",
         ["threadIdx.x < 32"]),
        ("if (threadIdx.x >> 6) goto other; __syncthreads(); goto done; other: __syncthreads(); done: a[0] = 1;", []),
        ("if (threadIdx.x >> 5) goto other; a[1] = 2; goto done; other: a[2] = 3; done: __syncthreads();", []),
        ("if (threadIdx.x >> 5) goto done; __syncthreads(); a[1] = 2; done: a[0] = 1;", []),
    ],
)  # fmt: skip
def test_a_barrier_on_one_of_two_ways_that_a_jump_parts_is_not_met_by_whole_waves(
    body: str, conditions: list[str]
) -> None:
    assert [one.condition for one in failed(kernel(body))] == conditions


REDUCED = """{}
__device__ void sum(float &v) {{
#ifdef FAST
    v += __shfl_down_sync(~0u, v, 16);
#else
    __shared__ float part[300];
    part[threadIdx.x] = v; __syncthreads();
    v += part[threadIdx.x + 16];
#endif
}}
__global__ void k(float *a) {{
    float v = a[threadIdx.x];
    if (threadIdx.x / 32 % 2) sum(v);
    a[threadIdx.x] = v;
}}
"""


@pytest.mark.parametrize(("define", "told"), [("#define FAST", False), ("", True), ("#define FAST\n#undef FAST", True)])
def test_a_barrier_that_the_file_itself_leaves_out_is_met_by_nobody(define: str, told: bool) -> None:
    parsed = cuda.parse(SourceFile("k.cu", REDUCED.format(define).encode(), "cuda"), frozenset())
    assert bool(list(failures(evaluator_of(parsed)))) is told
