"""What a build configures tells of a port: templates of headers, and configure's own definitions."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate.analysis import port_configure
from cudamigrate.config import Config
from cudamigrate.frontends import known_files
from cudamigrate.model.port_facts import PortFacts
from cudamigrate.pipeline import port_survey
from cudamigrate.project import discovery

CODE = "#ifdef LIB_AMD\nhipStream_t s;\n#else\ncudaStream_t s;\n#endif\n"


def facts(folder: Path, files: dict[str, str]) -> PortFacts:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    inventory = discovery.discover(folder, Config(), known_files())
    return port_survey.survey(folder, inventory, (), 1)


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("config.h.in", "#undef LIB_AMD"),
        ("src/config.hpp.in", "#cmakedefine LIB_AMD"),
        ("c.h.cmake", "#cmakedefine01 LIB_AMD"),
    ],
)
def test_a_header_that_is_configured_with_a_guard_is_a_build(tmp_path, name, line):
    found = facts(tmp_path, {"a.cu": CODE, name: f"/* HIP */\n{line}\n"})
    assert found.build == ((name, 2, line),)
    assert found.is_port


@pytest.mark.parametrize("line", ["#undef LIB_OTHER", "#cmakedefine LIB_HIP_DOCS", "// LIB_AMD, for HIP"])
def test_another_macro_is_none(tmp_path, line):
    found = facts(tmp_path, {"a.cu": CODE, "config.h.in": f"/* hip */\n{line}\n"})
    assert found.build == ()
    assert not found.is_port


CONFIGURE = """\
AS_IF([test x"$with_hip" = xyes],
      [AC_DEFINE(LIB_AMD, 1, [HIP is used])
       CXXFLAGS="-x hip ${CXXFLAGS}"])
AS_IF([test x"$with_cuda" = xyes],
      [AC_DEFINE(LIB_NV, 1, [CUDA is used])
       NVCC=nvcc])
AC_DEFINE(LIB_BOTH, 1, [a GPU is used])
"""
SHELL = """\
if test x"$with_hip" = xyes
then
  printf "%s\\n" "#define LIB_AMD 1" >>confdefs.h
  CXX=hipcc
else
  printf "%s\\n" "#define LIB_NV 1" >>confdefs.h
  CXX=nvcc
fi
"""


@pytest.mark.parametrize(("name", "text"), [("configure.ac", CONFIGURE), ("configure", SHELL)])
def test_what_configure_defines_with_hip_is_a_guard(name, text):
    found = port_configure.of(name, text.encode())
    assert found is not None
    assert {macro.name: macro.hip for macro in found.macros} == {"LIB_AMD": True, "LIB_NV": False}


def test_a_guard_that_only_configure_shows_is_found(tmp_path):
    found = facts(
        tmp_path, {"a.cu": "#ifdef LIB_AMD\nint w = 64;\n#endif\ncudaStream_t s;\n", "configure.ac": CONFIGURE}
    )
    assert "LIB_AMD" in {guard.name for guard in found.guards}
    assert "LIB_NV" not in {guard.name for guard in found.guards}


def test_a_makefile_that_calls_both_compilers_builds_for_both(tmp_path):
    found = facts(
        tmp_path, {"a.cu": CODE, "Makefile": "a.o: a.cu\n\tnvcc -c a.cu\nb.o: a.cu\n\thipcc -DLIB_X -c a.cu\n"}
    )
    assert found.build == (("Makefile", 4, "hipcc -DLIB_X -c a.cu"),)
    assert "LIB_X" not in {guard.name for guard in found.guards}


def test_folders_that_mirror_each_other_are_two_sides(tmp_path):
    kernel = "__global__ void k() {}\n"
    both = {f"src/{side}/{side}-{n}.h": kernel for side in ("cuda", "hip") for n in ("a", "b", "c")}
    found = facts(tmp_path, {**both, "src/cuda/cuda-d.h": kernel})
    assert found.equivalents["src/cuda/cuda-a.h"] == "src/hip/hip-a.h"
    assert found.lacking == {"src/cuda/cuda-d.h": "src/hip"}
    assert not facts(tmp_path / "other", {"cuda/a.h": kernel, "hip/joint.h": kernel, "hip/b.h": kernel}).hip_files


def test_names_in_camel_case_are_two_sides(tmp_path):
    files = {"op/CudaCopy.cpp": "void f() { cudaFree(0); }\n", "op/HipCopy.cpp": "void g() { hipFree(0); }\n"}
    assert facts(tmp_path, files).equivalents == {"op/CudaCopy.cpp": "op/HipCopy.cpp"}


def test_a_file_that_knows_hip_keeps_its_lanes(tmp_path):
    code = (
        "#ifdef USE_ROCM\n#include <hip/hip_runtime.h>\n#else\n#include <cuda_runtime.h>\n#endif\n"
        "__global__ void k(int *a, unsigned m) { a[0] = __shfl_down_sync(m, a[0], 1); }\n"
    )
    found = facts(tmp_path, {"a.cu": code, "b.cu": '#include "a.cu"\n', "c.cu": "int c;\n"})
    assert found.known == {"a.cu", "b.cu"}


AROUND = """\
AC_DEFUN([LIB_CHECK], [
AS_IF([test "x$with_gpu" != xno],
  [AC_CHECK_LIB([%s], [f], [happy=yes], [happy=no])
   AS_IF([test "x$happy" = xyes], [AC_DEFINE([LIB_AMD], 1, [a GPU is used])])])
])
"""


@pytest.mark.parametrize(("library", "port"), [("amdhip64", True), ("z", False), ("-lcudart -lamdhip64", False)])
def test_a_macro_is_for_hip_where_the_blocks_around_it_look_for_hip(tmp_path, library, port):
    found = facts(tmp_path, {"a.cu": CODE, "b.cu": CODE, "m4/gpu.m4": AROUND % library})
    assert found.is_port is port


MARKS = """\
if test "$using_cuda" %s "yes"
then
  if test "$profiling" = "yes"
  then
    AC_DEFINE(LIB_MARKS, 1, [ranges are marked])
  fi
  LIBS="-lcudart"
fi
if test "$using_hip" = "yes"
then
  CXX=hipcc
  AC_DEFINE(LIB_AMD, 1, [HIP is used])
fi
%s"""


@pytest.mark.parametrize(
    ("condition", "elsewhere", "cuda"),
    [
        ("=", "", True),
        ("!=", "", False),
        ('= "yes" || test "$using_sycl" =', "", False),
        ("=", "AC_DEFINE(LIB_MARKS, 1, [marks for all])\n", False),
    ],
)
def test_a_block_of_the_shell_counts_where_its_condition_names_the_vendor(condition, elsewhere, cuda):
    found = port_configure.of("configure.ac", (MARKS % (condition, elsewhere)).encode())
    assert found is not None
    assert ("LIB_MARKS" in {macro.name for macro in found.macros if macro.cuda}) is cuda
    assert {macro.name for macro in found.macros if macro.hip} == {"LIB_AMD"}


def test_a_variable_of_cmake_may_set_for_hip_what_configure_sets_for_cuda(tmp_path):
    files = {
        "configure.ac": MARKS % ("=", ""),
        "a.cu": CODE + "#ifdef LIB_MARKS\ncudaEvent_t e;\n#endif\n",
        "config.h.in": "#undef LIB_MARKS\n#undef LIB_AMD\n// hip\n",
    }
    assert "LIB_MARKS" in {guard.name for guard in facts(tmp_path / "a", files).guards}
    files["config.h.cmake.in"] = "#cmakedefine LIB_MARKS\n#cmakedefine LIB_AMD\n// hip\n"
    assert "LIB_MARKS" not in {guard.name for guard in facts(tmp_path / "b", files).guards}


PASSED = {
    "config.h.in": "// HIP\n#cmakedefine LIB_GPU_A\n#cmakedefine LIB_OTHER\n",
    "a.cpp": '#ifdef LIB_GPU_A\n#include "own/a.h"\n#endif\n#ifdef LIB_OTHER\nint b;\n#endif\n',
    "b.cu": "__global__ void k() {}\n",
}


@pytest.mark.parametrize(
    ("block", "guards"),
    [
        ("enable_language(HIP)", {"?LIB_GPU_A"}),
        ("find_package(hipblas REQUIRED)", {"?LIB_GPU_A"}),
        ("enable_language(HIP)\n  enable_language(CUDA)", set()),
        ("find_package(OpenMP)", set()),
    ],
)
def test_a_variable_that_turns_hip_on_is_a_guard_where_a_header_passes_it_on(tmp_path, block, guards):
    build = f"project(p CXX)\nif(LIB_GPU_A)\n  {block}\nendif()\nif(LIB_OTHER)\n  find_package(MPI)\nendif()\n"
    assert {one.mark for one in facts(tmp_path, {**PASSED, "CMakeLists.txt": build}).guards} == guards


def test_one_that_no_header_passes_on_is_none(tmp_path):
    build = "project(p CXX)\nif(LIB_GPU_A)\n  enable_language(HIP)\nendif()\n"
    files = {**PASSED, "config.h.in": "// HIP\n#cmakedefine LIB_OTHER\n", "CMakeLists.txt": build}
    assert facts(tmp_path, files).guards == ()


ONE_OF_MANY = """\
AS_IF([test "x$enable_net" != xno], [
  AS_IF([%s], [LDFLAGS="$LDFLAGS -lamdhip64"])
  %s
])
"""


@pytest.mark.parametrize(
    ("outer", "inner", "hip"),
    [
        ("x$enable_net", "AC_DEFINE([LIB_NET], [1], [all that is asked for])", False),
        ("x$with_hip", "AC_DEFINE([LIB_NET], [1], [all that is asked for])", True),
        ("x$enable_net", "AS_IF([test -f a.h], [CXX=hipcc\n AC_DEFINE([LIB_NET], [1], [w])])", True),
    ],
)
def test_what_a_block_does_for_hip_under_a_further_condition_says_nothing_of_a_macro_beside_it(outer, inner, hip):
    text = (ONE_OF_MANY % ('test "$have_gpu" = 1', inner)).replace("x$enable_net", outer)
    found = port_configure.of("configure.ac", text.encode())
    assert ([one.name for one in found.macros if one.hip] if found else []) == ["LIB_NET"] * hip


def test_a_variable_in_whose_block_another_one_turns_hip_on_does_not(tmp_path):
    build = (
        "project(p CXX)\nif(LIB_OTHER)\n  find_package(FFTW)\n"
        "  if(LIB_GPU_A)\n    find_package(hipfft)\n  endif()\nendif()\n"
        "if(LIB_GPU_A)\n  enable_language(HIP)\nendif()\n"
    )
    assert {one.mark for one in facts(tmp_path, {**PASSED, "CMakeLists.txt": build}).guards} == {"?LIB_GPU_A"}


def test_an_option_inside_of_what_is_for_hip_turns_nothing_on(tmp_path):
    inner = "  if(LIB_OTHER)\n    find_package(rocfft)\n  endif()\n"
    build = f"project(p CXX)\nif(LIB_GPU_A)\n  find_package(hip)\n{inner}endif()\n"
    assert {one.mark for one in facts(tmp_path, {**PASSED, "CMakeLists.txt": build}).guards} == {"?LIB_GPU_A"}


@pytest.mark.parametrize(
    ("comment", "guards"),
    [
        ("# MPI for all", {"LIB_AMD", "LIB_NET"}),
        ("#CPPFLAGS = -DLIB_NET", {"LIB_AMD"}),
        ("#CPPFLAGS = -DLIB_NET -I$(ROCM)", {"LIB_AMD", "LIB_NET"}),
    ],
)
def test_what_a_makefile_would_set_without_hip_too_is_no_guard(tmp_path, comment, guards):
    code = "#ifdef LIB_AMD\nhipStream_t s;\n#endif\n#ifdef LIB_NET\nint net;\n#endif\n"
    make = f"CXX = hipcc\nCPPFLAGS = -DLIB_AMD -DLIB_NET\n{comment}\n"
    assert {one.name for one in facts(tmp_path, {"a.cu": code, "Makefile": make}).guards} == guards


@pytest.mark.parametrize("package", ["rocprofiler-sdk", "roctracer", "hsa-runtime64", "rccl", "MIOpen", "rocm_smi"])
def test_packages_of_amds_libraries_set_up_hip(tmp_path, package):
    build = f"project(p CXX)\nif(LIB_GPU_A)\n  find_package({package} REQUIRED)\nendif()\n"
    assert facts(tmp_path, {**PASSED, "CMakeLists.txt": build}).build[0][:2] == ("CMakeLists.txt", 3)


CASE = """\
# --enable-gpu=hip
case $enable_gpu in
  cuda) AC_DEFINE([LIB_NV], [1], [CUDA]);;
  hip) AC_DEFINE([%s], [1], [the other]);;
esac
"""


@pytest.mark.parametrize(("name", "port"), [("LIB_AMD", True), ("LIB_OTHER", False)])
def test_a_guard_that_configure_may_define_is_a_build_for_hip(tmp_path, name, port):
    found = facts(tmp_path, {"a.cu": CODE, "b.cu": CODE, "configure.ac": CASE % name})
    assert [one[:2] for one in found.build] == [("configure.ac", 4)] * port
    assert found.is_port is port


IN_PARTS = """\
AS_IF([test "x$with_hip" = xyes], [
  CXX=hipcc
  %s
])
"""


@pytest.mark.parametrize(
    ("inner", "sure"),
    [
        ("AC_DEFINE([LIB_PART], [1], [all of it])", True),
        ("AC_CHECK_LIB([hipsolver], [f], [AC_DEFINE([LIB_PART], [1], [a library])])", False),
        ("AC_CHECK_LIB([amdhip64], [f], [AC_DEFINE([LIB_PART], [1], [the runtime])])", True),
        ("AC_CHECK_LIB([z], [f], [Z=1])\n  AC_DEFINE([LIB_PART], [1], [all of it])", True),
        ("AS_IF([test $peers = yes], [AC_DEFINE([LIB_PART], [1], [a choice])])", False),
        ("AS_IF([test $peers = yes], [CXX=hipcc\n AC_DEFINE([LIB_PART], [1], [a choice])])", True),
    ],
)
def test_what_needs_more_than_hip_is_not_sure_to_be_set_with_it(inner, sure):
    found = port_configure.of("configure.ac", (IN_PARTS % inner).encode())
    assert found is not None
    assert [(one.name, one.hip, one.sure) for one in found.macros] == [("LIB_PART", True, sure)]


def test_a_part_that_configure_looks_for_only_implies_hip(tmp_path):
    check = "AC_CHECK_LIB([hipsolver], [f], [AC_DEFINE([LIB_PART], [1], [a library])])"
    code = "#ifdef LIB_PART\nint solver;\n#endif\n"
    files = {"a.cu": CODE, "b.cu": code, "configure.ac": IN_PARTS % f"AC_DEFINE([LIB_AMD], [1], [HIP])\n  {check}"}
    assert {guard.mark for guard in facts(tmp_path, files).guards} == {"LIB_AMD", "?LIB_PART"}
