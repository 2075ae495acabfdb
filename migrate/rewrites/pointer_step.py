"""Move a device pointer of the driver API by bytes: what `+=` did to CUDA's integer."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Span, Use

_WHOLE = frozenset(
    [
        "identifier",
        "number_literal",
        "call_expression",
        "field_expression",
        "parenthesized_expression",
        "subscript_expression",
    ]
)
"""What binds closer than a sum."""


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """`p += n` becomes `p = (char *)p + n`; the use is the pointer, which has no side effects."""
    around = parsed.nodes_around(use.span.start, use.span.end)
    step = next((one for one in reversed(around) if one.type == "assignment_expression"), None)
    sign = step.child_by_field_name("operator") if step is not None else None
    right = step.child_by_field_name("right") if step is not None else None
    if sign is None or right is None or sign.type not in ("+=", "-="):
        return []
    name = parsed.data[use.span.start : use.span.end]
    made = [Edit(Span(sign.start_byte, sign.end_byte), b"= (char *)" + name + b" " + sign.type[:1].encode())]
    if right.type not in _WHOLE:
        made += [Edit(Span(right.start_byte, right.start_byte), b"(")]
        made += [Edit(Span(right.end_byte, right.end_byte), b")")]
    return made
