"""What the members of a class are declared as and begin with."""

from __future__ import annotations

from tree_sitter import Node

from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.model.warp_graph import Definition
from cudamigrate.warp import template_instances
from cudamigrate.warp.declarators import bases, class_name, is_value, plain
from cudamigrate.warp.expressions import expression, word
from cudamigrate.warp.routine_drafts import Draft
from cudamigrate.warp.tree_queries import OBJECTS


def read(parsed: ParsedFile, node: Node) -> Draft | None:
    """A class as a routine of its name; None for one without a name or members."""
    name, body = class_name(node), node.child_by_field_name("body")
    if not name or body is None:
        return None
    draft = Draft(name, name, kernel=False, parent=-1, line=parsed.line(node))
    draft.types, draft.kinds = {base: base for base in bases(node)}, template_instances.of(node)
    draft.held = set(draft.types)
    _members(parsed, draft, body)
    return draft


def _members(parsed: ParsedFile, draft: Draft, body: Node) -> None:
    """The fields of a class, those of a struct or union without a name in it too."""
    for field in body.named_children:
        if field.type != "field_declaration":
            continue
        kind, value = field.child_by_field_name("type"), field.child_by_field_name("default_value")
        inner = kind.child_by_field_name("body") if kind is not None and kind.type in OBJECTS else None
        if inner is not None:
            _members(parsed, draft, inner)
        for declarator in field.children_by_field_name("declarator"):
            if _is_method(declarator):
                continue
            member = plain(declarator)
            draft.types[member] = "" if inner is not None else word(kind)
            draft.held |= {member} if is_value(declarator) else set()
            draft.statics |= {member} if any(word(one) == "static" for one in field.named_children) else set()
            if value is not None:
                made = Definition(member, expression(value), (), parsed.line(field))
                draft.definitions.append((made, (), value.start_byte))


def _is_method(declarator: Node) -> bool:
    """Whether a declarator is of a function of the class, no pointer to one: `T *get(int n)`, not `T (*get)(int)`."""
    inner: Node | None = declarator
    while inner is not None and inner.type in ("pointer_declarator", "reference_declarator"):
        inner = next(iter(inner.named_children[-1:]), None)
    if inner is None or inner.type != "function_declarator":
        return False
    named = inner.child_by_field_name("declarator")
    return named is not None and named.type != "parenthesized_declarator"
