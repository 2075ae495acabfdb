"""A header of libcu++ goes where no file that is compiled with it names the library, and stays wherever one does."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

UNUSED = "build/unused-header"
HEADER = (
    "#pragma once\n#include <cuda_runtime.h>\n#include <cuda/pipeline>\n__device__ int twice(int a) { return 2 * a; }\n"
)
UNIT = '#include "a.cuh"\n__global__ void k(int *x) { *x = twice(1); }\n'


@pytest.mark.parametrize(
    ("files", "told"),
    [
        pytest.param({}, {("a.cuh", UNUSED)}, id="unused"),
        pytest.param({"a.cu": UNIT + "// cuda::pipeline\n"}, {("a.cuh", UNUSED)}, id="comment"),
        pytest.param({"a.cu": UNIT + "void g() { at::cuda::f(); }\n"}, {("a.cuh", UNUSED)}, id="another namespace"),
        pytest.param({"b.cu": "#include <cuda/ptx>\ncuda::ptx::a b;\n"}, {("a.cuh", UNUSED)}, id="used elsewhere"),
        pytest.param({"a.cu": UNIT + "void g() { ::cuda::f(); }\n"}, set(), id="used by who includes it"),
        pytest.param({"a.cu": UNIT + "using namespace cuda;\n"}, set(), id="namespace opened"),
        pytest.param(
            {"a.cu": '#include "b.cuh"\n' + UNIT, "b.cuh": "inline void g() { cuda::f(); }\n"},
            set(),
            id="used beside it",
        ),
        pytest.param({"a.cu": UNIT + "#if CCCL_VERSION > 2\n#endif\n"}, set(), id="a macro of the library"),
        pytest.param({"a.cuh": HEADER.replace("pipeline", "atomic")}, set(), id="a header that HIP has"),
    ],
)
def test_a_header_of_which_nothing_is_used_goes(
    tmp_path: Path, files: dict[str, str], told: set[tuple[str, str]]
) -> None:
    written(tmp_path, {"a.cuh": HEADER, "a.cu": UNIT, **files})
    findings = pipeline.scan(tmp_path, Config(jobs=1)).findings
    assert {(one.path, one.rule) for one in findings if one.rule == UNUSED} == told
    assert all(one.automatic for one in findings if one.rule == UNUSED)


def test_its_line_goes_and_what_shares_it_stays(tmp_path: Path) -> None:
    written(tmp_path, {"a.cuh": HEADER.replace("pipeline>", "barrier> // waits"), "a.cu": UNIT})
    made = {one.path: one.after for one in pipeline.apply(tmp_path, Config(jobs=1)).conversions}
    assert b"cuda/barrier" not in made["a.cuh"] and b" // waits\n__device__" in made["a.cuh"]


CHECK = "void f(float *p) { CUDA_SAFE_CALL(cudaFree(p)); }\n"


@pytest.mark.parametrize(
    ("files", "goes"),
    [
        pytest.param({"a.cu": "void f(float *p) { cudaFree(p); }\n"}, True, id="unused"),
        pytest.param({"a.cu": CHECK}, False, id="a check"),
        pytest.param({"a.cu": '#include "b.h"\n', "b.h": CHECK}, False, id="a check beside it"),
        pytest.param({"a.cu": "void f() { cutCreateTimer(&t); }\n"}, False, id="a timer"),
        pytest.param({"a.cu": "void f(int cut, int cutoff) {}\n"}, True, id="words that begin alike"),
        pytest.param({"a.cu": "#include <cutil_math.h>\n"}, False, id="operators have no names"),
    ],
)
def test_the_header_of_the_old_sdk_goes_where_none_of_its_names_is_used(
    tmp_path: Path, files: dict[str, str], goes: bool
) -> None:
    head = "#include <cuda_runtime.h>\n#include <cutil.h>\n#include <cutil_inline.h>\n"
    written(tmp_path, {**files, "a.cu": head + files["a.cu"]})
    applied = pipeline.apply(tmp_path, Config(jobs=1))
    assert any(one.rule == UNUSED and one.automatic for one in applied.report.findings) is goes
    after = next(one.after for one in applied.conversions if one.path == "a.cu")
    assert (b"cutil" not in after) is goes


@pytest.mark.parametrize(
    ("code", "enough"),
    [
        ('void f() { nvtxRangePushA("a"); nvtxRangePop(); }\n', True),
        ('void f() { nvtx3::scoped_range r{"a"}; nvtxRangePop(); }\n', False),
        ("void f() { NVTX3_FUNC_RANGE(); }\n", False),
        ("using namespace nvtx3;\n", False),
    ],
)
def test_the_wrapper_of_nvtx_is_its_header_for_c_where_no_class_of_it_is_used(
    tmp_path: Path, code: str, enough: bool
) -> None:
    written(tmp_path, {"a.cu": "#include <cuda_runtime.h>\n#include <nvtx3/nvtx3.hpp>\n" + code})
    after = next(one.after for one in pipeline.apply(tmp_path, Config(jobs=1)).conversions if one.path == "a.cu")
    assert (b"<rocprofiler-sdk-roctx/roctx.h>" in after) is enough
    assert (b"nvtx3.hpp" in after) is not enough


TEMPLATES = (
    '#include <cutlass/half.h>\n#include <cutlass/gemm/gemm.h>\n#include "b.h"\n__global__ void k(int *x) {{ {} }}\n'
)


@pytest.mark.parametrize(
    ("files", "goes"),
    [
        pytest.param({}, True, id="unused"),
        pytest.param({"c.cu": TEMPLATES.format("cutlass::half_t h;")}, True, id="used by another unit of that header"),
        pytest.param({"b.h": "#define H cutlass::half_t\n"}, False, id="used beside it"),
        pytest.param({"a.cu": TEMPLATES.format("CUTLASS_PRAGMA_UNROLL;")}, False, id="a macro"),
    ],
)
def test_includes_of_cutlass_go_where_nothing_of_it_is_named(tmp_path: Path, files: dict[str, str], goes: bool) -> None:
    written(tmp_path, {"a.cu": TEMPLATES.format("*x = 1;"), "b.h": "int cutlassy;\n", **files})
    findings = [one for one in pipeline.scan(tmp_path, Config(jobs=1)).findings if one.path == "a.cu"]
    assert [one.rule for one in findings if one.rule in (UNUSED, "library/cutlass")] == [
        UNUSED if goes else "library/cutlass"
    ]
    made = {one.path: one.after for one in pipeline.apply(tmp_path, Config(jobs=1)).conversions}
    assert (b"cutlass/" in made.get("a.cu", b"cutlass/")) is not goes
