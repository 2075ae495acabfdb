"""Which sources of a build its host compiler gets, and by which standard."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate.compilation import build_flags
from cudamigrate.compilation.host_sources import host_rule, is_for_gpu, is_in_cpp
from cudamigrate.compilation.include_closure import IncludeResolver
from cudamigrate.verification import run


def standard(root: Path, path: str) -> str | None:
    whole = str(root / path)
    rule = host_rule(whole, build_flags.read(root).settings(whole).hosts)
    return None if rule is None else rule.standard


SUFFIXES = """\
CC=g++
NCC=nvcc
CCFLAGS=-c -std=c++0x
.cpp.o:
\t$(CC) $(CCFLAGS) $<
kernels.o: kernels.cu
\t$(NCC) -c kernels.cu
twice.o: twice.cpp
\t$(NCC) -x cu -c twice.cpp
"""
PATTERNS = """\
obj/%.o: src/%.cpp
\t@$(CXX) -std=gnu++14 -c $< -o $@
obj/%.o: gpu/%.cpp
\tnvcc -x cu -c $< -o $@
obj/%.o: other/%.cpp
\t$(shell which cc) -c $< -o $@
obj/%.o: said/%.cpp
\t@echo CXX $<
\t@mkdir -p $(@D)
\t@$(CXX) -std=c++14 -c $< -o $@
obj/%.o: then/%.cpp
\t@echo CXX $< && ./wrapper -c $<
\t@$(CXX) -std=c++14 -c $< -o $@
obj/%.o: clang/%.cpp
\tclang++ -x cuda -c $< -o $@
obj/%.o: made/%.cpp
\t$(MAKE) lib -C ../src FLAGS=$(FLAGS)
\tg++ -std=c++17 -c $< -o $@
obj/%.o: mixed/%.cpp
\t$(MAKE) lib; ./wrapper -c $<
\tg++ -std=c++17 -c $< -o $@
"""


@pytest.mark.parametrize(
    ("text", "path", "found"),
    [
        (SUFFIXES, "a.cpp", "c++0x"),
        (SUFFIXES, "below/a.cpp", "c++0x"),
        (SUFFIXES, "twice.cpp", None),
        (SUFFIXES, "kernels.cu", None),
        (PATTERNS, "src/a.cpp", "gnu++14"),
        (PATTERNS, "made/a.cpp", "c++17"),
        (PATTERNS, "mixed/a.cpp", None),
        (PATTERNS, "gpu/a.cpp", None),
        (PATTERNS, "other/a.cpp", None),
        (PATTERNS, "said/a.cpp", "c++14"),
        (PATTERNS, "then/a.cpp", None),
        (PATTERNS, "clang/a.cpp", None),
        (PATTERNS, "b.cpp", None),
    ],
)
def test_the_rule_of_a_makefile_says_who_compiles_a_source(
    text: str, path: str, found: str | None, tmp_path: Path
) -> None:
    (tmp_path / "Makefile").write_text(text)
    assert standard(tmp_path, path) == found


CMAKE = "project(a LANGUAGES CXX CUDA)\nset(CMAKE_CXX_STANDARD 11)\nadd_executable(a a.cpp b.cpp c.cu)\n"


@pytest.mark.parametrize(
    ("text", "path", "found"),
    [
        (CMAKE, "a.cpp", "gnu++11"),
        (CMAKE + "set(CMAKE_CXX_EXTENSIONS OFF)\n", "a.cpp", "c++11"),
        (CMAKE, "c.cu", None),
        (CMAKE + "set_source_files_properties(b.cpp PROPERTIES LANGUAGE CUDA)\n", "a.cpp", "gnu++11"),
        (CMAKE + "set_source_files_properties(b.cpp PROPERTIES LANGUAGE CUDA)\n", "b.cpp", None),
        (CMAKE + "set_source_files_properties(${S} PROPERTIES LANGUAGE CUDA)\n", "a.cpp", None),
        (CMAKE.replace("CUDA", "HIP"), "a.cpp", "gnu++11"),
        (CMAKE.replace(" CUDA", "") + "find_package(hip)\n", "a.cpp", None),
    ],
)
def test_a_source_of_cpp_in_a_cmake_project_is_the_host_compilers(
    text: str, path: str, found: str | None, tmp_path: Path
) -> None:
    (tmp_path / "CMakeLists.txt").write_text(text)
    assert standard(tmp_path, path) == found


def test_a_folder_below_gives_its_sources_to_the_compiler_for_gpus(tmp_path: Path) -> None:
    (tmp_path / "CMakeLists.txt").write_text(CMAKE + "add_subdirectory(sub)\n")
    (tmp_path / "sub").mkdir()
    below = tmp_path / "sub" / "CMakeLists.txt"
    below.write_text("set_source_files_properties(a.cpp PROPERTIES CUDA_SOURCE_PROPERTY_FORMAT OBJ)\n")
    assert [standard(tmp_path, f"sub/{name}.cpp") for name in "ab"] == [None, "gnu++11"]
    below.write_text("set_source_files_properties(${SOURCES} PROPERTIES LANGUAGE CUDA)\n")
    assert [standard(tmp_path, f"sub/{name}.cpp") for name in "ab"] == [None, None]


@pytest.mark.parametrize(
    ("included", "found"),
    [("cmake/gpu.cmake", "gnu++11"), ("${CMAKE_SOURCE_DIR}/cmake/gpu.cmake", "gnu++11"), ("cmake/other.cmake", None)],
)
def test_a_module_that_is_included_may_enable_the_language(tmp_path: Path, included: str, found: str | None) -> None:
    (tmp_path / "CMakeLists.txt").write_text(CMAKE.replace(" CUDA", "") + f"include({included})\n")
    (tmp_path / "cmake").mkdir()
    (tmp_path / "cmake" / "gpu.cmake").write_text("enable_language(HIP)\nfind_package(hip REQUIRED)\n")
    (tmp_path / "cmake" / "other.cmake").write_text("find_package(hip REQUIRED)\n")
    assert standard(tmp_path, "sub/a.cpp") == found


def test_the_nearest_build_decides(tmp_path: Path) -> None:
    (tmp_path / "CMakeLists.txt").write_text(CMAKE)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "Makefile").write_text("a.o: a.cpp\n\tnvcc -x cu -c a.cpp\n")
    assert (standard(tmp_path, "sub/a.cpp"), standard(tmp_path, "sub/b.cpp")) == (None, "gnu++11")


def test_a_source_of_the_hosts_is_judged_as_that_by_its_own_standard(tmp_path: Path) -> None:
    (tmp_path / "Makefile").write_text(SUFFIXES)
    (tmp_path / "a.cpp").write_text("int a;\n")
    (tmp_path / "k.cpp").write_text("__global__ void k() {}\n")
    called = "__global__ void k(int *p) { *p = 1; }\nvoid run(int *p) { k(p); }\n"
    (tmp_path / "called.cpp").write_text(called)
    (tmp_path / "both.cpp").write_text(called + "void go(int *p) { k<<<1, 1>>>(p); }\n")
    (tmp_path / "r.cpp").write_text("// g++ takes no __device__ variable\nint a; /* <<<1, 32>>> */\n")
    tree = IncludeResolver(
        root=str(tmp_path),
        project=build_flags.read(tmp_path),
        system=(),
        read=lambda path: (tmp_path / path).read_bytes(),
    )
    job = run.Job(str(tmp_path), ("a.cpp", "k.cpp", "r.cpp", "called.cpp", "both.cpp"))
    units = {
        path: run._unit(path, job, run.Toolchain("clang", "", "7.1", (), ("gfx942",)), tree, "") for path in job.units
    }
    assert (units["a.cpp"].host, units["a.cpp"].arch, units["a.cpp"].flags.standard) == (True, (), "c++11")
    assert units["r.cpp"].host and units["called.cpp"].host and not units["both.cpp"].host
    assert (units["k.cpp"].host, units["k.cpp"].arch, units["k.cpp"].flags.standard) == (False, ("gfx942",), "c++17")


def test_where_python_builds_cmake_does_not_say_who_compiles_a_source(tmp_path: Path) -> None:
    (tmp_path / "a.cpp").write_text("int a;\n")
    (tmp_path / "CMakeLists.txt").write_text("project(a CXX CUDA)\nset(CMAKE_CXX_STANDARD 14)\nadd_library(a a.cpp)\n")
    assert standard(tmp_path, "a.cpp") == "gnu++14"
    (tmp_path / "setup.py").write_text("from setuptools import setup\nsetup(name='a')\n")
    assert standard(tmp_path, "a.cpp") is None


KERNEL = b"__global__ void k() {}\nvoid go() { k<<<1, 1>>>(); }\n"
RULED = """\
FLAGS = -std=c++14 -x cu
k.o:
\t/opt/cuda/bin/nvcc -c lib/k.cu.cc -o k.o $(FLAGS)
h.o:
\tg++ -c lib/h.cc -o h.o
all: lib/u.cc
\t$(COMPILE) -c lib/u.cc
x.o:
\tclang++ --x=cu -c lib/x.cc
"""


@pytest.mark.parametrize(
    ("name", "text", "path", "code", "found"),
    [
        ("Makefile", RULED, "lib/k.cu.cc", b"", True),
        ("Makefile", RULED, "lib/x.cc", b"", True),
        ("Makefile", RULED, "lib/h.cc", b"// k<<<1, 1>>>() of before\n", False),
        ("Makefile", RULED, "lib/u.cc", b"", False),  # who compiles it is not known
        ("Makefile", RULED, "lib/u.cc", KERNEL, True),
        ("Makefile", SUFFIXES, "twice.cpp", b"", True),  # its own rule, beside one for all
        ("CMakeLists.txt", CMAKE + "set_source_files_properties(b.cc PROPERTIES LANGUAGE CUDA)\n", "b.cc", b"", True),
        ("CMakeLists.txt", CMAKE, "b.cc", b"", False),
        ("README", "", "b.cc", KERNEL, True),
        ("README", "", "b.cc", b"/* k<<<1, 1>>>(); */ // __global__\nint a;\n", False),
        ("README", "", "b.cc", b"#ifdef __CUDACC__\n" + KERNEL + b"#endif\n", False),  # the host's may read it too
        ("README", "", "b.cc", b"#ifdef __HIP__\n#include <hip/hip_runtime.h>\n#endif\n" + KERNEL, True),
        ("README", "", "b.cc", b"#ifndef __CUDACC__\n#define __global__\n#endif\n__global__ void k() {}\n", False),
        ("README", "", "b.h", b"", False),
    ],
)
def test_the_build_says_which_sources_of_cpp_are_for_gpus(
    name: str, text: str, path: str, code: bytes, found: bool, tmp_path: Path
) -> None:
    (tmp_path / name).write_text(text)
    whole = str(tmp_path / path)
    assert is_for_gpu(whole, build_flags.read(tmp_path).settings(whole).hosts, code) is found


@pytest.mark.parametrize(("path", "host"), [("k.cu.cc", False), ("plain.cc", True)])
def test_a_kernel_beside_an_extension_of_pytorchs_is_no_source_of_the_hosts(
    path: str, host: bool, tmp_path: Path
) -> None:
    (tmp_path / "Makefile").write_text("all:\n\tnvcc -x cu -c k.cu.cc\n")
    tree = IncludeResolver(str(tmp_path), build_flags.read(tmp_path), (), read=lambda _: b"int a;\n")
    job = run.Job(str(tmp_path), (path,), for_host=lambda _: True)
    assert run._unit(path, job, run.Toolchain("clang", "", "7.1", (), ("gfx942",)), tree, "").host is host


@pytest.mark.parametrize(("path", "given"), [("bind.cpp", False), ("k.cu", True), ("kernels.cpp", True)])
def test_what_pytorch_gives_hipcc_alone_no_source_of_the_hosts_gets(path: str, given: bool, tmp_path: Path) -> None:
    text = b"#include <torch/extension.h>\n" + (KERNEL if path == "kernels.cpp" else b"")
    tree = IncludeResolver(str(tmp_path), build_flags.read(tmp_path), (), read=lambda _: text)
    job = run.Job(str(tmp_path), (path,), for_host=lambda name: name.endswith(".cpp"))
    defines = run._unit(path, job, run.Toolchain("clang", "", "7.1", (), ("gfx942",)), tree, "").flags.defines
    assert ("__HIP_NO_HALF_CONVERSIONS__=1" in defines, "USE_ROCM=1" in defines) == (given, True)


GLOB = "file(GLOB S *.cpp)\nset_source_files_properties(${S} PROPERTIES LANGUAGE CUDA)\n"
FILLED = "set(S b.cpp)\nlist(APPEND S c.cpp)\nset_property(SOURCE ${S} PROPERTY LANGUAGE CUDA)\n"


@pytest.mark.parametrize(
    ("text", "path", "found"),
    [
        (GLOB, "a.cpp", True),
        (GLOB, "sub/a.cpp", False),  # a search that goes no deeper
        (GLOB, "a.cc", False),
        (GLOB.replace("GLOB S", "GLOB_RECURSE S"), "a.cpp", False),  # which reaches folders with a build of their own
        (FILLED, "b.cpp", True),
        (FILLED, "c.cpp", True),
        (FILLED, "a.cpp", False),
        (FILLED + "file(GLOB_RECURSE S lib/*.cpp)\n", "b.cpp", False),
    ],
)
def test_a_variable_that_the_file_fills_says_which_sources_are_for_gpus(
    text: str, path: str, found: bool, tmp_path: Path
) -> None:
    (tmp_path / "CMakeLists.txt").write_text(CMAKE + text)
    whole = str(tmp_path / path)
    assert is_for_gpu(whole, build_flags.read(tmp_path).settings(whole).hosts, b"") is found


FILTERED = """set(S ${MORE})
list(FILTER S @ REGEX "\\\\.cu$")
set_source_files_properties(${S} PROPERTIES LANGUAGE HIP)
"""


@pytest.mark.parametrize(
    ("text", "host"),
    [
        (FILTERED.replace("@", "INCLUDE"), True),
        (FILTERED.replace("@", "EXCLUDE"), False),
        (FILTERED.replace("@", "INCLUDE").replace(".cu$", ".cc$"), False),
        (FILTERED.replace("@", "INCLUDE").replace(".cu$", "gpu_"), False),
    ],
)
def test_a_filter_that_leaves_sources_of_cuda_gives_no_other_to_the_compiler_for_gpus(
    text: str, host: bool, tmp_path: Path
) -> None:
    (tmp_path / "CMakeLists.txt").write_text(CMAKE + text)
    whole = str(tmp_path / "a.cc")
    assert (host_rule(whole, build_flags.read(tmp_path).settings(whole).hosts) is not None) is host


@pytest.mark.parametrize(
    ("rules", "path", "in_cpp"),
    [
        ("GCC = g++\na.o: a.c\n\t$(GCC) -c a.c\n", "make/a.c", True),
        ("GCC = g++\na.o: ../a.c\n\t$(GCC) -c ../a.c\n", "a.c", True),
        ("GCC = g++\na.o: ../a.c\n\t$(GCC) -c ../a.c\n", "b.c", False),
        ("a.o: a.c\n\tgcc -c a.c\n", "make/a.c", False),
        ("a.o: a.c\n\t$(CC) -c a.c\n", "make/a.c", False),
        ("a.o: a.c\n\tg++ -x c -c a.c\n", "make/a.c", False),
        ("a.o: a.c\n\tg++ -c a.c\nb.o: a.c\n\tgcc -c a.c -o b.o\n", "make/a.c", False),
        ("a.o: a.cpp\n\tg++ -c a.cpp\n", "make/a.cpp", False),  # its ending says so
    ],
)
def test_a_compiler_of_cpp_reads_a_source_of_c_as_cpp(rules: str, path: str, in_cpp: bool, tmp_path: Path) -> None:
    written(tmp_path, {"make/Makefile": rules + "k.o: k.cu\n\tnvcc -c k.cu\n", path: ""})
    whole = str(tmp_path / path)
    assert is_in_cpp(whole, build_flags.read(tmp_path).settings(whole).hosts) is in_cpp


PROJECT = """\
<Project>
  <ItemGroup>
    <ClCompile Include="src\\host.cpp" />
    <ClCompile Include="src\\out.cpp"><ExcludedFromBuild>true</ExcludedFromBuild></ClCompile>
    <ClCompile Include="src\\debug.cpp">
      <ExcludedFromBuild Condition="'$(Configuration)'=='Debug'">true</ExcludedFromBuild>
    </ClCompile>
    <ClCompile Include="$(Extra)\\open.cpp;src\\listed.cpp" />
    <!-- <ClCompile Include="src\\old.cpp" /> -->
    <CudaCompile Include="src\\gpu.cpp"><FileType>Document</FileType></CudaCompile>
    <ClCompile Include="..\\shared\\outside.cpp" />
    <ClInclude Include="src\\named.cpp" />
  </ItemGroup>
</Project>
"""
HOSTS = ["win/src/host.cpp", "win/src/debug.cpp", "win/src/listed.cpp", "shared/outside.cpp"]
OTHERS = ["win/src/out.cpp", "win/src/open.cpp", "win/src/old.cpp", "win/src/named.cpp", "win/src/gpu.cpp"]


def test_a_project_of_visual_studio_says_which_compiler_gets_a_source(tmp_path: Path) -> None:
    written(tmp_path, {"win/app.vcxproj": PROJECT, **dict.fromkeys((*HOSTS, *OTHERS), "int x;\n")})
    project = build_flags.read(tmp_path)
    named = {path: project.settings(str(tmp_path / path)).hosts for path in (*HOSTS, *OTHERS)}
    assert [path for path, rules in named.items() if host_rule(str(tmp_path / path), rules)] == HOSTS
    assert [path for path, rules in named.items() if is_for_gpu(str(tmp_path / path), rules, b"")] == OTHERS[-1:]


def test_a_build_for_linux_counts_before_one_of_visual_studio(tmp_path: Path) -> None:
    make = "a.o: src/host.cpp\n\tnvcc -x cu -c src/host.cpp\n"
    written(tmp_path, {"win/app.vcxproj": PROJECT, "win/Makefile": make, "win/src/host.cpp": ""})
    whole = str(tmp_path / "win/src/host.cpp")
    rules = build_flags.read(tmp_path).settings(whole).hosts
    assert host_rule(whole, rules) is None and is_for_gpu(whole, rules, b"")


OLD_PROJECT = """\
<VisualStudioProject><Configurations>
  <Configuration Name="Debug|Win32"></Configuration><Configuration Name="Release|Win32"></Configuration>
</Configurations><Files><Filter Name="Source Files">
  <File RelativePath=".\\src\\host.cpp" />
  <File RelativePath="src\\debug.cpp"><FileConfiguration Name="Debug|Win32" ExcludedFromBuild="true"/></File>
  <File RelativePath="..\\shared\\outside.cpp"></File>
  <File RelativePath="src\\options.cpp"><FileConfiguration Name="Debug|Win32">
    <Tool Name="VCCLCompilerTool" Optimization="0"/></FileConfiguration></File>
  <!-- <File RelativePath="src\\old.cpp"/> -->
  <File RelativePath="src\\out.cpp">
    <FileConfiguration Name="Debug|Win32" ExcludedFromBuild="true"><Tool Name="VCCLCompilerTool"/></FileConfiguration>
    <FileConfiguration Name="Release|Win32" ExcludedFromBuild="true"><Tool Name="VCCLCompilerTool"/></FileConfiguration>
  </File>
  <File RelativePath="src\\mixed.cpp"><FileConfiguration Name="Debug|Win32"><Tool Name="VCCustomBuildTool"
    CommandLine="nvcc -c src\\mixed.cpp"/></FileConfiguration></File>
  <File RelativePath="src\\made.cpp">
    <FileConfiguration Name="Debug|Win32"><Tool Name="VCCustomBuildTool" CommandLine="moc made.h"/></FileConfiguration>
    <FileConfiguration Name="Release|Win32"><Tool Name="VCCustomBuildTool" CommandLine="moc made.h"/>
    </FileConfiguration>
  </File>
  <File RelativePath="$(Extra)\\open.cpp"/>
  <File RelativePath="src\\named.h"/>
  <File RelativePath="src\\gpu.cpp">
    <FileConfiguration Name="Debug|Win32"><Tool Name="VCCustomBuildTool"
      CommandLine="&quot;$(CUDA_BIN_PATH)\\nvcc.exe&quot; -x cu -c src\\gpu.cpp"/></FileConfiguration>
    <FileConfiguration Name="Release|Win32"><Tool Name="VCCustomBuildTool" CommandLine="nvcc -x cu -c src\\gpu.cpp"/>
    </FileConfiguration>
  </File>
  <File RelativePath="src\\rule.cpp">
    <FileConfiguration Name="Debug|Win32"><Tool Name="Cudart Build Rule" Debug="true"/></FileConfiguration>
    <FileConfiguration Name="Release|Win32"><Tool Name="CUDA Build Rule"/></FileConfiguration>
  </File>
</Filter></Files></VisualStudioProject>
"""
OLD_HOSTS = ["win/src/host.cpp", "win/src/debug.cpp", "shared/outside.cpp", "win/src/options.cpp"]
OLD_OTHERS = [f"win/src/{one}" for one in ("old.cpp", "out.cpp", "mixed.cpp", "made.cpp", "open.cpp", "named.h")]
OLD_KERNELS = ["win/src/gpu.cpp", "win/src/rule.cpp"]


def test_an_old_project_of_visual_studio_says_which_compiler_gets_a_source(tmp_path: Path) -> None:
    paths = (*OLD_HOSTS, *OLD_OTHERS, *OLD_KERNELS)
    written(tmp_path, {"win/app.vcproj": OLD_PROJECT, **dict.fromkeys(paths, "int x;\n")})
    project = build_flags.read(tmp_path)
    named = {path: project.settings(str(tmp_path / path)).hosts for path in paths}
    assert [path for path, rules in named.items() if host_rule(str(tmp_path / path), rules)] == OLD_HOSTS
    assert [path for path, rules in named.items() if is_for_gpu(str(tmp_path / path), rules, b"")] == OLD_KERNELS
