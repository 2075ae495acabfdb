"""`__align__` in what the host's compiler reads: HIP defines it for clang alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

RULE = "memory/host-alignment"
HEADER = "#pragma once\n#include <cuda_runtime.h>\nstruct __align__(16) P { float4 v; };\n"
HOST = '#include "p.h"\nint main() { P p; cudaMalloc(&p, 4); }\n'


def made(folder: Path, files: dict[str, str]) -> tuple[int, str]:
    applied = pipeline.apply(written(folder, files), Config(jobs=1))
    found = [one for one in applied.report.findings if one.rule == RULE]
    return len(found), {one.path: one.after.decode() for one in applied.conversions}.get("p.h", "")


@pytest.mark.parametrize("between", ["", '#include "q.h"\n'])
def test_a_header_that_a_plain_source_includes_gets_the_attribute(tmp_path: Path, between: str) -> None:
    host = HOST.replace('"p.h"', '"q.h"') if between else HOST
    count, header = made(tmp_path, {"p.h": HEADER, "q.h": '#include "p.h"\n', "main.cpp": host})
    assert count == 1 and "struct __attribute__((aligned(16))) P" in header


@pytest.mark.parametrize("word", ["__align__", "__builtin_align__"])
@pytest.mark.parametrize("host", ["main.cpp", "main.c"])
def test_no_word_of_the_runtime_header_is_left_where_the_types_header_alone_is_included(
    tmp_path: Path, host: str, word: str
) -> None:
    text = HEADER.replace("cuda_runtime.h", "vector_types.h").replace("__align__", word)
    _, header = made(tmp_path, {"p.h": text, host: '#include "p.h"\nint size() { return sizeof(struct P); }\n'})
    assert header.endswith("#include <hip/hip_runtime_api.h>\nstruct __attribute__((aligned(16))) P { float4 v; };\n")


@pytest.mark.parametrize(
    "files",
    [
        {"p.h": HEADER, "main.cu": HOST},
        {"p.h": HEADER, "main.cpp": HOST + "__global__ void k();\n"},
        {"p.h": HEADER, "main.cpp": "int main() {}\n", "k.cu": '#include "p.h"\n'},
        {"p.h": HEADER.replace("#include", "#define __align__(n)\n#include"), "main.cpp": HOST},
        {"p.h": HEADER.replace("__align__(16)", "/* __align__(16) */"), "main.cpp": HOST},
    ],
)
def test_what_only_clang_compiles_or_the_project_defines_stays(tmp_path: Path, files: dict[str, str]) -> None:
    count, header = made(tmp_path, files)
    assert count == 0 and "__attribute__" not in header
