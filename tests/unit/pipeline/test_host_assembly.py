"""PTX that the host's compiler reads too stays for it: only AMD's compiler gets the HIP code."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

WAIT = """#pragma once
#include <cuda_runtime.h>
static inline __device__ void raise_flag(int *flag) {
  asm volatile("red.release.gpu.global.add.s32 [%0], 1;" ::"l"(flag));
}
"""
ASM = '  asm volatile("red.release.gpu.global.add.s32 [%0], 1;" ::"l"(flag));\n'
NEW = "__hip_atomic_fetch_add((int *)(flag), 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);"
CHOICE = f"#ifdef __HIPCC__\n  {NEW}\n#else\n{ASM}#endif\n"
INCLUDES = '#include "wait.h"\n'
HOST = INCLUDES + "int main() { return cudaDeviceSynchronize(); }\n"
KERNEL = INCLUDES + "__global__ void k(int *p) { raise_flag(p); }\n"


def converted(root: Path, files: dict[str, str], style: str = "hip") -> dict[str, str]:
    """The files that come out changed."""
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_bytes(text.encode())
    return {one.path: one.after.decode() for one in pipeline.apply(root, Config(jobs=1, style=style)).conversions}


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"wait.h": WAIT, "a.cpp": HOST, "k.cu": KERNEL}, id="included"),
        pytest.param(
            {"wait.h": WAIT, "b.h": INCLUDES, "a.cc": '#include "b.h"\n', "k.cu": KERNEL}, id="through another"
        ),
        pytest.param({"wait.h": WAIT, "in/a.cpp": HOST.replace('"', '"../', 1), "k.cu": KERNEL}, id="another folder"),
    ],
)
def test_the_host_keeps_the_statement(tmp_path: Path, files: dict[str, str]) -> None:
    assert CHOICE in converted(tmp_path, files)["wait.h"]


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"wait.h": WAIT, "k.cu": KERNEL}, id="only GPU code includes it"),
        pytest.param(
            {"wait.h": WAIT, "a.cpp": f"#ifdef __CUDACC__\n{INCLUDES}#endif\nint main() {{}}\n", "k.cu": KERNEL},
            id="the include is for nvcc",
        ),
        pytest.param(
            {"wait.h": WAIT.replace("static", "#ifdef __CUDACC__\nstatic") + "#endif\n", "a.cpp": HOST, "k.cu": KERNEL},
            id="the function is for nvcc",
        ),
    ],
)
def test_a_neighbour_gets_hip_alone(tmp_path: Path, files: dict[str, str]) -> None:
    made = converted(tmp_path, files)["wait.h"]
    assert f"  {NEW}\n" in made and "asm" not in made


def test_a_statement_that_shares_its_line(tmp_path: Path) -> None:
    shared = WAIT.replace(ASM, f"  if (flag) {ASM.strip()} else return;\n")
    made = converted(tmp_path, {"wait.h": shared, "a.cpp": HOST, "k.cu": KERNEL})["wait.h"]
    assert f"if (flag) \n#ifdef __HIPCC__\n  {NEW}\n#else\n{ASM}#endif\n else return;\n" in made


def test_line_ends_are_kept(tmp_path: Path) -> None:
    made = converted(tmp_path, {"wait.h": WAIT.replace("\n", "\r\n"), "a.cpp": HOST, "k.cu": KERNEL})["wait.h"]
    assert CHOICE.replace("\n", "\r\n") in made


def test_one_source_for_both_vendors_asks_for_the_compiler_too(tmp_path: Path) -> None:
    made = converted(tmp_path, {"wait.h": WAIT, "a.cpp": HOST, "k.cu": KERNEL}, "portable")["wait.h"]
    choice = CHOICE.replace("#ifdef __HIPCC__", "#if defined(__HIP_PLATFORM_AMD__) && defined(__HIPCC__)")
    assert choice in made and made.count("asm volatile") == 1


def test_a_second_run_finds_nothing_in_it(tmp_path: Path) -> None:
    files = {"wait.h": WAIT, "a.cpp": HOST, "k.cu": KERNEL}
    written(tmp_path, {**files, **converted(tmp_path, files)})
    assert not [one for one in pipeline.scan(tmp_path, Config(jobs=1)).findings if one.rule.startswith("ptx/")]
