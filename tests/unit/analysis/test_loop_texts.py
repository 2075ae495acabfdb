"""How reports quote loops."""

from __future__ import annotations

import pytest

from cudamigrate.analysis.loop_texts import quoted

LONG = b" ".join([b"sum += a[i];"] * 20)


@pytest.mark.parametrize(
    ("loop", "said"),
    [
        (b"while (!done[row])  { /* wait */ __threadfence(); // again\n }", "while (!done[row]) { __threadfence(); }"),
        (b"while (at < from[row + 1]) { // all\n" + LONG + b" }", "while (at < from[row + 1]) { ... }"),
        (b"for (int i = 0; f(i); ++i) { " + LONG + b" }", "for (int i = 0; f(i); ++i) { ... }"),
        (b"do { while (x) y(); " + LONG + b" } while (seen != 0);", "do { ... } while (seen != 0);"),
    ],
)
def test_a_long_loop_is_quoted_by_its_condition(loop: bytes, said: str) -> None:
    assert quoted(loop) == said


def test_what_is_no_loop_is_cut() -> None:
    assert len(quoted(b"(" * 300)) == 200
