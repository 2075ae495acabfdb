"""Options in lists that commas part go and change without harm to what is beside them."""

from __future__ import annotations

import ast
import re
import shlex
from functools import partial

import pytest

from cudamigrate import edits
from cudamigrate.detection import engine as detect
from cudamigrate.model import SourceFile, Target
from cudamigrate.pipeline.rule_tests import find_in_text
from cudamigrate.rulebase import project_rules
from cudamigrate.syntax import compiler_options
from cudamigrate.syntax.project_file import ProjectFile

ARCH = '"--offload-arch=gfx90a", "--offload-arch=gfx942"'
BOOK = project_rules.load(Target())


def after(text: str) -> tuple[str, list[str]]:
    """The text after the fixes for the options in its strings, and the rules that found them."""
    data = text.encode()
    strings = re.finditer(rb"\"([^\"\n]*)\"|'([^'\n]*)'", data)
    words = [word for match in strings for word in compiler_options.words(data, match.start() + 1, match.end() - 1)]
    parsed = ProjectFile(SourceFile("ci.yml", data, "yaml"), list(compiler_options.uses(words)))
    parsed.rule = partial(BOOK.rule, "yaml")
    found = detect.detect_project_file(parsed, BOOK)
    made = edits.apply(data, [finding.fix for finding in found if finding.fix is not None])
    assert made.rejected == ()
    return made.data.decode(), [finding.rule for finding in found]


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ('["-O3", "--extended-lambda"]', '["-O3"]'),
        ('["--extended-lambda", "-O3"]', '["-O3"]'),
        ('["--extended-lambda"]', "[]"),
        ('["--extended-lambda", "--restrict"]', "[]"),
        ('["--extended-lambda", "--restrict",]', "[]"),
        ('["-O3", "--extended-lambda", "--restrict", "-g"]', '["-O3", "-g"]'),
        ("['-O3', '--extended-lambda',]", "['-O3',]"),
        ('["--threads", "4", "-O3"]', '["-O3"]'),
        ('["-gencode", "arch=compute_80,code=sm_80"]', f"[{ARCH}]"),
        ('["-arch=sm_70", "-arch=sm_80", "-O3"]', f'[{ARCH}, "-O3"]'),
        ('["-Xcompiler", "-fPIC,-Wall"]', '["-fPIC", "-Wall"]'),
        ('["-O3 --extended-lambda -g"]', '["-O3 -g"]'),
        ('[\n    "-O3",\n    "--extended-lambda",  # why\n    "-g",\n]', '[\n    "-O3",\n    # why\n    "-g",\n]'),
        ('[\n    "-O3",\n    "--extended-lambda",\n]', '[\n    "-O3",\n]'),
    ],
)
def test_an_element_goes_or_changes_with_its_comma(before: str, expected: str) -> None:
    made, _ = after(f"args = {before}\n")
    assert made == f"args = {expected}\n"
    ast.parse(made)


def converted(path: str, text: str) -> str:
    """A build file after all its fixes."""
    return find_in_text(text, path, unsafe=False).after


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ("-Xlinker -rpath,'$$ORIGIN:$$ORIGIN/../lib' -g", "-Wl,-rpath,'$$ORIGIN:$$ORIGIN/../lib' -g"),
        ("-Xlinker=-rpath,'$$ORIGIN' -g", "-Wl,-rpath,'$$ORIGIN' -g"),
        ("-Xlinker '-rpath,$$ORIGIN/a b' -g", "-Wl,'-rpath,$$ORIGIN/a b' -g"),
        ('-Xlinker "-rpath,$(LIB)"', '-Wl,"-rpath,$(LIB)"'),
        ('"-Xlinker" "-rpath,$(LIB)" -g', '"-Wl,-rpath,$(LIB)" -g'),
        ("-Xcompiler -DNAME='\"a, b\"' -g", "-DNAME='\"a, b\"' -g"),
        ("-Xcompiler '-Wl,-rpath,$$ORIGIN' -g", "'-Wl,-rpath,$$ORIGIN' -g"),
        ("-Xcompiler '-Wall,$(MORE)' -g", "-Wall $(MORE) -g"),
        ('-Xcompiler "-Wall,-O3" -g', "-Wall -O3 -g"),
    ],
)
def test_the_quotes_of_a_command_line_mean_to_the_shell_what_they_meant(before: str, expected: str) -> None:
    made = converted("Makefile", f"all:\n\tnvcc {before} a.cu\n")
    assert made == f"all:\n\thipcc {expected} a.cu\n"
    assert shlex.split(made)


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        (
            'execute_process(COMMAND ${CMAKE_CUDA_COMPILER} "--extended-lambda" "-c" a.cu)',
            'execute_process(COMMAND ${CMAKE_HIP_COMPILER} "-c" -x hip a.cu)',
        ),
        (
            'execute_process(COMMAND ${CMAKE_CUDA_COMPILER} -c a.cu "--extended-lambda")',
            "execute_process(COMMAND ${CMAKE_HIP_COMPILER} -c -x hip a.cu)",
        ),
        ('target_compile_options(t PRIVATE "-maxrregcount" "4" -g)', "target_compile_options(t PRIVATE -g)"),
        ('set(CMAKE_CUDA_FLAGS "--extended-lambda")', 'set(CMAKE_HIP_FLAGS "")'),
        ('own_cuda_flags(F "--extended-lambda" OUT)', 'own_cuda_flags(F "" OUT)'),
        ('target_compile_options(t PRIVATE "--extended-lambda -g")', 'target_compile_options(t PRIVATE "-g")'),
    ],
)
def test_an_argument_of_cmake_goes_with_its_quotes_where_none_means_something_by_its_place(before, expected) -> None:
    assert converted("CMakeLists.txt", f"{before}\n") == f"{expected}\n"


@pytest.mark.parametrize(
    "text",
    ['args.append("--extended-lambda")\n', 'args.append("-arch=sm_80")\n', 'args = ["-ccbin", compiler]\n'],
)
def test_where_no_list_is_around_it_the_option_is_reported_and_stays(text: str) -> None:
    made, rules = after(text)
    assert rules and all(rule.startswith("build/flag-") for rule in rules)
    assert made == text


@pytest.mark.parametrize(
    ("name", "before", "expected"),
    [
        (
            "a.sh",
            "nvcc -G -O3 a.cu && gcc -O2 b.c\n",
            "hipcc -Xarch_device -g -O3 -Xarch_device -O0 a.cu && gcc -O2 b.c\n",
        ),
        ("a.sh", "nvcc -O3 -G a.cu\n", "hipcc -O3 -Xarch_device -g -Xarch_device -O0 a.cu\n"),
        ("Makefile", "NVCCFLAGS = -g -G \\\n -O2 -Wall\n", "NVCCFLAGS = -g -O2 -Xarch_device -O0 -Wall\n"),
        ("Makefile", "NVCCFLAGS = -g -G # -O2\n", "NVCCFLAGS = -g -Xarch_device -O0 # -O2\n"),
        (
            "CMakeLists.txt",
            'set(CMAKE_CUDA_FLAGS "-G -O1 -O3")\n',
            'set(CMAKE_HIP_FLAGS "-g -O1 -O3 -Xarch_device -O0")\n',
        ),
    ],
)
def test_a_level_behind_it_does_not_take_back_that_of_debugging(name: str, before: str, expected: str) -> None:
    assert find_in_text(before, name).after == expected


GPUS = "--offload-arch=gfx90a --offload-arch=gfx942"


@pytest.mark.parametrize(
    ("before", "expected"),
    [
        ('list(APPEND CMAKE_CUDA_FLAGS "-arch=sm_35 -g")', f'list(APPEND CMAKE_HIP_FLAGS "{GPUS} -g")'),
        ('list(APPEND CMAKE_CUDA_FLAGS "-arch=sm_35")', f'list(APPEND CMAKE_HIP_FLAGS "{GPUS}")'),
        ("list(APPEND CMAKE_CUDA_FLAGS_DEBUG -arch=sm_35)", f'list(APPEND CMAKE_HIP_FLAGS_DEBUG "{GPUS}")'),
        ("set(CMAKE_CUDA_FLAGS -arch=sm_35)", f'set(CMAKE_HIP_FLAGS "{GPUS}")'),
        ('set(CMAKE_CUDA_FLAGS ${OWN} "-arch=sm_35")', f'set(CMAKE_HIP_FLAGS ${{OWN}} "{GPUS}")'),
        ("string(APPEND CMAKE_CUDA_FLAGS -arch=sm_35)", f'string(APPEND CMAKE_HIP_FLAGS "{GPUS}")'),
        # lists, whose elements are options of their own
        ('target_compile_options(t PRIVATE "-arch=sm_35")', f'target_compile_options(t PRIVATE "{GPUS}")'),
        ('list(APPEND own_options "-arch=sm_35")', f'list(APPEND own_options "{GPUS}")'),
    ],
)
def test_a_text_of_flags_of_cmake_s_own_gets_blanks_and_a_list_semicolons(before: str, expected: str) -> None:
    listed = "CMAKE_HIP" not in expected
    made = find_in_text(f"project(p LANGUAGES CXX CUDA)\n{before}\n", "CMakeLists.txt").after.splitlines()[-1]
    assert made == (expected.replace(" --off", ";--off") if listed else expected)


@pytest.mark.parametrize(
    ("name", "before", "expected"),
    [
        ("Makefile", "NVCCFLAGS = $(if $(D),-G -arch=sm_70,-arch=sm_80)", f"$(if $(D),{{debug}} {GPUS},{GPUS})"),
        (
            "Makefile",
            "NVCCFLAGS = $(if $(A),-arch=sm_70,$(or $(B),-arch=sm_80))",
            f"$(if $(A),{GPUS},$(or $(B),{GPUS}))",
        ),
        (
            "Makefile",
            "NVCCFLAGS = $(if $(D), -g -G, -lineinfo )",
            "$(if $(D), -g -Xarch_device -O0, -gline-tables-only )",
        ),
        ("Makefile", "NVCCFLAGS = -g $(if $(D),-O3 , -lineinfo )", "-g $(if $(D),-O3 , )"),
        ("Makefile", "NVCCFLAGS = $(if $(D),-arch=sm_70 -arch=sm_80,-O3)", f"$(if $(D),{GPUS} ,-O3)"),
        (
            "CMakeLists.txt",
            "target_compile_options(t PRIVATE $<IF:$<CONFIG:Debug>,-arch=sm_70,-arch=sm_80>) # cuda_",
            f"target_compile_options(t PRIVATE $<IF:$<CONFIG:Debug>,{GPUS},{GPUS}>) # cuda_".replace(" --", ";--"),
        ),
    ],
)
def test_an_alternative_repeats_nothing_that_another_says(name: str, before: str, expected: str) -> None:
    expected = expected.replace("{debug}", "-Xarch_device -g -Xarch_device -O0")
    expected = f"NVCCFLAGS = {expected}" if name == "Makefile" else expected
    assert find_in_text(before + "\n", name).after == expected + "\n"
