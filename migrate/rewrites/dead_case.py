"""Leave out the `case` of a value that HIP does not have; of a comparison with it, the result: nothing equals it."""

from __future__ import annotations

from collections.abc import Sequence, Set

from tree_sitter import Node

from cudamigrate.cuda import declarations
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Span, Use

_ENDS = frozenset(("return_statement", "break_statement", "throw_statement", "continue_statement", "goto_statement"))
_CONDITIONALS, _HEADS = ("preproc_if", "preproc_ifdef"), ("identifier", "preproc_defined")
_EQUAL = {b"==": (b"0", b"false"), b"!=": (b"1", b"true")}
"""What a comparison with a value that cannot be is worth, in C and in C++."""
_PLAIN = frozenset((b"const", b"enum", b"constexpr", b"static"))


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """One edit: a label goes, or a whole case that nothing falls into or out of; a comparison becomes its value."""
    around = parsed.nodes_around(use.span.start, use.span.end)
    if len(around) > 1 and around[-2].type == "binary_expression":
        return _compared(parsed, around[-2], around[-1], around)
    if len(around) < 2 or around[-2].type != "case_statement" or around[-2].child_by_field_name("value") != around[-1]:
        return []
    case = around[-2]
    inside = [node for node in case.named_children[1:] if node.type != "comment"]
    alone = _is_left(case.prev_named_sibling)
    if case.has_error or (inside and not (alone and _ends(case) and all(map(_is_plain, inside)))):
        return []
    return [Edit(_lines(parsed.data, case.start_byte, case.end_byte), b"")]


def _compared(parsed: ParsedFile, comparison: Node, value: Node, around: Sequence[Node]) -> list[Edit]:
    """The value of a comparison with a variable of a type of CUDA's, whose values are HIP's after the fixes."""
    sides = [comparison.child_by_field_name("left"), comparison.child_by_field_name("right")]
    other = next((one for one in sides if one is not None and one != value), None)
    operator = declarations.text(comparison.child_by_field_name("operator"))
    function = next((one for one in around if one.type == "function_definition"), None)
    if operator not in _EQUAL or value not in sides or other is None or other.type != "identifier" or function is None:
        return []
    name = declarations.text(other)
    found = [local for known, local in declarations.declared(function) if known == name]
    known = {one.name.encode() for one in parsed.uses}
    if not found or not all(not one.rank and _is_of_cuda(one.words - _PLAIN, known) for one in found):
        return []
    plain, cpp = _EQUAL[operator]
    text = plain if parsed.source.path.lower().endswith(".c") else cpp
    return [Edit(Span(comparison.start_byte, comparison.end_byte), text)]


def _is_of_cuda(words: frozenset[bytes], known: Set[bytes]) -> bool:
    """Whether a type is one name, which CUDA has."""
    return len(words) == 1 and words <= known


def _is_left(before: Node | None) -> bool:
    """Whether nothing falls into what is behind a node: it is a case that is left, or a conditional with such cases.

    What a conditional leaves out, the case before it is followed by.
    """
    while before is not None:
        if before.type in _CONDITIONALS:
            inside = [one for one in before.named_children if one.type not in ("comment", *_HEADS)]
            head = before.child_by_field_name("condition") or before.child_by_field_name("name")
            cases = [one for one in inside if one != head]
            if not cases or not all(one.type == "case_statement" and _ends(one) for one in cases[-1:]):
                return False
        elif before.type != "comment":
            return before.type == "case_statement" and _ends(before)
        before = before.prev_named_sibling
    return True


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
