"""Macros of autoconf's that no configure script calls ask for nothing; others are converted."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import KERNEL, written

from cudamigrate import pipeline
from cudamigrate.config import Config

MACRO = """AC_DEFUN([OWN_GPU], [
if [[ $x == 1 ]]; then
AC_CHECK_LIB([cudart], [cudaMalloc])
fi
])
"""
OTHER = "AC_DEFUN([OWN_ALL], [AC_REQUIRE([OWN_GPU])])\n"


@pytest.mark.parametrize(
    ("files", "found"),
    [
        ({"configure.ac": "AC_INIT([a], [1])\n#OWN_GPU\ndnl OWN_GPU\n"}, False),
        ({"configure.ac": "AC_INIT([a], [1])\nOWN_GPU\n"}, True),
        ({"configure.ac": "AC_INIT([a], [1])\nOWN_ALL\n", "m4/all.m4": OTHER}, True),
        ({"configure.ac": "AC_INIT([a], [1])\n", "m4/all.m4": OTHER}, False),
        ({"configure.ac": "AC_INIT([a], [1])\n", "sub/configure.in": "OWN_GPU\n"}, True),
        ({}, True),
    ],
)
def test_a_macro_asks_for_work_where_it_is_called(tmp_path: Path, files: dict[str, str], found: bool) -> None:
    tree = {"m4/gpu.m4": MACRO, "a.cu": KERNEL, **files}
    rules = [one.rule for one in pipeline.scan(written(tmp_path, tree), Config(jobs=1)).findings]
    assert ("build/configure-check" in rules) is found


def test_what_is_beside_the_macros_of_a_file_is_kept(tmp_path: Path) -> None:
    after = MACRO + "AC_CHECK_HEADERS([cuda_runtime.h])\n"
    tree = {"m4/gpu.m4": after, "a.cu": KERNEL, "configure.ac": "AC_INIT([a], [1])\n"}
    found = pipeline.scan(written(tmp_path, tree), Config(jobs=1)).findings
    assert [one.span.start for one in found if one.rule == "build/configure-check"] == [after.index("cuda_runtime.h")]
