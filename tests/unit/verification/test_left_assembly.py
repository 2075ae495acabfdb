"""PTX in the text of files, and which units have it in what they compile."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate.config import Config
from cudamigrate.pipeline import prove

pytestmark = pytest.mark.usefixtures("embedded_clang")

MACRO = '#define ADD_CC(d, a, b) asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b))\n'
RUNTIME = "#pragma once\n#include <hip/hip_runtime.h>\n"
TWICE = "__device__ inline unsigned twice(unsigned a) { unsigned d; ADD_CC(d, a, a); return d; }\n"


def words(tmp_path: Path, files: dict[str, str]) -> dict[str, str]:
    for name, data in files.items():
        (tmp_path / "tree").mkdir(exist_ok=True)
        (tmp_path / "tree" / name).write_text(data)
    return {one.path: one.word for one in prove.verify(tmp_path / "tree", Config(jobs=1), "clang").verdicts}


def test_units_whose_kernels_expand_a_macro_of_a_header_fail(tmp_path: Path) -> None:
    files = {
        "ptx.cuh": RUNTIME + MACRO,
        "math.cuh": f'#include "ptx.cuh"\n#define SUM(d, a) ADD_CC(d, a, 1u)\n{TWICE}',
        "direct.cu": '#include "ptx.cuh"\n__global__ void k(unsigned *p) { ADD_CC(p[0], p[1], p[2]); }\n',
        "macro.cu": '#include "math.cuh"\n__global__ void k(unsigned *p) { SUM(p[0], p[1]); }\n',
        "called.cu": '#include "math.cuh"\n__global__ void k(unsigned *p) { *p = twice(*p); }\n',
        "unused.cu": '#include "math.cuh"\n__global__ void k(unsigned *p) { *p = 1; }\n// twice(1)\n',
    }
    failed = dict.fromkeys(("direct.cu", "macro.cu", "called.cu"), "failed")
    assert words(tmp_path, files) == {**failed, "unused.cu": "checked"}


def test_what_only_an_operator_comes_to_is_said_of_the_header(tmp_path: Path) -> None:
    sums = (
        "struct Sum { __device__ unsigned operator()(unsigned a) const { unsigned d; ADD_CC(d, a, a); return d; } };\n"
    )
    methods = (
        "struct Box { __device__ unsigned twice(unsigned a); };\ninline __device__ unsigned Box::twice(unsigned a) "
    )
    files = {
        "sums.cuh": RUNTIME + MACRO + sums,
        "box.cuh": RUNTIME + MACRO + methods + "{ unsigned d; ADD_CC(d, a, a); return d; }\n",
        "sums.cu": '#include "sums.cuh"\n__global__ void k(unsigned *p) { *p = Sum()(*p); }\n',
        "box.cu": '#include "box.cuh"\n__global__ void k(unsigned *p) { *p = Box().twice(*p); }\n',
    }
    assert words(tmp_path, files) == {"sums.cuh": "failed", "sums.cu": "checked", "box.cu": "failed"}


def test_a_header_that_no_unit_reads_fails_by_itself(tmp_path: Path) -> None:
    assert words(tmp_path, {"ptx.cuh": RUNTIME + MACRO + TWICE, "a.cu": RUNTIME}) == {
        "ptx.cuh": "failed",
        "a.cu": "checked",
    }


def test_what_the_preprocessor_leaves_out_stops_nothing(tmp_path: Path) -> None:
    gated = "#if MINE_ARCH >= 300\n{0}#else\n__device__ inline unsigned twice(unsigned a) {{ return a + a; }}\n#endif\n"
    files = {
        "old.cuh": f"{RUNTIME}#define MINE_ARCH 0\n{MACRO}{gated.format(TWICE)}",
        "new.cuh": f"{RUNTIME}#define MINE_ARCH 600\n{MACRO}{gated.format(TWICE)}",
        "old.cu": '#include "old.cuh"\n__global__ void k(unsigned *p) { *p = twice(*p); }\n',
        "new.cu": '#include "new.cuh"\n__global__ void k(unsigned *p) { *p = twice(*p); }\n',
    }
    assert words(tmp_path, files) == {"old.cu": "checked", "new.cu": "failed"}
