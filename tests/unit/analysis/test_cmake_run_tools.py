"""NVIDIA's tools that CMake's commands run, by themselves or in a shell's script."""

from __future__ import annotations

import pytest

from cudamigrate.analysis import cmake_run_tools
from cudamigrate.syntax import cmake


@pytest.mark.parametrize(
    ("words", "tools"),
    [
        ("compute-sanitizer $<TARGET_FILE:t>", ["compute-sanitizer"]),
        ('sh -c "nsys profile ./t && echo done"', ["nsys"]),
        ('bash -ec "cd out; ncu ./t | tee log"', ["ncu"]),
        ('sh -c "echo nsys"', []),
        ('sh run.sh "nsys profile ./t"', []),
        ('python3 -c "nsys profile"', []),
    ],
)
def test_a_script_that_a_shell_is_given_is_read(words: str, tools: list[str]) -> None:
    text = f"add_test(NAME t COMMAND {words})\n".encode()
    found = list(cmake_run_tools.uses(cmake.read(text)))
    assert [name for name, *_ in found] == tools
    assert [text[span.start : span.end].decode() for _, span, _ in found] == tools
