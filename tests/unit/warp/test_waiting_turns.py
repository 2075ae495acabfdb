"""Loops that wait through functions, methods and objects: for a flag, for a lock, for a number to be called."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.detectors import divergent_barrier
from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile
from cudamigrate.warp.entering_lanes import is_alone
from cudamigrate.warp.obligations import failures
from cudamigrate.warp.transfer import evaluator_of

LOCK = """struct Lock {
    int state;
    __device__ bool take() { return atomicCAS(&state, 0, 1) == 0; }
    __device__ void drop() { __threadfence(); atomicExch(&state, 0); }
};"""
GRAB = "__device__ bool grab(int *lock) { return atomicExch(lock, 1) == 0; }"
TICKET = """struct Ticket {
    unsigned next, now;
    __device__ unsigned draw() { return atomicAdd(&next, 1u); }
    __device__ void await(unsigned mine) { while (!called(mine)) __nanosleep(8); }
    __device__ bool called(unsigned mine) { return atomicAdd(&now, 0u) == mine; }
    __device__ void lock() { await(draw()); }
};
template <class L> struct Guard { L &l; __device__ explicit Guard(L &x) : l(x) { l.lock(); } };"""
PEEK = "__device__ int peek(int *p) { return atomicAdd(p, 0); }\n__device__ int look(int *p) { return peek(p); }"
LOADED = """__device__ int loaded(const int *p) {
    int v;
    asm volatile("ld.acquire.gpu.s32 %0, [%1];" : "=r"(v) : "l"(p));
    return v;
}"""


def kernel(body: str, before: str = "", given: str = "int *f, int n") -> str:
    return f"{before}\n__global__ void k({given}) {{ {body} }}\n"


def written(text: str) -> str:
    """A program in which the other lanes of a wave write memory in the end: that may be what is waited for."""
    return "__device__ int sink;\n" + text.rstrip().removesuffix("}") + " sink = 1; }\n"


def failed(text: str) -> list[str]:
    parsed = cuda.parse(SourceFile("a.cu", text.encode(), "cuda"), frozenset())
    found = failures(evaluator_of(parsed), lambda _, site: is_alone(parsed, site.start))
    return [one.kind for one in found]


FLAGS = {
    "a helper's reference": kernel(
        "if (threadIdx.x / 32 > 0) until(*f);", "__device__ void until(volatile int &v) { while (!v) ; }"
    ),
    "a helper's constant reference": kernel(
        "if (threadIdx.x / 32 > 0) until(*f);", "__device__ void until(const volatile int &v) { while (!v) ; }"
    ),
    "a variable of the device": kernel("if (threadIdx.x / 32 > 0) while (!ready) ;", "__device__ volatile int ready;"),
    "shared memory": kernel("__shared__ volatile int ready; if (threadIdx.x / 32 > 0) while (!ready) ;"),
    "a member": kernel(
        "if (threadIdx.x / 32 > 0) e->await();",
        "struct Event { volatile int set; __device__ void await() { while (!set) {} } };",
        "Event *e",
    ),
    "a value fetched by functions": kernel(
        "if (threadIdx.x / 32 > 0) { int got; do { got = look(f); } while (!got); }", PEEK
    ),
    "a function with a load of PTX": kernel("if (threadIdx.x / 32 > 0) while (loaded(f) == 0) ;", LOADED),
    "a load of PTX in the loop": kernel(
        "if (threadIdx.x / 32 > 0) { int v; do { "
        'asm volatile("ld.acquire.gpu.s32 %0, [%1];" : "=r"(v) : "l"(f)); } while (v == 0); }'
    ),
    "an atomic object": kernel(
        "if (threadIdx.x / 32 > 0) await(*f);", "__device__ void await(Flag &f) { while (!f.load()) ; }", "Flag *f"
    ),
    "a constructor's members": kernel(
        "if (threadIdx.x / 32 > 0) { Wait w(f); }",
        f"{PEEK}\n__device__ int until(int *p) {{ while (!look(p)) ; return 1; }}\n"
        "struct Wait { int done; __device__ Wait(int *p) : done(until(p)) {} };",
    ),
}
FLAGS |= {
    "a flag that is asked for a number of times": kernel(
        "if (threadIdx.x / 32 > 0) { int turn = 0, got = 0;"
        " while (turn < n && !got) { got = atomicAdd(f, 0); turn++; } }"
    ),
    "a loop that counts and jumps": kernel(
        "if (threadIdx.x / 32 > 0) for (int turn = 0; turn < n; ++turn) { if (look(f)) break; __nanosleep(9); }", PEEK
    ),
    "a limit that is asked last": kernel(
        "if (threadIdx.x / 32 > 0) { int left = n; do { left -= 1; } while (!look(f) && left > 0); }", PEEK
    ),
}
FLAGS["a macro"] = kernel(
    "if (threadIdx.x / 32 > 0) { WAIT(f[0], n); }",
    "#define WAIT(flag, v) while (*(volatile int *)&(flag) != (v)) { }",
)
WAIT = "__device__ void await(int *f) { while (*(volatile int *)f == 0) ; }"
BASE = "struct Base { int *m; __device__ Base(int *p) : m(p) { while (*(volatile int *)m == 0) ; } };\n"
ENDS = f"{WAIT}\nstruct Ends {{ int *m; __device__ Ends(int *p) : m(p) {{}} __device__ ~Ends() {{ await(m); }} }};"
FLAGS |= {
    "jumps": kernel("if (threadIdx.x / 32 > 0) { again: if (*(volatile int *)f == 0) goto again; }"),
    "jumps that pause and leave": kernel(
        "if (threadIdx.x / 32 > 0) { wait: int v = *(volatile int *)f; if (v) goto done; __nanosleep(8); goto wait;"
        " done: f[1] = 1; }"
    ),
    "a destructor": kernel("if (threadIdx.x / 32 > 0) { Ends e(f); }", ENDS),
    "a destructor of a member": kernel(
        "if (threadIdx.x / 32 > 0) { Has h{f}; }",
        f"{ENDS}\nstruct Has {{ Ends e; __device__ Has(int *p) : e(p) {{}} }};",
    ),
    "the constructor of a base": kernel(
        "if (threadIdx.x / 32 > 0) { Work w(f); }",
        f"{BASE}struct Work : Base {{ __device__ Work(int *p) : Base(p) {{}} }};",
    ),
    "the constructor of a member": kernel(
        "if (threadIdx.x / 32 > 0) { Work w(f); }",
        f"{BASE}struct Work {{ Base b; __device__ Work(int *p) : b(p) {{}} }};",
    ),
    "a pointer to a function": kernel("void (*go)(int *) = await; if (threadIdx.x / 32 > 0) go(f);", WAIT),
    "a function that is handed over": kernel(
        "if (threadIdx.x / 32 > 0) apply(&await, f);",
        f"{WAIT}\ntemplate <class F> __device__ void apply(F go, int *f) {{ go(f); }}",
    ),
}
LATCH = """struct Latch {
    int *m;
    __device__ Latch(int *p) : m(p) { again: if (atomicCAS(m, 0, 1) != 0) goto again; }
    __device__ ~Latch() { atomicExch(m, 0); }
};"""
LATE = """__device__ bool take(int *p) { return atomicCAS(p, 0, 1) == 0; }
struct Late { int *m; __device__ Late(int *p) : m(p) {} __device__ ~Late() { while (!take(m)) ; } };"""
TURNS = {
    "jumps": kernel("if (threadIdx.x % 32 == 0) { again: if (atomicCAS(f, 0, 1) != 0) goto again; atomicExch(f, 0); }"),
    "a constructor with jumps": kernel("if (threadIdx.x % 32 == 0) { Latch l(f); f[1] += 1; }", LATCH),
    "a destructor": kernel(
        "if (threadIdx.x % 32 == 0) { Late l(f); f[1] += 1; }",
        LATE,
    ),
    "a macro that is given what it asks": kernel(
        "if (threadIdx.x % 32 == 0) { SPIN(atomicCAS(f, 0, 1) == 0); *f = 0; }", "#define SPIN(c) do { } while (!(c))"
    ),
    "a method of a lock": kernel("if (threadIdx.x % 32 == 0) { while (!l->take()) {} l->drop(); }", LOCK, "Lock *l"),
    "a lock that all lanes take": kernel("while (!grab(f)) ; *f = 0;", GRAB),
    "what a method gave": kernel(
        "if (threadIdx.x % 32 == 0) { bool got; do { got = l->take(); } while (!got); l->drop(); }", LOCK, "Lock *l"
    ),
    "pauses that grow": kernel(
        "if (threadIdx.x % 32 == 0) { int ns = 8; while (!l->take()) { __nanosleep(ns); if (ns < 256) ns *= 2; } }",
        LOCK,
        "Lock *l",
    ),
    "a jump": kernel("if (threadIdx.x % 32 == 0) { for (;;) { if (l->take()) break; } l->drop(); }", LOCK, "Lock *l"),
    "what a lock is given": kernel(
        "if (threadIdx.x % 32 == 0) while (!swap(f, 0, n)) ;",
        "__device__ bool swap(int *p, int from, int to) { return atomicCAS(p, from, to) == from; }",
    ),
    "an atomic object": kernel("if (threadIdx.x % 32 == 0) while (l->exchange(1)) ;", "", "Flag *l"),
    "a number": kernel(
        "if (threadIdx.x % 32 == 0) { int mine = atomicAdd(f, 1); while (atomicAdd(f + 1, 0) != mine) ; }"
    ),
    "a number handed to methods by an object": kernel(
        "if (threadIdx.x % 32 == 0) { Guard<Ticket> g(*t); *f += 1; }", TICKET, "Ticket *t, int *f"
    ),
    "braces around a variable": kernel(
        "if (threadIdx.x % 32 == 0) { Guard<Ticket> g{t}; *f += 1; }", f"{TICKET}\n__device__ Ticket t;", "int *f"
    ),
    "a number that a function object asks for": kernel(
        "if (threadIdx.x % 32 == 0) { int mine = atomicAdd(f, 1); until([=] { return called(f + 1, mine); }); }",
        "template <class P> __device__ void until(P done) { while (!done()) __nanosleep(8); }\n"
        "__device__ bool called(int *p, int mine) { return atomicAdd(p, 0) == mine; }",
    ),
    "one of two calls from one lane": kernel(
        "if (threadIdx.x == 0) lock(f); if (threadIdx.x % 32 == 0) lock(f + 1);",
        f"{GRAB}\n__device__ void lock(int *l) {{ while (!grab(l)) ; }}",
    ),
}
SPUN = "if (threadIdx.x % 16 == 0) { lock(f); f[1] += 1; unlock(f); }"
SPINS = "__device__ void lock(int *p) {{ while (!t(p)) {{ }} }}\n__device__ void unlock(int *p) {{ {} }}"
NODE = """template <class Tile> struct Node {
    unsigned *p; const Tile tile; bool locked; unsigned mine;
    static constexpr unsigned bit = 1u << 31;
    __device__ void note() { if (tile.thread_rank() == 15) mine = mine | bit; }
    __device__ bool take() {
        unsigned old;
        if (tile.thread_rank() == 15) old = atomicOr(reinterpret_cast<unsigned *>(&p[15]), static_cast<unsigned>(bit));
        old = tile.shfl(old, 15);
        locked = !(old & bit);
        if (locked) { note(); __threadfence(); }
        return locked;
    }
    __device__ void lock() { while (auto failed = !take()) { } locked = true; }
    __device__ void drop() { if (tile.thread_rank() == 15) atomicAnd(&p[15], ~bit); locked = false; }
};"""


def spun(take: str, drop: str) -> str:
    """Lanes of a wave that take a lock by a function `t`, and give it back behind the loop."""
    return kernel(SPUN, f"__device__ bool t(int *p) {{ {take} }}\n{SPINS.format(drop)}")


TURNS |= {
    "a bit that is set": spun("unsigned old = atomicOr(p, 1u); return !(old & 1u);", "atomicAnd(p, ~1u);"),
    "a bit of a parameter": kernel(
        "if (threadIdx.x % 16 == 0) { while (!t(f, n)) { } f[9] += 1; atomicAnd(f, ~(1 << n)); }",
        "__device__ bool t(int *p, int n) { int bit = 1 << (n & 31), old = atomicOr(p, bit); return !(old & bit); }",
    ),
    "a bit that is set in the loop itself": kernel("while (atomicOr(f, 1) & 1) { } f[1] += 1; atomicAnd(f, ~1);"),
    "a bit that is cleared": kernel("while (!(atomicAnd(f, ~1) & 1)) { } f[1] += 1; atomicOr(f, 1);"),
    "a maximum": spun("return atomicMax(p, 1) == 0;", "atomicExch(p, 0);"),
    "a counter that is set back": spun("return atomicAdd(p, 1) == 0;", "atomicExch(p, 0);"),
    "a counter in the loop itself": kernel("while (atomicAdd(f, 1) != 0) { } f[1] += 1; *(volatile int *)f = 0;"),
    "a counter that wraps late": kernel("while (atomicInc(f, 0xffffffff)) { } f[1] += 1; *(volatile int *)f = 0;"),
    "a counter by two functions": kernel(
        "while (!t(f)) { } f[1] += 1; atomicExch(f, 0);",
        "__device__ int next(int *p) { int old = atomicAdd(p, 1); return old; }\n"
        "__device__ bool t(int *p) { return next(p) == 0; }",
    ),
    "a counter that is counted back": kernel(
        "while (atomicAdd(f, 1) >= n) { atomicSub(f, 1); } f[1] += 1; atomicSub(f, 1);"
    ),
    "a bit of an atomic object": kernel("while (l->fetch_or(1u) & 1u) { } l->fetch_and(~1u);", "", "Flag *l"),
    "a flag of the library": kernel(
        "while (l->test_and_set(cuda::memory_order_acquire)) { } l->clear();", "", "cuda::atomic_flag *l"
    ),
    "an exchange that compares, by a variable that is set again": kernel(
        "int want = 0; while (!l->compare_exchange_strong(want, 1)) { want = 0; } l->store(0);", "", "Flag *l"
    ),
    "an exchange that compares with a variable of the turn": kernel(
        "for (;;) { int want = 0; if (l->compare_exchange_weak(want, 1)) break; } l->store(0);", "", "Flag *l"
    ),
    "a node that remembers that it has the lock": kernel(
        "auto tile = cg::tiled_partition<16>(cg::this_thread_block()); Node<decltype(tile)> node{f, tile, false, 0};"
        " node.lock(); f[threadIdx.x] += 1; node.drop();",
        NODE,
        "unsigned *f",
    ),
}
HELD = "bool held = true; while (held) {{ if ({}) {} held = {}; }} f[threadIdx.x] += 1; __threadfence(); {}"
ASKED = "held = (atomicOr(f, 1) & 1) != 0;", "__shfl_sync(~0u, held, 1)", "atomicAnd(f, ~1);"
LANE = """__device__ unsigned lane() { unsigned n; asm("mov.u32 %0, %%laneid;" : "=r"(n)); return n; }
__device__ bool first() { return threadIdx.x == 0; }"""
TURNS |= {
    "one lane of 32 asks for its warp": kernel(HELD.format("threadIdx.x % 32 == 1", *ASKED)),
    "one lane of 32 asks, by a function": kernel(HELD.format("lane() == 1", *ASKED), LANE),
    "what others made of the answer": kernel(
        "bool held = true; while (held) { int old = 0; if (threadIdx.x % 32 == 1) old = atomicOr(f, 1);"
        " old = __shfl_sync(~0u, old, 1); held = old & 1; } f[threadIdx.x] += 1; atomicAnd(f, ~1);"
    ),
}
TURNS |= {
    "a turn that begins again without the lock": kernel(
        "Lock *l = (Lock *)f; while (true) { if (!l->take()) continue; break; } f[1] += 1; l->drop();", LOCK
    ),
    "one of two locks that is given back": kernel(
        "Lock *l = (Lock *)f; while (true) { if (!l->take()) continue;"
        " if (!l[1].take()) { l->drop(); continue; } break; } f[2] += 1; l[1].drop(); l->drop();",
        LOCK,
    ),
}
FINE = {
    "a turn that begins again and counts": kernel(
        "int i = threadIdx.x; while (true) { ++i; if (f[i] != n) continue; f[i] = 0; break; } f[0] = i;"
    ),
    "a turn that begins again and lets go of the lock": kernel(
        "Lock *l = (Lock *)f; bool go = true;"
        " while (go) { if (!l->take()) continue; f[1] += 1; l->drop(); go = false; }",
        LOCK,
    ),
    "one lane of 64 asks for its wave": kernel(HELD.format("threadIdx.x % 64 == 1", *ASKED)),
    "one lane of the block asks, by a function": kernel(HELD.format("first()", *ASKED), LANE),
    "one lane of the first warp asks": kernel(HELD.format("lane() == 1 && threadIdx.x < 32", *ASKED), LANE),
    "what one lane of 32 reads for its warp": kernel(
        HELD.format("threadIdx.x % 32 == 1", "held = atomicOr(f + blockIdx.x, 0) == 0;", *ASKED[1:])
    ),
    "a lock that a turn gives back, by a variable": kernel(
        "bool held = true; while (held) { held = atomicOr(f, 1) & 1; if (!held) { f[1] += 1; atomicAnd(f, ~1); } }"
    ),
    "a bit that is read": kernel("while (!(atomicOr(f + blockIdx.x, 0) & 1)) { }"),
    "a bit that is read by clearing none": kernel("while (!(atomicAnd(f + blockIdx.x, ~0) & 1)) { }"),
    "a bit that one lane takes": kernel("if (threadIdx.x == 0) { while (atomicOr(f, 1) & 1) { } atomicAnd(f, ~1); }"),
    "a bit that one lane asks for and the wave waits for": kernel(
        "while (!t(f)) { } f[threadIdx.x] += 1; atomicAnd(f, ~1);",
        "__device__ bool t(int *p) { __shared__ int got; if (threadIdx.x == 0) got = atomicOr(p, 1);"
        " __syncthreads(); return !(got & 1); }",
    ),
    "bits that are looked for": kernel(
        "int at = threadIdx.x; while (atomicOr(f + at, 1) & 1) { at = (at + 1) % n; } f[at + n] = 1;"
    ),
    "other bits each time": kernel(
        "while (!t(f, f + 1)) { }", "__device__ bool t(int *p, int *q) { return atomicOr(p, atomicAdd(q, 1)) == 7; }"
    ),
    "a lock that is given back where it was got": kernel(
        "while (!l->add()) { }",
        "struct Sum { int state, n; __device__ bool add() {"
        " if (atomicOr(&state, 1) & 1) return false; n += 1; atomicAnd(&state, ~1); return true; } };",
        "Sum *l",
    ),
    "a bit that a member chooses which the turn changes": kernel(
        "while (!l->next()) { }",
        "struct Bits { unsigned *p, at; __device__ bool next() { unsigned old = atomicOr(p, 1u << at);"
        " bool got = !(old >> at & 1); at = at + 1; return got; } };",
        "Bits *l",
    ),
    "an update that compares": kernel(
        "int old = l->load(); while (!l->compare_exchange_weak(old, old + n)) { }", "", "Flag *l, int n"
    ),
    "an update that compares, of a variable of the turn": kernel(
        "for (;;) { int old = l->load(); if (l->compare_exchange_weak(old, old + n)) break; }", "", "Flag *l, int n"
    ),
    "a truth that ends the loop": kernel(
        "bool more = true; while (more && n) { if (look(f)) more = false; else f[threadIdx.x] = 1; }", PEEK
    ),
    "numbers of a queue until one is too large": kernel(
        "while (!t(f, n)) { }", "__device__ bool t(int *p, int n) { return atomicAdd(p, 1) >= n; }"
    ),
    "a counter that comes to a number": kernel("while (atomicAdd(f, 1) != n) { }"),
    "jumps of one lane": kernel(
        "if (threadIdx.x == 0) { again: if (atomicCAS(f, 0, 1) != 0) goto again; atomicExch(f, 0); }"
    ),
    "jumps that let go of the lock": kernel(
        "again: if (atomicCAS(f, 0, 1) == 0) { f[1] += 1; atomicExch(f, 0); } else goto again;"
    ),
    "jumps that go through items": kernel(
        "if (threadIdx.x / 32 > 0) { int i = 0; next: f[i] = 1; i++; if (i < n) goto next; }"
    ),
    "a jump ahead": kernel(
        "if (threadIdx.x / 32 > 0) { if (*(volatile int *)f) goto done; f[1] = 1; done: f[2] = 1; }"
    ),
    "a latch of one lane": kernel("if (threadIdx.x == 0) { Latch l(f); f[1] += 1; }", LATCH),
    "a destructor in one lane": kernel(
        "if (threadIdx.x == 0) { Late l(f); f[1] += 1; }",
        LATE,
    ),
    "an object of whole waves": kernel("if (threadIdx.x / 64 > 0) { Ends e(f); }", ENDS),
    "a pointer to an object": kernel("if (threadIdx.x / 32 > 0) { Ends *e = o; *f = *e->m; }", ENDS, "Ends *o, int *f"),
    "a pointer to a function that does not wait": kernel(
        "void (*go)(int *) = set; if (threadIdx.x / 32 > 0) go(f);",
        f"{WAIT}\n__device__ void set(int *f) {{ *f = 1; }}",
    ),
    "a number that a function object of one lane asks for": kernel(
        "if (threadIdx.x == 0) { int mine = atomicAdd(f, 1); until([=] { return called(f + 1, mine); }); }",
        "template <class P> __device__ void until(P done) { while (!done()) __nanosleep(8); }\n"
        "__device__ bool called(int *p, int mine) { return atomicAdd(p, 0) == mine; }",
    ),
    "a function object that compares with a constant": kernel(
        "if (threadIdx.x % 32 == 0) { int mine = atomicAdd(f, 1);"
        " until([=] { return called(f + 1, n); }); f[2] = mine; }",
        "template <class P> __device__ void until(P done) { while (!done()) __nanosleep(8); }\n"
        "__device__ bool called(int *p, int mine) { return atomicAdd(p, 0) == mine; }",
    ),
    "a search through memory with an end": kernel(
        "if (threadIdx.x / 32 > 0) { int at = 0; while (at < n && f[at] != 3) at++; f[9] = at; }"
    ),
    "a loop that works until it is told to stop": kernel(
        "if (threadIdx.x / 32 > 0) { int sum = 0;"
        " for (int i = 0; i < n; i++) { if (look(f)) break; sum += i; } f[9] = sum; }",
        PEEK,
    ),
    "lanes that take turns until none is left": kernel(
        "bool left = n > 0; int at = 0; unsigned all;"
        " if (threadIdx.x / 32 > 0) while ((all = __ballot_sync(~0u, left))) {"
        " int from = __ffs(all) - 1, got = f[at];"
        " if (threadIdx.x % 32 == from && got == 0) left = false; else at = got; }"
    ),
    "a limit of turns in which a function object works": kernel(
        "int x = n; if (threadIdx.x / 32 > 0) until([&] { x /= 2; }, [&] { return x < 2; }, 9); f[0] = x;",
        "template <class S, class D> __device__ void until(S step, D done, int cap) {"
        " int turn = 0; while (!done() && turn < cap) { step(); ++turn; } }",
    ),
    "a number of turns": kernel("if (threadIdx.x / 32 > 0) for (int i = 0; i < n && n != 7; i++) __nanosleep(9);"),
    "a macro for one lane": kernel(
        "if (threadIdx.x == 0) { SPIN(atomicCAS(f, 0, 1) == 0); *f = 0; }", "#define SPIN(c) do { } while (!(c))"
    ),
    "a macro that is one statement": kernel(
        "if (threadIdx.x / 32 > 0) SET(f[0], n);", "#define SET(flag, v) do { flag = v; } while (0)"
    ),
    "one lane of the block": kernel("if (threadIdx.x == 0) { while (!l->take()) {} l->drop(); }", LOCK, "Lock *l"),
    "one lane of a wave": kernel("if (threadIdx.x % 64 == 0) { while (!l->take()) {} l->drop(); }", LOCK, "Lock *l"),
    "one lane, by all calls": kernel(
        "if (threadIdx.x == 0) lock(f); else if (threadIdx.x == 64) lock(f);",
        f"{GRAB}\n__device__ void lock(int *l) {{ while (!grab(l)) ; }}",
    ),
    "one lane with a guard": kernel(
        "if (threadIdx.x == 0) { Guard<Ticket> g(*t); *f += 1; }", TICKET, "Ticket *t, int *f"
    ),
    "a lock given back in the loop": kernel(
        "for (;;) { if (l->take()) { *f += 1; l->drop(); break; } }", LOCK, "Lock *l, int *f"
    ),
    "a loop until it is done": kernel(
        "for (bool done = false; !done;) if (l->take()) { *f += 1; l->drop(); done = true; }", LOCK, "Lock *l, int *f"
    ),
    "an update that some lane gets through with": kernel(
        "while (!add(f, n)) ;",
        "__device__ bool add(int *p, int v) { int old = *p; return atomicCAS(p, old, old + v) == old; }",
    ),
    "an update by what the loop has read": kernel(
        "int old = *f, seen; do { seen = old; old = swap(f, seen, seen + n); } while (old != seen);",
        "__device__ int swap(int *p, int from, int to) { return atomicCAS(p, from, to); }",
    ),
    "items of a queue": kernel(
        "if (threadIdx.x / 32) { int i; do { i = pop(f); } while (i < n); }",
        "__device__ int pop(int *p) { return atomicAdd(p, 1); }",
    ),
    "numbers that are drawn": kernel(
        "if (threadIdx.x / 32) { int s = n, r; do { r = draw(&s); } while (r > 5); f[threadIdx.x] = r; }",
        "__device__ int draw(int *s) { *s = *s * 5 + 1; return *s; }",
    ),
    "numbers that a reference changes": kernel(
        "if (threadIdx.x / 32) { int s = n, r; do { r = draw(s); } while (r > 5); f[threadIdx.x] = r; }",
        "__device__ int draw(int &s) { s = s * 5 + 1; return s; }",
    ),
    "a list": kernel(
        "if (threadIdx.x / 32) { while (p->more()) p = p->next; }",
        "struct Item { Item *next; __device__ bool more() const { return next != nullptr; } };",
        "Item *p",
    ),
    "all threads wait for another block": kernel("while (!look(f + blockIdx.x)) ;", PEEK),
    "one thread waits until all blocks have come": kernel(
        "if (threadIdx.x == 0) { atomicAdd(f, 1); while (atomicAdd(f, 0) < gridDim.x) ; } __syncthreads();"
    ),
}


@pytest.mark.parametrize("name", FLAGS)
def test_a_flag_that_a_part_of_a_wave_waits_for_is_found(name: str) -> None:
    assert "spin" in failed(written(FLAGS[name]))


ROWS = "if (threadIdx.y == 0) { while (*(volatile int *)f == 0) ; f[1] = 1; }"
STAGED = f"f[2 + threadIdx.x] = n;\n__syncthreads();\n{ROWS} __threadfence();"
ONE_WARP = "if (threadIdx.x < 32) { while (*(volatile int *)f == 0) ; }"
WAITS = [
    ("the other rows are done", ROWS, []),
    ("they wrote before a barrier", STAGED, []),
    ("each turn of a loop before", f"for (int i = n; i; i /= 2) {{ f[i] = n;\n__syncthreads(); }}\n{ROWS}", []),
    ("a function waits", "if (threadIdx.x / 32 == 1) await(f);", []),
    ("a pointer of its own", "if (threadIdx.y == 0) { volatile int *p = f; while (*p == 0) ; }", []),
    ("a number is counted", f"int i = 0; {ROWS} i += n;", []),
    ("an object is given a value", f"Flag g(f); {ROWS} g = n;", ["spin"]),
    ("what a function gave is given a value", f"auto g = flag(f); {ROWS} g = n;", ["spin"]),
    ("shared memory is written", f"__shared__ int s; {ROWS} s = n;", ["spin"]),
    ("a reference is written", f"int &r = *f; {ROWS} r = n;", ["spin"]),
    ("a reference of a function is written", f"int &r = at(f); {ROWS} r = n;", ["spin"]),
    ("they write after it", f"{ROWS} f[3] = 1;", ["spin"]),
    ("they write in the other branch", f"{ROWS} else f[3] = 1;", ["spin"]),
    ("they call what may write", f"{ROWS} atomicExch(f, 1);", ["spin"]),
    ("they store by a function of CUDA's", f"{ROWS} __stcg(f, 1);", ["spin"]),
    ("no barrier is between", STAGED.replace("__syncthreads();", ""), ["spin"]),
    ("only some come by the barrier", STAGED.replace("__sync", "if (n) __sync"), ["spin"]),
    (
        "those who wait do not come by",
        f"if (threadIdx.y) {{ f[9] = n;\n__syncthreads(); }}\n{ROWS}",
        ["asked", "spin"],
    ),
    ("only those who wait write", f"if (threadIdx.x == 0) f[3] = 1; {ONE_WARP}", []),
    ("others write", f"if (threadIdx.x == 32) f[3] = 1; {ONE_WARP}", ["spin"]),
    (
        "a loop of their own",
        "if (threadIdx.x < 32) { for (int i = n; i; --i) { while (*(volatile int *)f == 0) ; } }",
        [],
    ),
    (
        "a vote of their own",
        "if (threadIdx.x < 32) { bool go = true; while (go) { int v; do { v = *(volatile int *)f; }"
        " while (__any_sync(0xffffffff, v == 0)); go = __any_sync(0xffffffff, v == 2); } }",
        [],
    ),
    ("a turn of a loop around", f"for (int i = n; i; i /= 2) {{ {ROWS} }}", ["spin"]),
    ("assembly may store", f'{ROWS} asm volatile("st.global.s32 [%0], 1;" :: "l"(f));', ["spin"]),
]


@pytest.mark.parametrize(("body", "found"), [one[1:] for one in WAITS], ids=[one[0] for one in WAITS])
def test_a_wait_that_no_other_lane_of_the_wave_can_end_is_for_others(body: str, found: list[str]) -> None:
    assert failed(kernel(body, WAIT)) == found


@pytest.mark.parametrize("name", TURNS)
def test_lanes_that_wait_for_their_turn_are_found(name: str) -> None:
    assert failed(TURNS[name]) == ["turn"]


@pytest.mark.parametrize("name", FINE)
def test_what_goes_on_by_itself_is_no_wait(name: str) -> None:
    assert failed(FINE[name]) == []


@pytest.mark.parametrize(("condition", "found"), [("threadIdx.x % 32 == 0", 1), ("threadIdx.x == 0", 0)])
def test_the_calls_of_other_files_tell_who_waits(tmp_path: Path, condition: str, found: int) -> None:
    (tmp_path / "lock.cuh").write_text(TICKET)
    body = f"if ({condition}) {{ Guard<Ticket> g(*t); *f += 1; }}"
    (tmp_path / "k.cu").write_text('#include "lock.cuh"\n' + kernel(body, "", "Ticket *t, int *f"))
    rules = [one.rule for one in pipeline.scan(tmp_path, Config(jobs=1)).findings]
    assert rules.count("warp/waits-for-turn") == found


@pytest.mark.parametrize(("condition", "found"), [("threadIdx.x / 32 > 0", 1), ("threadIdx.x / 64 > 0", 0)])
def test_a_header_of_macros_alone_is_followed(tmp_path: Path, condition: str, found: int) -> None:
    wait = "#define UNTIL(flag) while (*(volatile int *)&(flag) == 0) { }\n"
    (tmp_path / "until.cuh").write_text(f"#pragma once\n{wait}")
    kernel_ = kernel(f"if ({condition}) {{ UNTIL(*f); }} else {{ *f = 1; }}")
    (tmp_path / "k.cu").write_text(f'#include "until.cuh"\n{kernel_}')
    rules = [one.rule for one in pipeline.scan(tmp_path, Config(jobs=1)).findings]
    assert rules.count("warp/waits-for-own-wave") == found


def test_a_loop_without_a_branch_is_reported_by_its_own_text() -> None:
    code = """
__device__ bool take(unsigned *lock) { return atomicExch(lock, 1) == 0; }
__device__ void enter(unsigned *lock) { while (!take(lock)); }
__global__ void k(unsigned *lock, int *a) { enter(lock); a[0] += 1; __threadfence(); atomicExch(lock, 0); }
"""
    parsed = cuda.parse(SourceFile("a.cu", code.encode(), "cuda"), frozenset())
    found = [hit for hit in divergent_barrier.find(parsed) if hit.rule == "warp/waits-for-turn"]
    assert [hit.words["condition"] for hit in found] == ["`while (!take(lock));`"]


NODES = "struct Node { Node *next; bool gone; };\n"
SWAP = (
    "atomicCAS((unsigned long long *){0}, (unsigned long long){1}, (unsigned long long){2}) != (unsigned long long){1}"
)
LOCK_FREE = {
    "a number that is read anew": kernel("again: int old = *f; if (atomicCAS(f, old, old * 2) != old) goto again;"),
    "its result kept": kernel("again: int old = *f; int got = atomicCAS(f, old, n); if (got != old) goto again;"),
    "the first of a stack": kernel(
        f"again: Node *old = *t; if (!old) return; if ({SWAP.format('t', 'old', 'old->next')}) goto again;",
        NODES,
        "Node **t",
    ),
    "a node of a list": kernel(
        "again: Node *at = *t, *last = 0; while (at) { if (at->gone) {"
        f" if (last && {SWAP.format('&last->next', 'at', 'at->next')}) goto again;"
        f" else if (!last && {SWAP.format('t', 'at', 'at->next')}) goto again; }} last = at; at = at->next; }}",
        NODES,
        "Node **t",
    ),
}


@pytest.mark.parametrize("name", LOCK_FREE)
def test_a_swap_that_fails_as_another_one_succeeded_waits_for_nobody(name: str) -> None:
    assert failed(written(LOCK_FREE[name])) == []


TAKEN_ANEW = {
    "a lock that is read first": kernel(
        "again: int old = *f; if (old != 0 || atomicCAS(f, old, 1) != old) goto again;"
    ),
    "a bit that another thread clears": kernel(
        "again: int old = *f & ~1; if (atomicCAS(f, old, old | 1) != old) goto again;"
    ),
    "a number": kernel("again: if (atomicCAS(f, 0, 1) != 0) goto again;"),
    "a place that has to be empty": kernel(
        f"again: Node *old = *t; if (old != 0) goto again; if ({SWAP.format('t', 'old', 'mine')}) goto again;",
        NODES,
        "Node **t, Node *mine",
    ),
}


@pytest.mark.parametrize("name", TAKEN_ANEW)
def test_a_lock_that_is_asked_for_by_a_swap_waits(name: str) -> None:
    assert failed(written(TAKEN_ANEW[name])) == ["turn"]


TAKES = """{
        while (true)
            if (atomicAnd(lock, 0)) break;
        *num += 1;
        atomicOr(lock, 1);
    }"""
BEHIND = """#define TID threadIdx.x
__device__ void take(const int tid, unsigned *num, int *lock) {{
    {} {}
    __syncthreads();
}}
__global__ void k(unsigned *num, int *lock) {{ const int tid = {}; take(tid, num, lock); }}
"""


@pytest.mark.parametrize(
    ("test", "passed", "told"),
    [
        ("if (tid == 0)", "TID", False),
        ("if (!tid && *num)", "TID + 0", False),
        ("if (tid == 0)", "TID / 2", True),
        ("if (tid == 0)", "TID % 32", True),
        ("if (tid != 0)", "TID", True),
        ("if (tid == 0) *num = 1; else", "TID", True),
        ("if (tid == 0 || *num)", "TID", True),
    ],
)
def test_one_thread_is_known_by_what_calls_and_macros_give(test: str, passed: str, told: bool) -> None:
    code = BEHIND.format(test, TAKES, passed)
    assert ("turn" in kinds_of(code)) is told


@pytest.mark.parametrize(
    ("index", "told"), [("i", False), ("i + 1", False), ("i / 2", True), ("key[i]", True), ("blockIdx.x", True)]
)
def test_a_flag_for_each_thread_is_nobody_s_turn(index: str, told: bool) -> None:
    code = f"""__global__ void watch(int *flags, const int *key, int n) {{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        while (true)
            if (atomicAnd(&flags[{index}], 0) == 1) break;
}}
"""
    assert ("turn" in kinds_of(code)) is told


def kinds_of(code: str) -> set[str]:
    parsed = cuda.parse(SourceFile("k.cu", code.encode(), "cuda"), frozenset())
    return {one.kind for one in failures(evaluator_of(parsed), lambda place, site: is_alone(parsed, site.start))}
