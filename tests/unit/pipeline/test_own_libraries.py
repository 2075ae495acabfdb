"""A repository that is a library of NVIDIA's has no findings on using it."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import scanned

from cudamigrate.model import Target
from cudamigrate.rulebase.code_rules import load

HEADER = "#pragma once\nnamespace nvbench { struct state {}; }\n"
USER = "#include <nvbench/state.cuh>\n#include <nvbench/{}.cuh>\nvoid bench(nvbench::state &one);\n"
LINKS = "add_library(nvbench.all a.cu)\nadd_library(nvbench::nvbench ALIAS nvbench.all)\n"
TESTS = "add_executable(t t.cu)\ntarget_link_libraries(t PRIVATE nvbench::nvbench)\n"


def rules(root: Path, files: dict[str, str]) -> set[str]:
    return {one.rule for one in scanned(root, files).findings if "nvbench" in one.rule}


@pytest.mark.parametrize("made", ["", "#include <nvbench/made_by_the_build.cuh>\n"])
def test_the_library_itself_has_none(tmp_path: Path, made: str) -> None:
    files = {
        "nvbench/state.cuh": HEADER,
        "nvbench/main.cuh": HEADER,
        "nvbench/more.cu": f"{made}{USER.format('main')}__global__ void k() {{}}\n",
        "testing/inside.cuh": "inline nvbench::state made();\n",
        "nvbench/CMakeLists.txt": LINKS,
        "testing/CMakeLists.txt": TESTS,
    }
    assert rules(tmp_path, files) == set()


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"third_party/nvbench/nvbench/state.cuh": HEADER, "third_party/nvbench/nvbench/main.cuh": HEADER},
        {"benchmarks/nvbench/common.cuh": "#pragma once\n", "b.cu": "#include <nvbench/common.cuh>\n"},
    ],
)
def test_who_uses_it_has_them(tmp_path: Path, more: dict[str, str]) -> None:
    files = {"a.cu": f"{USER.format('main')}__global__ void k() {{}}\n", "CMakeLists.txt": TESTS, **more}
    assert rules(tmp_path, files) == {"library/nvbench", "build/cmake-link-nvbench"}


def test_another_library_that_the_library_uses_keeps_its_findings(tmp_path: Path) -> None:
    files = {
        "include/raft/core.hpp": "#pragma once\n",
        "src/a.cu": "#include <raft/core.hpp>\n#include <rmm/mr.hpp>\n__global__ void k() {}\n",
    }
    found = [one.excerpt for one in scanned(tmp_path, files).findings if one.rule == "library/rapids-ports"]
    assert found == ["#include <rmm/mr.hpp>"]


REDUCE = """\
#include "THCGeneral.h"
inline int blocks(THCState *state, int n) { return THCCeilDiv(n, THCState_threads(state)); }
inline bool fits(THCState *state, int n) { return blocks(state, n) < 65536; }
"""
THC_USER = (
    '#include "{}"\n__global__ void k() {{}}\nvoid run(THCState *state) {{ if (fits(state, 8)) k<<<1, 1>>>(); }}\n'
)


@pytest.mark.parametrize(
    ("headers", "own"), [(15, True), (2, False)], ids=["the library itself", "copies of two headers"]
)
def test_a_tree_with_the_headers_of_a_library_has_its_names(tmp_path: Path, headers: int, own: bool) -> None:
    known = load(Target()).rules["api/thc-headers"].match.names
    files = {f"lib/{name}": "#pragma once\n" for name in known[:headers]}
    files |= {"lib/THC/reduce.cuh": REDUCE, "lib/THC/run.cu": THC_USER.format("reduce.cuh")}
    found = {one.rule for one in scanned(tmp_path, files).findings}
    assert found.isdisjoint({"api/thc-names", "api/thc-family", "build/uncalled-function"}) is own
