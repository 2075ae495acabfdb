"""Numbers that a variable of the host takes one after another: from a list, in a loop, or as what a member begins with.

Result: the numbers that are seen, each of which the expression is worth at some time. Where a list may be changed, or a
member is given anything else in the file, none is.
"""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from cudamigrate.analysis.constant_values import Values
from cudamigrate.cuda.declarations import text
from cudamigrate.cuda.parsed_file import ParsedFile
from cudamigrate.syntax import tree_sitter_nodes

_FUNCTIONS = tree_sitter_nodes.Kinds("cuda", "function_definition")
_LOOPS = tree_sitter_nodes.Kinds("cuda", "for_range_loop", "for_statement")
_CLASSES = tree_sitter_nodes.Kinds("cuda", "struct_specifier", "class_specifier")
_FIELDS = tree_sitter_nodes.Kinds("cuda", "field_declaration")
_DECLARATIONS = tree_sitter_nodes.Kinds("cuda", "declaration", "parameter_declaration")
_CHANGES = tree_sitter_nodes.Kinds("cuda", "assignment_expression", "update_expression", "pointer_expression")
_MEMBERS = tree_sitter_nodes.Kinds("cuda", "field_expression")
_GIVEN = tree_sitter_nodes.Kinds("cuda", "field_initializer", "initializer_pair")
_CALLS = tree_sitter_nodes.Kinds("cuda", "call_expression")
_READING = frozenset(b"size begin end cbegin cend data empty front back at max_size length".split())
"""Members of containers that change no element by themselves."""
_DEPTH = 4


def numbers(parsed: ParsedFile, node: Node | None, depth: int = _DEPTH) -> frozenset[int]:
    """The numbers that an expression of the host is seen to be worth, one at a time."""
    if node is None or not depth:
        return frozenset()
    known = Values.of(parsed).constant(node)
    if known is not None:
        return frozenset((known,))
    if node.type in ("parenthesized_expression", "argument_list") and node.named_child_count == 1:
        return numbers(parsed, node.named_children[0], depth - 1)
    if node.type == "subscript_expression":
        return _elements(parsed, node.child_by_field_name("argument"))
    if node.type == "field_expression":
        return _member(parsed, text(node.child_by_field_name("argument")), node.child_by_field_name("field"))
    return _variable(parsed, node, depth) if node.type in ("identifier", "parameter_declaration") else frozenset()


def _variable(parsed: ParsedFile, node: Node, depth: int) -> frozenset[int]:
    """What a loop gives its variable, what a local one begins with, or a member of the class around."""
    root, name = parsed.tree.root_node, text(node)
    for loop in _LOOPS.around(root, node):
        if loop.type == "for_range_loop" and _plain(loop.child_by_field_name("declarator")) == name:
            listed = loop.child_by_field_name("right")
            return frozenset() if _is_changed(root, loop, name) else _elements(parsed, listed)
        first = loop.child_by_field_name("initializer")
        begins = [value for found, value in _declared(first) if found == name] if first is not None else []
        if begins:
            body = loop.child_by_field_name("body")
            changed = body is None or _is_changed(root, body, name)
            return frozenset() if changed else numbers(parsed, begins[0], depth - 1)
    function = next(_FUNCTIONS.around(root, node), None)
    found = [value for one, value in _locals(root, function) if one == name]
    if function is None or not found:
        return _member(parsed, b"this", node)
    once = len(found) == 1 and not _is_changed(root, function, name)
    return numbers(parsed, found[0], depth - 1) if once else frozenset()


def _locals(root: Node, function: Node | None) -> Iterator[tuple[bytes, Node | None]]:
    """The variables and parameters of a function, with what each begins with."""
    for one in _DECLARATIONS.within(root, function) if function is not None else ():
        yield from _declared(one)


def _declared(declaration: Node) -> Iterator[tuple[bytes, Node | None]]:
    """The variables of a declaration, with what each begins with: `dim3 b(n);` reads as a function's there."""
    for one in declaration.children_by_field_name("declarator"):
        yield _plain(one), one.child_by_field_name("value")


def _plain(declarator: Node | None) -> bytes:
    """The name of a variable that is declared."""
    while declarator is not None and declarator.type not in ("identifier", "field_identifier"):
        inner = declarator.child_by_field_name("declarator")
        declarator = inner or (declarator.named_children[-1] if declarator.type == "reference_declarator" else None)
    return text(declarator)


def _elements(parsed: ParsedFile, listed: Node | None) -> frozenset[int]:
    """The elements of a list in braces, or of a variable that is given one and that nothing changes."""
    if listed is None or listed.type not in ("initializer_list", "identifier"):
        return frozenset()
    if listed.type == "initializer_list":
        values, found = Values.of(parsed), set[int | None]()
        for one in tree_sitter_nodes.elements(listed):
            found |= _elements(parsed, one) if one.type == "initializer_list" else {values.constant(one)}
        return frozenset() if None in found else frozenset(one for one in found if one is not None)
    root, name = parsed.tree.root_node, text(listed)
    function = next(_FUNCTIONS.around(root, listed), None)
    begins = [value for one, value in _locals(root, function) if one == name]
    if not begins:
        outer = (one for one in _DECLARATIONS.below(root) if next(_FUNCTIONS.around(root, one), None) is None)
        begins, function = [value for one in outer for found, value in _declared(one) if found == name], root
    value = begins[0] if len(begins) == 1 else None
    around, is_list = function or root, value is not None and value.type == "initializer_list"
    fixed = is_list and not _is_changed(root, around, name) and not _is_handed(root, around, name)
    return _elements(parsed, value) if fixed else frozenset()


def _is_changed(root: Node, within: Node, name: bytes) -> bool:
    """Whether a variable, or an element of it, is changed in some code."""
    for one in _CHANGES.within(root, within):
        target = one.child_by_field_name("left") or one.child_by_field_name("argument")
        if text(target).partition(b"[")[0].partition(b".")[0].strip() == name:
            return True
    for one in _MEMBERS.within(root, within):
        if text(one.child_by_field_name("argument")) == name and text(one.child_by_field_name("field")) not in _READING:
            return True
    return False


def _is_handed(root: Node, within: Node, name: bytes) -> bool:
    """Whether a call is given a variable: it may change what it holds."""
    given = (tree_sitter_nodes.elements(one.child_by_field_name("arguments")) for one in _CALLS.within(root, within))
    return any(text(one) == name for listed in given for one in listed)


def _member(parsed: ParsedFile, owner: bytes, field: Node | None) -> frozenset[int]:
    """What a member begins with, where the file names one such member and gives it nothing else."""
    root, name, begins = parsed.tree.root_node, text(field), list[Node | None]()
    for one in _FIELDS.below(root):
        begins += [one.child_by_field_name("default_value") for each in _names(one) if each == name]
    targets = (one.child_by_field_name("left") for one in _CHANGES.below(root) if one.type == "assignment_expression")
    set_to = [one for one in targets if one is not None and text(one).replace(b"->", b".").split(b".")[-1] == name]
    if len(begins) != 1 or any(name in text(one).split(b"(")[0].split(b"{")[0] for one in _GIVEN.below(root)):
        return frozenset()
    value = begins[0]
    if len(set_to) == 1 and value is None:
        value = set_to[0].parent.child_by_field_name("right") if set_to[0].parent is not None else None
        set_to = []
    is_made = owner != b"this" and any(one == owner and made is not None for one, made in _objects(parsed, field))
    known = Values.of(parsed).constant(value) if value is not None and not set_to and not is_made else None
    return frozenset() if known is None else frozenset((known,))


def _names(field: Node) -> list[bytes]:
    return [_plain(one) for one in field.children_by_field_name("declarator")]


def _objects(parsed: ParsedFile, place: Node | None) -> Iterator[tuple[bytes, Node | None]]:
    """The variables of the function around a place: what one begins with may give its members other numbers."""
    root = parsed.tree.root_node
    yield from _locals(root, next(_FUNCTIONS.around(root, place), None) if place is not None else None)
