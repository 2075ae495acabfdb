"""What findings say of text that is compiled at run time, which can include no header of the project."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

CODE = """__device__ unsigned chosen(unsigned v, unsigned n) {
#if (__CUDACC_VER_MAJOR__ >= 9)
    return __shfl_sync(__activemask(), v, 0, n);
#else
    return __shfl(v, 0, n);
#endif
}
__global__ void k(unsigned *out, unsigned n) { out[threadIdx.x] = chosen(out[0], n); __syncwarp(); }
"""
HOST = '#include <nvrtc.h>\nvoid build(nvrtcProgram *p, const char *s) { nvrtcCreateProgram(p, s, "k", 0, 0, 0); }\n'


def said(root: Path, text: str) -> dict[str, tuple[str, bool]]:
    """The messages on warp-level code by rule, and whether each has a change."""
    written(root, {"k.cu": text, "host.cpp": HOST})
    found = pipeline.scan(root, Config(jobs=1)).findings
    return {one.rule: (one.message, one.fix is not None) for one in found if one.rule.startswith("warp/")}


def test_what_is_not_replaced_in_a_text_is_not_said_to_be(tmp_path: Path) -> None:
    found = said(tmp_path, f'R"===(\n{CODE})==="\n')
    assert {"warp/active-mask", "warp/warp-barrier", "warp/version-branch"} <= found.keys()
    assert all("Not changed: " in message and not fixed for message, fixed in found.values())
    assert not any("is replaced" in message or "takes its place" in message for message, _ in found.values())


def test_in_a_file_of_code_it_is(tmp_path: Path) -> None:
    found = said(tmp_path, CODE)
    assert found["warp/active-mask"][0].endswith("Use the 32-lane form.")
    assert all(fixed and "Not changed" not in message for message, fixed in found.values())


@pytest.mark.parametrize(
    ("text", "is_cuda"),
    [
        ("__kernel void k(__global int *a) { a[0] = f(1); }\n", False),
        ("__global__ void k(int *a) { a[0] = f(1); }\n", True),
        ("#define __kernel __global__\n__kernel void k(int *a) { a[0] = f(1); }\n", True),  # for both languages
        ("", True),
    ],
)
def test_text_of_opencl_is_not_read_as_cuda(tmp_path: Path, text: str, is_cuda: bool) -> None:
    mark = '"""'  # a delimiter may hold quotes
    common = "#ifndef __CUDACC__\n#define __device__\n#endif\n__device__ int f(int x) { return x; }\n"
    files = {"kernels.h": f'const char *source = R"{mark}(\n{common}{text}){mark}";\n', "a.cu": CODE}
    written(tmp_path, files)
    found = pipeline.scan(tmp_path, Config(jobs=1)).findings
    assert any(one.path == "kernels.h" for one in found) == is_cuda


RANDOM = """
#include "curand_kernel.h"
extern "C" __global__ void k(curandStateXORWOW_t *s) { curand_init(1, 0, 0, s); }
"""
HIP_RANDOM = RANDOM.replace('"curand', '"hiprand/hiprand').replace("curandStateXORWOW_t", "hiprandState_t")
LEFT = '    asm("bar.arrive 1, 64;");\n'


def python(root: Path, *codes: str) -> tuple[str, list[str]]:
    """A Python file that compiles some texts, as converted, and what is said of what is CUDA's in it."""
    text = "import cupy\n" + "".join(f'A = cupy.RawModule(code="""{code}""")\n' for code in codes)
    written(root, {"a.py": text})
    made = {one.path: one.after.decode() for one in pipeline.apply(root, Config(jobs=1)).conversions}
    found = pipeline.scan(root, Config(jobs=1)).findings
    return made.get("a.py", text), [one.message for one in found if one.rule.startswith("api/")]


def test_a_text_is_converted_with_what_it_includes(tmp_path: Path) -> None:
    made, _ = python(tmp_path, RANDOM)
    assert HIP_RANDOM.replace("curand_init", "hiprand_init") in made


def test_no_name_of_a_text_is_converted_where_something_else_in_it_is_left(tmp_path: Path) -> None:
    made, found = python(tmp_path, RANDOM.replace("curand_init(", LEFT + "curand_init("), RANDOM)
    assert RANDOM.replace("curand_init(", LEFT + "curand_init(") in made
    assert HIP_RANDOM.replace("curand_init", "hiprand_init") in made
    assert sum("Not changed: line 4 of the same text is left" in one for one in found) == 3


def test_what_is_only_slower_or_other_leaves_a_text_to_be_converted(tmp_path: Path) -> None:
    """`curand_init` gives other numbers: that is reported, and no reason to leave the text."""
    made, found = python(tmp_path, RANDOM.replace("#include", "// why\n#include"))
    assert "hiprand_init" in made and not any("Not changed" in one for one in found)


SPLIT = '__device__ void f(double v, int &a, int &b) { asm("mov.b64 {%0, %1}, %2;" : "=r"(a), "=r"(b) : "d"(v)); }'
JOIN = '__device__ void f(double &v, int a, int b) { asm("mov.b64 %0, {%1, %2};" : "=d"(v) : "r"(a), "r"(b)); }'


@pytest.mark.parametrize(("code", "fixed"), [(SPLIT, False), (JOIN, True)])
def test_what_a_literal_would_have_to_spell_in_another_way_is_said_to_stay(
    tmp_path: Path, code: str, fixed: bool
) -> None:
    text = f"from pycuda.compiler import SourceModule\nSourceModule('''\\\n{code}\n''')\n"
    written(tmp_path, {"a.py": text})
    (found,) = (one for one in pipeline.scan(tmp_path, Config(jobs=1)).findings if one.rule.startswith("ptx/"))
    assert (found.fix is not None, "Not changed: the HIP code would be spelled" in found.message) == (fixed, not fixed)
    assert found.effort == ("none" if fixed else "small")
