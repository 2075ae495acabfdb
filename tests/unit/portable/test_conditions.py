"""Tests for a renamed macro: CUDA's stays beside HIP's, and HIP's is asked for once."""

from __future__ import annotations

import pytest

from cudamigrate.cuda.lexer import lex
from cudamigrate.model import Edit, Span
from cudamigrate.portable.conditions import for_both

GUARD = "__HIP_PLATFORM_AMD__"


@pytest.mark.parametrize(
    ("line", "old", "new", "after"),
    [
        ("#ifdef OLD", "OLD", "NEW", f"#if defined(OLD) || (defined({GUARD}) && defined(NEW))"),
        ("#if defined(OLD) && A", "OLD", "NEW", f"#if (defined(OLD) || (defined({GUARD}) && defined(NEW))) && A"),
        ("#ifndef OLD", "OLD", "NEW", f"#if !(defined(OLD) || (defined({GUARD}) && defined(NEW)))"),
        ("#ifdef OLD", "OLD", GUARD, f"#if defined(OLD) || defined({GUARD})"),
        ("#if OLD > 1", "OLD", "NEW", "#if NEW > 1"),
    ],
)
def test_what_is_asked_for_both(line: str, old: str, new: str, after: str) -> None:
    data = line.encode() + b"\n#endif\n"
    at = data.index(old.encode())
    made = for_both(lex(data), Edit(Span(at, at + len(old)), new.encode()), GUARD)
    assert (data[: made.span.start] + made.replacement + data[made.span.end :]).splitlines()[0].decode() == after
