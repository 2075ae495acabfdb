"""A namespace `cuda` or `cub` of the project's own is no library, where it declares the names that are used."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import scanned

OWN = "namespace mine { namespace cuda {\ntemplate <typename T> struct maximum {};\nint ceil_div(int a);\n} }\n"
USE = '#include "a.h"\nnamespace mine {{\n__global__ void k() {{ auto m = cuda::{}; }}\n}}\n'


@pytest.mark.parametrize(
    ("files", "reported"),
    [
        pytest.param({"a.h": OWN, "k.cu": USE.format("maximum<int>()")}, False, id="own"),
        pytest.param(
            {"a.h": '#include "b.h"\n', "b.h": OWN, "k.cu": USE.format("ceil_div(3)")}, False, id="through another"
        ),
        pytest.param(
            {"a.h": OWN.replace("cuda", "gpu"), "k.cu": USE.format("maximum<int>()")}, True, id="another name"
        ),
        pytest.param({"a.h": OWN, "k.cu": USE.format("minimum<int>()")}, True, id="not among them"),
        pytest.param({"b.h": OWN, "a.h": "", "k.cu": USE.format("maximum<int>()")}, True, id="not read"),
    ],
)
def test_names_of_an_own_namespace(tmp_path: Path, files: dict[str, str], reported: bool) -> None:
    found = [one for one in scanned(tmp_path, files).findings if one.rule == "library/cccl-names"]
    assert bool(found) is reported


CUB = "namespace cub {\ntemplate <class T, int kItems = 2> class WarpReduce {};\n}\n"
REDUCE = '#include "a.h"\n__global__ void k() {{ cub::{}; }}\n'


@pytest.mark.parametrize(
    ("files", "reported"),
    [
        pytest.param({"a.h": CUB, "k.cu": REDUCE.format("WarpReduce<int> one")}, False, id="own"),
        pytest.param({"a.h": CUB, "k.cu": REDUCE.format("WarpScan<int> one")}, True, id="not declared"),
        pytest.param(
            {"a.h": f"#include <cub/cub.cuh>\n{CUB}", "k.cu": REDUCE.format("WarpReduce<int> one")}, True, id="included"
        ),
        pytest.param(
            {
                "a.h": "namespace cub {\ntemplate <> struct WarpReduce<int, 7> {};\n}\n",
                "k.cu": REDUCE.format("WarpReduce<int> one"),
            },
            True,
            id="specialised",
        ),
        pytest.param(
            {"a.h": CUB, "b.cu": '#include "third/cub/cub.cuh"\n', "k.cu": REDUCE.format("WarpReduce<int> one")},
            True,
            id="a copy of CUB elsewhere",
        ),
        pytest.param(
            {
                "cub/cub.cuh": '#include "warp.cuh"\n',
                "cub/warp.cuh": CUB,
                "k.cu": f"#include <cub/cub.cuh>\n{REDUCE.format('WarpReduce<int> one')}",
            },
            False,
            id="all of CUB is the project's own",
        ),
        pytest.param(
            {
                "cub/more.cuh": f"#include <cub/cub.cuh>\n{CUB}",
                "k.cu": f"#include <cub/more.cuh>\n{REDUCE.format('WarpReduce<int> one')}",
            },
            True,
            id="one header of CUB is the library's",
        ),
        pytest.param(
            {
                "cub/more.cuh": "namespace cub {\ntemplate <> struct WarpReduce<int, 7> {};\n}\n",
                "k.cu": f"#include <cub/more.cuh>\n{REDUCE.format('WarpReduce<int> one')}",
            },
            True,
            id="specialised by a header in a folder cub",
        ),
    ],
)
def test_names_of_a_namespace_like_cub(tmp_path: Path, files: dict[str, str], reported: bool) -> None:
    found = [one for one in scanned(tmp_path, files).findings if one.rule in ("api/cub", "library/cub-warp-size")]
    assert bool(found) is reported


def test_macros_and_includes_of_an_own_cub_stay(tmp_path: Path) -> None:
    files = {
        "cub/util_allocator.cuh": f"#define CUB_STDERR\n#define CubDebug(e) (e)\n{CUB}",
        "k.cu": "#include <cub/util_allocator.cuh>\nvoid f() { CubDebug(cudaDeviceSynchronize()); }\n",
    }
    found = scanned(tmp_path, files).findings
    assert {one.rule for one in found if "cub" in one.rule.lower()} == set()
    assert any(one.rule == "api/cudaDeviceSynchronize" for one in found)


def test_names_of_cublas_are_none_of_an_own_cub(tmp_path: Path) -> None:
    files = {
        "cub/util_allocator.cuh": f"#define CubDebug(e) (e)\n{CUB}",
        "k.cu": "#include <cub/util_allocator.cuh>\n#include <cublas_v2.h>\nvoid f() { CubDebug(cublasCreate(0)); }\n",
    }
    found = {one.rule for one in scanned(tmp_path, files).findings}
    assert {"api/cublas-header", "api/cublasCreate"} <= found
    assert not found & {"api/CubDebug", "api/cub/util_allocator.cuh"}


@pytest.mark.parametrize(("more", "reported"), [({}, True), ({"cub.cuh": "inline void mine() {}\n"}, False)])
def test_cub_by_its_own_folder(tmp_path: Path, more: dict[str, str], reported: bool) -> None:
    found = scanned(tmp_path, {"k.cu": '#include "cub.cuh"\nvoid f() { cudaDeviceSynchronize(); }\n', **more}).findings
    assert any(one.rule == "api/cub.cuh" for one in found) is reported


THRUST = """\
#define OPEN namespace thrust {
OPEN
namespace system { namespace cuda { namespace lent {
template <typename T> struct memory {};
} } }
namespace cuda { namespace lent { using thrust::system::cuda::lent::memory; } }
}
"""
TAKE = '#include "a.h"\n#include <thrust/execution_policy.h>\nthrust::cuda::{} held;\n'
OTHER = THRUST.replace("namespace cuda", "namespace gpu")


@pytest.mark.parametrize(
    ("files", "renamed"),
    [
        pytest.param({"a.h": THRUST, "k.cu": TAKE.format("lent::memory<int>")}, [], id="own"),
        pytest.param(
            {"a.h": '#include "b.h"\n', "b.h": THRUST, "k.cu": TAKE.format("lent::memory<int>")}, [], id="far"
        ),
        pytest.param({"a.h": THRUST, "k.cu": TAKE.format("tag")}, ["k.cu"], id="Thrust's beside them"),
        pytest.param({"b.h": THRUST, "a.h": "", "k.cu": TAKE.format("lent::memory<int>")}, ["k.cu"], id="not read"),
        pytest.param({"a.h": OTHER, "k.cu": TAKE.format("lent::memory<int>")}, ["k.cu"], id="another name"),
    ],
)
def test_names_that_a_project_has_in_thrusts_namespace(
    tmp_path: Path, files: dict[str, str], renamed: list[str]
) -> None:
    rules = ("api/thrust::cuda", "api/thrust::system::cuda")
    assert [one.path for one in scanned(tmp_path, files).findings if one.rule in rules] == renamed
