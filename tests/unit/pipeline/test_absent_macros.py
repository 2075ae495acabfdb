"""Macros of autoconf's that look for CUDA are reported where no file of the tree defines them."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import KERNEL, written

from cudamigrate import pipeline
from cudamigrate.config import Config

CONFIGURE = "AC_INIT([a], [1])\nAX_CUDA([11.0])\nNVCC_FLAGS=-arch=sm_70\nAC_OUTPUT\n"


@pytest.mark.parametrize(
    ("files", "told"),
    [
        ({}, True),
        ({"m4/other.m4": "AC_DEFUN([AX_OTHER], [NVCC=nvcc])\n"}, True),
        ({"m4/ax_cuda.m4": "AC_DEFUN([AX_CUDA], [AC_PATH_PROG([NVCC], [nvcc])])\n"}, False),
    ],
)
def test_a_macro_of_another_package_is_reported(tmp_path: Path, files: dict[str, str], told: bool) -> None:
    tree = {"configure.ac": CONFIGURE, "a.cu": KERNEL, **files}
    found = [one.rule for one in pipeline.scan(written(tmp_path, tree), Config(jobs=1)).findings]
    assert ("build/configure-macro" in found) is told
