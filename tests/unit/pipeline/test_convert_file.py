"""Fixes of one file that meet each other."""

from __future__ import annotations

import pytest

from cudamigrate.model import Edit, Finding, Fix, SourceFile, Span
from cudamigrate.pipeline.convert_file import convert
from cudamigrate.pipeline.rule_tests import find_in_text


def _converted(text: str) -> tuple[str, list[str]]:
    """The text as converted, and the rules of the fixes that were withheld."""
    found = find_in_text(text, "CMakeLists.txt")
    done = convert(SourceFile("CMakeLists.txt", text.encode(), "cmake"), found.findings)
    return done.after.decode(), [one.rule for one, _ in done.rejected]


def test_a_fix_whose_text_another_takes_away_is_not_withheld() -> None:
    option = "$<$<AND:$<COMPILE_LANGUAGE:CUDA>,$<CUDA_COMPILER_ID:NVIDIA>>:--extended-lambda>"
    after, withheld = _converted(f"target_compile_options(k PRIVATE {option})\n")
    assert "CUDA" not in after
    assert withheld == []


def test_one_that_another_writes_over_is() -> None:
    pytest.importorskip("tree_sitter")
    found = find_in_text("find_package(CUDA)\n", "CMakeLists.txt").findings[0]
    assert isinstance(found, Finding)
    over, inner = Fix((Edit(Span(0, 12), b"x"),), "safe"), Fix((Edit(Span(4, 6), b"y"),), "safe")
    both = [_with(found, over), _with(found, inner)]
    done = convert(SourceFile("CMakeLists.txt", b"find_package(CUDA)\n", "cmake"), both)
    assert [reason for _, reason in done.rejected] == ["overlaps a fix applied before it"]


def _with(finding: Finding, fix: Fix) -> Finding:
    from cudamigrate.lazy_dataclasses import replace

    return replace(finding, fix=fix)
