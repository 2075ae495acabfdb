"""A variable that another file defines is not reported where only a macro opens the declaration which nothing sets."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

CODE = """#include <cuda_runtime.h>
#ifdef {}
extern __constant__ int table[16];
extern __device__ float scale(float v);
#else
__constant__ int table[16];
#endif
__global__ void k(int *a) {{ *a = table[0]; }}
"""
WHOLE = "SPLIT_TABLES"
MAKE = "# uncomment SPLIT_TABLES in a.cu for separate compilation\napp: a.cu\n\tnvcc {} a.cu -o app\n"
FOUND = ["memory/external-variable", "memory/external-function"]


def found(root: Path, files: dict[str, str], macro: str = WHOLE) -> list[str]:
    written(root, {"a.cu": CODE.format(macro), "Makefile": MAKE.format("-O3"), **files})
    scan = pipeline.scan(root, Config(jobs=1))
    return [one.rule for one in scan.findings if one.rule.startswith("memory/external-")]


@pytest.mark.parametrize("files", [{}, {"b.h": "// #define SPLIT_TABLES\n#ifndef SPLIT_TABLES\nint f();\n#endif\n"}])
def test_what_no_build_compiles_needs_nothing(files: dict[str, str], tmp_path: Path) -> None:
    assert found(tmp_path, files) == []


@pytest.mark.parametrize(
    "files",
    [
        {"Makefile": MAKE.format("-DSPLIT_TABLES")},
        {"CMakeLists.txt": "option(A off)\nif(A)\n  add_definitions(-DSPLIT_TABLES)\nendif()\n"},
        {"b.h": "#define SPLIT_TABLES\n"},
        {"README.md": "Compile with `-DSPLIT_TABLES`.\n"},
        {"setup.py": "from setuptools import Extension\nExtension('a', define_macros=[('SPLIT_TABLES', None)])\n"},
        {"config.h.in": "#cmakedefine SPLIT_TABLES\n"},
        {"b.h": "#include <split/tables.h>\n"},  # which may define it
    ],
)
def test_what_some_build_or_source_sets_does(files: dict[str, str], tmp_path: Path) -> None:
    assert found(tmp_path, files) == FOUND


@pytest.mark.parametrize("macro", ["__CUDACC__", "HAVE_TABLES"])
def test_what_a_compiler_or_a_configure_script_sets_does(macro: str, tmp_path: Path) -> None:
    assert found(tmp_path, {}, macro) == FOUND


def test_a_name_with_two_underscores_that_no_compiler_defines_is_a_switch_as_any_other(tmp_path: Path) -> None:
    assert found(tmp_path, {}, "__SPLIT_TABLES") == []


@pytest.mark.parametrize("macro", ["__USE_GNU", "__ARM_NEON", "__BYTE_ORDER", "_SPLIT_TABLES"])
def test_what_a_compiler_or_the_headers_of_a_system_may_define_is_none(macro: str, tmp_path: Path) -> None:
    assert found(tmp_path, {}, macro) == FOUND


FETCH = """#include <cuda_runtime.h>
__global__ void k(cudaTextureObject_t t, const int *p, int *a) {{
#ifdef {0}
    a[0] = tex1Dfetch<int>(t, 3);
#else
    a[0] = p[3];
#endif
}}
"""


def fetch(root: Path, macro: str, make: str = "-O3") -> tuple[str, bool]:
    """The effort of a texture's fetch under a macro, and whether it says that nothing sets that."""
    written(root, {"a.cu": FETCH.format(macro), "Makefile": MAKE.format(make)})
    (one,) = [one for one in pipeline.scan(root, Config(jobs=1)).findings if one.rule == "texture/fetch"]
    return one.effort, f"Nothing here sets `{macro}`" in one.message


@pytest.mark.parametrize("macro", ["__USE_TEX", "USE_TEX"])
def test_other_findings_there_stay_and_ask_for_no_work(macro: str, tmp_path: Path) -> None:
    assert fetch(tmp_path, macro) == ("none", True)


@pytest.mark.parametrize(("macro", "make"), [("__USE_TEX", "-D__USE_TEX"), ("__CUDACC__", ""), ("__USE_MISC", "")])
def test_where_a_build_or_a_compiler_sets_the_macro_they_ask_for_work(macro: str, make: str, tmp_path: Path) -> None:
    effort, is_said = fetch(tmp_path, macro, make)
    assert effort != "none" and not is_said


def test_nor_where_it_is_not_seen_how_the_code_is_compiled(tmp_path: Path) -> None:
    written(tmp_path, {"a.cu": FETCH.format("USE_TEX")})
    (one,) = [one for one in pipeline.scan(tmp_path, Config(jobs=1)).findings if one.rule == "texture/fetch"]
    assert one.effort != "none"


PRINTS = """#include <cuda_runtime.h>
__global__ void k(int *a) {{
    // #define SHOW_STEPS
#ifdef SHOW_STEPS
    printf("%d\\n", a[0]);
#endif
    a[1] = a[0];
    {}
}}
"""


@pytest.mark.parametrize(
    ("flags", "last", "lines"),
    [("-O3", "", []), ("-DSHOW_STEPS", "", [5]), ("-O3", 'printf("%d\\n", a[1]);', [8])],
)
def test_output_that_no_build_compiles_costs_nothing(flags: str, last: str, lines: list[int], tmp_path: Path) -> None:
    """A call of the same function that is compiled is reported in its place."""
    written(tmp_path, {"a.cu": PRINTS.format(last), "Makefile": f"app: a.cu\n\tnvcc {flags} a.cu -o app\n"})
    scan = pipeline.scan(tmp_path, Config(jobs=1))
    assert [one.position.line for one in scan.findings if one.rule == "launch/device-output"] == lines


@pytest.mark.parametrize(
    ("make", "lines"),
    [
        ("FLAGS = -O3#-DSHOW_STEPS\napp: a.cu\n\tnvcc $(FLAGS) a.cu -o app\n", []),
        ("FLAGS = -O3\napp: a.cu\n\tnvcc $(FLAGS) -DA=x#-DSHOW_STEPS a.cu -o app\n", [5]),  # a shell's word
        ("FLAGS = -DA=\\#1 -DSHOW_STEPS\napp: a.cu\n\tnvcc $(FLAGS) a.cu -o app\n", [5]),
    ],
)
def test_a_remark_of_make_begins_within_a_word(make: str, lines: list[int], tmp_path: Path) -> None:
    written(tmp_path, {"a.cu": PRINTS.format(""), "Makefile": make})
    scan = pipeline.scan(tmp_path, Config(jobs=1))
    assert [one.position.line for one in scan.findings if one.rule == "launch/device-output"] == lines
