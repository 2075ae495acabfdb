"""Headers that a build writes from templates."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate.compilation import configured_headers

CMAKE = """\
project(own VERSION 2.1)
option(OWN_FAST "quick" ON)
option(OWN_SLOW "slow" OFF)
set(OWN_NAME "own${OWN_SUFFIX}")
set(OWN_SUFFIX "-x")
set(OWN_MANY a b)
if(OLD_COMPILER)
  set(OWN_ROOT C)
else()
  set(OWN_ROOT D)
endif()
if(WIN32)
  set(OWN_SYSTEM C)
else()
  set(OWN_SYSTEM D)
endif()
"""
LINES = {
    "#define V @own_VERSION@ // @PROJECT_VERSION_MINOR@": ("#define V 2.1 // 1", set()),
    "#cmakedefine OWN_FAST": ("#define OWN_FAST", set()),
    "#cmakedefine OWN_SLOW": ("/* #undef OWN_SLOW */", set()),
    "# cmakedefine01 OWN_FAST": ("# define OWN_FAST 1", set()),
    "#cmakedefine01 OWN_SLOW": ("#define OWN_SLOW 0", set()),
    '#cmakedefine OWN_NAME "@OWN_NAME@"': ('#define OWN_NAME "own-x"', set()),
    '#define LIST "${OWN_MANY}"': ('#define LIST "a;b"', set()),
    "#define ROOT @OWN_ROOT@": ("#define ROOT 0", {"ROOT"}),
    "#define SYSTEM @OWN_SYSTEM@": ("#define SYSTEM D", set()),
    "#cmakedefine HAVE_NORMF": ("/* #undef HAVE_NORMF */", {"HAVE_NORMF"}),
    '#define DATA() "@FOUND_LATER@"': ('#define DATA() ""', {"DATA"}),
    "#undef HAVE_ZLIB": ("#undef HAVE_ZLIB", {"HAVE_ZLIB"}),
    "#define PLAIN 1": ("#define PLAIN 1", set()),
    "@FOUND_LATER@": ("", set()),
}


def found(root: Path, files: dict[str, str]) -> dict[str, configured_headers.Configured]:
    written(root, files)
    code = [name for name in files if name.endswith((".cu", ".h"))]
    return configured_headers.made(root, code, lambda path: (root / path).read_bytes())


@pytest.mark.parametrize("line", LINES)
def test_a_template_is_filled_in_as_by_default(line: str, tmp_path: Path) -> None:
    files = {"CMakeLists.txt": CMAKE, "cmake/own.h.in": line, "src/a.cu": "#include <own/own.h>\n"}
    (made,) = found(tmp_path, files).values()
    assert (made.data.decode(), made.unknown) == (LINES[line][0] + "\n", LINES[line][1])


@pytest.mark.parametrize(
    ("files", "paths"),
    [
        ({"src/a.cu": '#include "own.h"\n', "inc/own.h.in": ""}, ["inc/own.h"]),
        ({"src/a.cu": '#include "x/own.h"\n', "own.h.in": ""}, ["x/own.h"]),
        ({"src/a.cu": '#include "own.h"\n', "inc/own.h.in": "", "inc/own.h": ""}, []),
        ({"src/a.cu": '#include "other.h"\n', "inc/own.h.in": ""}, []),
        ({"src/a.cu": '#include "own.h"\n', "inc/own.in": ""}, []),
    ],
)
def test_only_headers_that_are_included_and_not_there_are_made(
    files: dict[str, str], paths: list[str], tmp_path: Path
) -> None:
    assert list(found(tmp_path, files)) == paths


def test_a_template_is_read_as_it_was_converted(tmp_path: Path) -> None:
    (tmp_path / "c.h.in").write_text("#include <cuda_runtime.h>\n")
    texts = {"a.cu": b'#include "c.h"\n', "c.h.in": b"#include <hip/hip_runtime.h>\n"}
    assert configured_headers.made(tmp_path, ["a.cu"], texts.__getitem__)["c.h"].data == texts["c.h.in"]


def test_variables_that_double_are_not_followed_without_end(tmp_path: Path) -> None:
    """Three rounds would make texts of a trillion characters of them."""
    double = "set(A0 " + "x" * 10_000 + ")\n" + "".join(f"set(A{n} {f'${{A{n - 1}}}' * 1000})\n" for n in (1, 2, 3))
    (tmp_path / "CMakeLists.txt").write_text(double)
    (tmp_path / "c.h.in").write_text('#define A "@A3@"\n')
    (tmp_path / "a.cu").write_text('#include "c.h"\n')
    found = configured_headers.made(tmp_path, ["a.cu"], lambda path: (tmp_path / path).read_bytes())
    assert len(found["c.h"].data) < 200_000


@pytest.mark.parametrize(
    ("command", "header", "macro"),
    [
        ("generate_export_header(${PROJECT_NAME})", "own_export.h", "OWN_EXPORT"),
        ("generate_export_header(lib BASE_NAME Fast-One)", "fast-one_export.h", "FAST_ONE_NO_EXPORT"),
        ("generate_export_header(lib EXPORT_FILE_NAME own/api.h EXPORT_MACRO_NAME API)", "api.h", "API"),
    ],
)
def test_a_header_of_exported_names_is_written_for_a_build_without_dlls(
    command: str, header: str, macro: str, tmp_path: Path
) -> None:
    files = {"CMakeLists.txt": f"project(own)\n{command}\n", "src/a.cu": f"#include <own/{header}>\n"}
    ((path, made),) = found(tmp_path, files).items()
    assert path == f"own/{header}" and made.unknown == frozenset()
    assert f"#define {macro}\n" in made.data.decode()
    assert found(tmp_path, {**files, f"src/{header}": "#define OWN\n", "src/b.h": ""}) == {}


@pytest.mark.parametrize(
    ("command", "paths"),
    [
        ('to_text("a.md" "${Own_BINARY_DIR}/own/cli_help.cuh" name)', {"own/cli_help.cuh"}),
        ("write_version_file(${CMAKE_CURRENT_BINARY_DIR}/include/own/v.h PREFIX OWN)", {"include/own/v.h"}),
        ("find_path(CUB cub/cub.cuh ${CMAKE_BINARY_DIR}/cub/cub.cuh)", set()),
        ("include(${CMAKE_BINARY_DIR}/conan.inc)", set()),
        ("install(FILES ${PROJECT_SOURCE_DIR}/own/v.h)", set()),
        ("set(where ${CMAKE_BINARY_DIR}/own)", set()),
    ],
)
def test_headers_that_commands_name_in_the_folder_of_what_is_built_are_written(
    command: str, paths: set[str], tmp_path: Path
) -> None:
    (tmp_path / "cmake").mkdir()
    (tmp_path / "cmake" / "more.cmake").write_text(f"{command}\n")
    assert configured_headers.written(tmp_path, lambda path: (tmp_path / path).read_bytes()) == paths


@pytest.mark.parametrize(
    ("build", "meant"),
    [
        ('configure_file("${PROJECT_SOURCE_DIR}/lib/own.h.in" lib/own.h)', ["lib/own.h"]),
        ("configure_file(lib/own.h.in lib/own.h)", ["lib/own.h"]),
        ("configure_file(lib/own.h.in lib/own.h)\nconfigure_file(own.h.in own.h)", ["lib/own.h", "own.h"]),
        ("configure_file(${ELSEWHERE}/own.sh.in own.sh)", ["lib/own.h", "own.h"]),
        ("", ["lib/own.h", "own.h"]),
    ],
)
def test_of_two_templates_of_a_header_the_one_that_cmake_configures_is_meant(
    build: str, meant: list[str], tmp_path: Path
) -> None:
    files = {"own.h.in": "#undef A\n", "lib/own.h.in": "#define A 1\n", "src/a.cu": "#include <own.h>\n"}
    assert sorted(found(tmp_path, {"CMakeLists.txt": f"project(own)\n{build}\n", **files})) == meant


def test_a_template_of_another_header_needs_no_command(tmp_path: Path) -> None:
    files = {"own.h.in": "#undef A\n", "lib/own.h.in": "", "b.h.in": "", "a.cu": "#include <own.h>\n#include <b.h>\n"}
    assert sorted(found(tmp_path, {"CMakeLists.txt": "configure_file(lib/own.h.in own.h)\n", **files})) == [
        "b.h",
        "lib/own.h",
    ]


@pytest.mark.parametrize(
    ("command", "made"),
    [
        ('configure_file("${PROJECT_SOURCE_DIR}/cmake/version.h.in" "${PROJECT_BINARY_DIR}/own.hpp")', "cmake/own.hpp"),
        ("configure_file(cmake/release own.hpp @ONLY)", "cmake/own.hpp"),
        ("configure_file(cmake/version.h.in own.txt)", ""),
        ("configure_file(cmake/other.h.in own.hpp)", ""),
    ],
)
def test_a_template_is_of_the_header_that_cmake_makes_of_it(command: str, made: str, tmp_path: Path) -> None:
    files = {
        "CMakeLists.txt": f"project(own VERSION 2.1)\n{command}\n",
        "cmake/version.h.in": "#define V @PROJECT_VERSION@\n",
        "cmake/release": "#define V @PROJECT_VERSION@\n",
        "src/a.cu": '#include "own.hpp"\n',
    }
    assert {path: one.data for path, one in found(tmp_path, files).items()} == (
        {made: b"#define V 2.1\n"} if made else {}
    )


@pytest.mark.parametrize(
    ("folder", "unknown"),
    [("PROJECT_SOURCE_DIR", set()), ("CMAKE_SOURCE_DIR", set()), ("CMAKE_INSTALL_PREFIX", {"OWN_DATA"})],
)
def test_the_folder_of_the_sources_is_known(tmp_path: Path, folder: str, unknown: set[str]) -> None:
    line = '#cmakedefine OWN_DATA "@OWN_DATA@"'
    files = {
        "CMakeLists.txt": f"project(own)\nset(OWN_DATA ${{{folder}}}/data/)\n",
        "own.h.in": line,
        "a.cu": "#include <own.h>\n",
    }
    (made,) = found(tmp_path, files).values()
    assert made.unknown == unknown
    assert (made.data.decode() == f'#define OWN_DATA "{tmp_path}/data/"\n') == (not unknown)


@pytest.mark.parametrize(("folder", "known"), [("${PROJECT_SOURCE_DIR}/data", True), ("${FOUND_LATER}/data", False)])
def test_a_folder_below_the_project_is_known(folder: str, known: bool, tmp_path: Path) -> None:
    files = {
        "CMakeLists.txt": f"project(own)\nset(OWN_DATA {folder})\n",
        "own.h.in": '#cmakedefine OWN_DATA "@OWN_DATA@"\n',
        "a.cu": '#include "own.h"\n',
    }
    (made,) = found(tmp_path, files).values()
    assert (made.data.startswith(b"#define OWN_DATA"), made.unknown) == (known, set() if known else {"OWN_DATA"})


CONFIGURE = """\
AC_SUBST([HAVE_CUDA], [0])
AC_ARG_WITH([cuda], [], [AC_SUBST([HAVE_CUDA], [1])])
AC_SUBST([HAVE_RDMA], [0])
dnl AC_SUBST([CUDA_SUPPORT], [1])
WITHOUT_CUDA=1
if test "$HAVE_CUDA" = "1"; then USE_CUDA=yes; else USE_CUDA=no; fi
AC_DEFINE(OWN_CUDA, [], [with a GPU])
AC_DEFINE([HAVE_HIP], 1)
AC_SUBST([BY_CUDA], [$with_cuda])
if true; then SOME_CUDA=1; else SOME_CUDA=2; fi
"""


@pytest.mark.parametrize(
    ("line", "text", "unknown"),
    [
        ("#define GPU @HAVE_CUDA@", "#define GPU 1", set()),
        ("#define GPU @USE_CUDA@", "#define GPU yes", set()),
        ("#define RDMA @HAVE_RDMA@", "#define RDMA 0", {"RDMA"}),
        ("#define GPU @CUDA_SUPPORT@", "#define GPU 0", {"GPU"}),
        ("#define CPU @WITHOUT_CUDA@", "#define CPU 0", {"CPU"}),
        ("#define GPU @BY_CUDA@", "#define GPU 0", {"GPU"}),
        ("#define GPU @SOME_CUDA@", "#define GPU 0", {"GPU"}),
        ("#undef HAVE_CUDA", "#define HAVE_CUDA 1", set()),
        ("#undef HAVE_HIP", "#undef HAVE_HIP", {"HAVE_HIP"}),
    ],
)
@pytest.mark.parametrize("script", ["configure.ac", "configure"])
def test_configure_turns_the_switch_of_the_gpu_on(
    script: str, line: str, text: str, unknown: set[str], tmp_path: Path
) -> None:
    files = {script: CONFIGURE, "own.h.in": line, "src/a.cu": '#include "own.h"\n'}
    (made,) = found(tmp_path, files).values()
    assert (made.data.decode(), made.unknown) == (text + "\n", unknown)


SWITCHES = """\
option(OWN_CUDA "for a GPU" OFF)
option(NO_CUDA "without one" OFF)
set(OWN_GPU_ "// ")
set(OWN_PNG_ "// ")
set(OWN_LOG_ "// ")
if(OWN_CUDA)
  set(OWN_GPU_ "")
endif()
if(PNG_FOUND)
  set(OWN_PNG_ "")
endif()
if(EMSCRIPTEN)
  set(OWN_LOG_ "")
endif()
"""


@pytest.mark.parametrize(
    ("line", "text", "unknown"),
    [
        ("#cmakedefine OWN_CUDA", "#define OWN_CUDA", set()),
        ("#cmakedefine01 NO_CUDA", "#define NO_CUDA 0", set()),
        ("@OWN_GPU_@#define OWN_GPU", "#define OWN_GPU", set()),
        ("@OWN_PNG_@#define OWN_PNG", "// 0#define OWN_PNG", {"OWN_PNG"}),
        ("@OWN_LOG_@#define OWN_LOG", "// #define OWN_LOG", set()),
    ],
)
def test_a_build_for_a_gpu_chooses_what_a_template_says(
    line: str, text: str, unknown: set[str], tmp_path: Path
) -> None:
    files = {"CMakeLists.txt": SWITCHES, "own.h.in": line, "src/a.cu": '#include "own.h"\n'}
    (made,) = found(tmp_path, files).values()
    assert (made.data.decode(), made.unknown) == (text + "\n", unknown)


@pytest.mark.parametrize(
    ("command", "paths"),
    [
        ("configure_file(cmake/version.h.in own.hpp)", ["cmake/own.hpp"]),
        ('configure_file("${CMAKE_CURRENT_SOURCE_DIR}/cmake/version.h.in" ${OUT}/own.hpp @ONLY)', ["cmake/own.hpp"]),
        ("configure_file(cmake/version.h.in own.txt)", []),
        ("configure_file(cmake/none.h.in own.hpp)", []),
        ("configure_file(cmake/version.h.in ${OUT})", []),
    ],
)
def test_a_template_may_become_a_header_of_another_name(command: str, paths: list[str], tmp_path: Path) -> None:
    files = {"CMakeLists.txt": command, "cmake/version.h.in": "", "src/a.cu": '#include "own.hpp"\n'}
    assert list(found(tmp_path, files)) == paths
