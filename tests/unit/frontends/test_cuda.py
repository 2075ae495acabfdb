"""The CUDA front end: which uses are seen, and which look-alikes are left alone."""

import pytest

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.frontends import cuda
from cudamigrate.model import Definition, SourceFile, Use
from cudamigrate.syntax.tree_sitter_nodes import error_bytes

WORDS = frozenset(
    b"curand cudaMalloc cudaFree cudaHelper cudaStream_t cudaError_t hipError_t cub reduce __shfl_sync "
    b"getCurrentCUDAStream".split()
)


def parse(text: str, path: str = "a.cu") -> ParsedFile:
    return cuda.parse(SourceFile(path, text.encode(), cuda.FILES[path[path.rindex(".") :]]), WORDS)


def uses(text: str, kind: str | None = None) -> list[Use]:
    return [use for use in parse(text).uses if kind in (None, use.kind)]


def names(text: str) -> list[str]:
    return [use.name for use in uses(text)]


def extents(text: str, kind: str) -> list[str]:
    data = text.encode()
    return [data[use.extent.start : use.extent.end].decode() for use in uses(text, kind)]


@pytest.mark.parametrize(
    "text",
    [
        "// cudaMalloc(p, 1)\n",
        "/* cudaMalloc(p, 1) */",
        'const char *s = "cudaMalloc(p, 1)";',
        'const char *s = R"x(cudaMalloc(p, 1))x";',
        "void f(Pool *pool) { pool->cudaMalloc(1); }",
        "void f(Pool pool) { pool.cudaMalloc(1); }",
        "int my_cudaMalloc, cudaMallocX, hipError_t_t;",
        '#error "cudaMalloc is missing"\n',
        "#error cudaMalloc isn't there\n",
        '#include "cub/cudaMalloc/reduce.h"\nint cub = 1;',
    ],
)
def test_look_alike_is_no_use(text: str) -> None:
    assert [use for use in uses(text) if use.kind != "include" and use.name != "cub"] == []


@pytest.mark.parametrize(
    "text",
    ["void f() { cudaMalloc(&p, 1); }", "#define M cudaMalloc(&p, 1)\n", "void f() { return ::cudaMalloc(&p, 1); }"],
)
def test_call_is_a_use_with_its_arguments(text: str) -> None:
    (use,) = uses(text)
    assert (use.kind, use.name, len(use.args)) == ("call", "cudaMalloc", 2)


def test_name_without_a_call() -> None:
    (use,) = uses("void f() { auto g = &cudaMalloc; }")
    assert (use.kind, use.args) == ("name", ())


def test_call_with_template_arguments() -> None:
    (use,) = uses("void f() { cudaMalloc<float, 2>(&p, g(1, 2)); }")
    assert (use.kind, len(use.args)) == ("call", 2)


def test_qualified_name_is_spelled_in_full() -> None:
    assert names("void f() { at::cuda::getCurrentCUDAStream(); }") == ["at::cuda::getCurrentCUDAStream"]


def test_namespace_use_and_a_variable_of_that_name() -> None:
    found = uses("using namespace cub; void f() { cub::Sum s; int cub = 1; g(cub); }", "namespace")
    assert [use.span.start for use in found] == [16, 32]


def test_namespace_below_another_is_named_in_full() -> None:
    assert "mylib::cub" in names("void f() { mylib::cub::Sum s; }")


def test_device_and_host_functions_give_scopes() -> None:
    text = "__global__ void k() { __shfl_sync(m, 1, 2); }\nvoid h() { cudaFree(p); }\n#define M cudaFree(p)\n"
    assert [use.scope for use in uses(text)] == ["device", "host", "macro"]


@pytest.mark.parametrize("head", ["LIB_PREFIX\n\n", "inline ", ""])
def test_a_macro_before_a_namespace_is_no_function_around_all_of_it(head: str) -> None:
    text = head + "namespace a {\nclass B {\n  LIB_DEVICE void wait() { __syncthreads(); }\n"
    text += "  cudaError_t reset() { return cudaFree(p); }\n  LIB_DEVICE void go() { cudaMalloc(p, 1); }\n};\n}\n"
    assert [(one.name, one.scope) for one in uses(text, "call")] == [("cudaFree", "host"), ("cudaMalloc", "device")]


@pytest.mark.parametrize(("word", "scope"), [("_CCCL_DEVICE", "device"), ("_CCCL_HOST", "host")])
def test_what_cudas_libraries_call_the_qualifiers_says_where_a_function_runs(word: str, scope: str) -> None:
    assert uses(f"{word} void f() {{ cudaFree(p); }}\n", "call")[0].scope == scope


def test_own_global_function_is_a_definition_not_a_use() -> None:
    parsed = parse("void cudaFree(int x) { }\nvoid g() { cudaFree(1); }", "a.cpp")
    assert parsed.definitions == [Definition("cudaFree", "")]
    assert len(parsed.uses) == 1


@pytest.mark.parametrize(("path", "head"), [("a.cu", ""), ("a.h", "#include <cuda_runtime.h>\n")])
def test_function_that_sees_cudas_own_is_an_overload_and_shares_its_fate(path: str, head: str) -> None:
    parsed = parse(head + "void cudaFree(Half x) { }\nvoid g() { cudaFree(1); }", path)
    assert parsed.definitions == []
    assert [use.name for use in parsed.uses if use.kind != "include"] == ["cudaFree", "cudaFree"]


OWN_TEMPLATE = "template <class T> T *curand(curandGenerator_t g, int n) { return nullptr; }\n"


@pytest.mark.parametrize("more", ["", OWN_TEMPLATE.replace("{ return nullptr; }", ";"), "#include <curand.h>\n"])
def test_a_template_called_with_its_types_is_no_function_of_c(more: str) -> None:
    parsed = parse(f"{more}{OWN_TEMPLATE}void f() {{ curand<float>(g, 1); }}", "a.cu")
    assert [one.name for one in parsed.definitions] == ["curand"]


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("a.cu", f"{OWN_TEMPLATE}__global__ void f(curandState *s) {{ curand(s); }}"),
        ("a.cuh", f"{OWN_TEMPLATE}void f() {{ curand<float>(g, 1); }}"),
        ("a.cu", OWN_TEMPLATE.replace("template <class T> T", "int") + "void f() { g(curand(1)); }"),
        ("a.cu", "template <class T> int cudaMalloc(T **p, Half n) { return 0; }\nvoid f() { cudaMalloc<T>(p, 1); }"),
    ],
)
def test_what_may_be_an_overload_of_the_librarys_shares_its_fate(path: str, code: str) -> None:
    parsed = parse(code, path)
    assert parsed.definitions == []
    assert len([use for use in parsed.uses if use.name in ("curand", "cudaMalloc")]) == 2


def test_function_in_a_hip_branch_is_the_ports_own() -> None:
    parsed = parse("#ifdef USE_ROCM\nint cudaFree(void *p) { return hipFree(p); }\n#endif\n")
    assert parsed.definitions == [Definition("cudaFree", "", for_hip=True)]


def test_own_member_function_is_defined_in_its_class() -> None:
    parsed = parse("namespace n { struct S { int cudaFree(int x); int f() { return cudaFree(1); } }; }")
    assert parsed.definitions == [Definition("cudaFree", "n::S")]
    assert [use.enclosing for use in parsed.uses] == ["n::S"]


def test_member_that_is_called_like_cudas_function_is_the_classs_own() -> None:
    parsed = parse("struct Api { Fn *cudaFree; int cudaMalloc; decltype(&other) cudaStream_t; };")
    assert {d.name: d.enclosing for d in parsed.definitions} == {
        "cudaFree": "Api",
        "cudaMalloc": "Api",
        "cudaStream_t": "Api",
    }
    assert parsed.uses == []


def test_own_macro_and_own_type_are_definitions() -> None:
    parsed = parse("#define cudaFree(x) my_free(x)\nusing cudaStream_t = int;\n")
    assert {definition.name for definition in parsed.definitions} == {"cudaFree", "cudaStream_t"}


def test_fall_back_definition_is_renamed_with_its_uses() -> None:
    parsed = parse("#ifdef NO_GPU\ntypedef int cudaStream_t;\n#endif\nvoid f(cudaStream_t s);")
    assert parsed.definitions == [Definition("cudaStream_t", "", fallback=True)]
    assert len(parsed.uses) == 2


@pytest.mark.parametrize(
    ("refusal", "fallback"),
    [
        ("#ifdef USE_GPU\n#error not with a GPU\n#endif\n", True),
        ("#if defined(USE_GPU)\n#error not with a GPU\n#endif\n", True),
        ("#ifndef USE_GPU\n#error only with a GPU\n#endif\n", False),
        ("#ifdef _MSC_VER\n#pragma once\n#endif\n", False),
        ("#ifdef __OLD_COMPILER__\n#error too old\n#endif\n", False),
        ("#if USE_GPU || OTHER\n#error not with either\n#endif\n", False),
    ],
)
def test_what_a_file_defines_that_refuses_builds_with_a_macro_is_a_fall_back(refusal: str, fallback: bool) -> None:
    parsed = parse(f"{refusal}using cudaStream_t = int *;\nvoid f(cudaStream_t s);")
    assert parsed.definitions == [Definition("cudaStream_t", "", fallback=fallback)]
    assert len(parsed.uses) == (2 if fallback else 1)
    assert parse(f"using cudaStream_t = int *;\n{refusal}").definitions == [Definition("cudaStream_t", "")]


@pytest.mark.parametrize(
    "text",
    [
        "#ifndef RTC\ninline cudaError_t cudaFree(void *p) { return ::cudaFree(p); }\n#endif",
        "#ifdef A\ntypedef curandStateMRG32k3a_t cudaFree;\n#endif",
        "#ifdef A\nusing cudaFree = curandStateXORWOW_t;\n#endif",
    ],
)
def test_what_a_namespace_makes_of_cuda_is_no_fall_back(text: str) -> None:
    assert Definition("cudaFree", "n") in parse(f"namespace n {{\n{text}\n}}").definitions
    assert Definition("cudaFree", "") not in parse(text).definitions


def test_a_stub_in_a_namespace_is_a_fall_back() -> None:
    for text in ("typedef int cudaFree;", "inline int cudaFree(void *p) { return 0; }"):
        made = parse(f"namespace n {{\n#ifdef NO_GPU\n{text}\n#endif\n}}").definitions
        assert made == [Definition("cudaFree", "n", fallback=True)]


def test_type_parameter_is_a_name_of_its_template_alone() -> None:
    parsed = parse("template <typename cudaStream_t> struct S { cudaStream_t s; };\ncudaStream_t t;")
    assert [(use.name, use.span.start) for use in parsed.uses] == [("cudaStream_t", 63)]


@pytest.mark.parametrize(
    "text",
    ["static void (*cudaFree)(int) = nullptr;", "extern int *cudaFree;", "namespace n { int cudaFree[4]; }"],
)
def test_own_variable_at_file_level_is_a_definition(text: str) -> None:
    assert [definition.name for definition in parse(text).definitions] == ["cudaFree"]


def test_local_variable_hides_nothing_elsewhere() -> None:
    parsed = parse("void f() { int cudaFree = 1; }\nvoid g() { cudaFree(p); }")
    assert parsed.definitions == []
    assert len(parsed.uses) == 1


def test_prototype_is_a_use() -> None:
    parsed = parse('extern "C" cudaError_t cudaFree(void *p);')
    assert parsed.definitions == []
    assert [use.name for use in parsed.uses] == ["cudaError_t", "cudaFree"]


def test_code_that_a_hip_macro_guards_is_ported() -> None:
    parsed = parse("#ifdef USE_ROCM\nhipFree(p);\n#else\ncudaFree(p);\n#endif\ncudaFree(q);\n")
    assert len(parsed.ported) == 2
    assert [use.span.start for use in parsed.uses] == [54]


def test_code_that_another_macro_guards_is_not_ported() -> None:
    assert parse("#ifdef USE_GPU\ncudaFree(p);\n#endif\n").ported == []


@pytest.mark.parametrize(
    ("text", "extent", "kernel"),
    [
        ("void f() { k<<<1, 2>>>(a); }", "<<<1, 2>>>", "k"),
        ("void f() { k<< <1, 2>> >(a); }", "<< <1, 2>> >", "k"),
        ("void f() { k<float, 32><<<dim3(1, 2), g<3>()>>>(a); }", "<<<dim3(1, 2), g<3>()>>>", "k"),
        ("#define L(k, n) k<<<(n) >> 5, 32>>>()\n", "<<<(n) >> 5, 32>>>", "k"),
        ("void f() { k<<<\n  grid,\n  block\n  >>>\n(a); }", "<<<\n  grid,\n  block\n  >>>", "k"),
    ],
)
def test_launch_is_found_however_it_is_spelled(text: str, extent: str, kernel: str) -> None:
    assert extents(text, "launch") == [extent]
    assert uses(text, "launch")[0].name == kernel


def test_a_configuration_does_not_hold_another_one() -> None:
    assert extents("#define L k<<<1, h<<<1, 32>>>(x)\n", "launch") == ["<<<1, 32>>>"]
    assert extents("void f() { k<<<1 /* <<< */, 32>>>(x); }", "launch") == ["<<<1 /* <<< */, 32>>>"]
    assert extents("void f() { k<<<g([] { h<<<1, 1>>>(); }), 32>>>(x); }", "launch")[0].endswith(", 32>>>")


def test_shift_is_no_launch() -> None:
    assert uses("void f() { int a = b << 2; x = vector<vector<int>>(3); }", "launch") == []


def test_a_macro_called_asm_is_no_statement() -> None:
    assert extents("#define asm(x)\n", "asm") == []
    assert extents('#define ADD(x) asm("add %0;" :: "r"(x))\n', "asm") == ['asm("add %0;" :: "r"(x))']


def test_asm_statement_is_one_use() -> None:
    assert extents('__device__ void f() { asm volatile("a;" : "=r"(x) : "r"(y)); }', "asm") == [
        'asm volatile("a;" : "=r"(x) : "r"(y))'
    ]


def test_token_pasting_is_a_use_of_its_pieces() -> None:
    assert [use.name for use in uses("#define C(n) cuda##n\n", "paste")] == ["cuda ## n"]


def test_includes_know_whether_a_conditional_holds_them() -> None:
    parsed = parse('#pragma once\n#include <a.h>\n#ifdef X\n#include "b.h"\n#endif\n')
    assert [(i.path, i.quoted, i.conditional) for i in parsed.includes] == [("a.h", False, False), ("b.h", True, True)]


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("a.cu", "int x;", True),
        ("a.h", "int x;", False),
        ("a.h", "__device__ int x;", True),
        ("a.cpp", "#include <cuda_runtime.h>\n", True),
        ("a.cpp", "#include <cstdio>\nint cudaLess;", False),
        ("a.cpp", "void f() { cudaFree(p); }", True),
        ("a.h", "inline int f() { return cutlass::half_t(1) + 2; }", True),
        ("a.h", "inline int f() { return cubic::sum(p) + my::cutlass::x; }", False),
    ],
)
def test_only_files_that_touch_cuda_are_parsed(path: str, text: str, expected: bool) -> None:
    language = cuda.FILES["." + path.rpartition(".")[2]]
    assert cuda.is_cuda(SourceFile(path, text.encode(), language), WORDS) is expected


@pytest.mark.parametrize(
    "data", [b"", b"\xff\xfe\x00", b"{{{((", b"#if\n#else\n#endif\n#endif", b"cudaFree(", b"asm(", b"##"]
)
def test_no_bytes_make_the_front_end_raise(data: bytes) -> None:
    cuda.parse(SourceFile("a.cu", data, "cuda"), WORDS)


@pytest.mark.parametrize(
    "text",
    ["This is prose, not code. It has sentences; and more!\n" * 20, "def f(x):\n    return [y for y in x if y]\n" * 20],
)
def test_text_that_is_not_code_is_a_problem(text: str) -> None:
    assert parse(text).problems


@pytest.mark.parametrize(
    "text",
    [
        "",
        "__global__ void k() { }\n",
        "#define A {\n" + "BEGIN(x) cudaFree(p) END\n" * 20,
        "template <int N> struct S { __device__ int f() const { return N; } };\n}}}}\n",
    ],
)
def test_odd_but_plausible_code_is_read(text: str) -> None:
    assert not parse(text).problems


@pytest.mark.parametrize(
    "text",
    [
        "KERNEL void f(int* a) { a[threadIdx.x] = __shfl_sync(1, 0); }",
        "LAUNCHED(256)\nvoid f() { __syncthreads(); __shfl_sync(1, 0); }",
        "void f() { each(n, [=] LIB_DEVICE_FUNC(int i) { __shfl_sync(i, 0); }); }",
        "void f() { auto g = [=] LIB_DEVICE_FUNC (int i) { __shfl_sync(i, 0); }; }",
        "void f() { each(n, ON_GPU(int i) { int x = threadIdx.x; __shfl_sync(i, 0); }); }",
        "KERNEL void f() { auto g = [&](int i) { return threadIdx.x; }; __shfl_sync(1, 0); }",
        "KERNEL void f() { each(n, [&](int i) { int x = threadIdx.x; }); __shfl_sync(1, 0); }",
        "void f() { choose(t, [&] { each(n, ON_GPU(int i) { int x = threadIdx.x; __shfl_sync(1, 0); }); }); }",
        "__global__ void f() {\n#if A\nif (x) { return; } else {\n#endif\nint i = threadIdx.x; __shfl_sync(i, 0);\n"
        "#if A\n}\n#endif\n}",
    ],
)
def test_what_reads_its_thread_s_place_runs_on_the_device(text: str) -> None:
    assert [use.scope for use in uses(text)] == ["device"]


@pytest.mark.parametrize(
    ("text", "scope"),
    [
        ("#define ON_GPU __device__\nON_GPU int f(int a) { return __shfl_sync(a, 0); }", "device"),
        ("#define BOTH __host__ __device__ inline\nBOTH int f(int a) { return __shfl_sync(a, 0); }", "device"),
        ("#ifdef X\n#define G __global__\n#else\n#define G\n#endif\nG void f() { __shfl_sync(1, 0); }", "device"),
        ("#define ON_CPU __host__\nON_CPU int f(int a) { return __shfl_sync(a, 0); }", "host"),
        ("#define ON_GPU __device__\nint f(int a) { return __shfl_sync(a, 0); }", "host"),
        ("#define RUN(x) __device__ x\nRUN int f(int a) { return __shfl_sync(a, 0); }", "host"),
        ("#define ID f __device__\nID int g(int a) { return __shfl_sync(a, 0); }", "host"),
    ],
)
def test_a_macro_that_the_file_makes_of_qualifiers_is_one(text: str, scope: str) -> None:
    assert [use.scope for use in uses(text) if use.kind == "call"] == [scope]


@pytest.mark.parametrize(
    "text",
    [
        "void f() { dim3 threadIdx(0, 0, 0); run(threadIdx.x); __shfl_sync(1, 0); }",
        "void f(dim3 threadIdx) { run(threadIdx.x); __shfl_sync(1, 0); }",
        "struct dim3 threadIdx;\nvoid f() { threadIdx.x = 1; __shfl_sync(1, 0); }",
        "#define __syncthreads()\nvoid f() { __syncthreads(); __shfl_sync(1, 0); }",
        'void f() { say("threadIdx.x"); __shfl_sync(1, 0); } // blockIdx.x',
        "void f(const Call& call) { run(call.threadIdx.x, call->blockIdx.x); __shfl_sync(1, 0); }",
        "void f() { each(n, ON_GPU(int i) { int x = threadIdx.x; }); __shfl_sync(1, 0); }",
        "void f() { a[i] = LIB_DEVICE; { __shfl_sync(1, 0); } }",
    ],
)
def test_what_only_names_a_thread_s_place_stays_on_the_host(text: str) -> None:
    assert [use.scope for use in uses(text)] == ["host"]


@pytest.mark.parametrize(
    "text",
    [
        "#define RESTRICT __restrict__\n__global__ void k(const float* RESTRICT a, int* RESTRICT const b) { *b = 1; }",
        "#define _VOLATILE_\n__device__ void k(_VOLATILE_ const float *a, _VOLATILE_ int b) { b = 1; }",
        "#if A\n#define QUALS volatile\n#else\n#define QUALS\n#endif\n__device__ void k(QUALS const float *a) {}",
        "struct __align__(sizeof(int) * 4) V { float x; };",
        "__global__ void k() { __shared__ __align__(16) float a[32]; a[0] = 1; }",
    ],
)
def test_qualifiers_that_the_grammar_does_not_know_break_no_tree(text: str) -> None:
    parsed = parse(text)
    assert error_bytes(parsed.tree) == 0 and parsed.data == text.encode()


@pytest.mark.parametrize(
    "text",
    [
        "__global__ void k(const float* RESTRICT a) {}",
        "#define VALUE float\n__global__ void k(unsigned VALUE a, VALUE VALUE b) {}",
        "#define RESTRICT\n#undef RESTRICT\n#define RESTRICT float\n__global__ void k(int RESTRICT a) {}",
        "#define ALIGN(n)\nstruct ALIGN(8) V { float x; };",
    ],
)
def test_words_that_may_be_types_are_left_in_the_tree(text: str) -> None:
    parsed = parse(text)
    assert parsed.tree.root_node.text == parsed.data


def test_an_alignment_keeps_every_other_byte_in_its_place() -> None:
    parsed = parse("struct __align__(\n8) V { float x; }; // __align__(8)\n#define A __align__(8)\n")
    assert (
        parsed.tree.root_node.text == b"struct           \n   V { float x; }; // __align__(8)\n#define A __align__(8)\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        "typedef ::cudaStream_t x;",
        "volatile ::cudaStream_t x;",
        "struct S { mutable ::cudaStream_t x; };",
        "struct S { friend ::cudaStream_t f(); };",
        "struct S { public: ::cudaStream_t x; };",
        "thread_local ::cudaStream_t x;",
    ],
)
def test_a_name_that_begins_with_two_colons_is_found_after_words_of_the_language(text: str) -> None:
    assert "cudaStream_t" in names(text)


def test_a_call_that_begins_with_two_colons_is_found_after_do() -> None:
    assert names("void f() { do ::cudaFree(0); while (0); }") == ["cudaFree"]


def test_a_name_of_another_namespace_is_not_cudas() -> None:
    assert names("typedef mine::cudaStream_t x;") == ["mine::cudaStream_t"]


def test_a_conditional_that_opens_twice_makes_no_kernel_of_the_host() -> None:
    host = "void run(int *a, int n) {\n#ifdef FAST\n  if (n % 2 == 0 && (n > 4 || n < 2)\n"
    host += "#else\n  if (n % 2 == 0 && (n > 4)\n"
    host += "#endif\n      && a) {\n    k<<<1, n>>>(a);\n  }\n  k<<<2, n>>>(a);\n}\n"
    kernel = "template <int N>\n__global__ void two(int *a) { a[threadIdx.x] = N; }\n"
    text = (
        "__global__ void k(int *a) { a[threadIdx.x] = 1; }\n"
        + host
        + kernel
        + "void last(int *a) { k<<<3, 1>>>(a); }\n"
    )
    parsed = parse(text)
    assert parsed.scope(text.index("= 1")) == parsed.scope(text.index("= N")) == "device"
    assert all(parsed.scope(text.index(f"k<<<{place}")) != "device" for place in (1, 2, 3))


@pytest.mark.parametrize(
    ("head", "name"),
    [
        ("DI std::size_t plain(int a)", "plain"),
        ("DI std::enable_if_t<is_small<T>, T> shuffle(T a, int width = 32)", "shuffle"),
        ("__device__ std::pair<int, T> both(T a)", "both"),
        ("__device__ void Box<T>::open(T a)", "Box<T>::open"),
    ],
)
def test_a_type_that_a_macro_hides_is_no_part_of_a_function_s_name(head: str, name: str) -> None:
    assert [one.name for one in parse(f"{head} {{ return; }}\n").functions] == [name]


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("k.cu.cc", "template <class T> __global__ void k(T* a) { a[threadIdx.x] = 0; }\n", True),
        ("run.cpp", "void run() { k<<<1, 64>>>(a); }\n", True),
        ("text.cc", 'const char* source = "__global__ void k() {}"; // k<<<1, 1>>>()\n', False),
        ("k.h", "__global__ void k();\n", False),
        ("plain.cc", "int run() { return 1 << 3; }\n", False),
    ],
)
def test_a_source_with_kernels_is_for_a_gpu_whatever_its_ending(path: str, text: str, expected: bool) -> None:
    assert cuda.is_gpu(SourceFile(path, text.encode(), "cxx")) is expected


@pytest.mark.parametrize(
    ("code", "name"),
    [
        ("CHECKED\n    cudaMalloc((void **)&p, n);", "cudaMalloc"),
        ("CHECKED cudaMalloc(&p, n), cudaFree(q);", "cudaMalloc"),
        ("CHECKED\n    ::cudaMalloc(&p, n);", "cudaMalloc"),
        ("CHECKED\n    cudaStream_t s = start();", "cudaStream_t"),
        ("CHECKED\n    cudaStream_t s;", "cudaStream_t"),
    ],
)
def test_a_macro_that_ends_a_statement_makes_the_next_no_declaration_of_its_name(code: str, name: str) -> None:
    """As in a source that has CUDA's names from a header of its own."""
    found = {use.name: use.kind for use in parse(f"void f() {{\n    {code}\n}}\n", "a.cc").uses}
    assert found[name] == ("name" if name.endswith("_t") else "call")


@pytest.mark.parametrize(
    "code",
    [
        "std::vector<int> cudaMalloc(4, n);",
        "int cudaStream_t UNUSED = 1;",
        "State cudaFree = start();",
        "dim cub(4, n);",
        "Memory :: cudaMalloc(&p, n);",
    ],
)
def test_what_is_declared_or_owned_by_a_type_stays_the_files_own(code: str) -> None:
    free = [use for use in parse(f"void f() {{\n    {code}\n}}\n", "a.cc").uses if "::" not in use.name]
    assert free == []


CUT_LIST = "void lut(\n#if BITS\n    unsigned int *p,\n#else\n    unsigned char *p,\n#endif\n    "


@pytest.mark.parametrize("around", ["{}\n", "struct Box {{\n{}\n}};\n"], ids=["function", "method"])
@pytest.mark.parametrize(
    "rest",
    [
        "const int &n, cudaStream_t s);",
        "int n, cudaStream_t s = 0);",
        "int n, cudaStream_t);",
        "int n, cudaStream_t, int m);",
        "int n, cudaStream_t s[2], int m);",
        "int n, cudaStream_t *s);",
        "int n, cudaStream_t s) { g(s); }",
        "dim n, cudaStream_t s);",
    ],
)
def test_a_parameter_behind_a_conditional_keeps_its_type(rest: str, around: str) -> None:
    """The grammar takes what is behind the `#endif` for variables of one declaration."""
    parsed = parse("#include <driver_types.h>\n" + around.format(CUT_LIST + rest), "tools.h")
    assert [use.name for use in parsed.uses if use.kind != "include"] == ["cudaStream_t"]
    assert "cudaStream_t" not in {one.name for one in parsed.definitions}


@pytest.mark.parametrize(
    "code",
    [
        "int a, cudaStream_t UNUSED = 1;",
        "int a, cudaStream_t = 1, b;",
        "int a, cudaStream_t[2];",
        "for (int i = 0, cudaStream_t = 9; i < n; ++i) {}",
        "f(a); int b, cudaStream_t; g(b);",
    ],
)
def test_a_variable_that_is_not_the_first_of_its_declaration_stays_the_file_s_own(code: str) -> None:
    assert [use.name for use in parse(f"void h() {{\n    {code}\n}}\n", "a.cc").uses] == []


def test_every_variable_of_a_declaration_hides_what_has_its_name() -> None:
    """Also the second of them, and a pointer; not what a variable begins with, nor a name in another function."""
    text = "void f() { int a, *cudaHelper = &a, cub = cudaMalloc; g(cudaHelper, cub); }\nvoid h() { g(cudaHelper); }\n"
    assert [(use.name, use.span.start > text.index("void h")) for use in parse(text).uses] == [
        ("cudaMalloc", False),
        ("cudaHelper", True),
    ]


def test_what_is_left_out_where_text_is_compiled_at_run_time_is_hips_as_well() -> None:
    """hipcc reads it; what only the compiler at run time reads is HIP's alone."""
    text = "#if !defined(__HIPCC_RTC__)\nvoid f() { cudaFree(p); }\n#else\nvoid g() { cudaFree(p); }\n#endif\n"
    parsed = parse(text)
    assert [parsed.hip(use.span.start) for use in parsed.uses] == [None, True]
