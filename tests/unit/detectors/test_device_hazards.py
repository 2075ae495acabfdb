"""What blocks, streams, vectors and the C++ of device code take for granted of NVIDIA's GPUs."""

from __future__ import annotations

import pytest

from cudamigrate.config import Config
from cudamigrate.edits import apply
from cudamigrate.pipeline.rule_tests import find_in_text

HEAD = "#include <cuda_runtime.h>\n"


def rules(
    source: str, path: str = "a.cu", config: Config | None = None, groups: str = "memory launch build"
) -> list[str]:
    findings = find_in_text(HEAD + source, path, config).findings
    return [f.rule for f in findings if f.group in groups.split()]


BARRIERS: list[tuple[str, bool | None]] = [  # None: nothing shows whether threads answer alike
    ("if (threadIdx.x == 0) __syncthreads();", True),
    ("int t = threadIdx.x / 2; if (t < n) { a[0] = 1; __syncthreads(); }", True),
    ("while (threadIdx.y < n) { __syncthreads_or(n); } __syncthreads();", None),
    ("for (int i = threadIdx.x; i < n; i += 64) { __syncthreads(); } __syncthreads();", True),
    ("switch (threadIdx.x % 4) { case 0: __syncthreads(); }", True),
    ("if (g.thread_rank() == 0) { __syncthreads(); }", None),
    ("if (n > 3) { __syncthreads(); }", False),
    ("if (blockIdx.x * blockDim.x < n) { __syncthreads(); }", False),
    ("if (a[threadIdx.x] > 3) { __syncthreads(); }", None),
    ("if (a[blockIdx.x] > 3) { __syncthreads(); }", False),
    ("if (threadIdx.x < 64) { __syncthreads(); }", False),
    ("if (threadIdx.x < 32) { __syncthreads(); }", True),
    ("if (threadIdx.x > n) return; __syncthreads();", False),
    ("if (__syncthreads_or(threadIdx.x > n)) a[0] = 1;", False),
    ("int i = threadIdx.x; for (int i = 0; i < n; ++i) { __syncthreads(); }", False),
    ("for (int i = threadIdx.x; i < n; i += 64) { __syncthreads(); }", False),
    ("for (int i = threadIdx.x; i < round_up(n); i += 64) { __syncthreads(); } __syncthreads();", None),
    ("int m = ((n + 63) / 64) * 64; for (int i = threadIdx.x; i < m; i += 64) { __syncthreads(); }", False),
    ("int tid = threadIdx.x; for (int i = n * 3 + tid; i < (n + 1) * 3 + tid; i += 4) { __syncthreads(); }", False),
    (
        "int t = threadIdx.x; for (int i = n * 3 + t; i < (n + 1) * 3; i += 4) { __syncthreads(); } __syncthreads();",
        True,
    ),
    ("if (threadIdx.x == 0) { auto f = [&] { __syncthreads(); }; }", False),
    ("if constexpr (sizeof(threadIdx.x) > 4) { __syncthreads(); }", False),
]


@pytest.mark.parametrize(("body", "reported"), BARRIERS)
def test_barrier_is_reported_where_threads_part_before_it(body: str, reported: bool | None) -> None:
    found = rules(f"__global__ void k(int *a, int n, Group g) {{ {body} ; a[n] = n; }}")
    assert ("launch/barrier-in-branch" in found) is (reported is True)
    assert ("launch/conditional-barrier" in found) is (reported is None)


@pytest.mark.parametrize(
    ("body", "reported"),
    [
        ("if (a[threadIdx.x]) { __syncthreads(); } else { a[1] = 1; __syncthreads(); }", True),
        ("if (a[threadIdx.x]) { wait(); } else { wait(); }", True),
        ("if (a[threadIdx.x]) { __syncthreads(); return; } a[1] = 1; __syncthreads();", True),
        ("switch (a[threadIdx.x]) { case 0: __syncthreads(); break; case 1: a[1] = 1; __syncthreads(); }", True),
        ("if (a[threadIdx.x]) { __syncthreads(); } else { a[1] = 1; }", False),
        ("if (a[threadIdx.x]) { wait(); } wait();", False),
        ("switch (a[threadIdx.x]) { case 0: __syncthreads(); break; case 1: a[1] = 1; }", False),
    ],
)
def test_barrier_that_each_answer_has_for_itself_is_reported_where_all_may_answer_alike(
    body: str, reported: bool
) -> None:
    """Where one answer alone has one, NVIDIA's GPUs wait for the others as well."""
    head = "__device__ void wait() { __syncthreads(); }"
    found = rules(f"{head} __global__ void k(int *a, int n) {{ {body} ; a[n] = n; __syncthreads(); a[3] = n; }}")
    assert ("launch/barrier-in-branch" in found) is reported
    assert ("launch/conditional-barrier" in found) is not reported


@pytest.mark.parametrize(
    ("loop", "reported"),
    [
        ("for (i = 2; i < n; i = 2 * i) { __syncthreads(); }", False),
        ("for (j = 0, i = 2; i < n; ++i) { __syncthreads(); }", False),
        ("for (i = 0; i < n; ++i) { if (t == 3) i = n; __syncthreads(); } __syncthreads();", True),
        ("for (; i < n; ++i) { __syncthreads(); } __syncthreads();", True),
        ("while (i < n) { ++i; __syncthreads(); } __syncthreads();", True),
    ],
)
def test_what_a_loop_begins_with_is_all_that_its_variable_was(loop: str, reported: bool) -> None:
    parted = "for (i = t; i < n; ++i) a[i] = 1;"
    code = f"int i, j, t = threadIdx.x; if (t == n - 1) {parted} {loop} if (t == n - 1) {parted}"
    found = rules(f"__global__ void k(int *a, int n) {{ {code} }}")
    assert ("launch/barrier-in-branch" in found) is reported


@pytest.mark.parametrize(
    ("call", "reported"),
    [
        ("block.sync();", True),
        ("cg::this_thread_block().sync();", True),
        ("grid.sync();", True),
        ("tile.sync();", False),
        ("other.sync();", False),
    ],
)
def test_group_counts_as_a_barrier_where_it_is_the_block(call: str, reported: bool) -> None:
    source = f"""#include <cooperative_groups.h>
    namespace cg = cooperative_groups;
    __global__ void k(Other other) {{
        auto block = cg::this_thread_block();
        auto grid = cg::this_grid();
        auto tile = cg::tiled_partition<32>(block);
        if (threadIdx.x < 7) {{ {call} }}
    }}"""
    assert ("launch/barrier-in-branch" in rules(source)) is reported


def test_branch_with_several_barriers_is_reported_once() -> None:
    source = "__global__ void k(int *a) { if (threadIdx.x < 7) { __syncthreads(); __syncthreads(); } a[1] = 0; }"
    assert rules(source) == ["launch/barrier-in-branch"]


SPINS = [
    ("while (flag[0] == 0);", True),
    ("while (*flag != n) { __nanosleep(20); }", True),
    ("do { s = ld_acquire(p); } while (s == 0);", True),
    ("while (*(volatile int *)p == 0) {}", True),
    ("while (*reinterpret_cast<volatile int *>(p) == 0) {}", True),
    ("while (atomicAdd(p, 0) < n) __threadfence();", True),
    ("while (ref.load(cuda::memory_order_acquire) != n) ;", True),
    ("while (p[0] == 0);", True),
    ("while (atomicAdd(p, 1) < n) { }", False),
    ("while (flag[0] == 0) { p[s++] = 1; }", True),
    ("while (true) { s = flag[0]; }", False),
]


@pytest.mark.parametrize(("body", "reported"), SPINS)
def test_loop_that_only_looks_again_is_reported(body: str, reported: bool) -> None:
    found = rules(f"__global__ void k(volatile int *flag, int *p, int n, int s, Ref ref) {{ {body} }}")
    assert ("memory/block-spin" in found) is reported


@pytest.mark.parametrize(("kind", "reported"), [("acquire.sys.", True), ("volatile.", True), ("param.", True)])
def test_a_load_is_known_by_its_instruction_not_by_its_name(kind: str, reported: bool) -> None:
    read = f'asm volatile("ld.{kind}u32 %0, [%1];" : "=r"(v) : "l"(p) : "memory"); return v;'
    code = f"__device__ unsigned pq(unsigned *p) {{ unsigned v; {read} }}\n"
    found = rules(code + "__global__ void k(unsigned *p) { while (pq(p) != 1) __nanosleep(64); }  // acquire\n")
    assert ("memory/block-spin" in found) is reported


def test_host_loop_counts_where_the_file_pins_memory() -> None:
    loop = "void wait(volatile int *flag) { while (*flag == 0) {} }\n"
    assert "memory/polled-host-memory" not in rules(loop)
    assert "memory/polled-host-memory" in rules(loop + "void make(void **p) { cudaMallocHost(p, 4); }")


BOTH = "inline __host__ __device__ "
TIMES = "float2 operator*(float2 a, float2 b) { return make_float2(a.x * b.x, a.y * b.y); }\n"
CROSSED = TIMES.replace("a.y * b.y", "a.y * b.x")
OPERATORS = [
    (BOTH + TIMES, "memory/vector-operator"),
    ("#define BOTH_SIDES __host__ __device__\nBOTH_SIDES " + TIMES, "memory/vector-operator"),
    (BOTH + CROSSED, "memory/vector-operator-of-another-kind"),
    (BOTH + "int3 &operator/=(int3 &a, const int3 &b) { a = a / b; return a; }\n", "memory/vector-operator"),
    (BOTH + "float2 &operator*=(float2 &a, float2 b) { a = a * b; return a; }\n" + TIMES, "memory/vector-operator"),
    (
        BOTH + "float2 &operator*=(float2 &a, float2 b) { a = a * b; return a; }\n" + CROSSED,
        "memory/vector-operator-of-another-kind",
    ),
    ("template <typename C> " + BOTH + CROSSED.replace("float2", "C"), "memory/vector-operator-template"),
    ("template <typename C> " + BOTH + TIMES.replace("float2", "C"), ""),
    ("template <int N> struct C { }; " + BOTH + CROSSED.replace("float2", "C<1>"), ""),
    ("__device__ " + TIMES, ""),
    (TIMES, ""),
    (BOTH + TIMES.replace("operator*", "operator+").replace(" * ", " + "), ""),
    (BOTH + TIMES.replace("float2 b)", "int2 b)"), ""),
    ("#ifndef __HIP_PLATFORM_AMD__\n" + BOTH + TIMES + "#endif\n", ""),
]


@pytest.mark.parametrize(
    ("path", "more", "told"),
    [
        ("a.cpp", "", ["memory/vector-operator-of-another-kind"]),
        ("a.cpp", "__device__ int f() { return 1; }\n", []),
        ("a.cu", "", []),
        ("a.h", "", []),
    ],
)
def test_an_operator_of_the_host_is_beside_hips_where_the_host_s_compiler_reads_it(
    path: str, more: str, told: list[str]
) -> None:
    code = "#include <vector_types.h>\n" + TIMES.replace("a.y * b.y", "a.y * b.x") + more
    found = find_in_text(code, path, None).findings
    assert [one.rule for one in found if one.rule.startswith("memory/vector-operator")] == told


@pytest.mark.parametrize(("source", "rule"), OPERATORS)
def test_operator_is_reported_where_it_meets_the_one_of_hip(source: str, rule: str) -> None:
    assert [found for found in rules(source) if "operator" in found] == ([rule] if rule else [])


def test_operators_are_left_out_for_amd_in_one_piece() -> None:
    source = HEAD + BOTH + TIMES + BOTH + TIMES.replace("2", "1").replace(", a.y * b.y", "") + "int after;\n"
    findings = find_in_text(source, "a.cu").findings
    fixes = [f.fix for f in findings if f.rule == "memory/vector-operator" and f.fix is not None]
    made = apply(source.encode(), fixes).data.decode()
    assert made == source.replace(BOTH + TIMES, "#ifndef __HIP_PLATFORM_AMD__\n" + BOTH + TIMES).replace(
        "int after", "#endif\nint after"
    )


def test_operator_that_shares_its_line_is_reported_and_left() -> None:
    findings = find_in_text(HEAD + "int before; " + BOTH + TIMES, "a.cu").findings
    assert [f.fix for f in findings if f.rule == "memory/vector-operator"] == [None]


@pytest.mark.parametrize(
    ("body", "reported"),
    [
        ("uint3 t(threadIdx);", True),
        ("auto t = uint3(blockIdx);", True),
        ("uint3 t; t = gridDim;", True),
        ("dim3 t; uint3 u; t = gridDim;", False),
        ("uint3 t = {threadIdx.x, 0, 0};", False),
        ("const auto t = threadIdx; uint3 u;", False),
    ],
)
def test_index_that_becomes_a_vector_is_reported(body: str, reported: bool) -> None:
    assert ("memory/builtin-vector" in rules(f"__global__ void k() {{ {body} }}")) is reported


CPP = [
    ("__host__ __device__", "if (n) throw n;", ["launch/device-exception"]),
    ("__device__", "try { n = 1; } catch (...) {}", ["launch/device-exception"]),
    ("__device__", "if (typeid(n) == typeid(int)) n = 1;", ["launch/device-type"] * 2),
    ("__device__", "std::swap(n, m);", ["launch/host-library-on-device"]),
    ("__device__", "std::vector<int> v;", ["launch/host-library-on-device"]),
    ("__device__", "n = std::max(n, std::abs(m));", []),
    ("__host__ __device__", "std::swap(n, m);", []),
    ("__host__", "throw n;", []),
    ("__device__", "\n#ifndef __CUDA_ARCH__\nthrow n;\n#endif\n", ["build/cuda-compiler-macro"]),
]


@pytest.mark.parametrize(("where", "body", "found"), CPP)
def test_host_language_counts_where_the_device_compiles_it(where: str, body: str, found: list[str]) -> None:
    assert rules(f"{where} void f(int n, int m) {{ {body} }}") == found


@pytest.mark.parametrize(
    ("launch", "reported"),
    [
        ("<<<16777216, 256>>>", True),
        ("<<<dim3(1 << 22, 4), dim3(1024, 1)>>>", True),
        ("<<<16777215, 256>>>", False),
        ("<<<blocks, 256>>>", False),
        ("<<<dim3(1, 65535), 1024>>>", False),
    ],
)
def test_grid_is_reported_by_its_threads(launch: str, reported: bool) -> None:
    found = rules(f"__global__ void k(int *a);\nvoid run(int *a, int blocks) {{ k{launch}(a); }}")
    assert ("launch/grid-too-large" in found) is reported


@pytest.mark.parametrize(
    ("between", "reported"),
    [
        ("", True),
        ("cudaStreamSynchronize(s);", False),
        ("wait_for(s);", False),
        ("later(s);", False),
        ("DONE(s);", False),
        ("sync_counters(s);", True),
        ("wait_elsewhere(s);", True),
        ("int n = 3;", True),
    ],
)
def test_copy_is_reported_where_nothing_waits(between: str, reported: bool) -> None:
    source = f"""__global__ void k(int *a);
    void wait_for(cudaStream_t s) {{ cudaStreamSynchronize(s); }}
    void later(cudaStream_t s) {{ wait_for(s); }}
    #define DONE(s) cudaStreamSynchronize(s)
    void sync_counters(cudaStream_t s) {{ counters++; }}
    void run(int *a, int *b) {{
        cudaStream_t s;
        cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
        k<<<1, 64, 0, s>>>(a);
        {between}
        cudaMemcpy(b, a, 4, cudaMemcpyDeviceToHost);
    }}"""
    assert ("launch/copy-without-wait" in rules(source)) is reported


@pytest.mark.parametrize(
    ("source", "path", "reported"),
    [
        ("void f(char *p) { memset(p, 0, 4); }", "a.cu", True),
        ("#include <vector>\nvoid f(char *p) { ::memcpy(p, p, 4); }", "a.cu", True),
        ("#include <torch/extension.h>\nvoid f(char *p) { memset(p, 0, 4); }", "a.cu", False),
        ("void f(Pool *p) { p->memset(0); }", "a.cu", False),
        (
            "#include <map>\n#define NAME strrchr(__FILE__, 47)\n#define CHECK(x) say(x, NAME)\nvoid f() { CHECK(1); }",
            "a.cu",
            True,
        ),
        ("#include <map>\n#define NAME strrchr(__FILE__, 47)\nvoid f() { say(NAMED); }", "a.cu", False),
        ("#include <map>\n#define CHECK(x) memset(x, 0, 4)\n__global__ void f(int *a) { CHECK(a); }", "a.cu", False),
        ("void f(char *p) { memset(p, 0, 4); cudaFree(p); }", "a.cpp", False),
    ],
)
def test_string_functions_need_their_header(source: str, path: str, reported: bool) -> None:
    assert ("build/string-header" in rules(source, path)) is reported


def test_string_functions_came_along_before_rocm_7() -> None:
    assert "build/string-header" not in rules("void f(char *p) { memset(p, 0, 4); }", config=Config(rocm="6.2"))


def test_function_declared_inside_another_is_meant_never_to_link() -> None:
    assert "memory/external-function" in rules('extern "C" __device__ int other(int);')
    assert "memory/external-function" not in rules("__device__ void f() { extern __device__ void error(); error(); }")


@pytest.mark.parametrize("attribute", ["__cluster_dims__(2, 1, 1)", "__block_size__((128, 1, 1))", "__maxnreg__(64)"])
def test_attribute_before_a_kernel_is_no_function_of_that_name(attribute: str) -> None:
    assert len(rules(f"__global__ void {attribute} k(float *p) {{}}", groups="api")) == 2


@pytest.mark.parametrize(
    ("use", "made"),
    [
        ("cub::WarpReduce<int>", "hipcub::WarpReduce<int, 32>"),
        ("cub::WarpExchange<pair<int, int>, 4>", "hipcub::WarpExchange<pair<int, int>, 4, 32>"),
        ("cub::WarpLoad<int, 4>", "hipcub::WarpLoad<int, 4>"),
        ("cub::WarpScan<int, 8>", "hipcub::WarpScan<int, 8>"),
    ],
)
def test_warp_class_gets_its_lanes_where_the_arguments_before_are_there(use: str, made: str) -> None:
    assert f"using A = {made};" in find_in_text(f"#include <cub/cub.cuh>\nusing A = {use};\n", "a.cu").after


def test_warp_class_of_a_file_that_asks_for_the_wave_has_32_lanes() -> None:
    source = "#include <cub/cub.cuh>\nusing A = cub::WarpReduce<int>;\n__device__ int n() { return warpSize; }\n"
    assert "WarpReduce<int, 32>;" in find_in_text(source, "a.cu").after
    wave = source.replace("warpSize", "HIPCUB_WARP_THREADS")
    assert "WarpReduce<int>;" in find_in_text(wave, "a.cu").after


def test_option_counts_where_a_file_compiles_at_run_time() -> None:
    option = 'const char *all[] = {"-default-device", "-std=c++17"};\n'
    assert rules(option) == []
    assert rules(option + "void f() { nvrtcGetErrorString(0); }") == ["build/rtc-default-space"]
    plain = option.replace("-default-device", "--use_fast_math")
    assert rules(plain + "void f() { nvrtcGetErrorString(0); }") == ["build/rtc-option"]


def test_module_of_several_strings_is_reported_once() -> None:
    source = 'const char *a = ".version 7.0\\n" ".target sm_70\\n";\nconst char *b = ".visible .entry k()";\n'
    assert rules(source) == ["build/ptx-module"] * 2


def test_nested_operator_of_rtc_is_widened_by_its_own_twin() -> None:
    made = find_in_text("#if defined(__CUDACC_RTC__) && N\nint a;\n#endif\n", "a.cu").after
    assert made.startswith("#if (defined(__CUDACC_RTC__) || defined(__HIPCC_RTC__)) && N")
