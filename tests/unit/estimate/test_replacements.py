"""A repository that is a CUDA library which AMD has too is replaced, not ported; one that holds or wraps it is not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.estimate.tables import table
from cudamigrate.reporting.basis import basis
from cudamigrate.reporting.headline import sentence
from tests.unit.estimate.trees import KERNEL, estimate, write

ONE = Config(jobs=1, gpu=("mi300x",))
FUNCTIONS = next(entry["functions"] for entry in table("frameworks").all("library") if entry["name"] == "NCCL")
COLLECTIVES = '#include "nccl.h"\n' + "".join(
    f"ncclResult_t {name}(const void* send, void* recv, ncclComm_t comm) {{ return ncclSuccess; }}\n"
    for name in FUNCTIONS
)
CALLS = '#include "nccl.h"\nvoid run(ncclComm_t c) {\n' + "".join(f"  {name}(0, 0, c);\n" for name in FUNCTIONS) + "}\n"
MORE = "\n".join(f"__global__ void k{at}(float *x) {{ x[{at}] = 0; }}" for at in range(300))
CUB = "#pragma once\nnamespace cub { template <typename T> __device__ T f(T x) { return x; } }\n"


def test_a_library_whose_functions_are_defined_here_is_replaced(tmp_path: Path) -> None:
    write(tmp_path, {"src/collectives.cc": COLLECTIVES, "src/device/k.cu": KERNEL})
    report = pipeline.scan(tmp_path, ONE)
    assert report.estimate is not None
    assert [(one.name, one.amd) for one in report.estimate.replaced] == [("NCCL", "RCCL")]
    assert sentence(report).startswith("Do not port it, use RCCL: this is NCCL, and AMD has an equivalent.")
    assert [verdict.advice for verdict in report.estimate.verdicts] == ["stay"]
    assert any("src/collectives.cc" in line and "RCCL" in line for line in basis(report))


def test_a_program_that_calls_the_library_is_ported(tmp_path: Path) -> None:
    assert not estimate(tmp_path, {"src/run.cc": CALLS, "src/k.cu": KERNEL}, ONE).replaced


def test_a_layer_over_the_library_in_a_larger_program_is_no_library(tmp_path: Path) -> None:
    assert not estimate(tmp_path, {"shim/nccl.cc": COLLECTIVES, "src/k.cu": MORE}, ONE).replaced


def test_a_header_that_stands_in_for_a_library_is_not_the_library(tmp_path: Path) -> None:
    assert not estimate(tmp_path / "a", {"stub/nccl.h": COLLECTIVES}, ONE).replaced
    assert estimate(tmp_path / "b", {"src/nccl.cc": COLLECTIVES}, ONE).replaced


def test_functions_of_tests_and_those_in_a_namespace_are_no_library(tmp_path: Path) -> None:
    apart = {"tests/mock.cc": COLLECTIVES, "src/dynamic.cc": f"namespace dynload {{\n{COLLECTIVES}}}\n", "k.cu": KERNEL}
    assert not estimate(tmp_path, apart, ONE).replaced


def test_headers_alone_are_the_library_where_they_are_most_of_the_code(tmp_path: Path) -> None:
    cub = {"cub/cub.cuh": CUB, "cub/device/reduce.cuh": MORE, "test/a.cu": MORE + MORE}
    assert [one.amd for one in estimate(tmp_path / "one", cub, ONE).replaced] == ["hipCUB"]
    copied = {"src/cub/cub.cuh": CUB, "src/main.cu": MORE}
    assert not estimate(tmp_path / "two", copied, ONE).replaced


def test_a_compiled_library_has_its_headers_in_the_include_folder_of_its_build(tmp_path: Path) -> None:
    names = ("cuvs/neighbors/cagra.hpp", "cuvs/neighbors/ivf_pq.hpp")
    build = {"cpp/CMakeLists.txt": "project(CUVS LANGUAGES CXX CUDA)\n", "cpp/src/a.cu": MORE}
    library = build | {f"cpp/include/{name}": CUB for name in names}
    assert [one.amd for one in estimate(tmp_path / "one", library, ONE).replaced] == ["hipVS"]
    elsewhere = build | {f"cpp/copied/{name}": CUB for name in names}
    assert not estimate(tmp_path / "two", elsewhere, ONE).replaced
    half = build | {f"cpp/include/{names[0]}": CUB}
    assert not estimate(tmp_path / "three", half, ONE).replaced


def test_several_libraries_are_named_together_and_another_interface_is_said(tmp_path: Path) -> None:
    both = {"cub/cub/cub.cuh": CUB, "thrust/thrust/device_vector.h": CUB, "thrust/thrust/version.h": CUB}
    report = pipeline.scan(write(tmp_path / "one", both), replace(ONE, enter_vendored=True))
    assert "use hipCUB and rocThrust: this is CUB and Thrust" in sentence(report)
    other = {"include/cutlass/cutlass.h": CUB, "include/cute/tensor.hpp": CUB}
    found = estimate(tmp_path / "two", other, ONE)
    assert "The interfaces differ" in found.verdicts[-1].because


def test_what_an_equivalent_lacks_is_said(tmp_path: Path) -> None:
    files = {"include/cuco/static_map.cuh": CUB}
    said = estimate(tmp_path, files, ONE).verdicts[-1].because
    assert said.startswith("hipCollections has the same interface.") and "limits: static_set, static_map and" in said


def test_the_names_of_the_library_itself_block_nothing(tmp_path: Path) -> None:
    calls = '#include "amgx_c.h"\nvoid stop() { AMGX_finalize(); }\n'
    own = {"include/amgx_c.h": "int AMGX_finalize();\n", "src/a.cu": calls + MORE}
    found = estimate(tmp_path / "one", own, ONE)
    assert not found.blockers and not found.replaced and found.items
    user = {"src/a.cu": calls + MORE}
    assert [one.title for one in estimate(tmp_path / "two", user, ONE).blockers] == ["cuDSS or AmgX"]
