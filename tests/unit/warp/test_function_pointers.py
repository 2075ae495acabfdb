"""Barriers that a wave comes to through pointers to functions, tables of them and objects that are called."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.pipeline.rule_tests import find_in_text

DECLARED = """\
typedef void (*Role)(int*);
__device__ void a(int* t) { t[0] = 1; __syncthreads(); }
__device__ void b(int* t) { __syncthreads(); t[1] = t[0]; }
__device__ const Role roles[2] = {a, b};
__constant__ Role later[2];
__device__ Role pa = a; __device__ Role pb = b;
struct Plan { Role f; };
struct Base { __device__ virtual void run(int*) = 0; };
struct DA : Base { __device__ void run(int* t) override { a(t); } };
struct DB : Base { __device__ void run(int* t) override { b(t); } };
struct FA { __device__ void operator()(int* t) const { a(t); } };
    struct FB { __device__ void operator()(int* t) const { b(t); } };
template <class R> __device__ void go(R r, int* t) { r(t); }
template <class R> __device__ void via(R&& r, int* t) { go(r, t); }
struct Table { static constexpr Role all[2] = {a, b}; };
struct Visit { int* t; __device__ void operator()(FA f) const { f(t);
    } __device__ void operator()(FB f) const { f(t); } };
"""
BY_WARP = [
    "__global__ void f(int* t) { roles[threadIdx.x / 32](t); }",
    "__global__ void f(int* t) { Role f = threadIdx.x < 32 ? a : b; f(t); }",
    "__global__ void f(int* t) { Role f; if (threadIdx.x < 32) f = a; else f = b; f(t); }",
    "__global__ void f(int* t) { if (threadIdx.x < 32) go(FA(), t); else go(FB(), t); }",
    "__global__ void f(int* t) { if (threadIdx.x < 32) via(FA{}, t); else via(FB{}, t); }",
    "__global__ void f(int* t) { later[threadIdx.x >> 5](t); }",
    "__global__ void f(int* t) { (threadIdx.x < 32 ? a : b)(t); }",
    "__global__ void f(int* t, Role f, Role g) { Role r = threadIdx.x < 32 ? f : g; r(t); }",
    "__global__ void f(int* t, Plan* p) { p[threadIdx.x / 32].f(t); }",
    "__global__ void f(int* t) { DA x; DB y; Base* p = threadIdx.x < 32 ? (Base*)&x : (Base*)&y; p->run(t); }",
    "__global__ void f(int* t) { auto l = [=] { __syncthreads(); }; if (threadIdx.x < 32) l(); t[1] = 0; }",
    "__global__ void f(int* t) { auto l = [=](int* q) { a(q); }; if (threadIdx.x < 32) go(l, t); t[1] = 0; }",
    "__global__ void f(int* t) { Table::all[threadIdx.x / 32](t); }",
    (
        "__global__ void f(int* t, Var v) { Var mine = threadIdx.x < 32 ? Var(FA()) : Var(FB()); "
        "cuda::std::visit(Visit{t}, mine); }"
    ),
    "__global__ void f(int* t) { switch (threadIdx.x / 32) { case 0: a(t); break; default: b(t); } }",
    "__global__ void f(int* t) { static const Role own[] = {a, b}; own[threadIdx.x / 32](t); }",
    "__global__ void f(int* t) { Plan p; p.f = threadIdx.x < 32 ? a : b; p.f(t); }",
    ("__device__ void run(Role r, int* t) { (*r)(t); } __global__ void f(int* t) { run(roles[threadIdx.x / 32], t); }"),
]


def parted(kernel: str) -> bool:
    found = find_in_text(f"{DECLARED}{kernel}\n", "a.cu", None).findings
    return any(one.rule == "launch/barrier-in-branch" for one in found)


@pytest.mark.parametrize("kernel", BY_WARP)
def test_a_barrier_is_found_in_any_function_that_a_warp_may_choose(kernel: str) -> None:
    assert parted(kernel)


@pytest.mark.parametrize("kernel", BY_WARP)
def test_what_a_whole_wave_chooses_alike_is_met_by_all(kernel: str) -> None:
    for warp, wave in (("/ 32", "/ 64"), ("threadIdx.x < 32", "blockIdx.x < 3"), (">> 5", ">> 6")):
        kernel = kernel.replace(warp, wave)
    assert not parted(kernel)


OBJECTS = """\
template <class T> struct View { T* p; __device__ T& operator()(int i) const { return p[i]; } };
template <class T> struct Meeting { T* p; __device__ T& operator()(int i) const { __syncthreads(); return p[i]; } };
template <class T> using Row = View<T>;
template <class T> using Met = Meeting<T>;
struct Lock { int* held; __device__ void release() { atomicExch(held, 0); } };
struct Far { int n; __device__ void join(int* q); };
template <class T> struct Near { T far; };
struct Team { int* t; __device__ void held(int n) { __syncthreads(); } };
struct Crew { int* t; __device__ void run(int* q) { __syncthreads(); } };
struct Solo { int* t; __device__ void run(int* q) { q[0] = 1; } };
template <class R> __device__ void third(R& r, int* t) { r(t); r(t) = -limit; }
template <class R> __device__ void second(R& r, int* t) { third(r, t); }
template <class R> __device__ void first(R& r, int* t) { second(r, t); }
__device__ auto part(int* t, int n) { return local(t, n); }
__device__ Role chosen(bool first) { return first ? a : b; }
__device__ Plan plan(bool first) { Plan p; p.f = first ? a : b; return p; }
"""


@pytest.mark.parametrize(
    ("body", "waits"),
    [
        ("Row<int> r{t}; auto l = [&](int i) { if (i < 32) r(i) = 1; }; l(threadIdx.x);", False),
        ("Met<int> r{t}; auto l = [&](int i) { if (i < 32) r(i) = 1; }; l(threadIdx.x);", True),
        ("Foreign<int> r(t); if (threadIdx.x < 32) r(t);", False),
        ("auto r = foreign(t); if (threadIdx.x < 32) r(t);", False),
        ("auto r = later[0]; if (threadIdx.x < 32) r(t);", True),
        ("if (threadIdx.x < 32) go(later[0], t);", True),
        ("Lock l{t}; if (threadIdx.x < 32) l.release();", False),
        ("Near<Far> l; if (threadIdx.x < 32) l.far.join(t);", False),
        ("Team l{t}; if (threadIdx.x < 32) l.held(1);", True),
        # A library's objects, by a declared type that no file has, or made by a function of the project.
        ("Tensor r = foreign(t); if (threadIdx.x < 32) r(t);", False),
        ("auto r = part(t, 3); if (threadIdx.x < 32) r(t);", False),
        ("Tensor r = foreign(t); if (threadIdx.x < 32) first(r, t);", False),
        ("Role r = chosen(true); if (threadIdx.x < 32) first(r, t);", True),
        ("auto r = local(t)(1, 2); if (threadIdx.x < 32) r(t);", False),
        ("auto r = [&](int i) { auto p = t[i].part(); return p(1, 2); }(3); if (threadIdx.x < 32) r(t);", False),
        ("Foreign r(t); if (threadIdx.x < 32) r(t[0]) = -limit;", False),
        ("auto r = chosen(threadIdx.x < 32); r(t);", True),
        ("Role r = chosen(threadIdx.x < 32); r(t);", True),
        ("Role r = foreign(t); if (threadIdx.x < 32) r(t);", False),
        # `lane < a && get<0>(t)` is read as the call of a template.
        ("int lane = threadIdx.x; auto l = [&](int* q) { return lane < t[0] && get<0>(q) < t[1]; }; l(t);", False),
        # Members of a library's objects that are called as a pointer in a class of the project.
        ("Tensor r = foreign(t); r.f(t);", False),
        ("foreign(t).f(t);", False),
        ("Plan p = plan(threadIdx.x < 32); p.f(t);", True),
        # Two classes have a member of the name: only where they are derived from one does an object choose.
        ("meeting(t).run(t); Team l{t}; l.held(1);", False),
    ],
)
def test_an_object_of_a_class_is_no_pointer_to_any_function(body: str, waits: bool) -> None:
    """A data member is none either, whatever function of another class has its name."""
    assert parted(f"{OBJECTS}__global__ void f(int* t) {{ {body} ; t[1] = 0; }}") == waits


@pytest.mark.parametrize(("number", "key", "waits"), [("1", "threadIdx.x", False), ("threadIdx.x", "1", True)])
def test_a_number_is_given_to_the_overload_that_takes_one(number: str, key: str, waits: bool) -> None:
    made = f"__device__ int get(int n) const {{ return {number}; }} __device__ int get(Key k) const {{ return {key}; }}"
    body = "Store s; int one = 1; if (s.get(one) > 0) __syncthreads();"
    store = f"struct Key {{ int at; }}; struct Store {{ int* s; {made} }};"
    assert parted(f"{store} __global__ void f(int* t) {{ {body} ; t[1] = 0; }}") == waits


BUTTERFLY = """
#define CAT(a, b) a##b
#define SH(kind, v, x) CAT(__shfl_, kind##_sync)(~0u, v, x)
#define BUTTERFLY(step) for (int step = 16; step; step >>= 1)
__global__ void run(const int* in, int* out) {
    int s = in[threadIdx.x];
    BUTTERFLY(k) s += SH(xor, s, k);
    out[threadIdx.x] = s;
}
"""
KERNEL = "__global__ void k(int* t) { t[0] = __shfl_sync(~0u, t[1], 0); }\n"
FUNCTION = "__device__ void k(int* t) { t[0] = __shfl_sync(~0u, t[1], 0); }\n"


def parting(folder: Path, **files: str) -> list[str]:
    for name, text in files.items():
        (folder / f"{name}.cu").write_text(text)
    rules = "warp/meets-in-branches", "launch/barrier-in-branch"
    return [one.path for one in pipeline.scan(folder, Config(jobs=1)).findings if one.rule in rules]


@pytest.mark.parametrize("other", [KERNEL, FUNCTION])
def test_a_name_that_a_macro_declares_is_no_kernel_of_another_file(tmp_path: Path, other: str) -> None:
    assert not parting(tmp_path, a=BUTTERFLY, b=other, c=other)


OVERLOADS = FUNCTION + FUNCTION.replace("int* t)", "float* t)") + FUNCTION.replace("k(int* t)", "m(int* t)")


@pytest.mark.parametrize(
    ("body", "is_apart"),
    [
        ("take(k, threadIdx.x);", False),  # which overload it is, the types say
        ("take(threadIdx.x < 16, k, m);", True),
        ("typedef void (*F)(int*); F f = threadIdx.x < 16 ? k : m; f(t);", True),
    ],
)
def test_lanes_choose_between_names_and_not_between_overloads(tmp_path: Path, body: str, is_apart: bool) -> None:
    assert bool(parting(tmp_path, a=OVERLOADS + f"__global__ void run(int* t) {{ {body} }}\n")) is is_apart


@pytest.mark.parametrize(
    ("head", "type_", "found"),
    [("template <class V>", "V", False), ("", "V", True), ("template <class V>", "given", True)],
    ids=["a template's type", "a name of which nothing is seen", "a parameter"],
)
def test_a_cast_to_the_type_that_a_template_is_given_calls_nothing(head: str, type_: str, found: bool) -> None:
    """`(V)(x)` reads as a call of whatever `V` points to."""
    kernel = (
        f"{head} __device__ int wide(int x, Role given) {{ return (int)({type_})(x); }}\n"
        "__global__ void f(int* t, Role r) { if (threadIdx.x < 32) t[0] = wide(t[1], r); t[1] = 0; __syncthreads(); }"
    )
    taken = "__device__ int waits(int x) { __syncthreads(); return x; }\n__device__ Role one = waits;\n"
    assert parted(f"{taken}{kernel}") is found
