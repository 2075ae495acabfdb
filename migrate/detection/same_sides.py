"""Tests of CUDA's release whose two branches are one text after the fixes: it does not matter which of them HIP reads.

`#if CUDART_VERSION >= 10000` parts `a.type == cudaMemoryTypeDevice` from `a.memoryType == cudaMemoryTypeDevice`, and
HIP has one name for both members.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from cudamigrate import edits
from cudamigrate.cuda.lexer import Lexed, lex
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.cuda.preprocessor import conditionals
from cudamigrate.model import Finding, Span

_RELEASES = ("api/CUDA_VERSION", "api/CUDART_VERSION")
_LONGEST = 4000
"""Bytes of branches that are compared with each other."""


def without_same_sides(parsed: ParsedFile, found: Sequence[Finding]) -> list[Finding]:
    """The findings of a file without those on such a test."""
    asked = [one for one in found if one.rule in _RELEASES and one.fix is None]
    if not asked:
        return list(found)
    gone = set[Finding]()
    for chain in conditionals(parsed.lexed.directives):
        inside = [one for one in asked if chain[0].start <= one.span.start < chain[0].end]
        if inside and [one.name for one in chain[1:]] == ["else", "endif"]:
            first, second = (Span(one.end, other.start) for one, other in pairwise(chain))
            if _after(parsed, first, found) == _after(parsed, second, found) != [b""]:
                gone.update(inside)
    return [one for one in found if one not in gone]


def _after(parsed: ParsedFile, side: Span, found: Sequence[Finding]) -> list[bytes]:
    """The words of a branch as the fixes make it; one empty word where it is long, or has other conditionals."""
    if side.end - side.start > _LONGEST or any(side.start <= one.start < side.end for one in parsed.lexed.directives):
        return [b""]
    inside = (one.fix for one in found if side.start <= one.span.start < side.end and one.automatic)
    parts, at = list[bytes](), side.start
    for edit in edits.ordered([fix for fix in inside if fix is not None]):
        if at <= edit.span.start and edit.span.end <= side.end:
            parts += [parsed.data[at : edit.span.start], edit.replacement]
            at = edit.span.end
    lexed: Lexed = lex(b"".join([*parts, parsed.data[at : side.end]]))
    return [lexed.text(token) for token in lexed.tokens(0, len(lexed.data))]
