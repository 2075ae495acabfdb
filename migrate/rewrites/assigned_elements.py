"""Give an array its elements behind its declaration: `float *t[2] = {a, b};` -> `float *t[2]; t[0] = a; t[1] = b;`."""

from __future__ import annotations

from collections.abc import Sequence

from tree_sitter import Node

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model import Edit, Span, Use


def edits(parsed: ParsedFile, use: Use, words: Sequence[str]) -> list[Edit]:
    """The use is the list. None for an array with other elements than those, or with such as cannot be assigned to."""
    around = parsed.nodes_around(use.span.start, use.span.end)
    made = next((one for one in reversed(around) if one.type == "init_declarator"), None)
    outer = made.parent if made is not None else None
    if made is None or outer is None or not _is_alone(outer) or parsed.lexed.directive_at(use.span.start) is not None:
        return []
    listed, declarator = made.child_by_field_name("value"), made.child_by_field_name("declarator")
    array = _array(declarator)
    if listed is None or declarator is None or array is None:
        return []
    given = [parsed.data[one.start_byte : one.end_byte] for one in listed.named_children]
    size = array.child_by_field_name("size")
    if any(one.type in ("comment", "initializer_list") for one in listed.named_children):
        return []
    if size is not None and parsed.data[size.start_byte : size.end_byte] != str(len(given)).encode():
        return []
    closing = array.end_byte - 1
    sized = [Edit(Span(closing, closing), str(len(given)).encode())] if size is None else []
    stored = b" ".join(b"%s[%d] = %s;" % (use.name.encode(), at, one) for at, one in enumerate(given))
    return [*sized, Edit(Span(declarator.end_byte, outer.end_byte), b"; " + stored)]


def _is_alone(declaration: Node) -> bool:
    """Whether a declaration is a statement of a block, and declares one variable."""
    block = declaration.parent
    return (
        block is not None
        and block.type == "compound_statement"
        and len(declaration.children_by_field_name("declarator")) == 1
    )


def _array(declarator: Node | None) -> Node | None:
    """The array of pointers that a declarator declares, with one index; none where the pointers are constant."""
    pointers = 0
    while declarator is not None and declarator.type == "pointer_declarator":
        if any(one.type == "type_qualifier" for one in declarator.named_children):
            return None
        declarator, pointers = declarator.child_by_field_name("declarator"), pointers + 1
    inner = declarator.child_by_field_name("declarator") if declarator is not None else None
    is_array = declarator is not None and declarator.type == "array_declarator"
    return declarator if is_array and pointers and inner is not None and inner.type == "identifier" else None
