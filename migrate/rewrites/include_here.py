"""Include a header at the start of the conditional branch that needs it, or for HIP alone before what is around it.

A header that is read within a namespace, a class or a function would declare its names there. In a branch that asks for
the number of NVIDIA's GPU or of its compiler, HIP would not read it at all, or in one of its two passes.
"""

from __future__ import annotations

from collections.abc import Sequence

from cudamigrate.cuda.conditions import question
from cudamigrate.cuda.include_insertion import addition, newline
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.lazy_re import re
from cudamigrate.model import Edit, Span, Use
from cudamigrate.syntax import tree_sitter_nodes

_ENCLOSING = frozenset(
    ("namespace_definition", "linkage_specification", "class_specifier", "struct_specifier", "union_specifier")
)
_BODY = "compound_statement"
_BRACE = re.compile(rb"[{}]")


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """One line after the directive that opens the branch."""
    branch = parsed.conditional(use.span.start)
    if branch is None:
        return []
    end, line = newline(parsed.data), f"#include <{words[0]}>".encode()
    inside = _is_in_braces(parsed, branch.start) or _is_enclosed(parsed, use.span.start, branch.start)
    if not inside and not _asks_for_number(parsed, use.span.start):
        return [Edit(Span(branch.start, branch.start), end + line)]
    place = addition(parsed, words[0])
    whole = place.replacement.replace(line, end.join((b"#if defined(__HIPCC__)", line, b"#endif")))
    return [Edit(place.span, whole)]


def _asks_for_number(parsed: ParsedFile, offset: int) -> bool:
    """Whether a branch around a place, or one before it in its chain, asks for a number that HIP does not define."""
    return any(question(one).macros for branch in parsed.branches_around(offset) for one in branch.conditions)


def _is_in_braces(parsed: ParsedFile, start: int) -> bool:
    """Whether braces are open at the start of a branch: of a class in pieces the parser may make something else."""
    found = (match[0] for match in parsed.lexed.matches(_BRACE) if match.start() < start)
    return sum(1 if one == b"{" else -1 for one in found) > 0


def _is_enclosed(parsed: ParsedFile, offset: int, start: int) -> bool:
    """Whether a place is within a namespace, a class or the like, or in a body that begins before `start`."""
    node = parsed.tree.root_node.descendant_for_byte_range(offset, offset + 1)
    return node is not None and any(
        one.type in _ENCLOSING or (one.type == _BODY and one.start_byte < start)
        for one in tree_sitter_nodes.ancestors(node)
    )
