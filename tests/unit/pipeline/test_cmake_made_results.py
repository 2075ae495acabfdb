"""A call of a project's function that asks for CUDA's result by a name which it makes is reported."""

from __future__ import annotations

from pathlib import Path

import pytest
from porttrees import written

from cudamigrate import pipeline
from cudamigrate.config import Config

TOP = "cmake_minimum_required(VERSION 3.21)\nproject(app CXX)\ninclude(cmake/Use.cmake)\n"
SEARCH = "find_package(CUDA)\n"
CALL = "use_package(Boost)\nuse_package(CUDA INCDIRS inc)\nadd_library(a a.cpp)\n"
USE = "function(use_package name)\n  if(NOT ${name}_FOUND)\n    return()\n  endif()\n  link(${name})\nendfunction()\n"


def found(root: Path, text: str, module: str) -> list[str]:
    """The messages of the rule."""
    files = {"CMakeLists.txt": text, "cmake/Use.cmake": module, "k.cu": "__global__ void k() {}\n"}
    findings = pipeline.scan(written(root, files | {"a.cpp": "int a;\n"}), Config(jobs=1)).findings
    return [one.message for one in findings if one.rule == "build/cmake-made-result"]


@pytest.mark.parametrize(
    "module",
    [
        pytest.param(USE, id="of the argument"),
        pytest.param(
            USE.replace("  if(NOT ${name}", "  string(TOUPPER ${name} big)\n  if(NOT ${big}").replace(
                "function", "macro"
            ),
            id="in capitals",
        ),
    ],
)
def test_a_result_that_nothing_sets_is_reported(tmp_path: Path, module: str) -> None:
    (message,) = found(tmp_path, TOP + SEARCH + CALL, module)
    assert message.startswith("`use_package(CUDA)` asks for `CUDA_FOUND`")
    assert "`set(CUDA_FOUND ${hip_FOUND})`" in message


@pytest.mark.parametrize(
    ("text", "module"),
    [
        pytest.param(TOP + SEARCH + CALL.replace("(CUDA ", "(FFT "), USE, id="another package"),
        pytest.param(TOP + CALL, USE, id="nothing searched for CUDA"),
        pytest.param(TOP + SEARCH + "set(CUDA_FOUND TRUE)\n" + CALL, USE, id="set by the project"),
        pytest.param(TOP + SEARCH + CALL, USE.replace("${name}_FOUND", "${name}_WANTED"), id="another variable"),
    ],
)
def test_other_calls_are_not(tmp_path: Path, text: str, module: str) -> None:
    assert found(tmp_path, text, module) == []
