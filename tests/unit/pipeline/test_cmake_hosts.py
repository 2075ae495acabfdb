"""A CMake target whose C++ sources read HIP's headers after the conversion links what these need."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

SOURCES = {
    "src/host.cpp": "#include <cuda_runtime.h>\nint run() { return cudaDeviceSynchronize(); }\n",
    "src/main.cpp": '#include "inner.h"\nint main() {}\n',
    "src/inner.h": "#include <cuda_runtime_api.h>\n",
    "src/plain.cpp": "int main() {}\n",
    "src/k.cu": "__global__ void k() {}\n",
}
HEAD = "cmake_minimum_required(VERSION 3.21)\nproject(app CXX CUDA)\n"
NEEDED = "target_link_libraries(app hip::host)"


def converted(root: Path, files: dict[str, str]) -> dict[str, str]:
    """The CMake files that come out changed."""
    written(root, {**SOURCES, **files})
    made = {one.path: one.after.decode() for one in pipeline.apply(root, Config(jobs=1)).conversions}
    return {path: text for path, text in made.items() if path.endswith("CMakeLists.txt")}


def lines(root: Path, text: str) -> list[str]:
    """The lines of the one file, as it comes out, that look for HIP or link it."""
    made = converted(root, {"CMakeLists.txt": HEAD + text})["CMakeLists.txt"].splitlines()
    return [line for line in made if "hip::" in line or "find_package" in line]


@pytest.mark.parametrize(
    "text",
    [
        "add_executable(app src/host.cpp src/k.cu)\n",
        "add_executable(app src/main.cpp)\n",
        "include_directories(${CMAKE_CUDA_TOOLKIT_INCLUDE_DIRECTORIES})\nadd_executable(app src/main.cpp)\n",
        "set(S src/plain.cpp)\nlist(APPEND S ${CMAKE_CURRENT_SOURCE_DIR}/src/host.cpp)\nadd_executable(app ${S})\n",
        "file(GLOB S src/*.cpp)\nadd_library(app ${S})\n",
        "aux_source_directory(src S)\nadd_library(app ${S})\n",
        "aux_source_directory(${CMAKE_CURRENT_SOURCE_DIR}/src S)\nadd_library(app ${S})\n",
        'set(D "${PROJECT_SOURCE_DIR}/src/")\nfile(GLOB S "${D}/*.cpp")\nadd_library(app ${S})\n',
        "set(D ${CMAKE_SOURCE_DIR})\nfile(GLOB S ${D}/src/*.cpp)\nadd_library(app ${S})\n",
        "file(GLOB_RECURSE S *.cpp)\nadd_library(app ${S})\n",
        "file(GLOB_RECURSE S src/*)\nadd_library(app ${S})\n",
        "file(GLOB S src/ho?t.[ch]*)\nadd_library(app ${S})\n",
        'file(GLOB_RECURSE S *)\nlist(FILTER S EXCLUDE REGEX "/main\\\\.cpp$")\nadd_library(app ${S})\n',
        'file(GLOB S src/*.cpp)\nlist(FILTER S INCLUDE REGEX "${CMAKE_CURRENT_SOURCE_DIR}/src/host")\n'
        "list(SORT S)\nadd_library(app ${S})\n",
        "file(GLOB S src/*)\nlist(REMOVE_ITEM S ${CMAKE_CURRENT_SOURCE_DIR}/src/main.cpp)\nadd_library(app ${S})\n",
        "add_executable(app src/k.cu)\ntarget_sources(app PRIVATE src/host.cpp)\n",
        "add_executable(app ${PROJECT_SOURCE_DIR}/src/main.cpp)\ntarget_link_libraries(app other)\n",
    ],
)
def test_a_target_with_such_a_source_links_hip_and_looks_for_it(text: str, tmp_path: Path) -> None:
    assert lines(tmp_path, text) == ["find_package(hip REQUIRED)", NEEDED]


@pytest.mark.parametrize(
    "text",
    [
        "add_executable(app src/plain.cpp src/k.cu)\n",
        "file(GLOB_RECURSE S other/*)\nadd_library(app ${S})\n",
        "file(GLOB S *)\nadd_library(app ${S} src/k.cu)\n",
        'file(GLOB_RECURSE S *)\nlist(FILTER S EXCLUDE REGEX "(host|main)")\nadd_library(app ${S})\n',
        'file(GLOB_RECURSE S *)\nlist(FILTER S INCLUDE REGEX "${WANTED}")\nadd_library(app ${S})\n',
        "file(GLOB S src/*)\nlist(REMOVE_ITEM S src/main.cpp ${CMAKE_CURRENT_SOURCE_DIR}/src/host.cpp)\n"
        "add_library(app ${S})\n",
        'set(D ${OTHER}/src)\nfile(GLOB S "${D}/*.cpp")\nadd_library(app ${S})\n',
        "add_executable(app src/inner.h src/k.cu)\n",
        "add_library(app INTERFACE src/host.cpp)\n",
        "add_definitions(-D__HIP_PLATFORM_AMD__)\nadd_executable(app src/host.cpp)\n",
        "set_source_files_properties(src/host.cpp PROPERTIES LANGUAGE CUDA)\nadd_executable(app src/host.cpp)\n",
        "make(app src/host.cpp)\n",
    ],
)
def test_a_target_that_reads_none_or_has_the_macro_stays(text: str, tmp_path: Path) -> None:
    assert lines(tmp_path, text) == []


@pytest.mark.parametrize(
    ("links", "given"),
    [
        ("target_link_libraries(app CUDA::cudart)\n", "target_link_libraries(app hip::host)"),
        ("target_link_libraries(app PRIVATE base)\ntarget_link_libraries(base CUDA::cudart)\n", ""),
        ("set(LIBS CUDA::cudart)\ntarget_link_libraries(app ${LIBS})\n", ""),
        ("add_library(my::base ALIAS base)\ntarget_link_libraries(app my::base)\n", "base"),
        ("link_libraries(CUDA::cudart)\n", ""),
    ],
)
def test_a_target_that_gets_it_from_what_it_links_stays(links: str, given: str, tmp_path: Path) -> None:
    more = "target_link_libraries(base PUBLIC CUDA::cudart)\n" if given == "base" else ""
    text = f"find_package(CUDAToolkit REQUIRED)\nadd_executable(app src/host.cpp)\nadd_library(base src/k.cu)\n{more}"
    assert sum("hip::host" in line for line in lines(tmp_path, text + links)) == 1


MAKER = "macro(make_lib NAME)\n  add_library(${NAME} ${ARGN})\n%sendmacro()\n"
OUTER = "function(Make_All NAME)\n  make_lib(${NAME} ${ARGN})\nendfunction()\n"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (MAKER % "" + "make_lib(app src/host.cpp)\n", NEEDED),
        (MAKER % "" + OUTER + "make_all(app src/host.cpp)\n", NEEDED),
        (MAKER % "  target_link_libraries(${NAME} PRIVATE m)\n" + "make_lib(app src/host.cpp)\n", "PRIVATE"),
        (MAKER % "" + "make_lib(app src/plain.cpp)\n", ""),
        (MAKER.replace("ARGN}", "ARGN} INTERFACE") % "" + "make_lib(app src/host.cpp)\n", ""),
        ("function(note NAME)\n  message(${NAME} ${ARGN})\nendfunction()\nnote(app src/host.cpp)\n", ""),
        (MAKER % "  target_link_libraries(${NAME} CUDA::cudart)\n" + "make_lib(app src/host.cpp)\n", "{NAME}"),
    ],
)
def test_a_target_of_a_function_of_the_project_is_one_too(text: str, line: str, tmp_path: Path) -> None:
    linked = [one for one in lines(tmp_path, text) if "hip::host" in one]
    assert len(linked) == bool(line)
    assert all(line in one for one in linked)


def test_what_a_target_keeps_for_itself_others_do_not_get(tmp_path: Path) -> None:
    text = (
        "find_package(CUDAToolkit REQUIRED)\nadd_library(base src/host.cpp)\nadd_executable(app src/main.cpp)\n"
        "target_link_libraries(base PRIVATE CUDA::cudart)\ntarget_link_libraries(app PRIVATE base)\n"
    )
    assert "target_link_libraries(app PRIVATE hip::host)" in lines(tmp_path, text)


def test_a_folder_below_sees_the_package_that_one_above_looks_for(tmp_path: Path) -> None:
    files = {
        "CMakeLists.txt": HEAD + "find_package(CUDAToolkit REQUIRED)\nadd_subdirectory(src)\n",
        "src/CMakeLists.txt": "add_library(app host.cpp)\nadd_library(more plain.cpp)\n",
    }
    assert converted(tmp_path, files)["src/CMakeLists.txt"].splitlines()[1:] == [NEEDED, "add_library(more plain.cpp)"]


def test_a_build_without_a_gpu_needs_no_hip(tmp_path: Path) -> None:
    text = "if(GPU)\n  enable_language(CUDA)\nendif()\nadd_executable(app src/host.cpp)\n"
    head = "project(app CXX)\nset(CMAKE_BUILD_TYPE Release)\n"
    made = converted(tmp_path, {"CMakeLists.txt": head + text})["CMakeLists.txt"]
    hip = "if(GPU)\n  enable_language(HIP)\n  find_package(hip REQUIRED)\nendif()\nadd_executable(app src/host.cpp)\n"
    assert made == f"{head}{hip}target_link_libraries(app $<TARGET_NAME_IF_EXISTS:hip::host>)\n"


def test_a_folder_of_a_build_that_may_leave_out_the_gpu_looks_for_hip_by_the_way(tmp_path: Path) -> None:
    files = {
        "CMakeLists.txt": "project(app CXX)\nif(GPU)\n  enable_language(CUDA)\nendif()\nadd_subdirectory(src)\n",
        "src/CMakeLists.txt": "add_library(app host.cpp)\n",
    }
    assert converted(tmp_path, files)["src/CMakeLists.txt"].splitlines() == [
        "find_package(hip QUIET)",
        "add_library(app host.cpp)",
        "target_link_libraries(app $<TARGET_NAME_IF_EXISTS:hip::host>)",
    ]


def test_sources_that_a_folder_gives_to_the_one_above_are_its_own(tmp_path: Path) -> None:
    files = {
        "CMakeLists.txt": f"{HEAD}add_subdirectory(src)\nadd_library(app ${{SOURCES}})\n",
        "src/CMakeLists.txt": "set(SOURCES ${SOURCES} ${CMAKE_CURRENT_LIST_DIR}/host.cpp)\n"
        "set(SOURCES ${SOURCES} PARENT_SCOPE)\n",
    }
    assert converted(tmp_path, files)["CMakeLists.txt"].endswith(f"add_library(app ${{SOURCES}})\n{NEEDED}\n")


def test_a_build_for_both_vendors_links_hip_for_amd_alone(tmp_path: Path) -> None:
    text = f"{HEAD}set(CMAKE_BUILD_TYPE Release)\nadd_executable(app src/host.cpp src/k.cu)\n"
    written(tmp_path, {**SOURCES, "CMakeLists.txt": text})
    made = pipeline.apply(tmp_path, Config(jobs=1, style="portable")).conversions
    (text,) = (one.after.decode() for one in made if one.path == "CMakeLists.txt")
    asked = [line.strip() for line in text.splitlines() if line.strip().startswith(("if(", "else", "endif", NEEDED))]
    assert NEEDED in asked
    assert asked[asked.index(NEEDED) - 1].startswith("if(") and asked[asked.index(NEEDED) + 1] in ("else()", "endif()")


def test_the_target_is_named_in_the_report(tmp_path: Path) -> None:
    text = f"{HEAD}add_executable(app src/host.cpp src/k.cu)\nadd_executable(other src/plain.cpp)\n"
    written(tmp_path, {**SOURCES, "CMakeLists.txt": text})
    rule = "build/cmake-host-headers"
    found = [one for one in pipeline.scan(tmp_path, Config(jobs=1)).findings if one.rule == rule]
    assert len(found) == 1 and "`app`" in found[0].message


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (
            "set(EXE app)\nadd_executable(${EXE} src/host.cpp)\ntarget_link_libraries(app PRIVATE other)\n",
            "target_link_libraries(${EXE} PRIVATE hip::host)",
        ),
        (
            "add_executable(app src/host.cpp)\ntarget_link_libraries(${PROJECT_NAME} PRIVATE other)\n",
            "target_link_libraries(app PRIVATE hip::host)",
        ),
        (  # the target of another value
            "set(EXE app)\nadd_executable(${EXE} src/host.cpp)\nset(EXE more)\nadd_library(${EXE} src/plain.cpp)\n"
            "target_link_libraries(${EXE} PRIVATE other)\n",
            "target_link_libraries(${EXE} hip::host)",
        ),
        (
            "set(EXE app)\nadd_executable(app src/host.cpp)\nset(EXE ${ELSE} more)\n"
            "target_link_libraries(${EXE} PRIVATE other)\n",
            "target_link_libraries(app hip::host)",
        ),
    ],
)
def test_a_target_named_by_a_variable_is_that_of_its_value(text: str, line: str, tmp_path: Path) -> None:
    assert line in lines(tmp_path, text)


def test_a_target_named_by_a_variable_that_links_hip_stays(tmp_path: Path) -> None:
    text = "find_package(CUDAToolkit REQUIRED)\nset(EXE app)\nadd_executable(${EXE} src/host.cpp)\n"
    made = lines(tmp_path, text + "target_link_libraries(app PRIVATE CUDA::cudart)\n")
    assert sum("hip::host" in line for line in made) == 1


def test_the_variable_of_a_file_around_names_the_target(tmp_path: Path) -> None:
    files = {
        "CMakeLists.txt": HEAD + "set(EXE app)\nadd_subdirectory(src)\n",
        "src/CMakeLists.txt": "add_library(${EXE} host.cpp)\ntarget_link_libraries(app PRIVATE more)\n",
    }
    made = converted(tmp_path, files)["src/CMakeLists.txt"]
    assert "target_link_libraries(${EXE} PRIVATE " in made


MODULES = {
    "cmake/lists.cmake": "set(sources src/main.cpp)\nset(plain src/plain.cpp)\n",
    "CMakeLists.txt": HEAD + "include(cmake/lists.cmake)\ninclude(${PROJECT_SOURCE_DIR}/cmake/gpu.cmake)\n",
}


@pytest.mark.parametrize(("sources", "given"), [("${sources}", True), ("src/host.cpp", True), ("${plain}", False)])
def test_a_module_sees_the_lists_and_folder_of_what_includes_it(sources: str, given: bool, tmp_path: Path) -> None:
    module = f"add_executable(app src/k.cu {sources})\nset(CMAKE_CUDA_STANDARD 17)\n"
    written(tmp_path, {**SOURCES, **MODULES, "cmake/gpu.cmake": module})
    made = {one.path: one.after.decode() for one in pipeline.apply(tmp_path, Config(jobs=1)).conversions}
    assert ("hip::host" in made["cmake/gpu.cmake"]) is given


SETS_UP = "function(set_up flags target)\n  target_link_libraries({}ours)\nendfunction()\n"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("pybind11_add_module(app src/host.cpp)\n", "target_link_libraries(app PRIVATE hip::host)"),
        ("Python3_add_library(app MODULE src/host.cpp)\n", "target_link_libraries(app PRIVATE hip::host)"),
        ("nanobind_add_module(app NB_STATIC src/host.cpp)\n", "target_link_libraries(app PRIVATE hip::host)"),
        (
            SETS_UP.format("${target} PUBLIC ") + "add_library(app src/host.cpp)\nset_up(x app)\n",
            "target_link_libraries(app PRIVATE hip::host)",
        ),
        (SETS_UP.format("${target} PUBLIC ") + "add_library(app src/host.cpp)\nset_up(app other)\n", NEEDED),
        (SETS_UP.format("${target} ") + "add_library(app src/host.cpp)\nset_up(x app)\n", NEEDED),
        (SETS_UP.format("all PUBLIC ") + "add_library(app src/host.cpp)\nset_up(x app)\n", NEEDED),
    ],
)
def test_the_form_of_linking_is_that_of_what_makes_or_sets_up_the_target(text: str, line: str, tmp_path: Path) -> None:
    made = lines(tmp_path, text)
    assert line in made
    assert len([one for one in made if "hip::host" in one]) == 1


CHOSEN = "#ifdef APP_ON_GPU\n#include <cuda_runtime.h>\n#endif\nint main() {}\n"
TOP = "cmake_minimum_required(VERSION 3.21)\nproject(all CXX CUDA)\nadd_subdirectory(gpu)\nadd_subdirectory(cpu)\n"
CPU = "add_executable(app ../src/chosen.cpp)\n"
GPU = "add_definitions(-DAPP_ON_GPU=1)\nadd_library(k ../src/k.cu)\n"


@pytest.mark.parametrize(
    ("files", "links"),
    [
        ({}, False),  # defined for the folder beside alone
        ({"gpu/CMakeLists.txt": "", "CMakeLists.txt": "add_definitions(-DAPP_ON_GPU)\n" + TOP}, True),
        ({"cpu/CMakeLists.txt": "add_compile_definitions(APP_ON_GPU)\n" + CPU}, True),
        ({"cpu/CMakeLists.txt": CPU + "target_compile_definitions(app PRIVATE APP_ON_GPU)\n"}, True),
        ({"src/chosen.cpp": "#define APP_ON_GPU\n" + CHOSEN}, True),
        ({"gpu/CMakeLists.txt": "function(f)\nadd_definitions(-DAPP_ON_GPU)\nendfunction()\n"}, True),
    ],
)
def test_what_a_macro_of_another_folder_opens_is_not_compiled(
    files: dict[str, str], links: bool, tmp_path: Path
) -> None:
    whole = {"CMakeLists.txt": TOP, "cpu/CMakeLists.txt": CPU, "gpu/CMakeLists.txt": GPU, "src/chosen.cpp": CHOSEN}
    made = converted(tmp_path, {**whole, **files})
    assert ("hip::host" in made.get("cpu/CMakeLists.txt", "")) is links


@pytest.mark.parametrize(("include", "links"), [("<memory.h>", False), ('"memory.h"', True), ("<gpu/memory.h>", True)])
def test_a_header_of_c_is_the_systems(include: str, links: bool, tmp_path: Path) -> None:
    files = {"src/gpu/memory.h": "#include <cuda_runtime.h>\n", "src/a.cpp": f"#include {include}\nint main() {{}}\n"}
    files["CMakeLists.txt"] = HEAD + "add_library(k src/k.cu)\nadd_executable(app src/a.cpp)\n"
    assert ("hip::host" in converted(tmp_path, files)["CMakeLists.txt"]) is links


CUDA_SIDE = '#include "plain.h"\n#ifdef WITH_GPU\n#include "inner.h"\n#endif\nint f() { return 0; }\n'


@pytest.mark.parametrize(
    ("files", "linked"),
    [
        pytest.param({}, False, id="the macro of another folder"),
        pytest.param({"CMakeLists.txt": "add_definitions(-DWITH_GPU=1)\n"}, True, id="of a folder around it"),
        pytest.param({"cpu/CMakeLists.txt": "add_compile_definitions(WITH_GPU)\n"}, True, id="of its own"),
        pytest.param(
            {"CMakeLists.txt": "target_compile_definitions(all INTERFACE WITH_GPU)\n"}, True, id="of a target"
        ),
        pytest.param({"src/plain.h": "#define WITH_GPU 1\n"}, True, id="of a header"),
        pytest.param(
            {"gpu/CMakeLists.txt": "function(f)\nadd_definitions(-DWITH_GPU)\nendfunction()\n"}, True, id="called"
        ),
    ],
)
def test_headers_behind_a_macro_that_the_target_never_has_are_not_read(
    tmp_path: Path, files: dict[str, str], linked: bool
) -> None:
    own = {"src/both.cpp": CUDA_SIDE, "src/plain.h": "", "src/CMakeLists.txt": ""}
    texts = {
        "CMakeLists.txt": HEAD + files.get("CMakeLists.txt", "") + "add_subdirectory(gpu)\nadd_subdirectory(cpu)\n",
        "gpu/CMakeLists.txt": files.get("gpu/CMakeLists.txt", "add_definitions(-DWITH_GPU=1)\n")
        + "add_library(g ../src/both.cpp ../src/k.cu)\n",
        "cpu/CMakeLists.txt": files.get("cpu/CMakeLists.txt", "") + "add_library(c ../src/both.cpp)\n",
    }
    made = converted(tmp_path, own | files | texts)
    assert ("hip::" in made.get("cpu/CMakeLists.txt", "")) is linked
    assert linked or "hip::" in made["gpu/CMakeLists.txt"]


@pytest.mark.parametrize(("name", "linked"), [("<memory.h>", False), ('"memory.h"', True), ("<storage.h>", True)])
def test_a_standard_header_is_not_the_projects_own(tmp_path: Path, name: str, linked: bool) -> None:
    own = {"gpu/memory.h": "#include <cuda_runtime.h>\n", "gpu/storage.h": "#include <cuda_runtime.h>\n"}
    text = HEAD + "add_executable(app main.cpp k.cu)\n"
    made = converted(
        tmp_path, own | {"main.cpp": f"#include {name}\n", "k.cu": SOURCES["src/k.cu"], "CMakeLists.txt": text}
    )
    assert ("hip::" in made["CMakeLists.txt"]) is linked


PLAIN, SIDED = "target_link_libraries(app m)\n", "target_link_libraries(app PRIVATE m)\n"


@pytest.mark.parametrize(
    ("makes", "found"),
    [("cuda_add_library", "find_package(CUDA)\n"), ("add_library", "")],
    ids=["FindCUDA", "language"],
)
@pytest.mark.parametrize(
    ("inside", "beside", "after", "line"),
    [
        pytest.param(PLAIN, SIDED, "", "  target_link_libraries(app hip::host)", id="another branch's target"),
        pytest.param(SIDED, PLAIN, "", "  target_link_libraries(app PRIVATE hip::host)", id="its own"),
        pytest.param("", PLAIN, SIDED, "  target_link_libraries(app PRIVATE hip::host)", id="behind both branches"),
    ],
)
def test_the_form_of_a_link_is_that_of_its_branch(
    tmp_path: Path, makes: str, found: str, inside: str, beside: str, after: str, line: str
) -> None:
    sources = "src/host.cpp src/k.cu"
    branches = (
        f"if(GPU)\n  {makes}(app {sources})\n  {inside}else()\n  add_library(app src/plain.cpp)\n  {beside}endif()\n"
    )
    made = lines(tmp_path, found + branches + after)
    assert line in made


SEARCHING = "if(GPU)\n  enable_language(CUDA)\n  {}\nendif()\n"
PROFILED = "if(PROFILE)\n    find_package(CUDAToolkit REQUIRED)\n  endif()"


@pytest.mark.parametrize(
    ("search", "looks"), [(PROFILED, ["find_package(hip QUIET)"]), ("find_package(CUDAToolkit REQUIRED)", [])]
)
def test_a_search_under_one_more_condition_than_the_language_is_none(
    search: str, looks: list[str], tmp_path: Path
) -> None:
    files = {
        "CMakeLists.txt": f"project(app CXX)\n{SEARCHING.format(search)}add_subdirectory(src)\n",
        "src/CMakeLists.txt": "add_executable(app host.cpp)\nadd_executable(other main.cpp)\n",
    }
    assert converted(tmp_path, files)["src/CMakeLists.txt"].splitlines() == [
        *looks,
        "add_executable(app host.cpp)",
        "target_link_libraries(app $<TARGET_NAME_IF_EXISTS:hip::host>)",
        "add_executable(other main.cpp)",
        "target_link_libraries(other $<TARGET_NAME_IF_EXISTS:hip::host>)",
    ]


@pytest.mark.parametrize(("others", "linked"), [("", True), ("add_library(core main.cpp)\n", False)])
def test_a_file_that_is_included_gives_sources_to_the_one_target_of_a_name(
    others: str, linked: bool, tmp_path: Path
) -> None:
    files = {
        "CMakeLists.txt": f'{HEAD}add_library(core "")\ninclude(src/CMakeLists.txt)\n',
        "src/CMakeLists.txt": 'target_sources(core PRIVATE "${CMAKE_CURRENT_LIST_DIR}/host.cpp")\n',
        "other/CMakeLists.txt": others,
    }
    made = converted(tmp_path, files)["CMakeLists.txt"]
    assert ('add_library(core "")\ntarget_link_libraries(core hip::host)\n' in made) == linked
