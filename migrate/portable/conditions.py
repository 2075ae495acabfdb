"""Tests for a macro that is renamed for HIP, in conditions that both vendors read: CUDA's macro stays beside HIP's.

A condition cannot stand in a region, and what it asks is whether a header was read: `#ifdef _CUFFT_H_`. With HIP's name
alone CUDA would never compile what is behind it.
"""

from __future__ import annotations

from cudamigrate.cuda.lexer import Lexed
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Span

_NAME = re.compile(rb"[A-Za-z_]\w*")
_BEFORE = re.compile(rb"(?:\bdefined[ \t]*\(?[ \t]*|#[ \t]*(?P<directive>(?:el)?ifn?def)[ \t]+)\Z")
"""What precedes a macro that is asked for, up to its place."""
_CLOSING = re.compile(rb"[ \t]*\)")


def for_both(lexed: Lexed, edit: Edit, guard: str) -> Edit:
    """The edit with both macros, where it renames one that a condition asks for; any other edit as it is.

    `guard` is defined for HIP alone, so that what CUDA compiles depends on nothing new.
    """
    data, directive = lexed.data, lexed.directive_at(edit.span.start)
    name = data[edit.span.start : edit.span.end]
    if directive is None or _NAME.fullmatch(name) is None or _NAME.fullmatch(edit.replacement) is None:
        return edit
    before = _BEFORE.search(data, directive.start, edit.span.start)
    if before is None or guard.encode() in data[directive.start : directive.end]:
        return edit
    hip = b"defined(%b)" % guard.encode()
    if edit.replacement != guard.encode():
        hip = b"(%b && defined(%b))" % (hip, edit.replacement)
    test = b"defined(%b) || %b" % (name, hip)
    word = before["directive"]
    if word is None:
        closing = _CLOSING.match(data, edit.span.end) if b"(" in before[0] else None
        end = edit.span.end if closing is None else closing.end()
        return Edit(Span(before.start(), end), b"(" + test + b")")
    negated = b"n" in word
    asked = word.replace(b"ndef", b"").replace(b"def", b"") + (b" !(" if negated else b" ")
    return Edit(Span(before.start("directive"), edit.span.end), asked + test + (b")" if negated else b""))
