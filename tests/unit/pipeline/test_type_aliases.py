"""Types of CUDA's under names of the project's own, which another file declares."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

TYPES = """#pragma once
#include <cuda.h>
#include <cuda_runtime.h>
namespace own {
using status_t = CUresult;
typedef CUdeviceptr address_t;
namespace kernel { using attribute_t = CUfunction_attribute; }
namespace other { template <class T> struct status_t {}; using attribute_t = int; }
}
"""
HEAD = '#include "types.hpp"\n#include <cuda_runtime.h>\nnamespace own {\n'


def converted(root: Path, code: str, types: str = TYPES) -> str:
    written(root, {"types.hpp": types, "a.cu": f"{HEAD}{code}}}\n"})
    made = {one.path: one.after.decode() for one in pipeline.apply(root, Config(jobs=1)).conversions}
    return made["a.cu"]


def test_an_enumerator_in_the_scope_of_its_type(tmp_path: Path) -> None:
    code = (
        "int f(CUfunction k) { int v; cuFuncGetAttribute(&v, kernel::attribute_t::CU_FUNC_ATTRIBUTE_NUM_REGS, k); }\n"
    )
    made = converted(tmp_path, code)
    assert "hipFuncGetAttribute(&v, kernel::attribute_t::HIP_FUNC_ATTRIBUTE_NUM_REGS, k)" in made
    made = converted(tmp_path, code.replace("kernel::", "::own::kernel :: "))
    assert "::own::kernel :: attribute_t::HIP_FUNC_ATTRIBUTE_NUM_REGS" in made


@pytest.mark.parametrize(
    "scope",
    [
        pytest.param("other::attribute_t", id="a name that is none of CUDA's"),
        pytest.param("attribute_t", id="not of this scope"),
        pytest.param("ours::kernel::attribute_t", id="of another namespace"),
    ],
)
def test_scopes_of_others_are_left(tmp_path: Path, scope: str) -> None:
    made = converted(tmp_path, f"int v = cudaSuccess + {scope}::CU_FUNC_ATTRIBUTE_NUM_REGS;\n")
    assert f"{scope}::CU_FUNC_ATTRIBUTE_NUM_REGS" in made


def test_a_name_that_two_headers_declare_apart_says_nothing(tmp_path: Path) -> None:
    written(tmp_path, {"more.hpp": "namespace own { namespace kernel { using attribute_t = int; } }\n"})
    made = converted(tmp_path, "int v = cudaSuccess + kernel::attribute_t::CU_FUNC_ATTRIBUTE_NUM_REGS;\n")
    assert "attribute_t::CU_FUNC_ATTRIBUTE_NUM_REGS" in made


FAILED = "bool failed(status_t s) { return s != CUDA_SUCCESS; }\n"
PASSED = "bool failed(cudaError_t e) { return failed(static_cast<status_t>(e)); }\n"
CALLS = "bool failed(hipError_t e) { return failed(static_cast<status_t>(e)); }\n"
GUARDED = f"#ifndef __HIP_PLATFORM_AMD__\n{CALLS}#endif\n"


@pytest.mark.parametrize("code", [FAILED + PASSED, f"bool failed(status_t s);\n{PASSED}{FAILED}"])
def test_an_overload_that_calls_the_other_one_goes(tmp_path: Path, code: str) -> None:
    made = converted(tmp_path, code)
    assert GUARDED in made
    assert "bool failed(status_t s) { return s != hipSuccess; }\n" in made
    assert made.count("#ifndef") == 1


def test_overloads_for_another_type_stay(tmp_path: Path) -> None:
    for code in (FAILED + PASSED.replace("cudaError_t e", "int e"), FAILED.replace("status_t", "other::status_t<int>")):
        assert "#ifndef" not in converted(tmp_path, code + PASSED.replace("failed(cuda", "lost(cuda"))


def test_overloads_that_say_other_things_are_a_decision(tmp_path: Path) -> None:
    made = converted(tmp_path, FAILED + PASSED.replace("failed(static_cast<status_t>(e))", "e == cudaErrorUnknown"))
    assert "#ifndef" not in made
    findings = pipeline.scan(tmp_path, Config(jobs=1)).findings
    assert [one.resolution for one in findings if one.rule == "build/merged-definition"] == ["manual"]


def test_a_pointer_to_const_as_an_address(tmp_path: Path) -> None:
    code = "address_t at(const void *p, void *q) { return reinterpret_cast<address_t>(%s); }\n"
    assert "return (address_t)(p);" in converted(tmp_path, code % "p")
    assert "reinterpret_cast<address_t>(q)" in converted(tmp_path, "int v = cudaSuccess;\n" + code % "q")
