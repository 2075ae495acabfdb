"""Output of kernels that run in one thread keeps no other wave out."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

KERNEL = '__global__ void resize(int *a) { if (a[1] > 1) printf("%d", a[0]); a[0] = 1; }\n'
HEADER = "#pragma once\n__global__ void resize(int *a);\n"
ONE = "void f(int *a) { resize<<<1, 1>>>(a); }\n"


@pytest.mark.parametrize(
    ("code", "other", "outcome"),
    [
        (KERNEL + ONE, "", "fine"),
        (KERNEL + "void f(int *a, cudaStream_t s) { resize << < 1, (1), 0, s >> > (a); }\n", "", "fine"),
        ("template <class T> " + KERNEL + "void f(int *a) { resize<int><<<1, 1>>>(a); }\n", "", "fine"),
        (KERNEL + ONE + "// resize<<<8, 8>>>(a);\n", "", "fine"),
        (KERNEL, '#include "resize.h"\n' + ONE, "fine"),
        (KERNEL, "", "slower"),
        (KERNEL + ONE.replace("1, 1", "1, 32"), "", "slower"),
        (KERNEL + ONE.replace("1, 1", "8, 1"), "", "slower"),
        (KERNEL + ONE.replace("1, 1", "1, 1 + n"), "", "slower"),
        (KERNEL + ONE, '#include "resize.h"\nvoid g(int *a, int n) { resize<<<n, 64>>>(a); }\n', "slower"),
        (KERNEL + ONE, 'const char *started = "resize";\n', "slower"),
        (KERNEL + ONE + "void *held = (void *)resize;\n", "", "slower"),
    ],
)
def test_a_kernel_of_one_thread_pays_nothing(code: str, other: str, outcome: str, tmp_path: Path) -> None:
    files = {"a.cu": "#include <cstdio>\n" + code, "resize.h": HEADER, "b.cu": "#include <cstdio>\n" + other}
    found = pipeline.scan(written(tmp_path, files), Config(jobs=1)).findings
    assert [one.outcome for one in found if one.rule == "launch/device-output"] == [outcome]
