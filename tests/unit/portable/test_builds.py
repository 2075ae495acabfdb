"""Build files ask a switch, and build for CUDA as before without it."""

from __future__ import annotations

from cudamigrate import edits
from cudamigrate.model import Edit, Fix, Span
from cudamigrate.portable import builds


def made(language: str, path: str, text: str, *changes: tuple[str, str]) -> tuple[str, dict[Fix, str]]:
    data = text.encode()
    fixes = []
    for old, new in changes:
        at = data.index(old.encode())
        fixes.append(Fix((Edit(Span(at, at + len(old)), new.encode()),), "safe"))
    fix, left = builds.around(language, path, data, fixes, "USE_HIP")
    return (data if fix is None else edits.apply(data, [fix]).data).decode(), left


def test_cmake_gets_an_option_and_a_choice():
    text, left = made(
        "cmake",
        "CMakeLists.txt",
        "project(p LANGUAGES CXX)\nif(USE_CUDA)\n  enable_language(CUDA)\nendif()\n",
        ("enable_language(CUDA)", "enable_language(HIP)"),
    )
    assert not left
    assert text.startswith('option(USE_HIP "') and text.count("option(") == 1
    assert "add_compile_definitions(__HIP_PLATFORM_AMD__)" in text
    assert "  if(USE_HIP)\n    enable_language(HIP)\n  else()\n    enable_language(CUDA)\n  endif()\nendif()\n" in text


def test_a_condition_of_cmake_asks_for_either():
    text = "if(NOT CUDA_FOUND)\n  f()\nelseif(A OR CUDA_FOUND)\n  g()\nendif()\n"
    after, left = made("cmake", "a.cmake", text, ("CUDA_FOUND", "hip_FOUND"), ("A OR CUDA", "A OR hip"))
    assert not left
    first = "if((USE_HIP AND (NOT hip_FOUND)) OR (NOT USE_HIP AND (NOT CUDA_FOUND)))\n  f()\n"
    second = "elseif((USE_HIP AND (A OR hip_FOUND)) OR (NOT USE_HIP AND (A OR CUDA_FOUND)))\n  g()\n"
    assert after == f"{first}{second}endif()\n"


def test_quotes_that_cmake_needs_in_one_form_of_a_condition_are_in_both():
    quoted = ("${RELEASE}", '"${RELEASE}"')
    text, _ = made("cmake", "a.cmake", "if(${RELEASE} GREATER 7)\nendif()\n", quoted)
    assert text == 'if("${RELEASE}" GREATER 7)\nendif()\n'
    text, _ = made("cmake", "a.cmake", "if(CUDA_FOUND AND ${RELEASE} LESS 7)\nendif()\n", quoted, ("CUDA", "hip"))
    hip, cuda = (f'({word}_FOUND AND "${{RELEASE}}" LESS 7)' for word in ("hip", "CUDA"))
    assert text == f"if((USE_HIP AND {hip}) OR (NOT USE_HIP AND {cuda}))\nendif()\n"


def test_what_repeats_a_condition_loses_it():
    text, _ = made("cmake", "a.cmake", "if(A)\n  f()\nendif(CUDA_FOUND)\n", ("CUDA_FOUND", "hip_FOUND"))
    assert text == "if(A)\n  f()\nendif()\n"


def test_a_condition_with_a_comment_and_the_head_of_a_loop_are_left_and_told():
    for text in ("if(CUDA_FOUND # a\n)\n  f()\nendif()\n", "foreach(a ${CUDA_FOUND})\n  f()\nendforeach()\n"):
        after, left = made("cmake", "a.cmake", text, ("CUDA_FOUND", "hip_FOUND"))
        assert (after, len(left)) == (text, 1)


def test_the_option_follows_the_version_of_cmake_and_raises_it_for_hip():
    text, _ = made(
        "cmake",
        "CMakeLists.txt",
        "cmake_minimum_required(VERSION 3.5)\nproject(p LANGUAGES CXX CUDA)\n",
        ("VERSION 3.5", "VERSION 3.21"),
        ("CXX CUDA", "CXX HIP"),
    )
    option = 'option(USE_HIP "Build the GPU code for AMD GPUs with HIP instead of CUDA" OFF)\nif(USE_HIP)\n'
    assert text == (
        f"cmake_minimum_required(VERSION 3.5)\n{option}  cmake_minimum_required(VERSION 3.21)\n"
        "  add_compile_definitions(__HIP_PLATFORM_AMD__)\nendif()\n"
        "if(USE_HIP)\n  project(p LANGUAGES CXX HIP)\nelse()\n  project(p LANGUAGES CXX CUDA)\nendif()\n"
    )


def test_a_configured_file_asks_for_the_value_that_it_is_configured_with():
    text, _ = made("cmake", "p-config.cmake.in", "find_dependency(CUDAToolkit)\n", ("CUDAToolkit", "hip"))
    assert text.startswith("if(@USE_HIP@)\n")


def test_text_over_lines_is_not_indented():
    text, _ = made("cmake", "a.cmake", 'set(A "x\n y CUDA")\n', ("CUDA", "HIP"))
    assert text == 'if(USE_HIP)\nset(A "x\n y HIP")\nelse()\nset(A "x\n y CUDA")\nendif()\n'


def test_the_option_is_called_as_the_one_for_cuda():
    assert (
        builds.switch([b'option(LIB_ENABLE_CUDA "a" ON)\noption(LIB_ENABLE_CUDA_GRAPHS "b" ON)\n']) == "LIB_ENABLE_HIP"
    )
    assert builds.switch([b"option(WITH_TESTS OFF)\n"]) == "USE_HIP"


def test_make_gets_a_switch():
    text, left = made("make", "Makefile", "NVCC = nvcc\nall: a\n\t$(NVCC) \\\n\t  a.cu\n", ("= nvcc", "= hipcc"))
    assert not left
    assert text == (
        "# make USE_HIP=1 builds for AMD GPUs with HIP.\n"
        "ifeq ($(USE_HIP),1)\nNVCC = hipcc\nelse\nNVCC = nvcc\nendif\nall: a\n\t$(NVCC) \\\n\t  a.cu\n"
    )


def test_a_recipe_may_hold_the_choice_and_a_conditional_may_not_change():
    text, left = made("make", "Makefile", "a: a.cu\n\tnvcc a.cu \\\n\t  -o a\n", ("nvcc", "hipcc"))
    assert "ifeq ($(USE_HIP),1)\n\thipcc a.cu \\\n\t  -o a\nelse\n\tnvcc a.cu \\\n\t  -o a\nendif\n" in text
    _, left = made("make", "Makefile", "ifdef CUDA_PATH\nA = 1\nendif\n", ("CUDA_PATH", "HIP_PATH"))
    assert len(left) == 1


OWN = "ifeq ($(GPU), AMD)\n\tCC = hipcc\n\tF = --old\nendif\na: a.o\n\t$(CC) a.o -lcudart\n"


def test_a_makefile_with_a_build_for_amd_is_asked_by_its_own_condition():
    text, left = made("make", "Makefile", OWN, ("-lcudart", "-lamdhip64"))
    recipe = "ifeq ($(GPU),AMD)\n\t$(CC) a.o -lamdhip64\nelse\n\t$(CC) a.o -lcudart\nendif\n"
    assert text == OWN.replace("\t$(CC) a.o -lcudart\n", recipe) and not left
    two = OWN.replace("ifeq", "ifdef X\nifeq") + "endif\n"
    text, left = made("make", "Makefile", two, ("-lcudart", "-lamdhip64"))
    assert text == two and "condition of the file's own" in next(iter(left.values()))


def test_what_a_build_for_hip_alone_has_changes_without_a_switch():
    for language, text in (("make", OWN), ("make", "F = --old\nL = -lcudart\n"), ("cmake", "set(F --old)\n")):
        at = text.index("--old")
        fix = Fix((Edit(Span(at, at + 5), b"--new"),), "safe")
        found, left = builds.around(language, "f", text.encode(), [fix], "USE_HIP", {fix})
        assert found is not None and not left
        assert edits.apply(text.encode(), [found]).data.decode() == text.replace("--old", "--new")
    plain, _ = made("make", "Makefile", "F = --old\n", ("--old", "--new"))  # not known to be HIP's
    assert "USE_HIP" in plain
