"""`warpSize` where C++ wants a place in memory: 32 is none, so that a reference to it needs more than the number.

CUDA's `warpSize` is a constant, and `auto &w = warpSize;` a reference to a constant: with the word before it, 32 does.
"""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from cudamigrate.analysis import builtin_wave
from cudamigrate.analysis.constant_values import node_at
from cudamigrate.analysis.lvalue_uses import needs_place
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Span


def edits(parsed: ParsedFile, span: Span) -> list[Edit]:
    """What writes 32 for `warpSize`; nothing where a place in memory is needed that no number is."""
    node = node_at(parsed, span.start, span.end)
    if node is None or not needs_place(parsed, node):
        return [Edit(span, b"32")]
    holder = _deduced(node)
    return [] if holder is None else [Edit(span, b"32"), Edit(Span(holder.start_byte, holder.start_byte), b"const ")]


def unwritten(parsed: ParsedFile, unit: Span) -> bool:
    """Whether some function of a file uses `warpSize` as a place for which no number can be written."""
    spans = (Span(at, at + len(b"warpSize")) for at in _places(parsed) if unit.start <= at < unit.end)
    return any(not edits(parsed, span) for span in spans if builtin_wave.meaning(parsed, span.start) != "own")


def _places(parsed: ParsedFile) -> Sequence[int]:
    return parsed.lexed.words(frozenset((b"warpSize",))) if b"warpSize" in parsed.data else ()


def _deduced(node: Node) -> Node | None:
    """The declaration of one reference whose type is what it begins with: `auto &w = warpSize;`."""
    bound = node.parent
    holder = bound.parent if bound is not None and bound.type == "init_declarator" else None
    held = bound.child_by_field_name("declarator") if bound is not None and holder is not None else None
    if holder is None or held is None or held.type != "reference_declarator":
        return None
    alone = len(holder.children_by_field_name("declarator")) == 1
    return holder if alone and text(holder.child_by_field_name("type")) == b"auto" else None
