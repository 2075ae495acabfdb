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
