"""A test for newer GPUs of NVIDIA is opened for AMD where nothing works in its place and its code is converted."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

OPENED = "build/opened-gate"
ADD = 'asm("add.u32 %0, %0, 1;" : "+r"(a));'
LEFT = 'asm("bar.arrive 1, 2;");'


def kernel(code: str, gate: str = "#if __CUDA_ARCH__ >= 700  // newer", other: str = "") -> str:
    inside = f"{gate}\nunsigned a = *p; {code}\n*p = a;\n{other}#endif"
    return f"#include <cuda_runtime.h>\n__global__ void k(unsigned *p) {{\n{inside}\n}}\n"


def switched(code: str, other: str, gate: str = "__CUDACC_VER_MAJOR__ >= 11") -> str:
    return (
        f"#include <cuda_runtime.h>\n#if ({gate})\n#if !defined(__CUDA_ARCH__) || (__CUDA_ARCH__ >= 800)\n"
        "#define FAST_ADD\n#endif\n#endif\n__device__ unsigned add(unsigned a) {\n"
        f"#ifdef FAST_ADD\n{code}\n{other}#endif\n  return a;\n}}\n"
    )


def after(folder: Path, files: dict[str, str]) -> tuple[str, list[str]]:
    written(folder, files)
    made = pipeline.apply(folder, Config(jobs=1))
    text = {one.path: one.after.decode() for one in made.conversions}.get("a.cu", "")
    return text, [one.rule for file in made.report.files for one in file.findings if one.rule == OPENED]


@pytest.mark.parametrize(
    ("text", "gate"),
    [
        pytest.param(kernel(ADD), "#if __CUDA_ARCH__ >= 700 || defined(__HIP_DEVICE_COMPILE__)  // newer", id="whole"),
        pytest.param(
            kernel(ADD, other="#else\n__trap();\n"),
            "#if __CUDA_ARCH__ >= 700 || defined(__HIP_DEVICE_COMPILE__)  // newer",
            id="else stops",
        ),
        pytest.param(
            kernel(ADD, other='#else\n#pragma message("not compiled")\n'),
            "#if __CUDA_ARCH__ >= 700 || defined(__HIP_DEVICE_COMPILE__)  // newer",
            id="else complains",
        ),
        pytest.param(
            kernel(ADD, other="#elif __CUDA_ARCH__ >= 600\nunsigned b = *p; ++b; *p = b;\n#else\n#error old\n"),
            "#if __CUDA_ARCH__ >= 700 || defined(__HIP_DEVICE_COMPILE__)  // newer",
            id="chain of newer GPUs",
        ),
        pytest.param(
            "#include <mma.h>\n" + kernel("nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> c;"),
            "#if __CUDA_ARCH__ >= 700 || defined(__HIP_DEVICE_COMPILE__)  // newer",
            id="slower",
        ),
        pytest.param(switched(ADD, ""), "#if (__CUDACC_VER_MAJOR__ >= 11) || defined(__HIPCC__)", id="macro"),
        pytest.param(
            switched(ADD, '#else\n  ASSERT_NEVER("unsupported");\n'),
            "#if (__CUDACC_VER_MAJOR__ >= 11) || defined(__HIPCC__)",
            id="macro, else stops",
        ),
    ],
)
def test_a_test_before_converted_code_is_opened(tmp_path: Path, text: str, gate: str) -> None:
    made, found = after(tmp_path, {"a.cu": text})
    assert gate in made.splitlines() and found == [OPENED]


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"a.cu": kernel(ADD + LEFT)}, id="something is left"),
        pytest.param({"a.cu": kernel("a += 1;")}, id="nothing of CUDA's"),
        pytest.param({"a.cu": kernel(ADD, "#if __CUDA_ARCH__ >= 700 && __CUDA_ARCH__ < 800")}, id="old GPUs alone"),
        pytest.param({"a.cu": kernel(ADD, other="#else\n*p = 1;\n")}, id="another way"),
        pytest.param({"a.cu": switched(LEFT, "")}, id="macro, something is left"),
        pytest.param({"a.cu": switched(ADD, "#else\n  a += 1;\n")}, id="macro, another way"),
        pytest.param({"a.cu": switched(ADD, ""), "b.h": "#ifndef FAST_ADD\nint slow;\n#endif\n"}, id="asked elsewhere"),
        pytest.param({"a.cu": switched(ADD, ""), "b.h": "int b = FAST_ADD;\n"}, id="used elsewhere"),
    ],
)
def test_other_tests_stay(tmp_path: Path, files: dict[str, str]) -> None:
    made, found = after(tmp_path, files)
    assert found == [] and "|| defined(__HIP" not in made


DOUBLES = "#if __CUDA_ARCH__ >= {number}\n{code}\n{other}#endif\n"
WHOLE = "__global__ void k(double *p) {{ p[threadIdx.x] {step} 2; }}"


@pytest.mark.parametrize("number", [130, 200, 600])
def test_whole_functions_for_what_all_gpus_of_amd_have_are_there_on_amd(tmp_path: Path, number: int) -> None:
    code = "#include <cuda_runtime.h>\n" + DOUBLES.format(number=number, code=WHOLE.format(step="*="), other="")
    made, found = after(tmp_path, {"a.cu": code})
    assert f"#if __CUDA_ARCH__ >= {number} || defined(__HIP_DEVICE_COMPILE__)" in made.splitlines() and found == [
        OPENED
    ]


@pytest.mark.parametrize(
    "code",
    [
        pytest.param(DOUBLES.format(number=700, code=WHOLE.format(step="*="), other=""), id="newer GPUs"),
        pytest.param(
            DOUBLES.format(number=200, code=WHOLE.format(step="*="), other="#else\nint slow();\n"), id="other way"
        ),
        pytest.param(
            DOUBLES.format(number=200, code=WHOLE.format(step="*=") + f"\n__device__ void f() {{ {LEFT} }}", other=""),
            id="left",
        ),
        pytest.param(
            DOUBLES.format(number=200, code="#define HAVE_DOUBLE 1", other="") + "int a = HAVE_DOUBLE + 1;\n",
            id="macro",
        ),
    ],
)
def test_others_stay_closed(tmp_path: Path, code: str) -> None:
    made, found = after(tmp_path, {"a.cu": "#include <cuda_runtime.h>\n" + code})
    assert found == [] and "|| defined(__HIP" not in made


GIVEN = (
    "#include <cuda_runtime.h>\n__device__ float of(float a) {{\n#if __CUDA_ARCH__ >= {number}\n    return {new};\n"
    "#else\n    {old}\n#endif\n}}\n"
)
SHUFFLED = "__shfl_down(a, 1)"


@pytest.mark.parametrize(
    "old", ["return 0;", "return 0.f; // too old", "assert(false); return float(0);", "return {};"]
)
@pytest.mark.parametrize("number", [300, 700])
def test_a_zero_in_place_of_what_is_calculated_is_no_other_way(tmp_path: Path, old: str, number: int) -> None:
    made, found = after(tmp_path, {"a.cu": GIVEN.format(number=number, new=SHUFFLED, old=old)})
    assert found == [OPENED] and f"#if __CUDA_ARCH__ >= {number} || defined(__HIP_DEVICE_COMPILE__)" in made


@pytest.mark.parametrize(
    ("new", "old"),
    [(SHUFFLED, "return a + 1;"), (SHUFFLED, "return 32;"), ("1", "return 0;"), (SHUFFLED, "count(); return 0;")],
)
def test_what_works_in_its_place_stays(tmp_path: Path, new: str, old: str) -> None:
    made, found = after(tmp_path, {"a.cu": GIVEN.format(number=700, new=new, old=old)})
    assert found == [] and "|| defined(__HIP" not in made


TWO_WAYS = (
    "#include <cuda_runtime.h>\n__device__ int load(int *p) {{\n  int v;\n#if __CUDA_ARCH__ >= 700\n  {new}\n#else\n"
    "  {old}\n#endif\n  return v;\n}}\n"
)
ACQUIRE = 'asm volatile("ld.global.acquire.gpu.b32 %0, [%1];" : "=r"(v) : "l"(p));'
CACHED = 'asm volatile("ld.global.cg.b32 %0, [%1];" : "=r"(v) : "l"(p));'


def test_of_two_ways_in_ptx_amd_takes_that_of_the_newest_gpus(tmp_path: Path) -> None:
    made, found = after(tmp_path, {"a.cu": TWO_WAYS.format(new=ACQUIRE, old=CACHED)})
    assert "#if __CUDA_ARCH__ >= 700 || defined(__HIP_DEVICE_COMPILE__)" in made.splitlines() and found == [OPENED]


@pytest.mark.parametrize("new", [ACQUIRE, ACQUIRE.replace("acquire.gpu", "relaxed.sys")])
def test_amd_takes_the_load_that_sees_what_others_write_for_a_plain_one(tmp_path: Path, new: str) -> None:
    made, found = after(tmp_path, {"a.cu": TWO_WAYS.format(new=new, old="v = *p;")})
    assert "#if __CUDA_ARCH__ >= 700 || defined(__HIP_DEVICE_COMPILE__)" in made.splitlines() and found == [OPENED]


@pytest.mark.parametrize(
    ("new", "old"),
    [
        ("v = *p;", CACHED),
        (ACQUIRE + LEFT, CACHED),
        (ACQUIRE.replace("acquire.gpu.", ""), "v = *p;"),
        (ACQUIRE, "v = *(volatile int *)p;"),
        (ACQUIRE, "v = __ldcg(p);"),
        (ACQUIRE, "v = *p; __threadfence();"),
        (ACQUIRE + " v += 1;", "v = *p;"),
    ],
)
def test_of_other_ways_amd_keeps_the_older(tmp_path: Path, new: str, old: str) -> None:
    made, found = after(tmp_path, {"a.cu": TWO_WAYS.format(new=new, old=old)})
    assert found == [] and "|| defined(__HIP" not in made


PROGRAM = (
    "__global__ void k(unsigned *p) { *p = 1; }\nvoid go(unsigned *p) { k<<<1, 64>>>(p); cudaDeviceSynchronize(); }\n"
)


@pytest.mark.parametrize(
    ("code", "other", "opened"),
    [
        (PROGRAM, "", True),
        (PROGRAM, "#else\nvoid go(unsigned *p);\n", False),
        (PROGRAM + "void load() { cudaLibraryLoadData(0); }\n", "", False),
        ("#define NEW_WAY\n", "", False),
    ],
)
def test_a_test_for_a_release_round_converted_code_is_opened(
    tmp_path: Path, code: str, other: str, opened: bool
) -> None:
    text = f"#include <cuda_runtime.h>\n#if CUDART_VERSION >= 10010\n{code}{other}#endif\n"
    made, rules = after(tmp_path, {"a.cu": text})
    assert ("#if CUDART_VERSION >= 10010 || defined(__HIP_PLATFORM_AMD__)" in made) is opened
    assert bool(rules) is opened


def test_a_test_for_a_macro_alone_becomes_one_that_may_ask_for_two(tmp_path: Path) -> None:
    code = "#include <cublas_v2.h>\nvoid {0}(cublasHandle_t h) {{ cublasDestroy(h); }}\n#endif\n"
    text = f"#ifdef CUDART_VERSION  // CUDA's\n{code.format('f')}#ifndef CUDART_VERSION\n{code.format('g')}"
    changed, opened = after(tmp_path, {"a.cu": f"#include <cuda_runtime.h>\n{text}"})
    assert "#if defined(CUDART_VERSION) || defined(__HIP_PLATFORM_AMD__)  // CUDA's\n" in changed
    assert "#ifndef CUDART_VERSION\n" in changed
    assert opened == [OPENED]


ALL_HAVE = (
    "#include <cuda_runtime.h>\n__device__ unsigned of(unsigned a, unsigned b) {{\n  unsigned r;\n"
    "#if __CUDA_ARCH__ >= {number}\n  {new}\n#else\n  r = a << b;\n#endif\n  return r;\n}}\n"
)
FUNNEL = 'asm("shf.l.clamp.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(b));'


@pytest.mark.parametrize("new", [FUNNEL, "r = __shfl(a, b);"])
def test_converted_code_that_needs_no_more_than_all_of_amds_gpus_have_is_compiled(tmp_path: Path, new: str) -> None:
    made, found = after(tmp_path, {"a.cu": ALL_HAVE.format(number=320, new=new)})
    assert "#if __CUDA_ARCH__ >= 320 || defined(__HIP_DEVICE_COMPILE__)" in made.splitlines() and found == [OPENED]


@pytest.mark.parametrize(("number", "new"), [(800, FUNNEL), (320, "r = fast(a, b);")])
def test_another_way_stays_where_more_is_needed_or_nothing_is_converted(tmp_path: Path, number: int, new: str) -> None:
    made, found = after(tmp_path, {"a.cu": ALL_HAVE.format(number=number, new=new)})
    assert found == [] and "|| defined(__HIP" not in made


GRID = (
    "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"
    "__device__ void k(int *p) {{\n  p[blockIdx.x] = 0;\n"
    "#if __CUDA_ARCH__ >= 600\n  {new}\n#else\n  {old}\n#endif\n  p[0] += p[1];\n}}\n"
)


def test_a_barrier_of_the_block_is_no_other_way_for_one_of_the_grid(tmp_path: Path) -> None:
    made, found = after(tmp_path, {"a.cu": GRID.format(new="cg::this_grid().sync();", old="__syncthreads();")})
    assert "#if __CUDA_ARCH__ >= 600 || defined(__HIP_DEVICE_COMPILE__)" in made.splitlines() and found == [OPENED]


@pytest.mark.parametrize(
    ("new", "old", "rule"),
    [
        ("cg::this_thread_block().sync(); p[1] = 2;", "__syncthreads(); p[1] = 2;", "build/arch-gate"),
        ("cg::this_grid().sync(); p[1] = 2;", "cg::this_grid().sync(); p[1] = 1 + 1;", "build/older-path"),
        (f"unsigned a = 0; cg::this_grid().sync(); {LEFT}", "__syncthreads();", "build/arch-gate"),
    ],
)
def test_a_test_round_other_barriers_stays(tmp_path: Path, new: str, old: str, rule: str) -> None:
    made, found = after(tmp_path, {"a.cu": GRID.format(new=new, old=old)})
    assert found == [] and "|| defined(__HIP" not in made
    assert rule in {one.rule for one in pipeline.scan(tmp_path, Config(jobs=1)).findings}


INCLUDES = (
    "#if __CUDACC_VER_MAJOR__ >= 11\n#include <{}>\n#else\n#include <cooperative_groups.h>\n#endif\n"
    "__global__ void k(int *p) {{ *p = 1; }}\n"
)


def test_converted_headers_are_included(tmp_path: Path) -> None:
    made, found = after(tmp_path, {"a.cu": INCLUDES.format("cooperative_groups/reduce.h")})
    assert "#if __CUDACC_VER_MAJOR__ >= 11 || defined(__HIPCC__)" in made.splitlines() and found == [OPENED]


def test_headers_without_a_hip_equivalent_stay_out(tmp_path: Path) -> None:
    made, found = after(tmp_path, {"a.cu": INCLUDES.format("cuda/pipeline")})
    assert "#if __CUDACC_VER_MAJOR__ >= 11" in made.splitlines() and found == []


def test_a_test_in_a_text_of_python_stays(tmp_path: Path) -> None:
    """Texts in other languages have findings of their own, and are no files whose branches are read again."""
    code = kernel(LEFT, "#if __CUDA_ARCH__ >= 530", "#else\nunsigned a = *p;\n*p = a + 1;\n")
    text = f"import cupy\nk = cupy.RawKernel(r'''\n{code}''', 'k')\n"
    written(tmp_path, {"k.py": text, "a.cu": kernel(ADD)})
    report = pipeline.scan(tmp_path, Config(jobs=1))
    assert {one.path for one in report.findings if one.rule == OPENED} == {"a.cu"}
    assert any(one.path == "k.py" and one.group == "build" for one in report.findings)
