"""Standards of C++ in build files are raised where HIP's headers or ROCm's libraries need newer ones."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import facts, written

from cudamigrate import pipeline
from cudamigrate.config import Config
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.pipeline.cpp_standards import makefiles_for_cuda

KERNEL = "__global__ void k(int *a) { *a = 1; }\n"
THRUST = "#include <thrust/device_vector.h>\n" + KERNEL
RULES = ("build/old-standard", "build/library-standard")
MAKE = "NVCC = nvcc\nFLAGS = {}\na: a.cu\n\t$(NVCC) $(FLAGS) a.cu -o a\n"
CMAKE = "cmake_minimum_required(VERSION 3.21)\nproject(a LANGUAGES CXX CUDA)\n{}\nadd_executable(a a.cu)\n"


def changed(root: Path, files: dict[str, str], rocm: str = "7.0") -> dict[str, str]:
    """The files that come out changed."""
    written(root, files)
    config = Config(jobs=1, rocm=rocm)
    return {one.path: one.after.decode() for one in pipeline.apply(root, config).conversions}


def findings(root: Path, files: dict[str, str], rocm: str = "7.0") -> list[tuple[str, str, str, bool]]:
    """Rule, path, text and whether there is a fix, of each finding about a standard."""
    written(root, files)
    return [
        (one.rule.partition("/")[2], result.path, result_text(root, result.path, one.span), one.fix is not None)
        for result in pipeline.scan(root, Config(jobs=1, rocm=rocm)).files
        for one in result.findings
        if one.rule in RULES
    ]


def result_text(root: Path, path: str, span: object) -> str:
    """The bytes of a span."""
    return (root / path).read_bytes()[span.start : span.end].decode()  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("option", "becomes"),
    [
        ("-O3 -std=c++03 -g", "-O3 -std=c++14 -g"),
        ("-std=gnu++98", "-std=gnu++14"),
        ("--std=c++03", "--std=c++14"),
        ("-std c++03", "-std=c++14"),
        ("-ansi", "-std=c++14"),
        ("-std=c++11", "-std=c++11"),
        ("-std=c++0x", "-std=c++0x"),
    ],
)
def test_an_option_for_nvcc_from_before_cpp11(tmp_path: Path, option: str, becomes: str) -> None:
    made = changed(tmp_path, {"Makefile": MAKE.format(option), "a.cu": KERNEL})
    assert f"FLAGS = {becomes}\n" in made["Makefile"]


@pytest.mark.parametrize(
    ("rocm", "standard", "becomes"),
    [
        ("7.0", "11", "17"),
        ("7.2", "14", "17"),
        ("6.4", "11", "14"),
        ("6.4", "14", "14"),
        ("7.0", "17", "17"),
        ("7.0", "2a", "2a"),
    ],
)
def test_thrust_needs_what_the_release_has(tmp_path: Path, rocm: str, standard: str, becomes: str) -> None:
    made = changed(tmp_path, {"Makefile": MAKE.format(f"-std=c++{standard}"), "a.cu": THRUST}, rocm)
    assert f"FLAGS = -std=c++{becomes}\n" in made["Makefile"]


def test_the_library_may_be_included_by_a_header(tmp_path: Path) -> None:
    files = {
        "Makefile": MAKE.format("-std=c++14"),
        "a.cu": '#include "a.h"\n' + KERNEL,
        "a.h": "#include <cub/cub.cuh>\n",
    }
    assert findings(tmp_path, files) == [("library-standard", "Makefile", "-std=c++14", True)]


def test_a_folder_of_the_project_that_is_called_cub_is_no_library(tmp_path: Path) -> None:
    files = {
        "Makefile": MAKE.format("-std=c++14"),
        "a.cu": "#include <cub/mine.h>\n" + KERNEL,
        "cub/mine.h": "int a;\n",
    }
    assert findings(tmp_path, files) == []


def test_the_command_says_which_source_it_compiles(tmp_path: Path) -> None:
    rules = "a: a.cu\n\tnvcc -std=c++17 a.cu -o a\nb: b.cu\n\tnvcc -std=c++14 $< -o b\n"
    files = {"Makefile": rules, "a.cu": THRUST, "b.cu": KERNEL}
    assert findings(tmp_path, files) == []
    assert findings(tmp_path, {**files, "b.cu": THRUST}) == [("library-standard", "Makefile", "-std=c++14", True)]


def test_sources_of_another_makefile_are_not_meant(tmp_path: Path) -> None:
    files = {
        "Makefile": MAKE.format("-std=c++14"),
        "a.cu": KERNEL,
        "in/Makefile": MAKE.format("-std=c++17"),
        "in/a.cu": THRUST,
    }
    assert findings(tmp_path, files) == []


def test_a_standard_that_the_hosts_compiler_gets_too_is_reported_alone(tmp_path: Path) -> None:
    make = "FLAGS = -std=c++98\na: a.cu\n\tnvcc $(FLAGS) -c a.cu\nb: b.cpp\n\tg++ $(FLAGS) -c b.cpp\n"
    files = {"Makefile": make, "a.cu": KERNEL, "b.cpp": "int b;\n"}
    assert findings(tmp_path, files) == [("old-standard", "Makefile", "-std=c++98", False)]


HOST = "CXXFLAGS = -std=c++{}\na: a.o k.o\n\tnvcc a.o k.o -o a\nk.o: k.cu\n\tnvcc -c k.cu -o k.o\n"
HOST += "a.o: a.cpp\n\tg++ $(CXXFLAGS) -c a.cpp -o a.o\n"


@pytest.mark.parametrize(
    ("standard", "header", "becomes"),
    [
        ("11", "thrust/complex.h", "17"),
        ("17", "thrust/complex.h", "17"),
        ("11", "cuda_runtime.h", "11"),
        ("03", "cuda_runtime.h", "14"),
        ("03", "vector", "03"),
    ],
)
def test_sources_for_the_host_need_what_their_headers_do(
    tmp_path: Path, standard: str, header: str, becomes: str
) -> None:
    uses = "cudaStream_t s;\n" if header != "vector" else "int s;\n"
    files = {"Makefile": HOST.format(standard), "k.cu": KERNEL, "a.h": f"#include <{header}>\n"}
    made = changed(tmp_path, files | {"a.cpp": '#include "a.h"\n' + uses})
    assert f"CXXFLAGS = -std=c++{becomes}" in made["Makefile"]


def test_a_standard_that_only_the_hosts_compiler_gets_is_none(tmp_path: Path) -> None:
    make = "FLAGS = -std=c++98\na: a.cu\n\tnvcc -Xcompiler -std=c++98 -c a.cu\nb: b.cpp\n\tg++ $(FLAGS) -c b.cpp\n"
    assert findings(tmp_path, {"Makefile": make, "a.cu": KERNEL, "b.cpp": "int b;\n"}) == []


@pytest.mark.parametrize(
    ("given", "becomes"),
    [
        ("set(CMAKE_CUDA_STANDARD 98)", "set(CMAKE_HIP_STANDARD 17)"),
        ("set(CMAKE_CXX_STANDARD 11)", "set(CMAKE_CXX_STANDARD 11)\nset(CMAKE_HIP_STANDARD 17)"),
        ("set(CMAKE_CXX_STANDARD 11) # why", "set(CMAKE_CXX_STANDARD 11) # why\nset(CMAKE_HIP_STANDARD 17)"),
        ("set(CMAKE_CXX_STANDARD 11) #[[a]]", "set(CMAKE_CXX_STANDARD 11)\nset(CMAKE_HIP_STANDARD 17) #[[a]]"),
        (
            "set(CMAKE_CXX_STANDARD 20)\nset(CMAKE_CUDA_STANDARD 14)",
            "set(CMAKE_CXX_STANDARD 20)\nset(CMAKE_HIP_STANDARD 17)",
        ),
        (
            "set(CMAKE_CXX_STANDARD 11)\nset(CMAKE_CUDA_STANDARD 17)",
            "set(CMAKE_CXX_STANDARD 11)\nset(CMAKE_HIP_STANDARD 17)",
        ),
        (
            "set(CMAKE_CXX_STANDARD 14)\nset(CMAKE_CUDA_STANDARD ${CMAKE_CXX_STANDARD})",
            "set(CMAKE_CXX_STANDARD 14)\nset(CMAKE_HIP_STANDARD 17)",
        ),
        (
            "set_target_properties(a PROPERTIES CUDA_STANDARD 11 FOLDER x)",
            "set_target_properties(a PROPERTIES HIP_STANDARD 17 FOLDER x)",
        ),
        (
            "set_target_properties(a PROPERTIES CXX_STANDARD 11)",
            "set_target_properties(a PROPERTIES CXX_STANDARD 11 HIP_STANDARD 17)",
        ),
        ("set(CMAKE_CXX_STANDARD 17)", "set(CMAKE_CXX_STANDARD 17)"),
        ("target_compile_features(a PUBLIC cxx_std_11)", "target_compile_features(a PUBLIC cxx_std_11)"),
    ],
)
def test_a_standard_of_cmake(tmp_path: Path, given: str, becomes: str) -> None:
    made = changed(tmp_path, {"CMakeLists.txt": CMAKE.format(given), "a.cu": THRUST})
    assert f"\n{becomes}\nset_source" in made["CMakeLists.txt"]


def test_cpp_files_of_cmake_alone_may_be_old(tmp_path: Path) -> None:
    files = {
        "CMakeLists.txt": "project(a CXX)\nset(CMAKE_CXX_STANDARD 98)\nadd_executable(a a.cpp)\n",
        "a.cpp": "int main() {}\n",
        "cuda/Makefile": MAKE.format("-O3"),
        "cuda/a.cu": KERNEL,
    }
    assert findings(tmp_path, files) == []


def test_options_in_a_setup_script(tmp_path: Path) -> None:
    setup = (
        "from setuptools import setup\nfrom torch.utils.cpp_extension import CUDAExtension\n"
        "options = {'cxx': ['-std=c++98'], 'nvcc': ['-std=c++14', '-lineinfo']}\n"
        "setup(ext_modules=[CUDAExtension('a', ['a.cu'], extra_compile_args=options)])\n"
    )
    found = findings(tmp_path, {"setup.py": setup, "a.cu": THRUST})
    assert found == [("library-standard", "setup.py", "-std=c++14", True)]


def test_one_option_has_one_finding(tmp_path: Path) -> None:
    written(tmp_path, {"Makefile": MAKE.format("-std c++03"), "a.cu": KERNEL})
    (made,) = (one for one in pipeline.scan(tmp_path, Config(jobs=1)).files if one.path == "Makefile")
    assert [one.rule for one in made.findings if "standard" in one.rule] == ["build/old-standard"]


@pytest.mark.parametrize(
    ("text", "becomes"),
    [
        ("STD = c++03\nFLAGS = -std=$(STD)", "STD = c++14\nFLAGS = -std=$(STD)"),
        ("STD ?= 98 # old\nFLAGS = -std=gnu++${STD}", "STD ?= 14 # old\nFLAGS = -std=gnu++${STD}"),
        ("STD = c++17\nFLAGS = -std=$(STD)", "STD = c++17\nFLAGS = -std=$(STD)"),
        ("STD = $(OTHER)\nFLAGS = -std=$(STD)", "STD = $(OTHER)\nFLAGS = -std=$(STD)"),
    ],
)
def test_a_standard_that_a_variable_of_make_holds(tmp_path: Path, text: str, becomes: str) -> None:
    make = MAKE.replace("FLAGS = {}", text)
    assert f"{becomes}\n" in changed(tmp_path, {"Makefile": make, "a.cu": KERNEL})["Makefile"]


def test_a_variable_of_make_that_the_hosts_compiler_gets_too_stays(tmp_path: Path) -> None:
    host = "b: b.cpp\n\tg++ -std=$(STD) -c b.cpp\n"
    make = MAKE.replace("FLAGS = {}", "STD = c++03\nFLAGS = -std=$(STD)") + host
    made = changed(tmp_path, {"Makefile": make, "a.cu": KERNEL, "b.cpp": "int b;\n"})["Makefile"]
    assert "STD = c++03\nFLAGS = -std=c++14\n" in made and "g++ -std=$(STD)" in made


@pytest.mark.parametrize(
    ("text", "becomes"),
    [
        ("set(L 11)\nset(CMAKE_CUDA_STANDARD ${L})", "set(L 17)\nset(CMAKE_HIP_STANDARD ${L})"),
        (
            "set(L 11)\nset(CMAKE_CXX_STANDARD ${L})\nset(CMAKE_CUDA_STANDARD ${L})",
            "set(L 11)\nset(CMAKE_CXX_STANDARD ${L})\nset(CMAKE_HIP_STANDARD 17)",
        ),
        (
            'set(S c++11)\nset(CMAKE_CUDA_FLAGS "-std=${S} -O2")',
            'set(S c++17)\nset(CMAKE_HIP_FLAGS "-std=${S} -O2")',
        ),
        (
            'set(S c++11)\nset(CMAKE_CXX_FLAGS "-std=${S}")\nset(CMAKE_CUDA_FLAGS "-std=${S}")',
            'set(S c++11)\nset(CMAKE_CXX_FLAGS "-std=${S}")\nset(CMAKE_HIP_FLAGS "-std=c++17")',
        ),
        ("set(L 17)\nset(CMAKE_CUDA_STANDARD ${L})", "set(L 17)\nset(CMAKE_HIP_STANDARD ${L})"),
    ],
)
def test_a_standard_that_a_variable_of_cmake_holds(tmp_path: Path, text: str, becomes: str) -> None:
    assert becomes in changed(tmp_path, {"CMakeLists.txt": CMAKE.format(text), "a.cu": THRUST})["CMakeLists.txt"]


HIP_MAKE = "a: a.cu\n\thipcc -DUSE_HIP a.cu -o a\n"
PORTED = (
    "#ifdef USE_HIP\n#include <hip/hip_runtime.h>\n#define cudaFree hipFree\n#else\n#include <cuda_runtime.h>\n#endif\n"
)


@pytest.mark.parametrize(
    ("files", "found"),
    [
        pytest.param({"makefile.hip": HIP_MAKE}, set(), id="HIP has a makefile of its own"),
        pytest.param({}, {"makefile"}, id="it has none"),
    ],
)
def test_a_makefile_for_cuda_beside_one_of_a_port_may_be_old(
    tmp_path: Path, files: dict[str, str], found: set[str]
) -> None:
    code = f'#include "gpu.h"\n{THRUST}void f(void *p) {{ cudaFree(p); }}\n'
    tree = {"gpu.h": PORTED, "a.cu": code, "makefile": MAKE.format("-arch=sm_60 -std=c++14"), **files}
    assert {path for _, path, _, _ in findings(tmp_path, tree)} == found


def test_a_makefile_that_builds_for_both_is_not_cudas_own(tmp_path: Path) -> None:
    both = "ifeq ($(HIP),1)\na: a.cu\n\thipcc -DUSE_HIP a.cu\nelse\na: a.cu\n\tnvcc -arch=sm_60 a.cu\nendif\n"
    tree = {"gpu.h": PORTED, "a.cu": f'#include "gpu.h"\n{KERNEL}', "makefile": both, "makefile.old": HIP_MAKE}
    port = facts(tmp_path, tree)
    left = [replace(one, findings=()) for one in pipeline.scan(tmp_path, Config(jobs=1)).files]
    finding = pipeline.scan(
        written(tmp_path / "other", {"b.cu": "void f() { cudaFree(0); }\n"}), Config(jobs=1)
    ).findings
    before = [replace(one, findings=finding) for one in left]
    assert port.is_port
    assert makefiles_for_cuda(before, left, port) == {"makefile.old"} - {path for path, _, _ in port.build}
    assert "makefile" not in makefiles_for_cuda(before, left, port)
    assert makefiles_for_cuda(before, before, port) == set()


def test_a_standard_that_goes_because_of_sources_in_c_is_not_raised(tmp_path: Path) -> None:
    make = "NVCC = nvcc -std=c++11\na: a.cu\n\t$(NVCC) a.cu {} -o a\n"
    files = {"Makefile": make.format("b.c"), "a.cu": THRUST, "b.c": "int b;\n"}
    assert "NVCC = hipcc\n" in changed(tmp_path / "c", files)["Makefile"]
    assert findings(tmp_path / "c", files) == []
    files["Makefile"] = make.format("b.o")
    assert "NVCC = hipcc -std=c++17\n" in changed(tmp_path / "o", files)["Makefile"]


PASSING = "CXXFLAGS = -O2 -std=c++14\nNVCCFLAGS = {}\na: a.cu\n\tnvcc $(NVCCFLAGS) a.cu -o a\n"
PASSING += "b: b.cpp\n\tg++ $(CXXFLAGS) b.cpp\n"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('-std=c++14 -Xcompiler "$(CXXFLAGS)"', "-std=c++17 $(filter-out -std=%,$(CXXFLAGS))"),
        ("-Xcompiler -fPIC,-std=c++11 -std=c++17", "-fPIC -std=c++17"),
        ("-std=c++17 -Xcompiler -std=c++14", "-std=c++17"),
        ("-Xcompiler $(CXXFLAGS)", "$(CXXFLAGS)"),  # nvcc names none
        ("-std=c++17 -Xcompiler $(OTHER)", "-std=c++17 $(OTHER)"),  # it holds none
    ],
)
def test_nvcc_keeps_its_standard_whatever_it_passes_on(tmp_path: Path, before: str, after: str) -> None:
    files = {"Makefile": "OTHER = -g\n" + PASSING.format(before), "a.cu": THRUST, "b.cpp": "int b;\n"}
    assert f"NVCCFLAGS = {after}\n" in changed(tmp_path, files)["Makefile"]


def test_a_standard_that_is_only_passed_on_beside_nvccs_is_none_of_clangs(tmp_path: Path) -> None:
    files = {"Makefile": PASSING.format("-std=c++17 -Xcompiler $(CXXFLAGS)"), "a.cu": THRUST, "b.cpp": "int b;\n"}
    assert findings(tmp_path / "own", files) == []
    files["Makefile"] = PASSING.format("-Xcompiler $(CXXFLAGS)")
    assert findings(tmp_path / "none", files) == [("library-standard", "Makefile", "-std=c++14", False)]


FIND_CUDA = "cmake_minimum_required(VERSION 3.1)\nproject(a)\nfind_package(CUDA REQUIRED)\n{}\n"
FIND_CUDA += "cuda_add_executable(a a.cu b.cpp)\n"
FOR_HIP = "$<$<COMPILE_LANGUAGE:HIP>:-std={}++17>"


@pytest.mark.parametrize(
    ("given", "becomes"),
    [
        ("add_compile_options(-std=c++11)", f"add_compile_options(-std=c++11 {FOR_HIP.format('c')})"),
        ('add_compile_options("-std=gnu++11" -g)', f'add_compile_options("-std=gnu++11" -g {FOR_HIP.format("gnu")})'),
        (
            "add_definitions(-std=c++11) # a",
            f"add_definitions(-std=c++11) # a\nadd_compile_options({FOR_HIP.format('c')})",
        ),
        ("add_compile_options(-std=c++17)", "add_compile_options(-std=c++17)"),
        (
            "add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-std=c++11>)",
            "add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-std=c++11>)",
        ),
        (
            "add_library(h h.cpp)\ntarget_compile_options(h PRIVATE -std=c++11)",
            "add_library(h h.cpp)\ntarget_compile_options(h PRIVATE -std=c++11)",
        ),
    ],
)
def test_an_option_for_all_languages_reaches_hip_where_findcuda_gave_nvcc_none(
    tmp_path: Path, given: str, becomes: str
) -> None:
    files = {"CMakeLists.txt": FIND_CUDA.format(given), "a.cu": THRUST, "b.cpp": "int b;\n", "h.cpp": "int h;\n"}
    assert f"\n{becomes}\nset_source" in changed(tmp_path, files)["CMakeLists.txt"]


@pytest.mark.parametrize(
    ("header", "becomes"),
    [("thrust/host_vector.h", "-std=c++17"), ("vector", f"-std=c++11 {FOR_HIP.format('c')}")],
)
def test_an_option_for_all_languages_is_raised_where_sources_for_the_host_need_it(
    tmp_path: Path, header: str, becomes: str
) -> None:
    files = {"CMakeLists.txt": FIND_CUDA.format("add_compile_options(-std=c++11)"), "a.cu": THRUST}
    made = changed(tmp_path, files | {"b.cpp": f"#include <{header}>\nint b;\n"})
    assert f"\nadd_compile_options({becomes})\n" in made["CMakeLists.txt"]


@pytest.mark.parametrize(("guard", "raised"), [("__CUDACC__", False), ("WITH_GPU", True)])
def test_a_source_of_the_hosts_needs_nothing_of_what_compilers_for_gpus_alone_read(
    guard: str, raised: bool, tmp_path: Path
) -> None:
    head = f"#ifdef {guard}\n#include <thrust/device_vector.h>\n#endif\nint a();\n"
    make = "CXXFLAGS = -std=c++11\na: a.cpp\n\tg++ $(CXXFLAGS) -o a a.cpp\n"
    files = {"app/Makefile": make, "app/a.cpp": '#include "../own.h"\n', "own.h": head, "k.cu": THRUST}
    assert bool(findings(tmp_path, files)) is raised
