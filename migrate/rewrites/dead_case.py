"""Leave out the `case` of a value that HIP does not have, which it therefore never returns."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Span, Use

_ENDS = frozenset(("return_statement", "break_statement", "throw_statement", "continue_statement", "goto_statement"))


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """One deletion: of a label alone, or of a whole case that nothing falls into or out of; nowhere else one."""
    around = parsed.nodes_around(use.span.start, use.span.end)
    if len(around) < 2 or around[-2].type != "case_statement" or around[-2].child_by_field_name("value") != around[-1]:
        return []
    case = around[-2]
    inside = [node for node in case.named_children[1:] if node.type != "comment"]
    before = case.prev_named_sibling
    while before is not None and before.type == "comment":
        before = before.prev_named_sibling
    alone = before is None or (before.type == "case_statement" and _ends(before))
    if case.has_error or (inside and not (alone and _ends(case) and all(map(_is_plain, inside)))):
        return []
    return [Edit(_lines(parsed.data, case.start_byte, case.end_byte), b"")]


def _ends(case: Node) -> bool:
    """Whether the last statement of a case leaves it."""
    last = [node for node in case.named_children[1:] if node.type != "comment"][-1:]
    while last and last[0].type == "compound_statement":
        last = [node for node in last[0].named_children if node.type != "comment"][-1:]
    return bool(last) and last[0].type in _ENDS


def _is_plain(node: Node) -> bool:
    """Whether a statement holds no directive and declares nothing that a later case may see."""
    return not node.type.startswith("preproc") and node.type != "declaration"


def _lines(data: bytes, start: int, end: int) -> Span:
    """The bytes with the blanks before them and the end of their line, where nothing else is on it."""
    first = data.rfind(b"\n", 0, start) + 1
    last = data.find(b"\n", end)
    if data[first:start].strip() or last < 0 or data[end:last].strip():
        return Span(start, end)
    last += 1
    if data[last : last + 2] == b"\n\n" or (data[first - 2 : first] == b"\n\n" and data[last : last + 1] == b"\n"):
        last += 1  # one empty line of two
    return Span(first, last)
