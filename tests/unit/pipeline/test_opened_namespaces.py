"""Names of CUDA's libraries without their namespace: the directive may be in a header."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.cuda import opened_namespaces
from cudamigrate.pipeline import cached_work

GROUPS = "#pragma once\n#include <cooperative_groups.h>\n"
OPENED = GROUPS + "using namespace cooperative_groups;\n"
SUM = (
    "__global__ void sum(int *out, int *in) {\n  auto near = %s();\n  int v = in[threadIdx.x];\n"
    "  for (int o = 16; o > 0; o >>= 1) v += near.shfl_down(v, o);\n"
    "  if (near.thread_rank() == 0) atomicAdd(out, v);\n}\n"
)
PLAIN = SUM % "coalesced_threads"
SCAN = (
    '#include "all.cuh"\n__global__ void k(int *p) {\n  __shared__ typename WarpScan<int>::TempStorage t[4];\n'
    "  int v = p[threadIdx.x];\n  WarpScan<int>(t[threadIdx.x / 32]).InclusiveSum(v, v);\n  p[threadIdx.x] = v;\n}\n"
)
BACKEND = '#include "all.cuh"\nvoid f(int *p) { sort(cuda::par, p, p + 4); }\n'


def rules(tmp_path: Path, files: dict[str, str], path: str = "k.cu") -> list[str]:
    found = pipeline.scan(written(tmp_path, files), Config(jobs=1)).findings
    return [one.rule for one in found if one.path == path]


@pytest.mark.parametrize(
    ("files", "seen"),
    [
        ({"all.cuh": OPENED, "k.cu": '#include "all.cuh"\n' + PLAIN}, True),
        ({"all.cuh": '#include "one.cuh"\n', "one.cuh": OPENED, "k.cu": '#include "all.cuh"\n' + PLAIN}, True),
        (
            {"all.cuh": OPENED, "m.cu": '#include "all.cuh"\n#include "k.cu"\n', "k.cu": PLAIN},
            True,
        ),  # by who includes it
        (  # under another name of the namespace
            {
                "all.cuh": GROUPS + "namespace grp = cooperative_groups;\n",
                "k.cu": '#include "all.cuh"\n' + SUM % "grp::coalesced_threads",
            },
            True,
        ),
        ({"all.cuh": OPENED, "k.cu": PLAIN}, False),  # nothing leads there
        ({"all.cuh": OPENED, "k.cu": '#include "all.cuh"\n' + SUM % "mine::coalesced_threads"}, False),
        (  # a directive in a function ends with it
            {
                "all.cuh": GROUPS + "__device__ void f() { using namespace cooperative_groups; }\n",
                "k.cu": '#include "all.cuh"\n' + PLAIN,
            },
            False,
        ),
    ],
)
def test_headers_say_whose_a_group_is(tmp_path: Path, files: dict[str, str], seen: bool) -> None:
    assert ("cooperative-groups/coalesced-group" in rules(tmp_path, files)) is seen


@pytest.mark.parametrize("directive", ["namespace grp = cooperative_groups;", "using namespace cooperative_groups;"])
def test_a_directive_of_a_header_is_no_macro_to_conditions(tmp_path: Path, directive: str) -> None:
    code = '#include "all.cuh"\n#if FULL\n' + SUM % "cooperative_groups::coalesced_threads" + "#endif\n"
    files = {"all.cuh": f"{GROUPS}{directive}\n", "k.cu": code}
    report = pipeline.scan(written(tmp_path, files), Config(jobs=1))
    assert [one.path for one in report.skipped if one.kind == "internal"] == []
    found = [one for one in report.findings if one.path == "k.cu" and one.rule == "cooperative-groups/coalesced-group"]
    assert found and {one.switches for one in found} == {("FULL",)}


@pytest.mark.parametrize(
    ("code", "rule", "directive"),
    [
        (BACKEND, "library/thrust-backend", "using namespace thrust;"),
        (SCAN, "library/cub-warp-size", "using namespace cub;"),
    ],
)
def test_so_it_is_with_other_libraries(tmp_path: Path, code: str, rule: str, directive: str) -> None:
    assert rule in rules(tmp_path, {"all.cuh": f"#include <cub/cub.cuh>\n{directive}\n", "k.cu": code})
    assert rule not in rules(tmp_path, {"all.cuh": "#include <cub/cub.cuh>\n", "k.cu": code})


def test_directives_are_read_in_plain_spelling() -> None:
    text = (
        b"using  namespace ::cub;\nnamespace a { namespace c=::cooperative_groups; }\nusing cub :: WarpScan;\n"
        b"// using namespace thrust;\n"
    )
    assert opened_namespaces.declared(text) == [
        "namespace c=cooperative_groups;",
        "using cub::WarpScan;",
        "using namespace cub;",
    ]


def test_a_directive_that_comes_to_a_header_is_seen_by_files_that_did_not_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(cached_work, "_LEAST", 0)
    tree = tmp_path / "tree"
    tree.mkdir()
    assert "cooperative-groups/coalesced-group" not in rules(
        tree, {"all.cuh": GROUPS, "k.cu": '#include "all.cuh"\n' + PLAIN}
    )
    assert "cooperative-groups/coalesced-group" in rules(tree, {"all.cuh": OPENED})


FRAGMENTS = (
    '#include "all.cuh"\n__global__ void k(float *p) {\n  fragment<accumulator, 16, 16, 16, float> f;\n'
    "  fill_fragment(f, 0.0f);\n  store_matrix_sync(p, f, 16, mem_row_major);\n}\n"
)


@pytest.mark.parametrize(
    ("directive", "seen"),
    [
        ("using namespace nvcuda::wmma;", True),
        ("using namespace nvcuda;\nusing namespace wmma;", True),
        ("using nvcuda::wmma::fragment;", True),
        ("using namespace nvcuda;", False),  # the names in it keep `wmma::`
        ("using namespace mine::wmma;", False),
        ("using namespace wmma;", False),  # whose it is, nothing says
    ],
)
def test_headers_say_whose_a_fragment_is(tmp_path: Path, directive: str, seen: bool) -> None:
    files = {"all.cuh": f"#include <mma.h>\n{directive}\n", "k.cu": FRAGMENTS}
    assert ("library/matrix-fragments" in rules(tmp_path, files)) is seen
