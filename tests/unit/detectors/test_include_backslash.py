"""Includes with backslashes: what they mean in the tree, and that they come out with slashes."""

from __future__ import annotations

import pytest

from cudamigrate.cuda.include_paths import IncludePaths
from cudamigrate.pipeline.rule_tests import find_in_text

KERNEL = "__global__ void k(int *p) { *p = 1; }\n"


@pytest.mark.parametrize("spelled", ["a\\b.cuh", "a\\\\b.cuh", "..\\a/b.cuh"])
def test_a_path_gets_slashes(spelled: str) -> None:
    made = find_in_text(f'#include "{spelled}"\n{KERNEL}').after
    assert f'#include "{spelled.replace(2 * chr(92), "/").replace(chr(92), "/")}"' in made


@pytest.mark.parametrize(
    "line",
    [
        '#include "a/b.cuh"',
        '#include "C:\\sdk\\b.h"',  # a place on one machine: slashes do not help
        '// #include "a\\b.cuh"',
        '#define NAME "a\\b.cuh"',
    ],
)
def test_other_backslashes_stay(line: str) -> None:
    found = find_in_text(f"{line}\n{KERNEL}")
    assert line in found.after
    assert "build/include-backslash" not in [one.rule for one in found.findings]


def test_an_include_means_the_file_that_it_means_on_windows() -> None:
    paths = IncludePaths(["src/a/b.cuh", "src/main.cu"])
    assert paths.beside("src/main.cu", "a\\b.cuh") == "src/a/b.cuh"
    assert paths.ending("a\\b.cuh") == ["src/a/b.cuh"]
    assert paths.ending("c\\b.cuh") == []
