"""What the page carries of a finding: lines by number, and a fix by what it changes."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cudamigrate.reporting.formats.html.data import changed


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
