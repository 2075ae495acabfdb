"""Votes of 32 lanes without a header: what a kernel that is text for compilation at run time can say itself."""

from __future__ import annotations

from cudamigrate.cuda import lexer
from cudamigrate.cuda.include_insertion import is_addition
from cudamigrate.model import Edit, Fix, Span

_LANES = b">> (__lane_id() & 32u))"
"""The half of the wavefront that the caller is in; on a wavefront of 32 lanes there is one."""
_FORMS = {
    b"cudamigrate::ballot_sync": (b"static_cast<unsigned int>(__ballot(", b") " + _LANES),
    b"cudamigrate::any_sync": (b"(static_cast<unsigned int>(__ballot(", b") " + _LANES + b" != 0u)"),
    b"cudamigrate::all_sync": (
        b"(static_cast<unsigned int>(__ballot(static_cast<int>(",
        b") == 0) " + _LANES + b" == 0u)",
    ),
}
_FULL = frozenset((b"0xffffffff", b"0xffffffffu", b"~0", b"~0u", b"-1", b"(unsigned)-1", b"0xfffffffful"))


def without_header(text: bytes, fix: Fix) -> Fix | None:
    """The fix of a vote of all lanes in HIP's own words; None for every other that needs our header."""
    changes = [edit for edit in fix.edits if not is_addition(edit)]
    if len(changes) != 1 or changes[0].replacement not in _FORMS:
        return None
    span, (before, after) = changes[0].span, _FORMS[changes[0].replacement]
    lexed = lexer.lex(text)
    opening = lexed.token(span.end)
    close = lexed.closing(opening.start) if opening is not None and lexed.text(opening) == b"(" else -1
    args = lexed.arguments(opening.start, close) if opening is not None and close > 0 else []
    if len(args) != 2 or text[slice(*args[0])].strip().lower() not in _FULL:
        return None
    edits = Edit(Span(span.start, args[1][0]), before), Edit(Span(close, close + 1), after)
    return Fix(edits, fix.safety, fix.group, fix.relies)
