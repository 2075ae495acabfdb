"""Which targets link another library of OpenMP than the code of their files asks for."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.rule_tests import find_in_text

HEAD = "project(p LANGUAGES CXX CUDA)\nfind_package(OpenMP)\n"
MAKES = "add_executable(app a.cu)\n"
LINKS = "target_link_libraries(app OpenMP::OpenMP_CXX)\n"
FOR_CUDA = "target_compile_options(app PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler={}>)\n"
GIVES = FOR_CUDA.format("-fopenmp")


def found(text: str) -> int:
    result = find_in_text(HEAD + text, "CMakeLists.txt")
    return [one.rule for one in result.findings].count("build/cmake-openmp")


@pytest.mark.parametrize(
    "text",
    [
        MAKES + LINKS + GIVES,
        MAKES + LINKS + FOR_CUDA.format("${OpenMP_CXX_FLAGS}"),
        MAKES + LINKS + "target_compile_options(app PRIVATE -Xcompiler -fopenmp)\n",
        MAKES + LINKS + "add_compile_options($<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-fopenmp>)\n",
        f"set(S a.cu)\nadd_library(app ${{S}})\n{LINKS}{GIVES}",
        "file(GLOB S *.cpp)\nset_source_files_properties(${S} PROPERTIES LANGUAGE CUDA)\n"
        f"add_executable(app ${{S}} a.h)\n{LINKS}{GIVES}",
        f'{MAKES}{LINKS}{GIVES}set(CMAKE_CXX_FLAGS "${{CMAKE_CXX_FLAGS}} -fopenmp")\n',
        f"{MAKES}if(OpenMP_FOUND)\n{LINKS}{GIVES}endif()\n",
    ],
)
def test_files_for_the_gpu_are_compiled_with_openmp(text: str) -> None:
    assert found(text) == 1


@pytest.mark.parametrize(
    "text",
    [
        MAKES + LINKS,
        MAKES + GIVES,
        MAKES + LINKS + FOR_CUDA.format("-fopenmp-simd"),
        MAKES + LINKS + "target_compile_options(app PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fopenmp>)\n",
        MAKES + LINKS + "target_compile_options(app PRIVATE $<$<NOT:$<COMPILE_LANGUAGE:CUDA>>:-fopenmp>)\n",
        MAKES + LINKS + "target_compile_options(other PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-fopenmp>)\n",
        MAKES + "target_link_libraries(host OpenMP::OpenMP_CXX)\n" + GIVES,
        "add_executable(app main.cpp)\n" + LINKS + GIVES,
        MAKES + LINKS + GIVES + "target_link_options(app PRIVATE -fopenmp)\n",
        MAKES + LINKS + GIVES + "target_link_libraries(app omp)\n",
        MAKES + LINKS + GIVES + 'set(CMAKE_CUDA_FLAGS "-Xcompiler=-fopenmp")\n',
        f"{MAKES}if(A)\n{LINKS}else()\n{GIVES}endif()\n",
    ],
)
def test_other_targets_link_what_they_ask_for(text: str) -> None:
    assert found(text) == 0
