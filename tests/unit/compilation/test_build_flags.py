"""What build files say of how sources compile."""

from __future__ import annotations

import json
import os
import re
import signal
from pathlib import Path
from typing import Any

import pytest
from porttrees import written

from cudamigrate import parallel
from cudamigrate.compilation import build_files, build_flags, setup_flags
from cudamigrate.compilation.build_flags import Project, read
from cudamigrate.compilation.build_settings import Settings
from cudamigrate.model.verification import Verification
from cudamigrate.verification import text as verdicts


def project(root: Path, **files: str) -> Project:
    for name in ("include", "src/common", "third/eigen"):
        (root / name).mkdir(parents=True, exist_ok=True)
    for name, text in files.items():
        (root / {"setup": "setup.py", "cmake": "CMakeLists.txt", "make": "Makefile"}[name]).write_text(text)
    return read(root)


def whole(root: Path, found: Project) -> Settings:
    return found.settings(str(root / "a.cu"))


def folders(root: Path, found: Project) -> list[str]:
    inside = (Path(folder) for folder in whole(root, found).includes if Path(folder).is_relative_to(root))
    return [folder.relative_to(root).as_posix() for folder in inside]


def test_setup_py_names_folders_in_many_ways(tmp_path: Path) -> None:
    text = """
import os
import re
from pathlib import Path

import pytest
here = os.path.dirname(os.path.abspath(__file__))
root = Path(__file__).resolve().parent
include_dirs = [os.path.join(here, "include"), f"{here}/src/common"]
include_dirs.append(root / "third" / "eigen")
CUDAExtension("x", [], include_dirs=include_dirs, extra_compile_args={"cxx": ["-std=c++14", "-DFAST", "-O3"]})
if os.environ.get("DEBUG"):
    flags = ["-DDEBUG", "-std=c++20"]
unknown = [os.path.join(os.environ["HOME"], "include")]
"""
    found = project(tmp_path, setup=text)
    assert folders(tmp_path, found) == ["include", "src/common", "third/eigen"]
    assert list(whole(tmp_path, found).defines) == ["FAST"]
    assert whole(tmp_path, found).standards == {"14", "20"}
    assert whole(tmp_path, found).sources == ["setup.py"]


@pytest.mark.parametrize(
    ("options", "defines", "taken"),
    [
        ('*(["-DH", "-UA"] if torch.version.hip else ["-DC", "-UB"])', ["H"], {"A"}),
        ('*(["-DC"] if torch.version.hip is None else ["-DH"])', ["H"], set()),
        ('*(["-DC"] if not IS_HIP_EXTENSION else ["-DH"])', ["H"], set()),
        ('*([] if torch.version.hip is not None else ["-DC"])', [], set()),
        ('"-U", "A", "-UB", "-U1", "-U"', [], {"A", "B"}),
        ('*(["-DX"] if other.version.hip.old else ["-DY"])', ["X", "Y"], set()),  # who knows what that asks
    ],
)
def test_setup_py_chooses_options_by_pytorchs_own_answer(
    tmp_path: Path, options: str, defines: list[str], taken: set[str]
) -> None:
    text = f"CUDAExtension('x', [], extra_compile_args={{'nvcc': [{options}]}})\n"
    found = whole(tmp_path, project(tmp_path, setup=text))
    assert (list(found.defines), found.taken) == (defines, taken)


def test_setup_py_takes_the_branch_for_rocm(tmp_path: Path) -> None:
    text = """
if torch.version.hip:
    flags = ["-DH"]
elif version > 11:
    flags = ["-DC"]
else:
    flags = ["-DD"]
if not torch.version.hip:
    flags += ["-DE", "-std=c++14"]
else:
    flags += ["-DF"]
if torch.version.hip and more:
    flags += ["-DG"]
"""
    found = whole(tmp_path, project(tmp_path, setup=text))
    assert list(found.defines) == ["H", "F"]
    assert found.standards == set()


def test_setup_py_in_a_subfolder_names_folders_beside_its_own(tmp_path: Path) -> None:
    text = """
import os
from pathlib import Path
root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
top = Path(__file__).resolve().parent.parent
CUDAExtension("x", [], include_dirs=[os.path.join(root, "include"), str(top / "src"), os.path.join(root, "/absent")])
"""
    for name in ("ext/include", "ext/src", "ext/absent", "include", "src"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "ext" / "setup.py").write_text(text)
    found = read(tmp_path).settings(str(tmp_path / "ext" / "a.cu"))
    inside = [Path(folder) for folder in found.includes if Path(folder).is_relative_to(tmp_path)]
    assert [folder.relative_to(tmp_path).as_posix() for folder in inside] == ["include", "src"]


def test_setup_py_in_which_only_one_branch_of_many_is_taken(tmp_path: Path) -> None:
    branches = "".join(f"elif b == {at}:\n    flags = ['-DB{at}']\n" for at in range(50))
    found = project(tmp_path, setup=f"if a:\n    flags = ['-DA']\n{branches}more = ['-DALWAYS']\n")
    assert list(whole(tmp_path, found).defines) == ["ALWAYS"]


@pytest.mark.parametrize("given", [5, "nvcc -DB", {"-DB": 1}, None, []])
def test_an_entry_of_a_compilation_database_without_arguments_is_read_by_its_command(
    tmp_path: Path, given: object
) -> None:
    entry = {"file": "a.cu", "directory": str(tmp_path), "arguments": given, "command": "nvcc -DA a.cu"}
    (tmp_path / "compile_commands.json").write_text(json.dumps([entry]))
    assert list(whole(tmp_path, read(tmp_path)).defines) == ["A"]


@pytest.mark.parametrize("compiler", ["${NVCC}", "$(CXX)", "clang++", "hipcc"])
def test_a_makefile_that_compiles_is_known_by_its_compiler(tmp_path: Path, compiler: str) -> None:
    found = project(tmp_path, make=f"a.o: a.cu\n\t{compiler} -DA -c a.cu\n")
    assert list(whole(tmp_path, found).defines) == ["A"]


def test_a_makefile_that_compiles_nothing_says_nothing(tmp_path: Path) -> None:
    assert whole(tmp_path, project(tmp_path, make="all:\n\tsphinx-build -DA docs\n")).defines == {}


def test_setup_py_gives_macros_by_a_variable_as_a_build_for_a_gpu_has_them(tmp_path: Path) -> None:
    text = """
macros = [("ALWAYS", None), ("LEVEL", "2"), ("UNKNOWN", level)]
if torch.cuda.is_available() and CUDA_HOME is not None:
    macros += [("WITH_CUDA", None)]
    macros.append(("AND_ONE", "1"))
else:
    macros += [("CPU_ONLY", None)]
if not with_cuda:
    macros += [("WITHOUT", None)]
if cuda_version >= 12:
    macros.extend([("NEW", None)])
if sys.platform == "win32":
    macros += [("WINDOWS", None)]
other = [("OF_NOTHING", None)]
setup(ext_modules=[CUDAExtension("a", define_macros=macros), CUDAExtension("b", define_macros=[("B", None)])])
"""
    given = list(whole(tmp_path, project(tmp_path, setup=text)).defines)
    assert sorted(given) == ["ALWAYS", "AND_ONE=1", "B", "LEVEL=2", "WITH_CUDA"]


@pytest.mark.parametrize(
    ("asked", "defines"),
    [
        ("rocm = torch.version.hip is not None", ["HIP"]),
        ("rocm = False\nif new:\n    rocm = True if (torch.version.hip is not None and ROCM_HOME) else False", ["HIP"]),
        ("rocm = False\nif torch.version.hip:\n    rocm = True", ["HIP"]),
        ("built = torch.version.hip is not None\nrocm = built", ["HIP"]),
        ("def asks():\n    return bool(torch.version.hip)\nrocm = asks()", ["HIP"]),
        ("rocm = hasattr(torch.version, 'hip') and torch.version.hip is not None", ["HIP"]),
        ("rocm = not torch.version.cuda", ["HIP"]),
        ("rocm = torch.version.cuda is None and os.name", []),  # who knows what the rest asks
        ("rocm = os.environ.get('ROCM')", []),
        ("rocm = torch.version.hip is not None\nif other:\n    rocm = os.environ['ROCM']", []),
        ("rocm = torch.version.hip\nfor rocm in names:\n    pass", []),
        ("rocm = torch.version.hip is None", ["CUDA"]),
    ],
)
@pytest.mark.parametrize(
    "given",
    [
        "if rocm:\n    macros = [('HIP', None)]\nelse:\n    macros = [('CUDA', None)]",
        "macros = [('HIP', None)] if rocm else [('CUDA', None)]",
        "macros = []\nmacros += [*([('HIP', None)] if rocm else []), *([] if rocm else [('CUDA', None)])]",
    ],
)
def test_setup_py_gives_the_macros_that_a_variable_chooses_for_rocm(
    tmp_path: Path, asked: str, given: str, defines: list[str]
) -> None:
    text = f"{asked}\n{given}\nsetup(ext_modules=[CUDAExtension('a', ['a.cu'], define_macros=macros)])\n"
    assert list(whole(tmp_path, project(tmp_path, setup=text)).defines) == defines


def test_the_branch_that_alone_makes_the_extension_is_one_that_a_build_for_amd_needs(tmp_path: Path) -> None:
    text = """
if torch.version.cuda is not None:
    setup(ext_modules=[CUDAExtension("a", ["a.cu"], include_dirs=["include"], define_macros=[("GPU", None)])])
else:
    setup(ext_modules=[CppExtension("a", ["a.cpp"], define_macros=[("CPU", None)])])
"""
    found = project(tmp_path, setup=text)
    assert (folders(tmp_path, found), list(whole(tmp_path, found).defines)) == (["include"], ["GPU"])


@pytest.mark.parametrize(
    ("body", "other", "defines"),
    [
        ("extension = CUDAExtension", "extension = CppExtension", ["GPU", "HIP"]),
        ("extension = cpp_extension.CUDAExtension", "pass", ["GPU", "HIP"]),
        ("extension = CppExtension", "extension = CUDAExtension", []),
        ("extension = CUDAExtension", "extension = CUDAExtension", []),
    ],
)
def test_a_branch_that_alone_names_the_extension_for_a_gpu_is_taken_in_any_function(
    tmp_path: Path, body: str, other: str, defines: list[str]
) -> None:
    text = f"""
def given():
    rocm = torch.version.hip is not None
    macros, extension = [], None
    if torch.cuda.is_available() and (CUDA_HOME or rocm) or os.getenv("FORCE") == "1":
        {body}
        macros += [("GPU", None)]
        if not rocm:
            macros += [("CUDA", None)]
        else:
            macros += [("HIP", None)]
    else:
        {other}
    return [extension("a", ["a.cu"], define_macros=macros)]
setup(ext_modules=given(), cmdclass={{"build_ext": torch.utils.cpp_extension.BuildExtension}})
"""
    assert list(whole(tmp_path, project(tmp_path, setup=text)).defines) == defines


@pytest.mark.parametrize(
    ("before", "flag", "defines", "unknown"),
    [
        pytest.param("arch = 800", 'f"-DARCH={arch}"', ["ARCH=800"], set(), id="f-string"),
        pytest.param("arch = 8 * 100", '"-DARCH={}".format(arch)', ["ARCH=800"], set(), id="format"),
        pytest.param("arch = 'x'", '"-D{n}={0}".format(arch, n="ARCH")', ["ARCH=x"], set(), id="format with names"),
        pytest.param("arch = 800", '"-DARCH=%d" % arch', ["ARCH=800"], set(), id="percent"),
        pytest.param("arch = 800", '"-D%s=%s" % ("ARCH", arch)', ["ARCH=800"], set(), id="percent of several"),
        pytest.param("a = '8'", '"-DARCH=" + a', ["ARCH=8"], set(), id="joined"),
        pytest.param("arch = int(os.getenv('ARCH', '70'))", 'f"-DARCH={arch}"', ["ARCH=70"], {"ARCH"}, id="a default"),
        pytest.param("arch = os.environ['ARCH']", 'f"-DARCH={arch}"', [], {"ARCH"}, id="the environment"),
        pytest.param("arch = ask()", '"-DARCH={}".format(arch)', [], {"ARCH"}, id="a call"),
        pytest.param("arch = 800", '"-DARCH={:x}".format(arch)', [], {"ARCH"}, id="a number in another way"),
        pytest.param("arch = arch + 1", 'f"-DARCH={arch}"', [], {"ARCH"}, id="made of itself"),
        pytest.param("name = ask()", 'f"-D{name}=1"', [], set(), id="a name that nobody knows"),
        pytest.param("", "'-DARCH=1' if torch.version.hip else '-DNV'", ["ARCH=1"], set(), id="a choice of ROCm's"),
        pytest.param("", "'-DARCH=1' if old else '-DNEW'", [], set(), id="a choice of nobody's"),
    ],
)
@pytest.mark.parametrize("given", ["flags = [{}]", "flags = []\nflags.append({})", "flags.insert(0, {})"])
def test_setup_py_gives_macros_whose_values_can_be_worked_out(
    tmp_path: Path, before: str, flag: str, defines: list[str], unknown: set[str], given: str
) -> None:
    text = f"{before}\ndef made():\n    {given.format(flag).replace(chr(10), chr(10) + '    ')}\n    return flags\n"
    found = whole(tmp_path, project(tmp_path, setup=text))
    assert (list(found.defines), found.open) == (defines, unknown)


def test_setup_py_makes_flags_of_others() -> None:
    text = 'A = [f"-D{n}" for n in ("X", "Y")]\nB = "-O3 -DZ".split()\nC = [f"-D{n}" for n in names()]\n'
    found = setup_flags.flags(text)
    assert [word for words in found.lists for word in words] == ["-DX", "-DY", "-O3", "-DZ"]


def test_setup_py_says_which_macros_only_some_builds_have() -> None:
    text = """
flags = []
if fast:
    flags += ["-DFAST", f"-DLEVEL={level}"]
    macros = [("NEW", None)]
flags.append("-DA" if old else "-DB")
if torch.cuda.is_available() and (CUDA_HOME is not None or ROCM_HOME is not None):
    flags.append("-DGPU")
C("a", sources, define_macros=macros + [("LEVEL", str(level)), ("WIDTH", str(32))])
"""
    found = setup_flags.flags(text)
    words = {word for words in found.lists for word in words}
    assert (words, found.open) == ({"-DGPU", "-DWIDTH=32"}, {"LEVEL"})
    assert found.some == {"FAST", "LEVEL", "NEW", "A", "B"}


def test_what_setup_py_gives_cmake_is_no_macro() -> None:
    text = """
line = ["cmake", "-DWITH_GPU=ON", f"-DCMAKE_BUILD_TYPE={kind}"]
line += ["-DARCH=90"]
line.append("-DMORE=1")
flags = ["-DMACRO"]
"""
    assert [words for words in setup_flags.flags(text).lists if words] == [["-DMACRO"]]
    assert setup_flags.flags(text).open == set()


def test_setuptools_adds_the_headers_of_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build_flags.sysconfig, "get_path", lambda name: str(tmp_path / "python" / name))
    text = "setup(ext_modules=[CUDAExtension('a', ['a.cu'])])\n"
    assert folders(tmp_path, project(tmp_path, setup=text)) == []
    (tmp_path / "python" / "include").mkdir(parents=True)
    (tmp_path / "python" / "include" / "Python.h").touch()
    assert folders(tmp_path, project(tmp_path, setup=text)) == ["python/include"]
    other = project(tmp_path / "python", make="a.o: a.cu\n\tnvcc -c a.cu\n")
    assert folders(tmp_path, other) == []


def test_setup_py_that_does_not_parse_says_nothing(tmp_path: Path) -> None:
    assert project(tmp_path, setup="print 'python 2'\n").folders == {}


def test_cmake_gives_the_macros_in_its_flags_by_the_defaults_of_its_variables(tmp_path: Path) -> None:
    text = """
if (NOT DEFINED GPU_ARCH)
  set(GPU_ARCH "61")
  set(OTHER 1)
endif()
if(NOT LIBRARY_FOUND)
  add_definitions(-DWITHOUT)
endif()
set(CMAKE_CXX_FLAGS "${CMAKE_CXX_FLAGS} -Wall -DGPU_ARCH=${GPU_ARCH} -DUNKNOWN=${OTHER} -std=c++20")
list(APPEND CUDA_NVCC_FLAGS "-O2;-DFAST" -Iinclude)
string(APPEND CMAKE_CUDA_FLAGS_DEBUG " -DDEBUG")
"""
    found = project(tmp_path, cmake=text)
    assert list(whole(tmp_path, found).defines) == ["GPU_ARCH=61", "FAST"]
    assert whole(tmp_path, found).standards == {"20"}
    assert folders(tmp_path, found) == ["include"]


@pytest.mark.parametrize(
    ("use", "given"),
    [
        ("for one in GONE:\n    flags.remove(one)\n", False),
        ("for one in GONE:\n    try:\n        build.FLAGS.remove(one)\n    except ValueError:\n        pass\n", False),
        ("flags = [one for one in flags if one not in GONE]\n", False),
        ("for one in GONE:\n    flags.append(one)\n", True),
        ("flags = [one for one in GONE if one not in flags]\n", True),
    ],
)
def test_options_that_a_list_loses_are_none_of_the_builds(tmp_path: Path, use: str, given: bool) -> None:
    (tmp_path / "setup.py").write_text(f'GONE = ["-DNO_HALVES"]\n{use}CUDAExtension("x", ["a.cu"])\n')
    assert ("NO_HALVES" in read(tmp_path).settings(str(tmp_path / "a.cu")).defines) is given


OPTION = 'option(WITH_BOARDS "" OFF)\n'
GIVES = "add_definitions(-DBOARDS)\n"


@pytest.mark.parametrize(
    ("text", "given"),
    [
        (f"{OPTION}if(WITH_BOARDS)\n%s\n{GIVES}endif()\n", True),
        (f"{OPTION}if(WITH_BOARDS)\n%s\nendif()\nif(WITH_BOARDS)\n{GIVES}endif()\n", True),
        (f"{OPTION}if(WITH_BOARDS)\n%s\nelse()\n{GIVES}endif()\n", False),
        (f"{OPTION}%s\nif(WITH_BOARDS)\n%s\n{GIVES}endif()\n", False),
        (f"{OPTION}if(WITH_BOARDS)\n{GIVES}endif()\n", False),
        (f"if(WIN32)\n%s\n{GIVES}endif()\n", False),
    ],
)
@pytest.mark.parametrize("enables", ["find_package(CUDA REQUIRED)", "enable_language(HIP)"])
def test_the_option_that_alone_enables_the_gpu_is_on(tmp_path: Path, text: str, enables: str, given: bool) -> None:
    found = project(tmp_path, cmake=text.replace("%s", enables))
    assert ("BOARDS" in whole(tmp_path, found).defines) is given


def test_cmake_takes_the_branches_of_a_gpu_build(tmp_path: Path) -> None:
    text = """
set(CMAKE_CXX_STANDARD 17)
set(EIGEN "${PROJECT_SOURCE_DIR}/third/eigen")
include_directories(${EIGEN} ${UNKNOWN_DIR} include)
target_include_directories(app PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/src/common)
add_definitions(-DALWAYS)
target_compile_definitions(app PUBLIC LEVEL=3 $<$<CONFIG:Debug>:DEBUG>)
if(USE_CUDA)
  add_definitions(-DUSE_CUDA)
elseif(USE_OPENCL)
  add_definitions(-DUSE_OPENCL)
else()
  add_definitions(-DCPU_ONLY)
endif()
if(NOT USE_HIP)
  add_definitions(-DNO_HIP)
endif()
"""
    found = project(tmp_path, cmake=text)
    assert folders(tmp_path, found) == ["third/eigen", "include", "src/common"]
    assert list(whole(tmp_path, found).defines) == ["ALWAYS", "LEVEL=3", "USE_CUDA"]
    assert whole(tmp_path, found).standards == {"17"}


def test_cmake_takes_the_branches_that_its_options_choose_by_default(tmp_path: Path) -> None:
    text = """
option(FAST "quick" ON)
option(SAFE "checks" OFF)
set(LEVEL 2)
if(FAST AND NOT SAFE)
  add_definitions(/DFAST)
else()
  add_definitions(-DSLOW)
endif()
if(SAFE)
  add_definitions(-DSAFE)
elseif(LEVEL)
  add_definitions(-DLEVEL)
else()
  add_definitions(-DPLAIN)
endif()
if(OLD_COMPILER OR SAFE)
  add_definitions(-DOPEN)
else()
  add_definitions(-DOPEN_TOO)
endif()
if(OLD_COMPILER)
  option(TWICE "said twice" ON)
else()
  option(TWICE "said twice" OFF)
endif()
if(TWICE)
  add_definitions(-DTWICE)
endif()
"""
    assert list(whole(tmp_path, project(tmp_path, cmake=text)).defines) == ["FAST", "LEVEL"]
    (tmp_path / "setup.py").write_text("from setuptools import setup\nsetup()\n")
    assert list(whole(tmp_path, project(tmp_path, cmake=text)).defines) == []


@pytest.mark.parametrize(
    ("condition", "given"),
    [
        ('${FRAMEWORK} MATCHES "MINE" OR ${FRAMEWORK} MATCHES "OTHER"', ["THEN"]),
        ("FRAMEWORK STREQUAL MINE", ["THEN"]),
        ("NOT FRAMEWORK STREQUAL MINE", ["ELSE"]),
        ('${FRAMEWORK} MATCHES "NO_MINE"', ["ELSE"]),
        ("FRAMEWORK STREQUAL ${OTHER}", []),
        ("FRAMEWORK STREQUAL NAMED", ["THEN"]),  # what a variable holds that is called so
        ("FRAMEWORK STREQUAL HELD", []),  # where it is another, whoever builds may choose one
        ("TWICE STREQUAL MINE", []),
        ("FRAMEWORK STREQUAL USE_CUDA", ["THEN"]),  # a build for a GPU chooses it
    ],
)
def test_cmake_compares_the_default_of_a_choice(condition: str, given: list[str], tmp_path: Path) -> None:
    text = f"""
set(FRAMEWORK MINE CACHE STRING "what is used")
set(NAMED MINE)
set(HELD HIS)
if(OLD)
  set(TWICE MINE)
else()
  set(TWICE HIS)
endif()
if({condition})
  add_definitions(-DTHEN)
else()
  add_definitions(-DELSE)
endif()
"""
    assert list(whole(tmp_path, project(tmp_path, cmake=text)).defines) == given


MODULES = {
    "CMakeLists.txt": """set(TOOLS ${CMAKE_CURRENT_SOURCE_DIR}/tools)
list(APPEND CMAKE_MODULE_PATH ${PROJECT_SOURCE_DIR}/cmake)
if(EXISTS ${TOOLS}/make.cmake)
  include(${TOOLS}/make.cmake)
else()
  add_definitions(-DNO_TOOLS)
endif()
include(checks)
find_package(Depth)
find_package(Other CONFIG)
include(Absent)
include_directories(${CMAKE_CURRENT_LIST_DIR}/include)
add_subdirectory(src)
""",
    "tools/make.cmake": """if(UNIX)
  if(NOT APPLE)
    ADD_DEFINITIONS(-DON_LINUX -D_POSIX_)
  else()
    add_definitions(-DON_MAC)
  endif()
endif()
include(${CMAKE_CURRENT_LIST_DIR}/more.cmake)
function(later)
  add_definitions(-DLATER)
endfunction()
""",
    "tools/more.cmake": "add_definitions(-DMORE)\ninclude(${CMAKE_CURRENT_LIST_DIR}/make.cmake)\n",
    "tools/checks.cmake": "add_definitions(-DNOT_SEARCHED)\n",
    "cmake/checks.cmake": "if(HAVE_CHECK)\n  add_definitions(-DCHECK)\nendif()\nadd_definitions(-DSIZE=${S})\n",
    "cmake/FindDepth.cmake": "add_definitions(-DHAVE_DEPTH)\n",
    "cmake/FindOther.cmake": "add_definitions(-DHAVE_OTHER)\n",
    "cmake/unused.cmake": "add_definitions(-DUNUSED)\n",
    "cmake/deep.cmake": "add_definitions(-DDEEP)\n",
    "src/CMakeLists.txt": "include(deep)\n",
}


def test_cmake_takes_what_the_modules_of_the_tree_give(tmp_path: Path) -> None:
    written(tmp_path, MODULES)
    found = project(tmp_path)
    assert list(whole(tmp_path, found).defines) == ["ON_LINUX", "_POSIX_", "MORE", "HAVE_DEPTH"]
    assert whole(tmp_path, found).open == {"SIZE"} and folders(tmp_path, found) == ["include"]
    assert "DEEP" in found.settings(str(tmp_path / "src/a.cu")).defines


def test_a_module_that_closes_no_condition_says_nothing(tmp_path: Path) -> None:
    (tmp_path / "open.cmake").write_text("add_definitions(-DINNER)\nif(WIN32)\n")
    found = project(tmp_path, cmake="include(open.cmake)\nadd_definitions(-DOUTER)\n")
    assert list(whole(tmp_path, found).defines) == ["OUTER"]


@pytest.mark.parametrize(
    ("condition", "taken"),
    [
        ("UNIX AND NOT APPLE", "IF"),
        ("NOT WIN32", "IF"),
        ("WIN32 OR MSVC", "ELSE"),
        ("CMAKE_SYSTEM_NAME STREQUAL Linux", "IF"),
        ('"${CMAKE_SYSTEM_NAME}" STREQUAL "Windows"', "ELSE"),
        ("CMAKE_SYSTEM_NAME MATCHES Linux|FreeBSD", "IF"),
        ('NOT CMAKE_HOST_SYSTEM_NAME MATCHES "^Lin"', "ELSE"),
        ('CMAKE_SYSTEM_NAME MATCHES "^(Darwin|FreeBSD)$"', "ELSE"),
        ('CMAKE_SYSTEM_NAME MATCHES "nux$"', "IF"),
        ('CMAKE_SYSTEM_NAME MATCHES "^Darwin|Linux"', ""),
        ("CMAKE_SYSTEM_NAME MATCHES L.*x", ""),
        ("CMAKE_SYSTEM_NAME STREQUAL ${WANTED}", ""),
        ("CMAKE_SYSTEM_NAME IN_LIST SYSTEMS", ""),
        ("CMAKE_SYSTEM_PROCESSOR STREQUAL x86_64", ""),
        ("EXISTS ${CMAKE_SOURCE_DIR}/include", "IF"),
        ("EXISTS ${CMAKE_SOURCE_DIR}/made", ""),  # the build may make it
        ("EXISTS /usr", ""),  # of this machine
        ("CUDA_VERSION VERSION_LESS 9.0", "ELSE"),
        ("NOT CUDA_VERSION VERSION_LESS 9.0", "IF"),
        ('"${CUDAToolkit_VERSION}" VERSION_GREATER_EQUAL "10.1"', "IF"),
        ("CUDA_VERSION_MAJOR GREATER 8", "IF"),
        ("CUDA_VERSION VERSION_EQUAL 7.5", "ELSE"),
        ("CUDA_FOUND AND CUDA_VERSION VERSION_LESS 8", "ELSE"),
        ("CUDA_VERSION VERSION_LESS 12.4", ""),  # old and new ones differ
        ("CUDA_VERSION VERSION_LESS 11.0", "ELSE"),
        ("CUDA_VERSION VERSION_EQUAL 12.0", ""),
        ("CUDA_VERSION VERSION_GREATER_EQUAL 11.0", "IF"),
        ("CUDA_VERSION VERSION_LESS ${OLDEST}", ""),
        ("USE_CUDA", "IF"),
        ("OTHER_VERSION VERSION_LESS 9.0", ""),
    ],
)
def test_cmake_takes_the_branch_of_the_system_and_of_a_release_of_cuda_that_builds_have(
    tmp_path: Path, condition: str, taken: str
) -> None:
    text = f"if({condition})\n add_definitions(-DIF)\nelse()\n add_definitions(-DELSE)\nendif()\n"
    assert "".join(whole(tmp_path, project(tmp_path, cmake=text)).defines) == taken


def test_an_option_in_a_branch_that_is_not_taken_has_no_default(tmp_path: Path) -> None:
    text = """
option(DRIVER "driver API" ON)
if(CUDA_VERSION VERSION_LESS 9.0)
  option(MINER "needs a new release" OFF)
else()
  option(MINER "needs a new release" ON)
endif()
if(MINER)
  if(DRIVER)
    add_definitions(-DMINER)
  else()
    set(MINER OFF)
  endif()
endif()
"""
    assert list(whole(tmp_path, project(tmp_path, cmake=text)).defines) == ["MINER"]
    assert list(whole(tmp_path, project(tmp_path, cmake=text.replace("9.0", "12.4"))).defines) == []


def test_macros_of_modules_and_functions_are_ones_that_a_build_may_give(tmp_path: Path) -> None:
    (tmp_path / "cmake").mkdir()
    body = 'if(LANG STREQUAL "HIP")\n    list(APPEND F "-DENABLE_FP8" -O3)\n  endif()'
    text = f"function(flags LANG)\n  {body}\nendfunction()\n"
    (tmp_path / "cmake" / "utils.cmake").write_text(text)
    (tmp_path / "cmake" / "plain.cmake").write_text("message(-DNOTHING)\n")
    found = whole(tmp_path, project(tmp_path, cmake="if(WIN32)\n  add_definitions(-DWINDOWS=1)\nendif()\n"))
    assert found.some == {"ENABLE_FP8", "WINDOWS"}
    assert not found.defines and found.sources == ["CMakeLists.txt"]


@pytest.mark.parametrize(
    ("build", "unlisted"),
    [
        ({"cmake": "project(a)\nadd_executable(a src/main.cu)\n"}, {"src/old.cu"}),
        ({"make": "main: src/main.o\n\tnvcc -o main src/main.o\n"}, {"src/old.cu"}),
        ({"make": "main: $(wildcard src/*.cu)\n\tnvcc -o main $^\n"}, set()),
        ({"make": "%.o: %.cu\n\tnvcc -c $<\nall: main.o\nclean:\n\trm -f *.o\n"}, {"src/old.cu"}),
        ({"make": "S = $(shell find . -name '*.cu')\nall: $(S)\n\tnvcc $^\n"}, set()),
        ({"cmake": "project(a)\nfile(GLOB S src/*)\nadd_executable(a ${S})\n"}, set()),
        ({"cmake": "project(a)\nfile(GLOB S src/main.cu)\nadd_executable(a ${S})\n"}, {"src/old.cu"}),
        ({"cmake": "project(a)\nfile(GLOB S src/main.cu src/*.h)\nadd_executable(a ${S})\n"}, {"src/old.cu"}),
        ({"cmake": "project(a)\nfile(GLOB S other/* src/main.cu)\nadd_executable(a ${S})\n"}, {"src/old.cu"}),
        ({"cmake": "project(a)\nfile(GLOB S src/ma*)\nadd_executable(a ${S})\n"}, {"src/old.cu"}),
        ({"cmake": "project(a)\nfile(GLOB_RECURSE S *.cu)\nadd_executable(a ${S})\n"}, set()),
        ({"cmake": "project(a)\nfile(GLOB S ${D}/*.cu)\nadd_executable(a ${S})\n"}, set()),
        ({"cmake": "project(a)\nfile(GLOB S ${NAMES})\nadd_executable(a ${S})\n"}, set()),
        ({"cmake": "project(a)\nadd_library(x IMPORTED GLOBAL)\nadd_library(a src/main.cu)\n"}, {"src/old.cu"}),
        ({"cmake": "project(a)\nadd_library(a src/main.cu src/older.cu src/old.h src/old.cpp)\n"}, {"src/old.cu"}),
        ({"cmake": "project(a)\nforeach(n main old)\nadd_library(${n} src/${n}.cu)\nendforeach()\n"}, set()),
        ({"make": "clean:\n\trm -f a\n"}, set()),  # which compiles nothing
        ({}, set()),
    ],
)
def test_a_file_that_no_build_file_names_is_known(tmp_path: Path, build: dict[str, str], unlisted: set[str]) -> None:
    project(tmp_path, **build)
    assert build_files.unlisted(tmp_path, ["src/main.cu", "src/old.cu"]) == unlisted


def test_a_project_of_visual_studio_names_its_sources(tmp_path: Path) -> None:
    project(tmp_path, cmake="project(a)\nadd_library(a src/main.cu)\n")
    (tmp_path / "src" / "a.vcxproj").write_text('<CudaCompile Include="old.cu" />')
    assert build_files.unlisted(tmp_path, ["src/old.cu", "src/older.cu"]) == {"src/older.cu"}


def test_a_file_below_a_folder_that_collects_its_sources_is_built(tmp_path: Path) -> None:
    project(tmp_path, cmake="project(a)\nadd_subdirectory(src)\n")
    (tmp_path / "src" / "CMakeLists.txt").write_text("file(GLOB sources *.cu)\nadd_library(a ${sources})\n")
    assert build_files.unlisted(tmp_path, ["src/old.cu"]) == set()


def test_a_file_that_a_build_script_of_another_system_names_is_known(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text("app: src/main.cu\n\tnvcc -o app src/main.cu\n")
    (tmp_path / "SConscript").write_text("env.Object('src/old.cu')\n")
    assert build_files.unlisted(tmp_path, ["src/old.cu", "src/older.cu"]) == {"src/old.cu", "src/older.cu"}
    assert build_files.unlisted(tmp_path, ["src/old.cu", "src/older.cu"], ["SConscript"]) == {"src/older.cu"}


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ("F = $(foreach d, include src/common, -I$(HERE)/$d)\nHERE = $(shell pwd)\n", ["include", "src/common"]),
        ("F = $(addprefix -I$(CURDIR)/,include third/eigen)\n", ["include", "third/eigen"]),
        ("D = include src/common\nF = $(D:%=-I%)\n", ["include", "src/common"]),
        ("D = include\nF = $(patsubst %,-I%,$(D)) $(addsuffix /common,-Isrc)\n", ["include", "src/common"]),
        ("F = -I$(abspath include)\n", ["include"]),
        ("F = $(foreach d,$(wildcard s* i*),-I$d) $(addprefix -I,$(shell ls))\n", ["src", "include"]),
        ("d = include\nF = $(foreach d,third/eigen,) -I$d\n", ["include"]),
        ("T = $(TESTER)\nF := -I. -I$(T)/include -I$(T) -Iinclude -Isrc\n", [".", "include", "src"]),
        ("F := -I$(NONE)include -Isrc\n", ["include", "src"]),
    ],
)
def test_functions_of_make_that_rearrange_words_are_followed(tmp_path: Path, lines: str, found: list[str]) -> None:
    made = project(tmp_path, make=f"{lines}all:\n\tnvcc $(F) -c a.cu\n")
    assert folders(tmp_path, made) == found


def test_make_keeps_the_blank_behind_what_it_puts_before_words(tmp_path: Path) -> None:
    text = "F = $(addprefix -Xcompiler ,-DONE -DTWO) $(addprefix -D,THREE)\nall:\n\tnvcc $(F) -c a.cu\n"
    assert list(whole(tmp_path, project(tmp_path, make=text)).defines) == ["ONE", "TWO", "THREE"]


@pytest.mark.parametrize(
    ("outer", "found"),
    [
        ("F = -I$(shell pwd)/include\nexport F\nall:\n\tmake --directory src\n", ["include"]),
        ("export F = -I$(CURDIR)/include\nall:\n\t$(MAKE) -C src\n", ["include"]),
        ("F = -I$(CURDIR)/include\nexport\nall:\n\tcd src && $(MAKE)\n", ["include"]),
        ("F = -I$(CURDIR)/include\nall:\n\t$(MAKE) -C src\n", []),
        ("export F = -I$(CURDIR)/include\nall:\n\techo src\n", []),
    ],
)
def test_a_makefile_gets_what_the_one_that_runs_it_exports(tmp_path: Path, outer: str, found: list[str]) -> None:
    project(tmp_path, make=outer)
    (tmp_path / "src" / "Makefile").write_text("all:\n\tnvcc $(F) -c a.cu\n")
    given = read(tmp_path).settings(str(tmp_path / "src" / "a.cu")).includes
    assert [Path(folder).relative_to(tmp_path).as_posix() for folder in given] == found


def test_a_makefile_counts_where_it_compiles(tmp_path: Path) -> None:
    text = "FLAGS = -Iinclude -I src/common -DN=4 -std=c++14\napp: a.cu\n\tnvcc $(FLAGS) a.cu -I$(CUDA)/include\n"
    found = project(tmp_path, make=text)
    assert folders(tmp_path, found) == ["include", "src/common"]
    assert list(whole(tmp_path, found).defines) == ["N=4"]
    other = tmp_path / "docs"
    other.mkdir()
    assert project(other, make="doc:\n\tsphinx-build -D latex_paper_size=a4 -Iinclude\n").folders == {}


def test_a_compilation_database_speaks_for_its_files(tmp_path: Path) -> None:
    entries = [
        {"directory": str(tmp_path), "file": "a.cu", "command": "nvcc -I include -DONE -std=c++20 -c a.cu"},
        {"directory": str(tmp_path), "file": str(tmp_path / "b.cu"), "arguments": ["nvcc", "-Isrc/common", "b.cu"]},
        {"directory": str(tmp_path)},
    ]
    (tmp_path / "compile_commands.json").write_text(json.dumps(entries))
    found = project(tmp_path).files
    a, b = found[str(tmp_path / "a.cu")], found[str(tmp_path / "b.cu")]
    assert list(a.includes) == [str(tmp_path / "include")] and list(a.defines) == ["ONE"]
    assert a.standards == {"20"} and list(b.includes) == [str(tmp_path / "src/common")]


def test_a_broken_compilation_database_is_none(tmp_path: Path) -> None:
    (tmp_path / "compile_commands.json").write_text("[{]")
    assert project(tmp_path).files == {}


def test_a_library_inside_the_tree_speaks_for_its_own_files(tmp_path: Path) -> None:
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "CMakeLists.txt").write_text("target_compile_definitions(lib PRIVATE INSIDE)\n")
    found = project(tmp_path, cmake="add_definitions(-DALL)\n")
    assert list(found.settings(str(tmp_path / "lib" / "a.cu")).defines) == ["ALL", "INSIDE"]
    assert list(found.settings(str(tmp_path / "library.cu")).defines) == ["ALL"]


def test_a_makefile_is_followed_as_a_plain_make_would(tmp_path: Path) -> None:
    (tmp_path / "flags.mk").write_text("COMMON = -DSHARED\n")
    text = """
include flags.mk
GPU=1
CUDNN=0
ARCH ?= sm_60
MODE := $(shell hostname)
CFLAGS = -Iinclude $(COMMON) -D$(MODE)
ifeq ($(GPU), 1)
CFLAGS += -DGPU
else
CFLAGS += -DCPU
endif
ifeq ($(CUDNN), 1)
CFLAGS += -DCUDNN
endif
ifeq ($(MODE), Linux)
CFLAGS += -DON_LINUX
else ifdef NEVER
CFLAGS += -DSOMETIMES
else
CFLAGS += -DELSEWHERE
endif
ifdef ARCH
CFLAGS += -DWITH_ARCH="x y"
endif
%.o: %.cu
\tnvcc $(CFLAGS) -c $< -o $@
"""
    found = project(tmp_path, make=text)
    assert list(whole(tmp_path, found).defines) == ["SHARED", "GPU", "WITH_ARCH=x y"]
    assert folders(tmp_path, found) == ["include"]


@pytest.mark.parametrize(
    ("asked", "name", "expected"),
    [
        ("uname", "Linux", ["of-linux"]),
        ("uname -s", "Linux", ["of-linux"]),
        ("uname -m", "x86_64", ["of-linux"]),
        ("uname -s", "Darwin", ["of-other"]),
        ("uname -r", "Linux", []),
        ("uname -s | tr A-Z a-z", "Linux", []),
    ],
)
def test_a_makefile_is_read_for_linux(tmp_path: Path, asked: str, name: str, expected: list[str]) -> None:
    """ROCm's system is known, so that a folder for it is the build's; what else a shell would print is not."""
    text = (
        f'OS = $(shell {asked})\nifeq "$(OS)" "{name}"\nHERE := of-linux\nelse\nHERE := of-other\nendif\n'
        "a.o: a.cu\n\tnvcc -I$(HERE) -c $< -o $@\n"
    )
    for folder in ("of-linux", "of-other"):
        (tmp_path / folder).mkdir()
    assert folders(tmp_path, project(tmp_path, make=text)) == expected


def test_a_makefile_reads_no_file_outside_the_tree(tmp_path: Path) -> None:
    root = tmp_path / "tree"
    root.mkdir()
    (tmp_path / "outside.mk").write_text("CFLAGS = -DOUTSIDE\n")
    assert "-DOUTSIDE" not in str(project(root, make="include ../outside.mk\na.o: a.cu\n\tnvcc $(CFLAGS) a.cu\n"))


_SWITCHED = """
GPU = 0
CUDNN = 0
ifeq ($(GPU), 1)
CFLAGS += -DGPU
LDFLAGS += -lcudart
endif
ifeq ($(CUDNN), 1)
CFLAGS += -DCUDNN
endif
app: a.o
\t{link} a.o $(LDFLAGS) -o app
%.o: %.cu
\tnvcc $(CFLAGS) -c $< -o $@
"""


def test_a_makefile_that_includes_a_link_to_itself_is_read(tmp_path: Path) -> None:
    (tmp_path / "loop.mk").symlink_to("loop.mk")
    (tmp_path / "Makefile").write_text("include loop.mk\nall:\n\tnvcc -DA a.cu\n")
    assert build_flags.read(tmp_path).folders[str(tmp_path)].defines == {"A": None}


def test_a_makefile_that_builds_nothing_for_a_gpu_is_read_with_its_switch(tmp_path: Path) -> None:
    assert list(whole(tmp_path, project(tmp_path, make=_SWITCHED.format(link="g++"))).defines) == ["GPU"]


def test_a_makefile_that_links_for_a_gpu_is_read_as_it_is(tmp_path: Path) -> None:
    """nvcc links the runtime unasked: here the switch is for something else."""
    assert list(whole(tmp_path, project(tmp_path, make=_SWITCHED.format(link="nvcc"))).defines) == []


@pytest.mark.parametrize(
    ("test", "defines"),
    [
        ("ifeq (1,$(strip $(GPU)))", ["GPU"]),
        ("ifdef WITH_CUDA", ["GPU"]),
        ("ifneq ($(GPU),0)", ["GPU"]),
        ("ifneq ($(GPU),off)", ["GPU"]),
        ('ifeq "$(GPU)" "yes"', ["GPU"]),
        ("ifeq ($(GPU),$(OTHER))", []),
        ("ifneq ($(OTHER),$(GPU))", ["GPU"]),
        ("ifeq ($(GPU)x,1x)", []),
    ],
)
def test_switches_of_makefiles(tmp_path: Path, test: str, defines: list[str]) -> None:
    text = f"GPU = 0\n{test}\nCFLAGS += -DGPU\nLDFLAGS += -lcudart\nendif\na.o: a.cu\n\tnvcc $(CFLAGS) -c a.cu\n"
    assert list(whole(tmp_path, project(tmp_path, make=text)).defines) == defines


def test_a_makefile_speaks_for_its_folder_alone(tmp_path: Path) -> None:
    """What one further out defines for its own targets is not given to those of a folder with its own Makefile."""
    (tmp_path / "dev").mkdir()
    (tmp_path / "src").mkdir()
    (tmp_path / "dev" / "Makefile").write_text("a: a.cu\n\tnvcc -DOWN a.cu\n")
    found = project(tmp_path, make="app: src/b.cu\n\tnvcc -DOUTER -Iinclude src/b.cu\n")
    assert list(found.settings(str(tmp_path / "dev" / "a.cu")).defines) == ["OWN"]
    assert list(found.settings(str(tmp_path / "src" / "b.cu")).defines) == ["OUTER"]


def test_a_build_file_that_ends_its_reader_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "setup.py").write_text('CUDAExtension("a", [], include_dirs=["inc"])\n')
    (tmp_path / "sub").mkdir()
    (tmp_path / "inc").mkdir()
    (tmp_path / "sub" / "setup.py").write_text("crashes\n")
    real = build_flags._setup

    def setup(text: str, *rest: Any) -> None:
        if "crashes" in text:
            os.kill(os.getpid(), signal.SIGSEGV)
        real(text, *rest)

    monkeypatch.setattr(build_flags, "_setup", setup)
    monkeypatch.setattr(parallel, "_always", True)
    found = build_flags.read(tmp_path)
    assert [(skip.path, skip.reason) for skip in found.unread] == [("sub/setup.py", "crashes its reader (SIGSEGV)")]
    assert str(tmp_path / "inc") in found.settings(str(tmp_path / "a.cu")).includes
    judged = Verification(None, unread=tuple((skip.path, skip.reason) for skip in found.unread))
    for shown in (verdicts.render_text(judged), verdicts.render_short(judged), verdicts.render_json(judged)):
        assert "sub/setup.py" in shown and "SIGSEGV" in shown


def _doubled(form: str, times: int = 60) -> str:
    """Lines of which each makes a variable of the one before: `@` is its number, `#` that of the one before."""
    return "".join(form.replace("@", str(n)).replace("#", str(n - 1)) + "\n" for n in range(1, times))


_FORMATTED = _doubled("a@ = f'{a#}{a#}'")
_SET = _doubled("set(A@ ${A#}${A#})")
_DOUBLED = {
    "variables in variables": ("Makefile", f"{_doubled('A@ =' + ' $(A#)' * 10, 13)}a:\n\tnvcc $(A12)\n"),
    "values at once": ("Makefile", f"A := -DX\n{_doubled('A := $(A) $(A)')}a:\n\tnvcc $(A)\n"),
    "formatted text": ("setup.py", f"a0 = 'x'\n{_FORMATTED}C(include_dirs=[a59])\n"),
    "joined paths": ("setup.py", f"a0 = 'x'\n{_doubled('a@ = os.path.join(a#, a#)')}C(include_dirs=[a59])\n"),
    "variables of CMake": ("CMakeLists.txt", f"set(A0 x)\n{_SET}include_directories(${{A59}})\n"),
}  # fmt: skip


@pytest.mark.parametrize("shape", _DOUBLED)
def test_few_lines_that_make_more_text_than_memory_holds_are_named(tmp_path: Path, shape: str) -> None:
    name, text = _DOUBLED[shape]
    (tmp_path / name).write_text(text)
    left = [(skip.path, skip.reason) for skip in build_flags.read(tmp_path).unread]
    assert left == [(name, "cannot be understood: its variables make more text than can be read")]


def test_a_list_is_not_made_as_often_as_setup_py_asks(tmp_path: Path) -> None:
    (tmp_path / "inc").mkdir()
    (tmp_path / "setup.py").write_text("C('a', ['a.cu'] * 10**9, include_dirs=['inc'])\nX = ['x'] * 10**9\n")
    found = build_flags.read(tmp_path)
    assert found.unread == () and str(tmp_path / "inc") in found.settings(str(tmp_path / "a.cu")).includes


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("compile_commands.json", "[" * 200_000 + "]" * 200_000),
        ("setup.py", "x = " + "-" * 90_000 + "1\n"),
    ],
)
def test_a_build_file_that_nests_too_deep_is_named(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text)
    (found,) = build_flags.read(tmp_path).unread
    assert found.path == name and re.search("nests deeper|takes more memory", found.reason)


@pytest.mark.parametrize("given", [5, "-DA", {"a": 1}, None, [5, None, "-DA"]])
def test_arguments_of_any_type_are_read(tmp_path: Path, given: object) -> None:
    entry = {"file": "a.cu", "directory": ".", "arguments": given, "command": "nvcc -DA"}
    (tmp_path / "compile_commands.json").write_text(json.dumps([entry]))
    (settings,) = build_flags.read(tmp_path).files.values()
    assert dict(settings.defines) == {"A": None}


GIVEN = "SIZE=\nEXTRA=\nifeq ($(SIZE),)\nerror:\n\t@echo give SIZE\nendif\nall:\n\tnvcc -DEXTRA=$(EXTRA) {} a.cu\n"


@pytest.mark.parametrize(
    ("option", "defined", "unknown"),
    [
        pytest.param("-DSIZE=$(SIZE)", {"EXTRA="}, {"SIZE"}, id="missing"),
        pytest.param("-Xcompiler -Wall,-DSIZE=$(SIZE)", {"EXTRA="}, {"SIZE"}, id="in a list"),
        pytest.param("-DSIZE=4", {"EXTRA=", "SIZE=4"}, set(), id="not from the variable"),
    ],
)
def test_a_variable_for_the_command_line_of_make_has_no_value(
    tmp_path: Path, option: str, defined: set[str], unknown: set[str]
) -> None:
    """Set to nothing and asked for: whoever runs make gives it. One that nothing asks for is nothing."""
    found = whole(tmp_path, project(tmp_path, make=GIVEN.format(option)))
    assert (set(found.defines), found.open) == (defined, unknown)


def test_a_variable_that_gets_a_default_where_it_is_nothing_has_it(tmp_path: Path) -> None:
    text = "SIZE=\nifeq ($(SIZE),)\nSIZE = 8\nendif\nall:\n\tnvcc -DSIZE=$(SIZE) a.cu\n"
    found = whole(tmp_path, project(tmp_path, make=text))
    assert (set(found.defines), found.open) == ({"SIZE=8"}, set())


def test_build_files_deep_in_a_tree_count(tmp_path: Path) -> None:
    deep = tmp_path / "src/cuda/level2/net"
    deep.mkdir(parents=True)
    (deep / "CMakeLists.txt").write_text("add_compile_definitions(GPU)\nadd_library(net kernels.cu)\n")
    found = read(tmp_path)
    assert "GPU" in found.settings(str(deep / "kernels.cu")).defines
    assert "GPU" not in found.settings(str(tmp_path / "src/a.cu")).defines


def test_the_target_of_cmakes_include_folders_is_none_of_them(tmp_path: Path) -> None:
    for name in ("app", "include"):
        (tmp_path / name).mkdir()
    text = (
        "project(a)\ntarget_include_directories(app PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> SYSTEM)\n"
    )
    (tmp_path / "CMakeLists.txt").write_text(text)
    found = build_flags.read(tmp_path).settings(str(tmp_path / "a.cu"))
    assert list(found.includes) == [str(tmp_path / "include")]


ORDERED = """\
project(a)
{first}
add_subdirectory(src)
"""
LINKED = """\
add_library(near INTERFACE)
target_include_directories(near INTERFACE ../linked)
add_library(app a.cu)
target_link_libraries(app PRIVATE near)
target_include_directories(app {how} ../own)
"""


@pytest.mark.parametrize(
    ("first", "how", "order"),
    [
        pytest.param("include_directories(one two)", "PRIVATE", "one two own linked", id="a directory's are first"),
        pytest.param(
            "include_directories(one)\ninclude_directories(BEFORE two)", "PRIVATE", "two one own linked", id="put first"
        ),
        pytest.param("include_directories(one)", "BEFORE PRIVATE", "own one linked", id="a target's put first"),
        pytest.param(
            "include_directories(SYSTEM one)\ninclude_directories(two)",
            "PRIVATE",
            "two own linked one",
            id="a system's",
        ),
        pytest.param("", "PRIVATE", "own linked", id="of no directory"),
    ],
)
def test_folders_are_searched_in_cmakes_order(tmp_path: Path, first: str, how: str, order: str) -> None:
    for name in ("one", "two", "own", "linked", "src"):
        (tmp_path / name).mkdir()
    (tmp_path / "CMakeLists.txt").write_text(ORDERED.format(first=first))
    (tmp_path / "src/CMakeLists.txt").write_text(LINKED.format(how=how))
    found = build_flags.read(tmp_path).settings(str(tmp_path / "src/a.cu"))
    assert [Path(one).name for one in found.includes] == order.split()


def test_what_a_directory_gets_behind_its_targets_is_searched_behind_theirs(tmp_path: Path) -> None:
    for name in ("own", "late"):
        (tmp_path / name).mkdir()
    text = "project(a)\nadd_library(app a.cu)\ntarget_include_directories(app PRIVATE own)\ninclude_directories(late)\n"
    (tmp_path / "CMakeLists.txt").write_text(text)
    found = build_flags.read(tmp_path).settings(str(tmp_path / "a.cu"))
    assert [Path(one).name for one in found.includes] == ["own", "late"]


def test_a_makefile_that_is_chosen_by_name_counts_where_there_is_no_other(tmp_path: Path) -> None:
    folder = tmp_path / "src"
    folder.mkdir()
    (folder / "Makefile.am").write_text("all:\n\tnvcc -DAUTOMAKE=1 a.cu\n")
    (folder / "Makefile.big").write_text("CELLS = 256\nall:\n\tnvcc -DCELLS=$(CELLS) a.cu\n")
    (folder / "Makefile.small").write_text("CELLS = 64\nall:\n\tnvcc -DCELLS=$(CELLS) a.cu\n")
    at = str(folder / "a.cu")
    assert list(read(tmp_path).settings(at).defines) == ["CELLS=256"]
    (folder / "Makefile").write_text("all:\n\tnvcc -DPLAIN=1 a.cu\n")
    assert list(read(tmp_path).settings(at).defines) == ["PLAIN=1"]


def test_a_setup_py_that_the_move_changed_is_read_as_it_is_now(tmp_path: Path) -> None:
    listed = 'CUDAExtension("x", [], extra_compile_args={"nvcc": ["-U__%s_NO_HALF__"]})'
    found = project(tmp_path, setup=listed % "CUDA", make="all:\n\tnvcc -U__CUDA_NO__ a.cu\n")
    assert whole(tmp_path, found).taken == {"__CUDA_NO_HALF__", "__CUDA_NO__"}
    written = {"setup.py": (listed % "HIP").encode(), "Makefile": b"all:\n\tnvcc a.cu\n"}
    assert whole(tmp_path, read(tmp_path, written)).taken == {"__HIP_NO_HALF__", "__CUDA_NO__"}


PLAIN = "CPPFLAGS = -DPLAIN\nall: main.o\nmain.o: main.cpp\n\tg++ $(CPPFLAGS) -c main.cpp\n"
FOR_GPU = (
    "CPPFLAGS = -Ioptional/gpu -DHAVE_GPU\nall: Kernel.o Node.o\nKernel.o : ./optional/gpu/Kernel.cu *.h\n"
    "\tnvcc $(CPPFLAGS) -c $<\nNode.o : optional/gpu/Node.cpp\n\t$(CXX) $(CPPFLAGS) -c $<\n"
)


def _optional(folder: Path, plain: str, **others: str) -> Project:
    (folder / "optional/gpu").mkdir(parents=True)
    for name in ("main.cpp", "optional/gpu/Kernel.cu", "optional/gpu/Node.cpp", "optional/gpu/Other.cu"):
        (folder / name).write_text("")
    for name, text in {"makefile": plain, **others}.items():
        (folder / name.replace("_", ".")).write_text(text)
    return read(folder)


def test_a_makefile_chosen_by_name_speaks_for_the_units_that_it_alone_compiles(tmp_path: Path) -> None:
    more = FOR_GPU.replace("-DHAVE_GPU", "-DHAVE_GPU -DMORE")
    found = _optional(tmp_path, PLAIN, makefile_gpu_gnu=FOR_GPU, makefile_gpu_more=more, makefile_intel=PLAIN)
    for unit in ("Kernel.cu", "Node.cpp"):
        settings = found.settings(str(tmp_path / "optional/gpu" / unit))
        assert (list(settings.defines), settings.some) == (["HAVE_GPU"], {"MORE"})
        assert list(settings.includes) == [str(tmp_path / "optional/gpu")]
    for unit in ("main.cpp", "optional/gpu/Other.cu"):
        assert list(found.settings(str(tmp_path / unit)).defines) == ["PLAIN"]


@pytest.mark.parametrize(
    "plain",
    [
        f"{PLAIN}all: Kernel.o Node.o\nKernel.o: optional/gpu/Kernel.cu\n\tnvcc -DPLAIN -c $<\n"
        "Node.o: optional/gpu/Node.cpp\n\tg++ -c $<\n",
        f"{PLAIN}%.o: %.cu\n\tnvcc -DPLAIN -c $<\n",
    ],
)
def test_units_of_the_plain_makefile_are_compiled_as_it_says(tmp_path: Path, plain: str) -> None:
    found = _optional(tmp_path, plain, makefile_gpu=FOR_GPU)
    assert list(found.settings(str(tmp_path / "optional/gpu/Kernel.cu")).defines) == ["PLAIN"]


def test_rules_that_both_include_compile_what_a_variable_of_one_names(tmp_path: Path) -> None:
    (tmp_path / "targets").write_text(
        "app: main.o $(MORE)\n\tg++ -o $@ $^\nKernel.o: optional/gpu/Kernel.cu\n\tnvcc $(CPPFLAGS) -c $<\n"
    )
    text = "CPPFLAGS = -DHAVE_GPU # for CUDA\nMORE = Kernel.o\ninclude targets\n"
    found = _optional(tmp_path, "CPPFLAGS = -DPLAIN\ninclude targets\n", makefile_gpu=text)
    assert list(found.settings(str(tmp_path / "optional/gpu/Kernel.cu")).defines) == ["HAVE_GPU"]
    (tmp_path / "makefile").write_text("CPPFLAGS = -DPLAIN\nMORE = Kernel.o\ninclude targets\n")
    assert list(read(tmp_path).settings(str(tmp_path / "optional/gpu/Kernel.cu")).defines) == ["PLAIN"]


def test_of_makefiles_that_are_all_chosen_by_name_one_for_a_gpu_is_read(tmp_path: Path) -> None:
    (tmp_path / "Makefile.cpu").write_text("all:\n\tg++ -DCPU a.cpp\n")
    (tmp_path / "Makefile.gpu").write_text("all:\n\tnvcc -DGPU a.cu\n")
    assert list(whole(tmp_path, read(tmp_path)).defines) == ["GPU"]


@pytest.mark.parametrize("name", ["GNUmakefile", "makefile", "Makefile"])
def test_each_name_of_a_plain_makefile_is_read(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("all:\n\tnvcc -DA a.cu\n")
    assert list(whole(tmp_path, read(tmp_path)).defines) == ["A"]


@pytest.mark.parametrize(
    ("before", "condition", "defines", "unknown"),
    [
        pytest.param(
            "", '${CMAKE_BUILD_TYPE} MATCHES "Debug"', ["LEVEL=0"], set(), id="a plain build is none for debugging"
        ),
        pytest.param("", "CMAKE_BUILD_TYPE STREQUAL Debug", ["LEVEL=0"], set(), id="by its name"),
        pytest.param("", "NOT CMAKE_BUILD_TYPE STREQUAL Debug", ["LEVEL=1"], set(), id="denied"),
        pytest.param("", "CMAKE_BUILD_TYPE STREQUAL Release", [], {"LEVEL"}, id="nobody knows"),
        pytest.param("set(CMAKE_BUILD_TYPE Debug)", "CMAKE_BUILD_TYPE MATCHES Deb", ["LEVEL=1"], set(), id="it is set"),
        pytest.param("", "CMAKE_BUILD_TYPE STREQUAL ${KIND}", [], {"LEVEL"}, id="a variable"),
    ],
)
def test_cmake_gives_macros_by_the_kind_of_build(
    tmp_path: Path, before: str, condition: str, defines: list[str], unknown: set[str]
) -> None:
    given = "add_definitions(-DLEVEL=1)\nelse()\nadd_definitions(-DLEVEL=0)\n"
    text = f"project(a)\n{before}\nif({condition})\n{given}endif()\n"
    found = whole(tmp_path, project(tmp_path, cmake=text))
    assert (list(found.defines), found.open) == (defines, unknown)


@pytest.mark.parametrize(
    ("word", "given"),
    [
        ("$<$<PLATFORM_ID:Linux>:ON_LINUX>", ["ON_LINUX"]),
        ("$<$<PLATFORM_ID:Darwin,Linux>:POSIX=1>", ["POSIX=1"]),
        ("$<$<NOT:$<PLATFORM_ID:Windows>>:POSIX>", ["POSIX"]),
        ("$<$<PLATFORM_ID:Linux>:   ON_LINUX\n  POSIX>", ["ON_LINUX", "POSIX"]),
        ("$<$<PLATFORM_ID:Windows>:ON_WINDOWS\n  MORE>", []),
        ("$<$<NOT:$<PLATFORM_ID:Linux>>:OTHERS>", []),
        ("$<$<CXX_COMPILER_ID:Clang>:CLANG>", []),
    ],
)
def test_what_a_system_chooses_is_that_of_linux(word: str, given: list[str], tmp_path: Path) -> None:
    text = f"project(a CXX CUDA)\nadd_library(a a.cu)\ntarget_compile_definitions(a PRIVATE {word})\n"
    written(tmp_path, {"CMakeLists.txt": text, "a.cu": ""})
    assert list(whole(tmp_path, read(tmp_path)).defines) == given


@pytest.mark.parametrize(
    ("asked", "defines", "unknown"),
    [
        ("USE_CUDA", ["ON=1"], set()),
        ("NO_CUDA", ["ON=0"], set()),
        ("FAST", ["ON=1"], set()),
        ("GPU", ["ON=1"], set()),
        ("LIB_FOUND", [], {"ON"}),
    ],
)
def test_a_truth_that_cmake_writes_is_known_where_its_variable_is(
    asked: str, defines: list[str], unknown: set[str], tmp_path: Path
) -> None:
    options = (
        "option(USE_CUDA x OFF)\noption(NO_CUDA x OFF)\noption(FAST x ON)\nif(CUDA_FOUND)\nset(GPU TRUE)\nendif()\n"
    )
    text = f"project(a CXX CUDA)\n{options}target_compile_definitions(a PUBLIC -DON=$<BOOL:${{{asked}}}>)\n"
    found = whole(tmp_path, project(tmp_path, cmake=text))
    assert (list(found.defines), found.open) == (defines, unknown)


@pytest.mark.parametrize(
    ("options", "standards"),
    [
        ("-std=c++20", {"20"}),
        ("-std c++20", {"20"}),
        ("--std gnu++17 -g", {"17"}),
        ("--std=c++17", {"17"}),
        ("-std", set()),
        ("-std c11", set()),
    ],
)
def test_a_standard_may_be_a_word_of_its_own(options: str, standards: set[str], tmp_path: Path) -> None:
    found = whole(tmp_path, project(tmp_path, make=f"app: a.cu\n\tnvcc {options} a.cu -DLAST\n"))
    assert (found.standards, list(found.defines)) == (standards, ["LAST"])


@pytest.mark.parametrize(
    ("word", "given"),
    [
        ("$<$<BOOL:${USE_CUDA}>:WITH_GPU>", ["WITH_GPU"]),
        ("$<$<AND:$<BOOL:${USE_CUDA}>,$<NOT:$<BOOL:${FAST}>>>:WITH_GPU>", []),
        ("$<$<NOT:$<BOOL:${USE_CUDA}>>:HOST>", []),
        ("$<$<BOOL:${FAST}>:A;-DB=2>", ["A", "B=2"]),
        ("$<$<BOOL:${LIB_FOUND}>:WITH_LIB>", []),
        ("$<$<CONFIG:Debug>:WITH_CHECKS>", []),
    ],
)
def test_a_macro_under_a_truth_that_is_known_is_given(word: str, given: list[str], tmp_path: Path) -> None:
    options = "option(USE_CUDA x OFF)\noption(FAST x ON)\n"
    text = f"project(a CXX CUDA)\n{options}target_compile_definitions(a PUBLIC {word})\n"
    assert list(whole(tmp_path, project(tmp_path, cmake=text)).defines) == given


@pytest.mark.parametrize(
    ("line", "defines"),
    [
        ("debug: FLAGS += -DMORE", ["ALWAYS"]),
        ("debug: FLAGS = -DMORE", ["ALWAYS"]),
        ("all: FLAGS += -DMORE", ["ALWAYS", "MORE"]),
        ("prog: FLAGS += -DMORE", ["ALWAYS", "MORE"]),
        ("prog: FLAGS := -DMORE", ["MORE"]),
        ("by_make: FLAGS += -DMORE", ["ALWAYS", "MORE"]),
        ("b.o: FLAGS += -DMORE", ["ALWAYS", "MORE"]),
        ("b.o: FLAGS = -DMORE", ["ALWAYS"]),
    ],
)
def test_what_a_makefile_gives_a_target_holds_where_a_plain_make_makes_it(
    tmp_path: Path, line: str, defines: list[str]
) -> None:
    rules = "all: $(PROGS)\n\t$(MAKE) by_make\nprog: a.cu\n\tnvcc $(FLAGS) a.cu -o prog\nb.o: b.cu\n\tnvcc -c b.cu\n"
    text = f"FLAGS = -DALWAYS\nPROGS = prog\n{line}\n.PHONY: debug\n{rules}debug: prog\n"
    assert list(whole(tmp_path, project(tmp_path, make=text)).defines) == defines


@pytest.mark.parametrize(
    ("rules", "defines", "unknown"),
    [
        ("all: app_v1 app_v2\napp_v%: a.cu\n\tnvcc -DVERSION=$* -o $@ $<\n", [], {"VERSION"}),
        ("all: app_v3\napp_v%: a.cu\n\tnvcc -DVERSION=$* -o $@ $<\n", ["VERSION=3"], set()),
        ("app_v4: app_v%: a.cu\n\tnvcc -DVERSION=$* $< -o $@\n", ["VERSION=4"], set()),
        ("all: app\napp: a.cu\n\tnvcc -DNAME=$@ -DVERSION=5 a.cu\n", ["VERSION=5"], {"NAME"}),
        ("all: app\napp: a.cu\n\tnvcc -DNAME=$$NAME -DVERSION=5 a.cu\n", ["NAME=$$NAME", "VERSION=5"], set()),
    ],
)
def test_what_make_sets_for_each_target_is_no_value(
    tmp_path: Path, rules: str, defines: list[str], unknown: set[str]
) -> None:
    found = whole(tmp_path, project(tmp_path, make=rules))
    assert (list(found.defines), found.open) == (defines, unknown)


@pytest.mark.parametrize(
    ("before", "defines", "unknown"),
    [
        ("", [], {"SLOTS"}),
        ("S = 8\n", ["SLOTS=8"], set()),
        ("S =\n", ["SLOTS="], set()),  # the file says that it is nothing
    ],
)
def test_a_macro_has_no_value_where_none_is_given_to_make(
    tmp_path: Path, before: str, defines: list[str], unknown: set[str]
) -> None:
    text = f"{before}FLAGS = -DSLOTS=$(S) -O3\na: a.cu\n\tnvcc $(FLAGS) -o a a.cu\n"
    found = whole(tmp_path, project(tmp_path, make=text))
    assert (list(found.defines), found.open) == (defines, unknown)


@pytest.mark.parametrize(
    ("command", "kernel", "host"),
    [
        ("target_compile_options(a PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-DFOO=1>)", ["FOO=1"], []),
        ("target_compile_options(a PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-DFOO=1;-O3;-DBAR>)", ["FOO=1", "BAR"], []),
        ("target_compile_options(a PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-O3 -DFOO=1>)", ["FOO=1"], []),
        ('add_compile_options("$<$<COMPILE_LANGUAGE:CUDA>:SHELL:-Xptxas -v -DFOO>")', ["FOO"], []),
        ("target_compile_definitions(a PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:FOO=1>)", ["FOO=1"], []),
        ("target_compile_options(a PRIVATE $<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-DFOO>)", ["FOO"], []),
        ("target_compile_options(a PUBLIC $<BUILD_INTERFACE:-DFOO>)", ["FOO"], ["FOO"]),
        ("target_compile_options(a PUBLIC $<BUILD_INTERFACE:$<$<COMPILE_LANGUAGE:CUDA>:-DFOO>>)", ["FOO"], []),
        ("target_compile_options(a PRIVATE $<IF:$<CONFIG:Debug>,-DSLOW,-DFAST>)", ["FAST"], ["FAST"]),
        ("target_compile_options(a PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-DFOO=1>)", [], []),
        ("target_compile_options(a PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:$<$<CONFIG:Debug>:-DFOO>>)", [], []),
        ("target_compile_options(a PRIVATE $<$<BOOL:${UNKNOWN}>:-DFOO>)", [], []),
        ("target_compile_options(a PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-DFOO=$<TARGET_PROPERTY:a,B>>)", [], []),
        ("target_compile_options(a PUBLIC $<INSTALL_INTERFACE:-DFOO>)", [], []),
    ],
)
def test_macros_in_expressions_of_cmake_are_those_of_a_source(
    command: str, kernel: list[str], host: list[str], tmp_path: Path
) -> None:
    text = f"project(a CXX CUDA)\nadd_library(a a.cu b.cpp)\n{command}\n"
    written(tmp_path, {"CMakeLists.txt": text, "a.cu": "", "b.cpp": ""})
    project = read(tmp_path)
    assert list(project.settings(str(tmp_path / "a.cu")).defines) == kernel
    assert list(project.settings(str(tmp_path / "b.cpp")).defines) == host


@pytest.mark.parametrize(
    ("builds", "taken"),
    [
        ({"a.vcxproj": '<CudaCompile Include="a.cu" />'}, True),
        ({"a.vcxproj": '<CudaCompile Include="b.cu" />'}, False),
        ({"a.vcxproj": '<CudaCompile Include="a.cu" />', "Makefile": "a: a.cu\n\tnvcc -DN=3 -o a a.cu\n"}, False),
        ({"Makefile": "a: a.cu\n\tnvcc -o a a.cu\n"}, False),
    ],
)
def test_what_only_visual_studio_builds_has_microsofts_additions(
    tmp_path: Path, builds: dict[str, str], taken: bool
) -> None:
    for name, data in builds.items():
        (tmp_path / name).write_text(data)
    found = build_flags.read(tmp_path).settings(str(tmp_path / "a.cu"))
    assert ("-fms-extensions" in found.language) is taken
