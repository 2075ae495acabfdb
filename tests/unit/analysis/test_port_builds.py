"""What a program that builds with PyTorch shows of a port."""

from __future__ import annotations

import pytest

from cudamigrate.analysis import port_builds, port_hipify
from cudamigrate.model import SourceFile
from cudamigrate.syntax import cmake

BUILD = "import torch\nfrom torch.utils.cpp_extension import ROCM_HOME, CUDAExtension\n{}\nmacros = []\nif {}:\n"
SETS = "    macros += [('OWN_HIP', None)]\nsetup(ext_modules=[CUDAExtension('x', ['a.cu'])])\n"


@pytest.mark.parametrize(
    ("before", "condition", "for_hip"),
    [
        ("", "torch.version.hip", True),
        ("rocm = torch.version.hip is not None", "rocm", True),
        ("rocm = True if torch.version.hip is not None and ROCM_HOME is not None else False", "rocm", True),
        ("def rocm():\n    return torch.version.hip is not None", "rocm()", True),
        ("rocm = torch.version.hip", "rocm and wanted", True),
        ("rocm = torch.version.hip", "rocm or torch.cuda.is_available()", False),
        ("rocm = torch.version.hip", "not rocm", False),
        ("rocm = torch.version.hip is None", "rocm", False),
        ("rocm = False if torch.version.hip else True", "rocm", False),
        ("def rocm():\n    if wanted:\n        return True\n    return torch.version.hip", "rocm()", False),
        ("rocm = os.environ['ROCM']", "rocm", False),
    ],
)
def test_macros_of_a_build_that_asks_pytorch_for_rocm(before: str, condition: str, for_hip: bool) -> None:
    text = BUILD.format(before, condition) + SETS
    found = port_builds.of(SourceFile("setup.py", text.encode(), "python"))
    assert found is not None
    assert [one.name for one in found.macros if one.hip] == (["OWN_HIP"] if for_hip else [])


@pytest.mark.parametrize(
    ("script", "line"),
    [
        ("for f in *.cu; do hipify-perl -o=$f.hip $f; done", 1),
        ("set -e\nfind . -name '*.cu' -exec ${ROCM_PATH}/bin/hipify-perl -inplace {} \\;", 2),
        ("TOOL=/opt/rocm/bin/hipify-clang\n${TOOL} $a", 2),
        ("python3 -m torch.utils.hipify.hipify_python -p .", 1),
        ("python tools/hipify_python.py", 1),
        ('bash -c "hipify-perl $a"', 1),
        ("# hipify-perl a.cu", 0),
        ("module load hipify-clang/5.6.1", 0),
        ("spack load hipify-clang", 0),
        ("apt-get install -y hipify-clang", 0),
        ("which hipify-perl", 0),
        ("TOOL=/opt/rocm/bin/hipify-clang\necho $TOOL", 0),
        ("python3 -m build hipify_torch", 0),
        ("hipify-perl.txt | ;; do", 0),
    ],
)
def test_a_script_hipifies_where_it_runs_hipify(script: str, line: int) -> None:
    text = f"g++ -DX a.cc # hip\n{script}\n"
    found = port_builds.of(SourceFile("make.sh", text.encode(), "shell"))
    assert found is not None
    assert (found.hipifies or (1, ""))[0] == line + 1


@pytest.mark.parametrize(
    ("command", "sources"),
    [
        ("execute_process(COMMAND hipify-perl -o b.cpp a.cu WORKING_DIRECTORY x)", ("a.cu",)),
        (
            "add_custom_command(OUTPUT b.cpp COMMAND ${HIP}/bin/hipify-perl src/a.cu > b.cpp DEPENDS c.cu)",
            ("src/a.cu",),
        ),
        ("add_custom_target(x COMMAND cp c.cu d.cu COMMAND hipify-clang a.cuh)", ("a.cuh",)),
        ("add_custom_command(OUTPUT b.cpp COMMAND hipify-perl ${source}.cu)", None),
        ("execute_process(COMMAND find . -exec hipify-perl -inplace {})", None),
        ("find_program(TOOL hipify-perl a.cu)", ()),
        (
            "find_program(TOOL NAMES hipify-perl)\nadd_custom_command(OUTPUT b COMMAND ${PERL_EXECUTABLE} ${TOOL} $s)",
            None,
        ),
        ("find_program(TOOL NAMES perl)\nadd_custom_command(OUTPUT b COMMAND ${TOOL} ${s})", ()),
        ("add_custom_command(OUTPUT b.cpp COMMAND cp a.cu b.cpp COMMENT hipify-perl a.cu)", ()),
    ],
)
def test_a_build_hipifies_what_it_names(command: str, sources: tuple[str, ...] | None) -> None:
    found = port_builds.of(SourceFile("CMakeLists.txt", f"find_package(hip)\n{command}\n".encode(), "cmake"))
    assert found is not None
    assert found.hipified == (sources or ())
    assert (found.hipifies is not None) is (sources is None)


def test_a_script_hipifies_what_it_names() -> None:
    text = b"SRC=../cuda\nhipify-perl $SRC/k/a.cu > b.hip\n# hipify-perl $SRC/c.cu\n"
    found = port_builds.of(SourceFile("hip/make.sh", text, "shell"))
    assert found is not None
    assert (found.hipified, found.hipifies) == (("$SRC/k/a.cu",), None)
    paths = ["cuda/k/a.cu", "cuda/a.cu", "hip/b.hip"]
    assert port_hipify.paths([found], paths) == {"cuda/k/a.cu": "hip/make.sh"}
    assert port_hipify.paths([found], [*paths, "old/k/a.cu"]) == {}  # either may be it


@pytest.mark.parametrize(
    ("command", "macros"),
    [
        ("cmake -DLIB_FAST=ON ..", []),
        ("cmake \\\n  -DCMAKE_BUILD_TYPE=Release \\\n  -DLIB_FAST=ON ..", []),
        ("$CXX -DLIB_FAST a.cc", ["LIB_FAST"]),
        ("cmake -DLIB_FAST=ON ..\n$CXX -DLIB_FAST a.cc", ["LIB_FAST"]),
    ],
)
def test_what_a_script_gives_to_cmake_is_no_macro(command: str, macros: list[str]) -> None:
    found = port_builds.of(SourceFile("make.sh", f"export CXX=hipcc\n{command}\n".encode(), "shell"))
    assert [one.name for one in (found.macros if found else ()) if one.hip] == macros


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        pytest.param("if(USE_HIP)\n\n\nendif()\n", False, id="nothing"),
        pytest.param('if(USE_HIP)\nmessage(STATUS "HIP")\nendif()\n', False, id="a message"),
        pytest.param('if(USE_HIP)\nif(A)\nmessage("a")\nendif()\nendif()\n', False, id="a message in a condition"),
        pytest.param(
            'if(USE_HIP)\nmessage(FATAL_ERROR "not yet")\nelse()\nadd_library(a a.cu)\nendif()\n', False, id="a refusal"
        ),
        pytest.param("if(USE_CUDA)\nadd_library(a a.cu)\nelseif(USE_HIP)\nendif()\n", False, id="second and empty"),
        pytest.param("if(USE_HIP)\nadd_library(a a.cpp)\nendif()\n", True, id="a target"),
        pytest.param("if(USE_HIP)\nset(EXTRA a.cpp)\nendif()\n", True, id="a list"),
        pytest.param("if(USE_HIP)\nif(A)\nset(EXTRA a.cpp)\nendif()\nendif()\n", True, id="a list in a condition"),
        pytest.param("if(USE_HIP)\nelse()\nenable_language(CUDA)\nendif()\n", True, id="CUDA without it"),
        pytest.param('if(NOT ROCM_PATH)\nmessage(FATAL_ERROR "set it")\nendif()\n', True, id="it is demanded"),
        pytest.param("if(USE_HIP)\nendif()\nif(HIP_TESTS)\nadd_test(a a)\nendif()\n", True, id="a later one"),
    ],
)
def test_a_condition_on_hip_is_a_build_for_it_where_something_is_done(text: str, asked: bool) -> None:
    source = SourceFile("CMakeLists.txt", f"project(p CXX CUDA)\n{text}".encode(), "cmake")
    found = port_builds.of(source)
    assert (found is not None and found.asks_build is not None) is asked
    assert (cmake.ported(list(cmake.read(source.data))) is not None) is asked
