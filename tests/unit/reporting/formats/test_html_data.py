"""What the page carries of a finding: lines by number, and a fix by what it changes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cudamigrate.model import Edit, Finding, Fix, Position, Span
from cudamigrate.reporting.formats.html.data import changed, elsewhere


@given(st.text("ab\n", max_size=8), st.text("ab\n", max_size=8))
def test_a_fix_is_made_again_from_what_it_changes(before: str, after: str) -> None:
    found = changed(before, after)
    if not after:
        assert found == 0
        return
    assert isinstance(found, list)
    start, end, between = found
    assert isinstance(start, int) and isinstance(end, int) and isinstance(between, str)
    assert before[:start] + between + before[len(before) - end :] == after
    assert start + end <= min(len(before), len(after))


def test_little_is_kept_of_a_rename() -> None:
    assert changed("x = cudaMalloc(&p, n);", "x = hipMalloc(&p, n);") == [4, 14, "hip"]


def test_text_that_javascript_counts_otherwise_is_written_out() -> None:
    assert changed("a\U0001f600b", "a\U0001f600c") == [0, 0, "a\U0001f600c"]


def test_what_a_fix_writes_at_another_place_is_told_from_what_it_takes_out() -> None:
    def found(*edits: Edit, after: str = "") -> Finding:
        fix = Fix(edits, "safe") if edits else None
        return Finding(
            "build/assert-header", "a.cu", Span(104, 110), Position(9, 5), Position(9, 11), "assert", "m",
            "full", "compile-error", "certain", "none", fix, after=after,
        )  # fmt: skip

    line = "    assert(x);"
    assert elsewhere(found(Edit(Span(20, 20), b"#include <cassert>\n")), line) == "#include <cassert>"
    assert elsewhere(found(Edit(Span(20, 30), b"")), line) == ""
    assert elsewhere(found(Edit(Span(100, 115), b"")), line) == 0, "the line itself"
    assert elsewhere(found(Edit(Span(104, 110), b"x"), after="    x(x);"), line) == 0
    assert elsewhere(found(), line) == 0
