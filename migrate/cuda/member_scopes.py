"""Scopes that the head of a function names: what `void Store::release() { ... }` calls is looked up in `Store` first.

What follows the declarator's name is in the class or namespace before its `::`, wherever the definition is written
(ISO C++, basic.lookup.unqual).
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.model import Span


def named_scope(definition: Node) -> tuple[Span, str] | None:
    """What of a function's definition is in a scope that its head names, and the scope's name; None where none is.

    A template is named without its arguments: `Store` for `Store<T>::release`.
    """
    inner = definition.child_by_field_name("declarator")
    while inner is not None and inner.type != "qualified_identifier":
        inner = inner.child_by_field_name("declarator")
    if inner is None or inner.has_error:
        return None
    name = "::".join(_parts(inner))
    return (Span(inner.end_byte, definition.end_byte), name) if name else None


def _parts(qualified: Node) -> Iterator[str]:
    """The names before the last one of a qualified name."""
    inner: Node | None = qualified
    while inner is not None and inner.type == "qualified_identifier":
        scope = inner.child_by_field_name("scope")
        scope = scope.child_by_field_name("name") if scope is not None and scope.type == "template_type" else scope
        if scope is not None and scope.text is not None:
            yield scope.text.decode("latin-1")
        inner = inner.child_by_field_name("name")
