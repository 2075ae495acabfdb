"""Which word a finding on the runtime's header names: none of the project's own."""

from __future__ import annotations

from pathlib import Path

import pytest

from cudamigrate import pipeline
from cudamigrate.config import Config

RULE = "build/implicit-runtime-header"
CHECK = "#pragma once\n#include <cuda_runtime.h>\n#define cudaCheck(call) check(call)\n"
STAND_IN = "#pragma once\n#ifndef WITH_GPU\ntypedef int cudaStream_t;\n#endif\n"


@pytest.mark.parametrize(
    ("code", "word"),
    [
        ("void f() { cudaCheck(g()); cudaDeviceSynchronize(); }\n", "cudaDeviceSynchronize"),
        ("void f() { cudaCheck(g()); }\n__device__ int h();\n", "__device__"),
        ("void f() { cudaDeviceSynchronize(); cudaCheck(g()); }\n", "cudaDeviceSynchronize"),
        ("void f(cudaStream_t s) { cudaCheck(g(s)); }\n", "cudaStream_t"),
        ("void f() { cudaCheck(g()); }\n", ""),
        ("void f() { cudaOther(g()); }\n", "cudaOther"),
        ("void g(int cudaAt);\nnamespace n { struct S { static void cudaFree(int how); }; }\n", ""),
        (
            "void g(int cudaAt);\nstruct S { static void cudaFree(int); };\nvoid f(void *p) { cudaFree(p); }\n",
            "cudaFree",
        ),
    ],
)
def test_it_is_the_first_that_the_project_does_not_define(tmp_path: Path, code: str, word: str) -> None:
    (tmp_path / "check.h").write_text(CHECK)
    (tmp_path / "mock.h").write_text(STAND_IN)
    (tmp_path / "use.cuh").write_text(f"#pragma once\n{code}")
    (tmp_path / "main.cu").write_text('#include "check.h"\n#include "use.cuh"\n__global__ void k() {}\n')
    found = [one for one in pipeline.scan(tmp_path, Config(jobs=1)).findings if one.path == "use.cuh"]
    said = [one for one in found if one.rule == RULE]
    assert [one.message.split("`")[1] for one in said] == [word] * bool(word)
    assert all(one.fix is not None and one.excerpt in code for one in said)
