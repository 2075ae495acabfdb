"""CUDA code in vendored folders is reported where the project's own code includes it, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.reporting.formats import text
from cudamigrate.reporting.headline import sentence

OWN = '#include "third_party/table/table.cuh"\n__global__ void k(int *a) { a[0] = find(a); }\n'
TABLE = "#pragma once\n__device__ int find(int *a) { return a[1]; }\n"
ASKS = (
    "#if defined(__NVCC__) || defined(__CUDACC__) || __CUDA_ARCH__ >= 700\n#define WIDE 1\n#endif\nint find(int *a);\n"
)
AT = "third_party/table/table.cuh"


def found(root: Path, files: dict[str, str], config: Config) -> list[tuple[str, int, str]]:
    """Where the rule speaks, and of which file."""
    written(root, files)
    findings = pipeline.scan(root, config).findings
    return [(one.path, one.position.line, one.name) for one in findings if one.rule == "build/vendored-include"]


@pytest.mark.parametrize(
    ("files", "told"),
    [
        pytest.param({"a.cu": OWN, AT: TABLE}, [("a.cu", 1, AT)], id="included"),
        pytest.param({"a.cu": OWN.replace('"', "<", 1).replace('"', ">", 1), AT: TABLE}, [("a.cu", 1, AT)], id="angle"),
        pytest.param({"a.cu": OWN.partition("\n")[2], AT: TABLE}, [], id="not included"),
        pytest.param({"a.cu": OWN, AT: "int find(int *a);\n"}, [], id="no CUDA"),
        pytest.param({"a.cu": OWN.replace(".cuh", ".h"), AT.replace(".cuh", ".h"): ASKS}, [], id="asks for nvcc alone"),
        pytest.param(
            {"a.cu": OWN.replace(".cuh", ".h"), AT.replace(".cuh", ".h"): ASKS + "#define DEVICE __device__\n"},
            [("a.cu", 1, AT.replace(".cuh", ".h"))],
            id="asks, and has CUDA",
        ),
        pytest.param({"a.cu": OWN, AT: "#ifdef __HIPCC__\n#endif\n" + TABLE}, [], id="knows AMD"),
        pytest.param(
            {"a.cu": OWN.replace("third_party/table/table", "cub/cub"), "third_party/cub/cub.cuh": TABLE},
            [],
            id="a rule replaces it",
        ),
    ],
)
def test_vendored_cuda_code_is_told_where_it_is_included(
    tmp_path: Path, files: dict[str, str], told: list[tuple[str, int, str]]
) -> None:
    assert found(tmp_path, files, Config(jobs=1)) == told


def test_nothing_is_told_where_vendored_folders_are_entered(tmp_path: Path) -> None:
    assert found(tmp_path, {"a.cu": OWN, AT: TABLE}, Config(jobs=1, enter_vendored=True)) == []


SEARCHED = "include_directories(${PROJECT_SOURCE_DIR}/deps/tiny-net/src)\n"
BOTH = SEARCHED + "target_include_directories(app PRIVATE deps/ui)\n"
SUBMODULES = (
    '[submodule "net"]\n\tpath = deps/tiny-net\n\turl = ../net\n[submodule "ui"]\n\tpath = deps/ui\n\turl = ../ui\n'
)


@pytest.mark.parametrize(
    ("files", "needed"),
    [
        pytest.param({"a.cu": "#include <tiny-net/common.h>\n", "b.cu": '#include "tiny-net/b.h"\n'}, 2, id="included"),
        pytest.param({"a.cu": "#include <common.h>\n"}, 0, id="nothing says whose it is"),
        pytest.param({"a.cpp": "#include <tiny-net/common.h>\n"}, 0, id="no CUDA"),
        pytest.param({"a.cu": '#include "tiny_net.cuh"\n', "CMakeLists.txt": SEARCHED}, 1, id="called alike, searched"),
        pytest.param({"a.cu": '#include "tiny_net.cuh"\n'}, 0, id="called alike"),
        pytest.param({"a.cu": '#include "layer.cuh"\n', "CMakeLists.txt": SEARCHED}, 1, id="searched"),
        pytest.param({"a.cu": '#include "layer.cuh"\n', "Makefile": "F = -I deps/tiny-net/src\n"}, 1, id="by option"),
        pytest.param({"a.cu": '#include "layer.cuh"\n', "CMakeLists.txt": BOTH}, 0, id="two are searched"),
        pytest.param({"a.cu": '#include "tiny_net.cuh"\n', "CMakeLists.txt": BOTH}, 1, id="called alike, of two"),
        pytest.param({"a.cu": '#include "layer.h"\n#include <cub/cub.cuh>\n', "CMakeLists.txt": SEARCHED}, 0, id="CUB"),
        pytest.param(
            {"a.cu": '#include "b.cuh"\n', "b.cuh": "int b();\n", "CMakeLists.txt": SEARCHED}, 0, id="searched, its own"
        ),
        pytest.param({"a.cu": '#include "tiny-net/c.h"\n', "tiny-net/c.h": "int c();\n"}, 0, id="a header of its own"),
    ],
)
def test_submodules_that_cuda_code_includes_are_named(tmp_path: Path, files: dict[str, str], needed: int) -> None:
    code = {name: text + ("__global__ void k() {}\n" if name.endswith(".cu") else "") for name, text in files.items()}
    written(tmp_path, {".gitmodules": SUBMODULES, **code})
    report = pipeline.scan(tmp_path, Config(jobs=1))
    assert report.submodules == ("deps/tiny-net", "deps/ui")
    assert report.needed_submodules == ({"deps/tiny-net": needed} if needed else {})
    said = "Not counted, because not read: the submodule deps/tiny-net" in sentence(report)
    assert said is bool(needed)


@pytest.mark.parametrize(
    ("files", "include", "told"),
    [
        pytest.param({"third_party/helper_math.h": TABLE}, (), False, id="in a folder of others"),
        pytest.param({"lib/helper_math.h": TABLE}, ("src/*",), True, id="elsewhere, and not asked for"),
        pytest.param({"src/helper_math.h": TABLE}, ("src/*.cu",), False, id="beside it, and not asked for"),
        pytest.param({"third_party/other.h": TABLE}, (), True, id="nowhere"),
    ],
)
def test_the_repository_is_not_said_to_lack_a_header_that_it_has(
    tmp_path: Path, files: dict[str, str], include: tuple[str, ...], told: bool
) -> None:
    code = '#include "helper_math.h"\n__global__ void k(float3 *a) { a[0] = a[1]; }\n'
    written(tmp_path, {"src/a.cu": code, **files})
    rules = {one.rule for one in pipeline.scan(tmp_path, Config(jobs=1, include=include, cache=False)).findings}
    assert ("library/cuda-samples" in rules) is told


@pytest.mark.parametrize(
    ("cmake", "dockerfile", "needed"),
    [
        ("add_subdirectory(deps/tiny-net)\n", "FROM nvidia/cuda:12.4.1-devel-ubuntu22.04\n", {"deps/tiny-net": 1}),
        ("add_subdirectory(deps/tiny-net)\n", "FROM ubuntu:22.04\n", {}),  # nothing is set up for CUDA
        ("add_subdirectory(deps)\n", "FROM nvidia/cuda:12.4.1-devel-ubuntu22.04\n", {}),
    ],
)
def test_submodules_that_a_build_enters_may_hold_all_cuda_code(
    tmp_path: Path, cmake: str, dockerfile: str, needed: dict[str, int]
) -> None:
    files = {".gitmodules": SUBMODULES, "main.cpp": "int main() { return 0; }\n", "Dockerfile": dockerfile}
    written(tmp_path, {**files, "CMakeLists.txt": f"project(app CXX)\nadd_executable(app main.cpp)\n{cmake}"})
    report = pipeline.scan(tmp_path, Config(jobs=1))
    assert report.needed_submodules == needed
    assert ("Not counted: submodules that the build enters, deps/tiny-net" in text.render(report)) is bool(needed)
