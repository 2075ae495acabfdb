"""Expressions of a scanned file are compiled where they are read, and none takes long."""

from __future__ import annotations

import pytest

from cudamigrate.pipeline.cmake_held_words import matching
from cudamigrate.syntax.foreign_patterns import compiled, compiled_if_quick


@pytest.mark.parametrize("text", ["[m-6]", "(", "a**", "\\1", "a{99999999999}", "(" * 5000])
def test_what_is_no_expression_is_none(text: str) -> None:
    assert compiled(text) is None and compiled_if_quick(text) is None


@pytest.mark.parametrize("text", ["(a+)+b", "(a|aa){9}.*", "(?:.*x)*", ".*a.*a.*a.*a", "((a*)b)+"])
def test_what_may_take_hours_is_not_tried(text: str) -> None:
    assert compiled_if_quick(text) is None


@pytest.mark.parametrize("text", [r".*\.cu$", r"src/.*/test_.*\.cpp", "(kernels|cuda)", "[+*{]+x", r"\*\*\*\*\+.*"])
def test_usual_ones_are(text: str) -> None:
    assert compiled_if_quick(text) is not None


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("src/*.cu", ["src/a.cu", "src/ab.cu"]),
        ("src/*[b].cu", ["src/ab.cu"]),
        ("**/*a*.cu", ["src/a.cu", "src/ab.cu", "src/x/a.cu"]),
        ("src/[arm-64].cu", []),
        ("*a" * 30 + "b", []),
        ("**/a" * 30 + "b", []),
    ],
)
def test_a_glob_finds_what_it_fits(pattern: str, found: list[str]) -> None:
    assert matching(["src/ab.cu", "src/a.cu", "src/x/a.cu", "src/b.txt", "a" * 200], pattern) == found
