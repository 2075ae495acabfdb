"""Our headers go where users of a library of headers get them, else to the root."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

KERNEL = """#include <cuda_runtime.h>
__device__ inline unsigned vote(unsigned mask, int v) { return __ballot_sync(mask, v > 0); }
"""
SAMPLE = "#include <lib/vote.cuh>\n__global__ void k(unsigned *p) { *p = vote(~0u, 1); }\n"
MAKE = "all:\n\tnvcc -I../include s.cu -o s\n"
TREE = {"include/lib/vote.cuh": KERNEL, "sample/s.cu": SAMPLE, "sample/Makefile": MAKE}
CMAKE = "project(p LANGUAGES CXX CUDA)\nadd_library(p INTERFACE)\n%s\nadd_executable(s sample/s.cu)\n"


def made(root: Path, files: dict[str, str], style: str = "auto") -> tuple[list[str], dict[str, str]]:
    """Where our headers are put, and by file the line that includes one."""
    written(root, files)
    applied = pipeline.apply(root, Config(jobs=1, style=style))
    lines = {
        one.path: line
        for one in applied.conversions
        for line in one.after.decode().splitlines()
        if "/cudamigrate_" in line or '"cudamigrate_' in line
    }
    return sorted(applied.added), lines


@pytest.mark.parametrize(
    "files",
    [
        TREE,
        TREE | {"sample/Makefile": "", "CMakeLists.txt": CMAKE % "target_include_directories(p INTERFACE include)"},
        TREE
        | {
            "sample/Makefile": "",
            "CMakeLists.txt": CMAKE % "target_include_directories(p INTERFACE ${CMAKE_CURRENT_SOURCE_DIR}/include)",
        },
        TREE | {"sample/Makefile": "", "CMakeLists.txt": CMAKE % "install(DIRECTORY include/ DESTINATION include)"},
        TREE | {"sample/more.cuh": KERNEL},
        TREE
        | {
            "sample/Makefile": "",
            "CMakeLists.txt": CMAKE
            % 'install(\n\tDIRECTORY include/lib\n\tDESTINATION include\n\tFILES_MATCHING REGEX "\\\\.(h|cuh)$"\n)',
        },
        TREE
        | {
            "sample/Makefile": "",
            "CMakeLists.txt": CMAKE
            % 'target_include_directories(p INTERFACE "$<BUILD_INTERFACE:${CMAKE_CURRENT_LIST_DIR}/include>"'
            ' "$<INSTALL_INTERFACE:headers>")',
        },
        TREE
        | {
            "sample/Makefile": "",
            "CMakeLists.txt": CMAKE % "add_subdirectory(sample)",
            "sample/CMakeLists.txt": "target_include_directories(s PRIVATE ${PROJECT_SOURCE_DIR}/include)\n",
        },
    ],
)
def test_they_go_into_the_folder_that_users_are_given(tmp_path: Path, files: dict[str, str]) -> None:
    added, lines = made(tmp_path, files)
    assert added == ["include/lib/cudamigrate_hip.h"]
    assert lines.pop("include/lib/vote.cuh") == '#include "cudamigrate_hip.h"'
    assert set(lines.values()) <= {'#include "../include/lib/cudamigrate_hip.h"'}


def test_files_of_several_folders_in_it_include_them_from_above(tmp_path: Path) -> None:
    added, lines = made(tmp_path, TREE | {"include/lib/core/more.cuh": KERNEL})
    assert added == ["include/lib/cudamigrate_hip.h"]
    assert lines["include/lib/core/more.cuh"] == '#include "../cudamigrate_hip.h"'


@pytest.mark.parametrize(
    "files",
    [
        TREE | {"sample/Makefile": "all:\n\tnvcc -I.. s.cu -o s\n"},
        TREE | {"sample/Makefile": "all:\n\tnvcc -I../other s.cu -o s\n"},
        TREE | {"sample/Makefile": MAKE.replace("-I../include", "-I../include -I../more"), "more/v.cuh": KERNEL},
        {"include/vote.cu": KERNEL, "Makefile": "all:\n\tnvcc -Iinclude include/vote.cu\n"},
        TREE | {"sample/Makefile": "", "CMakeLists.txt": CMAKE % "install(DIRECTORY docs sample DESTINATION include)"},
        {"include/vote.cu": KERNEL, "CMakeLists.txt": "file(GLOB S include/*.cu)\ninclude_directories(include)\n"},
    ],
)
def test_else_they_go_to_the_root(tmp_path: Path, files: dict[str, str]) -> None:
    assert made(tmp_path, files)[0] == ["cudamigrate_hip.h"]


def test_portable_style_has_one_header_for_all_at_the_root(tmp_path: Path) -> None:
    added, _ = made(tmp_path, TREE, "portable")
    assert "cudamigrate_hip.h" in added


OWN = {
    f"{name}/{path}": text
    for name in ("a", "b")
    for path, text in (
        ("CMakeLists.txt", "project(p LANGUAGES CXX CUDA)\nadd_library(p src/k.cu)\n"),
        ("src/k.cu", KERNEL + "__global__ void k(unsigned *p) { *p = vote(~0u, 1); }\n"),
    )
}


def test_separate_projects_have_them_each(tmp_path: Path) -> None:
    added, lines = made(tmp_path, OWN)
    assert added == ["a/cudamigrate_hip.h", "b/cudamigrate_hip.h"]
    assert set(lines.values()) == {'#include "../cudamigrate_hip.h"'}


def test_separate_projects_in_portable_style_have_the_header_of_names_each(tmp_path: Path) -> None:
    added, lines = made(
        tmp_path, OWN | {"a/src/run.cu": '#include "k.cuh"\nvoid f() { cudaFree(nullptr); }\n'}, "portable"
    )
    names = ("cudamigrate_hip.h", "cudamigrate_portable.h")
    assert added == [f"{one}/{name}" for one in ("a", "b") for name in names]
    assert set(lines.values()) == {'#include "../cudamigrate_portable.h"'}


def test_portable_style_keeps_the_header_of_an_earlier_run(tmp_path: Path) -> None:
    added, lines = made(tmp_path, OWN | {"cudamigrate_portable.h": ""}, "portable")
    assert "cudamigrate_portable.h" in added
    assert set(lines.values()) == {'#include "../../cudamigrate_portable.h"'}


@pytest.mark.parametrize(
    ("there", "homes"),
    [
        (("a/src", "b"), {"a": "a/src", "b": "b"}),
        (("b",), {"a": "a", "b": "b"}),
        (("",), {"": ""}),
    ],
)
def test_a_later_run_leaves_headers_of_names_where_they_are(
    tmp_path: Path, there: tuple[str, ...], homes: dict[str, str]
) -> None:
    earlier = {f"{folder}/cudamigrate_portable.h".lstrip("/"): "" for folder in there}
    written(tmp_path, OWN | earlier)
    assert pipeline.apply(tmp_path, Config(jobs=1, style="portable")).homes == homes


def test_a_project_in_portable_style_without_a_use_of_the_header_has_none(tmp_path: Path) -> None:
    text = "project(p LANGUAGES CXX CUDA)\nadd_library(p k.cu)\n"
    kernel = "__global__ void k() {\n#if __CUDA_ARCH__ >= 700\n  __syncthreads();\n#endif\n}\n"
    added, _ = made(tmp_path, {"c/CMakeLists.txt": text, "c/k.cu": kernel} | OWN, "portable")
    assert not [one for one in added if one.startswith("c/")]


def test_a_project_with_a_folder_that_users_are_given_has_them_there(tmp_path: Path) -> None:
    text = "project(p LANGUAGES CXX CUDA)\nadd_library(p INTERFACE)\ntarget_include_directories(p INTERFACE include)\n"
    added, _ = made(tmp_path, {"a/CMakeLists.txt": text, "a/include/vote.cuh": KERNEL, "a/s.cu": ""} | _of(OWN, "b/"))
    assert added == ["a/include/cudamigrate_hip.h", "b/cudamigrate_hip.h"]


def _of(files: dict[str, str], start: str) -> dict[str, str]:
    return {path: text for path, text in files.items() if path.startswith(start)}


@pytest.mark.parametrize(
    "files",
    [
        OWN | {"CMakeLists.txt": "project(all)\nadd_subdirectory(a)\nadd_subdirectory(b)\n"},
        OWN | {"c/more.cu": OWN["a/src/k.cu"]},
        OWN | {"b/src/k.cu": '#include "../../a/src/n.h"\n' + OWN["b/src/k.cu"], "a/src/n.h": "int n();\n"},
        OWN | {"b/CMakeLists.txt": OWN["b/CMakeLists.txt"] + "include_directories(../a/src)\n"},
        OWN | {"b/CMakeLists.txt": "add_library(p src/k.cu)\n"},
    ],
)
def test_projects_that_need_each_other_or_a_common_folder_share_them(tmp_path: Path, files: dict[str, str]) -> None:
    assert made(tmp_path / "hip", files)[0] == ["cudamigrate_hip.h"]
    assert made(tmp_path / "both", files, "portable")[0] == ["cudamigrate_hip.h", "cudamigrate_portable.h"]
