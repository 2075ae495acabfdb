"""Answer for HIP a test whether a release of CUDA is defined, as today's CUDA answers it."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.cuda.preprocessor import condition_of
from cudamigrate.cuda.version_conditions import compiler_macro, for_hip
from cudamigrate.model import Edit, Span, Use


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """`#ifndef` becomes an `#if` of two macros; words behind a condition, as for other tests of a release."""
    directive = parsed.lexed.directive_at(use.extent.start)
    if directive is None:
        return []
    if directive.name != "ifndef":
        return for_hip(parsed, condition_of(parsed.data, directive), words[0] if words else "")
    macro = compiler_macro(parsed).encode()
    head = parsed.data[directive.start : use.span.start].replace(b"ifndef", b"if")
    name = parsed.data[use.span.start : use.span.end]
    new = head + b"!defined(" + name + b") && !defined(" + macro + b")"
    return [Edit(Span(directive.start, use.span.end), new)]
