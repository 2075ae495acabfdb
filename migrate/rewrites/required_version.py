"""Answer for HIP a test whether a release of CUDA is defined, as today's CUDA answers it."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_dataclasses import replace
from cudamigrate.model import Edit, Span, Use
from cudamigrate.rewrites import lane_version


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """`#ifndef` becomes an `#if` of two macros; words behind a condition, as for other tests of a release."""
    directive = parsed.lexed.directive_at(use.extent.start)
    if directive is None:
        return []
    if directive.name != "ifndef":
        return lane_version.edits(parsed, replace(use, extent=_condition(parsed, use)), words)
    macro = b"__HIPCC__" if parsed.source.path.endswith(".cu") else b"__HIP_PLATFORM_AMD__"
    head = parsed.data[directive.start : use.span.start].replace(b"ifndef", b"if")
    name = parsed.data[use.span.start : use.span.end]
    new = head + b"!defined(" + name + b") && !defined(" + macro + b")"
    return [Edit(Span(directive.start, use.span.end), new)]


def _condition(parsed: ParsedFile, use: Use) -> Span:
    """The condition behind the directive's name."""
    directive = parsed.lexed.directive_at(use.extent.start)
    start = use.extent.start if directive is None else directive.rest
    text = parsed.data[start : use.extent.end]
    return Span(start + len(text) - len(text.lstrip()), use.extent.end)
