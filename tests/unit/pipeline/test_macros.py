"""Libraries without an equivalent that only macros name, where no code expands them and where some does."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

CHECKS = """\
#pragma once
#include <cuda_runtime.h>
#define TRACE_CHECK(x) do { OptixResult r = x; if (r != OPTIX_SUCCESS) fail(#x); } while (0)
#define CUDA_CHECK(x) do { if ((x) != cudaSuccess) fail(#x); } while (0)
"""
TWO = CHECKS + "#define TRACE_START() optixInit()\n"
KERNEL = '#include "checks.h"\n__global__ void k(int *a) { a[0] = 1; }\nvoid run() { %s }\n'


@pytest.mark.parametrize(
    ("header", "code", "found"),
    [
        pytest.param(CHECKS, "CUDA_CHECK(cudaFree(0));", ["unexpanded-macro"], id="nothing expands it"),
        pytest.param(CHECKS, "TRACE_CHECK(start());", ["optix"], id="code of another file expands it"),
        pytest.param(CHECKS, "// TRACE_CHECK(start());", ["unexpanded-macro"], id="a comment does"),
        pytest.param(TWO, "TRACE_START();", ["unexpanded-macro", "optix"], id="one of two"),
        pytest.param(TWO, "", ["unexpanded-macro", "unexpanded-macro"], id="none of two"),
        pytest.param(CHECKS + "#define ALL(x) TRACE_CHECK(x)\n", "ALL(start());", ["optix"], id="through a macro"),
        pytest.param(CHECKS + "#define ALL(x) TRACE_CHECK(x)\n", "", ["unexpanded-macro"], id="in an unused macro"),
        pytest.param(CHECKS + "#define OF(x) TRACE_##x\n", "OF(CHECK)(start());", ["optix"], id="pasted"),
        pytest.param(CHECKS + "inline int t() { return optixInit(); }\n", "", ["optix"], id="code of the header too"),
        pytest.param("#include <optix.h>\n" + CHECKS, "", ["optix"], id="the library is included"),
        pytest.param(CHECKS, "\n#ifdef TRACE_CHECK\n#endif\n", ["unexpanded-macro"], id="a condition asks for it"),
    ],
)
def test_a_library_in_macros_is_needed_where_one_is_expanded(
    tmp_path: Path, header: str, code: str, found: list[str]
) -> None:
    report = pipeline.scan(written(tmp_path, {"checks.h": header, "k.cu": KERNEL % code}), Config(jobs=1))
    rules = {"library/optix", "library/unexpanded-macro"}
    assert [one.rule.partition("/")[2] for one in report.findings if one.rule in rules] == found
    assert report.estimate is not None
    assert bool(report.estimate.blockers) == ("optix" in found)


def test_code_that_is_not_cuda_expands_macros_too(tmp_path: Path) -> None:
    files = {
        "checks.h": CHECKS,
        "k.cu": KERNEL % "",
        "host.cpp": '#include "checks.h"\nvoid f() { TRACE_CHECK(g()); }\n',
    }
    report = pipeline.scan(written(tmp_path, files), Config(jobs=1))
    assert "library/optix" in {one.rule for one in report.findings}


FETCH = "#pragma once\n#define FETCH(a, i) tex1Dfetch<float>(a, i)\n"
FETCH_CALL = "__global__ void k(float *a, cudaTextureObject_t t) { a[0] = %s; }\n"


@pytest.mark.parametrize(
    ("header", "code", "found"),
    [
        (FETCH, "1", ["library/unexpanded-macro"]),
        (FETCH, "FETCH(t, 1)", ["texture/fetch"]),
        (FETCH + "#define FETCH_OF(i) FETCH(t, i)\n", "1", ["library/unexpanded-macro"]),
        (FETCH + "#define FETCH_OF(i) FETCH(t, i)\n", "FETCH_OF(1)", ["texture/fetch"]),
        (FETCH + "#if FETCH(0, 1)\n#endif\n", "1", ["texture/fetch"]),
        ("#pragma once\n#define FETCHED tex1Dfetch<float>(t, 1)\n", "1", ["texture/fetch"]),
    ],
)
def test_what_hip_lacks_in_a_macro_with_parameters(tmp_path: Path, header: str, code: str, found: list[str]) -> None:
    files = {"fetch.cuh": header, "k.cu": '#include "fetch.cuh"\n' + FETCH_CALL % code}
    report = pipeline.scan(written(tmp_path, files), Config(jobs=1))
    rules = {"texture/fetch", "library/unexpanded-macro"}
    assert [one.rule for one in report.findings if one.rule in rules] == found
