"""Files that only the compiler of another language reads are left alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate import pipeline
from cudamigrate.config import Config

LEFT_OVER = """
#if KEEPS_NO_LINES
inline unsigned load(const unsigned *p) {
    unsigned v;
    asm volatile("ld.global.L1::no_allocate.u32 %0, [%1];" : "=r"(v) : "l"(p));
    return v;
}
#elif STREAMS
inline unsigned load(const unsigned *p) { return __ldcs(p); }
#endif
"""
SYCL = "#pragma once\n#include <sycl/sycl.hpp>\n"


def found(folder: Path, text: str, name: str = "load.h") -> list[str]:
    (folder / name).write_text(text)
    (folder / "main.cu").write_text("__global__ void k() {}\n")
    return [one.rule for one in pipeline.scan(folder, Config(jobs=1)).findings if one.path == name]


@pytest.mark.parametrize("header", ["sycl/sycl.hpp", "CL/sycl.hpp", "dpct/dpct.hpp"])
def test_what_was_left_of_cuda_in_sycl_is_no_finding(tmp_path: Path, header: str) -> None:
    assert not found(tmp_path, f"#ifndef LOAD_H\n#define LOAD_H\n#include <{header}>\n{LEFT_OVER}#endif\n")


@pytest.mark.parametrize(
    "text",
    [
        LEFT_OVER,
        f"#ifdef WITH_SYCL\n#include <sycl/sycl.hpp>\n#endif\n{LEFT_OVER}",
        f"{SYCL}#include <cuda_runtime.h>\n{LEFT_OVER}",
        f"{SYCL}{LEFT_OVER}__global__ void fill(int *p) {{ *p = 1; }}\n",
        f"{SYCL}{LEFT_OVER}inline void wait() {{ cudaDeviceSynchronize(); }}\n",
        f"// #include <sycl/sycl.hpp>\n{LEFT_OVER}",
    ],
)
def test_what_the_compiler_of_cuda_reads_too_keeps_its_findings(tmp_path: Path, text: str) -> None:
    assert "ptx/known-instruction" in found(tmp_path, text)


def test_a_file_with_an_ending_of_cuda_keeps_them(tmp_path: Path) -> None:
    assert "ptx/known-instruction" in found(tmp_path, SYCL + LEFT_OVER, "load.cuh")


def test_cuda_behind_a_condition_is_for_a_build_of_its_own(tmp_path: Path) -> None:
    assert not found(tmp_path, f"{SYCL}#ifdef NEVER\n#include <cuda_runtime.h>\n#endif\n{LEFT_OVER}")
