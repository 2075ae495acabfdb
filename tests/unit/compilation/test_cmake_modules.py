"""The folders that CMake has variables for, in repositories with projects around and beside each other."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate.compilation import build_flags, configured_headers

INNER = "project(inner CUDA)\n"
USES = "include_directories(${%s}/include)\n"


def written(root: Path, **files: str) -> Path:
    for folder in ("include", "sim/include", "sim/core/include", "tool/include"):
        (root / folder).mkdir(parents=True)
    for name, text in files.items():
        (root / name.replace("__", "/") / "CMakeLists.txt").write_text(text)
    return root


@pytest.mark.parametrize(
    ("files", "variable", "found"),
    [
        ({"sim": INNER}, "CMAKE_SOURCE_DIR", ["sim/include"]),
        ({"sim": INNER}, "PROJECT_SOURCE_DIR", ["sim/include"]),
        ({".": "project(a)\nadd_subdirectory(sim)\n", "sim": INNER}, "CMAKE_SOURCE_DIR", ["include"]),
        ({".": "project(a)\nadd_subdirectory(sim)\n", "sim": INNER}, "PROJECT_SOURCE_DIR", ["sim/include"]),
        ({".": "project(a)\nadd_subdirectory(${PART})\n", "sim": INNER}, "CMAKE_SOURCE_DIR", ["include"]),
        ({".": "project(a)\nown_subdirectory(sim ON)\n", "sim": INNER}, "CMAKE_SOURCE_DIR", ["include"]),
        ({".": "project(a)\nadd_subdirectory(tool)\n", "sim": INNER}, "CMAKE_SOURCE_DIR", ["sim/include"]),
        ({".": "project(a)\nadd_subdirectory(sim)\n", "sim": ""}, "PROJECT_SOURCE_DIR", ["include"]),
        ({".": "", "sim": "add_library(s s.cu)\n"}, "CMAKE_SOURCE_DIR", ["include"]),
        ({".": "project(a)\nadd_subdirectory(sim)\n", "sim": INNER}, "a_SOURCE_DIR", ["include"]),
        ({".": "project(a)\nadd_subdirectory(sim)\n", "sim": INNER}, "inner_SOURCE_DIR", ["sim/include"]),
        ({".": "project(a)\n", "sim": INNER}, "a_SOURCE_DIR", []),  # no part of that build
        ({".": "project(a)\nadd_subdirectory(sim)\n", "sim": INNER}, "other_SOURCE_DIR", []),
    ],
)
def test_a_project_is_of_the_build_that_takes_it_in(
    tmp_path: Path, files: dict[str, str], variable: str, found: list[str]
) -> None:
    root = written(tmp_path, **files, sim__core=USES % variable)
    given = build_flags.read(root).settings(str(root / "sim/core/a.cu")).includes
    assert [Path(one).relative_to(root).as_posix() for one in given] == found


def test_two_projects_of_a_repository_have_their_own_folders(tmp_path: Path) -> None:
    root = written(tmp_path, **dict.fromkeys(("sim", "tool"), INNER + USES % "CMAKE_SOURCE_DIR"))
    project = build_flags.read(root)
    assert list(project.settings(str(root / "sim/a.cu")).includes) == [str(root / "sim/include")]
    assert list(project.settings(str(root / "tool/a.cu")).includes) == [str(root / "tool/include")]


def test_a_template_is_in_the_folder_of_its_project(tmp_path: Path) -> None:
    root = written(tmp_path, sim=f"{INNER}configure_file(${{PROJECT_SOURCE_DIR}}/include/own.cfg own.h)\n")
    files = {"sim/include/own.cfg": "#define N 4\n", "include/own.cfg": "", "sim/a.cu": '#include "own.h"\n'}
    for name, text in files.items():
        (root / name).write_text(text)
    found = configured_headers.made(root, ["sim/a.cu"], lambda path: (root / path).read_bytes())
    assert {path: one.data for path, one in found.items()} == {"sim/include/own.h": b"#define N 4\n"}


def test_a_project_that_another_takes_in_begins_no_build_of_its_own(tmp_path: Path) -> None:
    root = written(tmp_path, **{".": "project(a)\nadd_subdirectory(sim)\n", "sim": INNER, "tool": INNER})
    assert build_flags.read(root).roots == {str(root), str(root / "tool")}


OUTER = "project(a CUDA)\n%s"
TOP = "if(%s)\n  add_definitions(-DTOP)\nendif()\n"
SAME = "CMAKE_SOURCE_DIR STREQUAL CMAKE_CURRENT_SOURCE_DIR"


@pytest.mark.parametrize(
    ("outer", "inner", "given"),
    [
        (TOP % SAME, "", ["TOP"]),
        (TOP % '"${CMAKE_CURRENT_SOURCE_DIR}" STREQUAL "${CMAKE_SOURCE_DIR}"', "", ["TOP"]),
        (TOP % "PROJECT_SOURCE_DIR STREQUAL CMAKE_SOURCE_DIR", "", ["TOP"]),
        (TOP % "PROJECT_IS_TOP_LEVEL", "", ["TOP"]),
        (TOP % "a_IS_TOP_LEVEL", "", ["TOP"]),
        (TOP % "PROJECT_NAME STREQUAL CMAKE_PROJECT_NAME", "", ["TOP"]),
        (f"set(MAIN OFF)\nif({SAME})\n  set(MAIN ON)\nendif()\n{TOP % 'MAIN'}", "", ["TOP"]),
        (TOP % "b_IS_TOP_LEVEL", "", []),
        (TOP % f"NOT {SAME}", "", []),
        (TOP % "CMAKE_BINARY_DIR STREQUAL CMAKE_SOURCE_DIR", "", []),
        ("add_subdirectory(sim)\n", INNER + TOP % SAME, []),  # another project's part
        ("add_subdirectory(sim)\n", INNER + TOP % "PROJECT_IS_TOP_LEVEL", []),
        ("add_subdirectory(sim)\n", INNER + TOP % "PROJECT_NAME STREQUAL CMAKE_PROJECT_NAME", []),
        ("", INNER + TOP % SAME, ["TOP"]),  # a build of its own
    ],
)
def test_a_branch_for_the_project_that_the_build_begins_with_is_taken(
    tmp_path: Path, outer: str, inner: str, given: list[str]
) -> None:
    root = written(tmp_path, **{".": OUTER % outer, "sim": inner})
    assert list(build_flags.read(root).settings(str(root / "sim/core/a.cu")).defines) == given
