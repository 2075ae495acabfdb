"""What one file takes for granted, another may say otherwise."""

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.model import FileResult, Finding, Position, Span
from cudamigrate.pipeline import cross_file

SUM = "__device__ float sum(float v) {{ for (int o = {}; o; o /= 2) v += __shfl_xor_sync(~0u, v, o); return v; }}\n"
KERNEL = "__global__ void k(float *a) {{ int lane = threadIdx.x % {}; a[lane] = sum(a[lane]); }}\n"


def shuffles(folder: Path, files: dict[str, str]) -> list[Finding]:
    for name, text in files.items():
        (folder / name).write_text(text)
    report = pipeline.scan(folder, Config(jobs=1))
    return [finding for finding in report.findings if finding.rule == "warp/sync-shuffle"]


def test_a_constant_that_another_file_ports_withdraws_the_fix(tmp_path: Path) -> None:
    port = "#ifdef USE_ROCM\n#define WARP_SIZE 64\n#else\n#define WARP_SIZE 32\n#endif\n"
    found = shuffles(tmp_path, {"wave.h": port, "sum.cu": SUM.format("WARP_SIZE / 2")})
    assert [finding.fix for finding in found] == [None]
    assert "`WARP_SIZE` is not 32 for HIP" in found[0].message


def test_a_constant_that_another_file_defines_as_32_is_relied_on(tmp_path: Path) -> None:
    found = shuffles(tmp_path, {"wave.cuh": "#define WARP_SIZE 32\n", "sum.cu": SUM.format("WARP_SIZE / 2")})
    assert [finding.fix is not None for finding in found] == [True]


def test_of_two_constants_the_one_that_is_included_counts(tmp_path: Path) -> None:
    port = "#ifdef USE_ROCM\n#define WARP_SIZE 64\n#else\n#define WARP_SIZE 32\n#endif\n"
    kernel = '#include "mine.cuh"\n' + SUM.format("WARP_SIZE / 2")
    files = {"wave.cuh": port, "warp.cuh": "#define WARP_SIZE 32\n", "mine.cuh": '#include "warp.cuh"\nint lane();\n'}
    found = shuffles(tmp_path, {**files, "sum.cu": kernel})
    assert [finding.fix for finding in found] == [None]  # mine.cuh says nothing of warps: the chain is not seen
    (tmp_path / "mine.cuh").write_text('#include "warp.cuh"\nconstexpr int kWarpSize = WARP_SIZE;\n')
    assert [finding.fix is not None for finding in shuffles(tmp_path, {})] == [True]


WAVE = "#ifdef USE_ROCM\n#define WAVE 64\n#else\n#define WAVE 32\n#endif\n#define kWarpSize WAVE\n"


def test_a_function_for_the_wave_called_for_32_lanes_is_left(tmp_path: Path) -> None:
    found = shuffles(tmp_path, {"sum.cuh": WAVE + SUM.format("WAVE / 2"), "k.cu": KERNEL.format(32)})
    assert [finding.fix for finding in found] == [None]
    assert "`sum` works on the full wavefront" in found[0].message


def test_a_wave_that_nothing_proves_is_32_lanes_in_all_files(tmp_path: Path) -> None:
    found = shuffles(tmp_path, {"sum.cuh": SUM.format("warpSize / 2"), "k.cu": KERNEL.format(32)})
    assert [finding.fix is not None for finding in found] == [True]


def test_a_function_that_another_file_writes_for_amd_is_not_narrowed_around(tmp_path: Path) -> None:
    port = "#ifdef USE_ROCM\n#define STEP(v, o) __shfl_xor(v, o)\n#endif\n"
    kernel = SUM.format("warpSize / 2").replace("return v;", "return STEP(v, 1);")
    found = shuffles(tmp_path, {"k.cu": kernel})
    assert [finding.fix is not None for finding in found] == [True]
    found = shuffles(tmp_path, {"port.cuh": port + "__device__ int lane();\n"})
    assert [finding.fix for finding in found] == [None]
    assert "`STEP` has a meaning of its own for HIP" in found[0].message


def queries(folder: Path, files: dict[str, str]) -> list[Finding]:
    for name, text in files.items():
        (folder / name).write_text(text)
    report = pipeline.scan(folder, Config(jobs=1))
    return [finding for finding in report.findings if finding.rule == "warp/queried-size"]


def test_the_host_counts_32_lanes_where_no_code_of_the_repository_is_for_the_wave(tmp_path: Path) -> None:
    host = "int rows(const cudaDeviceProp &prop) { return 256 / prop.warpSize; }\n"
    found = queries(tmp_path, {"host.cu": host, "sum.cuh": SUM.format("warpSize / 2")})
    assert [finding.fix is not None for finding in found] == [True]
    ported = "#ifdef USE_ROCM\n#define WARP_SIZE 64\n#else\n#define WARP_SIZE 32\n#endif\n"
    found = queries(tmp_path, {"sum.cuh": ported + SUM.format("WARP_SIZE / 2")})
    assert [finding.fix for finding in found] == [None]
    assert "written for AMD's wave" in found[0].message


def test_sizes_of_the_wave_in_one_file_are_all_changed_or_none(tmp_path: Path) -> None:
    read = "int rows(const cudaDeviceProp &prop) { return 128 / prop.warpSize; }\n"
    table = "const cudaDeviceAttr asked[] = {cudaDevAttrMaxThreadsPerBlock, cudaDevAttrWarpSize};\n"
    query = "int lanes() { int n; cudaDeviceGetAttribute(&n, cudaDevAttrWarpSize, 0); return n; }\n"
    kernel = SUM.format("16")
    found = queries(tmp_path, {"host.cu": kernel + read + query})
    assert [finding.fix is not None for finding in found] == [True, True]
    found = queries(tmp_path, {"host.cu": kernel + read + table})
    assert [finding.fix for finding in found] == [None, None]
    assert "Change both." in found[0].message and "Change both." not in found[1].message
    found = queries(tmp_path, {"host.cu": kernel + read, "other.cu": kernel + table})
    assert [finding.fix is not None for finding in found] == [True, False]


def test_a_function_for_the_wave_called_for_the_wave_is_converted(tmp_path: Path) -> None:
    found = shuffles(tmp_path, {"sum.cuh": SUM.format("warpSize / 2"), "k.cu": KERNEL.format("warpSize")})
    assert [finding.fix is not None for finding in found] == [True]


def test_a_name_of_both_kinds_is_no_dispute(tmp_path: Path) -> None:
    files = {"a.cu": SUM.format("warpSize / 2"), "b.cu": SUM.format("16") + KERNEL.format(32)}
    assert all(finding.fix is not None for finding in shuffles(tmp_path, files))


def sizes(folder: Path, files: dict[str, str]) -> list[str]:
    for name, text in files.items():
        (folder / name).write_text(text)
    report = pipeline.scan(folder, Config(jobs=1))
    return [finding.rule for finding in report.findings if "`warpSize`" in finding.message]


def test_a_constant_of_the_repository_may_be_called_warp_size(tmp_path: Path) -> None:
    kernel = '#include "own.cuh"\n' + SUM.format("16") + KERNEL.format("warpSize") + "constexpr int N = 9 / warpSize;\n"
    found = sizes(tmp_path, {"k.cu": kernel, "own.cuh": "constexpr int width = 32;\n"})
    assert found == ["warp/unproved-size", "warp/constant-size"]
    assert sizes(tmp_path, {"own.cuh": "constexpr unsigned warpSize = 32;\n"}) == []


def test_a_function_beside_the_repositorys_own_lane_calls_stays(tmp_path: Path) -> None:
    own = "#define __any_sync(m, p) voted(p)\n"
    kernel = "__global__ void k(int *a) { *a = __any_sync(~0u, *a) + __shfl_sync(~0u, *a, 0); }\n"
    (found,) = shuffles(tmp_path, {"own.cuh": own, "k.cu": kernel})
    assert found.fix is None and "defines other lane functions" in found.message


def test_lanes_counted_by_a_constant_that_follows_the_wave_are_not_reported(tmp_path: Path) -> None:
    port = "#ifdef USE_ROCM\n#define WARP_SIZE 64\n#else\n#define WARP_SIZE 32\n#endif\n"
    kernel = "__global__ void k(int *a) { int lane = threadIdx.x % WARP_SIZE; a[lane] = threadIdx.x % 32; }"
    (tmp_path / "wave.cuh").write_text(port)
    (tmp_path / "ours.cu").write_text('#include "wave.cuh"\n' + kernel)
    (tmp_path / "mine.cu").write_text('#include "wave.cuh"\nconstexpr int WARP_SIZE = 32;\n' + kernel)
    found = pipeline.scan(tmp_path, Config(jobs=1)).findings
    reported = sorted((finding.path, finding.message.split("`")[1]) for finding in found if "hardcoded" in finding.rule)
    assert [text for path, text in reported if path == "ours.cu"] == ["threadIdx.x % 32"]
    assert [text for path, text in reported if path == "mine.cu"] == [
        "WARP_SIZE = 32",
        "threadIdx.x % 32",
        "threadIdx.x % WARP_SIZE",
    ]


def build_rules(folder: Path, files: dict[str, str]) -> list[tuple[str, str]]:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    report = pipeline.scan(folder, Config(jobs=1))
    return [(finding.path, finding.rule) for finding in report.findings]


CUDA_BUILD = "find_package(CUDAToolkit)\nenable_language(CUDA)\n"
HIP_BUILD = "find_package(hip)\nenable_language(HIP)\n"


def test_a_build_for_cuda_beside_one_for_hip_is_left_alone(tmp_path: Path) -> None:
    files = {"CMakeLists.txt": "project(a)\n", "cuda/CMakeLists.txt": CUDA_BUILD, "hip/CMakeLists.txt": HIP_BUILD}
    assert build_rules(tmp_path, files) == []


def test_another_project_of_the_repository_says_nothing_of_a_build_for_cuda(tmp_path: Path) -> None:
    files = {"a/CMakeLists.txt": "project(a)\n" + CUDA_BUILD, "b/CMakeLists.txt": "project(b)\n" + HIP_BUILD}
    assert {path for path, _ in build_rules(tmp_path, files)} == {"a/CMakeLists.txt"}


def test_a_project_around_one_that_builds_for_both_is_left_alone(tmp_path: Path) -> None:
    inner = {"in/CMakeLists.txt": "project(in)\n" + CUDA_BUILD, "in/hip/CMakeLists.txt": HIP_BUILD}
    outer = "project(out)\nset_target_properties(out PROPERTIES CUDA_ARCHITECTURES 80)\n"
    assert build_rules(tmp_path, {"CMakeLists.txt": outer, **inner}) == []
    (tmp_path / "CMakeLists.txt").write_text(outer + CUDA_BUILD)
    assert {path for path, _ in build_rules(tmp_path, {})} == {"CMakeLists.txt"}


def test_passes_run_in_their_order_each_on_what_the_last_one_left(monkeypatch):
    seen = []

    def passing(name: str) -> cross_file.Pass:
        def run(results):
            seen.append((name, list(results)))
            return [*results, name]

        return run

    monkeypatch.setattr(cross_file, "passes", lambda paths, read: tuple(map(passing, sorted(paths))))
    assert cross_file.reconcile([], frozenset(("a", "b")), lambda path: None) == ["a", "b"]
    assert seen == [("a", []), ("b", ["a"])]


@pytest.mark.parametrize(
    ("files", "found"),
    [
        pytest.param({"own.cpp": "void (*cudaDeviceReset)(void);\n"}, True, id="a table of pointers in a source"),
        pytest.param(
            {"own.h": "inline void cudaDeviceReset() {}\n", "one.h": '#include "own.h"\n'},
            False,
            id="a header's own function",
        ),
        pytest.param({"own.h": "inline void cudaDeviceReset() {}\n"}, True, id="of a header that it does not read"),
        pytest.param({"own.cpp": "void cudaOwnReset() {}\n"}, True, id="another name"),
    ],
)
def test_a_cu_file_calls_cudas_function_whatever_another_source_defines(
    tmp_path: Path, files: dict[str, str], found: bool
) -> None:
    code = "#include <cuda_runtime.h>\nvoid f() { cudaDeviceReset(); }\n"
    for name, text in {**files, "a.cu": ('#include "one.h"\n' if "one.h" in files else "") + code}.items():
        (tmp_path / name).write_text(text)
    findings = pipeline.scan(tmp_path, Config(jobs=1)).findings
    assert any(one.path == "a.cu" and one.name == "cudaDeviceReset" for one in findings) == found


def test_enumerators_are_found_behind_the_name_of_their_enumeration(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(
        "#include <cuda_runtime.h>\n"
        "int f(void *d, void *s) {\n"
        "  cudaMemcpy(d, s, 4, cudaMemcpyKind::cudaMemcpyHostToDevice);\n"
        "  return own::cudaMemcpyHostToDevice == ::cudaError_t::cudaSuccess;\n}\n"
    )
    made = pipeline.apply(tmp_path, Config(jobs=1)).conversions[0].after.decode()
    assert "hipMemcpy(d, s, 4, hipMemcpyKind::hipMemcpyHostToDevice)" in made
    assert "own::cudaMemcpyHostToDevice == ::hipError_t::hipSuccess" in made


def test_a_header_that_is_converted_keeps_what_it_says_of_a_constant(tmp_path: Path) -> None:
    own = f"#include <cuda_runtime.h>\nconstexpr unsigned warpSize = 32;\n{SUM.format(16)}"
    kernel = '#include <cuda/barrier>\n#include "common.cuh"\n' + SUM.format("warpSize / 2").replace("sum(", "all(")
    for name, text in {"common.cuh": own, "k.cu": kernel}.items():
        (tmp_path / name).write_text(text)
    converted = {one.path: one.after.decode() for one in pipeline.apply(tmp_path, Config(jobs=1)).conversions}
    assert "hip/hip_runtime.h" in converted["common.cuh"]
    assert "warpSize / 2" in converted["k.cu"]
    for name, text in converted.items():
        (tmp_path / name).write_text(text)
    assert [one.path for one in pipeline.apply(tmp_path, Config(jobs=1)).conversions] == []


HALF = "#pragma once\n#ifdef USE_ROCM\n#include <hip/hip_bf16.h>\nusing __nv_bfloat16 = __hip_bfloat16;\n#endif\n"
USES = "#include <cuda_bf16.h>\nstruct Pair { __nv_bfloat16 a; };\n"


@pytest.mark.parametrize(
    ("files", "found"),
    [
        pytest.param({"b.cu": USES}, True, id="never read together"),
        pytest.param({"b.cu": '#include "half.h"\n' + USES}, False, id="includes it"),
        pytest.param({"b.cuh": USES, "c.cu": '#include "half.h"\n#include "b.cuh"\n'}, False, id="read after it"),
        pytest.param({"a.cu": "", "b.cuh": USES}, False, id="perhaps given by the build"),
        pytest.param({"b.cuh": USES, "d.h": "using __nv_bfloat16 = short;\n"}, False, id="defined for all too"),
    ],
)
def test_a_name_given_a_meaning_for_hip_is_cudas_where_that_is_not_read(tmp_path, files, found):
    written(tmp_path, {"half.h": HALF, "a.cu": '#include "half.h"\n__nv_bfloat16 *given;\n', **files})
    report = pipeline.scan(tmp_path, Config(jobs=1))
    told = {one.path for one in report.findings if one.rule == "api/__nv_bfloat16"}
    assert told == ({"b.cu", "b.cuh"} & {*files} if found else set())


TEXT = 'const char *kText = R"(\n__global__ void k(int *a) { a[0] = __shfl_down_sync(~0u, a[0], 16); }\n)";\n'


@pytest.mark.parametrize(
    ("other", "safety"),
    [
        pytest.param("unsigned hash(const char *);\n", "unsafe", id="nothing compiles text"),
        pytest.param("int make() { return nvrtcCompileProgram(p, 0, 0); }\n", "safe", id="NVRTC is called"),
    ],
)
def test_device_code_in_a_raw_string_is_converted_where_text_is_compiled(tmp_path, other, safety):
    report = pipeline.scan(written(tmp_path, {"text.h": TEXT, "main.cpp": other}), Config(jobs=1))
    found = [one.fix.safety for one in report.findings if one.path == "text.h" and one.fix is not None]
    assert found == [safety]


PARTS = """const char *kFirst = R"(__global__ void k(int *a) { a[0] = __shfl_down_sync(~0u, a[0], 16); }
)";
const char *kSecond = R"(__global__ void k(int *a) {
  a[0] = __shfl_down_sync(~0u, a[0], 16);
  const int kWarp = 32;
  a[1] = threadIdx.x / kWarp * kWarp;
})";
"""


def test_raw_strings_that_begin_alike_have_places_and_fixes_of_their_own(tmp_path):
    files = {"text.h": PARTS, "main.cpp": "int make() { return nvrtcCompileProgram(p, 0, 0); }\n"}
    report = pipeline.scan(written(tmp_path, files), Config(jobs=1))
    found = [one for one in report.findings if one.path == "text.h" and one.rule.startswith("warp/") and one.fix]
    assert [one.position.line for one in found] == [1, 4]
    size = next(one for one in report.findings if one.rule == "warp/hardcoded-size")
    assert {step.line for step in size.trace} <= {5, 6} and size.position.line in {5, 6}
    assert len({one.fix.group for one in found}) == len(found)


def test_a_header_that_programs_copy_is_asked_for_where_the_repository_has_none(tmp_path: Path) -> None:
    def found() -> list[str]:
        return [
            one.path for one in pipeline.scan(tmp_path, Config(jobs=1)).findings if one.rule == "library/cuda-samples"
        ]

    include = "#include <cuda_runtime.h>\n#include <helper_cuda.h>\n#include <helper_timer.h>\n"
    written(tmp_path, {"src/a.cu": include, "src/b.cu": include.replace("helper_cuda", "helpers/cuda")})
    assert found() == ["src/a.cu"]
    written(tmp_path, {"third/common/helper_math.h": "int two();\n"})
    assert found() == ["src/a.cu"]
    written(tmp_path, {"third/common/helper_cuda.h": "int one();\n"})
    assert found() == []


@pytest.mark.parametrize(
    ("rule", "name", "line", "stays"),
    [
        ("library/nccl", "nccl.h", '#include "nccl.h"', False),
        ("library/cub", "sub/cub.cuh", '#include "sub/cub.cuh"', False),
        ("library/nccl", "", '#include "nccl.h"', False),
        ("library/cuda-samples", "helper_cuda.h", "#include <helper_cuda.h>", False),
        ("library/nccl", "nccl.h", "#include <nccl.h>", True),
        ("api/cuda_runtime.h", "cuda_runtime.h", '#include "cuda_runtime.h"', True),
        ("api/nccl.h", "", '#include "nccl.h"', True),
        ("library/cuda-samples", "helper_math.h", "#include <helper_math.h>", True),
        ("api/cudaMalloc", "cudaMalloc", "cudaMalloc(&given, 4);", True),
    ],
)
def test_headers_of_the_repository_are_none_of_cudas(rule: str, name: str, line: str, stays: bool) -> None:
    paths = frozenset(("src/a.cu", "src/nccl.h", "sub/cub.cuh", "common/helper_cuda.h"))
    place = Position(1, 1)
    found = Finding(
        rule, "src/a.cu", Span(0, 4), place, place, line, "said", "full", "compile-error", "token", "none", name=name
    )
    result = FileResult("src/a.cu", "cuda", 1, 10, True, (found,))
    (kept,) = cross_file.drop_project_definitions([result], paths, lambda path: None)
    assert kept.findings == ((found,) if stays else ())


@pytest.mark.parametrize(
    ("meaning", "found"),
    [
        ("#if CUDART_VERSION >= 9000\n#define __any(p) __any_sync(~0u, p)\n#endif\n", False),
        ("#if CUDART_VERSION >= 9000\n#define ANY(p) __any_sync(~0u, p)\n#endif\n", True),
        ("#if CUDART_VERSION < 9000\n#define __any(p) old_any(p)\n#endif\n", True),
        ("#ifdef OWN_VOTES\n#define __any(p) __any_sync(~0u, p)\n#endif\n", True),
    ],
)
def test_a_short_name_that_a_macro_gives_a_mask_on_hip_too_is_no_legacy_call(
    tmp_path: Path, meaning: str, found: bool
) -> None:
    (tmp_path / "compat.h").write_text(f"#pragma once\n#include <cuda_runtime.h>\n{meaning}")
    (tmp_path / "k.cu").write_text('#include "compat.h"\n__global__ void k(int *a) { a[0] = __any(a[1]); }\n')
    report = pipeline.scan(tmp_path, Config(jobs=1))
    assert any(one.rule == "warp/legacy-vote" and one.path == "k.cu" for one in report.findings) is found


@pytest.mark.parametrize(
    ("declared", "found"),
    [
        ("inline bool isless(Key a, Key b) { return a.n < b.n; }", 0),
        ("namespace keys { bool isless(Key a, Key b); }\nusing namespace keys;", 0),
        ("namespace keys { bool isless(Key a, Key b); }", 1),
        ("struct Order { bool isless(Key a, Key b); };", 1),
        ("inline bool worse(Key a) { return isless(a.n, 2.0); }", 1),
        ("template <class T> Order<T> isless(T a, T b);", 0),
        ("template <class T> Order<T> isless(T a, T b) { return {}; }", 0),
        ("inline bool worse(Key a) { return 1 > isless(a.n, 2.0); }", 1),
    ],
)
def test_a_comparison_that_a_header_without_cuda_defines_is_none_of_the_c_library(
    tmp_path: Path, declared: str, found: int
) -> None:
    (tmp_path / "key.h").write_text("struct Key { double n; };\n" + declared.partition("\n")[0] + "\n")
    code = "\n".join(
        ['#include "key.h"', *declared.split("\n")[1:], "template <class T> bool f(T a) { return isless(a, a); }"]
    )
    (tmp_path / "a.cu").write_text(code + "\n__global__ void k(int *p) { *p = 1; }\n")
    findings = pipeline.scan(tmp_path, Config(jobs=1)).findings
    assert len([one for one in findings if one.rule == "build/host-classification"]) == found


@pytest.mark.parametrize(
    ("declared", "renamed"),
    [
        ("enum class Mode { cpu, cub };", True),  # a value is no scope: `cub::` means the namespace
        ("struct Options { bool cub; };", True),
        ("static int cub;", True),
        ("struct cub { struct DeviceReduce { static int Sum(int); }; };", False),
    ],
)
def test_a_value_called_like_a_namespace_does_not_hide_it(tmp_path: Path, declared: str, renamed: bool) -> None:
    (tmp_path / "a.cu").write_text(
        f"#include <cub/cub.cuh>\n{declared}\nint f() {{ return cub::DeviceReduce::Sum(0); }}\n"
    )
    found = pipeline.scan(tmp_path, Config(jobs=1)).findings
    assert any(one.path == "a.cu" and one.position.line == 3 and one.fix is not None for one in found) is renamed
