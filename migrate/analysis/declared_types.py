"""What variables, members, functions and aliases of a file are declared as: the node of the type in the text.

Result: the types that a name may have, with how often it is still indexed; nothing where the file does not declare it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from tree_sitter import Node

from cudamigrate.analysis.constant_values import Values
from cudamigrate.cuda import declarations
from cudamigrate.cuda.declarations import Local, text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.syntax import tree_sitter_nodes

_CLASSES = ("struct_specifier", "class_specifier", "union_specifier")
_SPECIFIERS = tree_sitter_nodes.Kinds("cuda", *_CLASSES)
_ALIASES = tree_sitter_nodes.Kinds("cuda", "type_definition", "alias_declaration")
_TEMPLATES = tree_sitter_nodes.Kinds("cuda", "type_parameter_declaration", "optional_type_parameter_declaration")
_FUNCTIONS = tree_sitter_nodes.Kinds("cuda", "function_definition")
_AROUND = ("translation_unit", "namespace_definition", "declaration_list", "linkage_specification", "preproc_if")
_BRANCHES = ("preproc_ifdef", "preproc_else", "preproc_elif")
_DEPTH = 6


class _Names(NamedTuple):
    """The classes, aliases, functions and variables outside of functions that a file declares, by name."""

    classes: Mapping[bytes, Sequence[Node]]
    aliases: Mapping[bytes, Sequence[Node]]
    returned: Mapping[bytes, Sequence[Node | None]]
    variables: Mapping[bytes, Sequence[Local]]


def variable(values: Values, name: Node) -> Sequence[Local]:
    """What a name may be declared as: a variable of its function, else a member of its class, else one of the file."""
    found = values.locals(name.start_byte).get(text(name), [])
    if found:
        return found
    for around in tree_sitter_nodes.ancestors(name):
        if around.type in _CLASSES and (members := list(_members(around, text(name)))):
            return members
    return values.parsed.once(_names).variables.get(text(name), ())


def member(values: Values, field: Node, depth: int = _DEPTH) -> Sequence[Local]:
    """What a member of an object is declared as by the object's class; nothing where the file does not show it."""
    name = text(field.child_by_field_name("field"))
    holder = _class_of(values, field.child_by_field_name("argument"), depth)
    return [] if holder is None else list(_members(holder, name))


def returned(parsed: ParsedFile, name: bytes) -> Sequence[Node | None]:
    """The types that the functions of a name return by value; None for one that returns anything else."""
    return parsed.once(_names).returned.get(name, ())


def meant(parsed: ParsedFile, kind: Node | None) -> Node | None:
    """The type for which an alias of the file stands; the node itself where it is none."""
    for _ in range(_DEPTH):
        known = () if kind is None else parsed.once(_names).aliases.get(text(kind), ())
        if len(known) != 1:
            return kind
        kind = known[0]
    return kind


def named_type(parsed: ParsedFile, spelled: bytes) -> bytes:
    """The type for which a name stands that the file gives to one; the name itself where it gives none."""
    known = parsed.once(_names).aliases.get(spelled, ())
    return text(meant(parsed, known[0])) if len(known) == 1 else spelled


def _class_of(values: Values, held: Node | None, depth: int) -> Node | None:
    while held is not None and held.type in ("subscript_expression", "parenthesized_expression", "pointer_expression"):
        held = held.child_by_field_name("argument") or held.named_child(0)
    if held is None or depth == 0:
        return None
    if held.type == "this":
        return next((one for one in tree_sitter_nodes.ancestors(held) if one.type in _CLASSES), None)
    found: Sequence[Local] = ()
    if held.type == "identifier":
        found = variable(values, held)
    elif held.type == "field_expression":
        found = member(values, held, depth - 1)
    kinds = {one.type for one in found}
    kind = meant(values.parsed, kinds.pop()) if len(kinds) == 1 else None
    if kind is None or (kind.type in _CLASSES and kind.child_by_field_name("body") is not None):
        return kind
    known = values.parsed.once(_names).classes.get(text(kind.child_by_field_name("name") or kind), ())
    return known[0] if len(known) == 1 else None


def _members(holder: Node, name: bytes) -> Iterator[Local]:
    """The members of a name that a class declares, by itself or in a union without a name."""
    body = holder.child_by_field_name("body")
    for field in () if body is None else body.named_children:
        if field.type != "field_declaration":
            continue
        kind = field.child_by_field_name("type")
        if kind is not None and kind.type in _CLASSES and not field.children_by_field_name("declarator"):
            yield from _members(kind, name)
        yield from (one for found, one in declarations.declared_by((field,)) if found == name)


def _names(parsed: ParsedFile) -> _Names:
    classes: dict[bytes, list[Node]] = {}
    returns: dict[bytes, list[Node | None]] = {}
    variables: dict[bytes, list[Local]] = {}
    root = parsed.tree.root_node
    for one in _SPECIFIERS.below(root):
        if one.child_by_field_name("body") is not None:
            classes.setdefault(text(one.child_by_field_name("name")), []).append(one)
    for one in _FUNCTIONS.below(root):
        head = one.child_by_field_name("declarator")
        name, kind = text(head).partition(b"(")[0].strip(b"*& "), one.child_by_field_name("type")
        plain = head is not None and head.type == "function_declarator"
        returns.setdefault(name, []).append(kind if plain else None)
    for name, local in declarations.declared_by(_outside(root)):
        variables.setdefault(name, []).append(local)
    return _Names(classes, _aliases(root), returns, variables)


def _aliases(root: Node) -> dict[bytes, list[Node]]:
    """The other names of types, without those that are a template's parameter somewhere."""
    found: dict[bytes, list[Node]] = {}
    for one in _ALIASES.below(root):
        kind = one.child_by_field_name("type")
        kind = kind.child_by_field_name("type") or kind if kind is not None and kind.type == "type_descriptor" else kind
        for name in one.children_by_field_name("name" if one.type == "alias_declaration" else "declarator"):
            if kind is not None:
                found.setdefault(text(name), []).append(kind)
    for one in _TEMPLATES.below(root):
        for name in one.named_children[:1]:
            found.pop(text(name), None)
    return found


def _outside(node: Node) -> Iterator[Node]:
    """The declarations outside of functions and classes."""
    for one in node.named_children:
        if one.type == "declaration":
            yield one
        elif one.type in (*_AROUND, *_BRANCHES):
            yield from _outside(one)
