"""Conditions that ask an object: members that a constructor, a list in braces, a setter or another function gives."""

from __future__ import annotations

from typing import Any

import pytest

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.frontends import cuda
from cudamigrate.model import SourceFile
from cudamigrate.warp.object_changes import ObjectChanges
from cudamigrate.warp.obligations import failures
from cudamigrate.warp.transfer import evaluator_of

LEADS = "__device__ bool leads() const { return lane < 16; }"
MADE = "__device__ W() : lane(@) {}"
"""`@` is what the member is given: that of a thread, or of the block."""
HELD = f"struct W {{ int lane; {MADE} {LEADS} }};"
PLAIN = f"struct W {{ int lane; {LEADS} }};"
BASE = "struct B { int lane; __device__ B(int l) : lane(l) {} };"
INNER = f"struct I {{ int lane; __device__ I() : lane(@) {{}} {LEADS} }};"
GIVEN = f"struct W {{ int lane; __device__ W(int l) : lane(l) {{}} {LEADS} }};"
ASKED: dict[str, tuple[str, str, str]] = {
    "a list of a constructor": (HELD, "W w;", "w.leads()"),
    "a body of a constructor": (
        f"struct W {{ int lane; __device__ W() {{ this->lane = @; }} {LEADS} }};",
        "W w;",
        "w.leads()",
    ),
    "an argument of a constructor": (GIVEN, "W w(@);", "w.leads()"),
    "a parameter of the member's name": (
        f"struct W {{ int lane; __device__ W(int lane) : lane(lane) {{}} {LEADS} }};",
        "W w{int(@)};",
        "w.leads()",
    ),
    "a default argument": (
        f"struct W {{ int lane; __device__ W(int l = @) : lane(l) {{}} {LEADS} }};",
        "W w;",
        "w.leads()",
    ),
    "another constructor": (
        f"struct W {{ int lane; __device__ W(int l) : lane(l) {{}} __device__ W() : W(@) {{}} {LEADS} }};",
        "W w;",
        "w.leads()",
    ),
    "an allocation": (GIVEN, "W *w = new W(@);", "w->leads()"),
    "a default of the member": (f"struct W {{ int lane = @; {LEADS} }};", "W w;", "w.leads()"),
    "braces": (PLAIN, "W w{int(@)};", "w.leads()"),
    "braces of a small name": (f"struct worker {{ int lane; {LEADS} }};", "worker w{int(@)};", "w.leads()"),
    "braces of a type that is deduced": (PLAIN, "const auto w = W{int(@)};", "w.leads()"),
    "braces behind a static member": (
        f"struct W {{ static constexpr int n = 4; float f; int lane; {LEADS} }};",
        "W w = {1.0f, int(@)};",
        "w.leads()",
    ),
    "braces that name members": (
        f"struct W {{ int n; int lane; {LEADS} }};",
        "W w{.n = 3, .lane = int(@)};",
        "w.leads()",
    ),
    "braces that a function returns": (
        f"{PLAIN} __device__ W make() {{ return {{int(@)}}; }}",
        "auto w = make();",
        "w.leads()",
    ),
    "braces that are assigned": (PLAIN, "W w; w = {int(@)};", "w.leads()"),
    "braces that nothing has a type for": (PLAIN, "W w{int(@)}; other = {};", "w.leads()"),
    "braces in braces": (f"struct I {{ int lane; {LEADS} }}; struct W {{ I i; }};", "W w{{int(@)}};", "w.i.leads()"),
    "braces of an element": (PLAIN, "W w[2] = {{int(@)}, {3}};", "w[0].leads()"),
    "an assignment": (PLAIN, "W w; w.lane = @;", "w.leads()"),
    "a setter": (
        f"struct W {{ int lane; __device__ void set(int l) {{ lane = l; }} {LEADS} }};",
        "W w; w.set(@);",
        "w.leads()",
    ),
    "a call that gives the object back": (
        f"struct W {{ int lane; __device__ W &init() {{ lane = @; return *this; }} {LEADS} }};",
        "W w;",
        "w.init().leads()",
    ),
    "a function by reference": (f"{PLAIN} __device__ void fill(W &w) {{ w.lane = @; }}", "W w; fill(w);", "w.leads()"),
    "a function that gets the member": (
        f"{PLAIN} __device__ void fill(int &l) {{ l = @; }}",
        "W w; fill(w.lane);",
        "w.leads()",
    ),
    "a member of an element": (PLAIN, "W w[2]; w[0].lane = @;", "w[0].leads()"),
    "an element of a member": (
        "struct W { int v[2]; __device__ bool leads() const { return v[0] < 16; } };",
        "W w; w.v[0] = @;",
        "w.leads()",
    ),
    "a base": (
        f"struct B {{ int lane; __device__ B() : lane(@) {{}} }}; struct W : B {{ {LEADS} }};",
        "W w;",
        "w.leads()",
    ),
    "an argument of a base": (f"{BASE} struct W : B {{ __device__ W() : B(@) {{}} {LEADS} }};", "W w;", "w.leads()"),
    "a constructor of a base": (f"{BASE} struct W : B {{ using B::B; {LEADS} }};", "W w(@);", "w.leads()"),
    "a base of a base": (
        f"struct A {{ int lane; __device__ A() : lane(@) {{}} }}; struct B : A {{ }}; struct W : B {{ {LEADS} }};",
        "W w;",
        "w.leads()",
    ),
    "a template as base": (
        f"template <class T> struct B {{ T lane; __device__ B() : lane(@) {{}} }}; struct W : B<int> {{ {LEADS} }};",
        "W w;",
        "w.leads()",
    ),
    "a class that its base knows": (
        f"template <class D> struct B {{ __device__ bool leads() const {{ return static_cast<const D "
        f"*>(this)->lane < 16; }} }};struct W : B<W> {{ int lane; {MADE} }};",
        "W w;",
        "w.leads()",
    ),
    "a member of a member": (
        "struct I { int lane; }; struct W { I i; __device__ W() { i.lane = @; } __device__ bool leads() "
        "const { return i.lane < 16; } };",
        "W w;",
        "w.leads()",
    ),
    "a member that is asked": (
        f"{INNER} struct W {{ I i; __device__ const I &in() const {{ return i; }} }};",
        "W w;",
        "w.in().leads()",
    ),
    "an arrow of the class": (
        f"{INNER} struct W {{ I i; __device__ I *operator->() {{ return &i; }} }};",
        "W w;",
        "w->leads()",
    ),
    "a getter": (
        f"struct W {{ int lane; {MADE} __device__ const int &get() const {{ return lane; }} }};",
        "W w;",
        "w.get() < 16",
    ),
    "a function outside of the class": (
        f"{HELD} __device__ bool low(const W &w) {{ return w.leads(); }}",
        "W w;",
        "low(w)",
    ),
    "a conversion": (
        f"struct W {{ int lane; {MADE} __device__ explicit operator bool() const {{ return lane < 16; }} }};",
        "W w;",
        "!w",
    ),
    "a condition that declares": (
        f"struct W {{ int lane; {MADE} __device__ explicit operator bool() const {{ return lane < 16; }} }};",
        "",
        "W w = W()",
    ),
    "a sign of the class": (
        f"struct W {{ int lane; {MADE} __device__ bool operator<(int n) const {{ return lane < n; }} }};",
        "W w;",
        "w < 16",
    ),
    "a sign outside of the class": (
        f"struct W {{ int lane; {MADE} }}; __device__ bool operator<(const W &w, int n) {{ return w.lane < n; }}",
        "W w;",
        "w < 16",
    ),
    "a star of the class": (
        f"struct W {{ int lane; {MADE} __device__ int operator*() const {{ return lane; }} }};",
        "W w;",
        "*w < 16",
    ),
    "a function object": (
        f"struct W {{ int lane; {MADE} __device__ bool operator()(int n) const {{ return lane < n; }} }};",
        "W w;",
        "w(16)",
    ),
    "a lambda with a variable of its own": ("", "auto f = [l = int(@)] { return l < 16; };", "f()"),
    "another name of the class": (f"typedef struct Q {{ int lane; {LEADS} }} W;", "W w; w.lane = @;", "w.leads()"),
    "a reference to the member": (PLAIN, "W w; int &l = w.lane; l = @;", "w.leads()"),
    "a reference that is asked": (PLAIN, "W w; w.lane = @; const int &l = w.lane;", "l < 16"),
    "a reference to the object": (PLAIN, "W w; W &v = w; v.lane = @;", "w.leads()"),
    "a pointer to the member": (PLAIN, "W w; int *l = &w.lane; *l = @;", "w.leads()"),
    "a pointer to the object": (PLAIN, "W w; W *p = &w; p->lane = @;", "w.leads()"),
    "a reference to an element": ("", "int v[2]; int &l = v[0]; l = @;", "v[0] < 16"),
    "a function by address": (f"{PLAIN} __device__ void fill(W *w) {{ w->lane = @; }}", "W w; fill(&w);", "w.leads()"),
    "a function that gets the member's address": (
        f"{PLAIN} __device__ void fill(int *l) {{ *l = @; }}",
        "W w; fill(&w.lane);",
        "w.leads()",
    ),
    "a setter of a base": (
        f"struct B {{ int lane; __device__ void set(int l) {{ lane = l; }} {LEADS} }};"
        "struct W : B { __device__ explicit W(int l) { this->set(l); } };",
        "W w(@);",
        "w.leads()",
    ),
    "a union": (f"union W {{ int lane; float f; {MADE} {LEADS} }};", "W w;", "w.leads()"),
}
BARRIER = "if ({}) {{ a[1] = 2; __syncthreads(); }} a[2] = a[1]; __syncthreads(); a[3] = a[2];"
SHUFFLE = "if ({}) a[4] = __shfl_sync(0xffffffff, a[5], 0); else a[6] = __shfl_sync(0xffffffff, a[7], 1);"
OF_THREAD, OF_BLOCK = "threadIdx.x % 32", "blockIdx.x % 32"
OTHERS = (
    "struct V { int lane; __device__ bool leads() const { return lane < 3; } };"
    "__global__ void other(int *a) { V w; w.lane = blockIdx.x; a[0] = w.leads(); }"
)
"""Another class with the same names, of which all threads of a block have the same."""


def failing(parsed: ParsedFile) -> list[str]:
    """What fails, by kind; a barrier is one also where nothing shows whether all threads answer alike."""
    return ["barrier" if one.kind == "asked" else one.kind for one in failures(evaluator_of(parsed))]


def found(name: str, body: str, given: str) -> list[str]:
    before, made, asked = ASKED[name]
    text = f"{before}\n__global__ void k(int *a, int n) {{ {made} {body.format(asked)} }}\n{OTHERS}".replace("@", given)
    parsed = cuda.parse(SourceFile("a.cu", text.encode(), "cuda"), frozenset())
    return failing(parsed)


@pytest.mark.parametrize("name", ASKED)
def test_a_condition_that_asks_an_object_of_each_thread_parts_a_wave(name: str) -> None:
    assert found(name, BARRIER, OF_THREAD) == ["barrier"]
    assert found(name, SHUFFLE, OF_THREAD) == ["divided"]


@pytest.mark.parametrize("name", ASKED)
def test_one_that_asks_what_the_block_has_does_not(name: str) -> None:
    assert found(name, BARRIER, OF_BLOCK) == [] and found(name, SHUFFLE, OF_BLOCK) == []
    assert found(name, SHUFFLE, "threadIdx.x / 32") == []


FOR_THE_BLOCK = "__global__ void other(int *a) {{ {} a[0] = {}; }}\n"
"""The same object in another kernel, where all threads of a block have the same in it."""
SPLIT = ("an assignment", "a setter", "a reference to the member", "an argument of a constructor")


@pytest.mark.parametrize("name", SPLIT)
def test_what_another_object_of_the_class_holds_is_not_its(name: str) -> None:
    before, made, asked = ASKED[name]
    other = FOR_THE_BLOCK.format(made.replace("@", "blockIdx.x"), asked)
    kernel = f"__global__ void k(int *a, int n) {{ {made.replace('@', OF_THREAD)} {SHUFFLE.format(asked)} }}\n"
    parsed = cuda.parse(SourceFile("a.cu", f"{before}\n{other}{kernel}".encode(), "cuda"), frozenset())
    assert failing(parsed) == ["divided"]


ELEMENT = (
    "__shared__ W w[64]; w[threadIdx.x].lane = threadIdx.x; __syncthreads(); if ({}) __syncthreads(); a[2] = a[1];"
)


@pytest.mark.parametrize(("asked", "kinds"), [("w[threadIdx.x].leads()", ["barrier"]), ("w[n].leads()", [])])
def test_an_element_in_memory_of_the_block_is_that_of_the_thread_if_its_number_is(asked: str, kinds: list[str]) -> None:
    text = f"{PLAIN}\n__global__ void k(int *a, int n) {{ {ELEMENT.replace('{}', asked)} }}\n"
    parsed = cuda.parse(SourceFile("a.cu", text.encode(), "cuda"), frozenset())
    assert failing(parsed) == kinds


MACROS = """#define HD __host__ __device__
struct W { int lane, n; HD W() : lane(@), n{3} {} HD bool leads() const { return lane < 16; } };
"""


@pytest.mark.parametrize(("given", "kinds"), [(OF_THREAD, ["barrier"]), (OF_BLOCK, [])])
def test_a_macro_for_qualifiers_before_a_constructor_hides_no_member(given: str, kinds: list[str]) -> None:
    text = f"{MACROS}__global__ void k(int *a) {{ W w; {BARRIER.format('w.leads()')} }}\n".replace("@", given)
    parsed = cuda.parse(SourceFile("a.cu", text.encode(), "cuda"), frozenset())
    assert failing(parsed) == kinds


RANGE = """struct Range {
    int first, last;
    __device__ bool empty() const { return first >= last; }
    __device__ bool any() const { return !empty(); }
};
"""


@pytest.mark.parametrize(("asked", "kinds"), [("t", ["barrier"]), ("b", [])])
def test_a_method_asks_the_object_that_it_is_called_of(asked: str, kinds: list[str]) -> None:
    made = "Range b{(int)blockIdx.x, n}, t{(int)threadIdx.x, n}; if (t.any()) a[0] = 1;"
    text = f"{RANGE}__global__ void k(int *a, int n) {{ {made} {BARRIER.format(f'{asked}.any()')} }}\n"
    parsed = cuda.parse(SourceFile("a.cu", text.encode(), "cuda"), frozenset())
    assert failing(parsed) == kinds


QUEUES = """struct Slot { int at;
    __device__ Slot(int n) : at(n) {}
    __device__ Slot operator+(int n) const { return Slot(at + n); }
    __device__ int read(int *p) const { return p[at]; }
    __device__ int meet(int *p) const { __syncthreads(); return p[at]; } };
struct Stage { __device__ int read(int *p) const { __syncthreads(); return p[0]; } };
struct Plain { __device__ int meet(int *p) const { return p[0]; } };
"""


@pytest.mark.parametrize(
    ("object_", "kinds"),
    [
        ("(s + 1).read(a)", []),
        ("(s + 1).meet(a)", ["barrier"]),
        ("(q + n)->read(a)", []),
        ("(q + n)->meet(a)", ["barrier"]),
        ("(q - n + 1)->meet(a)", ["barrier"]),
        ("(n > 2 ? s : s + 1).read(a)", []),
        ("(n > 2 ? s : s + 1).meet(a)", ["barrier"]),
        ("(p + n)->read(a)", ["barrier"]),
        ("(*(q + n)).read(a)", []),
    ],
)
def test_what_an_operator_or_a_moved_pointer_gives_is_of_a_class(object_: str, kinds: list[str]) -> None:
    made = f"Slot s(n); if (threadIdx.x < 16) a[1] = {object_}; a[2] = 1;"
    text = f"{QUEUES}__global__ void k(int *a, int n, Slot *q, Stage *p) {{ {made} }}\n"
    parsed = cuda.parse(SourceFile("a.cu", text.encode(), "cuda"), frozenset())
    assert failing(parsed) == kinds


@pytest.mark.parametrize(
    ("run", "other", "kinds"),
    [
        ("s.run()", "__syncthreads();", []),
        ("meet()", "", ["barrier"]),
        ("s.await()", "", ["barrier"]),
        ("s.await()", "__syncthreads();", ["barrier"]),
    ],
)
def test_a_function_of_void_takes_nothing(run: str, other: str, kinds: list[str]) -> None:
    before = (
        "struct Shader { int n; __device__ void run(void); __device__ void await(void) { __syncthreads(); } };\n"
        "__device__ void Shader::run(void) { n = 1; }\n__device__ void meet(void) { __syncthreads(); }\n"
        f"struct Stage {{ static __device__ void run() {{ {other} }} }};\n"
    )
    kernel = f"__global__ void k(int *a) {{ Shader s; if (threadIdx.x < 16) {run}; a[2] = 1; }}\n"
    parsed = cuda.parse(SourceFile("a.cu", (before + kernel).encode(), "cuda"), frozenset())
    assert failing(parsed) == kinds


SHARED_PART = """struct Work { int sum[66]; int *rows; };
struct Temp { char space[64]; Work work; };
__device__ void take(Work &w) { w.sum[threadIdx.x] = threadIdx.x; __syncthreads(); }
__device__ int left(Work &w) { volatile int *s = (volatile int *)w.sum; return s[65]; }
__device__ void serve(Temp &t) { take(t.work); if (left(t.work) > 2) __syncthreads(); }
"""
PLACES = {
    "a member of an object in shared memory": ("__shared__ Temp t; serve(t);", []),
    "an object made in shared memory": ("__shared__ char m[512]; Temp &t = *new (m) Temp; serve(t);", []),
    "an object made behind another": ("__shared__ char m[512]; Temp &t = *new (m + 64) Temp; serve(t);", []),
    "an object of each thread": ("Temp t; serve(t);", ["barrier"]),
    "an object made in memory of each thread": ("char m[512]; Temp &t = *new (m) Temp; serve(t);", ["barrier"]),
    "an object for each thread": ("__shared__ Temp t[64]; serve(t[threadIdx.x]);", ["barrier"]),
    "an object made for each thread": (
        "__shared__ char m[512]; Temp &t = *new (m + threadIdx.x * 8) Temp; serve(t);",
        ["barrier"],
    ),
}


@pytest.mark.parametrize("name", PLACES)
def test_a_part_of_an_object_in_shared_memory_is_the_same_for_all(name: str) -> None:
    made, kinds = PLACES[name]
    text = f"{SHARED_PART}__global__ void k(int *a) {{ {made} a[2] = 1; }}\n"
    parsed = cuda.parse(SourceFile("a.cu", text.encode(), "cuda"), frozenset())
    assert failing(parsed) == kinds


def test_what_is_handed_where_nobody_calls_is_no_memory_of_each_thread() -> None:
    calls = "__device__ void unused(Temp *own) { serve(own[threadIdx.x]); }\n"
    text = f"{SHARED_PART}{calls}__global__ void k(int *a) {{ __shared__ Temp t; serve(t); a[2] = 1; }}\n"
    parsed = cuda.parse(SourceFile("a.cu", text.encode(), "cuda"), frozenset())
    assert list(failures(evaluator_of(parsed))) == []


def test_a_constructor_at_an_address_is_called() -> None:
    text = (
        "struct Meet { int n; __device__ Meet(int m) : n(m) { __syncthreads(); } };\n"
        "__global__ void k(int *a) { __shared__ char m[64]; if (threadIdx.x < 9) new (m) Meet(3); a[2] = 1; }\n"
    )
    parsed = cuda.parse(SourceFile("a.cu", text.encode(), "cuda"), frozenset())
    assert failing(parsed) == ["barrier"]


def test_methods_that_call_each_other_are_asked_once_each(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = 0
    ask = ObjectChanges._by_method

    def counted(*given: Any) -> Any:
        nonlocal asked
        asked += 1
        assert asked < 5000  # on all ways from one to another there are many millions
        return ask(*given)

    monkeypatch.setattr(ObjectChanges, "_by_method", counted)
    calls = "".join(
        f"__device__ void m{at}(int v) {{ p = v; m{(at + 1) % 5}(v); m{(at + 2) % 5}(v); }}" for at in range(5)
    )
    code = (
        f"struct H {{ int p; __device__ H(int v) {{ m0(v); }} {calls} }};"
        "__global__ void k(int *a) { H h(threadIdx.x); if (h.p < 32) { __syncthreads(); } a[0] = h.p; }"
    )
    parsed = cuda.parse(SourceFile("a.cu", code.encode(), "cuda"), frozenset())
    assert failing(parsed) == ["barrier"]
    assert asked > 5


BASE_OF_THE_SAME_NAME = """
template <class T, int... S> class View;
template <class T, int... S> class View<const T, S...> {
public:
    template <class... A> __device__ const T *ptr(A... c) const { return at(c...); }
    template <class D> __device__ const T &operator[](D c) const { return *at(c.y, c.x); }
protected:
    template <class... A> __device__ const T *at(A... c) const {
        int where[] = {c...};
        return data + where[0] * pitch[0];
    }
    const T *data;
    int pitch[2];
};
template <class T, int... S> class View : public View<const T, S...> {
public:
    template <class D> __device__ T &operator[](D c) const { return *at(c.y, c.x); }
    template <class... A> __device__ T *ptr(A... c) const { return at(c...); }
protected:
    template <class... A> __device__ T *at(A... c) const { return const_cast<T *>(View<const T, S...>::at(c...)); }
};
__global__ void k(View<float, -1, 4> v, float *out) {
    float *p = v.ptr(threadIdx.x);
    float q = v[make_int2(threadIdx.x, 1)];
    if (*p > 0.5f && q > 1.f) { __syncwarp(); out[0] = q; }
    if (*v.ptr(blockIdx.x) > 0.5f) __syncthreads();
}
"""


def test_methods_of_a_base_of_the_same_name_lead_to_each_other() -> None:
    parsed = cuda.parse(SourceFile("a.cu", BASE_OF_THE_SAME_NAME.encode(), "cuda"), frozenset())
    assert failing(parsed) == []  # the one barrier of blocks is asked for by what the whole block reads
