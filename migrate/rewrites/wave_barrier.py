"""A barrier of the wave at the end of each turn of a loop: clang moves nothing of the turn behind the loop then."""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.declarations import CALLS
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Span, Use
from cudamigrate.warp.spin_locks import END_OF_TURN

_LEAVES = re.compile(rb"\b(?:break|return|continue|goto)\b")


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The barrier as the last statement of the body, which gets braces where it has none; none where a turn is left."""
    loop = parsed.tree.root_node.descendant_for_byte_range(use.span.start, use.span.end - 1)
    body = loop.child_by_field_name("body") if loop is not None else None
    if loop is None or body is None or body.has_error or _LEAVES.search(parsed.data, body.start_byte, body.end_byte):
        return []
    asked = loop.child_by_field_name("condition")
    if loop.type != "do_statement" and asked is not None and CALLS.below(asked):
        return []  # what the condition asks is done before the body, and ends the loop at once
    if body.type == "compound_statement":
        at = body.end_byte - 1
        return [Edit(Span(at, at), END_OF_TURN + b" ")]
    return [
        Edit(Span(body.start_byte, body.start_byte), b"{ "),
        Edit(Span(body.end_byte, body.end_byte), b" " + END_OF_TURN + b" }"),
    ]
