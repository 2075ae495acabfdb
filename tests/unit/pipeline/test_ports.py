"""A HIP port that is there is found by what the code and the build say, and nothing of it is edited."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import BRANCHES, BUILD, KERNEL, facts, marks, scanned, written

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.frontends import known_files
from cudamigrate.pipeline import port_survey
from cudamigrate.project import discovery


def applied(folder: Path, files: dict[str, str]) -> pipeline.Applied:
    return pipeline.apply(written(folder, files), Config(jobs=1), unsafe=True, debug=True)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (BRANCHES % "LIB_AMD", {"LIB_AMD"}),
        (
            "#ifdef LIB_AMD\nusing lib_stream = hipStream_t;\n#else\nusing lib_stream = cudaStream_t;\n#endif\n",
            {"LIB_AMD"},
        ),
        ("#ifndef LIB_NV\nhipStream_t s;\n#else\ncudaStream_t s;\n#endif\n", {"!LIB_NV"}),
        ("#if LIB_GPU == 2\nhipStream_t s;\n#else\ncudaStream_t s;\n#endif\n", {"LIB_GPU==2"}),
        ("#if LIB_CPU\nint s;\n#elif LIB_AMD\nhipStream_t s;\n#else\ncudaStream_t s;\n#endif\n", {"LIB_AMD"}),
        ("#ifdef LIB_GRAPHS\nhipGraph_t g;\n#endif\n", {"?LIB_GRAPHS"}),
        ("auto p =\n#if HIP_SIDE == 1\nthrust::cuda::par;\n#else\nthrust::hip::par;\n#endif\n", {"!HIP_SIDE==1"}),
        ("auto p =\n#if HIP_SIDE == 1\nthrust::hip::par;\n#else\nthrust::cuda::par;\n#endif\n", {"HIP_SIDE==1"}),
        ("#if defined(LIB_AMD) && LIB_AMD\nhipStream_t s;\n#else\ncudaStream_t s;\n#endif\n", {"LIB_AMD"}),
        ("#ifdef __HIPCC__\n#define LIB_ON 1\n#else\n#define LIB_ON 0\n#endif\n", {"LIB_ON"}),
    ],
)
def test_a_guard_is_what_hip_code_needs(tmp_path: Path, text: str, expected: set[str]) -> None:
    assert marks(tmp_path, {"a.cuh": text + "void f(cudaStream_t);\n"}) == expected


@pytest.mark.parametrize(
    "text",
    [
        "#ifdef LIB_GPU\n#include <hip/hip_runtime.h>\n#endif\n#ifdef LIB_GPU\n#include <cuda_runtime.h>\n#endif\n",
        "#ifdef LIB_HIP\nint fast = 1;\n#endif\ncudaStream_t s;\n",  # a name is no evidence
        "#ifdef __cplusplus\nhipStream_t s;\n#endif\n",
        "#include <hip/hip_runtime.h>\n#ifdef LIB_GRAPHS\nhipGraph_t g;\n#endif\n",  # all of the file is HIP's
        "#if defined(LIB_A) || defined(LIB_B)\nhipStream_t s;\n#endif\n",  # either may be it
        '// #ifdef LIB_AMD\n// hipStream_t s;\n// #endif\nconst char *a = "hipMalloc";\n',
    ],
)
def test_what_speaks_against_a_guard_keeps_it_from_being_one(tmp_path: Path, text: str) -> None:
    assert marks(tmp_path, {"a.cuh": text}) == set()


def test_a_compound_condition_with_a_guard_is_for_hip(tmp_path: Path) -> None:
    text = BRANCHES % "LIB_AMD" + "#if defined(LIB_AMD) || defined(__HIPCC__)\nint w = __popc(cudaX);\n#endif\n"
    other = "#if !defined(LIB_AMD) && CUDA_VERSION > 9000\ncudaGraph_t g;\n#endif\n"
    build = {"CMakeLists.txt": BUILD % ""}
    assert scanned(tmp_path, {"a.cu": text + other, **build}).findings == ()


@pytest.mark.parametrize(
    "line", ["  add_definitions(-DLIB_AMD)\n", "  add_compile_definitions(LIB_AMD)\n", "  set(LIB_AMD ON)\n"]
)
def test_a_macro_that_the_build_sets_with_hip_is_a_guard(tmp_path: Path, line: str) -> None:
    code = "#ifdef LIB_AMD\nhipStream_t s;\n#endif\n"
    assert "LIB_AMD" in marks(tmp_path, {"a.cu": code, "CMakeLists.txt": BUILD % line})
    both = BUILD % line + line
    assert "LIB_AMD" not in marks(tmp_path, {"CMakeLists.txt": both})  # set without HIP too


@pytest.mark.parametrize(
    ("build", "expected"),
    [
        ("  add_definitions(-DLIB_AMD)\nelse()\n  add_definitions(-DLIB_NV)\n  enable_language(CUDA)\n", {"-LIB_NV"}),
        (
            "  add_definitions(-DLIB_AMD -DLIB_NV)\nelse()\n  enable_language(CUDA)\n  add_definitions(-DLIB_NV)\n",
            set(),
        ),
        ("  add_definitions(-DLIB_AMD)\nendif()\nadd_definitions(-DLIB_NV)\nif(X)\n  enable_language(CUDA)\n", set()),
    ],
)
def test_a_macro_that_only_builds_for_cuda_set(tmp_path: Path, build: str, expected: set[str]) -> None:
    build = f'project(p LANGUAGES CXX)\noption(WITH_AMD "" OFF)\nif(WITH_AMD)\n  enable_language(HIP)\n{build}endif()\n'
    code = BRANCHES % "LIB_AMD" + "#if defined(LIB_NV)\n#include <cuda_runtime.h>\n#endif\n"
    assert marks(tmp_path, {"a.cu": code, "CMakeLists.txt": build}) - {"LIB_AMD", "?LIB_AMD"} == expected


@pytest.mark.parametrize(
    ("include", "macro", "expected"),
    [
        ("<cuda_runtime.h>", "LIB_NV", True),
        ("<lib.h>", "LIB_NV", False),  # HIP may have it, too
        ("<cuda_runtime.h>", "LIB_X", False),  # asked in one file only
    ],
)
def test_a_macro_whose_branch_includes_what_hip_has_not(
    tmp_path: Path, include: str, macro: str, expected: bool
) -> None:
    sides = f"#ifdef LIB_AMD\nhipStream_t s;\n#endif\n#ifdef LIB_NV\n#include {include}\ncudaStream_t s;\n#endif\n"
    files = {"a.cpp": sides, "b.cpp": sides, "c.cpp": sides.replace("LIB_NV", "LIB_X")}
    build = {"CMakeLists.txt": BUILD % "  add_definitions(-DLIB_AMD)\n"}
    assert (f"-{macro}" in marks(tmp_path, {**files, **build})) is expected


def test_kernels_in_sources_that_hip_compiles_are_handled(tmp_path: Path) -> None:
    sources = "set(SOURCES k.cu l.cu)\n%sforeach(s ${SOURCES})\n  add_executable(x ${s})\nendforeach()\n"
    files = {"a.cpp": BRANCHES % "LIB_AMD", "k.cu": KERNEL, "l.cu": KERNEL.replace("k(", "l(")}
    build = BUILD % "  add_definitions(-DLIB_AMD)\n"
    language = "set_source_files_properties(${SOURCES} PROPERTIES LANGUAGE HIP)\n"
    assert facts(tmp_path / "a", {**files, "CMakeLists.txt": build + sources % language}).is_port
    assert not facts(tmp_path / "b", {**files, "CMakeLists.txt": build + sources % ""}).is_port


def test_a_file_with_cuda_in_its_name_has_its_equivalent_beside_it(tmp_path: Path) -> None:
    files = {
        "CudaCopy.cpp": '#include "lib.h"\nvoid c() { cudaDeviceSynchronize(); }\n',
        "HipCopy.cpp": "#include <hip/hip_runtime.h>\nvoid h() { (void)hipDeviceSynchronize(); }\n",
        "CudaMove.cpp": '#include "lib.h"\nvoid m() { cudaDeviceSynchronize(); }\n',
        "lib.h": "void c();\n",
        "CMakeLists.txt": BUILD % "",
    }
    assert facts(tmp_path, files).equivalents == {"CudaCopy.cpp": "HipCopy.cpp"}


def test_a_file_that_cuda_alone_includes_has_its_other_side(tmp_path: Path) -> None:
    side = "#ifdef LIB_AMD\n#include <hip/hip_runtime.h>\nhipStream_t s;\n#else\n%s#include <cuda_runtime.h>\n#endif\n"
    files = {"a.cu": side % '#include "part.inc"\n' + KERNEL, "part.inc": "cudaGraph_t g;\n"}
    files["CMakeLists.txt"] = BUILD % "  add_definitions(-DLIB_AMD)\n"
    assert facts(tmp_path / "a", files).equivalents == {"part.inc": "a.cu"}
    files["b.cu"] = side % "" + '#include "part.inc"\n'
    assert facts(tmp_path / "b", files).equivalents == {}


def test_what_cudas_own_macros_choose_is_no_gap_of_a_port(tmp_path: Path) -> None:
    choice = "#if CUDART_VERSION >= 13000\ncudaMemLocation l;\n#else\nint l;\n#endif\n"
    files = {"a.cu": BRANCHES % "LIB_AMD" + KERNEL + choice, "CMakeLists.txt": BUILD % "  add_definitions(-DLIB_AMD)\n"}
    assert "api/cudaMemLocation" not in {one.rule for one in scanned(tmp_path / "a", files).findings}
    defined = {"b.h": "#ifdef LIB_AMD\n#include <hip/hip_runtime.h>\n#define CUDART_VERSION 13000\n#endif\n"}
    assert "api/cudaMemLocation" in {one.rule for one in scanned(tmp_path / "b", {**files, **defined}).findings}


def test_code_that_a_condition_leaves_out_in_silence_is_a_gap_of_a_port(tmp_path: Path) -> None:
    silent = "__global__ void f(int *a) {\n#if __CUDA_ARCH__ >= 800\n  a[0] = 1;\n#endif\n}\n"
    chosen = "__global__ void g(int *a) {\n#if __CUDA_ARCH__ >= 800\n  a[0] = 1;\n#else\n  a[0] = 2;\n#endif\n}\n"
    files = {"a.cu": BRANCHES % "LIB_AMD" + silent, "CMakeLists.txt": BUILD % "  add_definitions(-DLIB_AMD)\n"}
    assert [one.rule for one in scanned(tmp_path / "a", files).findings] == ["build/vanished-code"]
    assert scanned(tmp_path / "b", {**files, "a.cu": BRANCHES % "LIB_AMD" + chosen}).findings == ()


def test_a_macro_of_a_makefile_for_hip_and_of_setup_py(tmp_path: Path) -> None:
    code = "#ifdef LIB_AMD\nhipStream_t s;\n#endif\n"
    make = {"hip.mk": "CXX = hipcc\nFLAGS += -DLIB_AMD=1 -DBOTH\n", "cuda.mk": "CXX = nvcc\nFLAGS += -DBOTH\n"}
    assert marks(tmp_path / "m", {"a.cu": code + "#ifdef BOTH\n#endif\n", **make}) == {"LIB_AMD"}
    setup = "from setuptools import setup\nif torch.version.hip:\n    flags = ['-DLIB_AMD']\nsetup()\n"
    assert marks(tmp_path / "p", {"a.cu": code, "setup.py": setup}) == {"LIB_AMD"}


def test_branches_of_an_if_on_a_constant(tmp_path: Path) -> None:
    text = (
        BRANCHES % "LIB_AMD"
        + "#ifdef LIB_AMD\nconstexpr bool kAmd = true;\n#else\nconstexpr bool kAmd = false;\n#endif\n"
        + "void f() { if constexpr (kAmd) { g(1); } else { cudaDeviceReset(); } }\n"
    )
    report = scanned(tmp_path, {"a.cu": text, "CMakeLists.txt": BUILD % ""})
    assert [finding.name for finding in report.findings] == []
    text = text.replace("(kAmd)", "(kOther)")
    assert [finding.name for finding in scanned(tmp_path, {"a.cu": text}).findings] == ["cudaDeviceReset"]


SHIM = (
    "#pragma once\n#ifdef LIB_AMD\n#include <hip/hip_runtime.h>\nusing cudaError_t = hipError_t;\n"
    "#define cudaMalloc hipMalloc\n#define cudaFree hipFree\n#else\n#include <cuda_runtime.h>\n#endif\n"
)


def test_a_shim_covers_its_names_and_lacks_the_others(tmp_path: Path) -> None:
    user = '#include "gpu.h"\nvoid f(float *a) { cudaError_t e = cudaFree(a); cudaDeviceReset(); }\n' + KERNEL
    made = applied(tmp_path, {"gpu.h": SHIM, "a.cu": user})
    assert made.conversions == ()
    assert [finding.name for finding in made.report.findings] == ["cudaDeviceReset"]
    assert "the shim `gpu.h` does not give it to HIP" in made.report.findings[0].message
    assert made.report.port is not None
    assert made.report.port.shims == ("gpu.h",)


def test_a_shim_that_a_build_of_another_language_includes_is_a_port_where_code_knows_hip(tmp_path: Path) -> None:
    shim = SHIM.replace("LIB_AMD", "__HIPCC__")
    sides = KERNEL + "#ifdef __HIPCC__\n# define LANES 64\n#else\n# define LANES 32\n#endif\n"
    build = 'hipcc.flag("-include").flag("util/gpu.h");\n'
    port = facts(tmp_path / "port", {"util/gpu.h": shim, "a.cu": sides, "build.rs": build})
    assert port.is_port and port.shims == {"util/gpu.h": 3}
    other = facts(tmp_path / "none", {"util/gpu.h": shim, "a.cu": KERNEL, "b.cu": KERNEL, "build.rs": build})
    assert not other.is_port


def test_two_aliases_are_no_shim(tmp_path: Path) -> None:
    text = SHIM.replace("#define cudaFree hipFree\n", "")
    assert facts(tmp_path, {"gpu.h": text}).shims == {}


def test_folders_for_both_keep_both_and_tell_what_hip_lacks(tmp_path: Path) -> None:
    hip = "#include <hip/hip_runtime.h>\n__global__ void k(float *a) {}\nint w = __any(1);\n"
    cuda = "#include <cuda_runtime.h>\n" + KERNEL + "void f() { cudaDeviceSynchronize(); }\n"
    files = {"src/hip/a.hip.cpp": hip, "src/cuda/a.cu": cuda, "CMakeLists.txt": BUILD % ""}
    files["src/cuda/b.cu"] = cuda.replace("k(", "l(")
    made = applied(tmp_path, files)
    assert made.conversions == ()
    assert {finding.path for finding in made.report.findings} == {"src/cuda/b.cu"}
    assert all("`src/hip` has no equivalent" in finding.message for finding in made.report.findings)


def test_a_source_that_only_cuda_builds_is_a_gap(tmp_path: Path) -> None:
    build = (BUILD % "  add_library(g a.cu)\n").replace("(CUDA)\n", "(CUDA)\n  add_library(g a.cu b.cu)\n")
    text = BRANCHES % "LIB_AMD" + KERNEL
    files = {"a.cu": text, "b.cu": KERNEL + "void f() { cudaDeviceReset(); }\n", "CMakeLists.txt": build}
    report = scanned(tmp_path, files)
    assert {finding.path for finding in report.findings} == {"b.cu"}
    assert all("built for CUDA alone (CMakeLists.txt:8)" in finding.message for finding in report.findings)


def test_a_build_that_hipifies_renames_what_hipify_knows(tmp_path: Path) -> None:
    script = "#!/bin/sh\nfor f in *.cu; do hipify-perl -o=$f.hip $f; done\n"
    report = scanned(tmp_path, {"a.cu": "void f() { cudaDeviceReset(); }\n" + KERNEL, "hipify.sh": script})
    assert report.findings == ()
    assert report.port is not None and sum(report.port.covered.values()) > 0


def test_a_port_is_reported_and_only_its_gaps_are_priced(tmp_path: Path) -> None:
    text = BRANCHES % "LIB_AMD" + KERNEL
    report = scanned(tmp_path, {"a.cu": text, "CMakeLists.txt": BUILD % ""})
    assert report.port is not None and report.port.whole
    assert report.estimate is not None and report.estimate.category == "ported"
    assert [item.kind for item in report.estimate.items if item.kind in ("findings", "integration", "tests")] == []
    plain = scanned(tmp_path / "other", {"a.cu": "void f() { cudaDeviceReset(); }\n" + KERNEL})
    assert plain.port is None


def test_the_survey_is_the_same_with_several_processes(tmp_path: Path) -> None:
    files = {f"d{n}/a.cu": BRANCHES % "LIB_AMD" + KERNEL for n in range(4)} | {"CMakeLists.txt": BUILD % ""}
    one = facts(tmp_path, files)
    inventory = discovery.discover(tmp_path, Config(), known_files())
    assert port_survey.survey(tmp_path, inventory, (), 2) == one


def test_guards_of_the_configuration_only_add(tmp_path: Path) -> None:
    text = "#ifdef MINE\ncudaGraph_t g;\n#endif\n" + BRANCHES % "LIB_AMD"
    found = facts(tmp_path, {"a.cu": text, "CMakeLists.txt": BUILD % ""}, ("MINE",))
    assert {guard.mark for guard in found.guards} == {"LIB_AMD"}


def test_a_converted_file_with_work_left_is_still_reported(tmp_path: Path) -> None:
    kernel = '__global__ void k(int *a) { asm("mov.u32 %0, %%laneid;" : "=r"(*a)); asm("bar.arrive 1, 2;"); }\n'
    report = scanned(tmp_path, {"a.cu": "#include <hip/hip_runtime.h>\n" + kernel, "CMakeLists.txt": BUILD % ""})
    assert any(finding.group == "ptx" for finding in report.findings)


def test_hip_files_by_name_beside_cuda_ones_are_left(tmp_path: Path) -> None:
    code = "#include <%s_runtime.h>\nfloat4 operator+(float4 a, float4 b) { return a; }\n" + KERNEL
    files = {"ops_hip.h": code % "hip/hip", "ops_cuda.h": code % "cuda", "CMakeLists.txt": BUILD % ""}
    assert applied(tmp_path, files).conversions == ()


def test_the_wave_constant_of_the_port_speaks_for_code_that_follows_it(tmp_path: Path) -> None:
    wave = BRANCHES % "LIB_AMD" + "#ifdef LIB_AMD\n#define LANES 64\n#else\n#define LANES 32\n#endif\n"
    code = wave + "#include <cub/cub.cuh>\n__global__ void k(float *a) { typedef cub::WarpReduce<float> Sum; }\n"
    made = applied(tmp_path, {"a.cu": code, "CMakeLists.txt": BUILD % ""})
    assert made.conversions == ()
    assert "library/cub-warp-size" not in {finding.rule for finding in made.report.findings}


def test_one_edit_that_breaks_a_file_is_left_out_alone(tmp_path: Path) -> None:
    from cudamigrate.model import Edit, Finding, Fix, Position, SourceFile, Span
    from cudamigrate.pipeline.convert_file import convert

    text = b"void f() { one(); two(); three(); }\n" + b"void g() { return; }\n" * 20

    def finding(word: bytes, new: bytes, group: str = "") -> Finding:
        at, place = text.index(word), Position(1, 1)
        fix = Fix((Edit(Span(at, at + len(word)), new),), "safe", group)
        return Finding("api/x", "a.cu", Span(at, at + 1), place, place, "", "", "full", "fine", "token", "none", fix)

    broken = b"((((( " * 40
    made = convert(
        SourceFile("a.cu", text, "cuda"), [finding(b"one", b"uno"), finding(b"two", broken), finding(b"three", b"tre")]
    )
    assert made.skip is None
    assert made.after.startswith(b"void f() { uno(); two(); tre(); }")
    assert [reason for _, reason in made.rejected] == ["the file would parse worse than before with it"]
    pair = [finding(b"one", b"uno", "g"), finding(b"two", broken, "g")]
    assert convert(SourceFile("a.cu", text, "cuda"), pair).after == text


def test_a_definition_is_no_call(tmp_path: Path) -> None:
    code = (
        "#include <cuda_bf16.h>\n#if __CUDA_ARCH__ < 800\n"
        "__device__ __nv_bfloat162 __float2bfloat162_rn(float x) { return __nv_bfloat162(); }\n#endif\n"
    )
    made = applied(tmp_path, {"a.cu": code})
    after = made.conversions[0].after.decode()
    assert "__float2bfloat162_rn(float x) {" in after


def test_applying_twice_adds_no_header_twice(tmp_path: Path) -> None:
    code = "template <class T> void f(T *a, T *b, cudaStream_t s) { memcpy(a, b, 4); }\n"
    first = applied(tmp_path, {"a.cuh": code})
    (tmp_path / "a.cuh").write_bytes(first.conversions[0].after)
    assert applied(tmp_path, {}).conversions == ()


def test_a_port_that_has_only_begun_leaves_the_rest_to_be_converted(tmp_path: Path) -> None:
    rest = {f"k{n}.cu": f"__global__ void k{n}() {{}}\nvoid f{n}() {{ cudaDeviceReset(); }}\n" for n in range(3)}
    made = applied(tmp_path, {"a.cu": BRANCHES % "LIB_AMD" + KERNEL, "CMakeLists.txt": BUILD % "", **rest})
    assert made.report.port is None
    assert {conversion.path for conversion in made.conversions} >= set(rest)


def test_a_macro_that_only_some_builds_for_hip_set_is_no_exact_guard(tmp_path: Path) -> None:
    line = "  if(NOT WITH_BLAS)\n    add_definitions(-DLIB_NO_BLAS)\n  endif()\n"
    code = "#ifdef LIB_NO_BLAS\nhipStream_t s;\n#endif\n"
    assert marks(tmp_path, {"a.cu": code, "CMakeLists.txt": BUILD % line}) == {"?LIB_NO_BLAS"}


@pytest.mark.parametrize(
    ("lines", "outside", "expected"),
    [
        ("  foreach(s a b)\n    set(LIB_UNION FALSE)\n    set(LIB_UNION TRUE)\n  endforeach()\n", "", {"?LIB_UNION"}),
        ("  set(LIB_UNION TRUE)\n", "set(LIB_UNION FALSE)\n", {"LIB_UNION"}),  # what it is without HIP
    ],
)
def test_a_variable_that_the_build_for_hip_also_turns_off_is_no_exact_guard(
    tmp_path: Path, lines: str, outside: str, expected: set[str]
) -> None:
    files = {"a.cu": "#ifdef LIB_UNION\nint a;\n#endif\n", "CMakeLists.txt": outside + BUILD % lines}
    assert marks(tmp_path, files) == expected


def test_a_header_that_the_build_for_hip_does_not_miss_is_no_gap(tmp_path: Path) -> None:
    code = "#include <thrust/device_vector.h>\nauto z = thrust::make_tuple(1, 2);\n"
    build = {"CMakeLists.txt": BUILD % "  add_definitions(-DLIB_AMD)\n"}
    assert scanned(tmp_path / "a", {"a.cu": BRANCHES % "LIB_AMD" + KERNEL + code, **build}).findings == ()
    alone = {one.rule for one in scanned(tmp_path / "b", {"a.cu": "#include <cuda_runtime.h>\n" + code}).findings}
    assert "library/tuple-header" in alone


def test_a_mask_that_hip_compiles_is_no_gap_where_the_file_knows_hip(tmp_path: Path) -> None:
    call = "__global__ void f(int *a) { a[0] = __shfl_sync(LIB_MASK, a[1], 0, 32); }\n"
    files = {"CMakeLists.txt": BUILD % "  add_definitions(-DLIB_AMD)\n", "a.cu": BRANCHES % "LIB_AMD" + call}
    assert scanned(tmp_path / "a", files).findings == ()
    other = {"b.cu": "#include <cuda_runtime.h>\n" + call.replace("f(", "g(")}
    found = scanned(tmp_path / "b", {**files, **other}).findings
    assert [one.rule for one in found if one.path == "b.cu" and one.group == "warp"] == ["warp/sync-shuffle"]


def test_the_cuda_side_of_a_port_is_nothing_for_amds_compiler(tmp_path: Path) -> None:
    kernel = "__global__ void k(float *a) { a[threadIdx.x] = 1; }\nvoid f(float *a) { k<<<1, 64>>>(a); }\n"
    for name, text in {
        "cuda/scale.cu": kernel,
        "hip/scale.cpp": f"#include <hip/hip_runtime.h>\n{kernel}",
        "hip/Makefile": "scale: scale.cpp\n\thipcc -o scale scale.cpp\n",
        "other/own.cu": kernel,
    }.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    assert pipeline.apply(tmp_path, Config(jobs=1)).for_cuda == {"cuda/scale.cu"}


def test_a_mask_of_the_same_name_in_a_file_that_is_not_included_answers_nothing(tmp_path: Path) -> None:
    wide = "#ifdef LIB_AMD\n#define LIB_MASK 0xffffffffffffffffULL\n#else\n#define LIB_MASK 0xffffffffu\n#endif\n"
    call = "__global__ void g(int *a) { a[0] = __shfl_sync(LIB_MASK, a[1], 0, 32); }\n"
    files = {
        "CMakeLists.txt": BUILD % "  add_definitions(-DLIB_AMD)\n",
        "mask.cuh": wide + "__device__ int h(int v) { return __shfl_sync(LIB_MASK, v, 0, 32); }\n",
        "a.cu": BRANCHES % "LIB_AMD" + '#include "mask.cuh"\n' + KERNEL,
    }
    for folder, head, rules in (
        ("own", "#define LIB_MASK 0xffffffff\n", ["warp/sync-shuffle"]),
        ("included", '#include "mask.cuh"\n', []),
    ):
        found = scanned(tmp_path / folder, {**files, "b.cu": "#include <cuda_runtime.h>\n" + head + call}).findings
        assert [one.rule for one in found if one.path == "b.cu" and one.group == "warp"] == rules
