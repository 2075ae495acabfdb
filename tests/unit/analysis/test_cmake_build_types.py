"""Projects of CMake in which nothing says how much kernels are optimised, over the files of a tree."""

from __future__ import annotations

import pytest

from cudamigrate.analysis import cmake_tree

TOP = "project(a CXX CUDA)\nadd_subdirectory(src)\n"
MADE = "add_library(k k.cu)\n"


def unnamed(files: dict[str, str]) -> set[str]:
    """The files that are to say how much kernels are optimised."""
    found = cmake_tree.facts({name: text.encode() for name, text in files.items()})
    return {path for path, one in found.items() if one.unnamed}


@pytest.mark.parametrize(
    "more",
    [
        "",
        'set(CMAKE_CXX_FLAGS "-O3")',
        'set(CMAKE_CUDA_FLAGS_RELEASE "-O2 -DNDEBUG")',
        "add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-O2>)",
        "target_compile_options(k PRIVATE $<$<CONFIG:Release>:-O3>)",
        "if(CMAKE_BUILD_TYPE)\nendif()\nmessage(STATUS ${CMAKE_BUILD_TYPE} CMAKE_BUILD_TYPE)",
        "set(CMAKE_CUDA_FLAGS -Ofoo)",
        "set(CUDA_NVCC_FLAGS -O3)",
        'set(CMAKE_CXX_FLAGS_RELEASE "-O3")\nset(CMAKE_CUDA_FLAGS "${CMAKE_CXX_FLAGS}")',
        "list(APPEND MY_DEBUG_FLAGS -G)",
        "if(DEBUG_GPU)\n  add_compile_options(-G)\nelse()\n  add_compile_options(-lineinfo)\nendif()",
        'if(DEBUG_GPU)\n  set(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} -O0 -g")\nendif()',
        "target_compile_options(k PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wall -O3>)",
        "target_compile_options(k PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:$<IF:$<CONFIG:Debug>,-G -lineinfo,-lineinfo>>)",
        "set(F $<IF:$<CONFIG:Debug>,\n -G -src-in-ptx,\n -lineinfo> -maxrregcount=70)\n"
        "target_compile_options(k PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:${F}>)",
        "set(F -O3 -Wall)\ntarget_compile_options(k PRIVATE $<$<COMPILE_LANGUAGE:CXX>:${F}>)",
        'set(F "-O3")\nset(CMAKE_CXX_FLAGS "${CMAKE_CXX_FLAGS} ${F}")',
        'set(is_cxx "$<COMPILE_LANGUAGE:CXX>")\nadd_compile_options($<${is_cxx}:-O3>)',
        "add_compile_options($<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<CONFIG:Debug>>:-G>)",
        "add_compile_options($<$<STREQUAL:$<UPPER_CASE:$<CONFIG>>,RELEASE>:-O3>)",
        "if(CMAKE_BUILD_TYPE STREQUAL Debug OR CMAKE_BUILD_TYPE STREQUAL Dev)\nset(CMAKE_CUDA_FLAGS -G)\nendif()",
        "if(MSVC)\nadd_compile_options(-O2)\nendif()",
        'set(CMAKE_SHARED_LINKER_FLAGS "-Wl,-O1")\nadd_link_options(-O2)',
        "add_custom_command(OUTPUT a COMMAND gcc -O3 a.c)",
        'option(FAST "compile with -O3" OFF)\nset(CMAKE_CUDA_FLAGS "" CACHE STRING "such as -O3")',
        "set_source_files_properties(a.cpp b.c PROPERTIES COMPILE_FLAGS -O3)",
        "append_flag(CMAKE_CXX_FLAGS -O3)",
        'target_compile_options(k PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:--use_fast_math;-Xptxas;-O3;-lineinfo>")',
        "target_compile_options(k PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-Xptxas -O3>)",
        'set(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} -Xptxas=-O3")',
        'set(CMAKE_CUDA_FLAGS "--ptxas-options=-v,-O3")',
    ],
)
def test_nothing_is_said_where_no_kernel_gets_it(more: str) -> None:
    assert unnamed({"CMakeLists.txt": TOP, "src/CMakeLists.txt": f"{MADE}{more}\n"}) == {"CMakeLists.txt"}


@pytest.mark.parametrize(
    "more",
    [
        "set(CMAKE_BUILD_TYPE Release)",
        'set(CMAKE_CUDA_FLAGS "-Xptxas -v -O3")',
        'set(CMAKE_CUDA_FLAGS "-Xcompiler -O3")',
        "set_property(CACHE CMAKE_BUILD_TYPE PROPERTY VALUE Release)",
        "rapids_cmake_build_type(Release)",
        "add_compile_options(-O2)",
        'set(CMAKE_CUDA_FLAGS "${CMAKE_CUDA_FLAGS} -Xcompiler -Wall,-O2")',
        "target_compile_options(k PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-O1>)",
        "target_compile_options(k PRIVATE $<$<COMPILE_LANGUAGE:CXX,CUDA>:-O1>)",
        "target_compile_options(k PRIVATE $<$<NOT:$<CONFIG:Debug>>:-O3>)",
        "set(CMAKE_CUDA_FLAGS -G)",
        "if(DEBUG_GPU)\n  add_compile_options(-G)\nelse()\n  add_compile_options(-O2)\nendif()",
        "if(CUDA_FOUND)\n  add_compile_options(-G)\nendif()",
        "if(USE_GPU)\n  add_compile_options(-G)\n  add_library(l l.cu)\nendif()",
        'set(CMAKE_CXX_FLAGS "-O3")\nset(CMAKE_CUDA_FLAGS "${CMAKE_CXX_FLAGS}")',
        'set(CMAKE_CUDA_FLAGS "${CMAKE_CXX_FLAGS_RELEASE}")',
        "target_compile_options(k PRIVATE $<$<COMPILE_LANG_AND_ID:CUDA,NVIDIA>:-O3>)",
        "target_compile_options(k PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:$<IF:$<CONFIG:Debug>,-G,-O2>>)",
        "set(F -O3 -Wall)\ntarget_compile_options(k PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:${F}>)",
        'set(is_cuda "$<COMPILE_LANGUAGE:CUDA>")\nadd_compile_options($<${is_cuda}:-O3>)',
        "add_compile_options($<$<BOOL:${FAST}>:-O3>)",
        "add_compile_options($<$<OR:$<COMPILE_LANGUAGE:CXX>,$<COMPILE_LANGUAGE:CUDA>>:-O3>)",
        "if(CMAKE_BUILD_TYPE STREQUAL Debug)\nelse()\nset(CMAKE_CUDA_FLAGS -O3)\nendif()",
        "if(CMAKE_BUILD_TYPE STREQUAL Debug OR FAST)\nset(CMAKE_CUDA_FLAGS -O3)\nendif()",
        "foreach(L CXX CUDA)\nset(CMAKE_${L}_FLAGS -O3)\nendforeach()",
        'set(CXX_F -O3)\nset(CMAKE_CUDA_FLAGS "${${LANGUAGE}_F}")',
        "set_source_files_properties(a.cpp k.cu PROPERTIES COMPILE_FLAGS -O3)",
        "append_flag(CMAKE_CUDA_FLAGS -O3)\nappend_flag(CMAKE_CXX_FLAGS -O3)",
        "my_options(k -O3)",
    ],
)
def test_what_is_said_anywhere_in_the_project_counts(more: str) -> None:
    assert not unnamed({"CMakeLists.txt": TOP, "src/CMakeLists.txt": f"{MADE}{more}\n"})


HOST = "add_library(h STATIC h.cpp ${MORE})\nset(MORE m.cc)\ntarget_sources(h PRIVATE n.c)\n"


@pytest.mark.parametrize(
    "more",
    [
        "target_compile_options(h PRIVATE -O3)",
        "set(F -O3)\ntarget_compile_options(h PRIVATE ${F})",
        "set_target_properties(h PROPERTIES COMPILE_FLAGS -O3)",
        "set_property(TARGET h APPEND PROPERTY COMPILE_OPTIONS -O3)",
        "add_library(l l.cu)\ntarget_compile_options(l PRIVATE -O3)",
        "add_library(${N} l.cu)\ntarget_compile_options(${N} PRIVATE -O3)",
    ],
)
def test_what_another_target_alone_is_given_reaches_no_kernel(more: str) -> None:
    assert unnamed({"CMakeLists.txt": TOP, "src/CMakeLists.txt": f"{MADE}{HOST}{more}\n"}) == {"CMakeLists.txt"}


@pytest.mark.parametrize(
    "more",
    [
        "target_compile_options(k PRIVATE -O3)\ntarget_compile_options(h PRIVATE -O2)",
        "target_compile_options(h PUBLIC -O3)",
        "set_target_properties(h PROPERTIES INTERFACE_COMPILE_OPTIONS -O3)",
        "set_property(TARGET h k PROPERTY COMPILE_OPTIONS -O3)",
        "foreach(T h k)\ntarget_compile_options(${T} PRIVATE -O3)\nendforeach()",
        "add_library(l ${UNSEEN})\ntarget_compile_options(k PRIVATE -O3)",
        "add_library(l l.cu)\nset_target_properties(k l PROPERTIES COMPILE_FLAGS -O3)",
    ],
)
def test_what_all_targets_with_kernels_may_get_counts(more: str) -> None:
    assert not unnamed({"CMakeLists.txt": TOP, "src/CMakeLists.txt": f"{MADE}{HOST}{more}\n"})


def test_a_target_whose_sources_are_not_all_seen_may_have_kernels() -> None:
    given = "target_compile_options(l PRIVATE -O3)\n"
    seen = "project(a CXX CUDA)\nfile(GLOB S *.cu)\nadd_library(k ${UNSEEN})\n"
    assert not unnamed({"CMakeLists.txt": f"{seen}add_library(l ${{UNSEEN}})\n{given}"})
    of_cuda = "set_source_files_properties(l.cpp PROPERTIES LANGUAGE CUDA)\n"
    assert not unnamed({"CMakeLists.txt": f"{seen}add_library(l l.cpp)\n{given}{of_cuda}"})
    assert unnamed({"CMakeLists.txt": f"{seen}add_library(l l.cpp)\n{given}"})


def test_a_project_in_another_takes_what_that_says() -> None:
    inner = f"project(b CUDA)\n{MADE}"
    assert not unnamed({"CMakeLists.txt": "project(a CXX)\nset(CMAKE_BUILD_TYPE Debug)\n", "src/CMakeLists.txt": inner})
    files = {"one/CMakeLists.txt": "project(a CXX)\nset(CMAKE_BUILD_TYPE Debug)\n", "two/CMakeLists.txt": inner}
    assert unnamed(files) == {"two/CMakeLists.txt"}


def test_a_project_without_kernels_or_targets_is_left() -> None:
    assert not unnamed({"CMakeLists.txt": "project(a CXX)\nfind_package(CUDAToolkit)\nadd_library(k k.cpp)\n"})
    assert not unnamed({"CMakeLists.txt": "project(a CXX CUDA)\n"})
    old = "project(a CXX)\nfind_package(CUDA)\ncuda_add_library(k k.cu)\n"
    assert unnamed({"CMakeLists.txt": old})
    assert not unnamed({"CMakeLists.txt": f"{old}set(CUDA_NVCC_FLAGS -O3)\n"})
    assert unnamed({"CMakeLists.txt": "project(a CXX)\nfind_package(CUDA)\nfind_package(Torch)\nadd_library(k k.cu)\n"})


def test_a_project_whose_folder_has_no_source_for_the_gpu_is_left() -> None:
    named = "project(b CXX CUDA)\nadd_executable(b b.cpp)\n"
    files = {"one/CMakeLists.txt": "project(a CXX CUDA)\nadd_library(k ${S})\n", "two/CMakeLists.txt": named}
    data = {name: text.encode() for name, text in files.items()}
    found = cmake_tree.facts(data, sources={"one/src/k.cu"})
    assert {path for path, one in found.items() if one.unnamed} == {"one/CMakeLists.txt"}
    assert unnamed({"CMakeLists.txt": f"{named}set_source_files_properties(b.cpp PROPERTIES LANGUAGE CUDA)\n"})
