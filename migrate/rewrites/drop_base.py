"""Leave out a base class that only names types, where no code of the file asks for these."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Span, Use

_NAMED = re.compile(rb"\b(?:argument_type|first_argument_type|second_argument_type|result_type)\b")
"""All that the bases of function objects have: names of types."""


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """One deletion, of the base with its colon or comma; none where the use is no base, or its names are asked for."""
    around = parsed.nodes_around(use.span.start, use.span.end)
    clause = next((one for one in around if one.type == "base_class_clause"), None)
    if clause is None or clause.has_error or any(True for _ in parsed.lexed.matches(_NAMED)):
        return []
    groups = _groups(clause)
    at = next((at for at, (start, end) in enumerate(groups) if start <= use.span.start < end), None)
    if at is None or any(one.type.startswith("preproc") for one in clause.children):
        return []
    if len(groups) == 1:
        start, end = clause.start_byte, clause.end_byte
        while parsed.data[start - 1 : start] in (b" ", b"\t"):
            start -= 1
        spaced = b" " if parsed.data[end : end + 1] == b"{" and start < clause.start_byte else b""
        return [Edit(Span(start, end), spaced)]
    if at + 1 < len(groups):
        return [Edit(Span(groups[at][0], groups[at + 1][0]), b"")]
    return [Edit(Span(groups[at - 1][1], groups[at][1]), b"")]


def _groups(clause: Node) -> list[tuple[int, int]]:
    """Where each base begins and ends, its access included."""
    found: list[tuple[int, int]] = []
    start = -1
    for child in clause.children:
        if child.type in (":", ","):
            start = -1
        elif child.type != "comment":
            if start < 0:
                start = child.start_byte
                found.append((start, child.end_byte))
            found[-1] = (start, child.end_byte)
    return found
