"""What CMake files of a tree say of each other: sources of wrappers, places for the language, packages of CCCL."""

from __future__ import annotations

import pytest

from cudamigrate.analysis import cmake_options, cmake_targets, cmake_tree
from cudamigrate.frontends import cmake
from cudamigrate.model import SourceFile
from cudamigrate.model.cmake_facts import CMakeFacts
from cudamigrate.rewrites import cmake_minimum

CASE = "function(case name)\n  add_executable(${name} ${ARGN})\nendfunction()\n"
OLD = "project(a CXX)\n"
BUILDS = "cuda_add_library(k a.cu)\n"


def targets(files: dict[str, str], path: str) -> list[tuple[str, bool]]:
    """The sources for the GPU, as written, of the targets in a file of a tree, and whether they are nothing else."""
    facts = cmake_tree.facts({name: text.encode() for name, text in files.items()})
    parsed = cmake.parse_among(SourceFile(path, files[path].encode(), "cmake"), facts.get(path, CMakeFacts()))
    return [(" ".join(one.text for one in target.chosen), target.pure) for target in cmake_targets.of(parsed)]


def facts(files: dict[str, str]) -> dict[str, CMakeFacts]:
    """What the files of a tree say of each other."""
    return cmake_tree.facts({name: text.encode() for name, text in files.items()})


@pytest.mark.parametrize(
    ("text", "chosen"),
    [
        (f"{CASE}case(a a.cu)", [("${ARGN}", False)]),
        (f"{CASE}Case(a m.cpp)\nCASE(b m.cpp b.cu)", [("${ARGN}", False)]),
        (f"{CASE}set(S a.cu)\ncase(a ${{S}})", [("${ARGN}", False)]),
        (f"{CASE}case(a m.cpp)", []),
        (f"{CASE}other(a a.cu)", []),
        (CASE, []),
        ("function(case n)\nadd_executable(${n} ${n}.cu)\nendfunction()\ncase(a)", [("${n}.cu", True)]),
        ("function(case n s)\nadd_library(${n} x/${n}.${s})\nendfunction()\ncase(a cu)", [("x/${n}.${s}", False)]),
        ("function(case n s)\nadd_library(${n} x/${n}.${s})\nendfunction()\ncase(a cpp)", []),
        ("function(case n s)\nadd_library(${n} ${s})\nendfunction()\ncase(a.cu a.cpp)", []),
        ("macro(case n s)\nadd_library(${n} ${s})\nendmacro()\ncase(a a.cu)", [("${s}", False)]),
        (
            "macro(case)\nforeach(f ${ARGN})\nadd_library(k ${f})\nendforeach()\nendmacro()\ncase(a.cu)",
            [("${f}", False)],
        ),
        ("function(case)\nset(s ${ARGV1} m.cpp)\nadd_library(k ${s})\nendfunction()\ncase(k a.cu)", [("${s}", False)]),
        ("function(case)\nset(s ${ARGV1} m.cpp)\nadd_library(k ${s})\nendfunction()\ncase(a.cu k)", []),
        (f"{CASE}function(more n)\ncase(${{n}} ${{ARGN}})\nendfunction()\nmore(a a.cu)", [("${ARGN}", False)]),
        (f"{CASE}function(add_more n)\ncase(${{n}} ${{ARGN}})\nendfunction()\nadd_more(a a.cu)", [("${ARGN}", False)]),
        ("function(add_case n)\nmessage(${n})\nendfunction()\nadd_case(a a.cu)", [("a.cu", True)]),
        (f"{CASE}set(P a a.cu)\nlist(GET P 0 n)\nlist(GET P 1 s)\ncase(${{n}} ${{s}})", [("${ARGN}", False)]),
        (f"{CASE}set(P a a.cu)\nlist(LENGTH P s)\ncase(a ${{s}})", []),
        (f"{CASE}set(P a a.cpp)\nlist(GET P 1 s)\ncase(a ${{s}})", []),
        ("set(P a.cu b.cu)\nlist(POP_FRONT P f g)\nadd_library(a ${g})", [("${g}", True)]),
        ("set(P a.cu)\nlist(REMOVE_ITEM P f g)\nadd_library(a ${g})", []),
        ("set(P a.cu b.cu)\nlist(SUBLIST P 0 1 f)\nadd_library(a ${f})", [("${f}", True)]),
        (
            "set(N a)\nset(P a.cu)\nforeach(n f IN ZIP_LISTS N P)\nadd_library(${n} ${f})\nendforeach()",
            [("${f}", True)],
        ),
        ("set(N a.cu)\nset(P a.c)\nforeach(n f IN ZIP_LISTS N P)\nadd_library(${n} ${f})\nendforeach()", []),
        ("set(N a)\nset(P a.cu)\nforeach(p IN ZIP_LISTS N P)\nadd_library(x ${p_1})\nendforeach()", [("${p_1}", True)]),
        ("get_filename_component(f a.cu ABSOLUTE)\nadd_library(a ${f})", [("${f}", True)]),
        ("get_filename_component(f a.cu NAME_WE)\nadd_library(a ${f})", []),
    ],
)
def test_sources_are_followed_into_functions(text: str, chosen: list[tuple[str, bool]]) -> None:
    assert targets({"CMakeLists.txt": text}, "CMakeLists.txt") == chosen


GIVES = "function(pick out)\n  file(GLOB found *.{end})\n  set(${{out}} ${{found}} PARENT_SCOPE)\nendfunction()\n"
USES = "pick(MORE)\nadd_executable(a m.cpp ${MORE})\n"


@pytest.mark.parametrize(
    ("text", "chosen"),
    [
        (GIVES.format(end="cu") + USES, [("${MORE}", True)]),
        (GIVES.format(end="cpp") + USES, []),
        (GIVES.format(end="cu") + "pick(OTHER)\nadd_executable(a m.cpp ${MORE})\n", []),
        ("macro(pick out)\nset(${out} a.cu)\nendmacro()\n" + USES, [("${MORE}", True)]),
        ("function(pick out)\nset(${out} a.cu)\nendfunction()\n" + USES, []),
        ("function(pick)\nset(MORE a.cu PARENT_SCOPE)\nendfunction()\n" + USES, [("${MORE}", True)]),
        (
            "function(pick out)\nlist(APPEND ${out} a.cu)\nset(${out} ${${out}} PARENT_SCOPE)\nendfunction()\n" + USES,
            [("${MORE}", True)],
        ),
        (
            GIVES.format(end="cu").replace("pick", "deep")
            + "function(pick out)\ndeep(${out})\nset(${out} ${${out}} PARENT_SCOPE)\nendfunction()\n"
            + USES,
            [("${MORE}", True)],
        ),
        (
            'function(pick)\ncmake_parse_arguments(A "" "OUT" "" ${ARGN})\n'
            "set(${A_OUT} a.cu PARENT_SCOPE)\nendfunction()\n"
            "pick(OUT MORE)\nadd_executable(a m.cpp ${MORE})\n",
            [("${MORE}", True)],
        ),
    ],
)
def test_what_functions_and_macros_give_back(text: str, chosen: list[tuple[str, bool]]) -> None:
    assert targets({"CMakeLists.txt": text}, "CMakeLists.txt") == chosen
    head, end, rest = text.rpartition("endfunction()\n" if "endfunction" in text else "endmacro()\n")
    files = {"CMakeLists.txt": f"include(cmake/pick.cmake)\n{rest}", "cmake/pick.cmake": head + end}
    assert [names for names, _ in targets(files, "CMakeLists.txt")] == [names for names, _ in chosen]


def test_what_a_folder_gives_to_the_one_around_it() -> None:
    inner = "set(S ${S} k.cu PARENT_SCOPE)\n"
    files = {
        "CMakeLists.txt": "set(S m.cpp)\nadd_subdirectory(in)\nadd_executable(a ${S})\n",
        "in/CMakeLists.txt": inner,
    }
    assert targets(files, "CMakeLists.txt") == [("${S}", False)]
    assert targets({**files, "in/CMakeLists.txt": "set(S ${S} k.cu)\n"}, "CMakeLists.txt") == []
    deeper = {"CMakeLists.txt": files["CMakeLists.txt"], "x/in/CMakeLists.txt": inner}
    assert targets(deeper, "CMakeLists.txt") == [("${S}", False)]
    beside = {**files, "in/CMakeLists.txt": "", "other/more/CMakeLists.txt": inner, "other/CMakeLists.txt": ""}
    assert targets(beside, "CMakeLists.txt") == []


def test_included_files_fill_the_variables_of_those_that_include_them() -> None:
    files = {
        "CMakeLists.txt": "set(S m.cpp)\ninclude(cmake/gpu.cmake)\nadd_executable(a ${S})\n",
        "cmake/gpu.cmake": "list(APPEND S k.cu)\n",
    }
    assert targets(files, "CMakeLists.txt") == [("${S}", False)]
    assert targets({**files, "cmake/gpu.cmake": "list(APPEND S k.cpp)\n"}, "CMakeLists.txt") == []
    assert targets({**files, "CMakeLists.txt": "set(S m.cpp)\nadd_executable(a ${S})\n"}, "CMakeLists.txt") == []


def test_sources_that_another_file_renames_are_not_all_for_the_gpu() -> None:
    """A build without a GPU takes copies for the host: the language is for those that keep their ending."""
    users = "include(cmake/copies.cmake)\nset(S a.cu)\nif(CPU)\n  copies(S)\nendif()\nadd_library(a ${S})\n"
    files = {"CMakeLists.txt": users, "cmake/copies.cmake": GIVES.format(end="cc").replace("pick", "copies")}
    assert targets(files, "CMakeLists.txt") == [("${S}", False)]
    unused = {**files, "CMakeLists.txt": users.replace("copies(S)", "copies(T)")}
    assert targets(unused, "CMakeLists.txt") == [("${S}", True)]


PARSED = (
    "function(case)\n  set(several SOURCES DEPENDS)\n"
    '  cmake_parse_arguments(ARG "STATIC" "NAME" "${several}" ${ARGN})\n'
    "  add_library(${ARG_NAME} ${ARG_SOURCES})\n  add_executable(m ${ARG_DEPENDS})\nendfunction()\n"
)


def test_named_arguments_are_told_apart() -> None:
    found = targets({"CMakeLists.txt": f"{PARSED}case(NAME a SOURCES m.cpp a.cu STATIC DEPENDS b)"}, "CMakeLists.txt")
    assert found == [("${ARG_SOURCES}", False)]
    assert targets({"CMakeLists.txt": f"{PARSED}case(NAME a.cu SOURCES m.cpp)"}, "CMakeLists.txt") == []


def test_functions_are_called_in_other_files() -> None:
    files = {
        "cmake/case.cmake": CASE,
        "tests/CMakeLists.txt": "case(a a.cu)",
        "CMakeLists.txt": "include(cmake/case.cmake)",
    }
    assert targets(files, "cmake/case.cmake") == [("${ARGN}", False)]
    assert targets({**files, "tests/CMakeLists.txt": "case(a a.cpp)"}, "cmake/case.cmake") == []


def test_a_call_is_no_target_where_the_function_is_one() -> None:
    case = CASE.replace("case", "add_case")
    files = {"cmake/case.cmake": case, "CMakeLists.txt": "add_case(a a.cu)"}
    assert targets(files, "CMakeLists.txt") == []
    assert targets({"CMakeLists.txt": "add_case(a a.cu)"}, "CMakeLists.txt") == [("a.cu", True)]


def test_a_copy_of_findcuda_leaves_the_calls_to_be_converted() -> None:
    module = "macro(CUDA_ADD_LIBRARY name)\nadd_library(${name} ${ARGN})\nendmacro()\n"
    files = {"cmake/FindCUDA.cmake": module, "CMakeLists.txt": BUILDS}
    assert targets(files, "CMakeLists.txt") == [("a.cu", True)]
    assert targets(files, "cmake/FindCUDA.cmake") == []


def test_variables_are_filled_in_other_files() -> None:
    files = {"cmake/list.cmake": "set(FILES a.cu)", "CMakeLists.txt": "add_library(k ${FILES})"}
    assert targets(files, "CMakeLists.txt") == [("${FILES}", False)]
    beside = {"one/CMakeLists.txt": "set(FILES a.cu)", "two/CMakeLists.txt": "add_library(k ${FILES})"}
    assert targets(beside, "two/CMakeLists.txt") == []
    own = {**files, "CMakeLists.txt": "set(FILES a.cpp)\nadd_library(k ${FILES})"}
    assert targets(own, "CMakeLists.txt") == []


def test_endless_definitions_end() -> None:
    text = "".join(
        f"function(f{n} a)\nset(x ${{x}}${{a}})\nf{(n + 1) % 40}(${{x}})\nendfunction()\n" for n in range(40)
    )
    assert targets({"CMakeLists.txt": f"{text}f0(a.cu)\n"}, "CMakeLists.txt") == []


@pytest.mark.parametrize(
    ("files", "searches", "lacks"),
    [
        ({"c/v.cmake": "find_package(CUDA)", "CMakeLists.txt": f"{OLD}include(c/v.cmake)\n{BUILDS}"}, "c/v.cmake", ""),
        (
            {"c/v.cmake": "find_package(CUDA)", "c/b.cmake": BUILDS, "CMakeLists.txt": f"{OLD}include(c/v.cmake)"},
            "c/v.cmake",
            "",
        ),
        (
            {
                "c/v.cmake": "find_package(CUDA)",
                "CMakeLists.txt": f"{OLD}function(f)\ninclude(c/v.cmake)\nendfunction()\nf()\n{BUILDS}",
            },
            "",
            "CMakeLists.txt",
        ),
        (
            {"one/CMakeLists.txt": "find_package(CUDA)", "two/CMakeLists.txt": BUILDS, "CMakeLists.txt": OLD},
            "",
            "CMakeLists.txt",
        ),
        ({"one/CMakeLists.txt": BUILDS, "CMakeLists.txt": "project(a CXX CUDA)\nfind_package(CUDA)"}, "", ""),
        ({"one/CMakeLists.txt": "add_library(k a.cpp)", "CMakeLists.txt": f"{OLD}find_package(CUDA)"}, "", ""),
        ({"one/CMakeLists.txt": BUILDS, "CMakeLists.txt": f"{OLD}find_package(CUDA)"}, "CMakeLists.txt", ""),
    ],
)
def test_the_language_is_enabled_where_all_targets_see_it(files: dict[str, str], searches: str, lacks: str) -> None:
    found = facts(files)
    assert [path for path, one in found.items() if one.searches] == [searches][: bool(searches)]
    assert [path for path, one in found.items() if one.lacks] == [lacks][: bool(lacks)]


def test_projects_are_told_that_they_use_cuda() -> None:
    files = {
        "CMakeLists.txt": OLD,
        "cmake/v.cmake": "find_package(CUDA)",
        "apart/CMakeLists.txt": "project(b CXX)",
        "src/CMakeLists.txt": "add_library(k a.cpp)",
    }
    assert [path for path, one in facts(files).items() if one.cuda] == ["CMakeLists.txt"]


@pytest.mark.parametrize(
    ("text", "packages"),
    [
        (b"#include <cub/cub.cuh>\n# include <thrust/sort.h>", {"hipcub", "rocthrust"}),
        (b'#include "cuda/std/tuple"\n#include <nv/target>', {"libhipcxx"}),
        (b"#include <cuda/atomic>", {"libhipcxx"}),
        (b"#include <cuda/kernels.h>\n#include <cuda_runtime.h>", set()),
        (b"// #include <cub/cub.cuh>\n#include <cubes/cub.h>", set()),
    ],
)
def test_sources_say_what_they_need_of_cccl(text: bytes, packages: set[str]) -> None:
    assert cmake_tree.packages(text) == packages


def test_nothing_is_said_of_a_tree_without_cuda() -> None:
    assert facts({"CMakeLists.txt": f"{OLD}case(a a.cpp)", "cmake/case.cmake": CASE}) == {}


def test_files_that_see_the_search_of_another() -> None:
    finds = "find_package(CUDA REQUIRED)\n"
    files = {"CMakeLists.txt": finds, "a/CMakeLists.txt": "x()", "a/cmake/b.cmake": "y()"}
    files["a/CMakeLists.txt"] += "\ninclude(cmake/b.cmake)\n"
    assert {path for path, one in facts(files).items() if one.finds} == {"a/CMakeLists.txt", "a/cmake/b.cmake"}
    beside = {"a/CMakeLists.txt": finds, "b/CMakeLists.txt": "x()\n", "CMakeLists.txt": "project(p)\n"}
    assert not any(one.finds for one in facts(beside).values())
    script = {"CMakeLists.txt": "include(cmake/u.cmake)\n", "cmake/u.cmake": finds, "b/CMakeLists.txt": "x()\n"}
    assert {path for path, one in facts(script).items() if one.finds} == {"CMakeLists.txt", "b/CMakeLists.txt"}


def test_the_list_of_options_is_find_cudas_in_all_files_of_its_project() -> None:
    files = {
        "CMakeLists.txt": "project(p)\nfind_package(CUDA)\n",
        "cmake/f.cmake": "list(APPEND CUDA_NVCC_FLAGS -O2)\n",
    }
    assert facts(files)["cmake/f.cmake"].builds
    own = {**files, "CMakeLists.txt": "project(p CUDA)\n"}
    assert not any(one.builds for one in facts(own).values())


def test_patterns_of_files_by_an_operation_that_a_variable_holds() -> None:
    pick = 'function(pick root how)\n  file(${how} found "${root}*.cpp*" "${root}*.cu*")\n'
    pick += "  set(ALL ${ALL} ${found} PARENT_SCOPE)\nendfunction()\n"
    uses = "pick(src/ GLOB)\ncuda_add_executable(a ${ALL})\n"
    assert targets({"CMakeLists.txt": pick + uses}, "CMakeLists.txt") == [("${ALL}", False)]
    plain = pick.replace("*.cu*", "*.custom") + uses.replace("cuda_add", "add")
    assert targets({"CMakeLists.txt": plain}, "CMakeLists.txt") == []


@pytest.mark.parametrize(
    ("path", "text", "sources", "chosen"),
    [
        ("CMakeLists.txt", "aux_source_directory(src S)", ["src/k.cu"], [("${S}", False)]),
        ("CMakeLists.txt", "aux_source_directory(${PROJECT_SOURCE_DIR}/src S)", ["src/k.cu"], [("${S}", False)]),
        ("lib/CMakeLists.txt", "aux_source_directory(. S)", ["lib/k.cu"], [("${S}", False)]),
        ("lib/CMakeLists.txt", "aux_source_directory(${CMAKE_SOURCE_DIR}/src S)", ["src/k.cu"], [("${S}", False)]),
        (
            "CMakeLists.txt",
            "foreach(d one two)\naux_source_directory(${CMAKE_CURRENT_LIST_DIR}/${d} S)\nendforeach()",
            ["two/k.cu"],
            [("${S}", False)],
        ),
        ("CMakeLists.txt", "aux_source_directory(src S)", ["other/k.cu", "src/deep/k.cu"], []),
        ("CMakeLists.txt", "aux_source_directory(src OTHER)", ["src/k.cu"], []),
        ("CMakeLists.txt", "aux_source_directory(${UNKNOWN}/src S)", ["lib/k.cu"], []),
    ],
)
def test_the_sources_of_a_folder_are_for_the_gpu_where_it_has_such(path, text, sources, chosen) -> None:
    scripts = {"CMakeLists.txt": b"project(p LANGUAGES CXX CUDA)\n"}
    scripts[path] = scripts.get(path, b"") + f"{text}\nadd_library(t ${{S}})\n".encode()
    known = cmake_tree.facts(scripts, sources=set(sources)).get(path, CMakeFacts())
    made = cmake_targets.of(cmake.parse_among(SourceFile(path, scripts[path], "cmake"), known))
    assert [(one.chosen[0].text, one.pure) for one in made] == chosen


OPTION = "target_compile_options(k PRIVATE $<%s:-fconcepts>)\n"


def asked(files: dict[str, str], path: str) -> list[str]:
    """The uses in a file of a tree that ask for the language of kernels."""
    found = facts(files).get(path, CMakeFacts())
    parsed = cmake.parse_among(SourceFile(path, files[path].encode(), "cmake"), found)
    return [one.name for one in parsed.uses if "COMPILE_LANG" in one.name or one.kind == "option"]


@pytest.mark.parametrize(
    ("condition", "name"),
    [
        ("$<COMPILE_LANGUAGE:CUDA>", "ignored COMPILE_LANGUAGE:CUDA"),
        ("$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>", "ignored COMPILE_LANG_AND_ID:CUDA"),
        ("$<AND:$<COMPILE_LANGUAGE:CUDA>,$<CONFIG:Debug>>", "ignored COMPILE_LANGUAGE:CUDA"),
        ("$<NOT:$<COMPILE_LANGUAGE:CUDA>>", "COMPILE_LANGUAGE:CUDA"),
        ("$<OR:$<COMPILE_LANGUAGE:CUDA>,$<CONFIG:Debug>>", "COMPILE_LANGUAGE:CUDA"),
        ("$<COMPILE_LANGUAGE:CUDA,CXX>", "COMPILE_LANGUAGE:CUDA"),
        ("$<COMPILE_LANGUAGE:CXX,CUDA>", "COMPILE_LANGUAGE:CUDA"),
    ],
)
def test_options_for_a_language_that_nothing_is_compiled_as_stay(condition: str, name: str) -> None:
    files = {"CMakeLists.txt": OLD + "add_subdirectory(k)\n", "k/CMakeLists.txt": BUILDS + OPTION % condition}
    found = asked(files, "k/CMakeLists.txt")
    assert [one for one in found if one != "-fconcepts" or name.startswith("ignored")] == [name]


@pytest.mark.parametrize(
    ("top", "builds"),
    [("project(a CXX CUDA)\n", BUILDS), (f"{OLD}enable_language(CUDA)\n", BUILDS), (OLD, "add_library(k a.cu)\n")],
)
def test_options_for_a_language_that_is_enabled_or_may_be_are_converted(top: str, builds: str) -> None:
    files = {"CMakeLists.txt": f"{top}add_subdirectory(k)\n"}
    files["k/CMakeLists.txt"] = builds + OPTION % "$<COMPILE_LANGUAGE:CUDA>"
    assert asked(files, "k/CMakeLists.txt") == ["COMPILE_LANGUAGE:CUDA", "-fconcepts"]


@pytest.mark.parametrize(
    ("files", "used"),
    [
        pytest.param({"cmake/cuda.cmake": "set(HOME /usr/local/cuda)"}, {"HOME"}, id="another file sets it"),
        pytest.param({"b/CMakeLists.txt": "set(HOME /opt/cuda-12.1/)"}, {"HOME"}, id="with a release"),
        pytest.param(
            {"cmake/cuda.cmake": "set(HOME /usr/local/cuda)", "b/CMakeLists.txt": "set(HOME /usr)"},
            set(),
            id="two folders",
        ),
        pytest.param({"cmake/cuda.cmake": "set(OTHER /usr/local/cuda)"}, set(), id="another variable"),
    ],
)
def test_a_variable_that_other_files_set_to_the_toolkits_folder(files: dict[str, str], used: set[str]) -> None:
    top = f"{OLD}find_package(CUDA)\nlink_directories(${{HOME}}/lib64 ${{HOME}}/lib64-old)\n"
    made = facts({"CMakeLists.txt": top, **files})["CMakeLists.txt"]
    parsed = cmake.parse_among(SourceFile("CMakeLists.txt", top.encode(), "cmake"), made)
    assert made.toolkits == used
    assert sum(one.name == "lib64 of CUDA" for one in parsed.uses) == len(used)


@pytest.mark.parametrize(
    ("more", "is_unread"),
    [
        ({}, True),
        ({"one/CMakeLists.txt": "find_package(OpenCV)\n"}, True),
        ({"one/CMakeLists.txt": "find_package(CUDA)\n"}, False),
        ({"one/CMakeLists.txt": "project(b CXX)\ncuda_add_library(k a.cu)\n"}, False),
        ({"flags.cmake": "find_package(Torch)\n"}, False),
    ],
)
def test_options_of_findcuda_that_no_file_of_the_project_reads(more: dict[str, str], is_unread: bool) -> None:
    files = {"CMakeLists.txt": "project(a CXX CUDA)\ninclude(set.cmake)\n", "set.cmake": "set(CUDA_NVCC_FLAGS -O3)\n"}
    assert facts({**files, **more}).get("set.cmake", CMakeFacts()).by_language is is_unread


def test_options_of_findcuda_in_a_file_alone_may_be_read_elsewhere() -> None:
    assert not cmake_options.is_unread(cmake.parse(SourceFile("set.cmake", b"set(CUDA_NVCC_FLAGS -O3)\n", "cmake")))


@pytest.mark.parametrize(
    ("inner", "holds"),
    [
        ("project(k CXX CUDA)\n", True),
        ("project(k CXX)\nif(GPU)\nenable_language(CUDA)\nendif()\n", True),
        ("enable_language(CUDA)\n", True),
        ("cmake_minimum_required(VERSION 3.18)\nproject(k CXX CUDA)\n", False),
        ("project(k CXX)\nset(CUDA_NOTES on)\n", False),
    ],
)
def test_minimum_holds_for_a_folder_without_one(inner: str, holds: bool) -> None:
    """CMake reads the folder by the release that the file around it demands; one of its own stops CMake first."""
    top = "cmake_minimum_required(VERSION 3.15)\nproject(a LANGUAGES CXX)\nadd_subdirectory(mid)\n"
    found = facts({"CMakeLists.txt": top, "mid/CMakeLists.txt": "add_subdirectory(k)\n", "mid/k/CMakeLists.txt": inner})
    assert found.get("CMakeLists.txt", CMakeFacts()).minimum is holds
    beside = top.replace("add_subdirectory(mid)", "add_subdirectory(docs)")
    apart = facts({"CMakeLists.txt": beside, "mid/k/CMakeLists.txt": inner})
    assert not apart.get("CMakeLists.txt", CMakeFacts()).minimum


def test_minimum_is_raised_for_a_folder_without_one() -> None:
    """Where the folder gets the language HIP, 3.15 is raised; where it stays as it is, the minimum does."""
    text = b"cmake_minimum_required(VERSION 3.15)\nproject(a LANGUAGES CXX)\nadd_subdirectory(k)\n"
    source = SourceFile("CMakeLists.txt", text, "cmake")
    for said in (True, False):
        parsed = cmake.parse_among(source, CMakeFacts(minimum=said))
        use = next(use for use in parsed.uses if use.name == "cmake_minimum_required")
        assert cmake_minimum.concerns(parsed, use) is said


@pytest.mark.parametrize(("languages", "raised"), [("LANGUAGES CXX", True), ("NONE", False)])
def test_a_project_of_no_language_keeps_its_minimum(languages: str, raised: bool) -> None:
    text = f"cmake_minimum_required(VERSION 3.6)\nproject(fetched {languages})\ninclude(ExternalProject)\n"
    parsed = cmake.parse_among(SourceFile("CMakeLists.txt", text.encode(), "cmake"), CMakeFacts(cuda=True))
    use = next(use for use in parsed.uses if use.name == "cmake_minimum_required")
    assert cmake_minimum.concerns(parsed, use) is raised
